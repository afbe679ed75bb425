//! The suites in a run, each with how it is known and how sure that is; why the list may be incomplete.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Context, Drawn, fields, text, widgets};
use crate::attached::{Named, State, Trust};
use crate::store::{Member, Members};

/// Rows from which on the reasons stand below the list.
const ROOM_FOR_WHY: u16 = 20;

/// Draws the screen.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some(members) = &context.store.members else { return };
    let why = if area.height >= ROOM_FOR_WHY { area.height * 2 / 5 } else { 0 };
    let list = Rect { height: area.height - why, ..area };
    let clock = |at: i64| context.now.clock(at);
    let headline = members.verdict.value().map_or("not known yet".into(), |attached| attached.headline(&clock));
    let old = members.verdict.failure().is_some() && members.verdict.value().is_some();
    let right = match (old, members.marks.len()) {
        (true, _) => "OLD: working it out again failed".to_owned(),
        (false, 0) => "worked out, not a list of the service".to_owned(),
        (false, marked) => format!("marked {marked}"),
    };
    let title = format!("Suites in {}: {headline}", members.run.name());
    let inside = widgets::frame(buffer, list, &title, &right, context.theme, true);
    rows(context, members, inside, buffer, drawn);
    if why > 0 {
        let place = Rect { y: list.bottom(), height: why, ..area };
        self::why(context, members, place, buffer);
    }
}

fn rows(context: Context<'_>, members: &Members, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let theme = context.theme;
    let rows = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    drawn.laid.members = Some(rows.height);
    drawn.list = Some((rows, members.scroll.top));
    let width = usize::from(area.width);
    if members.verdict.asked().is_some() {
        let words = members.progress.clone().unwrap_or_else(|| "reading".into());
        let words = text::fit(&format!(" working it out: {words}; Ctrl-c gives up"), width);
        widgets::line(buffer, area, 0, vec![Span::styled(words, theme.warn())]);
    } else if let Some(failure) = members.verdict.failure() {
        for (row, line) in fields::failure(failure, width.saturating_sub(2)).into_iter().enumerate().take(3) {
            widgets::line(buffer, area, row as u16, vec![Span::styled(format!(" {line}"), theme.bad())]);
        }
        if members.verdict.value().is_none() {
            return;
        }
    } else {
        let head = columns(width, " ", "Id", "Title", "Cases", "How it is known", "Trust");
        widgets::line(buffer, area, 0, vec![Span::styled(head, theme.title())]);
    }
    let Some(attached) = members.verdict.value() else { return };
    let lines = members.lines();
    if lines.is_empty() {
        let clock = |at: i64| context.now.clock(at);
        let words = match attached.state {
            State::Empty => "No suites are in this run.".to_owned(),
            _ => attached.headline(&clock),
        };
        for (row, line) in text::wrap(&words, width.saturating_sub(2), 6).into_iter().enumerate() {
            widgets::line(buffer, rows, row as u16, vec![Span::styled(format!(" {line}"), theme.warn())]);
        }
    }
    for row in 0..rows.height {
        let index = members.scroll.top + u64::from(row);
        let Some(line) = lines.get(index as usize) else { break };
        let (cells, style) = match line {
            Member::Named(named) => {
                let mark = if members.marks.contains(&named.suite) { "*" } else { " " };
                let style = if named.trust == Trust::Sure { theme.text() } else { theme.warn() };
                (named_cells(context, named, mark, width), style)
            }
            Member::Candidate(named) => (named_cells(context, named, "?", width), theme.dim()),
            Member::Unknown(_) => {
                let words = attached.unknown_row().unwrap_or_default();
                let how = attached.unknown_how().unwrap_or_default();
                (columns(width, "?", "-", &words, "", &how, "unknown"), theme.warn())
            }
        };
        let anchor = members.anchor.is_some_and(|anchor| {
            (anchor.min(members.scroll.cursor)..=anchor.max(members.scroll.cursor)).contains(&index)
        });
        let style = if anchor { theme.key() } else { style };
        widgets::line(buffer, rows, row, vec![Span::styled(cells, style)]);
        widgets::cursor(buffer, rows, row, index == members.scroll.cursor, theme);
    }
}

fn named_cells(context: Context<'_>, named: &Named, mark: &str, width: usize) -> String {
    let clock = |at: i64| context.now.clock(at);
    let row = named.row.as_ref();
    let id = row.and_then(|row| row.id.as_deref()).unwrap_or("-");
    let title = row.and_then(|row| row.title.as_deref()).unwrap_or_else(|| named.suite.as_str());
    let cases = row.and_then(|row| row.total_cases).map_or("-".into(), |cases| cases.to_string());
    columns(width, mark, id, title, &cases, &named.how.text(&clock), named.trust.word())
}

fn columns(width: usize, mark: &str, id: &str, title: &str, cases: &str, how: &str, trust: &str) -> String {
    let how_width = (width / 3).clamp(14, 44);
    let title_width = width.saturating_sub(how_width + 28);
    format!(
        " {mark} {} {} {} {} {}",
        text::pad(id, 7),
        text::pad(title, title_width),
        text::pad_left(cases, 5),
        text::pad(how, how_width),
        text::pad(trust, 7)
    )
}

fn why(context: Context<'_>, members: &Members, area: Rect, buffer: &mut Buffer) {
    let title = members.verdict.value().map_or("Why", |attached| {
        if attached.is_complete() { "How this is known" } else { "Why this list may be incomplete" }
    });
    let right = members.verdict.read_at().map(|at| format!("worked out {}", context.now.clock(at))).unwrap_or_default();
    let inside = widgets::frame(buffer, area, title, &right, context.theme, false);
    let clock = |at: i64| context.now.clock(at);
    let lines = match members.verdict.value() {
        Some(attached) => attached.why(&clock),
        None => vec!["The interface has no operation that lists the suites of a run. They are worked out from the suites that can still be added to this run and to the other open runs of its scope.".to_owned()],
    };
    let width = usize::from(inside.width).saturating_sub(2);
    let wrapped = lines.iter().flat_map(|line| text::wrap(line, width, 20));
    for (row, line) in wrapped.take(usize::from(inside.height)).enumerate() {
        widgets::line(buffer, inside, row as u16, vec![Span::raw(format!(" {line}"))]);
    }
}
