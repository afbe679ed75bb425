//! Runs in which nothing happens.

use super::{ResultCode, RunRow, Sample};

/// Activity of a run. Quiet: open, with cases left, read on each of a number of working days, without a changed count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Quiet, with the time of the last known change, epoch milliseconds.
    Since(i64),
    No,
    /// The readings do not suffice.
    NotKnown,
}

impl Quiet {
    /// Decides by the samples of a run, the newest last. `days` are beginnings and ends of the days, the first one
    /// first; `done` are the results of finished cases.
    pub fn of(row: &RunRow, samples: &[Sample], done: &[ResultCode], days: &[(i64, i64)]) -> Self {
        let (Some(newest), Some((from, _))) = (samples.last(), days.first()) else {
            return Self::NotKnown;
        };
        let is_over = row.is_closed() || row.sums(done).is_some_and(|it| it.left() == 0);
        let moved = |it: &Sample| {
            it.seen_until >= *from && it.counts.is_some() && it.counts != newest.counts
        };
        if is_over
            || row.created_on.is_some_and(|made| made >= *from)
            || newest.counts.is_some() && samples.iter().any(moved)
        {
            return Self::No;
        }
        let same: Vec<_> = samples
            .iter()
            .rev()
            .take_while(|it| it.counts.is_some() && it.counts == newest.counts)
            .collect();
        let was_read = |(from, to): &(i64, i64)| {
            let mut same = same.iter();
            same.any(|it| it.at < *to && it.seen_until >= *from)
        };
        // After a clock was set back the duration is not known.
        let is_known = same
            .split_last()
            .is_some_and(|(_, later)| !later.iter().any(|it| it.clock_back));
        match same.last() {
            Some(first) if is_known && first.at < *from && days.iter().all(was_read) => {
                Self::Since(first.at)
            }
            _ => Self::NotKnown,
        }
    }
}
