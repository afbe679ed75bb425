//! Columns for lists of suites.

use super::prelude::*;
use crate::attached::Attached;
use crate::domain::table::{TextCell, TextTable};

/// A column: its name in CSV and JSON, and its heading if tables have it.
pub type Column = (&'static str, Option<&'static str>);

/// Columns of all lists of suites.
const SUITE: &[Column] = &[
    ("ref", None),
    ("id", Some("Suite")),
    ("title", Some("Title")),
    ("order", Some("Order")),
    ("priority", Some("Priority")),
    ("total_cases", Some("Cases")),
];

/// Columns before and after these.
pub type Columns = [&'static [Column]; 2];

/// Columns for suites that can be added.
pub const AVAILABLE: Columns = [
    &[],
    &[
        ("version", Some("Version")),
        ("edited_by", None),
        ("display_edited_on", None),
        ("description", None),
    ],
];

/// Columns for suites in a run.
pub const ATTACHED: Columns = [
    &[("kind", None), ("words", None)],
    &[("how", Some("How it is known")), ("trust", Some("Trust"))],
];

/// Table of suites.
pub fn table([before, after]: Columns, mut lines: Vec<Value>, format: Format) -> TextTable {
    if format != Format::Csv {
        // A table has the reference in place of a missing id, and the message of a line without a suite.
        for (name, instead) in [("id", "ref"), ("title", "words")] {
            for line in lines.iter_mut().filter(|line| line[name].is_null()) {
                line[name] = line[instead].clone();
            }
        }
    }
    table_of(&[before, SUITE, after].concat(), &lines, format)
}

/// Table of JSON objects.
pub fn table_of(columns: &[Column], lines: &[Value], format: Format) -> TextTable {
    let csv = format == Format::Csv;
    let columns = columns.iter().copied();
    let taken = columns.filter_map(|(name, heading)| {
        let heading = if csv { Some(name) } else { heading };
        Some((name, heading?))
    });
    let (names, headings): (Vec<_>, Vec<_>) = taken.unzip();
    let row = |line: &Value| names.iter().map(|name| cell(&line[*name])).collect();
    TextTable::new(headings, lines.iter().map(row))
}

fn cell(value: &Value) -> TextCell {
    match value {
        Value::Number(number) => TextCell::number(Some(number)),
        value => TextCell::text(value.as_str()),
    }
}

/// A suite in a run, with evidence and trust.
pub fn suite(named: &Named, clock: &dyn Fn(i64) -> String) -> Value {
    let mut suite = json::suite(&named.suite, named.row.as_ref());
    suite["how"] = json!(named.how.text(clock));
    suite["trust"] = json!(if named.is_sure { "sure" } else { "maybe" });
    suite
}

/// Lines for the suites in a run: the state, the suites, the candidates, and the number of unknown ones.
pub fn lines(attached: &Attached, clock: &dyn Fn(i64) -> String) -> Vec<Value> {
    let mut lines = vec![json!({"kind": "state", "words": attached.words()})];
    for (kind, list) in [
        ("suite", &attached.named),
        ("candidate", &attached.candidates),
    ] {
        for named in list {
            let mut line = suite(named, clock);
            line["kind"] = kind.into();
            lines.push(line);
        }
    }
    if let Some(words) = attached.unknown_row() {
        let how = attached.unknown_how();
        lines.push(json!({"kind": "unknown", "words": words, "how": how}));
    }
    lines
}
