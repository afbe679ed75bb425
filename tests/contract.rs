//! The recorded answers under `tests/fixtures/` hold the client and the local service to the same words: the client
//! parses them (`tests/rpc.rs`), and the local service must answer with every member they have, of the same kind.

use super::support;
use crate::support::prelude::*;
use std::collections::BTreeMap;

fn members(value: &Value, path: &str, found: &mut BTreeMap<String, &'static str>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(list) => {
            for entry in list {
                members(entry, &format!("{path}[]"), found);
            }
            "list"
        }
        Value::Object(of) => {
            for (name, member) in of {
                members(member, &format!("{path}.{name}"), found);
            }
            "object"
        }
    };
    let before = found.insert(path.to_owned(), kind);
    // In one entry a member may be null that is not in another.
    if let Some(before) = before.filter(|before| *before != "null" && kind == "null") {
        found.insert(path.to_owned(), before);
    }
}

fn assert_says_what_is_recorded(fixture: &str, answer: &Value) {
    let recorded = support::fixture(fixture);
    let (mut wanted, mut got) = (BTreeMap::new(), BTreeMap::new());
    members(&recorded, "", &mut wanted);
    members(answer, "", &mut got);
    for (path, kind) in wanted {
        // The paths of `filterItemMap` are the service's own choice.
        if path.starts_with(".result.filterItemMap.") {
            continue;
        }
        let there = got.get(&path);
        let same = there.is_some_and(|there| *there == kind || *there == "null" || kind == "null");
        assert!(
            same,
            "{fixture}: {path} is {kind} in the record and {there:?} in the answer of the local service"
        );
    }
}

struct Caller {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Caller {
    async fn call(&self, method: &str, params: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": "1", "method": method, "params": params});
        let request = self
            .http
            .post(format!("{}/v2/rpc", self.base))
            .bearer_auth(&self.token);
        let request = request
            .header("Project-Id", "P_9")
            .header("Content-Type", "application/json");
        let text = request
            .body(body.to_string())
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

#[tokio::test]
async fn the_local_service_says_what_is_recorded() {
    let service = LocalService::start(Options::default(), |_, _| {})
        .await
        .unwrap();
    let profile = service.profile();
    let http = rundown::rpc::http_client(
        &support::settings(Duration::from_secs(30)),
        &profile.base_url.parse().unwrap(),
    )
    .unwrap();
    let token = format!(
        "{}/realms/{}/protocol/openid-connect/token",
        profile.idp_url, profile.realm
    );
    let form = [
        ("grant_type", "password"),
        ("client_id", &profile.client_id),
        ("client_secret", profile.client_secret.expose_secret()),
        ("username", &profile.username),
        ("password", profile.password.expose_secret()),
    ];
    let answer = http
        .post(token)
        .form(&form)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_says_what_is_recorded("token.response", &answer);
    let token = answer["access_token"].as_str().unwrap().to_owned();
    let caller = Caller {
        http,
        base: profile.base_url.clone(),
        token,
    };

    let page = json!({"offset": 0, "limit": 100});
    let runs = caller.call("LIST_TEST_RUNS", json!({"page": page})).await;
    assert_says_what_is_recorded("list_test_runs.response", &runs);
    let listed = caller
        .call(
            "LIST_DOCUMENTS",
            json!({"documentModelName": "TestRun-dm", "page": page}),
        )
        .await;
    assert_says_what_is_recorded("list_documents.response", &listed);
    let entries = runs["result"]["result"]["entries"].as_array().unwrap();
    let with = |wanted: &dyn Fn(&Value) -> bool| {
        let found = entries
            .iter()
            .find(|entry| wanted(&entry["document"]["Root"]))
            .unwrap();
        found["docRef"].as_str().unwrap().to_owned()
    };
    let attached = with(&|root| {
        let attachments = root["Attachments"]
            .as_array()
            .is_some_and(|list| !list.is_empty());
        attachments && root["General"]["Status"] == "inactive"
    });
    let document = caller
        .call("GET_DOCUMENT", json!({"docRef": attached}))
        .await;
    assert_says_what_is_recorded("get_document.response", &document);

    let empty = with(&|root| {
        root["General"]["TestSuiteCount"] == 0 && root["General"]["Status"] == "active"
    });
    let checked = caller
        .call("CHECK_TEST_RUN_EMPTY", json!({"testRunDocRef": empty}))
        .await;
    assert_eq!(checked["result"], true);
    assert_says_what_is_recorded("check_test_run_empty.response", &checked);
    let free = caller
        .call(
            "GET_AVAILABLE_TEST_SUITES",
            json!({"testRunDocRef": empty, "page": page}),
        )
        .await;
    let mut rich = free.clone();
    for entry in entries
        .iter()
        .filter(|entry| entry["document"]["Root"]["General"]["Status"] == "active")
    {
        let offered = caller
            .call(
                "GET_AVAILABLE_TEST_SUITES",
                json!({"testRunDocRef": entry["docRef"], "page": page}),
            )
            .await;
        let suites = offered["result"]["entries"].as_array().unwrap();
        if suites.iter().any(|suite| {
            suite["document"]["Root"]["Attachments"]
                .as_array()
                .is_some_and(|list| !list.is_empty())
        }) {
            rich = offered;
            break;
        }
    }
    assert_says_what_is_recorded("get_available_test_suites.response", &rich);
    let suite = free["result"]["entries"][0]["docRef"].clone();
    let suites = json!({"testRunDocRef": empty, "testSuiteDocRefs": [suite]});
    let added = caller.call("ADD_TEST_SUITES_TO_RUN", suites.clone()).await;
    assert_says_what_is_recorded("add_test_suites_to_run.response", &added);
    let removed = caller.call("DELETE_TEST_SUITES_FROM_RUN", suites).await;
    assert_says_what_is_recorded("delete_test_suites_from_run.response", &removed);

    let general = json!({
        "ProjectId": "P_9", "ProjectVersionNumber": "1.2.0", "SubprojectId": "SP_1", "Status": "active",
        "Title": "Contract", "Configuration": "", "Description": ""
    });
    let document = json!({"Root": {"General": general, "Attachments": []}});
    let new = json!({"document": document, "documentModelName": "TestRun-dm", "locale": "en"});
    let made = caller.call("ADD_DOCUMENT", new).await;
    assert_says_what_is_recorded("add_document.response", &made);
    let doc_ref = made["result"]["docRef"].clone();
    let read = caller
        .call("GET_DOCUMENT", json!({"docRef": doc_ref}))
        .await;
    let mut document = read["result"]["document"].clone();
    document["__meta"] = read["result"]["__meta"].clone();
    let modified = caller
        .call(
            "MODIFY_DOCUMENT",
            json!({"document": document, "locale": "en", "docRef": doc_ref}),
        )
        .await;
    assert_says_what_is_recorded("modify_document.response", &modified);
    let deleted = caller
        .call("DELETE_TEST_RUN", json!({"testRunDocRef": doc_ref}))
        .await;
    assert_says_what_is_recorded("delete_test_run.response", &deleted);
    service.stop().await;
}
