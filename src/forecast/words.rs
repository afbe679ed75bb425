//! Forecasts in words.

use std::fmt;

use jiff::tz::TimeZone;

use super::{Band, Counted, NoForecast, Outlook};
use crate::domain::local;
use crate::domain::text::{count, few, were};

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Milliseconds in which a day of the week is unambiguous.
const WEEK: i64 = 6 * 86_400_000;

/// Formats cases an hour, with one decimal if they are few.
fn per_hour(pace: f64) -> String {
    let digits = usize::from(pace < 10.0);
    format!("{pace:.digits$}")
}

impl Outlook {
    /// Returns one line, such as `Tue 14:00 to Wed 11:00`, `Tue 14:00 to 16:30`, `done` or `no forecast: the pace is too uneven`. Times are
    /// in this zone, those of other weeks with their date.
    pub fn words(&self, now: i64, zone: &TimeZone) -> String {
        match self {
            Self::Done => "done".to_owned(),
            Self::Band(band) => {
                let from = day_and_time(band.from, now, zone);
                let [first, last] = [band.from, band.to].map(|at| local(at, zone));
                let to = match last {
                    Some(last) if first.is_some_and(|it| it.date() == last.date()) => {
                        last.strftime("%H:%M").to_string()
                    }
                    _ => day_and_time(band.to, now, zone),
                };
                format!("{from} to {to}")
            }
            Self::Refused(why) => format!("no forecast: {why}"),
        }
    }
}

impl Band {
    /// Returns the pace: `16 an hour over 40 h observed`, with a due date (epoch milliseconds) also `, 19 needed`.
    pub fn pace_words(&self, due: Option<i64>, now: i64, zone: &TimeZone) -> String {
        crate::domain::text::join(self.pace_parts(due, now, zone), ", ")
    }

    /// Returns the same in its parts.
    pub fn pace_parts(&self, due: Option<i64>, now: i64, zone: &TimeZone) -> Vec<String> {
        let (pace, observed) = (per_hour(self.pace), hours(self.observed));
        let needed = due.and_then(|due| self.needed(due, now, zone));
        let mut parts = vec![format!("{pace} an hour over {observed} observed")];
        parts.extend(needed.map(|pace| format!("{} needed", per_hour(pace))));
        parts
    }

    /// Returns the parts of the basis, such as `18 samples used`, `2 gaps left out`, `scope grew by 6 on Wed`.
    pub fn basis(&self, now: i64, zone: &TimeZone) -> Vec<String> {
        let (left, used) = (count(self.left, "case"), count(self.used, "sample"));
        let mut parts = vec![format!("{left} left"), format!("{used} used")];
        if self.gaps > 0 {
            parts.push(format!("{} left out", count(self.gaps, "gap")));
        }
        for (at, by) in &self.grew {
            let word = if *by < 0 { "shrank" } else { "grew" };
            let dates = [*at, now].map(|at| Some(local(at, zone)?.date()));
            let day = match dates {
                [then, today] if then == today => "today".to_owned(),
                _ => format!("on {}", day(*at, now, zone)),
            };
            parts.push(format!("scope {word} by {} {day}", by.unsigned_abs()));
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

impl NoForecast {
    /// Returns `true` if there is too little data.
    pub fn is_nothing_yet(&self) -> bool {
        use NoForecast::{NoCases, NoCounts, NoSamples, Short};
        matches!(self, Short(_) | NoSamples | NoCounts | NoCases)
    }

    /// Returns the reason in a word or two, for a column.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NoSamples | Self::FewSamples(_) | Self::Short(_) | Self::NotRead(_) => "unknown",
            Self::NoCounts | Self::NoResults(_) => "no counts",
            Self::NoCases => "no cases",
            Self::Old(_) => "too old",
            Self::Still => "paused",
            Self::Backwards | Self::BackwardsLately => "backwards",
            Self::Uneven => "uneven",
            Self::Endless => "endless",
        }
    }
}

/// Names some runs, with the verb: `R_1 was`.
pub fn of_runs(runs: &[String]) -> String {
    format!("{} {}", few(runs), were(runs.len()))
}

/// `40 min`, `1 h 20 min`, `18 h`.
pub fn hours(hours: f64) -> String {
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
    match local(at, zone) {
        Some(time) => format!("{} {}", day(at, now, zone), time.strftime("%H:%M")),
        None => "?".to_owned(),
    }
}

/// `Tue`, or `3 Dec` beyond this week, with the year if it is another.
fn day(at: i64, now: i64, zone: &TimeZone) -> String {
    let (Some(time), Some(today)) = (local(at, zone), local(now, zone)) else {
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
        let shown = |days: i64| day_and_time(now + days * 86_400_000, now, &TimeZone::UTC);
        assert_eq!(
            [0, 5, 6, -5].map(shown),
            ["Wed 09:46", "Mon 09:46", "1 Dec 09:46", "Fri 09:46"]
        );
        assert_eq!(day_and_time(i64::MAX, now, &TimeZone::UTC), "?");
        let likely = |hours: [i64; 2]| {
            let [from, to] = hours.map(|hours| now + hours * 3_600_000);
            let band = Band {
                from,
                middle: from,
                to,
                pace: 1.0,
                left: 1,
                as_of: now,
                observed: 1.0,
                used: 1,
                gaps: 0,
                grew: Vec::new(),
                counted: Counted::Always,
            };
            Outlook::Band(band).words(now, &TimeZone::UTC)
        };
        let shown = [[1, 3], [23, 25], [23, 50], [167, 169]].map(likely);
        let words = [
            "Wed 10:46 to 12:46",
            "Thu 08:46 to 10:46",
            "Thu 08:46 to Fri 11:46",
            "2 Dec 08:46 to 10:46",
        ];
        assert_eq!(shown, words);
    }

    #[test]
    fn weeks_are_short() {
        let week = |text: &str| week(std::array::from_fn(|day| text.as_bytes()[day] == b'x'));
        let shown = ["xxxxx..", "xxxxxxx", "x.xx..x", ".......", "......x"].map(week);
        assert_eq!(
            shown,
            ["Mon-Fri", "every day", "Mon Wed-Thu Sun", "", "Sun"]
        );
    }
}
