//! The keys of the available suites.

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{
    ARROWS, BACK, BACK_AGAIN, EVERYWHERE, FILTER, HELPS, JUMPS, LETTERS, PAGES, PREVIEW, SCREENS,
    SORT, STEPS, SUITES, TOOLS,
};
use crate::store::key_table::Heading::Suites;
use crate::store::{Action, Hint, Layer};

const ADD: &[Binding] = &[
    FILTER,
    SORT,
    PREVIEW,
    binding(
        &["Enter"],
        "open",
        Suites,
        "Add the suite, or the marked ones (asks first)",
        Action::Open,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Available,
    title: "the available suites",
    short: "available suites",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, SUITES, ADD, SCREENS, TOOLS, LETTERS, EVERYWHERE, BACK,
    ],
    hints: &[
        Hint::of(&[Action::Mark], "mark"),
        Hint::of(&[Action::Open], "add (asks)"),
        Hint::of(&[Action::Filter], "find"),
        Hint::of(&[Action::Sort], "sort"),
        Hint::of(&[Action::Raw], "all fields"),
        BACK_AGAIN,
        HELPS,
        Hint::of(&[Action::NextPart], "next tab"),
        Hint::of(&[Action::MarkRange], "mark a range"),
        Hint::of(&[Action::MarkAll], "mark all"),
        Hint::of(&[Action::Undo], "undo"),
    ],
    types: false,
};
