//! The boxes over the screens: choices, errors, help.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Context, Drawn, fields, text, widgets};
use crate::store::{Action, Choice, Entry, PickerKind, Scroll, Trouble};

/// Draws a picker: its text, its entries, and what is wrong.
pub fn picker(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some(picker) = &context.store.picker else {
        return;
    };
    let theme = context.theme;
    let title = match picker.kind {
        PickerKind::Sort => "Sort by (again: reversed)",
        PickerKind::Facets => "Filter by (again: off)",
        PickerKind::Columns => "Columns",
        PickerKind::Configurations => "Configurations: Space ticks",
        PickerKind::Drafts => "Drafts: Enter opens the form",
        PickerKind::Palette => "Commands",
    };
    let height = (picker.entries.len() as u16).saturating_add(4).clamp(8, 20);
    let count = format!("{} of {}", picker.shown.len(), picker.entries.len());
    let drafts = picker.kind == PickerKind::Drafts;
    let size = (if drafts { 110 } else { 72 }, height);
    let inside = widgets::popup(buffer, area, size, title, &count, theme);
    widgets::line(buffer, inside, 0, vec![Span::styled(" > ", theme.key())]);
    let field = Rect {
        x: inside.x + 3,
        width: inside.width.saturating_sub(4),
        height: 1,
        ..inside
    };
    widgets::field(buffer, field, &picker.text, true, theme);
    let list = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(2),
        ..inside
    };
    drawn.laid.picker = Some(list.height);
    let width = usize::from(list.width).saturating_sub(2);
    let detail = if drafts { 0 } else { (width / 3).min(30) };
    let when = |entry: &Entry| match entry.choice {
        Choice::Draft { at, .. } => context.now.when(at),
        _ => String::new(),
    };
    let times = picker
        .entries
        .iter()
        .map(|entry| text::width(&when(entry)))
        .max()
        .unwrap_or(0);
    for (row, index) in visible(picker.scroll, list.height).enumerate() {
        let Some(entry) = picker
            .shown
            .get(index)
            .and_then(|place| picker.entries.get(*place))
        else {
            break;
        };
        let tick = match entry.ticked {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        let time = if times > 0 {
            format!("{}  ", text::pad(&when(entry), times))
        } else {
            String::new()
        };
        let label = text::pad(&format!("{tick}{time}{}", entry.label), width - detail);
        let refused = matches!(&entry.choice, Choice::Do(action) if is_refused(context, action));
        let (style, said) = if refused {
            (theme.refused(), READ_ONLY)
        } else {
            (theme.text(), entry.detail.as_str())
        };
        let spans = vec![
            Span::raw(" "),
            Span::styled(label, style),
            Span::styled(text::pad_left(said, detail), theme.dim()),
            Span::raw(" "),
        ];
        widgets::line(buffer, list, row as u16, spans);
        widgets::cursor(
            buffer,
            list,
            row as u16,
            index as u64 == picker.scroll.cursor,
            theme,
        );
    }
    let foot = match &picker.problem {
        Some(problem) => Span::styled(format!(" {}", text::fit(problem, width)), theme.bad()),
        None if picker.shown.is_empty() => {
            Span::styled(" nothing matches: Backspace widens", theme.warn())
        }
        None => Span::styled(" type to narrow", theme.dim()),
    };
    widgets::line(buffer, inside, inside.height - 1, vec![foot]);
}

/// Draws the failures, newest first, with the one under the cursor in full.
pub fn errors(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let errors = &context.store.cx.errors;
    let theme = context.theme;
    let count = errors.entries.len().to_string();
    let inside = widgets::popup(
        buffer,
        area,
        (area.width, area.height),
        "Errors, newest first",
        &count,
        theme,
    );
    if errors.entries.is_empty() {
        widgets::line(
            buffer,
            inside,
            0,
            vec![Span::styled(" none so far", theme.good())],
        );
        return;
    }
    let below = (inside.height / 2).min(12);
    let list = Rect {
        height: inside.height - below,
        ..inside
    };
    drawn.laid.errors = Some(list.height);
    let width = usize::from(inside.width).saturating_sub(2);
    for (row, index) in visible(errors.scroll, list.height).enumerate() {
        let Some(Trouble { at, times, failure }) = errors.entries.get(index) else {
            break;
        };
        let times = if *times > 1 {
            format!(" ({times} times)")
        } else {
            String::new()
        };
        let line = format!(
            " {}  {}{times}: {}",
            context.now.clock(*at),
            failure.asked,
            failure.came_back
        );
        widgets::line(
            buffer,
            list,
            row as u16,
            vec![Span::raw(text::pad(&line, width + 1))],
        );
        widgets::cursor(
            buffer,
            list,
            row as u16,
            index as u64 == errors.scroll.cursor,
            theme,
        );
    }
    let Some(Trouble { at, failure, .. }) = errors.entries.get(errors.scroll.cursor as usize)
    else {
        return;
    };
    let whole = Rect {
        y: list.bottom(),
        height: below,
        ..inside
    };
    let mut lines = vec![format!("── {} ", context.now.clock(*at))];
    lines.extend(fields::failure(failure, width));
    for (row, line) in lines.into_iter().enumerate() {
        let style = if row == 0 { theme.dim() } else { theme.text() };
        widgets::line(
            buffer,
            whole,
            row as u16,
            vec![Span::styled(format!(" {line}"), style)],
        );
    }
}

/// Draws the help: the lines of the key table that work on the screen below.
pub fn help(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some(help) = &context.store.help else {
        return;
    };
    let theme = context.theme;
    let rows = context.store.help_rows();
    let table = context.store.key_table(help.layer);
    let title = table.map_or("", |table| table.title);
    let title = format!("Help: keys in {title}");
    let palette = table.and_then(|table| table.key(&Action::Palette));
    let inside = widgets::popup(
        buffer,
        area,
        (area.width.min(90), area.height),
        &title,
        "type to search",
        theme,
    );
    widgets::line(
        buffer,
        inside,
        0,
        vec![Span::styled(" search ", theme.key())],
    );
    let field = Rect {
        x: inside.x + 8,
        width: inside.width.saturating_sub(9),
        height: 1,
        ..inside
    };
    widgets::field(buffer, field, &help.search, true, theme);
    let list = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(1),
        ..inside
    };
    drawn.laid.help = Some(list.height);
    for (row, index) in visible(help.scroll, list.height).enumerate() {
        let Some(command) = rows.get(index) else {
            break;
        };
        let keys = if command.keys.is_empty() {
            palette.unwrap_or_default().to_owned()
        } else {
            command.keys.join(" ")
        };
        let refused = is_refused(context, &command.action);
        let (key_style, style) = if refused {
            (theme.refused(), theme.refused())
        } else {
            (theme.key(), theme.text())
        };
        let said = if refused {
            format!("  {READ_ONLY}")
        } else {
            String::new()
        };
        let room = usize::from(list.width).saturating_sub(27 + said.len());
        let spans = vec![
            Span::styled(
                format!(" {} ", text::pad(command.heading.word(), 6)),
                theme.dim(),
            ),
            Span::styled(text::pad(&keys, 18), key_style),
            Span::styled(text::fit(command.label, room), style),
            Span::styled(said, theme.dim()),
        ];
        widgets::line(buffer, list, row as u16, spans);
        widgets::cursor(
            buffer,
            list,
            row as u16,
            index as u64 == help.scroll.cursor,
            theme,
        );
    }
}

/// Beside what a read-only profile refuses.
const READ_ONLY: &str = "read-only";

fn is_refused(context: Context<'_>, action: &Action) -> bool {
    action.writes()
        && context
            .store
            .cx
            .shared
            .session
            .as_ref()
            .is_some_and(|session| session.read_only)
}

fn visible(scroll: Scroll, height: u16) -> std::ops::Range<usize> {
    let top = scroll.top as usize;
    top..top + usize::from(height)
}
