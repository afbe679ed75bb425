//! Times in words.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::domain::{self, due};

/// Time of a drawing.
#[derive(Clone, Debug)]
pub struct Now {
    /// Epoch milliseconds.
    pub ms: i64,
    /// Zone for clock times of this machine.
    pub zone: TimeZone,
}

impl Now {
    /// Returns a clock time of this machine, `09:41`.
    pub fn clock(&self, ms: i64) -> String {
        self.said(ms, clock)
    }

    /// Returns the same to the second, `09:41:15`.
    pub fn to_the_second(&self, ms: i64) -> String {
        self.said(ms, |time| time.strftime("%H:%M:%S").to_string())
    }

    /// Returns the clock time of today, else the day: `09:41`, `yesterday`, `Thu`, `18 Nov`, `18 Nov 2025`.
    pub fn short(&self, ms: i64) -> String {
        self.said(ms, |time| self.short_of(time))
    }

    /// Returns the same with the clock time of other days: `09:41`, `Thu 09:41`.
    pub fn when(&self, ms: i64) -> String {
        self.said(ms, |time| match self.day(time.date()) {
            Some(day) => format!("{day} {}", clock(time)),
            None => clock(time),
        })
    }

    /// Returns the begin of a span with its clock time; with its date where the end is of a day of the same name.
    pub fn begin(&self, from: i64, to: i64) -> String {
        self.said(from, |time| {
            let is_same = |to: DateTime| {
                to.date() != time.date() && self.day(to.date()) == self.day(time.date())
            };
            if self.local(to).is_some_and(is_same) {
                time.strftime("%-d %b %H:%M").to_string()
            } else {
                self.when(from)
            }
        })
    }

    /// Returns true for times of today.
    pub fn is_today(&self, ms: i64) -> bool {
        let local = self.local(ms);
        local.is_some_and(|time| self.day(time.date()).is_none())
    }

    /// Returns the day and the clock time of now, `Sun 22 Nov  09:41`.
    pub fn day_and_clock(&self) -> String {
        self.said(self.ms, |time| {
            time.strftime("%a %-d %b  %H:%M").to_string()
        })
    }

    /// Returns now in full, `Sun 22 Nov 2026 09:41`.
    pub fn in_full(&self) -> String {
        self.said(self.ms, |time| {
            time.strftime("%a %-d %b %Y %H:%M").to_string()
        })
    }

    /// Returns the rough time of an end: `~21:00` today, `Mon 01:00` tomorrow, `Thu`, `18 Nov`.
    pub fn about(&self, ms: i64) -> String {
        self.said(ms, |time| match self.days_until(time.date()) {
            0 => format!("~{}", clock(time)),
            1 => self.when(ms),
            _ => self.short_of(time),
        })
    }

    /// Returns a due time: the clock time with the day within a week, unless it has none; else the
    /// day.
    pub fn due(&self, ms: i64) -> String {
        self.said(ms, |time| match self.days_until(time.date()) {
            0..7 if !due::is_whole_day(ms, &self.zone) => self.when(ms),
            // The name of the day would be that of the next one.
            -6..=-2 => time.strftime("%-d %b").to_string(),
            _ => self.day(time.date()).unwrap_or_else(|| "today".into()),
        })
    }

    /// Returns [`Now::short`] of a time without a zone.
    pub fn short_of(&self, time: DateTime) -> String {
        self.day(time.date()).unwrap_or_else(|| clock(time))
    }

    /// Returns a day in words; `None` for today.
    fn day(&self, date: Date) -> Option<String> {
        let form = match self.days_until(date) {
            0 => return None,
            -1 => return Some("yesterday".into()),
            -6..=6 => "%a",
            _ if self.local(self.ms)?.year() == date.year() => "%-d %b",
            _ => "%-d %b %Y",
        };
        Some(date.strftime(form).to_string())
    }

    /// Returns the days from today on; `i32::MAX` if unknown.
    fn days_until(&self, date: Date) -> i32 {
        self.local(self.ms)
            .and_then(|today| today.date().until(date).ok())
            .map_or(i32::MAX, |span| span.get_days())
    }

    fn local(&self, ms: i64) -> Option<DateTime> {
        Some(domain::local(ms, &self.zone)?.datetime())
    }

    /// Returns a time of this machine in words; a question mark outside of all calendars.
    fn said(&self, ms: i64, say: impl FnOnce(DateTime) -> String) -> String {
        self.local(ms).map_or_else(|| "?".into(), say)
    }
}

fn clock(time: DateTime) -> String {
    time.strftime("%H:%M").to_string()
}

/// Returns a duration, rounded down to one unit: `40 s`, `3 min`, `2 h`, `4 d`.
pub fn span(ms: i64) -> String {
    match ms / 1000 {
        seconds @ ..60 => format!("{} s", seconds.max(0)),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds @ 3_600..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        // Friday 2027-01-15 08:00:00
        let now = Now {
            ms: 1_800_000_000_000,
            zone: TimeZone::UTC,
        };
        for (before, short, when) in [
            (1_000, "07:59", "07:59"),
            (8 * 3_600_000, "00:00", "00:00"),
            (8 * 3_600_000 + 1_000, "yesterday", "yesterday 23:59"),
            (86_400_000 * 3, "Tue", "Tue 08:00"),
            (86_400_000 * 7, "8 Jan", "8 Jan 08:00"),
            (86_400_000 * 15, "31 Dec 2026", "31 Dec 2026 08:00"),
            (-86_400_000, "Sat", "Sat 08:00"),
            (-86_400_000 * 7, "22 Jan", "22 Jan 08:00"),
        ] {
            let ms = now.ms - before;
            assert_eq!(
                (now.short(ms).as_str(), now.when(ms).as_str()),
                (short, when)
            );
        }
        let ahead = |hours: i64| now.ms + hours * 3_600_000;
        assert_eq!(now.begin(ahead(-24 * 6), ahead(24)), "9 Jan 08:00");
        assert_eq!(now.begin(ahead(-24 * 6), ahead(23)), "9 Jan 08:00");
        assert_eq!(now.begin(ahead(-24 * 6), ahead(12)), "Sat 08:00");
        assert_eq!(now.begin(ahead(-1), ahead(1)), "07:00");
        let about = [0, 13, 17, 40, 96, 24 * 8].map(|hours| now.about(ahead(hours)));
        assert_eq!(
            about,
            ["~08:00", "~21:00", "Sat 01:00", "Sun", "Tue", "23 Jan"]
        );
        let last_second = 16 * 3_600_000 - 1_000;
        let due = [0, 1, 8].map(|days| now.due(now.ms + last_second + days * 86_400_000));
        assert_eq!(due, ["today", "Sat", "23 Jan"]);
        assert_eq!(now.due(ahead(9)), "17:00");
        assert_eq!(now.due(ahead(33)), "Sat 17:00");
        assert_eq!(now.due(ahead(-24)), "yesterday");
        assert_eq!(now.due(ahead(-48)), "13 Jan");
        assert_eq!(now.due(ahead(24 * 400)), "19 Feb 2028");
        assert_eq!(now.day_and_clock(), "Fri 15 Jan  08:00");
        assert_eq!(now.when(i64::MAX), "?");
        assert_eq!(now.clock(0), "00:00");
        assert_eq!(now.clock(i64::MAX), "?");
    }
}
