//! Database: created once, read through several connections and written through one.

mod lag;
mod making;
pub mod schema;
pub mod secrets;
mod snapshot;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, InterruptHandle, OpenFlags, Transaction, TransactionBehavior, params};

use super::error::ServiceError;
use super::fault::Fault;
use super::query::Cache;
use lag::{Lag, OldState};
use schema::{FORMAT, Names};
pub use snapshot::Snapshot;

/// Maximum number of connections kept for reading.
pub const READERS: usize = 4;

/// Gets (done, total) in units of runs while data is generated; an error ends the generation.
pub type Progress<'p> = &'p mut dyn FnMut(u64, u64) -> Result<(), ServiceError>;

/// Parameters of the data in a database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Number of test runs.
    pub runs: u64,
    /// Number of test suites.
    pub suites: u64,
    /// Seed of the generated data.
    pub seed: u64,
    /// Time of a release in progress whose runs are added, epoch milliseconds.
    pub release_at: Option<i64>,
}

impl std::fmt::Display for Parameters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} runs, {} suites and seed {}",
            self.runs, self.suites, self.seed
        )
    }
}

/// An open database.
pub struct Database {
    path: PathBuf,
    /// Projects, sub projects and versions.
    pub names: Names,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    interrupts: Mutex<Vec<InterruptHandle>>,
    cache: Mutex<Cache>,
    lag: Option<Lag>,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Opens the database at `path`; creates it if it does not exist.
    pub fn open(
        path: &Path,
        wanted: Parameters,
        progress: Progress<'_>,
    ) -> Result<Self, ServiceError> {
        if !has_content(path)? {
            making::make(path, &wanted, progress)?;
        }
        let writer = connect(path).map_err(|error| not_ours(path, error))?;
        check(&writer, path, wanted)?;
        writer.pragma_update(None, "journal_mode", "WAL")?;
        let names = Names::load(&writer)?;
        let interrupts = Mutex::new(vec![writer.get_interrupt_handle()]);
        Ok(Self {
            path: path.to_owned(),
            names,
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            interrupts,
            cache: Mutex::default(),
            lag: None,
        })
    }

    /// Delays the effect of writes on reads by `lag`.
    pub fn lagging(self, lag: Duration) -> Self {
        Self {
            lag: (!lag.is_zero()).then(|| Lag::new(lag)),
            ..self
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Secret of this database under this key.
    pub fn secret(&self, key: &str) -> Result<secrecy::SecretString, ServiceError> {
        Ok(secrets::load(&unpoisoned(&self.writer), key)?)
    }

    /// Runs `work` on one state of the database: the present one, or with a lag the state before the oldest write that
    /// is not visible yet.
    pub fn read<T>(
        &self,
        work: impl FnOnce(&Snapshot<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let states = self.lag.as_ref().map(Lag::states);
        if let Some(old) = states.as_ref().and_then(|states| states.front()) {
            let (connection, revision) = (Arc::clone(&old.connection), old.revision);
            drop(states);
            return work(&self.snapshot(&unpoisoned(&connection), revision));
        }
        let kept = unpoisoned(&self.readers).pop();
        let connection = match kept {
            Some(connection) => connection,
            None => self.new_reader()?,
        };
        let answer = self.read_on(&connection, states, work);
        let mut readers = unpoisoned(&self.readers);
        if readers.len() < READERS {
            readers.push(connection);
        }
        answer
    }

    fn snapshot<'a>(&'a self, connection: &'a Connection, revision: i64) -> Snapshot<'a> {
        Snapshot {
            connection,
            revision,
            names: &self.names,
            cache: &self.cache,
        }
    }

    fn new_reader(&self) -> Result<Connection, Fault> {
        let connection = connect(&self.path)?;
        let mut interrupts = unpoisoned(&self.interrupts);
        if interrupts.len() > READERS {
            interrupts.remove(1);
        }
        interrupts.push(connection.get_interrupt_handle());
        Ok(connection)
    }

    /// Reads the present state, which is fixed before `states` is released for a write.
    fn read_on<T>(
        &self,
        connection: &Connection,
        states: Option<MutexGuard<'_, VecDeque<OldState>>>,
        work: impl FnOnce(&Snapshot<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let transaction = connection.unchecked_transaction()?;
        let revision = revision(&transaction)?;
        drop(states);
        work(&self.snapshot(&transaction, revision))
    }

    /// Runs `work` as one transaction, which is rolled back on a fault.
    pub fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut writer = unpoisoned(&self.writer);
        let kept = self
            .lag
            .as_ref()
            .map(|lag| lag.keep(&self.path))
            .transpose()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let answer = work(&transaction)?;
        transaction.execute(
            "UPDATE state SET value = value + 1 WHERE key = 'revision'",
            [],
        )?;
        transaction.commit()?;
        if let Some(kept) = kept {
            kept.written();
        }
        Ok(answer)
    }

    /// Interrupts all work on the database.
    pub fn interrupt(&self) {
        for handle in unpoisoned(&self.interrupts).iter() {
            handle.interrupt();
        }
        if let Some(lag) = &self.lag {
            lag.interrupt();
        }
    }
}

/// Number of the state that a connection reads; reading it fixes the state of an open transaction.
fn revision(connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection
        .prepare_cached("SELECT value FROM state WHERE key = 'revision'")?
        .query_row([], |row| row.get(0))
}

/// Locks even after a panic: transactions have rolled back, and the cache may be used as it is.
pub fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000;")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// Returns true if there is a file that is not empty.
fn has_content(path: &Path) -> Result<bool, ServiceError> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len() > 0),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(ServiceError::File {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Reports a file that is not a database as foreign; other failures stay.
fn not_ours(path: &Path, error: rusqlite::Error) -> ServiceError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => ServiceError::Foreign {
            path: path.to_owned(),
            reason: "it is no SQLite file".to_owned(),
        },
        _ => error.into(),
    }
}

/// Refuses files of other programs, and data of other parameters.
fn check(connection: &Connection, path: &Path, wanted: Parameters) -> Result<(), ServiceError> {
    let foreign = |reason: String| ServiceError::Foreign {
        path: path.to_owned(),
        reason,
    };
    let number = |key: &str| {
        connection
            .query_row(
                "SELECT value FROM state WHERE key = ?1",
                params![key],
                |row| row.get::<_, i64>(0),
            )
            .map_err(|error| foreign(error.to_string()))
    };
    let format = number("format")?;
    if format != FORMAT {
        return Err(foreign(format!(
            "it has format {format}, this program reads {FORMAT}"
        )));
    }
    let found = Parameters {
        runs: number("runs")?.cast_unsigned(),
        suites: number("suites")?.cast_unsigned(),
        seed: number("seed")?.cast_unsigned(),
        release_at: wanted.release_at,
    };
    if found == wanted {
        return Ok(());
    }
    Err(ServiceError::OtherParameters {
        path: path.to_owned(),
        found: found.to_string(),
        wanted: wanted.to_string(),
    })
}
