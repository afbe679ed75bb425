//! Samples as comma separated values.

use crate::support::prelude::*;
use rundown::domain::{DocRef, Sample};
use rundown::samples::to_csv;

use super::{NOW, sample};

#[test]
fn a_line_for_each_sample_with_times_and_counts_by_code() {
    let run = DocRef::parse("TestRun-dm/3b").unwrap();
    let told = Sample {
        seen_until: NOW + 61_500,
        progress: Some(-3),
        ..sample(NOW, 40)
    };
    let silent = Sample {
        counts: None,
        suites: None,
        clock_back: true,
        ..sample(NOW - 1_000, 0)
    };
    let samples = [told, silent];
    let text = to_csv([("R_4", &run, &samples[..])]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "run,ref,at,seen_until,clock_back,untested,passed,blocked,customer,failed_new,failed_known,in_progress,\
             on_hold_external,on_hold_internal,retest,skipped,others,total,suites,progress",
            "R_4,TestRun-dm/3b,2026-11-25T09:46:40Z,2026-11-25T09:47:41.5Z,false,60,40,,,,,,,,,,0,100,12,-3",
            "R_4,TestRun-dm/3b,2026-11-25T09:46:39Z,2026-11-25T09:46:39Z,true,,,,,,,,,,,,,,,",
        ]
    );
    let width = |line: &str| line.split(',').count();
    assert!(
        lines.iter().all(|line| width(line) == width(lines[0])),
        "{lines:?}"
    );
}

#[test]
fn an_id_of_the_service_is_no_formula_and_acts_on_no_terminal() {
    let run = DocRef::parse("TestRun-dm/3b").unwrap();
    let samples = [sample(i64::MAX, 1)];
    let text = to_csv([("=cmd|'x'!A1,\u{1b}[2J", &run, &samples[..])]);
    says(
        &text,
        "\n\"'=cmd|'x'!A1,␛[2J\",TestRun-dm/3b,9223372036854775807,",
    );
}
