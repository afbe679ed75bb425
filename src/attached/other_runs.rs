//! The other runs of the scope: their selection, their lists, and a second reading of the suites found.

use futures_util::future::try_join_all;

use super::available::{SuitePages, by_title, bytes};
use super::calls::again;
use super::evidence::{Evidence, OtherRun};
use super::prelude::*;
use super::runs::OpenRuns;
use super::survey::{Pass, unless_refused};
use super::{EmptyRun, SuiteList, verdict};

/// Number of calls at the same time.
const AT_ONCE: usize = 2;
/// Most runs with a count of 0 that are checked for emptiness.
const EMPTY_TRIED: usize = 3;

/// A run to be read; `maybe_empty` asks for a check of emptiness.
struct Candidate<'a> {
    row: &'a RunRow,
    maybe_empty: bool,
}

impl<S: SurveySource> Pass<'_, S> {
    /// Reads the other runs of the scope, two at once, until the evidence suffices; `last` calls are reserved for the
    /// end.
    pub async fn read_other_runs(
        &self,
        evidence: &mut Evidence,
        runs: &OpenRuns,
        last: usize,
    ) -> Result<(), Failure> {
        let most = self.settings.most_runs;
        let mut open = runs.open(self.target);
        // Nothing is asked about such a reference.
        open.retain(|row| row.doc_ref.acts().is_none());
        let candidates = self.candidates(&open, runs).await?;
        let lists = candidates.len().min(most) + 1;
        let here = free_here(evidence);
        let mut next = 0;
        while next < candidates.len() {
            let kept = evidence
                .other_runs
                .iter()
                .filter_map(|other| Some(bytes(&other.free.as_ref()?.entries)));
            let full = kept.sum::<usize>() > self.settings.most_bytes;
            let enough = next > 0 && self.enough(evidence);
            let at_once = self.affordable(evidence, last).min(AT_ONCE);
            if enough || full || next >= most || at_once == 0 {
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

    /// Returns the number of lists that can be read now and again later within the limit of calls.
    fn affordable(&self, evidence: &Evidence, last: usize) -> usize {
        let looked_up: usize = evidence.other_runs.iter().map(again).sum();
        self.calls.keep(last + looked_up);
        let pages = evidence
            .target
            .free_before
            .as_ref()
            .map_or(1, |list| (list.pages as usize).max(1));
        self.calls.left() / (2 * pages)
    }

    /// Drops the lists that cannot be read again within the limit of calls.
    fn give_up_unaffordable(&self, evidence: &mut Evidence, last: usize) {
        self.calls.keep(last);
        let mut left = self.calls.left();
        for other in &mut evidence.other_runs {
            match left.checked_sub(again(other)) {
                Some(rest) => left = rest,
                None => other.free = None,
            }
        }
    }

    /// Returns the other runs, the most useful first: empty ones, then those with the fewest suites. Without counts,
    /// searches for an empty run.
    async fn candidates<'r>(
        &self,
        open: &[&'r RunRow],
        runs: &OpenRuns,
    ) -> Result<Vec<Candidate<'r>>, Failure> {
        let candidate = |row: &&'r RunRow| Candidate {
            row,
            maybe_empty: false,
        };
        let mut order: Vec<_> = open.iter().map(candidate).collect();
        if runs.counted() {
            order.sort_by_key(|candidate| candidate.row.suite_count.unwrap_or(i64::MAX));
            for candidate in order.iter_mut().take(EMPTY_TRIED) {
                candidate.maybe_empty = candidate.row.suite_count == Some(0);
            }
            return Ok(order);
        }
        let sought = order.len().min(self.settings.most_runs);
        for at in (0..sought).step_by(AT_ONCE) {
            let some = at..sought.min(at + AT_ONCE);
            let run = order[at].row.name();
            (self.progress)(format_args!("looking for an empty run: {run}"));
            let checks = order[some.clone()]
                .iter()
                .map(|candidate| self.check(&candidate.row.doc_ref));
            let mut checks = try_join_all(checks).await?.into_iter();
            if let Some(found) = checks.position(|empty| empty == Some(true)) {
                order[some.start + found].maybe_empty = true;
                order.swap(0, some.start + found);
                break;
            }
        }
        Ok(order)
    }

    /// True if the verdict would be complete if nothing changed any more.
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
    ) -> Result<OtherRun, Failure> {
        let row = candidate.row;
        let before = if candidate.maybe_empty {
            self.check(&row.doc_ref).await?
        } else {
            None
        };
        let keep = |suite: &DocRef| !here.contains(suite);
        let own_list = self.list_of(&row.doc_ref, &keep);
        // A run closed or deleted meanwhile only loses its list.
        let free = unless_refused(self.list(own_list, row.name(), list, lists).await)?;
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
            count_before: runs.count(&row.doc_ref),
            count_after: None,
            free: free.flatten().map(Arc::new),
            empty,
        })
    }

    /// Looks up the suites of the others' lists again, unless a single call has shown all of them.
    pub async fn still_there(&self, evidence: &Evidence) -> Result<bool, Failure> {
        let here = free_here(evidence);
        for some in lists_to_recheck(&evidence.other_runs, &here).chunks(AT_ONCE) {
            let lookups = some.iter().map(|(other, first, named)| async move {
                let mut list = self.list_of(&other.doc_ref, &|_| false);
                has_still(&mut list, first, named).await
            });
            if try_join_all(lookups).await?.contains(&false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Suites that were free on the target before the other lists were read.
fn free_here(evidence: &Evidence) -> HashSet<DocRef> {
    evidence
        .target
        .free_before
        .iter()
        .flat_map(|list| list.refs().cloned())
        .collect()
}

/// The lists of the others are read one after the other and page by page: a suite on one page may be gone, with a new
/// one in its place, when the next page is read, and no count or size shows that. So the suites are looked up again
/// after the last list: a suite there before and after that moment was there at that moment.
///
/// Returns the runs to read again, each with its list and the suites to find there, so that each suite is found once. Empty if one
/// call has shown all suites: that call is the moment. `here` are the suites free on the target, which are never named.
fn lists_to_recheck<'a>(
    other_runs: &'a [OtherRun],
    here: &HashSet<DocRef>,
) -> Vec<(&'a OtherRun, &'a SuiteList, HashSet<&'a DocRef>)> {
    let lists = other_runs.iter().filter_map(|other| {
        let list = other.free.as_deref()?;
        let named = list.refs().filter(|suite| !here.contains(*suite));
        Some((other, list, named.collect::<HashSet<_>>()))
    });
    let mut lists: Vec<_> = lists.collect();
    let named = lists.iter().flat_map(|(.., named)| named);
    let mut left: HashSet<&DocRef> = named.copied().collect();
    let shows_all = |named: &HashSet<_>| named.len() == left.len();
    let mut lists_and_names = lists.iter();
    if lists_and_names.any(|(_, list, named)| list.pages == 1 && shows_all(named)) {
        return Vec::new();
    }
    let mut out = Vec::new();
    while !left.is_empty() {
        for (.., named) in &mut lists {
            named.retain(|suite| left.contains(suite));
        }
        let Some(most) = (0..lists.len()).max_by_key(|at| lists[*at].2.len()) else {
            break;
        };
        let (other, list, named) = lists.swap_remove(most);
        left.retain(|suite| !named.contains(suite));
        out.push((other, list, named));
    }
    out
}

/// Reads the pages again on which a list had these suites. False if one is not in its place, an entry appears twice,
/// `fullSize` differs between the pages, or a page is refused.
async fn has_still<S: SurveySource>(
    list: &mut SuitePages<'_, S>,
    first: &SuiteList,
    named: &HashSet<&DocRef>,
) -> Result<bool, Failure> {
    let sort = if first.unsorted {
        Vec::new()
    } else {
        by_title()
    };
    // The service has allowed pages of this size; its maximum may be smaller than `page_size`.
    let limit = first.entries.len().div_ceil(first.pages.max(1) as usize) as u32;
    let mut full_size = None;
    let mut seen = HashSet::new();
    for (place, suite) in (0..).zip(first.refs()) {
        if !named.contains(suite) || seen.contains(suite) {
            continue;
        }
        // A list of one page is read from its start: its order does not matter then.
        let offset = if first.pages == 1 { 0 } else { place };
        let page = match list.page(Page { offset, limit }, &sort).await {
            Ok(page) => page,
            Err(error) if error.kind.is_answer() || error.kind.is_too_large() => return Ok(false),
            Err(error) => return Err(error),
        };
        let size = *full_size.get_or_insert(page.full_size);
        let mut entries = page.rows.into_iter();
        let twice = entries.any(|entry| !seen.insert(entry.doc_ref));
        if twice || page.full_size != size || !seen.contains(suite) {
            return Ok(false);
        }
    }
    Ok(true)
}
