//! Sign in, list, open: what every session begins with.

use serde_json::json;

use crate::client::{at, default_client, refs};

#[tokio::test]
async fn lists_and_opens_runs() {
    let client = default_client().await;
    let params = json!({ "page": { "offset": 0, "limit": 20 }, "sort": [{ "order": "Root.General.Title ASC" }], "filter": {} });
    let answer = client.ok("LIST_TEST_RUNS", params).await;
    let result = &answer["result"];
    assert!(
        result["fullSize"].as_u64().unwrap() >= 137,
        "{}",
        result["fullSize"]
    );
    assert_eq!(result["page"], json!({ "offset": 0, "limit": 20 }));
    let entries = result["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 20);
    for entry in entries {
        let root = &entry["document"]["Root"];
        assert!(root["General"]["TestSuiteCount"].is_u64());
        assert!(root["General"]["Progress"].as_u64().unwrap() <= 100);
        assert_eq!(
            root["DisplayFields"]["Result"].as_array().unwrap().len(),
            11
        );
        assert!(root["DisplayFields"]["TestCasesWithTester"].is_string());
        assert!(root["DisplayFields"]["TestersOfTestCases"].is_array());
    }
    for path in [
        "Root.General.Status",
        "Root.General.ProjectVersionNumber",
        "Root.General.Configuration",
        "Root.Metadata.EditedBy",
    ] {
        assert!(
            !answer["filterItemMap"][path].as_array().unwrap().is_empty(),
            "{path}"
        );
    }
    let opened = client
        .ok("GET_DOCUMENT", json!({ "docRef": refs(entries)[0] }))
        .await;
    assert_eq!(opened["documentModelName"], "TestRun-dm");
    assert_eq!(opened["__meta"], entries[0]["__meta"]);
    assert_eq!(
        at(&opened, "document.Root.Metadata"),
        at(&entries[0], "document.Root.Metadata")
    );
    let root = opened["document"]["Root"].as_object().unwrap();
    assert!(!root.contains_key("DisplayFields"));
    assert!(root["General"].get("TestSuiteCount").is_none());
    let listed = client
        .ok(
            "LIST_DOCUMENTS",
            json!({ "documentModelName": "TestRun-dm", "page": { "offset": 0, "limit": 20 },
            "sort": [{ "order": "Root.General.Title ASC" }], "filter": {} }),
        )
        .await;
    assert_eq!(listed["fullSize"], result["fullSize"]);
    assert_eq!(refs(listed["entries"].as_array().unwrap()), refs(entries));
    assert_eq!(listed["entries"][0], opened);
    client.service.stop().await;
}
