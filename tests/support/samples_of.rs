//! Made-up samples of runs, and what the worker would work out from them.

use super::prelude::*;
use rundown::config::ProjectSettings;
use rundown::domain::{HoursOfDay, Sample, WorkingHours};
use rundown::forecast::History;
use rundown::forecast::{self, Settings};

/// How a run went on so far.
#[derive(Clone, Copy)]
pub enum Pace {
    /// Some cases an hour for two days, a scope that grew, a night in which nobody looked.
    Steady,
    /// All cases are finished.
    Done,
    /// Three samples.
    Thin,
    /// One, just now.
    One,
    /// None.
    Nothing,
}

const HOUR: i64 = 3_600_000;

/// So many cases passed, the others untested.
pub fn sample(at: i64, passed: u64, total: u64) -> Sample {
    let mut counts = ResultCounts::default();
    counts.add(ResultCode::Passed, passed);
    counts.add(ResultCode::Untested, total - passed);
    Sample {
        at,
        seen_until: at,
        clock_back: false,
        counts: Some(counts),
        suites: None,
        progress: None,
    }
}

/// The settings of a profile that says nothing, in a zone.
pub fn usual(zone: TimeZone) -> Settings {
    let watch = ProjectSettings::default();
    Settings {
        done: watch.done,
        hours: watch.hours,
        days: watch.pace_days,
        zone,
    }
}

/// The samples of such a run at `now`.
pub fn samples(pace: Pace, now: i64) -> Vec<Sample> {
    let mut samples: Vec<Sample> = match pace {
        Pace::Nothing => Vec::new(),
        Pace::One => vec![sample(now, 3, 116)],
        Pace::Thin => (0..3)
            .map(|n| sample(now - HOUR * (3 - n) / 4, n as u64, 116))
            .collect(),
        Pace::Steady | Pace::Done => {
            let hours = (0..48_i64).filter(|hour| !(12..26).contains(hour));
            let samples = hours.enumerate().map(|(done, hour)| {
                let total = if hour < 30 { 110 } else { 116 };
                sample(
                    now - HOUR * (47 - hour),
                    done as u64 * 2 + (hour % 3) as u64,
                    total,
                )
            });
            samples.collect()
        }
    };
    if matches!(pace, Pace::Done) {
        samples.push(sample(now, 116, 116));
    }
    samples
}

/// What they tell.
pub fn history(pace: Pace, now: i64) -> History {
    let samples = samples(pace, now);
    let mut settings = usual(TimeZone::UTC);
    settings.hours = WorkingHours {
        hours: HoursOfDay::Always,
        days: None,
    };
    let from = samples
        .first()
        .map_or(now - HOUR, |first| first.at.min(now - HOUR));
    History {
        samples: samples.len(),
        from,
        to: now,
        points: forecast::burn_up(&samples, &settings.done, from, now, 256),
        state: samples.last().and_then(|last| last.sums(&settings.done)),
        outlook: forecast::forecast(&samples, now, &settings),
        moved: forecast::moved(&samples, 100),
    }
}
