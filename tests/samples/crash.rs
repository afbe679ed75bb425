//! Programs that are killed, and programs that write at the same time.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use rusqlite::Connection;

use super::{NOW, fresh, kept, open, run, sample};
use crate::support::children::{child, killed, told};

/// Keeps samples until it is killed; says each number once it is kept.
#[test]
#[ignore = "a process that the tests start"]
fn child_adds_until_killed() {
    let Some((folder, number)) = told() else {
        return;
    };
    let samples = open(&folder);
    let mut out = std::io::stdout();
    for at in 0.. {
        let at = i64::from(number) * 1_000_000 + at;
        // Never the same as before, in this process or in the one before it.
        let passed = at as u64 % 2 + 2 * u64::from(number);
        assert!(
            samples
                .of_scope("qa", "P_9")
                .add(&run(1), &sample(NOW + at, passed))
                .unwrap()
        );
        writeln!(out, "\nkept {at}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn thirty_kills_lose_nothing_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut said: Vec<i64> = Vec::new();
    for round in 0..30 {
        let child = child(
            "samples::crash::child_adds_until_killed",
            folder.path(),
            round,
        );
        let after = Duration::from_micros(u64::from(round) * 617 % 9_000);
        said.extend(killed(child, "kept ", after));
    }
    let samples = open(folder.path());
    let there: Vec<i64> = kept(&samples)
        .iter()
        .map(|sample| sample.at - NOW)
        .collect();
    let lost: Vec<&i64> = said.iter().filter(|at| !there.contains(at)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(there.is_sorted(), "in the order in which they came");
    assert!(
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(NOW + 99_000_000, 7))
            .unwrap()
    );
    let check = Connection::open(folder.path().join("samples.sqlite")).unwrap();
    assert_eq!(
        check
            .query_row("PRAGMA integrity_check", (), |row| row.get::<_, String>(0))
            .unwrap(),
        "ok"
    );
}

/// Keeps 400 samples of a run of its own, and as many of a run of all.
#[test]
#[ignore = "a process that the tests start"]
fn child_adds_many() {
    let Some((folder, number)) = told() else {
        return;
    };
    let samples = open(&folder);
    for at in 0..400 {
        let (mine, ours) = (
            sample(NOW + at, at as u64 % 2),
            sample(NOW + at, (at as u64 + u64::from(number)) % 100),
        );
        assert!(
            samples
                .of_scope("qa", "P_9")
                .add(&run(number), &mine)
                .unwrap()
        );
        samples.of_scope("qa", "P_9").add(&run(9), &ours).unwrap();
    }
}

#[test]
fn programs_at_once_lose_nothing_and_wait_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    // All of them find an empty folder: one makes the tables, the others wait.
    let start = |number| {
        child("samples::crash::child_adds_many", folder.path(), number)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut children = [1, 2, 3].map(start);
    assert!(
        children
            .iter_mut()
            .all(|child| child.wait().unwrap().success())
    );
    let samples = open(folder.path());
    for number in 1..=3 {
        let times: Vec<i64> = samples
            .of_scope("qa", "P_9")
            .of(&run(number), 0)
            .unwrap()
            .iter()
            .map(|it| it.at - NOW)
            .collect();
        assert_eq!(times, (0..400).collect::<Vec<_>>());
    }
    let ours = samples.of_scope("qa", "P_9").of(&run(9), 0).unwrap();
    assert!(ours.windows(2).all(|pair| !pair[0].tells_as(&pair[1])
        && pair[1].clock_back == (pair[1].at < pair[0].seen_until)));
}

#[test]
fn what_is_dropped_in_the_middle_was_never_there() {
    let (_folder, samples) = fresh();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW, 1))
        .unwrap();
    let (run, later) = (run(1), sample(NOW + 1, 2));
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let two = (0..2).map(|at| {
            assert_eq!(at, 0, "the program breaks off");
            (&run, &later)
        });
        samples.of_scope("qa", "P_9").add_all(two)
    }));
    assert!(broken.is_err());
    assert_eq!(
        kept(&samples).len(),
        1,
        "the first of two is not kept without the second"
    );
    assert!(
        samples.of_scope("qa", "P_9").add(&run, &later).unwrap(),
        "and the next one is"
    );
}
