//! A suite in full: every field that the service gave.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::{SuiteFields, SuiteRow};
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::Screen;
use crate::screens::keys::{
    ARROWS, BACK, COPY, COPY_ID, COPY_JSON, COPY_REFERENCE, EVERYWHERE, JUMPS, LETTERS, PAGES,
    STEPS,
};
use crate::store::cx::Cx;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, CopyOf, CopyTo, Motion, Open};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::{Context, frame, suite, text};

/// Columns of the box, with its border.
const WIDTH: u16 = 100;

#[derive(Clone, Debug, PartialEq)]
pub struct SuiteBox {
    suite: SuiteRow,
    /// What its document says, where that is kept.
    said: Option<SuiteFields>,
    /// First line shown.
    top: u16,
}

impl SuiteBox {
    pub fn new(suite: SuiteRow) -> Self {
        Self {
            said: suite.said(),
            suite,
            top: 0,
        }
    }

    fn copied(&self) -> CopyOf {
        CopyOf::Suites(vec![self.suite.clone()])
    }
}

impl Screen for SuiteBox {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Suite
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Move(motion) => motion.scroll(&mut self.top),
            Action::Copy(what) => cx.copy(self.copied(), what, CopyTo::Clipboard),
            Action::Show(Layer::CopyMenu) => cx.open(Open::CopyMenu {
                of: self.copied(),
                marked: false,
            }),
            Action::Raw | Action::Back => cx.close(Layer::Suite),
            _ => {}
        }
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        if let Some(last) = layout.suite {
            self.top = self.top.min(last);
        }
        false
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        let width = WIDTH.min(area.width);
        let columns = usize::from(width).saturating_sub(4);
        let lines = suite::all(context, &self.suite, self.said.as_ref(), columns);
        let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
        let room = usize::from(area.height.min(height)).saturating_sub(2);
        let last = lines.len().saturating_sub(room);
        let top = usize::from(self.top).min(last);
        let right = if last == 0 {
            String::new()
        } else {
            format!("{}-{} of {}", top + 1, top + room, lines.len())
        };
        let title = text::fit(
            &self.suite.full_name(),
            usize::from(width).saturating_sub(26),
        );
        let inside = frame::popup(buffer, area, (width, height), &title, &right, context.theme);
        for (row, line) in (0..).zip(lines.into_iter().skip(top).take(room)) {
            frame::line(buffer, inside, row, line.spans);
        }
        layout.suite = Some(u16::try_from(last).unwrap_or(u16::MAX));
    }
}

const OWN: &[Binding] = &[
    binding(
        &["i"],
        "raw",
        Heading::Suites,
        "Back to the list",
        Action::Raw,
    ),
    COPY,
    COPY_JSON,
    COPY_ID,
    COPY_REFERENCE,
];

pub const PLACE: Place = Place {
    layer: Layer::Suite,
    title: "a suite",
    short: "suite",
    groups: &[OWN, STEPS, ARROWS, JUMPS, PAGES, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "scroll",
        ),
        Hint::of(&[Action::Show(Layer::CopyMenu)], "copy"),
        Hint::of(&[Action::Back], "back"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};
