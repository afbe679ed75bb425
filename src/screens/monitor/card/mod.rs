//! One run of the monitor: what was read of it last, how it stands, and what somebody should be told.

pub mod view;

use crate::domain::condition::{Condition, Counting, Name, parse};
use crate::domain::diff::{self, Change, Ignored};
use crate::domain::{Failure, ResultCode, RunRow, RunsOperation, RunsPage};
use crate::forecast::History;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::in_flight::Slot;
use crate::store::remote::Remote;

/// The threshold of the monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// As it is written.
    pub text: String,
    condition: Condition,
}

/// Whether the threshold holds for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateState {
    Holds,
    /// It does not; the counts it asks for, `failed_new 21`.
    Fails(String),
    /// Nobody can say: the service does not tell these counts.
    Unknown(String),
}

impl Gate {
    /// Reads a threshold; the error says what is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let condition = parse(text).map_err(|wrong| wrong.to_string())?;
        Ok(Self {
            text: text.trim().to_owned(),
            condition,
        })
    }

    /// Whether it holds for a run. A result that the service does not list is not known: never taken for 0.
    pub fn gate_state(&self, run: &RunRow, done: &[ResultCode]) -> GateState {
        let count = |name: Name| {
            name.of(
                run,
                Counting {
                    done,
                    unlisted_as_zero: false,
                },
            )
        };
        let names = self.condition.names();
        match self.condition.holds(&count) {
            Some(true) => GateState::Holds,
            Some(false) => {
                let told = names
                    .iter()
                    .filter_map(|name| Some(format!("{} {}", name.text(), count(*name)?)));
                GateState::Fails(told.collect::<Vec<_>>().join(", "))
            }
            None => {
                let missing = names
                    .iter()
                    .filter(|name| count(**name).is_none())
                    .map(|name| name.text());
                GateState::Unknown(missing.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Why the last reading brought nothing of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The call failed.
    Failed(Failure),
    /// The service found no such run by its id: so many others.
    NotFound(u64),
    /// The service gave the run no short id to ask for.
    NoId,
}

/// A run of the monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The run as it was read last.
    pub row: RunRow,
    /// When that was, epoch milliseconds.
    pub read_at: i64,
    /// Since when the monitor knows it, epoch milliseconds.
    pub since: i64,
    /// It was read by the monitor itself.
    pub read: bool,
    /// Which operation brought it.
    pub operation: Option<RunsOperation>,
    /// Why the last reading brought nothing.
    pub trouble: Option<Trouble>,
    /// What the last change was, and when it was seen (epoch milliseconds).
    pub change: Option<(i64, Vec<Change>)>,
    /// What its samples tell.
    pub history: Remote<Box<History>>,
    /// Whether the threshold holds; `None` without one, or before the first reading.
    pub gate_state: Option<GateState>,
    /// A threshold for this run alone, instead of that of all.
    pub own: Option<Gate>,
    /// It comes before those that are not pinned.
    pub pinned: bool,
    /// Where it comes among the others.
    pub place: usize,
    /// The threshold was last known to fail.
    failing: bool,
    /// All cases were last known to be finished.
    finished: bool,
}

/// What somebody is told once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The words, without the run.
    pub words: String,
    /// Somebody should look.
    pub bad: bool,
    /// Somebody is called for it.
    pub rings: bool,
}

impl Card {
    /// Asks what its samples tell.
    pub fn read_history(&mut self, cx: &mut Cx) {
        self.history.ask();
        let run = self.row.doc_ref.clone();
        cx.request(Slot::WatchedHistory(run.clone()), |id| {
            Effect::ReadHistory { id, run }
        });
    }

    /// A run as the list knows it.
    pub fn new(row: RunRow, read_at: i64) -> Self {
        Self {
            row,
            read_at,
            since: read_at,
            read: false,
            operation: None,
            trouble: None,
            change: None,
            history: Remote::default(),
            gate_state: None,
            own: None,
            pinned: false,
            place: 0,
            failing: false,
            finished: false,
        }
    }

    /// Takes the answer to the question for the run's id at a time (epoch milliseconds): by its reference, since what
    /// the filter means is not documented. Says whether it told anything new.
    pub fn take(&mut self, page: &RunsPage, now: i64, ignored: &Ignored) -> bool {
        let Some(row) = page.rows.iter().find(|row| row.doc_ref == self.row.doc_ref) else {
            self.trouble = Some(Trouble::NotFound(page.full_size));
            return false;
        };
        let changes = diff::run(&self.row, row, ignored);
        let new = !changes.is_empty();
        if new {
            self.change = Some((now, changes));
        }
        self.row = row.clone();
        (self.read_at, self.read, self.trouble) = (now, true, None);
        self.operation = Some(page.operation);
        new
    }

    /// Works out how the run stands after a reading, and what somebody must be told of it: a threshold that fails now and
    /// did not before, a run whose last case is finished. The first reading only sets what is compared with. `gate` is the
    /// threshold of all runs.
    pub fn judge(&mut self, gate: Option<&Gate>, done: &[ResultCode], first: bool) -> Vec<Call> {
        // What failed by another threshold was no crossing of this one.
        self.failing &= !first;
        let mut calls = Vec::new();
        let gate = self.own.as_ref().or(gate);
        self.gate_state = gate.map(|gate| gate.gate_state(&self.row, done));
        match (&self.gate_state, gate) {
            (Some(GateState::Fails(counts)), Some(gate)) => {
                if !std::mem::replace(&mut self.failing, true) && !first {
                    calls.push(Call {
                        words: format!("threshold {} fails now: {counts}", gate.text),
                        bad: true,
                        rings: true,
                    });
                }
            }
            (Some(GateState::Holds), Some(gate)) => {
                if std::mem::replace(&mut self.failing, false) && !first {
                    calls.push(Call {
                        words: format!("threshold {} holds again", gate.text),
                        bad: false,
                        rings: false,
                    });
                }
            }
            (Some(GateState::Unknown(_)), _) => {}
            (None, _) | (_, None) => self.failing = false,
        }
        if let Some(sums) = self.row.sums(done) {
            let (total, all) = (sums.total, sums.total > 0 && sums.left() == 0);
            if all && !self.finished && !first {
                calls.push(Call {
                    words: format!("all {total} cases are finished"),
                    bad: false,
                    rings: true,
                });
            }
            self.finished = all;
        }
        calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{DocRef, ResultCounts, Status};
    use crate::forecast::Settings;

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
        let gate = Gate::parse("failed_new <= 3").unwrap();
        let mut card = Card::new(run(&[(FailedNew, 4)]), 0);
        let mut told = |counts: &[(ResultCode, u64)], first: bool| {
            card.row = run(counts);
            let calls = card.judge(Some(&gate), &Settings::DONE, first);
            calls.into_iter().map(|call| call.words).collect::<Vec<_>>()
        };
        assert_eq!(
            told(&[(FailedNew, 4), (Untested, 9)], true),
            [""; 0],
            "found failing"
        );
        assert_eq!(told(&[(FailedNew, 5), (Untested, 8)], false), [""; 0]);
        assert_eq!(
            told(&[(FailedNew, 3), (Untested, 8)], false),
            ["threshold failed_new <= 3 holds again"]
        );
        assert_eq!(
            told(&[(FailedNew, 4), (Untested, 7)], false),
            ["threshold failed_new <= 3 fails now: failed_new 4"]
        );
        assert_eq!(
            told(&[(Untested, 7)], false),
            [""; 0],
            "not listed is not 0"
        );
        assert_eq!(
            told(&[(FailedNew, 9), (Untested, 7)], false),
            [""; 0],
            "it has not held in between, as far as known"
        );
        assert_eq!(
            told(&[(FailedNew, 9), (Passed, 7)], false),
            ["all 16 cases are finished"]
        );
        assert_eq!(told(&[(FailedNew, 9), (Passed, 8)], false), [""; 0]);
        assert_eq!(told(&[(FailedNew, 9), (Untested, 1)], false), [""; 0]);
        assert_eq!(
            told(&[(FailedNew, 10)], false),
            ["all 10 cases are finished"]
        );
    }

    #[test]
    fn another_threshold_is_crossed_anew() {
        use ResultCode::{Blocked, FailedNew};
        let (failed, blocked) = (
            Gate::parse("failed_new <= 3").unwrap(),
            Gate::parse("blocked == 0").unwrap(),
        );
        let mut card = Card::new(run(&[(FailedNew, 4)]), 0);
        card.judge(Some(&failed), &Settings::DONE, false);
        assert_eq!(
            card.judge(Some(&blocked), &Settings::DONE, true),
            [],
            "not known, and nobody is called for a choice"
        );
        card.row = run(&[(FailedNew, 4), (Blocked, 2)]);
        let calls = card.judge(Some(&blocked), &Settings::DONE, false);
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert!(calls[0].rings && calls[0].bad);
    }

    #[test]
    fn what_is_not_told_decides_nothing() {
        let gate = Gate::parse("failed_new <= 3 && untested == 0").unwrap();
        let gate_state =
            |counts: &[(ResultCode, u64)]| gate.gate_state(&run(counts), &Settings::DONE);
        assert_eq!(
            gate_state(&[(ResultCode::FailedNew, 1)]),
            GateState::Unknown("untested".into())
        );
        assert_eq!(
            gate_state(&[(ResultCode::FailedNew, 4)]),
            GateState::Fails("failed_new 4".into())
        );
        assert_eq!(
            gate_state(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 0)]),
            GateState::Holds
        );
        let mut torn = run(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 0)]);
        torn.results.as_mut().unwrap().unread = 1;
        assert!(
            matches!(
                gate.gate_state(&torn, &Settings::DONE),
                GateState::Unknown(_)
            ),
            "it may be of any code"
        );
        assert!(
            Gate::parse("failed_new <=")
                .unwrap_err()
                .starts_with("column ")
        );
    }
}
