//! Cache of the runs on the disk: one database for each source. It may be deleted at any time, except for news that the
//! history has not taken yet.

use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use super::prelude::*;
use super::run::{Presence, Run};
use crate::disk::database::{Database, DatabaseError, Schema, inode, is_on_network};
use crate::disk::{DiskError, file, state_dir};
use crate::domain::Document;
use crate::samples::RunNews;

/// Version of the tables, a part of the file name.
const VERSION: i64 = 3;
/// Status of a reading that has not ended.
const UNDER_WAY: i64 = -1;
/// Time after which a reading without a sign of life is ignored, in milliseconds.
const SILENT: i64 = 60_000;
/// Limits of the kept documents: number, bytes in total, and age in milliseconds.
const DOCUMENTS: i64 = 200;
const DOCUMENTS_BYTES: i64 = 20 << 20;
const DOCUMENTS_AGE: i64 = 30 * 24 * 3_600_000;
/// Maximum number of news that wait for the history.
const NEWS: i64 = 5_000;
/// Time after which an unused file is removed.
const UNUSED: Duration = Duration::from_hours(30 * 24);
/// Suffixes of the files that `SQLite` keeps beside the database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];
/// Content of `CACHEDIR.TAG`, which excludes the folder from backups (bford.info/cachedir).
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n";

/// Schema of the file; the application id is "rndc".
static SCHEMA: Schema = Schema {
    what: "kept runs",
    variable: "XDG_CACHE_HOME",
    application: 0x726e_6463,
    version: VERSION,
    tables: "
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE paths (paths INTEGER PRIMARY KEY, names TEXT NOT NULL) STRICT;
CREATE TABLE runs (run TEXT PRIMARY KEY, row TEXT NOT NULL, paths INTEGER NOT NULL, hidden BLOB NOT NULL, state INTEGER NOT NULL,
  read_at INTEGER NOT NULL, counted_at INTEGER, stamp INTEGER NOT NULL) STRICT;
CREATE INDEX runs_by_stamp ON runs (stamp);
CREATE TABLE lists (list TEXT PRIMARY KEY, size INTEGER NOT NULL, mark INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE readings (list TEXT NOT NULL, rank INTEGER NOT NULL, status INTEGER NOT NULL, begun INTEGER NOT NULL,
  alive INTEGER NOT NULL, ended INTEGER, host TEXT NOT NULL, process INTEGER NOT NULL, reader INTEGER NOT NULL,
  PRIMARY KEY (list, rank, status)) STRICT, WITHOUT ROWID;
CREATE TABLE documents (run TEXT PRIMARY KEY, document TEXT NOT NULL, read_at INTEGER NOT NULL) STRICT;
CREATE TABLE news (number INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT NOT NULL) STRICT;
",
    holds: "",
    later: &[],
};

/// Query for [`kept_run`], without its condition.
const RUN: &str = "SELECT run, row, paths, hidden, state, read_at, counted_at FROM runs WHERE";

/// Source of the runs in a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunsOrigin {
    pub service: String,
    pub realm: String,
    pub user: String,
    pub project: String,
    pub subproject: Option<String>,
}

impl RunsOrigin {
    /// All parts as text, the same in all versions of this program.
    fn text(&self) -> String {
        let user = self.user.to_lowercase();
        text_of(&Self {
            user,
            ..self.clone()
        })
    }

    /// Digest of all parts.
    pub fn key(&self) -> String {
        format!("{:016x}", digest(&self.text()))
    }

    /// Path of the cache in this folder.
    pub fn file(&self, folder: &Path) -> PathBuf {
        folder.join(format!("runs-{VERSION}-{}.sqlite", self.key()))
    }
}

/// JSON of a value that always can be JSON.
fn text_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Properties of a list that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompleteList {
    /// Number of runs.
    pub size: u64,
    /// Newest `EditedOn` that was known at the end of the reading.
    pub mark: Option<i64>,
}

/// A reading of this or another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    pub begun: i64,
    /// Time of the end and exit status; `None` while it is running.
    pub ended: Option<(i64, i64)>,
}

/// Extent of a reading, by which programs find out that another one covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Lists to begin with; empty for all open runs.
    pub list: String,
    /// Rank: a reading covers those of lower ranks.
    pub rank: i64,
}

/// Stands for all rows, as the cache was emptied meanwhile.
pub const ANEW: i64 = -1;

/// Cache of one source. All calls block.
#[derive(Debug)]
pub struct RunCache {
    database: Database,
    pub source: RunsOrigin,
    on_network: bool,
    /// Message about the file for the user.
    pub message: Option<String>,
    /// Random number that identifies the readings of this object.
    reader: i64,
    /// Random id of this file, to distinguish it from earlier ones of the same name.
    pub id: String,
    /// Number of the newest write that was read.
    stamp: i64,
    cleared: i64,
}

impl RunCache {
    /// Opens the cache of a source and creates folder (0700) and file (0600) if needed. A damaged or foreign file is
    /// moved aside and reported in [`Self::message`].
    pub fn open(folder: &Path, source: &RunsOrigin, on_network: bool) -> Done<Self> {
        let path = source.file(folder);
        let inode = inode(&path);
        Self::open_once(&path, Some(source), on_network).or_else(|error| {
            let why = error.lasts().ok_or(error)?;
            Self::anew(&path, (inode, &why), source, on_network)
        })
    }

    /// Marks the file as used, tags the folder and removes old files.
    pub fn in_use(&self) {
        let path = &self.database.path;
        let folder = path.parent().unwrap_or(path);
        // The time shows which caches are unused; a failure to set it does not matter.
        let touched = file::touch(path).and_then(|()| {
            // Where everything is in one folder, backups must not leave it out.
            let is_for_caches = state_dir().as_deref() != Some(folder);
            is_for_caches
                .then(|| file::create(&folder.join("CACHEDIR.TAG"), TAG))
                .transpose()
        });
        if let Err(error) = touched {
            tracing::warn!(%error, "the cache folder is not told as what it is");
        }
        prune(folder, path);
    }

    /// Opens an existing cache of any source.
    pub fn of_file(path: &Path) -> Done<Self> {
        Self::open_once(path, None, is_on_network(path))
    }

    /// Number of runs that are not gone, and start of the newest successful reading that was not of one
    /// list alone, in epoch milliseconds.
    pub fn summary(&self) -> Done<(i64, Option<i64>)> {
        let sql = "SELECT (SELECT count(*) FROM runs WHERE state <> ?), \
            (SELECT max(begun) FROM readings WHERE status = 0 AND rank >= 0)";
        let found = self.database.one(sql, [Presence::Gone as i64], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        found.ok_or_else(|| self.unreadable())
    }

    /// Opens the file that has the name now; the current file is moved aside if it still has the name.
    pub fn renew(&mut self, why: &str) -> Done {
        let (path, inode) = (&self.database.path, self.database.inode);
        let new = Self::anew(path, (inode, why), &self.source, self.on_network);
        new.map(|new| *self = new)
    }

    /// Creates the file anew. `old` is the inode of the file that cannot be read, `why` the reason.
    fn anew(
        path: &Path,
        (old, why): (Option<u64>, &str),
        source: &RunsOrigin,
        on_network: bool,
    ) -> Done<Self> {
        let name = path.display();
        let message = if inode(path) == old && old.is_some() {
            let aside = set_aside(path).map_err(DiskError::opening(path));
            let aside = aside.map_err(misplaced)?;
            let aside = aside.display();
            format!(
                "the cache {name} could not be read ({why}) and was set aside as {aside}; the runs are read anew"
            )
        } else {
            format!("the cache {name} was moved away and is made anew")
        };
        Ok(Self {
            message: Some(message),
            ..Self::open_once(path, Some(source), on_network)?
        })
    }

    fn open_once(path: &Path, source: Option<&RunsOrigin>, on_network: bool) -> Done<Self> {
        let mut cache = Self {
            database: Database::open(&SCHEMA, path, on_network)?,
            source: RunsOrigin::default(),
            on_network,
            message: None,
            reader: 0,
            id: String::new(),
            stamp: 0,
            cleared: 0,
        };
        if let Some(source) = source
            && cache.fact("id")?.is_none()
        {
            // In one statement, as another program may do the same at this moment.
            let sql =
                "INSERT OR IGNORE INTO facts VALUES ('id', hex(randomblob(8))), ('source', ?1)";
            cache.database.run(sql, [text_of(source)])?;
        }
        let (id, kept) = (cache.fact("id")?, cache.fact("source")?);
        let kept = kept.and_then(|source| serde_json::from_str(&source).ok());
        let Some((id, kept)) = id.zip(kept) else {
            return Err(cache.database.damaged("it says not whose it is"));
        };
        (cache.id, cache.source) = (id, kept);
        if source.is_some_and(|source| source.text() != cache.source.text()) {
            let other = "it is of another service, user or project";
            return Err(cache.database.damaged(other));
        }
        cache.cleared = cache.number("cleared")?.unwrap_or(0);
        let reader = cache
            .database
            .one("SELECT random()", (), |row| Ok(row.get(0)?))?;
        cache.reader = reader.unwrap_or_default();
        Ok(cache)
    }

    /// Runs `work` in one transaction, with other writers locked out.
    pub fn transaction<T>(&mut self, work: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.within("BEGIN IMMEDIATE", work)
    }

    /// Runs `work`, which only reads, on one state of the file; no writer is waited for.
    pub fn snapshot<T>(&mut self, work: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.within("BEGIN", work)
    }

    fn within<T>(&mut self, begin: &str, work: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        if self.database.is_replaced() {
            return Err(self.database.damaged("it was moved away"));
        }
        let known = (self.stamp, self.cleared);
        self.batch(begin)?;
        let done = work(self).and_then(|done| self.batch("COMMIT").map(|()| done));
        if done.is_err() {
            (self.stamp, self.cleared) = known;
            // Some failures have already rolled back.
            let _ = self.batch("ROLLBACK");
        }
        done
    }

    /// Number of the write after which there are unread writes of others; `None` if there are none.
    pub fn newer(&mut self) -> Done<Option<i64>> {
        let fact = |name| self.number(name).map(Option::unwrap_or_default);
        let (stamp, cleared) = (fact("stamp")?, fact("cleared")?);
        let since = if cleared == self.cleared {
            self.stamp
        } else {
            ANEW
        };
        (self.stamp, self.cleared) = (stamp, cleared);
        Ok(Some(since).filter(|since| *since != stamp))
    }

    /// Passes the rows written after `since` to `take`.
    pub fn rows(&self, since: i64, mut take: impl FnMut(Run)) -> Done {
        let sql = format!("{RUN} stamp > ?1");
        let mut room = None;
        let taken = self.database.all(&sql, [since], |row| {
            Ok(kept_run(row, &mut room)?.map(&mut take))
        })?;
        let taken: Option<()> = taken.into_iter().collect();
        taken.ok_or_else(|| self.unreadable())
    }

    /// Passes the times of rows read at `since` (epoch milliseconds) or later to `take`: of the last reading, and of that
    /// with counts.
    pub fn times(&self, since: i64, mut take: impl FnMut(DocRef, i64, Option<i64>)) -> Done {
        let sql = "SELECT run, read_at, counted_at FROM runs WHERE read_at >= ?1";
        let taken = self.database.all(sql, [since], |row| {
            if let Ok(run) = DocRef::parse(&row.get::<_, String>(0)?) {
                take(run, row.get(1)?, row.get(2)?);
            }
            Ok(())
        });
        taken.map(drop)
    }

    /// The cached runs among `wanted`, in order; none if the account was refused.
    pub fn some(&self, wanted: &[DocRef]) -> Done<Vec<Run>> {
        if self
            .number("barred")?
            .is_some_and(|it| it >= super::BARRED.into())
        {
            return Ok(Vec::new());
        }
        let sql = format!("{RUN} run = ?1");
        let mut room = None;
        // One transaction for all, so that the log is locked once.
        let _together = self.database.with(Connection::unchecked_transaction)?;
        let mut found = Vec::new();
        for run in wanted {
            let kept = self
                .database
                .one(&sql, [run.as_str()], |row| Ok(kept_run(row, &mut room)?))?;
            found.extend(kept.flatten());
        }
        Ok(found)
    }

    /// Writes runs and the digests of their other fields.
    pub fn put<'a>(&mut self, runs: impl Iterator<Item = (&'a Run, FieldDigests)>) -> Done {
        self.stamped(runs, |cache, (run, hidden)| {
            let (names, hidden) = hidden.parts();
            let paths = digest(&names).cast_signed();
            let sql = "INSERT OR IGNORE INTO paths VALUES (?1, ?2)";
            cache.database.run(sql, params![paths, names])?;
            let sql = "INSERT OR REPLACE INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let values = params![
                run.doc_ref.as_str(),
                &*run.text,
                paths,
                hidden,
                run.state as i64,
                run.read_at,
                run.counted_at,
                cache.stamp
            ];
            cache.database.run(sql, values)
        })
    }

    /// Marks runs as missing in their lists.
    pub fn not_seen(&mut self, runs: &[DocRef]) -> Done {
        self.stamped(runs.iter(), |cache, run| {
            let sql = "UPDATE runs SET state = ?2, stamp = ?3 WHERE run = ?1";
            let state = Presence::NotSeen as i64;
            cache
                .database
                .run(sql, params![run.as_str(), state, cache.stamp])
        })
    }

    /// Writes all items as one numbered write, if there are any.
    fn stamped<T>(
        &mut self,
        all: impl Iterator<Item = T>,
        write: impl Fn(&Self, T) -> Done,
    ) -> Done {
        let mut all = all.peekable();
        if all.peek().is_none() {
            return Ok(());
        }
        self.stamp += 1;
        all.try_for_each(|it| write(self, it))?;
        self.set("stamp", self.stamp)
    }

    /// Writes the time of the last reading of a run.
    pub fn touch(&self, run: &Run) -> Done {
        let sql = "UPDATE runs SET read_at = max(read_at, ?2), counted_at = max(ifnull(counted_at, ?3), ?3) WHERE run = ?1";
        self.database.run(
            sql,
            params![run.doc_ref.as_str(), run.read_at, run.counted_at],
        )
    }

    /// Puts `before` in the place of times of readings that are later than `now`, all in epoch milliseconds.
    pub fn set_back(&self, before: i64, now: i64) -> Done {
        self.database.write(|to| {
            let runs = "UPDATE runs SET read_at = min(read_at, ?1), counted_at = min(counted_at, ?1) \
                WHERE max(read_at, ifnull(counted_at, 0)) > ?2";
            to.execute(runs, [before, now])?;
            let readings = "UPDATE readings SET begun = ?1 WHERE begun > ?2 AND ended IS NOT NULL";
            to.execute(readings, [before, now])?;
            Ok(())
        })
    }

    pub fn remove(&self, run: &DocRef) -> Done {
        self.database
            .run("DELETE FROM runs WHERE run = ?1", [run.as_str()])?;
        self.remove_document(run)
    }

    pub fn remove_document(&self, run: &DocRef) -> Done {
        self.database
            .run("DELETE FROM documents WHERE run = ?1", [run.as_str()])
    }

    /// Digests of the fields of a run that its row does not have.
    pub fn hidden(&self, run: &DocRef) -> Done<FieldDigests> {
        let sql = "SELECT names, hidden FROM runs JOIN paths USING (paths) WHERE run = ?1";
        let found = self.database.one(sql, [run.as_str()], |row| {
            let (names, hidden): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
            Ok(FieldDigests::of_parts(&names, &hidden))
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Keeps the document of an opened run with the time of its reading (epoch milliseconds) and removes the oldest
    /// ones.
    pub fn keep_document(&mut self, document: &Document, at: i64) -> Done {
        let text = text_of(document);
        self.transaction(|cache| {
            let sql = "INSERT OR REPLACE INTO documents VALUES (?1, ?2, ?3)";
            cache.database.run(sql, params![document.doc_ref().as_str(), text, at])?;
            let sql = "DELETE FROM documents WHERE read_at < ?1 OR run IN (SELECT run FROM (SELECT run, \
                row_number() OVER newest AS place, sum(length(document)) OVER newest AS bytes FROM documents \
                WINDOW newest AS (ORDER BY read_at DESC, run)) WHERE place > ?2 OR bytes > ?3)";
            cache.database.run(sql, [at - DOCUMENTS_AGE, DOCUMENTS, DOCUMENTS_BYTES])
        })
    }

    /// Kept document of a run, with the time of its reading.
    pub fn document(&self, run: &DocRef) -> Done<Option<(Document, i64)>> {
        let sql = "SELECT document, read_at FROM documents WHERE run = ?1";
        let found = self.database.one(sql, [run.as_str()], |row| {
            let document = serde_json::from_str(&row.get::<_, String>(0)?).ok();
            Ok(document.zip(row.get(1).ok()))
        })?;
        Ok(found.flatten())
    }

    /// Removes all older data from the log file, unless another program is reading.
    pub fn wipe_log(&self) -> Done {
        self.database.wipe_log()
    }

    /// Adds news. Numbers grow with the time, so that none is used twice after an older file was restored.
    pub fn add_news(&self, news: &RunNews) -> Done {
        let sql = "INSERT INTO news SELECT max(?1, ifnull(max(seq), 0) + 1), ?2 FROM sqlite_sequence WHERE name = 'news'";
        self.database
            .run(sql, params![news.at.saturating_mul(1 << 20), text_of(news)])
    }

    /// Removes the oldest news beyond the bound: a history that cannot be opened takes none.
    pub fn bound_news(&self) -> Done {
        let sql = "DELETE FROM news WHERE number <= (SELECT number FROM news ORDER BY number DESC LIMIT 1 OFFSET ?1)";
        self.database.run(sql, [NEWS])
    }

    /// News that the history may not have taken yet, with their numbers.
    pub fn news(&self) -> Done<Vec<(i64, RunNews)>> {
        let sql = "SELECT number, item FROM news ORDER BY number";
        let items = self.database.all(sql, (), |row| {
            let item = serde_json::from_str(&row.get::<_, String>(1)?).ok();
            Ok(item.map(|item| (row.get_unwrap(0), item)))
        })?;
        let items: Option<Vec<_>> = items.into_iter().collect();
        items.ok_or_else(|| self.unreadable())
    }

    /// Removes the news up to this number, as the history has taken them.
    pub fn taken(&self, number: i64) -> Done {
        self.database
            .run("DELETE FROM news WHERE number <= ?1", [number])
    }

    pub fn lists(&self) -> Done<Vec<(String, CompleteList)>> {
        let sql = "SELECT list, size, mark FROM lists";
        self.database.all(sql, (), |row| {
            let list = CompleteList {
                size: row.get::<_, i64>(1)?.cast_unsigned(),
                mark: row.get(2)?,
            };
            Ok((row.get(0)?, list))
        })
    }

    pub fn remove_list(&self, name: &str) -> Done {
        self.database
            .run("DELETE FROM lists WHERE list = ?1", [name])
    }

    pub fn put_list(&self, name: &str, list: &CompleteList) -> Done {
        let size = list.size.cast_signed();
        let values = params![name, size, list.mark];
        let sql = "INSERT OR REPLACE INTO lists VALUES (?1, ?2, ?3)";
        self.database.run(sql, values)
    }

    /// Begins a reading, unless another program runs one that covers it; that one is returned.
    pub fn begin(&mut self, wanted: &Wanted, now: i64) -> Done<Option<Begun>> {
        self.transaction(|cache| {
            let other = cache.under_way(wanted, now)?;
            if other.is_none() {
                cache.note(wanted, now, now)?;
            }
            Ok(other)
        })
    }

    fn note(&self, wanted: &Wanted, begun: i64, now: i64) -> Done {
        let (host, process) = this_process();
        let sql = "INSERT OR REPLACE INTO readings VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7, ?8)";
        let Wanted { list, rank } = wanted;
        let reader = self.reader;
        let values = params![list, rank, UNDER_WAY, begun, now, host, process, reader];
        self.database.run(sql, values)
    }

    fn under_way(&self, wanted: &Wanted, now: i64) -> Done<Option<Begun>> {
        let sql = "SELECT begun, host, process FROM readings WHERE rank >= ?2 AND (list = ?1 OR rank > 0) \
            AND ended IS NULL AND abs(?3 - alive) < ?4 AND reader <> ?5";
        let values = params![wanted.list, wanted.rank, now, SILENT, self.reader];
        let others = self.database.all(sql, values, |row| {
            let host: String = row.get(1)?;
            Ok((row.get(0)?, is_alive(&host, row.get(2)?)))
        });
        let other = others?.into_iter().find(|(_, is_alive)| *is_alive);
        Ok(other.map(|(begun, _)| Begun { begun, ended: None }))
    }

    /// Newest ended reading of the same extent that began at `since` (epoch milliseconds) or later, else a running one.
    pub fn reading(&self, wanted: &Wanted, since: i64, now: i64) -> Done<Option<Begun>> {
        let sql = "SELECT begun, ended, status FROM readings WHERE rank >= ?2 AND (list = ?1 OR rank > 0) \
            AND begun BETWEEN ?3 AND ?4 AND ended IS NOT NULL ORDER BY status <> 0, begun DESC LIMIT 1";
        let values = params![wanted.list, wanted.rank, since, now];
        let ended = self.database.one(sql, values, |row| {
            let ended = Some((row.get(1)?, row.get(2)?));
            let begun = row.get(0)?;
            Ok(Begun { begun, ended })
        })?;
        ended.map_or_else(|| self.under_way(wanted, now), |ended| Ok(Some(ended)))
    }

    /// Lists of successful readings, with the start of the newest one in epoch milliseconds.
    pub fn read_at(&self) -> Done<Vec<(String, i64)>> {
        let sql = "SELECT list, max(begun) FROM readings WHERE status = 0 GROUP BY list";
        self.database
            .all(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Signals that a reading of this program, which began at `begun`, is still running; also one that began beside that
    /// of another program, once that one has ended or fallen silent.
    pub fn alive(&mut self, wanted: &Wanted, begun: i64, now: i64) -> Done {
        self.transaction(|cache| match cache.under_way(wanted, now)? {
            None => cache.note(wanted, begun, now),
            Some(_) => Ok(()),
        })
    }

    /// Ends a reading with an exit status. The last reading with each status stays known.
    pub fn end(&self, wanted: &Wanted, now: i64, status: i64) -> Done {
        let sql = "UPDATE OR REPLACE readings SET ended = ?3, status = ?4 \
            WHERE list = ?1 AND rank = ?2 AND reader = ?5 AND ended IS NULL";
        let Wanted { list, rank } = wanted;
        self.database
            .run(sql, params![list, rank, now, status, self.reader])
    }

    /// Ends the readings of this reader that are under way: their results are not wanted any more.
    pub fn end_all(&self, now: i64) -> Done {
        let sql = "UPDATE OR REPLACE readings SET ended = ?1, status = 1 WHERE reader = ?2 AND ended IS NULL";
        self.database.run(sql, params![now, self.reader])
    }

    /// Removes all runs; programs with the cache open read them again.
    pub fn clear(&mut self) -> Done {
        self.transaction(|cache| {
            cache.batch(
                "DELETE FROM runs; DELETE FROM paths; DELETE FROM lists; DELETE FROM documents; DELETE FROM readings WHERE ended IS NOT NULL; \
                DELETE FROM facts WHERE name IN ('page_limit', 'edits', 'edits_seen')",
            )?;
            let cleared = cache.number("cleared")?.unwrap_or(0) + 1;
            cache.set("cleared", cleared)
        })?;
        self.batch("VACUUM")?;
        self.wipe_log()
    }

    /// Value of a fact about the source or the file.
    fn fact(&self, name: &str) -> Done<Option<String>> {
        let sql = "SELECT value FROM facts WHERE name = ?1";
        self.database.one(sql, [name], |row| Ok(row.get(0)?))
    }

    /// Value of a fact as a number.
    pub fn number(&self, name: &str) -> Done<Option<i64>> {
        Ok(self.fact(name)?.and_then(|value| value.parse().ok()))
    }

    pub fn set(&self, name: &str, value: i64) -> Done {
        let sql = "INSERT OR REPLACE INTO facts VALUES (?1, ?2)";
        self.database.run(sql, [name, &value.to_string()])
    }

    fn unreadable(&self) -> DatabaseError {
        self.database.damaged("a row that is none")
    }

    fn batch(&self, sql: &str) -> Done {
        self.database.with(|it| it.execute_batch(sql))
    }
}

/// Reads a run from a database row; `room` is a buffer.
fn kept_run(row: &Row<'_>, room: &mut Option<RunRow>) -> rusqlite::Result<Option<Run>> {
    let states = [Presence::Here, Presence::NotSeen, Presence::Gone];
    let number: i64 = row.get(4)?;
    let mut states = states.into_iter();
    let state = states.find(|state| *state as i64 == number);
    let doc_ref = DocRef::parse(row.get_ref(0)?.as_str()?).ok();
    let text = row.get_ref(1)?.as_str()?;
    let run = doc_ref.and_then(|doc_ref| Run::of_text(doc_ref, text, room));
    let (read_at, counted_at) = (row.get(5)?, row.get(6)?);
    let paths: i64 = row.get(2)?;
    let hidden = FieldDigests::digest_of(paths.cast_unsigned(), row.get_ref(3)?.as_blob()?);
    Ok(run.zip(state).map(|(run, state)| Run {
        hidden,
        state,
        read_at,
        counted_at,
        ..run
    }))
}

/// Caches in a folder, and remains of others: files moved aside, or those beside a missing database.
pub fn files(folder: &Path) -> Done<(Vec<PathBuf>, Vec<PathBuf>)> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Default::default()),
        entries => entries.map_err(|error| misplaced(DiskError::opening(folder)(error)))?,
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let ours = |path: &PathBuf| {
        let name = name_of(path);
        name.starts_with("runs-") && name.contains(".sqlite")
    };
    let is_cache = |path: &PathBuf| path.extension().is_some_and(|it| it == "sqlite");
    let (mut caches, mut others): (Vec<_>, Vec<_>) = paths.filter(ours).partition(is_cache);
    caches.sort();
    others.retain(|path| {
        let name = name_of(path);
        let mut of = BESIDE.iter().filter_map(|end| name.strip_suffix(end));
        of.all(|name| !path.with_file_name(name).exists())
    });
    Ok((caches, others))
}

fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Removes a database with the files beside it.
pub fn remove(path: &Path) -> Done {
    let mut files = parts(path);
    let removed = files.try_for_each(|path| file::remove(&path));
    removed.map_err(|error| misplaced(DiskError::writing(path)(error)))
}

/// Paths of a database and of the files beside it.
pub fn parts(path: &Path) -> impl Iterator<Item = PathBuf> {
    let part = |end| path.with_file_name(format!("{}{end}", name_of(path)));
    iter::once("").chain(BESIDE).map(part)
}

/// Removes caches of older versions and those that were not opened for 30 days. A failure is only logged, as the next
/// start tries again.
fn prune(folder: &Path, own: &Path) {
    let older = |path: &Path| {
        let version = name_of(path)
            .split('-')
            .nth(1)
            .and_then(|it| it.parse().ok());
        version.is_some_and(|version: i64| version < VERSION)
    };
    let unused = |path: &Path| {
        let modified = fs::metadata(path).and_then(|file| file.modified());
        modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > UNUSED))
    };
    let (mut caches, mut others) = files(folder).unwrap_or_default();
    caches.retain(|path| path != own && (older(path) || unused(path)));
    others.retain(|path| unused(path));
    for path in caches.iter().chain(&others) {
        if let Err(error) = remove(path) {
            tracing::warn!(%error, "an old cache was not removed");
        }
    }
}

/// Renames a database and removes the files beside it.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let aside = file::aside(path)?;
    parts(path).skip(1).try_for_each(|it| file::remove(&it))?;
    Ok(aside)
}

/// Name of this machine and id of this process.
fn this_process() -> (String, i32) {
    let uname = rustix::system::uname();
    let host = uname.nodename().to_string_lossy().into_owned();
    (host, rustix::process::getpid().as_raw_pid())
}

/// Returns true if the process may be running; processes of other machines always may.
fn is_alive(host: &str, process: i32) -> bool {
    if host != this_process().0 {
        return true;
    }
    let other = rustix::process::Pid::from_raw(process);
    other.is_some_and(|other| rustix::process::test_kill_process(other).is_ok())
}

fn misplaced(error: DiskError) -> DatabaseError {
    DatabaseError::Place(&SCHEMA, error)
}
