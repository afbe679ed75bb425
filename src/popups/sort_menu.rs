//! Menu of the orders of runs: a letter chooses at once, the same again reverses.

use crate::domain::SortedBy;
use crate::domain::fields::named;
use crate::screens::prelude::*;
use crate::store::message::WORST_FIRST;
use crate::ui::menu;

#[derive(Clone, Debug, PartialEq)]
pub struct SortMenu {
    /// Current order of the runs.
    now: Option<SortedBy>,
    /// Offers `WORST_FIRST`, too.
    worst: bool,
}

impl SortMenu {
    pub fn new(now: Option<SortedBy>, worst: bool) -> Self {
        Self { now, worst }
    }
}

impl Screen for SortMenu {
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
}

impl Draw for SortMenu {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let shared = &on.context.cx.shared;
        let rows = shared
            .commands(Layer::SortMenu)
            .iter()
            .filter_map(|command| {
                let Action::SortBy(name) = command.action else {
                    return None;
                };
                let label = match named(name) {
                    Some(field) => field.label,
                    None if self.worst => "Worst first",
                    None => return None,
                };
                let now = self.now.filter(|now| now.field == name);
                let now = now.map(|now| format!("{}  again reverses", now.arrow()));
                Some((command, label.to_owned(), now.unwrap_or_default()))
            })
            .collect();
        menu::letters("Sort by", 44, rows, on, area);
    }
}

/// Creates a row for a letter that sorts by a field.
const fn sorts(
    keys: &'static [&'static str],
    name: &'static str,
    words: &'static str,
    field: &'static str,
) -> Binding {
    Heading::Find.row(keys, name, words, Action::SortBy(field))
}

const OWN: &[Binding] = &[
    sorts(
        &["w"],
        "sort-worst",
        "Sort the worst first (monitor)",
        WORST_FIRST,
    ),
    sorts(
        &["e"],
        "sort-edited",
        "Sort by the last edit",
        "display_edited_on",
    ),
    sorts(
        &["c"],
        "sort-created",
        "Sort by creation",
        "display_created_on",
    ),
    sorts(&["f"], "sort-failed", "Sort by failed cases", "failed"),
    sorts(
        &["b"],
        "sort-blocked",
        "Sort by blocked cases",
        "blocked_or_on_hold",
    ),
    sorts(&["l"], "sort-left", "Sort by what is left", "left"),
    sorts(&["d"], "sort-done", "Sort by what is done", "done"),
    sorts(&["t"], "sort-title", "Sort by title", "title"),
    sorts(&["i"], "sort-id", "Sort by id", "id"),
];

pub const PLACE: Place = Place {
    layer: Layer::SortMenu,
    title: "the sort menu",
    groups: &[&[OWN], OF_A_BOX],
    hints: &[CLOSES, HELPS],
    types: false,
};
