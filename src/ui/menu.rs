//! Box of rows to choose from: the search words above them, the row under the cursor in full below.

use ratatui::prelude::{Line, Rect, Span};

use crate::store::{Action, Command, Layer};
use crate::ui::layout::BoxDrawn;
use crate::ui::{Cell, Column, Input, Scroll, Surface, Table, frame, text};

/// Minimum number of rows beside lines above them.
const LEAST: u16 = 3;

/// Columns of a box to tick, with those beside it.
const TICK: u16 = 5;

/// Content of a box of rows.
pub struct Menu<'a> {
    pub of: Layer,
    pub title: &'a str,
    pub columns: u16,
    /// Number of rows.
    pub len: usize,
    /// Words at the right of the title, if there is room.
    pub right: &'a str,
    /// The rows begin with a box to tick, which a click does.
    pub ticks: bool,
    pub tall: Tall,
    /// Search field with its sign.
    pub search: Option<(&'static str, &'a Input)>,
    /// Lines above the rows.
    pub above: Vec<Line<'a>>,
    /// Line in place of the rows if there are none.
    pub none: Option<Line<'a>>,
    /// The row under the cursor in full, and the minimum of rows that the list keeps beside it.
    pub detail: (Vec<Line<'a>>, u16),
    /// The last line.
    pub foot: Option<Line<'a>>,
}

/// Height of a box of rows.
#[derive(Clone, Copy)]
pub enum Tall {
    /// As high as the screen.
    Screen,
    /// So many rows, whatever the number of rows in the list.
    Rows(u16),
    /// As high as its rows.
    Fits,
}

impl<'a> Menu<'a> {
    /// Creates a box of so many columns with its border, as high as its rows.
    pub fn new(of: Layer, title: &'a str, columns: u16, len: usize) -> Self {
        Self {
            of,
            title,
            columns,
            len,
            right: "",
            ticks: false,
            tall: Tall::Fits,
            search: None,
            above: Vec::new(),
            none: None,
            detail: (Vec::new(), 0),
            foot: None,
        }
    }

    /// Columns of a row.
    pub fn width(&self) -> usize {
        usize::from(self.columns).saturating_sub(2)
    }

    /// Draws the box with the visible rows; `row` returns the line of one. Returns their place.
    pub fn draw<'b>(
        mut self,
        scroll: &Scroll,
        row: impl Fn(usize) -> Vec<Span<'b>>,
        on: &mut Surface<'_>,
        area: Rect,
    ) -> Rect {
        let theme = on.context.theme;
        let first = u16::from(self.search.is_some());
        let foot = u16::from(self.foot.is_some());
        let room = area.height.saturating_sub(2 + first + foot);
        let most = usize::from(room.saturating_sub(LEAST));
        if self.above.len() > most {
            self.above.truncate(most);
            if let Some(last) = self.above.last_mut() {
                last.push_span(Span::styled(" …", theme.muted()));
            }
        }
        let above = first + self.above.len() as u16;
        let room = area.height.saturating_sub(2 + above + foot);
        let (mut whole, keep) = self.detail;
        let below = match whole.len() as u16 {
            0 => 0,
            lines => (lines + 1).min(room.saturating_sub(keep)),
        };
        let most = room.saturating_sub(below).max(1);
        let rows = match self.tall {
            Tall::Screen => most,
            Tall::Rows(rows) => rows.min(most),
            Tall::Fits => self.len.clamp(1, most.into()) as u16,
        };
        let size = (self.columns, 2 + above + rows + below + foot);
        let seen = scroll.top + usize::from(rows);
        let right = match (self.len.saturating_sub(seen), self.tall) {
            (more @ 1.., _) if self.right.is_empty() => format!("↓ {more} more"),
            (more @ 1.., Tall::Screen | Tall::Fits) => format!("↓ {more} more, {}", self.right),
            _ => self.right.to_owned(),
        };
        let inside = frame::popup(on, area, size, self.title, &right);
        if let Some((sign, input)) = self.search {
            frame::search(on.buffer, inside, sign, input, theme);
        }
        frame::lines(on.buffer, frame::below(inside, first), self.above);
        let list = frame::split(frame::below(inside, above), rows).0;
        on.layout.boxes.push(BoxDrawn {
            of: self.of,
            len: self.len,
            height: list.height,
        });
        if self.len > 0 {
            on.layout.click_rows(list);
            let ticks = self.len.saturating_sub(scroll.top);
            let ticks = list.height.min(u16::try_from(ticks).unwrap_or(u16::MAX));
            let place = Rect {
                width: TICK,
                ..list
            };
            for row in (0..ticks).filter(|_| self.ticks) {
                on.layout.click_row(place, row, Action::PointCell(row, 0));
            }
        } else if let Some(none) = self.none {
            frame::line(on.buffer, list, 0, none);
        }
        scroll.draw(self.len, row, on, list);
        let shown = usize::from(below.saturating_sub(1));
        let hidden = whole.len().saturating_sub(shown);
        whole.truncate(shown);
        if hidden > 0
            && let Some(last) = whole.last_mut()
        {
            *last = frame::said(&format!("↓ {} more", hidden + 1), theme.muted());
        }
        let place = frame::below(inside, above + list.height + 1);
        frame::lines(on.buffer, place, whole);
        if let Some(foot) = self.foot {
            frame::line(on.buffer, inside, inside.height.saturating_sub(1), foot);
        }
        list
    }
}

/// Row of a box in which a letter or a click chooses at once: its key, its name, and words beside it.
pub type Lettered<'a> = (&'a Command, String, String);

/// Handles a key of such a box: Enter is the action of the row under the cursor. Returns the action to carry out.
pub fn choose(scroll: &mut Scroll, action: Action, rows: &[Lettered<'_>]) -> Option<Action> {
    match action {
        Action::Open => rows.get(scroll.cursor).map(|row| row.0.action.clone()),
        action => (!scroll.update(&action, rows.len())).then_some(action),
    }
}

/// Draws such a box.
pub fn letters(
    menu: Menu<'_>,
    scroll: &Scroll,
    rows: &[Lettered<'_>],
    on: &mut Surface<'_>,
    area: Rect,
) {
    let theme = on.context.theme;
    let menu = Menu {
        columns: menu.columns.min(area.width),
        ..menu
    };
    let key = |(command, ..): &Lettered<'_>| text::width(command.keys.first()?).into();
    let keys = rows.iter().filter_map(key).max().unwrap_or(0);
    let columns = vec![
        Column::plain(3.max(keys + 1)),
        Column::plain(18).behind(0),
        Column::fill().behind(2),
    ];
    let table = Table::lay_out(columns, menu.width().saturating_sub(1));
    let row = |place: usize| {
        let (command, words, beside) = &rows[place];
        table.row([
            Cell::text(
                command.keys.first().map_or("", String::as_str),
                theme.accent(),
            ),
            Cell::Spans(vec![Span::styled(words, theme.text())]),
            Cell::text(beside, theme.muted()),
        ])
    };
    let place = menu.draw(scroll, row, on, area);
    for (line, (command, ..)) in (0..place.height).zip(rows.iter().skip(scroll.top)) {
        on.layout.click_row(place, line, command.action.clone());
    }
}
