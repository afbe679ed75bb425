//! What differs between two looks at a run, field by field.

use serde_json::Value;

/// A field that has another value than before; null is "not said".
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Path of the field in the JSON of a run: `results.failed_new`.
    pub field: String,
    /// Before.
    pub from: Value,
    /// Now.
    pub to: Value,
}

/// The differences between two runs as JSON, in the order of the fields. What is only summed up from others is left out.
pub fn changes(before: &Value, now: &Value) -> Vec<Change> {
    let (old, new) = (leaves(before), leaves(now));
    let fields = old.iter().chain(new.iter().filter(|(field, _)| !old.iter().any(|(known, _)| known == field)));
    let value = |leaves: &[(String, Value)], field: &str| {
        leaves.iter().find(|(known, _)| known == field).map_or(Value::Null, |(_, value)| value.clone())
    };
    let change = |(field, _): &(String, Value)| Change {
        field: field.clone(),
        from: value(&old, field),
        to: value(&new, field),
    };
    fields.map(change).filter(|change| change.from != change.to).collect()
}

/// The values that are no objects, each with its path.
fn leaves(run: &Value) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (name, value) in run.as_object().into_iter().flatten().filter(|(name, _)| *name != "worked_out") {
        if value.is_object() {
            out.extend(leaves(value).into_iter().map(|(path, value)| (format!("{name}.{path}"), value)));
        } else {
            out.push((name.clone(), value.clone()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_named() {
        let before = json!({"a": 1, "results": {"x": 1, "y": 2}, "worked_out": {"total": 3}, "list": [1]});
        let same = json!({"list": [1], "worked_out": {"total": 4}, "results": {"y": 2, "x": 1}, "a": 1});
        assert_eq!(changes(&before, &same), []);
        let now = json!({"a": 2, "results": {"x": 1, "y": 3}, "list": [1, 2]});
        let fields: Vec<String> =
            changes(&before, &now).iter().map(|it| format!("{} {} {}", it.field, it.from, it.to)).collect();
        assert_eq!(fields, ["a 1 2", "results.y 2 3", "list [1] [1,2]"]);
        // No counts any more, and counts again.
        let without = json!({"a": 1, "results": null, "list": [1]});
        let gone = changes(&before, &without);
        assert_eq!((gone.len(), &gone[0].field, &gone[0].to), (2, &"results.x".to_owned(), &Value::Null));
        assert_eq!(changes(&without, &before).len(), 2);
    }
}
