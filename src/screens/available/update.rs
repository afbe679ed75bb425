//! What keys and answers do to the available suites.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{AvailableSuites, view, what_if};
use crate::domain::{Failure, RunRow, SuiteChange, SuiteRow};
use crate::screens::screen::{Field, Screen};
use crate::screens::{given_up, let_go, say_range, suite_action, suites_title};
use crate::store::cx::Cx;
use crate::store::effect::{Effect, Event, SampleRequest};
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{
    Action, Choice, Entry, Fact, Motion, PickerKind, Plan, Preview, SuiteOrder,
};
use crate::store::shared::Shared;
use crate::ui::Context;
use crate::ui::layout::Layout;

impl AvailableSuites {
    /// Asks whether the marked suites are added.
    fn add_marked(&self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        if self.marks.is_empty() {
            let marks = &Action::Mark;
            let how = cx
                .shared
                .then_key(": ", Layer::Available, marks, "marks a suite");
            return cx.say(format!("Nothing is marked{how}"));
        }
        let suites = self.marked_there();
        if suites.is_empty() {
            let reads = &Action::Refresh;
            let reads = cx
                .shared
                .then_key(": ", Layer::Available, reads, "reads the list again");
            return cx.complain(format!(
                "None of the marked suites can be added any more{reads}"
            ));
        }
        self.add(&suites, self.gone(), false, cx);
    }

    /// Asks whether the suites that were named are added, now that the list is here. Marks stay as they are.
    fn add_named(&mut self, cx: &mut Cx) {
        let names = std::mem::take(&mut self.named);
        let Some(list) = self.list.value().filter(|_| self.list.failure().is_none()) else {
            // Why it is not here is said in its place.
            return;
        };
        let (mut suites, mut missing) = (Vec::new(), Vec::new());
        for name in names {
            let mut found = list
                .iter()
                .filter(|suite| name.is_of(&suite.doc_ref, Some(suite)));
            match (found.next(), found.next()) {
                (Some(suite), None) if suites.contains(&suite) => {}
                (Some(suite), None) => suites.push(suite),
                _ => missing.push(name.to_string()),
            }
        }
        if missing.is_empty() {
            return self.add(&suites, Vec::new(), true, cx);
        }
        let run = self.run.name();
        cx.complain(format!(
            "{} cannot be added to {run}: in it already, or not there",
            missing.join(", ")
        ));
    }

    /// Asks whether these suites are added; by itself, where that is not about the key that was pressed last.
    fn add(&self, suites: &[&SuiteRow], gone: Vec<&SuiteRow>, by_itself: bool, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        let mut notes = Vec::new();
        if !gone.is_empty() {
            let names: Vec<&str> = gone.into_iter().map(SuiteRow::name).collect();
            notes.push(format!(
                "Left out, because they cannot be added any more: {}.",
                names.join(", ")
            ));
        }
        let done = cx.shared.done_codes();
        notes.push(format!("Up to {}.", what_if::more(self, suites, done)));
        let named = |suite: &&SuiteRow| (suite.doc_ref.clone(), suite.full_name());
        let cases = suites.iter().map(|suite| suite.total_cases).collect();
        let change = SuiteChange::of(&self.run, true, suites.iter().map(named).collect());
        cx.confirm(Preview {
            cases,
            safe: true,
            by_itself,
            ..Preview::new(Plan::Suites(change), notes)
        });
    }

    fn orders(&self) -> impl Iterator<Item = Entry> {
        let now = self.order;
        SuiteOrder::ALL
            .into_iter()
            .map(move |(order, heading)| Entry {
                label: heading.to_owned(),
                detail: String::new(),
                ticked: Some(now == order),
                choice: Choice::SuiteSort(order),
            })
    }

    /// A key for the filter.
    fn update_filter(&mut self, action: &Action, cx: &mut Cx) {
        let changed = cx.shared.found.find(&mut self.text, action);
        match action {
            _ if changed => self.arrange(),
            Action::Move(motion @ (Motion::PageUp | Motion::PageDown)) => self.go(*motion),
            Action::Open | Action::Back => self.typing = false,
            _ => {}
        }
    }

    fn came(&mut self, result: Result<Vec<SuiteRow>, Failure>, cx: &mut Cx) {
        let failure = result.as_ref().err().cloned();
        let here = self.current().map(|suite| suite.doc_ref.clone());
        self.list.accept(result, cx.now);
        self.arrange_around(here);
        if let Some(failure) = failure {
            cx.failed(failure);
        }
    }
}

impl Screen for AvailableSuites {
    fn layer(&self, _shared: &Shared) -> Layer {
        if self.typing {
            Layer::Typing
        } else {
            Layer::Available
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        if self.typing {
            return self.update_filter(&action, cx);
        }
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Point(row) => self.scroll.point(row, self.shown.len() as u64),
            Action::Mark => self.toggle(),
            Action::MarkRange => say_range(self.range(), &self.marks, Layer::Available, cx),
            Action::MarkAll => self.mark_all(),
            // What asks for the marks ends an open range.
            Action::Open | Action::Show(Layer::CopyMenu) if self.marks.anchor.is_some() => {
                match self.range() {
                    Ok(()) => self.update(action, cx),
                    Err(why) => cx.say(why),
                }
            }
            Action::Filter => self.typing = true,
            Action::Preview => self.preview = !self.preview,
            Action::Sort => cx.choose(PickerKind::Sort, self.orders()),
            Action::Chosen(choice) => {
                if let Choice::SuiteSort(order) = *choice {
                    self.descending = self.order == order && !self.descending;
                    self.order = order;
                    self.arrange();
                }
            }
            Action::Open => self.add_marked(cx),
            Action::Back if self.marks.anchor.take().is_some() => {}
            Action::Back if !self.text.text().is_empty() => {
                self.text.clear();
                self.arrange();
            }
            Action::Back if !self.marks.is_empty() => let_go(&mut self.marks, Layer::Available, cx),
            Action::Back | Action::LastScreen => cx.back(),
            Action::NextPart | Action::PreviousPart | Action::Part(1) => {
                cx.anywhere(Action::Show(Layer::Attached));
            }
            Action::Part(_) => {}
            other => {
                let marked = self.marks.rows().to_vec();
                suite_action(other, self.current().cloned(), marked, cx);
            }
        }
    }

    fn reply(&mut self, _slot: Slot, event: Event, cx: &mut Cx) {
        match event {
            Event::Received {
                received,
                full_size,
                ..
            } => self.progress = Some((received, full_size)),
            Event::Available { result, .. } => self.came(result, cx),
            // A failure stands where the forecast would be.
            Event::WhatIf { result, .. } => self.what_if.accept(result, cx.now),
            _ => {}
        }
    }

    /// What is in effect loses its mark.
    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        match fact {
            Fact::Row(row) if row.doc_ref == self.run.doc_ref => self.run = (**row).clone(),
            Fact::WroteSuites { run, adds, done } if *run == self.run.doc_ref => {
                if *adds {
                    self.marks.remove(done);
                }
                let moved = i64::try_from(done.len()).unwrap_or(0) * if *adds { 1 } else { -1 };
                if let Some(count) = &mut self.run.suite_count {
                    *count = count.saturating_add(moved);
                }
                self.read_list(cx);
            }
            _ => {}
        }
    }

    /// Asks for the forecast with the marked suites, where all of them say how many cases they have and that was not asked
    /// yet.
    fn settle(&mut self, on_top: bool, cx: &mut Cx) {
        self.read_document();
        if on_top && !self.named.is_empty() && !self.list.is_reading() {
            self.add_named(cx);
        }
        let new = |extra: &u64| self.asked_for != Some(*extra);
        if let Some(extra) = self.extra(&self.marked_there()).filter(new) {
            self.asked_for = Some(extra);
            self.what_if.ask();
            let run = self.run.doc_ref.clone();
            cx.request(Slot::WhatIf, |id| {
                Effect::Samples(SampleRequest::WhatIf { id, run, extra })
            });
        }
    }

    fn closing(&mut self, _cx: &mut Cx) {
        self.named.clear();
    }

    /// What was read before stays, and is not called whole.
    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let any = cx.give_up(&Slot::Available);
        if any {
            let again = cx
                .shared
                .key_does(Layer::Available, &Action::Refresh, "reads again");
            let failure = given_up("reading the suites", again);
            self.list.accept(Err(failure), cx.now);
        }
        any
    }

    fn run(&self) -> Option<RunRow> {
        Some(self.run.clone())
    }

    fn read(&mut self, cx: &mut Cx) {
        self.read_list(cx);
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.shown.len() as u64;
        layout
            .rows
            .is_some_and(|height| self.scroll.set_height(height, len))
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        view::draw(context, self, area, buffer, layout);
    }

    fn title(&self, project: &str) -> String {
        suites_title(project, &self.run, "add suites")
    }

    fn status(&self, context: Context<'_>) -> String {
        view::status(context, self)
    }

    fn field(&self, _context: Context<'_>) -> Option<Field<'_>> {
        let all = self.list.value().map_or(0, Vec::len);
        self.typing.then(|| Field {
            sign: "/ ",
            input: &self.text,
            said: (format!("{} of {all} match", self.shown.len()), false),
        })
    }

    fn read_at(&self) -> Option<i64> {
        self.list.read_at()
    }
}
