//! Keys of the runs list.

use crate::screens::keys::{
    BOARD, CHANGE, COVERAGE, DUE_DATE, FILTER, LEFT, LETTERS, MONITOR, OPEN_RUN, PREVIEW, READ,
    SCREENS, SORT, TABS, TOOLS,
};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::{Find, Run, Tool};

const OWN: &[Binding] = &[
    FILTER,
    Find.row(
        &["f"],
        "facets",
        "Filter by version, configuration, …",
        Action::Facets,
    ),
    SORT,
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
    Run.row(&["Space"], "mark", "Mark, then the next row", Action::Mark),
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
    groups: &[
        MOVING,
        &[
            OWN, TABS, READ, CHANGE, SCREENS, TOOLS, LETTERS, EVERYWHERE, QUIT,
        ],
    ],
    hints: &[
        Hint::of(&[Action::Open], "open"),
        FINDS,
        Hint::of(&[Action::Show(Layer::Available)], "add suites"),
        Hint::of(&[Action::Show(Layer::Attached)], "suites"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::New], "new"),
        Hint::of(&[Action::Monitor], "monitor"),
        Hint::of(&[Action::Palette], "more"),
        HELPS,
        Hint::of(&[Action::Clone], "clone"),
        Hint::of(&[Action::Delete], "delete"),
        MARKS,
        SORTS,
        Hint::of(&[Action::Facets], "filter by"),
        Hint::of(&[Action::Undo], "undo"),
        Hint::of(&[Action::Refresh], "refresh"),
        Hint::of(&[Action::Quit], "quit"),
    ],
    types: false,
};
