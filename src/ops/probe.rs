//! The probe run: created, used by a survey, deleted. One that may be left behind is a change without an end.

use super::prelude::*;
use crate::domain::Probe;

/// A probe run in use. Stopping ends the survey and deletes the probe run at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Probing {
    probe: Probe,
    made: Option<Outcome>,
    /// Result of the survey that used it.
    pub surveyed: Option<Result<Box<Attached>, Failure>>,
    deleted: Option<Outcome>,
}

impl Probing {
    pub fn new(probe: Probe) -> Self {
        Self {
            probe,
            made: None,
            surveyed: None,
            deleted: None,
        }
    }

    /// The probe run, `None` until it is created.
    fn run(&self) -> Option<&DocRef> {
        Some(&self.made.as_ref()?.parts.first()?.of)
    }

    /// Returns the probe run if it is deleted.
    pub fn gone(&self) -> Option<&DocRef> {
        let is_gone = self.deleted.as_ref()?.is_complete();
        self.run().filter(|_| is_gone)
    }

    /// Returns why the probe run stays behind, if it does.
    pub fn left(&self) -> Option<Failure> {
        let deleted = self.deleted.as_ref().filter(|it| !it.is_complete())?;
        let asked = format!("deleting the probe run {}", self.run()?);
        let remedy = "it may be left behind: my changes go on with it";
        Some(local(&asked, &deleted.why, remedy))
    }
}

impl Operation for Probing {
    fn next(&mut self) -> Do {
        let Some(made) = &self.made else {
            let create = Arc::new(Create {
                runs: vec![self.probe.run.clone()],
                ..Create::default()
            });
            return Do::Step(Step::Create { create, place: 0 });
        };
        let Some(run) = self.run().cloned() else {
            return Do::End(made.clone());
        };
        match (&self.surveyed, &self.deleted) {
            (None, _) => Do::Step(Step::Survey {
                run: self.probe.target.clone(),
                typed: Vec::new(),
                probe: Some(run),
            }),
            (Some(_), None) => {
                let document = made.document.as_deref();
                let name = document.map(|it| RunRow::from_document(it).full_name());
                Do::Step(Step::Delete(Box::new(Delete {
                    run,
                    run_name: name.unwrap_or_else(|| self.probe.run.title().to_owned()),
                    copy: None,
                    is_probe: true,
                    undo_of: None,
                })))
            }
            (Some(_), Some(deleted)) if deleted.is_complete() => Do::End(deleted.clone()),
            (Some(_), Some(deleted)) => Do::End(Outcome::unknown(deleted.why.clone())),
        }
    }

    fn take(&mut self, report: StepResult) {
        match report {
            StepResult::Written(outcome) if self.made.is_none() => {
                if outcome.parts.is_empty() {
                    let what = "making the probe run";
                    let failure = local(what, &outcome.why, "my changes show it");
                    self.surveyed = Some(Err(failure));
                }
                self.made = Some(outcome);
            }
            StepResult::Written(outcome) => self.deleted = Some(outcome),
            StepResult::Attached(result) => self.surveyed = Some(result),
            _ => {}
        }
    }

    fn stop(&mut self, why: Why, words: &str) {
        let not_sent = || Outcome::stopped(why, words);
        self.made.get_or_insert_with(not_sent);
        self.surveyed.get_or_insert_with(|| {
            Err(local(
                "working out the suites with a probe run",
                words,
                "reading again works them out without one",
            ))
        });
    }
}
