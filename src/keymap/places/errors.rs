//! The list of errors.

use super::super::place::Place;
use super::shared::{ARROWS, BACK, EVERYWHERE, JUMPS, LETTERS, PAGES, STEPS};
use crate::store::{Action, Hint, Layer, Motion};

pub const PLACE: Place = Place {
    layer: Layer::Errors,
    title: "the errors",
    short: "errors",
    groups: &[STEPS, ARROWS, JUMPS, PAGES, LETTERS, EVERYWHERE, BACK],
    hints: &[
        Hint::of(
            &[Action::Move(Motion::Down), Action::Move(Motion::Up)],
            "move",
        ),
        Hint::of(&[Action::Back], "close"),
    ],
    types: false,
};
