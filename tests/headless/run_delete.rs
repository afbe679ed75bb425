//! `runs delete`: the names repeated, a copy before, empty by the word of the service, gone by reading; and `--empty` where
//! the removal of the suites, or what comes after it, goes wrong.

use std::path::Path;

use rundown::disk::Trash;
use rundown::domain::DocRef;
use rundown::local_service::Options;
use serde_json::{Value, json};
use tokio::process::Child;

use super::scene::{Ran, Scene};
use super::schema::fits;
use super::support::proxy::Fault;
use super::support::{Other, desk_client};

const DELETE: &str = "DELETE_TEST_RUN";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const CHECK: &str = "CHECK_TEST_RUN_EMPTY";
const FREE: &str = "GET_AVAILABLE_TEST_SUITES";

async fn scene() -> (Scene, Other) {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    other.add_run("Stays empty").await;
    (scene, other)
}

/// The command with the names repeated.
fn words<'a>(ids: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&["runs", "delete"], ids, more, &["--yes-delete"], ids].concat()
}

/// What is told of each run.
fn told(ran: &Ran) -> Vec<Value> {
    let outcome: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    fits("runs_deleted", &outcome);
    outcome["runs"].as_array().unwrap().clone()
}

#[tokio::test]
async fn empty_runs_are_copied_deleted_and_read_to_be_gone() {
    let (scene, other) = scene().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    let id = scene.id(&one);
    let document = scene.document(&one).unwrap();
    let ran = scene.run(&words(&[&id, two.as_str()], &[])).await;
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.out);
    let begin = format!("{id} deleted; copy: ");
    let copy = lines[0]
        .strip_prefix(&begin)
        .unwrap_or_else(|| panic!("{}", ran.out));
    assert_eq!(
        &Trash::read(Path::new(copy)).unwrap().document.raw()["document"]["Root"]["General"]["Id"],
        &json!(id)
    );
    assert_eq!(
        Trash::read(Path::new(copy)).unwrap().document.raw()["document"]["Root"]["General"],
        document["Root"]["General"]
    );
    assert_eq!((scene.document(&one), scene.document(&two)), (None, None));
    assert_eq!(scene.writes(), [DELETE, DELETE]);
    assert_eq!(
        scene.steps(),
        [
            [DELETE, "sent", "answered", "confirmed"],
            [DELETE, "sent", "answered", "confirmed"]
        ]
    );
    assert!(
        scene.journal().lines().next().unwrap().contains(copy),
        "the copy is noted, so that it can be rebuilt"
    );
}

#[tokio::test]
async fn names_that_are_not_repeated_exactly_are_refused_before_anything_is_read() {
    let (scene, other) = scene().await;
    let run = other.add_run("One").await;
    let id = scene.id(&run);
    let cases: [(&[&str], &[&str]); 8] = [
        (&[&id], &["--yes-delete"]),
        (
            &[&id, "--yes-delete", "R_1"],
            &["must repeat the runs exactly", "expected R_", "found R_1"],
        ),
        (
            &[&id, "--yes-delete", "yes"],
            &["must repeat the runs exactly"],
        ),
        (
            &[&id, "R_1", "--yes-delete", &id],
            &["must repeat the runs exactly"],
        ),
        (
            &[&id, "--yes-delete", &id, "R_1"],
            &["must repeat the runs exactly"],
        ),
        (
            &[&id, "--yes-delete", run.as_str()],
            &["must repeat the runs exactly"],
        ),
        (&[&id, &id, "--yes-delete", &id, &id], &["named twice"]),
        (
            &["--read-only", &id, "--dry-run"],
            &["read-only profile: nothing is changed from here"],
        ),
    ];
    for (more, told) in cases {
        scene
            .run(&[&["runs", "delete"], more].concat())
            .await
            .refused(2, told);
    }
    scene
        .run(&words(&[&id], &["--read-only"]))
        .await
        .refused(2, &["read-only profile"]);
    assert_eq!(scene.proxy.passed().len(), 0);
    scene
        .run(&words(&[&id, run.as_str()], &[]))
        .await
        .refused(2, &["is named twice"]);
    // One that is not there keeps the others from being touched.
    scene
        .run(&words(&[&id, "R_999999"], &[]))
        .await
        .refused(4, &["there is no test run R_999999"]);
    assert!(scene.document(&run).is_some() && scene.writes().is_empty());
}

#[tokio::test]
async fn a_run_that_is_not_empty_is_refused_and_stops_the_rest() {
    let (scene, other) = scene().await;
    let (first, full, last) = (
        other.add_run("A").await,
        other.add_run("B").await,
        other.add_run("C").await,
    );
    let free = scene.free(&full).await;
    other.add_suites(&full, &free[..2]).await;
    let ids = [scene.id(&first), scene.id(&full), scene.id(&last)];
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let ran = scene.run(&words(&ids, &["--format", "json"])).await;
    let told = told(&ran);
    let outcomes: Vec<&str> = told
        .iter()
        .map(|run| run["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(
        (ran.status, outcomes),
        (Some(4), vec!["confirmed", "refused", "not_tried"])
    );
    let ends: Vec<&str> = told
        .iter()
        .map(|run| run["end"].as_str().unwrap())
        .collect();
    assert_eq!(ends, ["done", "not_sent", "not_sent"]);
    let kept = format!(
        "{} not deleted: it is not empty (COMPLETE 2/2). Nothing was sent",
        ids[1]
    );
    assert!(
        ran.err.contains(&kept) && ran.err.contains("; --empty removes its suites first"),
        "{}",
        ran.err
    );
    assert_eq!(
        (&told[1]["copy"], scene.truth(&full).len()),
        (&Value::Null, 2)
    );
    assert!(scene.document(&first).is_none() && scene.document(&last).is_some());
    assert_eq!(scene.writes(), [DELETE]);
    // A closed one cannot even be emptied.
    other.close(&full).await;
    let ran = scene.run(&words(&ids[1..2], &["--empty"])).await;
    assert_eq!((ran.status, ran.out.lines().count()), (Some(4), 1));
    assert!(
        ran.out.contains("closed and not empty") && ran.err.contains("cannot be deleted from here"),
        "{}",
        ran.out
    );
    assert_eq!(scene.writes(), [DELETE]);
}

#[tokio::test]
async fn a_closed_run_without_suites_is_deleted() {
    let (scene, other) = scene().await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    let ran = scene.run(&words(&[run.as_str()], &[])).await;
    assert_eq!(
        (ran.status, scene.document(&run)),
        (Some(0), None),
        "{}",
        ran.err
    );
}

#[tokio::test]
async fn suites_go_first_where_that_is_asked_for() {
    let (scene, other) = scene().await;
    let run = other.add_run("Full").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..3]).await;
    let id = scene.id(&run);
    let dry = scene
        .run(&["runs", "delete", &id, "--empty", "--dry-run"])
        .await
        .lines();
    for line in &dry {
        fits("request", line);
    }
    assert_eq!(
        dry.iter()
            .map(|line| line["method"].as_str().unwrap())
            .collect::<Vec<_>>(),
        [REMOVE, DELETE]
    );
    let whole = scene
        .json(&[
            "runs",
            "delete",
            &id,
            "--empty",
            "--dry-run",
            "--format",
            "json",
        ])
        .await;
    fits("requests", &whole);
    assert_eq!(whole["run"]["id"], json!(id));
    scene
        .run(&["runs", "delete", &id, "--dry-run"])
        .await
        .refused(1, &["it is not empty", "--empty"]);
    assert!(
        scene.writes().is_empty() && !scene.home.path().join(".local").exists(),
        "no journal, no copy"
    );
    let ran = scene
        .run(&words(&[&id], &["--empty", "--format", "json"]))
        .await;
    let told = told(&ran);
    assert_eq!(
        (ran.status, &told[0]["outcome"], &told[0]["end"]),
        (Some(0), &json!("confirmed"), &json!("done")),
        "{}",
        ran.err
    );
    assert_eq!(
        ran.err,
        "rundown: results recorded in these suites may be lost\n"
    );
    assert_eq!(
        (
            told[0]["removed"].as_array().unwrap().len(),
            scene.document(&run)
        ),
        (3, None)
    );
    assert_eq!(
        (scene.params(REMOVE), scene.params(DELETE)),
        (
            vec![dry[0]["params"].clone()],
            vec![dry[1]["params"].clone()]
        )
    );
    let copy = Trash::read(Path::new(told[0]["copy"].as_str().unwrap())).unwrap();
    assert_eq!(
        (copy.suites.len(), copy.known.as_str()),
        (3, "COMPLETE 3/3")
    );
    assert_eq!(
        scene.steps(),
        [
            [REMOVE, "sent", "answered", "confirmed"],
            [DELETE, "sent", "answered", "confirmed"]
        ]
    );
}

#[tokio::test]
async fn where_suites_cannot_be_named_nothing_is_removed() {
    let scene = Scene::new(Options {
        runs: 0,
        ..Options::default()
    })
    .await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Alone").await;
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    let ran = scene.run(&words(&[run.as_str()], &["--empty"])).await;
    assert_eq!(ran.status, Some(4));
    assert!(
        ran.err
            .contains("it is not empty, and 2 more suites are attached that no list names"),
        "{}",
        ran.err
    );
    assert_eq!((scene.writes().len(), scene.truth(&run).len()), (0, 2));
}

#[tokio::test]
async fn the_check_decides_and_what_was_removed_is_told() {
    let (scene, other) = scene().await;
    let run = other.add_run("Full").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    // The service does not accept the removal: the check says false.
    scene
        .proxy
        .fault_for(REMOVE, Fault::Replace(403, b"no".to_vec()));
    let ran = scene
        .run(&words(&[run.as_str()], &["--empty", "--format", "json"]))
        .await;
    let refused = &told(&ran)[0];
    assert_eq!(
        (ran.status, &refused["outcome"], &refused["end"]),
        (Some(7), &json!("refused"), &json!("refused"))
    );
    assert!(
        ran.err.contains("403") && ran.err.contains("the service says that it is not empty"),
        "{}",
        ran.err
    );
    // It stays false whatever was removed.
    scene.proxy.fault_for(CHECK, Fault::Answer(json!(false)));
    let ran = scene
        .run(&words(&[run.as_str()], &["--empty", "--format", "json"]))
        .await;
    let told = told(&ran);
    assert_eq!(
        (ran.status, &told[0]["outcome"], &told[0]["end"]),
        (Some(1), &json!("differs"), &json!("done")),
        "{}",
        ran.err
    );
    assert_eq!(told[0]["removed"].as_array().unwrap().len(), 2);
    let part = format!("{} not deleted, but 2 suites removed: ", scene.id(&run));
    assert!(ran.err.contains(&part), "{}", ran.err);
    assert!(scene.document(&run).is_some() && scene.proxy.count(DELETE) == 0);
}

#[tokio::test]
async fn a_run_of_which_nothing_is_known_stops_the_rest() {
    let (scene, other) = scene().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    scene.proxy.fault_for(DELETE, Fault::CutBefore);
    let ran = scene
        .run(&words(&[one.as_str(), two.as_str()], &["--format", "json"]))
        .await;
    let told = told(&ran);
    assert_eq!(
        (ran.status, &told[0]["outcome"], &told[1]["outcome"]),
        (Some(8), &json!("unknown"), &json!("not_tried"))
    );
    assert_eq!(
        (&told[0]["end"], &told[1]["end"]),
        (&json!("unknown"), &json!("not_sent"))
    );
    assert!(ran.err.contains("may be deleted: no answer"), "{}", ran.err);
    assert_eq!(scene.proxy.count(DELETE), 1);
}

#[tokio::test]
async fn without_a_copy_nothing_is_deleted_and_somebody_elses_suite_is_seen() {
    let (scene, other) = scene().await;
    let run = other.add_run("Mine").await;
    let state = scene.home.path().join(".local/state/rundown");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("trash"), "in the way").unwrap();
    let ran = scene.run(&words(&[run.as_str()], &[])).await;
    assert_eq!(ran.status, Some(4));
    assert!(
        ran.out.contains("not deleted: saving a copy of the run"),
        "{}",
        ran.out
    );
    std::fs::remove_file(state.join("trash")).unwrap();
    // A suite comes in after the run was found to be empty: the check just before the deletion sees it.
    let free = scene.free(&run).await;
    let checks = scene.proxy.count(CHECK);
    scene.proxy.fault_for(
        "GET_DOCUMENT",
        Fault::Delay(std::time::Duration::from_millis(400)),
    );
    let child = scene.command(&words(&[run.as_str()], &[])).spawn().unwrap();
    // One of the survey, one of the command: the third comes after the copy.
    scene.until_passed(CHECK, checks + 2).await;
    other.add_suites(&run, &free[..1]).await;
    let output = child.wait_with_output().await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{said}");
    // On a busy machine the check before the copy may see it.
    let seen = [
        "not sent: the service says that the run is not empty",
        "it is not empty any more",
    ];
    assert!(
        seen.iter()
            .any(|words| said.contains(&format!("not deleted: {words}"))),
        "{said}"
    );
    assert!(scene.document(&run).is_some() && scene.writes().is_empty());
}

/// A run with two suites.
async fn full() -> (Scene, Other, DocRef) {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    other.add_run("Stays empty").await;
    let run = other.add_run("Full").await;
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    (scene, other, run)
}

fn start(scene: &Scene, run: &DocRef) -> Child {
    let run = run.as_str();
    scene
        .command(&[
            "runs",
            "delete",
            run,
            "--empty",
            "--format",
            "json",
            "--yes-delete",
            run,
        ])
        .spawn()
        .unwrap()
}

/// Exit status, what is told of the run, and what is said beside.
async fn ended(child: Child) -> (Option<i32>, Value, String) {
    let output = child.wait_with_output().await.unwrap();
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits("runs_deleted", &outcome);
    (
        output.status.code(),
        outcome["runs"][0].clone(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[tokio::test]
async fn a_removal_that_was_lost_and_not_read_is_not_known() {
    let (scene, _, run) = full().await;
    scene.proxy.fault_for(REMOVE, Fault::CutBefore);
    let child = start(&scene, &run);
    scene.until_passed(REMOVE, 1).await;
    scene
        .proxy
        .fault_for(FREE, Fault::Replace(502, b"bad gateway".to_vec()));
    let (status, told, err) = ended(child).await;
    assert_eq!(
        (status, &told["outcome"], &told["removed"]),
        (Some(8), &json!("unknown"), &json!([])),
        "{err}"
    );
    assert_eq!(told["end"], "unknown");
    assert!(
        err.contains(" not deleted, but suites may be removed: "),
        "{err}"
    );
    assert!(scene.document(&run).is_some() && scene.proxy.count(DELETE) == 0);
}

#[tokio::test]
async fn a_removal_that_was_lost_is_done_where_the_check_says_so() {
    let (scene, _, run) = full().await;
    scene.proxy.fault_for(REMOVE, Fault::CutAfter);
    let child = start(&scene, &run);
    scene.until_passed(REMOVE, 1).await;
    scene
        .proxy
        .fault_for(FREE, Fault::Replace(502, b"bad gateway".to_vec()));
    scene.until_passed(FREE, scene.proxy.count(FREE) + 1).await;
    scene
        .proxy
        .fault_for(DELETE, Fault::Replace(403, b"no".to_vec()));
    let (status, told, err) = ended(child).await;
    // The readings may have come through after all; either way the suites are out, and the run is there.
    assert_eq!(
        (status, &told["outcome"], &told["end"]),
        (Some(1), &json!("differs"), &json!("done")),
        "{err}"
    );
    assert_eq!(
        (
            told["removed"].as_array().unwrap().len(),
            scene.truth(&run).len()
        ),
        (2, 0),
        "{err}"
    );
}

#[tokio::test]
async fn a_check_that_fails_after_a_removal_leaves_something_in_effect() {
    for status in [403, 401, 503] {
        let (scene, _, run) = full().await;
        let child = start(&scene, &run);
        scene.until_passed(REMOVE, 1).await;
        scene
            .proxy
            .fault_for(CHECK, Fault::Replace(status, b"no".to_vec()));
        let (exit, told, err) = ended(child).await;
        assert_eq!(
            (exit, &told["outcome"], &told["end"]),
            (Some(1), &json!("differs"), &json!("done")),
            "{status}: {err}"
        );
        assert_eq!(
            (
                told["removed"].as_array().unwrap().len(),
                scene.truth(&run).len()
            ),
            (2, 0),
            "{err}"
        );
        assert!(
            err.contains(" not deleted, but 2 suites removed: ") && scene.proxy.count(DELETE) == 0,
            "{err}"
        );
    }
}
