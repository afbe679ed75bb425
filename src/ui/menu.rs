//! A box of rows to choose from: the words they are narrowed by above them, the row under the cursor in full below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::store::key_table::Command;
use crate::store::layer::Layer;
use crate::ui::layout::{BoxDrawn, Layout};
use crate::ui::list::List;
use crate::ui::text_input::Input;
use crate::ui::theme::Theme;
use crate::ui::{frame, text};

/// What is drawn in a box of rows.
#[derive(Default)]
pub struct Menu<'a> {
    pub of: Option<Layer>,
    pub title: &'a str,
    /// Words at the right of the title, which give way.
    pub right: &'a str,
    pub size: (u16, Tall),
    /// The field that narrows the rows, behind its sign.
    pub search: Option<(&'static str, &'a Input)>,
    /// Lines above the rows.
    pub above: Vec<Line<'a>>,
    /// Rows there are.
    pub len: usize,
    /// What stands in place of the rows where there is none.
    pub none: Option<Line<'a>>,
    /// The row under the cursor in full, and the rows that the list keeps where that needs more room.
    pub whole: (Vec<Line<'a>>, u16),
    /// The last line.
    pub foot: Option<Line<'a>>,
}

/// How high a box of rows is.
#[derive(Clone, Copy, Default)]
pub enum Tall {
    /// As high as the screen.
    Screen,
    /// So many rows, however many of them there are.
    Rows(u16),
    /// As its rows.
    #[default]
    Fits,
}

impl Menu<'_> {
    /// Draws the box with the rows that are seen; `row` makes the line of one, of so many columns.
    pub fn draw<'b>(
        &self,
        list: &List,
        row: impl Fn(usize, usize) -> Vec<Span<'b>>,
        theme: Theme,
        area: Rect,
        buffer: &mut Buffer,
        layout: &mut Layout,
    ) -> Rect {
        let above = (usize::from(self.search.is_some()) + self.above.len()) as u16;
        let foot = u16::from(self.foot.is_some());
        let (columns, tall) = self.size;
        let room = area.height.saturating_sub(2 + above + foot);
        let (whole, keep) = &self.whole;
        let below = match whole.len() as u16 {
            0 => 0,
            lines => (lines + 1).min(room.saturating_sub(*keep)),
        };
        let most = room.saturating_sub(below).max(1);
        let wanted = u16::try_from(self.len).unwrap_or(u16::MAX).max(1);
        let rows = match tall {
            Tall::Screen => most,
            Tall::Rows(rows) => rows.min(most),
            Tall::Fits => wanted.min(most),
        };
        let size = (columns, 2 + above + rows + below + foot);
        let inside = frame::popup(buffer, area, size, self.title, self.right, theme);
        if let Some((sign, input)) = self.search {
            frame::search(buffer, inside, sign, input, theme);
        }
        let first = u16::from(self.search.is_some());
        for (place, line) in (first..).zip(&self.above) {
            put(buffer, inside, place, line);
        }
        let place = Rect {
            y: inside.y + above.min(inside.height),
            height: rows.min(inside.height.saturating_sub(above)),
            ..inside
        };
        layout.boxes.extend(self.of.map(|of| BoxDrawn {
            of,
            len: self.len,
            height: place.height,
        }));
        if self.len == 0 {
            if let Some(none) = &self.none {
                put(buffer, place, 0, none);
            }
        } else {
            layout.click_rows(place);
        }
        let line = |at: u64| row(at as usize, usize::from(place.width));
        let scroll = &list.scroll;
        scroll.draw(self.len as u64, line, theme, place, buffer);
        for (place, line) in (above + place.height + 1..).zip(whole) {
            put(buffer, inside, place, line);
        }
        if let Some(foot) = &self.foot {
            put(buffer, inside, inside.height.saturating_sub(1), foot);
        }
        inside
    }
}

fn put(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    if row < area.height {
        buffer.set_line(area.x, area.y + row, line, area.width);
    }
}

/// A line behind a blank.
pub fn line(words: &str, style: Style) -> Line<'static> {
    Line::from(Span::styled(format!(" {words}"), style))
}

/// The lines of a text, each behind a blank.
pub fn lines(words: &str, columns: usize, most: usize, style: Style) -> Vec<Line<'static>> {
    let lines = text::wrap(words, columns, most).into_iter();
    lines.map(|words| line(&words, style)).collect()
}

/// Draws a box of rows of which a letter chooses one at once, and so does a click.
pub fn letters(
    title: &str,
    columns: u16,
    rows: Vec<(&Command, Vec<Span<'_>>)>,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let size = (columns, rows.len() as u16 + 2);
    let inside = frame::popup(buffer, area, size, title, "", theme);
    for (row, (command, words)) in (0..).zip(rows) {
        let key = command.keys.first().map_or("", String::as_str);
        layout.click_row(inside, row, command.action.clone());
        let key = Span::styled(text::pad(key, 3), theme.accent());
        let spans = [Span::raw(" "), key].into_iter().chain(words);
        frame::line(buffer, inside, row, spans.collect());
    }
}
