//! Keys of the form.

use crate::screens::keys::{DRAFTS, SIGN_IN};
use crate::screens::prelude::*;
use crate::store::CopyWhat;
use crate::store::key_table::Heading::{Move, Run, Tool};

const OWN: &[Binding] = &[
    Move.row(&["Tab"], "next-field", "Next field", Action::NextField),
    Move.row(
        &["S-Tab"],
        "previous-field",
        "Previous field",
        Action::PreviousField,
    ),
    Run.row(&["Ctrl-s"], "save", "Review, then save", Action::Save),
    Run.row(
        &["Ctrl-o"],
        "field-outside",
        "This field in $EDITOR",
        Action::FieldOutside,
    ),
    Run.row(
        &["Ctrl-t"],
        "offer",
        "Known configurations to tick",
        Action::Offer,
    ),
    DRAFTS,
    Run.row(
        &["Ctrl-x"],
        "discard-draft",
        "Discard the draft (asks first)",
        Action::DiscardDraft,
    ),
    Tool.row(
        &["Ctrl-y"],
        "copy-json",
        "Copy all fields",
        Action::Copy(CopyWhat::Json),
    ),
    Move.row(
        &["Alt-←"],
        "last-screen",
        "back, draft stays",
        Action::LastScreen,
    ),
    Tool.row(&["Ctrl-p"], "palette", "Commands", Action::Palette),
    SIGN_IN,
];

/// Hints while the draft cannot be saved.
pub const UNKEPT: &[Hint] = &[
    Hint::of(&[Action::Save], "review, save…"),
    Hint::of(&[Action::Copy(CopyWhat::Json)], "copy all fields"),
    Hint::of(&[Action::Back], "back, asks first"),
    HELPS,
];

/// Hints where the run could not be read.
pub const UNREAD: &[Hint] = &[
    Hint::of(&[Action::Back], "back"),
    Hint::of(&[Action::Palette], "commands"),
    HELPS,
];

pub const PLACE: Place = Place {
    layer: Layer::Form,
    title: "the form",
    groups: &[&[OWN, EVERYWHERE]],
    hints: &[
        Hint::of(&[Action::NextField], "next"),
        Hint::of(&[Action::Save], "review, save…"),
        Hint::of(&[Action::Back], "back, draft stays"),
        Hint::of(&[Action::FieldOutside], "in $EDITOR"),
        HELPS,
        Hint::field("Ctrl-z Ctrl-r", "undo, redo"),
    ],
    types: true,
};
