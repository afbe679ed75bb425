//! What all runs of the monitor come to together.

use super::run::WatchedRun;
use crate::domain::{ResultCode, RunsOperation, Sums};
use crate::store::Shared;

/// Sums over all runs that are watched, whether there is room for them or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub runs: u64,
    /// Runs whose results are not known: they are in no sum.
    pub without: u64,
    /// The service sends no results at all.
    pub never: bool,
    pub left: u64,
    pub failed: u64,
    /// More than before today; `None` where no run has an earlier reading.
    pub failed_today: Option<u64>,
    pub blocked: u64,
    /// `None` where no run has a due date.
    pub late: Option<u64>,
    /// `None` where no run has a limit.
    pub over: Option<u64>,
    pub finished: u64,
}

impl Totals {
    pub fn of(runs: &[WatchedRun], shared: &Shared) -> Self {
        let mut totals = Self::default();
        let mut listed = 0;
        for run in runs.iter().filter(|run| run.standing.fits) {
            let standing = run.standing;
            totals.runs += 1;
            if standing.due.is_some() {
                *totals.late.get_or_insert(0) += u64::from(standing.late);
            }
            if run.limit_state.is_some() {
                *totals.over.get_or_insert(0) += u64::from(standing.over);
            }
            totals.finished += u64::from(standing.folded());
            listed += u64::from(run.operation == Some(RunsOperation::ListDocuments));
            let sums = run.row.sums(shared.done_codes());
            let (Some(counts), Some(sums)) = (&run.row.results, sums) else {
                totals.without += 1;
                continue;
            };
            totals.left = totals.left.saturating_add(Sums::left(sums));
            let failed = counts.sum(ResultCode::FAILED);
            totals.failed = totals.failed.saturating_add(failed);
            let blocked = counts.sum(ResultCode::BLOCKED);
            totals.blocked = totals.blocked.saturating_add(blocked);
            if let Some(more) = shared.earlier.more_failed(&run.row) {
                let sum = totals.failed_today.unwrap_or(0);
                totals.failed_today = Some(sum.saturating_add(more));
            }
        }
        totals.never = totals.runs > 0 && totals.without == totals.runs && listed == totals.runs;
        totals
    }
}
