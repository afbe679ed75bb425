//! Another user who changes the suites of open runs.

use std::time::{Duration, Instant, SystemTime};

use super::client::options;
use rundown::local_service::Options;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::client::{Client, at, refs};

async fn runs(client: &Client, filter: &str) -> Vec<Value> {
    let filters: Vec<&str> = filter.split_whitespace().collect();
    client
        .all(
            "LIST_TEST_RUNS",
            json!([{ "order": "Root.General.Id ASC" }]),
            json!({ "filters": filters }),
        )
        .await
}

async fn full_size(client: &Client, method: &str, params: Value) -> u64 {
    client.ok(method, params).await["fullSize"]
        .as_u64()
        .unwrap()
}

fn now() -> i64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_millis() as i64
}

#[tokio::test]
async fn open_runs_change_by_another_hand_and_the_rules_hold() {
    let folder = tempfile::tempdir().unwrap();
    let options = || options(|it| it.database = Some(folder.path().join("service.sqlite")));
    let mut quiet = Client::start(options()).await;
    quiet.sub = None;
    let before = runs(&quiet, "").await;
    quiet.service.stop().await;

    let busy = Client::start(Options {
        second_writer: Some(Duration::from_millis(10)),
        ..options()
    })
    .await;
    let begun = Instant::now();
    let edited = json!({ "documentModelName": "TestRun-dm", "filter": { "filters": ["Root.Metadata.EditedBy:bot"] } });
    while full_size(&busy, "LIST_DOCUMENTS", edited.clone()).await < 10 {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "nobody changes anything"
        );
    }
    busy.service.stop().await;
    let stopped = now();

    let mut quiet = Client::start(options()).await;
    quiet.sub = None;
    let (mut grown, mut shrunk, mut changed) = (0, 0, 0);
    let after = runs(&quiet, "").await;
    assert_eq!(refs(&before), refs(&after));
    for (old, new) in before.iter().zip(&after) {
        if at(new, "document.Root.Metadata.EditedBy") != "bot" {
            assert_eq!(old, new);
            continue;
        }
        changed += 1;
        let general = at(new, "document.Root.General");
        assert_eq!(general["Status"], "active");
        assert_eq!(
            (&general["SubprojectId"], &general["ProjectVersionNumber"]),
            (&json!("SP_1"), &json!("1.2.1"))
        );
        assert_eq!(new["__meta"]["modifier"], "bot");
        assert!(at(new, "document.Root.Metadata.EditedOn").as_i64().unwrap() <= stopped + 1_000);
        let count = |run: &Value| {
            at(run, "document.Root.General.TestSuiteCount")
                .as_u64()
                .unwrap()
        };
        grown += u32::from(count(new) > count(old));
        shrunk += u32::from(count(new) < count(old));
    }
    assert!(
        changed >= 10 && grown > 0 && shrunk > 0,
        "{changed} changed, {grown} grown, {shrunk} shrunk"
    );
    let open = runs(
        &quiet,
        "Root.General.Status:active Root.General.ProjectVersionNumber:1.2.1 Root.General.SubprojectId:SP_1",
    )
    .await;
    let mut sums = Vec::new();
    for run in &open {
        let attached = at(run, "document.Root.General.TestSuiteCount")
            .as_u64()
            .unwrap();
        let params = json!({ "testRunDocRef": run["docRef"], "page": { "offset": 0, "limit": 1 } });
        sums.push(attached + full_size(&quiet, "GET_AVAILABLE_TEST_SUITES", params).await);
    }
    assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
    assert_eq!(runs(&quiet, "").await, after, "it ended with its service");
}

/// A turn that waits for the database is begun; the service that is stopped waits for it, and nothing is written later.
#[tokio::test]
async fn a_stopped_service_has_made_its_last_change() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("service.sqlite");
    let busy = Client::start(options(|it| {
        (it.database, it.second_writer) = (Some(file.clone()), Some(Duration::from_millis(1)));
    }))
    .await;
    let other_program = Connection::open(&file).unwrap();
    let writes = || -> i64 {
        let sql = "SELECT value FROM state WHERE key = 'revision'";
        other_program.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    other_program.busy_timeout(Duration::from_secs(5)).unwrap();
    other_program.execute_batch("BEGIN IMMEDIATE").unwrap();
    let before = writes();
    // The turns come from the runtime of this test, which gets on with them while an answer is waited for.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(20) {
        busy.ok("LIST_TEST_RUNS", json!({})).await;
    }
    let mut stopping = Box::pin(busy.service.stop());
    let early = tokio::time::timeout(Duration::from_millis(50), &mut stopping).await;
    assert!(early.is_err(), "it left a change under way");
    other_program.execute_batch("ROLLBACK").unwrap();
    stopping.await;
    assert_eq!(writes(), before + 1);
}
