//! The tables, and what is made sure of before they are used.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior};

use super::error::Fault;

/// How long another program may hold the file.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two tries, where the database itself does not wait.
const NEXT_TRY: Duration = Duration::from_millis(5);

/// Raised when the tables change.
const VERSION: i64 = 1;
/// Tells the file from those of other programs: "rnds".
const APPLICATION: i64 = 0x726e_6473;

/// `counts` is a JSON object of cases by result code; null where the service told none. A row is only ever added at the
/// end, moved in `seen_until`, or removed when it is too old.
const TABLES: &str = "
CREATE TABLE schema (version INTEGER NOT NULL) STRICT;
CREATE TABLE runs (id INTEGER PRIMARY KEY, profile TEXT NOT NULL, scope TEXT NOT NULL, run TEXT NOT NULL,
  UNIQUE (profile, scope, run)) STRICT;
CREATE TABLE samples (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), at INTEGER NOT NULL,
  seen_until INTEGER NOT NULL, clock_back INTEGER NOT NULL, counts TEXT, suites INTEGER, progress INTEGER) STRICT;
CREATE INDEX samples_by_run ON samples (run, id);
CREATE INDEX samples_by_age ON samples (seen_until);
";

/// When runs are due, as somebody typed it, in epoch milliseconds. A file of before has no such table, and a program of
/// before leaves it alone.
const DUE: &str = "
CREATE TABLE IF NOT EXISTS due (profile TEXT NOT NULL, scope TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (profile, scope, run)) STRICT, WITHOUT ROWID;
";

/// Opens the file, which must be there, and makes the tables in an empty one.
pub fn open(path: &Path) -> Result<Connection, Fault> {
    let mut connection = connect(path)?;
    if is_empty(&connection)? {
        make(&mut connection)?;
    }
    check(&connection)?;
    // Readers and one writer at the same time. Where a file system cannot do that, SQLite stays with what it can.
    patiently(|| connection.pragma_update(None, "journal_mode", "WAL"))?;
    patiently(|| connection.execute_batch(DUE))?;
    Ok(connection)
}

/// A connection to a file that was opened before.
pub fn connect(path: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // In WAL mode this loses nothing when the program is killed, and nothing but the newest when the power fails.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

fn is_empty(connection: &Connection) -> Result<bool, Fault> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    Ok(tables == 0 && application(connection)? == 0)
}

fn application(connection: &Connection) -> Result<i64, Fault> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

fn make(connection: &mut Connection) -> Result<(), Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another program may have been faster.
    if is_empty(&transaction)? {
        transaction.execute_batch(TABLES)?;
        transaction.execute("INSERT INTO schema (version) VALUES (?1)", [VERSION])?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
    }
    Ok(transaction.commit()?)
}

fn check(connection: &Connection) -> Result<(), Fault> {
    if application(connection)? != APPLICATION {
        return Err(Fault::Foreign);
    }
    let version: Option<i64> = connection
        .query_row("SELECT max(version) FROM schema", (), |row| row.get(0))
        .optional()?
        .flatten();
    match version {
        Some(VERSION) => Ok(()),
        Some(found) if found > VERSION => Err(Fault::Newer {
            found,
            known: VERSION,
        }),
        _ => Err(Fault::Damaged("no version that there has ever been".into())),
    }
}

/// Changing the mode does not wait for other programs by itself.
fn patiently(mut attempt: impl FnMut() -> rusqlite::Result<()>) -> Result<(), Fault> {
    let begun = Instant::now();
    loop {
        match attempt() {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begun.elapsed() < PATIENCE =>
            {
                std::thread::sleep(NEXT_TRY);
            }
            done => return Ok(done?),
        }
    }
}
