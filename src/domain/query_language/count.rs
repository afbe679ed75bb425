//! Numbers of a run: counts by result, sums of them, and two of the service; and numbers of a release.

use serde_json::{Map, Value, json};

use super::super::{ResultCode, RunRow};
use super::compare::Range;
use super::context::QueryContext;

/// A number of a run or of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunCount {
    /// Test cases with a result.
    Code(ResultCode),
    /// Failed test cases, new or known.
    Failed,
    /// Test cases on hold, external or internal.
    Hold,
    /// All test cases.
    Total,
    /// Finished test cases.
    Done,
    /// Unfinished test cases.
    Left,
    /// `Progress` of the service, in per cent.
    Progress,
    /// `TestSuiteCount` of the service.
    Suites,
    /// Unfinished cases of closed runs of a release.
    NotRun,
    /// Counted runs of a release.
    Runs,
    /// Open runs of a release.
    RunsOpen,
    /// Open runs that are late.
    RunsLate,
    /// Open runs whose counts did not change for some days.
    RunsQuiet,
    /// Suites in no open run of a release.
    SuitesInNoRun,
}

impl RunCount {
    /// Returns the written name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Code(code) => code.name(),
            Self::Failed => "failed",
            Self::Hold => "hold",
            Self::Total => "total",
            Self::Done => "done",
            Self::Left => "left",
            Self::Progress => "progress",
            Self::Suites => "suites",
            Self::NotRun => "not_run",
            Self::Runs => "runs",
            Self::RunsOpen => "runs_open",
            Self::RunsLate => "runs_late",
            Self::RunsQuiet => "runs_quiet",
            Self::SuitesInNoRun => "suites_in_no_run",
        }
    }

    /// Returns `true` if releases (else runs) have it.
    pub(super) fn is_of(self, release: bool) -> bool {
        match self {
            Self::Progress | Self::Suites => !release,
            Self::NotRun
            | Self::Runs
            | Self::RunsOpen
            | Self::RunsLate
            | Self::RunsQuiet
            | Self::SuitesInNoRun => release,
            _ => true,
        }
    }

    /// Returns `true` if cases with this result are counted; `done` are the results of finished cases.
    pub fn has(self, code: ResultCode, done: &[ResultCode]) -> bool {
        match self {
            Self::Code(wanted) => code == wanted,
            Self::Failed => ResultCode::FAILED.contains(&code),
            Self::Hold => ResultCode::ON_HOLD.contains(&code),
            Self::Total => true,
            Self::Done => done.contains(&code),
            Self::Left | Self::NotRun => !done.contains(&code),
            _ => false,
        }
    }

    /// Returns the number of a run, as far as known. A result that is not listed is unknown unless `unlisted_as_zero`
    /// is set; sums with unknown parts are at least the known part.
    pub fn of(self, run: &RunRow, context: &QueryContext<'_>) -> Range {
        let own = |number: Option<i64>| {
            number.map_or(Range::UNKNOWN, |number| Range::exactly(number.into()))
        };
        let counts = match (self, &run.results) {
            (Self::Progress, _) => return own(run.progress),
            (Self::Suites, _) => return own(run.suite_count),
            (_, Some(counts)) if self.is_of(false) => counts,
            _ => return Range::UNKNOWN,
        };
        let (mut least, mut exact) = (0, counts.unread == 0);
        let codes = ResultCode::ALL.into_iter();
        for code in codes.filter(|code| self.has(*code, context.done)) {
            least += i128::from(counts.get(code));
            exact &= context.unlisted_as_zero || counts.listed(code).is_some();
        }
        if matches!(self, Self::Total | Self::Left) {
            least += i128::from(counts.unnamed());
        }
        Range {
            least: Some(least),
            most: exact.then_some(least),
        }
    }
}

/// Returns numbers by name; null for an unknown one.
pub fn by_name(of: &[(RunCount, Range)]) -> Map<String, Value> {
    let number = |(count, range): &(RunCount, Range)| {
        let number = range.exact().and_then(|number| i64::try_from(number).ok());
        (count.text().to_owned(), json!(number))
    };
    of.iter().map(number).collect()
}
