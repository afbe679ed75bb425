//! Totals of all runs of the monitor.

use super::run::{RunEnd, WatchedRun};
use crate::mirror::RunSums;
use crate::screens::prelude::*;

/// Sums over all watched runs, visible or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub sums: RunSums,
    /// True if the service sends no results at all.
    pub uncounted: bool,
    /// Number of late runs; `None` if no run has a due date.
    pub late: Option<u64>,
    /// Some with a due date have no forecast, and may be late.
    pub may_be_late: bool,
    /// Number of runs over their limit; `None` if no run has a limit.
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
            let is_forecast = !matches!(standing.end, RunEnd::Unknown | RunEnd::NotBegun);
            self.may_be_late |= !standing.late && !is_forecast;
        }
        if run.limit_state.is_some() {
            *self.over.get_or_insert(0) += u64::from(standing.over);
        }
        self.finished += u64::from(standing.folded());
        self.sums.add(row, shared.done_codes(), &shared.earlier);
    }
}
