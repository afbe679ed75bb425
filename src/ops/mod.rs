//! Operations at the service, shared by the screens and the command line.
//!
//! ```text
//!  an operation ──next()──► Step ──steps::run──► write down, send once, read until sure ──► StepResult ──take()──► the operation
//!       └──► End(Outcome)
//! ```
//!
//! An operation is a plain value without task and clock: its driver carries out the steps one after the other.

pub mod client;
mod copy;
pub mod create;
pub mod delete;
mod edit;
pub mod lost;
mod prelude;
pub mod probe;
pub(crate) mod steps;
pub mod suites;
mod survey;
pub mod undo;
pub(crate) mod unfinished;
pub(crate) mod write;

use std::collections::HashSet;
use std::sync::Arc;

use crate::attached::Attached;
use crate::disk::WriteId;
pub use crate::domain::lock;
use crate::domain::{
    Create, Delete, DocRef, Failure, FailureKind, Modify, Outcome, RunRow, SuiteChange, Why, text,
};
pub use client::{Client, ClientSettings, KeepsSuites, KeptSuitesOf, MissingRun, now};
pub use create::Creating;
pub use delete::Deleting;
pub use edit::is_edit;
pub use probe::Probing;
pub use suites::ChangingSuites;
pub(crate) use write::{Progress, Tell, Unsure, Writing, blocking};

/// Next thing that an operation wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    Step(Step),
    /// The user or an option of the command line decides whether to go on.
    Ask,
    End(Outcome),
}

/// One write with the readings after it, or one reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Counts the suites of a run.
    Count(Arc<SuiteChange>),
    /// One request of a change of suites, from suite `from` on; `first` is its first request in the journal.
    SendSuites {
        change: Arc<SuiteChange>,
        from: usize,
        first: Option<WriteId>,
    },
    /// Reads until the service shows the part of a change that was sent.
    ReadSuites(Box<suites::Sent>),
    /// Creates one of the runs of a plan, by its place in it.
    Create {
        create: Arc<Create>,
        place: usize,
    },
    Save(Box<Modify>),
    Delete(Box<Delete>),
    /// Works out the suites of a run; `probe` is an empty run of its scope.
    Survey {
        run: DocRef,
        typed: Vec<DocRef>,
        probe: Option<DocRef>,
    },
    CheckEmpty(DocRef),
    /// Reads the suites that can be added to a run.
    Free(DocRef),
    SaveCopy(Box<Copied>),
}

/// A run to copy, with data that its document does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Copied {
    pub run: DocRef,
    /// The run as a list has shown it: its counts go into the copy unless the list has newer ones.
    pub row: RunRow,
    /// The suites known to be in the run, with names.
    pub suites: Vec<(DocRef, String)>,
    /// Completeness of the suites, in words.
    pub known: String,
}

/// Result of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepResult {
    Count(Option<Box<RunRow>>),
    /// Name of a request in the journal, and why its answer decides nothing; an error if the service cannot have acted
    /// on the request.
    Sent(Result<(WriteId, Option<Unsure>), Outcome>),
    Written(Outcome),
    Attached(Result<Box<Attached>, Failure>),
    Empty(Result<bool, Failure>),
    /// The suites that can be added; `None` if they could not be read.
    Free(Option<HashSet<DocRef>>),
    /// File of the copy.
    Copied(Result<String, Failure>),
    /// The run is not as it was when the user was asked: nothing is sent.
    Moved(Outcome),
}

/// An operation at the service, step by step.
pub trait Operation {
    fn next(&mut self) -> Do;
    fn take(&mut self, report: StepResult);
    /// The answer to [`Do::Ask`].
    fn answer(&mut self, _yes: bool) {}
    /// Sends nothing further except for cleaning up, for this reason.
    fn stop(&mut self, why: Why, words: &str);
}

/// An operation of one writing step.
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

    fn take(&mut self, report: StepResult) {
        if let StepResult::Written(outcome) = report {
            self.outcome = Some(outcome);
        }
    }

    fn stop(&mut self, why: Why, words: &str) {
        self.outcome
            .get_or_insert_with(|| Outcome::stopped(why, words));
    }
}

impl Step {
    /// True if the step changes something, or reads the effect of a change: such a step is not cancelled.
    pub fn writes(&self) -> bool {
        !matches!(
            self,
            Self::Count(_) | Self::Survey { .. } | Self::CheckEmpty(_) | Self::SaveCopy(_)
        )
    }
}

/// Remedy where a change may stay registered.
pub const ASKED_AGAIN: &str = "the next start asks about it once more";

/// Returns a failure of this program, its texts on one line each.
pub fn local(asked: &str, cause: &str, remedy: &str) -> Failure {
    let [asked, cause] = [asked, cause].map(text::plain);
    Failure::new(FailureKind::Local, &asked, &cause, remedy)
}
