//! Runs of a release in progress: several kinds in three configurations with earlier rounds, and runs of the version
//! before.

use jiff::{Timestamp, tz::TimeZone};
use rand::seq::IndexedRandom;

use super::{MadeRun, Scope, VERSIONS, generator, pick, uuid, words};
use crate::local_service::prelude::*;

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// Days without a change in a run without testers.
const QUIET: i64 = 5;
/// Suites of a version that are in no run: so many of the first ones, important ones among them, and of the last ones.
const IN_NO_RUN: (usize, usize) = (2, 3);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Closed,
    Open,
    /// Open, without testers.
    Quiet,
}
use Stage::{Closed, Open, Quiet};

/// Version (index into [`VERSIONS`]), kind, configuration, age in days, stage, and percentages of cases: passed, failed
/// (new), failed (known), blocked, in progress.
type Line = (usize, &'static str, &'static str, i64, Stage, [u32; 5]);

#[rustfmt::skip]
const LINES: [Line; 23] = [
    (1, "Smoke", "chrome", 62, Closed, [100, 0, 0, 0, 0]),
    (1, "Smoke", "firefox", 62, Closed, [100, 0, 0, 0, 0]),
    (1, "Smoke", "edge", 62, Closed, [97, 0, 3, 0, 0]),
    (1, "Regression", "chrome", 60, Closed, [97, 1, 2, 0, 0]),
    (1, "Regression", "firefox", 60, Closed, [95, 2, 2, 0, 0]),
    (1, "Regression", "edge", 59, Closed, [90, 2, 3, 1, 0]),
    (1, "Acceptance", "chrome", 55, Closed, [98, 0, 2, 0, 0]),
    (1, "Acceptance", "edge", 55, Closed, [94, 1, 2, 0, 0]),
    (2, "Smoke", "chrome", 10, Closed, [92, 5, 0, 3, 0]),
    (2, "Smoke", "firefox", 10, Closed, [96, 0, 4, 0, 0]),
    (2, "Smoke", "edge", 10, Closed, [70, 4, 0, 0, 0]),
    (2, "Exploratory", "firefox", 9, Quiet, [54, 2, 0, 2, 0]),
    (2, "Exploratory", "chrome", 8, Open, [82, 1, 2, 1, 0]),
    (1, "Hotfix check", "firefox", 6, Open, [70, 2, 0, 0, 3]),
    (2, "Regression", "firefox", 6, Open, [58, 8, 2, 3, 2]),
    (2, "Regression", "edge", 6, Open, [55, 2, 3, 9, 2]),
    (2, "Regression", "chrome", 6, Open, [86, 2, 3, 1, 1]),
    (2, "Acceptance", "edge", 5, Open, [41, 1, 1, 0, 3]),
    (2, "Acceptance", "chrome", 5, Open, [58, 2, 1, 4, 2]),
    (2, "Acceptance", "firefox", 0, Open, [0, 0, 0, 0, 0]),
    (2, "Smoke", "edge", 3, Open, [86, 3, 0, 0, 4]),
    (2, "Smoke", "firefox", 3, Open, [100, 0, 0, 0, 0]),
    (2, "Smoke", "chrome", 3, Open, [97, 0, 3, 0, 0]),
];

/// Suites of a kind: number of suites to skip, those in no run left out, and number to take.
fn suites_of(kind: &str) -> (usize, usize) {
    match kind {
        "Smoke" => (0, 3),
        "Regression" => (0, 12),
        "Acceptance" => (9, 7),
        "Exploratory" => (14, 4),
        _ => (3, 2),
    }
}

/// Creates the runs of the release as of `now` (epoch milliseconds), numbered from `first`. `suites` has row number and
/// test cases of the suites by [`Scope::index`].
pub fn release(seed: u64, first: u64, suites: &[Vec<(u32, u32)>], now: i64) -> Vec<MadeRun> {
    let runs = (first..).zip(LINES);
    runs.map(|(seq, line)| run(seed, seq, line, suites, now))
        .collect()
}

fn run(
    seed: u64,
    seq: u64,
    (version, kind, configuration, days, stage, shares): Line,
    suites: &[Vec<(u32, u32)>],
    now: i64,
) -> MadeRun {
    let mut rng = generator(seed, 1, seq);
    let rng = &mut rng;
    let scope = Scope { place: 0, version };
    let created_on = (morning(now) - days * DAY).min(now) - rng.random_range(20..90) * MINUTE;
    let edited_on = match stage {
        Closed => created_on + (days / 3).max(1) * DAY,
        Quiet => now - QUIET * DAY,
        Open if shares[0] == 0 => created_on,
        Open => now - rng.random_range(1..15) * MINUTE,
    };
    let title = match kind {
        "Smoke" | "Acceptance" => format!("{kind} {configuration}, week {}", week(created_on)),
        _ => format!("{kind} {configuration} {}", VERSIONS[version]),
    };
    let offered = suites.get(scope.index()).map_or(&[][..], Vec::as_slice);
    let (skipped, taken) = suites_of(kind);
    let most = offered.len().saturating_sub(IN_NO_RUN.1);
    let of_runs = offered.iter().take(most).skip(IN_NO_RUN.0);
    let chosen = of_runs.skip(skipped).take(taken);
    let chosen: Vec<(u32, u32)> = chosen.copied().collect();
    let total: u32 = chosen.iter().map(|(_, cases)| cases).sum();
    let mut counts = Counts::default();
    // Passed, Failed (new), Failed (known), Blocked, In progress (2.2).
    for (index, share) in [1, 4, 5, 2, 6].into_iter().zip(shares) {
        counts.0[index] = total * share / 100;
    }
    counts.0[0] = total - counts.0.iter().sum::<u32>();
    let is_all = shares.iter().sum::<u32>() == 100;
    if is_all {
        counts.0[1] += std::mem::take(&mut counts.0[0]);
    }
    let testers = match stage {
        Quiet => Vec::new(),
        _ if shares[0] == 0 => Vec::new(),
        _ => words::PEOPLE.choose_multiple(rng, 2).copied().collect(),
    };
    let assigned = counts.total() - u64::from(counts.0[0]);
    let made = MadeRun {
        scope,
        uuid: uuid(rng),
        title,
        configuration,
        closed: stage == Closed,
        edited_by: testers
            .first()
            .copied()
            .unwrap_or_else(|| pick(rng, &words::PEOPLE)),
        edited_on,
        created_on,
        suites: chosen.iter().map(|(seq, _)| *seq).collect(),
        counts,
        assigned: if testers.is_empty() { 0 } else { assigned },
        testers,
        by_system: false,
        text: String::new(),
        document: String::new(),
    };
    let description = pick(rng, &words::SENTENCES);
    made.with_document(seq, pick(rng, &words::PEOPLE), description, &[])
}

/// Nine o'clock of the day on this machine: what was read on an evening was there before, whatever the time is now.
fn morning(now: i64) -> i64 {
    let at = Timestamp::from_millisecond(now).unwrap_or_default();
    let day = at.to_zoned(TimeZone::system()).start_of_day();
    day.map_or(now, |day| {
        day.timestamp().as_millisecond() + 9 * 60 * MINUTE
    })
}

/// ISO week of a time.
fn week(at: i64) -> i8 {
    let at = Timestamp::from_millisecond(at).unwrap_or_default();
    let date = TimeZone::UTC.to_datetime(at).date();
    date.iso_week_date().week()
}
