//! What goes into the store and what comes out of it.

use super::changes::JournalPage;
use super::failure::Failure;
use super::session::{Password, Session, SignInReason};
use crate::attached::Attached;
use crate::model::Probe;
use crate::model::{ChangeOutcome, ChunkResult, DocRef, Document, Filter, Page, RunsPage, Sort, SuiteChange, SuiteRow};

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
    Journal,
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
    /// Probe runs that an earlier program has made and not deleted, by the journal.
    ProbesLeft(Vec<DocRef>),
    /// The journal.
    Journal {
        /// The request.
        id: RequestId,
        /// What was read.
        result: Result<JournalPage, Failure>,
    },
    /// A timer asked for by the store has run out.
    Timer(RequestId),
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
