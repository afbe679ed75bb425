//! What keys and answers do to the monitor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Chosen, Field, Gate, Monitor, OnView, Seen, view};
use crate::domain::{Failure, RunRow, RunsPage, Sort, View, text};
use crate::screens::{Field as Typed, Screen};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::event::Event;
use crate::store::feed::Entry;
use crate::store::in_flight::{Ask, Slot};
use crate::store::layer::Layer;
use crate::store::message::{Action, Open, RunPart};
use crate::store::remote::Reading;
use crate::store::session::Notifying;
use crate::store::shared::Shared;
use crate::ui::Context;
use crate::ui::layout::Layout;
use crate::ui::text_input::Input;

impl Monitor {
    /// A monitor of the runs of a saved view.
    pub fn of_view(view: &View, chosen: Chosen, every: u64, shared: &Shared) -> Self {
        let mut filter = view.filter.clone();
        let beside = shared.chosen_beside(view);
        let beside = beside.iter().map(|(path, value)| format!("{path}:{value}"));
        filter.filters.extend(beside);
        let sorts = if view.sorts.is_empty() {
            Sort::newest_edits()
        } else {
            view.sorts.clone()
        };
        let on = OnView::new(view, filter, sorts);
        Self::on_view(on, chosen, every)
    }

    /// Takes the threshold in force and begins to read; `gate` is that of its view.
    pub fn start(&mut self, gate: Option<String>, cx: &mut Cx) {
        let watch = cx.shared.watching();
        self.bell = watch.notify == Notifying::Bell;
        let typed = self.chosen.gates.get(&self.view_name()).cloned();
        let gate = typed.or(gate).or(watch.gate);
        let gate = gate.filter(|text| !text.is_empty());
        let gate = gate.map(|text| Gate::parse(&text));
        if let Some(Err(problem)) = &gate {
            cx.complain(format!("the threshold of the config is none: {problem}"));
        }
        self.gate = gate.and_then(Result::ok);
        self.begin(cx);
        for card in &mut self.cards {
            card.read_history(cx);
        }
    }

    fn view_name(&self) -> Option<String> {
        self.on.as_ref().map(|on| on.name.clone())
    }

    /// It is read without the focus too: somebody wants to be called.
    pub fn is_on_call(&self, shared: &Shared) -> bool {
        let session = shared.session.as_ref();
        self.bell || session.is_some_and(|session| session.watch.notify != Notifying::Nobody)
    }

    fn answered(&mut self, ask: Ask, result: &Result<RunsPage, Failure>, cx: &mut Cx) {
        let watch = cx.shared.watching();
        let (was_failing, was_read) = (self.failure.is_some(), self.read_at);
        let seen = Seen {
            now: cx.now,
            ignored: &watch.ignored,
            done: &watch.done,
        };
        let answered = self.take_answer(ask, result, seen, cx);
        let (busy, failing) = (self.busy(), self.failure.is_some());
        for row in &answered.rows {
            cx.saw_run(row);
        }
        for run in &answered.stale {
            if let Some(card) = self.card(run) {
                card.read_history(cx);
            }
        }
        for (entry, rings) in answered.lines {
            if rings {
                self.call_somebody(&entry, watch.notify, cx);
            }
            cx.shared.feed.push(entry);
        }
        match answered.failure {
            // Said in the feed when it begins and when it ends; the list of errors has each.
            Some(failure) => {
                if !busy && !was_failing && failing {
                    tell_of_service(failure.came_back.clone(), true, cx);
                }
                cx.failed(failure);
            }
            None if !busy && was_failing && !failing => {
                let old = was_read.map(|at| cx.now.saturating_sub(at) / 1_000);
                let old = old.map_or(String::new(), |seconds| {
                    format!("; the numbers before were {seconds} s old")
                });
                tell_of_service(format!("the service answers again{old}"), false, cx);
                if cx.notice.as_ref().is_some_and(|notice| notice.bad) {
                    cx.notice = None;
                }
            }
            None => {}
        }
    }

    /// Calls whoever wants to be called, by the bell and as the config says.
    fn call_somebody(&self, entry: &Entry, notify: Notifying, cx: &mut Cx) {
        let mut cards = self.cards.iter();
        let card = cards.find(|card| Some(&card.row.doc_ref) == entry.run.as_ref());
        let name = card.map_or_else(|| entry.name.clone(), |card| card.row.full_name());
        // What goes to the terminal or to a program must not act there, nor look like an option.
        let words = text::call(&format!("rundown: {name}: {}", entry.what));
        if self.bell {
            cx.effect(Effect::Bell);
        }
        match notify {
            Notifying::Osc9 => cx.effect(Effect::Notify(words)),
            Notifying::Command => cx.effect(Effect::Call(words)),
            Notifying::Bell | Notifying::Nobody => {}
        }
    }

    /// Opens the run of the card under the cursor.
    fn open_card(&mut self, cx: &mut Cx) {
        if let Some(card) = self.current() {
            let (row, read_at, on) = (card.row.clone(), card.read_at, RunPart::Part(0));
            cx.open(Open::Run { row, read_at, on });
            self.cancel(cx);
        }
    }

    /// Opens the field, with the threshold that is in force.
    fn type_threshold(&mut self, for_all: bool) {
        self.input = Input::with_text(&in_force(self, for_all));
        (self.typing, self.for_all, self.problem) = (Some(Field::Threshold), for_all, None);
    }

    /// A key for the field with the threshold.
    fn update_threshold(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Type(key) => {
                self.input.key(key);
                self.problem = None;
            }
            Action::Paste(text) => {
                self.input.paste(&text);
                self.problem = None;
            }
            Action::NextField if self.cards.is_empty() => {}
            Action::NextField => {
                // What was typed goes along.
                let typed = self.input.text() != in_force(self, self.for_all);
                let typed = typed.then(|| self.input.clone());
                self.type_threshold(!self.for_all);
                if let Some(typed) = typed {
                    self.input = typed;
                }
            }
            Action::Back => self.typing = None,
            Action::Open => self.set_threshold(cx),
            _ => {}
        }
    }

    fn set_threshold(&mut self, cx: &mut Cx) {
        let text = self.input.text().trim().to_owned();
        let gate = if text.is_empty() {
            Ok(None)
        } else {
            Gate::parse(&text).map(Some)
        };
        match gate {
            Ok(gate) => {
                self.typing = None;
                if self.for_all {
                    self.set_gate(gate, cx.shared.done_codes());
                    self.chosen.gates.insert(self.view_name(), text);
                } else {
                    self.set_own_gate(gate, cx.shared.done_codes());
                }
            }
            Err(problem) => self.problem = Some(problem),
        }
    }

    /// Asks where samples go to.
    fn ask_export(&mut self, cx: &mut Cx) {
        if self.cards.is_empty() {
            cx.say("there is no run to watch");
            return;
        }
        self.input = Input::default();
        (self.typing, self.for_all, self.problem) = (Some(Field::Export), false, None);
    }

    /// A key for the field with the file.
    fn update_export(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Type(key) => {
                self.input.key(key);
            }
            Action::Paste(text) => {
                self.input.paste(&text);
            }
            Action::NextField => self.for_all = !self.for_all,
            Action::Back => self.typing = None,
            Action::Open => {
                self.typing = None;
                let here = self.here();
                let cards = self
                    .cards
                    .iter()
                    .filter(|card| self.for_all || Some(&card.row.doc_ref) == here.as_ref());
                let runs = cards
                    .map(|card| (card.row.name().to_owned(), card.row.doc_ref.clone()))
                    .collect();
                let path = self.input.text().trim().to_owned();
                let to = (!path.is_empty()).then_some(path);
                cx.effect(Effect::ExportSamples { runs, to });
            }
            _ => {}
        }
    }
}

impl Screen for Monitor {
    fn layer(&self, _shared: &Shared) -> Layer {
        if self.typing.is_some() {
            Layer::Typing
        } else {
            Layer::Monitor
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match self.typing {
            Some(Field::Threshold) => return self.update_threshold(action, cx),
            Some(Field::Export) => return self.update_export(action, cx),
            None => {}
        }
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Point(row) => self.scroll.point(row, self.cards.len() as u64),
            Action::Open => self.open_card(cx),
            Action::Back => cx.close(Layer::Monitor),
            Action::Slower | Action::Faster => {
                self.change_pace(action == Action::Slower);
                cx.say(format!("read every {} s", self.every));
                cx.give_up(&Slot::RefreshPause);
            }
            Action::Threshold => self.type_threshold(true),
            Action::Export => self.ask_export(cx),
            Action::Pin => match self.pin() {
                Some(true) => cx.say("pinned: it comes first from now on"),
                Some(false) => cx.say("not pinned any more"),
                None => {}
            },
            Action::Bell => {
                self.bell = !self.bell;
                cx.say(if self.bell {
                    "bell on: it is read without the focus too"
                } else {
                    "bell off"
                });
            }
            // Only what reads: whatever else a key could mean elsewhere does nothing here. The journal leads to undoing.
            Action::Refresh
            | Action::Show(Layer::Errors | Layer::CopyMenu)
            | Action::Palette
            | Action::SignIn
            | Action::OpenWeb
            | Action::Copy(_) => cx.anywhere(action),
            _ => {}
        }
    }

    fn reply(&mut self, slot: Slot, event: Event, cx: &mut Cx) {
        match (slot, event) {
            (Slot::Watched(ask), Event::Runs { result, .. }) => self.answered(ask, &result, cx),
            (Slot::WatchedHistory(run), Event::History { result, .. }) => {
                if let Some(card) = self.card(&run) {
                    card.history.accept(result, cx.now);
                }
            }
            _ => {}
        }
    }

    fn closing(&mut self, cx: &mut Cx) {
        self.cancel(cx);
        cx.give_up_of(Layer::Monitor);
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.cancel(cx)
    }

    fn run(&self) -> Option<RunRow> {
        Some(self.current()?.row.clone())
    }

    fn read(&mut self, cx: &mut Cx) {
        self.begin(cx);
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading {
            every: Some(self.every),
            read_at: self.read_at,
            busy: self.busy(),
            failed: self.failure.is_some(),
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.cards.len() as u64;
        layout
            .rows
            .is_some_and(|height| self.scroll.set_height(height, len))
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        view::draw(context, self, area, buffer, layout);
    }

    fn title(&self, project: &str) -> String {
        format!("Monitor: {} of {project}", view::runs(self))
    }

    fn clock(&self, context: Context<'_>) -> Option<String> {
        Some(view::next(context, self))
    }

    fn status(&self, context: Context<'_>) -> String {
        view::state(context, self)
    }

    fn field(&self, _context: Context<'_>) -> Option<Typed<'_>> {
        let said = match (self.typing?, &self.problem, self.current()) {
            (Field::Export, _, Some(card)) if !self.for_all => format!(
                "samples of {}; Tab: of all runs. A path, or none for the state folder",
                card.row.name()
            ),
            (Field::Export, ..) => {
                "samples of all runs; Tab: of one. A path, or none for the state folder".into()
            }
            (_, Some(problem), _) => problem.clone(),
            (_, None, Some(card)) if self.for_all => {
                format!("for all runs; Tab: for {} alone", card.row.name())
            }
            (_, None, Some(card)) => format!("for {} alone; Tab: for all runs", card.row.name()),
            (_, None, None) => "for all runs".into(),
        };
        let threshold = self.typing == Some(Field::Threshold);
        Some(Typed {
            sign: if threshold { "t " } else { "x " },
            input: &self.input,
            said: (said, threshold && self.problem.is_some()),
        })
    }
}

fn tell_of_service(words: String, bad: bool, cx: &mut Cx) {
    let entry = Entry::of_service(cx.now, words, bad);
    cx.shared.feed.push(entry);
}

/// The threshold of all runs, or of the one under the cursor, as it is written.
fn in_force(monitor: &Monitor, for_all: bool) -> String {
    let own = monitor.current().and_then(|card| card.own.as_ref());
    let gate = if for_all { monitor.gate.as_ref() } else { own };
    gate.map(|gate| gate.text.clone()).unwrap_or_default()
}
