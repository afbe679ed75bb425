//! Texts of the service that act on a terminal, mean something to Markdown, or are formulas to a spreadsheet.

use crate::support::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::runs::{listed, scripted};
use super::scene::{Ran, Scene};
use super::support::acting;

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
            "LIST_TEST_RUNS" => listed(&[run]),
            _ => Value::Null,
        }
    })
    .await
}

/// Runs a command and fails if anything that it says acts on a terminal.
async fn harmless(scene: &Scene, line: &str) -> String {
    let mut command = scene.command(line);
    command.env("CI", "true");
    let ran = Ran::of(command).await;
    assert!(
        !ran.out.is_empty() || matches!(ran.status, Some(1 | 4 | 7 | 8)),
        "{line}: {ran:?}"
    );
    let acts = |c: char| c != '\n' && acting::acts(c);
    assert!(
        !ran.out.contains(acts) && !ran.err.contains(acts),
        "{line}: {ran:?}"
    );
    // A line of its own could pass for a line of the program.
    assert!(
        ran.err.lines().all(|said| said.starts_with("rundown: ")),
        "{line}: {ran:?}"
    );
    // A runner would act on it.
    for text in [&ran.out, &ran.err] {
        let begins = text.lines().any(|said| said.trim_start().starts_with("::"));
        let holds = text.contains("##[") || text.contains("##vso[");
        assert!(!begins && !holds, "{line}: {text}");
    }
    ran.out
}

#[tokio::test]
async fn no_command_that_reads_hands_them_on_as_they_are() {
    let (scene, _service) = nasty("inactive").await;
    for format in ["table", "markdown", "csv", "json", "ndjson"] {
        for line in [
            "runs list",
            &format!("runs show {REF}"),
            &format!("suites attached {REF}"),
        ] {
            harmless(&scene, &format!("{line} --format {format}")).await;
        }
    }
    for expr in ["untested == 2", "untested == 3", "blocked == 0"] {
        for more in ["", "--format json", "--timeout 1s --every 1s"] {
            harmless(&scene, &format!("gate {REF} --expr '{expr}' {more}")).await;
        }
    }
    for format in ["text", "ndjson"] {
        harmless(
            &scene,
            &format!("watch {REF} --until-done --format {format}"),
        )
        .await;
    }
    let listed = harmless(&scene, "runs list --format json").await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["runs"][0]["title"], title(), "JSON means the same");
    // Nobody but a runner needs them broken, and an empty name is none.
    let mut command = scene.command("runs list --format csv");
    command.env("CI", "");
    let listed = Ran::of(command).await.out;
    says(&listed, "\n::error::##[error]");
    let shown = harmless(&scene, &format!("runs show {REF}")).await;
    says(&shown, "\nAttachment ");
    let said = scene.run(&format!("suites available {REF}")).await.err;
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
        let wanted = shell_words::quote(&wanted);
        let create = "runs create --title x --version 1.2.0";
        for line in [
            create,
            &format!("{create} --dry-run"),
            &format!("runs create --clone {REF} --version 1.2.0 --dry-run"),
            &format!("runs modify {REF} --title {wanted}"),
            &format!("runs modify {REF} --title y --dry-run"),
            &format!("runs delete {REF} --yes-delete {REF}"),
        ] {
            harmless(&scene, &format!("{line} --format {format}")).await;
        }
        // What changes suites prints text, or JSON.
        let json = if format == "json" {
            "--format json"
        } else {
            ""
        };
        harmless(&scene, &format!("suites add {REF} {SUITE} {json}")).await;
    }
    let (scene, _service) = nasty("active").await;
    for format in ["table", "markdown", "csv", "json"] {
        harmless(&scene, &format!("suites available {REF} --format {format}")).await;
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
    let made = harmless(&scene, "runs create --title x --version 1.2.0").await;
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
            "LIST_TEST_RUNS" => listed(&[document()]),
            "GET_DOCUMENT" => document(),
            _ => Value::Null,
        })
        .await;
        let listed = harmless(&scene, "runs list --format csv").await;
        says(&listed, ",R_4,Odd,");
        let lines = [
            "runs show R_4",
            "suites attached R_4",
            "suites available R_4",
            "suites add R_4 TestSuite-dm/7",
            "runs modify R_4 --title y",
            "runs delete R_4 --yes-delete R_4",
            "runs create --clone R_4",
        ];
        if !acting::acts(odd) {
            let shown = scene.out("runs show R_4 --format csv").await;
            says(&shown, &format!("TestRun-dm/4{odd}x"));
            continue;
        }
        for line in lines {
            let ran = scene.run(line).await;
            let why = format!(
                "holds U+{:04X}, which is handed to no program",
                u32::from(odd)
            );
            assert!(
                ran.status == Some(4) && ran.err.contains(&why) | ran.out.contains(&why),
                "{line}: {ran:?}"
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
    let text = harmless(&scene, &format!("suites attached {REF} --format markdown")).await;
    begins(&text, "R_4␛\\[2J\u{fffd}␊\\|\\*x\\*: ");
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
        let root =
            json!({"General": {"Id": "R_4", "Title": CASES[before.min(8)].0, "Status": "active"}});
        listed(&[json!({"docRef": "TestRun-dm/4", "document": {"Root": root}})])
    })
    .await;
    for (title, expected) in CASES {
        let text = scene.out("runs list --format csv").await;
        assert!(
            text.contains(&format!("TestRun-dm/4,R_4,{expected},")),
            "{title:?}: {text}"
        );
    }
}
