//! What was found out by drawing: heights that movements depend on, and places to click on.

use ratatui::prelude::{Rect, Span};

use crate::store::{Action, Layer};

/// Heights of what was drawn, in rows; `None` where something was not drawn and stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Rows of the list of the screen on top.
    pub rows: Option<u16>,
    /// The rows of the list that scrolls as a whole, with the place of its first row: what the terminal can move by
    /// itself.
    pub list: Option<(Rect, u64)>,
    /// Columns of the list.
    pub width: Option<u16>,
    /// Not all tabs fit: some stand behind "more…".
    pub more_tabs: bool,
    /// The preview pane was drawn with the list.
    pub preview: bool,
    /// Lines of the focused part of the detail screen.
    pub part: Option<u16>,
    /// Last possible first line of each part.
    pub last_tops: [Option<u16>; 5],
    /// Columns of a field of the form.
    pub form: Option<u16>,
    /// Last possible first line of the explanation beside them.
    pub why: (u16, u16),
    /// The boxes that were drawn.
    pub boxes: Vec<BoxDrawn>,
    /// Where a click asks for something, what lies on top last.
    pub clicks: Vec<(Rect, Action)>,
}

/// How much there is in a box, and how much of it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxDrawn {
    pub of: Layer,
    /// Lines or rows there are.
    pub len: usize,
    /// Those for which there is room.
    pub height: u16,
}

/// What is scrolled in a box.
pub trait Scrolled {
    /// Takes what was drawn; whether it must be drawn again.
    fn drawn(&mut self, drawn: &BoxDrawn) -> bool;
}

impl Layout {
    /// A click there asks for this.
    pub fn click(&mut self, area: Rect, action: Action) {
        self.clicks.push((area, action));
    }

    /// A click on a row of an area asks for this.
    pub fn click_row(&mut self, area: Rect, row: u16, action: Action) {
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        self.click(line.intersection(area), action);
    }

    /// The rows of the list of the screen: so many of them, from the first on the screen.
    pub fn list_rows(&mut self, rows: Rect, top: u64, len: u64) {
        self.rows = Some(rows.height);
        self.list = Some((rows, top));
        self.click_list(rows, top, len);
    }

    /// A click on one of the rows of a list puts the cursor on it.
    pub fn click_list(&mut self, rows: Rect, top: u64, len: u64) {
        let here = u16::try_from(len.saturating_sub(top)).unwrap_or(u16::MAX);
        let height = rows.height.min(here);
        self.click_rows(Rect { height, ..rows });
    }

    /// A click on one of these rows puts the cursor on it.
    pub fn click_rows(&mut self, rows: Rect) {
        for row in 0..rows.height {
            self.click_row(rows, row, Action::Point(row));
        }
    }

    /// A click on one of the spans of a line asks for this.
    pub fn click_span(&mut self, line: Rect, spans: &[Span<'_>], place: usize, action: Action) {
        let width = |spans: &[Span<'_>]| spans.iter().map(Span::width).sum::<usize>() as u16;
        let span = Rect {
            x: line.x.saturating_add(width(&spans[..place])),
            width: width(&spans[place..=place]),
            height: 1,
            ..line
        };
        self.click(span.intersection(line), action);
    }

    /// What a click there asks for.
    pub fn at(&self, column: u16, row: u16) -> Option<&(Rect, Action)> {
        self.clicks
            .iter()
            .rev()
            .find(|(area, _)| area.contains((column, row).into()))
    }
}
