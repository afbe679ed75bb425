//! Due dates as the user types them: the service has none.

use jiff::civil::{Date, Time};

use super::local;
use super::prelude::*;
use super::typed_date::{TypedDate, TypedDay, YEARS, after};

/// Due time of a day without a time.
const END_OF_DAY: Time = Time::constant(23, 59, 59, 0);

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

    /// Returns the newest date that has passed at a time.
    pub fn passed(&self, now: i64) -> Option<i64> {
        let all = self.runs.values().chain(self.releases.values());
        all.filter(|at| **at <= now).max().copied()
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

impl RunRow {
    /// Returns true if the run is open with cases left, and its due date has passed or is before its expected end (all
    /// epoch milliseconds); `None` if one with cases left has no date or counts.
    pub fn is_late(
        &self,
        due: Option<i64>,
        end: Option<i64>,
        done: &[ResultCode],
        now: i64,
    ) -> Option<bool> {
        let left = self.sums(done).map(Sums::left);
        match (due, left) {
            _ if self.is_closed() || left == Some(0) => Some(false),
            (Some(at), Some(left)) => Some(is_late(at, left, end, now)),
            (Some(at), None) if now < at => Some(false),
            _ => None,
        }
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

/// Parses a due date (epoch milliseconds) at a time (the same) in a zone. Without a year or a week it is the next such
/// day; without a time it is the last second of the day.
pub fn parse(text: &str, now: i64, zone: &TimeZone) -> Result<i64, String> {
    let not_read = || {
        let (examples, day) = (examples(now, zone), in_days(7, now, zone));
        format!("not a date; e.g. {examples}, {day} 17:00")
    };
    let now = local(now, zone).ok_or_else(not_read)?;
    let typed = TypedDate::read(text).ok_or_else(not_read)?;
    let at = |date: Option<Date>| {
        let at = date?.to_datetime(typed.time.unwrap_or(END_OF_DAY));
        at.to_zoned(zone.clone()).ok()
    };
    // The time on a day, or so many days later if it has passed.
    let next = |date: Option<Date>, days: i64| match at(date)? {
        due if due < now => at(after(date?, days)),
        due => Some(due),
    };
    let today = now.date();
    let due = match typed.day {
        TypedDay::Missing => next(Some(today), 1),
        TypedDay::After(days) => at(after(today, days)),
        TypedDay::Weekday(wanted) => next(after(today, today.weekday().until(wanted).into()), 7),
        TypedDay::Date(date) => at(Some(date)),
        TypedDay::OfYear(day, month) => {
            let years = (0..YEARS).map(|more| today.year() + more);
            let mut dates = years.filter_map(|year| at(Date::new(year, month, day).ok()));
            dates.find(|due| *due >= now)
        }
    };
    let due = due.ok_or_else(not_read)?;
    Ok(due.timestamp().as_millisecond())
}

/// Parses a due date (epoch milliseconds) with a full date: `2026-11-27`, `2026-11-27 17:00`.
pub fn on_day(text: &str, zone: &TimeZone) -> Option<i64> {
    let day = text.split(' ').next()?;
    day.parse::<Date>().ok()?;
    parse(text, 0, zone).ok()
}

/// Returns `true` if cases are left, and the due date has passed or is before their expected end (epoch milliseconds).
pub fn is_late(due: i64, left: u64, end: Option<i64>, now: i64) -> bool {
    left > 0 && (now >= due || end.is_some_and(|end| end > due))
}

/// Returns `true` if the due date has no time.
pub fn is_whole_day(due: i64, zone: &TimeZone) -> bool {
    local(due, zone).is_some_and(|due| due.time() == END_OF_DAY)
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
        let due = parse(text, now.as_millisecond(), &zone)?;
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
            ("19 Nov", "2027-11-19 23:59"),
            ("20 Nov 09:00", "2027-11-20 09:00"),
            ("29 Feb", "2028-02-29 23:59"),
            ("1 Oct 2027 08:00", "2027-10-01 08:00"),
            ("18 Nov 2025", "2025-11-18 23:59"),
            ("2026-11-20 17:00", "2026-11-20 17:00"),
            ("2026-11-19 17:00", "2026-11-19 17:00"),
            ("yesterday", "2026-11-19 23:59"),
            ("2026-12-01", "2026-12-01 23:59"),
            ("today", "2026-11-20 23:59"),
            ("tomorrow", "2026-11-21 23:59"),
            ("27.11.", "2026-11-27 23:59"),
            ("24.12. 12:00", "2026-12-24 12:00"),
            ("1.10.2027", "2027-10-01 23:59"),
            ("  Tomorrow 7:05 ", "2026-11-21 07:05"),
            ("17:00", "2026-11-20 17:00"),
            ("09:00", "2026-11-21 09:00"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(understood), "{text}");
        }
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
            "18 Nov 26",
            "31.2.",
            "24.12.26",
            "2026-13-01",
            "Fri Sat",
            "tomorrow never",
            "17:0",
            "9999-12-31",
            "9999-12-31 23:59:59",
            "Nov 24",
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
    fn a_day_ends_with_its_last_second_and_a_typed_minute_is_none() {
        let zone = TimeZone::posix(BERLIN).unwrap();
        let now = 1_795_164_072_000;
        let is_day = |text: &str| is_whole_day(parse(text, now, &zone).unwrap(), &zone);
        assert!(is_day("Fri") && is_day("28 Nov") && !is_day("Fri 17:00") && !is_day("Fri 23:59"));
    }
}
