//! `watch` with several runs, one of which is trouble; and changes held against the snapshot before.

use rundown::local_service::Options;
use serde_json::{Value, json};

use super::runs::scripted;
use super::scene::Scene;
use super::schema::fits;
use super::support::desk_client;
use super::support::scripted::{Say, Scripted};
use super::watch::Watching;

fn run(number: u64, results: &Value) -> Value {
    let general = json!({"Id": format!("R_{number}"), "Title": "T", "Status": "active"});
    let root = json!({"General": general, "DisplayFields": {"Result": results}});
    json!({"docRef": format!("TestRun-dm/{number}"), "document": {"Root": root}})
}

fn page(entries: &[Value]) -> Value {
    json!({"result": {"fullSize": entries.len(), "entries": entries}, "filterItemMap": {}})
}

/// The number in the filter `Root.General.Id:R_4`.
fn asked(call: &Value) -> u64 {
    let filter = call["params"]["filter"]["filters"][0]
        .as_str()
        .unwrap_or_default();
    filter.rsplit('_').next().unwrap().parse().unwrap()
}

/// Every look finds one case less; the first run cannot be read from its second look on.
#[tokio::test]
async fn a_run_that_fails_for_good_keeps_no_other_from_being_told() {
    let service = Scripted::service(|seen, before| {
        let call = seen.json();
        if call["method"] != "LIST_TEST_RUNS" {
            return Say::json(403, &json!("not this one"));
        }
        match asked(&call) {
            4 if before > 2 => Say::json(403, &json!("not this one")),
            number => {
                let left = 100 - before as u64;
                Say::result(
                    seen,
                    &page(&[run(number, &json!([{"result": "1", "count": left}]))]),
                )
            }
        }
    })
    .await;
    let scene = Scene::new(Options::default()).await;
    scene.write_config(&scene.config().replace(&scene.proxy.base, &service.base));
    let words = ["R_4", "R_5", "R_6", "--every", "1s", "--format", "ndjson"];
    let mut watching = Watching::start(&scene, &words);
    for id in ["R_4", "R_5", "R_6"] {
        let line = watching.line().await;
        assert_eq!(
            (&line["type"], &line["run"]["id"]),
            (&json!("snapshot"), &json!(id))
        );
    }
    for _ in 0..3 {
        let mut told = Vec::new();
        for _ in 0..3 {
            let line = watching.line().await;
            told.push(format!(
                "{} {}",
                line["type"].as_str().unwrap(),
                line["run"]["id"].as_str().unwrap()
            ));
            // The others are looked at as often as ever.
            assert!(line["type"] != "error" || line["again_in"] == 1, "{line}");
        }
        assert_eq!(told, ["change R_5", "change R_6", "error R_4"]);
    }
}

/// A service that is not reached for one run is not reached for the others: it is told once a look, and more seldom.
#[tokio::test]
async fn a_service_that_is_not_reached_is_told_once_a_look() {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    let mut watching = Watching::start(
        &scene,
        &[
            one.as_str(),
            two.as_str(),
            "--every",
            "1s",
            "--format",
            "ndjson",
        ],
    );
    let first = watching.line().await;
    assert_eq!(watching.line().await["type"], "snapshot");
    scene.proxy.go_down().await;
    for pause in [1, 2] {
        let error = watching.line().await;
        assert_eq!(
            (&error["type"], &error["run"]["id"]),
            (&json!("error"), &first["run"]["id"])
        );
        assert_eq!(error["again_in"], pause, "{error}");
    }
}

/// What was never there decides the end, after all others have been told.
#[tokio::test]
async fn one_that_was_never_there_ends_it_after_the_others() {
    let (scene, _service) = scripted(|call, _| match asked(call) {
        4 | 7 => page(&[]),
        number => page(&[run(number, &json!([]))]),
    })
    .await;
    let ran = scene
        .run(&["watch", "R_4", "R_5", "R_7", "--format", "ndjson"])
        .await;
    let lines = ran.lines();
    assert_eq!(
        (ran.status, lines.len(), &lines[0]["run"]["id"]),
        (Some(4), 1, &json!("R_5")),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("there is no test run R_4"),
        "the first trouble: {}",
        ran.err
    );
}

/// A code that the list leaves out is null in the snapshot, and so it is in the change.
#[tokio::test]
async fn a_change_says_what_the_snapshot_said() {
    let (scene, _service) = scripted(|_, before| {
        page(&[run(
            4,
            &match before {
                0 => json!([{"result": "2", "count": 57}]),
                1 => json!([{"result": "2", "count": 56}, {"result": "5", "count": 1}, {"result": "98", "label": "Odd", "count": 2}]),
                _ => json!([{"result": "5", "count": 1}]),
            },
        )])
    })
    .await;
    let mut watching = Watching::start(&scene, &["R_4", "--every", "1s", "--format", "ndjson"]);
    let snapshot = watching.line().await;
    assert_eq!(snapshot["run"]["results"]["failed_new"], Value::Null);
    let change =
        |field: &str, from: Value, to: Value| json!({"field": field, "from": from, "to": to});
    let first = watching.line().await;
    fits("watch", &first);
    let expected = json!([
        change("results.passed", json!(57), json!(56)),
        change("results.failed_new", Value::Null, json!(1)),
        change("results.others.98", Value::Null, json!(2)),
    ]);
    assert_eq!(first["changes"], expected);
    let second = watching.line().await;
    let expected = json!([
        change("results.passed", json!(56), Value::Null),
        change("results.others.98", json!(2), Value::Null),
    ]);
    assert_eq!(second["changes"], expected);
}
