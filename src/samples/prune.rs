//! What is too old is removed.

use std::path::PathBuf;

use rusqlite::{Connection, TransactionBehavior};

use super::error::Fault;
use super::{DAY, schema};

/// Samples removed at once, so that other programs get their turn in between.
const AT_ONCE: u32 = 2_000;

/// Removes what is too old on a thread of its own. A failure is only logged: the next start tries again.
pub(super) fn in_background(path: PathBuf, days: u32, now: i64) {
    let remove = move || {
        let removed =
            schema::connect(&path).and_then(|mut connection| prune(&mut connection, days, now));
        match removed.map_err(|fault| fault.at(&path)) {
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

pub(super) fn prune(connection: &mut Connection, days: u32, now: i64) -> Result<usize, Fault> {
    let newest: Option<i64> =
        connection.query_row("SELECT max(seen_until) FROM samples", (), |row| row.get(0))?;
    let Some(newest) = newest else { return Ok(0) };
    // A clock that is ahead of all samples would make everything old.
    let oldest = now.min(newest).saturating_sub(i64::from(days) * DAY);
    let mut removed = 0;
    loop {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let number = transaction.execute(
            "DELETE FROM samples WHERE id IN (SELECT id FROM samples WHERE seen_until < ?1 LIMIT ?2)",
            (oldest, AT_ONCE),
        )?;
        if number < AT_ONCE as usize {
            transaction.execute(
                "DELETE FROM runs WHERE id NOT IN (SELECT run FROM samples)",
                (),
            )?;
        }
        transaction.commit()?;
        removed += number;
        if number < AT_ONCE as usize {
            return Ok(removed);
        }
    }
}
