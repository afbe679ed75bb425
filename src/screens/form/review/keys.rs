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
        "next field, button",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Heading::Move,
        "previous field, button",
        Action::PreviousField,
    ),
    binding(
        &["Enter"],
        "open",
        Heading::Run,
        "press the button",
        Action::Open,
    ),
    binding(&["Ctrl-s"], "save", Heading::Run, "save", Action::Save),
    binding(
        &["1"],
        "keep-mine",
        Heading::Run,
        "keep mine",
        Action::KeepMine,
    ),
    binding(
        &["2"],
        "take-theirs",
        Heading::Run,
        "take theirs",
        Action::TakeTheirs,
    ),
    binding(
        &["e"],
        "edit",
        Heading::Run,
        "edit: back to the form",
        Action::Edit,
    ),
    binding(&["i"], "raw", Heading::Run, "the raw request", Action::Raw),
    binding(
        REFRESH,
        "refresh",
        Heading::Run,
        "read the run again",
        Action::Refresh,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Review,
    title: "the review",
    short: "review",
    groups: &[STEPS, ARROWS, JUMPS, PAGES, OWN, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(&[Action::Open], "press the button"),
        Hint::of(&[Action::KeepMine], "keep mine"),
        Hint::of(&[Action::TakeTheirs], "take theirs"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::Raw], "raw request"),
        Hint::of(&[Action::Refresh], "read again"),
        Hint::of(&[Action::Back], "back to the form"),
    ],
    types: false,
};
