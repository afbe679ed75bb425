//! Counts of the demo's runs from before its start, made up. Those of yesterday evening show what is new today; with
//! `--live` those of the last hours, too, so that there is a burn-up and a forecast to see at once. They end at what the
//! local service has, and go at the pace that its testers then keep.

use std::path::Path;

use jiff::tz::TimeZone;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::config::Profile;
use crate::domain::{Days, DocRef, ResultCode, ResultCounts, Sample};
use crate::local_service::AtWork;
use crate::samples::{DatabaseError, Samples};

const HOUR: f64 = 3_600_000.0;
/// So far back they reach, at most, in hours.
pub const HOURS: u32 = 6;
/// Somebody looked every so often, in milliseconds: 5 minutes.
const LOOKS: i64 = 300_000;
/// Somebody looked last so many milliseconds before midnight: 6 hours.
const EVENING: i64 = 6 * 3_600_000;
/// Results of cases that are finished.
const DONE: [ResultCode; 4] = [
    ResultCode::Passed,
    ResultCode::FailedNew,
    ResultCode::FailedKnown,
    ResultCode::Skipped,
];

/// Keeps made-up samples of the runs in a state folder: of yesterday evening, and if they are `live` as if somebody had
/// looked at them in the last hours, until now (epoch milliseconds). Blocks.
pub fn keep(
    state: &Path,
    profile: &Profile,
    runs: &[AtWork],
    live: bool,
    now: i64,
) -> Result<(), DatabaseError> {
    let days = Days::at(now, &TimeZone::system());
    let samples = Samples::open(state, profile.monitor.samples_days, now)?;
    let mut kept = Vec::new();
    for (number, run) in (0_u64..).zip(runs) {
        if let Ok(doc_ref) = DocRef::parse(&run.doc_ref) {
            let hours = of_run(run, now, number);
            let evening = days.and_then(|days| evening(&hours, live, days));
            let hours = hours.into_iter().filter(|_| live);
            let samples = evening.into_iter().chain(hours);
            kept.extend(samples.map(|sample| (doc_ref.clone(), sample)));
        }
    }
    let kept = kept.iter().map(|(run, sample)| (run, sample));
    samples
        .add_all(&profile.name, &profile.scope(), kept)
        .map(|_| ())
}

/// How a run stood yesterday evening: as its last hours begin, unless those show it themselves.
fn evening(hours: &[Sample], live: bool, days: Days) -> Option<Sample> {
    let first = hours.first()?;
    let at = days.today - EVENING;
    (!live || first.at >= days.today).then(|| Sample {
        at,
        seen_until: at,
        ..first.clone()
    })
}

/// What a run told in the last hours: its cases were finished one by one, at times that are spread by chance.
pub fn of_run(run: &AtWork, now: i64, seed: u64) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let cases = |code: ResultCode| run.counts[usize::from(code.number()) - 1];
    let mut last: Vec<ResultCode> = DONE
        .into_iter()
        .flat_map(|code| std::iter::repeat_n(code, cases(code) as usize))
        .collect();
    last.shuffle(&mut rng);
    // Before the first case nobody worked on it: the samples begin with the work.
    let hours = (last.len() as f64 / run.per_hour.max(0.1)).min(f64::from(HOURS));
    let first = now - (hours * HOUR) as i64;
    let mut counts = run.counts;
    let mut finished = now as f64;
    let mut gap = move || -(1.0 - rng.random::<f64>()).ln() / run.per_hour.max(0.1) * HOUR;
    finished -= gap();
    let mut samples = Vec::new();
    let mut at = now;
    while at >= first {
        // Cases that were finished after this look were untested then.
        while finished > at as f64
            && let Some(code) = last.pop()
        {
            counts[usize::from(code.number()) - 1] -= 1;
            counts[usize::from(ResultCode::Untested.number()) - 1] += 1;
            finished -= gap();
        }
        samples.push(sample(counts, run.suites, at));
        at -= LOOKS;
    }
    samples.reverse();
    samples
}

fn sample(counts: [u32; 11], suites: i64, at: i64) -> Sample {
    let mut told = ResultCounts::default();
    for (code, count) in ResultCode::ALL.into_iter().zip(counts) {
        told.add(code, u64::from(count));
    }
    Sample {
        at,
        seen_until: at,
        clock_back: false,
        counts: Some(told),
        suites: Some(suites),
        progress: None,
    }
}
