//! What is done at the service, the same for the screens and the command line.
//!
//! ```text
//!  an operation ──next()──► Step ──steps::run──► write down, send once, read until sure ──► Report ──take()──► the operation
//!       └──► End(Outcome)
//! ```
//!
//! An operation is a plain value without task and clock: whoever drives it does its steps one after the other.

pub mod client;
mod copy;
pub mod create;
pub mod delete;
mod edit;
pub mod lost;
pub mod probe;
pub(crate) mod steps;
pub mod suites;
mod survey;
pub mod undo;
pub(crate) mod unfinished;
pub(crate) mod write;

use std::sync::Arc;

use crate::attached::Attached;
use crate::disk::WriteId;
pub use crate::domain::lock;
use crate::domain::{
    Delete, DocRef, Failure, FailureKind, Modify, NewRun, Outcome, RunRow, SuiteChange, Why, text,
};
pub use client::{Client, ClientSettings, now};
pub use create::Creating;
pub use delete::Deleting;
pub use probe::{Clearing, Probing};
pub use suites::ChangingSuites;
pub(crate) use write::{Progress, Tell, Unsure, Writing, blocking};

/// What an operation wants next.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    Step(Step),
    /// The user decides whether it goes on, or an option of the command line.
    Ask,
    End(Outcome),
}

/// One write with the readings after it, or one reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// How many suites a run has.
    Count(Arc<SuiteChange>),
    /// One request of a change of suites, from this suite on; `first` is its first request in the journal.
    SendSuites {
        change: Arc<SuiteChange>,
        from: usize,
        first: Option<WriteId>,
    },
    /// Reads until the service shows what was sent of a change.
    ReadSuites(Box<suites::Sent>),
    Create(Box<Making>),
    Save(Box<Modify>),
    Delete(Box<Delete>),
    /// Works out the suites of a run; `probe` is an empty run of its scope.
    Survey {
        run: DocRef,
        typed: Vec<DocRef>,
        probe: Option<DocRef>,
    },
    CheckEmpty(DocRef),
    SaveCopy(Box<Copied>),
}

/// A run that is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Making {
    pub run: NewRun,
    /// Where it comes from, in words for the journal.
    pub origin: String,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
    /// Suites that go into it then.
    pub suites: Vec<(DocRef, String)>,
    /// Number of runs that are to be made after it.
    pub after: usize,
}

/// A run that is copied, with what its document does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Copied {
    pub run: DocRef,
    /// The run as a list has shown it: its counts go into the copy where the list does not show newer ones.
    pub row: RunRow,
    /// The suites that are known to be in it, with names.
    pub suites: Vec<(DocRef, String)>,
    /// How complete they are, in words.
    pub known: String,
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    Count(Option<i64>),
    /// Name of a request in the journal, and why its answer decides nothing; an error where the service cannot have acted
    /// on it.
    Sent(Result<(WriteId, Option<Unsure>), Outcome>),
    Written(Outcome),
    Attached(Result<Box<Attached>, Failure>),
    Empty(Result<bool, Failure>),
    /// File of the copy.
    Copied(Result<String, Failure>),
}

/// What is done at the service, step by step.
pub trait Operation {
    fn next(&mut self) -> Do;
    fn take(&mut self, report: Report);
    /// The answer to [`Do::Ask`].
    fn answer(&mut self, _yes: bool) {}
    /// Nothing further is sent but what cleans up, for this reason.
    fn stop(&mut self, why: Why, words: &str);
}

/// An operation of one step that writes.
#[derive(Clone, Debug, PartialEq)]
pub struct One {
    step: Step,
    outcome: Option<Outcome>,
}

impl One {
    pub fn new(step: Step) -> Self {
        Self {
            step,
            outcome: None,
        }
    }
}

impl Operation for One {
    fn next(&mut self) -> Do {
        match &self.outcome {
            Some(outcome) => Do::End(outcome.clone()),
            None => Do::Step(self.step.clone()),
        }
    }

    fn take(&mut self, report: Report) {
        if let Report::Written(outcome) = report {
            self.outcome = Some(outcome);
        }
    }

    fn stop(&mut self, why: Why, words: &str) {
        self.outcome
            .get_or_insert_with(|| Outcome::not_sent(why, format!("not sent, {words}")));
    }
}

impl Step {
    /// It changes something, or reads what a change has done: it is not given up.
    pub fn writes(&self) -> bool {
        !matches!(
            self,
            Self::Count(_) | Self::Survey { .. } | Self::CheckEmpty(_) | Self::SaveCopy(_)
        )
    }
}

/// A failure on this side. Its words are on one line, whatever they name.
pub fn local(asked: &str, came_back: &str, remedy: &str) -> Failure {
    Failure {
        kind: FailureKind::Local,
        asked: text::plain(asked).into(),
        came_back: text::plain(came_back).into(),
        remedy: remedy.into(),
        may_retry: false,
    }
}
