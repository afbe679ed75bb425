//! What actions and events do on the monitor. No action here writes.

use super::card::Gate;
use super::effect::Effect;
use super::feed::Entry;
use super::in_flight::Slot;
use super::message::Action;
use super::monitor::{EVERY, MOST, Monitor, Seen};
use super::watched::Ask;
use super::{History, Notifying, Screen, Store};
use crate::domain::{DocRef, Failure, ResultCode, RunRow, RunsPage, text};
use crate::forecast::Settings;

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
}
