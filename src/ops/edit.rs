//! Judges a reading after a change of fields.

use super::Unsure;
use super::prelude::*;
use crate::domain::diff::Ignored;
use crate::domain::fields::{EDITED_ON, editor, label};
use crate::domain::{same_version, same_words, text};

/// Everything needed to judge a reading.
pub struct Edited<'a> {
    /// The run just before the change.
    pub before: &'a Document,
    /// The document that was sent in its place.
    pub sent: &'a Value,
    /// The fields that should change.
    pub wanted: &'a RunTexts,
    /// The reason why the answer decides nothing.
    pub unsure: Option<Unsure>,
}

impl Edited<'_> {
    /// Judges the last reading. `foreign` is a version in between that is neither `before` nor the one sent.
    pub fn judge(&self, now: Document, foreign: Option<&Document>, user: &str) -> Outcome {
        let missing = differing(self.wanted, &texts_of(&now));
        if missing.is_empty() {
            return self.shown(&now, foreign, user).with_document(now);
        }
        if let Some(unsure) = &self.unsure
            && (same_version(self.before, &now).is_ok() || unsure.denied && self.is_as_before(&now))
        {
            return unsure.without_effect("three readings show the run as it was before");
        }
        let who = match foreign {
            Some(_) => last_editor(&now, "; last edited by "),
            None => String::new(),
        };
        let answer = match &self.unsure {
            Some(Unsure { denied: true, .. }) => "the service answered with an error, but",
            Some(_) => "the answer was lost, and",
            None => "the service answered that it was done, but",
        };
        let takes_back = self.would_take_back(&now);
        let what = format!("{answer} {}{who}{takes_back}", missing.join("; "));
        let outcome = if self.shows_some(&now) || self.is_stored(&now) {
            Outcome::otherwise(what)
        } else {
            Outcome::contradicted(what)
        };
        outcome.with_document(now)
    }

    /// Names fields with changes of others, which a save that still comes would take back.
    fn would_take_back(&self, now: &Document) -> String {
        let is_lost = self.unsure.as_ref().is_some_and(|unsure| !unsure.denied);
        if !is_lost || self.shows_some(now) {
            return String::new();
        }
        let paths = self.besides(now);
        let paths = paths.iter().filter(|path| of_the_caller(path));
        match &*text::join(paths.map(|path| label(path)), ", ") {
            "" => String::new(),
            names => {
                format!("; changed meanwhile, and taken back if the save still comes: {names}")
            }
        }
    }

    /// True if the answer was a yes, and a version since has the same words: the service keeps other blanks.
    fn is_stored(&self, now: &Document) -> bool {
        let there = texts_of(now);
        let is_same = |(field, text): (&RunField, &String)| {
            there
                .get(field)
                .is_some_and(|there| same_words(there, text))
        };
        let is_newer = same_version(self.before, now).is_err();
        self.unsure.is_none() && is_newer && self.wanted.iter().all(is_same)
    }

    /// True if the reading has the fields, with their old values.
    fn is_as_before(&self, now: &Document) -> bool {
        let same = |field: &RunField| now.at(field.path()) == self.before.at(field.path());
        now.at("Root.General").is_some() && self.wanted.keys().all(same)
    }

    /// True if the reading shows at least one of the new values.
    fn shows_some(&self, now: &Document) -> bool {
        let (before, now) = (texts_of(self.before), texts_of(now));
        let mut wanted = self.wanted.iter();
        wanted.any(|(field, text)| now.get(field) == Some(text) && before.get(field) != Some(text))
    }

    /// Judges a reading that has all new values: other differences may remain.
    fn shown(&self, now: &Document, foreign: Option<&Document>, user: &str) -> Outcome {
        if let Some(foreign) = foreign {
            let who = editor(foreign).unwrap_or_else(|| "somebody".into());
            let what = changed(self.before, foreign);
            return Outcome::otherwise(format!(
                "it went over a change that {who} made in the same moment: {what}"
            ));
        }
        let others = self.besides(now);
        let by_else = editor(now).is_some_and(|editor| !editor.eq_ignore_ascii_case(user));
        let who = last_editor(now, "; last edited by ");
        let known = others.iter().any(|path| of_the_caller(path));
        let paths = others.join(", ");
        if known || by_else && !others.is_empty() {
            return Outcome::otherwise(format!(
                "besides the new values these differ: {paths}{who}"
            ));
        }
        let by_reading = self.unsure.as_ref().map(Unsure::by_reading);
        let how = by_reading.unwrap_or("read again: the new values are there");
        let also = match &*paths {
            "" => String::new(),
            paths => format!("; the service has also changed {paths}"),
        };
        let by = if by_else { who.as_str() } else { "" };
        Outcome::done(format!("{how}{also}{by}")).with_by_reading(by_reading)
    }

    /// Returns the paths that differ from the sent document, apart from the changed fields and those that the service
    /// assigns.
    fn besides(&self, now: &Document) -> Vec<String> {
        let mut raw = self.before.raw().clone();
        raw["document"] = self.sent.clone();
        if let Some(members) = raw["document"].as_object_mut() {
            members.shift_remove("__meta");
        }
        let Ok(sent) = Document::from_value(raw) else {
            return Vec::new();
        };
        let mut paths = content(&sent, now);
        paths.retain(|path| !self.wanted.keys().any(|field| field.path() == *path));
        paths
    }
}

/// Returns `words` and the last editor, empty if the editor is not known.
pub fn last_editor(document: &Document, words: &str) -> String {
    editor(document).map_or_else(String::new, |editor| format!("{words}{editor}"))
}

/// Describes the changes of a foreign version.
fn changed(before: &Document, foreign: &Document) -> String {
    let mine = texts_of(before);
    let theirs = texts_of(foreign)
        .into_iter()
        .filter(|(field, text)| mine.get(field) != Some(text));
    let mut changed: Vec<String> = theirs
        .map(|(field, text)| format!("{} \"{}\"", field.name(), short(&text)))
        .collect();
    if changed.is_empty() {
        changed = content(before, foreign);
    }
    changed.join(", ")
}

/// Returns the paths at which two versions differ, apart from those that the service assigns.
pub fn content(one: &Document, other: &Document) -> Vec<String> {
    // Paths that the service writes itself, or shows in lists only (2.2).
    let assigned = Ignored::new([
        "modifiedAt",
        "Root.Metadata",
        "Root.DisplayFields",
        "Root.General.TestSuiteCount",
        "Root.General.Progress",
    ]);
    let mut paths = same_version(one, other).err().unwrap_or_default();
    paths.retain(|path| !assigned.covers(path));
    paths
}

/// True if the paths at which two versions differ tell that the run was edited.
pub fn is_edit(paths: &[String]) -> bool {
    let tells = |path: &String| path == "modifiedAt" || path == EDITED_ON.path;
    paths.iter().any(tells)
}

/// True for paths that only callers write.
fn of_the_caller(path: &str) -> bool {
    path == "Root.Attachments" || RunField::ALL.iter().any(|field| field.path() == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(document: &Value) -> Document {
        Document::from_value(json!({"docRef": "TestRun-dm/1", "document": document})).unwrap()
    }

    /// A service may answer with an error what it has done, and keep or send a text otherwise.
    #[test]
    fn after_an_error_only_the_old_values_show_that_nothing_was_changed() {
        let of =
            |general: Value| json!({"Root": {"General": general, "Metadata": {"EditedOn": 7}}});
        let before = run(&of(json!({"Title": "t", "Description": "old"})));
        let sent = of(json!({"Title": "t", "Description": "new  text"}));
        let edited = Edited {
            before: &before,
            sent: &sent,
            wanted: &RunTexts::from([(RunField::Description, "new  text".to_owned())]),
            unsure: Some(Unsure {
                denied: true,
                why: "an error".into(),
                refused: "an error".into(),
            }),
        };
        for (now, end) in [
            (
                of(json!({"Title": "t", "Description": "old"})),
                End::Refused,
            ),
            // Somebody else has changed another field.
            (
                of(json!({"Title": "else", "Description": "old"})),
                End::Refused,
            ),
            (
                of(json!({"Title": "t", "Description": "new text"})),
                End::Unknown,
            ),
            (of(json!({"Title": "t"})), End::Unknown),
            (json!({"Root": {}}), End::Unknown),
            (json!({}), End::Unknown),
            (sent.clone(), End::Done),
        ] {
            let judged = edited.judge(run(&now), None, "qa");
            assert_eq!(judged.end, end, "{now}");
        }
    }
}
