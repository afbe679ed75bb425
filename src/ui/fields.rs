//! Fields of a run in words.

use ratatui::layout::Rect;

use crate::domain::Failure;
use crate::store::{Action, Layer};
use crate::ui::{Now, Surface, frame, text};

/// Returns a time of the service (`2024-11-13T02:09:50`) in short words. It has no zone and is not converted; other
/// texts stay as they are.
pub fn short_time(display: &str, now: &Now) -> String {
    said(display, |time| now.short_of(time))
}

/// Returns the same in full: `Tue 17 Nov 2026 20:10:05`; a date alone stays as it is.
pub fn full_time(display: &str) -> String {
    if !display.contains('T') {
        return display.to_owned();
    }
    let full = |time: jiff::civil::DateTime| time.strftime("%a %-d %b %Y %H:%M:%S").to_string();
    said(display, full)
}

fn said(display: &str, say: impl FnOnce(jiff::civil::DateTime) -> String) -> String {
    display.parse().map_or_else(|_| display.to_owned(), say)
}

/// Returns a failure as lines: request, answer, remedy.
pub fn failure(failure: &Failure, columns: usize) -> Vec<String> {
    // A note, if no call has failed.
    let failed = if failure.kind.is_local() {
        ""
    } else {
        " failed"
    };
    let mut lines = text::wrap(&format!("{}{failed}", failure.asked), columns, 3);
    lines.extend(text::wrap(&failure.in_full(), columns, 8));
    lines.extend(text::wrap(&failure.remedy, columns, 4));
    lines
}

/// Draws a failure in place of the list of a screen, with the key that reads again where that may help.
pub fn draw_failure(on: &mut Surface<'_>, area: Rect, failed: &Failure, screen: Layer) {
    let shared = &on.context.cx.shared;
    let mut lines = failure(failed, usize::from(area.width).saturating_sub(2));
    if !failed.is_in_vain() {
        lines.push(shared.key_does(screen, &Action::Refresh, "tries again."));
    }
    frame::words(on.buffer, area, &lines.join("\n"), on.context.theme.bad());
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn times_are_said_only_where_they_are_understood() {
        let now = Now {
            ms: 1_795_000_000_000,
            zone: jiff::tz::TimeZone::UTC,
        };
        assert_eq!(short_time("2026-11-13T02:09:50", &now), "Fri");
        assert_eq!(short_time("2024-11-13T02:09:50.123", &now), "13 Nov 2024");
        assert_eq!(short_time("lately", &now), "lately");
        assert_eq!(
            ["2026-11-13T02:09:50", "2026-11-13", "lately"].map(full_time),
            ["Fri 13 Nov 2026 02:09:50", "2026-11-13", "lately"]
        );
    }
}
