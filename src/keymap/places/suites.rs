//! The two lists of suites: those that can be added to a run, and those in it.

use super::super::place::{Binding, Place, binding};
use super::shared::{
    ARROWS, BACK, DELETE, EVERYWHERE, FILTER, JUMPS, LETTERS, PAGES, PREVIEW, REVERSE_SORT,
    SCREENS, SORT, STEPS, TOOLS,
};
use crate::store::{Action, Heading, Hint, Layer, Motion};

/// Both lists of suites.
const SUITES: &[Binding] = &[
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

const ADD: &[Binding] = &[
    FILTER,
    SORT,
    REVERSE_SORT,
    PREVIEW,
    binding(
        &["Enter"],
        "open",
        Heading::Suites,
        "add the marked ones (preview first)",
        Action::Open,
    ),
];

const REMOVE: &[Binding] = &[
    DELETE,
    binding(
        &["x", "Enter"],
        "remove",
        Heading::Suites,
        "remove the marked ones (preview first)",
        Action::Remove,
    ),
    binding(
        &["+"],
        "type-reference",
        Heading::Suites,
        "name suites by their references",
        Action::TypeReference,
    ),
    binding(
        &["V"],
        "verify",
        Heading::Suites,
        "verify: work it out again",
        Action::Verify,
    ),
    binding(
        &["J"],
        "explanation-down",
        Heading::Suites,
        "explanation: line down",
        Action::ScrollWhy(Motion::Down),
    ),
    binding(
        &["K"],
        "explanation-up",
        Heading::Suites,
        "explanation: line up",
        Action::ScrollWhy(Motion::Up),
    ),
    binding(
        &["P"],
        "probe",
        Heading::Suites,
        "probe with an empty run (asks first)",
        Action::Probe,
    ),
];

/// The suites that can be added.
pub const AVAILABLE: Place = Place {
    layer: Layer::Available,
    title: "the available suites",
    short: "available suites",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, SUITES, ADD, SCREENS, TOOLS, LETTERS, EVERYWHERE, BACK,
    ],
    hints: &[
        Hint::of(&[Action::Mark], "mark"),
        Hint::of(&[Action::MarkRange], "range"),
        Hint::of(&[Action::MarkAll], "all"),
        Hint::of(&[Action::Open], "add…"),
        Hint::of(&[Action::Filter], "filter"),
        Hint::of(&[Action::Sort], "sort"),
        Hint::of(&[Action::NextPart], "suites in the run"),
        Hint::of(&[Action::Back], "back"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};

/// The suites in a run.
pub const MEMBERS: Place = Place {
    layer: Layer::Members,
    title: "the suites of a run",
    short: "suites of a run",
    groups: &[
        STEPS, ARROWS, JUMPS, PAGES, SUITES, REMOVE, SCREENS, TOOLS, LETTERS, EVERYWHERE, BACK,
    ],
    hints: &[
        Hint::of(&[Action::Mark], "mark"),
        Hint::of(&[Action::Remove], "remove…"),
        Hint::of(&[Action::Verify], "verify"),
        Hint::of(&[Action::TypeReference], "name by reference"),
        Hint::of(&[Action::NextPart], "available"),
        Hint::of(&[Action::Journal], "journal"),
        Hint::of(&[Action::Back], "back"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};
