//! Keys of the suites in a run.

use crate::screens::keys::{DELETE, FILTER, SORT, SUITES};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Suites;

const REMOVE: &[Binding] = &[
    DELETE,
    FILTER,
    SORT,
    Suites.row(
        &["p"],
        "preview",
        "How the suite is known, and why others are not",
        Action::Preview,
    ),
    Suites.row(
        &["x"],
        "remove",
        "Remove the suite, or the marked ones (asks first)",
        Action::Remove,
    ),
    Suites.row(&["Enter"], "open", "All fields of the suite", Action::Open),
    Suites.row(
        &[],
        "probe",
        "Compare with an empty run (asks first)",
        Action::Probe,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Attached,
    title: "the suites of a run",
    groups: &[MOVING, &[SUITES, REMOVE], OF_A_SCREEN],
    hints: &[
        MARKS,
        Hint::of(&[Action::Remove], "remove (asks)"),
        Hint::of(&[Action::Preview], "how known"),
        FINDS,
        TURNS,
        BACK_AGAIN,
        HELPS,
        Hint::of(&[Action::Raw], "all fields"),
        Hint::of(&[Action::Refresh], "check again"),
        SORTS,
        Hint::of(&[Action::Undo], "undo"),
    ],
    types: false,
};
