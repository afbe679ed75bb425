//! Whether two readings show one version.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::domain::same_version;

use super::{leaves, run};

/// The same value with the members of every object in reverse.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .rev()
            .map(|(name, value)| (name.clone(), reversed(value)))
            .collect(),
        Value::Array(entries) => entries.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

fn with(document: &Document, change: impl FnOnce(&mut Value)) -> Document {
    let mut envelope = document.raw().clone();
    change(&mut envelope);
    Document::from_value(envelope).unwrap()
}

/// Puts another value at the leaf of this number.
fn changed(value: &mut Value, number: &mut usize) -> bool {
    let below: Vec<&mut Value> = match value {
        Value::Object(members) if !members.is_empty() => members.values_mut().collect(),
        Value::Array(entries) if !entries.is_empty() => entries.iter_mut().collect(),
        leaf if *number == 0 => {
            *leaf = json!([leaf.clone()]);
            return true;
        }
        _ => {
            *number -= 1;
            return false;
        }
    };
    below.into_iter().any(|value| changed(value, number))
}

proptest! {
    #[test]
    fn the_order_of_members_says_nothing(document in run()) {
        let other = Document::from_value(reversed(document.raw())).unwrap();
        prop_assert_eq!(same_version(&document, &other), Ok(()));
    }

    #[test]
    fn every_change_is_seen_and_named(document in run(), at in any::<prop::sample::Index>()) {
        let all = leaves(&document.raw()["document"]);
        let mut number = at.index(all.len());
        let path = all[number].0.trim_start_matches('.').to_owned();
        let other = with(&document, |envelope| assert!(changed(&mut envelope["document"], &mut number)));
        for (one, other) in [(&document, &other), (&other, &document)] {
            let differs = same_version(one, other).unwrap_err();
            prop_assert_eq!(differs.len(), 1);
            prop_assert!(path.starts_with(&differs[0]), "{path} is not below {differs:?}");
        }
    }
}

#[test]
fn time_and_content_each_count() {
    let envelope = |modified: &str, edited: i64, title: Value| {
        let root = json!({ "General": { "Title": title }, "Metadata": { "EditedOn": edited } });
        let envelope = json!({ "docRef": "TestRun-dm/1", "document": { "Root": root }, "__meta": { "modifiedAt": modified } });
        Document::from_value(envelope).unwrap()
    };
    let one = envelope("2026-03-02T09:15:00", 1, json!("a"));
    let differs = |other: &Document| same_version(&one, other).unwrap_err();
    assert_eq!(same_version(&one, &one.clone()), Ok(()));
    assert_eq!(
        differs(&envelope("2026-03-02T09:15:01", 1, json!("a"))),
        ["modifiedAt"]
    );
    assert_eq!(
        differs(&envelope("2026-03-02T09:15:00", 2, json!("a"))),
        ["Root.Metadata.EditedOn"]
    );
    let in_one_second = envelope("2026-03-02T09:15:00", 1, json!("b"));
    assert_eq!(differs(&in_one_second), ["Root.General.Title"]);
    let gone = with(&one, |envelope| envelope["document"] = Value::Null);
    assert_eq!(differs(&gone), ["document"]);
    let foreign = with(&one, |envelope| envelope["docRef"] = json!("TestRun-dm/2"));
    assert_eq!(differs(&foreign), ["docRef"]);
}
