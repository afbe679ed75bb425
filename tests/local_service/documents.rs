//! Making, changing and deleting runs (2.2, 2.5, 3, 4.3).

use serde_json::{Value, json};

use crate::client::{Client, at, default_client, new_document, refs};

async fn get(client: &Client, run: &str) -> Value {
    client.ok("GET_DOCUMENT", json!({ "docRef": run })).await
}

/// The document of an envelope as `MODIFY_DOCUMENT` wants it: with `__meta` inside.
fn full(envelope: &Value) -> Value {
    let mut document = envelope["document"].clone();
    document["__meta"] = envelope["__meta"].clone();
    document
}

async fn modify(client: &Client, run: &str, document: &Value) -> Value {
    client
        .ok(
            "MODIFY_DOCUMENT",
            json!({ "document": document, "locale": "en", "docRef": run }),
        )
        .await
}

#[tokio::test]
async fn a_new_run_gets_what_the_service_assigns() {
    let client = default_client().await;
    let before = client.size().await;
    let run = client.new_run().await;
    let envelope = get(&client, &run).await;
    let general = at(&envelope, "document.Root.General");
    for (key, value) in new_document()["Root"]["General"].as_object().unwrap() {
        assert_eq!(&general[key], value, "{key}");
    }
    assert_eq!(
        run,
        format!("TestRun-dm/{}", general["TechnicalId"].as_str().unwrap())
    );
    assert!(general["Id"].as_str().unwrap().starts_with("R_"));
    assert!(general["TenantId"].as_str().unwrap().starts_with("T_"));
    let metadata = at(&envelope, "document.Root.Metadata");
    assert_eq!(metadata["CreatedBy"], "qa");
    assert_eq!(metadata["CreatedOn"], metadata["EditedOn"]);
    assert!(metadata.get("ClosedBy").is_none());
    let meta = &envelope["__meta"];
    assert_eq!(
        (&meta["creator"], &meta["modifier"], &meta["modelVersion"]),
        (&json!("qa"), &json!("qa"), &json!(null))
    );
    assert_eq!(meta["docRef"], json!(run));
    assert_eq!(meta["modelReference"], "TestRun-dm");
    let listed = client.ok("LIST_TEST_RUNS", json!({})).await["result"].take();
    assert_eq!(listed["fullSize"], before + 1);
    assert_eq!(
        listed["entries"][0]["docRef"],
        json!(run),
        "the youngest edit comes first"
    );
    assert_eq!(
        at(
            &listed["entries"][0],
            "document.Root.General.TestSuiteCount"
        ),
        0
    );
    assert_eq!(
        at(&listed["entries"][0], "document.Root.General.Progress"),
        0
    );
}

#[tokio::test]
async fn a_run_that_is_made_closed_carries_closing_metadata() {
    let client = default_client().await;
    let mut document = new_document();
    document["Root"]["General"]["Status"] = json!("inactive");
    let params = json!({ "document": document, "documentModelName": "TestRun-dm", "locale": "en" });
    let run = client.ok("ADD_DOCUMENT", params).await["docRef"]
        .as_str()
        .unwrap()
        .to_owned();
    let envelope = get(&client, &run).await;
    assert_eq!(at(&envelope, "document.Root.Metadata.ClosedBy"), "qa");
    client
        .refuses(
            "GET_AVAILABLE_TEST_SUITES",
            json!({ "testRunDocRef": run }),
            -32036,
        )
        .await;
}

#[tokio::test]
async fn documents_that_cannot_be_made_are_refused() {
    let client = default_client().await;
    let with = |path: &str, value: Value| {
        let mut document = new_document();
        let (parent, key) = path.rsplit_once('/').unwrap();
        document
            .pointer_mut(parent)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .insert(key.to_owned(), value);
        document
    };
    let without = |key: &str| {
        let mut document = new_document();
        document["Root"]["General"]
            .as_object_mut()
            .unwrap()
            .remove(key);
        document
    };
    let cases = [
        json!({}),
        json!({ "Root": {} }),
        json!({ "Root": { "General": [] } }),
        with("/Root/General/Title", json!(7)),
        with("/Root/General/Title", json!("  ")),
        with("/Root/General/Status", json!("open")),
        with("/Root/General/Configuration", json!(null)),
        with("/Root/General/ProjectId", json!("P_12")),
        with("/Root/General/SubprojectId", json!("_")),
        with("/Root/General/SubprojectId", json!("SP_99")),
        with("/Root/General/ProjectVersionNumber", json!("7.7.7")),
        with("/Root/General/Id", json!("R_1")),
        with("/Root/General/TenantId", json!("T_1")),
        with("/Root/General/TechnicalId", json!("x")),
        with("/Root/General/Progress", json!(5)),
        with("/Root/Metadata", json!({})),
        with("/Root/DisplayFields", json!({})),
        with("/Root/Attachments", json!({})),
        with("/__meta", json!({})),
        without("Title"),
        without("Status"),
        without("ProjectId"),
    ];
    let before = client.ok("LIST_TEST_RUNS", json!({})).await["result"]["fullSize"].clone();
    for document in cases {
        let params =
            json!({ "document": document, "documentModelName": "TestRun-dm", "locale": "en" });
        client.refuses("ADD_DOCUMENT", params, -32002).await;
    }
    let suite =
        json!({ "document": new_document(), "documentModelName": "TestSuite-dm", "locale": "en" });
    client.refuses("ADD_DOCUMENT", suite, -32002).await;
    assert_eq!(
        client.ok("LIST_TEST_RUNS", json!({})).await["result"]["fullSize"],
        before
    );
}

#[tokio::test]
async fn a_modified_document_keeps_unknown_members_their_order_and_every_digit() {
    let client = default_client().await;
    let run = client.new_run().await;
    let old = get(&client, &run).await;
    let metadata = at(&old, "document.Root.Metadata").to_string();
    let document = format!(
        r#"{{"zz":1,"Root":{{"Zulu":{{"b":0.1000,"a":[12345678901234567890123456789.000000000000000000001,-0.0,1e400]}},
        "General":{{"Zeta":null,"ProjectId":"P_9","Alpha":{{"z":1,"a":2}},"ProjectVersionNumber":"1.2.1","SubprojectId":"SP_1",
        "Status":"active","TestSuiteCount":5,"Title":"Übergabe, changed","Progress":7,"Middle":"\u0000"}},
        "DisplayFields":{{}},"Metadata":{metadata},"Attachments":[{{"File":{{"size":18446744073709551617}},"New":true}}]}},
        "__meta":{{"vendor":{{"y":1.50}},"modifier":"somebody","docRef":"{run}","creator":"somebody else"}},"aa":2}}"#
    );
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":"1","method":"MODIFY_DOCUMENT","params":{{"document":{document},"locale":"en","docRef":"{run}"}}}}"#
    );
    let (status, answer) = client.post(body).await;
    assert_eq!(
        (status, &answer),
        (200, &json!({ "jsonrpc": "2.0", "id": "1", "result": null }))
    );
    let stored = get(&client, &run).await;
    let text = stored["document"].to_string();
    for kept in [
        r#""Zulu":{"b":0.1000,"a":[12345678901234567890123456789.000000000000000000001,-0.0,1e+400]}"#,
        r#""Alpha":{"z":1,"a":2}"#,
        r#""size":18446744073709551617"#,
    ] {
        assert!(text.contains(kept), "{kept} in {text}");
    }
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&stored["document"]), ["zz", "Root", "aa"]);
    assert_eq!(
        keys(&stored["document"]["Root"]),
        ["Zulu", "General", "Metadata", "Attachments"]
    );
    assert_eq!(
        keys(at(&stored, "document.Root.General")),
        [
            "Zeta",
            "ProjectId",
            "Alpha",
            "ProjectVersionNumber",
            "SubprojectId",
            "Status",
            "Title",
            "Middle",
            "TenantId",
            "TechnicalId",
            "Id"
        ]
    );
    assert_eq!(at(&stored, "__meta.vendor").to_string(), r#"{"y":1.50}"#);
    assert_eq!(
        keys(&stored["__meta"])[..4],
        ["vendor", "modifier", "docRef", "creator"]
    );
    assert_eq!(stored["__meta"]["modifier"], "qa");
    assert_eq!(stored["__meta"]["creator"], "qa");
    let found = client
        .all(
            "LIST_TEST_RUNS",
            json!([]),
            json!({ "fulltext": "ÜBERGABE, CHANGED" }),
        )
        .await;
    assert_eq!(refs(&found), [run.as_str()]);
}

#[tokio::test]
async fn a_modify_cannot_change_what_the_service_assigns() {
    let client = default_client().await;
    let entries = client
        .all(
            "LIST_DOCUMENTS",
            json!([]),
            json!({ "filters": ["Root.General.Status:active"] }),
        )
        .await;
    let old = entries
        .iter()
        .find(|entry| entry["__meta"]["creator"] != "qa")
        .unwrap();
    let run = old["docRef"].as_str().unwrap();
    let mut document = full(old);
    document["Root"]["General"]["Id"] = json!("R_999999");
    document["Root"]["General"]["TenantId"] = json!("T_9");
    document["Root"]["General"]["Title"] = json!("changed");
    document["Root"]["Metadata"] =
        json!({ "CreatedBy": "me", "EditedOn": 5, "ClosedBy": "me", "Own": 1 });
    assert_eq!(modify(&client, run, &document).await, Value::Null);
    let new = get(&client, run).await;
    for path in [
        "Root.General.Id",
        "Root.General.TenantId",
        "Root.Metadata.CreatedBy",
        "Root.Metadata.CreatedOn",
    ] {
        assert_eq!(
            at(&new["document"], path),
            at(&old["document"], path),
            "{path}"
        );
    }
    assert_eq!(at(&new, "document.Root.General.Title"), "changed");
    assert_eq!(at(&new, "document.Root.Metadata.EditedBy"), "qa");
    assert_eq!(at(&new, "document.Root.Metadata.Own"), 1);
    assert!(at(&new, "document.Root.Metadata.ClosedBy").is_null());
    assert_eq!(
        new["__meta"]["modifiedAt"],
        *at(&new, "document.Root.Metadata.DisplayEditedOn")
    );
    let refused = [
        ("ProjectId", json!("P_12")),
        ("SubprojectId", json!("_")),
        ("ProjectVersionNumber", json!("0.0.1")),
        ("Title", json!("")),
        ("Status", json!("closed")),
    ];
    for (key, value) in refused {
        let mut document = full(&new);
        document["Root"]["General"][key] = value;
        client
            .refuses(
                "MODIFY_DOCUMENT",
                json!({ "document": document, "docRef": run }),
                -32002,
            )
            .await;
    }
    let without_meta = json!({ "document": new["document"], "docRef": run });
    client
        .refuses("MODIFY_DOCUMENT", without_meta, -32002)
        .await;
    let mut foreign = full(&new);
    foreign["__meta"]["docRef"] = entries[entries.len() - 1]["docRef"].clone();
    client
        .refuses(
            "MODIFY_DOCUMENT",
            json!({ "document": foreign, "docRef": run }),
            -32002,
        )
        .await;
    assert_eq!(
        get(&client, run).await,
        new,
        "a refused call changes nothing"
    );
}

#[tokio::test]
async fn status_inactive_closes_and_active_opens_again() {
    let client = default_client().await;
    let run = client.new_run().await;
    let mut document = full(&get(&client, &run).await);
    document["Root"]["General"]["Status"] = json!("inactive");
    modify(&client, &run, &document).await;
    let closed = get(&client, &run).await;
    let metadata = at(&closed, "document.Root.Metadata");
    assert_eq!(metadata["ClosedBy"], "qa");
    assert_eq!(metadata["ClosedOn"], metadata["EditedOn"]);
    assert_eq!(metadata["DisplayClosedOn"], metadata["DisplayEditedOn"]);
    let mut document = full(&closed);
    document["Root"]["General"]["Title"] = json!("closed and renamed");
    modify(&client, &run, &document).await;
    let renamed = get(&client, &run).await;
    assert_eq!(
        at(&renamed, "document.Root.Metadata.ClosedOn"),
        &metadata["ClosedOn"],
        "closed once"
    );
    let mut document = full(&renamed);
    document["Root"]["General"]["Status"] = json!("active");
    modify(&client, &run, &document).await;
    let opened = get(&client, &run).await;
    for key in ["ClosedBy", "ClosedOn", "DisplayClosedOn"] {
        assert!(
            at(&opened, "document.Root.Metadata").get(key).is_none(),
            "{key}"
        );
    }
    client
        .ok("GET_AVAILABLE_TEST_SUITES", json!({ "testRunDocRef": run }))
        .await;
}

#[tokio::test]
async fn only_an_empty_run_is_deleted() {
    let client = default_client().await;
    let run = client.new_run().await;
    let id = at(&get(&client, &run).await, "document.Root.General.Id").clone();
    let target = json!({ "testRunDocRef": run });
    let free = client.ok("GET_AVAILABLE_TEST_SUITES", target.clone()).await;
    let suite = free["entries"][0]["docRef"].clone();
    let link = json!({ "testRunDocRef": run, "testSuiteDocRefs": [suite] });
    client.ok("ADD_TEST_SUITES_TO_RUN", link.clone()).await;
    assert_eq!(
        client.ok("CHECK_TEST_RUN_EMPTY", target.clone()).await,
        json!(false)
    );
    client
        .refuses("DELETE_TEST_RUN", target.clone(), -32036)
        .await;
    get(&client, &run).await;
    client.ok("DELETE_TEST_SUITES_FROM_RUN", link).await;
    assert_eq!(
        client.ok("CHECK_TEST_RUN_EMPTY", target.clone()).await,
        json!(true)
    );
    assert_eq!(
        client.ok("DELETE_TEST_RUN", target.clone()).await,
        json!(true)
    );
    client.refuses("DELETE_TEST_RUN", target, -32004).await;
    client
        .refuses("GET_DOCUMENT", json!({ "docRef": run }), -32004)
        .await;
    let next = get(&client, &client.new_run().await).await;
    let found = client
        .all(
            "LIST_TEST_RUNS",
            json!([]),
            json!({ "filters": ["Root.General.Title:A new run"] }),
        )
        .await;
    assert_eq!(
        refs(&found),
        [next["docRef"].as_str().unwrap()],
        "nothing is left behind"
    );
    assert_ne!(
        at(&next, "document.Root.General.Id"),
        &id,
        "no short id is given twice"
    );
}
