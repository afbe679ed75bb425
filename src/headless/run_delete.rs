//! `rundown runs delete`: deletes runs in order and stops at the first failure.

use std::sync::Arc;

use super::output::are_both_seen;
use super::prelude::*;
use super::{outcome, requests, tell, warn};
use crate::cli::DeleteOptions;
use crate::domain::{SuiteChange, WriteRequest};
use crate::mirror::Run;
use crate::ops::{Deleting, Do, Operation, Step, StepResult};

/// Checks that the option repeats the same names, each once.
pub fn repeated(options: &DeleteOptions) -> Ran {
    let mut runs: Vec<String> = options.runs.iter().map(ToString::to_string).collect();
    runs.sort();
    if runs.windows(2).any(|two| two[0] == two[1]) {
        return Err(Exit::Usage.because("a run is named twice. Nothing was sent."));
    }
    let mut again = options.yes_delete.clone();
    again.sort();
    if runs == again || options.dry_run && again.is_empty() {
        return Ok(());
    }
    Err(Exit::Usage.because(format!(
        "--yes-delete must repeat the runs exactly: expected {}, found {}. Nothing was sent.",
        runs.join(" "),
        again.join(" ")
    )))
}

pub async fn delete(access: &mut Access, options: &DeleteOptions) -> Ran {
    access.may_write()?;
    let mut runs: Vec<RunRow> = Vec::new();
    for name in &options.runs {
        let found = access.find(name).await?;
        if runs.iter().any(|known| known.doc_ref == found.doc_ref) {
            return Err(Exit::Usage.because(format!("{name} is named twice. Nothing was sent.")));
        }
        runs.push(found);
    }
    if options.dry_run {
        return dry_run(access, options, &runs).await;
    }
    let mut signals = EndSignals::listen(access.writing()?)?;
    let mut ended: Vec<Ended> = Vec::new();
    for run in runs {
        let stopped = ended.iter().any(|ended| ended.exit != Exit::Fine);
        let one = if stopped {
            Ended::not_tried(run, "a run before it went wrong")
        } else if signals.writing.stopped.is_cancelled() {
            Ended::not_tried(run, "stopped by a signal")
        } else {
            one(access, &mut signals, options, run).await
        };
        if options.format == ChangeFormat::Text {
            tell_line(&one.line());
        }
        ended.push(one);
    }
    access.looks_again(end(&ended, options.format))
}

/// Deletes one run.
async fn one(
    access: &mut Access,
    signals: &mut EndSignals,
    options: &DeleteOptions,
    run: RunRow,
) -> Ended {
    if let Err(stop) = access.sign_in_first().await {
        let outcome = Outcome::not_sent(Why::SignedOut, stop.words);
        return Ended::of(run, outcome, stop.exit);
    }
    let mut deleting = Deleting::new(Arc::new(Run::new(&run, now())));
    let name = called(&run).into_owned();
    let mut settles = false;
    let tell = |step: &ChunkResult| {
        if !step.good || settles {
            note(&format!("{name}: {}", step.words));
        }
        settles = !step.good;
    };
    let ask = |deleting: &Deleting| {
        let holds = deleting.holds_suites();
        if holds && options.empty {
            warn(run.results.as_ref());
        }
        !holds || options.empty
    };
    let done = access.carry_out(signals, &mut deleting, Deleting::steps, tell, ask);
    match done.await {
        Ok(outcome) => {
            let outcome = with_hint(&deleting, outcome);
            let not_sent = matches!(outcome.end, End::NotSent(_));
            let exit = outcome::exit(&outcome);
            let stopped = signals.writing.stopped.is_cancelled() && !deleting.stays;
            Ended {
                tried: !(not_sent && stopped),
                ..Ended::of(run, outcome, exit)
            }
        }
        Err(stop) => {
            let outcome = deleting.end(Outcome::unknown(stop.words));
            Ended::of(run, outcome, stop.exit)
        }
    }
}

/// Adds the option that removes the suites, if they are the reason.
fn with_hint(deleting: &Deleting, mut outcome: Outcome) -> Outcome {
    if deleting.keeps_suites() {
        outcome.why += "; --empty removes its suites first";
    }
    outcome
}

/// Prints the requests; a run that would not be deleted is reported as without `--dry-run`.
async fn dry_run(access: &mut Access, options: &DeleteOptions, runs: &[RunRow]) -> Ran {
    let mut all = Vec::new();
    for run in runs {
        let mut deleting = Deleting::new(Arc::new(Run::new(run, now())));
        loop {
            match deleting.next() {
                Do::Step(Step::Survey { run, typed, .. }) => {
                    let attached = access.survey(&run, &typed).await?;
                    deleting.take(StepResult::Attached(Ok(attached)));
                }
                Do::Step(Step::CheckEmpty(run)) => {
                    let empty =
                        access.call(async |client| client.reader.check_test_run_empty(&run).await);
                    deleting.take(StepResult::Empty(Ok(empty.await??)));
                }
                Do::Ask => deleting.answer(!deleting.holds_suites() || options.empty),
                Do::Step(_) => break,
                Do::End(outcome) => {
                    let outcome = with_hint(&deleting, outcome);
                    return outcome::exit(&outcome).with(outcome.words(Deed::Delete(&called(run))));
                }
            }
        }
        let (removal, delete) = deleting.plan();
        all.extend(removal.map(SuiteChange::requests).unwrap_or_default());
        all.push(WriteRequest::delete(&delete.run));
    }
    access.progress.clear();
    let only = match runs {
        [run] => Some(run),
        _ => None,
    };
    requests::show(only, &all, options.format)
}

/// Outcome for one run.
struct Ended {
    run: RunRow,
    /// False if an earlier failure stopped the command.
    tried: bool,
    outcome: Outcome,
    exit: Exit,
}

impl Ended {
    fn of(run: RunRow, outcome: Outcome, exit: Exit) -> Self {
        Self {
            run,
            tried: true,
            outcome,
            exit,
        }
    }

    /// Outcome of a run for which nothing was sent.
    fn not_tried(run: RunRow, why: &str) -> Self {
        Self {
            tried: false,
            ..Self::of(run, Outcome::not_sent(Why::Stopped, why), Exit::Service)
        }
    }

    fn words(&self) -> String {
        self.outcome.words(Deed::Delete(&called(&self.run)))
    }

    fn line(&self) -> String {
        let words = self.words();
        match &self.outcome.copy {
            Some(file) => format!("{}; copy: {file}", words.trim_end_matches('.')),
            None => words,
        }
    }

    fn json(&self) -> Value {
        // The first part is the run, the others are its removed suites.
        let suites = self.outcome.parts.iter().skip(1);
        let removed: Vec<&str> = suites
            .filter(|part| part.end == End::Done)
            .map(|part| part.of.as_str())
            .collect();
        let mut own = json!({"copy": self.outcome.copy, "removed": removed});
        if !self.tried {
            own["outcome"] = json!("not_tried");
        }
        outcome::in_json(Some(&self.run), &self.outcome, &self.words(), own)
    }
}

/// Prints all outcomes, and returns the exit status with the message of the first failure.
fn end(ended: &[Ended], format: ChangeFormat) -> Ran {
    if format == ChangeFormat::Json {
        let runs: Vec<Value> = ended.iter().map(Ended::json).collect();
        tell(&json::pretty("runs_deleted", json!({"runs": runs})));
    }
    let is_told = format == ChangeFormat::Text && are_both_seen();
    let wrong = ended.iter().find(|one| one.exit != Exit::Fine && !is_told);
    outcome::worst(ended.iter().map(|one| one.exit))
        .with(wrong.map_or_else(String::new, Ended::line))
}
