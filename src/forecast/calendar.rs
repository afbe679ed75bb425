//! Counted time, and the moment when an amount of it has passed.

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::domain::{Sample, local};

/// Maximum number of days to look ahead.
const TEN_YEARS: usize = 3_653;
/// Milliseconds before the newest sample in which time counts: clocks may have been years off.
pub(super) const PAST: i64 = 400 * 86_400_000;

/// The hours that count in a forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All hours.
    Always,
    /// Some hours of some days.
    Weekly {
        /// First minute of the day.
        from: u16,
        /// The minute after the last, up to 1440; of the next day if not later than `from`.
        to: u16,
        /// Days on which the hours begin, Monday first.
        days: [bool; 7],
        /// Learned from the samples, else set.
        learned: bool,
    },
}

impl Counted {
    pub(super) fn weekly((from, to): (u16, u16), days: [bool; 7], learned: bool) -> Self {
        Self::Weekly {
            from,
            to,
            days,
            learned,
        }
    }

    /// Counts all hours, of these days if some are set.
    pub(super) fn all_hours(days: Option<[bool; 7]>) -> Self {
        days.map_or(Self::Always, |days| Self::weekly((0, 1440), days, false))
    }

    /// Returns the counted hours of a day.
    pub(super) fn hours_a_day(self) -> f64 {
        match self {
            Self::Always => 24.0,
            Self::Weekly { from, to, .. } => f64::from((to + 1440 - from - 1) % 1440 + 1) / 60.0,
        }
    }
}

/// Counted hours as stretches of real time.
pub struct Calendar<'z> {
    counted: Counted,
    zone: &'z TimeZone,
    /// Begin and end of each stretch since the first sample, epoch milliseconds.
    past: Vec<(i64, i64)>,
}

impl<'z> Calendar<'z> {
    pub fn new(counted: Counted, zone: &'z TimeZone, samples: &[Sample]) -> Self {
        let first = samples.iter().map(|sample| sample.at).min();
        let last = samples.iter().map(|sample| sample.seen_until).max();
        let times = first.zip(last).zip(samples.last());
        let times =
            times.map(|((first, last), newest)| (first.max(newest.at.saturating_sub(PAST)), last));
        Self::spanning(counted, zone, times)
    }

    /// Builds a calendar of the time between two times (epoch milliseconds), else of the future only.
    pub fn spanning(counted: Counted, zone: &'z TimeZone, times: Option<(i64, i64)>) -> Self {
        let past = Vec::new();
        let mut calendar = Self {
            counted,
            zone,
            past,
        };
        if let Some((first, last)) = times
            && counted != Counted::Always
        {
            calendar.past = calendar
                .stretches(first)
                .take_while(|(from, _)| *from <= last)
                .collect();
        }
        calendar
    }

    pub fn counted(&self) -> Counted {
        self.counted
    }

    pub fn zone(&self) -> &'z TimeZone {
        self.zone
    }

    /// Returns the counted milliseconds between two times.
    pub fn between(&self, from: i64, to: i64) -> i64 {
        if self.counted == Counted::Always {
            return to.saturating_sub(from).max(0);
        }
        let first = self.past.partition_point(|(_, end)| *end <= from);
        self.past[first..]
            .iter()
            .copied()
            .take_while(|(begin, _)| *begin < to)
            .map(|(begin, end)| end.min(to).saturating_sub(begin.max(from)).max(0))
            .sum()
    }

    /// Returns the time after so many counted milliseconds; `None` if that takes more than ten years.
    pub fn after(&self, from: i64, milliseconds: f64) -> Option<i64> {
        if !(0.0..TEN_YEARS as f64 * 86_400_000.0).contains(&milliseconds) {
            return None;
        }
        let mut left = milliseconds.ceil() as i64;
        if self.counted == Counted::Always {
            return from.checked_add(left);
        }
        for (begin, end) in self.stretches(from).take(TEN_YEARS) {
            let begin = begin.max(from);
            let long = end.saturating_sub(begin);
            if long >= left {
                return begin.checked_add(left);
            }
            left -= long.max(0);
        }
        None
    }

    /// Returns the counted stretches in order, from that of `from` on.
    fn stretches(&self, from: i64) -> impl Iterator<Item = (i64, i64)> {
        let weekly = match self.counted {
            Counted::Always => None,
            Counted::Weekly { from, to, days, .. } => Some((from, to, days)),
        };
        // A stretch over midnight began the day before.
        let start = local(from, self.zone).and_then(|at| at.date().yesterday().ok());
        let dates = std::iter::successors(start, |date| date.tomorrow().ok());
        let stretch = move |date: Date| {
            let (from, to, days) = weekly?;
            if !days[usize::try_from(date.weekday().to_monday_zero_offset()).ok()?] {
                return None;
            }
            let end = if to > from {
                date
            } else {
                date.tomorrow().ok()?
            };
            Some((self.instant(date, from)?, self.instant(end, to)?))
        };
        // Limited, so that a week without a working day ends.
        dates
            .take(TEN_YEARS + 1)
            .filter_map(stretch)
            .skip_while(move |(_, end)| *end <= from)
    }

    /// Returns a minute of a day as real time. One that the clocks skip is the one after the gap.
    fn instant(&self, date: Date, minute: u16) -> Option<i64> {
        let (date, minute) = if minute >= 1440 {
            (date.tomorrow().ok()?, minute - 1440)
        } else {
            (date, minute)
        };
        let time = date
            .at(0, 0, 0, 0)
            .checked_add(i64::from(minute).minutes())
            .ok()?
            .to_zoned(self.zone.clone())
            .ok()?;
        Some(time.timestamp().as_millisecond())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::MONDAY_TO_FRIDAY;

    fn at(text: &str) -> i64 {
        text.parse::<jiff::Zoned>()
            .unwrap()
            .timestamp()
            .as_millisecond()
    }

    fn sample(at: i64) -> Sample {
        Sample {
            at,
            seen_until: at,
            clock_back: false,
            counts: None,
            suites: None,
            progress: None,
        }
    }

    #[test]
    fn a_week_is_counted_by_its_hours_over_the_change_of_clocks_too() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let (friday, monday) = (
            at("2026-10-23T16:00[Europe/Berlin]"),
            at("2026-10-26T09:30[Europe/Berlin]"),
        );
        let samples = [sample(friday), sample(monday)];
        let counted = Counted::weekly((8 * 60, 18 * 60), MONDAY_TO_FRIDAY, false);
        let calendar = Calendar::new(counted, &zone, &samples);
        assert_eq!(calendar.between(friday, monday), 3_600_000 * 7 / 2);
        assert_eq!(calendar.after(friday, 3.5 * 3_600_000.0), Some(monday));
        assert_eq!(
            calendar.after(friday, 2.0 * 3_600_000.0),
            Some(at("2026-10-23T18:00[Europe/Berlin]"))
        );
        let all = Calendar::new(Counted::Always, &zone, &samples);
        assert_eq!(
            all.between(friday, monday),
            3_600_000 * 133 / 2,
            "one hour more than the clocks say"
        );
        assert_eq!(all.after(friday, 66.5 * 3_600_000.0), Some(monday));
    }

    #[test]
    fn a_shift_over_midnight_belongs_to_the_day_it_began() {
        let zone = TimeZone::UTC;
        let (friday, sunday) = (at("2026-10-23T23:00[UTC]"), at("2026-10-25T23:00[UTC]"));
        let counted = Counted::weekly((22 * 60, 6 * 60), MONDAY_TO_FRIDAY, false);
        let calendar = Calendar::new(counted, &zone, &[sample(friday), sample(sunday)]);
        assert_eq!(calendar.between(friday, sunday), 7 * 3_600_000);
        assert_eq!(
            calendar.after(at("2026-10-24T03:00[UTC]"), 4.0 * 3_600_000.0),
            Some(at("2026-10-26T23:00[UTC]"))
        );
        assert!((counted.hours_a_day() - 8.0).abs() < 1e-9);
        assert!((Counted::weekly((0, 1440), [true; 7], false).hours_a_day() - 24.0).abs() < 1e-9);
    }

    #[test]
    fn what_never_comes_is_nothing() {
        let (counted, zone) = (Counted::weekly((0, 60), [false; 7], false), TimeZone::UTC);
        let calendar = Calendar::new(counted, &zone, &[]);
        assert_eq!(calendar.after(0, 1.0), None);
        assert_eq!(
            Calendar::new(Counted::Always, &zone, &[]).after(0, f64::INFINITY),
            None
        );
        assert_eq!(calendar.after(i64::MAX, 1.0), None);
    }
}
