//! Any data in any order.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rundown::model::RunRow;
use rundown::model::diff::{Change, FieldChange, Ignored, News, RunNews, lists, values};
use serde_json::{Map, Value, json};

use crate::row;

/// Any JSON, with arrays that have keys in it.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-30_i64..30).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let keyed =
            prop::collection::btree_map("[1-4]", prop::collection::btree_map("[a-c]", inner.clone(), 0..3), 0..4);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-d]", inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<Map<_, _>>().into()),
            keyed.prop_map(|entries| {
                let entry = |(key, members): (String, BTreeMap<String, Value>)| {
                    let mut entry: Map<String, Value> = members.into_iter().collect();
                    entry.insert("result".into(), key.into());
                    Value::from(entry)
                };
                entries.into_iter().map(entry).collect()
            }),
        ]
    })
}

/// The same in another order: members of objects turned round, entries that have a key too.
fn reordered(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().rev().map(|(name, it)| (name.clone(), reordered(it))).collect::<Map<_, _>>().into()
        }
        Value::Array(entries) => {
            let keyed = entries.iter().all(|entry| entry.get("result").is_some_and(Value::is_string));
            let entries = entries.iter().map(reordered);
            if keyed { entries.rev().collect() } else { entries.collect() }
        }
        other => other.clone(),
    }
}

fn any_row() -> impl Strategy<Value = RunRow> {
    let fields = (0_u32..6, "[a-b]{0,1}", prop::option::of(0_u64..4), 0_i64..3, any::<bool>(), 0_i64..3);
    fields.prop_map(|(number, title, failed, suites, active, edited)| {
        let mut raw = json!({"docRef": format!("TestRun-dm/{number}"), "document": {"Root": {
            "General": {"Title": title, "TestSuiteCount": suites, "Status": if active { "active" } else { "inactive" }},
            "Metadata": {"EditedOn": edited, "EditedBy": format!("user {edited}")},
        }}});
        if let Some(failed) = failed {
            raw["document"]["Root"]["DisplayFields"]["Result"] = json!([{"result": "5", "count": failed}]);
        }
        row(&raw)
    })
}

/// Rows of different runs.
fn any_list() -> impl Strategy<Value = Vec<RunRow>> {
    prop::collection::vec(any_row(), 0..6).prop_map(|mut rows| {
        rows.sort_by(|a, b| a.doc_ref.cmp(&b.doc_ref));
        rows.dedup_by(|a, b| a.doc_ref == b.doc_ref);
        rows
    })
}

fn turned(change: &Change) -> Change {
    let mut turned = change.clone();
    match &mut turned {
        Change::Count { before, after, .. } => std::mem::swap(before, after),
        Change::Suites { before, after } | Change::Progress { before, after } => std::mem::swap(before, after),
        Change::Testers { came, gone } => std::mem::swap(came, gone),
        Change::Text { before, after, .. } => std::mem::swap(before, after),
        Change::Closed => turned = Change::Reopened,
        Change::Reopened => turned = Change::Closed,
    }
    turned
}

proptest! {
    #[test]
    fn the_order_of_members_and_entries_is_nothing(value in any_json()) {
        let ignored = Ignored::new([""; 0]);
        prop_assert_eq!(values(&value, &value, &ignored), vec![]);
        prop_assert_eq!(values(&value, &reordered(&value), &ignored), vec![]);
    }

    #[test]
    fn the_other_way_round_is_the_same_with_sides_exchanged(a in any_json(), b in any_json()) {
        let there = values(&a, &b, &Ignored::default());
        let back = values(&b, &a, &Ignored::default());
        let back: Vec<FieldChange> = back.into_iter().map(|it| FieldChange { path: it.path, before: it.after, after: it.before }).collect();
        prop_assert_eq!(&there, &back);
        prop_assert_eq!(there.is_empty(), values(&reordered(&a), &b, &Ignored::default()).is_empty());
    }

    #[test]
    fn the_order_of_runs_and_the_cut_of_pages_are_nothing(list in any_list(), other in any_list(), seed in any::<u64>(), overlap in 0_usize..3) {
        let ignored = Ignored::default();
        let mut shuffled = list.clone();
        let length = list.len();
        shuffled.rotate_left(if list.is_empty() { 0 } else { seed as usize % length });
        shuffled.reverse();
        prop_assert_eq!(lists(&list, &shuffled, &ignored), vec![]);
        // The last rows of a page come again at the top of the next one.
        let repeated: Vec<RunRow> = shuffled.iter().chain(shuffled.iter().take(overlap)).cloned().collect();
        prop_assert_eq!(lists(&repeated, &list, &ignored), vec![]);
        prop_assert_eq!(lists(&list, &other, &ignored), lists(&repeated, other.iter().rev(), &ignored));
    }

    #[test]
    fn lists_the_other_way_round(list in any_list(), other in any_list()) {
        let ignored = Ignored::default();
        let (there, back) = (lists(&list, &other, &ignored), lists(&other, &list, &ignored));
        prop_assert_eq!(there.len(), back.len());
        for (there, back) in there.iter().zip(&back) {
            prop_assert_eq!(&there.run, &back.run);
            match (&there.news, &back.news) {
                (News::Appeared { .. }, News::Vanished) | (News::Vanished, News::Appeared { .. }) => {}
                (News::Changed { changes, .. }, News::Changed { changes: turned_back, .. }) => {
                    prop_assert_eq!(changes, &turned_back.iter().map(turned).collect::<Vec<_>>());
                }
                (a, b) => prop_assert!(false, "{a:?} {b:?}"),
            }
        }
    }

    #[test]
    fn every_run_is_told_at_most_once(list in any_list(), other in any_list()) {
        let news: Vec<RunNews> = lists(&list, &other, &Ignored::default());
        prop_assert!(news.windows(2).all(|pair| pair[0].run < pair[1].run));
    }
}
