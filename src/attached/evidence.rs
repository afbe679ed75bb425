//! What was read, and what was known before: all that the verdict looks at.

use std::sync::Arc;

use super::{LeftOut, Scope, SuiteList};
use crate::domain::{DocRef, Status, SuiteRow};

/// Something that was done here, from the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub suite: DocRef,
    /// When the service answered, epoch milliseconds.
    pub at: i64,
}

/// A suite that was free for the run at an earlier time.
#[derive(Clone, Debug, PartialEq)]
pub struct FormerlyFree {
    pub suite: DocRef,
    /// The suite as it was then.
    pub row: Option<SuiteRow>,
    /// When, epoch milliseconds.
    pub at: i64,
}

/// What is known of one run without asking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriorKnowledge {
    /// Suites added from here (link records, 2.6).
    pub added: Vec<Record>,
    /// Suites removed from here.
    pub removed: Vec<Record>,
    /// References that a person typed.
    pub typed: Vec<DocRef>,
    /// Suites that were free for the run at an earlier time.
    pub seen_free: Vec<FormerlyFree>,
    /// An empty run that was made to be compared with (way 5).
    pub probe: Option<DocRef>,
}

/// The run in question.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetRun {
    /// Its short id.
    pub name: String,
    pub status: Status,
    pub scope: Scope,
    /// `TestSuiteCount` before all lists, and when that was.
    pub count_before: Option<(u64, i64)>,
    /// `TestSuiteCount` after all lists, and when that was.
    pub count_after: Option<(u64, i64)>,
    /// A(r) before the lists of the others; `None`: it could not be read whole.
    pub free_before: Option<Arc<SuiteList>>,
    /// A(r) after the lists of the others.
    pub free_after: Option<Arc<SuiteList>>,
    /// What `CHECK_TEST_RUN_EMPTY` says of it, and when that was.
    pub empty: Option<(bool, i64)>,
}

/// Another open run of the scope.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherRun {
    /// Its reference.
    pub doc_ref: DocRef,
    /// Its short id.
    pub name: String,
    /// `TestSuiteCount` before all lists.
    pub count_before: Option<u64>,
    /// `TestSuiteCount` after all lists.
    pub count_after: Option<u64>,
    /// Its A, as far as it was read; `None`: it could not be read, and counts for nothing.
    pub free: Option<Free>,
    /// Whether it is known as empty.
    pub empty: Option<EmptyRun>,
}

impl OtherRun {
    /// Its A, if all of it was read.
    pub fn whole(&self) -> Option<&Arc<SuiteList>> {
        self.free.as_ref()?.whole()
    }
}

/// What was read of the list of another run. All of it was read for this verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Free {
    Whole(Arc<SuiteList>),
    /// Some of its pages.
    Part(PartialList),
}

/// Pages of a list, those on which something was to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialList {
    /// `fullSize`, the same on all these pages.
    pub full_size: u64,
    /// The entries of these pages.
    pub entries: Vec<SuiteRow>,
}

impl Free {
    /// The entries that were read.
    pub fn entries(&self) -> &[SuiteRow] {
        match self {
            Self::Whole(list) => &list.entries,
            Self::Part(part) => &part.entries,
        }
    }

    /// Their references.
    pub fn refs(&self) -> impl Iterator<Item = &DocRef> {
        self.entries().iter().map(|suite| &suite.doc_ref)
    }

    /// `fullSize`.
    pub fn full_size(&self) -> u64 {
        match self {
            Self::Whole(list) => list.full_size,
            Self::Part(part) => part.full_size,
        }
    }

    /// The list, if all of it was read.
    pub fn whole(&self) -> Option<&Arc<SuiteList>> {
        match self {
            Self::Whole(list) => Some(list),
            Self::Part(_) => None,
        }
    }
}

/// What makes a run an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyRun {
    /// `CHECK_TEST_RUN_EMPTY` before its list was read.
    pub before: bool,
    /// `CHECK_TEST_RUN_EMPTY` after its list was read.
    pub after: bool,
    /// Whether it was made for the purpose (way 5).
    pub probe: bool,
}

/// All that the verdict looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The run in question.
    pub target: TargetRun,
    /// The other open runs of the scope that were read.
    pub other_runs: Vec<OtherRun>,
    /// Names of open runs of the scope that were not read, and why.
    pub left_out: Vec<LeftOut>,
    /// Whether a suite that some list showed was not there any more when it was looked up again.
    pub moved: bool,
    /// What is known without asking.
    pub known: PriorKnowledge,
    /// When reading ended, epoch milliseconds.
    pub at: i64,
}
