//! The open runs of a scope, with their counts where the service has them.

use super::{Refusal, Scope, Source};
use crate::domain::{DocRef, Page, RunRow, Status};

/// Most runs that are looked through for those of the scope.
const MOST_ROWS: u64 = 2_000;

/// The open runs of a scope at one time.
pub(super) struct Runs {
    pub rows: Vec<RunRow>,
    /// When they were read, epoch milliseconds.
    at: i64,
}

/// Lists the open runs of a scope. A run that is missed is a witness less, so nothing is read again here.
pub(super) async fn list_runs<S: Source>(
    source: &S,
    scope: &Scope,
    page_size: u32,
) -> Result<Runs, S::Error> {
    let at = source.now();
    let mut rows: Vec<RunRow> = Vec::new();
    let (mut offset, mut limit) = (0, page_size.max(1));
    while offset < MOST_ROWS {
        let page = match source.runs(scope, Page { offset, limit }).await {
            Ok(page) => page,
            Err(error)
                if S::refusal(&error) == Refusal::PageTooLarge
                    && limit == page_size
                    && limit > 1 =>
            {
                limit /= 2;
                continue;
            }
            Err(error) => return Err(error),
        };
        let received = page.rows.len() as u64;
        offset += received;
        let fits = |row: &RunRow| row.status == Status::Active && Scope::of_run(row) == *scope;
        for row in page.rows.into_iter().filter(fits) {
            if !rows.iter().any(|other| other.doc_ref == row.doc_ref) {
                rows.push(row);
            }
        }
        if received == 0 || offset >= page.full_size {
            break;
        }
    }
    Ok(Runs { rows, at })
}

impl Runs {
    /// `TestSuiteCount` of a run, and when it was read.
    pub fn count(&self, run: &DocRef) -> Option<(u64, i64)> {
        let row = self.rows.iter().find(|row| row.doc_ref == *run)?;
        Some((u64::try_from(row.suite_count?).ok()?, self.at))
    }

    /// Whether any run has a count.
    pub fn counted(&self) -> bool {
        self.rows.iter().any(|row| row.suite_count.is_some())
    }

    /// All but one.
    pub fn open(&self, but: &DocRef) -> Vec<&RunRow> {
        self.rows.iter().filter(|row| row.doc_ref != *but).collect()
    }
}
