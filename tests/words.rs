//! The words of the screens are those of people: names of operations and members of the interface stand only in JSON,
//! request views, logs and docs.

use std::fs;
use std::path::{Path, PathBuf};

/// What a screen shows is said in these folders.
const SHOWN: [&str; 6] = ["app", "attached", "forecast", "popups", "screens", "ui"];

/// Messages, of the command line too, come from these; beside them stand requests as JSON, and members that are read.
const TELLS: [&str; 9] = [
    "auth", "cli", "config", "headless", "ops", "profile", "rpc", "store", "worker",
];

/// What nobody reads on a screen.
const NEVER: [&str; 22] = [
    "LIST_TEST_RUNS",
    "LIST_DOCUMENTS",
    "GET_DOCUMENT",
    "ADD_DOCUMENT",
    "MODIFY_DOCUMENT",
    "GET_AVAILABLE_TEST_SUITES",
    "ADD_TEST_SUITES_TO_RUN",
    "DELETE_TEST_SUITES_FROM_RUN",
    "CHECK_TEST_RUN_EMPTY",
    "DELETE_TEST_RUN",
    "docRef",
    "DocRefs",
    "TestSuiteCount",
    "TotalTestCases",
    "TestCasesWithTester",
    "TestersOfTestCases",
    "fullSize",
    "filterItemMap",
    "ProjectVersionNumber",
    "not documented",
    "the interface",
    "says the service",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// What is said there: each place, text and name of the interface in it.
fn named(folder: &str) -> Vec<(String, String, &'static str)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&src.join(folder), &mut all);
    assert!(!all.is_empty(), "{folder}");
    let mut found = Vec::new();
    for path in all {
        let source = fs::read_to_string(&path).unwrap();
        // Tests of a file and what explains it are not shown; a request that is shown as it will be sent is made by `json!`.
        let shown = source.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(shown.lines()) {
            let line = line.trim_start();
            if line.starts_with("//") || line.contains("json!(") {
                continue;
            }
            for text in texts(line) {
                if let Some(name) = NEVER.iter().find(|name| text.contains(**name)) {
                    found.push((
                        format!("{}:{number}", path.display()),
                        text.to_owned(),
                        *name,
                    ));
                }
            }
        }
    }
    found
}

/// The texts in quotes of a line of source.
fn texts(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[test]
fn no_name_of_the_interface_is_shown() {
    let wrong: Vec<_> = SHOWN.into_iter().flat_map(named).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_message_names_the_interface() {
    // A name alone, or a path, is what is sent or read; a message has words.
    let is_message = |(_, text, _): &(String, String, &str)| text.split(' ').count() > 2;
    let wrong: Vec<_> = TELLS
        .into_iter()
        .flat_map(named)
        .filter(is_message)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
