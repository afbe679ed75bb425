//! The runs list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{FULLTEXT_FROM, InForce, Runs, preview};
use crate::domain::fields::{
    BY_IMPORTANCE, Field, Holds, LIST, STATUS, VERSION, Width, label, named,
};
use crate::domain::{Only, ResultCode, RunRow, RunsOperation, Status, Sums};
use crate::screens::changes;
use crate::store::in_flight::Slot;
use crate::ui::layout::Layout;
use crate::ui::{Context, bar, fields, frame, text};

/// Rows of the preview pane with its line.
const PREVIEW: u16 = 6;
/// Columns before the first one: the cursor, and the mark or that it has changed.
const BEFORE: usize = 2;
/// Terminal rows from which on the preview is there without being asked for.
const ROOM_FOR_PREVIEW: u16 = 30;
/// Columns of `+n` behind a number.
const MORE: usize = 3;

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
    let row = |y: u16| Rect {
        y: area.y + y,
        height: 1,
        ..area
    };
    tabs(context, runs, row(0), buffer, layout);
    let columns = columns(runs, area.width);
    heading(context, runs, row(1), buffer, &columns);
    let rows = Rect {
        y: area.y + 2,
        height: area.height.saturating_sub(2 + below),
        ..area
    };
    layout.rows = Some(rows.height);
    layout.preview = preview;
    layout.width = Some(area.width);
    layout.list = Some((rows, runs.scroll().top));
    self::rows(context, runs, rows, buffer, &columns);
    if preview {
        let pane = Rect {
            y: rows.bottom(),
            height: below,
            ..area
        };
        preview::draw(context, runs.current(), pane, buffer);
    }
    if context.cx.shared.feed.open {
        changes::pane(context, area, buffer, layout);
    }
}

fn tabs(context: Context<'_>, runs: &Runs, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let views = context.cx.shared.tabs();
    let chosen = views.iter().position(|view| view.name == runs.view.name);
    let titles = views.into_iter().map(|view| {
        // Without counts nobody knows of failures.
        if view.only == Some(Only::NewFailures) && without_results(runs) {
            return view.name;
        }
        match runs.counts.get(&view.name) {
            Some(count) => {
                let more = if count.or_more { "+" } else { "" };
                format!("{} {}{more}", view.name, text::thousands(count.runs))
            }
            None => view.name,
        }
    });
    let titles: Vec<String> = titles.collect();
    frame::tabs(buffer, area, &titles, chosen, context.theme, layout);
}

/// The service sends no counts.
fn without_results(runs: &Runs) -> bool {
    runs.operation == Some(RunsOperation::ListDocuments)
}

/// The columns that are shown, with their headings and widths: as many as fit beside a title that can be read.
fn columns(runs: &Runs, width: u16) -> Vec<Shown> {
    let gone = without_results(runs);
    let instead = |field: &Field| {
        gone && [STATUS.name, VERSION.name].contains(&field.name)
            && !runs.columns.contains_key(field.name)
    };
    let wanted =
        |field: &&Field| !(gone && field.counted) && (runs.shows(field.name) || instead(field));
    let least = |width_of: Width| match width_of {
        Width::Cells(cells) => cells,
        Width::Ids => id_width(runs),
        Width::Title => match width {
            ..60 => 12,
            60..100 => 18,
            _ => 34,
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
    // What is left over goes to the title, and where it has enough to the bar.
    let mut to_bar = 0;
    for column in &mut taken {
        if let Holds::Results = column.field.holds {
            to_bar = (left / 2).min(10).min(left.saturating_sub(6));
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

/// There is room for a column in the list as it was drawn last.
pub fn has_room_for(runs: &Runs, column: &str) -> bool {
    let shown = columns(runs, runs.width);
    !runs.shows(column) || shown.iter().any(|shown| shown.field.name == column)
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

fn heading(context: Context<'_>, runs: &Runs, area: Rect, buffer: &mut Buffer, columns: &[Shown]) {
    let sorted = runs.sorted_by();
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    for column in columns {
        let arrow = match sorted
            .filter(|now| now.field == column.field.name)
            .map(|now| now.ascending)
        {
            Some(true) => "↑",
            Some(false) => "↓",
            None => "",
        };
        let words = match column.field.holds {
            // Behind the number is room.
            Holds::Counts(_) => {
                let heading = text::pad_left(column.heading, column.width.saturating_sub(MORE));
                text::pad(&format!("{heading}{arrow}"), column.width)
            }
            _ if column.field.is_number() => column.fitted(&format!("{}{arrow}", column.heading)),
            _ => column.fitted(format!("{} {arrow}", column.heading).trim_end()),
        };
        spans.push(Span::styled(words, context.theme.accent()));
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
        let words = empty(context, runs);
        let lines = text::wrap(&words, usize::from(area.width).saturating_sub(2), 3);
        for (row, line) in (1..).zip(lines) {
            let line = Span::styled(format!("  {line}"), context.theme.text());
            frame::line(buffer, area, row, vec![line]);
        }
        return;
    }
    let marks = &runs.marks;
    let feed = &context.cx.shared.feed;
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
                let sign = if marks.has(&run.doc_ref) {
                    "*"
                } else if feed.is_unread(&run.doc_ref) {
                    "●"
                } else {
                    " "
                };
                buffer[(area.x + 1, area.y + row)]
                    .set_symbol(sign)
                    .set_style(context.theme.accent());
            }
            None => {
                let why = if runs.window().failure.is_some() {
                    "not read: r tries again"
                } else {
                    "…"
                };
                let words = format!("  row {} {why}", index + 1);
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
        frame::cursor(buffer, area, row, index == scroll.cursor, context.theme);
    }
}

/// What stands where no run is: why, and the next step.
fn empty(context: Context<'_>, runs: &Runs) -> String {
    let shared = &context.cx.shared;
    let narrowed = !runs.chosen.is_empty();
    let text = runs.text.text().trim();
    let size = runs.all.full_size().unwrap_or(0);
    let some_loaded = (runs.all.loaded() as u64) < size;
    match (runs.in_force(), runs.view.only) {
        (InForce::Service, _) => {
            format!("No run matches {text:?}. Esc shows all runs again.")
        }
        (InForce::Local, _) if !text.is_empty() && some_loaded && runs.view.only.is_none() => {
            format!(
                "None of the {} runs that are here matches {text:?}. Enter searches all {}; Esc shows them again.",
                text::thousands(runs.all.loaded() as u64),
                text::thousands(size)
            )
        }
        (InForce::Local, _) if !text.is_empty() => {
            format!("No run matches {text:?}. Esc shows all runs again.")
        }
        (_, Some(Only::NewFailures)) if !shared.earlier.any() && !shared.earlier.waits() => {
            "There is no earlier reading to compare with: from tomorrow on, new failures stand here.".into()
        }
        (_, Some(Only::NewFailures)) => "No new failures since yesterday.".into(),
        (_, Some(Only::Today)) => "No open run was changed today.".into(),
        (_, Some(Only::Mine)) => format!(
            "No open run has {} as tester, creator or last editor.",
            shared.user()
        ),
        _ if narrowed => format!("No runs with {}. f changes what is filtered by.", filtered(runs)),
        _ if runs.view.is("Open") => {
            "No open runs here. n makes a new one; 6 shows closed runs, too.".into()
        }
        _ => "No runs here. n makes a new one.".into(),
    }
}

/// What is filtered by, in words: `version 1.2.0`.
fn filtered(runs: &Runs) -> String {
    let words = runs
        .chosen
        .iter()
        .map(|(path, value)| format!("{} {value}", label(path).to_lowercase()));
    words.collect::<Vec<_>>().join(", ")
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
            "Trying again by itself; r tries now."
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
        match self.field.holds {
            Holds::Counts(_) => {
                let number = text::pad_left(words, self.width.saturating_sub(MORE));
                text::pad(&number, self.width)
            }
            _ if self.field.is_number() => text::pad_left(words, self.width),
            _ => text::pad(words, self.width),
        }
    }
}

fn cells(context: Context<'_>, run: &RunRow, columns: &[Shown]) -> Vec<Span<'static>> {
    let theme = context.theme;
    let closed = run.status == Status::Inactive;
    let base = if closed { theme.muted() } else { theme.text() };
    let sums = run.sums(context.cx.shared.done_codes());
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    for column in columns {
        let width = column.width;
        match column.field.holds {
            Holds::Results => {
                let counts = run.results.as_ref();
                let bar = counts.map(|counts| bar::spans(counts, width, theme));
                let bar = bar.unwrap_or_default();
                let used: usize = bar.iter().map(Span::width).sum();
                spans.extend(bar);
                spans.push(Span::styled(" ".repeat(width - used), Style::new()));
            }
            Holds::Counts(codes) => spans.extend(count(context, run, codes, width, base)),
            Holds::Sum(_) => {
                let number = column.field.number(run, sums);
                let words = number.map_or_else(|| "-".into(), |number| dot(number.unsigned_abs()));
                spans.push(Span::styled(column.fitted(&words), base));
            }
            Holds::Texts(of) => {
                let words = match of(run) {
                    [] => "-".to_owned(),
                    [one] => one.clone(),
                    [first, others @ ..] => {
                        let others = format!(" +{}", others.len());
                        let room = width.saturating_sub(text::width(&others));
                        format!("{}{others}", text::fit(first, room))
                    }
                };
                spans.push(Span::styled(column.fitted(&words), base));
            }
            Holds::Time(of) => {
                let words = of(run).as_ref();
                let words = words.map(|at| fields::short_time(at, context.now));
                spans.push(Span::styled(
                    column.fitted(&words.unwrap_or_else(|| "-".into())),
                    base,
                ));
            }
            Holds::Status => {
                let words = match run.status {
                    Status::Active => "open".to_owned(),
                    Status::Inactive => "closed".to_owned(),
                    _ => column.field.words(run, sums),
                };
                spans.push(Span::styled(column.fitted(&words), base));
            }
            _ => {
                let words = column.field.words(run, sums);
                spans.push(Span::styled(column.fitted(&words), base));
            }
        }
        spans.push(Span::raw(" "));
    }
    spans
}

/// A number of which nothing is a dot.
fn dot(number: u64) -> String {
    match number {
        0 => "·".into(),
        number => number.to_string(),
    }
}

/// Cases at some results, and how many more there are than in the earlier reading.
fn count(
    context: Context<'_>,
    run: &RunRow,
    codes: &[ResultCode],
    width: usize,
    base: Style,
) -> [Span<'static>; 2] {
    let earlier = &context.cx.shared.earlier;
    let failed = codes.contains(&ResultCode::FailedNew);
    let (more, style) = if failed {
        (earlier.more_failed(run), context.theme.bad())
    } else {
        (earlier.more_blocked(run), context.theme.warn())
    };
    let more = match more {
        Some(more) if more > 0 => format!("+{more}"),
        _ => String::new(),
    };
    let number = run.results.as_ref();
    let number = number.map_or_else(|| "-".into(), |counts| dot(counts.sum(codes)));
    let room = MORE.max(text::width(&more)).min(width);
    [
        Span::styled(text::pad_left(&number, width - room), base),
        Span::styled(text::pad(&more, room), style),
    ]
}

/// Which filter text is in force, in words.
pub fn in_force(runs: &Runs) -> String {
    let found = runs.len().unwrap_or(0);
    let of_loaded = || {
        let (loaded, size) = (runs.all.loaded() as u64, runs.all.full_size().unwrap_or(0));
        if loaded < size {
            format!("{found} of the {} loaded", text::thousands(loaded))
        } else {
            format!("{found} found")
        }
    };
    let failed = |runs: &Runs| {
        let found = runs.found.as_ref();
        found.is_some_and(|found| found.failure.is_some())
    };
    match runs.in_force() {
        _ if runs.text.text().trim().is_empty() => "words, or an id such as R_240".into(),
        InForce::Nothing => "words, or an id such as R_240".into(),
        InForce::Service => format!("{} found", text::thousands(found)),
        InForce::Local if failed(runs) => format!("{}; the search failed", of_loaded()),
        InForce::Local if runs.asks_service() => format!("{}; searching all…", of_loaded()),
        InForce::Local if runs.text.text().trim().chars().count() < FULLTEXT_FROM => of_loaded(),
        InForce::Local => of_loaded(),
    }
}

/// Where the cursor is, what is left, what has changed, how it is sorted.
pub fn status(context: Context<'_>, runs: &Runs) -> String {
    let shared = &context.cx.shared;
    let mut parts = Vec::new();
    let Some(len) = runs.len() else {
        return if runs.window().failure.is_some() {
            "nothing could be read".into()
        } else if shared.signed_in.is_some() {
            "reading the runs…".into()
        } else {
            context.starting.to_owned()
        };
    };
    // Of what is only put into another order here, the others are still there.
    let reordered = runs.view.only.is_none() && runs.text.text().trim().is_empty();
    let len = if reordered {
        runs.window().full_size().unwrap_or(len)
    } else {
        len
    };
    let row = if len == 0 {
        0
    } else {
        runs.scroll().cursor + 1
    };
    parts.push(format!(
        "{} of {} {}",
        text::thousands(row),
        text::thousands(len),
        runs.view.name.to_lowercase()
    ));
    if !runs.text.text().trim().is_empty() {
        parts.push(format!("{:?}: {}", runs.text.text(), in_force(runs)));
    }
    if !runs.marks.is_empty() {
        parts.push(format!("{} marked", runs.marks.len()));
    }
    if runs.marks.anchor.is_some() {
        parts.push("range open: v ends it".into());
    }
    parts.extend(left(context, runs, len));
    if !runs.chosen.is_empty() {
        parts.push(filtered(runs));
    }
    let above = changed_above(context, runs);
    if above > 0 {
        parts.push(format!("{above} changed above"));
    }
    if let Some(more) = new_failures(context, runs) {
        parts.push(more);
    }
    if let Some(at) = shared.earlier.since(shown_refs(runs)) {
        parts.push(format!("+ since {}", context.now.short(at)));
    }
    if without_results(runs) {
        parts.push("without results".into());
    }
    parts.push(match (runs.sorted_by(), runs.window().sort.first()) {
        (Some(now), _) => {
            let loaded = runs.all.loaded() as u64;
            let all = runs.all.full_size().is_some_and(|size| size <= loaded);
            let of_loaded = if all || runs.loaded_order.is_none() {
                ""
            } else {
                " (of loaded)"
            };
            let label = named(now.field).map_or(now.field, |field| field.label);
            format!("sort: {}{of_loaded}", label.to_lowercase())
        }
        (None, Some(sort)) => format!("sort: {}", label(&sort.path).to_lowercase()),
        (None, None) => "not sorted".into(),
    });
    if let Some(limit) = runs.window().clamped {
        parts.push(format!("pages of {limit}"));
    }
    parts.join("   ")
}

/// How many of the runs that are here have more new failures than before today.
fn new_failures(context: Context<'_>, runs: &Runs) -> Option<String> {
    let earlier = &context.cx.shared.earlier;
    // The view itself says how many it shows.
    if !earlier.any() || runs.view.only == Some(Only::NewFailures) {
        return None;
    }
    let rows = runs.loaded_rows();
    let more = rows.filter(|(_, row)| earlier.more_failed(row).is_some_and(|more| more > 0));
    // Where they are compared with longer ago, that is said beside it.
    let today = match earlier.since(shown_refs(runs)) {
        None => " today",
        Some(_) => "",
    };
    match more.count() {
        0 => None,
        1 => Some(format!("1 run with new failures{today}")),
        more => Some(format!("{more} runs with new failures{today}")),
    }
}

/// The runs on the screen.
fn shown_refs(runs: &Runs) -> impl Iterator<Item = &crate::domain::DocRef> {
    let scroll = runs.scroll();
    let rows = scroll.top..scroll.top + scroll.height;
    rows.filter_map(|index| Some(&runs.row(index)?.doc_ref))
}

/// What is left in the runs that are here.
fn left(context: Context<'_>, runs: &Runs, len: u64) -> Option<String> {
    let done = context.cx.shared.done_codes();
    let (mut loaded, mut left, mut any) = (0_u64, 0_u64, false);
    for (_, row) in runs.loaded_rows() {
        loaded += 1;
        if let Some(sums) = row.sums(done) {
            left = left.saturating_add(Sums::left(sums));
            any = true;
        }
    }
    let left = text::thousands(left);
    any.then(|| {
        if loaded < len {
            format!("{} loaded: {left} left", text::thousands(loaded))
        } else {
            format!("{left} left")
        }
    })
}

/// Rows above those on the screen that have changed and were not opened.
fn changed_above(context: Context<'_>, runs: &Runs) -> usize {
    let top = runs.scroll().top;
    let feed = &context.cx.shared.feed;
    if top == 0 || feed.unread_runs() == 0 {
        return 0;
    }
    let above = runs.loaded_rows().filter(|(place, _)| *place < top);
    above
        .filter(|(_, row)| feed.is_unread(&row.doc_ref))
        .count()
}
