//! Filters and the text search (4.2), against a choice made here.

use serde_json::{Value, json};

use crate::client::{Client, at, default_client, refs};

fn text<'v>(entry: &'v Value, path: &str) -> &'v str {
    at(&entry["document"], path).as_str().unwrap_or_default()
}

/// What the text search looks at.
fn words(entry: &Value) -> String {
    let fields = [
        "Root.General.Title",
        "Root.General.Id",
        "Root.General.Configuration",
        "Root.General.Description",
        "Root.Metadata.EditedBy",
    ];
    fields
        .map(|path| text(entry, path))
        .join("\n")
        .to_lowercase()
}

async fn check(
    client: &Client,
    all: &[Value],
    filter: Value,
    wanted: impl Fn(&Value) -> bool,
) -> usize {
    let chosen: Vec<Value> = all.iter().filter(|entry| wanted(entry)).cloned().collect();
    for method in ["LIST_TEST_RUNS", "LIST_DOCUMENTS"] {
        let found = client.all(method, json!([]), filter.clone()).await;
        assert_eq!(refs(&found), refs(&chosen), "{method} {filter}");
    }
    chosen.len()
}

#[tokio::test]
async fn filters_match_whole_values() {
    let client = default_client().await;
    let all = client.runs(json!({})).await;
    let some = &all[all.len() / 2];
    let paths = [
        "Root.General.Status",
        "Root.General.ProjectVersionNumber",
        "Root.General.Configuration",
        "Root.Metadata.EditedBy",
        "Root.General.Title",
        "Root.General.Id",
        "Root.General.TechnicalId",
        "Root.General.ProjectId",
        "Root.General.SubprojectId",
        "Root.Metadata.CreatedBy",
        "Root.Metadata.DisplayCreatedOn",
    ];
    for path in paths {
        let value = text(some, path).to_owned();
        let filter = json!({ "filters": [format!("{path}:{value}")] });
        assert!(
            check(&client, &all, filter, |entry| text(entry, path) == value).await > 0,
            "{path}"
        );
    }
    for path in [
        "Root.General.Progress",
        "Root.General.TestSuiteCount",
        "Root.Metadata.EditedOn",
        "Root.Metadata.ClosedOn",
    ] {
        let with = all
            .iter()
            .find(|entry| !at(&entry["document"], path).is_null())
            .unwrap();
        let value = at(&with["document"], path).clone();
        let filter = json!({ "filters": [format!("{path}:{value}")] });
        assert!(
            check(&client, &all, filter, |entry| at(&entry["document"], path)
                == &value)
            .await
                > 0,
            "{path}"
        );
    }
}

#[tokio::test]
async fn values_that_no_run_has_match_nothing() {
    let client = default_client().await;
    for filter in [
        "Root.General.Status:ACTIVE",
        "Root.General.Status:",
        "Root.General.ProjectVersionNumber:9.9.9",
        "Root.General.Id:7",
        "Root.General.Id:R_007",
        "Root.General.Progress:abc",
        "Root.General.Progress:+5",
        "Root.General.ProjectId:P_12",
        "Root.General.SubprojectId:SP_77",
        "Root.General.Title:%",
        "Root.No.Such:1",
        "Root.Metadata.EditedBy:' OR ''='",
    ] {
        let found = client
            .ok(
                "LIST_TEST_RUNS",
                json!({ "filter": { "filters": [filter] } }),
            )
            .await;
        assert_eq!(found["result"]["fullSize"], 0, "{filter}");
        assert_eq!(found["result"]["entries"], json!([]), "{filter}");
    }
}

#[tokio::test]
async fn one_field_twice_is_either_and_two_fields_are_both() {
    let client = default_client().await;
    let all = client.runs(json!({})).await;
    let versions = json!({ "filters": ["Root.General.ProjectVersionNumber:1.1.0", "Root.General.ProjectVersionNumber:1.2.1"] });
    let version = |entry: &Value| text(entry, "Root.General.ProjectVersionNumber").to_owned();
    let some = check(&client, &all, versions, |entry| version(entry) != "1.2.0").await;
    assert!(some > 0 && some < all.len());
    let both = json!({ "filters": [
        "Root.General.ProjectVersionNumber:1.1.0", "Root.General.Status:inactive", "Root.General.ProjectVersionNumber:1.2.1"
    ]});
    let closed = |entry: &Value| text(entry, "Root.General.Status") == "inactive";
    let fewer = check(&client, &all, both, |entry| {
        version(entry) != "1.2.0" && closed(entry)
    })
    .await;
    assert!(fewer > 0 && fewer < some);
}

#[tokio::test]
async fn fulltext_needs_every_word_in_any_case_and_alphabet() {
    let client = default_client().await;
    let all = client.runs(json!({})).await;
    for search in [
        "ÜBER",
        "checkout",
        "CHECKOUT regress",
        "日本",
        "اختبار",
        "🚀",
        "chrome 1.2",
        "r_12",
        "ß",
        "anna",
        "a",
        "100%",
        "_",
        "'",
    ] {
        let terms: Vec<String> = search
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        check(
            &client,
            &all,
            json!({ "fulltext": search, "lang": "en" }),
            |entry| terms.iter().all(|term| words(entry).contains(term)),
        )
        .await;
    }
    let found = check(&client, &all, json!({ "fulltext": "über" }), |entry| {
        words(entry).contains("über")
    })
    .await;
    assert!(found > 0, "the made data has umlauts to find");
    assert_eq!(
        check(&client, &all, json!({ "fulltext": "  " }), |_| true).await,
        all.len()
    );
}

#[tokio::test]
async fn search_filter_and_sort_go_together() {
    let client = default_client().await;
    let sort = json!([{ "order": "Root.General.Title DESC" }]);
    let all = client.all("LIST_TEST_RUNS", sort.clone(), json!({})).await;
    let active = |entry: &Value| text(entry, "Root.General.Status") == "active";
    let model = all.iter().find(|entry| active(entry)).unwrap();
    let configuration = text(model, "Root.General.Configuration");
    let word = text(model, "Root.General.Title")
        .split_whitespace()
        .next()
        .unwrap()
        .to_uppercase();
    let filters = [
        "Root.General.Status:active".to_owned(),
        format!("Root.General.Configuration:{configuration}"),
    ];
    let filter = json!({ "fulltext": word, "filters": filters });
    let found = client.all("LIST_TEST_RUNS", sort, filter).await;
    let wanted: Vec<Value> = all
        .iter()
        .filter(|entry| {
            active(entry)
                && text(entry, "Root.General.Configuration") == configuration
                && words(entry).contains(&word.to_lowercase())
        })
        .cloned()
        .collect();
    assert!(!wanted.is_empty());
    assert_eq!(refs(&found), refs(&wanted));
}
