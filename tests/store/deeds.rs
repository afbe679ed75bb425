//! Answers to what deletions, undos and changes of suites ask for.

use crate::support::prelude::*;
use rundown::domain::{ChunkResult, Create, NewRun, SuiteChange, Undo, UndoBy, texts_of};
use rundown::store::{JournalLine, JournalPage};

use super::any_sequence::{Answered, Truth};
use super::deleting::{closed, complete, empty, partial};
use super::ends::{changed, lost, made, not_made};

/// The number of a run of the sample, by its reference.
fn number(run: &DocRef) -> u64 {
    run.as_str()
        .rsplit('-')
        .next()
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0)
}

pub fn undo(outcome: Answered) -> Undo {
    let run = row(3).doc_ref;
    let suites = vec![(DocRef::parse("TestSuite-dm/20001").unwrap(), "S_1".into())];
    let change = SuiteChange {
        run: run.clone(),
        run_name: "R_3".into(),
        run_id: Some("R_3".into()),
        adds: true,
        suites,
        stake: None,
        undo_of: None,
        then_deletes: false,
        goes_on: None,
    };
    let by = match outcome {
        Answered::Right => UndoBy::Suites(Box::new(change)),
        Answered::Clamped => UndoBy::Delete(Box::new(row(3))),
        _ => UndoBy::Rebuild(Create {
            runs: vec![new_run()],
            ..Create::default()
        }),
    };
    Undo {
        write: "w".into(),
        what: "a write".into(),
        by,
        warnings: vec!["a warning".into()],
    }
}

/// The run 3 of the sample, to be made anew.
fn new_run() -> NewRun {
    NewRun::of_texts(&texts_of(&document(3)))
}

/// Answers what marks, deletions and undos ask for.
pub fn answer_deed(sample: &mut Sample, effect: &Effect, truth: &mut Truth, outcome: Answered) {
    let good = matches!(
        outcome,
        Answered::Right | Answered::Clamped | Answered::Empty
    );
    match effect {
        Effect::Request(id, Request::Survey { run, .. }) => {
            let of = number(run);
            let attached = match outcome {
                Answered::Right => Ok(empty(of)),
                Answered::Clamped => Ok(complete(of)),
                Answered::Empty => Ok(partial(of)),
                Answered::TooLarge => Ok(closed(of, None)),
                Answered::Refused => Ok(closed(of, Some(false))),
                Answered::Failed => Err(failure()),
            };
            sample.reply(*id, Answer::SurveyProgress("R_3: 1 of 2 lists".into()));
            sample.reply(*id, Answer::Surveyed(attached));
        }
        Effect::Request(id, Request::CheckEmpty { .. }) => {
            let result = if good {
                Ok(!matches!(outcome, Answered::Empty))
            } else {
                Err(failure())
            };
            sample.reply(*id, Answer::Emptiness(result));
        }
        Effect::Request(id, Request::ChangeSuites(change)) => {
            let step = ChunkResult {
                words: "request 1 of 1".into(),
                good,
            };
            sample.reply(*id, Answer::ChangeStep(step));
            let all: Vec<DocRef> = change
                .suites
                .iter()
                .map(|(suite, _)| suite.clone())
                .collect();
            let (done, not_done) = if good {
                (all, Vec::new())
            } else {
                (Vec::new(), all)
            };
            let verdict = match outcome {
                Answered::Right => Outcome::done("all"),
                Answered::Failed => Outcome::unknown("no connection"),
                _ => Outcome::otherwise("some"),
            };
            sample.reply(*id, Answer::Changed(changed(done, not_done, verdict)));
        }
        Effect::Request(id, Request::Delete(deleting)) => {
            let end = match outcome {
                Answered::Right | Answered::Clamped => Outcome::done("not found any more"),
                Answered::Failed => Outcome::unknown("the connection broke"),
                _ => Outcome::refused("answered false"),
            };
            if end.end == End::Done {
                truth.runs.retain(|run| run.doc_ref != deleting.run.doc_ref);
            }
            let told = deleting.clone();
            sample.reply(*id, Answer::Deleting(told));
            sample.reply(*id, Answer::Deleted(end));
        }
        Effect::Request(id, Request::Create(_)) => {
            let end = match outcome {
                Answered::Right | Answered::Clamped => {
                    let document = truth.add();
                    made(document)
                }
                Answered::Failed => lost("the connection broke", vec![row(3)]),
                _ => not_made(Outcome::refused("refused")),
            };
            sample.reply(*id, Answer::Created(end));
        }
        Effect::Request(id, Request::PlanUndo(_)) => {
            let result = if good {
                Ok(Box::new(undo(outcome)))
            } else {
                Err(failure())
            };
            sample.reply(*id, Answer::UndoPlanned(result));
        }
        Effect::Request(id, Request::ReadJournal { run: None }) => {
            let line = JournalLine {
                request: vec!["request: ADD_DOCUMENT {}".into()],
                ..journal_line("w", "R_3", "ADD_DOCUMENT")
            };
            let page = JournalPage {
                lines: vec![line],
                problem: None,
            };
            sample.reply(
                *id,
                Answer::Journal(if good { Ok(page) } else { Err(failure()) }),
            );
        }
        Effect::Request(id, Request::ReadAvailable { .. }) => {
            sample.reply(
                *id,
                Answer::Available(if good { Ok(Vec::new()) } else { Err(failure()) }),
            );
        }
        _ => {}
    }
}
