//! Keys of a run and of its JSON.

use crate::screens::keys::{BOARD, CHANGE, COVERAGE, DUE_DATE, FILTER, LEFT, MONITOR, READ, tab};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::{Find, Move, Suites};

const OWN: &[Binding] = &[
    Move.row(&["Tab"], "next-part", "next tab or pane", Action::NextPart),
    Move.row(
        &["S-Tab"],
        "previous-part",
        "previous tab or pane",
        Action::PreviousPart,
    ),
    tab(&["1"], "part-1", "results", 0),
    tab(&["2"], "part-2", "suites", 1),
    tab(&["3"], "part-3", "history", 2),
    tab(&["4"], "part-4", "forecast", 3),
    tab(&["5"], "part-5", "details, files", 4),
    Suites.row(&["Enter"], "open", "open the suites", Action::Open),
    Suites.row(&["x"], "remove", "remove suites: s first", Action::Remove),
    MONITOR,
    BOARD,
    COVERAGE,
    DUE_DATE,
    LEFT,
];

pub const PLACE: Place = Place {
    layer: Layer::Detail,
    title: "a run",
    groups: &[MOVING, &[OWN, READ, CHANGE], OF_A_SCREEN],
    hints: &[
        Hint::of(&[Action::Show(Layer::Available)], "add suites"),
        Hint::of(&[Action::Show(Layer::Attached)], "suites"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::Clone], "clone"),
        Hint::of(&[Action::Delete], "delete"),
        Hint::of(&[Action::Undo], "undo"),
        BACK_AGAIN,
        HELPS,
        COPIES,
        Hint::of(&[Action::Raw], "JSON"),
        Hint::of(&[Action::Monitor], "monitor"),
        Hint::of(&[Action::NextPart], "next pane"),
    ],
    types: false,
};

const IN_JSON: &[Binding] = &[
    Move.row(
        &["→", "l"],
        "scroll-right",
        "more of a line that is cut",
        Action::ScrollRight,
    ),
    Move.row(
        &["←", "h"],
        "scroll-left",
        "back to its beginning",
        Action::ScrollLeft,
    ),
    FILTER,
    Find.row(&["n"], "next-match", "next match", Action::NextMatch),
    Find.row(
        &["N"],
        "previous-match",
        "previous match",
        Action::PreviousMatch,
    ),
];

pub const JSON: Place = Place {
    layer: Layer::Json,
    title: "the JSON",
    groups: &[MOVING, &[IN_JSON, READ], OF_A_SCREEN],
    hints: &[
        Hint::of(&[Action::Filter], "search"),
        Hint::of(
            &[Action::NextMatch, Action::PreviousMatch],
            "next, previous",
        ),
        COPIES,
        BACK_AGAIN,
        HELPS,
        Hint::of(&[Action::Refresh], "refresh"),
    ],
    types: false,
};
