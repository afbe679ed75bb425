//! The suites in a run; how each is known, and why there may be more, where that is not sure.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{AttachedSuites, ListedSuite};
use crate::attached::{Attached, Named, State, Trust};
use crate::screens::{SuiteTab, suite_tabs};
use crate::store::layer::Layer;
use crate::store::message::Action;
use crate::ui::layout::Layout;
use crate::ui::list::ListRows as _;
use crate::ui::{Context, fields, frame, text};

/// Rows from which on the explanation stands below the list.
const ROOM_FOR_WHY: u16 = 10;
/// Columns below which the title has all the room there is.
const NARROW: usize = 60;
/// Rows that the list keeps, with its tabs and heading.
const LIST: u16 = 6;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    screen: &AttachedSuites,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let attached = screen.verdict.value();
    let counts = (
        attached.and_then(|attached| attached.free),
        attached.and_then(|attached| attached.count),
    );
    suite_tabs(
        context,
        &screen.run,
        SuiteTab::InRun,
        counts,
        area,
        buffer,
        layout,
    );
    let explained = explained(context, screen, usize::from(area.width.saturating_sub(4)));
    let why = match explained.len() {
        0 => 0,
        lines => height_of_why(area.height, screen.lines().row_count() as usize, lines),
    };
    let list = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1 + why),
        ..area
    };
    rows(context, screen, list, buffer, layout);
    if why > 0 {
        let place = Rect {
            y: list.bottom(),
            height: why,
            ..area
        };
        layout.why = self::why(context, screen, &explained, place, buffer);
    }
}

/// Rows for the explanation with its line: all that it needs, where the list does not need them; two fifths otherwise.
fn height_of_why(height: u16, listed: usize, explained: usize) -> u16 {
    if height < ROOM_FOR_WHY {
        return 0;
    }
    let needed = u16::try_from(explained + 1).unwrap_or(u16::MAX);
    let left = height.saturating_sub(u16::try_from(listed + 2).unwrap_or(u16::MAX).max(LIST));
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
    let width = usize::from(area.width);
    let head = columns(width, " ", "Suite", "", ["Cases", "Priority", "Edited", ""]);
    if screen.verdict.is_reading() {
        let words = screen.progress.as_deref().unwrap_or("reading");
        let stops = &Action::Cancel;
        let shared = &context.cx.shared;
        let stops = shared.then_key("  ", Layer::Attached, stops, "gives up");
        let words = format!(" Working out its suites: {words}…{stops}");
        let words = vec![Span::styled(text::fit(&words, width), theme.warn())];
        frame::line(buffer, area, 0, words);
    } else if let (Some(failure), None) = (screen.verdict.failure(), screen.verdict.value()) {
        let lines = fields::failure(failure, width.saturating_sub(2));
        return frame::words(buffer, rows, &lines.join("\n"), theme.bad());
    } else {
        frame::line(buffer, area, 0, vec![Span::styled(head, theme.accent())]);
    }
    let Some(attached) = screen.verdict.value() else {
        return;
    };
    let lines = screen.lines();
    if lines.row_count() == 0 {
        let words = known(context, screen, attached);
        frame::words(buffer, rows, &words, theme.warn());
    }
    let begun = screen.list.begun(&lines);
    let line = |index: u64| {
        let Some(line) = lines.get(index) else {
            return Vec::new();
        };
        let in_range = begun.as_ref().is_some_and(|rows| rows.contains(&index));
        let (cells, style) = match line {
            ListedSuite::Named(named) => {
                let (unmarked, style) = match named.trust {
                    Trust::Sure => (" ", theme.text()),
                    Trust::Maybe => ("?", theme.warn()),
                };
                let mark = match screen.list.marks.has(&named.suite) {
                    true => "●",
                    false if in_range => "+",
                    false => unmarked,
                };
                (named_cells(context, named, mark, width), style)
            }
            ListedSuite::Candidate(named) => {
                (named_cells(context, named, "?", width), theme.muted())
            }
            ListedSuite::Unknown(_) => {
                let words = attached.unknown_row().unwrap_or_default();
                (format!("  ? {words}"), theme.warn())
            }
        };
        let style = if in_range { theme.accent() } else { style };
        vec![Span::styled(text::fit(&cells, width), style)]
    };
    let list = &screen.list;
    list.draw(lines.row_count(), line, theme, rows, buffer, layout);
}

fn named_cells(context: Context<'_>, named: &Named, mark: &str, width: usize) -> String {
    let clock = |at: i64| context.now.when(at);
    let row = named.row.as_ref();
    let (id, title) = called(named);
    let cases = row.and_then(|row| row.total_cases);
    let cases = cases.map_or_else(|| "-".into(), |cases| cases.to_string());
    let edited = row.and_then(|row| row.display_edited_on.as_deref());
    let edited = edited.map(|at| fields::short_time(at, context.now));
    let how = match named.trust {
        _ if width < NARROW => String::new(),
        Trust::Sure => named.how.text(&clock),
        Trust::Maybe => format!("{}: {}", named.trust.word(), named.how.text(&clock)),
    };
    let priority = row.and_then(|row| row.priority.as_deref());
    let (priority, edited) = (priority.unwrap_or("-"), edited.as_deref().unwrap_or("-"));
    columns(width, mark, id, title, [&cases, priority, edited, &how])
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

/// Columns for the title, for priority, for the last edit and for how a suite is known.
fn widths(width: usize) -> [usize; 4] {
    let (priority, edited, how) = match width {
        ..NARROW => (0, 0, 0),
        NARROW..90 => (8, 9, (width / 4).max(14)),
        _ => (8, 11, (width / 4).min(44)),
    };
    let taken: usize = [priority, edited, how]
        .into_iter()
        .filter(|column| *column > 0)
        .map(|column| column + 2)
        .sum();
    [
        width.saturating_sub(taken + 4 + 7 + 2 + 5),
        priority,
        edited,
        how,
    ]
}

fn columns(width: usize, mark: &str, id: &str, title: &str, cells: [&str; 4]) -> String {
    let [title_width, priority_width, edited_width, how_width] = widths(width);
    let [cases, priority, edited, how] = cells;
    let mut line = format!(
        "  {mark} {} {}  {}",
        text::pad(id, 6),
        text::pad(title, title_width),
        text::pad_left(cases, 5)
    );
    let cells = [
        (priority_width, priority),
        (edited_width, edited),
        (how_width, how),
    ];
    for (width, words) in cells.into_iter().filter(|(width, _)| *width > 0) {
        line.push_str("  ");
        line.push_str(&text::pad(words, width));
    }
    line
}

/// The row under the cursor in full, where its columns are too narrow for it.
fn cut_row(context: Context<'_>, screen: &AttachedSuites, width: usize) -> Option<String> {
    let clock = |at: i64| context.now.when(at);
    let attached = screen.verdict.value()?;
    let lines = screen.lines();
    let (id, title, how) = match lines.get(screen.list.scroll.cursor)? {
        ListedSuite::Named(named) | ListedSuite::Candidate(named) => {
            let (id, title) = called(named);
            (id, title.to_owned(), named.how.text(&clock))
        }
        ListedSuite::Unknown(_) => {
            let words = attached.unknown_row().unwrap_or_default();
            return (text::width(&words) + 4 > width).then_some(words);
        }
    };
    let [title_width, _, _, how_width] = widths(width);
    let cut = text::width(&title) > title_width || text::width(&how) > how_width;
    let name = if id == "-" {
        title
    } else {
        format!("{id} {title}")
    };
    cut.then(|| format!("> {name}: {how}."))
}

/// The lines below the list: what is not known and what helps, and only where somebody wants it how the rest is known.
fn explained(context: Context<'_>, screen: &AttachedSuites, columns: usize) -> Vec<String> {
    let clock = |at: i64| context.now.when(at);
    let Some(attached) = screen.verdict.value() else {
        return Vec::new();
    };
    let whole = attached.is_complete() || attached.state == State::Empty;
    let paragraphs: Vec<String> = match (screen.explains, whole) {
        (true, _) => {
            let row = cut_row(context, screen, columns + 4);
            row.into_iter().chain(attached.why(&clock)).collect()
        }
        (false, true) => Vec::new(),
        (false, false) => {
            let known = known(context, screen, attached);
            [known].into_iter().chain(attached.what_helps()).collect()
        }
    };
    paragraphs
        .into_iter()
        .flat_map(|line| text::wrap(&line, columns, 200))
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
    let title = if screen.explains {
        "How this is known"
    } else {
        "Not all is known"
    };
    let seen = usize::from(area.height.saturating_sub(1));
    let last = u16::try_from(lines.len().saturating_sub(seen)).unwrap_or(u16::MAX);
    let top = usize::from(screen.why_top.min(last));
    let right = if last > 0 {
        format!(
            "J K  {}-{} of {}",
            top + 1,
            top + seen.min(lines.len()),
            lines.len()
        )
    } else {
        String::new()
    };
    let inside = frame::pane(buffer, area, title, &right, context.theme, false);
    for (row, line) in (0..).zip(lines.iter().skip(top).take(seen)) {
        frame::line(buffer, inside, row, vec![Span::raw(format!(" {line}"))]);
    }
    last
}

/// How many suites are known, and what is left open.
fn known(context: Context<'_>, screen: &AttachedSuites, attached: &Attached) -> String {
    let clock = |at: i64| context.now.when(at);
    let name = screen.run.name();
    let sure = attached.sure().count();
    match attached.state {
        State::Empty => format!("No suites in {name}"),
        State::Complete | State::CompleteWorkedOut => {
            format!("{} in {name}", text::count(sure, "suite"))
        }
        State::Partial => {
            let all = attached.count.unwrap_or(0);
            let left = attached.unknown.unwrap_or(0);
            let unseen = attached
                .universe
                .map(|all| all.saturating_sub(attached.seen));
            let (other, they) = match left {
                1 => ("The other one is".to_owned(), "it"),
                left => (format!("The other {left} are"), "they"),
            };
            let why = if unseen.is_some_and(|unseen| unseen >= left) {
                format!("in every run, so {they} cannot be told apart")
            } else {
                "in no list".to_owned()
            };
            format!("{sure} of {all} suites of {name} known. {other} {why}.")
        }
        State::Unchecked => {
            format!(
                "{} of {name} known; how many it has is not",
                text::count(attached.named.len(), "suite")
            )
        }
        State::Changing => format!("{name} changed while it was read"),
        State::Conflict | State::NotReadWhole | State::Closed => attached.headline(&clock),
    }
}

/// What is marked; else what is known.
pub fn status(context: Context<'_>, screen: &AttachedSuites) -> String {
    let Some(attached) = screen.verdict.value() else {
        return String::new();
    };
    let range = screen.list.range_open(context.cx);
    let old = if screen.verdict.failure().is_some() {
        "   OLD: could not be worked out again"
    } else {
        ""
    };
    if screen.list.marks.is_empty() {
        let known = known(context, screen, attached);
        // The rest of it stands below the list.
        let known = known.split(". ").next().unwrap_or(&known);
        return format!("{known}{old}{range}");
    }
    let cases = attached
        .named
        .iter()
        .filter(|named| screen.list.marks.has(&named.suite));
    let cases = cases.map(|named| named.row.as_ref()?.total_cases);
    let cases: Option<i64> = cases.sum();
    let cases = cases.and_then(|cases| usize::try_from(cases).ok());
    let cases = cases.map_or_else(String::new, |cases| {
        format!(", {}", text::count(cases, "case"))
    });
    format!("{} marked{cases}{old}{range}", screen.list.marks.len())
}
