//! The tables.

use super::history;
use crate::disk::database::Schema;

/// `counts` is a JSON object of cases by result code; null without counts. A row is only ever appended, changed in
/// `seen_until`, or removed when it is too old.
const TABLES: &str = "
CREATE TABLE runs (id INTEGER PRIMARY KEY, profile TEXT NOT NULL, scope TEXT NOT NULL, run TEXT NOT NULL,
  UNIQUE (profile, scope, run)) STRICT;
CREATE TABLE samples (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), at INTEGER NOT NULL,
  seen_until INTEGER NOT NULL, clock_back INTEGER NOT NULL, counts TEXT, suites INTEGER, progress INTEGER) STRICT;
CREATE INDEX samples_by_run ON samples (run, id);
CREATE INDEX samples_by_age ON samples (seen_until);
";

/// Due dates of runs and releases, as the user typed them, in epoch milliseconds.
const DUE: &str = "
CREATE TABLE IF NOT EXISTS due (profile TEXT NOT NULL, scope TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (profile, scope, run)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS due_releases (profile TEXT NOT NULL, scope TEXT NOT NULL, version TEXT NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (profile, scope, version)) STRICT, WITHOUT ROWID;
";

/// Saved views of the list, as JSON.
const VIEWS: &str = "
CREATE TABLE IF NOT EXISTS views (id INTEGER PRIMARY KEY, profile TEXT NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL,
  view TEXT NOT NULL, UNIQUE (profile, scope, name)) STRICT;
";

/// Days on which the user used the program: the last time of each, in epoch milliseconds.
const USES: &str = "
CREATE TABLE IF NOT EXISTS uses (profile TEXT NOT NULL, scope TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (profile, scope, at)) STRICT, WITHOUT ROWID;
";

/// Address of the service to which the data of a name belong: a profile of the same name may have another one.
const SERVICES: &str = "
CREATE TABLE IF NOT EXISTS services (profile TEXT PRIMARY KEY, service TEXT NOT NULL) STRICT, WITHOUT ROWID;
";

/// The application is "rnds".
pub static SCHEMA: Schema = Schema {
    what: "samples",
    variable: "XDG_STATE_HOME",
    application: 0x726e_6473,
    version: 1,
    tables: TABLES,
    holds: "your saved tabs, due dates and what you have seen",
    later: &[DUE, VIEWS, USES, SERVICES, history::TABLES],
};
