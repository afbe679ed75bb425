//! Rows of runs as a text that leaves the program: for a message, a spreadsheet, a page of Markdown.

use std::fmt::Write as _;

use super::fields::{self, Field, Printed};
use super::{ResultCode, RunRow, csv, markdown as md, text};

/// One text of each, in lines; those that have none are left out.
pub fn each<'a, T>(rows: &'a [T], of: impl Fn(&'a T) -> Option<&'a str>) -> String {
    let texts: Vec<_> = rows.iter().filter_map(of).map(text::plain).collect();
    texts.join("\n")
}

/// The address of a run in the web application, by `template` with `{id}` in it: the id can lead nowhere else.
pub fn web_address(template: &str, run: &RunRow) -> Option<String> {
    let mut id = String::new();
    for byte in run.id.as_deref()?.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) {
            id.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(id, "%{byte:02X}");
        }
    }
    Some(template.replace("{id}", &id))
}

/// A table of Markdown with headings; `done` are the codes of cases that are finished.
pub fn markdown(runs: &[RunRow], done: &[ResultCode]) -> String {
    let columns = columns(runs);
    let mut table = md::row(columns.iter().map(|field| field.label.to_owned()));
    table += &md::rule(columns.iter().map(|field| field.is_number()));
    for run in runs {
        table += &md::row(
            columns
                .iter()
                .map(|field| md::escaped(&text::plain(&words(field, run, done)))),
        );
    }
    table
}

/// Values with tabulators between them, without headings: they go below those that a sheet has.
pub fn tsv(runs: &[RunRow], done: &[ResultCode]) -> String {
    let columns = columns(runs);
    runs.iter()
        .map(|run| {
            let cells = columns.iter().map(|field| match words(field, run, done) {
                number if field.is_number() => number,
                words => csv::one_line(&words),
            });
            cells.collect::<Vec<_>>().join("\t") + "\n"
        })
        .collect()
}

/// A line for each run, as one would write it to somebody.
pub fn plain(runs: &[RunRow], done: &[ResultCode]) -> String {
    runs.iter()
        .map(|run| {
            let name = run.full_name();
            let line = match (&run.results, run.sums(done)) {
                (Some(counts), Some(sums)) => {
                    let failed = counts.sum(ResultCode::FAILED);
                    let blocked = counts.sum(ResultCode::BLOCKED);
                    let (total, left) = (text::count(sums.total, "case"), sums.left());
                    format!("{name}: {total}, {failed} failed, {blocked} blocked, {left} left")
                }
                _ => name,
            };
            text::plain(&line).into_owned()
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The fields of a table of runs; those that only counts fill go where there are none.
fn columns(runs: &[RunRow]) -> Vec<&'static Field> {
    let counted = runs.iter().any(|run| run.results.is_some());
    fields::ALL
        .into_iter()
        .filter(|field| field.printed >= Printed::Tables && (counted || !field.counted))
        .collect()
}

fn words(field: &Field, run: &RunRow, done: &[ResultCode]) -> String {
    field.words(run, run.sums(done))
}
