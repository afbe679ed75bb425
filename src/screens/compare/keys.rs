//! Keys of the comparison.

use crate::screens::keys::{CHANGES, COPY, LAST_SCREEN, LEFT, NEXT_SCREEN, TOOLS};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::{Find, Run, Suites};

const OWN: &[Binding] = &[
    Find.row(
        &["f"],
        "facets",
        "The last run at another time…",
        Action::Facets,
    ),
    Find.row(
        &["w"],
        "columns",
        "Only what differs, or all",
        Action::Columns,
    ),
    COPY,
    Run.row(&["X"], "export", "Export to a file…", Action::Export),
    Suites.row(
        &["s"],
        "attached",
        "Work out the suites that are not known",
        Action::Show(Layer::Attached),
    ),
    Find.row(
        &["="],
        "compare",
        "Back to the screen before",
        Action::Show(Layer::Compare),
    ),
    CHANGES,
    LAST_SCREEN,
    NEXT_SCREEN,
    LEFT,
];

const fn hints(columns: &'static str) -> [Hint; 6] {
    [
        Hint::of(&[Action::Facets], "another time"),
        Hint::of(&[Action::Columns], columns),
        COPIES,
        EXPORTS,
        BACK_AGAIN,
        HELPS,
    ]
}

/// Hints while equal rows are hidden.
pub const DIFFERING: &[Hint] = &hints("all rows");

pub const PLACE: Place = Place {
    layer: Layer::Compare,
    title: "the comparison",
    groups: &[MOVING, &[OWN, TOOLS], OF_A_BOX],
    hints: &hints("only what differs"),
    types: false,
};
