//! Samples as lines on a screen.

use super::track::{Between, between};
use crate::domain::diff::{Change, counts};
use crate::domain::{ResultCode, ResultCounts, Sample, Sums};

/// Returns all and finished cases in each of `width` columns between two times (epoch milliseconds): the last reading
/// of the column, `None` without a reading or counts.
pub fn burn_up(
    samples: &[Sample],
    done: &[ResultCode],
    from: i64,
    to: i64,
    width: usize,
) -> Vec<Option<Sums>> {
    let mut columns = vec![None; width];
    let span = i128::from(to) - i128::from(from);
    if span <= 0 || width == 0 {
        return columns;
    }
    // Columns may be many and times far apart: their product may not fit 64 bits.
    let column = |at: i64| {
        let column = (i128::from(at) - i128::from(from)) * width as i128 / span;
        usize::try_from(column).unwrap_or(0)
    };
    for (place, sample) in samples.iter().enumerate() {
        let Some(sums) = sample.sums(done) else {
            continue;
        };
        let until = match samples.get(place + 1) {
            Some(next) => {
                // All hours count: a line shows nights as they are.
                let unseen = next.at.saturating_sub(sample.seen_until);
                match between(sample, next, unseen, done) {
                    Between::Seen(_) => next.at,
                    _ => sample.seen_until,
                }
            }
            None => sample.seen_until,
        };
        if until < from || sample.at >= to {
            continue;
        }
        let first = column(sample.at.max(from));
        let last = column(until.min(to - 1)).min(width - 1);
        if let Some(columns) = columns.get_mut(first..=last) {
            columns.fill(Some(sums));
        }
    }
    columns
}

/// Counts that changed from one sample to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Time of the reading, epoch milliseconds.
    pub at: i64,
    /// At least one.
    pub changes: Vec<Change>,
}

/// Returns the newest changes of counts, newest first.
pub fn moved(samples: &[Sample], most: usize) -> Vec<Moved> {
    let sampled: Vec<(i64, &ResultCounts)> = samples
        .iter()
        .filter_map(|sample| Some((sample.at, sample.counts.as_ref()?)))
        .collect();
    let moved = sampled
        .array_windows()
        .rev()
        .filter_map(|&[(_, before), (at, after)]| {
            let changes = counts(before, after, ResultCode::BAR, "unknown result");
            (!changes.is_empty()).then_some(Moved { at, changes })
        });
    moved.take(most).collect()
}
