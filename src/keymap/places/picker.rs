//! A list to choose from.

use super::super::place::{Binding, Place, binding};
use super::shared::{ARROWS, EVERYWHERE, PAGES, TAKE};
use crate::store::{Action, Heading, Hint, Layer, Motion};

const OWN: &[Binding] = &[
    binding(
        &["Space"],
        "toggle",
        Heading::Tool,
        "tick and stay",
        Action::Toggle,
    ),
    binding(
        &["Tab"],
        "next-field",
        Heading::Tool,
        "complete the text",
        Action::NextField,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Picker,
    title: "a list of choices",
    short: "choices",
    groups: &[ARROWS, PAGES, TAKE, OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "take"),
        Hint::of(&[Action::Toggle], "tick"),
        Hint::of(&[Action::NextField], "complete"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "move",
        ),
        Hint::of(&[Action::Back], "close"),
    ],
    types: true,
};
