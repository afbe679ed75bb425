//! The runs list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{FULLTEXT_FROM, InForce, Runs};
use super::{feed, preview};
use crate::domain::fields::{BY_IMPORTANCE, Field, Holds, LIST, Width, sort_heading};
use crate::domain::{RunRow, RunsOperation, Status};
use crate::store::in_flight::Slot;
use crate::ui::layout::Layout;
use crate::ui::{Context, bar, changes, fields, frame, text};

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
pub fn draw(
    context: Context<'_>,
    runs: &Runs,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let fits = area.height >= PREVIEW + 6;
    let preview = runs.preview.unwrap_or(area.height >= ROOM_FOR_PREVIEW) && fits;
    let below = if preview { PREVIEW } else { 0 };
    let list = Rect {
        height: area.height - below,
        ..area
    };
    let inside = frame::pane(
        buffer,
        list,
        &title(runs),
        &source(context, runs),
        context.theme,
        !preview,
    );
    let columns = columns(context, runs, inside.width);
    heading(context, inside, buffer, &columns);
    let rows = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(1),
        ..inside
    };
    layout.rows = Some(rows.height);
    layout.preview = preview;
    layout.list = Some((rows, runs.scroll().top));
    self::rows(context, runs, rows, buffer, &columns);
    if preview {
        let pane = Rect {
            y: list.bottom(),
            height: below,
            ..area
        };
        // From the first change on: until then the place is better used.
        let told = area.width >= ROOM_FOR_FEED && !context.cx.shared.feed.entries.is_empty();
        let beside = if told { area.width / 2 } else { 0 };
        preview::draw(
            context,
            runs.current(),
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
                layout,
            );
            return;
        }
    }
    if context.cx.shared.feed.open {
        feed::pane(context, area, buffer, layout);
    }
}

fn title(runs: &Runs) -> String {
    let window = runs.window();
    match (runs.in_force(), window.full_size()) {
        (_, None) => "Runs".into(),
        (InForce::Local, Some(size)) => {
            format!(
                "Runs: {} match of {} loaded, {size} in all",
                runs.len().unwrap_or(0),
                window.loaded()
            )
        }
        (_, Some(size)) => format!("Runs {} of {size} loaded", window.loaded()),
    }
}

/// Where the rows come from; where they are old, that.
fn source(context: Context<'_>, runs: &Runs) -> String {
    let window = runs.window();
    if let (Some(_), Some(at)) = (&window.failure, window.read_at()) {
        return format!("OLD: read {}, then failed", context.now.clock(at));
    }
    match runs.operation {
        Some(RunsOperation::ListTestRuns) => "LIST_TEST_RUNS (deprecated)".into(),
        Some(RunsOperation::ListDocuments) => {
            "LIST_DOCUMENTS: no suites, progress, results, left".into()
        }
        None => String::new(),
    }
}

/// The columns that are shown, with their headings and widths: as many as fit beside a title that can be read.
fn columns(context: Context<'_>, runs: &Runs, width: u16) -> Vec<Shown> {
    let gone = runs.operation == Some(RunsOperation::ListDocuments);
    let nothing_new = context.cx.shared.feed.entries.is_empty();
    let wanted = |field: &&Field| match field.holds {
        _ if runs.hidden.contains(field.name) => false,
        // As the pane of changes.
        Holds::Changes => !nothing_new,
        _ => !(gone && field.counted),
    };
    let least = |width_of: Width| match width_of {
        Width::Cells(cells) => cells,
        Width::Ids => id_width(runs),
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
fn id_width(runs: &Runs) -> usize {
    let scroll = runs.scroll();
    let ids =
        (scroll.top..scroll.top + scroll.height).filter_map(|index| runs.row(index)?.id.as_ref());
    ids.map(|id| text::width(id))
        .max()
        .unwrap_or(5)
        .clamp(5, 14)
}

fn heading(context: Context<'_>, area: Rect, buffer: &mut Buffer, columns: &[Shown]) {
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    for column in columns {
        let cell = column.fitted(column.heading);
        spans.push(Span::styled(cell, context.theme.accent()));
        spans.push(Span::raw(" "));
    }
    frame::line(buffer, area, 0, spans);
}

fn rows(context: Context<'_>, runs: &Runs, area: Rect, buffer: &mut Buffer, columns: &[Shown]) {
    let scroll = runs.scroll();
    let Some(len) = runs.len() else {
        return waiting(context, runs, area, buffer);
    };
    if len == 0 {
        let words = match runs.in_force() {
            InForce::Nothing if runs.chosen.is_empty() => "The service has no test runs here.",
            InForce::Local => {
                "None of the loaded runs matches. Enter asks the service; Esc closes the box."
            }
            _ => "No test run matches. Esc takes the filter away, f the facets.",
        };
        frame::line(
            buffer,
            area,
            0,
            vec![Span::styled(format!(" {words}"), context.theme.warn())],
        );
        return;
    }
    let marks = &runs.marks;
    let range = marks
        .anchor
        .as_ref()
        .and_then(|begun| runs.range_from(begun));
    for row in 0..area.height {
        let index = scroll.top + u64::from(row);
        if index >= len {
            break;
        }
        match runs.row(index) {
            Some(run) => {
                frame::line(buffer, area, row, cells(context, run, columns));
                let mark = if marks.has(&run.doc_ref) { "*" } else { " " };
                buffer[(area.x + 1, area.y + row)]
                    .set_symbol(mark)
                    .set_style(context.theme.accent());
            }
            None => {
                let why = if runs.window().failure.is_some() {
                    "not read: r tries again"
                } else {
                    "…"
                };
                let words = format!(" row {} {why}", index + 1);
                frame::line(
                    buffer,
                    area,
                    row,
                    vec![Span::styled(words, context.theme.muted())],
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
                context.theme.accent(),
            );
        }
        if index == scroll.cursor {
            let line = Rect {
                y: area.y + row,
                height: 1,
                ..area
            };
            buffer.set_style(line, context.theme.cursor());
            buffer[(line.x, line.y)].set_symbol(">");
        }
    }
}

/// Before the first answer: rows that say that they are not here yet, or why nothing comes.
fn waiting(context: Context<'_>, runs: &Runs, area: Rect, buffer: &mut Buffer) {
    if let Some(failure) = &runs.window().failure {
        for (place, line) in fields::failure(failure, usize::from(area.width) - 2)
            .into_iter()
            .enumerate()
        {
            let style = if place == 0 {
                context.theme.bad()
            } else {
                context.theme.text()
            };
            frame::line(
                buffer,
                area,
                place as u16,
                vec![Span::styled(format!(" {line}"), style)],
            );
        }
        let again = if context.cx.under_way(&Slot::RetryPause) {
            "It is tried again by itself; r does it now."
        } else {
            "r tries again."
        };
        frame::line(
            buffer,
            area,
            area.height - 1,
            vec![Span::styled(format!(" {again}"), context.theme.warn())],
        );
        return;
    }
    for row in 0..area.height {
        frame::line(
            buffer,
            area,
            row,
            vec![Span::styled(" …", context.theme.muted())],
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
    let base = if closed { theme.muted() } else { theme.text() };
    let sums = run.sums(context.cx.shared.done_codes());
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    for column in columns {
        let width = column.width;
        match column.field.holds {
            Holds::Changes => spans.push(changes::change(context, run, width)),
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

/// Which filter is in force, in words.
pub fn in_force(runs: &Runs) -> String {
    let local = || {
        format!(
            "local: {} of {} loaded",
            runs.len().unwrap_or(0),
            runs.all.loaded()
        )
    };
    match runs.in_force() {
        InForce::Nothing => "words to filter by".into(),
        InForce::Service => format!("service fulltext: {} found", runs.len().unwrap_or(0)),
        InForce::Local
            if runs
                .found
                .as_ref()
                .is_some_and(|found| found.failure.is_some()) =>
        {
            format!("{}; the service failed", local())
        }
        InForce::Local if runs.asks_service() => format!("{}; asking the service", local()),
        InForce::Local => format!("{}; the service from {FULLTEXT_FROM} letters", local()),
    }
}

/// What is shown, filtered and sorted.
pub fn status(context: Context<'_>, runs: &Runs) -> String {
    let mut parts = Vec::new();
    if let Some(len) = runs.len() {
        let row = if len == 0 {
            0
        } else {
            runs.scroll().cursor + 1
        };
        parts.push(format!("row {row} of {len}"));
    } else if runs.window().failure.is_some() {
        parts.push("nothing could be read".into());
    } else if context.cx.shared.signed_in.is_some() {
        parts.push("reading the first page".into());
    } else {
        parts.push(context.starting.to_owned());
    }
    if let Some(view) = runs.view() {
        parts.push(format!("view {:?}", view.name));
    }
    if runs.in_force() != InForce::Nothing {
        parts.push(format!(
            "filter \"{}\" ({})",
            runs.text.text(),
            in_force(runs)
        ));
    }
    if !runs.marks.is_empty() {
        parts.push(format!("{} marked", runs.marks.len()));
    }
    match context.cx.shared.feed.unread_runs() {
        0 => {}
        number => parts.push(format!("{number} changed")),
    }
    if runs.marks.anchor.is_some() {
        parts.push("range open: v ends it".into());
    }
    for (path, value) in &runs.chosen {
        parts.push(format!(
            "{}={value}",
            path.rsplit('.').next().unwrap_or(path)
        ));
    }
    match runs.window().sort.first() {
        Some(sort) => {
            parts.push(format!(
                "sort {}{}",
                sort_heading(&sort.path),
                if sort.descending { " desc" } else { "" }
            ));
        }
        None => parts.push("sort of the service".into()),
    }
    if let Some(limit) = runs.window().clamped {
        parts.push(format!("the service gives {limit} rows a page"));
    }
    parts.join("  ")
}
