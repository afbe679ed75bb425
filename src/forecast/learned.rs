//! Hours in which results arrived before.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::HOUR;
use super::calendar::Counted;
use crate::domain::{MONDAY_TO_FRIDAY, Sample, local};

/// Minimum number of days with results.
const DAYS: usize = 2;
/// An hour counts if it had results on one of so many days.
const ONE_OF: usize = 4;
/// Minimum number of hours without results for a night.
const NIGHT: usize = 4;

/// Returns the hours from the first to the last with results, and the days of the week: Monday to Friday, and Saturday
/// or Sunday if one had results, unless days are set. All hours count until enough is known.
pub fn hours(runs: &[&[Sample]], days: Option<[bool; 7]>, zone: &TimeZone) -> Counted {
    let always = Counted::all_hours(days);
    let seen: BTreeSet<_> = runs.iter().flat_map(|run| active(run, zone)).collect();
    let dates: BTreeSet<Date> = seen.iter().map(|(date, _)| *date).collect();
    if dates.len() < DAYS {
        return always;
    }
    let mut often = [0; 24];
    for (_, hour) in &seen {
        often[*hour] += 1;
    }
    let works = often.map(|number| number * ONE_OF >= dates.len());
    let Some((from, to)) = day(&works) else {
        return always;
    };
    let days = days.unwrap_or_else(|| {
        let mut days = MONDAY_TO_FRIDAY;
        for (date, hour) in seen {
            // Results after midnight belong to the day before, if the hours go over midnight.
            let after_midnight = to <= from && hour * 60 < usize::from(to);
            let date = if after_midnight {
                date.yesterday().unwrap_or(date)
            } else {
                date
            };
            days[usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or(0)] = true;
        }
        days
    });
    Counted::weekly((from, to), days, true)
}

/// Returns `true` if no earlier day was read at this hour: work in it is not known.
pub fn is_new(now: i64, runs: &[&[Sample]], zone: &TimeZone) -> bool {
    let hour = |at: i64| hour_of(at, zone);
    let Some((today, this)) = hour(now) else {
        return false;
    };
    // Its first time at an hour is the earliest: two days have all hours, also where the clocks are changed.
    let samples = runs.iter().copied().flatten().flat_map(|sample| {
        (sample.at..sample.seen_until)
            .step_by(HOUR as usize)
            .take(49)
            .chain([sample.seen_until])
    });
    !samples
        .filter_map(hour)
        .any(|(date, hour)| date < today && hour == this)
}

/// Returns days and hours in which counts changed without a gap.
fn active(samples: &[Sample], zone: &TimeZone) -> BTreeSet<(Date, usize)> {
    let changed = samples.array_windows().filter(|[before, after]| {
        let unseen = after.at.saturating_sub(before.seen_until);
        !after.clock_back && unseen <= Sample::GAP && before.counts != after.counts
    });
    changed
        .filter_map(|[_, after]| hour_of(after.at, zone))
        .collect()
}

/// Returns day and hour of a time.
fn hour_of(at: i64, zone: &TimeZone) -> Option<(Date, usize)> {
    let local = local(at, zone)?;
    Some((local.date(), usize::try_from(local.hour()).ok()?))
}

/// Returns the first minute and the one after the last of the day: all but the longest stretch without work.
fn day(works: &[bool]) -> Option<(u16, u16)> {
    let hours = works.len();
    if !works.contains(&true) {
        return None;
    }
    let free = |start: &usize| {
        (0..hours)
            .take_while(|next| !works[(start + next) % hours])
            .count()
    };
    let night = (0..hours)
        .filter(|start| free(start) >= NIGHT)
        .max_by_key(free)?;
    let morning = (night + free(&night)) % hours;
    let minute = |hour: usize| u16::try_from(hour * 60).ok();
    // A day that ends at midnight ends at 24:00.
    let evening = if night == 0 { hours } else { night };
    Some((minute(morning)?, minute(evening)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn works(hours: &[usize]) -> Vec<bool> {
        (0..24).map(|hour| hours.contains(&hour)).collect()
    }

    #[test]
    fn the_day_is_what_the_night_leaves() {
        assert_eq!(
            day(&works(&[8, 9, 10, 11, 13, 14, 17])),
            Some((8 * 60, 18 * 60))
        );
        assert_eq!(day(&works(&[22, 23, 0, 1, 5])), Some((22 * 60, 6 * 60)));
        assert_eq!(day(&works(&[20, 23])), Some((20 * 60, 24 * 60)));
        assert_eq!(day(&works(&[0, 4])), Some((0, 5 * 60)));
        assert_eq!(day(&works(&[0, 4, 8, 12, 16, 20])), None, "no night");
        assert_eq!(day(&works(&[])), None);
    }

    /// As of a damaged file: readings of all times would be gone through for ever.
    #[test]
    fn a_reading_without_an_end_is_soon_looked_through() {
        let sample = Sample {
            at: i64::MIN,
            seen_until: i64::MAX,
            clock_back: false,
            counts: None,
            suites: None,
            progress: None,
        };
        assert!(is_new(1_795_000_000_000, &[&[sample]], &TimeZone::UTC));
    }
}
