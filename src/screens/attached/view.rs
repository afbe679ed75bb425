//! The suites in a run, each with how it is known and how sure that is; why the list may be incomplete.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{AttachedSuites, SuiteLine};
use crate::attached::{Named, State, Trust};
use crate::ui::layout::Layout;
use crate::ui::{Context, fields, frame, text};

/// Rows from which on the explanation stands below the list.
const ROOM_FOR_WHY: u16 = 10;
/// Rows that the list keeps, with its frame and heading.
const LIST: u16 = 6;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    screen: &AttachedSuites,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let explained = explained(context, screen, usize::from(area.width.saturating_sub(4)));
    let why = height_of_why(area.height, screen.lines().len(), explained.len());
    let list = Rect {
        height: area.height - why,
        ..area
    };
    let clock = |at: i64| context.now.when(at);
    let old = screen.verdict.failure().is_some() && screen.verdict.value().is_some();
    let right = match (old, screen.marks.len()) {
        (true, _) => "OLD: working it out again failed".to_owned(),
        (false, 0) => "worked out, not a list of the service".to_owned(),
        (false, marked) => format!("marked {marked}"),
    };
    let name = screen.run.name();
    let title = screen.verdict.value().map_or_else(
        || format!("Suites in {name}: not known yet"),
        |attached| {
            let whole = format!("Suites in {name}: {}", attached.headline(&clock));
            let fits = text::width(&whole) + 4 <= usize::from(area.width);
            if fits {
                whole
            } else {
                format!("Suites in {name}: {}", attached.short())
            }
        },
    );
    let inside = frame::pane(buffer, list, &title, &right, context.theme, true);
    rows(context, screen, inside, buffer, layout);
    if why > 0 {
        let place = Rect {
            y: list.bottom(),
            height: why,
            ..area
        };
        layout.why = self::why(context, screen, &explained, place, buffer);
    }
}

/// Rows for the explanation with its frame: all that it needs, where the list does not need them; two fifths otherwise.
fn height_of_why(height: u16, listed: usize, explained: usize) -> u16 {
    if height < ROOM_FOR_WHY {
        return 0;
    }
    let needed = u16::try_from(explained + 2).unwrap_or(u16::MAX);
    let left = height.saturating_sub(u16::try_from(listed + 3).unwrap_or(u16::MAX).max(LIST));
    needed.min(left.max(height * 2 / 5))
}

fn rows(
    context: Context<'_>,
    screen: &AttachedSuites,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let rows = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    layout.rows = Some(rows.height);
    layout.list = Some((rows, screen.scroll.top));
    let width = usize::from(area.width);
    if screen.verdict.is_reading() {
        let words = screen.progress.clone().unwrap_or_else(|| "reading".into());
        let words = text::fit(&format!(" working it out: {words}; Ctrl-c gives up"), width);
        frame::line(buffer, area, 0, vec![Span::styled(words, theme.warn())]);
    } else if let Some(failure) = screen.verdict.failure() {
        for (row, line) in fields::failure(failure, width.saturating_sub(2))
            .into_iter()
            .enumerate()
            .take(3)
        {
            frame::line(
                buffer,
                area,
                row as u16,
                vec![Span::styled(format!(" {line}"), theme.bad())],
            );
        }
        if screen.verdict.value().is_none() {
            return;
        }
    } else {
        let head = columns(
            width,
            " ",
            "Id",
            "Title",
            "Cases",
            "How it is known",
            "Trust",
        );
        frame::line(buffer, area, 0, vec![Span::styled(head, theme.accent())]);
    }
    let Some(attached) = screen.verdict.value() else {
        return;
    };
    let lines = screen.lines();
    if lines.is_empty() {
        let clock = |at: i64| context.now.when(at);
        let words = match attached.state {
            State::Empty => "No suites are in this run.".to_owned(),
            _ => attached.headline(&clock),
        };
        for (row, line) in text::wrap(&words, width.saturating_sub(2), 6)
            .into_iter()
            .enumerate()
        {
            frame::line(
                buffer,
                rows,
                row as u16,
                vec![Span::styled(format!(" {line}"), theme.warn())],
            );
        }
    }
    let begun = screen.begun();
    for row in 0..rows.height {
        let index = screen.scroll.top + u64::from(row);
        let Some(line) = lines.get(index as usize) else {
            break;
        };
        let (cells, style) = match line {
            SuiteLine::Named(named) => {
                let mark = if screen.marks.has(&named.suite) {
                    "*"
                } else {
                    " "
                };
                let style = if named.trust == Trust::Sure {
                    theme.text()
                } else {
                    theme.warn()
                };
                (named_cells(context, named, mark, width), style)
            }
            SuiteLine::Candidate(named) => (named_cells(context, named, "?", width), theme.muted()),
            SuiteLine::Unknown(_) => {
                let words = attached.unknown_row().unwrap_or_default();
                let how = attached.unknown_how().unwrap_or_default();
                (
                    columns(width, "?", "-", &words, "", &how, "unknown"),
                    theme.warn(),
                )
            }
        };
        let in_range = begun.as_ref().is_some_and(|rows| rows.contains(&index));
        let style = if in_range { theme.accent() } else { style };
        frame::line(buffer, rows, row, vec![Span::styled(cells, style)]);
        frame::cursor(buffer, rows, row, index == screen.scroll.cursor, theme);
    }
}

fn named_cells(context: Context<'_>, named: &Named, mark: &str, width: usize) -> String {
    let clock = |at: i64| context.now.when(at);
    let row = named.row.as_ref();
    let (id, title) = called(named);
    let cases = row
        .and_then(|row| row.total_cases)
        .map_or("-".into(), |cases| cases.to_string());
    columns(
        width,
        mark,
        id,
        title,
        &cases,
        &named.how.text(&clock),
        named.trust.word(),
    )
}

/// Short id and title, as far as they are known.
fn called(named: &Named) -> (&str, &str) {
    let row = named.row.as_ref();
    let id = row.and_then(|row| row.id.as_deref()).unwrap_or("-");
    (
        id,
        row.and_then(|row| row.title.as_deref())
            .unwrap_or_else(|| named.suite.as_str()),
    )
}

/// Columns for the title and for how a suite is known.
fn widths(width: usize) -> (usize, usize) {
    let how = (width / 3).clamp(14, 44);
    (width.saturating_sub(how + 28), how)
}

fn columns(
    width: usize,
    mark: &str,
    id: &str,
    title: &str,
    cases: &str,
    how: &str,
    trust: &str,
) -> String {
    let (title_width, how_width) = widths(width);
    format!(
        " {mark} {} {} {} {} {}",
        text::pad(id, 7),
        text::pad(title, title_width),
        text::pad_left(cases, 5),
        text::pad(how, how_width),
        text::pad(trust, 7)
    )
}

/// The row under the cursor in full, where its columns are too narrow for it.
fn cut_row(context: Context<'_>, screen: &AttachedSuites, width: usize) -> Option<String> {
    let clock = |at: i64| context.now.when(at);
    let attached = screen.verdict.value()?;
    let lines = screen.lines();
    let (id, title, how) = match lines.get(screen.scroll.cursor as usize)? {
        SuiteLine::Named(named) | SuiteLine::Candidate(named) => {
            let (id, title) = called(named);
            (id, title.to_owned(), named.how.text(&clock))
        }
        SuiteLine::Unknown(_) => (
            "-",
            attached.unknown_row().unwrap_or_default(),
            attached.unknown_how().unwrap_or_default(),
        ),
    };
    let (title_width, how_width) = widths(width);
    let cut = text::width(&title) > title_width || text::width(&how) > how_width;
    let name = if id == "-" {
        title
    } else {
        format!("{id} {title}")
    };
    cut.then(|| format!("> {name}: {how}."))
}

/// The lines of the explanation.
fn explained(context: Context<'_>, screen: &AttachedSuites, columns: usize) -> Vec<String> {
    let clock = |at: i64| context.now.when(at);
    let mut paragraphs: Vec<String> = cut_row(context, screen, columns + 2).into_iter().collect();
    match screen.verdict.value() {
        Some(attached) => paragraphs.extend(attached.why(&clock)),
        None => paragraphs.push("The interface has no operation that lists the suites of a run. They are worked out from the suites that can still be added to this run and to the other open runs of its scope.".to_owned()),
    }
    paragraphs
        .iter()
        .flat_map(|line| text::wrap(line, columns, 200))
        .collect()
}

/// Draws the explanation; returns its last possible first line.
fn why(
    context: Context<'_>,
    screen: &AttachedSuites,
    lines: &[String],
    area: Rect,
    buffer: &mut Buffer,
) -> u16 {
    let title = screen.verdict.value().map_or("Why", |attached| {
        if attached.is_complete() {
            "How this is known"
        } else {
            "Why this list may be incomplete"
        }
    });
    let seen = usize::from(area.height.saturating_sub(2));
    let last = u16::try_from(lines.len().saturating_sub(seen)).unwrap_or(u16::MAX);
    let top = usize::from(screen.why_top.min(last));
    let at = screen
        .verdict
        .read_at()
        .map(|at| format!("worked out {}", context.now.when(at)));
    let right = if last > 0 {
        format!(
            "J K  {}-{} of {}",
            top + 1,
            top + seen.min(lines.len()),
            lines.len()
        )
    } else {
        at.unwrap_or_default()
    };
    let inside = frame::pane(buffer, area, title, &right, context.theme, false);
    for (row, line) in lines.iter().skip(top).take(seen).enumerate() {
        frame::line(
            buffer,
            inside,
            row as u16,
            vec![Span::raw(format!(" {line}"))],
        );
    }
    last
}

/// What is shown and marked.
pub fn status(screen: &AttachedSuites) -> String {
    let Some(attached) = screen.verdict.value() else {
        return String::new();
    };
    let marked = if screen.marks.is_empty() {
        String::new()
    } else {
        format!("  {} marked", screen.marks.len())
    };
    format!("{}{marked}", attached.short())
}
