//! A list that is behind for a moment, or changes while it is read: what may pass is waited for.

use crate::support::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::runs::{listed, scripted};
use super::scene::Scene;
use super::watch::Watching;

fn run(untested: usize) -> Value {
    let general =
        json!({"Id": "R_4", "Title": "T", "Status": "active", "TestSuiteCount": 1, "Progress": 1});
    let fields =
        json!({"Result": [{"result": "1", "count": untested}, {"result": "2", "count": 7}]});
    json!({"docRef": "TestRun-dm/4", "document": {"Root": {"General": general, "DisplayFields": fields}}})
}

/// The same without what only the list tells.
fn document() -> Value {
    json!({"docRef": "TestRun-dm/4", "document": {"Root": {"General": {"Id": "R_4", "Title": "T", "Status": "active"}}}})
}

/// A service whose list has, look by look, so many untested cases; nothing: the run is not listed.
async fn listing(looks: &'static [Option<usize>]) -> (Scene, Arc<AtomicUsize>) {
    let looked = Arc::new(AtomicUsize::new(0));
    let counted = looked.clone();
    let (scene, _service) = scripted(move |call, _| match call["method"].as_str().unwrap() {
        "GET_DOCUMENT" => document(),
        _ => {
            let look = counted.fetch_add(1, Ordering::SeqCst).min(looks.len() - 1);
            listed(&looks[look].map(run).into_iter().collect::<Vec<_>>())
        }
    })
    .await;
    (scene, looked)
}

/// A gate with the time to wait.
fn gate(run: &str) -> String {
    format!("gate {run} --expr 'untested == 0' --timeout 1m --every 1s")
}

#[tokio::test]
async fn a_gate_waits_for_a_run_that_the_list_does_not_show_just_now() {
    // Not yet, there, not for a moment, there.
    let (scene, looked) = listing(&[None, Some(2), None, None, Some(0)]).await;
    let ran = scene.run(&gate("TestRun-dm/4")).await;
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (Some(0), "R_4: holds: untested is 0\n"),
        "{}",
        ran.err
    );
    let told = ran
        .err
        .matches("R_4: the list does not show it just now")
        .count();
    assert_eq!(
        (told, looked.load(Ordering::SeqCst)),
        (2, 5),
        "told once each time: {}",
        ran.err
    );
    // Without waiting it is not decidable, as ever; and what is known decides.
    let (scene, _) = listing(&[None]).await;
    scene
        .run("gate TestRun-dm/4 --expr 'untested == 0'")
        .await
        .is(6);
    scene
        .run("gate TestRun-dm/4 --expr 'untested == 0 || 1 == 1'")
        .await
        .is(0);
    // It stays away: the time is up.
    let ran = scene
        .run("gate R_4 TestRun-dm/4 --expr '1 == 2' --timeout 1s")
        .await;
    ran.refused(4, &["there is no test run R_4"]);
    let ran = scene
        .run("gate TestRun-dm/4 --expr 'untested == 0' --timeout 1s")
        .await;
    assert_eq!(
        (ran.status, ran.err.contains("did not hold within 1s")),
        (Some(5), true),
        "{}",
        ran.err
    );
}

#[tokio::test]
async fn a_watch_compares_with_the_counts_of_before() {
    let (scene, _) = listing(&[Some(3), None, None, Some(2)]).await;
    let mut watching = Watching::start(&scene, "TestRun-dm/4 --every 1s --format ndjson");
    assert_eq!(watching.line().await["run"]["results"]["untested"], 3);
    let change = watching.line().await;
    let changes = json!([{"field": "results.untested", "from": 3, "to": 2}]);
    assert_eq!(
        (&change["type"], &change["changes"]),
        (&json!("change"), &changes)
    );
    let said = watching.said().await;
    assert_eq!(
        said.matches("R_4: the list does not show it just now")
            .count(),
        1,
        "{said}"
    );
}

#[tokio::test]
async fn a_watch_until_done_waits_for_a_run_that_is_not_listed_yet() {
    let (scene, _) = listing(&[None, Some(2), None, Some(0)]).await;
    let words = "--every 1s --until-done --unlisted-as-zero --format ndjson";
    let ran = scene.run(&format!("watch TestRun-dm/4 {words}")).await;
    ran.is(0);
    let lines = ran.lines();
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["type"].as_str().unwrap(),
                &line["run"]["results"]["untested"],
            )
        })
        .collect();
    let (null, two) = (Value::Null, json!(2));
    // No change is told from counts that no snapshot had.
    assert_eq!(
        told,
        [
            ("snapshot", &null),
            ("snapshot", &two),
            ("change", &null),
            ("done", &null)
        ]
    );
    assert_eq!(
        lines[2]["changes"],
        json!([{"field": "results.untested", "from": 2, "to": 0}])
    );
}

/// Where it is gone for good, waiting brings nothing.
#[tokio::test]
async fn without_list_test_runs_nothing_is_waited_for() {
    let scene = Scene::new(options(|it| it.without_list_test_runs = true)).await;
    let run = scene.other().await.add_run("One").await;
    scene.proxy.fault_for(
        "LIST_DOCUMENTS",
        Fault::Answer(json!({"fullSize": 0, "entries": []})),
    );
    let ran = scene
        .run(&format!("gate {run} --expr 'untested == 0' --timeout 20s"))
        .await;
    ran.is(6);
}

#[tokio::test]
async fn a_list_that_changes_during_every_reading_is_looked_at_again() {
    let changing = |call: &Value, before: usize| {
        if call["method"] == "GET_DOCUMENT" {
            return document();
        }
        // Three readings of two pages each, and every one breaks off.
        if before < 6 {
            let mut page = listed(&[run(0)]);
            page["result"]["fullSize"] = json!(if before.is_multiple_of(2) { 3 } else { 4 });
            return page;
        }
        listed(&[run(0)])
    };
    let (scene, _service) = scripted(changing).await;
    let ran = scene.run(&gate("R_4")).await;
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (Some(0), "R_4: holds: untested is 0\n"),
        "{}",
        ran.err
    );
    says(&ran.err, "changed during each of 3 readings");
    says(&ran.err, "Looking again");
    let (scene, _service) = scripted(changing).await;
    let told = "changed during each of 3 readings";
    let without_waiting = "gate R_4 --expr 'untested == 0'";
    scene.refuses(without_waiting, 4, &[told]).await;
}
