//! The journal of writes, as the screen shows it and as it is taken back from.

use serde_json::Value;

use super::create::short;
use super::{Worker, local, send};
use crate::disk::{Journal, JournalError, JournalFilter, Read, Step, WriteRecord, WriteState};
use crate::domain::{DocRef, RunField, RunTexts, RunValues, text_of};
use crate::store::{Event, Failure, JournalLine, JournalPage, RequestId};

/// Writes read at most.
const NEWEST: usize = 500;

impl Worker {
    /// Reads the journal, beside all else.
    pub(super) fn read_journal(&self, id: RequestId) {
        let events = self.events.clone();
        match self.journal() {
            Ok(journal) => {
                tokio::task::spawn_blocking(move || {
                    let result = read(&journal);
                    send(&events, Event::Journal { id, result });
                });
            }
            Err(why) => {
                let failure = local(
                    "reading the journal",
                    &why,
                    "nothing is changed from here without it",
                );
                send(
                    &events,
                    Event::Journal {
                        id,
                        result: Err(failure),
                    },
                );
            }
        }
    }
}

/// The newest writes, of one profile or of all. Blocks.
pub fn newest(journal: &Journal, profile: Option<String>) -> Result<Read, JournalError> {
    journal.read(
        NEWEST,
        &JournalFilter {
            profile,
            ..JournalFilter::default()
        },
    )
}

/// Why the journal could not be read.
pub fn unread(error: &str) -> Failure {
    local(
        "reading the journal",
        error,
        "it can be read with any text viewer",
    )
}

/// The newest writes for the screen. Blocks.
fn read(journal: &Journal) -> Result<JournalPage, Failure> {
    let read = newest(journal, None).map_err(|error| unread(&error.to_string()))?;
    let torn = (read.torn > 0).then(|| {
        format!(
            "{} lines of {} cannot be read; they are left as they are",
            read.torn,
            journal.path().display()
        )
    });
    Ok(JournalPage {
        lines: read.writes.iter().map(line).collect(),
        problem: torn,
    })
}

/// A part of what was kept beside the request.
pub fn kept<'a>(write: &'a WriteRecord, part: &str) -> Option<&'a Value> {
    write.steps.iter().find_map(|step| match &step.step {
        Step::Sent {
            note: Some(note), ..
        } => note.get(part),
        _ => None,
    })
}

/// What a change of fields found and what it put there; `None` where that was not kept.
pub fn texts(write: &WriteRecord) -> Option<(RunTexts, RunTexts)> {
    let before = values(write)?;
    let general = &write.request()?.1["document"]["Root"]["General"];
    let after = before
        .keys()
        .map(|field| (*field, text_of(general.get(field.name()))));
    let after = after.collect();
    Some((
        before
            .iter()
            .map(|(field, value)| (*field, text_of(value.as_ref())))
            .collect(),
        after,
    ))
}

/// What the fields that a write changed held before, to the digit; `None` where that was not kept.
pub fn values(write: &WriteRecord) -> Option<RunValues> {
    let before = kept(write, "before")?.as_object()?;
    let there = before
        .iter()
        .filter_map(|(name, value)| Some((RunField::of_name(name)?, Some(value.clone()))));
    let missing = kept(write, "missing")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let missing = missing.filter_map(|name| Some((RunField::of_name(name.as_str()?)?, None)));
    Some(there.chain(missing).collect())
}

/// What a write did or was to do, in words.
pub fn what(write: &WriteRecord) -> String {
    let Some((method, params)) = write.request() else {
        return "(begun before what was read)".into();
    };
    let undo = if kept(write, "undo of").is_some() {
        "undo: "
    } else {
        ""
    };
    let suites = params["testSuiteDocRefs"].as_array().map_or(0, Vec::len);
    let about = match (method, suites) {
        ("MODIFY_DOCUMENT", _) => match texts(write) {
            Some((before, after)) => format!(": {}", changes(&before, &after).join("; ")),
            None => String::new(),
        },
        ("ADD_DOCUMENT", _) => {
            let origin = kept(write, "origin")
                .and_then(Value::as_str)
                .map(|origin| format!(" ({origin})"));
            let title = params["document"]["Root"]["General"]["Title"]
                .as_str()
                .unwrap_or_default();
            format!(": \"{}\"{}", short(title), origin.unwrap_or_default())
        }
        (_, 0) => String::new(),
        (_, 1) => ", 1 suite".into(),
        (_, more) => format!(", {more} suites"),
    };
    format!("{undo}{method}{about}")
}

fn changes(before: &RunTexts, after: &RunTexts) -> Vec<String> {
    let after = |field| after.get(field).map_or("", String::as_str);
    before
        .iter()
        .map(|(field, old)| {
            format!(
                "{} \"{}\" → \"{}\"",
                field.name(),
                short(old),
                short(after(field))
            )
        })
        .collect()
}

fn line(write: &WriteRecord) -> JournalLine {
    let state = write.state();
    let mut detail = vec![format!("profile {}  run {}", write.profile, write.run)];
    if let Some((before, after)) = texts(write) {
        detail.extend(before.iter().map(|(field, old)| {
            format!(
                "{}: \"{old}\" → \"{}\"",
                field.name(),
                after.get(field).map_or("", String::as_str)
            )
        }));
    }
    for name in kept(write, "suites")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        detail.push(format!("suite {}", name.as_str().unwrap_or_default()));
    }
    let (method, params) = write
        .request()
        .unwrap_or(("(begun before what was read)", &Value::Null));
    detail.push(format!("{method} {params}"));
    for step in &write.steps {
        detail.push(match &step.step {
            Step::Sent {
                note: Some(note), ..
            } => format!("kept: {note}"),
            Step::Sent { .. } => "written down, then sent".into(),
            Step::Answered { result } => format!("answered: {result}"),
            Step::Refused { failure } => format!("refused: {failure}"),
            Step::Unknown { failure } => format!("answer lost: {failure}"),
            Step::Confirmed { how } => format!("confirmed: {how}"),
            Step::Differs { what } => format!("differs: {what}"),
            Step::Other { name } => format!("{name} (of another version)"),
        });
    }
    JournalLine {
        write: write.write.to_string(),
        run_ref: DocRef::parse(&write.run).ok(),
        at: write.at,
        run: write.run_name.clone(),
        what: what(write),
        state: state.words().into(),
        good: matches!(state, WriteState::Confirmed | WriteState::Answered),
        detail,
    }
}
