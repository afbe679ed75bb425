//! What of a run or a suite stands in which column: all of it as comma separated values, the most of it in a table.

use super::json;
use super::table::{Cell, Table};
use crate::cli::Format;
use crate::model::{ResultCode, ResultCounts, RunRow, Status};

/// A column.
pub struct Column<T> {
    /// Its name among comma separated values, as in JSON.
    pub name: &'static str,
    /// Its heading in a table.
    pub heading: &'static str,
    /// It stands in tables, too.
    pub in_tables: bool,
    /// The value of a row, in the way of a format.
    pub cell: fn(&T, Format) -> Cell,
}

/// A table of rows with the columns that the format has.
pub fn table<T>(columns: &[Column<T>], rows: &[T], format: Format) -> Table {
    let values = format == Format::Csv;
    let taken: Vec<&Column<T>> = columns.iter().filter(|column| values || column.in_tables).collect();
    let heading = |column: &&Column<T>| if values { column.name } else { column.heading };
    let cells = |row: &T| taken.iter().map(|column| (column.cell)(row, format)).collect();
    Table { headings: taken.iter().map(heading).collect(), rows: rows.iter().map(cells).collect() }
}

/// A column of tables and of values.
pub const fn column<T>(name: &'static str, heading: &'static str, cell: fn(&T, Format) -> Cell) -> Column<T> {
    Column { name, heading, in_tables: true, cell }
}

/// A column of values alone.
pub const fn value<T>(name: &'static str, heading: &'static str, cell: fn(&T, Format) -> Cell) -> Column<T> {
    Column { name, heading, in_tables: false, cell }
}

/// The columns of runs.
pub static RUN: &[Column<RunRow>] = &[
    value("ref", "Reference", |row, _| Cell::Text(row.doc_ref.to_string())),
    column("id", "Id", |row, _| Cell::text(row.id.as_deref())),
    column("title", "Title", |row, _| Cell::text(row.title.as_deref())),
    value("project", "Project", |row, _| Cell::text(row.project.as_deref())),
    value("subproject", "Sub project", |row, _| Cell::text(row.subproject.as_deref())),
    column("version", "Version", |row, _| Cell::text(row.version.as_deref())),
    value("configuration", "Configuration", |row, _| Cell::text(row.configuration.as_deref())),
    column("status", "Status", |row, format| match (&row.status, format) {
        (Status::Inactive, Format::Table | Format::Markdown) => Cell::Text("CLOSED".into()),
        (status, _) => Cell::text(json::status(status)),
    }),
    column("suites", "Suites", |row, _| Cell::number(row.suite_count)),
    column("progress", "Progress", |row, format| match format {
        Format::Csv => Cell::number(row.progress),
        _ => Cell::number(row.progress.map(|progress| format!("{progress}%"))),
    }),
    column("passed", "Passed", |row, _| count(row, ResultCode::Passed)),
    column("failed_new", "Failed (new)", |row, _| count(row, ResultCode::FailedNew)),
    column("failed_known", "Failed (known)", |row, _| count(row, ResultCode::FailedKnown)),
    column("blocked", "Blocked", |row, _| count(row, ResultCode::Blocked)),
    value("customer", "Customer", |row, _| count(row, ResultCode::Customer)),
    value("in_progress", "In progress", |row, _| count(row, ResultCode::InProgress)),
    value("on_hold_external", "On hold (external)", |row, _| count(row, ResultCode::OnHoldExternal)),
    value("on_hold_internal", "On hold (internal)", |row, _| count(row, ResultCode::OnHoldInternal)),
    value("retest", "Retest", |row, _| count(row, ResultCode::Retest)),
    value("skipped", "Skipped", |row, _| count(row, ResultCode::Skipped)),
    column("untested", "Untested", |row, _| count(row, ResultCode::Untested)),
    value("others", "Other results", |row, _| Cell::number(row.results.as_ref().map(ResultCounts::unnamed))),
    value("total", "Test cases (summed up)", |row, _| worked_out(row, ResultCounts::total)),
    column("left", "Left", |row, _| worked_out(row, ResultCounts::left)),
    value("cases_with_tester", "Cases with tester", |row, _| Cell::text(row.cases_with_tester.as_deref())),
    value("testers", "Testers", |row, _| Cell::Text(row.testers.join(", "))),
    column("edited_by", "Edited by", |row, _| Cell::text(row.edited_by.as_deref())),
    value("edited_on", "Edited (epoch ms)", |row, _| Cell::number(row.edited_on)),
    column("display_edited_on", "Edited", |row, _| Cell::text(row.display_edited_on.as_deref())),
];

fn count(row: &RunRow, code: ResultCode) -> Cell {
    Cell::number(row.results.as_ref().and_then(|counts| counts.listed(code)))
}

fn worked_out(row: &RunRow, number: fn(&ResultCounts) -> u64) -> Cell {
    Cell::number(row.results.as_ref().filter(|counts| counts.unread == 0).map(number))
}
