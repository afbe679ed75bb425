//! Removes data that is too old, and the oldest if there is too much.

use std::path::PathBuf;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{DAY, SCHEMA};
use crate::disk::database::{DatabaseFault as Fault, connect};

/// Samples removed at once, so that other programs can work in between.
const AT_ONCE: u32 = 2_000;

/// The tables beside the samples that grow, each with its time in `at`.
const NEWS: [&str; 3] = ["changes", "unread", "run_suites"];

const NEWEST: &str = "SELECT max(at) FROM (SELECT max(seen_until) AS at FROM samples WHERE seen_until <= ?1 \
    UNION ALL SELECT max(at) FROM changes WHERE at <= ?1 UNION ALL SELECT max(at) FROM unread WHERE at <= ?1)";

/// Maximum number of bytes in the file: more than a million samples.
pub const MOST: i64 = 256 << 20;

/// Removes old data on a thread of its own. A failure is only logged: the next start tries again.
pub fn in_background(path: PathBuf, days: u32, now: i64) {
    let remove = move || {
        let removed = connect(&path).and_then(|connection| prune(&connection, days, now));
        match removed.map_err(|fault| fault.at(&SCHEMA, &path)) {
            Ok(removed) => tracing::debug!(removed, "old samples"),
            Err(error) => tracing::warn!(%error, "old samples were not removed"),
        }
    };
    if let Err(error) = std::thread::Builder::new()
        .name("samples".into())
        .spawn(remove)
    {
        tracing::warn!(%error, "old samples were not removed");
    }
}

pub fn prune(connection: &Connection, days: u32, now: i64) -> Result<usize, Fault> {
    let newest_until = |until: i64| connection.query_row(NEWEST, [until], |row| row.get(0));
    let last: Option<i64> = newest_until(i64::MAX)?;
    // By a clock that is ahead everything would be old, also after readings of less than a day under it.
    let before = last.map(|last| newest_until(last.saturating_sub(DAY)));
    let Some(before) = before.transpose()?.flatten() else {
        return bound(connection, MOST);
    };
    let newest = now.min(before.saturating_add(DAY));
    let oldest = newest.saturating_sub(i64::from(days) * DAY);
    for table in NEWS {
        connection.execute(&format!("DELETE FROM {table} WHERE at < ?1"), [oldest])?;
    }
    let mut removed = 0;
    loop {
        let number = remove(connection, oldest)?;
        removed += number;
        if number < AT_ONCE as usize {
            return Ok(removed + bound(connection, MOST)?);
        }
    }
}

/// Removes the oldest data while the file has more than `most` bytes, news before samples. Returns the number of
/// samples removed. Their place in the file is used again.
pub fn bound(connection: &Connection, most: i64) -> Result<usize, Fault> {
    let mut removed = 0;
    loop {
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let pages = pragma("page_count")? - pragma("freelist_count")?;
        if pages.saturating_mul(pragma("page_size")?) <= most {
            return Ok(removed);
        }
        let mut news = 0;
        for table in NEWS {
            let sql = format!(
                "DELETE FROM {table} WHERE at <= (SELECT max(at) FROM (SELECT at FROM {table} ORDER BY at LIMIT ?1))"
            );
            news += connection.execute(&sql, [AT_ONCE])?;
        }
        if news > 0 {
            continue;
        }
        match remove(connection, i64::MAX)? {
            0 => return Ok(removed),
            number => removed += number,
        }
    }
}

/// Removes some of the oldest samples last seen before a time, and runs without samples. Returns the number of samples.
fn remove(connection: &Connection, before: i64) -> Result<usize, Fault> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let number = transaction.execute(
        "DELETE FROM samples WHERE id IN (SELECT id FROM samples WHERE seen_until < ?1 ORDER BY seen_until LIMIT ?2)",
        (before, AT_ONCE),
    )?;
    if number > 0 {
        transaction.execute(
            "DELETE FROM runs WHERE id NOT IN (SELECT run FROM samples)",
            (),
        )?;
    }
    transaction.commit()?;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::params;

    #[test]
    fn the_oldest_go_when_it_is_too_much() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("samples.sqlite");
        std::fs::write(&path, "").unwrap();
        let mut connection = SCHEMA.open(&path, false).unwrap();
        let sql = "INSERT INTO runs (profile, scope, run) VALUES ('qa', 'P_9', ?1)";
        for run in ["old", "young"] {
            connection.execute(sql, [run]).unwrap();
        }
        let sql = "INSERT INTO samples (run, at, seen_until, clock_back) VALUES (?1, ?2, ?2, 0)";
        let transaction = connection.transaction().unwrap();
        for at in 0..20_000_i64 {
            let run = 1 + i64::from(at >= 4_000);
            transaction.execute(sql, (run, at)).unwrap();
        }
        transaction.commit().unwrap();
        let one = |connection: &Connection, sql: &str| {
            let one = connection.query_row(sql, (), |row| row.get::<_, i64>(0));
            one.unwrap()
        };
        let size = |connection: &Connection| {
            one(connection, "PRAGMA page_count") * one(connection, "PRAGMA page_size")
        };
        let full = size(&connection);
        assert_eq!(bound(&connection, full).unwrap(), 0);
        // News are removed before samples.
        let sql = "INSERT INTO changes (source, run, at, name, what) VALUES ('', '', ?1, 'x', ?2)";
        let transaction = connection.transaction().unwrap();
        for at in 0..5_000_i64 {
            transaction
                .execute(sql, params![at, "x".repeat(400)])
                .unwrap();
        }
        let sql = "INSERT INTO unread VALUES ('', '', 0, NULL, NULL)";
        transaction.execute(sql, ()).unwrap();
        transaction.commit().unwrap();
        let most = size(&connection) - 300_000;
        assert_eq!(bound(&connection, most).unwrap(), 0);
        assert_eq!(one(&connection, "SELECT min(at) FROM changes"), 2_000);
        assert_eq!(one(&connection, "SELECT count(*) FROM unread"), 0);
        let removed = i64::try_from(bound(&connection, full / 2).unwrap()).unwrap();
        assert!((8_000..=14_000).contains(&removed), "{removed}");
        let one = |sql| one(&connection, sql);
        assert_eq!(one("SELECT min(at) FROM samples"), removed);
        assert_eq!(one("SELECT max(at) FROM samples"), 19_999);
        assert_eq!(one("SELECT count(*) FROM runs"), 1, "a run without samples");
        // A bound that cannot be met ends all the same.
        let rest = i64::try_from(bound(&connection, 1).unwrap()).unwrap();
        assert_eq!(rest, 20_000 - removed);
    }

    #[test]
    fn old_news_go_where_there_are_no_samples() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("samples.sqlite");
        std::fs::write(&path, "").unwrap();
        let connection = SCHEMA.open(&path, false).unwrap();
        for day in [1, 5, 9, 10] {
            let change =
                "INSERT INTO changes (source, run, at, name, what) VALUES ('', '', ?1, '', '')";
            let unread = "INSERT INTO unread VALUES ('', ?1, ?1, NULL, NULL)";
            let suites = "INSERT INTO run_suites VALUES ('', '', ?1, '')";
            for sql in [change, unread, suites] {
                connection.execute(sql, [day * DAY]).unwrap();
            }
        }
        assert_eq!(prune(&connection, 5, 99 * DAY).unwrap(), 0);
        for table in NEWS {
            let sql = format!("SELECT group_concat(at / {DAY}) FROM {table}");
            let left: String = connection.query_row(&sql, (), |row| row.get(0)).unwrap();
            assert_eq!(left, "5,9,10", "{table}");
        }
    }
}
