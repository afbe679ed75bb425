//! Keys that several places share.

pub use crate::keymap::place::{Binding, Place};
use crate::store::key_table::Heading::{Find, Move, Run, Suites, Tool};
use crate::store::{Action, CopyWhat, Heading, Hint, Layer, Motion};

type Keys = &'static [&'static str];

/// Hints that many places share.
pub const CLOSES: Hint = Hint::of(&[Action::Back], "close");
pub const COPIES: Hint = Hint::of(&[Action::Show(Layer::CopyMenu)], "copy");
pub const BACK_AGAIN: Hint = Hint::of(&[Action::Back], "back");
pub const HELPS: Hint = Hint::of(&[Action::Help], "help");
pub const SCROLLS: Hint = Hint::of(UP_DOWN, "scroll");
pub const MOVES: Hint = Hint::of(UP_DOWN, "move");
pub const FINDS: Hint = Hint::of(&[Action::Filter], "find");
pub const SORTS: Hint = Hint::of(&[Action::Sort], "sort");
pub const MARKS: Hint = Hint::of(&[Action::Mark], "mark, ↓");
pub const EXPORTS: Hint = Hint::of(&[Action::Export], "export");
pub const TURNS: Hint = Hint::of(&[Action::NextPart], "next tab");
const UP_DOWN: &[Action] = &[Action::Move(Motion::Up), Action::Move(Motion::Down)];

/// A key that moves the cursor.
const fn moves(keys: Keys, name: &'static str, words: &'static str, motion: Motion) -> Binding {
    Move.row(keys, name, words, Action::Move(motion))
}

/// A key that opens a screen or a box.
const fn shows(
    keys: Keys,
    name: &'static str,
    heading: Heading,
    words: &'static str,
    what: Layer,
) -> Binding {
    heading.row(keys, name, words, Action::Show(what))
}

/// A key that copies.
pub const fn copies(
    keys: Keys,
    name: &'static str,
    words: &'static str,
    what: CopyWhat,
) -> Binding {
    Run.row(keys, name, words, Action::Copy(what))
}

/// A key for the nth tab, from 0.
pub const fn tab(keys: Keys, name: &'static str, words: &'static str, nth: usize) -> Binding {
    Move.row(keys, name, words, Action::Part(nth))
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

/// Of boxes in which letters have another meaning.
pub const ENDS: &[Binding] = &[
    moves(&["Home"], "first-row", "First row", Motion::First),
    moves(&["End"], "last-row", "Last row", Motion::Last),
];

pub const PAGES: &[Binding] = &[
    moves(&["PgDn"], "page-down", "Page down", Motion::PageDown),
    moves(&["PgUp"], "page-up", "Page up", Motion::PageUp),
];

/// Keys of the cursor in lists and texts.
pub const MOVING: &[&[Binding]] = &[STEPS, ARROWS, JUMPS, PAGES];

pub const FILTER: Binding = Find.row(&["/"], "filter", "Find", Action::Filter);
pub const SORT: Binding = Find.row(&["o"], "sort", "Sort by…", Action::Sort);
pub const PREVIEW: Binding = Find.row(&["p"], "preview", "Toggle the preview", Action::Preview);

pub const AVAILABLE: Binding = shows(
    &["a"],
    "available",
    Suites,
    "Suites to add",
    Layer::Available,
);
pub const ATTACHED: Binding = shows(
    &["s"],
    "attached",
    Suites,
    "Suites of the run",
    Layer::Attached,
);
pub const OPEN_RUN: Binding = Run.row(&["Enter", "→"], "open", "Open the run", Action::Open);
pub const MONITOR: Binding = Run.row(&["M"], "monitor", "Monitor these runs", Action::Monitor);
pub const BOARD: Binding = shows(&["B"], "board", Run, "Board of the release", Layer::Board);
pub const COVERAGE: Binding = Suites.row(
    &[],
    "coverage",
    "Coverage: suites in no open run of the version",
    Action::Coverage,
);
pub const CHANGES: Binding = shows(&["H"], "changes", Find, "What changed", Layer::Changes);
pub const COMPARE: Binding = shows(
    &["="],
    "compare",
    Find,
    "Compare the marked runs, or the run with how it stood",
    Layer::Compare,
);
pub const COMPARE_VERSIONS: Binding = shows(
    &["="],
    "compare",
    Find,
    "Compare the version with the one before",
    Layer::Compare,
);
pub const DUE_DATE: Binding = Run.row(
    &["d"],
    "due-date",
    "Due date, kept on this machine",
    Action::DueDate,
);
pub const COPY: Binding = shows(&["y"], "copy", Run, "Copy…", Layer::CopyMenu);
pub const COPY_REFERENCE: Binding = copies(
    &[],
    "copy-reference",
    "Copy the reference",
    CopyWhat::DocRef,
);
pub const COPY_ID: Binding = copies(&[], "copy-id", "Copy the id", CopyWhat::Id);
pub const COPY_JSON: Binding = copies(&[], "copy-json", "Copy the JSON", CopyWhat::Json);
const WEB: Binding = Run.row(
    &[],
    "web",
    "Web: open the run in the browser",
    Action::OpenWeb,
);
pub const DELETE: Binding = Run.row(
    &["D"],
    "delete",
    "Delete the run or the marked ones",
    Action::Delete,
);

pub const UNDO: Binding = Run.row(&["u"], "undo", "Undo (asks first)", Action::Undo);

/// Keys for reading a run.
pub const READ: &[Binding] = &[
    Run.row(&["i"], "raw", "JSON of the run", Action::Raw),
    COPY,
    COPY_REFERENCE,
    COPY_JSON,
    COPY_ID,
    WEB,
];

/// Keys for changing a run.
pub const CHANGE: &[Binding] = &[
    Run.row(&["n"], "new", "New run", Action::New),
    Run.row(&["e"], "edit", "Edit the run", Action::Edit),
    Run.row(&["C"], "clone", "Clone the run", Action::Clone),
    DELETE,
    UNDO,
];

const NEXT_TAB: Binding = Move.row(&["Tab"], "next-part", "Next tab", Action::NextPart);
const PREVIOUS_TAB: Binding = Move.row(
    &["S-Tab"],
    "previous-part",
    "Previous tab",
    Action::PreviousPart,
);
const TAB_1: Binding = tab(&["1"], "part-1", "Tab 1", 0);
const TAB_2: Binding = tab(&["2"], "part-2", "Tab 2", 1);

/// Keys of two tabs.
pub const TWO_TABS: &[Binding] = &[NEXT_TAB, PREVIOUS_TAB, TAB_1, TAB_2];

/// Keys of the tabs by number.
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

/// Keys of the tabs of a board, which are eight at most.
pub const EIGHT_TABS: &[Binding] = TABS.split_at(TABS.len() - 1).0;

pub const JOURNAL: Binding = shows(&["@"], "journal", Tool, "My changes", Layer::Journal);

pub const LAST_SCREEN: Binding = Move.row(
    &["Alt-←", "Ctrl-o"],
    "last-screen",
    "Back to the screen before",
    Action::LastScreen,
);
pub const NEXT_SCREEN: Binding = Move.row(
    &["Alt-→"],
    "next-screen",
    "Forth to the screen that was left",
    Action::NextScreen,
);
/// Key of lists.
pub const LEFT: Binding = Move.row(&["←"], "back", "Back", Action::Back);

/// Keys of the screens with data of the service.
pub const SCREENS: &[Binding] = &[
    LAST_SCREEN,
    NEXT_SCREEN,
    Run.row(
        &[],
        "undo-last",
        "Undo my last change of all runs (asks first)",
        Action::UndoLast,
    ),
    Run.row(
        &[],
        "go-on",
        "Go on with an unfinished change (asks first)",
        Action::GoOn,
    ),
    CHANGES,
    COMPARE,
    AVAILABLE,
    ATTACHED,
];

/// Keys that read again.
pub const REFRESH: &[&str] = &["r", "F5"];

pub const PALETTE: Binding = Tool.row(&[":", "Ctrl-p"], "palette", "Commands", Action::Palette);

pub const SIGN_IN: Binding = Tool.row(&[], "sign-in", "Sign in", Action::SignIn);

pub const DRAFTS: Binding = Run.row(&["Ctrl-g"], "drafts", "Drafts", Action::Drafts);

/// Keys of the screens and the monitor.
pub const TOOLS: &[Binding] = &[
    Tool.row(REFRESH, "refresh", "Read again", Action::Refresh),
    JOURNAL,
    PALETTE,
    Tool.row(&["m"], "mouse", "Toggle the mouse", Action::Mouse),
    DRAFTS,
    SIGN_IN,
];

/// Keys outside of text fields.
pub const LETTERS: &[Binding] = &[
    shows(&["!"], "errors", Tool, "Problems", Layer::Errors),
    Tool.row(&["?"], "help", "Help", Action::Help),
    Tool.row(&["Ctrl-z"], "suspend", "Suspend until fg", Action::Suspend),
];

pub const EVERYWHERE: &[Binding] = &[
    Tool.row(&["F1"], "help", "Help", Action::Help),
    shows(&["F2"], "errors", Tool, "Problems", Layer::Errors),
    Tool.row(&["Ctrl-l"], "redraw", "Draw again", Action::Redraw),
    Tool.row(
        &["Ctrl-c"],
        "cancel",
        "Cancel (twice: quit)",
        Action::Cancel,
    ),
    Tool.row(&["Esc"], "back", "Back", Action::Back),
];

/// Key where `q` does not quit.
const BACK: &[Binding] = &[Tool.row(&["q"], "back", "Back", Action::Back)];

/// Keys of boxes without a text field.
pub const OF_A_BOX: &[&[Binding]] = &[LETTERS, EVERYWHERE, BACK];
/// The same for screens with data of the service.
pub const OF_A_SCREEN: &[&[Binding]] = &[SCREENS, TOOLS, LETTERS, EVERYWHERE, BACK];

/// Keys of boxes with a text field.
pub const TAKE: &[Binding] = &[Tool.row(&["Enter"], "open", "Take it", Action::Open)];

/// Keys of a filter or search field at the foot of a screen.
const FIELD: &[Binding] = &[
    Find.row(
        &["↑"],
        "row-up",
        "Up, or what was typed before",
        Action::Move(Motion::Up),
    ),
    Find.row(
        &["↓"],
        "row-down",
        "Down, or what was typed after that",
        Action::Move(Motion::Down),
    ),
    Move.row(
        &["Tab"],
        "next-field",
        "Complete the word, or next choice",
        Action::NextField,
    ),
    Move.row(
        &["S-Tab"],
        "previous-field",
        "The completion before, or previous choice",
        Action::PreviousField,
    ),
];

pub const TYPING: Place = Place {
    layer: Layer::Typing,
    title: "a text box",
    groups: &[&[FIELD, PAGES, TAKE, EVERYWHERE]],
    hints: &[
        Hint::of(&[Action::Open], "take"),
        Hint::of(&[Action::Back], "close the box"),
        Hint::of(UP_DOWN, "typed before"),
    ],
    types: true,
};

/// Of a menu whose rows have letters.
pub const LETTERED: &[Hint] = &[
    Hint::of(&[Action::Open], "take, as its letter does"),
    MOVES,
    CLOSES,
    HELPS,
];

/// Keys of questions before something is written or lost.
pub const QUESTION: &[Binding] = &[
    Tool.row(&["Enter"], "open", "Press the button", Action::Open),
    Tool.row(&["→"], "right", "To the right", Action::Right),
    Tool.row(&["←"], "left", "To the left", Action::Left),
    Tool.row(
        &["Tab"],
        "next-field",
        "Next field, button",
        Action::NextField,
    ),
    Tool.row(
        &["S-Tab"],
        "previous-field",
        "Previous field, button",
        Action::PreviousField,
    ),
    Tool.row(&["i"], "raw", "Show what would be sent", Action::Raw),
];

/// Hints of a question that shows the request.
pub const REQUEST: &[Hint] = &[SCROLLS, Hint::of(&[Action::Back], "back to the question")];

/// Keys of both lists of suites.
pub const SUITES: &[Binding] = &[
    Suites.row(&["Space"], "mark", "Mark, then the next row", Action::Mark),
    Suites.row(&["v"], "mark-range", "Mark a range", Action::MarkRange),
    Suites.row(&["A"], "mark-all", "Mark all", Action::MarkAll),
    NEXT_TAB,
    PREVIOUS_TAB,
    TAB_1,
    TAB_2,
    UNDO,
    Suites.row(&["i"], "raw", "All fields of the suite", Action::Raw),
    COPY,
    COPY_JSON,
    COPY_ID,
    COPY_REFERENCE,
    LEFT,
];
