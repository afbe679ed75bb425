//! What failed so far, to read.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::keymap::place::Place;
use crate::screens::Screen;
use crate::screens::keys::{ARROWS, BACK, EVERYWHERE, JUMPS, LETTERS, PAGES, STEPS};
use crate::store::cx::Cx;
use crate::store::errors::Trouble;
use crate::store::key_table::Hint;
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::{Context, fields, frame, text};

/// The box; what it shows stands in [`crate::store::ErrorLog`].
#[derive(Clone, Debug, PartialEq)]
pub struct Errors;

impl Screen for Errors {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Errors
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let entries = cx.errors.entries.len() as u64;
        match action {
            Action::Move(motion) => {
                cx.errors.scroll.go(motion, entries);
            }
            Action::Point(row) => cx.errors.scroll.point(row, entries),
            Action::Back | Action::Show(Layer::Errors) => {
                cx.errors.open = false;
                cx.close(Layer::Errors);
            }
            _ => {}
        }
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        draw(context, area, buffer, layout);
    }
}

/// Columns of the box at most.
const COLUMNS: u16 = 100;

/// Draws the failures, newest first, with the one under the cursor in full.
fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let errors = &context.cx.errors;
    let theme = context.theme;
    let columns = area.width.saturating_sub(4).min(COLUMNS);
    let width = usize::from(columns).saturating_sub(4);
    let whole = errors.entries.get(errors.scroll.cursor as usize);
    let whole = whole.map_or_else(Vec::new, |trouble| fields::failure(&trouble.failure, width));
    let room = area.height.saturating_sub(2);
    let below = (whole.len() as u16 + 1).min(room.saturating_sub(1));
    let lines = (errors.entries.len() as u16).clamp(1, room.saturating_sub(below).max(1));
    let height = if whole.is_empty() {
        3
    } else {
        lines + below + 2
    };
    let count = errors.entries.len().to_string();
    let inside = frame::popup(
        buffer,
        area,
        (columns, height),
        "Problems, newest first",
        &count,
        theme,
    );
    if errors.entries.is_empty() {
        let none = Span::styled(" none since the start", theme.good());
        return frame::line(buffer, inside, 0, vec![none]);
    }
    let list = Rect {
        height: lines.min(inside.height),
        ..inside
    };
    layout.errors = Some(list.height);
    layout.click_rows(list);
    for (row, index) in (0..).zip(errors.scroll.visible(list.height)) {
        let Some(Trouble { at, times, failure }) = errors.entries.get(index) else {
            break;
        };
        let times = match times {
            1 => String::new(),
            more => format!(" ×{more}"),
        };
        let line = format!(
            " {}  {}{times}: {}",
            context.now.clock(*at),
            failure.asked,
            failure.came_back
        );
        let line = vec![Span::raw(text::pad(&line, width + 1))];
        frame::line(buffer, list, row, line);
        let here = index as u64 == errors.scroll.cursor;
        frame::cursor(buffer, list, row, here, theme);
    }
    for (row, line) in (list.height + 1..).zip(whole) {
        let line = Span::styled(format!(" {line}"), theme.text());
        frame::line(buffer, inside, row, vec![line]);
    }
}

pub const PLACE: Place = Place {
    layer: Layer::Errors,
    title: "the problems",
    short: "problems",
    groups: &[STEPS, ARROWS, JUMPS, PAGES, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(
            &[Action::Move(Motion::Down), Action::Move(Motion::Up)],
            "move",
        ),
        Hint::of(&[Action::Back], "close"),
    ],
    types: false,
};
