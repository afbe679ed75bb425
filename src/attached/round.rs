//! One round of a survey.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::future::try_join_all;

use super::cache::look_again;
use super::evidence::{Evidence, Free, OtherRun, TargetRun};
use super::runs::{Runs, list_runs};
use super::{
    Available, Cache, EmptyRun, Known, LeftOut, Progress, ReadFault, Reading, Refusal, Scope, Settings, Source, State,
    Surveyed, WholeList, available_suites, verdict,
};
use crate::model::{DocRef, RunRow, Status};

/// Calls at once.
const AT_ONCE: usize = 2;
/// Runs counted as empty that are tried as the empty one.
const EMPTY_TRIED: usize = 3;

/// One round: what it needs.
pub(super) struct Round<'a, S> {
    pub source: &'a S,
    pub target: &'a DocRef,
    pub known: &'a Known,
    pub settings: Settings,
    pub cache: &'a Cache,
    pub progress: &'a (dyn Fn(Progress) + Send + Sync),
}

/// A run to be read, and whether it may be an empty one.
struct Candidate<'a> {
    row: &'a RunRow,
    maybe_empty: bool,
}

impl<S: Source> Round<'_, S> {
    /// Count, the list of the run, the lists of the others, count, and the list of the run again.
    pub async fn run(&self) -> Result<Surveyed, S::Error> {
        let row = self.source.run(self.target).await?;
        let scope = Scope::of_run(&row);
        let mut evidence = self.evidence(&row, scope.clone());
        if row.status == Status::Inactive {
            return self.closed(evidence).await;
        }
        (self.progress)(Progress::Runs);
        let before = self.runs(&scope).await?;
        evidence.target.count_before = before.count(self.target);
        if evidence.target.count_before.is_none_or(|(count, _)| count == 0) {
            evidence.target.empty = self.check(self.target).await?.map(|empty| (empty, self.source.now()));
        }
        if matches!(evidence.target.empty, Some((true, _))) {
            return Ok(self.done(&mut evidence, &[]));
        }
        let free = match self.list(self.target, row.name(), 1, 1).await {
            Ok(free) => free.map(Arc::new),
            Err(error) => return self.refused(error).await,
        };
        if let Some(free) = free {
            evidence.target.free_before = Some(free);
            self.others(&mut evidence, &before).await?;
        }
        (self.progress)(Progress::Closing);
        let after = self.runs(&scope).await?;
        evidence.target.count_after = after.count(self.target);
        for other in &mut evidence.others {
            other.count_after = after.count(&other.doc_ref).map(|(count, _)| count);
        }
        if evidence.target.free_before.is_some() {
            match self.list(self.target, row.name(), 1, 1).await {
                Ok(free) => evidence.target.free_after = free.map(Arc::new),
                Err(error) => return self.refused(error).await,
            }
        }
        if evidence.target.count_before.is_none() {
            self.read_empty_again(&mut evidence).await?;
        }
        Ok(self.done(&mut evidence, &before.rows))
    }

    /// Without counts nothing but the lists tells of a suite that came and went between two of them. The list of an empty
    /// run must be the same after the last list of the run as before it, and each of the three of one moment, read in one
    /// call: then what is free there and not here was in the run at the moment of that last list. Else it is no witness.
    async fn read_empty_again(&self, evidence: &mut Evidence) -> Result<(), S::Error> {
        for other in evidence.others.iter_mut().filter(|other| other.empty.is_some()) {
            let again = match self.list(&other.doc_ref, &other.name, 1, 1).await {
                Ok(list) => list,
                Err(error) if S::refusal(&error) == Refusal::Service => None,
                Err(error) => return Err(error),
            };
            let refs = |list: &WholeList| list.refs().cloned().collect::<std::collections::BTreeSet<_>>();
            let at_once = |list: &WholeList| list.pages == 1;
            let first = other.free.as_ref().and_then(Free::whole);
            let target = evidence.target.free_after.as_deref().is_some_and(at_once);
            let same = again
                .as_ref()
                .zip(first)
                .is_some_and(|(again, first)| target && at_once(again) && at_once(first) && refs(again) == refs(first));
            if !same {
                other.free = None;
            }
        }
        Ok(())
    }

    fn evidence(&self, row: &RunRow, scope: Scope) -> Evidence {
        let target = TargetRun {
            doc_ref: self.target.clone(),
            name: row.name().to_owned(),
            status: row.status.clone(),
            scope,
            count_before: None,
            count_after: None,
            free_before: None,
            free_after: None,
            empty: None,
        };
        let known = self.known.clone();
        Evidence { target, others: Vec::new(), left_out: Vec::new(), known, at: self.source.now() }
    }

    /// The list of the run was refused. It may have been closed meanwhile: that is an answer too.
    async fn refused(&self, error: S::Error) -> Result<Surveyed, S::Error> {
        if S::refusal(&error) != Refusal::Service {
            return Err(error);
        }
        let row = self.source.run(self.target).await?;
        if row.status != Status::Inactive {
            return Err(error);
        }
        let evidence = self.evidence(&row, Scope::of_run(&row));
        self.closed(evidence).await
    }

    async fn closed(&self, mut evidence: Evidence) -> Result<Surveyed, S::Error> {
        evidence.target.empty = self.check(self.target).await?.map(|empty| (empty, self.source.now()));
        Ok(self.done(&mut evidence, &[]))
    }

    fn done(&self, evidence: &mut Evidence, rows: &[RunRow]) -> Surveyed {
        evidence.at = self.source.now();
        let attached = verdict(evidence);
        let cache = match attached.state {
            State::Changing | State::Conflict | State::NotReadWhole => Cache::default(),
            _ => {
                let target = &evidence.target;
                let own = target.free_after.as_ref().map(|list| (&target.doc_ref, list));
                let others = evidence.others.iter();
                let others = others.filter_map(|other| Some((&other.doc_ref, other.free.as_ref()?.whole()?)));
                self.cache.with(rows, own.into_iter().chain(others))
            }
        };
        Surveyed { attached, cache }
    }

    async fn runs(&self, scope: &Scope) -> Result<Runs, S::Error> {
        list_runs(self.source, scope, self.settings.page_size).await
    }

    /// Reads the other runs of the scope, two at once, until what was read is enough.
    async fn others(&self, evidence: &mut Evidence, runs: &Runs) -> Result<(), S::Error> {
        let most = self.settings.most_runs;
        let open = runs.open(self.target);
        let candidates = self.candidates(&open, runs).await?;
        let lists = candidates.len().min(most) + 1;
        let here: HashSet<DocRef> = evidence.target.free_before.iter().flat_map(|list| list.refs().cloned()).collect();
        for (at, some) in candidates.chunks(AT_ONCE).enumerate() {
            let enough = at > 0 && self.enough(evidence);
            if enough || at * AT_ONCE >= most {
                let why = if enough { "not needed" } else { "too many runs" };
                let rest = candidates[at * AT_ONCE..].iter().map(|candidate| candidate.row.name().to_owned());
                evidence.left_out.extend(rest.map(|run| LeftOut { run, why: why.to_owned() }));
                break;
            }
            let reads = some
                .iter()
                .enumerate()
                .map(|(with, candidate)| self.other(candidate, runs, &here, at * AT_ONCE + with + 2, lists));
            evidence.others.extend(try_join_all(reads).await?);
        }
        Ok(())
    }

    /// The other runs in the order in which they are most worth reading: empty ones, then those with the fewest suites.
    /// Without counts, an empty one is sought.
    async fn candidates<'r>(&self, open: &[&'r RunRow], runs: &Runs) -> Result<Vec<Candidate<'r>>, S::Error> {
        let mut order: Vec<_> = open.iter().map(|row| Candidate { row, maybe_empty: false }).collect();
        if runs.counted() {
            order.sort_by_key(|candidate| candidate.row.suite_count.unwrap_or(i64::MAX));
            let empty = order.iter_mut().take(EMPTY_TRIED).filter(|candidate| candidate.row.suite_count == Some(0));
            empty.for_each(|candidate| candidate.maybe_empty = true);
            return Ok(order);
        }
        let sought = order.len().min(self.settings.most_runs);
        for at in (0..sought).step_by(AT_ONCE) {
            let some = at..sought.min(at + AT_ONCE);
            (self.progress)(Progress::SeekingEmpty { run: order[at].row.name().to_owned() });
            let checks = order[some.clone()].iter().map(|candidate| self.check(&candidate.row.doc_ref));
            let found = try_join_all(checks).await?.into_iter().position(|empty| empty == Some(true));
            if let Some(found) = found {
                order[some.start + found].maybe_empty = true;
                order.swap(0, some.start + found);
                break;
            }
        }
        Ok(order)
    }

    /// Whether the verdict would be complete if nothing changed any more.
    fn enough(&self, evidence: &Evidence) -> bool {
        let mut if_settled = evidence.clone();
        if_settled.target.count_after = if_settled.target.count_before;
        if_settled.target.free_after.clone_from(&if_settled.target.free_before);
        for other in &mut if_settled.others {
            other.count_after = other.count_before;
        }
        if_settled.at = self.source.now();
        verdict(&if_settled).is_complete()
    }

    async fn other(
        &self,
        candidate: &Candidate<'_>,
        runs: &Runs,
        here: &HashSet<DocRef>,
        list: usize,
        lists: usize,
    ) -> Result<OtherRun, S::Error> {
        let row = candidate.row;
        let before = if candidate.maybe_empty { self.check(&row.doc_ref).await? } else { None };
        // Without counts nothing but whole lists proves anything.
        let kept = self.cache.list(row).filter(|_| runs.counted());
        let part = match kept {
            Some(kept) => {
                let list = Available { source: self.source, run: &row.doc_ref };
                look_again(&list, &self.reading().sort, kept, |suite| !here.contains(suite)).await?
            }
            None => None,
        };
        let free = match part {
            Some(part) => Some(Free::Part(part)),
            None => match self.list(&row.doc_ref, row.name(), list, lists).await {
                Ok(list) => list.map(Arc::new).map(Free::Whole),
                // Closed or deleted meanwhile: one witness less.
                Err(error) if S::refusal(&error) == Refusal::Service => None,
                Err(error) => return Err(error),
            },
        };
        let after = if before == Some(true) { self.check(&row.doc_ref).await? } else { None };
        let probe = self.known.probe.as_ref() == Some(&row.doc_ref);
        let empty = before.zip(after).map(|(before, after)| EmptyRun { before, after, probe });
        Ok(OtherRun {
            doc_ref: row.doc_ref.clone(),
            name: row.name().to_owned(),
            count_before: runs.count(&row.doc_ref).map(|(count, _)| count),
            count_after: None,
            free,
            empty,
        })
    }

    /// A of a run; nothing if it could not be read whole.
    async fn list(&self, run: &DocRef, name: &str, list: usize, lists: usize) -> Result<Option<WholeList>, S::Error> {
        let tell = |received, full_size| {
            (self.progress)(Progress::List { run: name.to_owned(), received, full_size, list, lists });
        };
        match available_suites(self.source, run, &self.reading(), &tell).await {
            Ok(list) => Ok(Some(list)),
            Err(ReadFault::NotReadWhole { .. }) => Ok(None),
            Err(ReadFault::Call(error)) => Err(error),
        }
    }

    fn reading(&self) -> Reading {
        Reading { page_size: self.settings.page_size, ..Reading::default() }
    }

    /// `CHECK_TEST_RUN_EMPTY`; nothing if the service refuses to say.
    async fn check(&self, run: &DocRef) -> Result<Option<bool>, S::Error> {
        match self.source.check_empty(run).await {
            Ok(empty) => Ok(Some(empty)),
            Err(error) if S::refusal(&error) == Refusal::Service => Ok(None),
            Err(error) => Err(error),
        }
    }
}
