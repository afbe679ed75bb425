//! Suites of a run (2.3, 2.6, 3, 4.3).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::{Client, at, default_client, refs};

async fn available(client: &Client, run: &str, more: Value) -> Vec<Value> {
    let mut params = json!({ "testRunDocRef": run, "page": { "offset": 0, "limit": 100 } });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    let result = client.ok("GET_AVAILABLE_TEST_SUITES", params).await;
    let entries = result["entries"].as_array().unwrap().clone();
    assert_eq!(result["fullSize"], entries.len());
    entries
}

async fn listed(client: &Client, run: &str) -> Value {
    let id = client.ok("GET_DOCUMENT", json!({ "docRef": run })).await["document"]["Root"]["General"]["Id"].clone();
    let filter = json!({ "filters": [format!("Root.General.Id:{}", id.as_str().unwrap())] });
    client
        .ok("LIST_TEST_RUNS", json!({ "filter": filter }))
        .await["result"]["entries"][0]
        .take()
}

/// Suites, test cases, untested ones, progress.
async fn figures(client: &Client, run: &str) -> [u64; 4] {
    let entry = listed(client, run).await;
    let root = at(&entry, "document.Root");
    let counts: Vec<u64> = root["DisplayFields"]["Result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["count"].as_u64().unwrap())
        .collect();
    let figure = |key: &str| root["General"][key].as_u64().unwrap();
    [
        figure("TestSuiteCount"),
        counts.iter().sum(),
        counts[0],
        figure("Progress"),
    ]
}

fn cases(suite: &Value) -> u64 {
    at(suite, "document.Root.DisplayFields.TotalTestCases")
        .as_u64()
        .unwrap()
}

#[tokio::test]
async fn suites_come_and_go_with_their_test_cases() {
    let client = default_client().await;
    let run = client.new_run().await;
    let free = available(&client, &run, json!({})).await;
    assert!(free.len() >= 5, "{}", free.len());
    let chosen = [refs(&free)[3], refs(&free)[0]];
    let total = cases(&free[3]) + cases(&free[0]);
    let add = json!({ "testRunDocRef": run, "testSuiteDocRefs": chosen });
    let links = client.ok("ADD_TEST_SUITES_TO_RUN", add.clone()).await;
    assert_eq!(figures(&client, &run).await, [2, total, total, 0]);
    let links = links.as_array().unwrap();
    assert_eq!(links.len(), 2);
    for (index, link) in links.iter().enumerate() {
        let descriptor = &link["linkDescriptor"];
        assert!(link["id"].is_string() && descriptor["relationshipModel"].is_string());
        assert_eq!(descriptor["position"], index);
        let entities = descriptor["entities"].as_array().unwrap();
        assert!(entities.iter().all(|entity| entity["role"].is_string()));
        assert_eq!(
            (&entities[0]["modelName"], &entities[0]["docRef"]),
            (&json!("TestRun-dm"), &json!(run))
        );
        assert_eq!(
            (&entities[1]["modelName"], &entities[1]["docRef"]),
            (&json!("TestSuite-dm"), &json!(chosen[index]))
        );
    }
    assert_eq!(links[0]["linkDescriptor"]["predecessorLinkRef"], "");
    assert_eq!(
        links[1]["linkDescriptor"]["predecessorLinkRef"],
        links[0]["id"]
    );
    let third = json!({ "testRunDocRef": run, "testSuiteDocRefs": [refs(&free)[1]] });
    let more = client.ok("ADD_TEST_SUITES_TO_RUN", third).await;
    assert_eq!(
        more[0]["linkDescriptor"]["predecessorLinkRef"],
        links[1]["id"]
    );
    assert_eq!(more[0]["linkDescriptor"]["position"], 2);
    let rest: BTreeSet<&str> = refs(&free)
        .into_iter()
        .filter(|suite| ![chosen[0], chosen[1], refs(&free)[1]].contains(suite))
        .collect();
    let now = available(&client, &run, json!({})).await;
    assert_eq!(refs(&now).into_iter().collect::<BTreeSet<_>>(), rest);
    assert_eq!(
        client.ok("DELETE_TEST_SUITES_FROM_RUN", add).await,
        Value::Null
    );
    assert_eq!(
        figures(&client, &run).await,
        [1, cases(&free[1]), cases(&free[1]), 0]
    );
}

#[tokio::test]
async fn suites_stay_within_project_sub_project_and_version() {
    let client = default_client().await;
    let run = client.new_run().await;
    let suites = available(&client, &run, json!({})).await;
    assert!(suites.len() > 1, "{suites:?}");
    for suite in suites {
        let general = at(&suite, "document.Root.General");
        assert_eq!(
            (&general["ProjectId"], &general["SubprojectId"]),
            (&json!("P_9"), &json!("SP_1"))
        );
        assert_eq!(general["ProjectVersionNumber"], "1.2.1");
        assert!(general["Id"].as_str().unwrap().starts_with("S_"));
        assert!(general["RecommendedPriority"]["Value"].is_string());
        assert!(general["TimeBookingAccount"].is_string());
        assert_eq!(suite["documentModelName"], "TestSuite-dm");
        assert_eq!(suite["__meta"]["modelReference"], "TestSuite-dm");
        let metadata = at(&suite, "document.Root.Metadata");
        assert!(
            metadata["IsImported"].is_boolean()
                && metadata["AssignedToVersion"]["AssignedToNumber"] == "1.2.1"
        );
    }
}

#[tokio::test]
async fn attached_and_available_add_up_to_the_same_for_every_open_run() {
    let client = default_client().await;
    let whole = available(&client, &client.new_run().await, json!({}))
        .await
        .len() as u64;
    let filter = json!({ "filters": ["Root.General.Status:active", "Root.General.ProjectVersionNumber:1.2.1"] });
    let runs = client.runs(filter).await;
    assert!(runs.len() > 10);
    for run in runs {
        let attached = at(&run, "document.Root.General.TestSuiteCount")
            .as_u64()
            .unwrap();
        let free = available(&client, run["docRef"].as_str().unwrap(), json!({}))
            .await
            .len() as u64;
        assert_eq!(attached + free, whole);
    }
}

#[tokio::test]
async fn a_list_of_suites_is_sorted_filtered_searched_and_paged() {
    let client = default_client().await;
    let run = client.new_run().await;
    let all = available(&client, &run, json!({})).await;
    let order = |suite: &Value| {
        at(suite, "document.Root.General.Order")
            .as_str()
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    assert!(
        all.is_sorted_by_key(order),
        "by Order, as a number, when nobody asks"
    );
    let by_title = available(
        &client,
        &run,
        json!({ "sort": [{ "order": "Root.General.Title DESC" }] }),
    )
    .await;
    let title = |suite: &Value| {
        at(suite, "document.Root.General.Title")
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(by_title.iter().rev().is_sorted_by_key(title));
    let by_order = available(
        &client,
        &run,
        json!({ "sort": [{ "order": "Root.General.Order DESC" }] }),
    )
    .await;
    assert!(by_order.iter().rev().is_sorted_by_key(order));
    let high = available(
        &client,
        &run,
        json!({ "filter": { "filters": ["Root.General.RecommendedPriority.Value:HIGH"] } }),
    )
    .await;
    let wanted: Vec<Value> = all
        .iter()
        .filter(|suite| at(suite, "document.Root.General.RecommendedPriority.Value") == "HIGH")
        .cloned()
        .collect();
    assert_eq!(refs(&high), refs(&wanted));
    let imported = available(
        &client,
        &run,
        json!({ "filter": { "filters": ["Root.Metadata.IsImported:false"] } }),
    )
    .await;
    let wanted: Vec<Value> = all
        .iter()
        .filter(|suite| at(suite, "document.Root.Metadata.IsImported") == &json!(false))
        .cloned()
        .collect();
    assert_eq!(refs(&imported), refs(&wanted));
    let word = title(&all[0]).to_uppercase();
    let found = available(&client, &run, json!({ "filter": { "fulltext": word } })).await;
    assert!(refs(&found).contains(&refs(&all)[0]));
    let page = json!({ "testRunDocRef": run, "page": { "offset": 2, "limit": 3 } });
    let page = client.ok("GET_AVAILABLE_TEST_SUITES", page).await;
    assert_eq!(refs(page["entries"].as_array().unwrap()), refs(&all)[2..5]);
    assert_eq!(page["fullSize"], all.len());
}

#[tokio::test]
async fn an_addition_that_cannot_be_made_whole_changes_nothing() {
    let client = default_client().await;
    let run = client.new_run().await;
    let free = available(&client, &run, json!({})).await;
    let free = refs(&free);
    let mut old = crate::client::new_document();
    old["Root"]["General"]["ProjectVersionNumber"] = json!("1.1.0");
    let params = json!({ "document": old, "documentModelName": "TestRun-dm" });
    let other = client.ok("ADD_DOCUMENT", params).await["docRef"]
        .as_str()
        .unwrap()
        .to_owned();
    let elsewhere = available(&client, &other, json!({})).await;
    client
        .ok(
            "ADD_TEST_SUITES_TO_RUN",
            json!({ "testRunDocRef": run, "testSuiteDocRefs": [free[0]] }),
        )
        .await;
    let before = listed(&client, &run).await;
    let cases = [
        (json!([free[1], free[0]]), -32036),
        (json!([free[1], free[1]]), -32036),
        (json!([free[1], refs(&elsewhere)[0]]), -32036),
        (json!([free[1], "TestSuite-dm/1"]), -32004),
        (json!([free[1], "S_1"]), -32030),
        (json!([free[1], "TestSuite-dm/"]), -32030),
        (
            json!([free[1], "TestSuite-dm/99999999999999999999"]),
            -32030,
        ),
    ];
    for (suites, code) in cases {
        let params = json!({ "testRunDocRef": run, "testSuiteDocRefs": suites });
        client.refuses("ADD_TEST_SUITES_TO_RUN", params, code).await;
    }
    assert_eq!(listed(&client, &run).await, before);
    assert_eq!(
        client
            .ok(
                "ADD_TEST_SUITES_TO_RUN",
                json!({ "testRunDocRef": run, "testSuiteDocRefs": [] })
            )
            .await,
        json!([])
    );
    let foreign = json!({ "testRunDocRef": run, "testSuiteDocRefs": [free[2], "TestSuite-dm/1"] });
    assert_eq!(
        client.ok("DELETE_TEST_SUITES_FROM_RUN", foreign).await,
        Value::Null,
        "what is not in the run is passed over"
    );
    assert_eq!(listed(&client, &run).await, before);
    let odd = json!({ "testRunDocRef": run, "testSuiteDocRefs": [free[0], "S_1"] });
    client
        .refuses("DELETE_TEST_SUITES_FROM_RUN", odd, -32030)
        .await;
    assert_eq!(listed(&client, &run).await, before);
}

#[tokio::test]
async fn the_suites_of_a_closed_run_cannot_be_touched() {
    let client = default_client().await;
    let filter = json!({ "filters": ["Root.General.Status:inactive"] });
    let closed = client.runs(filter).await;
    assert!(!closed.is_empty());
    let run = closed[0]["docRef"].as_str().unwrap();
    assert!(at(&closed[0], "document.Root.Metadata.ClosedOn").is_i64());
    client
        .refuses(
            "GET_AVAILABLE_TEST_SUITES",
            json!({ "testRunDocRef": run }),
            -32036,
        )
        .await;
    let params = json!({ "testRunDocRef": run, "testSuiteDocRefs": ["TestSuite-dm/20007"] });
    client
        .refuses("ADD_TEST_SUITES_TO_RUN", params.clone(), -32036)
        .await;
    client
        .refuses("DELETE_TEST_SUITES_FROM_RUN", params, -32036)
        .await;
}

#[tokio::test]
async fn removing_all_suites_of_a_run_under_way_empties_it() {
    let client = default_client().await;
    let filter = json!({ "filters": ["Root.General.Status:active", "Root.General.ProjectVersionNumber:1.2.1"] });
    let runs = client.runs(filter).await;
    let run = runs
        .iter()
        .find(|run| at(run, "document.Root.General.Progress").as_u64().unwrap() > 20)
        .unwrap();
    let reference = run["docRef"].as_str().unwrap();
    let whole = available(&client, &client.new_run().await, json!({})).await;
    let free = available(&client, reference, json!({})).await;
    let free: BTreeSet<&str> = refs(&free).into_iter().collect();
    let attached: Vec<&str> = refs(&whole)
        .into_iter()
        .filter(|suite| !free.contains(suite))
        .collect();
    assert_eq!(
        at(run, "document.Root.General.TestSuiteCount"),
        attached.len()
    );
    let total: u64 = whole
        .iter()
        .filter(|suite| attached.contains(&suite["docRef"].as_str().unwrap()))
        .map(cases)
        .sum();
    assert_eq!(figures(&client, reference).await[1], total);
    let params = json!({ "testRunDocRef": reference, "testSuiteDocRefs": attached });
    client.ok("DELETE_TEST_SUITES_FROM_RUN", params).await;
    assert_eq!(figures(&client, reference).await, [0, 0, 0, 0]);
    assert_eq!(
        client
            .ok(
                "CHECK_TEST_RUN_EMPTY",
                json!({ "testRunDocRef": reference })
            )
            .await,
        json!(true)
    );
    assert_eq!(
        at(
            &listed(&client, reference).await,
            "document.Root.DisplayFields.TestersOfTestCases"
        ),
        &json!([])
    );
}
