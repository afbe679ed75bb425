//! What becomes of the fields of a run when two people have changed them: base, theirs and mine, field by field.

use std::collections::BTreeMap;

use super::{RunField, RunTexts};

/// One field, seen from three sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMerge {
    pub field: RunField,
    /// As it was when the person began.
    pub base: String,
    /// As the service has it now.
    pub theirs: String,
    /// As the person wants it.
    pub mine: String,
    /// Who has changed it.
    pub verdict: Verdict,
}

/// Who has changed a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody.
    Unchanged,
    /// This side only.
    Mine,
    /// The other side only.
    Theirs,
    /// Both, to the same text.
    Same,
    /// Both, to different texts: a person decides.
    Conflict,
}

/// What the person has decided for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The own text goes in.
    Mine,
    /// What the service has stays.
    Theirs,
}

/// Decisions by field; a field without one goes by its verdict.
pub type Choices = BTreeMap<RunField, Resolution>;

/// Compares the fields that can be edited. A field that `mine` does not hold is not changed here; one that `base` does
/// not hold is not changed there. Texts of a document come from [`super::texts_of`].
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
    /// What the field is to hold. Without a choice a conflict stays as the service has it: nothing of the other side goes
    /// away that nobody has looked at.
    pub fn outcome(&self, choice: Option<&Resolution>) -> &str {
        match (choice, self.verdict) {
            (Some(Resolution::Mine), _) | (None, Verdict::Mine) => &self.mine,
            (Some(Resolution::Theirs) | None, _) => &self.theirs,
        }
    }
}

/// The fields to change and their new texts, relative to what the service has: what [`super::Document::modified`] takes.
pub fn resolved(merges: &[FieldMerge], choices: &Choices) -> RunTexts {
    merges
        .iter()
        .filter_map(|merge| {
            let outcome = merge.outcome(choices.get(&merge.field));
            (merge.theirs != outcome).then(|| (merge.field, outcome.to_owned()))
        })
        .collect()
}

/// Conflicts that nobody has decided yet; while there are some, nothing should be sent.
pub fn undecided(merges: &[FieldMerge], choices: &Choices) -> Vec<RunField> {
    merges
        .iter()
        .filter(|merge| merge.verdict == Verdict::Conflict && !choices.contains_key(&merge.field))
        .map(|merge| merge.field)
        .collect()
}
