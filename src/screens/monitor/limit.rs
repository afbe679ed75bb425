//! The limit of a run: a condition on its counts that should hold.

use crate::domain::query_language::{Condition, QueryContext, RunCount, Subject, condition};
use crate::screens::prelude::*;

/// A limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// As it is written.
    pub text: String,
    condition: Condition,
}

/// How a run stands to its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitState {
    Within,
    Over {
        /// Such as `failed_new is 11, limit <= 3`.
        why: String,
        /// The figures on the screen that are compared themselves: not a sum in which the compared one is a part.
        figures: Vec<Figure>,
    },
    /// Nobody can say: the service does not tell these counts.
    Unknown(String),
}

/// A figure of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Done,
    Fail,
    Left,
}

impl Figure {
    fn of(count: RunCount) -> Option<Self> {
        match count {
            RunCount::Done => Some(Self::Done),
            RunCount::Failed => Some(Self::Fail),
            RunCount::Left => Some(Self::Left),
            _ => None,
        }
    }
}

impl Limit {
    /// Reads a limit; the error says what is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Where a name is wrong, the name says where; for all that there are a line has no room.
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

    /// How a run stands to it. A result that the service does not list is not known: never taken for 0.
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
                    figures: counts.filter_map(Figure::of).collect(),
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
    use crate::domain::{DocRef, ResultCounts};
    use crate::forecast::Settings;

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
        let state = |counts: &[(ResultCode, u64)]| limit.state(&run(counts), &Settings::DONE);
        assert_eq!(
            state(&[(ResultCode::FailedNew, 1)]),
            LimitState::Unknown("untested".into())
        );
        let over = |why: &str, figures: &[Figure]| LimitState::Over {
            why: why.into(),
            figures: figures.to_vec(),
        };
        assert_eq!(
            state(&[(ResultCode::FailedNew, 4)]),
            over("failed_new is 4, limit <= 3", &[])
        );
        assert_eq!(
            state(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 2)]),
            over("untested is 2, limit == 0", &[])
        );
        assert_eq!(
            state(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 0)]),
            LimitState::Within
        );
        let mut torn = run(&[(ResultCode::FailedNew, 1), (ResultCode::Untested, 0)]);
        torn.results.as_mut().unwrap().unread = 1;
        assert!(
            matches!(limit.state(&torn, &Settings::DONE), LimitState::Unknown(_)),
            "it may be of any code"
        );
        assert!(
            Limit::parse("failed_new <=")
                .unwrap_err()
                .starts_with("column ")
        );
    }
}
