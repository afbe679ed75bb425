//! Reads the suites of a run: those that can be added, and those in the run.

use std::fmt::Arguments;

use super::prelude::*;
use super::undo::unread;
use super::{Client, Progress, Tell, blocking, now};
use crate::attached::{
    FormerlyFree, InNoRun, PriorKnowledge, Scope, State, SuiteList, SurveyLimits, SurveySource,
    available_suites, by_title, in_no_run, runs_of_release, survey,
};
use crate::disk::Journal;
use crate::domain::fields::{STATUS, SUBPROJECT, VERSION};
use crate::domain::{ListPage, ReadFault, RunsPage, Sort, SuiteRow};

/// Entries per request of a survey; a service that allows fewer refuses, and is asked for half of them.
const LARGEST: u32 = 100;

impl Client {
    /// Returns all suites that can be added to a run.
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
        let suites = self.free_suites(run, &progress).await?.entries;
        let at = now();
        let seen = suites.iter().map(|suite| FormerlyFree {
            suite: suite.doc_ref.clone(),
            row: Some(suite.clone()),
            at,
        });
        self.remember(run, seen.collect());
        Ok(suites)
    }

    /// Returns them as a list. `progress` gets the number of suites received and of all.
    pub(super) async fn free_suites(
        &self,
        run: &DocRef,
        progress: &(dyn Fn(u64, u64) + Send + Sync),
    ) -> Result<SuiteList, Failure> {
        let list = available_suites(self, run, self.settings.page_size, progress).await;
        list.map_err(|fault| incomplete("the suites to add", fault))
    }

    /// Works out the suites in a run from lists, link records and the references that the user has typed; `probe` is an
    /// empty run of its scope. At most `most_calls` lists are asked for, if given.
    pub async fn survey(
        &self,
        run: &DocRef,
        (typed, probe): (Vec<DocRef>, Option<DocRef>),
        journal: Option<&Journal>,
        most_calls: Option<usize>,
        tell: &Tell,
    ) -> Result<Box<Attached>, Failure> {
        let known = self.known_of(run, (typed, probe), journal).await?;
        let progress = |words: Arguments<'_>| tell(Progress::Survey(words.to_string()));
        let limits = SurveyLimits {
            most_calls: most_calls.unwrap_or(usize::MAX),
            ..self.limits()
        };
        let mut attached = survey(self, run, &known, limits, &progress).await?;
        // Of a closed run none can be listed.
        let is_closed = attached.state == State::Closed;
        if let (Some(kept), true) = (self.kept.clone(), is_closed) {
            let run = run.clone();
            if let Ok(Some(kept)) = blocking(move || Ok::<_, String>(kept(&run))).await {
                attached.recall(kept);
            }
        }
        if let (Some(keeps), false) = (&self.keeps, is_closed) {
            keeps(run.clone(), attached.kept()).await;
        }
        Ok(Box::new(attached))
    }

    /// Returns the open runs of a version.
    pub async fn runs_of_release(&self, version: &str) -> Result<Vec<RunRow>, Failure> {
        let runs = runs_of_release(self, &self.release(version), self.limits().page_size).await;
        runs.map_err(|fault| incomplete("the open runs", fault))
    }

    /// Returns the suites that are in none of these open runs of a version.
    pub async fn in_no_run(
        &self,
        version: &str,
        runs: Vec<RunRow>,
        tell: &Tell,
    ) -> Result<Box<InNoRun>, Failure> {
        let progress = |words: Arguments<'_>| tell(Progress::Survey(words.to_string()));
        let (release, page_size) = (self.release(version), self.limits().page_size);
        let read = in_no_run(self, &release, runs, page_size, &progress)
            .await
            .map_err(|fault| incomplete("the suites in no run", fault))?;
        Ok(Box::new(read))
    }

    fn release(&self, version: &str) -> Scope {
        Scope::of_release(self.reader.endpoint().subproject_id.as_deref(), version)
    }

    async fn known_of(
        &self,
        run: &DocRef,
        (typed, probe): (Vec<DocRef>, Option<DocRef>),
        journal: Option<&Journal>,
    ) -> Result<PriorKnowledge, Failure> {
        let mut known = PriorKnowledge {
            typed,
            probe,
            seen_free: self.remembered(run),
            ..PriorKnowledge::default()
        };
        if let Some(journal) = journal.cloned() {
            let (of, run) = (self.settings.origin(), run.to_string());
            let read = blocking(move || journal.known_suites(&of, &run)).await;
            known.changes = read.map_err(|error| unread(&error))?;
        }
        Ok(known)
    }

    /// Uses few large pages: a list of one page is of one moment.
    fn limits(&self) -> SurveyLimits {
        SurveyLimits {
            page_size: self.settings.page_size.max(LARGEST),
            ..SurveyLimits::default()
        }
    }

    /// Returns the answer of the service whether a run is empty.
    pub async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        Ok(self.reader.check_test_run_empty(run).await?)
    }
}

/// Returns a failure for a list that could not be read completely.
fn incomplete(asked: &str, fault: ReadFault) -> Failure {
    let (why, remedy, may_retry) = match fault {
        ReadFault::Call(failure) => return failure,
        ReadFault::Changed(why) => (why, "Somebody is changing it: try again.", true),
        ReadFault::TooLong { size, at_most } => {
            let why = format!("{size} entries; at most {at_most} are read");
            (why, "A narrower filter finds fewer.", false)
        }
    };
    let cause = format!("not read whole: {why}");
    Failure {
        may_retry,
        ..Failure::new(FailureKind::Service, asked, &cause, remedy)
    }
}

impl SurveySource for Client {
    async fn run(&self, run: &DocRef) -> Result<RunRow, Failure> {
        Ok(RunRow::from_document(&self.reader.get_document(run).await?))
    }

    async fn runs(&self, scope: Option<&Scope>, page: Page) -> Result<RunsPage, Failure> {
        let (sort, filter) = match scope {
            Some(scope) => (by_title(), filter(scope)),
            None => (Vec::new(), Filter::default()),
        };
        Ok(self.reader.list_runs(page, &sort, &filter).await?)
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, Failure> {
        let (reader, all) = (&self.reader, Filter::default());
        Ok(reader
            .get_available_test_suites(run, page, sorts, &all)
            .await?)
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        self.check_empty(run).await
    }

    fn now(&self) -> i64 {
        now()
    }
}

/// Filter for the open runs of the scope, by fields with documented values (2.2).
fn filter(scope: &Scope) -> Filter {
    let version = scope.version.iter().map(|it| VERSION.filter(it));
    let subproject = scope.subproject.iter().map(|it| SUBPROJECT.filter(it));
    let status = std::iter::once(STATUS.filter("active"));
    Filter::of(status.chain(version).chain(subproject))
}
