//! Two JSON documents, by field path.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::super::{Document, ResultCode, number_text};
use super::{Ignored, cut, number};

/// The member that an entry of an array is known by: that of `Root.DisplayFields.Result` (2.2).
const KEY: &str = "result";

/// One field that differs. Null is as good as no member: neither says anything.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Where, such as `Root.General.Title` or `Root.DisplayFields.Result[5].count`.
    pub path: String,
    /// `None` where there was nothing.
    pub before: Option<Value>,
    /// `None` where there is nothing any more.
    pub after: Option<Value>,
}

/// What differs between two documents (2.1), in the order of paths. Paths start inside of `document`, as those of
/// filters do; the other members of the envelope stand under their own names, such as `__meta.modifiedAt`.
pub fn documents(before: &Document, after: &Document, ignored: &Ignored) -> Vec<FieldChange> {
    let inside = |document: &Document| document.raw().get("document").cloned().unwrap_or_default();
    let mut changes = values(&inside(before), &inside(after), ignored);
    let envelope = |document: &Document| {
        let mut members = document.raw().as_object().cloned().unwrap_or_default();
        members.remove("document");
        Value::Object(members)
    };
    changes.extend(values(&envelope(before), &envelope(after), ignored));
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

/// What differs between two values, in the order of paths. Objects are compared by member, arrays of objects that have
/// a `result` each by that, all other arrays as one value.
pub fn values(before: &Value, after: &Value, ignored: &Ignored) -> Vec<FieldChange> {
    let mut comparison = Comparison { ignored, changes: Vec::new() };
    comparison.compare(String::new(), Some(before), Some(after), None);
    comparison.changes.sort_by(|a, b| a.path.cmp(&b.path));
    comparison.changes
}

struct Comparison<'a> {
    ignored: &'a Ignored,
    changes: Vec<FieldChange>,
}

impl Comparison<'_> {
    /// `skipped` is the member by which the two were found to belong together.
    fn compare(&mut self, path: String, before: Option<&Value>, after: Option<&Value>, skipped: Option<&str>) {
        let (before, after) = (told(before), told(after));
        if self.ignored.covers(&path) {
            return;
        }
        match (before, after) {
            (None, None) => {}
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for name in names.into_iter().filter(|name| Some(name.as_str()) != skipped) {
                    let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.compare(below, a.get(name), b.get(name), None);
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => match (by_key(a), by_key(b)) {
                (Some(a), Some(b)) => {
                    for key in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                        let below = format!("{path}[{key}]");
                        self.compare(below, a.get(key).copied(), b.get(key).copied(), Some(KEY));
                    }
                }
                _ if a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)) => {}
                _ => self.changes.push(FieldChange { path, before: before.cloned(), after: after.cloned() }),
            },
            (Some(Value::Number(a)), Some(Value::Number(b))) if number::same(a, b) => {}
            (a, b) if a == b => {}
            _ => self.changes.push(FieldChange { path, before: before.cloned(), after: after.cloned() }),
        }
    }
}

fn same(a: &Value, b: &Value) -> bool {
    values(a, b, &Ignored::new([""; 0])).is_empty()
}

fn told(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

/// The entries by their key; nothing if one has none or shares it with another.
fn by_key(entries: &[Value]) -> Option<BTreeMap<String, &Value>> {
    let mut found = BTreeMap::new();
    for entry in entries {
        if found.insert(key_of(entry)?, entry).is_some() {
            return None;
        }
    }
    Some(found)
}

/// A code may come as a text or as a number.
fn key_of(entry: &Value) -> Option<String> {
    match entry.get(KEY)? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number_text(number)),
        _ => None,
    }
}

impl fmt::Display for FieldChange {
    /// Such as `Title "FF matrix" → "Browser matrix"` or `Failed (new) 20 → 21`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} → {}", name(&self.path), shown(self.before.as_ref()), shown(self.after.as_ref()))
    }
}

/// What a person calls the field: the label of a result code, the last name of a path below `Root.General`, else the
/// path without `Root`.
fn name(path: &str) -> String {
    if let Some((_, rest)) = path.split_once(".Result[")
        && let Some((code, member)) = rest.split_once(']')
        && matches!(member, "" | ".count")
    {
        return ResultCode::parse(code).map_or_else(|| format!("code {code}"), |code| code.label().to_owned());
    }
    let general = path.strip_prefix("Root.General.").filter(|name| !name.contains('.'));
    general.or_else(|| path.strip_prefix("Root.")).unwrap_or(path).to_owned()
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => format!("\"{}\"", cut(text)),
        Some(Value::Object(members)) if let (Some(_), Some(count)) = (members.get(KEY), members.get("count")) => {
            count.to_string()
        }
        Some(Value::Array(entries)) if entries.iter().any(|entry| entry.is_object() || entry.is_array()) => {
            format!("{} entries", entries.len())
        }
        Some(Value::Object(members)) => format!("{} members", members.len()),
        Some(other) => cut(&other.to_string()),
    }
}
