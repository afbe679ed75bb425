//! What drawing found out: heights that movements depend on.

use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::store::message::Action;

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
    /// The preview pane was drawn with the list.
    pub preview: bool,
    /// Lines of the focused part of the detail screen.
    pub part: Option<u16>,
    /// Last possible first line of each part.
    pub last_tops: [Option<u16>; 5],
    /// Columns of a field of the form.
    pub form: Option<u16>,
    /// Last possible first line of a review.
    pub review: Option<u16>,
    /// Last possible first line of the explanation beside them.
    pub why: u16,
    /// Last possible first line of the box that deletes.
    pub delete: Option<u16>,
    /// Last possible first line of the preview of a write.
    pub confirm: Option<u16>,
    /// Last possible first line of a suite in full.
    pub suite: Option<u16>,
    /// Lines of the journal.
    pub journal: Option<u16>,
    /// Entries of the picker.
    pub picker: Option<u16>,
    /// Entries of the error list.
    pub errors: Option<u16>,
    /// Rows of the help.
    pub help: Option<u16>,
    /// Lines of the feed.
    pub feed: Option<u16>,
    /// Where a click asks for something, what lies on top last.
    pub clicks: Vec<(Rect, Action)>,
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
        let here = |(area, _): &&(Rect, Action)| area.contains((column, row).into());
        self.clicks.iter().rev().find(here)
    }
}
