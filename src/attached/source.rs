//! The calls that the engine needs, so that it can be tried against a truth that only the test knows.

use std::future::Future;

use crate::domain::{DocRef, ListPage, Page, PageError, RunRow, RunsPage, Sort};

/// Where runs share what can be added to them: project, sub project, version (2.2).
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
    /// That of a version, in the sub project that a profile is of if any.
    pub fn of_release(subproject: Option<&str>, version: &str) -> Self {
        Self {
            project: None,
            subproject: subproject.filter(|id| *id != "_").map(str::to_owned),
            version: Some(version.to_owned()),
        }
    }

    /// A run is of it, as far as both say what they are of; one that says nothing of its version is not.
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

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            &[&self.project, &self.subproject, &self.version]
                .map(|part| part.as_deref().unwrap_or("?"))
                .join("/"),
        )
    }
}

/// The calls; none of them writes, and each is one request.
pub trait SurveySource: Sync {
    /// Why a call failed.
    type Error: PageError + Send;

    /// `GET_DOCUMENT`, as a row: status and scope of one run.
    fn run(&self, run: &DocRef) -> impl Future<Output = Result<RunRow, Self::Error>> + Send;

    /// One page of runs, from either list operation: those that are open in a scope, or all. Filtering by the service is
    /// welcome and never relied upon: the rows are looked at again.
    fn runs(
        &self,
        scope: Option<&Scope>,
        page: Page,
    ) -> impl Future<Output = Result<RunsPage, Self::Error>> + Send;

    /// One page of `GET_AVAILABLE_TEST_SUITES`.
    fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> impl Future<Output = Result<ListPage, Self::Error>> + Send;

    /// `CHECK_TEST_RUN_EMPTY`.
    fn check_empty(&self, run: &DocRef) -> impl Future<Output = Result<bool, Self::Error>> + Send;

    /// Now, as milliseconds since 1970: only written down, nothing waits for it.
    fn now(&self) -> i64;
}
