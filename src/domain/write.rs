//! Creating, changing and deleting test runs: what is planned and what came of it.

use serde_json::{Value, json};

use super::{DocRef, Document, NewRun, RunRow, RunTexts, RunValues, SuiteChange};

/// New values for fields of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Modify {
    /// The run.
    pub run: DocRef,
    /// What the person knows it by.
    pub run_name: String,
    /// The document that the person has compared with; nothing is sent if the service has another by now.
    pub reviewed: Document,
    /// The fields to change and their new values.
    pub texts: RunTexts,
    /// What fields held before that are taken back: it goes in where it shows the new value.
    pub values: RunValues,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
}

/// The params of `MODIFY_DOCUMENT` (4.3) for a document as [`Document::modified`] makes it.
pub fn modify_params(run: &DocRef, document: &Value, locale: &str) -> Value {
    json!({"document": document, "locale": locale, "docRef": run.as_str()})
}

/// What became of a change of fields.
#[derive(Clone, Debug, PartialEq)]
pub enum ModifyEnd {
    /// A reading afterwards shows it.
    Saved {
        /// The document as it is now.
        document: Box<Document>,
        /// How that is known.
        how: String,
    },
    /// Somebody wrote since the comparison; nothing was sent.
    Moved(Box<Document>),
    /// Nothing was changed: refused, or not sent.
    Not(String),
    /// It was sent, and a reading shows something else.
    Differs {
        /// The document as it is now.
        document: Box<Document>,
        /// In what.
        what: String,
    },
    /// It was sent, the answer was lost, and nothing could be read.
    Unknown(String),
}

/// New runs, one after the other, each with the same suites.
#[derive(Clone, Debug, PartialEq)]
pub struct Create {
    /// The runs.
    pub runs: Vec<NewRun>,
    /// Suites to add to each: reference and what the person knows them by.
    pub suites: Vec<(DocRef, String)>,
    /// Where they come from, in words for the journal, such as `clone of R_4`.
    pub origin: String,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
}

impl Create {
    /// Where a run comes from that is made from another one, or from none.
    pub fn origin_of(source: Option<&str>) -> String {
        source.map_or_else(
            || "new run".to_owned(),
            |source| format!("clone of {source}"),
        )
    }
}

/// What became of one new run.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateEnd {
    /// It is there, by a reading.
    Made {
        /// The document as it was read.
        document: Box<Document>,
        /// What became of its suites; nothing where none were asked for.
        suites: Option<super::ChangeOutcome>,
    },
    /// It was made, says the answer, but reading it failed or shows something else.
    Unsure {
        /// Its reference.
        run: DocRef,
        /// A reading shows it, with other fields than were sent.
        seen: bool,
        /// What is wrong.
        what: String,
    },
    /// Nothing was made: refused, or not sent.
    Not(String),
    /// It was sent and the answer was lost: runs of that title and author that are newer than the request. Whether one
    /// of them is it, a person decides; it is never sent again by itself.
    Unknown {
        /// What happened.
        why: String,
        /// What looking for it found; an error in words if the list could not be read.
        found: Result<Vec<RunRow>, String>,
    },
}

/// What looking for runs found whose answer was lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Lookup {
    /// Runs of that title and author that are as new as the request. Whether one of them is it, a person decides.
    pub found: Vec<RunRow>,
    /// What was looked at and found, in words.
    pub words: String,
}

/// A run that is to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// The run.
    pub run: DocRef,
    /// What the person knows it by.
    pub run_name: String,
    /// File of its copy; noted in the journal, so that it can be rebuilt.
    pub copy: Option<String>,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
}

impl Delete {
    /// The params of `DELETE_TEST_RUN` (4.3).
    pub fn params(&self) -> Value {
        json!({"testRunDocRef": self.run.as_str()})
    }
}

/// What became of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeleteEnd {
    /// The service said so, and a reading does not find it any more.
    Gone(String),
    /// Nothing was deleted: not empty, answered `false`, refused or not sent.
    Not(String),
    /// It was sent, and whether it is gone could not be found out.
    Unknown(String),
}

/// A copy of a run before it is deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCopy {
    /// The file.
    pub file: String,
    /// The document.
    pub document: Document,
}

/// Which write is to be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoOf {
    /// This one of the journal.
    Write(String),
    /// The last one of this run that can be.
    LastOf(DocRef),
    /// The last one that can be.
    Last,
}

/// How a write can be taken back; a plan, nothing is sent yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Undo {
    /// The write.
    pub write: String,
    /// What it did, in words.
    pub what: String,
    /// How it is taken back.
    pub by: UndoBy,
    /// What the person should know before.
    pub warnings: Vec<String>,
}

/// How a write is taken back.
#[derive(Clone, Debug, PartialEq)]
pub enum UndoBy {
    /// Old values go back into fields.
    Modify {
        /// What the fields held before the write.
        before: RunTexts,
        /// The same to the digit, as far as it was kept.
        values: RunValues,
        /// What the write put into them: somebody else has written where the run holds something else by now.
        after: RunTexts,
        /// The run as it is now.
        now: Box<Document>,
    },
    /// Suites go out again, or in again.
    Suites(Box<SuiteChange>),
    /// The run that was made is deleted, if it is empty.
    Delete(Delete),
    /// A new run is made from the copy of a deleted one.
    Rebuild(Create),
}
