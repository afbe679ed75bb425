//! The probe run: created, used by a survey, deleted. The journal finds probe runs left behind.

use super::prelude::*;
use crate::disk::{Journal, WriteOrigin};
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
        let is_gone = self.deleted.as_ref()?.end == End::Done;
        self.run().filter(|_| is_gone)
    }

    /// Returns the probe run and the reason if it could not be deleted.
    pub fn left(&self) -> Option<(DocRef, Failure)> {
        let outcome = self.deleted.as_ref()?;
        let run = self.run().filter(|_| outcome.end != End::Done)?;
        Some((run.clone(), left_behind(run, outcome)))
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
            (Some(_), None) => Do::Step(delete(run, self.probe.run.title())),
            (Some(_), Some(deleted)) => Do::End(deleted.clone()),
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
        let not_sent = || Outcome::not_sent(why, format!("not sent, {words}"));
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

/// Deletes a probe run if the service reports it empty.
fn delete(run: DocRef, title: &str) -> Step {
    Step::Delete(Box::new(Delete {
        run,
        run_name: title.to_owned(),
        copy: None,
        is_probe: true,
        undo_of: None,
    }))
}

fn left_behind(run: &DocRef, outcome: &Outcome) -> Failure {
    local(
        &format!("deleting the probe run {run}"),
        &outcome.why,
        "it stays behind: the command \"delete left probe runs\" tries again",
    )
}

/// Deletes probe runs left behind, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearing {
    /// Runs not tried yet.
    runs: Vec<DocRef>,
    /// Runs that are deleted.
    pub gone: Vec<DocRef>,
    /// Runs that still exist, with the reason for those that were tried.
    pub left: Vec<(DocRef, Option<Failure>)>,
}

impl Clearing {
    pub fn new(runs: Vec<DocRef>) -> Self {
        let (gone, left) = (Vec::new(), Vec::new());
        Self { runs, gone, left }
    }
}

impl Operation for Clearing {
    fn next(&mut self) -> Do {
        match self.runs.first() {
            Some(run) => Do::Step(delete(run.clone(), PROBE_MARK)),
            None if self.left.is_empty() => Do::End(Outcome::done("none is left")),
            None => Do::End(Outcome::otherwise("some are left")),
        }
    }

    fn take(&mut self, report: StepResult) {
        if let StepResult::Written(outcome) = report
            && !self.runs.is_empty()
        {
            let run = self.runs.remove(0);
            if outcome.end == End::Done {
                self.gone.push(run);
            } else {
                let failure = left_behind(&run, &outcome);
                self.left.push((run, Some(failure)));
            }
        }
    }

    fn stop(&mut self, _: Why, _: &str) {
        let rest = self.runs.drain(..);
        self.left.extend(rest.map(|run| (run, None)));
    }
}

/// Returns the probe runs of a project that were created and not deleted, by the journal. Blocks.
pub fn left(journal: &Journal, profile: &str, here: &WriteTarget) -> Vec<DocRef> {
    let of = WriteOrigin {
        profile: profile.to_owned(),
        service: here.service.clone(),
    };
    let Ok(read) = journal.newest(Some(&of)) else {
        return Vec::new();
    };
    let made = read
        .writes
        .iter()
        .filter(|write| write.is_of(here))
        .filter(|write| !is_gone_elsewhere(write))
        .filter_map(made_probe);
    let gone = |run: &DocRef| read.writes.iter().any(|write| deleted(write, run));
    made.filter(|run| !gone(run)).collect()
}

/// Returns the write that created a probe run there, if a reading has shown the run since.
pub(super) fn seen<'a>(
    writes: &'a [WriteRecord],
    run: &DocRef,
    here: &WriteTarget,
) -> Option<&'a WriteRecord> {
    let is_it = |write: &&WriteRecord| {
        made_probe(write).as_ref() == Some(run) && was_seen(write) && write.is_of(here)
    };
    writes.iter().find(is_it)
}

fn was_seen(write: &WriteRecord) -> bool {
    write.has_step(|step| matches!(step, Recorded::Confirmed { .. }))
}

/// True if a reading showed the run and a later one did not.
fn is_gone_elsewhere(write: &WriteRecord) -> bool {
    was_seen(write) && matches!(write.last(), Some(Recorded::Differs { .. }))
}

fn made_probe(write: &WriteRecord) -> Option<DocRef> {
    let is_probe = write.new_title()?.starts_with(PROBE_MARK);
    write.made().filter(|_| is_probe)
}

fn deleted(write: &WriteRecord, run: &DocRef) -> bool {
    let yes = Recorded::Answered {
        result: true.into(),
    };
    let gone = match write.last() {
        Some(Recorded::Confirmed { .. }) => true,
        Some(Recorded::Differs { .. }) => false,
        _ => write.steps.iter().any(|step| step.step == yes),
    };
    gone && write.method() == "DELETE_TEST_RUN" && write.run == run.as_str()
}
