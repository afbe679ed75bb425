//! Keys of the review.

use crate::screens::keys::{QUESTION, REFRESH};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Run;

const OWN: &[Binding] = &[
    Run.row(&["Ctrl-s"], "save", "Save", Action::Save),
    Run.row(&["1"], "keep-mine", "Keep mine", Action::KeepMine),
    Run.row(&["2"], "take-theirs", "Take theirs", Action::TakeTheirs),
    Run.row(&["e"], "edit", "Edit: back to the form", Action::Edit),
    Run.row(REFRESH, "refresh", "Read the run again", Action::Refresh),
];

/// Hints of an undo, with "old" and "now": either value may be of the user.
pub const UNDO: &[Hint] = &hints("old", "now");

const fn hints(mine: &'static str, theirs: &'static str) -> [Hint; 7] {
    [
        Hint::of(&[Action::Open], "press it"),
        Hint::of(&[Action::KeepMine], mine),
        Hint::of(&[Action::TakeTheirs], theirs),
        Hint::of(&[Action::Edit], "edit"),
        Hint::of(&[Action::Raw], "the request"),
        Hint::of(&[Action::Refresh], "read again"),
        BACK_AGAIN,
    ]
}

pub const PLACE: Place = Place {
    layer: Layer::Review,
    title: "the review",
    groups: &[MOVING, &[QUESTION, OWN], OF_A_BOX],
    hints: &hints("mine", "theirs"),
    types: false,
};
