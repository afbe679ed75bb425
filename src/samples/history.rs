//! Changes of runs and unread marks, beside the samples; copied from the files of the mirror.

use std::collections::{BTreeSet, HashMap};

use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Counts, Fault, Samples, add, newest};
use crate::disk::database::Done;
use crate::domain::compare::KeptSuites;
use crate::domain::diff::{Change, News};
use crate::domain::{DocRef, ResultCode, Sample, fields};

/// `taken` has the number of the last change that was copied from a file.
pub const TABLES: &str = "
CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY, source TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
  name TEXT NOT NULL, by TEXT, what TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS changes_by_age ON changes (at);
CREATE TABLE IF NOT EXISTS unread (source TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL, row TEXT, hidden TEXT,
  PRIMARY KEY (source, run)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS looks (source TEXT NOT NULL, profile TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (source, profile, at)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS run_suites (source TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL, suites TEXT NOT NULL,
  PRIMARY KEY (source, run, at)) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS run_suites_by_age ON run_suites (at);
CREATE TABLE IF NOT EXISTS taken (file TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
";

/// Maximum number of suite lists kept of a run.
const KEPT: i64 = 20;
/// Maximum number of changes that are read: as many as a screen shows.
const CHANGES: u32 = 300;
const SUITES: &str =
    "SELECT at, suites FROM run_suites WHERE source = ?1 AND run = ?2 ORDER BY at DESC LIMIT ?3";
/// The closed and reopened runs, and whether it was closed.
const CLOSINGS: &str = "SELECT run, at, what LIKE '%\"closed\"%' FROM changes \
    WHERE (what LIKE '%\"closed\"%' OR what LIKE '%\"reopened\"%')";
/// By age, so that few rows are read. What was seen until a time may have begun long before the rest that is kept.
const KEPT_SINCE: &str = "SELECT min(at) FROM ( \
    SELECT * FROM (SELECT seen_until AS at FROM samples CROSS JOIN runs ON runs.id = samples.run \
        WHERE profile = ?1 AND scope = ?2 ORDER BY seen_until LIMIT 1) \
    UNION ALL SELECT * FROM (SELECT at FROM changes WHERE source = ?3 ORDER BY at LIMIT 1))";
const LOOKS: &str =
    "SELECT at FROM looks WHERE source = ?1 AND profile = ?2 ORDER BY at DESC LIMIT 2";

/// Samples and news of one source over time.
#[derive(Debug)]
pub struct RunHistory {
    pub samples: Samples,
    /// Profile of the samples.
    pub profile: String,
    pub scope: String,
    /// Source of the news.
    pub source: String,
}

/// Change of the mark of a run that the user has not seen since it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unread {
    Same,
    /// Set it if it is not set.
    Mark,
    Clear,
}

/// A row without its texts, and its digests, both as text.
pub type Before = (String, String);

/// Time of the first change that the user has not seen (epoch milliseconds), and the row before it, `None` for a new run.
pub type UnreadSince = (i64, Option<Before>);

/// News of one run as they were kept, without texts.
#[derive(Debug)]
pub struct PastNews {
    pub run: DocRef,
    /// Name of the run.
    pub name: String,
    /// Time of the reading, epoch milliseconds.
    pub at: i64,
    pub news: News,
}

/// News of one run from one reading.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunNews {
    pub run: DocRef,
    /// Time of the reading, epoch milliseconds.
    pub at: i64,
    /// Name of the run, editor, and changes without their texts: `["5",9,10]` for cases by code, the path of a field,
    /// or a word.
    pub told: Option<(String, Option<String>, Value)>,
    pub unread: Unread,
    /// The row before.
    pub before: Option<Before>,
    /// The counts before, at the time of their last reading.
    pub seen: Option<Sample>,
    /// The counts to keep.
    pub sample: Option<Sample>,
}

impl RunNews {
    /// Returns the news of a run that was read at a time, if any, without values to keep.
    pub fn new(run: &DocRef, name: &str, at: i64, news: Option<&News>, unread: Unread) -> Self {
        let news_kept = news.map(|news| {
            let (what, by) = match news {
                News::Appeared { by } => (json!(["appeared"]), by.clone()),
                News::Vanished => (json!(["vanished"]), None),
                News::Changed { changes, by } => (changes.iter().map(kept).collect(), by.clone()),
            };
            (name.to_owned(), by, what)
        });
        Self {
            run: run.clone(),
            at,
            told: news_kept,
            unread,
            before: None,
            seen: None,
            sample: None,
        }
    }
}

fn kept(change: &Change) -> Value {
    match change {
        Change::Count {
            code,
            before,
            after,
            ..
        } => json!([code, before, after]),
        Change::Suites { before, after } | Change::Progress { before, after } => {
            json!([change.path(), before, after])
        }
        Change::Closed => "closed".into(),
        Change::Reopened => "reopened".into(),
        other => other.path().into(),
    }
}

/// Returns kept news; `None` if they are not valid.
fn news_of(kept: &str, by: Option<String>) -> Option<News> {
    let kept: Vec<Value> = serde_json::from_str(kept).ok()?;
    Some(match kept.first()?.as_str() {
        Some("appeared") => News::Appeared { by },
        Some("vanished") => News::Vanished,
        _ => News::Changed {
            changes: kept.into_iter().map(change_of).collect::<Option<_>>()?,
            by,
        },
    })
}

fn change_of(kept: Value) -> Option<Change> {
    if let Value::String(path) = kept {
        return Some(match &*path {
            "closed" => Change::Closed,
            "reopened" => Change::Reopened,
            _ => Change::Other { path },
        });
    }
    let (code, before, after): (String, i64, i64) = serde_json::from_value(kept).ok()?;
    Some(match ResultCode::parse(&code) {
        _ if code == fields::SUITES.path => Change::Suites { before, after },
        _ if code == fields::PROGRESS.path => Change::Progress { before, after },
        known => Change::Count {
            label: known.map_or_else(|| format!("code {code}"), |it| it.label().to_owned()),
            code,
            before: before.try_into().ok()?,
            after: after.try_into().ok()?,
        },
    })
}

impl Samples {
    /// Returns closed and reopened runs in the order of the readings: when (epoch milliseconds), and whether it was closed.
    pub fn closings(&self) -> Done<Vec<(DocRef, i64, bool)>> {
        let sql = format!("{CLOSINGS} ORDER BY id");
        let rows = self.of_runs(&sql, [], |row| Ok((row.get(1)?, row.get(2)?)))?;
        Ok(rows
            .into_iter()
            .map(|(run, (at, is_closed))| (run, at, is_closed))
            .collect())
    }
}

impl RunHistory {
    /// Returns the counts of its profile and scope.
    pub fn counts(&self) -> Counts<'_> {
        self.samples.of_scope(&self.profile, &self.scope)
    }

    /// Copies the changes of a file that are not here yet: all or none, and none twice. Without a file all are new.
    pub fn take_over<'a>(
        &self,
        file: Option<&str>,
        news: impl Iterator<Item = (i64, &'a RunNews)>,
    ) -> Done {
        self.samples.database()?.write(|to| {
            let taken = "SELECT number FROM taken WHERE file = ?1";
            let taken: Option<i64> = to.query_row(taken, [file], |row| row.get(0)).optional()?;
            let mut last = None;
            for (number, news) in news.filter(|(it, _)| taken.is_none_or(|taken| *it > taken)) {
                self.take(to, news)?;
                last = Some(number);
            }
            if let (Some(file), Some(last)) = (file, last) {
                let sql = "INSERT OR REPLACE INTO taken VALUES (?1, ?2)";
                to.execute(sql, params![file, last])?;
            }
            Ok(())
        })
    }

    /// Returns the newest changes that were added after `told`, oldest first, and the number of the last one. A file that
    /// was begun anew counts from 1 again.
    pub fn changes(&self, told: i64) -> Done<(Vec<PastNews>, i64)> {
        let sql = "SELECT run, id, at, name, by, what FROM changes WHERE source = ?1 \
            AND (id > ?2 OR ?2 > (SELECT max(id) FROM changes)) ORDER BY id DESC LIMIT ?3";
        let of = params![self.source, told, CHANGES];
        let rows = (self.samples).of_runs(sql, of, |row| {
            let news = news_of(&row.get::<_, String>(5)?, row.get(4)?);
            Ok((row.get(1)?, row.get::<_, i64>(2)?, row.get(3)?, news))
        })?;
        let last = rows.first().map_or(told, |(_, (id, ..))| *id);
        // Of the oldest reading some may lie before the limit: its sum would be wrong beside the one that was told.
        let is_cut = told > 0 && rows.len() == CHANGES as usize;
        let cut = rows.last().filter(|_| is_cut).map(|(_, (_, at, ..))| *at);
        let past = |(run, (_, at, name, news)): (_, (_, _, _, Option<News>))| {
            let news = news.filter(|_| Some(at) != cut)?;
            Some(PastNews {
                run,
                name,
                at,
                news,
            })
        };
        Ok((rows.into_iter().rev().filter_map(past).collect(), last))
    }

    /// Returns the runs that vanished since a time (epoch milliseconds) and did not appear again.
    pub fn vanished(&self, since: i64) -> Done<BTreeSet<DocRef>> {
        let sql = "SELECT run, what = '[\"vanished\"]' FROM changes WHERE at >= ?2 AND source = ?1 \
            AND what IN ('[\"vanished\"]', '[\"appeared\"]') ORDER BY id";
        let of = params![self.source, since];
        let mut vanished = BTreeSet::new();
        for (run, is_gone) in self.samples.of_runs(sql, of, |row| Ok(row.get(1)?))? {
            if is_gone {
                vanished.insert(run);
            } else {
                vanished.remove(&run);
            }
        }
        Ok(vanished)
    }

    /// Returns the runs that were closed or reopened since a time (epoch milliseconds): the time of the first such
    /// reading, and `true` if they were open before.
    pub fn were_open(&self, since: i64) -> Done<HashMap<DocRef, (i64, bool)>> {
        let sql = format!("{CLOSINGS} AND at >= ?2 AND source = ?1 ORDER BY id DESC");
        let rows = self
            .samples
            .of_runs(&sql, params![self.source, since], |row| {
                Ok((row.get(1)?, row.get(2)?))
            })?;
        // The first change comes last.
        Ok(rows.into_iter().collect())
    }

    /// Returns the time since which all is kept, epoch milliseconds; `None` if nothing is.
    pub fn kept_since(&self) -> Done<Option<i64>> {
        let counts = &self.counts();
        let of = [counts.profile, counts.scope, &self.source];
        let database = self.samples.database()?;
        Ok(database
            .one(KEPT_SINCE, of, |row| Ok(row.get(0)?))?
            .flatten())
    }

    /// Returns the last two times up to which the user had seen everything, newest first, epoch milliseconds.
    pub fn last_looks(&self) -> Done<Vec<i64>> {
        let of = [&self.source, &self.profile];
        self.samples
            .database()?
            .all(LOOKS, of, |row| Ok(row.get(0)?))
    }

    /// Records that the user has seen everything up to a time (epoch milliseconds).
    pub fn mark_all_seen(&self, at: i64) -> Done {
        self.samples.database()?.write(|to| {
            let of = params![self.source, self.profile, at];
            // Later times are from a clock that was wrong.
            let ahead = "DELETE FROM looks WHERE source = ?1 AND profile = ?2 AND at > ?3";
            to.execute(ahead, of)?;
            to.execute("INSERT OR IGNORE INTO looks VALUES (?1, ?2, ?3)", of)?;
            let old = format!(
                "DELETE FROM looks WHERE source = ?1 AND profile = ?2 AND at NOT IN ({LOOKS})"
            );
            to.execute(&old, [&self.source, &self.profile])?;
            Ok(())
        })
    }

    /// Returns the computed suites of a run, the newest first.
    pub fn suites(&self, run: &DocRef) -> Done<Vec<KeptSuites>> {
        let of = params![self.source, run.as_str(), KEPT];
        let read = |row: &Row<'_>| Ok(serde_json::from_str(&row.get::<_, String>(1)?).ok());
        let rows = self.samples.database()?.all(SUITES, of, read)?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Keeps computed suites of a run.
    pub fn keep_suites(&self, run: &DocRef, suites: &KeptSuites) -> Done {
        let text = json!(suites).to_string();
        self.samples.database()?.write(|to| {
            let sql = "INSERT OR REPLACE INTO run_suites VALUES (?1, ?2, ?3, ?4)";
            to.execute(sql, params![self.source, run.as_str(), suites.at, text])?;
            let old = format!("DELETE FROM run_suites WHERE source = ?1 AND run = ?2 AND at NOT IN (SELECT at FROM ({SUITES}))");
            to.execute(&old, params![self.source, run.as_str(), KEPT])?;
            Ok(())
        })
    }

    /// Removes all suites of a deleted run.
    pub fn forget_suites(&self, run: &DocRef) -> Done {
        self.delete("run_suites", run)
    }

    fn delete(&self, table: &str, run: &DocRef) -> Done {
        let sql = format!("DELETE FROM {table} WHERE source = ?1 AND run = ?2");
        self.samples
            .database()?
            .run(&sql, [self.source.as_str(), run.as_str()])
    }

    /// Returns a number that changes with each write of another program.
    pub fn version(&self) -> Done<i64> {
        self.samples
            .database()?
            .with(|it| it.pragma_query_value(None, "data_version", |row| row.get(0)))
    }

    /// Returns the runs of the source that the user has not seen since they changed.
    pub fn unread(&self) -> Done<Vec<(DocRef, UnreadSince)>> {
        let sql = "SELECT run, row, hidden, at FROM unread WHERE source = ?1";
        self.samples.of_runs(sql, [&self.source], |row| {
            let before: (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
            Ok((row.get(3)?, before.0.zip(before.1)))
        })
    }

    /// Records that the user has seen a run.
    pub fn mark_seen(&self, run: &DocRef) -> Done {
        self.delete("unread", run)
    }

    /// Removes deleted data from the files, unless another program is reading just now.
    pub fn wipe_log(&self) -> Done {
        self.samples.database()?.wipe_log()
    }

    fn take(&self, to: &Transaction<'_>, news: &RunNews) -> Result<(), Fault> {
        let run = news.run.as_str();
        if let Some((name, by, what)) = &news.told {
            let sql = "INSERT INTO changes (source, run, at, name, by, what) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let values = params![self.source, run, news.at, name, by, what.to_string()];
            to.prepare_cached(sql)?.execute(values)?;
        }
        match news.unread {
            Unread::Same => {}
            Unread::Mark => {
                let (row, hidden) = news.before.clone().unzip();
                let sql = "INSERT OR IGNORE INTO unread VALUES (?1, ?2, ?3, ?4, ?5)";
                let values = params![self.source, run, news.at, row, hidden];
                to.prepare_cached(sql)?.execute(values)?;
            }
            Unread::Clear => {
                let sql = "DELETE FROM unread WHERE source = ?1 AND run = ?2";
                to.prepare_cached(sql)?
                    .execute([self.source.as_str(), run])?;
            }
        }
        // Samples of a closed run were not kept before its change.
        let seen = match &news.seen {
            Some(seen) => newest(to, self.counts().key(&news.run))?
                .is_none_or(|(newest, _)| newest.seen_until < seen.at)
                .then_some(seen),
            None => None,
        };
        for sample in seen.into_iter().chain(&news.sample) {
            add(to, self.counts().key(&news.run), sample)?;
        }
        Ok(())
    }
}
