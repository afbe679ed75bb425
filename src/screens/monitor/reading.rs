//! Readings of a monitor and the answers of the mirror. The mirror reads lists; chosen runs outside of a list are read
//! by their ids, two calls at a time.

use crate::screens::prelude::*;
use std::collections::{BTreeMap, HashMap, VecDeque};

use super::Monitor;
use super::each;
use super::run::{RunTrouble, WatchedRun};
use crate::domain::{FailureKind, MOST_BY_ID, MOST_WATCHED, RunsOperation};
use crate::mirror::{Depth, RunsAnswer, RunsQuery, TabQuery};
use crate::store::What;
use crate::store::feed::FeedEntry;

/// Maximum number of calls at once.
const AT_ONCE: usize = 2;

/// State of one reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunsPass {
    /// Time of the start, epoch milliseconds.
    begun: i64,
    /// True while the list is being read.
    lists: bool,
    /// Runs that still must be asked for by id.
    waiting: VecDeque<DocumentName>,
    asked: Vec<DocumentName>,
    /// True if any call succeeded.
    brought: bool,
    /// First failure of a call.
    failure: Option<Failure>,
    /// True if the reading does not cover all runs.
    torn: bool,
}

impl Monitor {
    /// Returns true while a reading runs.
    pub fn busy(&self) -> bool {
        self.pass.lists || !self.pass.asked.is_empty()
    }

    /// Begins a reading of all runs, unless one is running.
    pub fn begin(&mut self, cx: &mut Cx) {
        if self.busy() {
            return;
        }
        self.pass = RunsPass {
            begun: cx.now,
            lists: self.origin.list.is_some(),
            ..RunsPass::default()
        };
        match self.origin.tab(cx.now, &cx.shared) {
            Some(TabQuery { lists, .. }) => {
                // A list read by another program does not cover chosen runs.
                let may_share = !cx.by_key && self.origin.names.is_none();
                let every = may_share.then_some(self.every);
                cx.request(
                    Slot::Watched,
                    Request::read_runs(Depth::Watch, lists, every),
                );
            }
            None => {
                self.pass.waiting = self.origin.names.iter().flatten().cloned().collect();
                self.ask(cx);
            }
        }
    }

    /// Sends calls up to `AT_ONCE`.
    fn ask(&mut self, cx: &mut Cx) {
        while self.pass.asked.len() < AT_ONCE {
            let Some(name) = self.pass.waiting.pop_front() else {
                break;
            };
            let id = match &name {
                DocumentName::Id(id) => Some(id.clone()),
                DocumentName::Ref(run) => self.run_mut(run).and_then(|run| {
                    let id = run.run.id().map(str::to_owned);
                    if id.is_none() {
                        run.trouble = Some(RunTrouble::NoId);
                    }
                    id
                }),
            };
            if let Some(id) = id {
                self.pass.asked.push(name.clone());
                cx.find_run(Slot::WatchedRun(name), &id);
            }
        }
    }

    /// Cancels the reading. Returns true if a call was running.
    pub fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.pass = RunsPass::default();
        cx.give_up_all(|slot| matches!(slot, Slot::Watched | Slot::WatchedRun(_)))
    }

    /// Takes the end of reading the list; chosen runs that were not in it are then read by id.
    pub(super) fn list_read(&mut self, result: Result<bool, Failure>, cx: &mut Cx) {
        self.pass.lists = false;
        let (begun, now) = (self.pass.begun, cx.now);
        let unseen = self
            .runs
            .iter_mut()
            .filter(|run| !(begun..=now).contains(&run.run.read_at));
        let failure = match result {
            Ok(_) => {
                self.pass.brought = true;
                if self.origin.names.is_some() {
                    let name = |run: &mut WatchedRun| DocumentName::Ref(run.run.doc_ref.clone());
                    self.pass.waiting = unseen.map(name).take(MOST_BY_ID).collect();
                }
                None
            }
            Err(failure) => {
                unseen.for_each(WatchedRun::not_read);
                self.pass.torn = true;
                Some(failure)
            }
        };
        self.go_on(failure, cx);
    }

    /// Takes the answer for a run that was asked for by id.
    pub(super) fn run_read(
        &mut self,
        name: DocumentName,
        result: Result<RunsPage, Failure>,
        cx: &mut Cx,
    ) {
        self.pass.asked.retain(|asked| *asked != name);
        let failure = match result {
            Ok(page) => {
                self.pass.brought = true;
                match name {
                    DocumentName::Ref(run) if page.row_of(&run).is_none() => {
                        self.not_found(&run, page.full_size, cx);
                    }
                    DocumentName::Ref(_) => {}
                    DocumentName::Id(id) => self.take_named(&id, &page),
                }
                cx.saw_page(page, None);
                None
            }
            Err(failure) => {
                let mut left = vec![name];
                if matches!(failure.kind, FailureKind::Network | FailureKind::SignIn) {
                    // The other calls would fail in the same way, one after the other.
                    self.pass.torn |= !self.pass.waiting.is_empty();
                    left.extend(self.pass.waiting.drain(..));
                }
                for name in left {
                    match name {
                        DocumentName::Ref(run) => {
                            if let Some(run) = self.run_mut(&run) {
                                run.not_read();
                            }
                        }
                        DocumentName::Id(id) => self.origin.misses(&id, "could not be read".into()),
                    }
                }
                Some(failure)
            }
        };
        self.go_on(failure, cx);
    }

    /// Marks a run whose id finds only `others` runs; reported once.
    fn not_found(&mut self, run: &DocRef, others: u64, cx: &mut Cx) {
        let Some(watched) = self.run_mut(run) else {
            return;
        };
        let before = watched.trouble.replace(RunTrouble::NotFound(others));
        if matches!(before, Some(RunTrouble::NotFound(_))) {
            return;
        }
        let (words, bad) = ("is not found any more".to_owned(), true);
        let entry = FeedEntry::about(cx.now, &watched.run, What::Statement { words, bad });
        cx.shared.feed.push(entry);
    }

    /// Takes the answer for a run known only by its short id. The id must match exactly one run.
    fn take_named(&mut self, id: &str, page: &RunsPage) {
        let mut rows = page.rows.iter().filter(|row| row.id.as_deref() == Some(id));
        let why = match (rows.next(), rows.count()) {
            (Some(row), 0) => {
                self.origin.names_run(id, &row.doc_ref);
                self.asked.ask_anew();
                return;
            }
            (Some(_), others) => format!("is the id of {} runs", others + 1),
            (None, _) if page.full_size == 0 => "not found".into(),
            (None, _) => format!("not found by its id, but {} others", page.full_size),
        };
        self.origin.misses(id, why);
    }

    /// Sends the next calls. At the end of the reading it reports when the service starts or stops failing.
    fn go_on(&mut self, failure: Option<Failure>, cx: &mut Cx) {
        self.ask(cx);
        if let Some(failure) = &failure {
            self.pass.failure.get_or_insert_with(|| failure.clone());
        }
        let was_failing = self.failure.is_some();
        if !self.busy() {
            let was_read = self.read_at;
            let is_read = self.pass.brought && !self.pass.torn;
            self.failure = self.pass.failure.take().filter(|_| !is_read);
            if is_read {
                // The list may have been read earlier, by another program.
                let listed_at = self.asked.read_at;
                let listed_at = listed_at.filter(|_| self.origin.names.is_none());
                self.read_at = listed_at.or(Some(cx.now));
            }
            match &self.failure {
                Some(failure) if !was_failing => {
                    tell_of_service(failure.cause.clone(), true, cx);
                }
                None if was_failing => {
                    let old = was_read
                        .map(|at| cx.now.saturating_sub(at) / 1_000)
                        .map_or(String::new(), |seconds| {
                            format!("; the numbers before were {seconds} s old")
                        });
                    tell_of_service(format!("the service answers again{old}"), false, cx);
                    cx.works_again();
                }
                _ => {}
            }
        }
        // Each failure is listed among the problems.
        if let Some(failure) = failure {
            cx.failed(failure);
        }
    }
}

/// Queries to the mirror and their answers.
impl Monitor {
    /// Returns the time of the reading that is shown: the own one, before it that of the kept list or of the oldest run.
    pub(super) fn shown_as_of(&self) -> Option<i64> {
        let listed_at = self.asked.read_at.filter(|_| self.origin.names.is_none());
        let kept = || self.runs.iter().map(|run| run.run.read_at).min();
        self.read_at.or(listed_at).or_else(kept)
    }

    /// Asks the mirror anew if no query of today is in force; further answers to a query come unasked.
    pub(super) fn ask_mirror(&mut self, cx: &mut Cx) {
        let (order, origin) = (&self.chosen.order, &self.origin);
        self.asked.ask(Layer::Monitor, cx, |all, cx| {
            let chosen = origin.chosen();
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
        self.origin.found = Some((answer.runs.len() as u64, answer.overview.list));
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
        if let Some(chosen) = self.origin.chosen() {
            // Chosen runs that the mirror has not read yet stay.
            self.runs.extend(before.into_values());
            if self.chosen.order.is_none() {
                let places: HashMap<&DocRef, usize> = chosen.iter().zip(0..).collect();
                let place = |run: &WatchedRun| places.get(&run.run.doc_ref).copied();
                self.runs.sort_by_key(place);
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
        let listed_at = self.asked.read_at.filter(|_| self.origin.names.is_none());
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
