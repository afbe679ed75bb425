//! Questions before a write or a loss: their focus, the keys that answer them, and their box with buttons or with the
//! request.

use ratatui::prelude::{Line, Rect, Span};

use crate::store::{Action, Cx, Motion};
use crate::ui::{Sheet, Surface, TextBox, beside, frame, text};

/// State of all questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// Place of the focus: rows first, then buttons.
    pub focus: usize,
    /// The request is shown in place of the question.
    pub request: bool,
    scroll: TextBox,
}

/// Parts of a question that can have the focus.
#[derive(Clone, Copy, Debug)]
pub struct Stops {
    pub rows: usize,
    pub buttons: usize,
    /// There is a request to show.
    pub request: bool,
}

/// Effect of a key in a question.
#[derive(Debug)]
pub enum Asked {
    Done,
    /// The question is closed without an effect.
    Leave,
    /// Enter on the nth row.
    Row(usize),
    /// The nth button was pressed.
    Button(usize),
    /// The key is for the box.
    Other(Action),
}

impl Question {
    pub fn update(&mut self, action: Action, stops: Stops, cx: &mut Cx) -> Asked {
        let walks = stops.rows > 0;
        match action {
            Action::Raw if self.request || stops.request => self.show_request(!self.request),
            Action::Back if self.request => self.show_request(false),
            Action::Back => return Asked::Leave,
            Action::Move(motion) if self.request => self.scroll.scroll(motion),
            // Only a visible button can be pressed.
            _ if self.request => cx.say("Esc first: back to the question"),
            Action::NextField => self.turn(true, stops),
            Action::PreviousField => self.turn(false, stops),
            Action::Right if self.focus + 1 < stops.rows + stops.buttons => self.turn(true, stops),
            Action::Left if ![0, stops.rows].contains(&self.focus) => self.turn(false, stops),
            // A key that is held leads to no button on the other side.
            Action::Left | Action::Right => {}
            Action::Move(Motion::Down) if walks => self.turn(true, stops),
            Action::Move(Motion::Up) if walks => self.turn(false, stops),
            Action::Move(motion @ (Motion::First | Motion::Last)) if walks => {
                let last = stops.rows + stops.buttons - 1;
                self.focus = if motion == Motion::First { 0 } else { last };
                self.scroll.scroll(motion);
            }
            Action::Move(motion) => self.scroll.scroll(motion),
            Action::Open if self.focus < stops.rows => return Asked::Row(self.focus),
            Action::Open => return self.press(self.focus - stops.rows, cx),
            Action::Press(nth) if nth < stops.buttons => {
                self.focus = stops.rows + nth;
                return self.press(nth, cx);
            }
            other => return Asked::Other(other),
        }
        Asked::Done
    }

    /// Returns true if not all lines were to be seen.
    pub fn scrolls(&self) -> bool {
        !self.scroll.is_whole()
    }

    fn press(&self, button: usize, cx: &mut Cx) -> Asked {
        if self.may_answer(cx) {
            Asked::Button(button)
        } else {
            Asked::Done
        }
    }

    /// Returns true if a key may answer now, else shows the reason.
    pub fn may_answer(&self, cx: &mut Cx) -> bool {
        may_answer(self.scroll, cx)
    }

    fn show_request(&mut self, shown: bool) {
        self.request = shown;
        self.scroll.rewind();
    }

    /// Moves the focus to the next row or button, or the previous one.
    fn turn(&mut self, forward: bool, stops: Stops) {
        let all = stops.rows + stops.buttons;
        self.focus = beside(self.focus, all, forward);
        if self.focus < stops.rows {
            self.scroll.rewind();
        } else if stops.rows > 0 {
            // What stands below the rows comes into view with the buttons.
            self.scroll.scroll(Motion::Last);
        }
    }

    /// Returns the scrolled part.
    pub fn scroll(&mut self) -> &mut TextBox {
        &mut self.scroll
    }
}

/// Returns true if a key may answer: the question was on the screen, the key is not held down.
pub fn may_answer(scroll: TextBox, cx: &mut Cx) -> bool {
    let held = cx.is_held();
    if held {
        cx.say("a key that is held down answers no question: press it again");
    } else if !scroll.was_drawn() {
        cx.say("that key was pressed before the question was seen: press it again");
    }
    !held && scroll.was_drawn()
}

/// Content of a question's box.
pub struct Shown<'a> {
    pub sheet: Sheet<'a>,
    /// Rows that can have the focus.
    pub rows: usize,
    pub buttons: &'a [&'a str],
    /// The request that would be sent, if any.
    pub request: Option<String>,
}

impl Shown<'_> {
    /// Returns the columns of a line in the box.
    pub fn width(columns: u16, indent: usize) -> usize {
        usize::from(columns).saturating_sub(indent + 3)
    }

    /// Draws the box with its buttons, or with the request and the key back.
    pub fn draw(self, question: &Question, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let key = |action, does| context.cx.shared.key_does(self.sheet.of, action, does);
        let (asks, back) = (
            key(&Action::Raw, "the request"),
            key(&Action::Back, "back to the question"),
        );
        let request = self.request.as_deref().filter(|_| question.request);
        let sheet = match request {
            Some(request) => {
                let width = Self::width(self.sheet.columns, self.sheet.indent);
                let lines = request.lines().flat_map(|line| text::chop(line, width));
                Sheet {
                    title: "What would be sent",
                    lines: lines.map(Line::raw).collect(),
                    cursor: None,
                    ..self.sheet
                }
            }
            None => self.sheet,
        };
        let inside = question.scroll.draw(&sheet, on, area);
        if request.is_some() {
            let words = " ".repeat(sheet.indent) + &back;
            let row = inside.height.saturating_sub(1);
            return frame::line(
                on.buffer,
                inside,
                row,
                Span::styled(words, context.theme.muted()),
            );
        }
        let buttons: Vec<(&str, bool)> = self
            .buttons
            .iter()
            .enumerate()
            .map(|(nth, words)| (*words, question.focus == self.rows + nth))
            .collect();
        let note = match self.request {
            Some(_) => asks,
            None => String::new(),
        };
        frame::buttons(on, inside, &buttons, (&note, Some(Action::Raw)));
    }
}
