//! The list of test runs, from the operation that the service has.

use std::sync::atomic::Ordering;

use super::{CallError, Reader};
use crate::domain::{Filter, ListPage, Page, RunRow, RunsOperation, RunsPage, RunsSource, Sort};

impl Reader {
    /// Returns one page of test runs.
    pub async fn list_runs(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<RunsPage, CallError> {
        let list = self.list_run_documents(page, sorts, filter).await?;
        Ok(ListPage {
            full_size: list.full_size,
            rows: list.rows.iter().map(RunRow::from_document).collect(),
            facets: list.facets,
            operation: list.operation,
        })
    }

    /// Returns one page of test runs as complete documents.
    pub async fn list_run_documents(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<ListPage, CallError> {
        let auto = self.runs_source == RunsSource::Auto;
        let known_gone = self.fell_back.load(Ordering::Relaxed);
        if self.runs_source == RunsSource::ListTestRuns || auto && !known_gone {
            match self.list_test_runs(page, sorts, filter).await {
                Err(error) if auto && error.is_unknown_method() => {
                    self.fell_back.store(true, Ordering::Relaxed);
                }
                answer => return answer,
            }
        }
        Ok(ListPage {
            operation: Some(RunsOperation::ListDocuments),
            ..self.list_documents(page, sorts, filter).await?
        })
    }
}
