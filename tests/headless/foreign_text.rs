//! Texts of the service that act on a terminal, mean something to Markdown, or are formulas to a spreadsheet.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::runs::scripted;
use super::scene::{Ran, Scene};
use super::support::acting;
use super::support::scripted::{Scripted, Seen};

/// A short id, a reference and a title that nobody should have.
const ID: &str = "R_4\u{1b}[2J\u{202e}\n|*x*";
const REF: &str = "TestRun-dm/4*y*";
const SUITE: &str = "TestSuite-dm/7*z*";

/// Every character at an edge of what acts, with a control sequence.
fn title() -> String {
    format!(
        "T\u{1b}]0;x\u{7}\u{9b}31m\n::error::##[error]##vso[x]{}",
        acting::text()
    )
}

/// A service with one run, and one suite that is free for it until a request that adds suites came.
async fn nasty(status: &'static str) -> (Scene, Scripted) {
    let added = AtomicUsize::new(0);
    scripted(move |call, _| {
        // Only a run of a place that exists can be cloned.
        let title = title();
        let place = if status == "active" { ("P_9", "SP_1") } else { (&*title, &*title) };
        let results = json!([{"result": "1", "count": 2}, {"result": "98", "label": title, "count": 1}]);
        let general = json!({"Id": ID, "Title": title, "Status": status, "TestSuiteCount": 1, "Progress": 1,
            "ProjectId": place.0, "SubprojectId": place.1, "ProjectVersionNumber": title, "Configuration": title, "Description": title});
        let fields = json!({"Result": results, "TestCasesWithTester": title, "TestersOfTestCases": [title]});
        let root = json!({"General": general, "DisplayFields": fields, "Metadata": {"EditedBy": title, "DisplayEditedOn": title},
            "Attachments": [{"FileName": title}]});
        let run = json!({"docRef": REF, "documentModelName": "TestRun-dm", "document": {"Root": root}, "__meta": {"modifiedAt": title}});
        let general = json!({"Id": "S_7\u{1b}[2J\u{202e}", "Title": title, "Order": title, "Description": title});
        let suite = json!({"docRef": SUITE, "document": {"Root": {"General": general, "Metadata": {"EditedBy": title}}}});
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
    let mut command = scene.command(words);
    command.env("CI", "true");
    let ran = Ran::of(command).await;
    assert!(
        !ran.out.is_empty() || matches!(ran.status, Some(1 | 4 | 7 | 8)),
        "{words:?}: {ran:?}"
    );
    let acts = |c: char| c != '\n' && acting::acts(c);
    assert!(
        !ran.out.contains(acts) && !ran.err.contains(acts),
        "{words:?}: {ran:?}"
    );
    // A line of its own could pass for a line of the program.
    assert!(
        ran.err.lines().all(|line| line.starts_with("rundown: ")),
        "{words:?}: {ran:?}"
    );
    // A runner would act on it.
    for text in [&ran.out, &ran.err] {
        let begins = text.lines().any(|line| line.trim_start().starts_with("::"));
        let holds = text.contains("##[") || text.contains("##vso[");
        assert!(!begins && !holds, "{words:?}: {text}");
    }
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
    let listed = harmless(&scene, &["runs", "list", "--format", "json"]).await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["runs"][0]["title"], title(), "JSON means the same");
    // Nobody but a runner needs them broken, and an empty name is none.
    let mut command = scene.command(&["runs", "list", "--format", "csv"]);
    command.env("CI", "");
    let listed = Ran::of(command).await.out;
    assert!(listed.contains("\n::error::##[error]"), "{listed}");
    let shown = harmless(&scene, &["runs", "show", REF]).await;
    assert!(shown.contains("\nAttachment "), "{shown}");
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
        // No argument of a program holds this one.
        let wanted = title().replace('\0', "");
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
            &["runs", "modify", REF, "--title", &wanted],
            &["runs", "modify", REF, "--title", "y", "--dry-run"],
            &[
                "runs",
                "modify",
                REF,
                "--title",
                "y",
                "--if-modified-at",
                "before",
            ],
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

/// The service gives the new run its id.
#[tokio::test]
async fn a_run_that_was_made_is_told_on_one_line() {
    let (scene, _service) = scripted(move |call, _| match call["method"].as_str().unwrap() {
        "ADD_DOCUMENT" => json!({"docRef": REF}),
        "GET_DOCUMENT" => {
            let general = json!({"Id": title(), "Title": "x", "Status": "active", "ProjectId": "P_9",
                "SubprojectId": "SP_1", "ProjectVersionNumber": "1.2.0", "Configuration": "", "Description": ""});
            json!({"docRef": REF, "document": {"Root": {"General": general}}})
        }
        _ => Value::Null,
    })
    .await;
    let words = ["runs", "create", "--title", "x", "--version", "1.2.0"];
    let made = harmless(&scene, &words).await;
    assert!(
        made.starts_with(&format!("{REF} T␛]0;x")) && made.lines().count() == 1,
        "{made}"
    );
}

/// A reference goes from one program to the next, and nothing in it may act there.
#[tokio::test]
async fn a_run_whose_reference_acts_is_shown_and_no_call_is_sent_about_it() {
    for odd in acting::edges() {
        // One of each kind: the rest is told by the table of the program.
        if !"\0\u{9f}\u{ad}\u{200b}\u{200c}\u{2028}\u{202e}\u{2069}\u{e0000}".contains(odd) {
            continue;
        }
        let run = format!("TestRun-dm/4{odd}x");
        let document = move || {
            let general = json!({"Id": "R_4", "Title": "Odd", "Status": "active"});
            json!({"docRef": run, "document": {"Root": {"General": general}}})
        };
        let (scene, service) = scripted(move |call, _| match call["method"].as_str().unwrap() {
            "LIST_TEST_RUNS" => {
                json!({"result": {"fullSize": 1, "entries": [document()]}, "filterItemMap": {}})
            }
            "GET_DOCUMENT" => document(),
            _ => Value::Null,
        })
        .await;
        let listed = harmless(&scene, &["runs", "list", "--format", "csv"]).await;
        assert!(listed.contains(",R_4,Odd,"), "{listed}");
        let words = [
            &["runs", "show", "R_4"][..],
            &["suites", "attached", "R_4"],
            &["suites", "available", "R_4"],
            &["suites", "add", "R_4", "TestSuite-dm/7"],
            &["runs", "modify", "R_4", "--title", "y"],
            &["runs", "delete", "R_4", "--yes-delete", "R_4"],
            &["runs", "create", "--clone", "R_4"],
        ];
        if !acting::acts(odd) {
            let shown = scene.out(&["runs", "show", "R_4", "--format", "csv"]).await;
            assert!(shown.contains(&format!("TestRun-dm/4{odd}x")), "{shown}");
            continue;
        }
        for words in words {
            let ran = scene.run(words).await;
            let why = format!(
                "holds U+{:04X}, which is handed to no program",
                u32::from(odd)
            );
            assert!(
                ran.status == Some(4) && ran.err.contains(&why) | ran.out.contains(&why),
                "{words:?}: {ran:?}"
            );
        }
        let asked: Vec<String> = service.calls().iter().map(Seen::method).collect();
        assert!(
            asked.iter().all(|method| method == "LIST_TEST_RUNS"),
            "{asked:?}"
        );
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
