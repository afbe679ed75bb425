//! Choice of the run that testers work on, and the pace of each run that follows from it, for `--live`.

use super::reference::run_ref;
use crate::local_service::data::{FIRST_PROJECT, FIRST_SUBPROJECT};
use crate::local_service::prelude::*;

/// Number of the newest unfinished runs that get most of the work.
const AT_WORK: i64 = 40;
/// Percentage of turns for runs that have not begun.
const ELSEWHERE: u32 = 20;
/// Number of the newest ones of these.
const FRESH: u32 = 8;
/// Bounds of the number of finished cases that is the weight of a run, so that its pace continues. Runs without testers
/// have no weight.
const LEAST: u32 = 10;
const MOST: u32 = 60;
/// Finished cases per turn on average: a case begins in one turn and ends in another, and some come back.
const FINISHED: f64 = 0.45;
/// Indexes of Passed, Failed (new), Failed (known) and Skipped (2.2).
const DONE: [usize; 4] = [1, 4, 5, 10];

/// State of a run that testers work on, and their pace.
#[derive(Clone, Debug)]
pub struct AtWork {
    /// Reference (2.1).
    pub doc_ref: String,
    /// Test cases by result, code 1 first (2.2).
    pub counts: [u32; 11],
    /// `TestSuiteCount` (2.2).
    pub suites: i64,
    /// Creation time, epoch milliseconds.
    pub created_on: i64,
    /// Average number of cases finished in an hour; 0 for a run without testers.
    pub per_hour: f64,
}

/// Row numbers of the served profile's project and sub project.
pub fn place(database: &Database) -> Result<(i64, i64), Fault> {
    let names = &database.names;
    let place = names
        .project(FIRST_PROJECT)
        .and_then(|project| Some((project, names.sub(project, FIRST_SUBPROJECT)?)));
    place.ok_or_else(|| Fault::internal("The first project is not there."))
}

/// Begun and unfinished runs, with the pace of testers who take a turn every `every`.
pub fn at_work(database: &Database, every: Duration) -> Result<Vec<AtWork>, Fault> {
    let place = place(database)?;
    database.read(|snapshot| {
        let runs = begun(snapshot.connection, place)?;
        let all: u32 = runs.iter().map(|run| run.weight).sum();
        let turns = 3_600.0 / every.as_secs_f64().max(0.001) * f64::from(100 - ELSEWHERE) / 100.0;
        let pace = |run: Begun| {
            let share = f64::from(run.weight) / f64::from(all.max(1));
            AtWork {
                per_hour: turns * share * FINISHED,
                ..run.stands
            }
        };
        Ok(runs.into_iter().map(pace).collect())
    })
}

/// Picks the run of the next turn: mostly a begun one, else a new one.
pub fn pick(
    connection: &Connection,
    place: (i64, i64),
    rng: &mut ChaCha8Rng,
) -> Result<Option<i64>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT seq FROM runs WHERE project = ?1 AND sub = ?2
         AND status = 0 AND suite_count > 0 AND +progress = 0 ORDER BY seq DESC LIMIT ?3",
    )?;
    let fresh = statement.query_map(params![place.0, place.1, FRESH], |row| row.get(0))?;
    let fresh: Vec<i64> = fresh.collect::<Result<_, _>>()?;
    let runs = begun(connection, place)?;
    let all: u32 = runs.iter().map(|run| run.weight).sum();
    if all == 0 || rng.random_range(0..100) < ELSEWHERE {
        // Without a new run this turn is skipped, so that the pace of the others stays.
        let place = rng.random_range(0..fresh.len().max(1));
        return Ok(fresh.get(place).copied());
    }
    let mut left = rng.random_range(0..all);
    let taken = runs.iter().find(|run| {
        let here = left < run.weight;
        left = left.saturating_sub(run.weight);
        here
    });
    Ok(taken.map(|run| run.seq))
}

/// A begun and unfinished run.
struct Begun {
    seq: i64,
    weight: u32,
    stands: AtWork,
}

fn begun(connection: &Connection, (project, sub): (i64, i64)) -> Result<Vec<Begun>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT r.seq, r.ref, r.suite_count, d.counts, d.testers <> '[]', r.created_on FROM runs r JOIN docs d ON d.seq = r.seq
         WHERE r.project = ?1 AND r.sub = ?2 AND r.status = 0 AND r.suite_count > 0 AND r.progress BETWEEN 1 AND 99
         ORDER BY r.seq DESC LIMIT ?3",
    )?;
    let mut rows = statement.query(params![project, sub, AT_WORK])?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        let counts = Counts::from_text(&row.get::<_, String>(3)?)?;
        let done = DONE.iter().map(|code| counts.0[*code]).sum::<u32>();
        let stands = AtWork {
            doc_ref: run_ref(Uuid::from_bytes(row.get(1)?)),
            counts: counts.0,
            suites: row.get(2)?,
            created_on: row.get(5)?,
            per_hour: 0.0,
        };
        runs.push(Begun {
            seq: row.get(0)?,
            weight: u32::from(row.get::<_, bool>(4)?) * done.clamp(LEAST, MOST),
            stands,
        });
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::local_service::database::Parameters;
    use crate::local_service::operations::record_results;

    /// The work of an hour has the announced pace.
    #[test]
    fn the_pace_is_the_one_that_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let wanted = Parameters {
            runs: 240,
            suites: 80,
            seed: 1,
            release_at: None,
        };
        let database =
            Database::open(&folder.path().join("d.db"), wanted, &mut |_, _| Ok(())).unwrap();
        let every = Duration::from_secs(3);
        let done = |counts: &[u32; 11]| DONE.iter().map(|code| counts[*code]).sum::<u32>();
        let before = at_work(&database, every).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..1_200 {
            record_results(&database, &mut rng).unwrap();
        }
        let after = at_work(&database, every).unwrap();
        let (mut told, mut made) = (0.0, 0.0);
        for run in before.iter().filter(|run| run.counts[0] > 40) {
            let Some(now) = after.iter().find(|now| now.doc_ref == run.doc_ref) else {
                continue;
            };
            told += run.per_hour;
            made += f64::from(done(&now.counts)) - f64::from(done(&run.counts));
        }
        assert!(
            before.len() > 20 && told > 100.0 && (0.75..1.35).contains(&(made / told)),
            "{made} for {told}"
        );
    }
}
