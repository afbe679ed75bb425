//! Times of the interface: epoch milliseconds, and ISO 8601 without a zone (2.2).

use jiff::{Timestamp, tz::TimeZone};

/// ISO 8601 date-time without zone, in UTC, to the second.
pub fn iso(milliseconds: i64) -> String {
    civil(milliseconds)
        .strftime("%Y-%m-%dT%H:%M:%S")
        .to_string()
}

/// ISO 8601 date, in UTC.
pub fn iso_date(milliseconds: i64) -> String {
    civil(milliseconds).strftime("%Y-%m-%d").to_string()
}

/// Current time in epoch milliseconds.
pub fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

fn civil(milliseconds: i64) -> jiff::civil::DateTime {
    TimeZone::UTC.to_datetime(Timestamp::from_millisecond(milliseconds).unwrap_or_default())
}
