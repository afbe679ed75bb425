//! Works out the verdict from sets, without calls and clock.

use super::Evidence;
use super::lists::{Lists, settled};
use super::names::{self, Names};
use super::outcome::sure;
use super::prelude::*;

/// Returns the suites in the run by the evidence.
pub fn verdict(evidence: &Evidence) -> Attached {
    let target = &evidence.target;
    let mut out = Attached {
        empty: target.empty,
        at: evidence.at,
        ..Attached::default()
    };
    let (before, after) = (target.count_before, target.count_after);
    if target.status == Status::Inactive {
        out.state = State::Closed;
        return out;
    }
    if target.empty == Some(true) && before.unwrap_or(0) == 0 && after.unwrap_or(0) == 0 {
        (out.state, out.count, out.unknown) = (State::Empty, Some(0), Some(0));
        out.notes = names::not_yet_added(evidence, |_| true);
        if !out.notes.is_empty() {
            (out.state, out.unknown) = (State::Conflict, None);
        }
        return out;
    }
    let settled = settled(before, after);
    let (Some(first), Some(last)) = (&target.free_before, &target.free_after) else {
        out.state = State::Incomplete;
        out.count = settled.ok().flatten();
        out.unknown = out.count;
        out.named = names::unlisted(&evidence.known);
        return out;
    };
    let free: BTreeSet<&DocRef> = first.refs().chain(last.refs()).collect();
    let same_list = free.len() == first.entries.len() && free.len() == last.entries.len();
    let lists = Lists::gather(evidence, &free, settled.ok().flatten());
    out.free = Some(last.full_size);
    let seen = lists.seen(&free);
    out.seen = seen.len() as u64;
    let names = Names::gather(evidence, &lists, &free);
    let count = match settled {
        Ok(count) if same_list && !evidence.moved => count,
        _ => {
            out.state = State::Changing;
            out.named = doubtful(names);
            return out;
        }
    };
    out.count = count;
    let mut contradictions = lists.contradictions(&free, target.empty, count);
    contradictions.extend(names::not_yet_added(evidence, |suite| free.contains(suite)));
    let universe = lists.universe();
    if count.is_none() && lists.empty_run().is_some() {
        out.count = universe.and_then(|universe| universe.checked_sub(out.free.unwrap_or(0)));
    }
    if contradictions.is_empty() {
        let (judged, notes) = names.judge(out.count, universe, out.seen);
        let sure = sure(&judged);
        match out.count {
            Some(count) if sure > count => {
                contradictions.push(format!(
                    "{sure} suites are named, but the service counts {count}."
                ));
                out.named = doubted(judged);
            }
            _ => out.named = judged,
        }
        out.notes.extend(notes);
        out.unknown = out.count.and_then(|count| count.checked_sub(sure));
        out.universe = universe;
        out.state = match out.unknown {
            None => State::Unchecked,
            Some(0) if count.is_none() => State::CompleteWorkedOut,
            Some(0) => State::Complete,
            Some(_) => State::Partial,
        };
    } else {
        out.named = doubtful(names);
    }
    if !contradictions.is_empty() {
        (out.state, out.unknown, out.universe) = (State::Conflict, None, None);
        out.notes = contradictions;
    }
    guesses(&mut out, evidence, &seen);
    out
}

/// Returns the names, none of them sure.
fn doubtful(names: Names<'_>) -> Vec<Named> {
    doubted(names.judge(None, None, 0).0)
}

fn doubted(named: Vec<Named>) -> Vec<Named> {
    named
        .into_iter()
        .map(|named| Named {
            is_sure: false,
            ..named
        })
        .collect()
}

/// Way 4: adds suites that were free here earlier and are in no list now, while some suites are unknown.
fn guesses(out: &mut Attached, evidence: &Evidence, seen: &BTreeSet<&DocRef>) {
    if out.unknown != Some(0) && matches!(out.state, State::Partial | State::Unchecked) {
        let named: BTreeSet<_> = out.named.iter().map(|named| named.suite.clone()).collect();
        let nowhere = |suite: &DocRef| !seen.contains(suite) && !named.contains(suite);
        out.candidates = names::seen_free(&evidence.known, nowhere);
    }
}
