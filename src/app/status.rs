//! The line at the foot: what is shown, filtered and sorted, or what the person must be told.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::screens::Field;
use crate::store::{Layer, Store};
use crate::ui::{Context, frame, text};

/// What is shown, filtered and sorted; or what the person must be told now. Of the two rows the second is taken only by
/// words that do not fit into the first: then says `true`.
pub fn draw(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) -> bool {
    let top = store.screens.of(store.screens.top());
    let field = top.and_then(|top| top.field(context));
    if let Some(field) = field.filter(|_| store.popups.top().is_none()) {
        draw_field(context, field, Rect { height: 1, ..area }, buffer);
        return false;
    }
    notice_or_status(context, store, area, buffer)
}

fn notice_or_status(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) -> bool {
    let theme = context.theme;
    let errors = match (store.cx.errors.unseen, store.layer()) {
        (0, _) => String::new(),
        (count, Layer::Form) => format!("  [!] {count} new: F2"),
        (count, _) => format!("  [!] {count} new"),
    };
    let room = usize::from(area.width).saturating_sub(text::width(&errors));
    let (words, style) = match &store.cx.notice {
        Some(notice) if notice.bad => (format!("! {}", notice.text), theme.bad()),
        Some(notice) => (notice.text.clone(), theme.warn()),
        None => {
            let top = store.screens.of(store.screens.top());
            let words = top.map_or_else(String::new, |top| top.status(context));
            (words, theme.text())
        }
    };
    let (first, second) = match &store.cx.notice {
        Some(_) => in_two(&words, room),
        None => (words, None),
    };
    let spans = vec![
        Span::styled(text::pad(&first, room), style),
        Span::styled(errors, theme.bad()),
    ];
    frame::line(buffer, area, 0, spans);
    match second {
        Some(second) => {
            frame::line(
                buffer,
                area,
                1,
                vec![Span::styled(
                    text::pad(&second, usize::from(area.width)),
                    style,
                )],
            );
            true
        }
        None => false,
    }
}

/// Words on one line where they fit, else on two.
fn in_two(words: &str, room: usize) -> (String, Option<String>) {
    if text::width(&text::cells(words)) <= room {
        return (words.to_owned(), None);
    }
    let mut lines = text::wrap(words, room, 100).into_iter();
    let first = lines.next().unwrap_or_default();
    let rest = lines.collect::<Vec<_>>().join(" ");
    (first, Some(rest).filter(|rest| !rest.is_empty()))
}

/// A text field with a sign before it and words behind it.
fn draw_field(context: Context<'_>, field: Field<'_>, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let (said, bad) = field.said;
    let sign = text::width(field.sign) as u16;
    let note = (text::width(&said) as u16 + 2).min(area.width * 2 / 3);
    let place = Rect {
        x: area.x + sign,
        width: area.width.saturating_sub(note + sign),
        ..area
    };
    frame::line(buffer, area, 0, vec![Span::styled(field.sign, theme.key())]);
    frame::field(buffer, place, field.input, true, theme);
    let place = Rect {
        x: place.right() + 2,
        width: note.saturating_sub(2),
        ..area
    };
    let style = if bad { theme.bad() } else { theme.warn() };
    let said = text::fit(&said, usize::from(place.width));
    frame::line(buffer, place, 0, vec![Span::styled(said, style)]);
}
