//! What failed so far, to read.

use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::keymap::place::Place;
use crate::screens::Screen;
use crate::screens::keys::{CLOSES, MOVING, OF_A_BOX};
use crate::store::{Action, Cx, Hint, Layer, Motion, Trouble};
use crate::ui::layout::Scrolled;
use crate::ui::{List, Menu, Surface, Unmarked, fields, frame, text};

/// The box; what it shows stands in [`crate::store::ErrorLog`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    list: List,
}

impl Screen for Errors {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let entries = Unmarked(cx.errors.entries.len());
        let Some(action) = self.list.update(action, &entries, cx) else {
            return;
        };
        match action {
            Action::Back | Action::Show(Layer::Errors) => {
                cx.errors.open = false;
                cx.close(Layer::Errors);
            }
            _ => {}
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.list)
    }

    /// The failures, newest first, with the one under the cursor in full.
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let entries = &context.cx.errors.entries;
        let theme = context.theme;
        let columns = area.width.saturating_sub(4).min(COLUMNS);
        let width = usize::from(columns).saturating_sub(4);
        let whole = entries.get(self.list.scroll.cursor as usize);
        let whole = whole.map_or_else(Vec::new, |trouble| fields::failure(&trouble.failure, width));
        let whole = whole.iter().map(|words| frame::said(words, theme.text()));
        let menu = Menu {
            right: &entries.len().to_string(),
            none: Some(frame::said("none since the start", theme.good())),
            whole: (whole.collect(), 1),
            ..Menu::new(
                Layer::Errors,
                "Problems, newest first",
                columns,
                entries.len(),
            )
        };
        let row = |place: usize| {
            let Trouble { at, times, failure } = &entries[place];
            let times = match times {
                1 => String::new(),
                more => format!(" ×{more}"),
            };
            let at = context.now.clock(*at);
            let line = format!(" {at}  {}{times}: {}", failure.asked, failure.came_back);
            vec![Span::raw(text::fit(&line, width + 1))]
        };
        menu.draw(&self.list, row, on, area);
    }
}

/// Columns of the box at most.
const COLUMNS: u16 = 100;

pub const PLACE: Place = Place {
    layer: Layer::Errors,
    title: "the problems",
    short: "problems",
    groups: &[MOVING, OF_A_BOX],
    hints: &[
        Hint::of(
            &[Action::Move(Motion::Down), Action::Move(Motion::Up)],
            "move",
        ),
        CLOSES,
    ],
    types: false,
};
