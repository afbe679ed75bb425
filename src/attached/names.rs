//! The suites that can be named, each with how it is known and how sure that is.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::Lists;
use super::{Evidence, How, Named, PriorKnowledge, Trust};
use crate::domain::{DocRef, SuiteRow};

/// How long a list may still show what was removed from here (rule 4), in milliseconds.
const LAG: i64 = 60_000;

/// The suites that can be named, before it is known what the numbers allow.
pub(super) struct Names<'a> {
    listed: Vec<Listed<'a>>,
    /// Added from here, in no list at all.
    linked: Vec<(&'a DocRef, i64)>,
    typed: Vec<&'a DocRef>,
}

struct Listed<'a> {
    suite: &'a DocRef,
    row: &'a SuiteRow,
    how: How,
    /// Whether the numbers of a run that lists it have been checked.
    supported: bool,
    just_removed: bool,
}

impl<'a> Names<'a> {
    /// Ways 1, 2, 3, 5 and 6; `free` is A of the run in question, and nothing in it is ever named.
    pub fn gather(evidence: &'a Evidence, lists: &Lists<'a>, free: &BTreeSet<&DocRef>) -> Self {
        let known = &evidence.known;
        let added = still_added(known);
        let elsewhere = lists.elsewhere(free);
        let mut listed: Vec<_> = Vec::with_capacity(elsewhere.len());
        for (suite, (row, runs)) in &elsewhere {
            let empty = runs.iter().find(|used| used.empty);
            let how = match (added.get(suite), empty) {
                (Some(at), _) => How::LinkRecord { at: *at },
                (None, Some(used)) => How::EmptyRun {
                    run: used.run.name.clone(),
                    probe: used.run.empty.is_some_and(|empty| empty.probe),
                },
                (None, None) => How::FreeOn {
                    runs: runs.iter().map(|used| used.run.name.clone()).collect(),
                },
            };
            let supported = if lists.target_counted {
                runs.iter().any(|used| used.counted)
            } else {
                empty.is_some()
            };
            let mut removals = known
                .removed
                .iter()
                .filter(|record| record.suite == **suite);
            let just_removed = !added.contains_key(suite)
                && removals.any(|record| evidence.at.saturating_sub(record.at) < LAG);
            listed.push(Listed {
                suite,
                row,
                how,
                supported,
                just_removed,
            });
        }
        let unlisted = |suite: &DocRef| !free.contains(suite) && !elsewhere.contains_key(suite);
        let linked: Vec<_> = added
            .iter()
            .filter(|(suite, _)| unlisted(suite))
            .map(|(s, at)| (*s, *at))
            .collect();
        let typed = known
            .typed
            .iter()
            .filter(|typed| unlisted(typed) && !added.contains_key(typed));
        Self {
            listed,
            linked,
            typed: typed.collect::<BTreeSet<_>>().into_iter().collect(),
        }
    }

    /// Settles what is sure: a listed suite by the sums, a link record that no list confirms only where the numbers have
    /// room for it, a typed reference never. Returns the suites in order, and what there is to say.
    pub fn judge(
        self,
        count: Option<u64>,
        universe: Option<u64>,
        seen: u64,
    ) -> (Vec<Named>, Vec<String>) {
        let mut notes = Vec::new();
        let mut named = Vec::new();
        for Listed {
            suite,
            row,
            how,
            supported,
            just_removed,
        } in self.listed
        {
            let sure = supported && count.is_some() && universe.is_some() && !just_removed;
            if just_removed {
                let name = row.name();
                notes.push(format!(
                    "{name} was removed here a moment ago, and the lists do not show it yet."
                ));
            }
            named.push(Named {
                suite: suite.clone(),
                row: Some(row.clone()),
                how,
                trust: trust(sure),
            });
        }
        let sure = named
            .iter()
            .filter(|named| named.trust == Trust::Sure)
            .count();
        let linked = self.linked.len() as u64;
        let room = count.is_some_and(|count| sure as u64 + linked <= count)
            && universe.is_none_or(|universe| seen + linked <= universe);
        if linked > 0 && count.is_some() && !room {
            notes.push(
                "More was added here than the numbers have room for: some of it is gone by now."
                    .to_owned(),
            );
        }
        for (suite, at) in self.linked {
            named.push(unseen(suite, How::LinkRecord { at }, trust(room)));
        }
        let all_known = count.is_some_and(|count| {
            named
                .iter()
                .filter(|named| named.trust == Trust::Sure)
                .count() as u64
                == count
        });
        for suite in self.typed {
            if all_known {
                notes.push(format!(
                    "{suite} is not in the run, and cannot be added to it either."
                ));
            } else {
                named.push(unseen(suite, How::Typed, Trust::Maybe));
            }
        }
        named.sort_by(order);
        (named, notes)
    }
}

/// What is known without any list: link records and typed references, none of it sure.
pub(super) fn unlisted(known: &PriorKnowledge, free: &BTreeSet<&DocRef>) -> Vec<Named> {
    let maybe = |suite: &DocRef, how| unseen(suite, how, Trust::Maybe);
    let added = still_added(known);
    let linked = added
        .iter()
        .map(|(suite, at)| maybe(suite, How::LinkRecord { at: *at }));
    let typed = known
        .typed
        .iter()
        .filter(|typed| !added.contains_key(typed))
        .collect::<BTreeSet<_>>();
    let typed = typed.into_iter().map(|suite| maybe(suite, How::Typed));
    linked
        .chain(typed)
        .filter(|named| !free.contains(&named.suite))
        .collect()
}

/// A suite that no list shows.
fn unseen(suite: &DocRef, how: How, trust: Trust) -> Named {
    Named {
        suite: suite.clone(),
        row: None,
        how,
        trust,
    }
}

/// Way 4: suites that were free earlier; the last sighting of each.
pub(super) fn seen_free(known: &PriorKnowledge, wanted: impl Fn(&DocRef) -> bool) -> Vec<Named> {
    let mut latest = BTreeMap::new();
    for seen in known.seen_free.iter().filter(|seen| wanted(&seen.suite)) {
        let entry = latest.entry(&seen.suite).or_insert(seen);
        if entry.at < seen.at {
            *entry = seen;
        }
    }
    let guess = |(suite, seen): (&DocRef, &super::FormerlyFree)| Named {
        suite: suite.clone(),
        row: seen.row.clone(),
        how: How::SeenFree { at: seen.at },
        trust: Trust::Maybe,
    };
    let mut guesses: Vec<_> = latest.into_iter().map(guess).collect();
    guesses.sort_by(order);
    guesses
}

/// Suites added from here and not removed from here since, each with when it was added last.
fn still_added(known: &PriorKnowledge) -> BTreeMap<&DocRef, i64> {
    let mut added = BTreeMap::new();
    for record in &known.added {
        let at = added.entry(&record.suite).or_insert(record.at);
        *at = record.at.max(*at);
    }
    for record in &known.removed {
        if added.get(&record.suite).is_some_and(|at| *at <= record.at) {
            added.remove(&record.suite);
        }
    }
    added
}

fn trust(sure: bool) -> Trust {
    if sure { Trust::Sure } else { Trust::Maybe }
}

/// Sure ones first, then by `Order`, those without a row last.
fn order(one: &Named, two: &Named) -> std::cmp::Ordering {
    one.trust
        .cmp(&two.trust)
        .then_with(|| match (&one.row, &two.row) {
            (Some(one), Some(two)) => one.by_order(two),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => one.suite.cmp(&two.suite),
        })
}
