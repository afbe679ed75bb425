//! A run as it is told: what the list shows of it, and what is summed up from that.

use crate::model::{ResultCode, RunRow};

/// A run with the sums of its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The run as the list shows it.
    pub row: RunRow,
    /// Nothing where there are no counts, or one cannot be read.
    pub sums: Option<Sums>,
}

/// Test cases, summed up from the counts that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// All.
    pub total: u64,
    /// Those with a result that counts as finished.
    pub done: u64,
}

impl Sums {
    /// All others.
    pub fn left(self) -> u64 {
        self.total.saturating_sub(self.done)
    }
}

impl Told {
    /// `done` are the results of cases that are finished (`done_codes` of the profile).
    pub fn new(row: RunRow, done: &[ResultCode]) -> Self {
        let counts = row.results.as_ref().filter(|counts| counts.unread == 0);
        let sums = counts.map(|counts| {
            let finished = ResultCode::ALL.iter().filter(|code| done.contains(code));
            Sums { total: counts.total(), done: finished.fold(0, |sum, code| sum.saturating_add(counts.get(*code))) }
        });
        Self { row, sums }
    }

    /// A row of a run with the counts of this one, and with all else that only the list tells.
    pub fn with_its_counts(&self, row: RunRow) -> RunRow {
        let known = self.row.clone();
        RunRow {
            suite_count: known.suite_count,
            progress: known.progress,
            results: known.results,
            cases_with_tester: known.cases_with_tester,
            testers: known.testers,
            ..row
        }
    }
}
