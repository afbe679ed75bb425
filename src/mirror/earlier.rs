//! What runs told before today, as far as samples were kept of it: from that a row says how many more there are since.

use std::collections::HashMap;

use crate::domain::{Cases, Days, DocRef, ResultCode, RunRow, Sample};

/// The newest counts of runs from before today.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierReadings {
    /// The day before which they were read; `None` before anything is compared.
    days: Option<Days>,
    runs: HashMap<DocRef, Before>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Before {
    /// When the run still stood so, epoch milliseconds; before today.
    at: i64,
    cases: Cases,
}

impl EarlierReadings {
    /// Takes the newest samples from before a day. Counts that were not told in full are of no use.
    pub fn new(days: Days, samples: Vec<(DocRef, Sample)>) -> Self {
        let before = |(run, sample): (DocRef, Sample)| {
            let cases = sample.counts.as_ref()?.cases()?;
            // It may have stood so until today.
            let at = sample.seen_until.min(days.today.saturating_sub(1));
            Some((run, Before { at, cases }))
        };
        Self {
            days: Some(days),
            runs: samples.into_iter().filter_map(before).collect(),
        }
    }

    /// How many more cases are at Failed (new) than in the earlier reading: the `+n` at Fail, and more than 0 for a run
    /// with new failures. `None` where there is no earlier reading or the row does not tell its counts in full.
    pub fn more_failed(&self, row: &RunRow) -> Option<u64> {
        self.more(row, &[ResultCode::FailedNew])
    }

    /// How many more cases are blocked or on hold than in the earlier reading: the `+n` at Block. `None` as in
    /// [`Self::more_failed`].
    pub fn more_blocked(&self, row: &RunRow) -> Option<u64> {
        self.more(row, ResultCode::BLOCKED)
    }

    /// How many cases were at this result in the earlier reading, to compare with what the row tells. `None` as in
    /// [`Self::more_failed`].
    pub fn before(&self, row: &RunRow, code: ResultCode) -> Option<u64> {
        let (before, _) = self.both(row)?;
        Some(before[usize::from(code.number()) - 1])
    }

    /// Whether any count differs from the earlier reading. `None` as in [`Self::more_failed`].
    pub fn moved(&self, row: &RunRow) -> Option<bool> {
        let (before, now) = self.both(row)?;
        Some(*before != now)
    }

    /// The run belongs to today: it was edited today, or a count has moved.
    pub fn is_of_today(&self, row: &RunRow) -> bool {
        self.days
            .is_some_and(|days| row.edited_on.is_some_and(|at| days.is_today(at)))
            || self.moved(row) == Some(true)
    }

    /// Since when these runs are compared, where that is not simply since yesterday: the time (epoch milliseconds) of the
    /// oldest of their earlier readings, if it lies before yesterday.
    pub fn since<'a>(&self, runs: impl IntoIterator<Item = &'a DocRef>) -> Option<i64> {
        let yesterday = self.days?.yesterday;
        let oldest = runs
            .into_iter()
            .filter_map(|run| self.runs.get(run))
            .map(|reading| reading.at)
            .min()?;
        (oldest < yesterday).then_some(oldest)
    }

    /// When the newest of them was, epoch milliseconds.
    pub fn newest(&self) -> Option<i64> {
        self.runs.values().map(|reading| reading.at).max()
    }

    /// There is an earlier reading of this run.
    pub fn has(&self, run: &DocRef) -> bool {
        self.runs.contains_key(run)
    }

    /// The days by which all this is reckoned; `None` before anything is compared.
    pub fn days(&self) -> Option<Days> {
        self.days
    }

    fn both(&self, row: &RunRow) -> Option<(&Cases, Cases)> {
        let reading = self.runs.get(&row.doc_ref)?;
        Some((&reading.cases, row.results.as_ref()?.cases()?))
    }

    fn more(&self, row: &RunRow, codes: &[ResultCode]) -> Option<u64> {
        let (before, now) = self.both(row)?;
        let sum = |cases: &Cases| {
            codes
                .iter()
                .map(|code| cases[usize::from(code.number()) - 1])
                .fold(0, u64::saturating_add)
        };
        Some(sum(&now).saturating_sub(sum(before)))
    }
}
