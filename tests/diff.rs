//! What changed: golden words, and what order must never do.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "diff/order.rs"]
mod order;

use rundown::model::diff::{Change, Ignored, News, documents, edited_by, lists, run, values};
use rundown::model::{Document, RunRow};
use serde_json::{Value, json};

fn listed() -> Value {
    let text =
        std::fs::read_to_string(format!("{}/tests/fixtures/list_test_runs.response.json", env!("CARGO_MANIFEST_DIR")));
    serde_json::from_str::<Value>(&text.unwrap()).unwrap()["result"]["result"]["entries"][0].clone()
}

fn document(raw: Value) -> Document {
    Document::from_value(raw).unwrap()
}

fn row(raw: &Value) -> RunRow {
    RunRow::from_document(&document(raw.clone()))
}

fn words<T: std::fmt::Display>(changes: &[T]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

/// The recorded run, and what an afternoon made of it.
fn before_and_after() -> (Value, Value) {
    let mut before = listed();
    before["document"]["Root"]["DisplayFields"]["Result"] = json!([{"result": "1", "count": 36, "label": "Untested"}, {"result": "5", "count": 20, "label": "Failed (new)"}]);
    before["document"]["Root"]["General"]["Title"] = json!("FF matrix");
    before["document"]["Root"]["General"]["TestSuiteCount"] = json!(11);
    before["document"]["Root"]["General"]["Status"] = json!("active");
    let mut after = before.clone();
    after["document"]["Root"]["DisplayFields"]["Result"] = json!([
        {"label": "Failed (new)", "result": "5", "count": 21}, {"result": "1", "count": 35.0, "label": "Untested"},
        {"result": "77", "count": 2, "label": "Odd"}
    ]);
    after["document"]["Root"]["General"]["Title"] = json!("Browser matrix");
    after["document"]["Root"]["General"]["TestSuiteCount"] = json!(12);
    after["document"]["Root"]["General"]["Status"] = json!("inactive");
    after["document"]["Root"]["General"]["Zone"] = json!({"b": [1, {"c": null}]});
    after["document"]["Root"]["Metadata"]["EditedBy"] = json!("mai");
    after["document"]["Root"]["Metadata"]["EditedOn"] = json!(1_731_900_000_000_i64);
    after["__meta"]["modifiedAt"] = json!("2024-11-18T09:41:12");
    (before, after)
}

#[test]
fn documents_differ_by_field_path() {
    let (before, after) = before_and_after();
    let (a, b) = (document(before), document(after));
    let changes = documents(&a, &b, &Ignored::default());
    assert_eq!(
        changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(),
        [
            "Root.DisplayFields.Result[1].count",
            "Root.DisplayFields.Result[5].count",
            "Root.DisplayFields.Result[77]",
            "Root.General.Status",
            "Root.General.TestSuiteCount",
            "Root.General.Title",
            "Root.General.Zone",
        ]
    );
    assert_eq!(
        words(&changes),
        [
            "Untested 36 → 35.0",
            "Failed (new) 20 → 21",
            "code 77 none → 2",
            "Status \"active\" → \"inactive\"",
            "TestSuiteCount 11 → 12",
            "Title \"FF matrix\" → \"Browser matrix\"",
            "Zone none → 1 members",
        ]
    );
    let all = documents(&a, &b, &Ignored::new([""; 0]));
    let more: Vec<&str> = all.iter().filter(|change| !changes.contains(change)).map(|it| it.path.as_str()).collect();
    assert_eq!(more, ["Root.Metadata.EditedBy", "Root.Metadata.EditedOn", "__meta.modifiedAt"]);
    let only =
        documents(&a, &b, &Ignored::new(["Root.DisplayFields", "Root.Metadata.*", "__meta.*", "Root.General.Zone"]));
    assert_eq!(only.len(), 3);
}

#[test]
fn what_says_nothing_is_no_change() {
    for (a, b) in [
        (json!({"a": null}), json!({})),
        (json!({"a": 1, "b": [1.0, {"x": null}]}), json!({"b": [1, {}], "a": 1.0})),
        (
            json!({"r": [{"result": 5, "n": 1}, {"result": "2"}]}),
            json!({"r": [{"result": "2"}, {"n": 1, "result": "5"}]}),
        ),
        (json!({"r": [[{"result": "1"}, {"result": "2"}]]}), json!({"r": [[{"result": "2"}, {"result": "1"}]]})),
    ] {
        assert_eq!(values(&a, &b, &Ignored::new([""; 0])), [], "{a} {b}");
    }
}

#[test]
fn other_arrays_are_values() {
    let differ = |a: Value, b: Value| words(&values(&json!({"x": a}), &json!({"x": b}), &Ignored::default()));
    assert_eq!(differ(json!(["a", "b"]), json!(["b", "a"])), ["x [\"a\",\"b\"] → [\"b\",\"a\"]"]);
    // A key that two entries share is none, and neither is one that an entry lacks.
    let twice = json!([{"result": "1", "count": 1}, {"result": "1", "count": 2}]);
    assert_eq!(differ(twice, json!([])), ["x 2 entries → []"]);
    assert_eq!(differ(json!([{"result": "1"}, {"count": 2}]), json!([{"count": 2}])), ["x 2 entries → 1 entries"]);
    assert_eq!(differ(json!(1), json!({"y": 1})), ["x 1 → 1 members"]);
    assert_eq!(differ(json!("1"), json!(1)), ["x \"1\" → 1"]);
    let digits = "9".repeat(80);
    let long: Value = serde_json::from_str(&digits).unwrap();
    assert_eq!(differ(long, json!(true)), [format!("x {}… → true", "9".repeat(60))]);
}

#[test]
fn a_run_differs_by_result_code_and_field() {
    let (before, after) = before_and_after();
    let (mut a, mut b) = (row(&before), row(&after));
    (a.progress, b.progress) = (Some(18), Some(19));
    (a.testers, b.testers) = (vec!["lan".into(), "mai".into()], vec!["mai".into(), "trung".into()]);
    // A count with a point is none, so the row does not know it.
    b.results.as_mut().unwrap().add(rundown::model::ResultCode::Untested, 35);
    let changes = run(&a, &b, &Ignored::default());
    assert_eq!(
        words(&changes),
        [
            "Untested 36 → 35",
            "Failed (new) 20 → 21",
            "Odd 0 → 2",
            "Suites 11 → 12",
            "Progress 18 → 19",
            "closed",
            "Testers +trung -lan",
            "Title \"FF matrix\" → \"Browser matrix\"",
        ]
    );
    assert_eq!(edited_by(&a, &b), Some("mai"));
    assert_eq!(words(&run(&b, &a, &Ignored::default()))[5], "reopened");
    let title =
        Ignored::new(["Root.DisplayFields.*", "Root.General.Status", "Root.General.TestSuiteCount", "Root.Metadata"]);
    assert_eq!(words(&run(&a, &b, &title)), ["Progress 18 → 19", "Title \"FF matrix\" → \"Browser matrix\""]);
    let all = words(&run(&a, &b, &Ignored::new([""; 0])));
    assert!(all.iter().any(|line| line == "EditedBy \"grace\" → \"mai\""), "{all:?}");
}

#[test]
fn counts_that_one_side_does_not_tell_are_no_change() {
    let (before, _) = before_and_after();
    let known = row(&before);
    let mut bare = known.clone();
    (bare.results, bare.suite_count, bare.progress, bare.cases_with_tester) = (None, None, None, None);
    bare.testers.clear();
    bare.title = None;
    assert_eq!(words(&run(&known, &bare, &Ignored::default())), ["Title \"FF matrix\" → none"]);
    assert_eq!(words(&run(&bare, &known, &Ignored::default())), ["Title none → \"FF matrix\""]);
}

#[test]
fn a_list_tells_what_appeared_vanished_and_changed() {
    let (before, after) = before_and_after();
    let named = |raw: &Value, reference: &str, id: &str| {
        let mut raw = raw.clone();
        raw["docRef"] = json!(reference);
        raw["document"]["Root"]["General"]["Id"] = json!(id);
        row(&raw)
    };
    let old = [
        named(&before, "TestRun-dm/b", "R_2"),
        named(&before, "TestRun-dm/a", "R_1"),
        named(&before, "TestRun-dm/c", "R_3"),
    ];
    let mut title = named(&before, "TestRun-dm/c", "R_3");
    title.title = Some("Other".into());
    (title.edited_by, title.edited_on) = (Some("mai".into()), Some(i64::MAX));
    // The run moved between two pages: the later edit counts.
    let new = [named(&after, "TestRun-dm/d", "R_4"), title, old[2].clone(), old[0].clone()];
    let news = lists(&old, &new, &Ignored::default());
    assert_eq!(
        words(&news),
        ["R_1 vanished", "R_3 Title \"FF matrix\" → \"Other\" (edited by mai)", "R_4 appeared (edited by mai)"]
    );
    assert!(
        matches!(&news[1].news, News::Changed { changes, by: Some(_) } if matches!(changes[0], Change::Text { .. }))
    );
}
