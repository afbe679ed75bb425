//! Due dates as the user types them: the service has none.

use std::collections::BTreeMap;

use jiff::Zoned;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;

use super::{DocRef, RunRow, local};

/// Due time of a day without a time.
const END_OF_DAY: Time = Time::constant(23, 59, 0, 0);
/// Past days for which a date without a year is refused.
const RECENT: i32 = 30;
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Run or release with a due date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DueOf {
    Run(DocRef),
    /// All runs of a version that have no date of their own.
    Release(String),
}

/// Due dates of runs and releases, epoch milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DueDates {
    pub runs: BTreeMap<DocRef, i64>,
    pub releases: BTreeMap<String, i64>,
}

impl DueDates {
    /// Returns the due date of a run: its own, else that of its release.
    pub fn of(&self, run: &RunRow) -> Option<i64> {
        let release = || self.releases.get(run.version.as_ref()?);
        self.runs.get(&run.doc_ref).or_else(release).copied()
    }

    /// Sets a due date, or removes it.
    pub fn set(&mut self, of: DueOf, at: Option<i64>) {
        match (of, at) {
            (DueOf::Run(run), Some(at)) => self.runs.insert(run, at),
            (DueOf::Run(run), None) => self.runs.remove(&run),
            (DueOf::Release(version), Some(at)) => self.releases.insert(version, at),
            (DueOf::Release(version), None) => self.releases.remove(&version),
        };
    }
}

/// Returns examples for a time (epoch milliseconds) in a zone: days in the future.
pub fn examples(now: i64, zone: &TimeZone) -> String {
    let soon = in_days(3, now, zone).strftime("%a").to_string();
    format!(
        "{soon}, {soon} 17:00, {}",
        in_days(7, now, zone).strftime("%-d %b")
    )
}

/// Returns the day so many days after a time (epoch milliseconds) in a zone.
fn in_days(days: i64, now: i64, zone: &TimeZone) -> Date {
    let today = local(now, zone).unwrap_or_default().date();
    after(today, days).unwrap_or(today)
}

/// Error of a text that is no due date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    #[error("{0}")]
    Unread(String),
    /// A recent day without its year.
    #[error("{0}")]
    Over(String),
}

/// Parses a due date (epoch milliseconds) at a time (the same) in a zone. Without a year or a week it is the next such
/// day, unless the last one was a short while ago; without a time it is the last minute of the day.
pub fn parse(text: &str, now: i64, zone: &TimeZone) -> Result<i64, Wrong> {
    let not_read = || {
        let (examples, day) = (examples(now, zone), in_days(7, now, zone));
        Wrong::Unread(format!("not a date; e.g. {examples}, {day} 17:00"))
    };
    let now = local(now, zone).ok_or_else(not_read)?;
    let lower = text.trim().to_lowercase();
    // `2026-11-20t17:00`
    let (date, time) = lower
        .split_once('t')
        .filter(|(date, _)| date.parse::<Date>().is_ok())
        .unwrap_or((&lower, ""));
    let mut words: Vec<&str> = date
        .split([' ', ','])
        .chain([time])
        .filter(|word| !word.is_empty())
        .collect();
    let time = words.last().and_then(|word| clock(word));
    if time.is_some() {
        words.pop();
    }
    let at = |date: Date| {
        date.to_datetime(time.unwrap_or(END_OF_DAY))
            .to_zoned(zone.clone())
            .map_err(|_| not_read())
    };
    // The time on a day, or so many days later if it has passed.
    let next = |date: Date, days: i64| match at(date)? {
        due if due < now => at(after(date, days)?),
        due => Ok(due),
    };
    let today = now.date();
    let due = match words[..] {
        [] if time.is_some() => next(today, 1)?,
        ["today"] => at(today)?,
        ["tomorrow" | "tom" | "tomor"] => at(after(today, 1)?)?,
        [day] if let Some(wanted) = weekday(day) => {
            next(after(today, i64::from(today.weekday().until(wanted)))?, 7)?
        }
        [date] => at(date.parse::<Date>().map_err(|_| not_read())?)?,
        [day, name, ref year @ ..] if year.len() <= 1 => {
            let (day, name) = match day.trim_end_matches('.').parse::<i8>() {
                Ok(day) => (day, name),
                // `Nov 18` is understood, too.
                Err(_) => (name.parse::<i8>().map_err(|_| not_read())?, day),
            };
            let month = month(name).ok_or_else(not_read)?;
            let of = |year: i16| Date::new(year, month, day).map_err(|_| not_read());
            match year {
                [year] => at(of(year.parse().map_err(|_| not_read())?)?)?,
                // The 29th of February is not in every year.
                _ => {
                    let years = (-1..8).filter_map(|more| at(of(today.year() + more).ok()?).ok());
                    let (over, to_come): (Vec<_>, Vec<_>) = years.partition(|due| *due < now);
                    let next = to_come.into_iter().next().ok_or_else(not_read)?;
                    if let Some(last) = over.last() {
                        refuse_recent(last, &next, today, time.is_some())?;
                    }
                    next
                }
            }
        }
        _ => return Err(not_read()),
    };
    Ok(due.timestamp().as_millisecond())
}

/// Parses a due date (epoch milliseconds) with a full date: `2026-11-27`, `2026-11-27 17:00`.
pub fn on_day(text: &str, zone: &TimeZone) -> Option<i64> {
    let day = text.split([' ', 'T']).next()?;
    day.parse::<Date>().ok()?;
    parse(text, 0, zone).ok()
}

/// Refuses a recent day: more often a slip than a day of the next year.
fn refuse_recent(last: &Zoned, next: &Zoned, today: Date, timed: bool) -> Result<(), Wrong> {
    let days = last
        .date()
        .until(today)
        .map_or(i32::MAX, |span| span.get_days());
    let ago = match days {
        RECENT.. => return Ok(()),
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    };
    let clock = if timed { " %H:%M" } else { "" };
    let (last, next) = (
        last.strftime(&format!("%-d %b{clock}")).to_string(),
        next.strftime(&format!("%-d %b %Y{clock}")).to_string(),
    );
    Err(Wrong::Over(format!(
        "{last} was {ago}; type {next} for the next"
    )))
}

/// Returns `true` if cases are left, and the due date has passed or is before their expected end (epoch milliseconds).
pub fn is_late(due: i64, left: u64, end: Option<i64>, now: i64) -> bool {
    left > 0 && (now >= due || end.is_some_and(|end| end > due))
}

/// Returns `true` if the due date has no time.
pub fn is_whole_day(due: i64, zone: &TimeZone) -> bool {
    local(due, zone).is_some_and(|due| due.time() == END_OF_DAY)
}

fn after(date: Date, days: i64) -> Result<Date, Wrong> {
    date.checked_add(jiff::Span::new().days(days))
        .map_err(|error| Wrong::Unread(error.to_string()))
}

/// `17:00`, `9:30`.
pub(super) fn clock(word: &str) -> Option<Time> {
    let (hour, minute) = word.split_once(':')?;
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        (plain && digits.contains(&text.len())).then(|| text.parse::<i8>().ok())?
    };
    Time::new(number(hour, 1..=2)?, number(minute, 2..=2)?, 0, 0).ok()
}

/// Parses a full name, or its first three letters or more.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Weekday::from_monday_zero_offset(place(word, &WEEKDAYS)?).ok()
}

pub(super) fn month(word: &str) -> Option<i8> {
    Some(place(word, &MONTHS)? + 1)
}

/// Returns the index of a name by its first letters, three at least.
fn place(word: &str, names: &[&str]) -> Option<i8> {
    let fits = |name: &&str| word.len() >= 3 && name.starts_with(word);
    i8::try_from(names.iter().position(fits)?).ok()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

    /// Parses a text on Friday 20 November 2026 at 09:41.
    fn read(text: &str) -> Result<String, String> {
        let zone = TimeZone::posix(BERLIN).unwrap();
        let now: Timestamp = "2026-11-20T08:41:12Z".parse().unwrap();
        let due = parse(text, now.as_millisecond(), &zone).map_err(|wrong| wrong.to_string())?;
        let due = Timestamp::from_millisecond(due).unwrap().to_zoned(zone);
        Ok(due.strftime("%Y-%m-%d %H:%M").to_string())
    }

    #[test]
    fn a_date_is_read_as_people_write_it() {
        for (text, understood) in [
            ("Fri", "2026-11-20 23:59"),
            ("fri 9:00", "2026-11-27 09:00"),
            ("Fri 17:00", "2026-11-20 17:00"),
            ("Monday", "2026-11-23 23:59"),
            ("Tue, 08:15", "2026-11-24 08:15"),
            ("20 Oct", "2027-10-20 23:59"),
            ("20 Nov", "2026-11-20 23:59"),
            ("24. November 12:00", "2026-11-24 12:00"),
            ("Nov 24", "2026-11-24 23:59"),
            ("29 Feb", "2028-02-29 23:59"),
            ("1 Oct 2027 08:00", "2027-10-01 08:00"),
            ("18 Nov 2025", "2025-11-18 23:59"),
            ("2026-11-20 17:00", "2026-11-20 17:00"),
            ("2026-11-19T17:00", "2026-11-19 17:00"),
            ("2026-12-01", "2026-12-01 23:59"),
            ("today", "2026-11-20 23:59"),
            ("tomorrow", "2026-11-21 23:59"),
            ("  Tomorrow 7:05 ", "2026-11-21 07:05"),
            ("17:00", "2026-11-20 17:00"),
            ("09:00", "2026-11-21 09:00"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(understood), "{text}");
        }
    }

    #[test]
    fn a_day_of_this_month_that_is_over_is_not_taken_for_that_of_the_next_year() {
        for (text, said) in [
            (
                "19 Nov",
                "19 Nov was yesterday; type 19 Nov 2027 for the next",
            ),
            (
                "Nov 18 ",
                "18 Nov was 2 days ago; type 18 Nov 2027 for the next",
            ),
            (
                "22 Oct",
                "22 Oct was 29 days ago; type 22 Oct 2027 for the next",
            ),
            (
                "20. november 09:00",
                "20 Nov 09:00 was today; type 20 Nov 2027 09:00 for the next",
            ),
        ] {
            assert_eq!(read(text), Err(said.to_owned()), "{text}");
        }
        assert_eq!(read("21 Oct").as_deref(), Ok("2027-10-21 23:59"));
        // At the beginning of a year a recent day is one of the year before.
        let zone = TimeZone::posix(BERLIN).unwrap();
        let now: Timestamp = "2027-01-03T08:41:12Z".parse().unwrap();
        let parse = |text: &str| parse(text, now.as_millisecond(), &zone);
        assert_eq!(
            parse("30 Dec"),
            Err(Wrong::Over(
                "30 Dec was 4 days ago; type 30 Dec 2027 for the next".into()
            ))
        );
        assert!(parse("4 Jan").is_ok());
    }

    #[test]
    fn what_is_no_date_says_what_is_one() {
        for text in [
            "",
            "soon",
            "Fr",
            "25:00",
            "17",
            "31 Feb",
            "1 Decxyz",
            "1 De",
            "18",
            "18 Nov 26 7",
            "2026-13-01",
            "Fri Sat",
            "tomorrow never",
            "17:0",
            "9999-12-31 23:59:59",
            "日本",
        ] {
            let error = read(text).unwrap_err();
            assert!(
                error.starts_with("not a date; e.g. Mon, Mon 17:00, 27 Nov, 2026-11-27 17:00"),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn what_is_proposed_is_of_the_days_to_come_on_any_day() {
        let zone = TimeZone::posix(BERLIN).unwrap();
        let day = 86_400_000;
        for now in (0..800).map(|days| 1_795_164_072_000 + days * day) {
            for text in examples(now, &zone).split(", ") {
                let ahead = parse(text, now, &zone).unwrap() - now;
                assert!((2 * day..9 * day).contains(&ahead), "{text} at {now}");
            }
        }
    }

    #[test]
    fn a_day_ends_with_its_last_minute() {
        let zone = TimeZone::posix(BERLIN).unwrap();
        let now = 1_795_164_072_000;
        let whole = |text: &str| is_whole_day(parse(text, now, &zone).unwrap(), &zone);
        assert!(whole("Fri") && whole("28 Nov") && !whole("Fri 17:00"));
    }
}
