//! Readings of a monitor and the answers of the mirror.

use crate::screens::prelude::*;
use std::collections::BTreeMap;

use super::Monitor;
use super::each;
use super::run::{RunTrouble, WatchedRun};
use crate::domain::{Filter, MOST_BY_ID, MOST_WATCHED, RunsOperation};
use crate::mirror::{Depth, RunsAnswer, RunsQuery};
use crate::store::What;
use crate::store::feed::FeedEntry;
use crate::ui::time;

impl Monitor {
    /// Returns true while a reading runs.
    pub fn busy(&self) -> bool {
        self.asked.is_reading
    }

    /// Begins a reading of all runs, unless one is running.
    pub fn begin(&mut self, cx: &mut Cx) {
        let lists = self.origin.lists(cx.now, &cx.shared);
        if self.busy() || lists.is_empty() {
            return;
        }
        (self.asked.is_reading, self.begun) = (true, cx.now);
        let are_chosen = self.origin.names.is_some();
        self.then_by_id = are_chosen && self.origin.list.is_some();
        // A list read by another program does not cover chosen runs.
        let every = (!cx.by_key && !are_chosen).then_some(self.every);
        let request = Request::read_runs(Depth::Watch, lists, every);
        cx.request(Slot::ReadRuns(Layer::Monitor), request);
    }

    /// Cancels the reading. Returns true if one was running.
    pub fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.asked.is_reading = false;
        cx.give_up(&Slot::ReadRuns(Layer::Monitor))
    }

    /// Takes the end of the reading. Chosen runs that the list lacks are then read by id; at the end runs without a new
    /// reading are marked, and it is reported when the service starts or stops failing.
    pub(super) fn on_read(&mut self, answer: Answer, cx: &mut Cx) {
        let times = self.begun..=cx.now;
        let is_unseen = |run: &WatchedRun| !times.contains(&run.run.read_at);
        let Answer::RunsRead(result) = answer else {
            return;
        };
        let then_by_id = std::mem::take(&mut self.then_by_id);
        let is_read = match &result {
            Ok(_) => true,
            // Of runs that are read by id one that cannot be read leaves the others as they were read.
            Err(failure) => {
                let by_id = self.origin.names.is_some() && !then_by_id;
                by_id && !failure.kind.is_away() && !self.runs.iter().all(is_unseen)
            }
        };
        if then_by_id && is_read {
            let unseen = self.runs.iter().filter(|run| is_unseen(run));
            let by_id = unseen.filter_map(|run| run.run.id().map(Filter::by_id));
            let lists: Vec<Filter> = by_id.take(MOST_BY_ID).collect();
            if !lists.is_empty() {
                let request = Request::read_runs(Depth::Watch, lists, None);
                return cx.request(Slot::ReadRuns(Layer::Monitor), request);
            }
        }
        let trouble = match self.origin.names {
            _ if !is_read => Some(RunTrouble::Failed),
            Some(_) if result.is_err() => Some(RunTrouble::NotRead),
            Some(_) => Some(RunTrouble::NotSeen),
            None => None,
        };
        let is_unread = |run: &WatchedRun| run.trouble == Some(RunTrouble::NotRead);
        let was_told = self.not_read;
        for run in self.runs.iter_mut().filter(|run| is_unseen(run)) {
            run.trouble = run.trouble.max(trouble);
        }
        self.not_read = self.runs.iter().any(is_unread);
        let was_failing = self.asked.failure.is_some();
        let result = match result {
            Err(failure) if is_read => {
                // Its row says so; the message would hide the rest of the line.
                if was_told {
                    cx.errors.push(cx.now, failure);
                } else {
                    cx.not_read(failure);
                }
                Ok(false)
            }
            result => result,
        };
        match self.asked.ended(result) {
            // A wall screen may wait for an address that is wrong.
            Some(failure) if self.read_at.is_none() => cx.failed(failure),
            Some(failure) => cx.not_read(failure),
            None => {}
        }
        if is_read && was_told && !self.not_read {
            cx.works_again();
        }
        let was_read = self.read_at;
        if is_read {
            // The list may have been read earlier, by another program.
            self.read_at = self.listed_at().or(Some(cx.now));
        }
        match &self.asked.failure {
            Some(failure) if !was_failing => {
                tell_of_service(failure.cause.clone(), true, cx);
            }
            None if was_failing => {
                let old = was_read.map_or(String::new(), |at| {
                    let old = time::span(cx.now.saturating_sub(at));
                    format!("; the numbers before were {old} old")
                });
                tell_of_service(format!("the service answers again{old}"), false, cx);
                cx.works_again();
            }
            _ => {}
        }
    }
}

/// Queries to the mirror and their answers.
impl Monitor {
    /// Time of the reading of the kept list.
    fn listed_at(&self) -> Option<i64> {
        let is_list = self.origin.names.is_none();
        self.asked.read_at.filter(|_| is_list)
    }

    /// Returns the time of the reading that is shown: the own one, before it that of the kept list or of the oldest run.
    pub(super) fn shown_as_of(&self) -> Option<i64> {
        let kept = || self.runs.iter().map(|run| run.run.read_at).min();
        self.read_at.or(self.listed_at()).or_else(kept)
    }

    /// Asks the mirror anew if no query of today is in force; further answers to a query come unasked.
    pub(super) fn ask_mirror(&mut self, cx: &mut Cx) {
        let (order, origin) = (&self.chosen.order, &self.origin);
        self.asked.ask(Layer::Monitor, cx, |all, cx| {
            let chosen = origin.names.clone();
            let tab = origin.tab(cx.now, &cx.shared);
            RunsQuery {
                tab: tab.filter(|_| chosen.is_none()).unwrap_or_default(),
                chosen,
                with_gone: true,
                orders: order.iter().chain(&origin.orders).cloned().collect(),
                ..all
            }
        });
    }

    /// Takes an answer of the mirror and reports runs that crossed their limit.
    pub fn take_answer(&mut self, answer: &RunsAnswer, cx: &mut Cx) {
        if !self.asked.takes(answer) {
            return;
        }
        self.origin.found = Some((answer.runs.len() as u64, answer.extent()));
        self.totals.uncounted = answer.operation == Some(RunsOperation::ListDocuments);
        let here = self.here();
        let before = self.runs.drain(..);
        let before = before.map(|run| (run.run.doc_ref.clone(), run));
        let mut before: BTreeMap<DocRef, WatchedRun> = before.collect();
        for run in answer.runs.iter().take(MOST_WATCHED) {
            let known = before.remove(&run.doc_ref);
            let mut watched = known.unwrap_or_else(|| WatchedRun::new(run.clone()));
            self.is_stale |= watched.take(run, self.opened_at, cx.now);
            self.runs.push(watched);
        }
        if let Some(names) = &self.origin.names {
            // Chosen runs that the mirror has not read yet stay.
            self.runs.extend(before.into_values());
            if self.chosen.order.is_none() {
                let place = |it: &WatchedRun| {
                    let called = (&it.run.doc_ref, it.run.id());
                    names.iter().position(|name| name.is_of(called))
                };
                self.runs.sort_by_cached_key(place);
            }
        }
        self.judge_answer(cx);
        self.arrange_around(here.as_ref(), &cx.shared, cx.now);
    }

    /// Compares the runs with their limits and reports changes. States from before the monitor was opened are not
    /// compared.
    fn judge_answer(&mut self, cx: &mut Cx) {
        let (limit, opened_at) = (self.limit.as_ref(), self.opened_at);
        // A reading of the list by edits, or of another program, leaves runs that did not change as they were.
        let listed_at = self.listed_at();
        let (done, mut calls) = (cx.shared.done_codes(), Vec::new());
        each(&mut self.runs, self.totals.uncounted, |run, row| {
            let is_first = run.judged_at < opened_at;
            let crossings = run.judge(row, limit, done, is_first).into_iter();
            run.judged_at = listed_at.unwrap_or(0).max(run.run.read_at);
            calls.extend(crossings.map(|call| (run.run.clone(), call)));
        });
        for (run, call) in calls {
            if call.rings {
                self.call_somebody(&run, &call.words, cx);
            }
            let (words, bad) = (call.words, call.bad);
            let entry = FeedEntry::about(cx.now, &run, What::Statement { words, bad });
            cx.shared.feed.push(entry);
        }
    }
}

fn tell_of_service(words: String, bad: bool, cx: &mut Cx) {
    let entry = FeedEntry::of_service(cx.now, words, bad);
    cx.shared.feed.push(entry);
}
