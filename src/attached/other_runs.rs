//! The other runs of the scope: which of them are read, and whether what they have shown is still there.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::future::try_join_all;

use super::available::{KeepJson, by_title, bytes};
use super::cache::look_again;
use super::calls::again;
use super::evidence::{Evidence, Free, OtherRun};
use super::pass::Pass;
use super::recheck::lists_to_recheck;
use super::runs::OpenRuns;
use super::{EmptyRun, LeftOut, SurveyProgress, SurveySource, verdict};
use crate::domain::{DocRef, RunRow};

/// Calls at once.
const AT_ONCE: usize = 2;
/// Runs counted as empty that are tried as the empty one.
const EMPTY_TRIED: usize = 3;

/// A run to be read, and whether it may be an empty one.
struct Candidate<'a> {
    row: &'a RunRow,
    maybe_empty: bool,
}

impl<S: SurveySource> Pass<'_, S> {
    /// Reads the other runs of the scope, two at once, until what was read is enough; `last` calls are for the end.
    pub(super) async fn read_other_runs(
        &self,
        evidence: &mut Evidence,
        runs: &OpenRuns,
        last: usize,
    ) -> Result<(), S::Error> {
        let most = self.settings.most_runs;
        let (open, odd): (Vec<_>, Vec<_>) = runs
            .open(self.target)
            .into_iter()
            .partition(|row| row.doc_ref.acts().is_none());
        evidence.left_out.extend(odd.iter().map(|row| LeftOut {
            run: row.name().to_owned(),
            why: "nothing is asked about such a reference".to_owned(),
        }));
        let candidates = self.candidates(&open, runs).await?;
        let lists = candidates.len().min(most) + 1;
        let here = free_here(evidence);
        let mut next = 0;
        while next < candidates.len() {
            let kept = evidence
                .other_runs
                .iter()
                .filter_map(|other| Some(bytes(other.free.as_ref()?.entries())));
            let full = kept.sum::<usize>() > self.settings.most_bytes;
            let enough = next > 0 && self.enough(evidence);
            let at_once = self.affordable(evidence, last).min(AT_ONCE);
            if enough || full || next >= most || at_once == 0 {
                let why = if enough {
                    "not needed"
                } else if full {
                    "the lists before it are too large"
                } else {
                    "too many runs"
                };
                let rest = candidates[next..]
                    .iter()
                    .map(|candidate| candidate.row.name().to_owned());
                evidence.left_out.extend(rest.map(|run| LeftOut {
                    run,
                    why: why.to_owned(),
                }));
                break;
            }
            let some = &candidates[next..(next + at_once).min(candidates.len())];
            let reads = some.iter().enumerate().map(|(with, candidate)| {
                self.other(candidate, runs, &here, next + with + 2, lists)
            });
            evidence.other_runs.extend(try_join_all(reads).await?);
            next += some.len();
        }
        self.give_up_unaffordable(evidence, last);
        Ok(())
    }

    /// Lists that can be read now so that what they name can be looked up again, as far as calls are few.
    fn affordable(&self, evidence: &Evidence, last: usize) -> usize {
        let Some(calls) = self.calls else {
            return usize::MAX;
        };
        let looked_up: usize = evidence.other_runs.iter().map(again).sum();
        calls.keep(last + looked_up);
        let pages = evidence.target.free_before.as_ref();
        let pages = pages.map_or(1, |list| (list.pages as usize).max(1));
        calls.left() / (2 * pages)
    }

    /// What was read and cannot be looked up again is no witness.
    fn give_up_unaffordable(&self, evidence: &mut Evidence, last: usize) {
        let Some(calls) = self.calls else {
            return;
        };
        calls.keep(last);
        let mut left = calls.left();
        for other in &mut evidence.other_runs {
            match left.checked_sub(again(other)) {
                Some(rest) => left = rest,
                None => other.free = None,
            }
        }
    }

    /// The other runs in the order in which they are most worth reading: empty ones, then those with the fewest suites.
    /// Without counts, an empty one is sought.
    async fn candidates<'r>(
        &self,
        open: &[&'r RunRow],
        runs: &OpenRuns,
    ) -> Result<Vec<Candidate<'r>>, S::Error> {
        let mut order: Vec<_> = open
            .iter()
            .map(|row| Candidate {
                row,
                maybe_empty: false,
            })
            .collect();
        if runs.counted() {
            order.sort_by_key(|candidate| candidate.row.suite_count.unwrap_or(i64::MAX));
            let empty = order
                .iter_mut()
                .take(EMPTY_TRIED)
                .filter(|candidate| candidate.row.suite_count == Some(0));
            empty.for_each(|candidate| candidate.maybe_empty = true);
            return Ok(order);
        }
        let sought = order.len().min(self.settings.most_runs);
        for at in (0..sought).step_by(AT_ONCE) {
            let some = at..sought.min(at + AT_ONCE);
            (self.progress)(SurveyProgress::SeekingEmpty {
                run: order[at].row.name().to_owned(),
            });
            let checks = order[some.clone()]
                .iter()
                .map(|candidate| self.check(&candidate.row.doc_ref));
            let found = try_join_all(checks)
                .await?
                .into_iter()
                .position(|empty| empty == Some(true));
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
        if_settled
            .target
            .free_after
            .clone_from(&if_settled.target.free_before);
        for other in &mut if_settled.other_runs {
            other.count_after = other.count_before;
        }
        if_settled.at = self.source.now();
        verdict(&if_settled).is_complete()
    }

    async fn other(
        &self,
        candidate: &Candidate<'_>,
        runs: &OpenRuns,
        here: &HashSet<DocRef>,
        list: usize,
        lists: usize,
    ) -> Result<OtherRun, S::Error> {
        let row = candidate.row;
        let before = if candidate.maybe_empty {
            self.check(&row.doc_ref).await?
        } else {
            None
        };
        // Without counts nothing but whole lists proves anything.
        let kept = self.cache.list(row).filter(|_| runs.counted());
        let part = match kept {
            Some(kept) => {
                let mut list = self.list_of(&row.doc_ref, KeepJson::NotOf(here));
                look_again(&mut list, &by_title(), kept, |suite| !here.contains(suite)).await?
            }
            None => None,
        };
        let whole = self.list_of(&row.doc_ref, KeepJson::NotOf(here));
        let free = match part {
            Some(part) => Some(Free::Part(part)),
            None => match self.list(whole, row.name(), list, lists).await {
                Ok(list) => list.map(Arc::new).map(Free::Whole),
                // Closed or deleted meanwhile: one witness less.
                Err(error) if S::refusal(&error).is_answer() => None,
                Err(error) => return Err(error),
            },
        };
        let after = if before == Some(true) {
            self.check(&row.doc_ref).await?
        } else {
            None
        };
        let probe = self.known.probe.as_ref() == Some(&row.doc_ref);
        let empty = before.zip(after).map(|(before, after)| EmptyRun {
            before,
            after,
            probe,
        });
        Ok(OtherRun {
            doc_ref: row.doc_ref.clone(),
            name: row.name().to_owned(),
            count_before: runs.count(&row.doc_ref).map(|(count, _)| count),
            count_after: None,
            free,
            empty,
        })
    }

    /// Looks up again what the lists of the others have named, as far as no single call has shown it.
    pub(super) async fn still_there(
        &self,
        evidence: &Evidence,
        rows: &[RunRow],
    ) -> Result<bool, S::Error> {
        let here = free_here(evidence);
        for some in lists_to_recheck(&evidence.other_runs, &here).chunks(AT_ONCE) {
            let lookups = some.iter().map(|(other, named)| async move {
                let row = || rows.iter().find(|row| row.doc_ref == other.doc_ref);
                let kept = match &other.free {
                    Some(Free::Whole(list)) => Some(list),
                    _ => row().and_then(|row| self.cache.list(row)),
                };
                let Some(kept) = kept else { return Ok(false) };
                let mut list = self.list_of(&other.doc_ref, KeepJson::Nothing);
                let found =
                    look_again(&mut list, &by_title(), kept, |suite| named.contains(suite)).await?;
                Ok(found.is_some())
            });
            if try_join_all(lookups).await?.contains(&false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What was free on the run in question before the lists of the others were read.
fn free_here(evidence: &Evidence) -> HashSet<DocRef> {
    evidence
        .target
        .free_before
        .iter()
        .flat_map(|list| list.refs().cloned())
        .collect()
}
