//! Lists kept from the survey before.

use std::sync::Arc;

use super::{OtherRun, TargetRun, WholeList};
use crate::model::{DocRef, RunRow};

/// Most entries that are kept, of all lists together.
const MOST_ENTRIES: usize = 200_000;

/// Lists kept from the survey before; a plain value that goes into a survey and comes out of it.
///
/// A kept list stands in for a new reading only if the list of the run in question was read before it and is still the
/// same: a suite that is in the kept list and in neither of the two was in the run at the time of the kept list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cache {
    target: Option<(DocRef, Arc<WholeList>)>,
    at: i64,
    others: Vec<Kept>,
}

#[derive(Clone, Debug, PartialEq)]
struct Kept {
    run: DocRef,
    edited_on: Option<i64>,
    list: Arc<WholeList>,
}

impl Cache {
    /// Keeps the lists of a survey whose bracket held, as far as there is room.
    pub(super) fn keep(target: &TargetRun, others: &[OtherRun], rows: &[RunRow], at: i64) -> Self {
        let Some(free) = &target.free_before else { return Self::default() };
        let mut room = MOST_ENTRIES.saturating_sub(free.entries.len());
        let mut kept = Vec::new();
        for run in others {
            let Some(list) = run.free.as_ref().filter(|list| list.pages > 1 && !list.unsorted) else { continue };
            if let Some(left) = room.checked_sub(list.entries.len()) {
                room = left;
                let row = rows.iter().find(|row| row.doc_ref == run.doc_ref);
                let edited_on = row.and_then(|row| row.edited_on);
                kept.push(Kept { run: run.doc_ref.clone(), edited_on, list: list.clone() });
            }
        }
        Self { target: Some((target.doc_ref.clone(), free.clone())), at, others: kept }
    }

    /// Whether kept lists may stand in at `now`, given what was just read of the run in question.
    pub(super) fn holds(&self, target: &DocRef, free: &WholeList, now: i64, most_age: i64) -> bool {
        let young = (0..most_age).contains(&now.saturating_sub(self.at));
        young && self.target.as_ref().is_some_and(|(run, list)| run == target && list.refs().eq(free.refs()))
    }

    /// The list of a run that was not edited since. Whether it still has the same size and beginning is to be checked.
    pub(super) fn list(&self, row: &RunRow) -> Option<&Arc<WholeList>> {
        let kept = self.others.iter().find(|kept| kept.run == row.doc_ref && kept.edited_on == row.edited_on);
        kept.map(|kept| &kept.list)
    }
}
