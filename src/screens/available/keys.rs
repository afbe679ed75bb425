//! Keys of the available suites.

use crate::screens::keys::{FILTER, PREVIEW, SORT, SUITES};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Suites;

const ADD: &[Binding] = &[
    FILTER,
    SORT,
    PREVIEW,
    Suites.row(
        &["Enter"],
        "open",
        "Add the suite, or the marked ones (asks first)",
        Action::Open,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Available,
    title: "the available suites",
    groups: &[MOVING, &[SUITES, ADD], OF_A_SCREEN],
    hints: &[
        MARKS,
        Hint::of(&[Action::Open], "add (asks)"),
        FINDS,
        SORTS,
        Hint::of(&[Action::Raw], "all fields"),
        BACK_AGAIN,
        HELPS,
        TURNS,
        Hint::of(&[Action::MarkRange], "mark a range"),
        Hint::of(&[Action::MarkAll], "mark all"),
        Hint::of(&[Action::Undo], "undo"),
    ],
    types: false,
};
