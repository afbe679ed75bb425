//! What has happened, as the store is told it.

use super::message::{Action, RequestId};
use super::session::{Session, SignInReason};
use crate::attached::Attached;
use crate::domain::{
    ChunkResult, Created, DocRef, Document, Draft, DraftTaken, Failure, Lookup, Outcome, ReadList,
    Rest, RunRow, RunsPage, Sample, SuiteRow, Undo, Unfinished,
};
use crate::forecast::{History, Outlook, WhatIf};
use crate::ops::delete::Deleting;

/// What the store is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The person wants something.
    Action(Action),
    /// Something has happened.
    Event(Event),
}

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The local service is being made ready.
    Preparing {
        /// Work done so far.
        done: u64,
        /// All of it, in the same unit.
        total: u64,
    },
    /// A profile is in use from now on; nothing has been sent yet.
    Connected(Box<Session>),
    /// The profile cannot be used.
    NotConnected(Failure),
    /// A name and a password are needed, for this reason.
    SignInNeeded {
        /// The user name as far as it is known.
        user: String,
        /// What the box says.
        why: SignInReason,
    },
    /// The configured sign-in came to nothing, but was not refused.
    SignInFailed {
        /// Why.
        failure: Failure,
        /// The password may have gone out: the identity provider may have counted the try.
        sent: bool,
    },
    /// Signed in, or the token was renewed.
    SignedIn {
        /// User name.
        user: String,
        /// End of the access token, epoch milliseconds.
        until: Option<i64>,
    },
    /// A page of runs.
    Runs {
        id: RequestId,
        result: Result<RunsPage, Failure>,
    },
    /// All runs that a filter finds.
    AllRuns {
        id: RequestId,
        result: Result<Box<ReadList<RunRow>>, Failure>,
    },
    Document {
        id: RequestId,
        /// The document with its JSON as lines.
        result: Result<Box<Opened>, Failure>,
    },
    /// How far the reading of a whole list is.
    Received {
        id: RequestId,
        /// Entries received.
        received: u64,
        /// Entries in all.
        full_size: u64,
    },
    /// All suites that can be added to a run.
    Available {
        id: RequestId,
        /// The suites.
        result: Result<Vec<SuiteRow>, Failure>,
    },
    /// How far a survey is, in words.
    SurveyProgress { id: RequestId, words: String },
    /// What is known of the suites in a run.
    Surveyed {
        id: RequestId,
        /// The verdict.
        result: Result<Box<Attached>, Failure>,
    },
    /// One request of a change, or a reading after it, has come to its end.
    ChangeStep {
        id: RequestId,
        /// What came of it.
        step: ChunkResult,
    },
    /// A change has come to its end.
    Changed {
        id: RequestId,
        /// What came of it.
        outcome: Outcome,
    },
    /// A change of fields has come to its end.
    Modified {
        id: RequestId,
        /// What came of it.
        end: Outcome,
    },
    /// One of the new runs of a request is made, or is not; the others follow unless it went wrong.
    Created {
        id: RequestId,
        /// Which one of the runs, from 0.
        number: usize,
        /// What came of it.
        end: Box<Created>,
    },
    /// What looking for runs found whose answer was lost.
    LookedFor {
        id: RequestId,
        /// The runs.
        result: Result<Lookup, Failure>,
    },
    /// Whether a run is empty (`CHECK_TEST_RUN_EMPTY`).
    Emptiness {
        id: RequestId,
        /// The answer.
        result: Result<bool, Failure>,
    },
    /// How far a deletion is.
    Deleting {
        id: RequestId,
        deleting: Box<Deleting>,
    },
    /// A deletion has come to its end.
    Deleted {
        id: RequestId,
        /// What came of it.
        end: Outcome,
    },
    /// How a write can be taken back.
    UndoPlanned {
        id: RequestId,
        /// The plan, or why there is none.
        result: Result<Box<Undo>, Failure>,
    },
    /// A form has its draft.
    DraftTaken {
        id: RequestId,
        /// The draft; a failure means that nothing typed is kept on the disk.
        result: Result<Box<DraftTaken>, Failure>,
    },
    /// A draft is on the disk, or could not be kept.
    DraftKept {
        /// Which draft.
        key: String,
        /// When it was kept, epoch milliseconds.
        result: Result<i64, Failure>,
    },
    /// Who else has the form of a draft open by now.
    DraftShared {
        /// Which draft.
        key: String,
        /// Process number of the other program; nothing if it has closed the form.
        other: Option<u32>,
    },
    /// The drafts of the profile that no open form has.
    Drafts(Vec<Draft>),
    /// A text comes back from the editor of the person.
    Edited {
        id: RequestId,
        /// The text.
        result: Result<String, Failure>,
    },
    /// Probe runs of the profile that were made and not deleted.
    ProbesLeft(Vec<DocRef>),
    /// Changes of this profile whose end is not known, oldest first.
    Unfinished {
        changes: Vec<Unfinished>,
        /// The program has just been started, or the profile changed to.
        first: bool,
    },
    /// What is left of a change without an end.
    RestRead {
        id: RequestId,
        result: Result<Box<Rest>, Failure>,
    },
    /// The deletion of left probe runs has come to its end; those that are still there were told before.
    ProbesDeleted(RequestId),
    Journal {
        id: RequestId,
        /// What was read.
        result: Result<JournalPage, Failure>,
    },
    /// What was changed in a run from here, newest first.
    OwnChanges {
        id: RequestId,
        result: Result<Vec<OwnChange>, Failure>,
    },
    /// What the samples of a run tell.
    History {
        id: RequestId,
        /// Trend, burn-up and forecast.
        result: Result<Box<History>, Failure>,
    },
    /// The newest that runs told before a time; those of which nothing is kept are not among them. `None` where samples
    /// cannot be read, which is told by itself.
    Earlier {
        id: RequestId,
        found: Option<Vec<(DocRef, Sample)>>,
    },
    /// When runs will be done; `None` where samples cannot be read, which is told by itself.
    Outlooks {
        id: RequestId,
        found: Option<Vec<(DocRef, Outlook)>>,
    },
    /// When runs are due, epoch milliseconds; `None` where that cannot be read, which is told by itself.
    Due {
        id: RequestId,
        found: Option<Vec<(DocRef, i64)>>,
    },
    /// When a run would be done with more cases.
    WhatIf {
        id: RequestId,
        /// Without and with them.
        result: Result<Box<WhatIf>, Failure>,
    },
    /// Samples are in a file, or why not.
    Exported(Result<Exported, Failure>),
    /// A timer asked for by the store has run out.
    Timer(RequestId),
    /// The terminal tells that it has got the focus, or lost it.
    Focus(bool),
    /// The JSON of runs that is to be copied, laid out.
    Json {
        id: RequestId,
        result: Result<String, Failure>,
    },
    /// Something was given to the clipboard, or could not be.
    Copied {
        /// What, in words.
        what: String,
        end: CopyEnd,
    },
    /// What was to be copied is in a file: its path, or why it is not.
    CopiedToFile {
        /// What, in words.
        what: String,
        result: Result<String, String>,
    },
    /// A run is handed to the browser, or why it is not.
    WebOpened {
        /// What the person knows it by.
        run: String,
        result: Result<(), String>,
    },
    /// Something that a person must be told and that no request waits for.
    Trouble(Failure),
}

impl Event {
    /// The request that it answers.
    pub fn answers(&self) -> Option<RequestId> {
        match self {
            Self::Runs { id, .. }
            | Self::AllRuns { id, .. }
            | Self::Document { id, .. }
            | Self::Received { id, .. }
            | Self::Available { id, .. }
            | Self::SurveyProgress { id, .. }
            | Self::Surveyed { id, .. }
            | Self::ChangeStep { id, .. }
            | Self::Changed { id, .. }
            | Self::Modified { id, .. }
            | Self::Created { id, .. }
            | Self::LookedFor { id, .. }
            | Self::Emptiness { id, .. }
            | Self::Deleting { id, .. }
            | Self::Deleted { id, .. }
            | Self::UndoPlanned { id, .. }
            | Self::DraftTaken { id, .. }
            | Self::Edited { id, .. }
            | Self::RestRead { id, .. }
            | Self::ProbesDeleted(id)
            | Self::Journal { id, .. }
            | Self::OwnChanges { id, .. }
            | Self::History { id, .. }
            | Self::Earlier { id, .. }
            | Self::Outlooks { id, .. }
            | Self::Due { id, .. }
            | Self::WhatIf { id, .. }
            | Self::Json { id, .. }
            | Self::Timer(id) => Some(*id),
            Self::Preparing { .. }
            | Self::Connected(_)
            | Self::NotConnected(_)
            | Self::SignInNeeded { .. }
            | Self::SignInFailed { .. }
            | Self::SignedIn { .. }
            | Self::DraftKept { .. }
            | Self::DraftShared { .. }
            | Self::Drafts(_)
            | Self::ProbesLeft(_)
            | Self::Unfinished { .. }
            | Self::Exported(_)
            | Self::Focus(_)
            | Self::Copied { .. }
            | Self::CopiedToFile { .. }
            | Self::WebOpened { .. }
            | Self::Trouble(_) => None,
        }
    }

    /// More comes of the same request.
    pub fn is_part(&self) -> bool {
        matches!(
            self,
            Self::Received { .. }
                | Self::SurveyProgress { .. }
                | Self::ChangeStep { .. }
                | Self::Created { .. }
                | Self::Deleting { .. }
        )
    }
}

/// What became of a text on its way to the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyEnd {
    /// A tool has taken it and said that all went well.
    Copied,
    /// The terminal was sent it, which gives no answer.
    Sent,
    /// It did not get there, for this reason.
    Failed(String),
}

/// A document with its JSON laid out in lines, made off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub document: Document,
    /// Its JSON, indented.
    pub json: Vec<String>,
}

/// One write of the journal, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalLine {
    /// Its name in the journal: what can be asked to be taken back.
    pub write: String,
    /// The run, where the journal has its reference.
    pub run_ref: Option<DocRef>,
    /// When it was sent, epoch milliseconds.
    pub at: i64,
    /// The run, as it was known then.
    pub run: String,
    /// Operation and what it was about.
    pub what: String,
    /// How it stands, in words.
    pub state: String,
    /// It stands well.
    pub good: bool,
    /// The whole of it, line by line.
    pub detail: Vec<String>,
}

/// One write of the journal, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnChange {
    /// When it was sent, epoch milliseconds.
    pub at: i64,
    /// Such as `added S_1, S_15`.
    pub what: String,
    /// Its end is known.
    pub known: bool,
}

/// What was read of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalPage {
    /// Newest first.
    pub lines: Vec<JournalLine>,
    /// What is wrong with the file, in words.
    pub problem: Option<String>,
}

/// Samples in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub path: String,
    /// Number of samples.
    pub samples: usize,
    /// Number of runs.
    pub runs: usize,
}
