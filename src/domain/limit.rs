//! Limit of a run: a condition on its counts that should hold.

use super::prelude::*;
use super::query_language::{Condition, QueryContext, RunCount, Subject, condition};

/// A limit and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Text of the user.
    pub text: String,
    condition: Condition,
}

/// State of a run against its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitState {
    Within,
    Over {
        /// Such as `failed_new is 11, limit <= 3`.
        why: String,
        /// Counts that the limit compares directly; sums that only contain a compared count are left out.
        counts: Vec<RunCount>,
    },
    /// The service does not send these counts.
    Unknown(String),
}

impl Limit {
    /// Parses a limit. The error names the problem and its place.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A wrong name is its own place; the line has no room for the list of all names.
        let condition =
            condition(text).map_err(|wrong| match wrong.words.split_once("; there are ") {
                Some((unknown, _)) => {
                    format!("{unknown}; as failed_new, failed, blocked, left, done")
                }
                None if wrong.words.starts_with("unknown name") => wrong.words,
                None => wrong.to_string(),
            })?;
        Ok(Self {
            text: text.trim().to_owned(),
            condition,
        })
    }

    /// Returns the state of a run against the limit. A result that the service does not list is unknown, never 0.
    pub fn state(&self, run: &RunRow, done: &[ResultCode]) -> LimitState {
        let context = &QueryContext::of_counts(done, false);
        let of = Subject::Run(run, context);
        match self.condition.holds(of) {
            Some(true) => LimitState::Within,
            Some(false) => {
                let broken = self.condition.broken(of);
                let counts = broken.iter().flat_map(|part| part.counts());
                LimitState::Over {
                    why: self.condition.shortfall(&self.text, of),
                    counts: counts.collect(),
                }
            }
            None => {
                let missing: Vec<&str> = self
                    .condition
                    .counts()
                    .into_iter()
                    .filter(|count| of.number(*count).exact().is_none())
                    .map(RunCount::text)
                    .collect();
                LimitState::Unknown(missing.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ResultCounts;

    #[test]
    fn what_is_not_told_decides_nothing() {
        let limit = Limit::parse("failed_new <= 3 && untested == 0").unwrap();
        let run = |counts: &[(ResultCode, u64)]| {
            let mut results = ResultCounts::default();
            for (code, count) in counts {
                results.add(*code, *count);
            }
            RunRow {
                results: Some(results),
                ..RunRow::unknown(DocRef::parse("TestRun-dm/7").unwrap())
            }
        };
        let state = |counts: &[(ResultCode, u64)]| limit.state(&run(counts), &[]);
        assert_eq!(
            state(&[(ResultCode::FailedNew, 1)]),
            LimitState::Unknown("untested".into())
        );
        let over = |why: &str, count| LimitState::Over {
            why: why.into(),
            counts: vec![RunCount::Code(count)],
        };
        assert_eq!(
            state(&[(ResultCode::FailedNew, 4)]),
            over("failed_new is 4, limit <= 3", ResultCode::FailedNew)
        );
        assert_eq!(
            state(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 2)]),
            over("untested is 2, limit == 0", ResultCode::Untested)
        );
        assert_eq!(
            state(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 0)]),
            LimitState::Within
        );
        let mut torn = run(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 0)]);
        torn.results.as_mut().unwrap().unread = 1;
        assert!(
            matches!(limit.state(&torn, &[]), LimitState::Unknown(_)),
            "it may be of any code"
        );
        assert!(
            Limit::parse("failed_new <=")
                .unwrap_err()
                .starts_with("column ")
        );
    }
}
