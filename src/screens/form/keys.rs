//! The keys of the form.

use crate::screens::keys::{Binding, DRAFTS, EVERYWHERE, HELPS, Place, binding};
use crate::store::key_table::Heading::{Move, Run, Tool};
use crate::store::{Action, CopyWhat, Hint, Layer};

const OWN: &[Binding] = &[
    binding(
        &["Tab"],
        "next-field",
        Move,
        "Next field",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Move,
        "Previous field",
        Action::PreviousField,
    ),
    binding(&["Ctrl-s"], "save", Run, "Review, then save", Action::Save),
    binding(
        &["Ctrl-o"],
        "field-outside",
        Run,
        "This field in $EDITOR",
        Action::FieldOutside,
    ),
    binding(
        &["Ctrl-t"],
        "offer",
        Run,
        "Known configurations to tick",
        Action::Offer,
    ),
    DRAFTS,
    binding(
        &["Ctrl-x"],
        "discard-draft",
        Run,
        "Discard the draft (asks first)",
        Action::DiscardDraft,
    ),
    binding(
        &["Ctrl-y"],
        "copy-json",
        Tool,
        "Copy all fields",
        Action::Copy(CopyWhat::Json),
    ),
    binding(
        &["Alt-←"],
        "last-screen",
        Move,
        "back, draft stays",
        Action::LastScreen,
    ),
    binding(&["Ctrl-p"], "palette", Tool, "Commands", Action::Palette),
];

pub const PLACE: Place = Place {
    layer: Layer::Form,
    title: "the form",
    short: "form",
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
