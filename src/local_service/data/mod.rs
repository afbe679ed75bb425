//! Generated data that looks like the work of a test team; the same seed yields the same data.

use super::prelude::*;

mod release;
mod runs;
mod suites;
mod words;

pub use release::release;
pub use runs::{MadeRun, RunMaker, search_text};
pub use suites::make_suite;
pub use words::PEOPLE;

/// Project with most of the runs.
pub const FIRST_PROJECT: &str = "P_9";
/// Sub project of the first project with most of its runs.
pub const FIRST_SUBPROJECT: &str = "SP_1";
/// The newest version of every project.
pub const LATEST_VERSION: &str = "1.2.1";

/// Versions of every project, oldest first.
pub const VERSIONS: [&str; 3] = ["1.1.0", "1.2.0", LATEST_VERSION];

/// Projects and sub projects with their share of runs and suites in per cent.
pub const PLACES: [(&str, &str, u32); 5] = [
    (FIRST_PROJECT, FIRST_SUBPROJECT, 70),
    (FIRST_PROJECT, "_", 8),
    (FIRST_PROJECT, "SP_2", 7),
    ("P_12", "_", 9),
    ("P_12", "SP_3", 6),
];

/// 2026-11-20T17:30:00Z. The generated data ends at this time on every day, so that it is always the same.
pub const DATA_ENDS: i64 = 1_795_195_800_000;

/// Place and version of a run or a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Index into [`PLACES`].
    pub place: usize,
    /// Index into [`VERSIONS`].
    pub version: usize,
}

impl Scope {
    /// Picks a place by its share, and a version, newer ones more often.
    fn pick(rng: &mut ChaCha8Rng) -> Self {
        let mut left = rng.random_range(0..100);
        let mut place = 0;
        for (index, (_, _, share)) in PLACES.iter().enumerate() {
            place = index;
            if left < *share {
                break;
            }
            left -= share;
        }
        let version = match rng.random_range(0..100) {
            0..22 => 0,
            22..55 => 1,
            _ => 2,
        };
        Self { place, version }
    }

    /// Index below `PLACES.len() * VERSIONS.len()`.
    pub fn index(self) -> usize {
        self.place * VERSIONS.len() + self.version
    }
}

/// Random numbers for one run or suite, independent of the number of others.
fn generator(seed: u64, what: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number * 2 + what);
    rng
}

fn pick<T: Copy>(rng: &mut ChaCha8Rng, list: &[T]) -> T {
    list[rng.random_range(0..list.len())]
}

/// True in `per_cent` of the cases.
fn chance(rng: &mut ChaCha8Rng, per_cent: u32) -> bool {
    rng.random_range(0..100) < per_cent
}

/// A UUID (version 4 in form) from the generator.
fn uuid(rng: &mut ChaCha8Rng) -> Uuid {
    uuid::Builder::from_random_bytes(rng.random()).into_uuid()
}
