//! What changed: golden words, and what order must never do.

mod order;

use crate::support::prelude::*;
use rundown::domain::diff::{Change, Ignored, edited_by, run};

fn listed() -> Value {
    let text = std::fs::read_to_string(format!(
        "{}/tests/fixtures/list_test_runs.response.json",
        env!("CARGO_MANIFEST_DIR")
    ));
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
        {"label": "Failed (new)", "result": "5", "count": 21}, {"result": "1", "count": 35, "label": "Untested"},
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
fn what_no_row_shows_is_told_by_its_name_alone() {
    let (before, _) = before_and_after();
    let mut after = before.clone();
    after["document"]["Root"]["General"]["Description"] = json!("other words");
    after["document"]["Root"]["Attachments"] = json!([{"FileName": "a.png"}]);
    let told = |ignored: &Ignored| words(&run(&row(&before), &row(&after), ignored));
    assert_eq!(
        told(&Ignored::default()),
        ["Attachments changed", "Description changed"]
    );
    assert_eq!(
        told(&Ignored::new(["Root.Attachments"])),
        ["Description changed"]
    );
    // Operations need not bring the same fields.
    after["document"]["Root"]
        .as_object_mut()
        .unwrap()
        .remove("Attachments");
    after["document"]["Root"]["General"]["Zone"] = json!({"b": [1, {"c": null}]});
    assert_eq!(
        words(&run(&row(&before), &row(&after), &Ignored::default())),
        ["Description changed"]
    );
}

#[test]
fn what_says_nothing_is_no_change() {
    let of = |zone: Value| {
        row(&json!({"docRef": "TestRun-dm/7", "document": {"Root": {"General": {"Zone": zone}}}}))
    };
    for (a, b) in [
        (json!({"a": null}), json!({})),
        (
            json!({"a": 1, "b": [1.0, {"x": null}]}),
            json!({"b": [1, {}], "a": 1.0}),
        ),
        (json!(100), json!(1E2)),
    ] {
        assert_eq!(
            run(&of(a.clone()), &of(b.clone()), &Ignored::new([""; 0])),
            [],
            "{a} {b}"
        );
    }
    assert_eq!(
        words(&run(
            &of(json!(["a", "b"])),
            &of(json!(["b", "a"])),
            &Ignored::default()
        )),
        ["Zone changed"]
    );
    assert_eq!(
        words(&run(&of(json!("1")), &of(json!(1)), &Ignored::default())),
        ["Zone changed"]
    );
}

#[test]
fn a_count_that_could_not_be_read_is_not_none() {
    let (mut before, _) = before_and_after();
    let mut after = before.clone();
    after["document"]["Root"]["DisplayFields"]["Result"][1]["count"] = json!(null);
    assert_eq!(
        words(&run(&row(&before), &row(&after), &Ignored::default())),
        [""; 0]
    );
    before["document"]["Root"]["DisplayFields"]["Result"][1]["result"] = json!(null);
    assert_eq!(
        words(&run(&row(&before), &row(&after), &Ignored::default())),
        [""; 0]
    );
}

#[test]
fn a_run_differs_by_result_code_and_field() {
    let (before, after) = before_and_after();
    let (mut a, mut b) = (row(&before), row(&after));
    (a.progress, b.progress) = (Some(18), Some(19));
    (a.testers, b.testers) = (
        vec!["lan".into(), "mai".into()],
        vec!["mai".into(), "trung".into()],
    );
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
    let title = Ignored::new([
        "Root.DisplayFields.*",
        "Root.General.Status",
        "Root.General.TestSuiteCount",
        "Root.Metadata",
    ]);
    assert_eq!(
        words(&run(&a, &b, &title)),
        [
            "Progress 18 → 19",
            "Title \"FF matrix\" → \"Browser matrix\""
        ]
    );
    let all = words(&run(&a, &b, &Ignored::new([""; 0])));
    assert!(
        all.iter()
            .any(|line| line == "Edited by \"grace\" → \"mai\""),
        "{all:?}"
    );
}

#[test]
fn each_field_of_a_row_is_told_by_its_name() {
    let of = |path: &str, value: Option<&str>| {
        let mut raw = before_and_after().0;
        *raw.pointer_mut(path).unwrap() = value.into();
        row(&raw)
    };
    for (field, path) in [
        ("Title", "General/Title"),
        ("Configuration", "General/Configuration"),
        ("Version", "General/ProjectVersionNumber"),
        ("Project", "General/ProjectId"),
        ("Sub project", "General/SubprojectId"),
        ("Id", "General/Id"),
        ("Edited by", "Metadata/EditedBy"),
        ("Edited", "Metadata/DisplayEditedOn"),
        ("Cases with tester", "DisplayFields/TestCasesWithTester"),
    ] {
        let path = format!("/document/Root/{path}");
        let changes = run(
            &of(&path, Some("a")),
            &of(&path, Some("b")),
            &Ignored::new([""; 0]),
        );
        assert_eq!(words(&changes), [format!("{field} \"a\" → \"b\"")]);
        // A number that comes as text is told as one.
        let changes = run(
            &of(&path, Some("69")),
            &of(&path, Some("70")),
            &Ignored::new([""; 0]),
        );
        assert_eq!(words(&changes), [format!("{field} 69 → 70")]);
    }
}

#[test]
fn who_edited_is_told_even_if_the_same_person_edited_before() {
    let of = |by: Option<&str>, on: Option<i64>| RunRow {
        edited_by: by.map(str::to_owned),
        edited_on: on,
        ..row(&listed())
    };
    let before = of(Some("mai"), Some(1));
    for (by, on, told) in [
        (Some("mai"), Some(2), Some("mai")),
        (Some("lan"), Some(2), Some("lan")),
        (Some("lan"), Some(1), Some("lan")),
        (Some("mai"), Some(1), None),
        (None, Some(2), None),
    ] {
        assert_eq!(edited_by(&before, &of(by, on)), told, "{by:?} {on:?}");
    }
}

#[test]
fn every_change_of_the_status_is_told_and_can_be_ignored() {
    let of = |status: Value| {
        row(
            &json!({"docRef": "TestRun-dm/7", "document": {"Root": {"General": {"Status": status}}}}),
        )
    };
    for (before, after, told) in [
        (json!("active"), json!("inactive"), "closed"),
        (json!("inactive"), json!("active"), "reopened"),
        (
            json!("active"),
            json!("archived"),
            "Status \"active\" → \"archived\"",
        ),
        (
            json!("archived"),
            json!("inactive"),
            "Status \"archived\" → \"inactive\"",
        ),
        (
            json!("archived"),
            json!("frozen"),
            "Status \"archived\" → \"frozen\"",
        ),
        (json!("archived"), Value::Null, "Status \"archived\" → none"),
        (Value::Null, json!("active"), "Status none → \"active\""),
    ] {
        let changes = |ignored| run(&of(before.clone()), &of(after.clone()), &ignored);
        let same = run(
            &of(after.clone()),
            &of(after.clone()),
            &Ignored::new([""; 0]),
        );
        assert_eq!(words(&changes(Ignored::new(["Root.Metadata"]))), [told]);
        assert_eq!(
            words(&changes(Ignored::new(["Root.General.Status"]))),
            [""; 0]
        );
        assert_eq!(same, []);
    }
}

#[test]
fn a_tester_that_only_came_or_only_went_is_told() {
    let of = |testers: &[&str]| {
        row(&before_and_after().0)
            .with(|it| it.testers = testers.iter().map(ToString::to_string).collect())
    };
    for (before, after, told) in [
        (&["lan"][..], &["lan", "mai"][..], "Testers +mai"),
        (&["mai", "lan"], &["lan"], "Testers -mai"),
    ] {
        let changes = run(&of(before), &of(after), &Ignored::default());
        assert_eq!(words(&changes), [told]);
    }
}

#[test]
fn counts_that_one_side_does_not_tell_are_no_change() {
    let (before, _) = before_and_after();
    let known = row(&before);
    let mut bare = known.clone();
    (
        bare.results,
        bare.suite_count,
        bare.progress,
        bare.cases_with_tester,
    ) = (None, None, None, None);
    bare.testers.clear();
    bare.title = None;
    assert_eq!(
        words(&run(&known, &bare, &Ignored::default())),
        ["Title \"FF matrix\" → none"]
    );
    assert_eq!(
        words(&run(&bare, &known, &Ignored::default())),
        ["Title none → \"FF matrix\""]
    );
}

#[test]
fn of_many_testers_only_those_are_kept_that_words_have_room_for() {
    let with = |names: std::ops::Range<usize>| {
        let mut raw = listed();
        let names: Vec<String> = names.map(|at| format!("tester {at:05}")).collect();
        raw["document"]["Root"]["DisplayFields"]["TestersOfTestCases"] = json!(names);
        row(&raw)
    };
    let changes = run(&with(0..60_000), &with(30_000..90_000), &Ignored::default());
    let [Change::Testers { added: came, gone }] = changes.as_slice() else {
        panic!("{changes:?}")
    };
    assert_eq!((came.len(), gone.len()), (60, 60));
    assert!(came[0] == "tester 60000" && gone[0] == "tester 00000");
}
