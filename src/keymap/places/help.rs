//! The help.

use super::super::place::Place;
use super::shared::{ARROWS, EVERYWHERE, PAGES, TAKE};
use crate::store::{Action, Hint, Layer, Motion};

pub const PLACE: Place = Place {
    layer: Layer::Help,
    title: "the help",
    short: "help",
    groups: &[ARROWS, PAGES, TAKE, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "do it"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "move",
        ),
        Hint::of(&[Action::Back], "close"),
    ],
    types: true,
};
