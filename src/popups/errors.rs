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

/// Draws the failures, newest first, with the one under the cursor in full.
fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let errors = &context.cx.errors;
    let theme = context.theme;
    let count = errors.entries.len().to_string();
    let inside = frame::popup(
        buffer,
        area,
        (area.width, area.height),
        "Errors, newest first",
        &count,
        theme,
    );
    if errors.entries.is_empty() {
        frame::line(
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
    layout.errors = Some(list.height);
    let width = usize::from(inside.width).saturating_sub(2);
    for (row, index) in errors.scroll.visible(list.height).enumerate() {
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
        frame::line(
            buffer,
            list,
            row as u16,
            vec![Span::raw(text::pad(&line, width + 1))],
        );
        frame::cursor(
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
        let style = if row == 0 {
            theme.muted()
        } else {
            theme.text()
        };
        frame::line(
            buffer,
            whole,
            row as u16,
            vec![Span::styled(format!(" {line}"), style)],
        );
    }
}

pub const PLACE: Place = Place {
    layer: Layer::Errors,
    title: "the errors",
    short: "errors",
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
