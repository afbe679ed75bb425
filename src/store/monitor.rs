//! The monitor: some runs, read again and again by their ids, two at a time. Nothing is written from here.

use std::collections::VecDeque;

use super::act_feed::ENTRIES;
use super::card::{Card, Gate, Standing, Trouble};
use super::effect::Effect;
use super::failure::{Failure, FailureKind};
use super::input::Input;
use super::message::{Motion, RequestId};
use super::scroll::Scroll;
use super::{Screen, feed};
use crate::model::diff::Ignored;
use crate::model::{DocRef, Filter, Page, ResultCode, RunRow, RunsPage};

/// Runs of a monitor, at most.
pub const MOST: usize = 20;
/// Seconds between two readings, unless the profile says otherwise.
pub const EVERY: u64 = 30;
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
    /// The threshold.
    pub gate: Option<Gate>,
    /// The field for the threshold.
    pub input: Input,
    /// The field has the focus.
    pub typing: bool,
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
    /// The screen that Esc goes back to.
    pub before: Screen,
    waiting: VecDeque<usize>,
    asked: Vec<(RequestId, usize)>,
    began: i64,
    calls: usize,
    brought: bool,
    /// Why runs of the reading under way are not asked for any more.
    broken_off: Option<Failure>,
}

/// What came of an answer.
pub struct Answered {
    /// The run as it was read, for the feed and the samples.
    pub row: Option<RunRow>,
    /// What samples tell of it should be worked out again.
    pub stale: bool,
    /// Lines for the feed, each with whether somebody is called for it.
    pub told: Vec<(feed::Entry, bool)>,
    /// The failure of the call.
    pub failure: Option<Failure>,
}

impl Monitor {
    /// A monitor of these runs, each with the time it was read (epoch milliseconds). What is more than [`MOST`] is left out.
    pub fn new(runs: impl IntoIterator<Item = (RunRow, i64)>, every: u64, before: Screen) -> Self {
        Self {
            cards: runs.into_iter().take(MOST).map(|(row, at)| Card::new(row, at)).collect(),
            scroll: Scroll::default(),
            gate: None,
            input: Input::default(),
            typing: false,
            problem: None,
            bell: false,
            every,
            read_at: None,
            last: (0, 0),
            failure: None,
            before,
            waiting: VecDeque::new(),
            asked: Vec::new(),
            began: 0,
            calls: 0,
            brought: false,
            broken_off: None,
        }
    }

    /// The card under the cursor.
    pub fn current(&self) -> Option<&Card> {
        self.cards.get(usize::try_from(self.scroll.cursor).ok()?)
    }

    /// The card of a run.
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
    pub fn read(&mut self, now: i64, number: impl FnMut() -> RequestId) -> Vec<Effect> {
        if self.busy() {
            return Vec::new();
        }
        (self.began, self.calls, self.brought, self.broken_off) = (now, 0, false, None);
        self.waiting = (0..self.cards.len()).collect();
        self.ask(number)
    }

    /// Sends calls as long as there may be more under way.
    fn ask(&mut self, mut number: impl FnMut() -> RequestId) -> Vec<Effect> {
        let mut effects = Vec::new();
        while self.asked.len() < AT_ONCE {
            let Some(place) = self.waiting.pop_front() else { break };
            let Some(id) = &self.cards[place].row.id else {
                self.cards[place].trouble = Some(Trouble::NoId);
                continue;
            };
            let filter = Filter { filters: vec![format!("Root.General.Id:{id}")], ..Filter::default() };
            let id = number();
            self.asked.push((id, place));
            self.calls += 1;
            effects.push(Effect::ListRuns { id, page: Page { offset: 0, limit: ENTRIES }, sort: Vec::new(), filter });
        }
        effects
    }

    /// Nobody waits for the reading under way any more.
    pub fn cancel(&mut self) -> Vec<Effect> {
        self.waiting.clear();
        self.asked.drain(..).map(|(id, _)| Effect::Cancel(id)).collect()
    }

    /// Takes an answer; `None` if it is none of the monitor's. The next calls go out with it.
    pub fn answered(
        &mut self,
        id: RequestId,
        result: &Result<RunsPage, Failure>,
        now: i64,
        (ignored, done): (&Ignored, &[ResultCode]),
        number: impl FnMut() -> RequestId,
    ) -> Option<(Answered, Vec<Effect>)> {
        let at = self.asked.iter().position(|(asked, _)| *asked == id)?;
        let (_, place) = self.asked.swap_remove(at);
        let mut answered = Answered { row: None, stale: false, told: Vec::new(), failure: None };
        match result {
            Ok(page) => {
                self.brought = true;
                let card = &mut self.cards[place];
                let first = !card.read;
                let new = card.take(page, now, ignored);
                if card.trouble.is_none() {
                    answered.row = Some(card.row.clone());
                    let old = card.history.read_at().is_none_or(|at| now.saturating_sub(at) >= STALE);
                    answered.stale = new || first || old;
                    let calls = card.judge(self.gate.as_ref(), done, first);
                    let entry = |call: super::card::Call| {
                        let (run, name) = (Some(card.row.doc_ref.clone()), card.row.name().to_owned());
                        let what = feed::What::Told { words: call.words, bad: call.bad };
                        (feed::Entry { at: now, run, name, what }, call.rings)
                    };
                    answered.told = calls.into_iter().map(entry).collect();
                }
            }
            Err(failure) => {
                self.cards[place].trouble = Some(Trouble::Failed(failure.clone()));
                answered.failure = Some(failure.clone());
                if matches!(failure.kind, FailureKind::Network | FailureKind::SignIn) {
                    // The others would wait for nothing, one after the other.
                    for place in self.waiting.drain(..) {
                        self.cards[place].trouble = Some(Trouble::Failed(failure.clone()));
                        self.broken_off = Some(failure.clone());
                    }
                }
            }
        }
        let effects = self.ask(number);
        if !self.busy() {
            self.last = (self.calls, now.saturating_sub(self.began));
            match self.broken_off.take() {
                // Some runs were not asked for: it was no reading of all.
                Some(failure) => self.failure = Some(failure),
                None if self.brought => (self.read_at, self.failure) = (Some(now), None),
                None => self.failure.clone_from(&answered.failure),
            }
        }
        Some((answered, effects))
    }

    /// Another threshold, or none: how the runs stand now, without calling anybody for it.
    pub fn set_gate(&mut self, gate: Option<Gate>, done: &[ResultCode]) {
        self.gate = gate;
        for card in &mut self.cards {
            card.judge(self.gate.as_ref(), done, true);
        }
    }

    /// Runs whose threshold fails, and runs for which nobody can say.
    pub fn standings(&self) -> (Vec<&Card>, usize) {
        let fails = |card: &&Card| matches!(card.standing, Some(Standing::Fails(_)));
        let unknown = |card: &&Card| matches!(card.standing, Some(Standing::Unknown(_)));
        (self.cards.iter().filter(fails).collect(), self.cards.iter().filter(unknown).count())
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
