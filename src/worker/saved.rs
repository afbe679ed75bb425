//! What a reading after a change of fields says.

use serde_json::Value;

use super::create::{differing, short};
use crate::disk::Step;
use crate::domain::{Document, ModifyEnd, RunField, RunTexts, same_version, texts_of};
use crate::rpc::CallError;

/// What is known when a reading is judged.
pub struct Seen<'a> {
    /// The run just before.
    pub before: &'a Document,
    /// What was sent in its place.
    pub sent: &'a Value,
    /// The fields that were to change.
    pub wanted: &'a RunTexts,
    /// A version that was read in between and is neither of the two: somebody else wrote in the same moment.
    pub foreign: Option<Document>,
}

/// What came of the change, by the last reading, and how the journal puts it.
pub fn verdict(
    seen: &Seen<'_>,
    now: Document,
    lost: Option<&CallError>,
    user: &str,
) -> (ModifyEnd, Option<Step>) {
    let missing = differing(seen.wanted, &texts_of(&now));
    if missing.is_empty() {
        return shown(seen, now, lost.is_some(), user);
    }
    if same_version(seen.before, &now).is_ok()
        && let Some(error) = lost
    {
        let what =
            "the run is still as it was before, after three readings: the service did not act";
        let end = ModifyEnd::Not(format!(
            "sent, but the answer was lost ({}); {what}",
            error.came_back()
        ));
        return (end, Some(Step::Differs { what: what.into() }));
    }
    let who = match editor(&now) {
        Some(editor) if seen.foreign.is_some() => format!("; last edited by {editor}"),
        _ => String::new(),
    };
    let answer = if lost.is_some() {
        "the answer was lost, and"
    } else {
        "the service answered that it was done, but"
    };
    differs(now, format!("{answer} {}{who}", missing.join("; ")))
}

/// The values are there; whether anything else is as it should be.
fn shown(seen: &Seen<'_>, now: Document, lost: bool, user: &str) -> (ModifyEnd, Option<Step>) {
    if let Some(foreign) = &seen.foreign {
        let who = editor(foreign).unwrap_or_else(|| "somebody".into());
        let what = changed(seen.before, foreign);
        return differs(
            now,
            format!(
                "the new values are there, but they went over a change that {who} made in the same moment: {what}"
            ),
        );
    }
    let others = besides(seen, &now);
    let by_else = editor(&now).filter(|editor| !editor.eq_ignore_ascii_case(user));
    let known = others.iter().any(|path| of_the_caller(path));
    if !others.is_empty() && (known || by_else.is_some()) {
        let who = editor(&now)
            .map(|editor| format!("; last edited by {editor}"))
            .unwrap_or_default();
        let what = format!(
            "the new values are there, but besides them differ: {}{who}",
            others.join(", ")
        );
        return differs(now, what);
    }
    let how = if lost {
        "by reading: the answer was lost"
    } else {
        "read again: the new values are there"
    };
    let also =
        (!others.is_empty()).then(|| format!("the service has also changed {}", others.join(", ")));
    let by = by_else.map(|editor| format!("last edited by {editor}"));
    let how = [Some(how.to_owned()), also, by]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ");
    let step = Step::Confirmed { how: how.clone() };
    (
        ModifyEnd::Saved {
            document: Box::new(now),
            how,
        },
        Some(step),
    )
}

fn differs(now: Document, what: String) -> (ModifyEnd, Option<Step>) {
    let step = Step::Differs { what: what.clone() };
    (
        ModifyEnd::Differs {
            document: Box::new(now),
            what,
        },
        Some(step),
    )
}

/// Who edited a version last.
pub fn editor(document: &Document) -> Option<String> {
    document
        .text("Root.Metadata.EditedBy")
        .or_else(|| document.meta("modifier"))
}

/// What a foreign version has changed, in words.
fn changed(before: &Document, foreign: &Document) -> String {
    let theirs = texts_of(foreign);
    let fields: Vec<String> = texts_of(before)
        .iter()
        .filter(|(field, text)| theirs.get(field) != Some(text))
        .map(|(field, _)| {
            format!(
                "{} \"{}\"",
                field.name(),
                short(theirs.get(field).map_or("", String::as_str))
            )
        })
        .collect();
    if !fields.is_empty() {
        return fields.join(", ");
    }
    content(before, foreign).join(", ")
}

/// The paths at which two versions differ, apart from what the service assigns.
pub fn content(one: &Document, other: &Document) -> Vec<String> {
    let paths = same_version(one, other).err().unwrap_or_default();
    paths.into_iter().filter(|path| !assigned(path)).collect()
}

/// Where the reading differs from what was sent, apart from the fields that were to change and what the service assigns.
fn besides(seen: &Seen<'_>, now: &Document) -> Vec<String> {
    let mut raw = seen.before.raw().clone();
    let mut document = seen.sent.clone();
    if let Some(members) = document.as_object_mut() {
        members.shift_remove("__meta");
    }
    raw["document"] = document;
    let Ok(sent) = Document::from_value(raw) else {
        return Vec::new();
    };
    let wanted = |path: &String| seen.wanted.keys().any(|field| field.path() == *path);
    content(&sent, now)
        .into_iter()
        .filter(|path| !wanted(path))
        .collect()
}

/// What the service writes itself, or shows in lists only (2.2).
fn assigned(path: &str) -> bool {
    const OWN: [&str; 4] = [
        "Root.Metadata",
        "Root.DisplayFields",
        "Root.General.TestSuiteCount",
        "Root.General.Progress",
    ];
    path == "modifiedAt"
        || OWN.iter().any(|own| {
            path.strip_prefix(own)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

/// What only callers write.
fn of_the_caller(path: &str) -> bool {
    path == "Root.Attachments" || RunField::ALL.iter().any(|field| field.path() == path)
}
