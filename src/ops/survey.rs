//! Reading the suites of a run: those that can be added, and those that are in it.

use std::sync::Arc;

use super::client::{Client, now};
use super::local;
use super::write::{Progress, Tell, blocking};
use crate::attached::{
    Attached, FormerlyFree, PriorKnowledge, Record, Scope, SurveyLimits, SurveySource,
    available_suites, survey, survey_within,
};
use crate::disk::{Journal, KnownChange};
use crate::domain::{
    DocRef, Failure, FailureKind, Filter, ListPage, Page, ReadFault, Refusal, RunRow, RunsPage,
    Sort, SuiteRow,
};
use crate::rpc::CallError;

/// Entries asked for at once by a survey; a service that allows fewer says so and is asked for half of them.
const LARGEST: u32 = 100;

impl Client {
    /// All suites that can be added to a run, read whole.
    pub async fn read_available(
        &self,
        run: &DocRef,
        tell: &Tell,
    ) -> Result<Vec<SuiteRow>, Failure> {
        let progress = |received, full_size| {
            tell(Progress::Received {
                received,
                full_size,
            });
        };
        let list = available_suites(self, run, self.settings.page_size, &progress).await;
        let suites = list.map_err(|fault| failure(&fault))?.entries;
        let at = now();
        let seen = suites.iter().map(|suite| FormerlyFree {
            suite: suite.doc_ref.clone(),
            row: Some(suite.clone()),
            at,
        });
        self.remember(run, seen.collect());
        Ok(suites)
    }

    /// Works out the suites in a run from lists, link records and what the person has typed; `probe` is an empty run of
    /// its scope.
    pub async fn survey(
        &self,
        run: &DocRef,
        (typed, probe): (Vec<DocRef>, Option<DocRef>),
        journal: Option<&Arc<Journal>>,
        tell: &Tell,
    ) -> Result<Box<Attached>, Failure> {
        let known = self.known_of(run, (typed, probe), journal).await?;
        let progress = |progress: crate::attached::SurveyProgress| {
            tell(Progress::Survey(progress.to_string()));
        };
        let cache = self.cache();
        let surveyed = survey(self, run, &known, self.limits(), &cache, &progress).await;
        let surveyed = surveyed?;
        self.set_cache(surveyed.cache);
        Ok(Box::new(surveyed.attached))
    }

    /// The same with at most so many calls of lists.
    pub async fn survey_within(
        &self,
        most: usize,
        run: &DocRef,
        journal: Option<&Arc<Journal>>,
    ) -> Result<Box<Attached>, Failure> {
        let known = self.known_of(run, (Vec::new(), None), journal).await?;
        match survey_within(most, self, run, &known, self.limits()).await? {
            Some(surveyed) => Ok(Box::new(surveyed.attached)),
            None => Err(local(
                "looking for the suites of the run",
                "its lists are too long to be read in passing",
                "the list of its suites works them out",
            )),
        }
    }

    async fn known_of(
        &self,
        run: &DocRef,
        (typed, probe): (Vec<DocRef>, Option<DocRef>),
        journal: Option<&Arc<Journal>>,
    ) -> Result<PriorKnowledge, Failure> {
        let known = match journal {
            Some(journal) => records(journal, &self.settings.profile, run).await?,
            None => PriorKnowledge::default(),
        };
        Ok(PriorKnowledge {
            typed,
            probe,
            seen_free: self.remembered(run),
            ..known
        })
    }

    /// Few large pages: a list of one page is of one moment.
    fn limits(&self) -> SurveyLimits {
        SurveyLimits {
            page_size: self.settings.page_size.max(LARGEST),
            ..SurveyLimits::default()
        }
    }

    /// Whether the service calls a run empty.
    pub async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        Ok(self.reader.check_test_run_empty(run).await?)
    }
}

/// Why the suites to add could not be read whole, as a failure.
pub(super) fn failure(fault: &ReadFault<CallError>) -> Failure {
    not_whole("the suites to add", fault)
}

/// Why a list could not be read whole, as a failure.
pub(super) fn not_whole(asked: &str, fault: &ReadFault<CallError>) -> Failure {
    let (why, remedy) = match fault {
        ReadFault::Call(error) => return Failure::from(error),
        ReadFault::Changed(why) => (why, "Somebody is changing it: try again."),
        ReadFault::TooLong { size, at_most } => (
            &format!("{size} entries; at most {at_most} are read"),
            "A narrower filter finds fewer.",
        ),
    };
    Failure {
        kind: FailureKind::Odd,
        asked: asked.into(),
        came_back: format!("not read whole: {why}"),
        remedy: remedy.into(),
        may_retry: matches!(fault, ReadFault::Changed(_)),
    }
}

/// What the journal knows of the suites of a run.
async fn records(
    journal: &Arc<Journal>,
    profile: &str,
    run: &DocRef,
) -> Result<PriorKnowledge, Failure> {
    let (journal, profile, run) = (journal.clone(), profile.to_owned(), run.to_string());
    let read = blocking(move || journal.known_suites(&profile, &run)).await;
    let remedy = "the file can be read with any text viewer";
    let changes = read.map_err(|error| local("reading my changes", &error, remedy))?;
    let (added, removed): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| change.added);
    let record = |change: KnownChange| Record {
        suite: change.suite,
        at: change.at,
    };
    Ok(PriorKnowledge {
        added: added.into_iter().map(record).collect(),
        removed: removed.into_iter().map(record).collect(),
        ..PriorKnowledge::default()
    })
}

impl SurveySource for Client {
    type Error = CallError;

    async fn run(&self, run: &DocRef) -> Result<RunRow, CallError> {
        Ok(RunRow::from_document(&self.reader.get_document(run).await?))
    }

    async fn runs(&self, scope: Option<&Scope>, page: Page) -> Result<RunsPage, CallError> {
        let Some(scope) = scope else {
            return self.lister.list(page, &[], &Filter::default()).await;
        };
        let sort = [Sort {
            path: "Root.General.Title".into(),
            descending: false,
        }];
        self.lister.list(page, &sort, &filter(scope)).await
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
        now()
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
