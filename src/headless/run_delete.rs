//! `rundown runs delete`: the steps of the screen, one run after the other.

use super::access::Access;
use super::find::Target;
use super::outcome::Outcome;
use super::output::{note, tell_line};
use super::requests::{self, request};
use super::run_deleted::{Ended, end};
use super::suite_change::{planned, warn};
use super::writing::Signals;
use super::{Exit, Stop};
use crate::attached::{Attached, State};
use crate::cli::{ChangeFormat, DeleteOptions};
use crate::domain::{
    ChangeOutcome, ChangeVerdict, ChunkResult, Delete, DeleteEnd, DocRef, RunRow, Status,
    SuiteChange,
};
use crate::rpc::Writer;
use crate::worker::{Beside, Changing};

/// Checks that the names are repeated: the same ones, each once.
pub fn repeated(options: &DeleteOptions) -> Result<(), Stop> {
    let mut runs: Vec<String> = options.runs.iter().map(ToString::to_string).collect();
    runs.sort();
    if runs.windows(2).any(|two| two[0] == two[1]) {
        return Err(Stop::usage("a run is named twice. Nothing was sent."));
    }
    let mut again = options.yes_delete.clone();
    again.sort();
    if runs == again || options.dry_run && again.is_empty() {
        return Ok(());
    }
    Err(Stop::usage(format!(
        "--yes-delete must repeat the runs exactly: expected {}, found {}. Nothing was sent.",
        runs.join(" "),
        again.join(" ")
    )))
}

/// Deletes runs; the first that goes wrong keeps the rest from being tried.
pub async fn delete(access: &mut Access, options: &DeleteOptions) -> Result<(), Stop> {
    let writer = access.writer()?;
    let mut runs: Vec<(Target, RunRow)> = Vec::new();
    for name in &options.runs {
        let found = access.find(name).await?;
        if runs
            .iter()
            .any(|(known, _)| known.doc_ref == found.0.doc_ref)
        {
            return Err(Stop::usage(format!(
                "{name} is named twice. Nothing was sent."
            )));
        }
        runs.push(found);
    }
    if options.dry_run {
        return dry_run(access, options, &runs).await;
    }
    let changing = access.changing()?;
    let mut signals = Signals::listen(&changing)?;
    let mut ended: Vec<Ended> = Vec::new();
    for (target, row) in runs {
        let over = ended.iter().any(|ended| ended.exit != Exit::Fine);
        let words = match (over, changing.stopped.is_cancelled()) {
            (false, false) => None,
            (true, _) => Some("a run before it went wrong"),
            (false, true) => Some("stopped by a signal"),
        };
        let mut one = Ended::not_tried(target, words.unwrap_or_default());
        if words.is_none() {
            let mut doomed = Doomed {
                changing: &changing,
                signals: &mut signals,
                writer: &writer,
                row: &row,
            };
            let done = doomed.delete(access, options.empty, &mut one).await;
            access.progress.clear();
            match done {
                Ok(()) => {}
                Err(stop)
                    if [Exit::HungUp, Exit::Interrupted, Exit::Terminated].contains(&stop.exit) =>
                {
                    one.say(Outcome::Unknown, stop.exit, stop.words);
                }
                Err(stop)
                    if changing.stopped.is_cancelled() && one.removed.is_empty() && !one.unread =>
                {
                    one.say(Outcome::NotTried, Outcome::NotTried.exit(), stop.words);
                }
                Err(stop) => one.not_deleted(stop.exit, stop.words),
            }
        }
        if options.format == ChangeFormat::Text {
            tell_line(&one.line());
        }
        ended.push(one);
    }
    end(&ended, options.format)
}

/// Prints the requests; a run that would not be deleted is told as without `--dry-run`.
async fn dry_run(
    access: &mut Access,
    options: &DeleteOptions,
    runs: &[(Target, RunRow)],
) -> Result<(), Stop> {
    let mut all = Vec::new();
    for (target, row) in runs {
        let (attached, is_empty) = look(access, row).await?;
        if !is_empty {
            let change = removal(row, &attached, options.empty).map_err(|why| Stop {
                exit: Exit::Failed,
                ..Stop::service(format!("{}: {why}", target.name()))
            })?;
            all.extend(planned(&change));
        }
        all.push(request("DELETE_TEST_RUN", &delete_of(row, None).params()));
    }
    access.progress.clear();
    let only = runs
        .first()
        .filter(|_| runs.len() == 1)
        .map(|(target, _)| target);
    requests::show(only, all, options.format)
}

/// What is in a run, and whether the service calls it empty.
async fn look(access: &mut Access, row: &RunRow) -> Result<(Box<Attached>, bool), Stop> {
    let attached = access.survey(&row.doc_ref, &[]).await?;
    let counted = attached.count.is_some_and(|count| count > 0) || attached.sure().next().is_some();
    let is_empty = match attached.empty {
        Some((false, _)) => false,
        None if counted => false,
        _ => check(access, &row.doc_ref).await?,
    };
    Ok((attached, is_empty))
}

async fn check(access: &mut Access, run: &DocRef) -> Result<bool, Stop> {
    Ok(access
        .call(async |connection| connection.reader().check_test_run_empty(run).await)
        .await??)
}

/// The removal of the suites of a run that is not empty, or why there is none.
fn removal(row: &RunRow, attached: &Attached, empty: bool) -> Result<SuiteChange, String> {
    let state = attached.short();
    if attached.state == State::Empty {
        return Err("it is not empty any more: somebody is changing it. Nothing was sent".into());
    }
    if row.status == Status::Inactive || attached.state == State::Closed {
        return Err(
            "it is closed and not empty: suites of a closed run cannot be removed through this interface, so it \
                    cannot be deleted from here. Nothing was sent"
                .into(),
        );
    }
    if !empty {
        return Err(format!(
            "it is not empty ({state}); --empty removes its suites first. Nothing was sent"
        ));
    }
    let suites: Vec<_> = attached
        .removable()
        .map(|named| (named.suite.clone(), named.full_name()))
        .collect();
    if let Some(words) = attached.unknown_row() {
        return Err(format!(
            "it is not empty, and {words} ({state}). Nothing was sent"
        ));
    }
    if suites.is_empty() {
        return Err(format!(
            "it is not empty, and none of its suites is sure ({state}). Nothing was sent"
        ));
    }
    let count = attached.count.and_then(|count| i64::try_from(count).ok());
    Ok(SuiteChange {
        count,
        ..SuiteChange::of(row, false, suites)
    })
}

fn delete_of(row: &RunRow, copy: Option<String>) -> Delete {
    Delete {
        run: row.doc_ref.clone(),
        run_name: row.full_name(),
        copy,
        undo_of: None,
    }
}

/// A run that is to be deleted.
struct Doomed<'a> {
    changing: &'a Changing,
    signals: &'a mut Signals,
    writer: &'a Writer,
    row: &'a RunRow,
}

impl Doomed<'_> {
    /// What is in it, a copy, out with its suites, the check, the deletion.
    async fn delete(
        &mut self,
        access: &mut Access,
        empty: bool,
        one: &mut Ended,
    ) -> Result<(), Stop> {
        let (attached, is_empty) = self
            .signals
            .reading(Box::pin(look(access, self.row)))
            .await?;
        let change = match (!is_empty)
            .then(|| removal(self.row, &attached, empty))
            .transpose()
        {
            Ok(change) => change,
            Err(why) => {
                one.not_deleted(Exit::Failed, why);
                return Ok(());
            }
        };
        let beside = Beside {
            row: Some(self.row.clone()),
            suites: attached
                .sure()
                .map(|named| (named.suite.clone(), named.full_name()))
                .collect(),
            known: attached.short(),
        };
        let saving = self.changing.connection.save_copy(
            self.changing.trash.clone(),
            &self.row.doc_ref,
            beside,
        );
        let copy = self.signals.reading(async { Ok(saving.await?) }).await?;
        one.copy = Some(copy.file.clone());
        if let Some(change) = change {
            warn(self.row);
            let step = |step: ChunkResult| {
                if !step.good {
                    note(&format!("{}: {}", one.run.name(), step.words));
                }
            };
            one.unread = true;
            let outcome = access
                .written(self.signals, self.changing.run(self.writer, &change), step)
                .await?;
            one.removed.clone_from(&outcome.done);
            one.unread = matches!(outcome.verdict, ChangeVerdict::Unread(_));
            // Whatever reading says of the removal: the check decides.
            if !self
                .signals
                .reading(check(access, &self.row.doc_ref))
                .await?
            {
                let words = format!(
                    "the service says that it is not empty; the removal of its suites: {}",
                    words(&outcome)
                );
                one.not_deleted(Exit::Service, words);
                return Ok(());
            }
            if one.unread {
                // Nothing is in it any more: all of them are out.
                one.removed = change
                    .suites
                    .iter()
                    .map(|(suite, _)| suite.clone())
                    .collect();
                one.unread = false;
            }
        }
        let delete = delete_of(self.row, one.copy.clone());
        let work = self.changing.clone().delete(self.writer.clone(), delete);
        match access.written(self.signals, work, |_| {}).await? {
            DeleteEnd::Gone(how) => one.say(Outcome::Confirmed, Exit::Fine, how),
            DeleteEnd::Not(why) => one.not_deleted(Exit::Service, why),
            DeleteEnd::Unknown(why) => one.say(Outcome::Unknown, Exit::Service, why),
        }
        Ok(())
    }
}

fn words(outcome: &ChangeOutcome) -> &str {
    match &outcome.verdict {
        ChangeVerdict::Confirmed(words)
        | ChangeVerdict::Differs(words)
        | ChangeVerdict::Unread(words) => words,
    }
}
