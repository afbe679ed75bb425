//! Forecasts in words.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Band, Counted, HOUR, Outlook, Why};
use crate::domain::text;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Milliseconds until a day of the week says which week is meant.
const WEEK: i64 = 6 * 86_400_000;

impl Outlook {
    /// One line, such as `Tue 14:00 to Wed 11:00`, `done` or `no forecast: the pace is too uneven`. Times of other weeks
    /// have their date; all are in this zone.
    pub fn words(&self, now: i64, zone: &TimeZone) -> String {
        match self {
            Self::Done => "done".to_owned(),
            Self::Band(band) => format!(
                "{} to {}",
                day_and_time(band.from, now, zone),
                day_and_time(band.to, now, zone)
            ),
            Self::Refused(why) => format!("no forecast: {why}"),
        }
    }
}

impl Band {
    /// What it rests on, such as `18 samples used; 2 gaps left out; scope grew by 6 on Wed`, each part on its own.
    pub fn basis(&self, now: i64, zone: &TimeZone) -> Vec<String> {
        let mut parts = vec![
            format!(
                "{} left at {:.1} per hour",
                text::count(self.left, "case"),
                self.pace
            ),
            format!(
                "{} over {} used",
                text::count(self.used, "sample"),
                hours(self.observed)
            ),
        ];
        if self.gaps > 0 {
            parts.push(format!("{} left out", text::count(self.gaps, "gap")));
        }
        for (at, by) in &self.grew {
            let word = if *by < 0 { "shrank" } else { "grew" };
            parts.push(format!(
                "scope {word} by {} on {}",
                by.unsigned_abs(),
                day(*at, now, zone)
            ));
        }
        parts.push(self.counted.to_string());
        parts
    }
}

impl fmt::Display for Counted {
    /// Such as `counting all hours` or `counting 08:00-18:00 Mon-Fri, learned`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => f.write_str("counting all hours"),
            Self::Weekly {
                from,
                to,
                days,
                learned,
            } => {
                let clock = |minute: &u16| format!("{:02}:{:02}", minute / 60, minute % 60);
                write!(f, "counting {}-{} {}", clock(from), clock(to), week(*days))?;
                f.write_str(if *learned { ", learned" } else { "" })
            }
        }
    }
}

/// `Mon-Fri`, `every day`, `Mon Wed-Fri`.
fn week(days: [bool; 7]) -> String {
    if days == [true; 7] {
        return "every day".to_owned();
    }
    let mut parts = Vec::new();
    let mut day = 0;
    while day < 7 {
        let long = days[day..].iter().take_while(|counts| **counts).count();
        match long {
            0 => {}
            1 => parts.push(DAYS[day].to_owned()),
            _ => parts.push(format!("{}-{}", DAYS[day], DAYS[day + long - 1])),
        }
        day += long.max(1);
    }
    parts.join(" ")
}

impl Why {
    /// There is nothing yet that could be drawn or worked out.
    pub fn is_nothing_yet(&self) -> bool {
        let few = matches!(self, Self::FewSamples(_) | Self::Short(_));
        few || matches!(self, Self::NoSamples | Self::NoCounts | Self::NoCases)
    }

    /// The same in a word or two, for a column.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NoSamples | Self::FewSamples(_) | Self::Short(_) => "too early",
            Self::NoCounts => "no counts",
            Self::NoCases => "no cases",
            Self::Old(_) => "too old",
            Self::Still => "still",
            Self::Backwards => "backwards",
            Self::Uneven => "uneven",
            Self::Endless => "endless",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSamples => f.write_str("needs 2 h of readings (none so far)"),
            Self::NoCounts => f.write_str("no results: the service does not send them"),
            Self::NoCases => f.write_str("the run has no cases"),
            Self::Old(age) => {
                let age = hours(*age as f64 / HOUR);
                write!(
                    f,
                    "needs a reading of the last 2 h (the newest is {age} old)"
                )
            }
            Self::FewSamples(used) => {
                write!(f, "needs 5 readings ({used} so far)")
            }
            Self::Short(seen) => write!(f, "needs 2 h of readings ({} so far)", hours(*seen)),
            Self::Still => f.write_str("no case was finished in the last 2 h"),
            Self::Backwards => f.write_str("more cases went back than were finished"),
            Self::Uneven => f.write_str("the pace is too uneven"),
            Self::Endless => f.write_str("at this pace it takes more than 10 years"),
        }
    }
}

/// `40 min`, `1 h 20 min`, `18 h`.
fn hours(hours: f64) -> String {
    // A quotient may fall short of a whole minute by its last digits.
    let minutes = (hours * 60.0 + 1e-6).floor().max(0.0) as u64;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours @ 1..10, minutes @ 1..) => format!("{hours} h {minutes} min"),
        (hours, _) => format!("{hours} h"),
    }
}

/// `Tue 14:00`, or `3 Dec 14:00` beyond this week.
fn day_and_time(at: i64, now: i64, zone: &TimeZone) -> String {
    match Timestamp::from_millisecond(at) {
        Ok(time) => format!(
            "{} {}",
            day(at, now, zone),
            time.to_zoned(zone.clone()).strftime("%H:%M")
        ),
        Err(_) => "?".to_owned(),
    }
}

/// `Tue`, or `3 Dec` beyond this week, with the year where it is another.
fn day(at: i64, now: i64, zone: &TimeZone) -> String {
    let local = |at| Some(Timestamp::from_millisecond(at).ok()?.to_zoned(zone.clone()));
    let (Some(time), Some(today)) = (local(at), local(now)) else {
        return "?".to_owned();
    };
    let format = if at.saturating_sub(now).saturating_abs() < WEEK {
        "%a"
    } else if time.year() == today.year() {
        "%-d %b"
    } else {
        "%-d %b %Y"
    };
    time.strftime(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(
            [0.0, 0.99, 1.0, 1.35, 9.5, 10.5].map(hours),
            ["0 min", "59 min", "1 h", "1 h 21 min", "9 h 30 min", "10 h"]
        );
        let now = 1_795_600_000_000;
        let told = |days: i64| day_and_time(now + days * 86_400_000, now, &TimeZone::UTC);
        assert_eq!(
            [0, 5, 6, -5].map(told),
            ["Wed 09:46", "Mon 09:46", "1 Dec 09:46", "Fri 09:46"]
        );
        assert_eq!(day_and_time(i64::MAX, now, &TimeZone::UTC), "?");
    }

    #[test]
    fn weeks_are_short() {
        let week = |text: &str| week(std::array::from_fn(|day| text.as_bytes()[day] == b'x'));
        let told = ["xxxxx..", "xxxxxxx", "x.xx..x", ".......", "......x"].map(week);
        assert_eq!(told, ["Mon-Fri", "every day", "Mon Wed-Thu Sun", "", "Sun"]);
    }
}
