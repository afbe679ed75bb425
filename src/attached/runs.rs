//! The open runs of a scope, with counts if the service has them.

use super::prelude::*;
use crate::domain::{ReadList, ReadOptions, read_all};

/// Most runs searched for those of the scope.
const MOST_ROWS: u64 = 2_000;

/// The open runs of a scope at one time.
pub struct OpenRuns {
    pub rows: Vec<RunRow>,
    /// Number of calls.
    pub pages: usize,
}

/// Lists the open runs of a scope; empty if the list keeps changing.
pub async fn list_runs<S: SurveySource>(
    source: &S,
    scope: &Scope,
    page_size: u32,
) -> Result<OpenRuns, Failure> {
    match read_runs(source, scope, page_size, Extent::First(MOST_ROWS)).await {
        Ok(read) => {
            let (mut rows, pages) = (read.entries, read.pages as usize);
            rows.retain(|row| row.status == Status::Active && Scope::of_run(row) == *scope);
            Ok(OpenRuns { rows, pages })
        }
        Err(ReadFault::Call(error)) => Err(error),
        Err(ReadFault::Changed(_) | ReadFault::TooLong { .. }) => Ok(OpenRuns {
            rows: Vec::new(),
            pages: 1,
        }),
    }
}

/// Lists runs: the open ones of the scope, or all if the service does not accept the filter.
pub async fn read_runs<S: SurveySource>(
    source: &S,
    scope: &Scope,
    page_size: u32,
    extent: Extent,
) -> Result<ReadList<RunRow>, ReadFault> {
    let options = ReadOptions::unsorted(page_size, extent);
    let mut narrowed = RunPages {
        source,
        scope: Some(scope),
    };
    match read_all(&mut narrowed, &options).await {
        // The paths for filters and sorting are not documented (4.2).
        Err(ReadFault::Call(error)) if error.kind == FailureKind::Refused => {
            let mut all = RunPages {
                source,
                scope: None,
            };
            read_all(&mut all, &options).await
        }
        other => other,
    }
}

struct RunPages<'a, S> {
    source: &'a S,
    scope: Option<&'a Scope>,
}

impl<S: SurveySource> Pages for RunPages<'_, S> {
    type Entry = RunRow;
    type Error = Failure;

    async fn page(&mut self, page: Page, _: &[Sort]) -> Result<ListPage<RunRow>, Failure> {
        self.source.runs(self.scope, page).await
    }
}

impl OpenRuns {
    /// Returns `TestSuiteCount` of a run.
    pub fn count(&self, run: &DocRef) -> Option<u64> {
        let row = self.rows.iter().find(|row| row.doc_ref == *run)?;
        u64::try_from(row.suite_count?).ok()
    }

    /// True if any run has a count.
    pub fn counted(&self) -> bool {
        self.rows.iter().any(|row| row.suite_count.is_some())
    }

    /// Returns all runs but one.
    pub fn open(&self, but: &DocRef) -> Vec<&RunRow> {
        self.rows.iter().filter(|row| row.doc_ref != *but).collect()
    }
}
