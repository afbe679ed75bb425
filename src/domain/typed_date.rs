//! Dates as the user types them. A due date is the next such day, a moment of the past the last one.

use jiff::civil::{Date, Time, Weekday};
use jiff::{Span, Zoned};

use super::text::is_number;

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
/// Years to search for a day without its year: the 29th of February is not in each of them.
pub const YEARS: i16 = 8;

/// Date as typed.
pub struct TypedDate {
    pub day: TypedDay,
    pub time: Option<Time>,
}

/// Day as typed.
pub enum TypedDay {
    /// A time alone.
    Missing,
    /// Days after today.
    After(i64),
    Weekday(Weekday),
    /// `20 Nov`, `20.11.`.
    OfYear(i8, i8),
    Date(Date),
}

impl TypedDate {
    /// Parses `today`, `tomorrow`, `yesterday`, `fri`, `2026-11-20`, `20 Nov`, `20 Nov 2026`, `20.11.`, with or without a time,
    /// or a time alone: `17:00`. `2026-11-20T17:00`, as the service writes times, is read, too.
    pub fn read(text: &str) -> Option<Self> {
        let mut lower = text.trim().to_lowercase();
        if let Some((day, time)) = lower.split_once('t').filter(|(day, _)| date(day).is_some()) {
            lower = format!("{day} {}", clock(time).map(|_| time)?);
        }
        let mut words: Vec<&str> = lower
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .collect();
        let time = words.last().and_then(|word| clock(word));
        if time.is_some() {
            words.pop();
        }
        let day = match words[..] {
            [] => time.map(|_| TypedDay::Missing)?,
            ["today"] => TypedDay::After(0),
            ["yesterday"] => TypedDay::After(-1),
            ["tomorrow"] => TypedDay::After(1),
            [day] => match (weekday(day), date(day)) {
                (Some(day), _) => TypedDay::Weekday(day),
                (None, Some(date)) => TypedDay::Date(date),
                (None, None) => dotted(day)?,
            },
            [day, name, ref year @ ..] if year.len() <= 1 => {
                of_year(number(day)?, month(name)?, year.first().copied())?
            }
            _ => return None,
        };
        Some(Self { day, time })
    }

    /// Returns the last such day that has begun; today for a time alone.
    pub fn last(self, now: &Zoned) -> Option<Date> {
        let today = now.date();
        let has_begun = |date: &Date| {
            let at = date.to_datetime(self.time.unwrap_or(Time::midnight()));
            at.to_zoned(now.time_zone().clone())
                .is_ok_and(|at| at <= *now)
        };
        match self.day {
            TypedDay::Missing => Some(today),
            TypedDay::After(days) => after(today, days),
            TypedDay::Weekday(wanted) => {
                let mut days = (0..=7).filter_map(|days| after(today, -days));
                days.find(|date| date.weekday() == wanted && has_begun(date))
            }
            TypedDay::OfYear(day, month) => {
                let years = (0..YEARS).map(|ago| today.year() - ago);
                let mut dates = years.filter_map(|year| Date::new(year, month, day).ok());
                dates.find(has_begun)
            }
            TypedDay::Date(date) => Some(date),
        }
    }
}

/// `2026-11-20`.
fn date(text: &str) -> Option<Date> {
    let is_plain = text.bytes().all(|it| it.is_ascii_digit() || it == b'-');
    is_plain.then(|| text.parse().ok())?
}

/// `20.11.`, `20.11.2026`.
fn dotted(text: &str) -> Option<TypedDay> {
    let mut parts = text.trim_end_matches('.').split('.');
    let (day, month) = (number(parts.next()?)?, number(parts.next()?)?);
    let year = parts.next();
    parts.next().is_none().then(|| of_year(day, month, year))?
}

fn of_year(day: i8, month: i8, year: Option<&str>) -> Option<TypedDay> {
    match year {
        None => Some(TypedDay::OfYear(day, month)),
        Some(year) if year.len() == 4 => Some(TypedDay::Date(
            Date::new(year.parse().ok()?, month, day).ok()?,
        )),
        Some(_) => None,
    }
}

fn number(text: &str) -> Option<i8> {
    text.trim_end_matches('.').parse().ok()
}

/// Returns the date so many days later.
pub fn after(date: Date, days: i64) -> Option<Date> {
    date.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// `17:00`, `9:30`, `17:00:12`.
fn clock(word: &str) -> Option<Time> {
    let (hour, minute) = word.split_once(':')?;
    let (minute, second) = minute.split_once(':').unwrap_or((minute, "00"));
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        is_number(text, digits).then(|| text.parse::<i8>().ok())?
    };
    let [minute, second] = [number(minute, 2..=2)?, number(second, 2..=2)?];
    Time::new(number(hour, 1..=2)?, minute, second, 0).ok()
}

/// Parses a full name, or its first three letters or more.
pub fn weekday(word: &str) -> Option<Weekday> {
    Weekday::from_monday_zero_offset(place(word, &WEEKDAYS)?).ok()
}

pub fn month(word: &str) -> Option<i8> {
    Some(place(word, &MONTHS)? + 1)
}

/// Returns the index of a name by its first letters, three at least.
fn place(word: &str, names: &[&str]) -> Option<i8> {
    let fits = |name: &&str| word.len() >= 3 && name.starts_with(word);
    i8::try_from(names.iter().position(fits)?).ok()
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use jiff::{Timestamp, Zoned};

    use super::super::due;
    use super::super::query_language::end_of;

    #[test]
    fn a_due_date_and_a_moment_are_typed_alike() {
        let now: Timestamp = "2026-11-20T08:41:12Z".parse().unwrap();
        let now: Zoned = now.to_zoned(TimeZone::UTC);
        let read = |text: &str| {
            let due = due::parse(text, now.timestamp().as_millisecond(), now.time_zone());
            (due.is_ok(), end_of(text, &now).is_some())
        };
        for text in [
            "today",
            " Tomorrow 7:05",
            "yesterday, 09:00",
            "fri",
            "Friday 17:28",
            "17:00",
            "2026-11-20",
            "2026-11-20 17:00",
            "20 Nov",
            "20. november 2026, 08:00",
            "29 feb",
            "20.11.",
            "20.11 08:00",
            "20.11.2026 08:00",
            "2026-11-20T17:00",
            " 2026-11-20t17:00:12 ",
        ] {
            assert_eq!(read(text), (true, true), "{text}");
        }
        for text in [
            "",
            "soon",
            "18",
            "31.2.",
            "20.11.26",
            "1.2.3.4",
            "fri 9",
            "fri sat",
            "tom",
            "Nov 20",
            "2026-11-20T",
            "2026-11-20T24:00",
            "2026-11-20T17:00Z",
            "2026-11-20T17:00+02:00",
            "17:00:60",
        ] {
            assert_eq!(read(text), (false, false), "{text}");
        }
    }
}
