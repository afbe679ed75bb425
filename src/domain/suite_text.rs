//! Suites as texts for other programs, as [`run_text`](super::run_text) has runs.

use super::prelude::*;
use super::{SuiteRow, json};

/// Returns a table of suites with the columns of their list.
pub fn table(suites: &[SuiteRow]) -> TextTable {
    let words = |value: &Option<String>| TextCell::Text(value.clone().unwrap_or_default());
    let row = |suite: &SuiteRow| {
        vec![
            words(&suite.id),
            words(&suite.title),
            TextCell::Number(
                suite
                    .total_cases
                    .map(|cases| cases.to_string())
                    .unwrap_or_default(),
            ),
            words(&suite.priority),
            words(&suite.time_booking_account),
            words(&suite.version),
            words(&suite.display_edited_on),
            words(&suite.edited_by),
            TextCell::Text(suite.doc_ref.to_string()),
        ]
    };
    let headings = [
        "Id",
        "Title",
        "Cases",
        "Priority",
        "Account",
        "Version",
        "Edited",
        "Edited by",
        "Reference",
    ];
    TextTable::new(headings, suites.iter().map(row))
}

/// Returns one line about a suite, for a message.
pub fn plain(suite: &SuiteRow) -> String {
    let cases = suite.total_cases.map(|cases| count(cases, "case"));
    let cases = cases.map(|cases| format!(": {cases}")).unwrap_or_default();
    suite.full_name() + &cases
}

/// Returns the unchanged documents, indented; `None` if one of them is not kept.
pub fn json(suites: &[SuiteRow]) -> Option<String> {
    let documents: Option<Vec<_>> = suites.iter().map(SuiteRow::document).collect();
    Some(text::json(&json::laid_out(&documents?)).into_owned())
}
