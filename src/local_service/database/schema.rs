//! Tables of the database, and names of projects, sub projects and versions.

use rusqlite::Connection;

/// Format of tables and generated data; files of other formats are refused.
pub const FORMAT: i64 = 1;

/// `runs` is narrow, so that sorting reads few pages; documents are in `docs`, searched texts in `texts`. `sub` is a
/// row of `places`; `status` 0 is active, 1 inactive; `docs.suites` is the hidden truth, row numbers of suites in
/// order; `docs.meta` is null while `__meta` follows from the document.
pub const TABLES: &str = "
CREATE TABLE state (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE places (id INTEGER PRIMARY KEY, project INTEGER NOT NULL, project_name TEXT NOT NULL, sub_name TEXT NOT NULL) STRICT;
CREATE TABLE versions (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE runs (
  seq INTEGER PRIMARY KEY, ref BLOB NOT NULL, project INTEGER NOT NULL, sub INTEGER NOT NULL, version INTEGER NOT NULL,
  status INTEGER NOT NULL, title TEXT NOT NULL, configuration TEXT NOT NULL, edited_by TEXT NOT NULL,
  edited_on INTEGER NOT NULL, created_on INTEGER NOT NULL, suite_count INTEGER NOT NULL, progress INTEGER NOT NULL) STRICT;
CREATE TABLE docs (
  seq INTEGER PRIMARY KEY, doc TEXT NOT NULL, meta TEXT, suites TEXT NOT NULL, counts TEXT NOT NULL, testers TEXT NOT NULL,
  assigned INTEGER NOT NULL, by_system INTEGER NOT NULL) STRICT;
CREATE TABLE texts (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE suites (
  seq INTEGER PRIMARY KEY, number INTEGER NOT NULL UNIQUE, sub INTEGER NOT NULL, version INTEGER NOT NULL,
  cases INTEGER NOT NULL, ord INTEGER NOT NULL, text TEXT NOT NULL, doc TEXT NOT NULL) STRICT;
";

/// Columns of `runs` with an index as (index, column). Each index has all columns of the usual filters, so that a far
/// page is found without reading the rows before it.
pub const ORDERED: [(&str, &str); 10] = [
    ("runs_by_title", "title"),
    ("runs_by_seq", "seq"),
    ("runs_by_status", "status"),
    ("runs_by_version", "version"),
    ("runs_by_edited_on", "edited_on"),
    ("runs_by_edited_by", "edited_by"),
    ("runs_by_created_on", "created_on"),
    ("runs_by_progress", "progress"),
    ("runs_by_suite_count", "suite_count"),
    ("runs_by_configuration", "configuration"),
];

/// Statements that create the indexes, for after the rows are inserted.
pub fn indexes() -> Vec<String> {
    let mut statements = vec![
        "CREATE UNIQUE INDEX runs_by_ref ON runs (ref)".to_owned(),
        "CREATE INDEX suites_by_scope ON suites (sub, version, ord)".to_owned(),
    ];
    for (index, column) in ORDERED {
        let mut columns = vec!["project", column];
        columns.extend(
            ["seq", "sub", "status", "version"]
                .into_iter()
                .filter(|other| *other != column),
        );
        statements.push(format!(
            "CREATE INDEX {index} ON runs ({})",
            columns.join(", ")
        ));
    }
    statements
}

/// A sub project of a project.
#[derive(Debug, Clone)]
pub struct Place {
    /// Row of `places`, the `sub` of runs and suites.
    pub id: i64,
    /// Number of the project, the `project` of runs.
    pub project: i64,
    /// Project id, form `P_<n>`.
    pub project_name: String,
    /// Sub project id, form `SP_<n>` or `_`.
    pub sub_name: String,
}

/// All names of a database; no operation adds one.
#[derive(Debug, Clone)]
pub struct Names {
    /// Sub projects with their projects.
    pub places: Vec<Place>,
    versions: Vec<(i64, String)>,
}

impl Names {
    pub fn load(connection: &Connection) -> Result<Self, rusqlite::Error> {
        let places = connection
            .prepare("SELECT id, project, project_name, sub_name FROM places ORDER BY id")?
            .query_map([], |row| {
                Ok(Place {
                    id: row.get(0)?,
                    project: row.get(1)?,
                    project_name: row.get(2)?,
                    sub_name: row.get(3)?,
                })
            })?
            .collect::<Result<_, _>>()?;
        let versions = connection
            .prepare("SELECT id, name FROM versions ORDER BY id")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        Ok(Self { places, versions })
    }

    /// Number of a project.
    pub fn project(&self, name: &str) -> Option<i64> {
        self.places
            .iter()
            .find(|place| place.project_name == name)
            .map(|place| place.project)
    }

    /// Row of a sub project of a project.
    pub fn sub(&self, project: i64, name: &str) -> Option<i64> {
        self.places
            .iter()
            .find(|place| place.project == project && place.sub_name == name)
            .map(|place| place.id)
    }

    /// Row of a version.
    pub fn version(&self, name: &str) -> Option<i64> {
        self.versions
            .iter()
            .find(|(_, version)| version == name)
            .map(|(id, _)| *id)
    }

    pub fn version_name(&self, id: i64) -> Option<&str> {
        self.versions
            .iter()
            .find(|(version, _)| *version == id)
            .map(|(_, name)| name.as_str())
    }
}
