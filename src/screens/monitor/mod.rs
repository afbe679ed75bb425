//! The monitor: some runs, read again and again by their ids, two at a time. Nothing is written from here.

mod card;
pub mod keys;
mod update;
mod view;
mod watched;

use std::collections::VecDeque;

use card::Call;
pub use card::{Card, Gate, GateState, Trouble};
use watched::Source;
pub use watched::{Chosen, OfRuns, OnView};

use crate::domain::diff::Ignored;
use crate::domain::{
    DocRef, Failure, FailureKind, Filter, MOST_WATCHED, Page, ResultCode, RunRow, RunsPage, Sort,
};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::feed::{Entry, What};
use crate::store::in_flight::{Ask, Slot};
use crate::store::message::Motion;
use crate::ui::list::Scroll;
use crate::ui::text_input::Input;

/// Seconds to choose from.
const STEPS: [u64; 11] = [5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 86_400];
/// Calls under way at once.
const AT_ONCE: usize = 2;
/// What samples tell is worked out anew after so many milliseconds, even if nothing has changed: 10 minutes.
const STALE: i64 = 600_000;

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
    /// What somebody chose: it is for the next monitor too.
    pub chosen: Chosen,
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
    pub lines: Vec<(Entry, bool)>,
    /// The failure of the call.
    pub failure: Option<Failure>,
}

impl Monitor {
    /// A monitor of these runs, each with the time it was read (epoch milliseconds). What is more than [`MOST_WATCHED`] is left out.
    pub fn new(runs: impl IntoIterator<Item = (RunRow, i64)>, chosen: Chosen, every: u64) -> Self {
        let runs = runs.into_iter().take(MOST_WATCHED).enumerate();
        let cards = runs
            .map(|(place, (row, at))| chosen.of_runs.card(row, at, place))
            .collect();
        let mut monitor = Self {
            cards,
            on: None,
            scroll: Scroll::default(),
            gate: None,
            chosen,
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
    fn on_view(on: OnView, chosen: Chosen, every: u64) -> Self {
        Self {
            on: Some(on),
            ..Self::new([], chosen, every)
        }
    }

    /// The card under the cursor.
    pub fn current(&self) -> Option<&Card> {
        self.cards.get(usize::try_from(self.scroll.cursor).ok()?)
    }

    /// The run under the cursor.
    fn here(&self) -> Option<DocRef> {
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
    pub fn begin(&mut self, cx: &mut Cx) {
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
                return Some((MOST_WATCHED as u32, sorts.clone(), filter.clone()));
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
    fn take_answer(
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
                    Ask::Run(run) => self.take_run(run, page, seen, &mut answered),
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
                .lines
                .push((Entry::of_service(now, words.into(), true), false));
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
            Some(gate) => self.chosen.of_runs.gates.insert(run.clone(), gate.clone()),
            None => self.chosen.of_runs.gates.remove(&run),
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
        let pinned = !self.chosen.of_runs.pinned.remove(&run);
        if pinned {
            self.chosen.of_runs.pinned.insert(run.clone());
        }
        self.card(&run)?.pinned = pinned;
        self.arrange(Some(&run));
        Some(pinned)
    }

    /// Pinned runs first, the others in their order; the cursor goes to this run.
    fn arrange(&mut self, here: Option<&DocRef>) {
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
        self.chosen.every = Some(self.every);
    }
}

impl Monitor {
    /// Takes what an answer says of a run that has a card.
    fn take_run(&mut self, run: &DocRef, page: &RunsPage, seen: Seen<'_>, answered: &mut Answered) {
        let Some(card) = self.cards.iter_mut().find(|card| card.row.doc_ref == *run) else {
            return;
        };
        let first = !card.read;
        let new = card.take(page, seen.now, seen.ignored);
        if card.trouble.is_some() {
            return;
        }
        answered.rows.push(card.row.clone());
        let old = card
            .history
            .read_at()
            .is_none_or(|at| seen.now.saturating_sub(at) >= STALE);
        if new || first || old {
            answered.stale.push(run.clone());
        }
        let calls = card.judge(self.gate.as_ref(), seen.done, first);
        answered
            .lines
            .extend(calls.into_iter().map(|call| entry(card, call, seen.now)));
    }

    /// Takes the answer to the question for a run of which only the short id is known. It must be one run alone.
    fn take_named(&mut self, id: &str, page: &RunsPage, seen: Seen<'_>, answered: &mut Answered) {
        let here = self.here();
        let Some(on) = &mut self.on else { return };
        let mut rows = page.rows.iter().filter(|row| row.id.as_deref() == Some(id));
        match (rows.next(), rows.count()) {
            (Some(row), 0) => {
                on.missing.retain(|(known, _)| known != id);
                let place = on.place(id);
                let run = row.doc_ref.clone();
                self.cards
                    .push(self.chosen.of_runs.card(row.clone(), seen.now, place));
                self.take_run(&run, page, seen, answered);
                self.arrange(here.as_ref());
            }
            (Some(_), others) => on.misses(id, format!("is the id of {} runs", others + 1)),
            (None, _) if page.full_size == 0 => on.misses(id, "not found".into()),
            (None, _) => on.misses(
                id,
                format!("not found by its id, but {} others", page.full_size),
            ),
        }
    }

    /// Takes the first runs of the view: cards come and go with them.
    fn take_listed(&mut self, page: &RunsPage, seen: Seen<'_>, answered: &mut Answered) {
        let here = self.here();
        let Some(on) = &mut self.on else { return };
        let first = on.found.replace(page.full_size).is_none();
        let mut wanted: Vec<&RunRow> = Vec::new();
        for row in &page.rows {
            if wanted.len() < MOST_WATCHED
                && !wanted.iter().any(|known| known.doc_ref == row.doc_ref)
            {
                wanted.push(row);
            }
        }
        let told = |card: &Card, what: What| {
            let (run, name) = (Some(card.row.doc_ref.clone()), card.row.name().to_owned());
            (
                Entry {
                    at: seen.now,
                    run,
                    name,
                    what,
                    looked_at: false,
                },
                false,
            )
        };
        let stays = |card: &Card| wanted.iter().any(|row| row.doc_ref == card.row.doc_ref);
        answered.lines.extend(
            self.cards
                .iter()
                .filter(|card| !stays(card))
                .map(|card| told(card, What::Left)),
        );
        self.cards.retain(stays);
        for (place, row) in wanted.iter().enumerate() {
            if let Some(card) = self.card(&row.doc_ref) {
                card.place = place;
            } else {
                let card = self.chosen.of_runs.card((*row).clone(), seen.now, place);
                if !first {
                    let words = "is in the view from now on".into();
                    answered
                        .lines
                        .push(told(&card, What::Told { words, bad: false }));
                }
                self.cards.push(card);
            }
            self.take_run(&row.doc_ref, page, seen, answered);
        }
        self.arrange(here.as_ref());
    }
}

/// A line of the feed, and whether somebody is called for it.
fn entry(card: &Card, call: Call, now: i64) -> (Entry, bool) {
    let (run, name) = (Some(card.row.doc_ref.clone()), card.row.name().to_owned());
    let what = What::Told {
        words: call.words,
        bad: call.bad,
    };
    (
        Entry {
            at: now,
            run,
            name,
            what,
            looked_at: false,
        },
        call.rings,
    )
}
