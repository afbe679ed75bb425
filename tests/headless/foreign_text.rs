//! Texts of the service that act on a terminal, mean something to Markdown, or are formulas to a spreadsheet.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::runs::scripted;
use super::scene::Scene;
use super::support::scripted::Scripted;

/// A short id, a reference and a title that nobody should have.
const ID: &str = "R_4\u{1b}[2J\u{202e}\n|*x*";
const REF: &str = "TestRun-dm/4\u{202e}*y*";
const TITLE: &str = "T\u{1b}]0;x\u{7}\u{9b}31m\u{2066}";
const SUITE: &str = "TestSuite-dm/7\u{202e}*z*";

/// A service with one run, and one suite that is free for it until a request that adds suites came.
async fn nasty(status: &'static str) -> (Scene, Scripted) {
    let added = AtomicUsize::new(0);
    scripted(move |call, _| {
        // Only a run of a place that exists can be cloned.
        let place = if status == "active" { ("P_9", "SP_1") } else { (TITLE, TITLE) };
        let results = json!([{"result": "1", "count": 2}, {"result": "98", "label": TITLE, "count": 1}]);
        let general = json!({"Id": ID, "Title": TITLE, "Status": status, "TestSuiteCount": 1, "Progress": 1,
            "ProjectId": place.0, "SubprojectId": place.1, "ProjectVersionNumber": TITLE, "Configuration": TITLE, "Description": TITLE});
        let fields = json!({"Result": results, "TestCasesWithTester": TITLE, "TestersOfTestCases": [TITLE]});
        let root = json!({"General": general, "DisplayFields": fields, "Metadata": {"EditedBy": TITLE, "DisplayEditedOn": TITLE},
            "Attachments": [{"FileName": TITLE}]});
        let run = json!({"docRef": REF, "documentModelName": "TestRun-dm", "document": {"Root": root}, "__meta": {"modifiedAt": TITLE}});
        let general = json!({"Id": "S_7\u{1b}[2J\u{202e}", "Title": TITLE, "Order": TITLE, "Description": TITLE});
        let suite = json!({"docRef": SUITE, "document": {"Root": {"General": general, "Metadata": {"EditedBy": TITLE}}}});
        match call["method"].as_str().unwrap() {
            "GET_DOCUMENT" => run,
            "ADD_DOCUMENT" => json!({"docRef": REF}),
            "CHECK_TEST_RUN_EMPTY" => json!(true),
            "DELETE_TEST_RUN" => json!(false),
            "GET_AVAILABLE_TEST_SUITES" if added.load(Ordering::SeqCst) == 0 => json!({"fullSize": 1, "entries": [suite]}),
            "GET_AVAILABLE_TEST_SUITES" => json!({"fullSize": 0, "entries": []}),
            "ADD_TEST_SUITES_TO_RUN" => {
                added.fetch_add(1, Ordering::SeqCst);
                json!([])
            }
            "LIST_TEST_RUNS" => json!({"result": {"fullSize": 1, "entries": [run]}, "filterItemMap": {}}),
            _ => Value::Null,
        }
    })
    .await
}

/// Runs a command and fails if anything that it says acts on a terminal.
async fn harmless(scene: &Scene, words: &[&str]) -> String {
    let ran = scene.run(words).await;
    let acts = |c: char| {
        c != '\n' && c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(
        !ran.out.is_empty() || ran.status == Some(4),
        "{words:?}: {ran:?}"
    );
    assert!(
        !ran.out.contains(acts) && !ran.err.contains(acts),
        "{words:?}: {ran:?}"
    );
    // A line of its own could pass for a line of the program.
    assert!(
        !ran.err.lines().any(|line| line.starts_with("|*x*")),
        "{words:?}: {ran:?}"
    );
    ran.out
}

#[tokio::test]
async fn no_command_that_reads_hands_them_on_as_they_are() {
    let (scene, _service) = nasty("inactive").await;
    for format in ["table", "markdown", "csv", "json", "ndjson"] {
        for words in [
            &["runs", "list"][..],
            &["runs", "show", REF],
            &["suites", "attached", REF, "--require-complete"],
        ] {
            harmless(&scene, &[words, &["--format", format]].concat()).await;
        }
    }
    for expr in ["untested == 2", "untested == 3", "blocked == 0"] {
        for more in [
            &[][..],
            &["--format", "json"],
            &["--timeout", "1s", "--every", "1s"],
        ] {
            harmless(&scene, &[&["gate", REF, "--expr", expr], more].concat()).await;
        }
    }
    for format in ["text", "ndjson"] {
        harmless(&scene, &["watch", REF, "--until-done", "--format", format]).await;
    }
    let said = scene.run(&["suites", "available", REF]).await.err;
    assert!(
        said.contains("R_4␛[2J") && !said.contains(['\u{1b}', '\u{202e}']),
        "{said:?}"
    );
}

#[tokio::test]
async fn no_command_that_writes_hands_them_on_as_they_are() {
    for format in ["text", "json"] {
        let (scene, _service) = nasty("active").await;
        let create = ["runs", "create", "--title", "x", "--version", "1.2.0"];
        for words in [
            &create[..],
            &[&create[..], &["--dry-run"]].concat(),
            &[
                "runs",
                "create",
                "--clone",
                REF,
                "--version",
                "1.2.0",
                "--dry-run",
            ],
            &["runs", "modify", REF, "--title", TITLE],
            &["runs", "modify", REF, "--title", "y", "--dry-run"],
            &["runs", "delete", REF, "--yes-delete", REF],
            &["suites", "add", REF, SUITE],
        ] {
            let words = [words, &["--format", format][..]].concat();
            let words = if words.contains(&"add") && words.contains(&"text") {
                words[..4].to_vec()
            } else {
                words
            };
            harmless(&scene, &words).await;
        }
    }
    let (scene, _service) = nasty("active").await;
    for format in ["table", "markdown", "csv", "json"] {
        harmless(&scene, &["suites", "available", REF, "--format", format]).await;
    }
}

/// All of a report is data, its first line too.
#[tokio::test]
async fn nothing_in_a_report_means_anything_to_markdown() {
    let (scene, _service) = nasty("inactive").await;
    let text = harmless(&scene, &["suites", "attached", REF, "--format", "markdown"]).await;
    assert!(text.starts_with("R_4␛\\[2J\u{fffd}␊\\|\\*x\\*: "), "{text}");
}

/// Spreadsheets of many countries split at semicolons, quotes or not.
#[tokio::test]
async fn nothing_in_comma_separated_values_is_a_formula() {
    const CASES: [(&str, &str); 9] = [
        ("=1+1", "'=1+1"),
        (" \t=1+1", "\"  '=1+1\""),
        ("\n\u{a0}@x", "\"\n\u{a0}'@x\""),
        ("a;=1+1", "a;'=1+1"),
        ("a; \n -2;b;+3", "\"a; \n '-2;b;'+3\""),
        ("a;\"=1\"", "\"a;\"\"'=1\"\"\""),
        ("a\n=b", "\"a\n'=b\""),
        ("\u{ff1d}1", "'\u{ff1d}1"),
        ("a-b = c; d", "a-b = c; d"),
    ];
    let (scene, _service) = scripted(|_, before| {
        let root = json!({"General": {"Id": "R_4", "Title": CASES[before.min(8)].0, "Status": "active"}});
        json!({"result": {"fullSize": 1, "entries": [{"docRef": "TestRun-dm/4", "document": {"Root": root}}]}})
    })
    .await;
    for (title, expected) in CASES {
        let text = scene.out(&["runs", "list", "--format", "csv"]).await;
        assert!(
            text.contains(&format!("TestRun-dm/4,R_4,{expected},")),
            "{title:?}: {text}"
        );
    }
}
