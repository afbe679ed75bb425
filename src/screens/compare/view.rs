//! Drawing of the comparison: a column for each run, the difference of the last two at the right, then suites that only
//! some have.

use super::{Compare, Row};
use crate::domain::compare::{Comparison, signed};
use crate::screens::prelude::*;

/// Cells of a label, a run, and the difference.
const LABEL: usize = 14;
const RUN: usize = 15;
const LAST_TWO: usize = 8;

pub fn draw(compare: &Compare, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let theme = context.theme;
    let Some(comparison) = &compare.comparison else {
        on.layout.rows = Some(area.height.max(1));
        let words = compare.read.lacks().unwrap_or("Comparing…".into());
        return frame::words(on.buffer, area, &words, theme.muted());
    };
    let shown = shown(comparison, area.width.into());
    let mut columns = vec![Column::signs(), Column::plain(LABEL).behind(0)];
    let headings = shown.clone().map(|place| comparison.runs[place].row.name());
    columns.extend(headings.map(|name| Column::new(name, RUN, 1).behind(2)));
    columns.push(Column::new("last two", LAST_TWO, 2).numbers());
    let table = Table::lay_out(columns, area.width.into());
    table.draw_heading(on, area);
    let times = shown.clone().map(|place| {
        let run = &comparison.runs[place];
        let words = run.at.map_or("now".to_owned(), |at| context.now.when(at));
        Cell::text(words, theme.muted())
    });
    let blank = || Cell::text("", theme.muted());
    let cells = [blank(), blank()].into_iter().chain(times).chain([blank()]);
    frame::line(on.buffer, frame::below(area, 1), 0, table.row(cells));
    let area = frame::below(area, 2);
    let rows = compare.rows();
    compare.scroll.draw_list(
        rows.len() as u64,
        |place| row(comparison, rows[place as usize], (&table, &shown), context),
        on,
        area,
    );
}

/// Indexes of the runs that fit: the last ones.
fn shown(comparison: &Comparison, width: usize) -> std::ops::Range<usize> {
    let room = width.saturating_sub(2 + LABEL + 1 + LAST_TWO) / (RUN + 2);
    let runs = comparison.runs.len();
    runs.saturating_sub(room.max(1))..runs
}

fn row<'a>(
    comparison: &Comparison,
    row: Row<'_>,
    (table, shown): (&Table, &std::ops::Range<usize>),
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let theme = context.theme;
    let when = |at| context.now.when(at);
    match row {
        Row::Values(row) => {
            let style = if row.differs() {
                theme.text()
            } else {
                theme.muted()
            };
            let cells = shown
                .clone()
                .map(|place| Cell::text(comparison.cell(row, place), style));
            let more = row.last_two().map_or_else(String::new, signed);
            let first = [Cell::text("", style), Cell::text(row.label, style)];
            let last = [Cell::text(more, theme.accent())];
            table.row(first.into_iter().chain(cells).chain(last))
        }
        Row::Suite(suite) => {
            let place = comparison.place_words(suite, when);
            let cases = suite.cases.map(|cases| text::count(cases, "case"));
            let cases = cases.map_or_else(String::new, |cases| format!("  {cases}"));
            vec![
                Span::styled(format!("    {}", text::pad(&place, LABEL)), theme.accent()),
                Span::styled(format!("  {}", text::cells(&suite.name)), theme.text()),
                Span::styled(cases, theme.muted()),
            ]
        }
        Row::Words => {
            let nothing = "No difference in what is known.";
            let nothing = (!comparison.differs()).then(|| nothing.to_owned());
            let words = [nothing, comparison.suites_words(when)];
            let words = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
            vec![Span::styled(
                format!("  {}", text::cells(&words)),
                theme.muted(),
            )]
        }
    }
}

/// Text of the status line: the restriction to differences, and the age of the suites.
pub fn status(compare: &Compare, context: Context<'_>) -> String {
    let Some(comparison) = &compare.comparison else {
        return String::new();
    };
    let suites = comparison.runs.iter().filter_map(|run| {
        let at = run.suites.as_ref()?.at;
        Some(format!("{} {}", run.row.name(), context.now.when(at)))
    });
    let suites = suites.collect::<Vec<_>>().join(", ");
    match (compare.only_differing, suites.as_str()) {
        (true, "") => "what differs".to_owned(),
        (false, "") => String::new(),
        (true, suites) => format!("what differs   suites as of {suites}"),
        (false, suites) => format!("suites as of {suites}"),
    }
}
