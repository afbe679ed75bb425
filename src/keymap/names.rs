//! What the commands are called in `[keys]` of the config file.

use crate::store::{Action, CopyWhat, Motion};

/// Every action of the key table with its name.
pub static NAMES: &[(&str, Action)] = &[
    ("row-down", Action::Move(Motion::Down)),
    ("row-up", Action::Move(Motion::Up)),
    ("first-row", Action::Move(Motion::First)),
    ("last-row", Action::Move(Motion::Last)),
    ("half-page-down", Action::Move(Motion::HalfPageDown)),
    ("half-page-up", Action::Move(Motion::HalfPageUp)),
    ("page-down", Action::Move(Motion::PageDown)),
    ("page-up", Action::Move(Motion::PageUp)),
    ("next-part", Action::NextPart),
    ("previous-part", Action::PreviousPart),
    ("part-1", Action::Part(0)),
    ("part-2", Action::Part(1)),
    ("part-3", Action::Part(2)),
    ("part-4", Action::Part(3)),
    ("part-5", Action::Part(4)),
    ("last-screen", Action::LastScreen),
    ("next-field", Action::NextField),
    ("previous-field", Action::PreviousField),
    ("open", Action::Open),
    ("back", Action::Back),
    ("quit", Action::Quit),
    ("cancel", Action::Cancel),
    ("suspend", Action::Suspend),
    ("redraw", Action::Redraw),
    ("filter", Action::Filter),
    ("facets", Action::Facets),
    ("sort", Action::Sort),
    ("reverse-sort", Action::ReverseSort),
    ("columns", Action::Columns),
    ("preview", Action::Preview),
    ("refresh", Action::Refresh),
    ("next-match", Action::NextMatch),
    ("previous-match", Action::PreviousMatch),
    ("mark", Action::Mark),
    ("mark-range", Action::MarkRange),
    ("mark-all", Action::MarkAll),
    ("raw", Action::Raw),
    ("copy-reference", Action::Copy(CopyWhat::DocRef)),
    ("copy-json", Action::Copy(CopyWhat::Json)),
    ("copy-id", Action::Copy(CopyWhat::Id)),
    ("new", Action::New),
    ("edit", Action::Edit),
    ("edit-outside", Action::EditOutside),
    ("field-outside", Action::FieldOutside),
    ("clone", Action::Clone),
    ("delete", Action::Delete),
    ("undo", Action::Undo),
    ("undo-last", Action::UndoLast),
    ("drafts", Action::Drafts),
    ("save", Action::Save),
    ("offer", Action::Offer),
    ("discard-draft", Action::DiscardDraft),
    ("keep-mine", Action::KeepMine),
    ("take-theirs", Action::TakeTheirs),
    ("available", Action::Available),
    ("members", Action::Members),
    ("remove", Action::Remove),
    ("type-reference", Action::TypeReference),
    ("verify", Action::Verify),
    ("explanation-down", Action::ScrollWhy(Motion::Down)),
    ("explanation-up", Action::ScrollWhy(Motion::Up)),
    ("probe", Action::Probe),
    ("delete-probes", Action::DeleteProbes),
    ("go-on", Action::GoOn),
    ("monitor", Action::Monitor),
    ("threshold", Action::Threshold),
    ("bell", Action::Bell),
    ("pin", Action::Pin),
    ("export", Action::Export),
    ("slower", Action::Slower),
    ("faster", Action::Faster),
    ("journal", Action::Journal),
    ("palette", Action::Palette),
    ("errors", Action::Errors),
    ("help", Action::Help),
    ("mouse", Action::Mouse),
    ("sign-in", Action::SignIn),
    ("toggle", Action::Toggle),
];

/// The name of an action.
pub fn of(action: &Action) -> Option<&'static str> {
    NAMES
        .iter()
        .find(|(_, named)| named == action)
        .map(|(name, _)| *name)
}

/// The action behind a name.
pub fn action(name: &str) -> Option<&'static Action> {
    NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, action)| action)
}
