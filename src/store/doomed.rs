//! One run that is to be deleted: what was said of it, and what comes next for it.

use std::collections::BTreeSet;

use crate::attached::{Attached, Named};
use crate::domain::{ChunkResult, DocRef, End, Failure, Outcome, RunRow, SuiteChange};
use crate::ops::delete::{is_closed, surely_holds};

/// A request of the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    Survey,
    Copy,
    Remove,
    Check,
    Delete,
}

impl Ask {
    /// It changes something at the service.
    pub fn writes(self) -> bool {
        matches!(self, Self::Remove | Self::Delete)
    }
}

/// How a run stands, by what was said last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// Not read yet, or reading failed.
    Unread,
    /// It may be empty: `CHECK_TEST_RUN_EMPTY` decides.
    Ask,
    /// `CHECK_TEST_RUN_EMPTY` says that it is empty.
    Empty,
    /// Suites are in it.
    Holds,
    /// Suites are in it, and it is closed: they can be neither listed nor removed (3).
    ClosedHolds,
    /// Deleted.
    Gone,
}

/// Suites taken out of a run in step 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Removal {
    /// What was sent.
    pub change: SuiteChange,
    /// One line for each request that was answered.
    pub steps: Vec<ChunkResult>,
    /// What came of it.
    pub outcome: Option<Outcome>,
}

/// One run that is to be deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Doomed {
    /// The run as it was read last.
    pub row: RunRow,
    /// The write of the journal that its deletion takes back.
    pub undo_of: Option<String>,
    /// References that the person has given on the screen of suites.
    pub typed: Vec<DocRef>,
    /// What is known of its suites.
    pub known: Option<Result<Box<Attached>, Failure>>,
    /// The file of its copy.
    pub copy: Option<Result<String, Failure>>,
    /// The suites that the copy names.
    pub copied: BTreeSet<DocRef>,
    /// What was removed last.
    pub removal: Option<Removal>,
    /// Suites that are out of it since the flow began, as far as reading has shown.
    pub out: BTreeSet<DocRef>,
    /// Suites were removed since they were worked out: only the check tells.
    pub touched: bool,
    /// What `CHECK_TEST_RUN_EMPTY` said last.
    pub check: Option<Result<bool, Failure>>,
    /// What became of its deletion.
    pub end: Option<Outcome>,
}

/// What comes next for one run.
pub(super) enum Turn {
    Ask(Ask),
    /// Nothing: on to the next run.
    Pass,
    /// Nothing goes on before a person has decided.
    Halt,
}

impl Doomed {
    /// A run of which nothing was read.
    pub fn new(row: RunRow, undo_of: Option<String>) -> Self {
        Self {
            row,
            undo_of,
            typed: Vec::new(),
            known: None,
            copy: None,
            copied: BTreeSet::new(),
            removal: None,
            out: BTreeSet::new(),
            touched: false,
            check: None,
            end: None,
        }
    }

    /// What was worked out of its suites, if it was.
    pub fn attached(&self) -> Option<&Attached> {
        self.known.as_ref().and_then(|known| known.as_deref().ok())
    }

    /// The service said that it is deleted, and it is not found any more.
    pub fn gone(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.end == End::Done)
    }

    pub fn stand(&self) -> Stand {
        let Some(attached) = self.attached() else {
            return if self.gone() {
                Stand::Gone
            } else {
                Stand::Unread
            };
        };
        let holds = if is_closed(&self.row, attached) {
            Stand::ClosedHolds
        } else {
            Stand::Holds
        };
        match &self.check {
            _ if self.gone() => Stand::Gone,
            Some(Ok(true)) => Stand::Empty,
            Some(Ok(false)) => holds,
            _ if !self.touched && surely_holds(attached) => holds,
            _ => Stand::Ask,
        }
    }

    /// The suites that step 2 removes: the sure ones.
    pub fn removable(&self) -> Vec<&Named> {
        let Some(attached) = self
            .attached()
            .filter(|_| self.stand() == Stand::Holds && !self.touched)
        else {
            return Vec::new();
        };
        attached.removable().collect()
    }

    /// It holds suites, and not all of them are named.
    pub fn is_vague(&self) -> bool {
        self.stand() == Stand::Holds && !self.attached().is_some_and(Attached::is_complete)
    }

    /// A copy is on the disk, and names all that is known.
    pub fn is_copied(&self) -> bool {
        let named = |attached: &Attached| {
            attached
                .sure()
                .all(|named| self.copied.contains(&named.suite))
        };
        matches!(self.copy, Some(Ok(_))) && self.attached().is_none_or(named)
    }

    /// All is read that step 2 needs.
    pub fn is_read(&self) -> bool {
        self.gone() || (self.attached().is_some() && self.is_copied())
    }

    pub(super) fn to_read(&self, saving: bool) -> Turn {
        match (&self.known, &self.copy) {
            _ if self.gone() => return Turn::Pass,
            (None, _) => return Turn::Ask(Ask::Survey),
            (Some(Err(_)), _) | (_, Some(Err(_))) => return Turn::Halt,
            _ if self.stand() == Stand::ClosedHolds => return Turn::Halt,
            _ if !self.is_copied() && saving => return Turn::Ask(Ask::Copy),
            _ if !self.is_copied() => return Turn::Pass,
            _ => {}
        }
        match (self.stand(), &self.check) {
            (Stand::Ask, None) => Turn::Ask(Ask::Check),
            (Stand::Ask, Some(_)) => Turn::Halt,
            _ => Turn::Pass,
        }
    }

    pub(super) fn to_empty(&self) -> Turn {
        match (self.stand(), &self.check) {
            (Stand::Gone | Stand::Empty, _) => Turn::Pass,
            (Stand::Holds, _) if !self.removable().is_empty() => Turn::Ask(Ask::Remove),
            (Stand::Ask, None) => Turn::Ask(Ask::Check),
            _ => Turn::Halt,
        }
    }

    pub(super) fn to_check(&self) -> Turn {
        match &self.check {
            _ if self.gone() || self.attached().is_none() => Turn::Pass,
            None => Turn::Ask(Ask::Check),
            Some(Ok(true)) => Turn::Pass,
            Some(_) => Turn::Halt,
        }
    }

    pub(super) fn to_delete(&self) -> Turn {
        match &self.end {
            None => Turn::Ask(Ask::Delete),
            Some(_) if self.gone() => Turn::Pass,
            Some(_) => Turn::Halt,
        }
    }

    /// Copied and checked, and nothing has gone wrong.
    pub fn is_ready(&self) -> bool {
        self.end.is_none() && self.is_read() && self.stand() == Stand::Empty
    }
}
