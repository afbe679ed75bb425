//! Keys of the monitor.

use crate::screens::keys::{
    AVAILABLE, BOARD, CHANGES, COPY, COPY_ID, COPY_REFERENCE, COVERAGE, DUE_DATE, JOURNAL,
    LAST_SCREEN, LEFT, NEXT_SCREEN, OPEN_RUN, SORT, TOOLS, WEB,
};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Run;

const OWN: &[Binding] = &[
    OPEN_RUN,
    AVAILABLE,
    Run.row(
        &["t"],
        "limit",
        "Limit of all runs, or of this one",
        Action::Limit,
    ),
    DUE_DATE,
    BOARD,
    COVERAGE,
    Run.row(&["P"], "pin", "Pin: the run comes first", Action::Pin),
    SORT,
    CHANGES,
    Run.row(
        &["X"],
        "export",
        "Write counts over time to a file, of this run or of all",
        Action::Export,
    ),
    Run.row(&["b"], "bell", "Bell on, off", Action::Bell),
    Run.row(&["+"], "faster", "Read more often", Action::Faster),
    Run.row(&["-"], "slower", "Read less often", Action::Slower),
    COPY,
    COPY_REFERENCE,
    COPY_ID,
    WEB,
    LAST_SCREEN,
    NEXT_SCREEN,
    LEFT,
    JOURNAL,
];

pub const PLACE: Place = Place {
    layer: Layer::Monitor,
    title: "the monitor",
    short: "monitor",
    groups: &[MOVING, &[OWN, TOOLS], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Limit], "limit"),
        Hint::of(&[Action::DueDate], "due date"),
        Hint::of(&[Action::Pin], "pin"),
        Hint::of(&[Action::Sort], "sort"),
        Hint::of(&[Action::Show(Layer::Changes)], "changes"),
        BACK_AGAIN,
        HELPS,
        Hint::of(&[Action::Export], "export"),
        Hint::of(&[Action::Bell], "bell"),
        Hint::of(&[Action::Faster, Action::Slower], "more, less often"),
        Hint::of(&[Action::Refresh], "now"),
        Hint::of(&[Action::Open], "open the run"),
    ],
    types: false,
};
