//! The line at the foot: rows, filter and order of the screen, the open request, or a message.

use ratatui::prelude::{Buffer, Rect, Span, Style};

use crate::store::in_flight::seconds;
use crate::store::{Action, Lasts, Layer, Slot, Store};
use crate::ui::{Context, FootField, frame, text};

/// Minimum columns of a message beside its remedy.
const FIRST_WORDS: usize = 12;

/// Draws the line at the foot. A message that does not fit takes the second row too, that of the hints; returns true
/// then.
pub fn draw(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) -> bool {
    let theme = context.theme;
    let width = usize::from(area.width);
    let notice = store.cx.notice.as_ref().map(|notice| {
        let (sign, style) = if notice.bad {
            ("! ", theme.bad())
        } else {
            ("", theme.warn())
        };
        (
            format!("{sign}{}", notice.text),
            notice.remedy.as_str(),
            style,
        )
    });
    // The second row, below a message that stays.
    let below = || {
        let (words, remedy, style) = notice.clone()?;
        Some((in_two(&words, remedy, 0, width).1?, style))
    };
    if let Some(field) = store.on_top().and_then(|top| top.field(context.cx)) {
        let rest = draw_field(context, field, Rect { height: 1, ..area }, buffer);
        // A new message goes before the end of the field's words, one that stays behind it.
        let lasts = store.cx.notice.as_ref().map(|it| &it.lasts);
        let now = lasts.is_some_and(|it| *it != Lasts::EndOfWrite);
        let second = if now {
            below().or(rest)
        } else {
            rest.or_else(below)
        };
        return second_row(second, area, buffer);
    }
    let errors = match (store.cx.errors.unseen, store.layer()) {
        (0, _) => String::new(),
        (count, layer) => {
            let key = store
                .cx
                .shared
                .key(Layer::Form, &Action::Show(Layer::Errors));
            let key = key.filter(|_| layer == Layer::Form);
            let key = key.map_or_else(String::new, |key| format!(": {key}"));
            format!("  [!] {count} new{key}")
        }
    };
    let room = width.saturating_sub(text::width(&errors));
    let waits = waits(context, store);
    let (first, style, second) = match (waits, &notice) {
        // A write stays visible, whatever the messages.
        (Some(waits), _) if store.cx.in_flight.writes() => (waits, theme.warn(), below()),
        (_, Some((words, remedy, style))) => {
            let (first, second) = in_two(words, remedy, room, width);
            (first, *style, second.map(|second| (second, *style)))
        }
        (Some(waits), None) => (waits, theme.warn(), None),
        (None, None) => {
            let top = store.screens.seen();
            let words = top.map_or_else(String::new, |top| top.status(context));
            let remark = top.and_then(|top| top.remark(context));
            let (first, second) = match remark {
                None => (words, None),
                Some(remark) if text::width(&text::cells(&remark)) <= room => {
                    (format!("{remark}   {words}"), None)
                }
                Some(remark) => in_two(&format!("{remark}   {words}"), "", room, width),
            };
            let style = theme.text();
            (first, style, second.map(|second| (second, style)))
        }
    };
    let spans = vec![
        Span::styled(text::pad(&first, room), style),
        Span::styled(errors, theme.bad()),
    ];
    frame::line(buffer, area, 0, spans);
    second_row(second, area, buffer)
}

fn second_row(said: Option<(String, Style)>, area: Rect, buffer: &mut Buffer) -> bool {
    let Some((words, style)) = said else {
        return false;
    };
    let words = text::pad(&words, usize::from(area.width));
    frame::line(buffer, area, 1, vec![Span::styled(words, style)]);
    true
}

/// Returns the open write, or a reading that takes long, and its key to cancel.
fn waits(context: Context<'_>, store: &Store) -> Option<String> {
    let in_flight = &store.cx.in_flight;
    let (slot, since) = in_flight.waited_for()?;
    let seconds = seconds(since, context.now.ms);
    if seconds.is_empty() && !slot.writes() {
        return None;
    }
    let changing = store.cx.shared.changing.as_ref();
    let words = match changing.filter(|_| *slot == Slot::ChangeSuites) {
        Some(changing) => changing.words(),
        None => format!("{}…", slot.words()),
    };
    let does = if slot.writes() { "stops" } else { "gives up" };
    let shared = &store.cx.shared;
    let cancels = shared.then_key("  ", store.layer(), &Action::Cancel, does);
    Some(format!("{words}{seconds}{cancels}"))
}

/// Returns a message and its remedy on one line if they fit, else on two of these widths. A message that is too long is
/// cut before the remedy.
fn in_two(words: &str, remedy: &str, room: usize, width: usize) -> (String, Option<String>) {
    // No more than both lines hold is shown.
    let mut columns = text::width(&text::fit(words, room + width));
    loop {
        let said = format!("{} {remedy}", text::fit(words, columns));
        let said = said.trim_end();
        if text::width(&text::cells(said)) <= room {
            return (said.to_owned(), None);
        }
        let first = if room == 0 {
            String::new()
        } else {
            text::wrap(said, room, 1).concat()
        };
        let said = text::cells(said);
        let rest = said.chars().skip(first.chars().count());
        let rest = rest.collect::<String>().trim_start().to_owned();
        if columns <= FIRST_WORDS || text::width(&rest) <= width {
            return (first, Some(rest));
        }
        columns -= 1;
    }
}

/// Draws a text field with a sign before it and words behind it; returns the words that do not fit.
fn draw_field(
    context: Context<'_>,
    field: FootField<'_>,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<(String, Style)> {
    let theme = context.theme;
    let (said, bad) = field.said;
    let sign = text::width(field.sign) as u16;
    // The words get the columns that the text does not need, at least two thirds.
    let typed = text::width(&text::cells(&field.input.shown())) as u16 + 2;
    let room = area.width.saturating_sub(sign + typed.max(area.width / 6));
    let most = room.max(area.width * 2 / 3);
    let note = (text::width(&said) as u16 + 2).min(most);
    let place = Rect {
        x: area.x + sign,
        width: area.width.saturating_sub(note + sign),
        ..area
    };
    frame::line(
        buffer,
        area,
        0,
        vec![Span::styled(field.sign, theme.accent())],
    );
    frame::field(buffer, place, field.input, true, theme);
    let place = Rect {
        x: place.right() + 2,
        width: note.saturating_sub(2),
        ..area
    };
    let style = if bad { theme.bad() } else { theme.warn() };
    let (said, rest) = in_two(&said, "", place.width.into(), area.width.into());
    frame::line(buffer, place, 0, vec![Span::styled(said, style)]);
    rest.map(|rest| (rest, style))
}
