//! Drawing of the comparison: a column for each run or version, the difference of the last two, then suites that are only in some.

use super::Compare;
use crate::domain::compare::{
    ComparedRow, ComparedSuites, ComparedValues, Comparison, InSome, number_words, signed,
};
use crate::domain::cut_both;
use crate::screens::prelude::*;

/// Place of the first run or version among the columns.
const FIRST: usize = 2;
/// Widths of a label, of the longest label, of a narrow column and of the difference.
const LABEL: usize = 14;
const KIND: usize = 28;
const RUN: usize = 15;
const LAST_TWO: usize = 8;

/// A row of the comparison.
enum Row<'a> {
    Values(&'a ComparedRow),
    Suite(&'a InSome),
    /// Line of a note.
    Note(String),
}

impl Draw for Compare {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        let Some(comparison) = &self.comparison else {
            on.layout.rows = Some(area.height.max(1));
            let words = self.read.lacks().unwrap_or("Comparing…".into());
            return frame::words(on.buffer, area, &words, theme.muted());
        };
        let shown = shown(comparison, area.width.into());
        on.layout.hidden = (0..shown.start).collect();
        let labels = comparison.rows.iter().map(|row| text::width(&row.label));
        let label = labels.max().unwrap_or(0).clamp(LABEL, KIND);
        let mut columns = vec![Column::signs(), Column::plain(LABEL).up_to(label).behind(0)];
        let headings = shown.clone().map(|place| &*comparison.columns[place].name);
        let room = usize::from(area.width).saturating_sub(2 + label + 1 + LAST_TWO);
        let room = (room / shown.len().max(1)).saturating_sub(2);
        let widest = shown.clone().map(|place| {
            let cells = comparison.rows.iter();
            text::widest(cells.map(|row| cell(comparison, row, place)))
        });
        // Two in a narrow window have what the labels leave.
        let least = usize::from(area.width).saturating_sub(2 + LABEL + 1) / shown.len().max(1);
        let least = RUN.min(least.saturating_sub(2));
        let columns_of_runs = headings
            .zip(widest)
            .map(|(name, widest)| Column::new(name, widest.min(room).max(least), 1).behind(2));
        columns.extend(columns_of_runs);
        columns.push(Column::new(comparison.difference(), LAST_TWO, 2).numbers());
        let table = Table::lay_out(columns, area.width.into());
        table.draw_heading(on, area);
        let times = shown.clone().map(|place| {
            let words = comparison.columns[place].detail(|at| context.now.when(at));
            Cell::text(words, theme.muted())
        });
        let blank = || Cell::text("", theme.muted());
        let all = comparison.columns.len();
        let of_all = if shown.len() < all {
            format!("last {} of {all}", shown.len())
        } else {
            String::new()
        };
        let of_all = Cell::text(of_all, theme.warn());
        let cells = [blank(), of_all].into_iter().chain(times).chain([blank()]);
        frame::line(on.buffer, frame::below(area, 1), 0, table.row(cells));
        let area = frame::below(area, 2);
        let rows = rows(self, comparison, area.width.into(), context);
        let is_cut = rows.len() > usize::from(area.height);
        let (area, foot) = frame::split(area, area.height.saturating_sub(is_cut.into()));
        self.scroll.draw_list(
            rows.len(),
            |place| row(comparison, &rows[place], (&table, &shown), context),
            on,
            area,
        );
        let more = self.scroll.more(rows.len(), area.height.into());
        frame::line(
            on.buffer,
            foot,
            0,
            Span::styled(format!("  {more}"), theme.muted()),
        );
    }

    fn title(&self, project: &str) -> String {
        format!("{project} › Compare")
    }

    fn status(&self, context: Context<'_>) -> String {
        let Some(comparison) = &self.comparison else {
            return String::new();
        };
        let suites = comparison.columns.iter().filter_map(|column| {
            let at = column.suites_at?;
            Some(format!("{} {}", column.name, context.now.when(at)))
        });
        let suites = text::join(suites.collect::<Vec<_>>(), ", ");
        let parts = [
            no_room(comparison, self.hidden, &context.cx.shared),
            self.only_differing.then(|| "what differs".to_owned()),
            (!suites.is_empty()).then(|| format!("suites as of {suites}")),
        ];
        text::join(parts.into_iter().flatten(), "   ")
    }
}

/// Names the first columns, which have no room, and the keys that have all.
fn no_room(comparison: &Comparison, hidden: usize, shared: &Shared) -> Option<String> {
    let names = comparison.columns.iter().take(hidden);
    let names: Vec<&str> = names.map(|column| &*column.name).collect();
    let keys = [Action::Show(Layer::CopyMenu), Action::Export];
    let keys = keys
        .iter()
        .filter_map(|action| shared.key(Layer::Compare, action));
    let keys = text::join(keys, " or ");
    let has_all = if keys.is_empty() {
        keys
    } else {
        format!(": {keys} has all")
    };
    (hidden > 0).then(|| format!("No room for {}{has_all}", text::few(&names)))
}

/// Returns the indexes of the columns that fit: the last ones, two at least.
fn shown(comparison: &Comparison, width: usize) -> std::ops::Range<usize> {
    let room = width.saturating_sub(2 + LABEL + 1 + LAST_TWO) / (RUN + 2);
    let columns = comparison.columns.len();
    columns.saturating_sub(room.max(2))..columns
}

/// Returns what is compared, then the notes in lines.
fn rows<'a>(
    compare: &Compare,
    comparison: &'a Comparison,
    width: usize,
    context: Context<'_>,
) -> Vec<Row<'a>> {
    let values = comparison.rows(compare.only_differing);
    let mut rows: Vec<Row<'_>> = values.map(Row::Values).collect();
    if let ComparedSuites::InSome { suites, .. } = &comparison.suites {
        rows.extend(suites.iter().map(Row::Suite));
    }
    let is_unread = comparison.columns.iter().any(|column| column.is_unread);
    let first = match compare.gone(comparison) {
        0 if is_unread || comparison.differs() => None,
        0 => Some("No difference in what is known.".to_owned()),
        gone => Some(format!("{} not found any more.", text::count(gone, "run"))),
    };
    let (all, some) = (comparison.can_work_out(), comparison.to_work_out());
    let works_out = (all || !some.is_empty()).then(|| {
        let shows = Action::Show(Layer::Attached);
        let shared = &context.cx.shared;
        match all {
            _ if some.is_empty() => {
                shared.key_does(Layer::Runs, &shows, "on an open run works them out.")
            }
            true => shared.key_does(Layer::Compare, &shows, "works them out."),
            false => {
                let now = "works out those of open runs, as they stand now.";
                shared.key_does(Layer::Compare, &shows, now)
            }
        }
    });
    let notes = comparison.notes(|at| context.now.when(at));
    let hidden = &comparison.columns[..shown(comparison, width).start];
    let names = hidden
        .iter()
        .map(|it| it.full_name(|at| context.now.when(at)));
    let names = text::join(names, ", ");
    let hidden = (!hidden.is_empty())
        .then(|| format!("There is no room for {names}: a wider window or a copy has all."));
    let notes = hidden
        .into_iter()
        .chain(first)
        .chain(notes)
        .chain(works_out);
    let lines = notes.flat_map(|note| text::wrap(&note, width.saturating_sub(2), usize::MAX));
    rows.extend(lines.map(Row::Note));
    rows
}

/// Returns a value of a row; numbers and shares of a column end below each other.
fn cell(comparison: &Comparison, row: &ComparedRow, place: usize) -> String {
    let ComparedValues::Numbers(numbers) = &row.values else {
        return Comparison::cell(row, place);
    };
    let all = comparison.rows.iter().filter_map(|row| match &row.values {
        ComparedValues::Numbers(numbers) => Some(number_words(numbers[place])),
        ComparedValues::Texts(_) | ComparedValues::Known(_) => None,
    });
    let (all, shares): (Vec<_>, Vec<_>) = all.map(|[number, share]| (number, share)).unzip();
    let [number, share] = number_words(numbers[place]);
    let number = text::pad_left(&number, text::widest(all));
    match &*share {
        "" => number,
        share => format!("{number}  {}", text::pad_left(share, text::widest(shares))),
    }
}

fn row<'a>(
    comparison: &Comparison,
    row: &Row<'_>,
    (table, shown): (&Table, &std::ops::Range<usize>),
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let theme = context.theme;
    match row {
        Row::Values(row) => {
            let style = if row.differs() {
                theme.text()
            } else {
                theme.muted()
            };
            let mut cells: Vec<String> = shown
                .clone()
                .map(|place| cell(comparison, row, place))
                .collect();
            // Of two texts that do not fit the part is shown in which they differ.
            let widths = (FIRST..).map(|place| table.width(place));
            let is_cut = |(cell, width): (&String, usize)| text::width(cell) > width;
            if let (ComparedValues::Texts(_), [one, other]) = (&row.values, &cells[..])
                && one != other
                && cells.iter().zip(widths.clone()).any(is_cut)
            {
                let least = widths.take(2).min().unwrap_or(0);
                cells = cut_both([one, other], least.saturating_sub(2)).into();
            }
            let cells = cells.into_iter().map(|cell| Cell::text(cell, style));
            let more = row.last_two().map_or_else(String::new, signed);
            let first = [Cell::text("", style), Cell::text(row.label.clone(), style)];
            let last = [Cell::text(more, theme.accent())];
            table.row(first.into_iter().chain(cells).chain(last))
        }
        Row::Suite(suite) => {
            let place = comparison.place_words(suite, |at| context.now.when(at));
            let cases = suite.cases.map(|cases| text::count(cases, "case"));
            let cases = cases.map_or_else(String::new, |cases| format!("  {cases}"));
            vec![
                Span::styled(format!("    {}", text::pad(&place, LABEL)), theme.accent()),
                Span::styled(format!("  {}", text::cells(&suite.name)), theme.text()),
                Span::styled(cases, theme.muted()),
            ]
        }
        Row::Note(line) => vec![Span::styled(format!("  {line}"), theme.muted())],
    }
}
