//! Keys of the board.

use crate::screens::keys::{
    BOARD, CHANGES, COMPARE_VERSIONS, COPY, COVERAGE, DUE_DATE, EIGHT_TABS, LAST_SCREEN,
    NEXT_SCREEN, TOOLS, UNDO,
};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::{Find, Move, Run};

const OWN: &[Binding] = &[
    Find.row(
        &["Enter"],
        "open",
        "List the runs of the cell",
        Action::Open,
    ),
    Move.row(
        &["→", "l"],
        "scroll-right",
        "Next configuration",
        Action::ScrollRight,
    ),
    Move.row(
        &["←", "h"],
        "scroll-left",
        "Configuration before",
        Action::ScrollLeft,
    ),
    Find.row(&["w"], "split", "Split configurations", Action::Split),
    CHANGES,
    COMPARE_VERSIONS,
    DUE_DATE,
    BOARD,
    Run.row(&["i"], "raw", "How kinds are found", Action::Raw),
    COPY,
    COVERAGE,
    UNDO,
    Run.row(
        &["X"],
        "export",
        "Report of the release in a file…",
        Action::Export,
    ),
    LAST_SCREEN,
    NEXT_SCREEN,
];

pub const PLACE: Place = Place {
    layer: Layer::Board,
    title: "the board",
    groups: &[MOVING, &[OWN, EIGHT_TABS, TOOLS], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Open], "runs"),
        Hint::of(&[Action::Show(Layer::Compare)], "compare"),
        Hint::of(&[Action::DueDate], "due"),
        Hint::of(&[Action::Export], "report"),
        COPIES,
        Hint::of(&[Action::Raw], "how"),
        BACK_AGAIN,
        HELPS,
        Hint::of(&[Action::ScrollLeft, Action::ScrollRight], "cell"),
        TURNS,
    ],
    types: false,
};
