//! Box of lines, scrolled if they do not fit.

use std::ops::Range;

use ratatui::prelude::{Line, Rect, Span};

use crate::store::{Layer, Motion};
use crate::ui::layout::{BoxDrawn, Scrolled};
use crate::ui::{Surface, frame, text};

/// Lines that a page moves by.
const PAGE: usize = 10;

/// Scroll state of a box of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextBox {
    /// First line shown.
    top: usize,
    /// The box was on the screen.
    drawn: bool,
    /// All its lines were.
    whole: bool,
}

/// Content of a box of lines.
pub struct Sheet<'a> {
    pub of: Layer,
    pub title: &'a str,
    /// Columns of the box, with its border.
    pub columns: u16,
    /// Columns before each line.
    pub indent: usize,
    pub lines: Vec<Line<'a>>,
    /// Lines of the row under the cursor, which are kept visible, above all the first one.
    pub cursor: Option<Range<usize>>,
    /// Two rows at the foot are for buttons and the row above them.
    pub foot: bool,
}

impl<'a> Sheet<'a> {
    /// A text without a cursor and buttons.
    pub fn of(of: Layer, title: &'a str, columns: u16, lines: Vec<Line<'a>>) -> Self {
        Self {
            of,
            title,
            columns,
            indent: 0,
            lines,
            cursor: None,
            foot: false,
        }
    }
}

impl TextBox {
    pub fn scroll(&mut self, motion: Motion) {
        self.top = match motion {
            Motion::Down | Motion::WheelDown => self.top + 1,
            Motion::Up | Motion::WheelUp => self.top.saturating_sub(1),
            Motion::PageDown | Motion::HalfPageDown => self.top + PAGE,
            Motion::PageUp | Motion::HalfPageUp => self.top.saturating_sub(PAGE),
            Motion::First => 0,
            Motion::Last => usize::MAX / 2,
        };
    }

    /// Scrolls to the top, for another text.
    pub fn rewind(&mut self) {
        self.top = 0;
    }

    /// Returns true if the box was on the screen.
    pub fn was_drawn(self) -> bool {
        self.drawn
    }

    /// Returns true if the box was on the screen with all its lines: nothing scrolls.
    pub fn is_whole(self) -> bool {
        self.whole
    }

    /// Draws the box, as high as its lines; returns the area inside its border.
    pub fn draw(self, sheet: &Sheet<'_>, on: &mut Surface<'_>, area: Rect) -> Rect {
        let theme = on.context.theme;
        let lines = &sheet.lines;
        let foot = if sheet.foot { 2 } else { 0 };
        let height = u16::try_from(lines.len() + 2 + usize::from(foot))
            .unwrap_or(u16::MAX)
            .min(area.height);
        let height_of_lines = height.saturating_sub(2 + foot);
        let room = usize::from(height_of_lines);
        let last = lines.len().saturating_sub(room);
        let here = sheet.cursor.as_ref();
        let follow = here.map_or(0, |here| here.end.saturating_sub(room).min(here.start));
        let top = self.top.max(follow).min(last);
        let place = if sheet.foot || last == 0 {
            String::new()
        } else {
            format!("{}-{} of {}", top + 1, top + room, lines.len())
        };
        let size = (sheet.columns, height);
        let inside = frame::popup(on, area, size, sheet.title, &place);
        on.layout.boxes.push(BoxDrawn {
            of: sheet.of,
            len: lines.len(),
            height: height_of_lines,
        });
        let indent = || Span::raw(" ".repeat(sheet.indent));
        let rows = frame::split(inside, height_of_lines).0;
        let seen = lines.iter().skip(top).cloned().map(|mut line| {
            line.spans.insert(0, indent());
            line
        });
        frame::lines(on.buffer, rows, seen);
        if let Some(row) = here.and_then(|here| here.start.checked_sub(top)) {
            frame::cursor(on.buffer, rows, row as u16, true, theme);
        }
        let hidden = lines.len().saturating_sub(top + room);
        if sheet.foot && hidden > 0 {
            let more = Span::styled(format!("↓ {} more", text::thousands(hidden)), theme.muted());
            let above = inside.height.saturating_sub(2);
            frame::line(on.buffer, inside, above, vec![indent(), more]);
        }
        inside
    }
}

impl Scrolled for TextBox {
    fn drawn(&mut self, drawn: &BoxDrawn) -> bool {
        let last = drawn.len.saturating_sub(usize::from(drawn.height));
        self.top = self.top.min(last);
        self.drawn = true;
        let before = std::mem::replace(&mut self.whole, last == 0);
        self.whole != before
    }
}
