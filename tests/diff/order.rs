//! Any run in any order.

use proptest::prelude::*;
use rundown::domain::diff::{Change, Ignored, run};
use serde_json::{Map, Value, json};

use super::row;

/// Any JSON below a field that no row shows.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-30_i64..30).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-d]", inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

/// A run as `LIST_TEST_RUNS` brings it (2.1, 2.2).
fn any_run() -> impl Strategy<Value = Value> {
    let counts = prop::collection::btree_map(1_u8..14, 0_u64..4, 0..6);
    let testers = prop::collection::btree_set("[a-d]", 0..4);
    let fields = ("[a-b]{0,1}", 0_i64..3, any::<bool>(), 0_i64..3);
    let others = prop::collection::btree_map("Zone|Mood|Description", any_json(), 0..3);
    (counts, testers, fields, others, any_json()).prop_map(
        |(counts, testers, fields, others, attachments)| {
            let (title, suites, active, edited) = fields;
            let mut general = json!({
                "Id": "R_7", "Title": title, "TestSuiteCount": suites, "Progress": suites,
                "Status": if active { "active" } else { "inactive" }
            });
            for (name, value) in others {
                general[name] = value;
            }
            let results: Vec<Value> = counts
            .into_iter()
            .map(|(code, count)| json!({"result": code.to_string(), "count": count, "label": "x"}))
            .collect();
            json!({"docRef": "TestRun-dm/7", "document": {"Root": {
                "General": general,
                "Metadata": {"EditedOn": edited, "EditedBy": format!("user {edited}")},
                "Attachments": [attachments],
                "DisplayFields": {"Result": results, "TestersOfTestCases": testers},
            }}})
        },
    )
}

/// The same in another order: members of objects turned round, and entries of arrays that are sets.
fn reordered(value: &Value, set: bool) -> Value {
    match value {
        Value::Object(members) => {
            let turned = members.iter().rev().map(|(name, it)| {
                let set = matches!(name.as_str(), "Result" | "TestersOfTestCases");
                (name.clone(), reordered(it, set))
            });
            turned.collect::<Map<_, _>>().into()
        }
        Value::Array(entries) => {
            let entries = entries.iter().map(|entry| reordered(entry, false));
            if set {
                entries.rev().collect()
            } else {
                entries.collect()
            }
        }
        other => other.clone(),
    }
}

fn turned(change: &Change) -> Change {
    let mut turned = change.clone();
    match &mut turned {
        Change::Count { before, after, .. } => std::mem::swap(before, after),
        Change::Suites { before, after } | Change::Progress { before, after } => {
            std::mem::swap(before, after);
        }
        Change::Testers { added: came, gone } => std::mem::swap(came, gone),
        Change::Text { before, after, .. } => std::mem::swap(before, after),
        Change::Other { .. } => {}
        Change::Closed => turned = Change::Reopened,
        Change::Reopened => turned = Change::Closed,
    }
    turned
}

proptest! {
    #[test]
    fn the_order_of_members_and_entries_is_nothing(a in any_run(), b in any_run()) {
        let ignored = Ignored::new([""; 0]);
        prop_assert_eq!(run(&row(&a), &row(&reordered(&a, false)), &ignored), vec![]);
        prop_assert_eq!(run(&row(&a), &row(&b), &ignored), run(&row(&reordered(&a, false)), &row(&reordered(&b, false)), &ignored));
    }

    #[test]
    fn the_other_way_round_is_the_same_with_sides_exchanged(a in any_run(), b in any_run()) {
        let there = run(&row(&a), &row(&b), &Ignored::default());
        let back = run(&row(&b), &row(&a), &Ignored::default());
        prop_assert_eq!(there, back.iter().map(turned).collect::<Vec<_>>());
    }

    #[test]
    fn a_field_that_no_row_shows_is_told(a in any_json(), b in any_json()) {
        let of = |value: &Value| json!({"docRef": "TestRun-dm/7", "document": {"Root": {"General": {"Zone": value}}}});
        let told = run(&row(&of(&a)), &row(&of(&b)), &Ignored::default());
        let same = bare(&a) == bare(&b) || a.is_null() || b.is_null();
        let changed = Change::Other { path: "Root.General.Zone".into() };
        prop_assert_eq!(told, if same { vec![] } else { vec![changed] });
    }
}

/// Null members say nothing.
fn bare(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(_, it)| !it.is_null())
            .map(|(name, it)| (name.clone(), bare(it)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(entries) => entries.iter().map(bare).collect(),
        other => other.clone(),
    }
}
