//! Cells of a run in a list of runs.

use std::iter;

use ratatui::style::Style;
use ratatui::text::Span;

use crate::domain::columns::{Columns, Room};
use crate::domain::fields::{CREATED_BY, EDITED_BY, Field, Holds};
use crate::domain::{ResultCode, RunRow};
use crate::ui::{Cell, Context, Table, bar, counts, fields, text};

/// Returns the cells that the longest of these ids needs: no visible id is cut.
pub fn id_width<'a>(ids: impl Iterator<Item = &'a str>) -> usize {
    ids.map(text::width).fold(5, usize::max).min(14)
}

/// Returns a function for the row of a run with its sign, dimmed or not, as the table has room; figures stand below each
/// other in the rows of these runs.
pub fn row<'a>(
    context: Context<'a>,
    columns: &Columns,
    (table, room): (&'a Table, &'a Room),
    runs: &[RunRow],
) -> impl Fn(&RunRow, &'static str, bool) -> Vec<Span<'a>> {
    // Shown columns; `None` in the places of the others.
    let shown = (1..).zip(columns.iter());
    let shown = shown.map(|(place, column)| (table.width(place) > 0).then_some(column.field));
    let shown: Vec<Option<&Field>> = shown.collect();
    let places = (1..).zip(&shown).map(|(place, field)| match field {
        Some(
            field @ Field {
                holds: Holds::Counts(codes),
                ..
            },
        ) => {
            let usual = table.width(place).saturating_sub(room.beside(field));
            room_of_number(context, runs, codes, (usual, table.width(place)))
        }
        _ => 0,
    });
    let places: Vec<usize> = places.collect();
    move |run, sign, is_dim| {
        let base = if is_dim || run.is_closed() {
            context.theme.closed()
        } else {
            context.theme.text()
        };
        let shared = &context.cx.shared;
        let done = shared.done_codes();
        let cell = |(place, field): (usize, Option<&'static Field>)| {
            let width = table.width(place);
            let Some(field) = field else {
                return Cell::text("", base);
            };
            let words = match field.holds {
                Holds::Results => {
                    let results = run.results.as_ref();
                    let bar = results.map(|results| bar::spans(results, width, context.theme));
                    return Cell::Spans(bar.unwrap_or_default());
                }
                Holds::Counts(codes) => {
                    let (more, style) = more(context, run, codes);
                    let styles = [base, style];
                    let number = number(run, codes);
                    return counts::with_more(&number, more, places[place - 1], width, styles);
                }
                // What is left is of open runs.
                Holds::Sum(_) if run.is_closed() && !room.all_closed => String::new(),
                Holds::Sum(of) => counts::number_within(run.sums(done).map(of), width),
                Holds::Texts(of) => match of(run) {
                    [] => "-".to_owned(),
                    [one] => shared.person(one).to_owned(),
                    [first, others @ ..] => {
                        let others = format!(" +{}", others.len());
                        let room = width.saturating_sub(text::width(&others));
                        format!("{}{others}", text::fit(shared.person(first), room))
                    }
                },
                Holds::Time(text, at) => match (at(run), text(run)) {
                    (Some(at), _) => context.now.short(at),
                    (None, Some(text)) => fields::short_time(text, context.now),
                    (None, None) => "-".into(),
                },
                Holds::Text(of) if [EDITED_BY.name, CREATED_BY.name].contains(&field.name) => {
                    let name = of(run).as_deref();
                    name.map_or("-", |name| shared.person(name)).to_owned()
                }
                _ => field.words(run, done),
            };
            Cell::text(words, base)
        };
        let sign = Cell::text(sign, context.theme.accent());
        table.row(iter::once(sign).chain((1..).zip(shown.iter().copied()).map(cell)))
    }
}

/// Returns the columns of a number before its increase: the longest increase of these runs stands behind it, unless the
/// longest number needs its room.
fn room_of_number(
    context: Context<'_>,
    runs: &[RunRow],
    codes: &[ResultCode],
    (usual, width): (usize, usize),
) -> usize {
    let longest = runs.iter().filter_map(|run| more(context, run, codes).0);
    let longest = longest
        .filter(|more| *more > 0)
        .max()
        .map_or(0, |more| format!(" +{more}").len());
    let least = text::widest(runs.iter().map(|run| number(run, codes)));
    usual.min(width.saturating_sub(longest).max(least))
}

/// Returns the number of cases with some results.
pub fn number(run: &RunRow, codes: &[ResultCode]) -> String {
    counts::number(run.results.as_ref().and_then(|it| it.exact(codes)))
}

/// Returns its increase since the earlier reading, and the style of that.
fn more(context: Context<'_>, run: &RunRow, codes: &[ResultCode]) -> (Option<u64>, Style) {
    let earlier = &context.cx.shared.earlier;
    if codes.contains(&ResultCode::FailedNew) {
        (earlier.more_failed(run), context.theme.bad())
    } else {
        (earlier.more_blocked(run), context.theme.warn())
    }
}
