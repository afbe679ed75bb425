//! One reading of all runs of a monitor: what is asked, two calls at a time, and what came of it.

use crate::screens::prelude::*;
use std::collections::{HashSet, VecDeque};

use super::Monitor;
use super::run::{Call, Trouble, WatchedRun};
use super::watched::Source;
use crate::domain::{FailureKind, Filter, MOST_BY_ID, MOST_WATCHED, Page, Sort};
use crate::store::feed::Entry;
use crate::store::{Ask, What};

/// Calls under way at once.
const AT_ONCE: usize = 2;
/// More runs than these that come or go at once are one line.
const TOGETHER: usize = 20;

/// A reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sweep {
    waiting: VecDeque<Ask>,
    asked: Vec<Ask>,
    /// The runs that were in its pages.
    seen: HashSet<DocRef>,
    /// Pages that have come.
    pages: usize,
    /// Some call brought something.
    brought: bool,
    /// Why some page did not come.
    torn: Option<Failure>,
    /// The runs that no page had were asked for by themselves.
    asked_missing: bool,
    /// Why runs are not asked for any more.
    broken_off: Option<Failure>,
}

/// What came of an answer.
#[derive(Default)]
pub(super) struct Answered {
    /// When it came, epoch milliseconds.
    now: i64,
    /// Result codes of cases that are finished.
    done: Vec<ResultCode>,
    /// Runs that are not as they were read before, for others to know.
    pub changed: Vec<RunRow>,
    /// Runs whose end should be worked out again.
    pub stale: Vec<DocRef>,
    /// Lines for the feed, each with whether somebody is called for it.
    pub lines: Vec<(Entry, bool)>,
    /// The failure of the call.
    pub failure: Option<Failure>,
}

impl Monitor {
    /// A reading is under way.
    pub fn busy(&self) -> bool {
        !self.pass.asked.is_empty()
    }

    /// Begins a reading of all runs, unless one is under way.
    pub fn begin(&mut self, cx: &mut Cx) {
        if self.busy() {
            return;
        }
        let session = cx.shared.session.as_ref();
        let rows = session.map_or(50, |session| session.page_size);
        self.pass = Sweep {
            waiting: self.origin.asks(&self.runs, rows).into(),
            ..Sweep::default()
        };
        self.ask(cx);
    }

    /// Sends calls as long as there may be more under way.
    fn ask(&mut self, cx: &mut Cx) {
        while self.pass.asked.len() < AT_ONCE {
            let Some(ask) = self.pass.waiting.pop_front() else {
                break;
            };
            let Some((page, sort, filter)) = self.query(&ask) else {
                continue;
            };
            self.pass.asked.push(ask.clone());
            cx.request(Slot::Watched(ask), |id| Effect::ListRuns {
                id,
                page,
                sort,
                filter,
            });
        }
    }

    /// What a call asks for. A run without an id cannot be asked for, which its row says.
    fn query(&mut self, ask: &Ask) -> Option<(Page, Vec<Sort>, Filter)> {
        let id = match ask {
            Ask::Page(page) => {
                let (filter, sorts) = self.origin.list()?;
                return Some((*page, sorts.to_vec(), filter.clone()));
            }
            Ask::Id(id) => id.clone(),
            Ask::Run(run) => {
                let run = self.run_mut(run)?;
                match &run.row.id {
                    Some(id) => id.clone(),
                    None => {
                        run.trouble = Some(Trouble::NoId);
                        return None;
                    }
                }
            }
        };
        Some((Page::BY_ID, Vec::new(), Filter::by_id(&id)))
    }

    /// Nobody waits for the reading under way any more.
    pub fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.pass.waiting.clear();
        self.pass.asked.clear();
        cx.give_up_all(|slot| matches!(slot, Slot::Watched(_)))
    }

    /// Takes an answer; the next calls go out with it.
    pub(super) fn take_answer(
        &mut self,
        ask: Ask,
        result: &Result<RunsPage, Failure>,
        cx: &mut Cx,
    ) -> Answered {
        self.pass.asked.retain(|open| *open != ask);
        let mut answered = Answered {
            now: cx.now,
            done: cx.shared.done_codes().to_vec(),
            ..Answered::default()
        };
        match result {
            Ok(answer) => {
                self.pass.brought = true;
                match &ask {
                    Ask::Run(run) => self.take_run(run, answer, &mut answered),
                    Ask::Id(id) => self.take_named(id, answer, &mut answered),
                    Ask::Page(page) => self.take_page(*page, answer, &mut answered),
                }
            }
            Err(failure) => self.failed(ask, failure, &mut answered),
        }
        self.ask(cx);
        if !self.busy() && self.pass.broken_off.is_none() {
            self.compare_list(&mut answered);
            self.ask(cx);
        }
        if !self.busy() {
            match self.pass.broken_off.take().or(self.pass.torn.take()) {
                // Some runs were not asked for, or not told: it was no reading of all.
                Some(failure) => self.failure = Some(failure),
                None if self.pass.brought => (self.read_at, self.failure) = (Some(cx.now), None),
                None => self.failure.clone_from(&answered.failure),
            }
        }
        answered
    }

    fn failed(&mut self, ask: Ask, failure: &Failure, answered: &mut Answered) {
        let is_page = matches!(ask, Ask::Page(_));
        if is_page && failure.kind == FailureKind::Refused && self.origin.unsort() {
            let words = "the service refused the order of the view: its runs come in the order of the service";
            answered
                .lines
                .push((Entry::of_service(answered.now, words.into(), true), false));
            self.pass.waiting.push_back(ask);
            return;
        }
        answered.failure = Some(failure.clone());
        let mut left = vec![ask];
        if is_page || matches!(failure.kind, FailureKind::Network | FailureKind::SignIn) {
            // The others would wait for nothing, one after the other.
            if !self.pass.waiting.is_empty() {
                self.pass.broken_off = Some(failure.clone());
            }
            left.extend(self.pass.waiting.drain(..));
        }
        for ask in left {
            match ask {
                Ask::Run(run) => {
                    if let Some(run) = self.run_mut(&run) {
                        run.trouble = Some(Trouble::Failed);
                    }
                }
                Ask::Id(id) => self.origin.misses(&id, "could not be read".into()),
                Ask::Page(_) => {
                    self.pass.torn = Some(failure.clone());
                    let seen = &self.pass.seen;
                    for run in self
                        .runs
                        .iter_mut()
                        .filter(|run| !seen.contains(&run.row.doc_ref))
                    {
                        run.trouble = Some(Trouble::Failed);
                    }
                }
            }
        }
    }

    /// Takes what an answer says of a run that is here.
    fn take_run(&mut self, run: &DocRef, page: &RunsPage, answered: &mut Answered) {
        let (limit, only) = (self.limit.clone(), self.origin.only);
        let Some(run) = self.run_mut(run) else { return };
        let (first, before) = (!run.read, run.row.clone());
        if !run.take(page, answered.now) {
            return;
        }
        if before != run.row {
            answered.changed.push(run.row.clone());
        }
        let counted = before.results != run.row.results;
        if counted
            || first
            || run
                .outlook_at
                .is_none_or(|at| answered.now - at >= super::update::STALE)
        {
            run.outlook_at = Some(answered.now);
            answered.stale.push(run.row.doc_ref.clone());
        }
        let calls = run.judge(limit.as_ref(), &answered.done, first);
        // What does not belong to the view calls nobody.
        if only.is_none() || run.standing.fits {
            let lines = calls.into_iter().map(|call| entry(run, call, answered.now));
            answered.lines.extend(lines);
        }
    }

    /// Takes the answer to the question for a run of which only the short id is known. It must be one run alone.
    fn take_named(&mut self, id: &str, page: &RunsPage, answered: &mut Answered) {
        let mut rows = page.rows.iter().filter(|row| row.id.as_deref() == Some(id));
        let why = match (rows.next(), rows.count()) {
            (Some(row), 0) => {
                self.origin.missing.retain(|(known, _)| known != id);
                let place = self.origin.place(id);
                self.watch(row, place, answered.now);
                return self.take_run(&row.doc_ref, page, answered);
            }
            (Some(_), others) => format!("is the id of {} runs", others + 1),
            (None, _) if page.full_size == 0 => "not found".into(),
            (None, _) => format!("not found by its id, but {} others", page.full_size),
        };
        self.origin.misses(id, why);
    }

    fn watch(&mut self, row: &RunRow, place: usize, now: i64) {
        let run = self.chosen.of_runs.watch(row.clone(), now, place);
        self.runs.push(run);
    }

    /// Takes a page of the list; with the first one it is known how many there are.
    fn take_page(&mut self, page: Page, answer: &RunsPage, answered: &mut Answered) {
        self.origin.found = Some(answer.full_size);
        self.pass.pages += 1;
        if page.offset == 0 {
            self.ask_for_others(page, answer);
        }
        let mut new = Vec::new();
        for (row, place) in answer.rows.iter().zip(page.offset..) {
            let place = place as usize;
            if !self.pass.seen.insert(row.doc_ref.clone()) {
                continue;
            }
            if let Some(run) = self.run_mut(&row.doc_ref) {
                run.place = place;
            } else if self.origin.follows() && self.runs.len() < 2 * MOST_WATCHED {
                self.watch(row, place, answered.now);
                new.push(self.runs.len() - 1);
            } else {
                continue;
            }
            self.take_run(&row.doc_ref, answer, answered);
        }
        if self.read_at.is_some() && self.origin.only.is_none() {
            let new = new.iter().map(|place| &self.runs[*place]);
            let told = |_: &WatchedRun| What::Told {
                words: "is in the view from now on".into(),
                bad: false,
            };
            answered.lines.extend(told_of(
                new.collect(),
                told,
                "new in the view",
                answered.now,
            ));
        }
    }

    /// The pages behind the first one, as long as the service makes them.
    fn ask_for_others(&mut self, page: Page, answer: &RunsPage) {
        let size = answer.full_size.min(MOST_WATCHED as u64);
        let step = answer.rows.len().min(page.limit as usize) as u64;
        let mut offset = step;
        while step > 0 && offset < size {
            let limit = step.min(size - offset) as u32;
            self.pass
                .waiting
                .push_back(Ask::Page(Page { offset, limit }));
            offset += step;
        }
    }

    /// All pages are here: what of the runs is not in the list any more. In a list of several pages a run that moves
    /// while they are read may be in none of them: it goes when the next reading has not got it, either.
    fn compare_list(&mut self, answered: &mut Answered) {
        if self.pass.pages == 0 || self.pass.torn.is_some() {
            return;
        }
        let seen = &self.pass.seen;
        let unseen = |run: &WatchedRun| !seen.contains(&run.row.doc_ref);
        match self.origin.source {
            Source::Listed(..) => {
                let one_page = self.pass.pages == 1;
                let gone = |run: &WatchedRun| unseen(run) && (one_page || run.missed);
                let (gone, stay): (Vec<WatchedRun>, Vec<WatchedRun>) =
                    std::mem::take(&mut self.runs).into_iter().partition(gone);
                self.runs = stay;
                for run in &mut self.runs {
                    run.missed |= unseen(run);
                }
                // What the list had before the monitor began was not seen by it.
                if self.read_at.is_some() && self.origin.only.is_none() {
                    let gone = gone.iter().collect();
                    let lines = told_of(
                        gone,
                        |_| What::Left,
                        "not in the view any more",
                        answered.now,
                    );
                    answered.lines.extend(lines);
                }
            }
            Source::AmongListed(..) if !self.pass.asked_missing => {
                let asks = self
                    .runs
                    .iter()
                    .filter(|run| unseen(run))
                    .take(MOST_BY_ID)
                    .map(|run| Ask::Run(run.row.doc_ref.clone()));
                self.pass.waiting = asks.collect();
                self.pass.asked_missing = true;
            }
            _ => {}
        }
    }
}

/// A line of the feed for each of these runs, or one for all of them.
fn told_of(
    runs: Vec<&WatchedRun>,
    what: impl Fn(&WatchedRun) -> What,
    together: &str,
    now: i64,
) -> Vec<(Entry, bool)> {
    if runs.len() > TOGETHER {
        let words = format!("{} runs are {together}", runs.len());
        return vec![(Entry::of_service(now, words, false), false)];
    }
    let entry = |run: &WatchedRun| Entry::of_run(now, &run.row, what(run));
    runs.into_iter().map(|run| (entry(run), false)).collect()
}

/// A line of the feed, and whether somebody is called for it.
fn entry(run: &WatchedRun, call: Call, now: i64) -> (Entry, bool) {
    let (words, bad) = (call.words, call.bad);
    let entry = Entry::of_run(now, &run.row, What::Told { words, bad });
    (entry, call.rings)
}
