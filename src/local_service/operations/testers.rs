//! Testers at work, for `--live`.

use super::pace;
use super::stored::Stored;
use super::suites::save;
use super::write::sign;
use crate::local_service::data::PEOPLE;
use crate::local_service::prelude::*;

/// User of the demo, who is no tester.
const USER: &str = "qa";

/// Indexes into the eleven codes (2.2).
const UNTESTED: usize = 0;
const PASSED: usize = 1;
const FAILED_NEW: usize = 4;
const FAILED_KNOWN: usize = 5;
const IN_PROGRESS: usize = 6;
const RETEST: usize = 9;

/// Next case by the index of its code, with weights; codes without cases are left out.
const TAKEN_UP: [(usize, u32); 6] = [
    (IN_PROGRESS, 50),
    (UNTESTED, 40),
    (RETEST, 12),
    (2, 2),
    (7, 2),
    (8, 2),
];
/// Result of a case in per cent; mostly Passed.
const COMES_OUT: [(usize, u32); 9] = [
    (PASSED, 80),
    (FAILED_NEW, 7),
    (FAILED_KNOWN, 4),
    (2, 3),
    (10, 2),
    (3, 1),
    (7, 1),
    (8, 1),
    (RETEST, 1),
];

/// Records a result in an open run in the project and sub project of the served profile, and signs the run. Does
/// nothing if no work is left.
pub fn record_results(database: &Database, rng: &mut ChaCha8Rng) -> Result<(), Fault> {
    let place = pace::place(database)?;
    database.write(|transaction| match pace::pick(transaction, place, rng)? {
        Some(run) => work_on(transaction, Stored::by_row(transaction, run)?, rng),
        None => Ok(()),
    })
}

fn work_on(
    transaction: &Transaction<'_>,
    mut run: Stored,
    rng: &mut ChaCha8Rng,
) -> Result<(), Fault> {
    let mut counts = Counts::from_text(&run.counts)?;
    let before = counts;
    one_case(&mut counts, rng);
    if counts == before {
        return Ok(());
    }
    let mut testers: Vec<String> = serde_json::from_str(&run.testers)?;
    let tester = pick_tester(&testers, rng);
    if !testers.contains(&tester) {
        testers.push(tester.clone());
        run.testers = serde_json::to_string(&testers)?;
    }
    let tested = counts.total().saturating_sub(u64::from(counts.0[UNTESTED]));
    run.assigned = run.assigned.max(tested.cast_signed());
    save(transaction, &run, &run.attached()?, counts)?;
    sign(transaction, &run, &tester)
}

/// Picks one of the testers of the run, or anyone if it has none.
fn pick_tester(testers: &[String], rng: &mut ChaCha8Rng) -> String {
    let other = |name: &&str| *name != USER;
    let mut some: Vec<&str> = testers.iter().map(String::as_str).filter(other).collect();
    if some.is_empty() {
        some.extend(PEOPLE.into_iter().filter(other));
    }
    some[rng.random_range(0..some.len())].to_owned()
}

/// Moves one test case from one code to another, if there is any.
fn one_case(counts: &mut Counts, rng: &mut ChaCha8Rng) {
    if let Some((from, to)) = news(*counts, rng).or_else(|| work(*counts, rng)) {
        counts.0[from] -= 1;
        counts.0[to] += 1;
    }
}

/// Sometimes a finished case changes: a fix is ready, a failure has a ticket, a change needs a retest.
fn news(counts: Counts, rng: &mut ChaCha8Rng) -> Option<(usize, usize)> {
    let (from, to) = match rng.random_range(0..100) {
        0..2 => (FAILED_NEW, RETEST),
        2 => (FAILED_NEW, FAILED_KNOWN),
        3 => (PASSED, RETEST),
        _ => return None,
    };
    (counts.0[from] > 0).then_some((from, to))
}

/// Continues with the next case; an untested one is begun.
fn work(counts: Counts, rng: &mut ChaCha8Rng) -> Option<(usize, usize)> {
    let from = weighted(
        TAKEN_UP.into_iter().filter(|(code, _)| counts.0[*code] > 0),
        rng,
    )?;
    if from == UNTESTED {
        return Some((from, IN_PROGRESS));
    }
    let to = weighted(COMES_OUT.into_iter(), rng)?;
    Some((from, if to == from { PASSED } else { to }))
}

/// Picks a code by weight.
fn weighted(
    codes: impl Iterator<Item = (usize, u32)> + Clone,
    rng: &mut ChaCha8Rng,
) -> Option<usize> {
    let all: u32 = codes.clone().map(|(_, weight)| weight).sum();
    let mut left = (all > 0).then(|| rng.random_range(0..all))?;
    for (code, weight) in codes {
        if left < weight {
            return Some(code);
        }
        left -= weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::local_service::database::Parameters;

    /// Status, suites, results, progress and editor of all runs after `turns`.
    fn after(turns: usize, seed: u64) -> Vec<(i64, String, Counts, u32, String)> {
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
        for _ in 0..turns {
            record_results(&database, &mut rng).unwrap();
        }
        let sql =
            "SELECT r.status, d.suites, d.counts, r.progress, r.edited_by FROM runs r JOIN docs d ON d.seq = r.seq
                   ORDER BY r.seq";
        let rows = database.read(|snapshot| {
            let mut statement = snapshot.connection.prepare(sql)?;
            let read = |row: &rusqlite::Row<'_>| {
                let counts = Counts::from_text(&row.get::<_, String>(2)?).unwrap();
                Ok((row.get(0)?, row.get(1)?, counts, row.get(3)?, row.get(4)?))
            };
            Ok(statement
                .query_map([], read)?
                .collect::<Result<Vec<_>, _>>()?)
        });
        rows.unwrap()
    }

    #[test]
    fn the_seed_decides_every_result_and_nothing_else_changes() {
        let (before, once, again, other) =
            (after(0, 1), after(150, 1), after(150, 1), after(150, 2));
        assert_eq!(once, again);
        assert_ne!(once, other);
        for (old, new) in before.iter().zip(&once) {
            assert_eq!(
                (old.0, &old.1, old.2.total()),
                (new.0, &new.1, new.2.total())
            );
            assert_eq!(new.3, if old == new { old.3 } else { new.2.progress() });
            assert!(old == new || new.0 == 0, "a closed run was worked on");
        }
        assert!(
            before
                .iter()
                .zip(&once)
                .filter(|(old, new)| old != new)
                .count()
                > 8
        );
    }

    #[test]
    fn runs_are_finished_one_after_the_other() {
        let done = |runs: &[(i64, String, Counts, u32, String)]| {
            runs.iter().filter(|run| run.3 == 100).count()
        };
        let (before, some, more) = (
            done(&after(0, 3)),
            done(&after(700, 3)),
            done(&after(2_500, 3)),
        );
        assert!(before < some && some < more, "{before}, {some}, {more}");
    }

    #[test]
    fn most_cases_pass_and_every_code_comes_up() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = Counts([2_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let mut seen = [false; 11];
        while counts.progress() < 95 {
            one_case(&mut counts, &mut rng);
            for (seen, count) in seen.iter_mut().zip(counts.0) {
                *seen |= count > 0;
            }
        }
        assert_eq!((counts.total(), seen), (2_000, [true; 11]));
        assert!(counts.0[PASSED] > 1_400, "{counts:?}");
    }
}
