//! Menu of the orders of a list: a letter chooses at once, the same again reverses.

use crate::domain::Sort;
use crate::domain::fields::named;
use crate::screens::keys::{ARROWS, ENDS, LETTERED, PAGES};
use crate::screens::prelude::*;
use crate::store::message::WORST_FIRST;
use crate::store::{Orders, SuiteOrder};
use crate::ui::menu::{self, Lettered};

#[derive(Clone, Debug, PartialEq)]
pub struct SortMenu {
    orders: Orders,
    scroll: Scroll,
}

/// An order that is offered: what it chooses, its label, and its arrow if it is in force.
type Offered = (Choice, &'static str, Option<&'static str>);

impl SortMenu {
    pub fn new(orders: Orders) -> Self {
        Self {
            orders,
            scroll: Scroll::default(),
        }
    }

    /// Returns the lines: key, name, and the arrow of the order in force.
    fn lines<'a>(&self, shared: &'a Shared) -> Vec<Lettered<'a>> {
        let lines = shared.commands(Layer::SortMenu).iter();
        let lines = lines.filter_map(|command| {
            let Action::SortBy(name) = command.action else {
                return None;
            };
            let (_, label, now) = self.offered(name)?;
            let now = now.map(|arrow| format!("{arrow}  again reverses"));
            Some((command, label.to_owned(), now.unwrap_or_default()))
        });
        lines.collect()
    }

    /// Returns the order of this name, if it is one of the list.
    fn offered(&self, name: &'static str) -> Option<Offered> {
        match &self.orders {
            Orders::Runs { now, worst } => {
                let label = match named(name) {
                    Some(field) => field.label,
                    None if *worst && name == WORST_FIRST => "Worst first",
                    None => return None,
                };
                let now = now.as_ref().filter(|now| now.is_by(name));
                Some((Choice::Sort(name), label, now.map(Sort::arrow)))
            }
            Orders::Suites { now, descending } => {
                let mut all = SuiteOrder::ALL.into_iter();
                let (order, _, label) = all.find(|(_, it, _)| *it == name)?;
                let arrow = if *descending { "↓" } else { "↑" };
                let arrow = (order == *now).then_some(arrow);
                Some((Choice::SuiteSort(order), label, arrow))
            }
        }
    }
}

impl Screen for SortMenu {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let lines = self.lines(&cx.shared);
        let Some(action) = menu::choose(&mut self.scroll, action, &lines) else {
            return;
        };
        match action {
            Action::SortBy(name) => match self.offered(name) {
                Some((choice, ..)) => {
                    cx.close(Layer::SortMenu);
                    cx.chosen(choice);
                }
                None => cx.say("this list is not sorted by that"),
            },
            Action::Back => cx.close(Layer::SortMenu),
            _ => {}
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for SortMenu {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let lines = self.lines(&on.context.cx.shared);
        let menu = Menu::new(Layer::SortMenu, "Sort by", 44, lines.len());
        menu::letters(menu, &self.scroll, &lines, on, area);
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
    Heading::Find.row(
        &["Enter"],
        "open",
        "Sort by what is under the cursor",
        Action::Open,
    ),
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
    sorts(&["o"], "sort-order", "Sort by order (suites)", "order"),
    sorts(
        &["p"],
        "sort-priority",
        "Sort by priority (suites)",
        "priority",
    ),
    sorts(
        &["n"],
        "sort-cases",
        "Sort by the number of cases (suites)",
        "cases",
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::SortMenu,
    title: "the sort menu",
    groups: &[&[OWN, ARROWS, ENDS, PAGES], OF_A_BOX],
    hints: LETTERED,
    types: false,
};
