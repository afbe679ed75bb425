//! Pauses between readings, which grow while the service fails.

use std::time::Duration;

use jiff::fmt::friendly::{Spacing, SpanPrinter};

use super::Access;

/// Default pause between two readings.
const USUAL: Duration = Duration::from_secs(30);
/// Longest pause after failures, unless the normal one is longer.
const LONGEST: Duration = Duration::from_mins(5);

/// Longest pause before a failed reading is repeated.
const LONGEST_TRY: Duration = Duration::from_mins(1);

/// Pauses before the retries of a reading, each twice as long as the one before.
pub fn tries(times: u8, first: Duration) -> Vec<Duration> {
    let pause = |n: u8| first.saturating_mul(1 << n.min(16)).min(LONGEST_TRY);
    (0..times).map(pause).collect()
}

/// Pauses between readings.
pub struct Pace {
    every: Duration,
    failures: u32,
}

impl Pace {
    /// Uses the pause of the command line, else of the profile, else 30 s.
    pub fn new(every: Option<Duration>, access: &Access) -> Self {
        let every = every.unwrap_or_else(|| match access.connection.profile().refresh_seconds {
            0 => USUAL,
            seconds => Duration::from_secs(seconds),
        });
        Self { every, failures: 0 }
    }

    /// Pause after a successful reading.
    pub fn after_success(&mut self) -> Duration {
        self.failures = 0;
        self.every
    }

    /// Pause after a failure: twice the last one, up to five minutes.
    pub fn after_failure(&mut self) -> Duration {
        let pause = self.every.saturating_mul(1 << self.failures.min(16));
        self.failures += 1;
        pause.min(LONGEST.max(self.every))
    }
}

/// A duration in the format of the command line: `90s`, `1h30m`.
pub fn shown(time: Duration) -> String {
    let printer = SpanPrinter::new().spacing(Spacing::None);
    printer.unsigned_duration_to_string(&time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_while_it_fails() {
        let mut pace = Pace {
            every: Duration::from_mins(1),
            failures: 0,
        };
        let failed: Vec<u64> = (0..5).map(|_| pace.after_failure().as_secs()).collect();
        assert_eq!(failed, [60, 120, 240, 300, 300]);
        assert_eq!(
            (
                pace.after_success().as_secs(),
                pace.after_failure().as_secs()
            ),
            (60, 60)
        );
        let mut slow = Pace {
            every: Duration::from_hours(1),
            failures: 0,
        };
        assert_eq!(
            (
                slow.after_failure().as_secs(),
                slow.after_failure().as_secs()
            ),
            (3_600, 3_600)
        );
    }

    #[test]
    fn tries_are_further_and_further_apart() {
        let seconds: Vec<u64> = tries(8, Duration::from_secs(1))
            .iter()
            .map(Duration::as_secs)
            .collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60]);
    }

    #[test]
    fn times_are_shown_as_they_are_given() {
        for (seconds, text) in [(90, "1m30s"), (7_200, "2h"), (86_461, "24h1m1s"), (1, "1s")] {
            assert_eq!(shown(Duration::from_secs(seconds)), text);
        }
    }
}
