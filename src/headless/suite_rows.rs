//! What of a suite stands in which column.

use super::table::{Cell, Table};
use crate::attached::{Attached, Named};
use crate::cli::Format;
use crate::domain::{DocRef, SuiteRow};

pub struct Column {
    /// Its name among comma separated values, as in JSON.
    pub name: &'static str,
    /// Its heading in a table.
    pub heading: &'static str,
    /// It stands in tables, too.
    pub in_tables: bool,
    /// The value of a row, in the way of a format.
    pub cell: fn(&SuiteLine, Format) -> Cell,
}

pub fn table(columns: &[Column], rows: &[SuiteLine], format: Format) -> Table {
    let values = format == Format::Csv;
    let taken: Vec<&Column> = columns
        .iter()
        .filter(|column| values || column.in_tables)
        .collect();
    let heading = |column: &&Column| if values { column.name } else { column.heading };
    let cells = |row: &SuiteLine| {
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
const fn column(
    name: &'static str,
    heading: &'static str,
    cell: fn(&SuiteLine, Format) -> Cell,
) -> Column {
    Column {
        name,
        heading,
        in_tables: true,
        cell,
    }
}

/// A column of values alone.
const fn value(
    name: &'static str,
    heading: &'static str,
    cell: fn(&SuiteLine, Format) -> Cell,
) -> Column {
    Column {
        name,
        heading,
        in_tables: false,
        cell,
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

const ID: Column = column("id", "Suite", |line, format| match format {
    Format::Csv => line.text(|row| &row.id),
    _ => name(line),
});
const REF: Column = value("ref", "Reference", |line, _| {
    Cell::text(line.suite.as_ref().map(DocRef::as_str))
});
const ORDER: Column = column("order", "Order", |line, _| line.text(|row| &row.order));
const TITLE: Column = column("title", "Title", |line, _| line.text(|row| &row.title));
const VERSION: Column = column("version", "Version", |line, _| {
    line.text(|row| &row.version)
});
const PRIORITY: Column = column("priority", "Priority", |line, _| {
    line.text(|row| &row.priority)
});
const CASES: Column = column("total_cases", "Cases", |line, _| {
    Cell::number(line.row.as_ref().and_then(|row| row.total_cases))
});
const EDITED_BY: Column = value("edited_by", "Edited by", |line, _| {
    line.text(|row| &row.edited_by)
});
const EDITED: Column = value("display_edited_on", "Edited", |line, _| {
    line.text(|row| &row.display_edited_on)
});
const DESCRIPTION: Column = value("description", "Description", |line, _| {
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
    value("kind", "Kind", |line, _| Cell::Text(line.kind.into())),
    value("words", "Words", |line, _| {
        Cell::text(line.words.as_deref())
    }),
    REF,
    ID,
    column("title", "Title", |line, format| match format {
        Format::Csv => line.text(|row| &row.title),
        _ => title(line),
    }),
    ORDER,
    PRIORITY,
    CASES,
    column("how", "How it is known", |line, _| {
        Cell::text(line.how.as_deref())
    }),
    column("trust", "Trust", |line, _| Cell::text(line.trust)),
];
