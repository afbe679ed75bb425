//! What the person asks for, and what requests are told apart by.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use secrecy::zeroize::Zeroizing;

use super::Layer;
use crate::attached::Attached;
use crate::domain::columns::{Columns, Room};
use crate::domain::query_language::Flag;
use crate::domain::release::ReportFormat;
use crate::domain::table::Table;
use crate::domain::{
    DocRef, DocumentName, Filter, FormFor, Format, Narrowing, Probe, ResultCode, RunRow, SortedBy,
    SuiteChange, SuiteRow, Summary, Undo, View, run_text, suite_text,
};
use crate::mirror::Run;

/// Number of a request, handed out by the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// A movement in a list or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What something is copied of.
#[derive(Clone, Debug, PartialEq)]
pub enum CopyOf {
    Runs(Vec<RunRow>),
    Suites(Vec<SuiteRow>),
    /// What a screen shows.
    Screen(Box<Summary>),
}

impl CopyOf {
    /// Reference, id and title of each.
    pub fn named(&self) -> Vec<(&DocRef, Option<&str>, Option<&str>)> {
        match self {
            Self::Runs(runs) => runs
                .iter()
                .map(|run| (&run.doc_ref, run.id.as_deref(), run.title.as_deref()))
                .collect(),
            Self::Suites(suites) => suites
                .iter()
                .map(|suite| (&suite.doc_ref, suite.id.as_deref(), suite.title.as_deref()))
                .collect(),
            Self::Screen(_) => Vec::new(),
        }
    }

    pub fn count(&self) -> usize {
        self.named().len()
    }

    /// What they are, and what the only one is called.
    pub fn names(&self) -> (&'static str, Option<&str>) {
        let (one, several) = match self {
            Self::Runs(_) => ("run", "runs"),
            Self::Suites(_) => ("suite", "suites"),
            Self::Screen(summary) => return ("screen", Some(&summary.name)),
        };
        match self.named()[..] {
            [(doc_ref, id, _)] => (one, Some(id.unwrap_or(doc_ref.as_str()))),
            _ => (several, None),
        }
    }

    fn table(&self, done: &[ResultCode]) -> Table {
        match self {
            Self::Runs(runs) => run_text::table(runs, done),
            Self::Suites(suites) => suite_text::table(suites),
            Self::Screen(summary) => summary.table.clone(),
        }
    }

    pub fn markdown(&self, done: &[ResultCode]) -> String {
        match self {
            Self::Screen(summary) => summary.text(Format::Markdown),
            _ => self.table(done).text(Format::Markdown),
        }
    }

    pub fn tsv(&self, done: &[ResultCode]) -> String {
        self.table(done).tsv()
    }
}

/// What of a run or a suite, or of several, is copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CopyWhat {
    /// The document reference.
    DocRef,
    /// The short id.
    Id,
    Title,
    /// The whole document.
    #[default]
    Json,
    /// The row of the list, as a table of Markdown.
    Markdown,
    /// The same with tabulators between the values, for a spreadsheet.
    Tsv,
    /// The same as a line for people.
    Plain,
    /// The address in the web application.
    Web,
    /// The path of the file that was written last, whatever it is of.
    Path,
}

impl CopyWhat {
    /// What it is called: of one run, and of several.
    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::DocRef => ("reference", "references"),
            Self::Id => ("id", "ids"),
            Self::Title => ("title", "titles"),
            Self::Json => ("JSON", "JSON"),
            Self::Markdown => ("row as Markdown", "rows as Markdown"),
            Self::Tsv => ("row as TSV", "rows as TSV"),
            Self::Plain => ("row as plain text", "rows as plain text"),
            Self::Web => ("web address", "web addresses"),
            Self::Path => ("path just written", "path just written"),
        }
    }

    /// What it is called in the menu.
    pub fn noun(self, of_one: bool) -> &'static str {
        let (one, several) = self.nouns();
        if of_one { one } else { several }
    }

    /// The form that it gives to what a screen shows.
    pub fn form(self) -> Option<&'static str> {
        match self {
            Self::Json => Some("JSON"),
            Self::Markdown | Self::Tsv | Self::Plain => self.noun(true).strip_prefix("row as "),
            _ => None,
        }
    }

    /// What it is called in a sentence: `R_188's reference`, `the references of 3 runs`.
    pub fn of(self, of: &CopyOf) -> String {
        match of.names() {
            ("screen", Some(name)) => match self.form() {
                Some(form) => format!("{name} as {form}"),
                None => name.to_owned(),
            },
            (_, Some(name)) => format!("{name}'s {}", self.noun(true)),
            (kind, None) => format!("the {} of {} {kind}", self.noun(false), of.count()),
        }
    }

    /// How the name of a file ends that holds it.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Tsv => "tsv",
            _ => "txt",
        }
    }
}

/// Where a copied text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyTo {
    Clipboard,
    /// A new file where the program was started.
    File,
}

/// What an entry stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Sorts the runs by the field of this name.
    Sort(&'static str),
    /// Sorts the available suites.
    SuiteSort(SuiteOrder),
    /// Filters by this field path and value.
    Facet(String, String),
    /// Filters by what a run is.
    Flag(Flag),
    /// What is ticked in a list of choices, as it stands: it takes the place of what is in force.
    Ticked(Vec<Choice>),
    /// The columns of the list are to stand so.
    Columns(Box<Columns>),
    /// Writes the runs of the view to a file of this kind.
    Export(Format),
    /// Writes the report of a release.
    Report(ReportFormat),
    /// Does what a key does.
    Do(Action),
    /// Quits, whatever drafts are kept.
    Quit,
    /// Adds the suites that are marked, else the one under the cursor, to this run (asks first).
    AddTo(DocRef),
    /// A part of the configuration of the form.
    Configuration(String),
    /// Puts a version into the form.
    Version(String),
    /// Opens the form that a draft is of.
    Draft {
        form: FormFor,
        /// What the person knows its run by.
        name: String,
        /// Which draft.
        key: String,
        /// When it was kept, epoch milliseconds.
        at: i64,
    },
    /// A command that wants an argument: it is typed next.
    Begin(&'static str),
    /// Tells what changed since a moment (epoch milliseconds); `None` for the last look.
    Since(Option<i64>),
    /// The same of a moment as it was typed.
    SinceTyped(String),
    /// Opens the run with this short id.
    Run(String),
    /// Colours of this name.
    Theme(&'static str),
    /// Sets the list to a saved view.
    View(String),
    /// Opens the monitor on a saved view.
    Watch(String),
    /// Keeps what the list shows as a view of this name.
    KeepView(String),
    /// Takes such a view away.
    DropView(String),
    /// Uses another profile.
    Profile(String),
    /// Uses another project and sub project.
    Project(String, Option<String>),
    /// Asks whether these suites are added to the run at hand, or removed from it.
    Suites {
        adds: bool,
        names: Vec<DocumentName>,
    },
}

impl Choice {
    /// Both are values of one field.
    pub fn is_of_field(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Facet(path, _), Self::Facet(other, _)) if path == other)
    }

    /// Only one of the two can be ticked: values of a field that no row tells. What two mean to the service is not documented.
    pub fn excludes(&self, other: &Self) -> bool {
        matches!(self, Self::Facet(path, _) if !Filter::is_told(path)) && self.is_of_field(other)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What is shown and searched.
    pub label: String,
    /// A second text: the keys of a command, the field path of a sort.
    pub detail: String,
    /// Ticked, not ticked, or nothing to tick.
    pub ticked: Option<bool>,
    /// What it stands for.
    pub choice: Choice,
}

impl Entry {
    /// One with nothing beside it and nothing to tick.
    pub fn new(label: impl Into<String>, choice: Choice) -> Self {
        Self {
            label: label.into(),
            detail: String::new(),
            ticked: None,
            choice,
        }
    }

    /// It is ticked: in force, or wanted so.
    pub fn in_force(&self) -> bool {
        self.ticked == Some(true)
    }
}

/// What a list of choices is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    /// Settings, of which Space ticks some; in the others it is text.
    Ticks,
    /// One of them is taken.
    Rows,
    /// The same, each with its time.
    Drafts,
    Palette,
}

impl PickerKind {
    pub fn has_ticks(self) -> bool {
        self == Self::Ticks
    }
}

/// The order of the monitor that goes by no field: what somebody must look at first.
pub const WORST_FIRST: &str = "worst";

/// What the list of available suites is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuiteOrder {
    #[default]
    Order,
    Title,
    Id,
    Priority,
    Cases,
    Edited,
}

impl SuiteOrder {
    /// All of them with their headings.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Order, "Order"),
        (Self::Title, "Title"),
        (Self::Id, "Id"),
        (Self::Priority, "Priority"),
        (Self::Cases, "Cases"),
        (Self::Edited, "Edited"),
    ];
}

/// What the person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Motion),
    /// Puts the cursor on the row that is this many rows below the top of the list on the screen.
    Point(u16),
    Open,
    /// Presses the nth button of a box or a form, whichever has the focus.
    Press(usize),
    Back,
    Quit,
    Cancel,
    Suspend,
    Redraw,
    Filter,
    Facets,
    Sort,
    /// Sorts the runs by the field of this name.
    SortBy(&'static str),
    Columns,
    Preview,
    Refresh,
    /// Reads all open runs and what was edited.
    Sync,
    /// Reads all runs.
    SyncAll,
    /// Reads which suites are in no open run of the version at hand.
    Coverage,
    Raw,
    Copy(CopyWhat),
    /// Opens the run in the web application.
    OpenWeb,
    /// What was copied last, into a file this time.
    CopyToFile,
    NextPart,
    PreviousPart,
    Part(usize),
    /// Back to the screen that lies below, whatever is marked or found on this one.
    LastScreen,
    /// Forth again to the screen that was left.
    NextScreen,
    /// Shows a screen or a popup, for the run at hand where it is about one.
    Show(Layer),
    Mark,
    MarkRange,
    MarkAll,
    Remove,
    /// To what of a cut line is behind its end, or before its beginning.
    ScrollRight,
    ScrollLeft,
    /// A column for each part of a configuration, or for the whole of it.
    Split,
    Probe,
    DeleteProbes,
    /// Reads what is left of a change whose end is not known.
    GoOn,
    New,
    Edit,
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
    Monitor,
    /// The monitor reads less often.
    Slower,
    /// The monitor reads more often.
    Faster,
    Limit,
    DueDate,
    /// What is under the cursor comes first, or not any more.
    Pin,
    /// The column under the cursor moves.
    Shift(Motion),
    Wider,
    Narrower,
    /// The runs of the list go to a file, or samples of the monitor.
    Export,
    Bell,
    Help,
    Palette,
    Mouse,
    SignIn,
    /// Chooses or clears the entry under the cursor of a picker.
    Toggle,
    /// What was chosen in a picker that the screen has opened.
    Chosen(Box<Choice>),
    NextField,
    PreviousField,
    NextMatch,
    PreviousMatch,
    /// A key for the text field that has the focus.
    Type(KeyEvent),
    /// Text pasted into the terminal.
    Paste(Hidden),
    /// A key that means nothing here, by its name.
    Unbound(String),
}

/// A text that may be a password: shows nothing in Debug, and is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(Zeroizing<String>);

impl From<String> for Hidden {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Hidden {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Deref for Hidden {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(hidden)")
    }
}

impl Action {
    /// It is about the program and its terminal, whatever they show.
    pub fn is_of_the_program(&self) -> bool {
        matches!(
            self,
            Self::Quit | Self::Cancel | Self::Suspend | Self::Redraw
        )
    }

    /// It moves the cursor or types a text: at the end of either nothing happens.
    pub fn is_movement(&self) -> bool {
        matches!(
            self,
            Self::Move(_)
                | Self::Point(_)
                | Self::Press(_)
                | Self::ScrollRight
                | Self::ScrollLeft
                | Self::Shift(_)
                | Self::Wider
                | Self::Narrower
                | Self::Type(_)
                | Self::Paste(_)
        )
    }

    /// In a list of runs it is about the one under the cursor.
    pub fn is_about_a_run(&self) -> bool {
        matches!(
            self,
            Self::Open
                | Self::Mark
                | Self::Raw
                | Self::Edit
                | Self::Clone
                | Self::Delete
                | Self::DueDate
                | Self::Pin
                | Self::Monitor
                | Self::Show(Layer::Available | Layer::Attached | Layer::CopyMenu)
        )
    }

    /// It answers a question: a key that repeats while it is held down does not.
    pub fn answers(&self) -> bool {
        match self {
            Self::Open | Self::Save => true,
            Self::Type(key) => key.code == KeyCode::Enter,
            _ => false,
        }
    }

    /// It leads to a write, and a read-only profile refuses it.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Self::New
                | Self::Edit
                | Self::Clone
                | Self::Delete
                | Self::Undo
                | Self::UndoLast
                | Self::Remove
                | Self::Probe
                | Self::DeleteProbes
                | Self::GoOn
                | Self::Save
        )
    }
}

/// What is about to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Suites go into a run or out of it.
    Suites(Box<SuiteChange>),
    /// A probe run is made, read and deleted.
    Probe(Probe),
    /// Probe runs that were left behind are deleted.
    DeleteProbes(Vec<DocRef>),
    /// A change whose end stays unknown is not asked about any more; nothing is sent.
    LetBe { job: String },
    /// The draft of the open form is discarded; nothing is sent.
    DiscardDraft,
}

/// A question before something is written or lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    pub plan: Plan,
    /// What it means, in sentences.
    pub notes: Vec<String>,
    /// Test cases of its suites, by their places, as far as they are known.
    pub cases: Vec<Option<i64>>,
    /// What was sent of it before may be in effect.
    pub in_doubt: bool,
}

impl Preview {
    pub fn new(plan: Plan, notes: Vec<String>) -> Self {
        Self {
            plan,
            notes,
            cases: Vec::new(),
            in_doubt: false,
        }
    }

    /// Something is lost by it: the focus stands on Cancel, and on the verb where something is added.
    pub fn takes_away(&self) -> bool {
        match &self.plan {
            Plan::Suites(change) => !change.adds || self.in_doubt,
            Plan::Probe(_) | Plan::DeleteProbes(_) | Plan::LetBe { .. } | Plan::DiscardDraft => {
                true
            }
        }
    }
}

/// What is to be opened, with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// A run, as the list or the monitor knows it.
    Run {
        row: RunRow,
        /// When it was read, epoch milliseconds.
        read_at: i64,
        on: RunPart,
    },
    /// The form that edits or clones a run.
    Form {
        run: RunRow,
        action: Action,
    },
    /// The suites in a run, as far as they are known.
    Attached {
        run: RunRow,
        /// References that the person has given.
        typed: Vec<DocRef>,
        known: Option<Box<Attached>>,
    },
    Monitor(Watched),
    /// The list with what these words find, whatever tab it was on.
    Find(String),
    /// The review of a change of fields that is taken back, or of a deleted run that is made again.
    Undo(Box<Undo>),
    /// The columns of the list, with what it was drawn with.
    Columns(Columns, Room),
    /// The menu of orders, with the one in force.
    SortMenu {
        now: Option<SortedBy>,
        /// There is `WORST_FIRST`, too.
        worst: bool,
    },
    /// A list to choose from; what is chosen comes back as [`Action::Chosen`].
    Choices {
        title: &'static str,
        kind: PickerKind,
        entries: Vec<Entry>,
    },
    /// A question, before something is written or lost.
    Confirm(Box<Preview>),
    /// The box that deletes these runs.
    Delete {
        rows: Vec<RunRow>,
        /// The write that this takes back.
        undo_of: Option<String>,
        notes: Vec<String>,
    },
    /// The menu of what can be copied of these, which were marked or not.
    CopyMenu {
        of: CopyOf,
        marked: bool,
    },
    /// A suite in full.
    Suite(Box<SuiteRow>),
    Explained(Explanation),
}

/// How something on a screen is found.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub title: String,
    pub lines: Vec<String>,
    /// Lines for the config that say otherwise.
    pub config: String,
}

impl Open {
    /// A run as the mirror knows it.
    pub fn run(run: &Run, part: usize) -> Self {
        Self::Run {
            row: run.row(),
            read_at: run.read_at,
            on: RunPart::Part(part),
        }
    }
}

/// What of a run is shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// A part of the detail screen.
    Part(usize),
    Json,
}

/// What a monitor is of.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    Runs(Vec<Arc<Run>>),
    /// All runs of a view, by its name.
    View(String),
    /// All runs of a view that is filtered further.
    Narrowed(Box<(View, Narrowing)>),
}

/// What a screen has learned that others show too.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A run as it was read by itself.
    Row(Box<RunRow>),
    /// What runs told before today is here.
    Earlier,
    /// When runs are due is here.
    Due,
    /// A run is not there any more.
    Gone(DocRef),
    /// Suites were taken out of a run that stays.
    Stripped(DocRef),
    /// A write to a run has come to its end, whatever it was; nothing where the run has no reference yet.
    Wrote(Option<DocRef>),
    /// A change of the suites of a run has come to its end.
    /// How many suites are in no open run of a version was read.
    InNoRun,
    WroteSuites {
        run: DocRef,
        /// They were added, else removed.
        adds: bool,
        /// Those of which it is in effect.
        done: Vec<DocRef>,
        /// How many more are in the run, where that is known.
        moved: Option<i64>,
    },
}
