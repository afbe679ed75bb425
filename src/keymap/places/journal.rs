//! The journal of writes.

use super::super::place::{Binding, Place, binding};
use super::shared::{ARROWS, EVERYWHERE, PAGES};
use crate::store::{Action, Heading, Hint, Layer, Motion};

const OWN: &[Binding] = &[binding(
    &["Enter"],
    "undo",
    Heading::Run,
    "undo this change, or go on with it (preview first)",
    Action::Undo,
)];

pub const PLACE: Place = Place {
    layer: Layer::Journal,
    title: "the journal",
    short: "journal",
    groups: &[ARROWS, PAGES, OWN, EVERYWHERE],
    hints: &[
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "move",
        ),
        Hint::of(&[Action::Undo], "undo…"),
        Hint::of(&[Action::Back], "close"),
    ],
    types: true,
};
