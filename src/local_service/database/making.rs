//! Creation of a new database under a temporary name beside the wanted file. It is renamed when complete, so that an
//! unfinished one is never used.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;

use super::schema::{self, FORMAT};
use super::{Parameters, Progress, secrets};
use crate::local_service::data::{MadeRun, PLACES, RunMaker, VERSIONS, make_suite, release};
use crate::local_service::prelude::*;

/// Rows between two calls of the progress function.
const STEP: u64 = 1_000;

/// Creates the database at `path` unless another process has just done so. `progress` gets (done, total) in units of
/// runs; the indexes are the last third.
pub fn make(path: &Path, wanted: &Parameters, progress: Progress<'_>) -> Result<(), ServiceError> {
    let unfinished = unfinished_name(path);
    let at = |source| ServiceError::File {
        path: unfinished.clone(),
        source,
    };
    let lock = private_file(&unfinished).map_err(at)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(ServiceError::BeingMade {
                path: path.to_owned(),
            });
        }
        Err(TryLockError::Error(source)) => return Err(at(source)),
    }
    if super::has_content(path)? {
        return Ok(());
    }
    lock.set_len(0).map_err(at)?;
    let connection = Connection::open(&unfinished)?;
    fill(&connection, wanted, progress)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.close().map_err(|(_, error)| error)?;
    std::fs::rename(&unfinished, path).map_err(|source| ServiceError::File {
        path: path.to_owned(),
        source,
    })
}

/// Path of the database until it is complete.
pub fn unfinished_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".making");
    PathBuf::from(name)
}

/// Opens a file that only its owner can read, as it has secrets.
fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.mode(0o600).open(path)
}

fn fill(
    connection: &Connection,
    wanted: &Parameters,
    progress: Progress<'_>,
) -> Result<(), ServiceError> {
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -4000;",
    )?;
    let indexes = schema::indexes();
    let total = wanted.runs + wanted.runs / 2;
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch(schema::TABLES)?;
    insert_names(&transaction)?;
    let suites = insert_suites(&transaction, wanted)?;
    let under_way = wanted
        .release_at
        .map(|now| release(wanted.seed, wanted.runs + 1, &suites, now));
    let under_way = under_way.unwrap_or_default();
    let made = wanted.runs + under_way.len() as u64;
    let maker = RunMaker::new(wanted.seed, wanted.runs, suites);
    {
        let mut insert = RunInsert::new(&transaction)?;
        for seq in 1..=wanted.runs {
            insert.insert(seq.cast_signed(), &maker.make(seq))?;
            if seq.is_multiple_of(STEP) {
                progress(seq, total)?;
            }
        }
        for (seq, run) in (wanted.runs + 1..).zip(&under_way) {
            insert.insert(seq.cast_signed(), run)?;
        }
    }
    for (index, statement) in indexes.iter().enumerate() {
        transaction.execute_batch(statement)?;
        progress(
            wanted.runs + wanted.runs * (index as u64 + 1) / (2 * indexes.len() as u64),
            total,
        )?;
    }
    let mut state = transaction.prepare("INSERT INTO state (key, value) VALUES (?1, ?2)")?;
    let numbers = [
        ("format", FORMAT),
        ("runs", wanted.runs.cast_signed()),
        ("suites", wanted.suites.cast_signed()),
        ("seed", wanted.seed.cast_signed()),
        ("revision", 1),
        ("next_run", made.cast_signed() + 1),
    ];
    for (key, value) in numbers {
        state.execute(params![key, value])?;
    }
    for key in [
        secrets::TOKEN_KEY,
        secrets::CLIENT_SECRET,
        secrets::PASSWORD,
    ] {
        state.execute(params![key, secrets::random_text()?])?;
    }
    drop(state);
    transaction.commit()?;
    progress(total, total)
}

fn insert_names(connection: &Connection) -> Result<(), ServiceError> {
    let mut place = connection.prepare("INSERT INTO places VALUES (?1, ?2, ?3, ?4)")?;
    for (index, (project, sub, _)) in PLACES.iter().enumerate() {
        place.execute(params![int(index), project_number(index), project, sub])?;
    }
    let mut version = connection.prepare("INSERT INTO versions VALUES (?1, ?2)")?;
    for (index, name) in VERSIONS.iter().enumerate() {
        version.execute(params![int(index), name])?;
    }
    Ok(())
}

/// Index or length as a number of the database.
fn int(number: usize) -> i64 {
    number.cast_signed() as i64
}

/// Number of a project: that of its first place.
fn project_number(place: usize) -> i64 {
    int(PLACES
        .iter()
        .position(|(project, _, _)| *project == PLACES[place].0)
        .unwrap_or(place))
}

/// Stores the suites. Returns row number and cases of the suites of each scope.
fn insert_suites(
    connection: &Connection,
    wanted: &Parameters,
) -> Result<Vec<Vec<(u32, u32)>>, ServiceError> {
    let mut by_scope = vec![Vec::new(); PLACES.len() * VERSIONS.len()];
    let mut insert =
        connection.prepare("INSERT INTO suites VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    for seq in 1..=wanted.suites {
        let suite = make_suite(wanted.seed, seq);
        let scope = suite.scope;
        insert.execute(params![
            seq.cast_signed(),
            suite.number,
            int(scope.place),
            int(scope.version),
            suite.cases,
            suite.order,
            suite.text,
            suite.document
        ])?;
        by_scope[scope.index()].push((seq as u32, suite.cases));
    }
    Ok(by_scope)
}

/// Statements that store a generated run.
struct RunInsert<'c> {
    run: rusqlite::Statement<'c>,
    doc: rusqlite::Statement<'c>,
    text: rusqlite::Statement<'c>,
}

impl<'c> RunInsert<'c> {
    fn new(connection: &'c Connection) -> Result<Self, rusqlite::Error> {
        Ok(Self {
            run: connection
                .prepare("INSERT INTO runs VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")?,
            doc: connection.prepare("INSERT INTO docs VALUES (?1,?2,NULL,?3,?4,?5,?6,?7)")?,
            text: connection.prepare("INSERT INTO texts VALUES (?1,?2)")?,
        })
    }

    fn insert(&mut self, seq: i64, run: &MadeRun) -> Result<(), ServiceError> {
        self.run.execute(params![
            seq,
            run.uuid.as_bytes(),
            project_number(run.scope.place),
            int(run.scope.place),
            int(run.scope.version),
            run.closed,
            run.title,
            run.configuration,
            run.edited_by,
            run.edited_on,
            run.created_on,
            int(run.suites.len()),
            run.counts.progress()
        ])?;
        self.doc.execute(params![
            seq,
            run.document,
            serde_json::to_string(&run.suites)?,
            run.counts.to_text(),
            serde_json::to_string(&run.testers)?,
            run.assigned.cast_signed(),
            run.by_system
        ])?;
        self.text.execute(params![seq, run.text])?;
        Ok(())
    }
}
