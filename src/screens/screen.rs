//! Trait of screens and boxes.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::runs_read::RunsRead;
use crate::domain::Failure;
use crate::mirror::{Run, RunsAnswer};
use crate::store::{Action, Answer, Cx, Fact, Hint, Layer, Reading, Shared, Slot};
use crate::ui::{Context, FootField, Layout, Scrolled, Surface};

/// Drawing of a screen.
pub trait Draw {
    fn draw(&self, on: &mut Surface<'_>, area: Rect);

    /// Title, a path that begins with that of the list.
    fn title(&self, project: &str) -> String {
        project.to_owned()
    }

    /// Text of the header in place of the time of the reading.
    fn clock(&self, _context: Context<'_>) -> Option<String> {
        None
    }

    /// Text of the status line.
    fn status(&self, _context: Context<'_>) -> String {
        String::new()
    }

    /// Text before the status that is never cut; it may use the line of hints too.
    fn remark(&self, _context: Context<'_>) -> Option<String> {
        None
    }

    /// Text field at the foot that has the focus.
    fn field(&self, _cx: &Cx) -> Option<FootField<'_>> {
        None
    }
}

/// A screen, or a popup over it. It has no terminal, no clock and no task; all effects beyond its own state go through
/// [`Cx`].
pub trait Screen: Draw {
    /// Part of the screen that takes the keys, if that has its own keys and no text field is focused.
    fn part(&self) -> Option<Layer> {
        None
    }

    /// Handles an action of the user.
    fn update(&mut self, action: Action, cx: &mut Cx);

    /// Returns true if the action has an effect now; the hints name no other ones.
    fn offers(&self, _action: &Action, _shared: &Shared) -> bool {
        true
    }

    /// Hints that replace those of the place.
    fn hints(&self, _shared: &Shared) -> Option<&'static [Hint]> {
        None
    }

    /// Label of the button that Enter presses now; the hint of Enter repeats it.
    fn button(&self) -> Option<&'static str> {
        None
    }

    /// Returns its layer and the reading of its runs, for a screen that shows runs of the mirror.
    fn shown_runs(&mut self) -> Option<(Layer, &mut RunsRead)> {
        None
    }

    /// Takes an answer to its own request, or a part of one.
    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        if let Some((_, read)) = self.shown_runs() {
            read.reply(answer, cx);
        }
    }

    /// Takes an answer of the mirror.
    fn on_answer(&mut self, _answer: Box<RunsAnswer>, _cx: &mut Cx) {}

    /// Takes a fact that another screen has learned.
    fn learned(&mut self, _fact: &Fact, _cx: &mut Cx) {}

    /// Requests missing data; called once after all waiting messages. `on_top` is false for a covered screen.
    fn settle(&mut self, _on_top: bool, _cx: &mut Cx) {}

    /// Does what would lead a key astray that is for another box: opens a question that waited for data, moves rows.
    /// Called after [`Self::settle`] when the keys are for the screen itself.
    fn uncovered(&mut self, _cx: &mut Cx) {}

    /// Called when the screen is closed.
    fn closing(&mut self, cx: &mut Cx) {
        if self.shown_runs().is_some() {
            self.give_up(cx);
        }
        if let Some((screen, read)) = self.shown_runs() {
            read.leave(screen, cx);
        }
    }

    /// Handles Ctrl-c: cancels readings or stops a write. Returns true if there was anything.
    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let read = self.shown_runs();
        read.is_some_and(|(screen, read)| read.give_up(screen, cx))
    }

    /// The run for adding, editing, deleting and copying.
    fn run(&self) -> Option<Arc<Run>> {
        None
    }

    /// JSON of that run, if it is loaded.
    fn json(&self) -> Option<String> {
        None
    }

    /// Reads the data again.
    fn read(&mut self, cx: &mut Cx) {
        cx.say("nothing is read again here");
    }

    /// State of a reading that is repeated by itself. Suites need many calls, and a form is compared with its start:
    /// they are read again only by a key.
    fn reading(&self) -> Option<Reading> {
        None
    }

    /// Failure of the last reading, where the screen has one of its own.
    fn failure(&self) -> Option<&Failure> {
        None
    }

    /// Returns true if what is shown could not be read again.
    fn is_old(&self) -> bool {
        self.failure().is_some() || self.reading().is_some_and(|reading| reading.failed)
    }

    /// Returns true if failed data is read again after a sign-in; given-up readings are not.
    fn waits_for_sign_in(&self) -> bool {
        self.is_old()
            && self
                .failure()
                .is_none_or(|failure| !failure.kind.is_local())
    }

    /// Returns true if it is drawn as a box over the screen below.
    fn is_box(&self) -> bool {
        false
    }

    /// Time of the reading of the shown data, epoch milliseconds.
    fn read_at(&self) -> Option<i64> {
        self.reading()?.read_at
    }

    /// Takes the layout of the last drawing. Returns true if it must be drawn again.
    fn laid_out(&mut self, _layout: &Layout) -> bool {
        false
    }

    /// The scrolled part of a box.
    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        None
    }
}
