//! The envelope, the headers and the strictness of params (4.1 to 4.3).

use super::client::options;
use serde_json::{Value, json};

use crate::client::{Client, code, default_client};

#[tokio::test]
async fn broken_envelopes_are_json_rpc_errors_with_status_200() {
    let client = default_client().await;
    let good = json!({ "jsonrpc": "2.0", "id": "7", "method": "NO_SUCH", "params": {} });
    let with = |key: &str, value: Value| {
        let mut body = good.clone();
        body[key] = value;
        body.to_string()
    };
    let without = |key: &str| {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(key);
        body.to_string()
    };
    let cases = [
        ("{".to_owned(), -32700, json!(null)),
        (String::new(), -32700, json!(null)),
        ("7".to_owned(), -32600, json!(null)),
        (format!("[{good}]"), -32600, json!(null)),
        (with("jsonrpc", json!("1.0")), -32600, json!("7")),
        (with("jsonrpc", json!(2.0)), -32600, json!("7")),
        (without("jsonrpc"), -32600, json!("7")),
        (with("id", json!(7)), -32600, json!(null)),
        (with("id", json!(null)), -32600, json!(null)),
        (without("id"), -32600, json!(null)),
        (with("method", json!(7)), -32600, json!("7")),
        (without("method"), -32600, json!("7")),
        (without("params"), -32600, json!("7")),
        (with("extra", json!(1)), -32600, json!("7")),
        (good.to_string(), -32601, json!("7")),
        (with("method", json!("get_document")), -32601, json!("7")),
        (with("method", json!("LIST_DOCUMENT")), -32601, json!("7")),
        (
            with("method", json!("DELETE_SUITE_FROM_RUN")),
            -32601,
            json!("7"),
        ),
    ];
    for (body, expected, id) in cases {
        let (status, answer) = client.post(body.clone()).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!(code(&answer), expected, "{body}");
        assert_eq!(answer["id"], id, "{body}");
    }
}

#[tokio::test]
async fn params_the_document_does_not_name_are_refused() {
    let client = default_client().await;
    let run = client.new_run().await;
    let page = json!({ "offset": 0, "limit": 5 });
    let cases = [
        (
            "GET_DOCUMENT",
            vec![
                json!([]),
                json!({}),
                json!({ "docRef": 7 }),
                json!({ "docRef": run, "locale": "en" }),
            ],
        ),
        (
            "LIST_DOCUMENTS",
            vec![
                json!({ "page": page }),
                json!({ "documentModelName": "TestRun-dm", "page": null }),
            ],
        ),
        (
            "LIST_TEST_RUNS",
            vec![
                json!({ "documentModelName": "TestRun-dm", "page": page }),
                json!({ "page": { "offset": 0 } }),
                json!({ "page": { "offset": -1, "limit": 5 } }),
                json!({ "page": { "offset": 0, "limit": "5" } }),
                json!({ "page": { "offset": 0, "limit": 5.5 } }),
                json!({ "page": { "offset": 0, "limit": 5, "size": 1 } }),
                json!({ "sort": "Root.General.Title ASC" }),
                json!({ "sort": ["Root.General.Title ASC"] }),
                json!({ "sort": [{ "order": "Root.General.Title" }] }),
                json!({ "sort": [{ "order": "Root.General.Title UP" }] }),
                json!({ "sort": [{ "order": "Root.General.Title ASC", "nulls": 1 }] }),
                json!({ "sort": [{ "order": "title;-- ASC" }] }),
                json!({ "filter": { "filters": "x" } }),
                json!({ "filter": { "filters": ["no colon"] } }),
                json!({ "filter": { "filters": ["Root.General.Title' OR 1=1 --:x"] } }),
                json!({ "filter": { "fulltext": 7 } }),
                json!({ "filter": { "fulltext": "x".repeat(101) } }),
                json!({ "filter": { "lang": 7 } }),
                json!({ "filter": { "query": "x" } }),
            ],
        ),
        (
            "ADD_DOCUMENT",
            vec![
                json!({ "document": 7, "documentModelName": "TestRun-dm", "locale": "en" }),
                json!({ "documentModelName": "TestRun-dm", "locale": "en" }),
            ],
        ),
        (
            "MODIFY_DOCUMENT",
            vec![json!({ "document": {}, "docRef": run, "locale": 7 })],
        ),
        ("CHECK_TEST_RUN_EMPTY", vec![json!({ "docRef": run })]),
        (
            "DELETE_TEST_RUN",
            vec![json!({ "testRunDocRef": run, "force": true })],
        ),
        ("GET_AVAILABLE_TEST_SUITES", vec![json!({ "page": page })]),
        (
            "ADD_TEST_SUITES_TO_RUN",
            vec![
                json!({ "testRunDocRef": run }),
                json!({ "testRunDocRef": run, "testSuiteDocRefs": "TestSuite-dm/1" }),
            ],
        ),
        (
            "DELETE_TEST_SUITES_FROM_RUN",
            vec![json!({ "testRunDocRef": run, "testSuiteDocRefs": [1] })],
        ),
    ];
    for (method, odd) in cases {
        for params in odd {
            client.refuses(method, params, -32602).await;
        }
    }
}

#[tokio::test]
async fn references_of_another_form_are_told_from_unknown_ones() {
    let client = default_client().await;
    let unknown = "TestRun-dm/00000000-0000-4000-8000-000000000000";
    for method in [
        "CHECK_TEST_RUN_EMPTY",
        "DELETE_TEST_RUN",
        "GET_AVAILABLE_TEST_SUITES",
    ] {
        client
            .refuses(method, json!({ "testRunDocRef": unknown }), -32004)
            .await;
        for odd in [
            "",
            "R_1",
            "TestSuite-dm/20007",
            "TestRun-dm/7",
            "TestRun-dm/{00000000-0000-4000-8000-00000000000}",
        ] {
            client
                .refuses(method, json!({ "testRunDocRef": odd }), -32030)
                .await;
        }
    }
    client
        .refuses("GET_DOCUMENT", json!({ "docRef": unknown }), -32004)
        .await;
    let list = json!({ "documentModelName": "TestSuite-dm" });
    client.refuses("LIST_DOCUMENTS", list, -32002).await;
}

#[tokio::test]
async fn the_project_headers_decide_what_is_reached() {
    let mut client = default_client().await;
    let run = client.new_run().await;
    let narrow = client.size().await;
    client.sub = None;
    let wide = client.size().await;
    assert!(wide > narrow);
    client.project = Some("Project-dm/P_9");
    client.sub = Some("Subproject-dm/SP_1");
    assert_eq!(client.size().await, narrow);
    client.sub = Some("_");
    assert!(client.size().await < narrow);
    client
        .refuses("GET_DOCUMENT", json!({ "docRef": run }), -32004)
        .await;
    client.project = Some("P_12");
    client.sub = None;
    assert!(client.size().await > 0);
    client
        .refuses("GET_DOCUMENT", json!({ "docRef": run }), -32004)
        .await;
    client
        .refuses("DELETE_TEST_RUN", json!({ "testRunDocRef": run }), -32004)
        .await;
    client.sub = Some("SP_1");
    client.refuses("LIST_TEST_RUNS", json!({}), -32004).await;
    client.project = Some("P_77");
    client.refuses("LIST_TEST_RUNS", json!({}), -32004).await;
    client.project = None;
    client.refuses("LIST_TEST_RUNS", json!({}), -32002).await;
}

#[tokio::test]
async fn other_addresses_methods_and_media_types_are_http_errors() {
    let client = default_client().await;
    let rpc = format!("{}/v2/rpc", client.profile.base_url);
    let bearer = format!("Bearer {}", client.token);
    let request = |url: &str| {
        client
            .http
            .post(url)
            .header("authorization", &bearer)
            .header("project-id", "P_9")
    };
    let text = request(&rpc)
        .header("content-type", "text/plain")
        .body("{}")
        .send()
        .await
        .unwrap();
    assert_eq!(text.status(), 415);
    let elsewhere = request(&format!("{rpc}/x")).send().await.unwrap();
    assert_eq!(elsewhere.status(), 404);
    let get = client
        .http
        .get(&rpc)
        .header("authorization", &bearer)
        .send()
        .await
        .unwrap();
    assert_eq!(get.status(), 405);
}

#[tokio::test]
async fn without_list_test_runs_it_is_an_unknown_method() {
    let client = Client::start(options(|it| it.without_list_test_runs = true)).await;
    client.refuses("LIST_TEST_RUNS", json!({}), -32601).await;
    client
        .ok(
            "LIST_DOCUMENTS",
            json!({ "documentModelName": "TestRun-dm" }),
        )
        .await;
}
