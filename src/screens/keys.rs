//! The keys that several places have.

use crate::keymap::place::{Binding, Place, binding};
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, CopyWhat, Motion};

pub const STEPS: &[Binding] = &[
    binding(
        &["j"],
        "row-down",
        Heading::Move,
        "row down",
        Action::Move(Motion::Down),
    ),
    binding(
        &["k"],
        "row-up",
        Heading::Move,
        "row up",
        Action::Move(Motion::Up),
    ),
];

pub const ARROWS: &[Binding] = &[
    binding(
        &["↓", "Ctrl-n"],
        "row-down",
        Heading::Move,
        "row down",
        Action::Move(Motion::Down),
    ),
    binding(
        &["↑"],
        "row-up",
        Heading::Move,
        "row up",
        Action::Move(Motion::Up),
    ),
];

pub const JUMPS: &[Binding] = &[
    binding(
        &["g", "Home", "<"],
        "first-row",
        Heading::Move,
        "first row",
        Action::Move(Motion::First),
    ),
    binding(
        &["G", "End", ">"],
        "last-row",
        Heading::Move,
        "last row",
        Action::Move(Motion::Last),
    ),
    binding(
        &["Ctrl-d"],
        "half-page-down",
        Heading::Move,
        "half a page down",
        Action::Move(Motion::HalfPageDown),
    ),
    binding(
        &["Ctrl-u"],
        "half-page-up",
        Heading::Move,
        "half a page up",
        Action::Move(Motion::HalfPageUp),
    ),
    binding(
        &["."],
        "page-down",
        Heading::Move,
        "page down",
        Action::Move(Motion::PageDown),
    ),
    binding(
        &[","],
        "page-up",
        Heading::Move,
        "page up",
        Action::Move(Motion::PageUp),
    ),
];

pub const PAGES: &[Binding] = &[
    binding(
        &["PgDn"],
        "page-down",
        Heading::Move,
        "page down",
        Action::Move(Motion::PageDown),
    ),
    binding(
        &["PgUp"],
        "page-up",
        Heading::Move,
        "page up",
        Action::Move(Motion::PageUp),
    ),
];

pub const FILTER: Binding = binding(
    &["/"],
    "filter",
    Heading::Find,
    "filter, search",
    Action::Filter,
);
pub const SORT: Binding = binding(
    &["o"],
    "sort",
    Heading::Find,
    "sort by a field",
    Action::Sort,
);
pub const REVERSE_SORT: Binding = binding(
    &["O"],
    "reverse-sort",
    Heading::Find,
    "reverse the sort order",
    Action::ReverseSort,
);
pub const PREVIEW: Binding = binding(
    &["p"],
    "preview",
    Heading::Find,
    "preview on, off",
    Action::Preview,
);

pub const MONITOR: Binding = binding(
    &["M"],
    "monitor",
    Heading::Run,
    "monitor: the marked runs, the saved view, or those on the screen",
    Action::Monitor,
);
pub const COPY: Binding = binding(
    &["y"],
    "copy",
    Heading::Run,
    "copy… the run, or the marked ones",
    Action::Show(Layer::CopyMenu),
);
pub const COPY_REFERENCE: Binding = binding(
    &[],
    "copy-reference",
    Heading::Run,
    "copy the reference",
    Action::Copy(CopyWhat::DocRef),
);
pub const COPY_ID: Binding = binding(
    &["c"],
    "copy-id",
    Heading::Run,
    "copy the id",
    Action::Copy(CopyWhat::Id),
);
pub const WEB: Binding = binding(
    &[],
    "web",
    Heading::Run,
    "web: open the run in the browser",
    Action::OpenWeb,
);
pub const DELETE: Binding = binding(
    &["D"],
    "delete",
    Heading::Run,
    "delete the run, or the marked ones",
    Action::Delete,
);

/// Where a run is read.
pub const READ: &[Binding] = &[
    binding(&["i"], "raw", Heading::Run, "raw JSON", Action::Raw),
    COPY,
    COPY_REFERENCE,
    binding(
        &["Y"],
        "copy-json",
        Heading::Run,
        "copy the JSON",
        Action::Copy(CopyWhat::Json),
    ),
    COPY_ID,
    WEB,
];

/// Where a run is changed.
pub const CHANGE: &[Binding] = &[
    binding(&["n"], "new", Heading::Run, "new run", Action::New),
    binding(&["e"], "edit", Heading::Run, "edit the run", Action::Edit),
    binding(
        &["E"],
        "edit-outside",
        Heading::Run,
        "edit the run as TOML in $EDITOR",
        Action::EditOutside,
    ),
    binding(
        &["C"],
        "clone",
        Heading::Run,
        "clone the run, into several configurations too",
        Action::Clone,
    ),
    DELETE,
    binding(
        &["u", "z"],
        "undo",
        Heading::Run,
        "undo a write of your own (preview first)",
        Action::Undo,
    ),
];

/// Tabs by their numbers.
pub const TABS: &[Binding] = &[
    binding(
        &["Tab"],
        "next-part",
        Heading::Move,
        "Next tab",
        Action::NextPart,
    ),
    binding(
        &["S-Tab"],
        "previous-part",
        Heading::Move,
        "Previous tab",
        Action::PreviousPart,
    ),
    binding(&["1"], "part-1", Heading::Move, "Tab 1", Action::Part(0)),
    binding(&["2"], "part-2", Heading::Move, "Tab 2", Action::Part(1)),
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
    "journal of writes",
    Action::Show(Layer::Journal),
);

/// The screens of the service's data.
pub const SCREENS: &[Binding] = &[
    binding(
        &["-"],
        "last-screen",
        Heading::Move,
        "last screen",
        Action::LastScreen,
    ),
    binding(
        &[],
        "undo-last",
        Heading::Run,
        "undo the last write of your own (preview first)",
        Action::UndoLast,
    ),
    binding(
        &[],
        "go-on",
        Heading::Run,
        "go on with a change whose end is not known (preview first)",
        Action::GoOn,
    ),
    binding(
        &[],
        "drafts",
        Heading::Run,
        "drafts of forms",
        Action::Drafts,
    ),
    binding(
        &["a"],
        "available",
        Heading::Suites,
        "suites that can be added",
        Action::Show(Layer::Available),
    ),
    binding(
        &["s"],
        "attached",
        Heading::Suites,
        "suites in the run",
        Action::Show(Layer::Attached),
    ),
    binding(
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

pub const PALETTE: Binding = binding(
    &[":", "Ctrl-p"],
    "palette",
    Heading::Tool,
    "commands",
    Action::Palette,
);

/// The screens, and the monitor.
pub const TOOLS: &[Binding] = &[
    binding(
        REFRESH,
        "refresh",
        Heading::Tool,
        "refresh, try again",
        Action::Refresh,
    ),
    PALETTE,
    binding(
        &["m"],
        "mouse",
        Heading::Tool,
        "mouse on, off",
        Action::Mouse,
    ),
    binding(&[], "sign-in", Heading::Tool, "sign in", Action::SignIn),
];

/// Where no text is typed.
pub const LETTERS: &[Binding] = &[
    binding(
        &["!"],
        "errors",
        Heading::Tool,
        "errors",
        Action::Show(Layer::Errors),
    ),
    binding(&["?"], "help", Heading::Tool, "help", Action::Help),
];

pub const EVERYWHERE: &[Binding] = &[
    binding(&["F1"], "help", Heading::Tool, "help", Action::Help),
    binding(
        &["Ctrl-l"],
        "redraw",
        Heading::Tool,
        "draw again",
        Action::Redraw,
    ),
    binding(
        &["Ctrl-z"],
        "suspend",
        Heading::Tool,
        "suspend, until fg",
        Action::Suspend,
    ),
    binding(
        &["Ctrl-c"],
        "cancel",
        Heading::Tool,
        "give up what is under way; twice: quit",
        Action::Cancel,
    ),
    binding(
        &["Esc"],
        "back",
        Heading::Tool,
        "back: box, filter, screen",
        Action::Back,
    ),
];

/// Where `q` does not quit.
pub const BACK: &[Binding] = &[binding(&["q"], "back", Heading::Tool, "back", Action::Back)];

/// Boxes with a text field.
pub const TAKE: &[Binding] = &[binding(
    &["Enter"],
    "open",
    Heading::Tool,
    "take",
    Action::Open,
)];

/// A filter, search or reference box at the foot of a screen.
const FIELD: &[Binding] = &[
    binding(
        &["Tab"],
        "next-field",
        Heading::Move,
        "next choice",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Heading::Move,
        "previous choice",
        Action::PreviousField,
    ),
];

pub const TYPING: Place = Place {
    layer: Layer::Typing,
    title: "a text box",
    short: "text boxes",
    groups: &[ARROWS, PAGES, FIELD, TAKE, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "take"),
        Hint::of(&[Action::Back], "close the box"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "move",
        ),
    ],
    types: true,
};

/// Both lists of suites.
pub const SUITES: &[Binding] = &[
    binding(&["Space"], "mark", Heading::Suites, "mark", Action::Mark),
    binding(
        &["v"],
        "mark-range",
        Heading::Suites,
        "range of marks: begin, end",
        Action::MarkRange,
    ),
    binding(
        &["A"],
        "mark-all",
        Heading::Suites,
        "mark all (in the filter)",
        Action::MarkAll,
    ),
    binding(
        &["Tab"],
        "next-part",
        Heading::Suites,
        "the other list of suites",
        Action::NextPart,
    ),
];
