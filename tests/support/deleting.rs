//! The steps of deleting, answered one by one.

use rundown::attached::{Attached, verdict};
use rundown::domain::{ChunkResult, DocRef, Failure, FailureKind, Outcome, RunCopy, SuiteChange};
use rundown::store::{Action, Effect, Event, RequestId, Spot};

use super::ends::changed;

use super::evidence::{evidence, list, other};
use super::sample::{self, NOW, Sample};

/// What was worked out of the suites in a run.
pub fn known(run: u64, change: impl FnOnce(&mut rundown::attached::Evidence)) -> Box<Attached> {
    let mut evidence = evidence();
    evidence.target.doc_ref = sample::row(run).doc_ref;
    evidence.target.name = format!("R_{run}");
    change(&mut evidence);
    Box::new(verdict(&evidence))
}

/// 7 of 7 suites.
pub fn complete(run: u64) -> Box<Attached> {
    known(run, |_| {})
}

/// 3 of 7 suites, and a candidate for the others.
pub fn partial(run: u64) -> Box<Attached> {
    known(run, |evidence| {
        evidence.others = vec![other(3, 5, list(6..=10))];
        let seen = super::suites::suite(4);
        evidence.known.seen_free = vec![rundown::attached::Seen {
            suite: seen.doc_ref.clone(),
            row: Some(seen),
            at: NOW - 7_200_000,
        }];
    })
}

/// Nothing is in it, says `CHECK_TEST_RUN_EMPTY`.
pub fn empty(run: u64) -> Box<Attached> {
    known(run, |evidence| {
        (evidence.target.count_before, evidence.target.count_after) =
            (Some((0, NOW)), Some((0, NOW)));
        evidence.target.empty = Some((true, NOW));
    })
}

/// A closed run, and what `CHECK_TEST_RUN_EMPTY` says of it.
pub fn closed(run: u64, is_empty: Option<bool>) -> Box<Attached> {
    known(run, |evidence| {
        evidence.target.status = rundown::domain::Status::Inactive;
        evidence.target.empty = is_empty.map(|is_empty| (is_empty, NOW));
    })
}

pub fn trouble(asked: &str, came_back: &str) -> Failure {
    Failure {
        kind: FailureKind::Network,
        asked: asked.into(),
        came_back: came_back.into(),
        remedy: "Check the network, then try again.".into(),
        may_retry: true,
    }
}

impl Sample {
    /// The requests of the steps since the last look; the list may be read again meanwhile.
    pub fn sent(&mut self) -> Vec<Effect> {
        let effects = std::mem::take(&mut self.open);
        effects
            .into_iter()
            .filter(|effect| !matches!(effect, Effect::ListRuns { .. }))
            .collect()
    }

    /// The one request of the steps that is under way.
    pub fn asked_by_steps(&self) -> RequestId {
        self.store.delete.as_ref().unwrap().asked.unwrap().id
    }

    /// What can be chosen, from top to bottom.
    pub fn choices(&self) -> Vec<Spot> {
        self.store.delete.as_ref().unwrap().spots()
    }

    pub fn surveyed(&mut self, attached: Box<Attached>) {
        let id = self.asked_by_steps();
        self.event(Event::Surveyed {
            id,
            result: Ok(attached),
        });
    }

    pub fn survey_failed(&mut self) {
        let id = self.asked_by_steps();
        let result = Err(trouble("LIST_TEST_RUNS", "no connection"));
        self.event(Event::Surveyed { id, result });
    }

    pub fn copy_failed(&mut self) {
        let id = self.asked_by_steps();
        let result = Err(trouble("saving a copy", "no space left on device"));
        self.event(Event::CopySaved { id, result });
    }

    pub fn check_failed(&mut self) {
        let id = self.asked_by_steps();
        let result = Err(trouble("CHECK_TEST_RUN_EMPTY", "no connection"));
        self.event(Event::Emptiness { id, result });
    }

    /// Step 1, done by Enter where a person is asked, and answered.
    pub fn copied(&mut self, run: u64) {
        if self.store.delete.as_ref().unwrap().asked.is_none() {
            assert_eq!(
                self.store.delete.as_ref().unwrap().spot,
                Some(Spot::Copy),
                "{}",
                self.screen()
            );
            self.act(Action::Open);
        }
        let id = self.asked_by_steps();
        let file = format!("/home/qa/.local/state/rundown/trash/R_{run}-20261120T094112.json");
        let copy = RunCopy {
            file,
            document: sample::document(run),
        };
        self.event(Event::CopySaved {
            id,
            result: Ok(Box::new(copy)),
        });
    }

    pub fn checked(&mut self, is_empty: bool) {
        let id = self.asked_by_steps();
        self.event(Event::Emptiness {
            id,
            result: Ok(is_empty),
        });
    }

    pub fn step(&mut self, good: bool, words: &str) {
        let id = self.asked_by_steps();
        self.event(Event::ChangeStep {
            id,
            step: ChunkResult {
                words: words.into(),
                good,
            },
        });
    }

    /// The removal under way has come to its end: so many of its suites are out.
    pub fn removed(&mut self, done: usize, outcome: Outcome) {
        let id = self.asked_by_steps();
        let change = self.removal();
        let all: Vec<DocRef> = change.suites.into_iter().map(|(suite, _)| suite).collect();
        let outcome = changed(all[..done].to_vec(), all[done..].to_vec(), outcome);
        self.event(Event::Changed { id, outcome });
    }

    fn removal(&self) -> SuiteChange {
        let flow = self.store.delete.as_ref().unwrap();
        flow.runs[flow.asked.unwrap().place]
            .removal
            .as_ref()
            .unwrap()
            .change
            .clone()
    }

    pub fn ended(&mut self, end: Outcome) {
        let id = self.asked_by_steps();
        let flow = self.store.delete.as_ref().unwrap();
        let end = end.of(&flow.runs[flow.asked.unwrap().place].row.doc_ref);
        self.event(Event::Deleted { id, end });
    }
}
