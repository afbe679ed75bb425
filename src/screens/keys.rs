//! The keys that several places have.

use crate::keymap::place::{Binding, Place, binding};
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, CopyWhat, Motion};

/// Hints that many places have.
pub const CLOSES: Hint = Hint::of(&[Action::Back], "close");
pub const BACK_AGAIN: Hint = Hint::of(&[Action::Back], "back");
pub const HELPS: Hint = Hint::of(&[Action::Help], "help");
pub const SCROLLS: Hint = Hint::of(UP_DOWN, "scroll");
pub const MOVES: Hint = Hint::of(UP_DOWN, "move");
const UP_DOWN: &[Action] = &[Action::Move(Motion::Up), Action::Move(Motion::Down)];

pub const STEPS: &[Binding] = &[
    binding(
        &["j"],
        "row-down",
        Heading::Move,
        "Row down",
        Action::Move(Motion::Down),
    ),
    binding(
        &["k"],
        "row-up",
        Heading::Move,
        "Row up",
        Action::Move(Motion::Up),
    ),
];

pub const ARROWS: &[Binding] = &[
    binding(
        &["↓"],
        "row-down",
        Heading::Move,
        "Row down",
        Action::Move(Motion::Down),
    ),
    binding(
        &["↑"],
        "row-up",
        Heading::Move,
        "Row up",
        Action::Move(Motion::Up),
    ),
];

pub const JUMPS: &[Binding] = &[
    binding(
        &["g", "Home"],
        "first-row",
        Heading::Move,
        "First row",
        Action::Move(Motion::First),
    ),
    binding(
        &["G", "End"],
        "last-row",
        Heading::Move,
        "Last row",
        Action::Move(Motion::Last),
    ),
    binding(
        &["Ctrl-d"],
        "half-page-down",
        Heading::Move,
        "Half a page down",
        Action::Move(Motion::HalfPageDown),
    ),
    binding(
        &["Ctrl-u"],
        "half-page-up",
        Heading::Move,
        "Half a page up",
        Action::Move(Motion::HalfPageUp),
    ),
];

pub const PAGES: &[Binding] = &[
    binding(
        &["PgDn"],
        "page-down",
        Heading::Move,
        "Page down",
        Action::Move(Motion::PageDown),
    ),
    binding(
        &["PgUp"],
        "page-up",
        Heading::Move,
        "Page up",
        Action::Move(Motion::PageUp),
    ),
];

pub const FILTER: Binding = binding(&["/"], "filter", Heading::Find, "Find", Action::Filter);
pub const SORT: Binding = binding(&["o"], "sort", Heading::Find, "Sort by…", Action::Sort);
pub const PREVIEW: Binding = binding(
    &["p"],
    "preview",
    Heading::Find,
    "Toggle the preview",
    Action::Preview,
);

pub const AVAILABLE: Binding = binding(
    &["a"],
    "available",
    Heading::Suites,
    "Suites to add",
    Action::Show(Layer::Available),
);
pub const MONITOR: Binding = binding(
    &["M"],
    "monitor",
    Heading::Run,
    "Monitor these runs",
    Action::Monitor,
);
pub const DUE_DATE: Binding = binding(
    &["d"],
    "due-date",
    Heading::Run,
    "Due date of the run, kept on this machine",
    Action::DueDate,
);
pub const COPY: Binding = binding(
    &["y"],
    "copy",
    Heading::Run,
    "Copy…",
    Action::Show(Layer::CopyMenu),
);
pub const COPY_REFERENCE: Binding = binding(
    &[],
    "copy-reference",
    Heading::Run,
    "Copy the reference",
    Action::Copy(CopyWhat::DocRef),
);
pub const COPY_ID: Binding = binding(
    &[],
    "copy-id",
    Heading::Run,
    "Copy the id",
    Action::Copy(CopyWhat::Id),
);
pub const COPY_JSON: Binding = binding(
    &[],
    "copy-json",
    Heading::Run,
    "Copy the JSON",
    Action::Copy(CopyWhat::Json),
);
pub const WEB: Binding = binding(
    &[],
    "web",
    Heading::Run,
    "Web: open the run in the browser",
    Action::OpenWeb,
);
pub const DELETE: Binding = binding(
    &["D"],
    "delete",
    Heading::Run,
    "Delete the run or the marked ones",
    Action::Delete,
);

pub const UNDO: Binding = binding(
    &["u"],
    "undo",
    Heading::Run,
    "Undo (asks first)",
    Action::Undo,
);

/// Where a run is read.
pub const READ: &[Binding] = &[
    binding(&["i"], "raw", Heading::Run, "JSON of the run", Action::Raw),
    COPY,
    COPY_REFERENCE,
    COPY_JSON,
    COPY_ID,
    WEB,
];

/// Where a run is changed.
pub const CHANGE: &[Binding] = &[
    binding(&["n"], "new", Heading::Run, "New run", Action::New),
    binding(&["e"], "edit", Heading::Run, "Edit the run", Action::Edit),
    binding(
        &["C"],
        "clone",
        Heading::Run,
        "Clone the run",
        Action::Clone,
    ),
    DELETE,
    UNDO,
];

const NEXT_TAB: Binding = binding(
    &["Tab"],
    "next-part",
    Heading::Move,
    "Next tab",
    Action::NextPart,
);
const PREVIOUS_TAB: Binding = binding(
    &["S-Tab"],
    "previous-part",
    Heading::Move,
    "Previous tab",
    Action::PreviousPart,
);
const TAB_1: Binding = binding(&["1"], "part-1", Heading::Move, "Tab 1", Action::Part(0));
const TAB_2: Binding = binding(&["2"], "part-2", Heading::Move, "Tab 2", Action::Part(1));

/// Tabs by their numbers.
pub const TABS: &[Binding] = &[
    NEXT_TAB,
    PREVIOUS_TAB,
    TAB_1,
    TAB_2,
    binding(&["3"], "part-3", Heading::Move, "Tab 3", Action::Part(2)),
    binding(&["4"], "part-4", Heading::Move, "Tab 4", Action::Part(3)),
    binding(&["5"], "part-5", Heading::Move, "Tab 5", Action::Part(4)),
    binding(&["6"], "part-6", Heading::Move, "Tab 6", Action::Part(5)),
    binding(&["7"], "part-7", Heading::Move, "Tab 7", Action::Part(6)),
    binding(&["8"], "part-8", Heading::Move, "Tab 8", Action::Part(7)),
    binding(&["9"], "part-9", Heading::Move, "Tab 9", Action::Part(8)),
];

pub const JOURNAL: Binding = binding(
    &["@"],
    "journal",
    Heading::Tool,
    "My changes",
    Action::Show(Layer::Journal),
);

pub const LAST_SCREEN: Binding = binding(
    &["Alt-←", "Ctrl-o"],
    "last-screen",
    Heading::Move,
    "Back to the screen before",
    Action::LastScreen,
);
pub const NEXT_SCREEN: Binding = binding(
    &["Alt-→"],
    "next-screen",
    Heading::Move,
    "Forth to the screen that was left",
    Action::NextScreen,
);
/// In lists.
pub const LEFT: Binding = binding(&["←"], "back", Heading::Move, "Back", Action::Back);

/// The screens of the service's data.
pub const SCREENS: &[Binding] = &[
    LAST_SCREEN,
    NEXT_SCREEN,
    binding(
        &[],
        "undo-last",
        Heading::Run,
        "Undo my last change of all runs (asks first)",
        Action::UndoLast,
    ),
    binding(
        &[],
        "go-on",
        Heading::Run,
        "Go on with an unfinished change (asks first)",
        Action::GoOn,
    ),
    AVAILABLE,
    binding(
        &["s"],
        "attached",
        Heading::Suites,
        "Suites of the run",
        Action::Show(Layer::Attached),
    ),
    binding(
        &[],
        "delete-probes",
        Heading::Suites,
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
    Heading::Tool,
    "Commands",
    Action::Palette,
);

/// The screens, and the monitor.
pub const TOOLS: &[Binding] = &[
    binding(
        REFRESH,
        "refresh",
        Heading::Tool,
        "Read again",
        Action::Refresh,
    ),
    PALETTE,
    binding(
        &["m"],
        "mouse",
        Heading::Tool,
        "Toggle the mouse",
        Action::Mouse,
    ),
    binding(
        &["Ctrl-g"],
        "drafts",
        Heading::Run,
        "Drafts",
        Action::Drafts,
    ),
    binding(&[], "sign-in", Heading::Tool, "Sign in", Action::SignIn),
];

/// Where no text is typed.
pub const LETTERS: &[Binding] = &[
    binding(
        &["!"],
        "errors",
        Heading::Tool,
        "Problems",
        Action::Show(Layer::Errors),
    ),
    binding(&["?"], "help", Heading::Tool, "Help", Action::Help),
    binding(
        &["Ctrl-z"],
        "suspend",
        Heading::Tool,
        "Suspend until fg",
        Action::Suspend,
    ),
];

pub const EVERYWHERE: &[Binding] = &[
    binding(&["F1"], "help", Heading::Tool, "Help", Action::Help),
    binding(
        &["F2"],
        "errors",
        Heading::Tool,
        "Problems",
        Action::Show(Layer::Errors),
    ),
    binding(
        &["Ctrl-l"],
        "redraw",
        Heading::Tool,
        "Draw again",
        Action::Redraw,
    ),
    binding(
        &["Ctrl-c"],
        "cancel",
        Heading::Tool,
        "Cancel (twice: quit)",
        Action::Cancel,
    ),
    binding(&["Esc"], "back", Heading::Tool, "Back", Action::Back),
];

/// Where `q` does not quit.
pub const BACK: &[Binding] = &[binding(&["q"], "back", Heading::Tool, "Back", Action::Back)];

/// Boxes with a text field.
pub const TAKE: &[Binding] = &[binding(
    &["Enter"],
    "open",
    Heading::Tool,
    "Take it",
    Action::Open,
)];

/// A filter or search box at the foot of a screen.
const FIELD: &[Binding] = &[
    binding(
        &["↑"],
        "row-up",
        Heading::Find,
        "Up, or what was typed before",
        Action::Move(Motion::Up),
    ),
    binding(
        &["↓"],
        "row-down",
        Heading::Find,
        "Down, or what was typed after that",
        Action::Move(Motion::Down),
    ),
    binding(
        &["Tab"],
        "next-field",
        Heading::Move,
        "Next choice",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Heading::Move,
        "Previous choice",
        Action::PreviousField,
    ),
];

pub const TYPING: Place = Place {
    layer: Layer::Typing,
    title: "a text box",
    short: "text boxes",
    groups: &[FIELD, PAGES, TAKE, EVERYWHERE],
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
    binding(
        &["Enter"],
        "open",
        Heading::Tool,
        "Press the button",
        Action::Open,
    ),
    binding(
        &["→", "Tab"],
        "next-field",
        Heading::Tool,
        "Next field, button",
        Action::NextField,
    ),
    binding(
        &["←", "S-Tab"],
        "previous-field",
        Heading::Tool,
        "Previous field, button",
        Action::PreviousField,
    ),
    binding(
        &["i"],
        "raw",
        Heading::Tool,
        "Show what would be sent",
        Action::Raw,
    ),
];

/// The line of hints where a question shows what would be sent.
pub const REQUEST: &[Hint] = &[SCROLLS, Hint::of(&[Action::Back], "back to the question")];

/// Both lists of suites.
pub const SUITES: &[Binding] = &[
    binding(&["Space"], "mark", Heading::Suites, "Mark", Action::Mark),
    binding(
        &["v"],
        "mark-range",
        Heading::Suites,
        "Mark a range",
        Action::MarkRange,
    ),
    binding(
        &["A"],
        "mark-all",
        Heading::Suites,
        "Mark all",
        Action::MarkAll,
    ),
    NEXT_TAB,
    PREVIOUS_TAB,
    TAB_1,
    TAB_2,
    UNDO,
    binding(
        &["i"],
        "raw",
        Heading::Suites,
        "All fields of the suite",
        Action::Raw,
    ),
    COPY,
    COPY_JSON,
    COPY_ID,
    COPY_REFERENCE,
    LEFT,
];
