//! The screens: [`draw`] is pure, takes the store as it is and what time it is, and returns what was laid out.

mod bar;
mod boxes;
mod card;
mod changes;
mod chart;
mod delete;
mod detail;
mod feed;
mod fields;
mod form;
mod header;
mod hints;
mod json;
mod login;
mod members;
mod monitor;
mod monitor_words;
mod preview;
mod review;
mod runs;
mod status;
mod suites;
mod text;
mod theme;
mod time;
mod what_if;
mod widgets;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

pub use theme::{Palette, Theme};
pub use time::Now;

use crate::popups::Popup;
use crate::store::{Layer, Store};
use crate::ui::laid::Laid;

/// Smallest terminal that is drawn into, columns and rows.
pub const SMALLEST: (u16, u16) = (40, 10);

/// What every part of the view is handed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// State.
    pub store: &'a Store,
    /// Styles.
    pub theme: Theme,
    /// Time.
    pub now: &'a Now,
}

/// What was drawn where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Heights for the store.
    pub laid: Laid,
    /// The rows of the list that scrolls as a whole, with the place of its first row: what the terminal can move by
    /// itself, and what a mouse click points into.
    pub list: Option<(Rect, u64)>,
}

/// Draws everything.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer) -> Drawn {
    let mut drawn = Drawn::default();
    if area.is_empty() {
        return drawn;
    }
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let words = format!(
            "{}x{}: too small, needs {}x{}",
            area.width, area.height, SMALLEST.0, SMALLEST.1
        );
        let rows = text::wrap(&words, usize::from(area.width), usize::from(area.height));
        for (y, line) in (area.y..).zip(rows) {
            buffer.set_stringn(area.x, y, line, usize::from(area.width), Style::new());
        }
        return drawn;
    }
    let row = |y: u16| Rect {
        y,
        height: 1,
        ..area
    };
    let body = Rect {
        y: area.y + 1,
        height: area.height - 3,
        ..area
    };
    header::draw(context, row(area.y), buffer);
    match context.store.screen() {
        Layer::Detail => detail::draw(context, body, buffer, &mut drawn),
        Layer::Json => json::draw(context, body, buffer, &mut drawn),
        Layer::Available => suites::draw(context, body, buffer, &mut drawn),
        Layer::Members => members::draw(context, body, buffer, &mut drawn),
        Layer::Form => form::draw(context, body, buffer, &mut drawn),
        Layer::Review => review::draw(context, body, buffer, &mut drawn),
        Layer::Monitor => monitor::draw(context, body, buffer, &mut drawn),
        _ => runs::draw(context, body, buffer, &mut drawn),
    }
    let foot = Rect {
        y: area.bottom() - 2,
        height: 2,
        ..area
    };
    if !status::draw(context, foot, buffer) {
        hints::draw(context, row(area.bottom() - 1), buffer);
    }
    for popup in context.store.popups.open_ones() {
        match popup {
            Popup::Help(it) => boxes::help(context, it, body, buffer, &mut drawn),
            Popup::Login(it) => login::draw(context, it, body, buffer),
            Popup::Errors(_) => boxes::errors(context, body, buffer, &mut drawn),
            Popup::Journal(it) => changes::journal(context, it, body, buffer, &mut drawn),
            Popup::Confirm(it) => changes::confirm(context, it, body, buffer, &mut drawn),
            Popup::Work(it) => changes::work(context, it, body, buffer),
            Popup::Picker(it) => boxes::picker(context, it, body, buffer, &mut drawn),
            Popup::Delete(it) => delete::draw(context, it, body, buffer, &mut drawn),
        }
    }
    drawn
}
