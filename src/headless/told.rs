//! A run as it is told: what the list shows of it, and what is summed up from that.

use crate::domain::{ResultCode, RunRow, Sums};

/// A run with the sums of its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The run as the list shows it.
    pub row: RunRow,
    /// Nothing where there are no counts, or one cannot be read.
    pub sums: Option<Sums>,
}

impl Told {
    /// `done` are the results of cases that are finished (`done_codes` of the profile).
    pub fn new(row: RunRow, done: &[ResultCode]) -> Self {
        let sums = row.results.as_ref().and_then(|counts| counts.sums(done));
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
