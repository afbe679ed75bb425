//! `rundown suites add` and `rundown suites remove`: with the checks and readings of the screen.

use super::outcome;
use super::prelude::*;
use super::requests::show;
use crate::cli::ChangeOptions;
use crate::domain::{ReadBack, ResultCounts, SuiteChange, SuiteRow, find_named};
use crate::ops::ChangingSuites;

/// Adds or removes suites: all of them, or nothing is sent.
pub async fn change(access: &mut Access, options: &ChangeOptions, adds: bool) -> Ran {
    access.may_write()?;
    let writing = if options.dry_run {
        None
    } else {
        Some(access.writing()?)
    };
    let closed = "its suites cannot be changed. Nothing was sent.";
    let run = access.find_open(&options.run, closed).await?;
    let suites = if adds {
        to_add(access, &run, options).await?
    } else {
        to_remove(access, &run, options).await?
    };
    let change = SuiteChange::of(&run, adds, suites);
    let Some(writing) = writing else {
        return show(Some(&run), &change.requests(), options.format);
    };
    if !adds {
        warn(run.results.as_ref());
    }
    access.progress.clear();
    let mut signals = EndSignals::listen(writing)?;
    let several = change.suites.len() > SuiteChange::CHUNK && options.format == ChangeFormat::Text;
    let tell = |step: &ChunkResult| {
        if several {
            tell_line(&step.words);
        }
    };
    let mut change = ChangingSuites::new(change);
    let outcome = access
        .carry_out(&mut signals, &mut change, |it| &it.steps, tell, |_| false)
        .await?;
    access.looks_again(end(&run, &change, &outcome, options.format))
}

/// Warnings before a removal, as on the screen.
pub fn warn(counts: Option<&ResultCounts>) {
    note("results recorded in these suites may be lost");
    if counts.is_none() {
        note("the counts of this run are not known, so none are saved first");
    }
}

/// Suites to add; each must be available for the run.
async fn to_add(
    access: &mut Access,
    run: &RunRow,
    options: &ChangeOptions,
) -> Ran<Vec<(DocRef, String)>> {
    let free = access.available(&run.doc_ref).await?;
    let (suites, missing) = find_named(&options.suites, &free, SuiteRow::known_as, |_| true);
    let why = "cannot be added: in the run already, gone, of another project, sub project or version, or the id of several";
    all_found(run, &missing, why)?;
    let pair = |suite: &&SuiteRow| (suite.doc_ref.clone(), suite.full_name());
    Ok(suites.iter().map(pair).collect())
}

/// Suites to remove; each must be known to be in the run, as on the screen.
async fn to_remove(
    access: &mut Access,
    run: &RunRow,
    options: &ChangeOptions,
) -> Ran<Vec<(DocRef, String)>> {
    let typed = options.suites.iter().filter_map(DocumentName::reference);
    let typed: Vec<DocRef> = typed.cloned().collect();
    let attached = access.survey(&run.doc_ref, &typed).await?;
    let may_remove = |named: &Named| attached.may_remove(named);
    let (suites, missing) = find_named(
        &options.suites,
        &attached.named,
        Named::known_as,
        may_remove,
    );
    let state = attached.words();
    let why = format!("cannot be removed: not known to be in the run ({state})");
    all_found(run, &missing, &why)?;
    Ok(suites.into_iter().map(Named::pair).collect())
}

/// An error if suites of the command line have no match.
fn all_found(run: &RunRow, missing: &[String], why: &str) -> Ran {
    if missing.is_empty() {
        return Ok(());
    }
    Err(Exit::Service.because(format!(
        "{}: {}: {why}. Nothing was sent.",
        called(run),
        missing.join(", ")
    )))
}

/// Result of the reading after a change, in one word.
fn verdict(outcome: &Outcome) -> &'static str {
    match (outcome.end, outcome.seen) {
        (End::Done, ReadBack::AsSent) => "confirmed",
        (End::Unknown, ReadBack::Unread) => "unread",
        _ => "differs",
    }
}

/// A change of suites as JSON.
pub fn in_json(deed: Deed<'_>, outcome: &Outcome, steps: &[ChunkResult]) -> Value {
    let references =
        |suites: Vec<DocRef>| -> Vec<String> { suites.iter().map(DocRef::to_string).collect() };
    let steps: Vec<Value> = steps
        .iter()
        .map(|step| json!({"words": step.words, "good": step.good}))
        .collect();
    json!({
        "steps": steps, "verdict": verdict(outcome), "end": outcome::end(outcome), "words": outcome.words(deed),
        "done": references(outcome.done_parts()), "not_done": references(outcome.other_parts()),
    })
}

/// Prints the outcome, and returns the exit status.
fn end(run: &RunRow, change: &ChangingSuites, outcome: &Outcome, format: ChangeFormat) -> Ran {
    let deed = change.plan().deed();
    let words = outcome.words(deed);
    let exit = outcome::exit(outcome);
    outcome::tell_end(format, exit, &words, || {
        let members = json!({"run": names(run), "method": change.plan().method()});
        let members = outcome::with(members, in_json(deed, outcome, &change.steps));
        json::pretty("suites_changed", members)
    });
    exit.with(words)
}
