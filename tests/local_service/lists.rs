//! Order and pages of the lists (4.2), against an order worked out here.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::client::options;
use serde_json::{Value, json};

use crate::client::{Client, at, default_client, refs};

fn field<'v>(entry: &'v Value, path: &str) -> &'v Value {
    at(&entry["document"], path)
}

fn number(entry: &Value) -> u64 {
    field(entry, "Root.General.Id").as_str().unwrap()[2..]
        .parse()
        .unwrap()
}

/// Nothing before numbers before texts, texts by their bytes.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_i64().cmp(&right.as_i64()),
        (Value::String(left), Value::String(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (left, right) => right.is_null().cmp(&left.is_null()),
    }
}

fn expected(all: &[Value], path: &str, descending: bool) -> Vec<String> {
    let mut sorted: Vec<&Value> = all.iter().collect();
    sorted.sort_by(|left, right| {
        let by_key = if path == "Root.General.Id" {
            Ordering::Equal
        } else {
            compare(field(left, path), field(right, path))
        };
        by_key.then(number(left).cmp(&number(right)))
    });
    if descending {
        sorted.reverse();
    }
    sorted
        .iter()
        .map(|entry| entry["docRef"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn every_order_is_complete_and_as_worked_out() {
    let mut client = default_client().await;
    let usual = [
        "Root.General.Title",
        "Root.General.Id",
        "Root.General.Status",
        "Root.General.ProjectVersionNumber",
        "Root.General.Configuration",
        "Root.General.TestSuiteCount",
        "Root.General.Progress",
        "Root.Metadata.EditedBy",
        "Root.Metadata.EditedOn",
        "Root.Metadata.CreatedOn",
    ];
    let unusual = [
        "Root.General.Description",
        "Root.Metadata.ClosedOn",
        "Root.General.TechnicalId",
        "Root.No.Such-field",
    ];
    for sub in [Some("SP_1"), None] {
        client.sub = sub;
        let all = client.runs(json!({})).await;
        assert!(all.len() >= 137);
        assert_eq!(
            refs(&all),
            expected(&all, "Root.Metadata.EditedOn", true),
            "the order nobody asked for"
        );
        for path in usual.iter().chain(&unusual) {
            for (direction, descending) in [("ASC", false), ("DESC", true)] {
                let sort = json!([{ "order": format!("{path} {direction}") }]);
                let listed = client.all("LIST_TEST_RUNS", sort, json!({})).await;
                assert_eq!(
                    refs(&listed),
                    expected(&all, path, descending),
                    "{path} {direction}"
                );
            }
        }
    }
}

#[tokio::test]
async fn several_sort_keys_count_in_their_order() {
    let client = default_client().await;
    let all = client.all("LIST_DOCUMENTS", json!([]), json!({})).await;
    let sort =
        json!([{ "order": "Root.General.Status DESC" }, { "order": "Root.General.Title ASC" }]);
    let listed = client.all("LIST_DOCUMENTS", sort, json!({})).await;
    let mut wanted: Vec<&Value> = all.iter().collect();
    wanted.sort_by(|left, right| {
        let status = |entry: &Value| {
            field(entry, "Root.General.Status")
                .as_str()
                .unwrap()
                .to_owned()
        };
        let title = |entry: &Value| {
            field(entry, "Root.General.Title")
                .as_str()
                .unwrap()
                .to_owned()
        };
        status(right)
            .cmp(&status(left))
            .then(title(left).cmp(&title(right)))
            .then(number(left).cmp(&number(right)))
    });
    let wanted: Vec<&str> = wanted
        .iter()
        .map(|entry| entry["docRef"].as_str().unwrap())
        .collect();
    assert_eq!(refs(&listed), wanted);
}

#[tokio::test]
async fn any_page_is_a_window_onto_the_whole_order() {
    let client = default_client().await;
    let all = client
        .all(
            "LIST_TEST_RUNS",
            json!([{ "order": "Root.General.Title ASC" }]),
            json!({}),
        )
        .await;
    let whole = refs(&all);
    let size = whole.len();
    for (offset, limit) in [
        (0, 1),
        (0, 100),
        (size / 2 - 3, 7),
        (size / 2 + 1, 50),
        (size - 1, 50),
        (size - 60, 50),
        (5, 0),
    ] {
        let params = json!({ "page": { "offset": offset, "limit": limit }, "sort": [{ "order": "Root.General.Title ASC" }] });
        let result = client.ok("LIST_TEST_RUNS", params).await["result"].take();
        assert_eq!(result["page"], json!({ "offset": offset, "limit": limit }));
        assert_eq!(result["fullSize"], size);
        assert_eq!(
            refs(result["entries"].as_array().unwrap()),
            whole[offset..(offset + limit).min(size)]
        );
    }
    for offset in [size as u64, size as u64 + 1000, i64::MAX as u64] {
        let result = client
            .ok(
                "LIST_TEST_RUNS",
                json!({ "page": { "offset": offset, "limit": 50 } }),
            )
            .await["result"]
            .take();
        assert_eq!(result["entries"], json!([]));
    }
}

#[tokio::test]
async fn page_sizes_above_a_hundred_are_refused_or_cut() {
    let client = default_client().await;
    let page = |limit: u64| json!({ "page": { "offset": 0, "limit": limit } });
    client.refuses("LIST_TEST_RUNS", page(101), -32058).await;
    let clamping = Client::start(options(|it| it.page_limit = Some(20))).await;
    let result = clamping.ok("LIST_TEST_RUNS", page(5000)).await["result"].take();
    assert_eq!(result["page"], json!({ "offset": 0, "limit": 20 }));
    assert_eq!(result["entries"].as_array().unwrap().len(), 20);
    assert_eq!(
        clamping.ok("LIST_TEST_RUNS", page(3)).await["result"]["page"]["limit"],
        3
    );
}

#[tokio::test]
async fn filter_items_are_the_values_that_are_present() {
    let mut client = default_client().await;
    for sub in [Some("SP_1"), Some("_"), None] {
        client.sub = sub;
        let all = client.runs(json!({})).await;
        let map = client
            .ok(
                "LIST_TEST_RUNS",
                json!({ "page": { "offset": 0, "limit": 1 } }),
            )
            .await["filterItemMap"]
            .take();
        assert_eq!(map.as_object().unwrap().len(), 4);
        for (path, items) in map.as_object().unwrap() {
            let present: BTreeSet<&str> = all
                .iter()
                .map(|entry| field(entry, path).as_str().unwrap())
                .filter(|value| !value.is_empty())
                .collect();
            let items: Vec<&str> = items
                .as_array()
                .unwrap()
                .iter()
                .map(|item| item.as_str().unwrap())
                .collect();
            assert_eq!(items, present.into_iter().collect::<Vec<_>>(), "{path}");
        }
    }
}
