//! Points in time for people.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Milliseconds in which a day of the week says which day is meant.
const WEEK: i64 = 6 * 86_400_000;

/// What time it is, handed into every drawing.
#[derive(Clone, Debug)]
pub struct Now {
    /// Epoch milliseconds.
    pub ms: i64,
    /// Zone for clock times of this machine.
    pub zone: TimeZone,
}

impl Now {
    /// A clock time of this machine, `09:41:12`.
    pub fn clock(&self, ms: i64) -> String {
        match Timestamp::from_millisecond(ms) {
            Ok(time) => time
                .to_zoned(self.zone.clone())
                .strftime("%H:%M:%S")
                .to_string(),
            Err(_) => "?".into(),
        }
    }

    /// Day and clock time of this machine, `11-20 09:41:12`.
    pub fn moment(&self, ms: i64) -> String {
        match Timestamp::from_millisecond(ms) {
            Ok(time) => time
                .to_zoned(self.zone.clone())
                .strftime("%m-%d %H:%M:%S")
                .to_string(),
            Err(_) => "?".into(),
        }
    }

    /// A clock time of today, else day and time: `09:41:12`, `11-19 09:41`, `2025-11-19 09:41`.
    pub fn when(&self, ms: i64) -> String {
        let (Ok(then), Ok(now)) = (
            Timestamp::from_millisecond(ms),
            Timestamp::from_millisecond(self.ms),
        ) else {
            return "?".into();
        };
        let (then, now) = (
            then.to_zoned(self.zone.clone()),
            now.to_zoned(self.zone.clone()),
        );
        let form = match (then.date() == now.date(), then.year() == now.year()) {
            (true, _) => "%H:%M:%S",
            (_, true) => "%m-%d %H:%M",
            (_, false) => "%Y-%m-%d %H:%M",
        };
        then.strftime(form).to_string()
    }

    /// Day of the week and clock time of this machine, `Tue 09:41`; the date, `11-03 09:41`, beyond this week.
    pub fn day(&self, ms: i64) -> String {
        let format = if self.ms.saturating_sub(ms).saturating_abs() < WEEK {
            "%a %H:%M"
        } else {
            "%m-%d %H:%M"
        };
        match Timestamp::from_millisecond(ms) {
            Ok(time) => time
                .to_zoned(self.zone.clone())
                .strftime(format)
                .to_string(),
            Err(_) => "?".into(),
        }
    }

    /// How long ago, in one unit: `12s`, `4m`, `2h`, `41d`, `3y`; a time to come is `now`.
    pub fn age(&self, ms: i64) -> String {
        let seconds = self.ms.saturating_sub(ms) / 1000;
        match seconds {
            ..1 => "now".into(),
            1..60 => format!("{seconds}s"),
            60..3_600 => format!("{}m", seconds / 60),
            3_600..86_400 => format!("{}h", seconds / 3_600),
            86_400..31_536_000 => format!("{}d", seconds / 86_400),
            _ => format!("{}y", seconds / 31_536_000),
        }
    }
}

/// How long milliseconds are, rounded down to one unit: `40 s`, `3 min`, `2 h`, `4 d`.
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
    fn ages_have_one_unit() {
        let now = Now {
            ms: 1_800_000_000_000,
            zone: TimeZone::UTC,
        };
        for (before, text) in [
            (0, "now"),
            (-5_000, "now"),
            (59_999, "59s"),
            (60_000, "1m"),
            (7_200_000, "2h"),
            (86_400_000 * 41, "41d"),
        ] {
            assert_eq!(now.age(now.ms.saturating_sub(before)), text);
        }
        assert!(now.age(i64::MIN).ends_with('y'));
        // 2027-01-15 08:00:00
        for (before, text) in [
            (1_000, "07:59:59"),
            (8 * 3_600_000, "00:00:00"),
            (8 * 3_600_000 + 1_000, "01-14 23:59"),
            (86_400_000 * 15, "2026-12-31 08:00"),
            (-86_400_000, "01-16 08:00"),
        ] {
            assert_eq!(now.when(now.ms - before), text);
        }
        assert_eq!(now.when(i64::MAX), "?");
        assert_eq!(now.clock(0), "00:00:00");
        assert_eq!(now.clock(i64::MAX), "?");
    }
}
