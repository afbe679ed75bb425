//! Counts of runs from before today, the base of `+n`.

use super::prelude::*;
use crate::domain::Cases;

/// Newest counts of runs from before today.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierReadings {
    /// Day of the comparison; `None` before the first one.
    days: Option<Days>,
    runs: HashMap<DocRef, Before>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Before {
    /// Last time at which the run had these counts, before today, epoch milliseconds.
    at: i64,
    cases: Cases,
}

impl EarlierReadings {
    /// Takes the newest samples from before a day; those with incomplete counts are left out.
    pub fn new(days: Days, samples: Vec<(DocRef, Sample)>) -> Self {
        let before = |(run, sample): (DocRef, Sample)| {
            let cases = sample.counts.as_ref()?.cases()?;
            // The counts may have been the same until today.
            let at = sample.seen_until.min(days.today.saturating_sub(1));
            Some((run, Before { at, cases }))
        };
        Self {
            days: Some(days),
            runs: samples.into_iter().filter_map(before).collect(),
        }
    }

    /// Number of additional cases at Failed (new) since the earlier reading: the `+n` at Fail, more than 0 for a run
    /// with new failures. `None` without complete counts, or without an earlier reading of a run that was made before
    /// today.
    pub fn more_failed(&self, row: &RunRow) -> Option<u64> {
        self.more(row, &[ResultCode::FailedNew])
    }

    /// Number of additional blocked or on hold cases since the earlier reading: the `+n` at Block. `None` as in
    /// [`Self::more_failed`].
    pub fn more_blocked(&self, row: &RunRow) -> Option<u64> {
        self.more(row, ResultCode::BLOCKED)
    }

    /// True if any count differs from the earlier reading. `None` as in [`Self::more_failed`].
    pub fn moved(&self, row: &RunRow) -> Option<bool> {
        let (before, now) = self.both(row)?;
        Some(before != now)
    }

    /// Returns true if the run was edited today or a count has changed.
    pub fn is_of_today(&self, row: &RunRow) -> bool {
        self.days
            .is_some_and(|days| row.edited_on.is_some_and(|at| days.is_today(at)))
            || self.moved(row) == Some(true)
    }

    /// Time of the oldest earlier reading of these runs, epoch milliseconds; `None` if it is not before yesterday.
    pub fn since<'a>(&self, runs: impl IntoIterator<Item = &'a DocRef>) -> Option<i64> {
        let yesterday = self.days?.yesterday;
        let oldest = runs
            .into_iter()
            .filter_map(|run| self.runs.get(run))
            .map(|reading| reading.at)
            .min()?;
        (oldest < yesterday).then_some(oldest)
    }

    /// Returns true if sums of new failures can begin with this run. A run without new failures that was made today
    /// says nothing of the others.
    pub fn compares(&self, row: &RunRow) -> bool {
        self.more_failed(row)
            .is_some_and(|more| more > 0 || self.has(&row.doc_ref))
    }

    /// Returns true if there is an earlier reading of this run.
    pub fn has(&self, run: &DocRef) -> bool {
        self.runs.contains_key(run)
    }

    /// Days of the comparison; `None` before the first one.
    pub fn days(&self) -> Option<Days> {
        self.days
    }

    /// Counts before today and now; a run that was made today had none.
    fn both(&self, row: &RunRow) -> Option<(Cases, Cases)> {
        let is_today = |at: i64| self.days.is_some_and(|days| days.is_today(at));
        let before = match self.runs.get(&row.doc_ref) {
            Some(reading) => reading.cases,
            None if row.created_on.is_some_and(is_today) => Cases::default(),
            None => return None,
        };
        Some((before, row.results.as_ref()?.cases()?))
    }

    fn more(&self, row: &RunRow, codes: &[ResultCode]) -> Option<u64> {
        let (before, now) = self.both(row)?;
        Some(now.at(codes).saturating_sub(before.at(codes)))
    }
}
