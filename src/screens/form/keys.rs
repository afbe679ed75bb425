//! The keys of the form.

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::EVERYWHERE;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, CopyWhat};

const OWN: &[Binding] = &[
    binding(
        &["Tab"],
        "next-field",
        Heading::Move,
        "Next field",
        Action::NextField,
    ),
    binding(
        &["S-Tab"],
        "previous-field",
        Heading::Move,
        "Previous field",
        Action::PreviousField,
    ),
    binding(
        &["Ctrl-s"],
        "save",
        Heading::Run,
        "Review, then save",
        Action::Save,
    ),
    binding(
        &["Ctrl-o"],
        "field-outside",
        Heading::Run,
        "This field in $EDITOR",
        Action::FieldOutside,
    ),
    binding(
        &["Ctrl-t"],
        "offer",
        Heading::Run,
        "Known configurations to tick",
        Action::Offer,
    ),
    binding(
        &["Ctrl-g"],
        "drafts",
        Heading::Run,
        "Drafts",
        Action::Drafts,
    ),
    binding(
        &["Ctrl-x"],
        "discard-draft",
        Heading::Run,
        "Discard the draft (asks first)",
        Action::DiscardDraft,
    ),
    binding(
        &["Ctrl-y"],
        "copy-json",
        Heading::Tool,
        "Copy all fields",
        Action::Copy(CopyWhat::Json),
    ),
    binding(
        &["Alt-←"],
        "last-screen",
        Heading::Move,
        "back, draft stays",
        Action::LastScreen,
    ),
    binding(
        &["Ctrl-p"],
        "palette",
        Heading::Tool,
        "Commands",
        Action::Palette,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Form,
    title: "the form",
    short: "form",
    groups: &[OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::NextField], "next"),
        Hint::of(&[Action::Save], "review, save…"),
        Hint::of(&[Action::Back], "back, draft stays"),
        Hint::of(&[Action::FieldOutside], "in $EDITOR"),
        Hint::of(&[Action::Help], "help"),
        Hint::field("Ctrl-z Ctrl-r", "undo, redo"),
    ],
    types: true,
};
