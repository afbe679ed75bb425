//! A run of the monitor: last reading, standing and calls.

use crate::domain::{Limit, LimitState};
use std::cmp::Reverse;

use crate::forecast::Outlook;
use crate::mirror::Presence;
use crate::screens::prelude::*;

/// Age at which the forecast of an unchanged run is computed anew, in milliseconds (10 minutes).
const STALE: i64 = 600_000;

/// Reasons why the last reading has nothing about a run; the last one says most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunTrouble {
    /// The reading failed.
    Failed,
    /// The run could not be read, others could.
    NotRead,
    /// No list that was read has shown the run.
    NotSeen,
    /// The run does not exist any more.
    Gone,
}

/// A run of the monitor with its judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedRun {
    /// Last reading of the run.
    pub run: Arc<Run>,
    /// Problem of the last reading.
    pub trouble: Option<RunTrouble>,
    /// Forecast from the samples of the run.
    pub outlook: Option<Outlook>,
    /// Time for which the forecast was requested, epoch milliseconds.
    outlook_at: Option<i64>,
    /// State against the limit; `None` without a limit.
    pub limit_state: Option<LimitState>,
    pub standing: RunStanding,
    /// Time of the last reading whose state is known, epoch milliseconds.
    pub(super) judged_at: i64,
    /// Last known state: over the limit.
    was_over: bool,
    /// Last known state: all cases finished.
    was_finished: bool,
}

/// Standing of a run at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStanding {
    /// Due with cases left, or forecast to end after the due date.
    pub late: bool,
    /// Not within its limit.
    pub over: bool,
    /// No case is left.
    pub finished: bool,
    /// Additional cases at Failed (new) since before today.
    pub new_failures: u64,
    /// Cases that are blocked or on hold.
    pub blocked: u64,
    /// Those of them that are more than before today.
    pub more_blocked: u64,
    /// Due date, epoch milliseconds.
    pub due: Option<i64>,
    pub end: RunEnd,
}

impl RunStanding {
    /// Returns true if the run is late or over its limit.
    pub fn bad(self) -> bool {
        self.late || self.over
    }

    /// Default order: late runs, then those over the limit, those with most new failures, those with most blocked
    /// cases, and those that end last; closed ones come after the open ones.
    pub fn worst_first(self) -> impl Ord {
        let end = match self.end {
            RunEnd::At(at) => (0, Reverse(at)),
            _ => (1, Reverse(0)),
        };
        let most = (Reverse(self.new_failures), Reverse(self.blocked));
        let is_closed = self.end == RunEnd::Closed;
        (!self.late, !self.over, is_closed, most, end)
    }

    /// Returns true if the run has no row of its own, as it is finished.
    pub fn folded(self) -> bool {
        self.finished && !self.over
    }
}

/// Forecast end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunEnd {
    /// Not enough is known.
    #[default]
    Unknown,
    /// No case has a result.
    NotBegun,
    /// Forecast time, epoch milliseconds.
    At(i64),
    Finished,
    /// Closed with cases left.
    Closed,
}

/// A message about a run that is reported once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Text without the name of the run.
    pub words: String,
    /// True for a problem.
    pub bad: bool,
    /// True if the user is called.
    pub rings: bool,
}

impl WatchedRun {
    pub fn new(run: Arc<Run>) -> Self {
        Self {
            run,
            trouble: None,
            outlook: None,
            outlook_at: None,
            limit_state: None,
            standing: RunStanding::default(),
            judged_at: 0,
            was_over: false,
            was_finished: false,
        }
    }

    pub fn is_gone(&self) -> bool {
        self.trouble == Some(RunTrouble::Gone)
    }

    /// Takes the run from the mirror. Returns true if its forecast must be computed anew, which is done only for
    /// readings since the monitor was opened. Times are epoch milliseconds.
    pub fn take(&mut self, run: &Arc<Run>, opened_at: i64, now: i64) -> bool {
        if run.state == Presence::Gone {
            self.trouble = Some(RunTrouble::Gone);
            return false;
        }
        self.trouble.take_if(|_| run.read_at != self.run.read_at);
        let is_old = self
            .outlook_at
            .is_none_or(|at| !(0..STALE).contains(&(now - at)));
        let is_stale = run.read_at >= opened_at && (is_old || run.text != self.run.text);
        if is_stale {
            self.outlook_at = Some(now);
        }
        self.run = run.clone();
        is_stale
    }

    /// Compares the run with its limit and returns the messages: limit crossed, last case finished. The first reading
    /// only sets the state to compare with.
    pub fn judge(
        &mut self,
        row: &RunRow,
        limit: Option<&Limit>,
        done: &[ResultCode],
        first: bool,
    ) -> Vec<Call> {
        // A state against another limit does not count for this one.
        self.was_over &= !first;
        let mut calls = Vec::new();
        self.limit_state = limit.map(|limit| limit.state(row, done));
        let mut add = |words, bad, rings| {
            if !first {
                calls.push(Call { words, bad, rings });
            }
        };
        match (&self.limit_state, limit) {
            (Some(LimitState::Over { why, .. }), _) => {
                if !std::mem::replace(&mut self.was_over, true) {
                    add(format!("over the limit: {why}"), true, true);
                }
            }
            (Some(LimitState::Within), Some(limit)) => {
                if std::mem::replace(&mut self.was_over, false) {
                    add(
                        format!("within the limit {} again", limit.text),
                        false,
                        false,
                    );
                }
            }
            (Some(LimitState::Unknown(_)), _) => {}
            (None, _) | (_, None) => self.was_over = false,
        }
        if let Some(sums) = row.sums(done) {
            let all = sums.total > 0 && sums.left() == 0;
            if all && !self.was_finished {
                let words = match sums.total {
                    1 => "its 1 case is finished".to_owned(),
                    total => format!("all {total} cases are finished"),
                };
                add(words, false, true);
            }
            self.was_finished = all;
        }
        calls
    }

    /// Updates the standing of the run at `now` (epoch milliseconds).
    pub fn update_standing(&mut self, row: &RunRow, shared: &Shared, now: i64) {
        let sums = row.sums(shared.done_codes());
        let finished = sums.is_some_and(|sums| sums.total > 0 && sums.left() == 0);
        let some_left = sums.is_some_and(|sums| sums.left() > 0);
        let counts = row.results.as_ref();
        let untested = counts.is_some_and(|counts| {
            let total = counts.total();
            total > 0 && counts.unread == 0 && counts.get(ResultCode::Untested) == total
        });
        let end = match &self.outlook {
            _ if finished => RunEnd::Finished,
            _ if row.is_closed() => RunEnd::Closed,
            _ if untested => RunEnd::NotBegun,
            Some(Outlook::Band(band)) if some_left => RunEnd::At(band.middle.max(now)),
            _ => RunEnd::Unknown,
        };
        let due = shared.due_of(row);
        let at = match end {
            RunEnd::At(at) => Some(at),
            _ => None,
        };
        self.standing = RunStanding {
            late: row.is_late(due, at, shared.done_codes(), now) == Some(true),
            over: matches!(self.limit_state, Some(LimitState::Over { .. })),
            finished,
            new_failures: shared.earlier.more_failed(row).unwrap_or(0),
            more_blocked: shared.earlier.more_blocked(row).unwrap_or(0),
            blocked: counts.map_or(0, |counts| counts.sum(ResultCode::BLOCKED)),
            due,
            end,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{DocRef, ResultCounts, Status};
    use crate::forecast::Settings;

    fn watched(row: &RunRow) -> WatchedRun {
        WatchedRun::new(Arc::new(Run::new(row, 0)))
    }

    fn run(counts: &[(ResultCode, u64)]) -> RunRow {
        let mut results = ResultCounts::default();
        for (code, count) in counts {
            results.add(*code, *count);
        }
        RunRow {
            id: Some("R_7".into()),
            status: Status::Active,
            results: Some(results),
            ..RunRow::unknown(DocRef::parse("TestRun-dm/7").unwrap())
        }
    }

    #[test]
    fn a_crossing_is_told_once_and_never_for_how_it_was_found() {
        use ResultCode::{FailedNew, Passed, Untested};
        let limit = Limit::parse("failed_new <= 3").unwrap();
        let mut watched = watched(&run(&[]));
        let mut judged = |counts: &[(ResultCode, u64)], first: bool| {
            watched
                .judge(&run(counts), Some(&limit), &Settings::DONE, first)
                .into_iter()
                .map(|call| call.words)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            judged(&[(FailedNew, 4), (Untested, 9)], true),
            [""; 0],
            "found over it"
        );
        assert_eq!(judged(&[(FailedNew, 5), (Untested, 8)], false), [""; 0]);
        assert_eq!(
            judged(&[(FailedNew, 3), (Untested, 8)], false),
            ["within the limit failed_new <= 3 again"]
        );
        assert_eq!(
            judged(&[(FailedNew, 4), (Untested, 7)], false),
            ["over the limit: failed_new is 4, limit <= 3"]
        );
        assert_eq!(
            judged(&[(Untested, 7)], false),
            [""; 0],
            "not listed is not 0"
        );
        assert_eq!(
            judged(&[(FailedNew, 9), (Untested, 7)], false),
            [""; 0],
            "it has not been within in between, as far as known"
        );
        assert_eq!(
            judged(&[(FailedNew, 9), (Passed, 7)], false),
            ["all 16 cases are finished"]
        );
        assert_eq!(judged(&[(FailedNew, 9), (Passed, 8)], false), [""; 0]);
        assert_eq!(judged(&[(FailedNew, 9), (Untested, 1)], false), [""; 0]);
        assert_eq!(
            judged(&[(FailedNew, 10)], false),
            ["all 10 cases are finished"]
        );
    }

    #[test]
    fn another_limit_is_crossed_anew() {
        use ResultCode::{Blocked, FailedNew};
        let (failed, blocked) = (
            Limit::parse("failed_new <= 3").unwrap(),
            Limit::parse("blocked == 0").unwrap(),
        );
        let row = run(&[(FailedNew, 4)]);
        let mut watched = watched(&row);
        watched.judge(&row, Some(&failed), &Settings::DONE, false);
        assert_eq!(
            watched.judge(&row, Some(&blocked), &Settings::DONE, true),
            [],
            "not known, and nobody is called for a choice"
        );
        let row = run(&[(FailedNew, 4), (Blocked, 2)]);
        let calls = watched.judge(&row, Some(&blocked), &Settings::DONE, false);
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert!(calls[0].rings && calls[0].bad);
    }

    #[test]
    fn late_is_what_is_due_or_will_not_be_done_by_then() {
        use ResultCode::{Passed, Untested};
        let mut shared = Shared::default();
        let mut watched = watched(&run(&[]));
        let mut late = |due: Option<i64>, middle: Option<i64>, left: u64, now: i64| {
            let row = run(&[(Passed, 4), (Untested, left)]);
            shared.due.runs = due
                .map(|due| (row.doc_ref.clone(), due))
                .into_iter()
                .collect();
            watched.outlook = middle.map(|middle| {
                Outlook::Band(crate::forecast::Band {
                    from: middle - 10,
                    middle,
                    to: middle + 10,
                    pace: 1.0,
                    left,
                    as_of: 0,
                    observed: 3.0,
                    used: 9,
                    gaps: 0,
                    grew: Vec::new(),
                    counted: crate::forecast::Counted::Always,
                })
            });
            watched.update_standing(&row, &shared, now);
            watched.standing.late
        };
        assert!(!late(None, Some(500), 6, 100), "nothing is due");
        assert!(!late(Some(500), None, 6, 499), "it may still be done");
        assert!(late(Some(500), None, 6, 500), "it is over");
        assert!(!late(Some(500), None, 0, 900), "all is done");
        assert!(!late(Some(500), Some(500), 6, 100));
        assert!(late(Some(500), Some(501), 6, 100), "by the forecast");
        assert!(!late(Some(500), Some(900), 0, 100), "all is done");
        let without_results = RunRow {
            results: None,
            ..run(&[])
        };
        watched.update_standing(&without_results, &shared, 900);
        assert!(!watched.standing.late, "nobody knows what is left");
        let closed = RunRow {
            status: crate::domain::Status::Inactive,
            ..run(&[(Passed, 4), (Untested, 6)])
        };
        shared.due.runs.insert(closed.doc_ref.clone(), 500);
        watched.update_standing(&closed, &shared, 900);
        assert!(!watched.standing.late, "what is left in it is not run");
    }
}
