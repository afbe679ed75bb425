//! The operations that change nothing (interface section 4.3).

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::bounds::{Expected, USUAL_MEGABYTES};
use super::decode::{self, Fault, missing, unfit};
use super::prepared::{PreparedCall, READS};
use super::{CallError, Endpoint};
use crate::auth::TokenSource;
use crate::domain::{
    DocRef, Document, Facets, Filter, ListPage, Page, RunsOperation, RunsSource, Sort,
    TEST_RUN_MODEL, excerpt, text_or_json,
};

/// Hears of the pauses before failed readings are tried again.
pub trait Waits: Debug + Send + Sync {
    /// A pause begins, after this failure.
    fn begin(&self, error: &CallError, pause: Duration);
    /// A pause is over.
    fn end(&self);
}

/// Reads from the service; it has no method that writes. Clones share the knowledge that `LIST_TEST_RUNS` is gone.
#[derive(Clone, Debug)]
pub struct Reader {
    pub(super) http: reqwest::Client,
    pub(super) tokens: TokenSource,
    pub(super) endpoint: Endpoint,
    /// Size limit of an answer, in megabytes.
    pub(super) max_answer_mb: u32,
    /// Pauses before further tries of a reading.
    pub(super) again: Vec<Duration>,
    pub(super) waits: Option<Arc<dyn Waits>>,
    pub(super) runs_source: RunsSource,
    pub(super) fell_back: Arc<AtomicBool>,
    /// True if the service answered the last request, `None` before the first.
    pub(super) reached: watch::Sender<Option<bool>>,
}

impl Reader {
    /// Creates a reader of one project. `http` comes from [`super::http_client`].
    pub fn new(http: reqwest::Client, tokens: TokenSource, endpoint: Endpoint) -> Self {
        Self {
            http,
            tokens,
            endpoint,
            max_answer_mb: USUAL_MEGABYTES,
            again: Vec::new(),
            waits: None,
            runs_source: RunsSource::Auto,
            fell_back: Arc::default(),
            reached: watch::Sender::new(None),
        }
    }

    /// Sets the size limit of answers, in megabytes.
    #[must_use]
    pub fn with_max_answer_mb(mut self, megabytes: u32) -> Self {
        self.max_answer_mb = megabytes;
        self
    }

    /// Sets the operation that lists runs.
    #[must_use]
    pub fn with_runs_source(mut self, source: RunsSource) -> Self {
        self.runs_source = source;
        self
    }

    /// Sets the pauses after which a reading is tried again, if the reason of its failure may pass by itself; `waits`
    /// hears of each.
    #[must_use]
    pub fn trying_again(mut self, pauses: Vec<Duration>, waits: Arc<dyn Waits>) -> Self {
        self.again = pauses;
        self.waits = Some(waits);
        self
    }

    /// Returns a reader of another project that keeps what is known of the service.
    #[must_use]
    pub fn with_project(&self, project: &str, subproject: Option<&str>) -> Self {
        let mut other = self.clone();
        let endpoint = &mut other.endpoint;
        project.clone_into(&mut endpoint.project_id);
        endpoint.subproject_id = subproject.map(str::to_owned);
        other
    }

    /// Returns a receiver of whether the service answers, updated when that changes.
    pub fn reached(&self) -> watch::Receiver<Option<bool>> {
        self.reached.subscribe()
    }

    /// The address and project of calls.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// `GET_DOCUMENT`: one test run.
    pub async fn get_document(&self, run: &DocRef) -> Result<Document, CallError> {
        let call = PreparedCall::new(
            READS,
            ("GET_DOCUMENT", "reading the run"),
            run.to_string(),
            json!({"docRef": run}),
            Expected::Document,
        );
        self.call(call, |value| {
            let document = decode::document("result", value)?;
            let got = document.doc_ref();
            if got != run {
                // What is written goes to the run of this document.
                let got = Value::from(got.as_str());
                return Err(unfit("result.docRef", run.as_str(), &got));
            }
            Ok(document)
        })
        .await
    }

    /// `LIST_DOCUMENTS`: test runs, without the parts that only [`Self::list_test_runs`] returns.
    pub async fn list_documents(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<ListPage, CallError> {
        let params = json!({"documentModelName": TEST_RUN_MODEL});
        let call = list(
            ("LIST_DOCUMENTS", "loading the runs"),
            params,
            page,
            sorts,
            filter,
        );
        self.call(call, |value| decode::list("result", value, page.limit))
            .await
    }

    /// `LIST_TEST_RUNS`: test runs with suite count, progress and results, and the facets. Deprecated (9).
    pub async fn list_test_runs(
        &self,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<ListPage, CallError> {
        let call = list(
            ("LIST_TEST_RUNS", "loading the runs"),
            json!({}),
            page,
            sorts,
            filter,
        );
        self.call(call, |value| test_runs(value, page.limit)).await
    }

    /// `CHECK_TEST_RUN_EMPTY`: true if the run holds no suites.
    pub async fn check_test_run_empty(&self, run: &DocRef) -> Result<bool, CallError> {
        let call = PreparedCall::new(
            READS,
            ("CHECK_TEST_RUN_EMPTY", "checking that the run is empty"),
            run.to_string(),
            json!({"testRunDocRef": run}),
            Expected::Word,
        );
        self.call(call, |value| decode::boolean(&value)).await
    }

    /// `GET_AVAILABLE_TEST_SUITES`: the suites that can still be added to an open run.
    pub async fn get_available_test_suites(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
        filter: &Filter,
    ) -> Result<ListPage, CallError> {
        let params = json!({"testRunDocRef": run});
        let mut call = list(
            ("GET_AVAILABLE_TEST_SUITES", "loading the suites to add"),
            params,
            page,
            sorts,
            filter,
        );
        call.asked.about = format!("{run}, {}", call.asked.about);
        self.call(call, |value| decode::list("result", value, page.limit))
            .await
    }
}

/// Prepares a call of a list (4.2): adds `page` to `params`, and `filter` and `sort` unless empty.
fn list(
    asked: (&'static str, &'static str),
    mut params: Value,
    page: Page,
    sorts: &[Sort],
    filter: &Filter,
) -> PreparedCall {
    if !filter.is_empty() {
        params["filter"] = json!(filter);
    }
    params["page"] = json!(page);
    if !sorts.is_empty() {
        params["sort"] = sorts
            .iter()
            .map(|sort| json!({"order": sort.order()}))
            .collect();
    }
    let end = page.offset.saturating_add(u64::from(page.limit));
    let about = format!("page {}..{end}", page.offset);
    PreparedCall::new(READS, asked, about, params, Expected::List(page.limit))
}

/// Reads the result of `LIST_TEST_RUNS` for which `limit` entries were requested.
fn test_runs(mut result: Value, limit: u32) -> Result<ListPage, Fault> {
    let Some(members) = result.as_object_mut() else {
        return Err(unfit("result", "an object", &result));
    };
    let facets = facets(members.get("filterItemMap"))?;
    let Some(inner) = members.remove("result") else {
        return Err(missing("result.result"));
    };
    Ok(ListPage {
        facets: Some(facets),
        operation: Some(RunsOperation::ListTestRuns),
        ..decode::list("result.result", inner, limit)?
    })
}

/// Reads `filterItemMap`; services without it leave it out.
fn facets(map: Option<&Value>) -> Result<Facets, Fault> {
    let members = match map {
        None | Some(Value::Null) => return Ok(Facets::new()),
        Some(Value::Object(members)) => members,
        Some(other) => return Err(unfit("result.filterItemMap", "an object", other)),
    };
    members
        .iter()
        .map(|(path, values)| match values {
            Value::Array(values) => Ok((path.clone(), values.iter().map(text_or_json).collect())),
            Value::Null => Ok((path.clone(), Vec::new())),
            other => Err(unfit(
                &format!("result.filterItemMap[\"{}\"]", excerpt(path, 60)),
                "an array",
                other,
            )),
        })
        .collect()
}
