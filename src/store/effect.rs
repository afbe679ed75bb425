//! Jobs that the store asks for, and events and answers, as plain values.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Action, Hidden, Layer, RequestId, Session};
use crate::attached::{Attached, InNoRun};
use crate::domain::compare::KeptSuites;
use crate::domain::diff::News;
use crate::domain::release::{NamedKind, ReleaseLine, ReportRequest};
use crate::domain::{
    ChunkResult, Create, Created, DocRef, Document, Draft, DraftSent, DraftTaken, DraftWish,
    DueDates, DueOf, Failure, Filter, FormFor, Format, LeftOff, Lookup, Modify, Outcome, Page,
    Probe, ResultCode, RunRow, RunsPage, SignInReason, Sort, SuiteChange, SuiteRow, Summary, Undo,
    UndoOf, Unfinished, UnfinishedChange, View,
};
use crate::forecast::{Calibration, Finish, History, SumRun, WhatIf};
use crate::mirror::{Depth, Run, RunsAnswer, RunsQuery};
use crate::ops::Deleting;

/// Job for the worker or the terminal.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Uses a profile of the configuration.
    Connect {
        /// Name of the profile.
        profile: String,
    },
    /// Uses another project with the same sign-in.
    UseProject {
        /// Project id.
        project: String,
        /// Sub project id; `None` for none.
        subproject: Option<String>,
    },
    /// Signs in with the configured name and password, unless they were refused.
    SignInAsConfigured,
    /// Signs in, once.
    SignIn {
        /// User name.
        user: String,
        password: Hidden,
    },
    /// A request to the mirror; no answer is awaited.
    Runs(RunsRequest),
    /// Saves the current place for the next start.
    LeftOff(Box<LeftOff>),
    /// Writes runs to a new file.
    ExportRuns {
        /// Name of the view of the runs.
        view: String,
        format: Format,
        runs: ExportedRuns,
        /// True if no run of the view is known to be missing.
        is_complete: bool,
        /// Time of the reading or of the oldest counts in words, where the service was not read now.
        read: Option<String>,
    },
    /// Writes the report of a release to a new file.
    WriteReport(Box<ReportRequest>),
    /// Writes the content of a screen to a new file.
    ExportSummary {
        summary: Box<Summary>,
        format: Format,
    },
    /// Stops asking about a change without an end.
    LetBe { job: String },
    /// Saves or reads drafts of forms, on this machine.
    Draft(DraftRequest),
    /// A write about the samples, on this machine.
    Samples(SampleWrite),
    /// A request with an answer.
    Request(RequestId, Request),
    /// Cancels a request. A change of suites stops before its next request.
    Cancel(RequestId),
    /// Asks the terminal whether its background is light.
    AskBackground,
    /// Puts a text on the clipboard.
    Copy {
        /// Description of the text.
        what: String,
        text: String,
    },
    /// Opens an address in the user's browser.
    OpenWeb {
        /// Display name of the run.
        run: String,
        address: String,
    },
    /// Writes a copied text to a new file in the directory of the program's start.
    CopyToFile {
        /// Description of the text.
        what: String,
        /// File name with text from the service: made harmless when the file is created.
        name: String,
        /// File name extension.
        ending: &'static str,
        text: String,
    },
    /// Rings the bell of the terminal.
    Bell,
    /// Has the terminal show a notification; the text has no control characters.
    Notify(String),
    /// Runs the notification program of the config with this as its last argument.
    Call(String),
    /// Records that the help was opened on this machine.
    HelpSeen,
    /// Turns mouse reports on or off.
    Mouse(bool),
    /// Suspends the program as Ctrl-z does, until `fg`.
    Suspend,
    /// Draws the screen from scratch.
    Redraw,
    /// Ends the program.
    Quit,
}

/// Request with an [`Answer`].
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Reads a page of runs.
    ListRuns {
        page: Page,
        sort: Vec<Sort>,
        filter: Filter,
    },
    /// Reads runs into the mirror, to this depth, these lists first.
    ReadRuns {
        depth: Depth,
        lists: Vec<Filter>,
        /// Maximum age in milliseconds of another program's reading that counts; `None` if the user asked.
        pace: Option<i64>,
    },
    /// Reads a document.
    GetDocument {
        /// Reference of the document.
        doc_ref: DocRef,
    },
    /// Reads all suites that can be added to a run.
    ReadAvailable { run: DocRef },
    /// Reads the suites that are in no open run of a version.
    ReadInNoRun { version: String },
    /// Works out the suites in a run.
    Survey {
        run: DocRef,
        /// References that the user typed.
        typed: Vec<DocRef>,
        /// Most calls of lists, without telling of each: the answer has what is known by then. All that it takes if not given.
        calls: Option<usize>,
    },
    /// Changes the suites of a run, request by request, each recorded first; then reads the result.
    ChangeSuites(Box<SuiteChange>),
    /// Creates a probe run, works out the suites of its target with it, and deletes it.
    Probe(Box<Probe>),
    /// Reads the remainder of a change without an end; sends nothing.
    ReadUnfinished { job: String },
    /// Changes fields of a run: reads it, sends nothing if it is not as reviewed, writes all of it, reads it again.
    Modify(Box<Modify>),
    /// Creates new runs, one after the other; stops at the first failure.
    Create(Box<Create>),
    /// Looks up the result of a form's request that got no answer: in the journal, and for new runs by title and time.
    /// Only reads.
    LookFor {
        /// The saved run; `None` for new ones.
        run: Option<DocRef>,
        sent: Box<DraftSent>,
    },
    /// Asks whether a run is empty.
    CheckEmpty { run: DocRef },
    /// Saves a copy of a run, takes its suites out, deletes it and reads that it is gone.
    Delete(Box<Deleting>),
    /// Works out how to take back a write. Changes nothing.
    PlanUndo(UndoOf),
    /// Opens a text in the user's editor, which owns the terminal until it ends.
    EditText {
        /// File name extension, such as `md`.
        ending: &'static str,
        text: String,
    },
    /// Reads the journal of writes, or the changes of a run in it.
    ReadJournal { run: Option<DocRef> },
    /// Sends [`Answer::Timer`] after a time.
    Timer {
        /// Milliseconds.
        after: u64,
    },
    /// Reads the documents of runs to copy their JSON.
    ReadJson { runs: Vec<DocRef> },
    /// Adds up the runs of each version.
    AddUpReleases {
        runs: Arc<[Arc<Run>]>,
        kinds: Vec<NamedKind>,
        done: Vec<ResultCode>,
    },
    /// Gives a form its draft, with the content that was kept before.
    TakeDraft { form: FormFor, wish: DraftWish },
    /// A request to the samples, on this machine.
    Samples(SampleRequest),
}

impl Request {
    /// Reads runs; of readings by themselves each `every` seconds, one of another program counts within nine tenths of them,
    /// so that the own last one is old enough.
    pub fn read_runs(depth: Depth, lists: Vec<Filter>, every: Option<u64>) -> Self {
        let every = every.filter(|every| *every > 0);
        let pace = every.map(|every| i64::try_from(every).unwrap_or(i64::MAX).saturating_mul(900));
        Self::ReadRuns { depth, lists, pace }
    }
}

/// Request to the drafts.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftRequest {
    /// Saves the content of a form; then removes the files of texts that it took from the editor.
    Keep(Box<Draft>, Vec<PathBuf>),
    /// Closes a form; its draft stays.
    Leave { key: String },
    /// Deletes a draft and such files: saved to the service, or discarded by the user.
    Discard {
        key: Option<String>,
        edited: Vec<PathBuf>,
    },
    /// Finds drafts that no form has open.
    Find,
    /// The same for a key: that they cannot be read is told once more.
    Seek,
}

/// Runs for a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportedRuns {
    These(Vec<Arc<Run>>),
    /// All runs that the mirror finds.
    Found(Box<RunsQuery>),
}

/// Request or report to the mirror, the runs on this machine.
#[derive(Clone, Debug, PartialEq)]
pub enum RunsRequest {
    /// Query of a screen: [`Event::Runs`] follows now and on every change of the result.
    Ask(Layer, Box<RunsQuery>),
    /// Ends the query of a screen.
    Leave(Layer),
    /// A page that was requested so many milliseconds ago, with the filter of its list, if any.
    Took(Box<RunsPage>, Option<Filter>, i64),
    /// The same of a run that was read on its own.
    TookRun(Box<RunRow>, i64),
    /// A run is gone.
    Gone(DocRef),
    Seen(Vec<DocRef>),
    /// A key asks for a reading: one by itself waits no longer for that of another program.
    ReadNow,
    /// The suites of a run were worked out.
    Surveyed(DocRef, Box<KeptSuites>),
    /// The user has seen all changes up to a time (epoch milliseconds).
    SeenUpTo(i64),
    /// The user was here at a time (epoch milliseconds).
    Used(i64),
    /// This user is signed in: another user's data on this machine must not be shown.
    SignedIn(String),
}

/// Request to the samples.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleRequest {
    /// Reads the samples of a run, and works out its history.
    History { run: DocRef },
    /// Works out how often forecasts came true.
    Calibration,
    /// Works out from the samples of runs when all of them will be done, and each by itself.
    Finish { runs: Vec<SumRun> },
    /// Reads the due dates of runs and releases.
    Due,
    /// Reads the views that were kept from the list.
    Views,
    /// Works out when a run would be done with more cases; nothing is sent to the service.
    WhatIf {
        run: DocRef,
        /// More cases, at most.
        extra: u64,
    },
}

/// Write about the samples; it has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleWrite {
    /// Writes the samples of runs to a new file.
    Export {
        /// The runs, each with its short id.
        runs: Vec<(String, DocRef)>,
    },
    /// Sets the due date of a run or a release (epoch milliseconds), or removes it.
    SetDue { of: DueOf, at: Option<i64> },
    /// Saves a view under its name, or deletes it.
    SetView {
        name: String,
        view: Option<Box<View>>,
    },
}

/// Input of the store.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A request of the user.
    Action(Action),
    /// An answer, or something unasked.
    Event(Event),
}

/// Answer, or something unasked.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A request was answered.
    Answer(RequestId, Answer),
    /// The local service is being prepared.
    Preparing {
        /// Work done so far.
        done: u64,
        /// Total work, in the same unit.
        total: u64,
    },
    /// A profile is in use from now on; nothing was sent yet.
    Connected(Box<Session>),
    /// The profile cannot be used.
    NotConnected(Failure),
    /// A name and a password are needed.
    SignInNeeded {
        /// User name, if known.
        user: String,
        /// Reason that the box shows.
        why: SignInReason,
    },
    /// The configured sign-in failed, but was not refused.
    SignInFailed {
        failure: Failure,
        /// The password may have been sent: the identity provider may have counted the try.
        sent: bool,
    },
    /// The service answers, or does not any more.
    Reached(bool),
    /// Signed in, or the token was renewed.
    SignedIn {
        /// User name.
        user: String,
    },
    /// A draft was saved, or could not be.
    DraftKept {
        key: String,
        /// Time of saving, epoch milliseconds.
        result: Result<i64, Failure>,
    },
    /// Drafts of the profile that no form has open.
    Drafts(Vec<Draft>),
    /// A probe run was deleted.
    ProbeGone(DocRef),
    /// Changes of this profile with unknown end, oldest first.
    Unfinished {
        changes: Vec<Unfinished>,
        /// True after the program's start or a change of the profile.
        first: bool,
    },
    /// The terminal got the focus, or lost it.
    Focus(bool),
    /// A text was put on the clipboard, or could not be.
    Copied {
        /// Description of the text.
        what: String,
        end: CopyEnd,
    },
    /// A file was written: its path, or the reason why not.
    Written {
        /// Description of the content.
        what: String,
        result: Result<String, String>,
    },
    /// A run was handed to the browser, or the reason why not.
    WebOpened {
        /// Display name of the run.
        run: String,
        result: Result<(), String>,
    },
    /// Result of a screen's query to the mirror.
    Runs(Layer, Box<RunsAnswer>),
    /// News of runs by a reading at a time (epoch milliseconds), those of earlier programs first.
    News(i64, Vec<(Arc<Run>, News)>),
    /// A failure that the user must see and no request awaits.
    Trouble(Failure),
}

/// Answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A page of runs.
    Runs(Result<RunsPage, Failure>),
    /// Runs were read into the mirror; true if the lists were read to their end.
    RunsRead(Result<bool, Failure>),
    /// The document with its JSON as lines.
    Document(Result<Box<Opened>, Failure>),
    /// The same from the local copy, with the time of its reading, epoch milliseconds; the failure follows.
    KeptDocument(Box<Opened>, i64),
    /// Progress of the reading of a long list.
    Received {
        received: u64,
        /// Entries in total.
        full_size: u64,
    },
    /// All suites that can be added to a run.
    Available(Result<Vec<SuiteRow>, Failure>),
    /// The suites that are in no open run of a version.
    InNoRun(Result<Box<InNoRun>, Failure>),
    /// Progress of a survey, in words.
    SurveyProgress(String),
    /// Known suites of a run.
    Surveyed(Result<Box<Attached>, Failure>),
    /// One request of a change, or a reading after it, has ended.
    ChangeStep(ChunkResult),
    /// A change of suites has ended.
    Changed(Outcome),
    /// A change of fields has ended.
    Modified(Outcome),
    /// One new run of a request was created, or failed; the others follow unless it failed.
    Created(Box<Created>),
    /// Runs that were found after a lost answer.
    LookedUp(Result<Lookup, Failure>),
    /// True if a run is empty (`CHECK_TEST_RUN_EMPTY`).
    Emptiness(Result<bool, Failure>),
    /// Progress of a deletion.
    Deleting(Box<Deleting>),
    /// A deletion has ended.
    Deleted(Outcome),
    /// Plan of an undo, or the reason why there is none.
    UndoPlanned(Result<Box<Undo>, Failure>),
    /// A form has its draft; after a failure nothing typed is kept on the disk.
    DraftTaken(Result<Box<DraftTaken>, Failure>),
    /// Text from the user's editor, and its file: it stays until the text is in a draft on the disk.
    Edited(Result<(String, PathBuf), Failure>),
    /// Remainder of a change without an end.
    UnfinishedRead(Result<Box<UnfinishedChange>, Failure>),
    /// A page of the journal.
    Journal(Result<JournalPage, Failure>),
    /// History of a run by its samples: burn-up and forecast.
    History(Result<Box<History>, Failure>),
    /// Hit rate of forecasts; `None` if samples cannot be read, which is reported on its own.
    Calibration(Option<Calibration>),
    /// Sums of the runs of each version, newest first.
    Releases(Vec<ReleaseLine>),
    /// Forecasts of all runs and of each; `None` if samples cannot be read, which is reported on its own.
    Finish(Option<Box<Finish>>),
    /// Due dates of runs and releases; `None` if they cannot be read, which is reported on its own.
    Due(Option<DueDates>),
    /// The views that were kept from the list; `None` if they could not be read.
    Views(Option<Vec<View>>),
    /// Forecast of a run without and with more cases.
    WhatIf(Result<Box<WhatIf>, Failure>),
    /// A timer has run out.
    Timer,
    /// Indented JSON of runs that is copied.
    Json(Result<String, Failure>),
}

impl Answer {
    /// Returns the end of a write, if it is one.
    pub fn outcome_mut(&mut self) -> Option<&mut Outcome> {
        match self {
            Self::Changed(outcome) | Self::Modified(outcome) | Self::Deleted(outcome) => {
                Some(outcome)
            }
            Self::Created(created) => Some(&mut created.run),
            _ => None,
        }
    }

    /// Returns true if more answers to the same request follow.
    pub fn is_part(&self) -> bool {
        matches!(
            self,
            Self::KeptDocument(..)
                | Self::Received { .. }
                | Self::SurveyProgress(_)
                | Self::ChangeStep(_)
                | Self::Created(_)
                | Self::Deleting(_)
        )
    }
}

/// Result of a copy to the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyEnd {
    /// A tool accepted it and reported success.
    Copied,
    /// It was sent to the terminal, which gives no answer.
    Sent,
    /// It failed, for this reason.
    Failed(String),
}

/// Document with its indented JSON lines, made off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub document: Document,
    /// Lines of its indented JSON.
    pub json: Vec<String>,
}

/// Write of the journal, for the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalLine {
    /// Name in the journal, for an undo.
    pub write: String,
    /// Time of sending, epoch milliseconds.
    pub at: i64,
    /// Name of the run at that time.
    pub run: String,
    /// Operation and its object, such as `added S_1, S_15`.
    pub what: String,
    /// User by whom it was sent; empty if not known.
    pub by: String,
    /// Place of its run, in a few words; `None` if that is the profile in use, at its service and project.
    pub place: Option<String>,
    /// State, in words.
    pub state: String,
    /// The state is good.
    pub good: bool,
    /// It is done, not undone, and of the profile in use.
    pub in_effect: bool,
    /// Course and object, in sentences.
    pub detail: Vec<String>,
    /// Request and answer as recorded in the journal.
    pub request: Vec<String>,
}

/// Reading of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalPage {
    /// Newest first.
    pub lines: Vec<JournalLine>,
    /// Problem of the file, in words.
    pub problem: Option<String>,
}
