//! What of a run or a suite stands in which column: all of it as comma separated values, the most of it in a table.

use super::json;
use super::table::{Cell, Table};
use super::told::Told;
use crate::cli::Format;
use crate::domain::{ResultCode, ResultCounts, Status, Sums};

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
    let taken: Vec<&Column<T>> = columns
        .iter()
        .filter(|column| values || column.in_tables)
        .collect();
    let heading = |column: &&Column<T>| if values { column.name } else { column.heading };
    let cells = |row: &T| {
        taken
            .iter()
            .map(|column| (column.cell)(row, format))
            .collect()
    };
    Table {
        headings: taken.iter().map(heading).collect(),
        rows: rows.iter().map(cells).collect(),
    }
}

/// A column of tables and of values.
pub const fn column<T>(
    name: &'static str,
    heading: &'static str,
    cell: fn(&T, Format) -> Cell,
) -> Column<T> {
    Column {
        name,
        heading,
        in_tables: true,
        cell,
    }
}

/// A column of values alone.
pub const fn value<T>(
    name: &'static str,
    heading: &'static str,
    cell: fn(&T, Format) -> Cell,
) -> Column<T> {
    Column {
        name,
        heading,
        in_tables: false,
        cell,
    }
}

/// The columns of runs.
pub static RUN: &[Column<Told>] = &[
    value("ref", "Reference", |run, _| {
        Cell::Text(run.row.doc_ref.to_string())
    }),
    column("id", "Id", |run, _| Cell::text(run.row.id.as_deref())),
    column("title", "Title", |run, _| {
        Cell::text(run.row.title.as_deref())
    }),
    value("project", "Project", |run, _| {
        Cell::text(run.row.project.as_deref())
    }),
    value("subproject", "Sub project", |run, _| {
        Cell::text(run.row.subproject.as_deref())
    }),
    column("version", "Version", |run, _| {
        Cell::text(run.row.version.as_deref())
    }),
    value("configuration", "Configuration", |run, _| {
        Cell::text(run.row.configuration.as_deref())
    }),
    column("status", "Status", |run, format| {
        match (&run.row.status, format) {
            (Status::Inactive, Format::Table | Format::Markdown) => Cell::Text("CLOSED".into()),
            (status, _) => Cell::text(json::status(status)),
        }
    }),
    column("suites", "Suites", |run, _| {
        Cell::number(run.row.suite_count)
    }),
    column("progress", "Progress", |run, format| match format {
        Format::Csv => Cell::number(run.row.progress),
        _ => Cell::number(run.row.progress.map(|progress| format!("{progress}%"))),
    }),
    column("passed", "Passed", |run, _| count(run, ResultCode::Passed)),
    column("failed_new", "Failed (new)", |run, _| {
        count(run, ResultCode::FailedNew)
    }),
    column("failed_known", "Failed (known)", |run, _| {
        count(run, ResultCode::FailedKnown)
    }),
    column("blocked", "Blocked", |run, _| {
        count(run, ResultCode::Blocked)
    }),
    value("customer", "Customer", |run, _| {
        count(run, ResultCode::Customer)
    }),
    value("in_progress", "In progress", |run, _| {
        count(run, ResultCode::InProgress)
    }),
    value("on_hold_external", "On hold (external)", |run, _| {
        count(run, ResultCode::OnHoldExternal)
    }),
    value("on_hold_internal", "On hold (internal)", |run, _| {
        count(run, ResultCode::OnHoldInternal)
    }),
    value("retest", "Retest", |run, _| count(run, ResultCode::Retest)),
    value("skipped", "Skipped", |run, _| {
        count(run, ResultCode::Skipped)
    }),
    column("untested", "Untested", |run, _| {
        count(run, ResultCode::Untested)
    }),
    value("others", "Other results", |run, _| {
        Cell::number(run.row.results.as_ref().map(ResultCounts::unnamed))
    }),
    value("total", "Test cases (summed up)", |run, _| {
        Cell::number(run.sums.map(|sums| sums.total))
    }),
    column("left", "Left", |run, _| {
        Cell::number(run.sums.map(Sums::left))
    }),
    value("cases_with_tester", "Cases with tester", |run, _| {
        Cell::text(run.row.cases_with_tester.as_deref())
    }),
    value("testers", "Testers", |run, _| {
        Cell::Text(run.row.testers.join(", "))
    }),
    column("edited_by", "Edited by", |run, _| {
        Cell::text(run.row.edited_by.as_deref())
    }),
    value("edited_on", "Edited (epoch ms)", |run, _| {
        Cell::number(run.row.edited_on)
    }),
    column("display_edited_on", "Edited", |run, _| {
        Cell::text(run.row.display_edited_on.as_deref())
    }),
];

fn count(run: &Told, code: ResultCode) -> Cell {
    Cell::number(
        run.row
            .results
            .as_ref()
            .and_then(|counts| counts.listed(code)),
    )
}
