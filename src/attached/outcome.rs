//! What is known of the suites in a run.

use serde::Serialize;

use super::Scope;
use crate::domain::{DocRef, RunRow, SuiteRow};

/// What the whole of it is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// `CHECK_TEST_RUN_EMPTY` says so.
    Empty,
    /// As many named as `TestSuiteCount` says, and the sums of all runs agree.
    Complete,
    /// There is no `TestSuiteCount`; the number comes from an empty run.
    CompleteWorkedOut,
    /// Fewer named than `TestSuiteCount` says.
    Partial,
    /// There is no number to compare with.
    #[default]
    Unchecked,
    /// More named than counted, or the sums of the runs differ: the way of working it out is not sound here.
    Conflict,
    /// The run is closed: nothing can be listed (3).
    Closed,
    /// The run or its lists changed during every try.
    Changing,
    /// The list of the run itself could not be read whole.
    NotReadWhole,
}

/// How a suite is known to be in the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Free on a run that was empty before and after, and not here.
    EmptyRun {
        /// Name of that run.
        run: String,
        /// Whether it is a run made for the purpose.
        probe: bool,
    },
    /// Free on these runs, and not here.
    FreeOn {
        /// Names of the runs.
        runs: Vec<String>,
    },
    /// Added from here, and not free since.
    LinkRecord {
        /// When, epoch milliseconds.
        at: i64,
    },
    /// A person says so; it is not free here.
    Typed,
    /// Free here earlier, in no list now: a guess.
    SeenFree {
        /// When, epoch milliseconds.
        at: i64,
    },
}

/// How far it can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// Follows from the lists and agrees with the numbers.
    Sure,
    /// May be otherwise.
    Maybe,
}

/// A suite in the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Its reference.
    pub suite: DocRef,
    /// The suite as some list shows it.
    pub row: Option<SuiteRow>,
    /// How it is known.
    pub how: How,
    /// How sure that is.
    pub trust: Trust,
}

impl Named {
    /// What a person knows the suite by.
    pub fn full_name(&self) -> String {
        self.row
            .as_ref()
            .map_or_else(|| self.suite.to_string(), SuiteRow::full_name)
    }

    /// Reference and name, as a change has its suites.
    pub fn pair(&self) -> (DocRef, String) {
        (self.suite.clone(), self.full_name())
    }

    fn is_sure(&self) -> bool {
        self.trust == Trust::Sure
    }
}

/// Number of those that are sure.
pub fn sure(named: &[Named]) -> u64 {
    named.iter().filter(|named| named.is_sure()).count() as u64
}

/// `TestSuiteCount + fullSize` of one run of the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSum {
    /// Name of the run.
    pub run: String,
    /// `TestSuiteCount`.
    pub count: u64,
    /// `fullSize` of its available suites.
    pub free: u64,
}

impl RunSum {
    /// The number that must be the same for all runs.
    pub fn sum(&self) -> u64 {
        self.count + self.free
    }
}

/// A run of the scope that was not made use of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Name of the run.
    pub run: String,
    /// Why, as words behind the name.
    pub why: String,
}

/// What is known of the suites in a run, and how well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attached {
    /// The run as the list showed it then, where that was read.
    pub row: Option<Box<RunRow>>,
    pub scope: Scope,
    /// What the whole of it is worth.
    pub state: State,
    /// The suites: sure ones first, each part by `Order`.
    pub named: Vec<Named>,
    /// Guesses for the unknown ones; never counted, never marked together with others.
    pub candidates: Vec<Named>,
    /// How many more are in the run than are sure.
    pub unknown: Option<u64>,
    /// Suites in the run: `TestSuiteCount`, or worked out.
    pub count: Option<u64>,
    /// Suites that can be added to the run.
    pub free: Option<u64>,
    /// Suites of the scope, where all sums agree.
    pub universe: Option<u64>,
    /// Suites of the scope that any list names.
    pub seen: u64,
    /// The sums of all runs looked at, the run itself first.
    pub sums: Vec<RunSum>,
    /// Runs of the scope that were not made use of.
    pub left_out: Vec<LeftOut>,
    /// When the count was read first and last, epoch milliseconds.
    pub counted: Option<(i64, i64)>,
    /// What `CHECK_TEST_RUN_EMPTY` said of the run, and when.
    pub empty: Option<(bool, i64)>,
    /// When all of this was read, epoch milliseconds.
    pub at: i64,
    /// What else there is to say, in whole sentences.
    pub notes: Vec<String>,
}

impl Attached {
    /// The suites that are sure.
    pub fn sure(&self) -> impl Iterator<Item = &Named> {
        self.named.iter().filter(|named| named.is_sure())
    }

    /// Whether a suite may be marked for removal: in doubt only what was added from here or typed.
    pub fn may_remove(&self, named: &Named) -> bool {
        match self.state {
            State::Complete | State::CompleteWorkedOut | State::Partial | State::Unchecked => {
                !matches!(named.how, How::SeenFree { .. })
            }
            State::Conflict | State::Changing | State::NotReadWhole => {
                matches!(named.how, How::LinkRecord { .. } | How::Typed)
            }
            // None is named in these.
            State::Empty | State::Closed => false,
        }
    }

    /// The suites that a removal of all can take out: the sure ones.
    pub fn removable(&self) -> impl Iterator<Item = &Named> {
        self.sure().filter(|named| self.may_remove(named))
    }

    /// Whether the named suites are all there are.
    pub fn is_complete(&self) -> bool {
        matches!(
            self.state,
            State::Empty | State::Complete | State::CompleteWorkedOut
        )
    }
}
