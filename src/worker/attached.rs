//! The calls that the suites of a run are worked out from, made by the client.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::attached::{Scope, Source};
use crate::domain::{DocRef, Filter, ListPage, Page, Refusal, RunRow, RunsPage, Sort};
use crate::rpc::{CallError, Reader, RunLister};

/// The client as a source.
#[derive(Clone, Debug)]
pub struct Client {
    /// Reads documents and suites.
    pub reader: Reader,
    /// Lists runs with whichever operation the service has.
    pub lister: RunLister,
}

impl Source for Client {
    type Error = CallError;

    async fn run(&self, run: &DocRef) -> Result<RunRow, CallError> {
        Ok(RunRow::from_document(&self.reader.get_document(run).await?))
    }

    async fn runs(&self, scope: &Scope, page: Page) -> Result<RunsPage, CallError> {
        let sort = [Sort {
            path: "Root.General.Title".into(),
            descending: false,
        }];
        match self.lister.list(page, &sort, &filter(scope)).await {
            // Which paths can be filtered and sorted by is not documented (4.2).
            Err(error) if error.refusal() == Refusal::Question => {
                self.lister.list(page, &[], &Filter::default()).await
            }
            other => other,
        }
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, CallError> {
        self.reader
            .get_available_test_suites(run, page, sorts, &Filter::default())
            .await
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, CallError> {
        self.reader.check_test_run_empty(run).await
    }

    fn refusal(error: &CallError) -> Refusal {
        error.refusal()
    }

    fn now(&self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

/// Open runs of the scope, by the fields whose values are documented (2.2).
fn filter(scope: &Scope) -> Filter {
    let mut filters = vec!["Root.General.Status:active".to_owned()];
    let parts = [
        ("ProjectVersionNumber", &scope.version),
        ("SubprojectId", &scope.subproject),
    ];
    filters.extend(
        parts
            .iter()
            .filter_map(|(name, value)| Some(format!("Root.General.{name}:{}", value.as_ref()?))),
    );
    Filter {
        filters,
        ..Filter::default()
    }
}
