//! A survey by a few calls: lists are counted as they are asked for, and refused once they are enough.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use super::{OtherRun, Scope, SurveySource};
use crate::domain::{DocRef, ListPage, Page, PageError, Refusal, RunRow, RunsPage, Sort};

/// How many calls of lists a survey has made, and how many it may make.
pub struct Calls {
    used: AtomicUsize,
    most: usize,
    /// So many are kept for reading again what was read first.
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

    /// Keeps so many for the end.
    pub fn keep(&self, calls: usize) {
        self.kept.store(calls, SeqCst);
    }

    /// Those that may be made now.
    pub fn left(&self) -> usize {
        self.most
            .saturating_sub(self.used.load(SeqCst) + self.kept.load(SeqCst))
    }

    /// Whether all that was asked could be asked once more.
    pub fn may_repeat(&self) -> bool {
        self.used.load(SeqCst) * 2 <= self.most
    }

    fn take(&self) -> bool {
        let most = self.most.saturating_sub(self.kept.load(SeqCst));
        let more = |used| (used < most).then_some(used + 1);
        self.used.fetch_update(SeqCst, SeqCst, more).is_ok()
    }
}

/// Calls that reading the list of another run again will take: what it named is looked up, and an empty run is read twice.
pub fn again(other: &OtherRun) -> usize {
    other.whole().map_or(0, |list| list.pages as usize) * (1 + usize::from(other.empty.is_some()))
}

/// The source of a survey by a few calls.
pub struct Bounded<'a, S> {
    pub source: &'a S,
    pub calls: &'a Calls,
}

/// Why a call of such a source has no answer.
pub enum CallEnd<E> {
    Call(E),
    /// It was not made: there were enough.
    Enough,
}

impl<S: SurveySource> Bounded<'_, S> {
    fn take(&self) -> Result<(), CallEnd<S::Error>> {
        self.calls.take().then_some(()).ok_or(CallEnd::Enough)
    }
}

impl<E: PageError> PageError for CallEnd<E> {
    /// A list that was not asked for is one witness less, as one that is refused.
    fn refusal(&self) -> Refusal {
        match self {
            Self::Call(error) => error.refusal(),
            Self::Enough => Refusal::Service,
        }
    }
}

impl<S: SurveySource> SurveySource for Bounded<'_, S> {
    type Error = CallEnd<S::Error>;

    async fn run(&self, run: &DocRef) -> Result<RunRow, Self::Error> {
        self.source.run(run).await.map_err(CallEnd::Call)
    }

    async fn runs(&self, scope: Option<&Scope>, page: Page) -> Result<RunsPage, Self::Error> {
        self.take()?;
        self.source.runs(scope, page).await.map_err(CallEnd::Call)
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, Self::Error> {
        self.take()?;
        self.source
            .available(run, page, sorts)
            .await
            .map_err(CallEnd::Call)
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Self::Error> {
        self.source.check_empty(run).await.map_err(CallEnd::Call)
    }

    fn now(&self) -> i64 {
        self.source.now()
    }
}
