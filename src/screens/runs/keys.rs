//! The keys of the runs list and of the changes beside it.

use crate::screens::keys::{
    BOARD, Binding, CHANGE, COVERAGE, DUE_DATE, EVERYWHERE, FILTER, HELPS, LEFT, LETTERS, MONITOR,
    MOVING, OF_A_BOX, OPEN_RUN, PREVIEW, Place, READ, SCREENS, SORT, TABS, TOOLS,
};
use crate::store::key_table::Heading::{Find, Run, Tool};
use crate::store::{Action, Hint, Layer, Motion};

const OWN: &[Binding] = &[
    FILTER,
    Find.row(
        &["f"],
        "facets",
        "Filter by version, configuration, …",
        Action::Facets,
    ),
    SORT,
    Find.row(&["H"], "changes", "Changes seen", Action::Changes),
    Find.row(&["w"], "columns", "Columns", Action::Columns),
    PREVIEW,
    MONITOR,
    BOARD,
    COVERAGE,
    DUE_DATE,
    LEFT,
    Run.row(
        &["X"],
        "export",
        "Export the marked runs, else all of the view, to a file…",
        Action::Export,
    ),
    OPEN_RUN,
    Run.row(&["Space"], "mark", "Mark", Action::Mark),
    Run.row(&["v"], "mark-range", "Mark a range", Action::MarkRange),
    Run.row(
        &["A"],
        "mark-all",
        "Mark all rows that are here",
        Action::MarkAll,
    ),
    Tool.row(
        &[],
        "sync",
        "Sync: read all open runs and what was edited",
        Action::Sync,
    ),
    Tool.row(&[], "sync-all", "Sync all: read all runs", Action::SyncAll),
];

const QUIT: &[Binding] = &[Tool.row(&["q"], "quit", "Quit", Action::Quit)];

pub const PLACE: Place = Place {
    layer: Layer::Runs,
    title: "the runs list",
    short: "runs",
    groups: &[
        MOVING,
        &[
            OWN, TABS, READ, CHANGE, SCREENS, TOOLS, LETTERS, EVERYWHERE, QUIT,
        ],
    ],
    hints: &[
        Hint::of(&[Action::Open], "open"),
        Hint::of(&[Action::Filter], "find"),
        Hint::of(&[Action::Show(Layer::Available)], "add suites"),
        Hint::of(&[Action::Show(Layer::Attached)], "suites"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::New], "new"),
        Hint::of(&[Action::Monitor], "monitor"),
        Hint::of(&[Action::Palette], "more"),
        HELPS,
        Hint::of(&[Action::Clone], "clone"),
        Hint::of(&[Action::Delete], "delete"),
        Hint::of(&[Action::Mark], "mark"),
        Hint::of(&[Action::Sort], "sort"),
        Hint::of(&[Action::Facets], "filter by"),
        Hint::of(&[Action::Undo], "undo"),
        Hint::of(&[Action::Refresh], "refresh"),
        Hint::of(&[Action::Quit], "quit"),
    ],
    types: false,
};

const IN_FEED: &[Binding] = &[
    Find.row(&["H"], "changes", "Back to the list", Action::Changes),
    Find.row(
        &["Enter", "→"],
        "open",
        "Open the run at that change",
        Action::Open,
    ),
    Find.row(&["A"], "mark-all", "Mark all as seen", Action::MarkAll),
    LEFT,
];

pub const FEED: Place = Place {
    layer: Layer::Feed,
    title: "the changes",
    short: "changes",
    groups: &[MOVING, &[IN_FEED, TOOLS], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Open], "open the run"),
        Hint::of(
            &[Action::Move(Motion::Down), Action::Move(Motion::Up)],
            "move",
        ),
        Hint::of(&[Action::MarkAll], "all seen"),
        Hint::of(&[Action::Back], "back to the list"),
    ],
    types: false,
};
