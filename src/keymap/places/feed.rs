//! The changes beside the runs list.

use super::super::place::{Binding, Place, binding};
use super::shared::{ARROWS, BACK, EVERYWHERE, JUMPS, LETTERS, PAGES, REFRESH, STEPS};
use crate::store::{Action, Heading, Hint, Layer, Motion};

const OWN: &[Binding] = &[
    binding(
        &["Tab"],
        "next-part",
        Heading::Find,
        "back to the list",
        Action::NextPart,
    ),
    binding(
        &["Enter", "d"],
        "open",
        Heading::Find,
        "open the run at that change",
        Action::Open,
    ),
    binding(
        &["A"],
        "mark-all",
        Heading::Find,
        "all changes are looked at",
        Action::MarkAll,
    ),
    binding(
        REFRESH,
        "refresh",
        Heading::Find,
        "refresh, try again",
        Action::Refresh,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Feed,
    title: "the changes",
    short: "changes",
    groups: &[STEPS, ARROWS, JUMPS, PAGES, OWN, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(&[Action::Open], "open the run"),
        Hint::of(
            &[Action::Move(Motion::Down), Action::Move(Motion::Up)],
            "move",
        ),
        Hint::of(&[Action::MarkAll], "all looked at"),
        Hint::of(&[Action::Back], "back to the list"),
    ],
    types: false,
};
