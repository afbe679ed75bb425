//! The counts of a test run at one time.

use super::prelude::*;

/// Counts of a run, and the period in which they did not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Time of the first reading, epoch milliseconds.
    pub at: i64,
    /// Time of the last unchanged reading, epoch milliseconds; never before `at`.
    pub seen_until: i64,
    /// The clock was earlier than at the sample before: the time between the two is unknown.
    pub clock_back: bool,
    /// Cases by result code; `None` if counts are missing, incomplete or at more codes than are kept. Undocumented
    /// codes are sorted, without labels.
    pub counts: Option<ResultCounts>,
    /// Number of suites, if sent.
    pub suites: Option<i64>,
    /// The service's own Progress, if sent.
    pub progress: Option<i64>,
}

impl Sample {
    /// Longest pause between two readings that is no gap, in milliseconds: 2 hours.
    pub const GAP: i64 = 2 * 3_600_000;
    /// Maximum number of undocumented codes that are kept.
    const MOST_CODES: usize = 256;

    /// Returns the sample of a row that was read at a time (epoch milliseconds).
    pub fn of(row: &RunRow, at: i64) -> Self {
        let counts = row.results.as_ref().filter(|counts| counts.unread == 0);
        Self {
            at,
            seen_until: at,
            clock_back: false,
            counts: counts.and_then(|counts| counts.sorted(Self::MOST_CODES)),
            suites: row.suite_count,
            progress: row.progress,
        }
    }

    /// Adds the counts of a row at a time (epoch milliseconds): the last sample lasts until then, or a new one follows if a
    /// value is another, or after a gap.
    pub fn add_reading(samples: &mut Vec<Self>, row: &RunRow, at: i64) {
        let read = Self::of(row, at);
        match samples.last_mut() {
            Some(last) if last.tells_as(&read) && at - last.seen_until <= Self::GAP => {
                last.seen_until = last.seen_until.max(at);
            }
            _ => samples.push(read),
        }
    }

    /// Returns `true` if the values are the same.
    pub fn tells_as(&self, other: &Self) -> bool {
        (&self.counts, self.suites, self.progress) == (&other.counts, other.suites, other.progress)
    }

    /// Returns the number of all cases, if known.
    pub fn total(&self) -> Option<u64> {
        self.counts.as_ref().map(ResultCounts::total)
    }

    /// Returns all and finished cases, if known; a code that is not listed has none.
    pub fn sums(&self, done: &[ResultCode]) -> Option<Sums> {
        self.counts.as_ref()?.sums(done)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::Document;

    fn sample(result: &Value) -> Sample {
        let raw = json!({"docRef": "TestRun-dm/1", "document": {"Root": {"DisplayFields": {"Result": result}}}});
        Sample::of(
            &RunRow::from_document(&Document::from_value(raw).unwrap()),
            7,
        )
    }

    #[test]
    fn order_and_labels_are_nothing_and_zero_is_not_absent() {
        let a = sample(
            &json!([{"result": "z", "count": 1, "label": "Odd"}, {"result": "2", "count": 3}, {"result": "a", "count": 2}]),
        );
        let b = sample(
            &json!([{"result": "a", "count": 2}, {"result": 2, "count": 3}, {"result": "z", "count": 1}]),
        );
        assert!(a.tells_as(&b));
        assert_eq!(
            (
                a.total(),
                a.sums(&[ResultCode::Passed, ResultCode::Skipped])
                    .map(|sums| sums.done)
            ),
            (Some(6), Some(3))
        );
        let zero = sample(&json!([{"result": "2", "count": 3}, {"result": "1", "count": 0}]));
        assert!(!zero.tells_as(&sample(&json!([{"result": "2", "count": 3}]))));
    }

    #[test]
    fn counts_at_more_codes_than_are_kept_are_none() {
        let codes = |count: usize| {
            let code = |at: usize| json!({"result": format!("odd {at}"), "count": 1});
            sample(&(0..count).map(code).collect()).total()
        };
        assert_eq!(codes(Sample::MOST_CODES), Some(256));
        assert_eq!(codes(Sample::MOST_CODES + 1), None);
    }

    #[test]
    fn counts_in_part_are_none() {
        assert_eq!(
            sample(&json!([{"result": "2", "count": 3}, {"result": "5", "count": "?"}])).counts,
            None
        );
        assert_eq!(sample(&json!(null)).total(), None);
    }
}
