//! The journal of writes: on the disk before a request leaves, whole whatever happens to the program.

mod crash;
mod known;
mod places;
mod reading;
mod secrets;

use super::support;
use crate::support::prelude::*;

use rundown::disk::{WriteId, WriteOrigin, WriteStep};
use rundown::domain::WriteTarget;

const RUN: &str = "TestRun-dm/3b53beea-0000-4000-8000-000000000001";
const OTHER_RUN: &str = "TestRun-dm/3b53beea-0000-4000-8000-000000000002";

fn fresh() -> (tempfile::TempDir, Journal) {
    let folder = new_folder();
    let journal = Journal::open(folder.path()).unwrap();
    (folder, journal)
}

/// Of whom the entries are.
fn qa() -> WriteOrigin {
    WriteOrigin {
        profile: "qa".into(),
        service: "https://demo.example/api/".into(),
    }
}

fn entry(write: &WriteId, at: i64, step: Recorded) -> WriteStep {
    let (profile, project) = ("qa".to_owned(), "P_9/SP_1".to_owned());
    let target = WriteTarget {
        service: "https://demo.example/api".into(),
        project,
    };
    let (run, run_name) = (RUN.to_owned(), "R_7 Smoke".to_owned());
    WriteStep {
        write: write.clone(),
        at,
        profile,
        target,
        user: "qa".into(),
        run,
        run_name,
        step,
    }
}

fn sent(method: &str, params: Value) -> Recorded {
    Recorded::Sent {
        method: method.to_owned(),
        params,
        note: None,
    }
}

fn adding(suites: &[&str]) -> Recorded {
    sent(
        "ADD_TEST_SUITES_TO_RUN",
        json!({ "testRunDocRef": RUN, "testSuiteDocRefs": suites }),
    )
}

fn removing(suites: &[&str]) -> Recorded {
    sent(
        "DELETE_TEST_SUITES_FROM_RUN",
        json!({ "testRunDocRef": RUN, "testSuiteDocRefs": suites }),
    )
}

fn lines(folder: &Path) -> Vec<Option<Value>> {
    let bytes = std::fs::read(folder.join("journal.ndjson")).unwrap();
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).ok())
        .collect()
}
