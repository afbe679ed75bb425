//! Keys of the monitor.

use crate::screens::keys::{
    ATTACHED, AVAILABLE, BOARD, CHANGES, COMPARE, COVERAGE, DUE_DATE, LAST_SCREEN, LEFT, MONITOR,
    NEXT_SCREEN, OPEN_RUN, READ, SORT, TOOLS,
};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Run;

const OWN: &[Binding] = &[
    OPEN_RUN,
    AVAILABLE,
    ATTACHED,
    Run.row(&["t"], "limit", "Limit of the runs", Action::Limit),
    DUE_DATE,
    MONITOR,
    BOARD,
    COVERAGE,
    Run.row(&["P"], "pin", "Pin: the run comes first", Action::Pin),
    SORT,
    CHANGES,
    COMPARE,
    Run.row(
        &["X"],
        "export",
        "Write counts over time of these runs to a file",
        Action::Export,
    ),
    Run.row(&["b"], "bell", "Bell on, off", Action::Bell),
    Run.row(&["+"], "faster", "Read more often", Action::Faster),
    Run.row(&["-"], "slower", "Read less often", Action::Slower),
    LAST_SCREEN,
    NEXT_SCREEN,
    LEFT,
];

pub const PLACE: Place = Place {
    layer: Layer::Monitor,
    title: "the monitor",
    groups: &[MOVING, &[OWN, READ, TOOLS], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Limit], "limit"),
        Hint::of(&[Action::DueDate], "due date"),
        Hint::of(&[Action::Pin], "pin"),
        SORTS,
        Hint::of(&[Action::Show(Layer::Changes)], "changes"),
        BACK_AGAIN,
        HELPS,
        EXPORTS,
        Hint::of(&[Action::Bell], "bell"),
        Hint::of(&[Action::Faster, Action::Slower], "more, less often"),
        Hint::of(&[Action::Refresh], "now"),
        Hint::of(&[Action::Open], "open the run"),
    ],
    types: false,
};
