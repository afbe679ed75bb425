//! Merges the fields of a run that two users changed: base, theirs and mine, field by field.

use std::collections::BTreeMap;

use super::{RunField, RunTexts};

/// Three versions of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMerge {
    pub field: RunField,
    /// Text when the user began.
    pub base: String,
    /// Text on the service now.
    pub theirs: String,
    /// Text that the user wants.
    pub mine: String,
    pub verdict: Verdict,
}

/// Side that changed a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither side.
    Unchanged,
    /// This side only.
    Mine,
    /// The other side only.
    Theirs,
    /// Both, to the same text.
    Same,
    /// Both, to different texts: the user decides.
    Conflict,
}

/// Decision of the user for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The user's text.
    Mine,
    /// The text on the service.
    Theirs,
}

/// Decisions by field; a field without one goes by its verdict.
pub type Choices = BTreeMap<RunField, Resolution>;

/// Compares the fields that can be edited. A field missing in `mine` is not changed here; one missing in `base` is not
/// changed there. Texts of a document come from [`super::texts_of`].
pub fn merge(base: &RunTexts, theirs: &RunTexts, mine: &RunTexts) -> Vec<FieldMerge> {
    let one = |field: RunField| {
        let theirs = theirs.get(&field).cloned().unwrap_or_default();
        let base = base.get(&field).unwrap_or(&theirs).clone();
        let mine = mine.get(&field).unwrap_or(&base).clone();
        let verdict = match (theirs == base, mine == base) {
            (true, true) => Verdict::Unchanged,
            (true, false) => Verdict::Mine,
            (false, true) => Verdict::Theirs,
            (false, false) if theirs == mine => Verdict::Same,
            (false, false) => Verdict::Conflict,
        };
        FieldMerge {
            field,
            base,
            theirs,
            mine,
            verdict,
        }
    };
    RunField::EDITABLE.into_iter().map(one).collect()
}

impl FieldMerge {
    /// Returns the text to save. Without a choice a conflict keeps the text of the service, so that no unseen change of
    /// the other side is lost.
    pub fn outcome(&self, choice: Option<&Resolution>) -> &str {
        match (choice, self.verdict) {
            (Some(Resolution::Mine), _) | (None, Verdict::Mine) => &self.mine,
            (Some(Resolution::Theirs) | None, _) => &self.theirs,
        }
    }
}

/// Returns the fields to change on the service with their new texts, for [`super::Document::modified`].
pub fn resolved(merges: &[FieldMerge], choices: &Choices) -> RunTexts {
    merges
        .iter()
        .filter_map(|merge| {
            let outcome = merge.outcome(choices.get(&merge.field));
            (merge.theirs != outcome).then(|| (merge.field, outcome.to_owned()))
        })
        .collect()
}

/// Returns the conflicts without a decision; while there are any, nothing should be sent.
pub fn undecided(merges: &[FieldMerge], choices: &Choices) -> Vec<RunField> {
    merges
        .iter()
        .filter(|merge| merge.verdict == Verdict::Conflict && !choices.contains_key(&merge.field))
        .map(|merge| merge.field)
        .collect()
}
