//! The evidence for a verdict: readings and earlier knowledge.

use super::SuiteList;
use super::prelude::*;
use crate::domain::KnownChange;

/// A suite that was free for the run earlier.
#[derive(Clone, Debug, PartialEq)]
pub struct FormerlyFree {
    pub suite: DocRef,
    /// The suite at that time.
    pub row: Option<SuiteRow>,
    /// Time of the reading, epoch milliseconds.
    pub at: i64,
}

/// Knowledge about one run before any reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriorKnowledge {
    /// Suites added and removed from here, by the journal (link records, 2.6).
    pub changes: Vec<KnownChange>,
    /// References typed by the user.
    pub typed: Vec<DocRef>,
    /// Suites that were free for the run earlier.
    pub seen_free: Vec<FormerlyFree>,
    /// An empty run created for the comparison (way 5).
    pub probe: Option<DocRef>,
}

/// The run whose suites are sought.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetRun {
    /// Short id.
    pub name: String,
    pub status: Status,
    pub scope: Scope,
    /// `TestSuiteCount` before all lists.
    pub count_before: Option<u64>,
    /// `TestSuiteCount` after all lists.
    pub count_after: Option<u64>,
    /// A(r) before the lists of the others; `None` if it could not be read completely.
    pub free_before: Option<Arc<SuiteList>>,
    /// A(r) after the lists of the others.
    pub free_after: Option<Arc<SuiteList>>,
    /// Answer of `CHECK_TEST_RUN_EMPTY`.
    pub empty: Option<bool>,
}

/// Another open run of the scope.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherRun {
    pub doc_ref: DocRef,
    /// Short id.
    pub name: String,
    /// `TestSuiteCount` before all lists.
    pub count_before: Option<u64>,
    /// `TestSuiteCount` after all lists.
    pub count_after: Option<u64>,
    /// Its A; `None` if it could not be read: then the run does not count.
    pub free: Option<Arc<SuiteList>>,
    /// Its state of emptiness, `None` if it was not checked.
    pub empty: Option<EmptyRun>,
}

/// Checks of an empty run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyRun {
    /// `CHECK_TEST_RUN_EMPTY` before its list was read.
    pub before: bool,
    /// `CHECK_TEST_RUN_EMPTY` after its list was read.
    pub after: bool,
    /// True if the run was created for the comparison (way 5).
    pub probe: bool,
}

/// The input of a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    pub target: TargetRun,
    /// The other open runs of the scope, as far as they were read.
    pub other_runs: Vec<OtherRun>,
    /// True if a suite of a list was no longer there in the second reading.
    pub moved: bool,
    /// Knowledge from before the readings.
    pub known: PriorKnowledge,
    /// Time of the last reading, epoch milliseconds.
    pub at: i64,
}
