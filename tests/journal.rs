//! The journal of writes: on the disk before a request leaves, whole whatever happens to the program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "journal/crash.rs"]
mod crash;
#[path = "journal/known.rs"]
mod known;
#[path = "journal/places.rs"]
mod places;
#[path = "journal/reading.rs"]
mod reading;
#[path = "journal/secrets.rs"]
mod secrets;

use super::support;
use std::path::Path;
use std::process::Command;

use rundown::disk::{Recorded, WriteId, WriteStep};
use serde_json::{Value, json};

const RUN: &str = "TestRun-dm/3b53beea-0000-4000-8000-000000000001";
const OTHER_RUN: &str = "TestRun-dm/3b53beea-0000-4000-8000-000000000002";

fn entry(write: &WriteId, at: i64, step: Recorded) -> WriteStep {
    let (profile, run, run_name) = ("qa".to_owned(), RUN.to_owned(), "R_7 Smoke".to_owned());
    WriteStep {
        write: write.clone(),
        at,
        profile,
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

/// All lines of the file as JSON; what is none is `None`.
fn lines(folder: &Path) -> Vec<Option<Value>> {
    let bytes = std::fs::read(folder.join("journal.ndjson")).unwrap();
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// This test program once more, to run the ignored test `name` on a folder in a process of its own.
fn child(name: &str, folder: &Path, number: u32) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        &format!("journal::{name}"),
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    command
        .env("JOURNAL_TEST_FOLDER", folder)
        .env("JOURNAL_TEST_NUMBER", number.to_string());
    command
}

/// What a child says once it has seen all that it was started for.
const SEEN: &str = "the child has seen it all";

/// What [`child`] told this process; `None` for somebody who runs all ignored tests by hand.
fn told() -> Option<(std::path::PathBuf, u32)> {
    let folder = std::env::var_os("JOURNAL_TEST_FOLDER")?.into();
    Some((
        folder,
        std::env::var("JOURNAL_TEST_NUMBER").ok()?.parse().ok()?,
    ))
}
