//! Failures so far.

use std::collections::VecDeque;

use crate::domain::{Failure, FailureKind};

/// Maximum number of failures kept.
const KEPT_ERRORS: usize = 200;

/// One line of the error list.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// Time of the last occurrence, epoch milliseconds.
    pub at: i64,
    /// Number of occurrences.
    pub times: usize,
    pub failure: Failure,
}

/// Failures so far, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorLog {
    pub entries: VecDeque<Trouble>,
    /// The list is open.
    pub open: bool,
    /// Number of failures since the list was last open.
    pub unseen: usize,
}

impl Trouble {
    /// Identity of the problem.
    pub fn is_of(&self) -> (&str, &str) {
        of(&self.failure)
    }
}

fn of(failure: &Failure) -> (&str, &str) {
    (&failure.asked, &failure.cause)
}

impl ErrorLog {
    /// Records a failure. An equal one is counted, not listed twice.
    pub fn push(&mut self, now: i64, failure: Failure) {
        let is_it = |known: &Trouble| known.is_of() == of(&failure);
        let known = self.entries.iter().position(is_it);
        // An unseen one stays one problem, however often it occurs.
        let is_known = known.is_some_and(|place| place < self.unseen);
        self.unseen += usize::from(!self.open && !is_known);
        let known = known.and_then(|place| self.entries.remove(place));
        self.entries.push_front(Trouble {
            at: now,
            times: known.map_or(1, |known| known.times + 1),
            failure,
        });
        self.entries.truncate(KEPT_ERRORS);
    }

    /// Takes the remedies of failed sign-ins away: one has worked since.
    pub fn signed_in(&mut self) {
        let failures = self.entries.iter_mut().map(|line| &mut line.failure);
        for failure in failures.filter(|it| it.kind == FailureKind::SignIn) {
            failure.remedy.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_problem_is_one_line_however_often_it_comes() {
        let failure = |asked: &str| Failure {
            kind: FailureKind::Network,
            asked: asked.into(),
            cause: "no connection".into(),
            remedy: String::new(),
            may_retry: true,
            waits: None,
            log: None,
        };
        let mut log = ErrorLog::default();
        for (now, asked) in (1..).zip(["runs", "runs", "run", "runs", "runs", "runs"]) {
            log.push(now, failure(asked));
        }
        let shown = |log: &ErrorLog| {
            log.entries
                .iter()
                .map(|line| (line.failure.asked.clone(), line.times, line.at))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(&log), [("runs".into(), 5, 6), ("run".into(), 1, 3)]);
        assert_eq!(log.unseen, 2);
        // Seen; counted as unseen again, once, if it occurs again.
        log.unseen = 0;
        log.push(7, failure("run"));
        log.push(8, failure("run"));
        assert_eq!((log.entries[0].times, log.unseen), (3, 1));
    }
}
