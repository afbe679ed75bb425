//! Samples as a table for other programs.

use std::fmt::Write;

use jiff::Timestamp;

use crate::domain::{DocRef, ResultCode, ResultCounts, Sample, csv};

/// Returns samples of runs as CSV, with a line of headings and a line for each sample: short id and reference of the
/// run, begin and end of the sample (RFC 3339, UTC), `true` if the clock was earlier than before, the cases by result,
/// at other results and in all, suites, and Progress of the service. Unknown values are empty.
pub fn to_csv<'a>(runs: impl IntoIterator<Item = (&'a str, &'a DocRef, &'a [Sample])>) -> String {
    let of_runs = runs.into_iter();
    csv_head()
        + &of_runs
            .map(|(id, run, samples)| csv_of(id, run, samples))
            .collect::<String>()
}

/// Returns the line of headings.
pub fn csv_head() -> String {
    let codes = ResultCode::ALL.map(ResultCode::name).join(",");
    format!("run,ref,at,seen_until,clock_back,{codes},others,total,suites,progress\n")
}

/// Returns the lines of one run.
pub fn csv_of(id: &str, run: &DocRef, samples: &[Sample]) -> String {
    let mut out = String::new();
    let (id, run) = (csv::cell(id), csv::cell(run.as_str()));
    for sample in samples {
        let counts = sample.counts.as_ref();
        let codes = ResultCode::ALL
            .map(|code| number(counts.and_then(|counts| counts.listed(code))))
            .join(",");
        let (others, total) = (
            number(counts.map(ResultCounts::unnamed)),
            number(sample.total()),
        );
        let (at, until) = (time(sample.at), time(sample.seen_until));
        let (suites, progress) = (number(sample.suites), number(sample.progress));
        let line = format_args!(
            "{id},{run},{at},{until},{},{codes},{others},{total},{suites},{progress}",
            sample.clock_back
        );
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{line}");
    }
    out
}

fn number(number: Option<impl ToString>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Formats epoch milliseconds; out of range they stay a number.
fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(|_| ms.to_string(), |at| at.to_string())
}
