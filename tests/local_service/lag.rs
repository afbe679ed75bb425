//! A copy that lags behind: for a while, reading answers from the state before a write.

use std::time::{Duration, Instant};

use super::client::options;
use serde_json::{Value, json};

use crate::client::{Client, at, refs};

/// Longer than any test.
const ENDLESS: Duration = Duration::from_mins(10);

async fn lagging(lag: Duration) -> Client {
    Client::start(options(|it| it.lag = lag)).await
}

/// An open run that holds suites, as the list shows it.
async fn open_run(client: &Client) -> Value {
    let filter = json!({ "filters": ["Root.General.Status:active", "Root.General.ProjectVersionNumber:1.2.1"] });
    let runs = client.runs(filter).await;
    let count = |run: &Value| {
        at(run, "document.Root.General.TestSuiteCount")
            .as_u64()
            .unwrap()
    };
    runs.into_iter().find(|run| count(run) > 0).unwrap()
}

async fn count(client: &Client, run: &Value) -> u64 {
    let filter = json!({ "filters": [format!("Root.General.Id:{}", at(run, "document.Root.General.Id").as_str().unwrap())] });
    let list = client
        .ok("LIST_TEST_RUNS", json!({ "filter": filter }))
        .await;
    at(
        &list["result"]["entries"][0],
        "document.Root.General.TestSuiteCount",
    )
    .as_u64()
    .unwrap()
}

async fn free(client: &Client, run: &str) -> Value {
    let params = json!({ "testRunDocRef": run, "page": { "offset": 0, "limit": 100 } });
    client.ok("GET_AVAILABLE_TEST_SUITES", params).await
}

fn with_suites(run: &str, suites: &[&str]) -> Value {
    json!({ "testRunDocRef": run, "testSuiteDocRefs": suites })
}

#[tokio::test]
async fn everything_that_reads_answers_from_before_the_write() {
    let client = lagging(ENDLESS).await;
    let run = open_run(&client).await;
    let reference = run["docRef"].as_str().unwrap();
    let available = free(&client, reference).await;
    let suites: Vec<String> = refs(available["entries"].as_array().unwrap())
        .into_iter()
        .map(str::to_owned)
        .collect();
    let listed = client.all("LIST_DOCUMENTS", json!([]), json!({})).await;
    let document = client
        .ok("GET_DOCUMENT", json!({ "docRef": reference }))
        .await;
    let links = client
        .ok(
            "ADD_TEST_SUITES_TO_RUN",
            with_suites(reference, &[&suites[0]]),
        )
        .await;
    assert_eq!(links.as_array().unwrap().len(), 1);
    let mut renamed = document["document"].clone();
    renamed["Root"]["General"]["Title"] = json!("Another title");
    renamed["__meta"] = document["__meta"].clone();
    client
        .ok(
            "MODIFY_DOCUMENT",
            json!({ "docRef": reference, "document": renamed, "locale": "en" }),
        )
        .await;
    let new = client.new_run().await;

    assert_eq!(open_run(&client).await, run);
    assert_eq!(free(&client, reference).await, available);
    assert_eq!(
        client.all("LIST_DOCUMENTS", json!([]), json!({})).await,
        listed
    );
    assert_eq!(
        client
            .ok("GET_DOCUMENT", json!({ "docRef": reference }))
            .await,
        document
    );
    for (method, params) in [
        ("GET_DOCUMENT", json!({ "docRef": new })),
        ("CHECK_TEST_RUN_EMPTY", json!({ "testRunDocRef": new })),
        ("GET_AVAILABLE_TEST_SUITES", json!({ "testRunDocRef": new })),
    ] {
        client.refuses(method, params, -32004).await;
    }
    // Writes know the truth.
    client
        .refuses(
            "ADD_TEST_SUITES_TO_RUN",
            with_suites(reference, &[&suites[0]]),
            -32036,
        )
        .await;
    client
        .ok("ADD_TEST_SUITES_TO_RUN", with_suites(&new, &[&suites[1]]))
        .await;
    client
        .refuses("DELETE_TEST_RUN", json!({ "testRunDocRef": new }), -32036)
        .await;
}

#[tokio::test]
async fn each_write_is_seen_in_its_turn_once_its_time_is_over() {
    const LAG: Duration = Duration::from_millis(250);
    let client = lagging(LAG).await;
    let run = open_run(&client).await;
    let reference = run["docRef"].as_str().unwrap();
    let available = free(&client, reference).await;
    let suites = refs(available["entries"].as_array().unwrap());
    let before = count(&client, &run).await;
    // What is refused leaves no old state behind that would be answered from for ever.
    let refused = || async {
        client
            .refuses(
                "ADD_TEST_SUITES_TO_RUN",
                with_suites(reference, &["TestSuite-dm/1"]),
                -32004,
            )
            .await;
    };
    refused().await;
    let mut sent: Vec<Instant> = Vec::new();
    let mut seen = Vec::new();
    for suite in &suites[..5] {
        // Writes too close to each other would share one old state.
        let apart = Instant::now();
        while apart.elapsed() < LAG / 8 {
            seen.push((count(&client, &run).await, Instant::now()));
        }
        sent.push(Instant::now());
        client
            .ok("ADD_TEST_SUITES_TO_RUN", with_suites(reference, &[suite]))
            .await;
    }
    refused().await;
    while seen.last().unwrap().0 < before + 5 {
        assert!(sent[4].elapsed() < Duration::from_mins(1), "never seen");
        seen.push((count(&client, &run).await, Instant::now()));
    }
    assert!(seen.is_sorted_by_key(|(count, _)| *count), "no way back");
    for (number, when) in seen {
        for (index, sent) in sent.iter().enumerate() {
            if number > before + index as u64 {
                assert!(
                    when.duration_since(*sent) >= LAG,
                    "write {index} was seen too early"
                );
            }
        }
    }
    let now = free(&client, reference).await;
    assert_eq!(
        now["fullSize"].as_u64().unwrap() + 5,
        available["fullSize"].as_u64().unwrap()
    );
}
