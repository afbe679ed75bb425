//! Keys of the changes.

use crate::screens::keys::{
    BOARD, COPY, LAST_SCREEN, LEFT, NEXT_SCREEN, OPEN_RUN, TOOLS, TWO_TABS,
};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::{Find, Run};

const OWN: &[Binding] = &[
    OPEN_RUN,
    Find.row(&["f"], "facets", "Since when…", Action::Facets),
    Find.row(
        &["A"],
        "mark-all",
        "All is seen up to here",
        Action::MarkAll,
    ),
    COPY,
    Run.row(&["X"], "export", "Export to a file…", Action::Export),
    BOARD,
    Find.row(
        &["H"],
        "changes",
        "Back to the screen before",
        Action::Show(Layer::Changes),
    ),
    LAST_SCREEN,
    NEXT_SCREEN,
    LEFT,
];

pub const PLACE: Place = Place {
    layer: Layer::Changes,
    title: "what changed",
    groups: &[MOVING, &[OWN, TWO_TABS, TOOLS], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Facets], "since when"),
        Hint::of(&[Action::Open], "open"),
        Hint::of(&[Action::MarkAll], "seen up to here"),
        COPIES,
        EXPORTS,
        BACK_AGAIN,
        HELPS,
        TURNS,
    ],
    types: false,
};
