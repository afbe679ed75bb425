//! A change under way or done.

use super::super::place::{Binding, Place, binding};
use super::shared::{EVERYWHERE, JOURNAL};
use crate::store::{Action, Heading, Hint, Layer};

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "open",
        Heading::Suites,
        "close the box",
        Action::Open,
    ),
    JOURNAL,
];

pub const PLACE: Place = Place {
    layer: Layer::Work,
    title: "the result of a change",
    short: "result",
    groups: &[OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "close"),
        Hint::of(&[Action::Journal], "journal"),
        Hint::of(&[Action::Cancel], "stop before the next request"),
    ],
    types: false,
};
