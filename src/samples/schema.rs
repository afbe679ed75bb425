//! The tables.

use super::history;
use crate::disk::database::Schema;

/// `counts` is a JSON object of cases by result code; null where the service told none. A row is only ever added at the
/// end, moved in `seen_until`, or removed when it is too old.
const TABLES: &str = "
CREATE TABLE runs (id INTEGER PRIMARY KEY, profile TEXT NOT NULL, scope TEXT NOT NULL, run TEXT NOT NULL,
  UNIQUE (profile, scope, run)) STRICT;
CREATE TABLE samples (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), at INTEGER NOT NULL,
  seen_until INTEGER NOT NULL, clock_back INTEGER NOT NULL, counts TEXT, suites INTEGER, progress INTEGER) STRICT;
CREATE INDEX samples_by_run ON samples (run, id);
CREATE INDEX samples_by_age ON samples (seen_until);
";

/// When runs and releases are due, as somebody typed it, in epoch milliseconds.
const DUE: &str = "
CREATE TABLE IF NOT EXISTS due (profile TEXT NOT NULL, scope TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (profile, scope, run)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS due_releases (profile TEXT NOT NULL, scope TEXT NOT NULL, version TEXT NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (profile, scope, version)) STRICT, WITHOUT ROWID;
";

/// Views that were kept from the list: what each shows, as JSON.
const VIEWS: &str = "
CREATE TABLE IF NOT EXISTS views (id INTEGER PRIMARY KEY, profile TEXT NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL,
  view TEXT NOT NULL, UNIQUE (profile, scope, name)) STRICT;
";

/// Its name is "rnds".
pub static SCHEMA: Schema = Schema {
    what: "samples",
    variable: "XDG_STATE_HOME",
    application: 0x726e_6473,
    version: 1,
    tables: TABLES,
    later: &[DUE, VIEWS, history::TABLES],
};
