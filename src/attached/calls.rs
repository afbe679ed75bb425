//! Surveys with few calls: calls of lists are counted, and refused beyond the limit.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use super::OtherRun;
use super::prelude::*;
use crate::domain::RunsPage;

/// Counts the calls of lists of a survey, up to a limit.
pub struct Calls {
    used: AtomicUsize,
    most: usize,
    /// Number of calls reserved for the second readings.
    kept: AtomicUsize,
}

impl Calls {
    pub fn at_most(most: usize) -> Self {
        Self {
            used: AtomicUsize::new(0),
            most,
            kept: AtomicUsize::new(0),
        }
    }

    /// Reserves calls for the end.
    pub fn keep(&self, calls: usize) {
        self.kept.store(calls, SeqCst);
    }

    /// Number of calls that may be made now.
    pub fn left(&self) -> usize {
        self.most
            .saturating_sub(self.used.load(SeqCst) + self.kept.load(SeqCst))
    }

    /// True if all calls so far could be made once more.
    pub fn may_repeat(&self) -> bool {
        self.used.load(SeqCst) <= self.most / 2
    }

    fn take(&self) -> bool {
        let most = self.most.saturating_sub(self.kept.load(SeqCst));
        let more = |used| (used < most).then_some(used + 1);
        self.used.fetch_update(SeqCst, SeqCst, more).is_ok()
    }
}

/// Number of calls for the second reading of another run's list: its suites are looked up once, and an empty run is
/// read once more.
pub fn again(other: &OtherRun) -> usize {
    other.free.as_ref().map_or(0, |list| list.pages as usize)
        * (1 + usize::from(other.empty.is_some()))
}

/// The source of a survey with few calls.
pub struct Bounded<'a, S> {
    pub source: &'a S,
    pub calls: &'a Calls,
}

impl<S> Bounded<'_, S> {
    fn take(&self) -> Result<(), Failure> {
        if self.calls.take() {
            return Ok(());
        }
        Err(Failure::new(
            FailureKind::NotAsked,
            "looking for the suites of the run",
            "that takes more calls than are made in passing",
            "the list of its suites works them out",
        ))
    }
}

impl<S: SurveySource> SurveySource for Bounded<'_, S> {
    async fn run(&self, run: &DocRef) -> Result<RunRow, Failure> {
        self.source.run(run).await
    }

    async fn runs(&self, scope: Option<&Scope>, page: Page) -> Result<RunsPage, Failure> {
        self.take()?;
        self.source.runs(scope, page).await
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, Failure> {
        self.take()?;
        self.source.available(run, page, sorts).await
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        self.source.check_empty(run).await
    }

    fn now(&self) -> i64 {
        self.source.now()
    }
}
