//! `suites available` and `suites attached`: the engine and the words of the screen, with an exit status.

use std::collections::BTreeSet;

use rundown::domain::DocRef;
use rundown::local_service::Options;
use serde_json::{Value, json};

use super::scene::Scene;
use super::schema::fits;
use super::support::desk_client;
use super::support::proxy::Fault;

impl Scene {
    /// References of the suites that can be added to a run.
    pub async fn free(&self, run: &DocRef) -> Vec<DocRef> {
        let list = self
            .json(&["suites", "available", run.as_str(), "--format", "json"])
            .await;
        fits("available_suites", &list);
        let suites = list["suites"].as_array().unwrap();
        suites
            .iter()
            .map(|suite| DocRef::parse(suite["ref"].as_str().unwrap()).unwrap())
            .collect()
    }
}

fn references(list: &Value) -> BTreeSet<&str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|suite| suite["ref"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn what_can_be_added_is_listed_whole_and_in_order() {
    let scene = Scene::new(Options {
        page_limit: Some(7),
        ..Options::default()
    })
    .await;
    let run = desk_client(&scene.service).await.add_run("Empty").await;
    let list = scene
        .json(&["suites", "available", run.as_str(), "--format", "json"])
        .await;
    fits("available_suites", &list);
    let suites = list["suites"].as_array().unwrap();
    assert!(suites.len() > 14, "more than two pages: {}", suites.len());
    assert_eq!(
        (list["full_size"].as_u64(), &list["run"]["ref"]),
        (Some(suites.len() as u64), &json!(run.as_str()))
    );
    let orders: Vec<f64> = suites
        .iter()
        .map(|suite| suite["order"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(orders.is_sorted(), "{orders:?}");
    let lines = scene
        .run(&["suites", "available", run.as_str(), "--format", "ndjson"])
        .await
        .lines();
    assert_eq!(lines.len(), suites.len());
    for (line, suite) in lines.iter().zip(suites) {
        fits("suite", line);
        assert_eq!(line["ref"], suite["ref"]);
    }
    for (format, start) in [
        ("table", "Suite"),
        ("csv", "ref,id,title"),
        ("markdown", "| Suite | Title"),
    ] {
        let text = scene
            .out(&["suites", "available", run.as_str(), "--format", format])
            .await;
        assert!(text.starts_with(start), "{text}");
        assert!(
            suites
                .iter()
                .all(|suite| text.contains(suite["id"].as_str().unwrap())),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_closed_run_is_said_and_its_suites_are_not_asked_for() {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    scene
        .run(&["suites", "available", run.as_str()])
        .await
        .refused(4, &["is closed", "open runs only"]);
    let attached = scene
        .json(&["suites", "attached", run.as_str(), "--format", "json"])
        .await;
    fits("attached_suites", &attached);
    assert_eq!(
        (&attached["state"], &attached["complete"]),
        (&json!("closed"), &json!(false))
    );
    assert!(
        attached["headline"]
            .as_str()
            .unwrap()
            .starts_with("Suites of a closed run cannot be listed")
    );
    assert_eq!(scene.proxy.count("GET_AVAILABLE_TEST_SUITES"), 0);
    let strict = scene
        .run(&["suites", "attached", run.as_str(), "--require-complete"])
        .await;
    assert_eq!((strict.status, strict.out.is_empty()), (Some(6), false));
    assert!(
        strict.err.contains("not all suites are known"),
        "{}",
        strict.err
    );
}

#[tokio::test]
async fn what_is_in_a_run_is_named_with_how_it_is_known() {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let (run, empty) = (other.add_run("Some").await, other.add_run("None").await);
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[2..5]).await;
    let begun = jiff::Timestamp::now();
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
    fits("attached_suites", &attached);
    let read_at: jiff::Timestamp = attached["read_at"].as_str().unwrap().parse().unwrap();
    assert!(read_at >= begun, "{attached}");
    // A list of one page is of one moment.
    let params = scene.params("GET_AVAILABLE_TEST_SUITES");
    assert_eq!(params.last().unwrap()["page"]["limit"], 100);
    assert_eq!(
        (&attached["state"], &attached["headline"]),
        (&json!("complete"), &json!("COMPLETE 3/3"))
    );
    assert_eq!(
        (&attached["named"], &attached["count"], &attached["unknown"]),
        (&json!(3), &json!(3), &json!(0))
    );
    assert_eq!(
        references(&attached["suites"]),
        free[2..5].iter().map(DocRef::as_str).collect()
    );
    let first = &attached["suites"][0];
    assert!(
        first["how"]
            .as_str()
            .unwrap()
            .starts_with("compared with R_"),
        "{first}"
    );
    assert_eq!(first["trust"], "sure");
    let table = scene.out(&["suites", "attached", run.as_str()]).await;
    assert!(table.contains(": COMPLETE 3/3\n\nSuite"), "{table}");
    let csv = ["suites", "attached", run.as_str(), "--format", "csv"];
    assert!(!scene.out(&csv).await.contains("\n\n"), "a table alone");
    let empty = scene.out(&["suites", "attached", empty.as_str()]).await;
    assert!(
        empty.contains(": No suites. Checked") && empty.lines().count() == 1,
        "{empty}"
    );
    assert!(
        table.contains("How it is known") && table.contains("compared with R_"),
        "{table}"
    );
}

/// With one open run nothing can be compared: the number of those that nobody can name stands in a row of its own.
#[tokio::test]
async fn suites_that_no_list_names_are_a_row_of_their_own() {
    let scene = Scene::new(Options {
        runs: 0,
        ..Options::default()
    })
    .await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Alone").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    let words = "2 more suites are attached that no list names";
    let ran = scene
        .run(&["suites", "attached", run.as_str(), "--format", "json"])
        .await;
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (Some(0), ""),
        "whatever the state"
    );
    let attached: Value = serde_json::from_str(&ran.out).unwrap();
    fits("attached_suites", &attached);
    assert_eq!(
        (
            &attached["state"],
            &attached["unknown"],
            &attached["unknown_words"]
        ),
        (&json!("partial"), &json!(2), &json!(words))
    );
    for format in ["table", "markdown", "csv"] {
        let text = scene
            .out(&["suites", "attached", run.as_str(), "--format", format])
            .await;
        let row = text.lines().last().unwrap();
        assert!(
            row.contains(words) && row.contains("2 by the service, named 0"),
            "{text}"
        );
        assert!(text.contains("PARTIAL 0 of 2"), "{text}");
    }
    let lines = scene
        .run(&["suites", "attached", run.as_str(), "--format", "ndjson"])
        .await
        .lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    fits("attached_state", &lines[0]);
    fits("unknown_suites", &lines[1]);
    assert_eq!(
        (&lines[0]["state"], &lines[1]["unknown"]),
        (&json!("partial"), &json!(2))
    );
    let strict = scene
        .run(&[
            "suites",
            "attached",
            run.as_str(),
            "--require-complete",
            "--format",
            "json",
        ])
        .await;
    assert_eq!(
        (
            strict.status,
            serde_json::from_str::<Value>(&strict.out).is_ok()
        ),
        (Some(6), true)
    );
    assert!(
        !scene.home.path().join(".local").exists(),
        "reading leaves nothing behind"
    );
}

#[tokio::test]
async fn each_line_of_an_attached_list_is_described() {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let (run, _empty) = (other.add_run("Some").await, other.add_run("None").await);
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    let lines = scene
        .run(&["suites", "attached", run.as_str(), "--format", "ndjson"])
        .await
        .lines();
    assert_eq!(lines.len(), 3, "{lines:?}");
    fits("attached_state", &lines[0]);
    lines[1..]
        .iter()
        .for_each(|line| fits("attached_suite", line));
}

#[tokio::test]
async fn without_list_test_runs_the_number_is_worked_out_or_not_known() {
    let scene = Scene::new(Options {
        without_list_test_runs: true,
        ..Options::default()
    })
    .await;
    let other = desk_client(&scene.service).await;
    let (run, _empty) = (other.add_run("Some").await, other.add_run("None").await);
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    let attached = scene
        .json(&["suites", "attached", run.as_str(), "--format", "json"])
        .await;
    fits("attached_suites", &attached);
    let state = attached["state"].as_str().unwrap();
    assert!(
        ["complete_worked_out", "unchecked"].contains(&state),
        "{state}"
    );
    let named: BTreeSet<&str> = references(&attached["suites"]);
    assert!(
        named.is_subset(&free[..2].iter().map(DocRef::as_str).collect()),
        "{named:?}"
    );
    let remove = ["suites", "remove", run.as_str(), free[0].as_str()];
    let said = scene.run(&remove).await.err;
    assert!(said.contains("so none are saved first"), "{said}");
}

#[tokio::test]
async fn calls_that_fail_end_with_4_and_print_nothing() {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Some").await;
    other.add_suites(&run, &scene.free(&run).await[..1]).await;
    scene.proxy.fault_for(
        "GET_AVAILABLE_TEST_SUITES",
        Fault::Replace(502, b"bad gateway".to_vec()),
    );
    for question in ["available", "attached"] {
        scene
            .run(&["suites", question, run.as_str()])
            .await
            .refused(4, &["loading the suites to add", "502"]);
        scene
            .run(&["suites", question, "R_999999"])
            .await
            .refused(4, &["there is no test run R_999999"]);
        scene
            .run(&["suites", question, "20744"])
            .await
            .refused(2, &["expected a short id such as R_4"]);
    }
}
