//! Details of a suite: every field from the service.

use crate::domain::SuiteFields;
use crate::screens::keys::{COPY, COPY_ID, COPY_JSON, COPY_REFERENCE};
use crate::screens::prelude::*;
use crate::store::{CopyOf, CopyTo};
use crate::ui::suite;

/// Most lines of a name that its heading cuts.
const NAME: usize = 8;
/// Columns of the box, with its border.
const COLUMNS: u16 = 100;

#[derive(Clone, Debug, PartialEq)]
pub struct SuiteBox {
    suite: SuiteRow,
    /// Fields of its document, if that is kept.
    said: Option<SuiteFields>,
    scroll: TextBox,
}

impl SuiteBox {
    pub fn new(suite: SuiteRow) -> Self {
        Self {
            said: suite.said(),
            suite,
            scroll: TextBox::default(),
        }
    }

    fn copied(&self) -> CopyOf {
        CopyOf::Suites(vec![self.suite.clone()])
    }
}

impl Screen for SuiteBox {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Move(motion) => self.scroll.scroll(motion),
            Action::Copy(what) => cx.copy(self.copied(), what, CopyTo::Clipboard),
            Action::Show(Layer::CopyMenu) => cx.open(Open::CopyMenu(self.copied(), false)),
            Action::Raw | Action::Back => cx.close(Layer::Suite),
            _ => {}
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for SuiteBox {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let columns = COLUMNS.min(area.width);
        let width = usize::from(columns);
        let said = self.said.as_ref();
        let name = self.suite.full_name();
        let title = text::fit(&name, width.saturating_sub(26));
        let mut lines = suite::all(on.context, &self.suite, said, width.saturating_sub(4));
        if title != name {
            let whole = text::wrap(&name, width.saturating_sub(5), NAME);
            let whole = whole.into_iter().map(|line| Line::raw(format!(" {line}")));
            lines.splice(0..0, whole.chain([Line::default()]));
        }
        let sheet = Sheet::of(Layer::Suite, &title, columns, lines);
        self.scroll.draw(&sheet, on, area);
    }
}

const OWN: &[Binding] = &[
    Heading::Suites.row(&["i"], "raw", "Back to the list", Action::Raw),
    COPY,
    COPY_JSON,
    COPY_ID,
    COPY_REFERENCE,
];

pub const PLACE: Place = Place {
    layer: Layer::Suite,
    title: "a suite",
    groups: &[&[OWN], MOVING, OF_A_BOX],
    hints: &[SCROLLS, COPIES, BACK_AGAIN, HELPS],
    types: false,
};
