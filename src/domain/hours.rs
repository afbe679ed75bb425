//! Working hours of a week.

use jiff::tz::TimeZone;

use super::local;

pub const MONDAY_TO_FRIDAY: [bool; 7] = [true, true, true, true, true, false, false];

/// Time in which cases are finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingHours {
    pub hours: HoursOfDay,
    /// Days of the week, Monday first. `None`: every day if all hours count, Monday to Friday if hours are set, those
    /// of the samples if hours are learned.
    pub days: Option<[bool; 7]>,
}

/// Hours of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoursOfDay {
    /// Hours in which results arrived before; all hours until two days were seen.
    Learned,
    Always,
    /// From one minute of the day (0 to 1439) to before another (1 to 1440); over midnight if that is not later.
    Set {
        /// First minute.
        from: u16,
        /// The minute after the last.
        to: u16,
    },
}

impl WorkingHours {
    /// Returns the days of the week, Monday first; Monday to Friday if they are learned.
    pub fn working_days(&self) -> [bool; 7] {
        let always = self.hours == HoursOfDay::Always;
        let usual = if always { [true; 7] } else { MONDAY_TO_FRIDAY };
        self.days.unwrap_or(usual)
    }

    /// Returns beginnings and ends (epoch milliseconds) of the last `count` working days that ended before `now`, the
    /// first one first; fewer if not found.
    pub fn days_before(&self, now: i64, zone: &TimeZone, count: usize) -> Vec<(i64, i64)> {
        let today = local(now, zone).map(|now| now.date());
        let begin = |date: jiff::civil::Date| {
            let begin = date.to_zoned(zone.clone()).ok()?;
            Some(begin.timestamp().as_millisecond())
        };
        let dates = std::iter::successors(today, |date| date.yesterday().ok());
        let days = dates.take(count.saturating_mul(7)).filter_map(|end| {
            let date = end.yesterday().ok()?;
            let weekday = usize::try_from(date.weekday().to_monday_zero_offset()).ok()?;
            self.working_days()[weekday].then_some((begin(date)?, begin(end)?))
        });
        let mut days: Vec<_> = days.take(count).collect();
        days.reverse();
        days
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_before_are_whole_also_where_the_clock_is_changed() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let hours = |hours, days| WorkingHours { hours, days };
        let found = |now: &str, hours: WorkingHours| {
            let now: jiff::Timestamp = now.parse().unwrap();
            let days = hours
                .days_before(now.as_millisecond(), &zone, 3)
                .into_iter();
            let words = days.map(|(from, to)| {
                let date = local(from, &zone).unwrap().date();
                format!("{date} {}", (to - from) / 3_600_000)
            });
            words.collect::<Vec<_>>().join(", ")
        };
        let (learned, always) = (HoursOfDay::Learned, HoursOfDay::Always);
        let monday = "2026-03-30T08:00:00Z";
        assert_eq!(
            found(monday, hours(learned, None)),
            "2026-03-25 24, 2026-03-26 24, 2026-03-27 24"
        );
        assert_eq!(
            found(monday, hours(always, None)),
            "2026-03-27 24, 2026-03-28 24, 2026-03-29 23"
        );
        assert_eq!(
            found("2026-10-26T08:00:00Z", hours(always, None)),
            "2026-10-23 24, 2026-10-24 24, 2026-10-25 25"
        );
        assert_eq!(found(monday, hours(learned, Some([false; 7]))), "");
    }
}
