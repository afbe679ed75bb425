//! `rundown changes resume`: outcome of changes with an unknown end, and completion of the rest.

use super::prelude::*;
use super::{outcome, requests, warn};
use crate::cli::ResumeOptions;
use crate::domain::{SuiteChange, Unfinished};
use crate::ops::unfinished::unfinished;
use crate::ops::{ChangingSuites, Writing};

/// Resumes each unfinished change, oldest first.
pub async fn resume(access: &mut Access, options: &ResumeOptions) -> Ran {
    let writing = access.writing()?;
    let profile = &access.connection.client.settings.profile;
    let here = access.connection.client.target();
    let mut left =
        unfinished(&writing.state, profile, &here).map_err(|why| Exit::Service.because(why))?;
    if let Some(id) = &options.id {
        left.retain(|change| change.job == *id);
    }
    let is_forgotten = options.forget && options.id.is_some();
    let is_own = |change: &&Unfinished| {
        change.elsewhere.is_none() || is_forgotten && change.is_of_other_service
    };
    let own = left.iter().filter(is_own);
    let elsewhere = left.split_off(own.count());
    for change in &elsewhere {
        let why = change.elsewhere.as_deref().unwrap_or_default();
        let by = if change.is_of_other_service {
            ""
        } else {
            " (--project, --subproject)"
        };
        let words = format!("{}: {}; {why}{by}", change.job, change.words);
        if options.id.is_some() {
            return Err(Exit::Service.because(words));
        }
        note(&words);
    }
    if left.is_empty() {
        return match &options.id {
            Some(id) => Err(Exit::Service.because(format!(
                "no change of this name is left in profile {profile}: {id}"
            ))),
            None if elsewhere.is_empty() => {
                note("no change is left whose end is not known");
                Ok(())
            }
            None => Ok(()),
        };
    }
    if options.forget {
        for change in &left {
            let done = writing.let_be(&change.job).await;
            done.map_err(|why| Exit::Service.because(why))?;
            note(&format!("{}; not asked about any more", change.words));
        }
        return Ok(());
    }
    access.sign_in_first().await?;
    let (mut exits, mut words, mut signals) = (Vec::new(), Vec::new(), None);
    let is_named = options.dry_run || left.len() > 1;
    for (change, after) in left.iter().zip((0..left.len()).rev()) {
        if is_named {
            note(&format!("{}:", change.job));
        }
        let ended = one(access, (&writing, &mut signals), change, options.dry_run).await;
        let may_go_on = match ended {
            Ok((exit, said)) => {
                exits.push(exit);
                let of = is_named.then(|| format!("{}: ", change.job));
                words.extend(said.map(|said| of.unwrap_or_default() + &said));
                true
            }
            Err(stop) => {
                exits.push(stop.exit);
                words.push(format!("{}: {}", change.job, stop.words));
                stop.exit == Exit::Service && stop.kind != FailureKind::Network
            }
        };
        let is_stopped = writing.stopped.is_cancelled();
        if is_stopped && after > 0 {
            exits.push(Exit::Service);
            let after = text::count(after, "change");
            words.push(format!("{after} not tried: stopped by a signal"));
        }
        if is_stopped || !may_go_on {
            break;
        }
    }
    outcome::worst(exits).with(words.join("; "))
}

/// Resumes one change. Returns its exit status, and a message if it did not succeed. Signals are heard from the first
/// change that has something to send: until then they end the program.
async fn one(
    access: &mut Access,
    (writing, signals): (&Writing, &mut Option<EndSignals>),
    change: &Unfinished,
    dry_run: bool,
) -> Ran<(Exit, Option<String>)> {
    let looking = Writing {
        client: access.client.clone(),
        ..writing.clone()
    };
    let lookup = access.work(async |_, _| looking.read_unfinished(&change.job, !dry_run).await);
    let heard = async {
        match signals {
            Some(signals) => signals.heard().await,
            None => std::future::pending().await,
        }
    };
    let rest = tokio::select! {
        rest = lookup => rest?,
        () = heard => return Err(Exit::Service.because("not tried: stopped by a signal")),
    };
    for sentence in &rest.found {
        note(sentence);
    }
    let options = access.connection.profile().options();
    let forget = format!("rundown changes resume {} --forget {options}", change.job);
    let Some(plan) = rest.change else {
        return Ok(match rest.end {
            End::Done => (Exit::Fine, None),
            End::Unknown => {
                let deletes = rest.left.map_or_else(String::new, |run| {
                    let name = run.name();
                    format!(
                        "to delete it: rundown runs delete {name} --yes-delete {name} {options}; "
                    )
                });
                let words = format!("not known; {deletes}to leave it at that: {forget}");
                (Exit::Unknown, Some(words))
            }
            End::Refused | End::NotSent(_) => {
                (Exit::Service, Some("nothing further was sent".into()))
            }
        });
    };
    if dry_run {
        let run = RunRow {
            id: plan.run_id.clone(),
            ..RunRow::unknown(plan.run.clone())
        };
        requests::show(Some(&run), &plan.requests(), ChangeFormat::Text)?;
    }
    // Whether it is this run the user decides.
    if rest.end == End::Unknown {
        let adds = format!("rundown suites add {} {}", plan.short_name(), first(&plan));
        let words = format!("not known; if it is this run: {adds}; and then: {forget}");
        return Ok((Exit::Unknown, Some(words)));
    }
    if dry_run {
        return Ok((Exit::Fine, None));
    }
    if !plan.adds {
        warn(plan.stake.as_ref());
    }
    let signals = match signals {
        Some(signals) => signals,
        none => none.insert(EndSignals::listen(writing.clone())?),
    };
    let held = writing.resume(&change.job).await;
    held.map_err(|why| Exit::Service.because(why))?;
    let mut change = ChangingSuites::new(plan);
    let tell = |step: &ChunkResult| tell_line(&step.words);
    let outcome = access
        .carry_out(signals, &mut change, |it| &it.steps, tell, |_| false)
        .await?;
    let words = outcome.words(change.plan().deed());
    Ok(match outcome::exit(&outcome) {
        Exit::Fine => {
            tell_line(&words);
            (Exit::Fine, None)
        }
        exit => (exit, Some(words)),
    })
}

/// The suites of a change as a command takes them; those of its further requests are left out.
fn first(plan: &SuiteChange) -> String {
    let suites = plan.suites.iter().take(SuiteChange::CHUNK);
    let mut words: Vec<Cow<'_, str>> = suites
        .map(|(suite, _)| shell_words::quote(suite.as_str()))
        .collect();
    if plan.suites.len() > words.len() {
        words.push("…".into());
    }
    words.join(" ")
}
