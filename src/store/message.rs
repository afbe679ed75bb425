//! Actions of the user, and facts that screens share.

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
use crate::domain::table::TextTable;
use crate::domain::text;
use crate::domain::{
    DocRef, DocumentName, Filter, FormFor, Format, Limit, Narrowing, Probe, ResultCode, Sort,
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
    /// Steps of the wheel: ↑ and ↓ may mean more than rows.
    WheelUp,
    WheelDown,
}

impl Motion {
    /// Returns true for those that go through the rows while words are typed: ↑ and ↓ recall earlier words.
    pub fn is_beside_typing(self) -> bool {
        matches!(
            self,
            Self::PageUp | Self::PageDown | Self::WheelUp | Self::WheelDown
        )
    }
}

/// Source of a copy.
#[derive(Clone, Debug, PartialEq)]
pub enum CopyOf {
    Runs(Vec<Arc<Run>>),
    Suites(Vec<SuiteRow>),
    /// Content of a screen.
    Screen(Box<Summary>),
}

impl CopyOf {
    /// Returns reference, id and title of each run or suite.
    pub fn named(&self) -> Vec<(&DocRef, Option<&str>, Option<&str>)> {
        match self {
            Self::Runs(runs) => runs
                .iter()
                .map(|run| (&run.doc_ref, run.id(), run.title()))
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

    /// Returns the kind, and the name if there is only one.
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

    fn table(&self, done: &[ResultCode]) -> TextTable {
        match self {
            Self::Runs(runs) => run_text::table(&Run::rows(runs), done),
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

/// Part or format of runs or suites that is copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CopyWhat {
    /// The document reference.
    DocRef,
    /// The short id.
    Id,
    Title,
    /// The document as JSON.
    #[default]
    Json,
    /// The row of the list as a Markdown table.
    Markdown,
    /// The same row separated by tabs, for a spreadsheet.
    Tsv,
    /// The same row as a line of plain text.
    Plain,
    /// The address in the web application.
    Web,
    /// Path of the file that was written last.
    Path,
}

impl CopyWhat {
    /// Name in the menu, of one item or of several.
    pub fn noun(self, of_one: bool) -> &'static str {
        let (one, several) = match self {
            Self::DocRef => ("reference", "references"),
            Self::Id => ("id", "ids"),
            Self::Title => ("title", "titles"),
            Self::Json => ("JSON", "JSON"),
            Self::Markdown => ("row as Markdown", "rows as Markdown"),
            Self::Tsv => ("row as TSV", "rows as TSV"),
            Self::Plain => ("row as plain text", "rows as plain text"),
            Self::Web => ("web address", "web addresses"),
            Self::Path => ("path just written", "path just written"),
        };
        if of_one { one } else { several }
    }

    /// Format of a copied screen; `None` if screens have none such.
    pub fn form(self) -> Option<&'static str> {
        match self {
            Self::Json => Some("JSON"),
            Self::Markdown | Self::Tsv | Self::Plain => self.noun(true).strip_prefix("row as "),
            _ => None,
        }
    }

    /// Name in a sentence: `R_188's reference`, `the references of 3 runs`.
    pub fn of(self, of: &CopyOf) -> String {
        match of.names() {
            ("screen", Some(name)) => match self.form() {
                Some(form) => format!("{name} as {form}"),
                None => name.to_owned(),
            },
            (_, Some(name)) => format!("{name}'s {}", self.noun(true)),
            (kind, None) => {
                let count = text::thousands(of.count());
                format!("the {} of {count} {kind}", self.noun(false))
            }
        }
    }

    /// File name extension.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Tsv => "tsv",
            _ => "txt",
        }
    }
}

/// Destination of a copied text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyTo {
    Clipboard,
    /// A new file in the directory of the program's start.
    File,
}

/// Meaning of an entry in a list of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Sorts the runs by the field of this name.
    Sort(&'static str),
    /// Sorts the available suites.
    SuiteSort(SuiteOrder),
    /// Limit of the monitor; `None` for none.
    Limit(Option<Limit>),
    /// Filters by this field path and value.
    Facet(String, String),
    /// Filters by a property of runs.
    Flag(Flag),
    /// All ticked entries of a list; they replace the ones in force.
    Ticked(Vec<Choice>),
    /// Sets the columns of the list.
    Columns(Box<Columns>),
    /// Writes the runs of the view to a file of this kind.
    Export(Format),
    /// Writes the report of a release.
    Report(ReportFormat),
    /// Runs the action of a key.
    Do(Action),
    /// Quits even if drafts are kept.
    Quit,
    /// Adds the marked suites, else the one under the cursor, to this run, after a question.
    AddTo(DocRef),
    /// A part of the configuration in the form.
    Configuration(String),
    /// Puts a version into the form.
    Version(String),
    /// Opens the form of a draft.
    Draft {
        form: FormFor,
        /// Display name of its run.
        name: String,
        /// Key of the draft.
        key: String,
        /// Time when the draft was kept, epoch milliseconds.
        at: i64,
    },
    /// Starts a command; its argument is typed next.
    Begin(&'static str),
    /// Shows changes since a time (epoch milliseconds); `None`: since the user last looked.
    Since(Option<i64>),
    /// The same since a time as it was typed; the picker reads it.
    SinceTyped(String),
    /// Opens the run with this short id.
    Run(String),
    /// Uses the theme of this name.
    Theme(&'static str),
    /// Sets the list to a saved view.
    View(String),
    /// Opens the monitor on a saved view.
    Watch(String),
    /// Keeps the settings of the list as a view of this name.
    KeepView(String),
    /// Deletes a view that was kept from the list.
    DropView(String),
    /// Uses another profile.
    Profile(String),
    /// Uses another project and sub project.
    Project(String, Option<String>),
    /// Adds these suites to the current run, or removes them, after a question.
    Suites {
        adds: bool,
        names: Vec<DocumentName>,
    },
}

impl Choice {
    /// Returns true if both are values of one field.
    pub fn is_of_field(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Facet(path, _), Self::Facet(other, _)) if path == other)
    }

    /// Returns true if two values of a field exclude each other: rows lack the field, and the service does not document
    /// the meaning of both.
    pub fn excludes(&self, other: &Self) -> bool {
        matches!(self, Self::Facet(path, _) if !Filter::is_in_rows(path)) && self.is_of_field(other)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Text that is shown and searched.
    pub label: String,
    /// Second text: the keys of a command, the field path of a sort.
    pub detail: String,
    /// Other words by which the entry is found.
    pub names: Vec<&'static str>,
    /// Tick mark; `None` if the entry cannot be ticked.
    pub ticked: Option<bool>,
    pub choice: Choice,
}

impl Entry {
    /// Creates an entry without second text, other words and tick mark.
    pub fn new(label: impl Into<String>, choice: Choice) -> Self {
        Self {
            label: label.into(),
            detail: String::new(),
            names: Vec::new(),
            ticked: None,
            choice,
        }
    }

    /// Returns true if the entry starts a command whose argument is typed next.
    pub fn begins(&self) -> bool {
        matches!(self.choice, Choice::Begin(_))
    }

    /// Returns true if the entry is ticked: in force or wanted.
    pub fn in_force(&self) -> bool {
        self.ticked == Some(true)
    }
}

/// Kind of a list of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    /// Settings; Space ticks some. In the other kinds Space is text.
    Ticks,
    /// Rows of which the user takes one.
    Rows,
    /// Rows with a time each.
    Drafts,
    Palette,
}

impl PickerKind {
    pub fn has_ticks(self) -> bool {
        self == Self::Ticks
    }
}

/// Order of the monitor by urgency, not by a field.
pub const WORST_FIRST: &str = "worst";

/// Orders of a list, with the current one.
#[derive(Clone, Debug, PartialEq)]
pub enum Orders {
    Runs {
        now: Option<Sort>,
        /// Offers `WORST_FIRST`, too.
        worst: bool,
    },
    Suites {
        now: SuiteOrder,
        descending: bool,
    },
}

/// Orders of the list of available suites.
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
    /// All orders, with their names in the sort menu and their headings.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Order, "order", "Order"),
        (Self::Title, "title", "Title"),
        (Self::Id, "id", "Id"),
        (Self::Priority, "priority", "Priority"),
        (Self::Cases, "cases", "Cases"),
        (Self::Edited, "display_edited_on", "Edited"),
    ];
}

/// Request of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Motion),
    /// Puts the cursor on the row that is this many rows below the top of the visible list.
    Point(u16),
    /// The same, on the nth column of the row, or the nth character of its text.
    PointCell(u16, usize),
    Open,
    /// Presses the nth button of a box or a form, wherever the focus is.
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
    /// Reads all open runs and the edited ones.
    Sync,
    /// Reads all runs.
    SyncAll,
    /// Reads the suites that are in no open run of the current version.
    Coverage,
    Raw,
    Copy(CopyWhat),
    /// Opens the run in the web application.
    OpenWeb,
    /// Writes the kind that was copied last to a file.
    CopyToFile,
    NextPart,
    PreviousPart,
    Part(usize),
    /// Returns to the screen below, even with marks or a search on this one.
    LastScreen,
    /// Returns to the screen that was left.
    NextScreen,
    /// Shows a screen or a popup, about the current run if it needs one.
    Show(Layer),
    Mark,
    MarkRange,
    MarkAll,
    Remove,
    /// Scrolls to the part of a line that is cut off.
    ScrollRight,
    ScrollLeft,
    /// Shows one column for each part of a configuration, or one for all.
    Split,
    Probe,
    /// Reads the remainder of a change with unknown end.
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
    /// Makes the monitor read less often.
    Slower,
    /// Makes the monitor read more often.
    Faster,
    Limit,
    DueDate,
    /// Moves the row under the cursor to the top, or back.
    Pin,
    /// Moves the column under the cursor.
    Shift(Motion),
    Wider,
    Narrower,
    /// Writes the runs of the list, or samples of the monitor, to a file.
    Export,
    Bell,
    Help,
    Palette,
    Mouse,
    SignIn,
    /// Ticks or unticks the entry under the cursor of a picker.
    Toggle,
    /// Choice in a picker that the screen has opened.
    Chosen(Box<Choice>),
    NextField,
    PreviousField,
    /// To the next button, which is none from the last one.
    Right,
    /// To the previous button, which is none from the first one.
    Left,
    NextMatch,
    PreviousMatch,
    /// A key for the text field that has the focus.
    Type(KeyEvent),
    /// Text pasted into the terminal.
    Paste(Hidden),
    /// A key without a meaning here, by its name.
    Unbound(String),
}

/// Text that may be a password: hidden in `Debug`, wiped on drop.
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
    /// Returns true for actions on the program and its terminal.
    pub fn is_of_the_program(&self) -> bool {
        matches!(
            self,
            Self::Quit | Self::Cancel | Self::Suspend | Self::Redraw
        )
    }

    /// Number of keys: a pasted text counts as if it was typed.
    pub fn keys(&self) -> usize {
        match self {
            Self::Paste(text) => text.chars().count(),
            _ => 1,
        }
    }

    /// Returns true for movements and typed text: without an effect they need no message.
    pub fn is_movement(&self) -> bool {
        matches!(
            self,
            Self::Move(_)
                | Self::Point(_)
                | Self::PointCell(..)
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

    /// Returns true for actions on the run under the cursor of a list.
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

    /// Returns true for actions that lead to a write about the run of the screen.
    pub fn writes_to_a_run(&self) -> bool {
        matches!(
            self,
            Self::Edit
                | Self::Clone
                | Self::Delete
                | Self::Remove
                | Self::Probe
                | Self::Show(Layer::Available)
        )
    }

    /// Returns true for keys that answer a question; their auto-repeats do not count.
    pub fn answers(&self) -> bool {
        match self {
            Self::Open | Self::Save => true,
            Self::Type(key) => key.code == KeyCode::Enter,
            _ => false,
        }
    }

    /// Returns true for actions that lead to a write; a read-only profile refuses them.
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
                | Self::GoOn
                | Self::Save
        )
    }
}

/// Change that the user confirms.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Adds suites to a run or removes them.
    Suites(Box<SuiteChange>),
    /// Creates, reads and deletes a probe run.
    Probe(Probe),
    /// Stops asking about a change whose end stays unknown; nothing is sent.
    LetBe { job: String },
    /// Discards the draft of the open form; nothing is sent.
    DiscardDraft,
}

/// Question before a write or a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    pub plan: Plan,
    /// Consequences, in sentences.
    pub notes: Vec<String>,
    /// Numbers of test cases of the suites, in their order; `None` if unknown.
    pub cases: Vec<Option<i64>>,
    /// An earlier request of this change may be in effect.
    pub in_doubt: bool,
    /// The suites are all of their run.
    pub takes_all: bool,
}

impl Preview {
    pub fn new(plan: Plan, notes: Vec<String>) -> Self {
        Self {
            plan,
            notes,
            cases: Vec::new(),
            in_doubt: false,
            takes_all: false,
        }
    }

    /// Returns true if something is lost: the focus is on Cancel then, else on the verb.
    pub fn takes_away(&self) -> bool {
        match &self.plan {
            Plan::Suites(change) => !change.adds || self.in_doubt,
            Plan::Probe(_) | Plan::LetBe { .. } | Plan::DiscardDraft => true,
        }
    }
}

/// Screen or popup to open, with its known data.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    Run(Arc<Run>, RunPart),
    /// The form that edits or clones a run.
    Form {
        run: Arc<Run>,
        action: Action,
    },
    /// The suites in a run.
    Attached {
        run: Arc<Run>,
        /// References that the user typed.
        typed: Vec<DocRef>,
        known: Option<Box<Attached>>,
    },
    Monitor(Watched),
    /// The list of these runs, under a name.
    Find(Vec<DocRef>, String),
    /// The review of an undo: of changed fields, or of a deleted run that is created again.
    Undo(Box<Undo>),
    /// The columns of the list, with the room they were drawn in.
    Columns(Columns, Room),
    /// The menu of these orders.
    SortMenu(Orders),
    /// The prompt for the limit of the monitor; this is the one in force.
    Limit(Option<String>),
    /// A list of choices; the choice is returned as [`Action::Chosen`].
    Choices {
        title: &'static str,
        kind: PickerKind,
        entries: Vec<Entry>,
    },
    /// A question before a write or a loss.
    Confirm(Box<Preview>),
    /// The box that deletes these runs.
    Delete {
        runs: Vec<Arc<Run>>,
        /// The write that this deletion takes back.
        undo_of: Option<String>,
        notes: Vec<String>,
    },
    /// The copy menu for these; true if the user marked them.
    CopyMenu(CopyOf, bool),
    /// The details of a suite.
    Suite(Box<SuiteRow>),
    Explained(Explanation),
}

/// Explanation of a derived value on a screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub title: String,
    pub lines: Vec<String>,
    /// Config lines that change it.
    pub config: String,
}

/// Part of a run that is shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// A part of the detail screen.
    Part(usize),
    Json,
}

/// Runs that a monitor watches.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    Runs(Vec<Arc<Run>>),
    /// All runs of a view, by its name.
    View(String),
    /// All runs of a view with a further filter.
    Narrowed(Box<(View, Narrowing)>),
}

/// News of one screen for the others.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A run that was read on its own.
    Run(Arc<Run>),
    /// Counts of the runs before today were loaded.
    Earlier,
    /// Due dates were loaded.
    Due,
    /// A run is gone.
    Gone(DocRef),
    /// Suites were removed from a run that was not deleted.
    Stripped(DocRef),
    /// A write to a run has ended, in any way; `None` if the run has no reference yet.
    Wrote(Option<DocRef>),
    /// The number of suites in no open run of a version was read.
    InNoRun,
    /// A change of the suites of a run has ended.
    WroteSuites {
        run: DocRef,
        /// Added; removed if false.
        adds: bool,
        /// Suites for which the change is in effect.
        done: Vec<DocRef>,
        /// Number of suites in the run by the reading afterwards.
        count: Option<i64>,
        /// Of some suites it is not known whether the change is in effect.
        unsure: bool,
    },
}
