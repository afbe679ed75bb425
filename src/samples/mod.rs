//! Changes of the counts of runs, kept in `samples.sqlite` for burn-up and forecast; and due dates, which the service
//! does not have.
//!
//! Any number of programs may use the same file. A program that is killed loses at most the sample it was writing. All
//! calls block: for a thread that may wait.

mod export;
mod history;
mod prune;
mod row;
mod schema;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use rusqlite::{Params, Row, Transaction, params};

pub use export::{csv_head, csv_of, to_csv};
pub use history::{Before, PastNews, RunHistory, RunNews, Unread, UnreadSince};
use schema::SCHEMA;

pub use crate::disk::database::DatabaseError;
use crate::disk::database::{Database, DatabaseFault as Fault, Done, is_on_network};
use crate::domain::{DocRef, DueDates, DueOf, Sample, lock};

/// Tables of due dates, with the column of the run or release.
const DUE_RUNS: (&str, &str) = ("due", "run");
const DUE_RELEASES: (&str, &str) = ("due_releases", "version");
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Keeping of counts that were seen again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// After [`Sample::GAP`] as new ones.
    Anew,
    /// If the run has none yet.
    First,
    /// Only the time until which they were seen.
    Nothing,
}

/// The samples in one folder.
#[derive(Debug)]
pub struct Samples(Mutex<Database>);

impl Samples {
    /// Returns the path of the file in `folder`.
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("samples.sqlite")
    }

    /// Opens `samples.sqlite` in `folder`, creating the folder (mode 0700) and the file (0600) if missing. Data older
    /// than `days` is removed in the background, see [`Samples::prune`]; `now` is in epoch milliseconds.
    ///
    /// A file that is damaged, of a newer version or of another program is an error and stays unchanged.
    pub fn open(folder: &Path, days: u32, now: i64) -> Done<Self> {
        let path = Self::file(folder);
        let database = Database::open(&SCHEMA, &path, is_on_network(&path))?;
        prune::in_background(path, days, now);
        Ok(Self(Mutex::new(database)))
    }

    /// Returns the name of a profile for [`Samples::of_scope`]: its own, or with its service behind it where the data of
    /// that name are of another service, whose runs may have the same references.
    pub fn name_of(&self, profile: &str, service: &str) -> Done<String> {
        let service = service.trim_end_matches('/');
        let database = self.database()?;
        let known = || {
            let sql = "SELECT service FROM services WHERE profile = ?1";
            database.one(sql, [profile], |row| Ok(row.get::<_, String>(0)?))
        };
        let mut of = known()?;
        if of.is_none() {
            database.run(
                "INSERT OR IGNORE INTO services VALUES (?1, ?2)",
                [profile, service],
            )?;
            of = known()?;
        }
        Ok(match of {
            Some(other) if other != service => format!("{profile} {service}"),
            _ => profile.to_owned(),
        })
    }

    /// Returns the counts of a profile and a scope: the project and sub project that runs are read through, such as
    /// `P_9/SP_1`.
    pub fn of_scope<'a>(&'a self, profile: &'a str, scope: &'a str) -> Counts<'a> {
        Counts {
            samples: self,
            profile,
            scope,
        }
    }

    /// Removes data last seen more than `days` before `now` (epoch milliseconds), or before the newest sample if the
    /// clock is ahead of all, and the oldest if there are more than 256 MiB; runs without samples are removed, too.
    /// Returns the number of samples removed.
    pub fn prune(&self, days: u32, now: i64) -> Done<usize> {
        self.database()?.with(|it| prune::prune(it, days, now))
    }

    /// Returns the rows of a query with the runs in their column `run`, without rows that name none.
    fn of_runs<T>(
        &self,
        sql: &str,
        of: impl Params,
        read: impl Fn(&Row<'_>) -> Result<T, Fault>,
    ) -> Done<Vec<(DocRef, T)>> {
        let rows = self.database()?.all(sql, of, |row| {
            Ok((
                DocRef::parse(&row.get::<_, String>("run")?).ok(),
                read(row)?,
            ))
        })?;
        Ok(rows
            .into_iter()
            .filter_map(|(run, of)| Some((run?, of)))
            .collect())
    }

    /// Returns the only number of a query.
    fn one(&self, sql: &str, of: impl Params) -> Done<Option<i64>> {
        Ok(self
            .database()?
            .one(sql, of, |row| Ok(row.get(0)?))?
            .flatten())
    }

    /// Returns the database; a new one where its file was moved away, or what is written would be lost.
    fn database(&self) -> Done<MutexGuard<'_, Database>> {
        // A transaction that a panic left behind was rolled back when it was dropped.
        let mut database = lock(&self.0);
        if database.is_replaced() {
            let path = database.path.clone();
            *database = Database::open(&SCHEMA, &path, is_on_network(&path))?;
        }
        Ok(database)
    }
}

/// Counts and settings of one profile and scope.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    pub samples: &'a Samples,
    profile: &'a str,
    scope: &'a str,
}

impl Counts<'_> {
    /// Keeps a sample of a run; returns `true` if it is new. An unchanged one only extends `seen_until` of the last
    /// one, unless more than [`Sample::GAP`] lies between: then it is kept anew, so that the gap is seen.
    ///
    /// Samples stay in the order in which they are added. One that is older than the last has `clock_back` set.
    pub fn add(&self, run: &DocRef, sample: &Sample) -> Done<bool> {
        self.add_all([(run, sample)]).map(|new| new == 1)
    }

    /// Keeps samples of several runs, all of them or none. Returns the number of new ones.
    pub fn add_all<'a>(
        &self,
        samples: impl IntoIterator<Item = (&'a DocRef, &'a Sample)>,
    ) -> Done<usize> {
        let new = self.samples.database()?.write(|to| {
            let mut new = 0;
            for (run, sample) in samples {
                new += usize::from(add(to, self.key(run), sample)?);
            }
            Ok(new)
        })?;
        self.samples
            .database()?
            .with(|it| prune::bound(it, prune::MOST))?;
        Ok(new)
    }

    /// Returns the samples of a run in order: all that were still seen at `since` (epoch milliseconds) or later.
    pub fn of(&self, run: &DocRef, since: i64) -> Done<Vec<Sample>> {
        let of = params![self.profile, self.scope, run.as_str(), since];
        self.samples.database()?.all(OF_RUN, of, row::read)
    }

    /// Returns the newest sample with counts of each run from before a time (epoch milliseconds, not included), without
    /// runs that have none.
    pub fn newest_before(&self, before: i64) -> Done<Vec<(DocRef, Sample)>> {
        self.samples.of_runs(
            NEWEST_BEFORE,
            params![self.profile, self.scope, before],
            row::read,
        )
    }

    /// Returns the due dates of the scope.
    pub fn due(&self) -> Done<DueDates> {
        let sql = |(table, column): (&str, &str)| {
            format!("SELECT {column}, at FROM {table} WHERE profile = ?1 AND scope = ?2")
        };
        let of = [self.profile, self.scope];
        let runs = self
            .samples
            .of_runs(&sql(DUE_RUNS), of, |row| Ok(row.get(1)?))?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let releases = self.samples.database()?.all(&sql(DUE_RELEASES), of, read)?;
        Ok(DueDates {
            runs: runs.into_iter().collect(),
            releases: releases.into_iter().collect(),
        })
    }

    /// Sets the due date of a run or a release (epoch milliseconds), or removes it.
    pub fn set_due(&self, of: &DueOf, at: Option<i64>) -> Done {
        let ((table, column), what) = match of {
            DueOf::Run(run) => (DUE_RUNS, run.as_str()),
            DueOf::Release(version) => (DUE_RELEASES, version.as_str()),
        };
        match at {
            Some(at) => self.samples.database()?.run(
                &format!(
                    "INSERT OR REPLACE INTO {table} (profile, scope, {column}, at) VALUES (?1, ?2, ?3, ?4)"
                ),
                (self.profile, self.scope, what, at),
            ),
            None => self.samples.database()?.run(
                &format!("DELETE FROM {table} WHERE profile = ?1 AND scope = ?2 AND {column} = ?3"),
                (self.profile, self.scope, what),
            ),
        }
    }

    /// Returns the saved views of the scope in order: name, and settings as JSON.
    pub fn views(&self) -> Done<Vec<(String, String)>> {
        let sql = "SELECT name, view FROM views WHERE profile = ?1 AND scope = ?2 ORDER BY id";
        self.samples
            .database()?
            .all(sql, [self.profile, self.scope], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
    }

    /// Saves a view, replacing one of its name, or removes it.
    pub fn set_view(&self, name: &str, view: Option<&str>) -> Done {
        match view {
            Some(view) => self.samples.database()?.run(
                "INSERT INTO views (profile, scope, name, view) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT DO UPDATE SET view = excluded.view",
                (self.profile, self.scope, name, view),
            ),
            None => self.samples.database()?.run(
                "DELETE FROM views WHERE profile = ?1 AND scope = ?2 AND name = ?3",
                (self.profile, self.scope, name),
            ),
        }
    }

    /// Records that the user used the program at a time of the day that began at `today` (epoch milliseconds). Kept are that
    /// time and the last one before the day.
    pub fn used(&self, at: i64, today: i64) -> Done {
        self.samples.database()?.write(|to| {
            // What lies ahead is of a wrong clock.
            let of_day = "DELETE FROM uses WHERE profile = ?1 AND scope = ?2 AND at >= ?3";
            to.execute(of_day, params![self.profile, self.scope, today])?;
            let sql = "INSERT INTO uses VALUES (?1, ?2, ?3)";
            to.execute(sql, params![self.profile, self.scope, at])?;
            let old = "DELETE FROM uses WHERE profile = ?1 AND scope = ?2 AND at NOT IN \
                (SELECT at FROM uses WHERE profile = ?1 AND scope = ?2 ORDER BY at DESC LIMIT 2)";
            to.execute(old, params![self.profile, self.scope])?;
            Ok(())
        })
    }

    /// Returns the last use by the user before a time, epoch milliseconds.
    pub fn last_use(&self, before: i64) -> Done<Option<i64>> {
        let sql = "SELECT max(at) FROM uses WHERE profile = ?1 AND scope = ?2 AND at < ?3";
        self.samples
            .one(sql, params![self.profile, self.scope, before])
    }

    /// Returns the newest counts of a run from before a time (epoch milliseconds).
    pub fn before_of(&self, run: &DocRef, at: i64) -> Done<Option<Sample>> {
        let of = params![self.profile, self.scope, run.as_str(), at];
        self.samples.database()?.one(BEFORE_OF, of, row::read)
    }

    /// Extends the time until which the newest counts of runs were seen.
    pub fn seen<'a>(&self, seen: impl Iterator<Item = (&'a DocRef, Sample, Keeps)>) -> Done {
        self.samples.database()?.write(|to| {
            for (run, sample, keeps) in seen {
                match (keeps, newest(to, self.key(run))?) {
                    (Keeps::Anew, _) | (Keeps::First, None) => {
                        add(to, self.key(run), &sample)?;
                    }
                    (_, Some((newest, id)))
                        if newest.tells_as(&sample) && newest.seen_until < sample.at =>
                    {
                        let sql = "UPDATE samples SET seen_until = ?2 WHERE id = ?1";
                        to.execute(sql, [id, sample.at])?;
                    }
                    _ => {}
                }
            }
            Ok(())
        })
    }

    /// Returns the time of the first kept counts, epoch milliseconds.
    pub fn first(&self) -> Done<Option<i64>> {
        let sql = "SELECT min(at) FROM samples JOIN runs ON runs.id = samples.run WHERE profile = ?1 AND scope = ?2";
        self.samples.one(sql, [self.profile, self.scope])
    }

    fn key<'a>(&'a self, run: &'a DocRef) -> RunKey<'a> {
        (self.profile, self.scope, run.as_str())
    }
}

/// Profile, scope and reference of a run.
type RunKey<'a> = (&'a str, &'a str, &'a str);

const OF_RUN: &str = "
SELECT at, seen_until, clock_back, counts, suites, progress FROM samples
WHERE run = (SELECT id FROM runs WHERE profile = ?1 AND scope = ?2 AND run = ?3) AND seen_until >= ?4
ORDER BY id";

const BEFORE_OF: &str = "
SELECT at, seen_until, clock_back, counts, suites, progress FROM samples
WHERE run = (SELECT id FROM runs WHERE profile = ?1 AND scope = ?2 AND run = ?3) AND at < ?4 AND counts IS NOT NULL
ORDER BY id DESC LIMIT 1";

/// One index lookup for each run, however large the tables are: a cross join keeps this order. It goes back from the
/// newest sample over few rows: those of the day.
const NEWEST_BEFORE: &str = "
SELECT at, seen_until, clock_back, counts, suites, progress, runs.run FROM runs
CROSS JOIN samples ON samples.id = (SELECT id FROM samples AS older
  WHERE older.run = runs.id AND older.at < ?3 AND older.counts IS NOT NULL ORDER BY older.id DESC LIMIT 1)
WHERE runs.profile = ?1 AND runs.scope = ?2";

/// Returns the newest sample of a run with its number.
fn newest(to: &Transaction<'_>, run: RunKey<'_>) -> Result<Option<(Sample, i64)>, Fault> {
    let sql = "SELECT at, seen_until, clock_back, counts, suites, progress, id FROM samples \
        WHERE run = (SELECT id FROM runs WHERE profile = ?1 AND scope = ?2 AND run = ?3) ORDER BY id DESC LIMIT 1";
    let mut statement = to.prepare_cached(sql)?;
    let mut found = statement.query_and_then(run, |row| Ok((row::read(row)?, row.get(6)?)))?;
    found.next().transpose()
}

fn add(to: &Transaction<'_>, run: RunKey<'_>, sample: &Sample) -> Result<bool, Fault> {
    let mut clock_back = false;
    if let Some((last, id)) = newest(to, run)? {
        let since = sample.at.saturating_sub(last.seen_until);
        if last.tells_as(sample) && since.abs() <= Sample::GAP {
            to.prepare_cached(
                "UPDATE samples SET seen_until = ?2 WHERE id = ?1 AND seen_until < ?2",
            )?
            .execute([id, sample.seen_until])?;
            return Ok(false);
        }
        clock_back = since < 0;
    }
    let sql = "INSERT INTO runs (profile, scope, run) VALUES (?1, ?2, ?3) \
        ON CONFLICT DO UPDATE SET run = run RETURNING id";
    let number = to.prepare_cached(sql)?.query_row(run, |row| row.get(0))?;
    row::insert(to, number, sample, clock_back)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_before_today_is_found_by_the_index() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("samples.sqlite");
        std::fs::write(&path, "").unwrap();
        let connection = SCHEMA.open(&path, false).unwrap();
        let mut plan = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {NEWEST_BEFORE}"))
            .unwrap();
        let steps = plan.query_map(params!["", "", 0], |row| row.get::<_, String>(3));
        let steps: Vec<String> = steps.unwrap().collect::<Result<_, _>>().unwrap();
        assert!(
            !steps.iter().any(|step| step.starts_with("SCAN")),
            "{steps:#?}"
        );
        let by_run = |step: &String| step.contains("samples_by_run (run=?)");
        assert!(steps.iter().any(by_run), "{steps:#?}");
        assert!(
            !steps.iter().any(|step| step.contains("TEMP B-TREE")),
            "{steps:#?}"
        );
    }
}
