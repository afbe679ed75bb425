//! The calls of the engine, as a trait so that tests can use a truth of their own.

use std::future::Future;

use crate::domain::{DocRef, Failure, ListPage, Page, RunRow, RunsPage, Sort};

/// Runs of one scope share the suites that can be added to them: project, sub project, version (2.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    pub project: Option<String>,
    pub subproject: Option<String>,
    pub version: Option<String>,
}

impl Scope {
    pub fn of_run(run: &RunRow) -> Self {
        Self {
            project: run.project.clone(),
            subproject: run.subproject.clone(),
            version: run.version.clone(),
        }
    }
}

impl Scope {
    /// Returns the scope of a version, in the sub project of the profile if it has one.
    pub fn of_release(subproject: Option<&str>, version: &str) -> Self {
        Self {
            project: None,
            subproject: subproject.filter(|id| *id != "_").map(str::to_owned),
            version: Some(version.to_owned()),
        }
    }

    /// True if nothing known of the run contradicts the scope; a run without a version is not in it.
    pub fn has(&self, run: &RunRow) -> bool {
        let of = Self::of_run(run);
        let fits = |wanted: &Option<String>, of: Option<&str>| match (wanted, of) {
            (Some(wanted), Some(of)) => wanted == of.trim(),
            _ => true,
        };
        fits(&self.project, of.project.as_deref())
            && fits(&self.subproject, of.subproject.as_deref())
            && of.version.is_some()
            && fits(&self.version, of.version.as_deref())
    }
}

/// The calls; each is one request, and none of them writes.
pub trait SurveySource: Sync {
    /// `GET_DOCUMENT` as a row: status and scope of one run.
    fn run(&self, run: &DocRef) -> impl Future<Output = Result<RunRow, Failure>> + Send;

    /// Returns one page of runs from either list operation: the open ones of a scope, or all. The service may ignore
    /// the filter: the rows are checked again.
    fn runs(
        &self,
        scope: Option<&Scope>,
        page: Page,
    ) -> impl Future<Output = Result<RunsPage, Failure>> + Send;

    /// One page of `GET_AVAILABLE_TEST_SUITES`.
    fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> impl Future<Output = Result<ListPage, Failure>> + Send;

    /// `CHECK_TEST_RUN_EMPTY`.
    fn check_empty(&self, run: &DocRef) -> impl Future<Output = Result<bool, Failure>> + Send;

    /// Current time, epoch milliseconds: only recorded, never waited for.
    fn now(&self) -> i64;
}
