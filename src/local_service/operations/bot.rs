//! Changes by a user without a call, for `--second-writer`.

use super::pace;
use super::stored::Stored;
use super::suites::save;
use super::write::sign;
use crate::local_service::data::LATEST_VERSION;
use crate::local_service::prelude::*;

/// Name in `EditedBy`.
const NAME: &str = "bot";

/// Adds or removes a suite of an open run of the first scope, and signs the run. Does nothing if there is no open run
/// or no suite.
pub fn change_a_run(database: &Database, rng: &mut ChaCha8Rng) -> Result<(), Fault> {
    let place = pace::place(database)?;
    let version = database.names.version(LATEST_VERSION);
    database.write(
        |transaction| match pick_run(transaction, place, version, rng)? {
            Some(run) => change_suites(transaction, &run, rng),
            None => Ok(()),
        },
    )
}

fn pick_run(
    connection: &Connection,
    (project, sub): (i64, i64),
    version: Option<i64>,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Stored>, Fault> {
    const OPEN: &str = "FROM runs WHERE project = ?1 AND sub = ?2 AND version = ?3 AND status = 0";
    let scope = params![project, sub, version];
    let count: i64 = connection
        .prepare_cached(&format!("SELECT count(*) {OPEN}"))?
        .query_row(scope, |row| row.get(0))?;
    if count == 0 {
        return Ok(None);
    }
    let place = rng.random_range(0..count);
    let sql = format!("SELECT seq {OPEN} ORDER BY seq LIMIT 1 OFFSET ?4");
    let seq: i64 = connection
        .prepare_cached(&sql)?
        .query_row(params![project, sub, version, place], |row| row.get(0))?;
    Stored::by_row(connection, seq).map(Some)
}

fn change_suites(
    transaction: &Transaction<'_>,
    run: &Stored,
    rng: &mut ChaCha8Rng,
) -> Result<(), Fault> {
    let mut attached = run.attached()?;
    let mut counts = Counts::from_text(&run.counts)?;
    let mut statement = transaction.prepare_cached(
        "SELECT seq, cases FROM suites WHERE sub = ?1 AND version = ?2
         AND seq NOT IN (SELECT value FROM json_each(?3)) ORDER BY seq",
    )?;
    let free = statement
        .query_map(params![run.sub, run.version, run.suites], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<Result<Vec<(i64, u32)>, _>>()?;
    let adds = attached.is_empty() || !free.is_empty() && rng.random();
    if adds {
        if free.is_empty() {
            return Ok(());
        }
        let (seq, cases) = free[rng.random_range(0..free.len())];
        attached.push(seq);
        counts.add(cases);
    } else {
        let seq = attached.remove(rng.random_range(0..attached.len()));
        let cases: Option<u32> = transaction
            .prepare_cached("SELECT cases FROM suites WHERE seq = ?1")?
            .query_row([seq], |row| row.get(0))
            .optional()?;
        counts.remove(cases.unwrap_or_default());
    }
    save(transaction, run, &attached, counts)?;
    sign(transaction, run, NAME)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;
    use crate::local_service::database::Parameters;

    /// Row, status, editor and suites of all runs after `steps` changes.
    fn after(steps: usize, seed: u64) -> Vec<(i64, i64, String, String)> {
        let folder = tempfile::tempdir().unwrap();
        let wanted = Parameters {
            runs: 60,
            suites: 40,
            seed: 1,
            release_at: None,
        };
        let database =
            Database::open(&folder.path().join("d.db"), wanted, &mut |_, _| Ok(())).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..steps {
            change_a_run(&database, &mut rng).unwrap();
        }
        let sql = "SELECT r.seq, r.status, r.edited_by, d.suites FROM runs r JOIN docs d ON d.seq = r.seq ORDER BY r.seq";
        let rows = database.read(|snapshot| {
            let mut statement = snapshot.connection.prepare(sql)?;
            let read =
                |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
            Ok(statement
                .query_map([], read)?
                .collect::<Result<Vec<_>, _>>()?)
        });
        rows.unwrap()
    }

    #[test]
    fn the_seed_decides_every_change_and_closed_runs_stay() {
        let (before, once, again, other) = (after(0, 1), after(80, 1), after(80, 1), after(80, 2));
        assert_eq!(once, again);
        assert_ne!(once, other);
        let (mut grown, mut shrunk) = (0, 0);
        for (old, new) in before.iter().zip(&once) {
            if new.2 == NAME {
                assert_eq!(new.1, 0, "a closed run was changed");
                let suites: Vec<i64> = serde_json::from_str(&new.3).unwrap();
                assert_eq!(
                    suites.iter().collect::<BTreeSet<_>>().len(),
                    suites.len(),
                    "a suite was added twice"
                );
                let size = |text: &str| serde_json::from_str::<Vec<i64>>(text).unwrap().len();
                grown += usize::from(size(&new.3) > size(&old.3));
                shrunk += usize::from(size(&new.3) < size(&old.3));
            } else {
                assert_eq!(old, new);
            }
        }
        assert!(grown > 0 && shrunk > 0, "{grown} grown, {shrunk} shrunk");
    }
}
