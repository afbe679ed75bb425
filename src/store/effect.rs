//! What the store wants done, and what comes of it or happens unasked, as plain values.

use std::sync::Arc;

use super::{Action, Hidden, Layer, RequestId, Session, SignInReason};
use crate::attached::{Attached, InNoRun};
use crate::domain::compare::KeptSuites;
use crate::domain::diff::News;
use crate::domain::query_language::Range;
use crate::domain::release::{NamedKind, ReleaseLine, ReportFormat};
use crate::domain::{
    ChunkResult, Create, Created, DocRef, Document, Draft, DraftTaken, DraftWish, DueDates, DueOf,
    Failure, Filter, FormFor, Format, LeftOff, Lookup, Modify, Outcome, Page, Probe, Rest,
    ResultCode, RunRow, RunsPage, Sort, SuiteChange, SuiteRow, Summary, Undo, UndoOf, Unfinished,
    View,
};
use crate::forecast::{Calibration, Finish, History, Outlook, SumRun, WhatIf};
use crate::mirror::{Depth, Run, RunsAnswer, RunsQuery};
use crate::ops::Deleting;

/// What the store wants done.
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
    /// Signs in with what the configuration has, unless that was refused.
    SignInAsConfigured,
    /// Signs in, once.
    SignIn {
        /// User name.
        user: String,
        password: Hidden,
    },
    /// Reads a page of runs.
    ListRuns {
        id: RequestId,
        page: Page,
        /// Sort orders.
        sort: Vec<Sort>,
        filter: Filter,
    },
    /// Reads runs into the mirror, as deep as that, these lists first.
    ReadRuns {
        id: RequestId,
        depth: Depth,
        lists: Vec<Filter>,
        /// Milliseconds within which what another program has read is taken; nothing where a person has asked.
        pace: Option<i64>,
    },
    /// Asks or tells the runs on this machine; nobody waits for it.
    Runs(RunsRequest),
    /// Keeps where one is, for the next start.
    LeftOff(Box<LeftOff>),
    /// Writes runs to a new file.
    ExportRuns {
        /// Name of the view that they are of.
        view: String,
        format: Format,
        runs: ExportedRuns,
        /// No run of the view is missing, as far as anybody knows.
        is_whole: bool,
    },
    /// Writes the report of a release to a new file.
    WriteReport {
        version: String,
        /// All of the version that are here, and when the oldest of their counts were read, epoch milliseconds.
        runs: Vec<RunRow>,
        read_at: Option<i64>,
        is_whole: bool,
        suites_in_no_run: Range,
        format: ReportFormat,
    },
    /// Writes what a screen shows to a new file.
    ExportSummary {
        summary: Box<Summary>,
        format: Format,
    },
    /// Looks for the document of a run that was opened on this machine before.
    FindKept { id: RequestId, run: DocRef },
    /// Reads a document.
    GetDocument {
        id: RequestId,
        /// Its reference.
        doc_ref: DocRef,
    },
    /// Reads all suites that can be added to a run.
    ReadAvailable { id: RequestId, run: DocRef },
    /// Reads what can be added to every open run of a version.
    ReadInNoRun { id: RequestId, version: String },
    /// Works out the suites in a run.
    Survey {
        id: RequestId,
        run: DocRef,
        /// References that the person has given.
        typed: Vec<DocRef>,
    },
    /// The same with at most so many calls of lists; what is known by then is told.
    SurveyWithin {
        id: RequestId,
        run: DocRef,
        calls: usize,
    },
    /// Changes the suites of a run, request by request, each written down first; then reads what came of it.
    ChangeSuites {
        id: RequestId,
        change: Box<SuiteChange>,
    },
    /// Makes a probe run, works out the suites of its target with it, and deletes it.
    Probe {
        /// The request; answered as a survey.
        id: RequestId,
        probe: Box<Probe>,
    },
    /// Reads what is left of a change without an end; nothing is sent.
    LookAtRest { id: RequestId, job: String },
    /// A change without an end is not asked about any more.
    LetBe { job: String },
    /// Deletes probe runs that were left behind.
    DeleteProbes { id: RequestId, runs: Vec<DocRef> },
    /// Changes fields of a run: reads it, sends nothing if it is not as reviewed, writes it whole, reads it again.
    Modify {
        id: RequestId,
        /// The change.
        modify: Box<Modify>,
    },
    /// Makes new runs, one after the other; stops at the first that goes wrong.
    Create {
        id: RequestId,
        /// The plan.
        create: Box<Create>,
    },
    /// Looks what came of what a form has sent without an answer: by my changes, and for new runs by title and time.
    /// Only reads.
    LookFor {
        id: RequestId,
        /// The run that was saved; nothing for new ones.
        run: Option<DocRef>,
        titles: Vec<String>,
        /// When they were sent, epoch milliseconds.
        since: i64,
    },
    /// Asks whether a run is empty.
    CheckEmpty { id: RequestId, run: DocRef },
    /// Saves a copy of a run, takes its suites out, deletes it and reads that it is gone.
    Delete {
        id: RequestId,
        /// The deletion, that a person has said yes to.
        deleting: Box<Deleting>,
    },
    /// Works out how a write can be taken back. Changes nothing.
    PlanUndo {
        id: RequestId,
        /// Which write.
        of: UndoOf,
    },
    /// Keeps or reads drafts of forms, on this machine.
    Draft(DraftRequest),
    /// Opens a text in the editor of the person; the terminal is the editor's until it ends.
    EditText {
        id: RequestId,
        /// Ending of the file's name, such as `md`.
        ending: &'static str,
        text: String,
    },
    /// Keeps or reads what runs told, on this machine.
    Samples(SampleRequest),
    /// Reads the journal of writes.
    ReadJournal { id: RequestId },
    /// Reads what of it changed a run.
    ReadOwnChanges { id: RequestId, run: DocRef },
    /// Nobody waits for this request any more. A change of suites stops before its next request.
    Cancel(RequestId),
    /// Sends [`Answer::Timer`] after so many milliseconds.
    Timer {
        id: RequestId,
        /// Milliseconds.
        after: u64,
    },
    /// Reads the documents of runs to copy their JSON.
    ReadJson { id: RequestId, runs: Vec<DocRef> },
    /// Asks the terminal whether its background is light.
    AskBackground,
    /// Adds up what the runs of each version come to.
    AddUpReleases {
        id: RequestId,
        runs: Arc<[Arc<Run>]>,
        kinds: Vec<NamedKind>,
        done: Vec<ResultCode>,
    },
    /// Gives a text to the clipboard.
    Copy {
        /// What, in words.
        what: String,
        text: String,
    },
    /// Opens an address in the browser of the person.
    OpenWeb {
        /// What the person knows the run by.
        run: String,
        address: String,
    },
    /// Writes a text that was to be copied to a new file where the program was started.
    CopyToFile {
        /// What, in words.
        what: String,
        /// Name of the file, which the service has a part in: made harmless where the file is made.
        name: String,
        /// How it ends.
        ending: &'static str,
        text: String,
    },
    /// Rings the bell of the terminal.
    Bell,
    /// Has the terminal show a notification; the text has no control characters.
    Notify(String),
    /// Runs the program of the config that calls somebody, with this as its last argument.
    Call(String),
    /// The help was opened for the first time on this machine.
    HelpSeen,
    /// Turns mouse reports on or off.
    Mouse(bool),
    /// Stops the program as Ctrl-z does, until `fg`.
    Suspend,
    /// Draws everything again.
    Redraw,
    /// Ends the program.
    Quit,
}

/// What is asked of the drafts.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftRequest {
    /// Gives a form its draft, and what was kept of it before.
    Take {
        id: RequestId,
        form: FormFor,
        wish: DraftWish,
    },
    /// Keeps what stands in a form.
    Keep(Box<Draft>),
    /// The form is closed; its draft stays.
    Leave { key: String },
    /// The draft is not wanted any more: saved, or discarded by the person.
    Discard { key: String },
    /// Looks for drafts of the profile that no form has open.
    Find,
}

/// Which runs go to a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportedRuns {
    These(Vec<Arc<Run>>),
    /// All that the mirror finds.
    Found(Box<RunsQuery>),
}

/// What is asked of the runs on this machine, or told to them.
#[derive(Clone, Debug, PartialEq)]
pub enum RunsRequest {
    /// What a screen shows from now on: [`Event::Runs`] comes now, and whenever that changes.
    Ask(Layer, Box<RunsQuery>),
    /// A screen shows no runs any more.
    Leave(Layer),
    /// A page was read that was asked for so many milliseconds ago, of this list if it is one.
    Took(Box<RunsPage>, Option<Filter>, i64),
    /// The same of a run that was read by itself.
    TookRun(Box<RunRow>, i64),
    /// A run is not there any more.
    Gone(DocRef),
    LookedAt(Vec<DocRef>),
    /// The suites of a run were worked out.
    Surveyed(DocRef, Box<KeptSuites>),
    /// Somebody has seen all that changed up to a time (epoch milliseconds).
    SeenUpTo(i64),
    /// This user is signed in: what is here of another one's is not theirs to see.
    SignedIn(String),
}

/// What is asked of the samples.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleRequest {
    /// Writes what is kept of runs to a new file.
    Export {
        /// The runs, each with its short id.
        runs: Vec<(String, DocRef)>,
        /// The path that was typed; `None` for the exports of the state folder.
        to: Option<String>,
    },
    /// Reads what is kept of a run, and works out what it tells.
    History { id: RequestId, run: DocRef },
    /// Works out from what is kept of these runs when each will be done.
    Outlooks { id: RequestId, runs: Vec<DocRef> },
    /// Works out how often forecasts came true.
    Calibration { id: RequestId },
    /// Works out from what is kept of the runs of a release when all of them will be done.
    Finish { id: RequestId, runs: Vec<SumRun> },
    /// Reads when runs and releases are due.
    Due { id: RequestId },
    /// Keeps when a run or a release is due (epoch milliseconds), or that it no longer is.
    SetDue { of: DueOf, at: Option<i64> },
    /// Reads the views that were kept from the list.
    Views { id: RequestId },
    /// Keeps a view under its name, or takes the one of this name away.
    SetView {
        name: String,
        view: Option<Box<View>>,
    },
    /// Works out when a run would be done with more cases; nothing is sent to the service.
    WhatIf {
        id: RequestId,
        run: DocRef,
        /// More cases, at most.
        extra: u64,
    },
}

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
    /// A request was answered.
    Answer(RequestId, Answer),
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
    /// The service answers, or does not any more.
    Reached(bool),
    /// Signed in, or the token was renewed.
    SignedIn {
        /// User name.
        user: String,
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
    /// Probe runs of the profile that were made and not deleted.
    ProbesLeft(Vec<DocRef>),
    /// Changes of this profile whose end is not known, oldest first.
    Unfinished {
        changes: Vec<Unfinished>,
        /// The program has just been started, or the profile changed to.
        first: bool,
    },
    /// The terminal tells that it has got the focus, or lost it.
    Focus(bool),
    /// Something was given to the clipboard, or could not be.
    Copied {
        /// What, in words.
        what: String,
        end: CopyEnd,
    },
    /// Something is in a file: its path, or why it is not.
    Written {
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
    /// What a screen has asked the runs on this machine for.
    Runs(Layer, Box<RunsAnswer>),
    /// What is new in runs by a reading at a time (epoch milliseconds).
    News(i64, Vec<(Arc<Run>, News)>),
    /// Something that a person must be told and that no request waits for.
    Trouble(Failure),
}

/// What comes of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A page of runs.
    Runs(Result<RunsPage, Failure>),
    /// Runs were read into the mirror; whether what was to be read whole was whole.
    RunsRead(Result<bool, Failure>),
    /// The document with its JSON as lines.
    Document(Result<Box<Opened>, Failure>),
    /// The same as it is kept here, and when it was read, epoch milliseconds; nothing where it is not kept.
    KeptDocument(Option<(Box<Opened>, i64)>),
    /// How far the reading of a whole list is.
    Received {
        /// Entries received.
        received: u64,
        /// Entries in all.
        full_size: u64,
    },
    /// All suites that can be added to a run.
    Available(Result<Vec<SuiteRow>, Failure>),
    /// What can be added to every open run of a version.
    InNoRun(Result<Box<InNoRun>, Failure>),
    /// How far a survey is, in words.
    SurveyProgress(String),
    /// What is known of the suites in a run.
    Surveyed(Result<Box<Attached>, Failure>),
    /// One request of a change, or a reading after it, has come to its end.
    ChangeStep(ChunkResult),
    /// A change of suites has come to its end.
    Changed(Outcome),
    /// A change of fields has come to its end.
    Modified(Outcome),
    /// One of the new runs of a request is made, or is not; the others follow unless it went wrong.
    Created(Box<Created>),
    /// What looking for runs found whose answer was lost.
    LookedFor(Result<Lookup, Failure>),
    /// Whether a run is empty (`CHECK_TEST_RUN_EMPTY`).
    Emptiness(Result<bool, Failure>),
    /// How far a deletion is.
    Deleting(Box<Deleting>),
    /// A deletion has come to its end.
    Deleted(Outcome),
    /// How a write can be taken back, or why it cannot.
    UndoPlanned(Result<Box<Undo>, Failure>),
    /// A form has its draft; a failure means that nothing typed is kept on the disk.
    DraftTaken(Result<Box<DraftTaken>, Failure>),
    /// A text comes back from the editor of the person.
    Edited(Result<String, Failure>),
    /// What is left of a change without an end.
    RestRead(Result<Box<Rest>, Failure>),
    /// The deletion of left probe runs has come to its end; those that are still there were told before.
    ProbesDeleted,
    /// What was read of the journal.
    Journal(Result<JournalPage, Failure>),
    /// What was changed in a run from here, newest first.
    OwnChanges(Result<Vec<OwnChange>, Failure>),
    /// What the samples of a run tell: burn-up and forecast.
    History(Result<Box<History>, Failure>),
    /// How often forecasts came true; `None` where samples cannot be read, which is told by itself.
    Calibration(Option<Calibration>),
    /// When runs will be done; `None` where samples cannot be read, which is told by itself.
    Outlooks(Option<Vec<(DocRef, Outlook)>>),
    /// What the runs of each version come to, the newest first.
    Releases(Vec<ReleaseLine>),
    /// When the runs of a release will be done; `None` where samples cannot be read, which is told by itself.
    Finish(Option<Box<Finish>>),
    /// When runs and releases are due; `None` where that cannot be read, which is told by itself.
    Due(Option<DueDates>),
    /// The views that were kept from the list; nothing if they could not be read.
    Views(Option<Vec<View>>),
    /// When a run would be done, without and with more cases.
    WhatIf(Result<Box<WhatIf>, Failure>),
    /// A timer asked for by the store has run out.
    Timer,
    /// The JSON of runs that is to be copied, laid out.
    Json(Result<String, Failure>),
}

impl Answer {
    /// More comes of the same request.
    pub fn is_part(&self) -> bool {
        matches!(
            self,
            Self::Received { .. }
                | Self::SurveyProgress(_)
                | Self::ChangeStep(_)
                | Self::Created(_)
                | Self::Deleting(_)
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
    /// How it went and what it was about, in sentences.
    pub detail: Vec<String>,
    /// What was sent and came back, as it stands in the journal.
    pub request: Vec<String>,
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
