//! What a screen and a box over it can do.

use ratatui::layout::Rect;

use crate::domain::RunRow;
use crate::store::{Action, Answer, Cx, Fact, Hint, Layer, Reading, Shared, Slot};
use crate::ui::{Context, Field, Layout, Scrolled, Surface};

/// Something that a person sees and works in: a screen, or a popup over it. It has no terminal, no clock and no task;
/// what it wants besides changing itself it tells [`Cx`].
pub trait Screen {
    /// The part of it that has the keys, where that has keys of its own and no field is typed into.
    fn part(&self, _shared: &Shared) -> Option<Layer> {
        None
    }

    /// Takes what the person asks for.
    fn update(&mut self, action: Action, cx: &mut Cx);

    /// It does something with this as it stands: the line of hints names nothing else.
    fn offers(&self, _action: &Action, _shared: &Shared) -> bool {
        true
    }

    /// The line of hints, where it is another than that of the place as it stands.
    fn hints(&self) -> Option<&'static [Hint]> {
        None
    }

    /// The word on the button that Enter presses as it stands: the hint of Enter is the same.
    fn button(&self) -> Option<&'static str> {
        None
    }

    /// Takes the answer to a request of its own, or a part of it.
    fn reply(&mut self, _slot: Slot, _answer: Answer, _cx: &mut Cx) {}

    /// Takes what another has learned.
    fn learned(&mut self, _fact: &Fact, _cx: &mut Cx) {}

    /// Asks for what it needs, once after all waiting messages; it is on top, or lies below another.
    fn settle(&mut self, _on_top: bool, _cx: &mut Cx) {}

    /// It is not seen any more.
    fn closing(&mut self, _cx: &mut Cx) {}

    /// Ctrl-c: gives up what it reads, or stops what it sends; whether there was anything.
    fn give_up(&mut self, _cx: &mut Cx) -> bool {
        false
    }

    /// The run that adding, editing, deleting and copying are about.
    fn run(&self) -> Option<RunRow> {
        None
    }

    /// The JSON of that run, where it is here.
    fn json(&self) -> Option<String> {
        None
    }

    /// Reads again what it shows.
    fn read(&mut self, cx: &mut Cx) {
        cx.say("nothing is read again here");
    }

    /// How its reading stands, if it is read again by itself. Suites cost many calls, and a form is compared with what it
    /// began with: those wait for a key.
    fn reading(&self) -> Option<Reading> {
        None
    }

    fn draw(&self, on: &mut Surface<'_>, area: Rect);

    /// It is drawn as a box over the screen below.
    fn is_box(&self) -> bool {
        false
    }

    /// The path to it, behind that of the list; cut to a part of so many columns.
    fn title(&self, project: &str) -> String {
        project.to_owned()
    }

    /// What stands in the header in place of when it was read.
    fn clock(&self, _context: Context<'_>) -> Option<String> {
        None
    }

    /// What stands at the foot of it.
    fn status(&self, _context: Context<'_>) -> String {
        String::new()
    }

    /// What stands before that and is never cut: it takes the line of hints, too.
    fn remark(&self, _context: Context<'_>) -> Option<String> {
        None
    }

    /// The field at the foot of it that is typed into.
    fn field(&self, _cx: &Cx) -> Option<Field<'_>> {
        None
    }

    /// When what it shows was read, epoch milliseconds.
    fn read_at(&self) -> Option<i64> {
        self.reading()?.read_at
    }

    /// Takes what was laid out when it was drawn; whether it must be drawn again.
    fn laid_out(&mut self, _layout: &Layout) -> bool {
        false
    }

    /// What is scrolled in it, where it is a box.
    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        None
    }
}
