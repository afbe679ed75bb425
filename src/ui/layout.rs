//! Results of drawing: heights that movements depend on, and places for clicks.

use ratatui::prelude::{Rect, Span};

use crate::store::{Action, Layer};

/// Heights of drawn parts, in rows; `None` if a part was not drawn and stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The terminal has no room for a frame.
    pub too_small: bool,
    /// Rows of the list of the screen on top.
    pub rows: Option<u16>,
    /// Number of all rows of that list.
    pub len: Option<usize>,
    /// Rows of the list that scrolls as one, with the place of its first row: the terminal can move them by itself.
    pub list: Option<(Rect, usize)>,
    /// Columns of the JSON of a run.
    pub width: Option<u16>,
    /// Not all tabs fit: some are behind "more…".
    pub more_tabs: bool,
    /// Columns of the board or the comparison without room.
    pub hidden: Vec<usize>,
    /// The preview pane was drawn with the list.
    pub preview: bool,
    /// Lines of the focused part of the detail screen.
    pub part: Option<u16>,
    /// Last possible first line of each part.
    pub last_tops: [Option<u16>; 5],
    /// Columns of a field of the form.
    pub form: Option<u16>,
    /// Boxes that were drawn.
    pub boxes: Vec<BoxDrawn>,
    /// Places for clicks with their actions, the top one last.
    pub clicks: Vec<(Rect, Action)>,
}

/// Size of the content of a box, and of its visible part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxDrawn {
    pub of: Layer,
    /// Number of lines or rows.
    pub len: usize,
    /// Number of those with room.
    pub height: u16,
}

/// Scrolled part of a box.
pub trait Scrolled {
    /// Takes the drawn size; true if a new drawing is needed.
    fn drawn(&mut self, drawn: &BoxDrawn) -> bool;
}

impl Layout {
    /// Sets the action of a click on an area.
    pub fn click(&mut self, area: Rect, action: Action) {
        self.clicks.push((area, action));
    }

    /// Sets the action of a click on a row of an area.
    pub fn click_row(&mut self, area: Rect, row: u16, action: Action) {
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        self.click(line.intersection(area), action);
    }

    /// Sets the rows of the screen's list: `len` in all, `top` is the first visible one.
    pub fn list_rows(&mut self, rows: Rect, top: usize, len: usize) {
        (self.rows, self.len) = (Some(rows.height), Some(len));
        self.list = Some((rows, top));
        let here = u16::try_from(len.saturating_sub(top)).unwrap_or(u16::MAX);
        let height = rows.height.min(here);
        self.click_rows(Rect { height, ..rows });
    }

    /// Lets a click on one of these rows put the cursor on it.
    pub fn click_rows(&mut self, rows: Rect) {
        for row in 0..rows.height {
            self.click_row(rows, row, Action::Point(row));
        }
    }

    /// Sets the action of a click on one of the spans of a line.
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

    /// Returns the area and action of a click there.
    pub fn at(&self, column: u16, row: u16) -> Option<&(Rect, Action)> {
        self.clicks
            .iter()
            .rev()
            .find(|(area, _)| area.contains((column, row).into()))
    }
}
