//! The preview of a write.

use super::super::place::{Binding, Place, binding};
use super::shared::{ARROWS, EVERYWHERE, JUMPS, LETTERS, PAGES, STEPS};
use crate::store::{Action, Heading, Hint, Layer, Motion};

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "open",
        Heading::Suites,
        "press the button",
        Action::Open,
    ),
    binding(
        &["Tab", "S-Tab"],
        "next-field",
        Heading::Suites,
        "the other button",
        Action::NextField,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Confirm,
    title: "the preview of a write",
    short: "preview",
    groups: &[ARROWS, STEPS, JUMPS, PAGES, OWN, LETTERS, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::NextField], "other button"),
        Hint::of(&[Action::Open], "press it"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "scroll",
        ),
        Hint::of(&[Action::Back], "cancel"),
    ],
    types: false,
};
