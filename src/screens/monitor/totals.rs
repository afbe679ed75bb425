//! What all runs of the monitor come to together.

use super::run::WatchedRun;
use crate::domain::RunRow;
use crate::mirror::RunSums;
use crate::store::Shared;

/// Sums over all runs that are watched, whether there is room for them or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub sums: RunSums,
    /// The service sends no results at all.
    pub uncounted: bool,
    /// `None` where no run has a due date.
    pub late: Option<u64>,
    /// `None` where no run has a limit.
    pub over: Option<u64>,
    pub finished: u64,
}

impl Totals {
    /// Adds a run, unless it is gone.
    pub fn add(&mut self, run: &WatchedRun, row: &RunRow, shared: &Shared) {
        if run.is_gone() {
            return;
        }
        let standing = run.standing;
        if standing.due.is_some() {
            *self.late.get_or_insert(0) += u64::from(standing.late);
        }
        if run.limit_state.is_some() {
            *self.over.get_or_insert(0) += u64::from(standing.over);
        }
        self.finished += u64::from(standing.folded());
        self.sums.add(row, shared.done_codes(), &shared.earlier);
    }
}
