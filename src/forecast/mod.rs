//! When a run will be done, from its samples alone; pure, `now` and the zone are handed in.
//!
//! ```text
//! samples ──► track: progress over working time, without gaps ──► spread: pace and how even it is ──► band ──► Outlook
//! hours:  set, learned or all ──┘                                                     calendar ──────┘
//! ```
//!
//! It refuses where the data is thin and says why. Progress is what the counts say; the service's own Progress is
//! neither used nor recomputed.

mod calendar;
mod calibration;
mod chart;
mod learned;
mod spread;
mod sum;
mod track;
mod words;

use jiff::tz::TimeZone;

pub use calendar::Counted;
pub use calibration::Calibration;
pub use chart::{Moved, burn_up, moved};
pub use sum::{Finish, SumRun, finish, pace_needed};

use crate::domain::{HoursOfDay, MONDAY_TO_FRIDAY, ResultCode, Sample, Sums, WorkingHours};
use calendar::Calendar;
use track::Track;
pub use words::per_hour;
use words::{hours, named, of_runs};

/// So far back samples are worth reading, in milliseconds: four weeks, for the hours that are learned.
pub const LOOK_BACK: i64 = 28 * 86_400_000;

const HOUR: f64 = 3_600_000.0;
/// Samples that a forecast takes.
const SAMPLES: usize = 5;
/// Hours of observed time that a forecast takes, and hours that are looked at for whether anything goes on.
const HOURS: f64 = 2.0;

/// Burn-up and forecast of a run, worked out from its samples off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Number of samples.
    pub samples: usize,
    /// When the first column of the burn-up begins, epoch milliseconds.
    pub from: i64,
    /// When its last one ends: when it was worked out.
    pub to: i64,
    /// The burn-up, in columns of equal time; `None` where nobody looked.
    pub points: Vec<Option<Sums>>,
    /// The last counts that were told.
    pub state: Option<Sums>,
    /// When the run will be done.
    pub outlook: Outlook,
    /// When counts changed, and how; newest first.
    pub moved: Vec<Moved>,
}

/// The forecast as it is, and with more cases.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// More cases, at most.
    pub extra: u64,
    /// Without them.
    pub now: Outlook,
    /// With all of them.
    pub then: Outlook,
}

/// How a forecast is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Codes of cases that are finished.
    pub done: Vec<ResultCode>,
    /// What counts as time.
    pub hours: WorkingHours,
    /// The pace is that of so many working days, by observed time.
    pub days: u32,
    /// Zone in which working hours are meant.
    pub zone: TimeZone,
}

impl Settings {
    /// Codes that are finished unless the config says otherwise: passed, failed (new or known), skipped.
    pub const DONE: [ResultCode; 4] = [
        ResultCode::Passed,
        ResultCode::FailedNew,
        ResultCode::FailedKnown,
        ResultCode::Skipped,
    ];
}

/// What can be said about the end of a run. Times are epoch milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Outlook {
    /// Every case is at a code that is finished.
    Done,
    /// It will be done between two times, as far as the pace stays what it was.
    Band(Band),
    /// Nothing can be said.
    Refused(Why),
}

/// A forecast and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Not before.
    pub from: i64,
    /// As likely before as after.
    pub middle: i64,
    /// Not after.
    pub to: i64,
    /// Cases finished in an hour that counts.
    pub pace: f64,
    /// Cases that are not finished.
    pub left: u64,
    /// When the first sample of the pace was taken.
    pub since: i64,
    /// Hours that were observed and count.
    pub observed: f64,
    /// Number of samples used.
    pub used: usize,
    /// Gaps left out: nobody looked for more than [`Sample::GAP`] of the hours that count, or the clock went back.
    pub gaps: usize,
    /// When the number of all cases changed, and by how many.
    pub grew: Vec<(i64, i64)>,
    /// Which hours count.
    pub counted: Counted,
}

/// Why there is no forecast; in words as its text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Why {
    #[error("needs 2 h of readings (none so far)")]
    NoSamples,
    #[error("no results: the service does not send them")]
    NoCounts,
    #[error("the run has no cases")]
    NoCases,
    /// The last sample is old: milliseconds since it was seen.
    #[error("needs a reading of the last 2 h (the newest is {} old)", hours(*.0 as f64 / HOUR))]
    Old(i64),
    /// Too few samples: this many.
    #[error("needs 5 readings ({0} so far)")]
    FewSamples(usize),
    /// Too short: this many hours that count were observed.
    #[error("needs 2 h of readings ({} so far)", hours(*.0))]
    Short(f64),
    #[error("no case was finished in the last 2 h")]
    Still,
    #[error("more cases went back than were finished")]
    Backwards,
    #[error("the pace is too uneven")]
    Uneven,
    #[error("at this pace it takes more than 10 years")]
    Endless,
    /// Of a sum: open runs with cases left that were not read for 2 hours that count.
    #[error("{} not read for 2 h", of_runs(.0))]
    NotRead(Vec<String>),
    /// Of a sum: open runs of which the service tells no results.
    #[error("{}: no results", named(.0))]
    NoResults(Vec<String>),
    /// Of a report: no count moved for 2 hours that count before it was read.
    #[error("nothing has moved for 2 h of working time")]
    NothingMoved,
}

/// When the run will be done. The samples are of one run, in the order in which they came.
pub fn forecast(samples: &[Sample], now: i64, settings: &Settings) -> Outlook {
    what_if(samples, now, settings, 0)
}

/// The same if the run had more cases, such as those of suites that could be added. The number of cases of a suite is an
/// upper bound of what it adds, so the answer is "up to".
pub fn what_if(samples: &[Sample], now: i64, settings: &Settings, extra: u64) -> Outlook {
    outlook(samples, now, settings, extra).unwrap_or_else(Outlook::Refused)
}

fn outlook(samples: &[Sample], now: i64, settings: &Settings, extra: u64) -> Result<Outlook, Why> {
    let last = samples.last().ok_or(Why::NoSamples)?;
    let now_left = last.sums(&settings.done).ok_or(Why::NoCounts)?;
    let left = now_left.left().saturating_add(extra);
    if now_left.total == 0 && extra == 0 {
        return Err(Why::NoCases);
    }
    if left == 0 {
        return Ok(Outlook::Done);
    }
    let age = now.saturating_sub(last.seen_until);
    if age > Sample::GAP {
        return Err(Why::Old(age));
    }
    let calendar = Calendar::new(counted(&[samples], settings), &settings.zone, samples);
    let track = Track::new(samples, &calendar, settings);
    // Counts are as of the last look; what comes out as past is now.
    let begin = last.seen_until.min(now);
    band(track, &calendar, left, (begin, now), &[samples])
}

/// When so many cases will be done that were left at `begin`, at the pace of a track of these runs.
fn band(
    track: Track,
    calendar: &Calendar<'_>,
    left: u64,
    (begin, now): (i64, i64),
    runs: &[&[Sample]],
) -> Result<Outlook, Why> {
    if track.hours() < HOURS {
        return Err(Why::Short(track.hours()));
    }
    if track.used < SAMPLES {
        return Err(Why::FewSamples(track.used));
    }
    let (late, all) = (track.progress(HOURS), track.progress(track.hours()));
    if late < 0.0 || late > 0.0 && all <= 0.0 {
        return Err(Why::Backwards);
    }
    if late <= 0.0 {
        return Err(Why::Still);
    }
    let spread = spread::Spread::of(&track);
    let (soonest, latest) = spread.hours_for(left).ok_or(Why::Uneven)?;
    let at = |hours: f64| {
        let at = calendar.after(begin, hours * HOUR);
        at.map(|at| at.max(now)).ok_or(Why::Endless)
    };
    let mut from = at(soonest)?;
    let counted = calendar.counted();
    if matches!(counted, Counted::Weekly { learned: true, .. })
        && learned::is_new(now, runs, calendar.zone())
    {
        // Work may go on outside of the hours that were learned.
        from = from.min(begin + (soonest * HOUR) as i64).max(now);
    }
    Ok(Outlook::Band(Band {
        from,
        middle: at(f64::midpoint(soonest, latest))?,
        to: at(latest)?,
        pace: spread.pace,
        left,
        since: track.since,
        observed: track.hours(),
        used: track.used,
        gaps: track.gaps,
        grew: track.grew,
        counted,
    }))
}

fn counted(runs: &[&[Sample]], settings: &Settings) -> Counted {
    let learned = || learned::hours(runs, settings.hours.days, &settings.zone);
    set(settings.hours).unwrap_or_else(learned)
}

/// The hours, unless they are learned.
fn set(WorkingHours { hours, days }: WorkingHours) -> Option<Counted> {
    Some(match hours {
        HoursOfDay::Learned => return None,
        HoursOfDay::Always => Counted::all_hours(days),
        HoursOfDay::Set { from, to } => {
            Counted::weekly((from, to), days.unwrap_or(MONDAY_TO_FRIDAY), false)
        }
    })
}

/// A reading before a moment is too old to tell how a run stood then: more than 24 working hours lie between. Times are epoch
/// milliseconds.
pub fn is_old(at: i64, moment: i64, hours: WorkingHours, zone: &TimeZone) -> bool {
    worked(at, moment, hours, zone) > 24 * 3_600_000
}

/// Milliseconds of working time between two times (epoch milliseconds), whatever the run: where hours are learned, all of
/// the working days count.
pub fn worked(from: i64, to: i64, hours: WorkingHours, zone: &TimeZone) -> i64 {
    let all = || Counted::all_hours(Some(hours.working_days()));
    let counted = set(hours).unwrap_or_else(all);
    Calendar::over(counted, zone, Some((from, to))).between(from, to)
}
