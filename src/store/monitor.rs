//! The monitor: some runs, read again and again by their ids, two at a time. Nothing is written from here.

use std::collections::VecDeque;

use super::card::{Card, Gate, Trouble};
use super::cx::Cx;
use super::effect::Effect;
use super::feed;
use super::in_flight::Slot;
use super::input::Input;
use super::list::Scroll;
use super::message::Motion;
use super::watched::{Ask, OfRuns, OnView, Source};
pub use crate::domain::MOST_WATCHED as MOST;
use crate::domain::{DocRef, Filter, Page, ResultCode, RunRow, RunsPage, Sort};
use crate::domain::{Failure, FailureKind, diff::Ignored};

/// Seconds between two readings, unless the profile says otherwise.
pub const EVERY: u64 = 30;
/// Seconds to choose from.
const STEPS: [u64; 11] = [5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 86_400];
/// Calls under way at once.
const AT_ONCE: usize = 2;

/// State of the monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// The runs.
    pub cards: Vec<Card>,
    /// Cursor in them.
    pub scroll: Scroll,
    /// The view that the runs are of.
    pub on: Option<OnView>,
    /// The threshold of all runs that have none of their own.
    pub gate: Option<Gate>,
    /// What somebody chose for single runs.
    pub of_runs: OfRuns,
    /// The field at the foot.
    pub input: Input,
    /// What is typed there, while it has the focus.
    pub typing: Option<Field>,
    /// What is typed is for all runs, and not for the one under the cursor.
    pub for_all: bool,
    /// What is wrong with what was typed.
    pub problem: Option<String>,
    /// The bell rings when somebody is called.
    pub bell: bool,
    /// Seconds between two readings.
    pub every: u64,
    /// When the last reading of all runs came to its end, epoch milliseconds.
    pub read_at: Option<i64>,
    /// Calls of the last reading, and milliseconds from the first to the last answer.
    pub last: (usize, i64),
    /// Why the last reading brought nothing, or not all that was to be asked for.
    pub failure: Option<Failure>,
    waiting: VecDeque<Ask>,
    asked: Vec<Ask>,
    began: i64,
    calls: usize,
    brought: bool,
    /// Why runs of the reading under way are not asked for any more.
    broken_off: Option<Failure>,
}

/// What is typed at the foot of the monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Threshold,
    /// The file for samples.
    Export,
}

/// With what an answer is looked at.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// When it came, epoch milliseconds.
    pub now: i64,
    /// Fields whose changes are not told.
    pub ignored: &'a Ignored,
    /// Codes of cases that are finished.
    pub done: &'a [ResultCode],
}

/// What came of an answer.
#[derive(Default)]
pub struct Answered {
    /// The runs as they were read, for the feed and the samples.
    pub rows: Vec<RunRow>,
    /// Runs of which what samples tell should be worked out again.
    pub stale: Vec<DocRef>,
    /// Lines for the feed, each with whether somebody is called for it.
    pub told: Vec<(feed::Entry, bool)>,
    /// The failure of the call.
    pub failure: Option<Failure>,
}

impl Monitor {
    /// A monitor of these runs, each with the time it was read (epoch milliseconds). What is more than [`MOST`] is left out.
    pub fn new(runs: impl IntoIterator<Item = (RunRow, i64)>, of_runs: OfRuns, every: u64) -> Self {
        let runs = runs.into_iter().take(MOST).enumerate();
        let cards = runs
            .map(|(place, (row, at))| of_runs.card(row, at, place))
            .collect();
        let mut monitor = Self {
            cards,
            on: None,
            scroll: Scroll::default(),
            gate: None,
            of_runs,
            input: Input::default(),
            typing: None,
            for_all: true,
            problem: None,
            bell: false,
            every,
            read_at: None,
            last: (0, 0),
            failure: None,
            waiting: VecDeque::new(),
            asked: Vec::new(),
            began: 0,
            calls: 0,
            brought: false,
            broken_off: None,
        };
        monitor.arrange(None);
        monitor
    }

    /// A monitor of the runs of a view, of which nothing has been read.
    pub fn on_view(on: OnView, of_runs: OfRuns, every: u64) -> Self {
        Self {
            on: Some(on),
            ..Self::new([], of_runs, every)
        }
    }

    /// The card under the cursor.
    pub fn current(&self) -> Option<&Card> {
        self.cards.get(usize::try_from(self.scroll.cursor).ok()?)
    }

    /// The run under the cursor.
    pub(super) fn here(&self) -> Option<DocRef> {
        self.current().map(|card| card.row.doc_ref.clone())
    }

    pub fn card(&mut self, run: &DocRef) -> Option<&mut Card> {
        self.cards.iter_mut().find(|card| card.row.doc_ref == *run)
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.cards.len() as u64);
    }

    /// A reading is under way.
    pub fn busy(&self) -> bool {
        !self.asked.is_empty()
    }

    /// How many runs of the reading under way are still to come.
    pub fn to_come(&self) -> usize {
        self.waiting.len() + self.asked.len()
    }

    /// Begins a reading of all runs, unless one is under way.
    pub fn read(&mut self, cx: &mut Cx) {
        if self.busy() {
            return;
        }
        (self.began, self.calls, self.brought, self.broken_off) = (cx.now, 0, false, None);
        self.waiting = match &self.on {
            Some(on) => on.asks(&self.cards).into(),
            None => self
                .cards
                .iter()
                .map(|card| Ask::Run(card.row.doc_ref.clone()))
                .collect(),
        };
        self.ask(cx);
    }

    /// Sends calls as long as there may be more under way.
    fn ask(&mut self, cx: &mut Cx) {
        while self.asked.len() < AT_ONCE {
            let Some(ask) = self.waiting.pop_front() else {
                break;
            };
            let Some((limit, sort, filter)) = self.query(&ask) else {
                continue;
            };
            self.asked.push(ask.clone());
            self.calls += 1;
            let page = Page { offset: 0, limit };
            cx.request(Slot::Watched(ask), |id| Effect::ListRuns {
                id,
                page,
                sort,
                filter,
            });
        }
    }

    /// What a call asks for: entries, order and filter. A run without an id cannot be asked for, which its card says.
    fn query(&mut self, ask: &Ask) -> Option<(u32, Vec<Sort>, Filter)> {
        let id = match ask {
            Ask::View => {
                let Some(Source::Listed(filter, sorts)) = self.on.as_ref().map(|on| &on.source)
                else {
                    return None;
                };
                return Some((MOST as u32, sorts.clone(), filter.clone()));
            }
            Ask::Id(id) => id.clone(),
            Ask::Run(run) => {
                let card = self.card(run)?;
                match &card.row.id {
                    Some(id) => id.clone(),
                    None => {
                        card.trouble = Some(Trouble::NoId);
                        return None;
                    }
                }
            }
        };
        Some((Page::BY_ID.limit, Vec::new(), Filter::by_id(&id)))
    }

    /// Nobody waits for the reading under way any more.
    pub fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.waiting.clear();
        self.asked.clear();
        cx.give_up_all(|slot| matches!(slot, Slot::Watched(_)))
    }

    /// Takes an answer; `None` if it is none of the monitor's. The next calls go out with it.
    pub fn answered(
        &mut self,
        ask: Ask,
        result: &Result<RunsPage, Failure>,
        seen: Seen<'_>,
        cx: &mut Cx,
    ) -> Answered {
        self.asked.retain(|open| *open != ask);
        let mut answered = Answered::default();
        match result {
            Ok(page) => {
                self.brought = true;
                match &ask {
                    Ask::Run(run) => self.take(run, page, seen, &mut answered),
                    Ask::Id(id) => self.take_named(id, page, seen, &mut answered),
                    Ask::View => self.take_listed(page, seen, &mut answered),
                }
            }
            Err(failure) => self.failed(ask, failure, seen.now, &mut answered),
        }
        self.ask(cx);
        if !self.busy() {
            self.last = (self.calls, seen.now.saturating_sub(self.began));
            match self.broken_off.take() {
                // Some runs were not asked for: it was no reading of all.
                Some(failure) => self.failure = Some(failure),
                None if self.brought => (self.read_at, self.failure) = (Some(seen.now), None),
                None => self.failure.clone_from(&answered.failure),
            }
        }
        answered
    }

    fn failed(&mut self, ask: Ask, failure: &Failure, now: i64, answered: &mut Answered) {
        let on = self
            .on
            .as_mut()
            .filter(|_| ask == Ask::View && failure.kind == FailureKind::Refused);
        if on.is_some_and(OnView::unsort) {
            let words = "the service refused the order of the view: its runs come in the order of the service";
            answered
                .told
                .push((feed::Entry::of_service(now, words.into(), true), false));
            self.waiting.push_back(ask);
            return;
        }
        answered.failure = Some(failure.clone());
        let mut left = vec![ask];
        if matches!(failure.kind, FailureKind::Network | FailureKind::SignIn) {
            // The others would wait for nothing, one after the other.
            if !self.waiting.is_empty() {
                self.broken_off = Some(failure.clone());
            }
            left.extend(self.waiting.drain(..));
        }
        for ask in left {
            match ask {
                Ask::Run(run) => {
                    if let Some(card) = self.card(&run) {
                        card.trouble = Some(Trouble::Failed(failure.clone()));
                    }
                }
                Ask::Id(id) => {
                    if let Some(on) = &mut self.on {
                        on.misses(&id, "could not be read".into());
                    }
                }
                Ask::View => {
                    for card in &mut self.cards {
                        card.trouble = Some(Trouble::Failed(failure.clone()));
                    }
                }
            }
        }
    }

    /// Another threshold for all, or none: how the runs stand now, without calling anybody for it.
    pub fn set_gate(&mut self, gate: Option<Gate>, done: &[ResultCode]) {
        self.gate = gate;
        self.judge_all(done);
    }

    /// Another threshold for the run under the cursor, or that of all again.
    pub fn set_own_gate(&mut self, gate: Option<Gate>, done: &[ResultCode]) {
        let Some(run) = self.here() else { return };
        match &gate {
            Some(gate) => self.of_runs.gates.insert(run.clone(), gate.clone()),
            None => self.of_runs.gates.remove(&run),
        };
        if let Some(card) = self.card(&run) {
            card.own = gate;
        }
        self.judge_all(done);
    }

    fn judge_all(&mut self, done: &[ResultCode]) {
        for card in &mut self.cards {
            card.judge(self.gate.as_ref(), done, true);
        }
    }

    /// Pins the run under the cursor, or takes the pin away; says which.
    pub fn pin(&mut self) -> Option<bool> {
        let run = self.here()?;
        let pinned = !self.of_runs.pinned.remove(&run);
        if pinned {
            self.of_runs.pinned.insert(run.clone());
        }
        self.card(&run)?.pinned = pinned;
        self.arrange(Some(&run));
        Some(pinned)
    }

    /// Pinned runs first, the others in their order; the cursor goes to this run.
    pub(super) fn arrange(&mut self, here: Option<&DocRef>) {
        self.cards.sort_by_key(|card| (!card.pinned, card.place));
        let place = self
            .cards
            .iter()
            .position(|card| Some(&card.row.doc_ref) == here);
        let len = self.cards.len() as u64;
        match place {
            Some(place) => self.scroll.carry(place as u64, len),
            None => self.scroll.fit(len),
        }
    }

    /// Reads less often, or more often.
    pub fn change_pace(&mut self, slower: bool) {
        let next = if slower {
            STEPS.into_iter().find(|step| *step > self.every)
        } else {
            STEPS.into_iter().rev().find(|step| *step < self.every)
        };
        self.every = next.unwrap_or(self.every);
    }
}
