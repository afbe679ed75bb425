//! Times in searches: `today yesterday mon -7d -2h 2026-11-20 09:30`.

use jiff::civil::{Date, DateTime, Time};
use jiff::{Span as Length, Zoned};

use super::super::text;
use super::super::typed_date::{TypedDate, weekday};
use super::compare::Comparing;

/// Epoch milliseconds, and the local time.
type Moment = (i64, DateTime);

/// Period from a moment to before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    from: Option<Moment>,
    to: Option<Moment>,
}

impl Span {
    /// Parses a time at `now`: the day, the minute, or everything since then.
    pub(super) fn parse(text: &str, now: &Zoned) -> Option<Self> {
        let text = text.trim();
        if let Some(ago) = text.strip_prefix('-') {
            let unit = ago.find(|c: char| !c.is_ascii_digit())?;
            let hours = match &ago[unit..] {
                "h" | "H" => 1,
                "d" | "D" => 24,
                _ => return None,
            };
            let hours = ago[..unit].parse::<i64>().ok()?.checked_mul(hours)?;
            let from = now.checked_sub(Length::new().try_hours(hours).ok()?).ok()?;
            return Some(Self {
                from: Some(moment(&from)),
                to: None,
            });
        }
        let typed = TypedDate::read(text)?;
        let (time, length) = match typed.time {
            Some(time) if time.second() > 0 => (time, Length::new().seconds(1)),
            Some(time) => (time, Length::new().minutes(1)),
            None => (Time::midnight(), Length::new().days(1)),
        };
        between(typed.last(now)?, time, length, now)
    }

    /// Returns the period of a comparison: `>` from the first moment on, `<` before that.
    pub(super) fn compared(self, comparing: Comparing) -> Self {
        let (from, to) = match comparing {
            Comparing::More | Comparing::AtLeast => (self.from, None),
            Comparing::Less => (None, self.from),
            Comparing::AtMost => (None, self.to.or(self.from)),
            Comparing::Equal | Comparing::Unequal => (self.from, self.to),
        };
        Self { from, to }
    }

    /// Returns `true` if a time (epoch milliseconds) is in the period; without one the local time as text counts.
    pub(super) fn has(&self, (ms, text): (Option<i64>, Option<&str>)) -> Option<bool> {
        fn within<T: PartialOrd>(time: &T, from: Option<T>, to: Option<T>) -> bool {
            from.is_none_or(|from| *time >= from) && to.is_none_or(|to| *time < to)
        }
        let Self { from, to } = *self;
        if let Some(ms) = ms {
            return Some(within(&ms, from.map(|it| it.0), to.map(|it| it.0)));
        }
        let shown: DateTime = text?.parse().ok()?;
        Some(within(&shown, from.map(|it| it.1), to.map(|it| it.1)))
    }
}

/// Parses a time of a search, also `fri 17:28` and `25.11. 09:00`, to the end of the day or minute, or to the beginning
/// of a period until now, in epoch milliseconds; a weekday is the last one that is over. `None` if the text is no time.
pub fn end_of(text: &str, now: &Zoned) -> Option<i64> {
    let end = |now: &Zoned| {
        let span = Span::parse(text, now)?;
        Some(span.to.or(span.from)?.0)
    };
    let is_over = |end: &i64| *end <= now.timestamp().as_millisecond();
    match end(now).filter(|end| !is_over(end)) {
        Some(_) if weekday(&text.trim().to_lowercase()).is_some() => {
            end(&now.checked_sub(Length::new().days(7)).ok()?)
        }
        _ => end(now),
    }
}

/// Parses a past moment, as [`end_of`] does. The error names the mistake and the `examples`.
pub fn past(text: &str, now: &Zoned, examples: &str) -> Result<i64, String> {
    let at = end_of(text, now);
    let text = text::plain(text);
    match at {
        Some(at) if at <= now.timestamp().as_millisecond() => Ok(at),
        Some(_) => Err(format!("{text} is not past yet; e.g. {examples}")),
        None => Err(format!("{text}: no moment; e.g. {examples}")),
    }
}

fn between(date: Date, time: Time, length: Length, now: &Zoned) -> Option<Span> {
    let at = |time: DateTime| time.to_zoned(now.time_zone().clone()).ok();
    let begin = date.to_datetime(time);
    Some(Span {
        from: Some(moment(&at(begin)?)),
        to: Some(moment(&at(begin.checked_add(length).ok()?)?)),
    })
}

fn moment(time: &Zoned) -> Moment {
    (time.timestamp().as_millisecond(), time.datetime())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_the_end_of_a_day_also_where_the_clock_is_changed() {
        let zone = jiff::tz::TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let found = |text: &str, now: &str| {
            let now: jiff::Timestamp = now.parse().unwrap();
            let now = now.to_zoned(zone.clone());
            let end = jiff::Timestamp::from_millisecond(end_of(text, &now)?).unwrap();
            Some(
                end.to_zoned(zone.clone())
                    .strftime("%a %d %H:%M")
                    .to_string(),
            )
        };
        // Mondays after both changes of the clocks.
        for now in ["2026-03-30T08:00:00Z", "2026-10-26T08:00:00Z"] {
            let day = &now[8..10].parse::<u32>().unwrap();
            let at = |days: u32, clock: &str| Some(format!("{} {clock}", day - days));
            let of = |text: &str| found(text, now).map(|end| end[4..].to_owned());
            assert_eq!(of("yesterday"), at(0, "00:00"));
            assert_eq!(of("fri"), at(2, "00:00"));
            assert_eq!(of("Monday"), at(6, "00:00"), "today is not over");
            assert_eq!(of("07:30"), at(0, "07:31"));
            assert_eq!(of(&format!("{} 17:28", &now[..10])), at(0, "17:29"));
            assert_eq!(of("Fri 17:28"), at(3, "17:29"));
            assert_eq!(of("mon 07:30"), at(0, "07:31"));
            assert_eq!(of("mon 20:30"), at(7, "20:31"), "today it is not yet");
            assert_eq!(of("yesterday 09:00"), at(1, "09:01"));
            let month = &now[5..7];
            assert_eq!(of(&format!("{}.{month}. 09:00", day - 5)), at(5, "09:01"));
            let named = ["mar", "October"][usize::from(month == "10")];
            assert_eq!(of(&format!("{} {named} 09:00", day - 5)), at(5, "09:01"));
            assert_eq!(of(&format!("{} {named}", day - 5)), at(4, "00:00"));
            let year = &now[..4];
            assert_eq!(of(&format!("{}.{month}.{year}", day - 5)), at(4, "00:00"));
        }
        // A day in the future is that of last year.
        assert_eq!(
            found("25.11. 09:00", "2026-03-30T08:00:00Z"),
            Some("Tue 25 09:01".into())
        );
        for text in ["soon", "31.2.", "fri 9", "1.2.3.4 5", "13.13."] {
            assert_eq!(found(text, "2026-03-30T08:00:00Z"), None, "{text}");
        }
    }
}
