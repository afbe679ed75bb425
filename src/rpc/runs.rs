//! The list of test runs from whichever operation the service has.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{CallError, Reader};
use crate::domain::{
    Facets, Filter, ListPage, Page, RunRow, RunsOperation, RunsPage, RunsSource, Sort,
};

/// Lists test runs. Clones share the knowledge that `LIST_TEST_RUNS` is gone.
#[derive(Clone, Debug)]
pub struct RunLister {
    reader: Reader,
    source: RunsSource,
    fell_back: Arc<AtomicBool>,
}

impl RunLister {
    /// A lister that knows nothing of the service yet.
    pub fn new(reader: Reader, source: RunsSource) -> Self {
        Self {
            reader,
            source,
            fell_back: Arc::default(),
        }
    }

    /// The same for another project; what is known of the service stays known.
    #[must_use]
    pub fn with_project(&self, project: &str, subproject: Option<&str>) -> Self {
        self.with_reader(self.reader.with_project(project, subproject))
    }

    /// The same by this reader; what is known of the service stays known.
    #[must_use]
    pub fn with_reader(&self, reader: Reader) -> Self {
        Self {
            reader,
            ..self.clone()
        }
    }

    /// One page of test runs.
    pub async fn list(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<RunsPage, CallError> {
        let (list, facets, operation) = self.read(page, sorts, filter).await?;
        let rows = list.entries.iter().map(RunRow::from_document).collect();
        Ok(RunsPage {
            full_size: list.full_size,
            rows,
            facets,
            operation,
        })
    }

    /// The same, with all that the service says of each run.
    pub async fn documents(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<ListPage, CallError> {
        Ok(self.read(page, sorts, filter).await?.0)
    }

    async fn read(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<(ListPage, Option<Facets>, RunsOperation), CallError> {
        let known_gone = self.fell_back.load(Ordering::Relaxed);
        if self.source == RunsSource::ListTestRuns || self.source == RunsSource::Auto && !known_gone
        {
            match self.reader.list_test_runs(page, sorts, filter).await {
                Ok((list, facets)) => {
                    return Ok((list, Some(facets), RunsOperation::ListTestRuns));
                }
                Err(error) if self.source == RunsSource::Auto && error.is_unknown_method() => {
                    self.fell_back.store(true, Ordering::Relaxed);
                }
                Err(error) => return Err(error),
            }
        }
        Ok((
            self.reader.list_documents(page, sorts, filter).await?,
            None,
            RunsOperation::ListDocuments,
        ))
    }
}
