//! THE table of a run's fields (interface sections 2.2 to 2.5): name, path in a document, value in a row, and places
//! where it is shown. List, preview, detail, changes, form, the commands without a screen and the test of the schema
//! read it.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use Width::{Cells, Longest};

use super::document::scalar_text;
use super::table::{Format, TextCell};
use super::{
    Document, FieldDigests, ResultCode, ResultCounts, RunRow, Status, Sums, items, text,
    text_or_json, version_numbers,
};

/// Field of a run, or a value computed from its fields.
#[derive(Debug)]
pub struct Field {
    /// Unique name: member in JSON, heading in CSV.
    pub name: &'static str,
    /// Path in a document; empty if computed.
    pub path: &'static str,
    /// Name for the user.
    pub label: &'static str,
    /// Kind and source of the value.
    pub holds: Holds,
    /// Only returned by `LIST_TEST_RUNS`.
    pub counted: bool,
    /// Member of the JSON of a run.
    pub in_json: bool,
    pub printed: Printed,
    /// Column of the list, if any.
    pub column: Option<ListColumn>,
}

/// Kind and source of a value.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    Reference,
    Text(fn(&RunRow) -> &Option<String>),
    /// A time of a row: as sent, without a zone, and as epoch milliseconds.
    Time(fn(&RunRow) -> &Option<String>, fn(&RunRow) -> Option<i64>),
    Texts(fn(&RunRow) -> &[String]),
    /// An integer of a row.
    Integer(fn(&RunRow) -> Option<i64>),
    /// A number of a row, in hundredths.
    Percent(fn(&RunRow) -> Option<i64>),
    Status,
    Results,
    /// The test cases with a result.
    Count(ResultCode),
    /// The test cases with undocumented codes.
    Unnamed,
    /// All sums of the counts.
    Sums,
    /// One sum of the counts.
    Sum(fn(Sums) -> u64),
    /// The share of finished cases, in hundredths.
    Done,
    /// The test cases with any of these results.
    Counts(&'static [ResultCode]),
    /// A value of a document that no row has.
    Document,
}

/// Outputs of the commands that have a field.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Printed {
    /// None.
    Never,
    /// One run.
    OneRun,
    /// One run, and CSV.
    Values,
    /// One run, CSV, and tables of runs.
    Tables,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListColumn {
    pub heading: &'static str,
    pub width: Width,
    /// Shown by default.
    pub usual: bool,
    /// A narrow terminal drops columns of a higher rank first.
    pub rank: u8,
}

/// Cells of `+n` behind a number.
pub const MORE: usize = 3;

/// Width of a column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Number of cells.
    Cells(usize),
    /// As wide as the longest value on the screen, at least this number of cells.
    Longest(usize),
    /// Enough to read a title, and the room that is left.
    Title,
}

/// Returns a share with its sign: `64%`, `-` for none.
pub fn percent(share: Option<String>) -> String {
    share.map_or_else(|| "-".into(), |share| share + "%")
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Field {}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

impl Field {
    /// Returns the value of a row as JSON; null if the service did not send it. `done` are the codes of finished cases.
    pub fn value(&self, run: &RunRow, done: &[ResultCode]) -> Value {
        let counts = run.results.as_ref();
        let sums = || run.sums(done);
        match self.holds {
            Holds::Reference => json!(run.doc_ref),
            Holds::Text(of) | Holds::Time(of, _) => json!(of(run)),
            Holds::Texts(of) => json!(of(run)),
            Holds::Integer(of) | Holds::Percent(of) => json!(of(run)),
            Holds::Status => json!(run.status.as_text()),
            Holds::Results => counts.map_or(Value::Null, ResultCounts::to_json),
            Holds::Count(code) => json!(counts.and_then(|counts| counts.listed(code))),
            Holds::Unnamed => json!(counts.map(ResultCounts::unnamed)),
            Holds::Sums => {
                json!(sums().map(
                    |sums| json!({"total": sums.total, "done": sums.done, "left": sums.left()})
                ))
            }
            Holds::Sum(of) => json!(sums().map(of)),
            Holds::Done => json!(sums().and_then(Sums::percent)),
            Holds::Counts(codes) => json!(counts.and_then(|counts| counts.exact(codes))),
            Holds::Document => Value::Null,
        }
    }

    /// Returns the value for the user: `64%`, `closed`, `-` if the service did not send it.
    pub fn words(&self, run: &RunRow, done: &[ResultCode]) -> String {
        match (self.holds, self.value(run, done)) {
            (Holds::Status, _) => run.status.to_string(),
            (Holds::Percent(_), Value::Number(percent)) => format!("{percent}%"),
            (Holds::Done, _) => percent(run.sums(done).and_then(Sums::share)),
            (Holds::Texts(of), _) => of(run).join(", "),
            (_, Value::Null) => "-".into(),
            (_, value) => text_or_json(&value),
        }
    }

    /// Returns the cell of a table: in CSV the value, else the words.
    pub fn cell(&self, run: &RunRow, done: &[ResultCode], format: Format) -> TextCell {
        let value = self.value(run, done);
        if value.is_null() {
            return TextCell::Unknown;
        }
        let text = scalar_text(&value)
            .filter(|_| format == Format::Csv)
            .unwrap_or_else(|| self.words(run, done));
        if self.is_number() {
            TextCell::Number(text)
        } else {
            TextCell::Text(text)
        }
    }

    /// Returns `true` if a row has no value to show.
    pub fn is_empty(&self, run: &RunRow, done: &[ResultCode]) -> bool {
        if let Holds::Results = self.holds {
            return run.results.as_ref().is_none_or(|it| it.total() == 0);
        }
        match self.value(run, done) {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(texts) => texts.is_empty(),
            _ => false,
        }
    }

    /// Returns the key to sort rows by; `None` if a row has none.
    pub fn order_key(&self, run: &RunRow, done: &[ResultCode]) -> Option<(i128, String)> {
        if *self == ID {
            let id = run.id.as_ref()?;
            let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
            return Some((digits.parse().unwrap_or(0), id.clone()));
        }
        if let Some(text) = self.text_of(run) {
            // Number by number, as where versions are columns; those of other forms before them.
            let numbers = (*self == VERSION).then(|| version_numbers(text));
            return Some(match numbers.flatten() {
                Some(numbers) => {
                    let digits = numbers.iter().map(|number| format!("{number:020}"));
                    (1, text::join(digits, ".") + "\0" + text)
                }
                None => (0, text.to_lowercase()),
            });
        }
        if let Holds::Integer(of) | Holds::Percent(of) = self.holds {
            return Some((of(run)?.into(), String::new()));
        }
        match self.value(run, done) {
            Value::Number(number) => Some((number.as_i64()?.into(), String::new())),
            Value::String(_) | Value::Array(_) if !self.is_empty(run, done) => {
                Some((0, self.words(run, done).to_lowercase()))
            }
            _ => None,
        }
    }

    /// Returns the text of a row, if the field holds one.
    pub fn text_of<'a>(&self, run: &'a RunRow) -> Option<&'a str> {
        match self.holds {
            Holds::Text(of) | Holds::Time(of, _) => of(run).as_deref(),
            Holds::Status => run.status.as_text(),
            _ => None,
        }
    }

    pub fn text(&self, document: &Document) -> Option<String> {
        document.text(self.path)
    }

    /// Returns the filter for a value, `<field_path>:<value>` (4.2).
    pub fn filter(&self, value: &str) -> String {
        format!("{}:{value}", self.path)
    }

    /// Returns the name inside `Root.General`, if it is there.
    pub fn in_general(&self) -> Option<&'static str> {
        self.path.strip_prefix("Root.General.")
    }

    /// Returns the sort path of the service; `None` if only this side can sort.
    pub fn sort_path(&self) -> Option<&'static str> {
        match self.name {
            name if name == EDITED.name => Some(EDITED_ON.path),
            name if name == CREATED.name => Some(CREATED_ON.path),
            // The field to sort by is the text.
            name if name == EDITED_ON.name || name == CREATED_ON.name => None,
            _ if self.path.is_empty() => None,
            _ => Some(self.path),
        }
    }

    /// Returns `true` if the list can be sorted by it.
    pub fn is_sorted(&self) -> bool {
        SORTED.contains(&self)
    }

    /// Returns `true` if rows have such a member.
    pub fn is_in_row(&self) -> bool {
        !self.path.is_empty() && self.is_listed()
    }

    /// Returns `true` for values of a row, or computed from one.
    pub fn is_listed(&self) -> bool {
        !matches!(self.holds, Holds::Document)
    }

    /// Returns `true` for a single text.
    pub fn is_text(&self) -> bool {
        matches!(self.holds, Holds::Text(_) | Holds::Time(..) | Holds::Status)
    }

    /// Returns `true` for numbers, which are right-aligned.
    pub fn is_number(&self) -> bool {
        matches!(
            self.holds,
            Holds::Integer(_)
                | Holds::Percent(_)
                | Holds::Count(_)
                | Holds::Unnamed
                | Holds::Sum(_)
                | Holds::Done
                | Holds::Counts(_)
        )
    }

    const fn new(
        name: &'static str,
        path: &'static str,
        label: &'static str,
        holds: Holds,
    ) -> Self {
        Self {
            name,
            path,
            label,
            holds,
            counted: false,
            in_json: true,
            printed: Printed::Values,
            column: None,
        }
    }

    /// Adds the field to tables of runs.
    const fn in_tables(mut self) -> Self {
        self.printed = Printed::Tables;
        self
    }

    /// Prints the field only for one run.
    const fn in_one_run(mut self) -> Self {
        self.printed = Printed::OneRun;
        self
    }

    /// Does not print the field, or only in parts.
    const fn unprinted(mut self) -> Self {
        self.printed = Printed::Never;
        self
    }

    /// Excludes the field from the JSON of a run: not in the row, or there in another form.
    const fn not_in_json(mut self) -> Self {
        self.in_json = false;
        self
    }

    /// Marks a field of `LIST_TEST_RUNS` only.
    const fn counted(mut self) -> Self {
        self.counted = true;
        self
    }

    /// Adds a column of the list.
    const fn column(mut self, heading: &'static str, width: Width, rank: u8) -> Self {
        self.column = Some(ListColumn {
            heading,
            width,
            usual: true,
            rank,
        });
        self
    }

    /// Adds a column that is hidden by default.
    const fn other_column(self, heading: &'static str, width: Width, rank: u8) -> Self {
        let mut field = self.column(heading, width, rank);
        if let Some(column) = &mut field.column {
            column.usual = false;
        }
        field
    }
}

/// Makes a field that only documents have.
const fn document(name: &'static str, path: &'static str, label: &'static str) -> Field {
    Field {
        printed: Printed::OneRun,
        ..Field::new(name, path, label, Holds::Document).not_in_json()
    }
}

/// A figure that the program works out of the counts.
const fn figure(name: &'static str, label: &'static str, holds: Holds) -> Field {
    Field::new(name, "", label, holds).counted().not_in_json()
}

/// Makes a field computed from the counts.
const fn worked_out(name: &'static str, label: &'static str, holds: Holds) -> Field {
    figure(name, label, holds).unprinted()
}

/// Makes a field of the cases with a result; one member in JSON.
const fn count(code: ResultCode) -> Field {
    figure(code.name(), code.label(), Holds::Count(code))
}

/// Makes a text of a row.
const fn text(
    name: &'static str,
    path: &'static str,
    label: &'static str,
    of: fn(&RunRow) -> &Option<String>,
) -> Field {
    Field::new(name, path, label, Holds::Text(of))
}

static REFERENCE: Field = Field::new("ref", "", "Reference", Holds::Reference);
pub static ID: Field = text("id", "Root.General.Id", "Id", |run| &run.id)
    .in_tables()
    .column("Id", Longest(5), 1);
pub static TITLE: Field = text("title", "Root.General.Title", "Title", |run| &run.title)
    .in_tables()
    .column("Title", Width::Title, 2);
pub static PROJECT: Field = text("project", "Root.General.ProjectId", "Project", |run| {
    &run.project
});
pub static SUBPROJECT: Field = text(
    "subproject",
    "Root.General.SubprojectId",
    "Sub project",
    |run| &run.subproject,
)
.other_column("Sub", Longest(6), 15);
pub static VERSION: Field = text(
    "version",
    "Root.General.ProjectVersionNumber",
    "Version",
    |run| &run.version,
)
.in_tables()
.other_column("Version", Longest(7), 10);
pub static CONFIGURATION: Field = text(
    "configuration",
    "Root.General.Configuration",
    "Configuration",
    |run| &run.configuration,
)
.other_column("Configuration", Cells(16), 14);
pub static STATUS: Field = Field::new("status", "Root.General.Status", "Status", Holds::Status)
    .in_tables()
    .other_column("Status", Cells(7), 9);
pub static SUITES: Field = Field::new(
    "suites",
    "Root.General.TestSuiteCount",
    "Suites",
    Holds::Integer(|run| run.suite_count),
)
.counted()
.in_tables()
.other_column("Suites", Cells(6), 12);
pub static PROGRESS: Field = Field::new(
    "progress",
    "Root.General.Progress",
    "Progress",
    Holds::Percent(|run| run.progress),
)
.counted()
.other_column("Progress", Cells(8), 11);
/// Commands print the counts one by one.
pub static RESULTS: Field = Field::new(
    "results",
    "Root.DisplayFields.Result",
    "Results",
    Holds::Results,
)
.counted()
.unprinted()
.column("Results", Cells(8), 8);
pub static PASSED: Field = count(ResultCode::Passed).in_tables();
pub static FAILED_NEW: Field = count(ResultCode::FailedNew).in_tables();
pub static FAILED_KNOWN: Field = count(ResultCode::FailedKnown).in_tables();
pub static BLOCKED: Field = count(ResultCode::Blocked).in_tables();
pub static UNTESTED: Field = count(ResultCode::Untested).in_tables();
pub static OTHERS: Field = figure("others", "Other results", Holds::Unnamed);
/// Commands print the sums one by one.
static WORKED_OUT: Field = Field::new("worked_out", "", "Summed up", Holds::Sums)
    .counted()
    .unprinted();
static TOTAL: Field = figure(
    "total",
    "Test cases (summed up)",
    Holds::Sum(|sums| sums.total),
);
pub static LEFT: Field = figure("left", "Left", Holds::Sum(Sums::left))
    .in_tables()
    .column("Left", Cells(5), 6);
/// Heading of [`LEFT`] where all runs are closed.
pub const NOT_RUN: &str = "Not run";
pub static DONE: Field =
    worked_out("done", "Done", Holds::Done)
        .in_tables()
        .column("Done", Cells(5), 3);
/// The same for the commands, whose JSON has `done` as a number of cases.
static DONE_PERCENT: Field = worked_out("done_percent", "Done", Holds::Done);
pub static FAILED: Field = worked_out("failed", "Failed", Holds::Counts(ResultCode::FAILED))
    .column("Fail", Cells(4 + MORE), 4);
static STOPPED: Field = worked_out(
    "blocked_or_on_hold",
    "Blocked or on hold",
    Holds::Counts(ResultCode::BLOCKED),
)
.column("Block", Cells(5 + MORE), 5);
static CASES_WITH_TESTER: Field = text(
    "cases_with_tester",
    "Root.DisplayFields.TestCasesWithTester",
    "Cases with tester",
    |run| &run.cases_with_tester,
)
.counted();
pub static TESTERS: Field = Field::new(
    "testers",
    "Root.DisplayFields.TestersOfTestCases",
    "Testers",
    Holds::Texts(|run| &run.testers),
)
.counted()
.column("Tester", Cells(11), 13);
pub static EDITED_BY: Field = text("edited_by", "Root.Metadata.EditedBy", "Edited by", |run| {
    &run.edited_by
})
.in_tables()
.other_column("Edited by", Cells(10), 16);
/// Last editor of a document, as told everywhere.
pub fn editor(document: &Document) -> Option<String> {
    let edited_by = EDITED_BY.text(document);
    edited_by.or_else(|| document.meta("modifier"))
}

pub static EDITED_ON: Field = Field::new(
    "edited_on",
    "Root.Metadata.EditedOn",
    "Edited (epoch ms)",
    Holds::Integer(|run| run.edited_on),
);
pub static EDITED: Field = Field::new(
    "display_edited_on",
    "Root.Metadata.DisplayEditedOn",
    "Edited",
    Holds::Time(|run| &run.display_edited_on, |run| run.edited_on),
)
.in_tables()
.column("Edited", Cells(11), 7);
pub static DESCRIPTION: Field = document("description", "Root.General.Description", "Description");
pub static CREATED: Field = Field::new(
    "display_created_on",
    "Root.Metadata.DisplayCreatedOn",
    "Created",
    Holds::Time(|run| &run.display_created_on, |run| run.created_on),
)
.not_in_json()
.in_one_run()
.other_column("Created", Cells(11), 17);
pub static CREATED_BY: Field = text(
    "created_by",
    "Root.Metadata.CreatedBy",
    "Created by",
    |run| &run.created_by,
)
.not_in_json()
.in_one_run()
.other_column("Created by", Cells(10), 18);
pub static CREATED_ON: Field = Field::new(
    "created_on",
    "Root.Metadata.CreatedOn",
    "Created (epoch ms)",
    Holds::Integer(|run| run.created_on),
)
.not_in_json()
.unprinted();
pub static CLOSED: Field = document(
    "display_closed_on",
    "Root.Metadata.DisplayClosedOn",
    "Closed",
);
pub static CLOSED_BY: Field = document("closed_by", "Root.Metadata.ClosedBy", "Closed by");
static CLOSED_ON: Field =
    document("closed_on", "Root.Metadata.ClosedOn", "Closed (epoch ms)").unprinted();
pub static TENANT: Field = document("tenant", "Root.General.TenantId", "Tenant");
pub static TECHNICAL_ID: Field =
    document("technical_id", "Root.General.TechnicalId", "Technical id");

/// All fields, in the order of JSON and CSV.
pub static ALL: [&Field; 44] = [
    &REFERENCE,
    &ID,
    &TITLE,
    &PROJECT,
    &SUBPROJECT,
    &VERSION,
    &CONFIGURATION,
    &STATUS,
    &SUITES,
    &PROGRESS,
    &RESULTS,
    &PASSED,
    &FAILED_NEW,
    &FAILED_KNOWN,
    &BLOCKED,
    &count(ResultCode::Customer),
    &count(ResultCode::InProgress),
    &count(ResultCode::OnHoldExternal),
    &count(ResultCode::OnHoldInternal),
    &count(ResultCode::Retest),
    &count(ResultCode::Skipped),
    &UNTESTED,
    &OTHERS,
    &WORKED_OUT,
    &TOTAL,
    &LEFT,
    &DONE,
    &DONE_PERCENT,
    &FAILED,
    &STOPPED,
    &CASES_WITH_TESTER,
    &TESTERS,
    &EDITED_BY,
    &EDITED_ON,
    &EDITED,
    &DESCRIPTION,
    &CREATED,
    &CREATED_BY,
    &CREATED_ON,
    &CLOSED,
    &CLOSED_BY,
    &CLOSED_ON,
    &TENANT,
    &TECHNICAL_ID,
];

/// The columns of the list, from the left.
pub static LIST: [&Field; 18] = [
    &ID,
    &TITLE,
    &STATUS,
    &VERSION,
    &SUBPROJECT,
    &CONFIGURATION,
    &SUITES,
    &DONE,
    &RESULTS,
    &PROGRESS,
    &FAILED,
    &STOPPED,
    &LEFT,
    &TESTERS,
    &CREATED_BY,
    &CREATED,
    &EDITED_BY,
    &EDITED,
];

/// The fields that the list can be sorted by: those of the sort menu, and others of the service.
pub static SORTED: [&Field; 13] = [
    &EDITED,
    &CREATED,
    &FAILED,
    &STOPPED,
    &LEFT,
    &DONE,
    &TITLE,
    &ID,
    &EDITED_BY,
    &VERSION,
    &CONFIGURATION,
    &PROGRESS,
    &SUITES,
];

/// Returns the field that the service sorts by with this path.
pub fn sorted_by(path: &str) -> Option<&'static Field> {
    let mut all = ALL.into_iter();
    all.find(|field| field.sort_path() == Some(path))
}

/// Returns the name of a field for the user; for an unknown one the last name of its path.
pub fn label(path: &str) -> &str {
    match of_path(path) {
        Some(field) => field.label,
        None => path.rsplit('.').next().unwrap_or(path),
    }
}

/// Returns the field of this name.
pub fn named(name: &str) -> Option<&'static Field> {
    ALL.into_iter().find(|field| field.name == name)
}

pub fn of_path(path: &str) -> Option<&'static Field> {
    ALL.into_iter()
        .find(|field| field.path == path && !path.is_empty())
}

/// Members of `Root` without a digest of their own: fields, editing data, counts.
const BESIDE: [&str; 3] = ["General", "Metadata", "DisplayFields"];

impl RunRow {
    /// Reads the row of a document.
    pub fn from_document(document: &Document) -> Self {
        let integer = |field: &Field| document.integer(field.path);
        let value = |field: &Field| document.at(field.path);
        Self {
            doc_ref: document.doc_ref().clone(),
            id: ID.text(document),
            title: TITLE.text(document),
            project: PROJECT.text(document),
            subproject: SUBPROJECT.text(document),
            version: VERSION.text(document).filter(|it| !it.trim().is_empty()),
            configuration: CONFIGURATION.text(document),
            description: DESCRIPTION.text(document),
            status: Status::from_text(STATUS.text(document).as_deref()),
            edited_by: EDITED_BY.text(document),
            edited_on: integer(&EDITED_ON),
            display_edited_on: EDITED.text(document),
            created_by: CREATED_BY.text(document),
            created_on: integer(&CREATED_ON),
            display_created_on: CREATED.text(document),
            suite_count: integer(&SUITES),
            progress: integer(&PROGRESS),
            results: value(&RESULTS).and_then(ResultCounts::from_value),
            cases_with_tester: CASES_WITH_TESTER.text(document),
            testers: value(&TESTERS).map(testers).unwrap_or_default(),
            digests: unlisted(document),
        }
    }
}

/// Returns the fields that are no members of a row.
fn unlisted(document: &Document) -> FieldDigests {
    let members = |path: &'static str| {
        document
            .at(path)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(move |(name, value)| (name.as_str(), format!("{path}.{name}"), value))
    };
    let shown = |name: &str| {
        ALL.iter()
            .any(|field| field.in_general() == Some(name) && field.is_in_row())
    };
    let general = members("Root.General").filter(|(name, ..)| !shown(name));
    let root = members("Root").filter(|(name, ..)| !BESIDE.contains(name));
    FieldDigests::of(general.chain(root).map(|(_, path, value)| (path, value)))
}

/// Returns the names of the members of `Root.General` and `Root` that are not in the interface.
pub fn other_fields(document: &Document) -> Vec<&str> {
    let names = |path| document.at(path).and_then(Value::as_object).into_iter();
    let names = |path| names(path).flat_map(Map::keys).map(String::as_str);
    let is_known = |name: &&str| ALL.iter().any(|field| field.in_general() == Some(name));
    let general = names("Root.General").filter(|name| !is_known(name));
    let is_beside = |name: &&str| BESIDE.contains(name) || *name == "Attachments";
    let root = names("Root").filter(|name| !is_beside(name));
    general.chain(root).collect()
}

/// Returns what a new run with the texts of this one lacks, a few words each: attachments, and fields that are not in the
/// interface, which a new run cannot have.
pub fn not_copied(document: &Document) -> Vec<String> {
    let files = document.attachments().len();
    let files = (files > 0).then(|| text::count(files, "attachment"));
    let others = other_fields(document);
    let noun = if others.len() == 1 { "field" } else { "fields" };
    let others = (!others.is_empty()).then(|| format!("the {noun} {}", others.join(", ")));
    files.into_iter().chain(others).collect()
}

/// Reads `TestersOfTestCases`, documented only as "an array": texts as they are, all else as JSON.
fn testers(value: &Value) -> Vec<String> {
    items(value).iter().map(text_or_json).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_new_run_cannot_have_is_named() {
        for (root, lacks) in [
            (
                r#"{"General":{"Title":"T"},"Metadata":{},"Attachments":[]}"#,
                &[][..],
            ),
            (
                r#"{"General":{"Custom":1},"Attachments":[{}]}"#,
                &["1 attachment", "the field Custom"],
            ),
            (
                r#"{"General":{"title":1},"Extra":{}}"#,
                &["the fields title, Extra"],
            ),
        ] {
            let text = format!(r#"{{"docRef":"TestRun-dm/1","document":{{"Root":{root}}}}}"#);
            let document = Document::from_value(serde_json::from_str(&text).unwrap()).unwrap();
            assert_eq!(not_copied(&document), lacks);
        }
    }
}
