//! What of a suite stands in which column.

use crate::attached::{Attached, Named};
use crate::cli::Format;
use crate::domain::table::{Cell, Table};
use crate::domain::{DocRef, SuiteRow};

/// A column: its name among comma separated values, as in JSON, its heading where it stands in tables too, and the value
/// of a line in the way of a format.
pub type Column = (&'static str, Option<&'static str>, CellOf);

type CellOf = fn(&SuiteLine, Format) -> Cell;

pub fn table(columns: &[Column], rows: &[SuiteLine], format: Format) -> Table {
    let taken = columns.iter().filter_map(|(name, heading, cell)| {
        let heading = if format == Format::Csv {
            Some(*name)
        } else {
            *heading
        };
        Some((heading?, *cell))
    });
    let (headings, cells): (Vec<_>, Vec<CellOf>) = taken.unzip();
    let row = |row: &SuiteLine| cells.iter().map(|cell| cell(row, format)).collect();
    Table {
        headings,
        rows: rows.iter().map(row).collect(),
    }
}

/// A line of a list of suites.
#[derive(Clone, Debug, Default)]
pub struct SuiteLine {
    /// `state`, `suite`, `candidate` or `unknown`.
    pub kind: &'static str,
    /// The suite, where the line is about one.
    pub suite: Option<DocRef>,
    /// What is known of it.
    pub row: Option<SuiteRow>,
    /// What the line says, where it is about no suite.
    pub words: Option<String>,
    /// How it is known.
    pub how: Option<String>,
    /// How sure that is.
    pub trust: Option<&'static str>,
}

impl SuiteLine {
    /// A suite that can be added.
    pub fn free(row: SuiteRow) -> Self {
        Self {
            kind: "suite",
            suite: Some(row.doc_ref.clone()),
            row: Some(row),
            ..Self::default()
        }
    }

    fn named(kind: &'static str, named: &Named, clock: &dyn Fn(i64) -> String) -> Self {
        Self {
            kind,
            suite: Some(named.suite.clone()),
            row: named.row.clone(),
            words: None,
            how: Some(named.how.text(clock)),
            trust: Some(named.trust.word()),
        }
    }

    fn text(&self, field: fn(&SuiteRow) -> &Option<String>) -> Cell {
        Cell::text(self.row.as_ref().and_then(|row| field(row).as_deref()))
    }
}

/// The suites in a run: a line for the state, the suites, the guesses, and one for those that nobody can name.
pub fn lines(attached: &Attached, headline: &str, clock: &dyn Fn(i64) -> String) -> Vec<SuiteLine> {
    let mut lines = vec![SuiteLine {
        kind: "state",
        words: Some(headline.to_owned()),
        ..SuiteLine::default()
    }];
    lines.extend(
        attached
            .named
            .iter()
            .map(|named| SuiteLine::named("suite", named, clock)),
    );
    lines.extend(
        attached
            .candidates
            .iter()
            .map(|named| SuiteLine::named("candidate", named, clock)),
    );
    lines.extend(attached.unknown_row().map(|words| SuiteLine {
        kind: "unknown",
        words: Some(words),
        how: attached.unknown_how(),
        ..SuiteLine::default()
    }));
    lines
}

/// A suite by name: its short id, else its reference, as on the screen.
fn name(line: &SuiteLine) -> Cell {
    let id = line.row.as_ref().and_then(|row| row.id.as_deref());
    Cell::text(id.or_else(|| line.suite.as_ref().map(DocRef::as_str)))
}

/// The title of a suite, or what a line says that is about none.
fn title(line: &SuiteLine) -> Cell {
    match &line.words {
        Some(words) => Cell::Text(words.clone()),
        None => line.text(|row| &row.title),
    }
}

const ID: Column = ("id", Some("Suite"), |line, format| match format {
    Format::Csv => line.text(|row| &row.id),
    _ => name(line),
});
const REF: Column = ("ref", None, |line, _| {
    Cell::text(line.suite.as_ref().map(DocRef::as_str))
});
const ORDER: Column = ("order", Some("Order"), |line, _| {
    line.text(|row| &row.order)
});
const TITLE: Column = ("title", Some("Title"), |line, _| {
    line.text(|row| &row.title)
});
const VERSION: Column = ("version", Some("Version"), |line, _| {
    line.text(|row| &row.version)
});
const PRIORITY: Column = ("priority", Some("Priority"), |line, _| {
    line.text(|row| &row.priority)
});
const CASES: Column = ("total_cases", Some("Cases"), |line, _| {
    Cell::number(line.row.as_ref().and_then(|row| row.total_cases))
});
const EDITED_BY: Column = ("edited_by", None, |line, _| line.text(|row| &row.edited_by));
const EDITED: Column = ("display_edited_on", None, |line, _| {
    line.text(|row| &row.display_edited_on)
});
const DESCRIPTION: Column = ("description", None, |line, _| {
    line.text(|row| &row.description)
});

/// The columns of suites that can be added.
pub static SUITE: &[Column] = &[
    REF,
    ID,
    TITLE,
    ORDER,
    PRIORITY,
    CASES,
    VERSION,
    EDITED_BY,
    EDITED,
    DESCRIPTION,
];

/// The columns of suites in a run.
pub static ATTACHED: &[Column] = &[
    ("kind", None, |line, _| Cell::Text(line.kind.into())),
    ("words", None, |line, _| Cell::text(line.words.as_deref())),
    REF,
    ID,
    ("title", Some("Title"), |line, format| match format {
        Format::Csv => line.text(|row| &row.title),
        _ => title(line),
    }),
    ORDER,
    PRIORITY,
    CASES,
    ("how", Some("How it is known"), |line, _| {
        Cell::text(line.how.as_deref())
    }),
    ("trust", Some("Trust"), |line, _| Cell::text(line.trust)),
];
