//! The keys that several places have.

use super::super::place::{Row, row};
use crate::store::{Action, CopyWhat, Heading, Motion};

pub const STEPS: &[Row] = &[
    row(
        &["j"],
        "row-down",
        Heading::Move,
        "row down",
        Action::Move(Motion::Down),
    ),
    row(
        &["k"],
        "row-up",
        Heading::Move,
        "row up",
        Action::Move(Motion::Up),
    ),
];

pub const ARROWS: &[Row] = &[
    row(
        &["↓", "Ctrl-n"],
        "row-down",
        Heading::Move,
        "row down",
        Action::Move(Motion::Down),
    ),
    row(
        &["↑"],
        "row-up",
        Heading::Move,
        "row up",
        Action::Move(Motion::Up),
    ),
];

pub const JUMPS: &[Row] = &[
    row(
        &["g", "Home", "<"],
        "first-row",
        Heading::Move,
        "first row",
        Action::Move(Motion::First),
    ),
    row(
        &["G", "End", ">"],
        "last-row",
        Heading::Move,
        "last row",
        Action::Move(Motion::Last),
    ),
    row(
        &["Ctrl-d"],
        "half-page-down",
        Heading::Move,
        "half a page down",
        Action::Move(Motion::HalfPageDown),
    ),
    row(
        &["Ctrl-u"],
        "half-page-up",
        Heading::Move,
        "half a page up",
        Action::Move(Motion::HalfPageUp),
    ),
    row(
        &["."],
        "page-down",
        Heading::Move,
        "page down",
        Action::Move(Motion::PageDown),
    ),
    row(
        &[","],
        "page-up",
        Heading::Move,
        "page up",
        Action::Move(Motion::PageUp),
    ),
];

pub const PAGES: &[Row] = &[
    row(
        &["PgDn"],
        "page-down",
        Heading::Move,
        "page down",
        Action::Move(Motion::PageDown),
    ),
    row(
        &["PgUp"],
        "page-up",
        Heading::Move,
        "page up",
        Action::Move(Motion::PageUp),
    ),
];

pub const FILTER: Row = row(
    &["/"],
    "filter",
    Heading::Find,
    "filter, search",
    Action::Filter,
);
pub const SORT: Row = row(
    &["o"],
    "sort",
    Heading::Find,
    "sort by a field",
    Action::Sort,
);
pub const REVERSE_SORT: Row = row(
    &["O"],
    "reverse-sort",
    Heading::Find,
    "reverse the sort order",
    Action::ReverseSort,
);
pub const PREVIEW: Row = row(
    &["p"],
    "preview",
    Heading::Find,
    "preview on, off",
    Action::Preview,
);

pub const MONITOR: Row = row(
    &["M"],
    "monitor",
    Heading::Run,
    "monitor: the marked runs, the saved view, or those on the screen",
    Action::Monitor,
);
pub const COPY_REFERENCE: Row = row(
    &["y"],
    "copy-reference",
    Heading::Run,
    "copy the document reference",
    Action::Copy(CopyWhat::DocRef),
);
pub const COPY_ID: Row = row(
    &["c"],
    "copy-id",
    Heading::Run,
    "copy the short id",
    Action::Copy(CopyWhat::Id),
);
pub const DELETE: Row = row(
    &["D"],
    "delete",
    Heading::Run,
    "delete the run, or the marked ones",
    Action::Delete,
);

/// Where a run is read.
pub const READ: &[Row] = &[
    row(&["i"], "raw", Heading::Run, "raw JSON", Action::Raw),
    COPY_REFERENCE,
    row(
        &["Y"],
        "copy-json",
        Heading::Run,
        "copy the JSON",
        Action::Copy(CopyWhat::Json),
    ),
    COPY_ID,
];

/// Where a run is changed.
pub const CHANGE: &[Row] = &[
    row(&["n"], "new", Heading::Run, "new run", Action::New),
    row(&["e"], "edit", Heading::Run, "edit the run", Action::Edit),
    row(
        &["E"],
        "edit-outside",
        Heading::Run,
        "edit the run as TOML in $EDITOR",
        Action::EditOutside,
    ),
    row(
        &["C"],
        "clone",
        Heading::Run,
        "clone the run, into several configurations too",
        Action::Clone,
    ),
    DELETE,
    row(
        &["u", "z"],
        "undo",
        Heading::Run,
        "undo a write of your own (preview first)",
        Action::Undo,
    ),
];

pub const JOURNAL: Row = row(
    &["@"],
    "journal",
    Heading::Tool,
    "journal of writes",
    Action::Journal,
);

/// The screens of the service's data.
pub const SCREENS: &[Row] = &[
    row(
        &["-"],
        "last-screen",
        Heading::Move,
        "last screen",
        Action::LastScreen,
    ),
    row(
        &[],
        "undo-last",
        Heading::Run,
        "undo the last write of your own (preview first)",
        Action::UndoLast,
    ),
    row(
        &[],
        "go-on",
        Heading::Run,
        "go on with a change whose end is not known (preview first)",
        Action::GoOn,
    ),
    row(
        &[],
        "drafts",
        Heading::Run,
        "drafts of forms",
        Action::Drafts,
    ),
    row(
        &["a"],
        "available",
        Heading::Suites,
        "suites that can be added",
        Action::Available,
    ),
    row(
        &["s"],
        "members",
        Heading::Suites,
        "suites in the run",
        Action::Members,
    ),
    row(
        &[],
        "delete-probes",
        Heading::Suites,
        "delete left probe runs (asks first)",
        Action::DeleteProbes,
    ),
    JOURNAL,
];

/// Whatever is read here is read again with these.
pub const REFRESH: &[&str] = &["r", "R", "Ctrl-r", "F5"];

pub const PALETTE: Row = row(
    &[":", "Ctrl-p"],
    "palette",
    Heading::Tool,
    "commands",
    Action::Palette,
);

/// The screens, and the monitor.
pub const TOOLS: &[Row] = &[
    row(
        REFRESH,
        "refresh",
        Heading::Tool,
        "refresh, try again",
        Action::Refresh,
    ),
    PALETTE,
    row(
        &["m"],
        "mouse",
        Heading::Tool,
        "mouse on, off",
        Action::Mouse,
    ),
    row(&[], "sign-in", Heading::Tool, "sign in", Action::SignIn),
];

/// Where no text is typed.
pub const LETTERS: &[Row] = &[
    row(&["!"], "errors", Heading::Tool, "errors", Action::Errors),
    row(&["?"], "help", Heading::Tool, "help", Action::Help),
];

pub const EVERYWHERE: &[Row] = &[
    row(&["F1"], "help", Heading::Tool, "help", Action::Help),
    row(
        &["Ctrl-l"],
        "redraw",
        Heading::Tool,
        "draw again",
        Action::Redraw,
    ),
    row(
        &["Ctrl-z"],
        "suspend",
        Heading::Tool,
        "suspend, until fg",
        Action::Suspend,
    ),
    row(
        &["Ctrl-c"],
        "cancel",
        Heading::Tool,
        "give up what is under way; twice: quit",
        Action::Cancel,
    ),
    row(
        &["Esc"],
        "back",
        Heading::Tool,
        "back: box, filter, screen",
        Action::Back,
    ),
];

/// Where `q` does not quit.
pub const BACK: &[Row] = &[row(&["q"], "back", Heading::Tool, "back", Action::Back)];

/// Boxes with a text field.
pub const TAKE: &[Row] = &[row(&["Enter"], "open", Heading::Tool, "take", Action::Open)];
