//! Samples as lines on a screen.

use super::track::{Between, between};
use crate::domain::diff::{Change, counts};
use crate::domain::{ResultCode, ResultCounts, Sample, Sums};

/// All cases and finished ones in each of `width` columns between two times (epoch milliseconds): what was last seen in
/// the column, `None` where nobody looked or no counts were told.
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
    // Columns may be many and times far apart: no product of the two fits 64 bits for sure.
    let column = |at: i64| (i128::from(at) - i128::from(from)) * width as i128 / span;
    for (place, sample) in samples.iter().enumerate() {
        let Some(sums) = sample.sums(done) else {
            continue;
        };
        let until = match samples.get(place + 1) {
            Some(next) if matches!(seen(sample, next, done), Between::Seen(_)) => next.at,
            _ => sample.seen_until,
        };
        if until < from || sample.at >= to {
            continue;
        }
        let first = usize::try_from(column(sample.at.max(from))).unwrap_or(0);
        let last = usize::try_from(column(until.min(to - 1)))
            .unwrap_or(0)
            .min(width - 1);
        if let Some(columns) = columns.get_mut(first..=last) {
            columns.fill(Some(sums));
        }
    }
    columns
}

/// Counts that changed from one sample to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// When that was seen, epoch milliseconds.
    pub at: i64,
    /// At least one.
    pub changes: Vec<Change>,
}

/// When counts changed, and how: the newest so many, newest first.
pub fn moved(samples: &[Sample], most: usize) -> Vec<Moved> {
    let told: Vec<(i64, &ResultCounts)> = samples
        .iter()
        .filter_map(|sample| Some((sample.at, sample.counts.as_ref()?)))
        .collect();
    let moved = told.windows(2).rev().filter_map(|pair| {
        let (before, after) = (pair[0].1, pair[1].1);
        let changes = counts(before, after, ResultCode::BAR, "unknown result");
        (!changes.is_empty()).then_some(Moved {
            at: pair[1].0,
            changes,
        })
    });
    moved.take(most).collect()
}

/// What lies between two samples where all hours count: a line shows nights as they are.
fn seen(a: &Sample, b: &Sample, done: &[ResultCode]) -> Between {
    between(a, b, b.at.saturating_sub(a.seen_until), done)
}
