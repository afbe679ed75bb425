//! Samples as progress over observed time.

use super::calendar::Calendar;
use super::{HOUR, Settings};
use crate::domain::{ResultCode, Sample, Sums};

/// Returns the cases finished from one reading to the next; negative if they went back, as with a retest. Cases removed
/// from the run took their results along, which is no step back.
fn finished(before: Sums, after: Sums) -> i64 {
    let gone = difference(after.total, before.total).max(0);
    match difference(before.done, after.done) {
        back if back < 0 => (back + gone).min(0),
        finished => finished,
    }
}

/// `b - a`.
pub(super) fn difference(a: u64, b: u64) -> i64 {
    let clamped = |count: u64| {
        i64::try_from(count)
            .unwrap_or(i64::MAX / 2)
            .min(i64::MAX / 2)
    };
    clamped(b) - clamped(a)
}

/// Time between two successive samples.
pub enum Between {
    /// Read often enough, with the cases finished.
    Seen(i64),
    /// Not read for too long, the first has no counts, or the clock went back.
    Gap,
    /// The second has no counts.
    Untold,
}

/// Rates the time between two successive samples; `unseen` are the counted milliseconds between them.
pub fn between(a: &Sample, b: &Sample, unseen: i64, done: &[ResultCode]) -> Between {
    match (a.sums(done), b.sums(done)) {
        (_, None) => Between::Untold,
        (Some(before), Some(after)) if !b.clock_back && unseen <= Sample::GAP => {
            Between::Seen(finished(before, after))
        }
        _ => Between::Gap,
    }
}

/// Finished cases over observed and counted time, from the end backwards, as far as the settings want.
pub struct Track {
    /// Milliseconds before the end, ascending, and cases finished from then on.
    points: Vec<(i64, i64)>,
    /// Maximum number of hours: earlier ones are left out.
    most: f64,
    /// Number of its samples.
    pub used: usize,
    /// Number of gaps left out.
    pub gaps: usize,
    /// Times at which the number of all cases changed, and by how many.
    pub grew: Vec<(i64, i64)>,
}

impl Track {
    /// Starts without observed time.
    pub(super) fn empty(calendar: &Calendar<'_>, settings: &Settings) -> Self {
        Self {
            points: vec![(0, 0)],
            most: f64::from(settings.days) * calendar.counted().hours_a_day(),
            used: 0,
            gaps: 0,
            grew: Vec::new(),
        }
    }

    /// Returns `true` if no earlier time is wanted.
    pub(super) fn is_full(&self) -> bool {
        self.hours() >= self.most
    }

    pub fn new(samples: &[Sample], calendar: &Calendar<'_>, settings: &Settings) -> Self {
        let mut track = Self::empty(calendar, settings);
        for (place, sample) in samples.iter().enumerate().rev() {
            if sample.counts.is_some() {
                track.used += 1;
                track.go_back(calendar.between(sample.at, sample.seen_until), 0);
            }
            let Some(before) = samples[..place].last() else {
                break;
            };
            let unseen = calendar.between(before.seen_until, sample.at);
            match between(before, sample, unseen, &settings.done) {
                Between::Seen(finished) => track.go_back(unseen, finished),
                Between::Gap => track.gaps += 1,
                Between::Untold => {}
            }
            if track.is_full() {
                break;
            }
            if let (Some(a), Some(b)) = (before.total(), sample.total())
                && a != b
            {
                track.grew.push((sample.at, difference(a, b)));
            }
        }
        track.grew.reverse();
        track
    }

    pub(super) fn go_back(&mut self, milliseconds: i64, finished: i64) {
        let (since, cases) = self.points.last().copied().unwrap_or_default();
        if milliseconds > 0 || finished != 0 {
            self.points.push((
                since.saturating_add(milliseconds),
                cases.saturating_add(finished),
            ));
        }
    }

    /// Returns its hours.
    pub fn hours(&self) -> f64 {
        self.points
            .last()
            .map_or(0.0, |(milliseconds, _)| *milliseconds as f64 / HOUR)
            .min(self.most)
    }

    /// Returns the cases finished in its last hours.
    pub fn progress(&self, hours: f64) -> f64 {
        let wanted = hours * HOUR;
        // Cases finished at the border itself count.
        let next = self
            .points
            .partition_point(|(since, _)| *since as f64 <= wanted);
        let Some((since, cases)) = self.points[..next].last() else {
            return 0.0;
        };
        match self.points.get(next) {
            Some((until, more)) => {
                let share = (wanted - *since as f64) / (until - since) as f64;
                *cases as f64 + (more - cases) as f64 * share
            }
            None => *cases as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ResultCounts;

    #[test]
    #[expect(
        clippy::float_cmp,
        reason = "halves and quarters are whole numbers of bits"
    )]
    fn between_two_samples_cases_are_finished_evenly() {
        let hour = HOUR as i64;
        let track = Track {
            points: vec![(0, 0), (2 * hour, 8), (6 * hour, 8), (8 * hour, 12)],
            most: 100.0,
            used: 4,
            gaps: 0,
            grew: Vec::new(),
        };
        let progress = [0.0, 0.5, 1.0, 2.0, 4.0, 7.0, 8.0, 9.0].map(|hours| track.progress(hours));
        assert_eq!(progress, [0.0, 2.0, 4.0, 8.0, 8.0, 10.0, 12.0, 12.0]);
    }

    #[test]
    fn two_hours_in_which_nobody_looked_are_no_gap_yet() {
        let sample = Sample {
            at: 0,
            seen_until: 0,
            clock_back: false,
            counts: Some(ResultCounts::default()),
            suites: None,
            progress: None,
        };
        let seen = |unseen| matches!(between(&sample, &sample, unseen, &[]), Between::Seen(0));
        assert!(seen(Sample::GAP) && !seen(Sample::GAP + 1));
    }
}
