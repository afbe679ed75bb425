//! Signals to a command that writes: heard from its first request to its last, also between two of them.

use std::time::Duration;

use rundown::domain::DocRef;
use rundown::local_service::Options;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use super::scene::{Ran, Scene};
use super::schema::fits;
use super::support::proxy::Fault;
use super::support::{Other, desk_client};

const DELETE: &str = "DELETE_TEST_RUN";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const CHECK: &str = "CHECK_TEST_RUN_EMPTY";

async fn scene() -> (Scene, Other) {
    let scene = Scene::with(Options::default(), "project_version = \"1.2.0\"").await;
    let other = desk_client(&scene.service).await;
    other.add_run("Stays empty").await;
    (scene, other)
}

fn words<'a>(runs: &'a [DocRef], more: &[&'a str]) -> Vec<&'a str> {
    let runs: Vec<&str> = runs.iter().map(DocRef::as_str).collect();
    [
        &["runs", "delete"],
        &runs[..],
        more,
        &["--format", "json", "--yes-delete"],
        &runs,
    ]
    .concat()
}

async fn signal(child: &Child, signal: &str) {
    let process = child.id().unwrap().to_string();
    assert!(
        tokio::process::Command::new("kill")
            .args([signal, &process])
            .status()
            .await
            .unwrap()
            .success()
    );
}

fn told(ran: &Ran) -> Vec<Value> {
    let outcome: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    fits("runs_deleted", &outcome);
    outcome["runs"].as_array().unwrap().clone()
}

#[tokio::test]
async fn one_between_two_runs_keeps_the_next_from_being_touched() {
    for name in ["-TERM", "-INT", "-HUP"] {
        let (scene, other) = scene().await;
        let runs = [
            other.add_run("One").await,
            other.add_run("Two").await,
            other.add_run("Three").await,
        ];
        let child = scene.command(&words(&runs, &[])).spawn().unwrap();
        scene.until_passed(DELETE, 1).await;
        // The next check is the one that looks into the second run.
        let checks = scene.proxy.count(CHECK);
        scene
            .proxy
            .fault_for(CHECK, Fault::Delay(Duration::from_millis(700)));
        scene.until_passed(CHECK, checks + 1).await;
        signal(&child, name).await;
        let ran = Ran::ended(child).await;
        let told = told(&ran);
        let outcomes: Vec<&str> = told
            .iter()
            .map(|run| run["outcome"].as_str().unwrap())
            .collect();
        assert_eq!(
            (ran.status, outcomes),
            (Some(4), vec!["confirmed", "not_tried", "not_tried"]),
            "{name} {ran:?}"
        );
        assert_eq!(
            (&told[1]["end"], &told[2]["end"]),
            (&json!("not_sent"), &json!("not_sent"))
        );
        assert!(scene.document(&runs[1]).is_some() && scene.document(&runs[2]).is_some());
        assert_eq!(
            (scene.proxy.count(DELETE), scene.proxy.count(CHECK)),
            (1, checks + 1),
            "nothing further"
        );
        assert!(ran.err.contains("nothing further is sent"), "{}", ran.err);
    }
}

#[tokio::test]
async fn one_between_the_suites_and_the_run_leaves_the_run() {
    let (scene, other) = scene().await;
    let run = other.add_run("Full").await;
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    let runs = [run];
    let child = scene.command(&words(&runs, &["--empty"])).spawn().unwrap();
    scene.until_passed(REMOVE, 1).await;
    let checks = scene.proxy.count(CHECK);
    scene
        .proxy
        .fault_for(CHECK, Fault::Delay(Duration::from_millis(700)));
    scene.until_passed(CHECK, checks + 1).await;
    signal(&child, "-TERM").await;
    let ran = Ran::ended(child).await;
    let told = told(&ran);
    assert_eq!(
        (ran.status, &told[0]["outcome"], &told[0]["end"]),
        (Some(1), &json!("differs"), &json!("done")),
        "{ran:?}"
    );
    assert_eq!(
        (
            told[0]["removed"].as_array().unwrap().len(),
            scene.truth(&runs[0]).len()
        ),
        (2, 0)
    );
    assert!(scene.document(&runs[0]).is_some() && scene.proxy.count(DELETE) == 0);
}

/// What was sent stands in the journal without an end.
#[tokio::test]
async fn a_second_one_ends_it_with_its_own_status() {
    for (name, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let (scene, other) = scene().await;
        let runs = [other.add_run("One").await];
        scene
            .proxy
            .fault_for(DELETE, Fault::Delay(Duration::from_secs(20)));
        let mut child = scene.command(&words(&runs, &[])).spawn().unwrap();
        scene.until_passed(DELETE, 1).await;
        signal(&child, "-TERM").await;
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        err.read_line(&mut said).await.unwrap();
        assert!(said.contains("nothing further is sent"), "{said}");
        signal(&child, name).await;
        let ran = Ran::ended(child).await;
        assert_eq!(
            (ran.status, &told(&ran)[0]["outcome"]),
            (Some(status), &json!("unknown")),
            "{name} {ran:?}"
        );
        let copy = &told(&ran)[0]["copy"];
        assert!(copy.is_string(), "it was made before: {ran:?}");
        assert_eq!(scene.steps(), [[DELETE, "sent"]]);
    }
}

#[tokio::test]
async fn one_while_a_run_is_made_keeps_its_suites_from_being_added() {
    let (scene, _) = scene().await;
    scene
        .proxy
        .fault_for("ADD_DOCUMENT", Fault::Delay(Duration::from_millis(700)));
    let create = [
        "runs",
        "create",
        "--title",
        "Nightly",
        "--suites",
        "TestSuite-dm/1",
        "--format",
        "json",
    ];
    let child = scene.command(&create).spawn().unwrap();
    scene.until_passed("ADD_DOCUMENT", 1).await;
    signal(&child, "-TERM").await;
    let ran = Ran::ended(child).await;
    let outcome: Value = serde_json::from_str(&ran.out).unwrap();
    fits("run_created", &outcome);
    assert_eq!(
        (ran.status, &outcome["outcome"]),
        (Some(1), &json!("confirmed")),
        "{ran:?}"
    );
    assert_eq!(
        (&outcome["suites"]["not_done"], scene.writes().len()),
        (&json!(["TestSuite-dm/1"]), 1)
    );
}
