//! One frame: header, screen, popups, status and hints. [`draw`] is pure: it takes store and time, and returns the
//! layout.

use ratatui::prelude::{Buffer, Rect, Style};
use unicode_width::UnicodeWidthChar;

use super::{header, hints, status};
use crate::screens::Screen;
use crate::store::{Action, Layer, Store};
use crate::ui::{Context, Layout, Now, Surface, Theme, frame, text};

/// Smallest terminal for a frame, columns and rows.
pub const SMALLEST: (u16, u16) = (40, 10);

/// Draws the frame.
pub fn draw(store: &Store, theme: Theme, now: &Now, area: Rect, buffer: &mut Buffer) -> Layout {
    let mut layout = Layout {
        too_small: area.width < SMALLEST.0 || area.height < SMALLEST.1,
        ..Layout::default()
    };
    if area.is_empty() {
        return layout;
    }
    if layout.too_small {
        let words = format!(
            "{}x{}: too small, needs {}x{}",
            area.width, area.height, SMALLEST.0, SMALLEST.1
        );
        let rows = text::wrap(&words, usize::from(area.width), usize::from(area.height));
        for (y, line) in (area.y..).zip(rows) {
            buffer.set_stringn(area.x, y, line, usize::from(area.width), Style::new());
        }
        return layout;
    }
    let starting = starting(store);
    let attached = store.screens.attached.as_ref();
    let attached = attached.and_then(|it| Some((&it.run.doc_ref, &**it.verdict.value()?)));
    let context = Context {
        starting: &starting,
        cx: &store.cx,
        theme,
        now,
        attached,
        is_missing: store.screens.is_missing(),
        paused: store.paused(),
    };
    let (head, rest) = frame::split(area, 1);
    let (body, foot) = frame::split(rest, area.height - 3);
    let show = |screen: &dyn Screen, buffer: &mut Buffer, layout: &mut Layout| {
        let mut on = Surface {
            context,
            buffer,
            layout,
        };
        screen.draw(&mut on, body);
    };
    header::draw(context, store, head, buffer);
    if let Some(screen) = store.screens.seen() {
        if let Some(below) = store.screens.of(store.screens.below())
            && screen.is_box()
        {
            show(below, buffer, &mut Layout::default());
            frame::behind(buffer, theme);
        }
        show(screen, buffer, &mut layout);
    }
    for popup in store.popups.open_ones() {
        // No clicks behind a box.
        layout.clicks.clear();
        // A prompt at the foot is about the visible screen.
        if popup.screen().field(context.cx).is_none() {
            frame::behind(buffer, theme);
        }
        show(popup.screen(), buffer, &mut layout);
    }
    if !status::draw(context, store, foot, buffer) {
        let last = frame::below(foot, 1);
        hints::draw(context, store, last, buffer, &mut layout);
    }
    spread_clusters(buffer);
    layout
}

/// Gives each character of a cluster that takes several columns its own cells (`क्ष`, `का`): terminals count them so, and
/// a cell of which only the first column is written anew would leave its rest on the screen.
fn spread_clusters(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width);
    for first in 0..buffer.content.len() {
        let cell = &buffer.content[first];
        // One character has four bytes at most.
        if cell.symbol().len() <= 4 {
            continue;
        }
        let mut parts: Vec<String> = Vec::new();
        for c in cell.symbol().chars() {
            match parts.last_mut() {
                Some(part) if c.width() == Some(0) => part.push(c),
                _ => parts.push(c.to_string()),
            }
        }
        let (style, end) = (cell.style(), (first / width + 1) * width);
        if parts.len() < 2 {
            continue;
        }
        let mut place = first;
        for part in parts {
            if let Some(cell) = buffer.content[..end].get_mut(place) {
                cell.set_symbol(&part).set_style(style);
            }
            place += text::width(&part).max(1);
        }
    }
}

/// Returns the progress of the start and the sign-in.
fn starting(store: &Store) -> String {
    if let Some((done, total)) = store.sign_in.preparing {
        let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
        return format!("making the local service's data: {percent} %");
    }
    let words = if store.popups.of(Layer::Login).is_some() {
        "waiting for the sign-in"
    } else if store.sign_in.left.is_some() {
        let screen = store.screen();
        let opens = store
            .cx
            .shared
            .key_does(screen, &Action::Refresh, "signs in");
        return format!("not signed in; {opens}");
    } else if store.cx.shared.session.is_some() {
        "signing in"
    } else {
        "starting"
    };
    words.into()
}
