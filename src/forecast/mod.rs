//! Forecast of the end of a run, from its samples alone; pure: `now` and the zone are arguments.
//!
//! ```text
//! samples ──► track: progress over working time, without gaps ──► spread: pace and how even it is ──► band ──► Outlook
//! hours:  set, learned or all ──┘                                                     calendar ──────┘
//! ```
//!
//! Too little data gives a reason instead of a forecast. Progress comes from the counts; the service's own Progress is
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

use crate::domain::text::few;
use crate::domain::{HoursOfDay, MONDAY_TO_FRIDAY, ResultCode, Sample, Sums, WorkingHours};
use calendar::Calendar;
use track::Track;
use words::{hours, of_runs};

/// Age of samples worth reading, in milliseconds: four weeks, for learned hours.
pub const LOOK_BACK: i64 = 28 * 86_400_000;

const HOUR: f64 = 3_600_000.0;
/// Minimum number of samples for a forecast.
const SAMPLES: usize = 5;
/// Minimum number of observed hours for a forecast; progress is required in the last of them.
const HOURS: f64 = 2.0;

/// Burn-up and forecast of a run, computed from its samples off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Number of samples.
    pub samples: usize,
    /// Start of the first column of the burn-up, epoch milliseconds.
    pub from: i64,
    /// End of the last column: the time of the computation.
    pub to: i64,
    /// The burn-up, in columns of equal time; `None` without a reading.
    pub points: Vec<Option<Sums>>,
    /// Last known counts.
    pub state: Option<Sums>,
    pub outlook: Outlook,
    /// Changes of counts, newest first.
    pub moved: Vec<Moved>,
}

/// Forecast without and with more cases.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// Maximum number of additional cases.
    pub extra: u64,
    /// Forecast without them.
    pub now: Outlook,
    /// Forecast with all of them.
    pub then: Outlook,
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// Codes of finished cases.
    pub done: Vec<ResultCode>,
    /// Counted time.
    pub hours: WorkingHours,
    /// Working days of observed time that give the pace.
    pub days: u32,
    /// Zone of the working hours.
    pub zone: TimeZone,
}

impl Settings {
    /// Default codes of finished cases: passed, failed (new or known), skipped.
    pub const DONE: [ResultCode; 4] = [
        ResultCode::Passed,
        ResultCode::FailedNew,
        ResultCode::FailedKnown,
        ResultCode::Skipped,
    ];

    /// Returns the time from which on samples count in a forecast made at `now`: long enough for the learned hours, and for
    /// the days of the pace with their weekends. Times are epoch milliseconds.
    pub fn reads_from(&self, now: i64) -> i64 {
        let week = 7 * 86_400_000;
        now.saturating_sub(LOOK_BACK.max(i64::from(self.days) * week / 5 + week))
    }

    /// Returns the samples that count, however many were read.
    fn recent<'a>(&self, samples: &'a [Sample], now: i64) -> &'a [Sample] {
        let from = self.reads_from(now);
        let first = samples.iter().position(|it| it.seen_until >= from);
        &samples[first.unwrap_or(samples.len())..]
    }
}

/// Outlook on the end of a run. Times are epoch milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Outlook {
    /// All cases are finished.
    Done,
    /// It ends between two times, if the pace stays the same.
    Band(Band),
    /// No forecast.
    Refused(NoForecast),
}

impl Outlook {
    pub fn band(&self) -> Option<&Band> {
        match self {
            Self::Band(band) => Some(band),
            Self::Done | Self::Refused(_) => None,
        }
    }
}

/// Forecast, and its basis.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Earliest end.
    pub from: i64,
    /// As likely before as after.
    pub middle: i64,
    /// Latest end.
    pub to: i64,
    /// Cases finished in a counted hour.
    pub pace: f64,
    /// Unfinished cases.
    pub left: u64,
    /// Time of these counts.
    pub as_of: i64,
    /// Observed and counted hours.
    pub observed: f64,
    /// Number of samples used.
    pub used: usize,
    /// Gaps left out: more than [`Sample::GAP`] of counted hours without a reading, or a clock that went back.
    pub gaps: usize,
    /// Times at which the number of all cases changed, and by how many.
    pub grew: Vec<(i64, i64)>,
    pub counted: Counted,
}

/// Reason that there is no forecast.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoForecast {
    #[error("needs 2 h of readings (none so far)")]
    NoSamples,
    #[error("no results: the service does not send them")]
    NoCounts,
    #[error("there are no cases")]
    NoCases,
    /// The last sample is too old: its age in milliseconds.
    #[error("needs a reading of the last 2 h (the newest is {} old)", hours(*.0 as f64 / HOUR))]
    Old(i64),
    /// Number of samples, which is too low: one stands for all readings without a change.
    #[error("needs 5 readings with changes in the time that pace_days takes ({0} in it)")]
    FewSamples(usize),
    /// Observed and counted hours, which are too few.
    #[error("needs 2 h of readings ({} so far)", hours(*.0))]
    Short(f64),
    #[error("no case was finished in the last 2 h")]
    Still,
    #[error("more cases went back than were finished")]
    Backwards,
    #[error("in the last 2 h more cases went back than were finished")]
    BackwardsLately,
    #[error("the pace is too uneven")]
    Uneven,
    #[error("at this pace it takes more than 10 years")]
    Endless,
    /// Of a sum: open runs with cases left that were not read for 2 counted hours.
    #[error("{} not read for 2 h", of_runs(.0))]
    NotRead(Vec<String>),
    /// Of a sum: open runs without results from the service.
    #[error("{}: no results", few(.0))]
    NoResults(Vec<String>),
}

impl NoForecast {
    /// True if the readings are too few for a pace.
    fn is_of_few(&self) -> bool {
        matches!(self, Self::NoSamples | Self::NoCounts | Self::Short(_))
    }
}

/// Forecasts the end of a run by its samples, in the order of the readings.
pub fn forecast(samples: &[Sample], now: i64, settings: &Settings) -> Outlook {
    what_if(samples, now, settings, 0)
}

/// Forecasts the end if the run had more cases, such as those of suites that could be added. The number of cases of a
/// suite is an upper bound of what it adds, so the answer is "up to".
pub fn what_if(samples: &[Sample], now: i64, settings: &Settings, extra: u64) -> Outlook {
    outlook(samples, now, settings, extra).unwrap_or_else(Outlook::Refused)
}

fn outlook(
    samples: &[Sample],
    now: i64,
    settings: &Settings,
    extra: u64,
) -> Result<Outlook, NoForecast> {
    let samples = settings.recent(samples, now);
    let last = samples.last().ok_or(NoForecast::NoSamples)?;
    let now_left = last.sums(&settings.done).ok_or(NoForecast::NoCounts)?;
    let left = now_left.left().saturating_add(extra);
    if now_left.total == 0 && extra == 0 {
        return Err(NoForecast::NoCases);
    }
    if left == 0 {
        return Ok(Outlook::Done);
    }
    let age = now.saturating_sub(last.seen_until);
    if age > Sample::GAP {
        return Err(NoForecast::Old(age));
    }
    let calendar = Calendar::new(counted(&[samples], settings), &settings.zone, samples);
    let track = Track::new(samples, &calendar, settings);
    // Counts are of the last reading; a result in the past is now.
    let begin = last.seen_until.min(now);
    band(track, &calendar, left, (begin, now), &[samples])
}

/// Forecasts the end of the cases left at `begin`, at the pace of a track of these runs.
fn band(
    track: Track,
    calendar: &Calendar<'_>,
    left: u64,
    (begin, now): (i64, i64),
    runs: &[&[Sample]],
) -> Result<Outlook, NoForecast> {
    if track.hours() < HOURS {
        return Err(NoForecast::Short(track.hours()));
    }
    let (late, all) = (track.progress(HOURS), track.progress(track.hours()));
    if late < 0.0 && all > 0.0 {
        return Err(NoForecast::BackwardsLately);
    }
    if late < 0.0 || late > 0.0 && all <= 0.0 {
        return Err(NoForecast::Backwards);
    }
    if late <= 0.0 {
        return Err(NoForecast::Still);
    }
    if track.used < SAMPLES {
        return Err(NoForecast::FewSamples(track.used));
    }
    let spread = spread::Spread::of(&track);
    let (soonest, latest) = spread.hours_for(left).ok_or(NoForecast::Uneven)?;
    let at = |hours: f64| {
        let at = calendar.after(begin, hours * HOUR);
        at.map(|at| at.max(now)).ok_or(NoForecast::Endless)
    };
    // Only the latest end may be years away.
    let to = at(latest).map_err(|endless| match at(left as f64 / spread.pace) {
        Ok(_) => NoForecast::Uneven,
        Err(_) => endless,
    })?;
    let mut from = at(soonest)?;
    let counted = calendar.counted();
    if matches!(counted, Counted::Weekly { learned: true, .. })
        && learned::is_new(now, runs, calendar.zone())
    {
        // Work may go on outside of the learned hours.
        from = from.min(begin + (soonest * HOUR) as i64).max(now);
    }
    Ok(Outlook::Band(Band {
        from,
        middle: at(f64::midpoint(soonest, latest))?,
        to,
        pace: spread.pace,
        left,
        as_of: begin,
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

/// Returns the hours; `None` if they are learned.
fn set(WorkingHours { hours, days }: WorkingHours) -> Option<Counted> {
    Some(match hours {
        HoursOfDay::Learned => return None,
        HoursOfDay::Always => Counted::all_hours(days),
        HoursOfDay::Set { from, to } => {
            Counted::weekly((from, to), days.unwrap_or(MONDAY_TO_FRIDAY), false)
        }
    })
}

/// Returns `true` if more than 24 working hours lie between a reading and a moment: too old for the state then. Times
/// are epoch milliseconds.
pub fn is_old(at: i64, moment: i64, hours: WorkingHours, zone: &TimeZone) -> bool {
    worked(at, moment, hours, zone) > 24 * 3_600_000
}

/// Returns the milliseconds of working time between two times (epoch milliseconds), for any run: if hours are learned,
/// all of the working days count.
pub fn worked(from: i64, to: i64, hours: WorkingHours, zone: &TimeZone) -> i64 {
    let all = || Counted::all_hours(Some(hours.working_days()));
    let counted = set(hours).unwrap_or_else(all);
    Calendar::spanning(counted, zone, Some((from, to))).between(from, to)
}
