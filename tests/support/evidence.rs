//! What was read of a run with suites.

use super::prelude::*;
use rundown::attached::{Evidence, OtherRun, PriorKnowledge, Scope, SuiteList, TargetRun};

use super::suites::suite;

pub fn list(suites: impl IntoIterator<Item = u64>) -> Arc<SuiteList> {
    let entries: Vec<_> = suites.into_iter().map(suite).collect();
    Arc::new(SuiteList {
        full_size: entries.len() as u64,
        entries,
        pages: 1,
        unsorted: false,
        operation: None,
    })
}

pub fn other(run: u64, count: u64, free: Arc<SuiteList>) -> OtherRun {
    OtherRun {
        doc_ref: row(run).doc_ref,
        name: format!("R_{run}"),
        count_before: Some(count),
        count_after: Some(count),
        free: Some(free),
        empty: None,
    }
}

/// `R_2` has 1 to 7 of 1 to 10.
pub fn evidence() -> Evidence {
    let scope = Scope {
        project: Some("P_9".into()),
        subproject: Some("SP_1".into()),
        version: Some("1.2.0".into()),
    };
    let target = TargetRun {
        name: "R_2".into(),
        status: Status::Active,
        scope,
        count_before: Some(7),
        count_after: Some(7),
        free_before: Some(list(8..=10)),
        free_after: Some(list(8..=10)),
        empty: None,
    };
    let known = PriorKnowledge::default();
    Evidence {
        target,
        other_runs: vec![other(3, 2, list(3..=10)), other(4, 0, list(1..=10))],
        moved: false,
        known,
        at: NOW,
    }
}
