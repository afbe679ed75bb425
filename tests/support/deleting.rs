//! The box that deletes runs, answered one request after the other.

use super::prelude::*;
use rundown::attached::{Attached, verdict};
use rundown::ops::delete::Deleting;
use rundown::ops::{Do, Operation, Step, StepResult};
use rundown::popups::DeleteBox;

use super::ends::changed;

use super::evidence::{evidence, list, other};

/// What was worked out of the suites in a run.
pub fn known(run: u64, change: impl FnOnce(&mut rundown::attached::Evidence)) -> Box<Attached> {
    let mut evidence = evidence();
    evidence.target.name = format!("R_{run}");
    evidence.target.empty = Some(false);
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
        evidence.other_runs = vec![other(3, 5, list(6..=10))];
        let seen = super::suites::suite(4);
        evidence.known.seen_free = vec![rundown::attached::FormerlyFree {
            suite: seen.doc_ref.clone(),
            row: Some(seen),
            at: NOW - 7_200_000,
        }];
    })
}

/// Nothing is in it, says `CHECK_TEST_RUN_EMPTY`.
pub fn empty(run: u64) -> Box<Attached> {
    known(run, |evidence| {
        (evidence.target.count_before, evidence.target.count_after) = (Some(0), Some(0));
        evidence.target.empty = Some(true);
    })
}

/// A closed run, and what `CHECK_TEST_RUN_EMPTY` says of it.
pub fn closed(run: u64, is_empty: Option<bool>) -> Box<Attached> {
    known(run, |evidence| {
        evidence.target.status = Status::Inactive;
        evidence.target.empty = is_empty;
    })
}

pub fn trouble(asked: &str, came_back: &str) -> Failure {
    Failure {
        kind: FailureKind::Network,
        asked: asked.into(),
        cause: came_back.into(),
        remedy: "Check the network, then try again.".into(),
        may_retry: true,
        waits: None,
        log: None,
    }
}

impl Sample {
    /// What stands in the box, as one line.
    pub fn in_box(&self) -> String {
        let screen = self.screen();
        let rows: Vec<Vec<char>> = screen.lines().map(|row| row.chars().collect()).collect();
        let corner = |row: &Vec<char>| {
            let row: String = row.iter().collect();
            let byte = row.find("╭ Delete ")?;
            Some(row[..byte].chars().count())
        };
        let Some((top, left)) = (0..)
            .zip(&rows)
            .find_map(|(y, row)| Some((y, corner(row)?)))
        else {
            return String::new();
        };
        let inside = rows[top + 1..].iter().take_while(|row| row[left] == '│');
        let words = inside.map(|row| {
            let row = row[left + 1..].iter().take_while(|c| **c != '│');
            row.collect::<String>()
        });
        let words = words.collect::<Vec<_>>().join(" ");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// These words stand in the box.
    #[track_caller]
    pub fn box_says(&self, words: &str) {
        says(&self.in_box(), words);
    }

    /// The requests of the box since the last look; the list may be read again meanwhile.
    pub fn sent(&mut self) -> Vec<Effect> {
        let effects = std::mem::take(&mut self.open);
        effects
            .into_iter()
            .filter(|effect| {
                !matches!(
                    effect,
                    Effect::Request(_, Request::ListRuns { .. } | Request::ReadRuns { .. })
                )
            })
            .collect()
    }

    pub fn delete_box(&self) -> &DeleteBox {
        self.store.delete().unwrap()
    }

    /// The one request of the box that is under way.
    pub fn asked_by_box(&self) -> RequestId {
        self.store.asked_to_delete().unwrap().0
    }

    pub fn surveyed(&mut self, attached: Box<Attached>) {
        let id = self.asked_by_box();
        let result = Ok(attached);
        self.reply(id, Answer::Surveyed(result));
    }

    pub fn survey_failed(&mut self) {
        let id = self.asked_by_box();
        let result = Err(trouble("LIST_TEST_RUNS", "no connection"));
        self.reply(id, Answer::Surveyed(result));
    }

    pub fn checked(&mut self, is_empty: bool) {
        let id = self.asked_by_box();
        let result = Ok(is_empty);
        self.reply(id, Answer::Emptiness(result));
    }

    pub fn check_failed(&mut self) {
        let id = self.asked_by_box();
        let result = Err(trouble("checking that the run is empty", "no connection"));
        self.reply(id, Answer::Emptiness(result));
    }

    /// What the screen of suites waits for is here.
    pub fn suites_surveyed(&mut self, attached: Box<Attached>) {
        let id = self.store.asked_for_attached();
        let result = Ok(attached);
        self.reply(id, Answer::Surveyed(result));
    }

    /// The worker has done the next step of the deletion, with this report.
    pub fn stepped(&mut self, is: impl Fn(&Step) -> bool, report: StepResult) {
        let (id, place) = self.store.asked_to_delete().unwrap();
        let mut deleting: Deleting = self.delete_box().runs[place].deleting.clone();
        let next = deleting.next();
        assert!(matches!(&next, Do::Step(step) if is(step)), "{next:?}");
        deleting.take(report);
        let deleting = Box::new(deleting);
        self.reply(id, Answer::Deleting(deleting));
    }

    pub fn copied(&mut self, run: u64) {
        let file = format!("/home/qa/.local/state/rundown/trash/R_{run}-20261120T094112.json");
        self.stepped(
            |step| matches!(step, Step::SaveCopy(_)),
            StepResult::Copied(Ok(file)),
        );
    }

    /// The removal has come to its end: so many of its suites are out.
    pub fn removed(&mut self, done: usize, outcome: Outcome) {
        let (_, place) = self.store.asked_to_delete().unwrap();
        let mut planned = self.delete_box().runs[place].deleting.clone();
        planned.next();
        let change = planned.plan().0.unwrap().suites.clone();
        let all: Vec<DocRef> = change.into_iter().map(|(suite, _)| suite).collect();
        let outcome = changed(all[..done].to_vec(), all[done..].to_vec(), outcome);
        self.stepped(
            |step| matches!(step, Step::Count(_)),
            StepResult::Written(outcome),
        );
    }

    pub fn ended(&mut self, end: Outcome) {
        let (id, place) = self.store.asked_to_delete().unwrap();
        let deleting = &self.delete_box().runs[place].deleting;
        let end = deleting.end(end);
        self.reply(id, Answer::Deleted(end));
    }
}
