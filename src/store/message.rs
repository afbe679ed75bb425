//! What goes into the store and what comes out of it.

use super::changes::JournalPage;
use super::failure::Failure;
use super::history::History;
use super::session::{Password, Session, SignInReason};
use crate::attached::Attached;
use crate::model::{
    ChangeOutcome, ChunkResult, Create, CreateEnd, Delete, DeleteEnd, DocRef, Document, Draft, DraftTaken, Filter,
    FormFor, Modify, ModifyEnd, Page, Probe, RunCopy, RunRow, RunsPage, Sample, Sort, SuiteChange, SuiteRow, Undo,
    UndoOf,
};

/// Number of a request, handed out by the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// A movement in a list or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Motion {
    Up,
    Down,
    HalfPageUp,
    HalfPageDown,
    PageUp,
    PageDown,
    First,
    Last,
}

/// What is copied to the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyWhat {
    /// The document reference.
    DocRef,
    /// The whole document as JSON.
    Json,
    /// The short id.
    Id,
}

/// What the person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the labels of the key table say it")]
pub enum Action {
    Move(Motion),
    /// Puts the cursor on the row that is this many rows below the top of the list on the screen.
    Point(u16),
    Open,
    Back,
    Quit,
    Cancel,
    Suspend,
    Redraw,
    Filter,
    Facets,
    Sort,
    ReverseSort,
    Columns,
    Preview,
    Refresh,
    Raw,
    Copy(CopyWhat),
    NextPart,
    PreviousPart,
    Part(usize),
    LastScreen,
    Available,
    Members,
    Mark,
    MarkRange,
    MarkAll,
    Remove,
    TypeReference,
    Verify,
    ScrollWhy(Motion),
    Probe,
    DeleteProbes,
    New,
    Edit,
    EditOutside,
    Clone,
    Delete,
    Undo,
    UndoLast,
    Save,
    FieldOutside,
    DiscardDraft,
    Offer,
    Drafts,
    KeepMine,
    TakeTheirs,
    Journal,
    Monitor,
    /// The monitor reads less often.
    Slower,
    /// The monitor reads more often.
    Faster,
    Threshold,
    Bell,
    Help,
    Errors,
    Palette,
    Mouse,
    SignIn,
    /// Chooses or clears the entry under the cursor of a picker.
    Toggle,
    NextField,
    PreviousField,
    NextMatch,
    PreviousMatch,
    /// A key for the text field that has the focus.
    Type(crossterm::event::KeyEvent),
    /// Text pasted into the terminal.
    Paste(String),
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
    SignInFailed(Failure),
    /// Signed in, or the token was renewed.
    SignedIn {
        /// User name.
        user: String,
        /// End of the access token, epoch milliseconds.
        until: Option<i64>,
    },
    /// A page of runs.
    Runs {
        /// The request.
        id: RequestId,
        /// The page.
        result: Result<RunsPage, Failure>,
    },
    /// A document.
    Document {
        /// The request.
        id: RequestId,
        /// The document with its JSON as lines.
        result: Result<Box<Opened>, Failure>,
    },
    /// How far the reading of available suites is.
    AvailableProgress {
        /// The request.
        id: RequestId,
        /// Suites received.
        received: u64,
        /// Suites in all.
        full_size: u64,
    },
    /// All suites that can be added to a run.
    Available {
        /// The request.
        id: RequestId,
        /// The suites.
        result: Result<Vec<SuiteRow>, Failure>,
    },
    /// How far a survey is, in words.
    SurveyProgress {
        /// The request.
        id: RequestId,
        /// The words.
        words: String,
    },
    /// What is known of the suites in a run.
    Surveyed {
        /// The request.
        id: RequestId,
        /// The verdict.
        result: Result<Box<Attached>, Failure>,
    },
    /// One request of a change, or a reading after it, has come to its end.
    ChangeStep {
        /// The request.
        id: RequestId,
        /// What came of it.
        step: ChunkResult,
    },
    /// A change has come to its end.
    Changed {
        /// The request.
        id: RequestId,
        /// What came of it.
        outcome: ChangeOutcome,
    },
    /// A change of fields has come to its end.
    Modified {
        /// The request.
        id: RequestId,
        /// What came of it.
        end: ModifyEnd,
    },
    /// One of the new runs of a request is made, or is not; the others follow unless it went wrong.
    Created {
        /// The request.
        id: RequestId,
        /// Which one of the runs, from 0.
        number: usize,
        /// What came of it.
        end: CreateEnd,
    },
    /// A copy of a run is on the disk.
    CopySaved {
        /// The request.
        id: RequestId,
        /// The copy.
        result: Result<Box<RunCopy>, Failure>,
    },
    /// Whether a run is empty (`CHECK_TEST_RUN_EMPTY`).
    Emptiness {
        /// The request.
        id: RequestId,
        /// The answer.
        result: Result<bool, Failure>,
    },
    /// A deletion has come to its end.
    Deleted {
        /// The request.
        id: RequestId,
        /// What came of it.
        end: DeleteEnd,
    },
    /// How a write can be taken back.
    UndoPlanned {
        /// The request.
        id: RequestId,
        /// The plan, or why there is none.
        result: Result<Box<Undo>, Failure>,
    },
    /// A form has its draft.
    DraftTaken {
        /// The request.
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
    /// The drafts of the profile that no open form has.
    Drafts(Vec<Draft>),
    /// A text comes back from the editor of the person.
    Edited {
        /// The request.
        id: RequestId,
        /// The text.
        result: Result<String, Failure>,
    },
    /// Probe runs that an earlier program has made and not deleted, by the journal.
    ProbesLeft(Vec<DocRef>),
    /// The journal.
    Journal {
        /// The request.
        id: RequestId,
        /// What was read.
        result: Result<JournalPage, Failure>,
    },
    /// What the samples of a run tell.
    History {
        /// The request.
        id: RequestId,
        /// Trend, burn-up and forecast.
        result: Result<Box<History>, Failure>,
    },
    /// A timer asked for by the store has run out.
    Timer(RequestId),
    /// The terminal tells that it has got the focus, or lost it.
    Focus(bool),
    /// Something was given to the terminal's clipboard.
    Copied {
        /// What, in words.
        what: String,
        /// Bytes.
        bytes: usize,
    },
    /// Something that a person must be told and that no request waits for.
    Trouble(Failure),
}

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
        /// Password.
        password: Password,
    },
    /// Reads a page of runs.
    ListRuns {
        /// The request.
        id: RequestId,
        /// The page.
        page: Page,
        /// Sort orders.
        sort: Vec<Sort>,
        /// Filter.
        filter: Filter,
    },
    /// Reads a document.
    GetDocument {
        /// The request.
        id: RequestId,
        /// Its reference.
        doc_ref: DocRef,
    },
    /// Reads all suites that can be added to a run.
    ReadAvailable {
        /// The request.
        id: RequestId,
        /// The run.
        run: DocRef,
    },
    /// Works out the suites in a run.
    Survey {
        /// The request.
        id: RequestId,
        /// The run.
        run: DocRef,
        /// References that the person has given.
        typed: Vec<DocRef>,
    },
    /// Changes the suites of a run, request by request, each written down first; then reads what came of it.
    ChangeSuites {
        /// The request.
        id: RequestId,
        /// The change.
        change: Box<SuiteChange>,
    },
    /// Makes a probe run, works out the suites of its target with it, and deletes it.
    Probe {
        /// The request; answered as a survey.
        id: RequestId,
        /// The probe.
        probe: Box<Probe>,
    },
    /// Deletes probe runs that were left behind.
    DeleteProbes {
        /// The runs.
        runs: Vec<DocRef>,
    },
    /// Changes fields of a run: reads it, sends nothing if it is not as reviewed, writes it whole, reads it again.
    Modify {
        /// The request.
        id: RequestId,
        /// The change.
        modify: Box<Modify>,
    },
    /// Makes new runs, one after the other; stops at the first that goes wrong.
    Create {
        /// The request.
        id: RequestId,
        /// The plan.
        create: Box<Create>,
    },
    /// Reads a run and saves it, its counts and the suites that are known in the trash folder. Changes nothing.
    SaveCopy {
        /// The request.
        id: RequestId,
        /// The run as the list knows it: its counts go into the copy.
        run: Box<RunRow>,
        /// The suites that are known to be in it, with names.
        suites: Vec<(DocRef, String)>,
        /// How complete they are, in words.
        known: String,
    },
    /// Asks whether a run is empty.
    CheckEmpty {
        /// The request.
        id: RequestId,
        /// The run.
        run: DocRef,
    },
    /// Deletes a run, if the service says that it is empty; then reads that it is gone.
    Delete {
        /// The request.
        id: RequestId,
        /// The run.
        delete: Box<Delete>,
    },
    /// Works out how a write can be taken back. Changes nothing.
    PlanUndo {
        /// The request.
        id: RequestId,
        /// Which write.
        of: UndoOf,
    },
    /// Gives a form its draft, and what was kept of it before.
    TakeDraft {
        /// The request.
        id: RequestId,
        /// What the form is for.
        form: FormFor,
    },
    /// Keeps what stands in a form.
    KeepDraft(Box<Draft>),
    /// The form is closed; its draft stays.
    LeaveDraft {
        /// Which draft.
        key: String,
    },
    /// The draft is not wanted any more: saved, or discarded by the person.
    DropDraft {
        /// Which draft.
        key: String,
    },
    /// Looks for drafts of the profile.
    FindDrafts,
    /// Opens a text in the editor of the person; the terminal is the editor's until it ends.
    EditText {
        /// The request.
        id: RequestId,
        /// Ending of the file's name, such as `md`.
        ending: &'static str,
        /// The text.
        text: String,
    },
    /// Keeps what runs told, for trend and forecast. Nobody waits for it.
    KeepSamples(Vec<(DocRef, Sample)>),
    /// Reads what is kept of a run, and works out what it tells.
    ReadHistory {
        /// The request.
        id: RequestId,
        /// The run.
        run: DocRef,
    },
    /// Reads the journal of writes.
    ReadJournal {
        /// The request.
        id: RequestId,
    },
    /// Nobody waits for this request any more. A change of suites stops before its next request.
    Cancel(RequestId),
    /// Sends [`Event::Timer`] after so many milliseconds.
    Timer {
        /// The request.
        id: RequestId,
        /// Milliseconds.
        after: u64,
    },
    /// Gives a text to the terminal's clipboard.
    Copy {
        /// What, in words.
        what: String,
        /// The text.
        text: String,
    },
    /// Rings the bell of the terminal.
    Bell,
    /// Has the terminal show a notification; the text has no control characters.
    Notify(String),
    /// Runs the program of the config that calls somebody, with this as its last argument.
    Call(String),
    /// Turns mouse reports on or off.
    Mouse(bool),
    /// Stops the program as Ctrl-z does, until `fg`.
    Suspend,
    /// Draws everything again.
    Redraw,
    /// Ends the program.
    Quit,
}

/// A document with its JSON laid out in lines, made off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The document.
    pub document: Document,
    /// Its JSON, indented.
    pub json: Vec<String>,
}
