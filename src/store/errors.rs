//! What failed so far.

use std::collections::VecDeque;

use crate::domain::Failure;

/// Failures kept for reading.
const KEPT_ERRORS: usize = 200;

/// One line of the error list.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// When it came last, epoch milliseconds.
    pub at: i64,
    /// How many times it came.
    pub times: usize,
    /// What it was.
    pub failure: Failure,
}

/// Failures so far, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorLog {
    /// What failed, newest first.
    pub entries: VecDeque<Trouble>,
    /// The list is open.
    pub open: bool,
    /// How many of them came since the list was open last.
    pub unseen: usize,
}

impl ErrorLog {
    /// Keeps a failure. The same again is counted and not listed twice.
    pub fn push(&mut self, now: i64, failure: Failure) {
        let known = self.entries.iter().position(|known| {
            (&known.failure.asked, &known.failure.came_back) == (&failure.asked, &failure.came_back)
        });
        // One that is not looked at yet stays one problem, however often it comes.
        let told = known.is_some_and(|place| place < self.unseen);
        self.unseen += usize::from(!self.open && !told);
        let known = known.and_then(|place| self.entries.remove(place));
        self.entries.push_front(Trouble {
            at: now,
            times: known.map_or(1, |known| known.times + 1),
            failure,
        });
        self.entries.truncate(KEPT_ERRORS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::FailureKind;

    #[test]
    fn the_same_problem_is_one_line_however_often_it_comes() {
        let failure = |asked: &str| Failure {
            kind: FailureKind::Network,
            asked: asked.into(),
            came_back: "no connection".into(),
            remedy: String::new(),
            may_retry: true,
        };
        let mut log = ErrorLog::default();
        for (now, asked) in (1..).zip(["runs", "runs", "run", "runs", "runs", "runs"]) {
            log.push(now, failure(asked));
        }
        let told = |log: &ErrorLog| {
            log.entries
                .iter()
                .map(|line| (line.failure.asked.clone(), line.times, line.at))
                .collect::<Vec<_>>()
        };
        assert_eq!(told(&log), [("runs".into(), 5, 6), ("run".into(), 1, 3)]);
        assert_eq!(log.unseen, 2);
        // Looked at; what comes again after that is told again, once.
        log.unseen = 0;
        log.push(7, failure("run"));
        log.push(8, failure("run"));
        assert_eq!((log.entries[0].times, log.unseen), (3, 1));
    }
}
