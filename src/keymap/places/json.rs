//! The JSON of a run.

use super::super::place::{Binding, Place, binding};
use super::shared::{
    ARROWS, BACK, EVERYWHERE, FILTER, JUMPS, LETTERS, PAGES, READ, SCREENS, STEPS, TOOLS,
};
use crate::store::{Action, CopyWhat, Heading, Hint, Layer};

const OWN: &[Binding] = &[
    FILTER,
    binding(
        &["n"],
        "next-match",
        Heading::Find,
        "next match",
        Action::NextMatch,
    ),
    binding(
        &["N"],
        "previous-match",
        Heading::Find,
        "previous match",
        Action::PreviousMatch,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Json,
    title: "the JSON",
    short: "JSON",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, OWN, READ, SCREENS, TOOLS, LETTERS, EVERYWHERE, BACK,
    ],
    hints: &[
        Hint::of(&[Action::Help], "help"),
        Hint::of(&[Action::Back], "back"),
        Hint::of(&[Action::Filter], "search"),
        Hint::of(
            &[Action::NextMatch, Action::PreviousMatch],
            "next, previous",
        ),
        Hint::of(&[Action::Copy(CopyWhat::Json)], "copy"),
        Hint::of(&[Action::Refresh], "refresh"),
    ],
    types: false,
};
