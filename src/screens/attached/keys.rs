//! The keys of the suites in a run.

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{
    ARROWS, BACK, DELETE, EVERYWHERE, JUMPS, LETTERS, PAGES, SCREENS, STEPS, SUITES, TOOLS,
};
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};

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

pub const PLACE: Place = Place {
    layer: Layer::Attached,
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
        Hint::of(&[Action::Show(Layer::Journal)], "journal"),
        Hint::of(&[Action::Back], "back"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};
