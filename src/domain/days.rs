//! Beginnings of days.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Returns a time (epoch milliseconds) in a zone; `None` out of range.
pub fn local(ms: i64, zone: &TimeZone) -> Option<Zoned> {
    Some(Timestamp::from_millisecond(ms).ok()?.to_zoned(zone.clone()))
}

/// Returns a time (epoch milliseconds) in a zone, in a format of `strftime`; `None` out of range.
pub fn format_local(ms: i64, zone: &TimeZone, format: &str) -> Option<String> {
    Some(local(ms, zone)?.strftime(format).to_string())
}

/// Beginnings of yesterday, today and tomorrow in a zone, epoch milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Days {
    pub yesterday: i64,
    pub today: i64,
    pub tomorrow: i64,
}

impl Days {
    /// Returns the days around a time (epoch milliseconds); `None` out of range. A day begins with its first moment,
    /// which is not midnight if the clock is put forward then.
    pub fn at(now: i64, zone: &TimeZone) -> Option<Self> {
        let begin = |ms: i64| local(ms, zone)?.start_of_day().ok();
        let today = begin(now)?;
        let tomorrow = today.tomorrow().ok()?.start_of_day().ok()?;
        let ms = today.timestamp().as_millisecond();
        Some(Self {
            yesterday: begin(ms.checked_sub(1)?)?.timestamp().as_millisecond(),
            today: ms,
            tomorrow: tomorrow.timestamp().as_millisecond(),
        })
    }

    /// Returns `true` if a time (epoch milliseconds) is today.
    pub fn is_today(&self, ms: i64) -> bool {
        (self.today..self.tomorrow).contains(&ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(now: &str, zone: &str) -> [String; 3] {
        let zone = TimeZone::posix(zone).unwrap();
        let now: Timestamp = now.parse().unwrap();
        let days = Days::at(now.as_millisecond(), &zone).unwrap();
        [days.yesterday, days.today, days.tomorrow]
            .map(|ms| Timestamp::from_millisecond(ms).unwrap().to_string())
    }

    #[test]
    fn a_day_begins_at_midnight_of_the_zone() {
        let expected = [
            "2026-11-19T00:00:00Z",
            "2026-11-20T00:00:00Z",
            "2026-11-21T00:00:00Z",
        ];
        for now in [
            "2026-11-20T00:00:00Z",
            "2026-11-20T09:41:12Z",
            "2026-11-20T23:59:59.999Z",
        ] {
            assert_eq!(days(now, "UTC0"), expected, "{now}");
        }
        // Already the next day further east.
        assert_eq!(
            days("2026-11-20T21:00:00Z", "<+0530>-5:30")[1],
            "2026-11-20T18:30:00Z"
        );
    }

    #[test]
    fn days_on_which_the_clock_is_changed_are_longer_or_shorter() {
        const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";
        let spring = [
            "2026-03-28T23:00:00Z",
            "2026-03-29T22:00:00Z",
            "2026-03-30T22:00:00Z",
        ];
        assert_eq!(days("2026-03-30T08:00:00Z", BERLIN), spring);
        assert_eq!(days("2026-03-29T08:00:00Z", BERLIN)[1..], spring[..2]);
        let autumn = [
            "2026-10-24T22:00:00Z",
            "2026-10-25T23:00:00Z",
            "2026-10-26T23:00:00Z",
        ];
        assert_eq!(days("2026-10-25T23:00:00Z", BERLIN), autumn);
        assert_eq!(days("2026-10-25T22:59:59Z", BERLIN)[1..], autumn[..2]);
    }

    #[test]
    fn where_there_is_no_midnight_a_day_begins_with_its_first_moment() {
        // At midnight of the first Sunday in November the clock is put to one, in February from midnight back to eleven.
        const SAO_PAULO: &str = "<-03>3<-02>,M11.1.0/0,M2.3.0/0";
        let forth = [
            "2018-11-03T03:00:00Z",
            "2018-11-04T03:00:00Z",
            "2018-11-05T02:00:00Z",
        ];
        assert_eq!(days("2018-11-04T12:00:00Z", SAO_PAULO), forth);
        let back = [
            "2018-02-17T02:00:00Z",
            "2018-02-18T03:00:00Z",
            "2018-02-19T03:00:00Z",
        ];
        assert_eq!(days("2018-02-18T12:00:00Z", SAO_PAULO), back);
        assert_eq!(days("2018-02-18T02:30:00Z", SAO_PAULO)[1..], back[..2]);
    }

    #[test]
    fn a_time_that_no_calendar_holds_has_no_days() {
        assert_eq!(Days::at(i64::MAX, &TimeZone::UTC), None);
        assert_eq!(Days::at(i64::MIN, &TimeZone::UTC), None);
    }
}
