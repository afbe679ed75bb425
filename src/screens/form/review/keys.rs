//! The keys of the review.

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{ARROWS, BACK, EVERYWHERE, JUMPS, LETTERS, PAGES, REFRESH, STEPS};
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::Action;

const OWN: &[Binding] = &[
    binding(
        &["Tab"],
        "next-field",
        Heading::Move,
        "Next field, button",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Heading::Move,
        "Previous field, button",
        Action::PreviousField,
    ),
    binding(
        &["Enter"],
        "open",
        Heading::Run,
        "Press the button",
        Action::Open,
    ),
    binding(&["Ctrl-s"], "save", Heading::Run, "Save", Action::Save),
    binding(
        &["1"],
        "keep-mine",
        Heading::Run,
        "Keep mine",
        Action::KeepMine,
    ),
    binding(
        &["2"],
        "take-theirs",
        Heading::Run,
        "Take theirs",
        Action::TakeTheirs,
    ),
    binding(
        &["e"],
        "edit",
        Heading::Run,
        "Edit: back to the form",
        Action::Edit,
    ),
    binding(
        &["i"],
        "raw",
        Heading::Run,
        "Show what would be sent",
        Action::Raw,
    ),
    binding(
        REFRESH,
        "refresh",
        Heading::Run,
        "Read the run again",
        Action::Refresh,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Review,
    title: "the review",
    short: "review",
    groups: &[STEPS, ARROWS, JUMPS, PAGES, OWN, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(&[Action::Open], "press it"),
        Hint::of(&[Action::KeepMine], "mine"),
        Hint::of(&[Action::TakeTheirs], "theirs"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::Raw], "the request"),
        Hint::of(&[Action::Refresh], "read again"),
        Hint::of(&[Action::Back], "back"),
    ],
    types: false,
};
