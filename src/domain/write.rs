//! Creating, changing and deleting test runs: what is planned and what came of it.

use serde_json::{Value, json};

use super::{DocRef, Document, End, NewRun, Outcome, RunRow, RunTexts, RunValues, SuiteChange};

/// New values for fields of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Modify {
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
    json!({"document": document, "locale": locale, "docRef": run})
}

/// New runs, one after the other, each with the same suites.
#[derive(Clone, Debug, PartialEq)]
pub struct Create {
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
pub struct Created {
    pub run: Outcome,
    /// What became of its suites; nothing where none were asked for, or there is no run for them.
    pub suites: Option<Outcome>,
}

impl Created {
    /// The run is there as it was sent, and so are its suites.
    pub fn is_whole(&self) -> bool {
        self.run.is_whole() && self.suites.as_ref().is_none_or(Outcome::is_whole)
    }
}

/// What is known by now of what a form has sent without an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lookup {
    /// How it ended; nothing as long as that is not known.
    pub end: Option<End>,
    /// Runs of that title that are as new as the request. Whether one of them is it, a person decides.
    pub found: Vec<RunRow>,
    /// How it ended; else what was looked at and found, in words, if anything was.
    pub words: String,
}

/// A run that is to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    pub run: DocRef,
    /// What the person knows it by.
    pub run_name: String,
    /// File of its copy, noted in the journal, so that it can be rebuilt. A probe run needs none.
    pub copy: Option<String>,
    pub is_probe: bool,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
}

impl Delete {
    /// The params of `DELETE_TEST_RUN` (4.3).
    pub fn params(&self) -> Value {
        json!({"testRunDocRef": self.run})
    }
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
    Delete(Box<RunRow>),
    /// A new run is made from the copy of a deleted one.
    Rebuild(Create),
}

/// A change whose program ended before its end was known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its name: that of its first write in the journal.
    pub job: String,
    /// Its newest write.
    pub write: String,
    /// What was sent of it, in words.
    pub words: String,
}

/// What is left of a change without an end, as a reading shows it. Nothing is sent yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    pub job: String,
    /// What was sent and what the reading shows, a sentence each.
    pub found: Vec<String>,
    /// What can be sent yet, if anything.
    pub change: Option<SuiteChange>,
    /// Without anything to send: done, with nothing to go on with, or still not known.
    pub end: End,
}

impl Rest {
    /// Nothing is left to be found out or to be sent.
    pub fn is_over(&self) -> bool {
        self.change.is_none() && self.end != End::Unknown
    }
}
