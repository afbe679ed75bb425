//! The keys of the runs list and of the changes beside it.

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{
    ARROWS, BACK, CHANGE, EVERYWHERE, FILTER, JUMPS, LETTERS, MONITOR, PAGES, PREVIEW, READ,
    REFRESH, REVERSE_SORT, SCREENS, SORT, STEPS, TOOLS,
};
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};

const OWN: &[Binding] = &[
    FILTER,
    binding(
        &["f"],
        "facets",
        Heading::Find,
        "facets: status, configuration, what the service offers",
        Action::Facets,
    ),
    SORT,
    REVERSE_SORT,
    binding(
        &["Tab"],
        "next-part",
        Heading::Find,
        "what changed: the feed",
        Action::NextPart,
    ),
    binding(&["w"], "columns", Heading::Find, "columns", Action::Columns),
    PREVIEW,
    MONITOR,
    binding(
        &["Enter", "d"],
        "open",
        Heading::Run,
        "open the run",
        Action::Open,
    ),
    binding(&["Space"], "mark", Heading::Run, "mark", Action::Mark),
    binding(
        &["v"],
        "mark-range",
        Heading::Run,
        "range of marks: begin, end",
        Action::MarkRange,
    ),
    binding(
        &["A"],
        "mark-all",
        Heading::Run,
        "mark all loaded rows (in the filter)",
        Action::MarkAll,
    ),
];

const QUIT: &[Binding] = &[binding(&["q"], "quit", Heading::Tool, "quit", Action::Quit)];

pub const PLACE: Place = Place {
    layer: Layer::Runs,
    title: "the runs list",
    short: "runs",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, OWN, READ, CHANGE, SCREENS, TOOLS, LETTERS, EVERYWHERE, QUIT,
    ],
    hints: &[
        Hint::of(&[Action::Help], "help"),
        Hint::of(&[Action::Open], "open"),
        Hint::of(&[Action::Filter], "filter"),
        Hint::of(&[Action::Quit], "quit"),
        Hint::of(&[Action::Show(Layer::Available)], "add suites"),
        Hint::of(&[Action::Show(Layer::Attached)], "suites"),
        Hint::of(&[Action::New], "new"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::Mark], "mark"),
        Hint::of(&[Action::Delete], "delete…"),
        Hint::of(&[Action::Facets], "facets"),
        Hint::of(&[Action::Sort], "sort"),
        Hint::of(&[Action::Refresh], "refresh"),
        Hint::of(&[Action::Palette], "commands"),
        Hint::of(&[Action::NextPart], "changes"),
        Hint::of(&[Action::Monitor], "monitor"),
        Hint::of(&[Action::ReverseSort], "reverse"),
        Hint::of(&[Action::Columns], "columns"),
        Hint::of(&[Action::Preview], "preview"),
    ],
    types: false,
};

const IN_FEED: &[Binding] = &[
    binding(
        &["Tab"],
        "next-part",
        Heading::Find,
        "back to the list",
        Action::NextPart,
    ),
    binding(
        &["Enter", "d"],
        "open",
        Heading::Find,
        "open the run at that change",
        Action::Open,
    ),
    binding(
        &["A"],
        "mark-all",
        Heading::Find,
        "all changes are looked at",
        Action::MarkAll,
    ),
    binding(
        REFRESH,
        "refresh",
        Heading::Find,
        "refresh, try again",
        Action::Refresh,
    ),
];

pub const FEED: Place = Place {
    layer: Layer::Feed,
    title: "the changes",
    short: "changes",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, IN_FEED, LETTERS, EVERYWHERE, BACK,
    ],
    hints: &[
        Hint::of(&[Action::Open], "open the run"),
        Hint::of(
            &[Action::Move(Motion::Down), Action::Move(Motion::Up)],
            "move",
        ),
        Hint::of(&[Action::MarkAll], "all looked at"),
        Hint::of(&[Action::Back], "back to the list"),
    ],
    types: false,
};
