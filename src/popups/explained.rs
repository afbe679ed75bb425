//! Explanation of a derived value on a screen, with lines for the config to copy.

use crate::screens::keys::COPY;
use crate::screens::prelude::*;
use crate::store::Explanation;

/// Columns of the box, with its border.
const COLUMNS: u16 = 76;
/// Maximum number of lines of a sentence.
const MOST: usize = 40;

#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    of: Explanation,
    scroll: TextBox,
}

impl Explained {
    pub fn new(of: Explanation) -> Self {
        Self {
            of,
            scroll: TextBox::default(),
        }
    }
}

impl Screen for Explained {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Move(motion) => self.scroll.scroll(motion),
            Action::Show(Layer::CopyMenu) => {
                let Explanation { lines, config, .. } = &self.of;
                let (what, text) = if config.is_empty() {
                    ("the explanation", lines.join("\n") + "\n")
                } else {
                    ("the lines for the config", config.clone())
                };
                let what = what.to_owned();
                cx.effect(Effect::Copy { what, text });
            }
            Action::Raw | Action::Back => cx.close(Layer::Explained),
            _ => {}
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for Explained {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let theme = on.context.theme;
        let columns = COLUMNS.min(area.width);
        let width = usize::from(columns).saturating_sub(4);
        let said = self
            .of
            .lines
            .iter()
            .map(|line| (line.as_str(), theme.text()));
        let config = self.of.config.lines().map(|line| (line, theme.accent()));
        let lines = said.chain(config).flat_map(|(line, style)| {
            let lines = text::wrap(&text::cells(line), width, MOST).into_iter();
            lines.map(move |line| Line::styled(format!(" {line}"), style))
        });
        let title = text::fit(&self.of.title, width.saturating_sub(4));
        let sheet = Sheet::of(Layer::Explained, &title, columns, lines.collect());
        self.scroll.draw(&sheet, on, area);
    }
}

const OWN: &[Binding] = &[
    Heading::Tool.row(&["i"], "raw", "Back to the screen", Action::Raw),
    COPY,
];

pub const PLACE: Place = Place {
    layer: Layer::Explained,
    title: "an explanation",
    groups: &[&[OWN], MOVING, OF_A_BOX],
    hints: &[
        SCROLLS,
        Hint::of(&[Action::Show(Layer::CopyMenu)], "copy the lines"),
        BACK_AGAIN,
        HELPS,
    ],
    types: false,
};
