//! The monitor: some runs, read again and again by their ids, two at a time. Nothing is written from here.

use std::collections::VecDeque;

use super::card::{Call, Card, Gate, Trouble};
use super::cx::Cx;
use super::effect::Effect;
use super::event::Exported;
use super::feed::{Entry, What};
use super::in_flight::Slot;
use super::input::Input;
use super::list::Scroll;
use super::message::{Action, Motion};
use super::watched::{Ask, OfRuns, OnView, Source};
use super::{History, Notifying, Screen, Store};
pub use crate::domain::MOST_WATCHED as MOST;
use crate::domain::diff::Ignored;
use crate::domain::{
    DocRef, Failure, FailureKind, Filter, Page, ResultCode, RunRow, RunsPage, Sort, text,
};
use crate::forecast::Settings;

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
    pub told: Vec<(Entry, bool)>,
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

impl Monitor {
    /// Takes what an answer says of a run that has a card.
    pub(super) fn take(
        &mut self,
        run: &DocRef,
        page: &RunsPage,
        seen: Seen<'_>,
        answered: &mut Answered,
    ) {
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
            .told
            .extend(calls.into_iter().map(|call| entry(card, call, seen.now)));
    }

    /// Takes the answer to the question for a run of which only the short id is known. It must be one run alone.
    pub(super) fn take_named(
        &mut self,
        id: &str,
        page: &RunsPage,
        seen: Seen<'_>,
        answered: &mut Answered,
    ) {
        let here = self.here();
        let Some(on) = &mut self.on else { return };
        let mut rows = page.rows.iter().filter(|row| row.id.as_deref() == Some(id));
        match (rows.next(), rows.count()) {
            (Some(row), 0) => {
                on.missing.retain(|(known, _)| known != id);
                let place = on.place(id);
                let run = row.doc_ref.clone();
                self.cards
                    .push(self.of_runs.card(row.clone(), seen.now, place));
                self.take(&run, page, seen, answered);
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
    pub(super) fn take_listed(&mut self, page: &RunsPage, seen: Seen<'_>, answered: &mut Answered) {
        let here = self.here();
        let Some(on) = &mut self.on else { return };
        let first = on.found.replace(page.full_size).is_none();
        let mut wanted: Vec<&RunRow> = Vec::new();
        for row in &page.rows {
            if wanted.len() < MOST && !wanted.iter().any(|known| known.doc_ref == row.doc_ref) {
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
        answered.told.extend(
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
                let card = self.of_runs.card((*row).clone(), seen.now, place);
                if !first {
                    let words = "is in the view from now on".into();
                    answered
                        .told
                        .push(told(&card, What::Told { words, bad: false }));
                }
                self.cards.push(card);
            }
            self.take(&row.doc_ref, page, seen, answered);
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

impl Store {
    /// Result codes of cases that are finished.
    pub fn done_codes(&self) -> &[ResultCode] {
        self.cx
            .shared
            .session
            .as_ref()
            .map_or(&Settings::DONE, |session| session.watch.done.as_slice())
    }

    /// The monitor goes on without the focus: somebody wants to be called.
    pub(super) fn is_on_call(&self) -> bool {
        let by_config = self
            .cx
            .shared
            .session
            .as_ref()
            .is_some_and(|session| session.watch.notify != Notifying::Nobody);
        self.stack.top() == Screen::Monitor
            && (by_config || self.monitor.as_ref().is_some_and(|monitor| monitor.bell))
    }

    /// Opens the monitor: in the list with the marked runs, or with those on the screen, else with the run at hand.
    pub(super) fn open_monitor(&mut self) {
        if let Some(view) = self.view_to_watch() {
            return self.watch_view(&view);
        }
        let (runs, words) = self.runs_to_watch();
        if runs.is_empty() {
            self.cx.say("there is no run here yet");
            return;
        }
        if let Some(words) = words {
            self.cx.say(words);
        }
        let known = |row: RunRow| {
            let known = self
                .cx
                .shared
                .feed
                .known(&row.doc_ref)
                .map(|(known, at)| (known.clone(), at));
            known.unwrap_or_else(|| (row, self.runs.window().read_at().unwrap_or(self.cx.now)))
        };
        let runs: Vec<_> = runs.into_iter().map(known).collect();
        self.leave_monitor();
        let monitor = Monitor::new(runs, self.cx.shared.of_runs.clone(), self.pace());
        self.begin_monitor(monitor, None);
    }

    /// Seconds between two readings: those somebody chose, else those of the profile.
    pub(super) fn pace(&self) -> u64 {
        let profiles = self
            .cx
            .shared
            .session
            .as_ref()
            .map_or(0, |session| session.refresh_seconds);
        self.cx
            .shared
            .watch_every
            .unwrap_or(if profiles > 0 { profiles } else { EVERY })
    }

    /// Shows a monitor and begins to read; `gate` is the threshold of its view.
    pub(super) fn begin_monitor(&mut self, mut monitor: Monitor, gate: Option<String>) {
        let watch = self
            .cx
            .shared
            .session
            .as_ref()
            .map(|session| session.watch.clone())
            .unwrap_or_default();
        monitor.bell = watch.notify == Notifying::Bell;
        let typed = self
            .cx
            .shared
            .watch_gates
            .get(&monitor.on.as_ref().map(|on| on.name.clone()))
            .cloned();
        let gate = typed
            .or(gate)
            .or(watch.gate)
            .filter(|text| !text.is_empty());
        let gate = gate.map(|text| Gate::parse(&text));
        if let Some(Err(problem)) = &gate {
            self.cx
                .complain(format!("the threshold of the config is none: {problem}"));
        }
        monitor.gate = gate.and_then(Result::ok);
        self.monitor = Some(monitor);
        self.stack.open(Screen::Monitor);
        self.read_monitor();
        self.read_histories();
    }

    fn runs_to_watch(&self) -> (Vec<RunRow>, Option<String>) {
        if self.stack.top() != Screen::Runs {
            return (self.run_at_hand().into_iter().collect(), None);
        }
        let marked = self.runs.marked();
        if !marked.is_empty() {
            let words = format!(
                "{MOST} of {} marked runs: a monitor holds no more",
                marked.len()
            );
            let over = (marked.len() > MOST).then_some(words);
            return (marked.into_iter().take(MOST).collect(), over);
        }
        let len = self.runs.len().unwrap_or(0);
        let scroll = self.runs.scroll();
        // As many as fit, from the top of the screen, and always with the one under the cursor.
        let most = MOST as u64;
        let first = if len <= most {
            0
        } else {
            scroll.top.max((scroll.cursor + 1).saturating_sub(most))
        };
        let rows = (first..len.min(first + most)).filter_map(|place| self.runs.row(place).cloned());
        let rows: Vec<RunRow> = rows.collect();
        let words = (len > most).then(|| {
            format!(
                "{} of {len} runs, those on the screen: Space marks others",
                rows.len()
            )
        });
        (rows, words)
    }

    /// Begins a reading of the monitor, unless one is under way.
    pub(super) fn read_monitor(&mut self) {
        self.refresh_began();
        if let Some(monitor) = &mut self.monitor {
            monitor.read(&mut self.cx);
        }
    }

    fn read_histories(&mut self) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        for card in &mut monitor.cards {
            card.read_history(&mut self.cx);
        }
    }

    /// The monitor is not looked at any more.
    pub(super) fn leave_monitor(&mut self) {
        if let Some(mut monitor) = self.monitor.take() {
            monitor.cancel(&mut self.cx);
            self.cx
                .give_up_all(|slot| matches!(slot, Slot::WatchedHistory(_)));
            self.cx.shared.of_runs = monitor.of_runs;
        }
    }

    /// Takes an answer to a call of the monitor; `None` if it is none of them.
    pub(super) fn monitor_answered(&mut self, ask: Ask, result: &Result<RunsPage, Failure>) {
        let now = self.cx.now;
        let watch = self
            .cx
            .shared
            .session
            .as_ref()
            .map(|session| session.watch.clone())
            .unwrap_or_default();
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        let (was_failing, was_read) = (monitor.failure.is_some(), monitor.read_at);
        let seen = Seen {
            now,
            ignored: &watch.ignored,
            done: &watch.done,
        };
        let answered = monitor.answered(ask, result, seen, &mut self.cx);
        let (busy, failing) = (monitor.busy(), monitor.failure.is_some());
        for row in &answered.rows {
            self.saw_run(row);
        }
        for run in &answered.stale {
            self.reread_card(run);
        }
        for (entry, rings) in answered.told {
            if rings {
                self.call_somebody(&entry);
            }
            self.cx.shared.feed.push(entry);
        }
        match answered.failure {
            // Said in the feed when it begins and when it ends; the list of errors has each.
            Some(failure) => {
                if !busy && !was_failing && failing {
                    self.tell_of_service(failure.came_back.clone(), true);
                }
                self.cx.failed(failure);
            }
            None if !busy && was_failing && !failing => {
                let old = was_read.map(|at| now.saturating_sub(at) / 1_000);
                let old = old.map_or(String::new(), |seconds| {
                    format!("; the numbers before were {seconds} s old")
                });
                self.tell_of_service(format!("the service answers again{old}"), false);
                if self.cx.notice.as_ref().is_some_and(|notice| notice.bad) {
                    self.cx.notice = None;
                }
            }
            None => {}
        }
    }

    fn tell_of_service(&mut self, words: String, bad: bool) {
        self.cx
            .shared
            .feed
            .push(Entry::of_service(self.cx.now, words, bad));
    }

    fn reread_card(&mut self, run: &DocRef) {
        if let Some(card) = self.monitor.as_mut().and_then(|monitor| monitor.card(run)) {
            card.read_history(&mut self.cx);
        }
    }

    /// Calls whoever wants to be called, by the bell and as the config says.
    fn call_somebody(&mut self, entry: &Entry) {
        let card = self.monitor.iter().flat_map(|monitor| &monitor.cards);
        let name = card
            .into_iter()
            .find(|card| Some(&card.row.doc_ref) == entry.run.as_ref());
        let name = name.map_or_else(|| entry.name.clone(), |card| card.row.full_name());
        // What goes to the terminal or to a program must not act there, nor look like an option.
        let words = text::call(&format!("rundown: {name}: {}", entry.what));
        if self.monitor.as_ref().is_some_and(|monitor| monitor.bell) {
            self.cx.effect(Effect::Bell);
        }
        match self
            .cx
            .shared
            .session
            .as_ref()
            .map(|session| session.watch.notify)
        {
            Some(Notifying::Osc9) => self.cx.effect(Effect::Notify(words)),
            Some(Notifying::Command) => self.cx.effect(Effect::Call(words)),
            Some(Notifying::Bell | Notifying::Nobody) | None => {}
        }
    }

    /// What samples tell has come, for a card.
    pub(super) fn card_history_came(
        &mut self,
        run: &DocRef,
        result: Result<Box<History>, Failure>,
    ) {
        if let Some(card) = self.monitor.as_mut().and_then(|monitor| monitor.card(run)) {
            card.history.accept(result, self.cx.now);
        }
    }

    pub(super) fn act_monitor(&mut self, action: &Action) {
        let Some(monitor) = &mut self.monitor else {
            return self.stack.home();
        };
        match action {
            Action::Move(motion) => monitor.go(*motion),
            Action::Point(row) => monitor.scroll.point(*row, monitor.cards.len() as u64),
            Action::Open => self.open_card(),
            Action::Back => {
                self.stack.back();
                self.leave_monitor();
            }
            Action::Slower | Action::Faster => {
                monitor.change_pace(*action == Action::Slower);
                let every = monitor.every;
                self.cx.shared.watch_every = Some(every);
                self.cx.say(format!("read every {every} s"));
                self.cx.give_up(&Slot::RefreshPause);
            }
            Action::Threshold => self.type_threshold(true),
            Action::Export => self.ask_export(),
            Action::Pin => match monitor.pin() {
                Some(true) => self.cx.say("pinned: it comes first from now on"),
                Some(false) => self.cx.say("not pinned any more"),
                None => {}
            },
            Action::Bell => {
                monitor.bell = !monitor.bell;
                let words = if monitor.bell {
                    "bell on: it is read without the focus too"
                } else {
                    "bell off"
                };
                self.cx.say(words);
            }
            // Only what reads: whatever else a key could mean elsewhere does nothing here. The journal leads to undoing.
            Action::Refresh
            | Action::Errors
            | Action::Palette
            | Action::SignIn
            | Action::Copy(super::CopyWhat::DocRef | super::CopyWhat::Id) => {
                self.act_anywhere(action);
            }
            _ => {}
        }
    }

    /// Opens the run of the card; from the monitor of one open run it is the way back.
    fn open_card(&mut self) {
        let Some(monitor) = &self.monitor else {
            return;
        };
        let Some((row, at)) = monitor
            .current()
            .map(|card| (card.row.clone(), card.read_at))
        else {
            return;
        };
        if self.stack.below() == Screen::Detail {
            self.stack.back();
            return self.leave_monitor();
        }
        self.stack.open(Screen::Detail);
        if let Some(monitor) = &mut self.monitor {
            monitor.cancel(&mut self.cx);
        }
        self.open_run(row, at);
    }

    /// Opens the field, with the threshold that is in force.
    pub(super) fn type_threshold(&mut self, for_all: bool) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        let text = in_force(monitor, for_all);
        (
            monitor.input,
            monitor.typing,
            monitor.for_all,
            monitor.problem,
        ) = (
            Input::with_text(&text),
            Some(Field::Threshold),
            for_all,
            None,
        );
    }

    /// The field of the monitor that has the focus.
    pub(super) fn act_monitor_field(&mut self, action: Action) {
        match self.monitor.as_ref().and_then(|monitor| monitor.typing) {
            Some(Field::Threshold) => self.act_threshold(action),
            Some(Field::Export) => self.act_export(action),
            None => {}
        }
    }

    /// The field for the threshold.
    fn act_threshold(&mut self, action: Action) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        match action {
            Action::Type(key) => {
                monitor.input.key(key);
                monitor.problem = None;
            }
            Action::Paste(text) => {
                monitor.input.paste(&text);
                monitor.problem = None;
            }
            Action::NextField if monitor.cards.is_empty() => {}
            Action::NextField => {
                // What was typed goes along.
                let for_all = !monitor.for_all;
                let typed = monitor.input.text() != in_force(monitor, monitor.for_all);
                let typed = typed.then(|| monitor.input.clone());
                self.type_threshold(for_all);
                if let (Some(monitor), Some(typed)) = (&mut self.monitor, typed) {
                    monitor.input = typed;
                }
            }
            Action::Back => monitor.typing = None,
            Action::Open => self.set_threshold(),
            _ => {}
        }
    }

    fn set_threshold(&mut self) {
        let done = self.done_codes().to_vec();
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        let text = monitor.input.text().trim().to_owned();
        let gate = if text.is_empty() {
            Ok(None)
        } else {
            Gate::parse(&text).map(Some)
        };
        match gate {
            Ok(gate) => {
                monitor.typing = None;
                if monitor.for_all {
                    monitor.set_gate(gate, &done);
                    self.cx
                        .shared
                        .watch_gates
                        .insert(monitor.on.as_ref().map(|on| on.name.clone()), text);
                } else {
                    monitor.set_own_gate(gate, &done);
                }
            }
            Err(problem) => monitor.problem = Some(problem),
        }
    }

    /// Asks where to.
    pub(super) fn ask_export(&mut self) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        if monitor.cards.is_empty() {
            self.cx.say("there is no run to watch");
            return;
        }
        (
            monitor.input,
            monitor.typing,
            monitor.for_all,
            monitor.problem,
        ) = (Input::default(), Some(Field::Export), false, None);
    }

    /// The field for the file.
    pub(super) fn act_export(&mut self, action: Action) {
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        match action {
            Action::Type(key) => {
                monitor.input.key(key);
            }
            Action::Paste(text) => {
                monitor.input.paste(&text);
            }
            Action::NextField => monitor.for_all = !monitor.for_all,
            Action::Back => monitor.typing = None,
            Action::Open => {
                monitor.typing = None;
                let all = monitor.for_all;
                let here = monitor.here();
                let cards = monitor
                    .cards
                    .iter()
                    .filter(|card| all || Some(&card.row.doc_ref) == here.as_ref());
                let runs = cards
                    .map(|card| (card.row.name().to_owned(), card.row.doc_ref.clone()))
                    .collect();
                let path = monitor.input.text().trim().to_owned();
                let to = (!path.is_empty()).then_some(path);
                self.cx.effect(Effect::ExportSamples { runs, to });
            }
            _ => {}
        }
    }

    pub(super) fn exported(&mut self, result: Result<Exported, Failure>) {
        match result {
            Ok(Exported {
                path,
                samples,
                runs,
            }) => {
                let samples = if samples == 1 {
                    "1 sample".to_owned()
                } else {
                    format!("{samples} samples")
                };
                let runs = if runs == 1 {
                    "1 run".to_owned()
                } else {
                    format!("{runs} runs")
                };
                self.cx.say(format!("{samples} of {runs} in {path}"));
            }
            Err(failure) => self.cx.failed(failure),
        }
    }
}

/// The threshold of all runs, or of the one under the cursor, as it is written.
fn in_force(monitor: &Monitor, for_all: bool) -> String {
    let own = monitor.current().and_then(|card| card.own.as_ref());
    let gate = if for_all { monitor.gate.as_ref() } else { own };
    gate.map(|gate| gate.text.clone()).unwrap_or_default()
}
