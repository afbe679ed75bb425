//! The list of test runs, from the operation that the service has.

use std::sync::atomic::Ordering;

use super::{CallError, Reader};
use crate::domain::{
    Facets, Filter, ListPage, Page, RunRow, RunsOperation, RunsPage, RunsSource, Sort,
};

impl Reader {
    /// Returns one page of test runs.
    pub async fn list_runs(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<RunsPage, CallError> {
        let (list, facets, operation) = self.runs(page, sorts, filter).await?;
        let rows = list.entries.iter().map(RunRow::from_document).collect();
        Ok(RunsPage {
            full_size: list.full_size,
            rows,
            facets,
            operation,
        })
    }

    /// Returns one page of test runs as complete documents.
    pub async fn list_run_documents(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<ListPage, CallError> {
        Ok(self.runs(page, sorts, filter).await?.0)
    }

    async fn runs(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<(ListPage, Option<Facets>, RunsOperation), CallError> {
        let auto = self.runs_source == RunsSource::Auto;
        let known_gone = self.fell_back.load(Ordering::Relaxed);
        if self.runs_source == RunsSource::ListTestRuns || auto && !known_gone {
            match self.list_test_runs(page, sorts, filter).await {
                Ok((list, facets)) => return Ok((list, Some(facets), RunsOperation::ListTestRuns)),
                Err(error) if auto && error.is_unknown_method() => {
                    self.fell_back.store(true, Ordering::Relaxed);
                }
                Err(error) => return Err(error),
            }
        }
        Ok((
            self.list_documents(page, sorts, filter).await?,
            None,
            RunsOperation::ListDocuments,
        ))
    }
}
