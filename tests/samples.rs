//! Counts over time: every change kept once, whoever else keeps them and whatever happens to the program.

mod crash;
mod earlier;
mod export;
mod keeping;
mod places;

use crate::support::prelude::*;
use crate::support::samples_of;
use rundown::domain::Sample;
use rundown::samples::Samples;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// A Wednesday in November.
const NOW: i64 = 1_795_600_000_000;

fn run(number: u32) -> DocRef {
    DocRef::parse(&format!("TestRun-dm/{number}")).unwrap()
}

/// 100 cases, so many of them passed.
fn sample(at: i64, passed: u64) -> Sample {
    samples_of::sample(at, passed, 100).with(|it| it.suites = Some(12))
}

fn open(folder: &Path) -> Samples {
    Samples::open(folder, 90, NOW).unwrap()
}

fn fresh() -> (tempfile::TempDir, Samples) {
    let folder = new_folder();
    let samples = open(folder.path());
    (folder, samples)
}

fn kept(samples: &Samples) -> Vec<Sample> {
    samples.of_scope("qa", "P_9").of(&run(1), i64::MIN).unwrap()
}

/// First seen, last seen, passed, clock went back.
fn told(samples: &[Sample]) -> Vec<(i64, i64, u64, bool)> {
    let passed = |sample: &Sample| sample.sums(&[ResultCode::Passed]).unwrap().done;
    samples
        .iter()
        .map(|it| (it.at - NOW, it.seen_until - NOW, passed(it), it.clock_back))
        .collect()
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
