//! What of a suite stands in which column.

use serde_json::{Value, json};

use crate::attached::{Attached, Named};
use crate::cli::Format;
use crate::domain::json;
use crate::domain::table::{Cell, Table};

/// A column: its name among comma separated values, as in JSON, and its heading where it stands in tables too.
pub type Column = (&'static str, Option<&'static str>);

/// The columns of every list of suites.
const SUITE: &[Column] = &[
    ("ref", None),
    ("id", Some("Suite")),
    ("title", Some("Title")),
    ("order", Some("Order")),
    ("priority", Some("Priority")),
    ("total_cases", Some("Cases")),
];

/// What stands before and after them.
pub type Columns = [&'static [Column]; 2];

/// Of suites that can be added.
pub const AVAILABLE: Columns = [
    &[],
    &[
        ("version", Some("Version")),
        ("edited_by", None),
        ("display_edited_on", None),
        ("description", None),
    ],
];

/// Of suites in a run.
pub const ATTACHED: Columns = [
    &[("kind", None), ("words", None)],
    &[("how", Some("How it is known")), ("trust", Some("Trust"))],
];

/// Lines as a table; each is an object of JSON.
pub fn table([before, after]: Columns, lines: Vec<Value>, format: Format) -> Table {
    let csv = format == Format::Csv;
    let columns = [before, SUITE, after].concat().into_iter();
    let taken = columns.filter_map(|(name, heading)| {
        let heading = if csv { Some(name) } else { heading };
        Some((name, heading?.to_owned()))
    });
    let (names, headings): (Vec<_>, Vec<_>) = taken.unzip();
    let row = |mut line: Value| {
        if !csv {
            // By name: the short id, else the reference, as on the screen; or what a line says that is about no suite.
            for (name, instead) in [("id", "ref"), ("title", "words")] {
                if line[name].is_null() {
                    line[name] = line[instead].clone();
                }
            }
        }
        names.iter().map(|name| cell(&line[*name])).collect()
    };
    Table {
        rows: lines.into_iter().map(row).collect(),
        headings,
    }
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Number(number) => Cell::number(Some(number)),
        value => Cell::text(value.as_str()),
    }
}

/// A suite in a run, how it is known, and how sure that is.
pub fn suite(named: &Named, clock: &dyn Fn(i64) -> String) -> Value {
    let mut suite = json::suite(&named.suite, named.row.as_ref());
    suite["how"] = json!(named.how.text(clock));
    suite["trust"] = json!(named.trust.word());
    suite
}

/// The suites in a run: a line for the state, the suites, the guesses, and one for those that nobody can name.
pub fn lines(attached: &Attached, headline: &str, clock: &dyn Fn(i64) -> String) -> Vec<Value> {
    let mut lines = vec![json!({"kind": "state", "words": headline})];
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
