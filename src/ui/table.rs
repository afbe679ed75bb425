//! Rows of columns: which of them have room, their widths, and the places of their cells.

use std::borrow::Cow;

use ratatui::prelude::{Rect, Span, Style};

use crate::domain::columns::{Columns, Room};
use crate::domain::fields::Holds;
use crate::store::{Action, Choice};
use crate::ui::{Surface, frame, text};

/// Column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    pub heading: String,
    /// Minimum width, in terminal cells; without that room it is left out.
    pub least: usize,
    /// Maximum width, in terminal cells.
    pub most: usize,
    /// Cells of the minimum that other columns take, once it has room.
    pub spare: usize,
    /// Columns of higher ranks are left out first.
    pub rank: usize,
    /// Right-aligned, for numbers.
    pub right: bool,
    /// Blanks before it.
    pub gap: usize,
    /// Some row has a value in it.
    pub used: bool,
    /// A click on its heading sorts by it.
    pub sorts: Option<Choice>,
}

impl Column {
    /// Creates a column of so many cells.
    pub fn new(heading: impl Into<String>, cells: usize, rank: usize) -> Self {
        Self {
            heading: heading.into(),
            least: cells,
            most: cells,
            spare: 0,
            rank,
            right: false,
            gap: 1,
            used: true,
            sorts: None,
        }
    }

    /// Creates a column without a heading.
    pub fn plain(cells: usize) -> Self {
        Self::new("", cells, 0)
    }

    /// Creates a column of unknown width: it takes what the others leave.
    pub fn fill() -> Self {
        Self::plain(1).up_to(usize::MAX)
    }

    /// Creates the column before each row, for cursor and sign.
    pub fn signs() -> Self {
        Self::plain(2).behind(0)
    }

    #[must_use]
    pub fn numbers(self) -> Self {
        Self {
            right: true,
            ..self
        }
    }

    /// Sets the maximum width.
    #[must_use]
    pub fn up_to(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Leaves the column out if it is empty in all rows.
    #[must_use]
    pub fn only_if(self, used: bool) -> Self {
        Self { used, ..self }
    }

    #[must_use]
    pub fn behind(self, gap: usize) -> Self {
        Self { gap, ..self }
    }

    #[must_use]
    pub fn sorted_by(self, choice: Choice) -> Self {
        let sorts = Some(choice);
        Self { sorts, ..self }
    }
}

/// Returns the sign of a row, after the cursor's cell: marked, in the open range, over a limit or late, changed and not
/// looked at.
pub fn sign(is: [bool; 4]) -> &'static str {
    is.into_iter()
        .zip([" *", " +", " !", " ●"])
        .find(|(is, _)| *is)
        .map_or("", |(_, sign)| sign)
}

/// Content of a column in a row.
pub enum Cell<'a> {
    Text(Cow<'a, str>, Style),
    /// Spans as they are, at most as wide as the column.
    Spans(Vec<Span<'a>>),
}

impl<'a> Cell<'a> {
    pub fn text(words: impl Into<Cow<'a, str>>, style: Style) -> Self {
        Self::Text(words.into(), style)
    }
}

/// Columns with their widths, in cells.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    /// 0 for a column that is left out.
    widths: Vec<usize>,
}

impl Table {
    /// Lays columns out in so much room: by rank each gets its minimum, then more up to its maximum. The remaining room
    /// goes to the first column that can grow.
    pub fn lay_out(columns: Vec<Column>, room: usize) -> Self {
        let mut by_rank: Vec<usize> = (0..columns.len()).collect();
        by_rank.sort_by_key(|place| columns[*place].rank);
        let mut widths = vec![0; columns.len()];
        let mut left = room;
        for place in &by_rank {
            let column = &columns[*place];
            let needs = column.gap + column.least;
            if column.used && needs <= left {
                left -= needs;
                widths[*place] = column.least;
            }
        }
        for (width, column) in widths
            .iter_mut()
            .zip(&columns)
            .filter(|(width, _)| **width > 0)
        {
            *width -= column.spare;
            left += column.spare;
        }
        for place in &by_rank {
            if widths[*place] > 0 {
                let more = left.min(columns[*place].most - columns[*place].least);
                widths[*place] += more;
                left -= more;
            }
        }
        let grows = |place: &&usize| columns[**place].most > columns[**place].least;
        if let Some(place) = by_rank
            .iter()
            .find(|place| grows(place) && widths[**place] > 0)
        {
            widths[*place] += left;
        }
        Self { columns, widths }
    }

    /// Returns the columns of the list of runs, after that of the signs.
    pub fn of_runs(columns: &Columns, room: &Room) -> Self {
        let columns = columns.iter().enumerate().map(|(place, column)| {
            let field = column.field;
            let counts = matches!(field.holds, Holds::Counts(_));
            let used = !room.empty.contains(&field.name);
            Column {
                right: field.is_number() && !counts,
                sorts: field.is_sorted().then_some(Choice::Sort(field.name)),
                gap: place.min(1),
                spare: column.spare(room),
                ..Column::new(column.heading(room), column.least(room), 1 + column.rank())
                    .up_to(column.most(room))
                    .only_if(used && column.is_wanted(room.without_results))
            }
        });
        let columns = std::iter::once(Column::signs()).chain(columns);
        Self::lay_out(columns.collect(), usize::from(room.width))
    }

    /// Returns the cells of a column; 0 if it is left out.
    pub fn width(&self, place: usize) -> usize {
        self.widths.get(place).copied().unwrap_or(0)
    }

    /// Sets another heading, if it has room.
    #[must_use]
    pub fn headed(mut self, place: usize, heading: &str) -> Self {
        if text::width(heading) <= self.width(place) {
            heading.clone_into(&mut self.columns[place].heading);
        }
        self
    }

    fn shown(&self) -> impl Iterator<Item = (&Column, usize)> {
        self.columns
            .iter()
            .zip(self.widths.iter().copied())
            .filter(|(_, width)| *width > 0)
    }

    /// Returns the line of headings.
    pub fn heading(&self) -> String {
        self.shown()
            .map(|(column, width)| {
                let gap = " ".repeat(column.gap);
                gap + &text::placed(&column.heading, width, column.right)
            })
            .collect()
    }

    /// Draws the headings; a click on one sorts by it.
    pub fn draw_heading(&self, on: &mut Surface<'_>, area: Rect) {
        let heading = Span::styled(self.heading(), on.context.theme.accent());
        frame::line(on.buffer, area, 0, heading);
        for (column, place) in self.places(area) {
            if let Some(choice) = column.sorts.clone() {
                let sorts = Action::Chosen(Box::new(choice));
                on.layout.click_row(place, 0, sorts);
            }
        }
    }

    /// Returns the columns that are shown with their places in an area.
    pub fn places(&self, area: Rect) -> impl Iterator<Item = (&Column, Rect)> {
        self.shown().scan(area.x, move |x, (column, width)| {
            let place = Rect {
                x: *x + column.gap as u16,
                width: width as u16,
                ..area
            };
            *x = place.right();
            Some((column, place.intersection(area)))
        })
    }

    /// Returns a row with these cells, one for each column.
    pub fn row<'a>(&self, cells: impl IntoIterator<Item = Cell<'a>>) -> Vec<Span<'a>> {
        let mut spans = Vec::new();
        let shown = self
            .columns
            .iter()
            .zip(&self.widths)
            .zip(cells)
            .filter(|((_, width), _)| **width > 0);
        for ((column, width), cell) in shown {
            spans.push(Span::raw(" ".repeat(column.gap)));
            match cell {
                Cell::Text(words, style) => {
                    let words = text::placed(&words, *width, column.right);
                    spans.push(Span::styled(words, style));
                }
                Cell::Spans(words) => {
                    let used: usize = words.iter().map(Span::width).sum();
                    spans.extend(words);
                    spans.push(Span::raw(" ".repeat(width.saturating_sub(used))));
                }
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suites() -> Vec<Column> {
        vec![
            Column::new("Id", 6, 0).behind(0),
            Column::new("Title", 20, 0).up_to(usize::MAX),
            Column::new("Cases", 5, 1).numbers().behind(2),
            Column::new("Edited", 11, 2).behind(2),
            Column::new("How", 14, 3).behind(2).up_to(40),
            Column::new("Account", 1, 0).only_if(false),
        ]
    }

    #[test]
    fn columns_give_way_by_their_ranks_and_what_is_left_goes_to_the_first_that_grows() {
        for (room, widths) in [
            (80, [6, 37, 5, 11, 14, 0]),
            (62, [6, 35, 5, 11, 0, 0]),
            (50, [6, 23, 5, 11, 0, 0]),
            // A narrower column has room that is too small for one of a better rank.
            (36, [6, 22, 5, 0, 0, 0]),
            (10, [6, 0, 0, 0, 0, 0]),
        ] {
            let table = Table::lay_out(suites(), room);
            assert_eq!(table.widths, widths, "{room}");
            if widths[1] > 0 {
                assert_eq!(text::width(&table.heading()), room);
            }
        }
    }

    #[test]
    fn no_column_is_narrower_than_it_must_be_and_none_is_behind_the_end() {
        for room in 0..250 {
            let table = Table::lay_out(suites(), room);
            let shown = table
                .columns
                .iter()
                .zip(&table.widths)
                .filter(|(_, width)| **width > 0);
            assert!(shown.clone().all(|(column, width)| *width >= column.least));
            let used: usize = shown.map(|(column, width)| column.gap + width).sum();
            assert!(used <= room, "{used} of {room}");
            // No title is cut beside blank columns.
            assert!(used == room || table.width(1) == 0, "{used} of {room}");
        }
    }

    #[test]
    fn cells_stand_below_their_headings() {
        let table = Table::lay_out(suites(), 50);
        let plain = Style::new();
        let cells = ["S_6", "Sign-in", "7", "yesterday", "free here", "42-A"];
        let row: String = table
            .row(cells.map(|words| Cell::text(words, plain)))
            .iter()
            .map(|span| span.content.as_ref())
            .collect();
        assert_eq!(
            [table.heading(), row],
            [
                "Id     Title                    Cases  Edited     ",
                "S_6    Sign-in                      7  yesterday  ",
            ]
        );
    }
}
