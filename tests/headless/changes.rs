//! `suites add` and `suites remove`: what is sent, what is written down, what reading says, and what is refused before.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use rundown::domain::DocRef;
use rundown::local_service::Options;
use serde_json::{Value, json};

use super::scene::{Ran, Scene};
use super::schema::fits;
use super::support::proxy::Fault;
use super::support::{Other, desk_client};

const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
const DELETE: &str = "DELETE_TEST_SUITES_FROM_RUN";

/// A new, empty run, another one to compare it with, and what can be added to it.
async fn new_run(options: Options) -> (Scene, Other, DocRef, Vec<DocRef>) {
    let scene = Scene::new(options).await;
    let other = desk_client(&scene.service).await;
    other.add_run("Stays empty").await;
    let run = other.add_run("Suites by script").await;
    let free = scene.free(&run).await;
    (scene, other, run, free)
}

fn words<'a>(verb: &'a str, run: &'a DocRef, suites: &'a [DocRef]) -> Vec<&'a str> {
    ["suites", verb, run.as_str()]
        .into_iter()
        .chain(suites.iter().map(DocRef::as_str))
        .collect()
}

fn set(suites: &[DocRef]) -> BTreeSet<DocRef> {
    suites.iter().cloned().collect()
}

#[tokio::test]
async fn suites_are_added_and_removed_and_reading_confirms_it() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let mut add = words("add", &run, &free[..2]);
    // The third by its short id, and one twice.
    let list = scene
        .json(&["suites", "available", run.as_str(), "--format", "json"])
        .await;
    let third = list["suites"][2]["id"].as_str().unwrap();
    add.extend([third, free[0].as_str()]);
    let ran = scene.run(&add).await;
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let id = scene.id(&run);
    assert_eq!(ran.out, format!("3 suites added to {id}, checked\n"));
    assert_eq!(scene.truth(&run), set(&free[..3]));
    let remove = [
        &words("remove", &run, &free[..1])[..],
        &["--format", "json"],
    ]
    .concat();
    let ran = scene.run(&remove).await;
    let outcome: Value = serde_json::from_str(&ran.out).unwrap();
    fits("suites_changed", &outcome);
    assert_eq!(
        (ran.status, &outcome["verdict"], &outcome["done"]),
        (Some(0), &json!("confirmed"), &json!([free[0].as_str()]))
    );
    assert_eq!(outcome["end"], "done");
    let step = json!({"words": "request 1 of 1, 1 suite: done", "good": true});
    assert_eq!(outcome["steps"], json!([step]));
    assert_eq!(
        ran.err,
        "rundown: results recorded in these suites may be lost\n"
    );
    assert_eq!(scene.truth(&run), set(&free[1..3]));
    assert_eq!(scene.writes(), [ADD, DELETE]);
    // What was written down, before it was sent and after it was read.
    let journal = scene
        .home
        .path()
        .join(".local/state/rundown/journal.ndjson");
    assert_eq!(
        std::fs::metadata(&journal).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let text = std::fs::read_to_string(journal).unwrap();
    assert_eq!(
        text.lines().count(),
        6,
        "sent, answered, confirmed; twice: {text}"
    );
    assert!(
        text.contains("results before") && text.lines().last().unwrap().contains("onfirmed"),
        "{text}"
    );
}

#[tokio::test]
async fn a_dry_run_prints_what_would_be_sent_to_the_letter_and_sends_nothing() {
    let (scene, _, run, free) = new_run(Options {
        suites: 900,
        ..Options::default()
    })
    .await;
    assert!(free.len() > 45, "{}", free.len());
    let add = words("add", &run, &free[..45]);
    let dry = scene.json(&[&add[..], &["--dry-run"]].concat()).await;
    fits("requests", &dry);
    assert_eq!(scene.writes().len(), 0);
    assert!(
        !scene.home.path().join(".local").exists(),
        "nothing is written down either"
    );
    let ran = scene.run(&add).await;
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (Some(0), 4),
        "{}",
        ran.out
    );
    let planned: Vec<Value> = dry["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["params"].clone())
        .collect();
    assert_eq!((planned.len(), &planned), (3, &scene.params(ADD)));
    assert!(
        dry["requests"]
            .as_array()
            .unwrap()
            .iter()
            .all(|it| it["method"] == ADD)
    );
    let dry = scene
        .json(&[&words("remove", &run, &free[..2])[..], &["--dry-run"]].concat())
        .await;
    fits("requests", &dry);
    assert_eq!(
        (&dry["requests"][0]["method"], scene.proxy.count(DELETE)),
        (&json!(DELETE), 0)
    );
}

#[tokio::test]
async fn a_read_only_profile_refuses_before_anything_is_sent() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let before = scene.proxy.passed().len();
    for verb in ["add", "remove"] {
        for more in [&["--read-only"][..], &["--read-only", "--dry-run"]] {
            let ran = scene
                .run(&[&words(verb, &run, &free[..1])[..], more].concat())
                .await;
            ran.refused(2, &["read-only profile: nothing is changed from here"]);
        }
    }
    let config = scene.config();
    scene.write_config(&format!("{config}read_only = true\n"));
    scene
        .run(&words("add", &run, &free[..1]))
        .await
        .refused(2, &["read-only profile"]);
    assert_eq!(scene.proxy.passed().len(), before);
    assert!(scene.truth(&run).is_empty());
}

#[tokio::test]
async fn if_one_suite_does_not_fit_nothing_is_sent() {
    let (scene, other, run, free) = new_run(Options::default()).await;
    other.add_suites(&run, &free[..1]).await;
    scene.run(&words("add", &run, &free[..3])).await.refused(
        4,
        &[free[0].as_str(), "cannot be added", "Nothing was sent"],
    );
    scene
        .run(&words("remove", &run, &free[..2]))
        .await
        .refused(4, &[free[1].as_str(), "cannot be removed", "COMPLETE 1/1"]);
    scene
        .run(&["suites", "add", run.as_str(), "S_999999"])
        .await
        .refused(4, &["S_999999", "cannot be added"]);
    scene
        .run(&["suites", "add", run.as_str(), "TestRun-dm/1"])
        .await
        .refused(2, &["expected a reference such as TestSuite-dm/20744"]);
    scene
        .run(&["suites", "add", run.as_str()])
        .await
        .refused(2, &["<SUITE>"]);
    other.close(&run).await;
    for verb in ["add", "remove"] {
        scene
            .run(&words(verb, &run, &free[..1]))
            .await
            .refused(4, &["is closed: its suites cannot be changed"]);
    }
    assert_eq!(
        (scene.writes().len(), scene.truth(&run)),
        (0, set(&free[..1]))
    );
}

#[tokio::test]
async fn what_the_service_refuses_is_7_and_what_cannot_be_read_after_is_8() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let id = scene.id(&run);
    for (status, why) in [
        (403, "not allowed (403)"),
        (404, "nothing answers at this address (404)"),
    ] {
        let fault = Fault::Replace(status, b"no".to_vec());
        scene.proxy.fault_for(ADD, fault);
        let ran = scene
            .run(&[&words("add", &run, &free[..2])[..], &["--format", "json"]].concat())
            .await;
        let outcome: Value = serde_json::from_str(&ran.out).unwrap();
        fits("suites_changed", &outcome);
        assert_eq!(
            (
                ran.status,
                &outcome["steps"][0]["good"],
                outcome["not_done"].as_array().unwrap().len()
            ),
            (Some(7), &json!(false), 2)
        );
        assert_eq!(
            (&outcome["verdict"], &outcome["end"]),
            (&json!("differs"), &json!("refused"))
        );
        let refused = format!("Nothing added to {id}: refused: {why}");
        assert!(ran.err.contains(&refused), "{}", ran.err);
    }
    scene
        .proxy
        .fault_for(ADD, Fault::Delay(Duration::from_millis(500)));
    let child = scene
        .command(&words("add", &run, &free[..2]))
        .spawn()
        .unwrap();
    while scene.proxy.count(ADD) < 3 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The answer comes; the list that is read after does not.
    scene.proxy.fault_for(
        "GET_AVAILABLE_TEST_SUITES",
        Fault::Replace(502, b"bad gateway".to_vec()),
    );
    let output = child.wait_with_output().await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(8), "{said}");
    let unread = format!("{id} may be changed: reading afterwards failed");
    assert!(said.contains(&unread), "{said}");
    assert_eq!(scene.truth(&run), set(&free[..2]));
}

/// What is in effect in part is not as planned: 1.
#[tokio::test]
async fn a_signal_stops_before_the_next_request_and_what_went_out_is_read() {
    let (scene, _, run, free) = new_run(Options {
        suites: 900,
        ..Options::default()
    })
    .await;
    scene
        .proxy
        .fault_for(ADD, Fault::Delay(Duration::from_millis(700)));
    let child = scene
        .command(&words("add", &run, &free[..45]))
        .spawn()
        .unwrap();
    while scene.proxy.count(ADD) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let process = child.id().unwrap().to_string();
    assert!(
        tokio::process::Command::new("kill")
            .args(["-TERM", &process])
            .status()
            .await
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().await.unwrap();
    let (out, err) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert_eq!(
        (output.status.code(), scene.proxy.count(ADD)),
        (Some(1), 1),
        "{out}{err}"
    );
    assert!(out.contains("request 2 of 3, 20 suites: not sent"), "{out}");
    let part = format!("20 of 45 suites added to {}", scene.id(&run));
    assert!(err.contains(&part), "{err}");
    assert!(err.contains("nothing further is sent"), "{err}");
    assert_eq!(scene.truth(&run), set(&free[..20]));
}

/// A change goes on when nobody reads its words.
#[tokio::test]
async fn a_closed_pipe_stops_no_change() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = scene.command(&words("add", &run, &free[..2]));
    command.stdout(writer);
    let ran = Ran::of(command).await;
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_eq!(scene.truth(&run), set(&free[..2]));
}

/// Link records of the journal: what was added from here is known later, also where no list names it.
#[tokio::test]
async fn what_was_added_from_here_is_known_to_be_in_the_run() {
    let scene = Scene::new(Options {
        runs: 0,
        ..Options::default()
    })
    .await;
    let run = desk_client(&scene.service).await.add_run("Alone").await;
    let free = scene.free(&run).await;
    assert_eq!(
        scene.run(&words("add", &run, &free[..2])).await.status,
        Some(0)
    );
    let attached = scene
        .json(&[
            "suites",
            "attached",
            run.as_str(),
            "--require-complete",
            "--format",
            "json",
        ])
        .await;
    assert!(
        attached["suites"][0]["how"]
            .as_str()
            .unwrap()
            .starts_with("added here"),
        "{attached}"
    );
    assert_eq!(
        scene.run(&words("remove", &run, &free[..1])).await.status,
        Some(0)
    );
    assert_eq!(scene.truth(&run), set(&free[1..2]));
}
