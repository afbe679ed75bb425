//! The keys of the review.

use crate::screens::keys::{
    BACK_AGAIN, Binding, MOVING, OF_A_BOX, Place, QUESTION, REFRESH, binding,
};
use crate::store::key_table::Heading::Run;
use crate::store::{Action, Hint, Layer};

const OWN: &[Binding] = &[
    binding(&["Ctrl-s"], "save", Run, "Save", Action::Save),
    binding(&["1"], "keep-mine", Run, "Keep mine", Action::KeepMine),
    binding(
        &["2"],
        "take-theirs",
        Run,
        "Take theirs",
        Action::TakeTheirs,
    ),
    binding(&["e"], "edit", Run, "Edit: back to the form", Action::Edit),
    binding(
        REFRESH,
        "refresh",
        Run,
        "Read the run again",
        Action::Refresh,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Review,
    title: "the review",
    short: "review",
    groups: &[MOVING, &[QUESTION, OWN], OF_A_BOX],
    hints: &[
        Hint::of(&[Action::Open], "press it"),
        Hint::of(&[Action::KeepMine], "mine"),
        Hint::of(&[Action::TakeTheirs], "theirs"),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::Raw], "the request"),
        Hint::of(&[Action::Refresh], "read again"),
        BACK_AGAIN,
    ],
    types: false,
};
