//! The keys that several places have.

pub use crate::keymap::place::{Binding, Place, binding};
use crate::store::key_table::Heading::{Find, Move, Run, Suites, Tool};
use crate::store::{Action, CopyWhat, Heading, Hint, Layer, Motion};

type Keys = &'static [&'static str];

/// Hints that many places have.
pub const CLOSES: Hint = Hint::of(&[Action::Back], "close");
pub const BACK_AGAIN: Hint = Hint::of(&[Action::Back], "back");
pub const HELPS: Hint = Hint::of(&[Action::Help], "help");
pub const SCROLLS: Hint = Hint::of(UP_DOWN, "scroll");
pub const MOVES: Hint = Hint::of(UP_DOWN, "move");
const UP_DOWN: &[Action] = &[Action::Move(Motion::Up), Action::Move(Motion::Down)];

/// A row that moves the cursor.
const fn moves(keys: Keys, name: &'static str, words: &'static str, motion: Motion) -> Binding {
    binding(keys, name, Move, words, Action::Move(motion))
}

/// A row that shows a screen or a box.
const fn shows(
    keys: Keys,
    name: &'static str,
    heading: Heading,
    words: &'static str,
    what: Layer,
) -> Binding {
    binding(keys, name, heading, words, Action::Show(what))
}

/// A row for the nth tab, from 0.
pub const fn tab(keys: Keys, name: &'static str, words: &'static str, nth: usize) -> Binding {
    binding(keys, name, Move, words, Action::Part(nth))
}

pub const STEPS: &[Binding] = &[
    moves(&["j"], "row-down", "Row down", Motion::Down),
    moves(&["k"], "row-up", "Row up", Motion::Up),
];

pub const ARROWS: &[Binding] = &[
    moves(&["↓"], "row-down", "Row down", Motion::Down),
    moves(&["↑"], "row-up", "Row up", Motion::Up),
];

pub const JUMPS: &[Binding] = &[
    moves(&["g", "Home"], "first-row", "First row", Motion::First),
    moves(&["G", "End"], "last-row", "Last row", Motion::Last),
    moves(
        &["Ctrl-d"],
        "half-page-down",
        "Half a page down",
        Motion::HalfPageDown,
    ),
    moves(
        &["Ctrl-u"],
        "half-page-up",
        "Half a page up",
        Motion::HalfPageUp,
    ),
];

pub const PAGES: &[Binding] = &[
    moves(&["PgDn"], "page-down", "Page down", Motion::PageDown),
    moves(&["PgUp"], "page-up", "Page up", Motion::PageUp),
];

/// The cursor of a list, or of lines.
pub const MOVING: &[&[Binding]] = &[STEPS, ARROWS, JUMPS, PAGES];

pub const FILTER: Binding = binding(&["/"], "filter", Find, "Find", Action::Filter);
pub const SORT: Binding = binding(&["o"], "sort", Find, "Sort by…", Action::Sort);
pub const PREVIEW: Binding = binding(
    &["p"],
    "preview",
    Find,
    "Toggle the preview",
    Action::Preview,
);

pub const AVAILABLE: Binding = shows(
    &["a"],
    "available",
    Suites,
    "Suites to add",
    Layer::Available,
);
pub const OPEN_RUN: Binding = binding(&["Enter", "→"], "open", Run, "Open the run", Action::Open);
pub const MONITOR: Binding = binding(
    &["M"],
    "monitor",
    Run,
    "Monitor these runs",
    Action::Monitor,
);
pub const DUE_DATE: Binding = binding(
    &["d"],
    "due-date",
    Run,
    "Due date of the run, kept on this machine",
    Action::DueDate,
);
pub const COPY: Binding = shows(&["y"], "copy", Run, "Copy…", Layer::CopyMenu);
pub const COPY_REFERENCE: Binding = binding(
    &[],
    "copy-reference",
    Run,
    "Copy the reference",
    Action::Copy(CopyWhat::DocRef),
);
pub const COPY_ID: Binding = binding(
    &[],
    "copy-id",
    Run,
    "Copy the id",
    Action::Copy(CopyWhat::Id),
);
pub const COPY_JSON: Binding = binding(
    &[],
    "copy-json",
    Run,
    "Copy the JSON",
    Action::Copy(CopyWhat::Json),
);
pub const WEB: Binding = binding(
    &[],
    "web",
    Run,
    "Web: open the run in the browser",
    Action::OpenWeb,
);
pub const DELETE: Binding = binding(
    &["D"],
    "delete",
    Run,
    "Delete the run or the marked ones",
    Action::Delete,
);

const UNDO: Binding = binding(&["u"], "undo", Run, "Undo (asks first)", Action::Undo);

/// Where a run is read.
pub const READ: &[Binding] = &[
    binding(&["i"], "raw", Run, "JSON of the run", Action::Raw),
    COPY,
    COPY_REFERENCE,
    COPY_JSON,
    COPY_ID,
    WEB,
];

/// Where a run is changed.
pub const CHANGE: &[Binding] = &[
    binding(&["n"], "new", Run, "New run", Action::New),
    binding(&["e"], "edit", Run, "Edit the run", Action::Edit),
    binding(&["C"], "clone", Run, "Clone the run", Action::Clone),
    DELETE,
    UNDO,
];

const NEXT_TAB: Binding = binding(&["Tab"], "next-part", Move, "Next tab", Action::NextPart);
const PREVIOUS_TAB: Binding = binding(
    &["S-Tab"],
    "previous-part",
    Move,
    "Previous tab",
    Action::PreviousPart,
);
const TAB_1: Binding = tab(&["1"], "part-1", "Tab 1", 0);
const TAB_2: Binding = tab(&["2"], "part-2", "Tab 2", 1);

/// Tabs by their numbers.
pub const TABS: &[Binding] = &[
    NEXT_TAB,
    PREVIOUS_TAB,
    TAB_1,
    TAB_2,
    tab(&["3"], "part-3", "Tab 3", 2),
    tab(&["4"], "part-4", "Tab 4", 3),
    tab(&["5"], "part-5", "Tab 5", 4),
    tab(&["6"], "part-6", "Tab 6", 5),
    tab(&["7"], "part-7", "Tab 7", 6),
    tab(&["8"], "part-8", "Tab 8", 7),
    tab(&["9"], "part-9", "Tab 9", 8),
];

pub const JOURNAL: Binding = shows(&["@"], "journal", Tool, "My changes", Layer::Journal);

pub const LAST_SCREEN: Binding = binding(
    &["Alt-←", "Ctrl-o"],
    "last-screen",
    Move,
    "Back to the screen before",
    Action::LastScreen,
);
pub const NEXT_SCREEN: Binding = binding(
    &["Alt-→"],
    "next-screen",
    Move,
    "Forth to the screen that was left",
    Action::NextScreen,
);
/// In lists.
pub const LEFT: Binding = binding(&["←"], "back", Move, "Back", Action::Back);

/// The screens of the service's data.
pub const SCREENS: &[Binding] = &[
    LAST_SCREEN,
    NEXT_SCREEN,
    binding(
        &[],
        "undo-last",
        Run,
        "Undo my last change of all runs (asks first)",
        Action::UndoLast,
    ),
    binding(
        &[],
        "go-on",
        Run,
        "Go on with an unfinished change (asks first)",
        Action::GoOn,
    ),
    AVAILABLE,
    shows(
        &["s"],
        "attached",
        Suites,
        "Suites of the run",
        Layer::Attached,
    ),
    binding(
        &[],
        "delete-probes",
        Suites,
        "Delete left probe runs (asks first)",
        Action::DeleteProbes,
    ),
    JOURNAL,
];

/// Whatever is read here is read again with these.
pub const REFRESH: &[&str] = &["r", "F5"];

pub const PALETTE: Binding = binding(
    &[":", "Ctrl-p"],
    "palette",
    Tool,
    "Commands",
    Action::Palette,
);

pub const DRAFTS: Binding = binding(&["Ctrl-g"], "drafts", Run, "Drafts", Action::Drafts);

/// The screens, and the monitor.
pub const TOOLS: &[Binding] = &[
    binding(REFRESH, "refresh", Tool, "Read again", Action::Refresh),
    PALETTE,
    binding(&["m"], "mouse", Tool, "Toggle the mouse", Action::Mouse),
    DRAFTS,
    binding(&[], "sign-in", Tool, "Sign in", Action::SignIn),
];

/// Where no text is typed.
pub const LETTERS: &[Binding] = &[
    shows(&["!"], "errors", Tool, "Problems", Layer::Errors),
    binding(&["?"], "help", Tool, "Help", Action::Help),
    binding(
        &["Ctrl-z"],
        "suspend",
        Tool,
        "Suspend until fg",
        Action::Suspend,
    ),
];

pub const EVERYWHERE: &[Binding] = &[
    binding(&["F1"], "help", Tool, "Help", Action::Help),
    shows(&["F2"], "errors", Tool, "Problems", Layer::Errors),
    binding(&["Ctrl-l"], "redraw", Tool, "Draw again", Action::Redraw),
    binding(
        &["Ctrl-c"],
        "cancel",
        Tool,
        "Cancel (twice: quit)",
        Action::Cancel,
    ),
    binding(&["Esc"], "back", Tool, "Back", Action::Back),
];

/// Where `q` does not quit.
pub const BACK: &[Binding] = &[binding(&["q"], "back", Tool, "Back", Action::Back)];

/// What every box has where no text is typed.
pub const OF_A_BOX: &[&[Binding]] = &[LETTERS, EVERYWHERE, BACK];
/// The same of a screen of the service's data.
pub const OF_A_SCREEN: &[&[Binding]] = &[SCREENS, TOOLS, LETTERS, EVERYWHERE, BACK];

/// Boxes with a text field.
pub const TAKE: &[Binding] = &[binding(&["Enter"], "open", Tool, "Take it", Action::Open)];

/// A filter or search box at the foot of a screen.
const FIELD: &[Binding] = &[
    binding(
        &["↑"],
        "row-up",
        Find,
        "Up, or what was typed before",
        Action::Move(Motion::Up),
    ),
    binding(
        &["↓"],
        "row-down",
        Find,
        "Down, or what was typed after that",
        Action::Move(Motion::Down),
    ),
    binding(
        &["Tab"],
        "next-field",
        Move,
        "Next choice",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Move,
        "Previous choice",
        Action::PreviousField,
    ),
];

pub const TYPING: Place = Place {
    layer: Layer::Typing,
    title: "a text box",
    short: "text boxes",
    groups: &[&[FIELD, PAGES, TAKE, EVERYWHERE]],
    hints: &[
        Hint::of(&[Action::Open], "take"),
        Hint::of(&[Action::Back], "close the box"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "typed before",
        ),
    ],
    types: true,
};

/// Questions before something is written or lost.
pub const QUESTION: &[Binding] = &[
    binding(&["Enter"], "open", Tool, "Press the button", Action::Open),
    binding(
        &["→", "Tab"],
        "next-field",
        Tool,
        "Next field, button",
        Action::NextField,
    ),
    binding(
        &["←", "S-Tab"],
        "previous-field",
        Tool,
        "Previous field, button",
        Action::PreviousField,
    ),
    binding(&["i"], "raw", Tool, "Show what would be sent", Action::Raw),
];

/// The line of hints where a question shows what would be sent.
pub const REQUEST: &[Hint] = &[SCROLLS, Hint::of(&[Action::Back], "back to the question")];

/// Both lists of suites.
pub const SUITES: &[Binding] = &[
    binding(&["Space"], "mark", Suites, "Mark", Action::Mark),
    binding(
        &["v"],
        "mark-range",
        Suites,
        "Mark a range",
        Action::MarkRange,
    ),
    binding(&["A"], "mark-all", Suites, "Mark all", Action::MarkAll),
    NEXT_TAB,
    PREVIOUS_TAB,
    TAB_1,
    TAB_2,
    UNDO,
    binding(
        &["i"],
        "raw",
        Suites,
        "All fields of the suite",
        Action::Raw,
    ),
    COPY,
    COPY_JSON,
    COPY_ID,
    COPY_REFERENCE,
    LEFT,
];
