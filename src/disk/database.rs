//! Databases shared by several programs of ours: opening them, and errors.

use std::os::unix::fs::MetadataExt;
use std::time::Instant;

use rusqlite::{
    Connection, Error, ErrorCode, OpenFlags, OptionalExtension, Params, Row, Transaction,
    TransactionBehavior,
};
use url::Url;

use super::prelude::*;

/// Longest wait for another program that holds the file.
const PATIENCE: Duration = Duration::from_secs(10);
/// Pause between two tries, where the database itself does not wait.
const NEXT_TRY: Duration = Duration::from_millis(5);

/// Reason for a file that another program wrote.
const OTHERS: &str = "of another program";

/// A kind of database of ours.
#[derive(Debug)]
pub struct Schema {
    /// Its name for the user.
    pub what: &'static str,
    /// Environment variable of its folder.
    pub variable: &'static str,
    /// Application id of its file.
    pub application: i64,
    /// Incremented when the tables change.
    pub version: i64,
    pub tables: &'static str,
    /// Contents that go with a file that is moved away, for the user; empty if it comes again.
    pub holds: &'static str,
    /// Tables that older files lack and older programs ignore.
    pub later: &'static [&'static str],
}

/// An error of a database; it names the file and a remedy. The file is never changed or deleted because of an error.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The folder or the file cannot be used.
    #[error("the {}: {}", .0.what, .0.error_words(.1))]
    Place(&'static Schema, #[source] DiskError),
    /// The database in the file cannot be used.
    #[error("the {} {}{} ({})", of.what, of.error_words(fault), of.keep(fault), path.display())]
    File {
        of: &'static Schema,
        path: PathBuf,
        fault: DatabaseFault,
    },
}

/// Result of work with a database.
pub type Done<T = ()> = Result<T, DatabaseError>;

/// An error without its file.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseFault {
    /// Written by a newer version of this program.
    #[error(
        "are of version {found}, this rundown knows {known}: use the newer rundown, or move the file away, then new ones are begun"
    )]
    Newer { found: i64, known: i64 },
    /// The database of another program.
    #[error("are none of rundown: move the file away, then new ones are begun")]
    Foreign,
    /// The file does not have the expected contents.
    #[error(
        "are damaged ({0}): move the file away, and those beside it whose names begin the same, then new ones are begun"
    )]
    Damaged(String),
    /// Another program holds the file for too long.
    #[error("are held by another program: end the other rundown, or wait for it")]
    Held,
    /// Anything else.
    #[error("cannot be kept or read: {0}; {remedy}", remedy = remedy(.0))]
    Failed(Error),
}

impl From<Error> for DatabaseFault {
    fn from(error: Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Held,
            code if is_damage(code, &error) => Self::Damaged(error.to_string()),
            _ => Self::Failed(error),
        }
    }
}

impl DatabaseFault {
    pub fn at(self, of: &'static Schema, path: &Path) -> DatabaseError {
        DatabaseError::File {
            of,
            path: path.to_owned(),
            fault: self,
        }
    }
}

impl DatabaseError {
    /// Returns the reason if the file cannot be used now or later, `None` if it may be.
    pub fn lasts(&self) -> Option<String> {
        let Self::File { fault, .. } = self else {
            return None;
        };
        match fault {
            DatabaseFault::Damaged(why) => Some(why.clone()),
            DatabaseFault::Newer { .. } | DatabaseFault::Foreign => Some(OTHERS.into()),
            DatabaseFault::Failed(error) => is_odd(error).then(|| error.to_string()),
            DatabaseFault::Held => None,
        }
    }

    /// True if the file is ours and of no use, or the disk is full.
    pub fn may_go(&self) -> bool {
        let is_full = matches!(self, Self::File { of, path, fault: DatabaseFault::Failed(error) }
            if error.sqlite_error_code() == Some(ErrorCode::DiskFull) || has_no_index(error) && of.owns(path));
        is_full || self.lasts().is_some_and(|why| why != OTHERS)
    }
}

/// True if a table or column is missing.
fn is_odd(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::Unknown | ErrorCode::SchemaChanged))
}

/// True if there was no room for the index that programs with the file open share. One that has it open notices once
/// the file is gone.
fn has_no_index(error: &Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

/// True if the file is no database, or a table has unexpected contents.
fn is_damage(code: Option<ErrorCode>, error: &Error) -> bool {
    match code {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => true,
        None => matches!(
            error,
            Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..)
        ),
        // The file is shorter than its header claims.
        Some(_) => error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHORT_READ),
    }
}

/// Advice for the user.
fn remedy(error: &Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "make room on the disk, then try again",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "give yourself the right to write there, or set XDG_STATE_HOME to a folder of your own"
        }
        Some(ErrorCode::Unknown | ErrorCode::SchemaChanged) => {
            "move the file away, then new ones are begun"
        }
        Some(ErrorCode::SystemIoFailure) => {
            "check the disk, which may be full, or set XDG_STATE_HOME to a folder on another one"
        }
        _ => "check the disk, or set XDG_STATE_HOME to a folder on another one",
    }
}

impl Schema {
    /// Returns the words of an error, with the variable of this folder.
    fn error_words(&self, error: &dyn std::error::Error) -> String {
        error.to_string().replace("XDG_STATE_HOME", self.variable)
    }

    /// Returns what speaks against throwing the file away, if its error leads to a new one.
    fn keep(&self, fault: &DatabaseFault) -> String {
        let is_ours = match fault {
            DatabaseFault::Newer { .. } | DatabaseFault::Damaged(_) => true,
            DatabaseFault::Failed(error) => is_odd(error),
            DatabaseFault::Foreign | DatabaseFault::Held => false,
        };
        if !is_ours || self.holds.is_empty() {
            return String::new();
        }
        format!(", without {}, so keep the old one", self.holds)
    }

    /// Opens an existing file and creates the tables in an empty one.
    pub fn open(&self, path: &Path, on_network: bool) -> Result<Connection, DatabaseFault> {
        let mut connection = connect(path)?;
        if is_empty(&connection)? {
            self.make(&mut connection)?;
        }
        self.check(&connection)?;
        // WAL allows readers beside one writer. SQLite falls back where a file system cannot do that, except across
        // machines, where it cannot notice.
        let mode = if on_network { "TRUNCATE" } else { "WAL" };
        let change = || connection.pragma_update(None, "journal_mode", mode);
        if on_network {
            // An older rundown that has the file open keeps it in WAL until all have ended.
            change().or_else(|error| if is_busy(&error) { Ok(()) } else { Err(error) })?;
        } else {
            patiently(change)?;
        }
        for tables in self.later {
            patiently(|| connection.execute_batch(tables))?;
        }
        Ok(connection)
    }

    /// True if the header names this program and version; creates no file beside it.
    fn owns(&self, path: &Path) -> bool {
        let Ok(mut address) = Url::from_file_path(path) else {
            return false;
        };
        address.set_query(Some("immutable=1"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let opened = Connection::open_with_flags(address.as_str(), flags);
        opened.is_ok_and(|connection| self.check(&connection).is_ok())
    }

    fn make(&self, connection: &mut Connection) -> Result<(), DatabaseFault> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another program may have been faster.
        if is_empty(&transaction)? {
            transaction.execute_batch("CREATE TABLE schema (version INTEGER NOT NULL) STRICT;")?;
            transaction.execute_batch(self.tables)?;
            transaction.execute("INSERT INTO schema (version) VALUES (?1)", [self.version])?;
            transaction.pragma_update(None, "application_id", self.application)?;
        }
        Ok(transaction.commit()?)
    }

    fn check(&self, connection: &Connection) -> Result<(), DatabaseFault> {
        if application(connection)? != self.application {
            return Err(DatabaseFault::Foreign);
        }
        let version: Option<i64> = connection
            .query_row("SELECT max(version) FROM schema", (), |row| row.get(0))
            .optional()?
            .flatten();
        match version {
            Some(version) if version == self.version => Ok(()),
            Some(found) if found > self.version => Err(DatabaseFault::Newer {
                found,
                known: self.version,
            }),
            _ => Err(DatabaseFault::Damaged(
                "no version that there has ever been".into(),
            )),
        }
    }
}

/// An open database of ours.
#[derive(Debug)]
pub struct Database {
    of: &'static Schema,
    pub path: PathBuf,
    /// Identity of the file when it was opened.
    pub inode: Option<u64>,
    connection: Connection,
}

impl Database {
    /// Opens a file, creating its folder (mode 0700), the file (0600) and its tables if missing. A file that is damaged,
    /// of a newer version or of another program is an error and stays unchanged.
    pub fn open(of: &'static Schema, path: &Path, on_network: bool) -> Done<Self> {
        let placed = place::folder(path.parent().unwrap_or(path));
        // Created here, so that no other user can read it at any moment; files beside it get the same rights.
        let placed = placed.and_then(|()| place::there(path));
        placed.map_err(|error| DatabaseError::Place(of, error))?;
        // Read first: if the file is replaced meanwhile, that is noticed later.
        let inode = inode(path);
        let connection = of.open(path, on_network);
        Ok(Self {
            of,
            path: path.to_owned(),
            inode,
            connection: connection.map_err(|fault| fault.at(of, path))?,
        })
    }

    /// True if the file was moved away, deleted or replaced meanwhile.
    pub fn is_replaced(&self) -> bool {
        inode(&self.path) != self.inode
    }

    /// Returns an error for unexpected contents.
    pub fn damaged(&self, why: &str) -> DatabaseError {
        DatabaseFault::Damaged(why.to_owned()).at(self.of, &self.path)
    }

    /// Works with the connection.
    pub fn with<'a, T, E: Into<DatabaseFault>>(
        &'a self,
        work: impl FnOnce(&'a Connection) -> Result<T, E>,
    ) -> Done<T> {
        work(&self.connection).map_err(|error| error.into().at(self.of, &self.path))
    }

    /// Does the work in one transaction, with other writers locked out.
    pub fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, DatabaseFault>,
    ) -> Done<T> {
        self.with(|connection| {
            // Begun for writing: a transaction that starts with reading could not wait for another program.
            let begun = TransactionBehavior::Immediate;
            let transaction = Transaction::new_unchecked(connection, begun)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok::<_, DatabaseFault>(done)
        })
    }

    /// Executes a statement.
    pub fn run(&self, sql: &str, values: impl Params) -> Done {
        self.with(|it| it.prepare_cached(sql)?.execute(values).map(drop))
    }

    /// Returns the rows of a query.
    pub fn all<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T, DatabaseFault>,
    ) -> Done<Vec<T>> {
        self.with(|it| {
            let mut statement = it.prepare_cached(sql)?;
            statement.query_and_then(values, read)?.collect()
        })
    }

    /// Returns the last row of a query, if any.
    pub fn one<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T, DatabaseFault>,
    ) -> Done<Option<T>> {
        Ok(self.all(sql, values, read)?.pop())
    }

    /// Removes everything deleted before from the files, unless another program is reading at this moment.
    pub fn wipe_log(&self) -> Done {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        self.with(|it| it.query_row(sql, (), |_| Ok(())))
    }
}

/// Identity of a file, to notice that it was replaced.
pub fn inode(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|file| file.ino())
}

/// Connects to a file that was opened before.
pub fn connect(path: &Path) -> Result<Connection, DatabaseFault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // In WAL mode a killed program loses nothing, a power failure only the newest writes.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // Erases the texts of deleted runs from free pages.
    connection.pragma_update(None, "secure_delete", "ON")?;
    Ok(connection)
}

/// True if a file is on another machine, where the log of a database cannot be shared. Outside Linux only `/net`
/// counts.
pub fn is_on_network(path: &Path) -> bool {
    /// NFS, CIFS and SMB 2 (`linux/magic.h`, `fs/cifs`).
    #[cfg(target_os = "linux")]
    const SHARED: [u32; 3] = [0x6969, 0xff53_4d42, 0xfe53_4d42];
    let Some(path) = path.ancestors().find(|it| it.exists()) else {
        return false;
    };
    #[cfg(target_os = "linux")]
    let shared = rustix::fs::statfs(path).is_ok_and(|it| SHARED.contains(&(it.f_type as u32)));
    #[cfg(not(target_os = "linux"))]
    let shared = path.starts_with("/net");
    shared
}

fn is_empty(connection: &Connection) -> Result<bool, DatabaseFault> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    Ok(tables == 0 && application(connection)? == 0)
}

fn application(connection: &Connection) -> Result<i64, DatabaseFault> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

fn is_busy(error: &Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Retries a change that does not wait for other programs by itself.
fn patiently(mut attempt: impl FnMut() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && begun.elapsed() < PATIENCE => {
                std::thread::sleep(NEXT_TRY);
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SCHEMA: Schema = Schema {
        what: "songs",
        variable: "XDG_CACHE_HOME",
        application: 1,
        version: 1,
        tables: "",
        holds: "",
        later: &[],
    };

    #[test]
    fn only_what_is_ours_and_of_no_use_may_go() {
        let words = |code: i32| {
            DatabaseFault::from(Error::SqliteFailure(rusqlite::ffi::Error::new(code), None))
        };
        let newer = DatabaseFault::Newer { found: 2, known: 1 };
        for (fault, may_go) in [
            (words(rusqlite::ffi::SQLITE_CORRUPT), true),
            (words(rusqlite::ffi::SQLITE_NOTADB), true),
            // A missing table.
            (words(rusqlite::ffi::SQLITE_ERROR), true),
            (words(rusqlite::ffi::SQLITE_FULL), true),
            (words(rusqlite::ffi::SQLITE_BUSY), false),
            (words(rusqlite::ffi::SQLITE_READONLY), false),
            // Whose a file is that is not there cannot be seen.
            (words(rusqlite::ffi::SQLITE_IOERR_SHMSIZE), false),
            (newer, false),
            (DatabaseFault::Foreign, false),
        ] {
            let error = fault.at(&SCHEMA, Path::new("songs"));
            assert_eq!(error.may_go(), may_go, "{error}");
        }
    }
}
