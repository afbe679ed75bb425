//! Changes of a run between two readings, as JSON and in words.

use super::prelude::*;
use crate::domain::ResultCounts;
use crate::domain::diff::{self, Change, Ignored};

/// A change in both forms.
#[derive(Debug)]
pub struct WordedChange {
    /// Path of the field in the JSON of a run, with both values.
    pub json: Value,
    /// Words as on the screen: `Failed (new) 20 → 21`.
    pub words: String,
}

/// Changes in the order of the screen.
pub fn news(
    before: &RunRow,
    now: &RunRow,
    done: &[ResultCode],
    ignored: &Ignored,
) -> Vec<WordedChange> {
    let (old, new) = (json::run(before, done), json::run(now, done));
    let described = |change: Change| {
        let (field, from, to) = match &change {
            Change::Count { code, .. } if ResultCode::parse(code).is_none() => {
                let count = |run: &RunRow| at_unnamed_code(run.results.as_ref()?, code);
                let field = format!("results.others.{code}");
                (field, json!(count(before)), json!(count(now)))
            }
            change => {
                let field = member(change);
                let (from, to) = (at(&old, &field).clone(), at(&new, &field).clone());
                (field, from, to)
            }
        };
        WordedChange {
            json: json!({"field": field, "from": from, "to": to}),
            words: change.to_string(),
        }
    };
    diff::run(before, now, ignored)
        .into_iter()
        .map(described)
        .collect()
}

/// Path of the change in the JSON of a run.
fn member(change: &Change) -> String {
    let path = change.path();
    match change {
        Change::Count { code, .. } => {
            let name = ResultCode::parse(code).map_or(code.as_str(), |code| code.name());
            format!("results.{name}")
        }
        Change::Other { path } => path.clone(),
        _ => fields::of_path(path)
            .map_or(path, |field| field.name)
            .into(),
    }
}

/// Member of the JSON of a run; null if it has none, as for a field whose values are unknown.
fn at<'a>(run: &'a Value, field: &str) -> &'a Value {
    field.split('.').fold(run, |value, name| &value[name])
}

/// Number of test cases at an unknown code, if the service lists it.
fn at_unnamed_code(counts: &ResultCounts, code: &str) -> Option<u64> {
    let listed = counts
        .others
        .iter()
        .filter(|(other, ..)| other == code)
        .map(|(.., count)| *count);
    listed.reduce(u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Document, RunRow, diff::Ignored};
    use serde_json::Map;

    fn run(general: &Value, results: &Value, edited: &str) -> RunRow {
        let root = json!({"General": general, "Metadata": {"EditedBy": edited, "DisplayEditedOn": edited},
            "DisplayFields": {"Result": results, "TestCasesWithTester": edited, "TestersOfTestCases": [edited]}});
        let raw = json!({"docRef": "TestRun-dm/4", "document": {"Root": root}});
        RunRow::from_document(&Document::from_value(raw).unwrap())
    }

    /// Each field of a change is a member of a snapshot, with the same values.
    #[test]
    fn changes_speak_of_the_members_of_a_snapshot() {
        let general = |n: u8| {
            json!({"Title": n.to_string(), "Id": n.to_string(), "Configuration": n.to_string(), "ProjectId": n.to_string(),
                "SubprojectId": n.to_string(), "ProjectVersionNumber": n.to_string(), "Progress": n, "TestSuiteCount": n,
                "Status": if n == 1 { "active" } else { "inactive" }})
        };
        let counts = |n: u8| {
            // At first the service does not list one of the codes.
            let listed = ResultCode::ALL
                .iter()
                .filter(|code| n > 1 || **code != ResultCode::Retest);
            Value::Array(
                listed
                    .map(|code| json!({"result": code.number().to_string(), "count": n}))
                    .collect(),
            )
        };
        let (before, now) = (
            run(&general(1), &counts(1), "ada"),
            run(&general(2), &counts(2), "grace"),
        );
        let all = news(&before, &now, &[], &Ignored::new([""; 0]));
        let (old, new) = (json::run(&before, &[]), json::run(&now, &[]));
        let mut named = Map::new();
        for it in &all {
            let field = it.json["field"].as_str().unwrap();
            assert_eq!(
                (&it.json["from"], &it.json["to"]),
                (at(&old, field), at(&new, field)),
                "{field}"
            );
            named.insert(field.to_owned(), Value::Null);
        }
        let described =
            old.as_object().unwrap().keys().filter(|name| {
                !["ref", "worked_out", "results", "edited_on"].contains(&name.as_str())
            });
        for member in described {
            assert!(named.contains_key(member), "{member} changes in silence");
        }
        assert_eq!(named.len(), all.len());
        assert!(
            all.iter().any(|it| it.words == "Failed (new) 1 → 2"),
            "{all:?}"
        );
    }

    #[test]
    fn codes_of_others_have_a_field_of_their_own() {
        let of = |n: u8| {
            run(
                &json!({}),
                &json!([{"result": "99", "label": "Odd", "count": n}]),
                "ada",
            )
        };
        let all = news(&of(1), &of(2), &[], &Ignored::default());
        assert_eq!(
            all[0].json,
            json!({"field": "results.others.99", "from": 1, "to": 2})
        );
        let none = run(&json!({}), &json!([]), "ada");
        assert_eq!(
            news(&none, &of(1), &[], &Ignored::default())[0].json["from"],
            Value::Null
        );
        assert_eq!(
            news(&of(1), &none, &[], &Ignored::default())[0].json["to"],
            Value::Null
        );
    }
}
