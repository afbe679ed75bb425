//! The result of a survey: the suites in a run.

use serde::Serialize;

use crate::domain::compare::{KeptSuite, KeptSuites};
use crate::domain::{DocRef, RunRow, SuiteRow};

/// Reliability of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// By `CHECK_TEST_RUN_EMPTY`.
    Empty,
    /// All suites of `TestSuiteCount` are named, and the sums of all runs agree.
    Complete,
    /// There is no `TestSuiteCount`; the number comes from an empty run.
    CompleteWorkedOut,
    /// Fewer suites are named than `TestSuiteCount`.
    Partial,
    /// There is no number to compare with.
    #[default]
    Unchecked,
    /// More suites are named than counted, or the sums of the runs differ: the method does not hold here.
    Conflict,
    /// The run is closed: nothing can be listed (3).
    Closed,
    /// The run or its lists changed during every pass.
    Changing,
    /// The list of the run itself could not be read completely.
    #[serde(rename = "not_read_whole")]
    Incomplete,
}

/// Source of a suite of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Free on a run that was empty before and after, and not on this one.
    EmptyRun {
        /// Name of that run.
        run: String,
        /// True if the run was created for the comparison.
        probe: bool,
    },
    /// Free on these runs, and not on this one.
    FreeOn {
        /// Names of the runs.
        runs: Vec<String>,
    },
    /// Added from here, and not free since.
    LinkRecord {
        /// Time of the addition, epoch milliseconds.
        at: i64,
    },
    /// Typed by the user; not free on this run.
    Typed,
    /// Free on this run earlier, in no list now: a guess.
    SeenFree {
        /// Time of the reading, epoch milliseconds.
        at: i64,
    },
    /// In the run when its suites were worked out last: it is closed since.
    LastKnown {
        /// Time of the survey, epoch milliseconds.
        at: i64,
        /// Number of known suites then, and of all.
        known: (u64, Option<u64>),
    },
}

/// A suite in the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    pub suite: DocRef,
    /// The suite as a list shows it.
    pub row: Option<SuiteRow>,
    pub how: How,
    /// True if it follows from the lists and agrees with the numbers; else it may be wrong.
    pub is_sure: bool,
}

impl Named {
    /// Returns its reference and, with a row, its short id.
    pub fn known_as(&self) -> (&DocRef, Option<&str>) {
        (
            &self.suite,
            self.row.as_ref().and_then(|row| row.id.as_deref()),
        )
    }

    /// Name of the suite for the user.
    pub fn full_name(&self) -> String {
        self.row
            .as_ref()
            .map_or_else(|| self.suite.to_string(), SuiteRow::full_name)
    }

    /// Returns reference and name, in the form of a change.
    pub fn pair(&self) -> (DocRef, String) {
        (self.suite.clone(), self.full_name())
    }

    /// Reliability in words.
    pub fn trust(&self) -> &'static str {
        match self.how {
            How::LastKnown { .. } => "as then",
            _ if self.is_sure => "known",
            _ => "not sure",
        }
    }
}

/// Number of sure suites.
pub fn sure(named: &[Named]) -> u64 {
    named.iter().filter(|named| named.is_sure).count() as u64
}

/// The suites known to be in a run, with their reliability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attached {
    /// The run as listed during the survey, if it was.
    pub row: Option<Box<RunRow>>,
    pub state: State,
    /// The suites: sure ones first, each part by `Order`.
    pub named: Vec<Named>,
    /// Guesses for the unknown suites; never counted, never marked together with others.
    pub candidates: Vec<Named>,
    /// Number of suites in the run beyond the sure ones.
    pub unknown: Option<u64>,
    /// Number of suites in the run: `TestSuiteCount`, or worked out.
    pub count: Option<u64>,
    /// Number of suites that can be added to the run.
    pub free: Option<u64>,
    /// Number of suites of the scope, if all sums agree.
    pub universe: Option<u64>,
    /// Number of suites of the scope in any list.
    pub seen: u64,
    /// Answer of `CHECK_TEST_RUN_EMPTY`.
    pub empty: Option<bool>,
    /// Time of the survey, epoch milliseconds.
    pub at: i64,
    /// Further notes, in sentences.
    pub notes: Vec<String>,
}

impl Attached {
    /// Returns true if a later listing of the run has another status, or another number of suites; times of the listing
    /// and of its counts in epoch milliseconds.
    pub fn is_outdated(&self, row: &RunRow, read_at: i64, counted_at: Option<i64>) -> bool {
        let count = row.suite_count.and_then(|count| u64::try_from(count).ok());
        let counts = count.zip(self.count);
        let was_closed = self.state == State::Closed;
        read_at > self.at && row.is_closed() != was_closed
            || counted_at > Some(self.at) && counts.is_some_and(|(now, then)| now != then)
    }
}

impl Attached {
    /// Takes out suites that were removed from the run.
    pub fn without(&mut self, removed: &[DocRef]) {
        let before = self.sure().count();
        let stays = |named: &Named| !removed.contains(&named.suite);
        self.named.retain(stays);
        self.candidates.retain(stays);
        let gone = (before - self.sure().count()) as u64;
        self.count = self.count.map(|count| count.saturating_sub(gone));
    }

    /// Returns the sure suites.
    pub fn sure(&self) -> impl Iterator<Item = &Named> {
        self.named.iter().filter(|named| named.is_sure)
    }

    /// True if a suite may be marked for removal: in doubt only if it was added from here or typed.
    pub fn may_remove(&self, named: &Named) -> bool {
        match self.state {
            State::Complete | State::CompleteWorkedOut | State::Partial | State::Unchecked => {
                !matches!(named.how, How::SeenFree { .. } | How::LastKnown { .. })
            }
            State::Conflict | State::Changing | State::Incomplete => {
                matches!(named.how, How::LinkRecord { .. } | How::Typed)
            }
            // These states name no suite.
            State::Empty | State::Closed => false,
        }
    }

    /// Returns the suites that a removal of all removes: the sure ones.
    pub fn removable(&self) -> impl Iterator<Item = &Named> {
        self.sure().filter(|named| self.may_remove(named))
    }

    /// Takes the suites that were known before the run was closed.
    pub fn recall(&mut self, kept: KeptSuites) {
        let known = (kept.suites.len() as u64, kept.count);
        let named = |suite: KeptSuite| Named {
            row: Some(SuiteRow {
                id: suite.id,
                title: suite.title,
                total_cases: suite.cases,
                ..SuiteRow::known_by(suite.suite.clone())
            }),
            suite: suite.suite,
            how: How::LastKnown { at: kept.at, known },
            is_sure: false,
        };
        self.candidates = kept.suites.into_iter().map(named).collect();
    }

    /// Returns what is kept of it for comparing.
    pub fn kept(&self) -> KeptSuites {
        let suite = |named: &Named| {
            let row = named.row.as_ref();
            KeptSuite {
                suite: named.suite.clone(),
                id: row.and_then(|row| row.id.clone()),
                title: row.and_then(|row| row.title.clone()),
                cases: row.and_then(|row| row.total_cases),
            }
        };
        KeptSuites {
            at: self.at,
            is_complete: self.is_complete(),
            count: self.count,
            suites: self.sure().map(suite).collect(),
        }
    }

    /// True if the named suites are all suites of the run.
    pub fn is_complete(&self) -> bool {
        matches!(
            self.state,
            State::Empty | State::Complete | State::CompleteWorkedOut
        )
    }
}
