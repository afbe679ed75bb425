//! Rows of suites as a text that leaves the program, as [`run_text`](super::run_text) has those of runs.

use serde_json::Value;

use super::{SuiteRow, csv, markdown as md, text};

/// Headings, and whether they stand above numbers.
const COLUMNS: [(&str, bool); 9] = [
    ("Id", false),
    ("Title", false),
    ("Cases", true),
    ("Priority", false),
    ("Account", false),
    ("Version", false),
    ("Edited", false),
    ("Edited by", false),
    ("Reference", false),
];

fn cells(suite: &SuiteRow) -> [String; COLUMNS.len()] {
    let words = |value: &Option<String>| value.clone().unwrap_or_default();
    [
        words(&suite.id),
        words(&suite.title),
        suite
            .total_cases
            .map_or_else(String::new, |cases| cases.to_string()),
        words(&suite.priority),
        words(&suite.time_booking_account),
        words(&suite.version),
        words(&suite.display_edited_on),
        words(&suite.edited_by),
        suite.doc_ref.to_string(),
    ]
}

/// A table of Markdown with headings.
pub fn markdown(suites: &[SuiteRow]) -> String {
    let mut table = md::row(COLUMNS.iter().map(|(heading, _)| (*heading).to_owned()));
    table += &md::rule(COLUMNS.iter().map(|(_, numeric)| *numeric));
    for suite in suites {
        table += &md::row(
            cells(suite)
                .iter()
                .map(|cell| md::escaped(&text::plain(cell))),
        );
    }
    table
}

/// Values with tabulators between them, without headings: they go below those that a sheet has.
pub fn tsv(suites: &[SuiteRow]) -> String {
    suites
        .iter()
        .map(|suite| cells(suite).map(|cell| csv::one_line(&cell)).join("\t") + "\n")
        .collect()
}

/// A line for each suite, as one would write it to somebody.
pub fn plain(suites: &[SuiteRow]) -> String {
    suites
        .iter()
        .map(|suite| {
            let cases = match suite.total_cases {
                None => String::new(),
                Some(cases) => format!(": {}", text::count(cases, "case")),
            };
            text::plain(&format!("{}{cases}", suite.full_name())).into_owned()
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The documents as they came, laid out; nothing where one of them is not kept.
pub fn json(suites: &[SuiteRow]) -> Option<String> {
    let document = |suite: &SuiteRow| suite.document().map(|document| document.raw().clone());
    let documents: Option<Vec<Value>> = suites.iter().map(document).collect();
    let laid_out = match documents?.as_slice() {
        [document] => serde_json::to_string_pretty(document),
        documents => serde_json::to_string_pretty(documents),
    };
    laid_out.ok().map(|json| text::json(&json).into_owned())
}
