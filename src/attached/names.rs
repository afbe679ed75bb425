//! The suites that can be named, each with its source and trust.

use super::lists::Lists;
use super::outcome::sure;
use super::prelude::*;
use super::{Evidence, How, PriorKnowledge};
use crate::domain::KnownChange;

/// Time during which a list may not show yet what was changed from here (rule 4), in milliseconds.
const LAG: i64 = 60_000;

/// The suites that can be named, before they are compared with the numbers.
pub struct Names<'a> {
    /// Suites in lists of other runs; true if the numbers of such a run have been checked.
    listed: Vec<(Named, bool)>,
    unlisted: Unlisted<'a>,
    notes: Vec<String>,
}

/// Suites in no list.
struct Unlisted<'a> {
    /// Suites added from here.
    linked: Vec<&'a KnownChange>,
    typed: BTreeSet<&'a DocRef>,
}

impl<'a> Names<'a> {
    /// Collects by ways 1, 2, 3, 5 and 6. `free` is A of the target, whose suites are never named.
    pub fn gather(evidence: &'a Evidence, lists: &Lists<'a>, free: &BTreeSet<&DocRef>) -> Self {
        let known = &evidence.known;
        let (added, newest) = (still_added(known), just_changed(evidence));
        let elsewhere = lists.elsewhere(free);
        let (mut listed, mut notes) = (Vec::with_capacity(elsewhere.len()), Vec::new());
        for (suite, (row, runs)) in &elsewhere {
            let empty = runs.iter().find(|used| used.empty);
            let how = match (added.get(suite), empty) {
                (Some(added), _) => How::LinkRecord { at: added.at },
                (None, Some(used)) => How::EmptyRun {
                    run: used.run.name.clone(),
                    probe: used.run.empty.is_some_and(|empty| empty.probe),
                },
                (None, None) => How::FreeOn {
                    runs: runs.iter().map(|used| used.run.name.clone()).collect(),
                },
            };
            let mut supported = if lists.target_counted {
                runs.iter().any(|used| used.counted)
            } else {
                empty.is_some()
            };
            if newest.get(suite).is_some_and(|change| !change.added) {
                supported = false;
                notes.push(behind(row.name(), "removed"));
            }
            listed.push((maybe(suite, Some(row), how), supported));
        }
        let nowhere = |suite: &DocRef| !free.contains(suite) && !elsewhere.contains_key(suite);
        Self {
            listed,
            unlisted: Unlisted::of(known, nowhere),
            notes,
        }
    }

    /// Decides on trust: listed suites by the sums, link records without a list only if the numbers have room for them,
    /// typed references never. Returns the suites in order, and notes.
    pub fn judge(
        self,
        count: Option<u64>,
        universe: Option<u64>,
        seen: u64,
    ) -> (Vec<Named>, Vec<String>) {
        let (mut notes, mut named) = (self.notes, Vec::new());
        for (listed, supported) in self.listed {
            let is_sure = supported && count.is_some() && universe.is_some();
            named.push(Named { is_sure, ..listed });
        }
        let Unlisted { linked, typed } = self.unlisted;
        let more = linked.len() as u64;
        let room = count.is_some_and(|count| sure(&named) + more <= count)
            && universe.is_none_or(|universe| seen + more <= universe);
        if more > 0 && count.is_some() && !room {
            notes.push(
                "More was added here than the numbers have room for: some of it is gone by now."
                    .to_owned(),
            );
        }
        named.extend(linked.into_iter().map(|record| Named {
            is_sure: room,
            ..added_here(record)
        }));
        let all_known = count == Some(sure(&named));
        for suite in typed {
            if all_known {
                notes.push(format!(
                    "{suite} is not in the run, and cannot be added to it either."
                ));
            } else {
                named.push(maybe(suite, None, How::Typed));
            }
        }
        named.sort_by(order);
        (named, notes)
    }
}

/// Returns the newest change of each suite from here that a list may not show yet. A time ahead is of a clock that was
/// set back.
fn just_changed(evidence: &Evidence) -> BTreeMap<&DocRef, &KnownChange> {
    let mut newest: BTreeMap<&DocRef, &KnownChange> = BTreeMap::new();
    for change in &evidence.known.changes {
        let last = newest.entry(&change.suite).or_insert(change);
        if last.at <= change.at {
            *last = change;
        }
    }
    newest.retain(|_, change| (0..LAG).contains(&evidence.at.saturating_sub(change.at)));
    newest
}

fn behind(suite: &str, changed: &str) -> String {
    format!(
        "{suite} was {changed} here a moment ago, and the lists do not show it: another reading in a minute tells."
    )
}

/// Says which suites were added here a moment ago and are not in the run all the same.
pub fn not_yet_added(evidence: &Evidence, is_out: impl Fn(&DocRef) -> bool) -> Vec<String> {
    let changes = just_changed(evidence).into_values();
    changes
        .filter(|change| change.added && is_out(&change.suite))
        .map(|change| behind(&change.name, "added"))
        .collect()
}

impl<'a> Unlisted<'a> {
    fn of(known: &'a PriorKnowledge, wanted: impl Fn(&DocRef) -> bool) -> Self {
        let mut linked = still_added(known);
        let typed = known.typed.iter();
        let typed = typed
            .filter(|typed| wanted(typed) && !linked.contains_key(typed))
            .collect();
        linked.retain(|suite, _| wanted(suite));
        Self {
            linked: linked.into_values().collect(),
            typed,
        }
    }
}

/// Returns the suites known without any list: link records and typed references, none of them sure.
pub fn unlisted(known: &PriorKnowledge) -> Vec<Named> {
    let Unlisted { linked, typed } = Unlisted::of(known, |_| true);
    let typed = typed
        .into_iter()
        .map(|suite| maybe(suite, None, How::Typed));
    linked.into_iter().map(added_here).chain(typed).collect()
}

/// A suite that no list names, by what was known of it when it was added.
fn added_here(record: &KnownChange) -> Named {
    let row = SuiteRow::named(record.suite.clone(), &record.name);
    let how = How::LinkRecord { at: record.at };
    maybe(&record.suite, Some(&row), how)
}

fn maybe(suite: &DocRef, row: Option<&SuiteRow>, how: How) -> Named {
    Named {
        suite: suite.clone(),
        row: row.cloned(),
        how,
        is_sure: false,
    }
}

/// Way 4: suites that were free earlier, each with its last reading.
pub fn seen_free(known: &PriorKnowledge, wanted: impl Fn(&DocRef) -> bool) -> Vec<Named> {
    let mut latest = BTreeMap::new();
    for seen in known.seen_free.iter().filter(|seen| wanted(&seen.suite)) {
        let entry = latest.entry(&seen.suite).or_insert(seen);
        if entry.at < seen.at {
            *entry = seen;
        }
    }
    let mut guesses: Vec<_> = latest
        .into_values()
        .map(|seen| {
            maybe(
                &seen.suite,
                seen.row.as_ref(),
                How::SeenFree { at: seen.at },
            )
        })
        .collect();
    guesses.sort_by(order);
    guesses
}

/// Returns the suites added from here and not removed since, with the last addition of each.
fn still_added(known: &PriorKnowledge) -> BTreeMap<&DocRef, &KnownChange> {
    let mut added = BTreeMap::new();
    let changes = known.changes.iter().filter(|it| !it.is_contradicted);
    let (were_added, were_removed): (Vec<_>, Vec<_>) = changes.partition(|it| it.added);
    for record in were_added {
        let last = added.entry(&record.suite).or_insert(record);
        if last.at < record.at {
            *last = record;
        }
    }
    for record in were_removed {
        if added
            .get(&record.suite)
            .is_some_and(|it| it.at <= record.at)
        {
            added.remove(&record.suite);
        }
    }
    added
}

/// Sorts sure suites first, then by `Order`, those without a row last.
fn order(one: &Named, two: &Named) -> std::cmp::Ordering {
    two.is_sure
        .cmp(&one.is_sure)
        .then_with(|| match (&one.row, &two.row) {
            (Some(one), Some(two)) => one.by_order(two),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => one.suite.cmp(&two.suite),
        })
}
