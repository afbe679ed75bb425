//! A filter, search or reference box at the foot of a screen.

use super::super::place::{Binding, Place, binding};
use super::shared::{ARROWS, EVERYWHERE, PAGES, TAKE};
use crate::store::{Action, Heading, Hint, Layer, Motion};

const OWN: &[Binding] = &[
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

pub const PLACE: Place = Place {
    layer: Layer::Typing,
    title: "a text box",
    short: "text boxes",
    groups: &[ARROWS, PAGES, OWN, TAKE, EVERYWHERE],
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
