//! The suites that can be added to a run, the one under the cursor in full, and the basket of marked ones.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{AvailableSuites, what_if};
use crate::domain::SuiteRow;
use crate::store::message::SuiteOrder;
use crate::ui::layout::Layout;
use crate::ui::{Context, fields, frame, text};

/// Columns from which on the preview stands beside the list.
const ROOM_FOR_PREVIEW: u16 = 100;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    available: &AvailableSuites,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let wide = area.width >= ROOM_FOR_PREVIEW;
    let beside = if wide { 42 } else { 0 };
    let in_full = !wide && available.preview;
    let below = match (wide, in_full) {
        (true, _) => 0,
        (false, true) => area.height * 3 / 5,
        (false, false) if available.marks.is_empty() => 3.min(area.height / 4),
        (false, false) => 6.min(area.height / 3),
    };
    let list = Rect {
        width: area.width - beside,
        height: area.height - below,
        ..area
    };
    let range = if available.marks.anchor.is_some() {
        ", range begun: v ends it"
    } else {
        ""
    };
    let marked = format!("marked {}{range}", available.marks.len());
    let inside = frame::pane(
        buffer,
        list,
        &title(available),
        &marked,
        context.theme,
        true,
    );
    self::list(context, available, inside, buffer, layout);
    if wide {
        let words = 1 + what_if::lines(context, available)
            .iter()
            .map(|line| wrapped(line, beside).len())
            .sum::<usize>();
        let basket = (available.marks.len() as u16).saturating_add(3 + words as u16);
        let basket = basket.min(area.height * 2 / 3).max(6.min(area.height));
        let preview = Rect {
            x: list.right(),
            width: beside,
            height: area.height - basket,
            ..area
        };
        self::preview(context, available, preview, buffer);
        let place = Rect {
            y: preview.bottom(),
            height: basket,
            ..preview
        };
        self::basket(context, available, place, buffer);
    } else if in_full {
        preview(
            context,
            available,
            Rect {
                y: list.bottom(),
                height: below,
                ..area
            },
            buffer,
        );
    } else {
        narrow_basket(
            context,
            available,
            Rect {
                y: list.bottom(),
                height: below,
                ..area
            },
            buffer,
        );
    }
}

fn title(available: &AvailableSuites) -> String {
    let name = available.run.name();
    let list = available.list.value();
    match (list, available.list.is_reading(), available.progress) {
        (Some(_), true, Some((received, all))) => {
            return format!("Available for {name}: reading again, {received} of {all}");
        }
        (Some(_), true, None) => return format!("Available for {name}: reading again"),
        (Some(list), false, _) if available.list.failure().is_some() => {
            return format!(
                "Available for {name}: {} OLD, reading again failed (! tells)",
                list.len()
            );
        }
        _ => {}
    }
    match list {
        Some(list) if available.shown.len() < list.len() => {
            format!(
                "Available for {name}: {} of {} shown",
                available.shown.len(),
                list.len()
            )
        }
        Some(list) => format!("Available for {name}: {}, read whole", list.len()),
        None => format!("Available for {name}"),
    }
}

fn list(
    context: Context<'_>,
    available: &AvailableSuites,
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
    layout.list = Some((rows, available.scroll.top));
    let width = usize::from(area.width);
    if available.closed() {
        let words = "This run is closed: the interface neither lists nor adds suites there (section 3). Nothing was sent.";
        return say(context, buffer, area, words);
    }
    if available.list.value().is_none() {
        return match available.list.failure() {
            Some(failure) => {
                for (row, line) in fields::failure(failure, width.saturating_sub(2))
                    .into_iter()
                    .enumerate()
                {
                    frame::line(
                        buffer,
                        area,
                        row as u16,
                        vec![Span::styled(format!(" {line}"), theme.bad())],
                    );
                }
            }
            None => {
                let words = match (available.list.is_reading(), available.progress) {
                    (true, Some((received, all))) => {
                        format!("reading: {received} of {all}; Ctrl-c gives up")
                    }
                    (true, None) => "reading; Ctrl-c gives up".into(),
                    (false, _) => "given up: r reads again".into(),
                };
                say(context, buffer, area, &words);
            }
        };
    }
    let narrow = area.width < 60;
    let fixed = if narrow { 22 } else { 47 };
    let heading = |title: &str| {
        let (order, edited) = if narrow {
            (String::new(), String::new())
        } else {
            (text::pad_left("Order", 6) + " ", text::pad("Edited", 11))
        };
        let priority = if narrow {
            String::new()
        } else {
            text::pad("Priority", 9) + " "
        };
        format!(
            "   {} {order}{} {priority}{} {edited}",
            text::pad("Id", 7),
            text::pad(title, width.saturating_sub(fixed)),
            text::pad_left("Cases", 6)
        )
    };
    frame::line(
        buffer,
        area,
        0,
        vec![Span::styled(heading("Title"), theme.accent())],
    );
    if available.shown.is_empty() {
        let words = if available.text.text().is_empty() {
            "No suite can be added: all of this scope are in the run, or there are none."
        } else {
            "No suite matches. Esc takes the filter away."
        };
        return say(context, buffer, rows, words);
    }
    let begun = available.begun();
    for row in 0..rows.height {
        let index = available.scroll.top + u64::from(row);
        let Some(suite) = available.at(index) else {
            break;
        };
        let mark = if available.marks.has(&suite.doc_ref) {
            "*"
        } else {
            " "
        };
        let title = text::pad(
            suite.title.as_deref().unwrap_or("-"),
            width.saturating_sub(fixed),
        );
        let cases = suite
            .total_cases
            .map_or("-".into(), |cases| cases.to_string());
        let mut cells = format!(
            " {mark} {} ",
            text::pad(suite.id.as_deref().unwrap_or("-"), 7)
        );
        if !narrow {
            cells.push_str(&(text::pad_left(suite.order.as_deref().unwrap_or("-"), 6) + " "));
        }
        cells.push_str(&(title + " "));
        if !narrow {
            cells.push_str(&(text::pad(suite.priority.as_deref().unwrap_or("-"), 9) + " "));
        }
        cells.push_str(&text::pad_left(&cases, 6));
        if !narrow {
            let edited = suite
                .display_edited_on
                .as_deref()
                .map(|at| fields::short_time(at, context.now));
            cells.push_str(&(" ".to_owned() + &text::pad(edited.as_deref().unwrap_or("-"), 11)));
        }
        let in_range = begun.as_ref().is_some_and(|rows| rows.contains(&index));
        let style = if in_range { theme.warn() } else { theme.text() };
        frame::line(buffer, rows, row, vec![Span::styled(cells, style)]);
        frame::cursor(buffer, rows, row, index == available.scroll.cursor, theme);
    }
}

fn say(context: Context<'_>, buffer: &mut Buffer, area: Rect, words: &str) {
    for (row, line) in text::wrap(words, usize::from(area.width).saturating_sub(2), 6)
        .into_iter()
        .enumerate()
    {
        frame::line(
            buffer,
            area,
            row as u16,
            vec![Span::styled(format!(" {line}"), context.theme.warn())],
        );
    }
}

fn preview(context: Context<'_>, available: &AvailableSuites, area: Rect, buffer: &mut Buffer) {
    let suite = available.current();
    let title = suite.map_or("Suite".into(), |suite| format!("Suite {}", suite.name()));
    let inside = frame::pane(buffer, area, &title, "", context.theme, false);
    let Some(suite) = suite else { return };
    let width = usize::from(inside.width).saturating_sub(2);
    let mut row = 0;
    for (label, value) in facts(suite) {
        for (place, piece) in text::wrap(&value, width.saturating_sub(12).max(12), 60)
            .into_iter()
            .enumerate()
        {
            let label = if place == 0 { label } else { "" };
            let spans = vec![
                Span::styled(format!(" {}", text::pad(label, 12)), context.theme.muted()),
                Span::raw(piece),
            ];
            frame::line(buffer, inside, row, spans);
            row += 1;
        }
    }
}

/// Every field of section 2.3 in words.
fn facts(suite: &SuiteRow) -> Vec<(&'static str, String)> {
    let dash = |value: &Option<String>| match value {
        Some(empty) if empty.is_empty() => "(empty)".to_owned(),
        Some(value) => value.clone(),
        None => "-".to_owned(),
    };
    let when = |at: &Option<String>, by: &Option<String>| format!("{} by {}", dash(at), dash(by));
    vec![
        ("Title", dash(&suite.title)),
        ("Description", dash(&suite.description)),
        ("docRef", suite.doc_ref.to_string()),
        (
            "Scope",
            format!(
                "{} / {}  {}",
                dash(&suite.project),
                dash(&suite.subproject),
                dash(&suite.version)
            ),
        ),
        ("Order", dash(&suite.order)),
        ("Priority", dash(&suite.priority)),
        (
            "Cases",
            suite
                .total_cases
                .map_or("-".into(), |cases| cases.to_string()),
        ),
        ("Edited", when(&suite.display_edited_on, &suite.edited_by)),
        (
            "Created",
            when(&suite.display_created_on, &suite.created_by),
        ),
        (
            "Assigned to",
            format!(
                "{} {}",
                dash(&suite.assigned_to_number),
                dash(&suite.assigned_to_title)
            ),
        ),
        ("Booking", dash(&suite.time_booking_account)),
        (
            "Imported",
            suite
                .is_imported
                .map_or("-".into(), |yes| if yes { "yes" } else { "no" }.to_owned()),
        ),
        ("Attachments", suite.attachments.to_string()),
        (
            "Technical",
            format!(
                "{}  tenant {}",
                dash(&suite.technical_id),
                dash(&suite.tenant_id)
            ),
        ),
    ]
}

/// A sentence in the lines of a frame of so many columns.
fn wrapped(line: &str, columns: u16) -> Vec<String> {
    text::wrap(line, usize::from(columns).saturating_sub(4), 6)
}

fn sum(available: &AvailableSuites) -> String {
    let (cases, all) = available.cases();
    format!(
        "up to {cases} cases{}",
        if all { "" } else { " and more: not all say" }
    )
}

fn basket(context: Context<'_>, available: &AvailableSuites, area: Rect, buffer: &mut Buffer) {
    let inside = frame::pane(
        buffer,
        area,
        "Basket, kept while filtering",
        "",
        context.theme,
        false,
    );
    let width = usize::from(inside.width).saturating_sub(2);
    let lines = what_if::lines(context, available);
    let lines: Vec<String> = lines
        .iter()
        .flat_map(|line| wrapped(line, area.width))
        .collect();
    let last = inside
        .height
        .saturating_sub(1 + (lines.len() as u16).max(1));
    let room = usize::from(last);
    for (row, suite) in available.marks.rows().iter().take(room).enumerate() {
        let gone = available.is_gone(&suite.doc_ref);
        let after = if gone {
            "GONE meanwhile"
        } else {
            suite.title.as_deref().unwrap_or("-")
        };
        let words = format!("{} {after}", suite.name());
        let style = if gone {
            context.theme.bad()
        } else {
            context.theme.text()
        };
        frame::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(
                format!(" {}", text::fit(&words, width)),
                style,
            )],
        );
    }
    let more = available.marks.len().saturating_sub(room);
    if more > 0 && last > 0 {
        let words = format!(" {} more", more + 1);
        frame::line(
            buffer,
            inside,
            last - 1,
            vec![Span::styled(
                text::pad(&words, width + 1),
                context.theme.muted(),
            )],
        );
    }
    let lines = if lines.is_empty() {
        vec!["Space marks a suite".to_owned()]
    } else {
        lines
    };
    for (row, words) in (last..).zip(&lines) {
        frame::line(
            buffer,
            inside,
            row,
            vec![Span::styled(format!(" {words}"), context.theme.accent())],
        );
    }
    let hint = " Enter: preview, then add, then verify";
    let row = inside.height.saturating_sub(1);
    frame::line(
        buffer,
        inside,
        row,
        vec![Span::styled(hint, context.theme.muted())],
    );
}

fn narrow_basket(
    context: Context<'_>,
    available: &AvailableSuites,
    area: Rect,
    buffer: &mut Buffer,
) {
    let title = format!("Basket {}: {}", available.marks.len(), sum(available));
    let inside = frame::pane(buffer, area, &title, "", context.theme, false);
    let gone = available.gone().len();
    let mut names: Vec<&str> = available.marks.rows().iter().map(SuiteRow::name).collect();
    if names.is_empty() {
        names.push("Space marks a suite");
    }
    let gone = if gone > 0 {
        format!(" ({gone} gone meanwhile)")
    } else {
        String::new()
    };
    let words = text::fit(
        &format!("{}{gone}", names.join(" ")),
        usize::from(inside.width).saturating_sub(1),
    );
    frame::line(buffer, inside, 0, vec![Span::raw(format!(" {words}"))]);
    let lines = what_if::lines(context, available);
    let lines = lines.iter().flat_map(|line| wrapped(line, area.width));
    for (row, words) in (1..inside.height).zip(lines) {
        frame::line(buffer, inside, row, vec![Span::raw(format!(" {words}"))]);
    }
}

/// What is shown and marked.
pub fn status(available: &AvailableSuites) -> String {
    let order = SuiteOrder::ALL
        .iter()
        .find(|(order, _)| *order == available.order)
        .map_or("", |(_, heading)| heading);
    let down = if available.descending { " desc" } else { "" };
    let filter = match available.text.text() {
        "" => String::new(),
        words => format!("  filter (local) {words:?}"),
    };
    let Some(list) = available.list.value() else {
        return String::new();
    };
    format!(
        "{} available  {} marked  sort {order}{down}{filter}",
        list.len(),
        available.marks.len()
    )
}
