//! A survey: the calls for a verdict (count, lists, count), in one pass or two.

use std::fmt::Arguments;

use super::available::{KeepJson, SuitePages, read_list};
use super::calls::{Bounded, Calls};
use super::evidence::{Evidence, TargetRun};
use super::prelude::*;
use super::runs::{OpenRuns, list_runs};
use super::{PriorKnowledge, SuiteList, verdict};

/// Limits of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyLimits {
    /// Entries per page.
    pub page_size: u32,
    /// Most other runs whose lists are read.
    pub most_runs: usize,
    /// Bytes of these lists after which no further one is read: the texts of suites may be long.
    pub most_bytes: usize,
    /// Most calls of lists.
    pub most_calls: usize,
}

impl Default for SurveyLimits {
    fn default() -> Self {
        Self {
            page_size: 50,
            most_runs: 40,
            most_bytes: 64 << 20,
            most_calls: usize::MAX,
        }
    }
}

/// Receives the progress of a survey, in words.
pub type Telling<'a> = &'a (dyn Fn(Arguments<'_>) + Send + Sync);

/// The inputs of one pass.
pub struct Pass<'a, S> {
    pub source: &'a S,
    pub target: &'a DocRef,
    pub known: &'a PriorKnowledge,
    pub settings: SurveyLimits,
    /// Counts and limits the calls of lists.
    pub calls: &'a Calls,
    pub progress: Telling<'a>,
}

impl<S: SurveySource> Pass<'_, S> {
    /// Reads the count, the list of the run, the lists of the others, the count, and the list of the run again.
    pub async fn run(&self) -> Result<Attached, Failure> {
        let row = self.source.run(self.target).await?;
        let mut evidence = self.evidence(&row);
        if row.is_closed() {
            return self.closed(evidence).await;
        }
        (self.progress)(format_args!("listing the test runs"));
        let before = self.runs(&evidence).await?;
        let count = before.count(self.target);
        evidence.target.count_before = count;
        if count.is_none_or(|count| count == 0) {
            evidence.target.empty = self.check(self.target).await?;
        }
        if evidence.target.empty == Some(true) {
            return Ok(self.done(&mut evidence, &before.rows));
        }
        let free = match self.names_in(self.target, row.name()).await {
            Ok(free) => free.map(Arc::new),
            Err(error) => return self.refused(error).await,
        };
        if let Some(free) = free {
            let last = before.pages + free.pages as usize;
            evidence.target.free_before = Some(free);
            self.read_other_runs(&mut evidence, &before, last).await?;
        }
        self.calls.keep(0);
        (self.progress)(format_args!("reading the numbers once more"));
        if count.is_some() {
            evidence.moved = !self.still_there(&evidence).await?;
        }
        let after = self.runs(&evidence).await?;
        evidence.target.count_after = after.count(self.target);
        for other in &mut evidence.other_runs {
            other.count_after = after.count(&other.doc_ref);
        }
        if evidence.target.free_before.is_some() {
            match self.names_in(self.target, row.name()).await {
                Ok(free) => evidence.target.free_after = free.map(Arc::new),
                Err(error) => return self.refused(error).await,
            }
        }
        // A run that is missing in the last list has no count either.
        if count.is_none() || evidence.target.count_after.is_none() {
            self.read_empty_again(&mut evidence).await?;
        }
        Ok(self.done(&mut evidence, &before.rows))
    }

    /// Without counts only the lists can show a suite that came and went between two readings. So the list of an empty
    /// run must be the same after the last list of the run, and each of the three must be read in one call: then the
    /// suites free there and not here were in the run at the moment of its last list. Otherwise the empty run is
    /// dropped.
    async fn read_empty_again(&self, evidence: &mut Evidence) -> Result<(), Failure> {
        let at_once = |list: &SuiteList| list.pages == 1;
        let target = evidence.target.free_after.as_deref().is_some_and(at_once);
        for other in evidence
            .other_runs
            .iter_mut()
            .filter(|other| other.empty.is_some())
        {
            let again = self.names_in(&other.doc_ref, &other.name).await;
            let again = unless_refused(again)?.flatten();
            let refs = |list: &SuiteList| list.refs().cloned().collect::<BTreeSet<_>>();
            let same = again
                .as_ref()
                .zip(other.free.as_deref())
                .is_some_and(|(again, first)| {
                    target && at_once(again) && at_once(first) && refs(again) == refs(first)
                });
            if !same {
                other.free = None;
            }
        }
        Ok(())
    }

    fn evidence(&self, row: &RunRow) -> Evidence {
        let target = TargetRun {
            name: row.name().to_owned(),
            status: row.status.clone(),
            scope: Scope::of_run(row),
            count_before: None,
            count_after: None,
            free_before: None,
            free_after: None,
            empty: None,
        };
        Evidence {
            target,
            other_runs: Vec::new(),
            moved: false,
            known: self.known.clone(),
            at: self.source.now(),
        }
    }

    /// Handles a refused list of the run, which may have been closed meanwhile: that is a result too.
    async fn refused(&self, error: Failure) -> Result<Attached, Failure> {
        if !error.kind.is_answer() {
            return Err(error);
        }
        let row = self.source.run(self.target).await?;
        if !row.is_closed() {
            return Err(error);
        }
        self.closed(self.evidence(&row)).await
    }

    async fn closed(&self, mut evidence: Evidence) -> Result<Attached, Failure> {
        evidence.target.empty = self.check(self.target).await?;
        Ok(self.done(&mut evidence, &[]))
    }

    fn done(&self, evidence: &mut Evidence, rows: &[RunRow]) -> Attached {
        evidence.at = self.source.now();
        let mut attached = verdict(evidence);
        let row = rows.iter().find(|row| row.doc_ref == *self.target);
        attached.row = row.cloned().map(Box::new);
        attached
    }

    async fn runs(&self, evidence: &Evidence) -> Result<OpenRuns, Failure> {
        list_runs(self.source, &evidence.target.scope, self.settings.page_size).await
    }

    /// Returns the unread list of a run.
    pub fn list_of<'b>(&'b self, run: &'b DocRef, keep: KeepJson<'b>) -> SuitePages<'b, S> {
        SuitePages::of(self.source, run, keep)
    }

    /// Reads A of a run without JSON: for its names, not for its rows.
    async fn names_in(&self, run: &DocRef, name: &str) -> Result<Option<SuiteList>, Failure> {
        self.list(self.list_of(run, &|_| false), name, 1, 1).await
    }

    /// Reads A of a run; `None` if it could not be read completely.
    pub async fn list(
        &self,
        pages: SuitePages<'_, S>,
        name: &str,
        list: usize,
        lists: usize,
    ) -> Result<Option<SuiteList>, Failure> {
        let tell = |received, full_size| {
            (self.progress)(format_args!(
                "{name}: {list} of {lists} lists, {received} of {full_size} suites"
            ));
        };
        match read_list(pages, self.settings.page_size, &tell).await {
            Ok(list) => Ok(Some(list)),
            Err(ReadFault::Call(error)) => Err(error),
            Err(ReadFault::Changed(_) | ReadFault::TooLong { .. }) => Ok(None),
        }
    }

    /// Asks `CHECK_TEST_RUN_EMPTY`; `None` without an answer that says it.
    pub async fn check(&self, run: &DocRef) -> Result<Option<bool>, Failure> {
        match self.source.check_empty(run).await {
            Err(error) if error.kind.is_of_the_call() => Ok(None),
            other => other.map(Some),
        }
    }
}

/// Returns `None` if the service understood the call and refused it.
pub fn unless_refused<T>(result: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match result {
        Err(error) if error.kind.is_answer() => Ok(None),
        other => other.map(Some),
    }
}

/// Works out the suites in a run, with at most two calls at once; fails with `NotAsked` if `most_calls` are too few to know
/// anything. If something changed meanwhile, reads everything once more. Dropping the future cancels the survey; nothing
/// is written.
pub async fn survey<S: SurveySource>(
    source: &S,
    target: &DocRef,
    known: &PriorKnowledge,
    settings: SurveyLimits,
    progress: Telling<'_>,
) -> Result<Attached, Failure> {
    let calls = Calls::at_most(settings.most_calls);
    let pass = Pass {
        source: &Bounded {
            source,
            calls: &calls,
        },
        target,
        known,
        // Without counts each run is checked for emptiness.
        settings: SurveyLimits {
            most_runs: settings.most_runs.min(settings.most_calls / 2),
            ..settings
        },
        calls: &calls,
        progress,
    };
    let first = pass.run().await?;
    if !matches!(first.state, State::Changing | State::Conflict) || !calls.may_repeat() {
        return Ok(first);
    }
    progress(format_args!("something changed meanwhile: once more"));
    match pass.run().await {
        Err(failure) if failure.kind == FailureKind::NotAsked => Ok(first),
        second => second,
    }
}
