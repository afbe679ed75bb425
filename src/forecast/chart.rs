//! Samples as lines on a screen.

use super::track::{Between, between};
use crate::domain::diff::Change;
use crate::domain::{ResultCode, ResultCounts, Sample, Sums};

/// Milliseconds of a bucket of [`pace`].
const BUCKET: i64 = 3_600_000;
/// A bucket of which less was seen has no pace: one of so many parts.
const SEEN: i64 = 10;

/// Cases finished in each of the last `hours` hours before `now` (epoch milliseconds), the oldest first; fewer than none
/// if they went back. An hour that was seen in part counts for what was seen; `None` where next to nothing was.
pub fn pace(samples: &[Sample], now: i64, done: &[ResultCode], hours: usize) -> Vec<Option<f64>> {
    let mut buckets = vec![(0_i64, 0_f64); hours];
    let begin = now.saturating_sub(BUCKET.saturating_mul(i64::try_from(hours).unwrap_or(i64::MAX)));
    let mut put = |from: i64, to: i64, finished: i64| {
        let long = to.saturating_sub(from).max(0);
        let first = from.saturating_sub(begin).div_euclid(BUCKET).max(0);
        for (place, bucket) in buckets
            .iter_mut()
            .enumerate()
            .skip(usize::try_from(first).unwrap_or(0))
        {
            let start = begin + BUCKET * i64::try_from(place).unwrap_or(i64::MAX);
            if start > to {
                break;
            }
            let within = (start + BUCKET)
                .min(to)
                .saturating_sub(start.max(from))
                .max(0);
            bucket.0 += within;
            if long > 0 {
                bucket.1 += finished as f64 * within as f64 / long as f64;
            } else if (start..start + BUCKET).contains(&to) {
                bucket.1 += finished as f64;
            }
        }
    };
    for (place, sample) in samples.iter().enumerate() {
        if sample.counts.is_some() {
            put(sample.at, sample.seen_until, 0);
        }
        if let Some(next) = samples.get(place + 1)
            && let Between::Seen(finished) = seen(sample, next, done)
        {
            put(sample.seen_until, next.at, finished);
        }
    }
    let hourly = |(seen, finished): (i64, f64)| {
        (seen * SEEN >= BUCKET).then(|| finished * BUCKET as f64 / seen as f64)
    };
    buckets.into_iter().map(hourly).collect()
}

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
        let changes = changes(pair[0].1, pair[1].1);
        (!changes.is_empty()).then_some(Moved {
            at: pair[1].0,
            changes,
        })
    });
    moved.take(most).collect()
}

fn changes(before: &ResultCounts, after: &ResultCounts) -> Vec<Change> {
    let change = |code: String, label: String, before: u64, after: u64| {
        (before != after).then_some(Change::Count {
            code,
            label,
            before,
            after,
        })
    };
    let known = ResultCode::BAR.iter().filter_map(|code| {
        let (number, label) = (code.number().to_string(), code.label().to_owned());
        change(number, label, before.get(*code), after.get(*code))
    });
    let of = |counts: &ResultCounts, code: &str| {
        let found = counts.others.iter().find(|(other, _, _)| other == code);
        found.map_or(0, |(_, _, count)| *count)
    };
    let others = before.others.iter().chain(&after.others);
    let codes: std::collections::BTreeSet<&str> = others.map(|other| other.0.as_str()).collect();
    let others = codes.into_iter().filter_map(|code| {
        let label = format!("unknown result {code}");
        change(code.to_owned(), label, of(before, code), of(after, code))
    });
    known.chain(others).collect()
}

/// What lies between two samples where all hours count: a line shows nights as they are.
fn seen(a: &Sample, b: &Sample, done: &[ResultCode]) -> Between {
    between(a, b, b.at.saturating_sub(a.seen_until), done)
}
