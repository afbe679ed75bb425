//! The box that deletes runs, where no id is typed.

use super::super::place::{Binding, Place, binding};
use super::shared::{ARROWS, EVERYWHERE, JOURNAL, JUMPS, LETTERS, PAGES, PALETTE, REFRESH, STEPS};
use crate::store::{Action, Heading, Hint, Layer};

const OWN: &[Binding] = &[
    binding(
        &["Enter"],
        "open",
        Heading::Run,
        "close, once it ended",
        Action::Open,
    ),
    binding(
        REFRESH,
        "refresh",
        Heading::Run,
        "look again at what is in the runs",
        Action::Refresh,
    ),
    binding(
        &["s"],
        "members",
        Heading::Suites,
        "the suites of the run that stays",
        Action::Members,
    ),
    JOURNAL,
    PALETTE,
];

const CLOSE: &[Binding] = &[binding(
    &["q"],
    "back",
    Heading::Tool,
    "close",
    Action::Back,
)];

pub const PLACE: Place = Place {
    layer: Layer::Delete,
    title: "deleting",
    short: "deleting",
    groups: &[STEPS, ARROWS, JUMPS, PAGES, OWN, LETTERS, EVERYWHERE, CLOSE],
    hints: &[
        Hint::of(&[Action::Refresh], "look again"),
        Hint::of(&[Action::Members], "its suites"),
        Hint::of(&[Action::Back], "close"),
        Hint::of(&[Action::Journal], "journal"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: false,
};
