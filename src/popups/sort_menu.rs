//! The menu of what the runs can be sorted by: a letter chooses at once, the same again reverses.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::fields::named;
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{BACK, EVERYWHERE, LETTERS};
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::key_table::{Heading, Hint, KeyTable};
use crate::store::layer::Layer;
use crate::store::message::{Action, Choice, SortedBy, WORST_FIRST};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::{Context, menu, text};

#[derive(Clone, Debug, PartialEq)]
pub struct SortMenu {
    /// What the runs are sorted by now.
    now: Option<SortedBy>,
    /// Runs can come the worst first, too.
    worst: bool,
    /// Its keys.
    table: KeyTable,
}

impl SortMenu {
    pub fn new(now: Option<SortedBy>, worst: bool, table: KeyTable) -> Self {
        Self { now, worst, table }
    }
}

impl Screen for SortMenu {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::SortMenu
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::SortBy(WORST_FIRST) if !self.worst => {}
            Action::SortBy(field) => {
                cx.close(Layer::SortMenu);
                cx.chosen(Choice::Sort(field));
            }
            Action::Back => cx.close(Layer::SortMenu),
            _ => {}
        }
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        let theme = context.theme;
        let lines = self.table.commands.iter().filter_map(|command| {
            let Action::SortBy(name) = command.action else {
                return None;
            };
            let label = match named(name) {
                Some(field) => field.label,
                None if self.worst => "Worst first",
                None => return None,
            };
            let now = self.now.filter(|now| now.field == name);
            let arrow = match now.map(|now| now.ascending) {
                Some(true) => "↑  again reverses",
                Some(false) => "↓  again reverses",
                None => "",
            };
            let label = Span::styled(text::pad(label, 20), theme.text());
            Some((command, vec![label, Span::styled(arrow, theme.muted())]))
        });
        menu::letters("Sort by", 44, lines.collect(), theme, area, buffer, layout);
    }
}

const OWN: &[Binding] = &[
    binding(
        &["w"],
        "sort-worst",
        Heading::Find,
        "Sort the worst first (monitor)",
        Action::SortBy(WORST_FIRST),
    ),
    binding(
        &["e"],
        "sort-edited",
        Heading::Find,
        "Sort by the last edit",
        Action::SortBy("display_edited_on"),
    ),
    binding(
        &["c"],
        "sort-created",
        Heading::Find,
        "Sort by creation",
        Action::SortBy("display_created_on"),
    ),
    binding(
        &["f"],
        "sort-failed",
        Heading::Find,
        "Sort by failed cases",
        Action::SortBy("failed"),
    ),
    binding(
        &["b"],
        "sort-blocked",
        Heading::Find,
        "Sort by blocked cases",
        Action::SortBy("blocked_or_on_hold"),
    ),
    binding(
        &["l"],
        "sort-left",
        Heading::Find,
        "Sort by what is left",
        Action::SortBy("left"),
    ),
    binding(
        &["d"],
        "sort-done",
        Heading::Find,
        "Sort by what is done",
        Action::SortBy("done"),
    ),
    binding(
        &["t"],
        "sort-title",
        Heading::Find,
        "Sort by title",
        Action::SortBy("title"),
    ),
    binding(
        &["i"],
        "sort-id",
        Heading::Find,
        "Sort by id",
        Action::SortBy("id"),
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::SortMenu,
    title: "the sort menu",
    short: "sort menu",
    groups: &[OWN, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(&[Action::Back], "close"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};
