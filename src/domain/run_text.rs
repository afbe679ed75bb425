//! Runs as texts for other programs: a message, a spreadsheet, a page of Markdown.

use super::prelude::*;
use std::fmt::Write as _;

use super::runs_text::usual_columns;

/// Joins one text of each row in lines, without rows that have none.
pub fn each<'a, T, S: AsRef<str>>(rows: &'a [T], of: impl Fn(&'a T) -> Option<S>) -> String {
    text::join(
        rows.iter()
            .filter_map(of)
            .map(|text| text::plain(text.as_ref()).into_owned()),
        "\n",
    )
}

/// Returns the address of a run in the web application, from `template` with `{id}`: the id can lead nowhere else.
pub fn web_address(template: &str, id: &str) -> String {
    let mut harmless = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) {
            harmless.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(harmless, "%{byte:02X}");
        }
    }
    template.replace("{id}", &harmless)
}

/// Returns the runs as a table, with columns of counts only if any run has counts; `done` are the codes of finished
/// cases.
pub fn table(runs: &[RunRow], done: &[ResultCode]) -> TextTable {
    let counted = runs.iter().any(|run| run.results.is_some());
    let mut columns = usual_columns(Format::Markdown);
    columns.retain(|field| counted || !field.counted);
    let cell = |field: &&Field, run| field.cell(run, done, Format::Markdown);
    let row = |run| columns.iter().map(|field| cell(field, run)).collect();
    TextTable::new(
        columns.iter().map(|field| field.label),
        runs.iter().map(row),
    )
}

/// Returns one line about a run, for a message.
pub fn plain(run: &RunRow, done: &[ResultCode]) -> String {
    let name = run.full_name();
    match (&run.results, run.sums(done)) {
        (Some(counts), Some(sums)) => {
            let failed = counts.sum(ResultCode::FAILED);
            let blocked = counts.sum(ResultCode::BLOCKED);
            let (total, left) = (count(sums.total, "case"), sums.left());
            format!("{name}: {total}, {failed} failed, {blocked} blocked or on hold, {left} left")
        }
        _ => name,
    }
}
