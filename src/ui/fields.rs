//! Fields of a run in words.

use crate::domain::fields::{Field, PROJECT, SUBPROJECT, VERSION};
use crate::domain::{Failure, FailureKind, RunRow};
use crate::ui::text;
use crate::ui::time::Now;

/// A display time (`2024-11-13T02:09:50`) for a narrow column: day and time, or the whole date if it is of another
/// year. What has another form is shown as it came.
pub fn short_time(display: &str, now: &Now) -> String {
    let Ok(time) = display.parse::<jiff::civil::DateTime>() else {
        return display.to_owned();
    };
    let year = jiff::Timestamp::from_millisecond(now.ms)
        .map(|now_| now_.to_zoned(now.zone.clone()).year());
    if year.is_ok_and(|year| year == time.year()) {
        time.strftime("%m-%d %H:%M").to_string()
    } else {
        time.strftime("%Y-%m-%d").to_string()
    }
}

/// Project, sub project and version of a run.
pub fn scope(run: &RunRow) -> String {
    let of = |field: &Field| field.words(run, None);
    format!(
        "{} / {}  version {}",
        of(&PROJECT),
        of(&SUBPROJECT),
        of(&VERSION)
    )
}

/// When a run was edited last, and by whom.
pub fn edited(run: &RunRow, now: &Now) -> String {
    event(
        run.display_edited_on.as_deref(),
        run.edited_on,
        run.edited_by.as_deref(),
        now,
    )
}

/// A display time as it was given, its age where the service gave the milliseconds too, and who.
pub fn event(display: Option<&str>, ms: Option<i64>, by: Option<&str>, now: &Now) -> String {
    let mut words = match display {
        Some(display) => format!("{display} (no zone given)"),
        None => "-".into(),
    };
    if let Some(by) = by {
        words = format!("{words} by {by}");
    }
    if let Some(ms) = ms {
        let age = now.age(ms);
        let age = if age == "now" {
            "just now".to_owned()
        } else {
            format!("{age} ago")
        };
        words = format!("{words}, {age}");
    }
    words
}

/// A failure as lines: what was asked, what came back, what can be done.
pub fn failure(failure: &Failure, columns: usize) -> Vec<String> {
    // What is told by this side is a note about something; a call has failed.
    let failed = if failure.kind == FailureKind::Local {
        ""
    } else {
        " failed"
    };
    let mut lines = text::wrap(&format!("{}{failed}", failure.asked), columns, 3);
    lines.extend(text::wrap(&failure.came_back, columns, 8));
    lines.extend(text::wrap(&failure.remedy, columns, 4));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_now_is_not_now_ago() {
        let now = Now {
            ms: 1_795_000_000_000,
            zone: jiff::tz::TimeZone::UTC,
        };
        let told = |before: i64| {
            event(
                Some("2026-11-18T12:26:40"),
                Some(now.ms - before),
                Some("mai"),
                &now,
            )
        };
        assert_eq!(
            told(0),
            "2026-11-18T12:26:40 (no zone given) by mai, just now"
        );
        assert!(told(61_000).ends_with("by mai, 1m ago"));
    }

    #[test]
    fn times_are_shortened_only_where_they_are_understood() {
        let now = Now {
            ms: 1_795_000_000_000,
            zone: jiff::tz::TimeZone::UTC,
        };
        assert_eq!(short_time("2026-11-13T02:09:50", &now), "11-13 02:09");
        assert_eq!(short_time("2024-11-13T02:09:50.123", &now), "2024-11-13");
        assert_eq!(short_time("yesterday", &now), "yesterday");
    }
}
