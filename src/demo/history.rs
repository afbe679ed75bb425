//! Invented counts of the demo's runs from before its start. Those of yesterday evening show the news of today; runs
//! with testers also have earlier evenings and the last hours, for a burn-up and a forecast. They end at the state of
//! the local service and have the pace that its testers then keep.

use std::path::Path;

use jiff::tz::TimeZone;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::config::Profile;
use crate::domain::{Days, DocRef, DueOf, ResultCode, ResultCounts, Sample};
use crate::local_service::AtWork;
use crate::samples::{DatabaseError, Samples};

const HOUR: f64 = 3_600_000.0;
/// Maximum number of hours of samples for one day.
pub const HOURS: u32 = 3;
/// Number of evenings with a sample, and share of the finished cases that was finished on each day between.
const EVENINGS: i64 = 9;
const DAILY: f64 = 0.1;
/// Interval of the samples in milliseconds (5 minutes).
const LOOKS: i64 = 300_000;
/// Time from the last sample of a day to midnight, in milliseconds (6 hours).
const EVENING: i64 = 6 * 3_600_000;
const DAY: i64 = 24 * 3_600_000;
/// Percentage of new failures from which a run has many; most of them are then recent.
const MANY: u32 = 8;
/// Index of Blocked. The run with the most blocked cases is due slightly after its end at the current pace.
const BLOCKED: usize = 2;
const TIGHT: f64 = 1.05;
/// Results of finished cases.
const DONE: [ResultCode; 4] = [
    ResultCode::Passed,
    ResultCode::FailedNew,
    ResultCode::FailedKnown,
    ResultCode::Skipped,
];

/// Keeps invented samples of the runs in a state folder: those of yesterday evening, and if `live` also those up to now
/// (epoch milliseconds). Blocks.
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
            let evenings = days.map(|days| evenings(run, &hours, live, days));
            let hours = hours.into_iter().filter(|_| live);
            let samples = evenings.into_iter().flatten().chain(hours);
            kept.extend(samples.map(|sample| (doc_ref.clone(), sample)));
        }
    }
    let kept = kept.iter().map(|(run, sample)| (run, sample));
    let scope = profile.scope();
    let name = samples.name_of(&profile.name, &profile.target().service)?;
    let counts = samples.of_scope(&name, &scope);
    counts.add_all(kept)?;
    if let Some(days) = days {
        counts.used(days.today - EVENING, days.yesterday)?;
    }
    let at_work = runs.iter().filter(|run| live && run.per_hour > 0.0);
    let Some(tight) = at_work.max_by_key(|run| run.counts[BLOCKED]) else {
        return Ok(());
    };
    let done: u32 = DONE.iter().map(|code| cases(tight, *code)).sum();
    let left = f64::from(tight.counts.iter().sum::<u32>() - done);
    let at = now + (left / tight.per_hour * TIGHT * HOUR) as i64;
    let Ok(run) = DocRef::parse(&tight.doc_ref) else {
        return Ok(());
    };
    counts.set_due(&DueOf::Run(run), Some(at))
}

fn cases(run: &AtWork, code: ResultCode) -> u32 {
    run.counts[usize::from(code.number()) - 1]
}

/// Samples of yesterday evening, as the last hours begin unless they include it, and of earlier evenings.
fn evenings(run: &AtWork, hours: &[Sample], live: bool, days: Days) -> Vec<Sample> {
    let Some(first) = hours.first() else {
        return Vec::new();
    };
    let count = if live { EVENINGS } else { 1 };
    let evenings = (0..count).rev().filter_map(|before| {
        let at = days.today - EVENING - before * DAY;
        let is_told = live && (first.at < at + EVENING || at <= run.created_on);
        let share = if run.per_hour > 0.0 {
            1.0 - DAILY * before as f64
        } else {
            1.0
        };
        let counts = first.counts.as_ref().map(|counts| earlier(counts, share));
        (!is_told).then(|| Sample {
            at,
            seen_until: at,
            counts,
            ..first.clone()
        })
    });
    evenings.collect()
}

/// The same counts with only this share of the finished cases finished.
fn earlier(counts: &ResultCounts, share: f64) -> ResultCounts {
    let mut then = ResultCounts::default();
    let mut untested = 0;
    for code in ResultCode::ALL {
        let cases = counts.get(code);
        let kept = if DONE.contains(&code) {
            (cases as f64 * share) as u64
        } else {
            cases
        };
        untested += cases - kept;
        then.add(code, kept);
    }
    then.add(ResultCode::Untested, untested);
    then
}

/// Samples of the last hours, with the cases finished one by one at random times.
pub fn of_run(run: &AtWork, now: i64, seed: u64) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut last: Vec<ResultCode> = DONE
        .into_iter()
        .flat_map(|code| std::iter::repeat_n(code, cases(run, code) as usize))
        .collect();
    last.shuffle(&mut rng);
    let all: u32 = run.counts.iter().sum();
    if cases(run, ResultCode::FailedNew) * 100 >= MANY * all {
        last.sort_by_key(|code| *code == ResultCode::FailedNew);
    }
    if run.per_hour <= 0.0 {
        last.clear();
    }
    // The samples begin with the first finished case.
    let hours = if last.is_empty() {
        f64::from(HOURS)
    } else {
        (last.len() as f64 / run.per_hour.max(0.1)).min(f64::from(HOURS))
    };
    let first = now - (hours * HOUR) as i64;
    let mut counts = run.counts;
    let mut finished = now as f64;
    let mut gap = move || -(1.0 - rng.random::<f64>()).ln() / run.per_hour.max(0.1) * HOUR;
    finished -= gap();
    let mut samples = Vec::new();
    let mut at = now;
    while at >= first {
        // Cases that were finished later were untested at this time.
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
    let mut results = ResultCounts::default();
    for (code, count) in ResultCode::ALL.into_iter().zip(counts) {
        results.add(code, u64::from(count));
    }
    Sample {
        at,
        seen_until: at,
        clock_back: false,
        counts: Some(results),
        suites: Some(suites),
        progress: None,
    }
}
