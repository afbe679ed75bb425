//! `runs delete --empty` where the removal of the suites, or what comes after it, goes wrong.

use std::time::Duration;

use rundown::domain::DocRef;
use rundown::local_service::Options;
use serde_json::{Value, json};
use tokio::process::Child;

use super::scene::Scene;
use super::schema::fits;
use super::support::proxy::Fault;
use super::support::{Other, desk_client};

const DELETE: &str = "DELETE_TEST_RUN";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const CHECK: &str = "CHECK_TEST_RUN_EMPTY";
const FREE: &str = "GET_AVAILABLE_TEST_SUITES";

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
    // Neither can the check be asked.
    let (scene, _, run) = full().await;
    scene
        .proxy
        .fault_for(REMOVE, Fault::Delay(Duration::from_secs(20)));
    let child = start(&scene, &run);
    scene.until_passed(REMOVE, 1).await;
    scene.proxy.go_down().await;
    let (status, told, err) = ended(child).await;
    assert_eq!(
        (status, &told["outcome"], &told["end"]),
        (Some(8), &json!("unknown"), &json!("unknown")),
        "{err}"
    );
    assert!(
        err.contains("no connection to") && err.contains(" not deleted, but suites may be removed"),
        "{err}"
    );
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
