//! The runs list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{Context, Drawn, bar, feed, fields, preview, text, widgets};
use crate::domain::fields::{BY_IMPORTANCE, Field, Holds, LIST, Width};
use crate::domain::{RunRow, RunsOperation, Status};
use crate::screens::runs::InForce;
use crate::store::Store;

/// Rows of the preview pane with its frame.
const PREVIEW: u16 = 9;
/// Columns before the first one: the cursor and the mark.
const BEFORE: usize = 2;
/// Columns from which on the changes have a pane beside the preview.
const ROOM_FOR_FEED: u16 = 110;
/// Terminal rows from which on the preview is there without being asked for.
const ROOM_FOR_PREVIEW: u16 = 30;

/// A column as it is shown.
struct Shown {
    field: &'static Field,
    heading: &'static str,
    width: usize,
}

/// Draws the list and, where there is room, the preview.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let store = context.store;
    let fits = area.height >= PREVIEW + 6;
    let preview = store
        .screens
        .runs
        .preview
        .unwrap_or(area.height >= ROOM_FOR_PREVIEW)
        && fits;
    let below = if preview { PREVIEW } else { 0 };
    let list = Rect {
        height: area.height - below,
        ..area
    };
    let inside = widgets::frame(
        buffer,
        list,
        &title(store),
        &source(context),
        context.theme,
        !preview,
    );
    let columns = columns(store, inside.width);
    heading(context, inside, buffer, &columns);
    let rows = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(1),
        ..inside
    };
    drawn.laid.list = Some(rows.height);
    drawn.laid.preview = preview;
    drawn.list = Some((rows, store.screens.runs.scroll().top));
    self::rows(context, rows, buffer, &columns);
    if preview {
        let pane = Rect {
            y: list.bottom(),
            height: below,
            ..area
        };
        // From the first change on: until then the place is better used.
        let told = area.width >= ROOM_FOR_FEED && !store.cx.shared.feed.entries.is_empty();
        let beside = if told { area.width / 2 } else { 0 };
        preview::draw(
            context,
            Rect {
                width: area.width - beside,
                ..pane
            },
            buffer,
        );
        if beside > 0 {
            feed::pane(
                context,
                Rect {
                    x: pane.right() - beside,
                    width: beside,
                    ..pane
                },
                buffer,
                drawn,
            );
            return;
        }
    }
    if store.cx.shared.feed.open {
        feed::pane(context, area, buffer, drawn);
    }
}

fn title(store: &Store) -> String {
    let window = store.screens.runs.window();
    match (store.screens.runs.in_force(), window.full_size()) {
        (_, None) => "Runs".into(),
        (InForce::Local, Some(size)) => {
            format!(
                "Runs: {} match of {} loaded, {size} in all",
                store.screens.runs.len().unwrap_or(0),
                window.loaded()
            )
        }
        (_, Some(size)) => format!("Runs {} of {size} loaded", window.loaded()),
    }
}

/// Where the rows come from; where they are old, that.
fn source(context: Context<'_>) -> String {
    let window = context.store.screens.runs.window();
    if let (Some(_), Some(at)) = (&window.failure, window.read_at()) {
        return format!("OLD: read {}, then failed", context.now.clock(at));
    }
    match context.store.screens.runs.operation {
        Some(RunsOperation::ListTestRuns) => "LIST_TEST_RUNS (deprecated)".into(),
        Some(RunsOperation::ListDocuments) => {
            "LIST_DOCUMENTS: no suites, progress, results, left".into()
        }
        None => String::new(),
    }
}

/// The columns that are shown, with their headings and widths: as many as fit beside a title that can be read.
fn columns(store: &Store, width: u16) -> Vec<Shown> {
    let gone = store.screens.runs.operation == Some(RunsOperation::ListDocuments);
    let nothing_new = store.cx.shared.feed.entries.is_empty();
    let wanted = |field: &&Field| match field.holds {
        _ if store.screens.runs.hidden.contains(field.name) => false,
        // As the pane of changes.
        Holds::Changes => !nothing_new,
        _ => !(gone && field.counted),
    };
    let least = |width_of: Width| match width_of {
        Width::Cells(cells) => cells,
        Width::Ids => id_width(store),
        Width::Title => match width {
            ..60 => 12,
            60..100 if nothing_new => 26,
            60..100 => 22,
            _ => 36,
        },
    };
    let mut left = usize::from(width).saturating_sub(BEFORE);
    let mut taken = Vec::new();
    for field in BY_IMPORTANCE.into_iter().filter(wanted) {
        let Some(column) = field.column else { continue };
        let width = least(column.width);
        if width < left {
            left -= width + 1;
            taken.push(Shown {
                field,
                heading: column.heading,
                width,
            });
        }
    }
    // What is left over goes to the bar and the title.
    let mut to_bar = 0;
    for column in &mut taken {
        if let Holds::Results = column.field.holds {
            to_bar = (left / 3).min(20);
            column.width += to_bar;
        }
    }
    for column in &mut taken {
        if column
            .field
            .column
            .is_some_and(|it| it.width == Width::Title)
        {
            column.width += left - to_bar;
        }
    }
    taken.sort_by_key(|column| {
        LIST.iter()
            .position(|field| field.name == column.field.name)
    });
    taken
}

/// The short ids on the screen decide how wide their column is, so that none is cut.
fn id_width(store: &Store) -> usize {
    let scroll = store.screens.runs.scroll();
    let ids = (scroll.top..scroll.top + scroll.height)
        .filter_map(|index| store.screens.runs.row(index)?.id.as_ref());
    ids.map(|id| text::width(id))
        .max()
        .unwrap_or(5)
        .clamp(5, 14)
}

fn heading(context: Context<'_>, area: Rect, buffer: &mut Buffer, columns: &[Shown]) {
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    for column in columns {
        let cell = column.fitted(column.heading);
        spans.push(Span::styled(cell, context.theme.title()));
        spans.push(Span::raw(" "));
    }
    widgets::line(buffer, area, 0, spans);
}

fn rows(context: Context<'_>, area: Rect, buffer: &mut Buffer, columns: &[Shown]) {
    let store = context.store;
    let scroll = store.screens.runs.scroll();
    let Some(len) = store.screens.runs.len() else {
        return waiting(context, area, buffer);
    };
    if len == 0 {
        let words = match store.screens.runs.in_force() {
            InForce::Nothing if store.screens.runs.chosen.is_empty() => {
                "The service has no test runs here."
            }
            InForce::Local => {
                "None of the loaded runs matches. Enter asks the service; Esc closes the box."
            }
            _ => "No test run matches. Esc takes the filter away, f the facets.",
        };
        widgets::line(
            buffer,
            area,
            0,
            vec![Span::styled(format!(" {words}"), context.theme.warn())],
        );
        return;
    }
    let marks = &store.screens.runs.marks;
    let range = marks
        .anchor
        .as_ref()
        .and_then(|begun| store.screens.runs.range_from(begun));
    for row in 0..area.height {
        let index = scroll.top + u64::from(row);
        if index >= len {
            break;
        }
        match store.screens.runs.row(index) {
            Some(run) => {
                widgets::line(buffer, area, row, cells(context, run, columns));
                let mark = if marks.has(&run.doc_ref) { "*" } else { " " };
                buffer[(area.x + 1, area.y + row)]
                    .set_symbol(mark)
                    .set_style(context.theme.key());
            }
            None => {
                let why = if store.screens.runs.window().failure.is_some() {
                    "not read: r tries again"
                } else {
                    "…"
                };
                let words = format!(" row {} {why}", index + 1);
                widgets::line(
                    buffer,
                    area,
                    row,
                    vec![Span::styled(words, context.theme.dim())],
                );
            }
        }
        if range.as_ref().is_some_and(|range| range.contains(&index)) {
            buffer.set_style(
                Rect {
                    y: area.y + row,
                    height: 1,
                    ..area
                },
                context.theme.key(),
            );
        }
        if index == scroll.cursor {
            let line = Rect {
                y: area.y + row,
                height: 1,
                ..area
            };
            buffer.set_style(line, context.theme.selected());
            buffer[(line.x, line.y)].set_symbol(">");
        }
    }
}

/// Before the first answer: rows that say that they are not here yet, or why nothing comes.
fn waiting(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    if let Some(failure) = &context.store.screens.runs.window().failure {
        for (place, line) in fields::failure(failure, usize::from(area.width) - 2)
            .into_iter()
            .enumerate()
        {
            let style = if place == 0 {
                context.theme.bad()
            } else {
                context.theme.text()
            };
            widgets::line(
                buffer,
                area,
                place as u16,
                vec![Span::styled(format!(" {line}"), style)],
            );
        }
        let again = if context.store.tries_again() {
            "It is tried again by itself; r does it now."
        } else {
            "r tries again."
        };
        widgets::line(
            buffer,
            area,
            area.height - 1,
            vec![Span::styled(format!(" {again}"), context.theme.warn())],
        );
        return;
    }
    for row in 0..area.height {
        widgets::line(
            buffer,
            area,
            row,
            vec![Span::styled(" …", context.theme.dim())],
        );
    }
}

impl Shown {
    /// The text as wide as the column, numbers to the right.
    fn fitted(&self, words: &str) -> String {
        if self.field.is_number() {
            text::pad_left(words, self.width)
        } else {
            text::pad(words, self.width)
        }
    }
}

fn cells<'a>(context: Context<'_>, run: &RunRow, columns: &[Shown]) -> Vec<Span<'a>> {
    let theme = context.theme;
    let closed = run.status == Status::Inactive;
    let base = if closed { theme.dim() } else { theme.text() };
    let sums = run.sums(context.store.cx.shared.done_codes());
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    for column in columns {
        let width = column.width;
        match column.field.holds {
            Holds::Changes => spans.push(feed::change(context, run, width)),
            Holds::Results => {
                let counts = run.results.as_ref();
                let bar = counts.map(|counts| bar::spans(counts, width, theme));
                let bar = bar.unwrap_or_default();
                let used: usize = bar.iter().map(Span::width).sum();
                spans.extend(bar);
                spans.push(Span::styled(" ".repeat(width - used), Style::new()));
            }
            holds => {
                let words = match holds {
                    Holds::Time(of) => of(run)
                        .as_ref()
                        .map(|at| fields::short_time(at, context.now)),
                    _ => None,
                };
                let words = words.unwrap_or_else(|| column.field.words(run, sums));
                let style = match holds {
                    Holds::Status if closed => theme.warn(),
                    _ => base,
                };
                spans.push(Span::styled(column.fitted(&words), style));
            }
        }
        spans.push(Span::raw(" "));
    }
    spans
}
