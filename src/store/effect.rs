//! What the store wants done, as plain values.

use super::message::RequestId;
use super::session::Password;
use crate::domain::{
    Create, DocRef, Draft, DraftWish, Filter, FormFor, Format, Modify, Page, Probe, ResultCode,
    RunRow, RunsOperation, Sample, Sort, SuiteChange, UndoOf,
};
use crate::ops::delete::Deleting;

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
        password: Password,
    },
    /// Reads a page of runs.
    ListRuns {
        id: RequestId,
        page: Page,
        /// Sort orders.
        sort: Vec<Sort>,
        filter: Filter,
    },
    /// Reads all runs that a filter finds, if they are no more than that.
    ReadRuns {
        id: RequestId,
        filter: Filter,
        sort: Vec<Sort>,
        at_most: u64,
    },
    /// Writes runs to a new file.
    ExportRuns {
        /// What, in words.
        what: String,
        /// Name of the view that they are of.
        view: String,
        format: Format,
        runs: Vec<RunRow>,
        /// How many the service says there are.
        full_size: u64,
        /// Which operation gave them.
        operation: Option<RunsOperation>,
        /// Result codes of cases that are finished.
        done: Vec<ResultCode>,
    },
    /// Reads a document.
    GetDocument {
        id: RequestId,
        /// Its reference.
        doc_ref: DocRef,
    },
    /// Reads all suites that can be added to a run.
    ReadAvailable { id: RequestId, run: DocRef },
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
    /// Sends what is left of a change without an end.
    GoOn {
        id: RequestId,
        job: String,
        change: Box<SuiteChange>,
    },
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
    /// Gives a form its draft, and what was kept of it before.
    TakeDraft {
        id: RequestId,
        form: FormFor,
        wish: DraftWish,
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
        id: RequestId,
        /// Ending of the file's name, such as `md`.
        ending: &'static str,
        text: String,
    },
    /// Keeps what runs told, for trend and forecast. Nobody waits for it.
    KeepSamples(Vec<(DocRef, Sample)>),
    /// Reads the newest that each of these runs told before a time.
    ReadEarlier {
        id: RequestId,
        runs: Vec<DocRef>,
        /// Epoch milliseconds.
        before: i64,
    },
    /// Writes what is kept of runs to a new file.
    ExportSamples {
        /// The runs, each with its short id.
        runs: Vec<(String, DocRef)>,
        /// The path that was typed; `None` for the exports of the state folder.
        to: Option<String>,
    },
    /// Reads what is kept of a run, and works out what it tells.
    ReadHistory { id: RequestId, run: DocRef },
    /// Works out from what is kept of these runs when each will be done.
    ReadOutlooks { id: RequestId, runs: Vec<DocRef> },
    /// Reads when runs are due.
    ReadDue { id: RequestId },
    /// Keeps when a run is due (epoch milliseconds), or that it no longer is.
    SetDue { run: DocRef, at: Option<i64> },
    /// Works out when a run would be done with more cases; nothing is sent to the service.
    WhatIf {
        id: RequestId,
        run: DocRef,
        /// More cases, at most.
        extra: u64,
    },
    /// Reads the journal of writes.
    ReadJournal { id: RequestId },
    /// Reads what of it changed a run.
    ReadOwnChanges { id: RequestId, run: DocRef },
    /// Nobody waits for this request any more. A change of suites stops before its next request.
    Cancel(RequestId),
    /// Sends [`super::Event::Timer`] after so many milliseconds.
    Timer {
        id: RequestId,
        /// Milliseconds.
        after: u64,
    },
    /// Reads the documents of runs to copy their JSON.
    ReadJson { id: RequestId, runs: Vec<DocRef> },
    /// Asks the terminal whether its background is light.
    AskBackground,
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
    /// Turns mouse reports on or off.
    Mouse(bool),
    /// Stops the program as Ctrl-z does, until `fg`.
    Suspend,
    /// Draws everything again.
    Redraw,
    /// Ends the program.
    Quit,
}
