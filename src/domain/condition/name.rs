//! What a condition can ask for: counts by result, sums of them, and two numbers of the service.

use super::super::{ResultCode, RunRow, nearest};

/// A number of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// Test cases at a result.
    Code(ResultCode),
    /// Those at a result that means failed, new or known.
    Failed,
    /// All test cases.
    Total,
    /// Those with a result that counts as finished.
    Done,
    /// All others.
    Left,
    /// `Progress` of the service, in per cent.
    Progress,
    /// `TestSuiteCount` of the service.
    Suites,
}

/// What the counts of a run mean.
#[derive(Clone, Copy, Debug)]
pub struct Counting<'a> {
    /// Results of cases that are finished.
    pub done: &'a [ResultCode],
    /// A result that the service does not list has no cases; otherwise its count is not known.
    pub unlisted_as_zero: bool,
}

impl Name {
    fn all() -> impl Iterator<Item = Self> + Clone {
        use Name::{Done, Failed, Left, Progress, Suites, Total};
        let others = [Total, Done, Left, Progress, Suites];
        std::iter::once(Failed)
            .chain(ResultCode::ALL.into_iter().map(Self::Code))
            .chain(others)
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Code(code) => code.name(),
            Self::Failed => "failed",
            Self::Total => "total",
            Self::Done => "done",
            Self::Left => "left",
            Self::Progress => "progress",
            Self::Suites => "suites",
        }
    }

    /// Reads a name; the error names those that begin so, the nearest one, or all.
    pub fn parse(word: &str) -> Result<Self, String> {
        if let Some(name) = Self::all().find(|name| name.text() == word) {
            return Ok(name);
        }
        let mut signs = [("and", "&&"), ("or", "||"), ("not", "!")].into_iter();
        if let Some((_, sign)) = signs.find(|(spelled, _)| word.eq_ignore_ascii_case(spelled)) {
            return Err(format!("expected {sign}"));
        }
        let names = Self::all().map(Self::text);
        let mut meant: Vec<&str> = names
            .clone()
            .filter(|name| name.starts_with(word))
            .collect();
        if meant.is_empty() {
            meant.extend(nearest(word, names.clone()));
        }
        Err(match &meant[..] {
            [] => {
                let all: Vec<&str> = names.collect();
                format!("unknown name {word}; there are {}", all.join(", "))
            }
            [only] => format!("unknown name {word}: {only}?"),
            [others @ .., last] => {
                format!("unknown name {word}: {} or {last}?", others.join(", "))
            }
        })
    }

    /// The number of a run, if the service tells it. A result that is not listed is not known, unless it is said that
    /// such ones are 0.
    pub fn of(self, run: &RunRow, counting: Counting<'_>) -> Option<i128> {
        // A count that could not be read may be of any result.
        let counts = run.results.as_ref().filter(|counts| counts.unread == 0);
        let code = |code: ResultCode| {
            counts?
                .listed(code)
                .or(counting.unlisted_as_zero.then_some(0))
                .map(i128::from)
        };
        let sum = |wanted: &dyn Fn(&ResultCode) -> bool| {
            ResultCode::ALL
                .into_iter()
                .filter(wanted)
                .map(code)
                .sum::<Option<i128>>()
        };
        let done = || sum(&|it| counting.done.contains(it));
        let total = || Some(sum(&|_| true)? + i128::from(counts?.unnamed()));
        match self {
            Self::Code(it) => code(it),
            Self::Failed => sum(&|it| ResultCode::FAILED.contains(it)),
            Self::Total => total(),
            Self::Done => done(),
            Self::Left => Some(total()? - done()?),
            Self::Progress => run.progress.map(i128::from),
            Self::Suites => run.suite_count.map(i128::from),
        }
    }
}
