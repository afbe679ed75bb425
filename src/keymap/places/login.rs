//! The sign-in.

use super::super::place::{Binding, Place, binding};
use super::shared::EVERYWHERE;
use crate::store::{Action, Heading, Hint, Layer};

const OWN: &[Binding] = &[
    binding(
        &["Tab", "↓"],
        "next-field",
        Heading::Move,
        "next field",
        Action::NextField,
    ),
    binding(
        &["S-Tab", "↑"],
        "previous-field",
        Heading::Move,
        "previous field",
        Action::PreviousField,
    ),
    binding(
        &["Enter"],
        "open",
        Heading::Tool,
        "next field, sign in",
        Action::Open,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Login,
    title: "the sign-in",
    short: "login",
    groups: &[OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "sign in"),
        Hint::of(&[Action::NextField], "next field"),
        Hint::of(&[Action::Back], "close"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: true,
};
