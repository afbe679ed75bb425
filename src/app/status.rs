//! The line at the foot: what is shown, filtered and sorted, or what the person must be told.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::Changing;
use crate::screens::screen::Field;
use crate::store::{Action, Layer, Store};
use crate::ui::{Context, frame, text};

/// What is shown, filtered and sorted; or what the person must be told now. Of the two rows the first belongs to the
/// screen, as long as the words fit into the second.
pub fn draw(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) {
    let top = match store.popups.top() {
        Some(popup) => Some(popup.screen()),
        None => store.screens.of(store.screens.top()),
    };
    if let Some(field) = top.and_then(|top| top.field(context)) {
        let last = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        return draw_field(context, field, last, buffer);
    }
    notice_or_status(context, store, area, buffer);
}

fn notice_or_status(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) {
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
        None if context.cx.shared.changing.is_some() => (changing(store), theme.warn()),
        None => {
            let top = store.screens.of(store.screens.top());
            let words = top.map_or_else(String::new, |top| top.status(context));
            (words, theme.text())
        }
    };
    let (above, words) = match &store.cx.notice {
        Some(notice) => with_remedy(&words, &notice.remedy, room, usize::from(area.width)),
        None => (None, words),
    };
    if let Some(above) = above {
        let above = text::pad(&above, usize::from(area.width));
        frame::line(buffer, area, 0, vec![Span::styled(above, style)]);
    }
    let spans = vec![
        Span::styled(text::pad(&words, room), style),
        Span::styled(errors, theme.bad()),
    ];
    frame::line(buffer, area, 1, spans);
}

/// The change of suites under way, and how it is stopped where more than one request is sent for it.
fn changing(store: &Store) -> String {
    let changing = store.cx.shared.changing.as_ref();
    let words = changing.map_or_else(String::new, Changing::words);
    let table = store.key_table(store.layer());
    match table.and_then(|table| table.key(&Action::Cancel)) {
        Some(key) => format!("{words}  {key} stops"),
        None => words,
    }
}

/// Words and what can be done on two lines; where they are too long for these, the words are cut before it.
fn with_remedy(words: &str, remedy: &str, room: usize, width: usize) -> (Option<String>, String) {
    if remedy.is_empty() {
        return in_two(words, room, width);
    }
    let mut columns = text::width(&text::cells(words));
    loop {
        let said = format!("{} {remedy}", text::fit(words, columns));
        let (first, second) = in_two(&said, room, width);
        if columns == 0 || text::width(&second) <= room {
            return (first, second);
        }
        columns -= 1;
    }
}

/// Words on one line where they fit, else on two, of which the first is so wide.
fn in_two(words: &str, room: usize, width: usize) -> (Option<String>, String) {
    if text::width(&text::cells(words)) <= room {
        return (None, words.to_owned());
    }
    let mut lines = text::wrap(words, width, 100).into_iter();
    let first = lines.next();
    (first, lines.collect::<Vec<_>>().join(" "))
}

/// A text field with a sign before it and words behind it.
fn draw_field(context: Context<'_>, field: Field<'_>, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let (said, bad) = field.said;
    let sign = text::width(field.sign) as u16;
    // The words behind it have what the text does not need, and two thirds at least.
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
    let said = text::fit(&said, usize::from(place.width));
    frame::line(buffer, place, 0, vec![Span::styled(said, style)]);
}
