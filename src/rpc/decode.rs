//! Results into domain values (interface sections 2 and 4.2). What does not fit is named by its path; a list is whole
//! or it fails.

use serde_json::Value;

use super::bounds::most_entries;
use crate::domain::fields::{Field, RESULTS, TESTERS};
use crate::domain::{DocRef, Document, Facets, ListPage, ShapeError, TestRunList, excerpt};

/// Entries of a field that are read. Result codes are eleven, and testers are people.
const MOST: [(&Field, usize); 2] = [(&RESULTS, 256), (&TESTERS, 10_000)];

/// What is wrong with a result, beginning with the path.
pub(super) type Fault = String;

/// The envelope of section 2.1.
pub(super) fn document(result: Value) -> Result<Document, Fault> {
    document_at("result", result)
}

/// A list that was asked for `limit` entries.
pub(super) fn list(result: Value, limit: u32) -> Result<ListPage, Fault> {
    list_at("result", result, limit)
}

/// The result of `LIST_TEST_RUNS` that was asked for `limit` entries.
pub(super) fn test_runs(mut result: Value, limit: u32) -> Result<TestRunList, Fault> {
    let Some(members) = result.as_object_mut() else {
        return Err(unfit("result", "an object", &result));
    };
    let facets = facets(members.get("filterItemMap"))?;
    let Some(inner) = members.remove("result") else {
        return Err(missing("result.result"));
    };
    Ok(TestRunList {
        list: list_at("result.result", inner, limit)?,
        facets,
    })
}

/// true or false.
pub(super) fn boolean(result: &Value) -> Result<bool, Fault> {
    result
        .as_bool()
        .ok_or_else(|| unfit("result", "true or false", result))
}

/// The `docRef` of what was created.
pub(super) fn created(result: &Value) -> Result<DocRef, Fault> {
    let Some(members) = result.as_object() else {
        return Err(unfit("result", "an object", result));
    };
    let value = members
        .get("docRef")
        .ok_or_else(|| missing("result.docRef"))?;
    let text = value
        .as_str()
        .ok_or_else(|| unfit("result.docRef", "a string", value))?;
    DocRef::parse(text)
        .map_err(|error| format!("result.docRef: {}", excerpt(&error.to_string(), 200)))
}

/// Link records (2.6).
pub(super) fn links(result: &Value) -> Result<Vec<Value>, Fault> {
    let list = result
        .as_array()
        .ok_or_else(|| unfit("result", "an array", result))?;
    list.iter()
        .enumerate()
        .map(|(at, value)| match value {
            Value::Object(_) => Ok(value.clone()),
            other => Err(unfit(&format!("result[{at}]"), "an object", other)),
        })
        .collect()
}

fn list_at(path: &str, mut value: Value, limit: u32) -> Result<ListPage, Fault> {
    let Some(members) = value.as_object_mut() else {
        return Err(unfit(path, "an object", &value));
    };
    let full_size = members
        .get("fullSize")
        .ok_or_else(|| missing(&format!("{path}.fullSize")))?;
    let full_size = full_size
        .as_u64()
        .filter(|size| i64::try_from(*size).is_ok())
        .ok_or_else(|| {
            unfit(
                &format!("{path}.fullSize"),
                "a whole number from 0",
                full_size,
            )
        })?;
    let entries = match members.remove("entries") {
        Some(Value::Array(entries)) => entries,
        Some(other) => return Err(unfit(&format!("{path}.entries"), "an array", &other)),
        None => return Err(missing(&format!("{path}.entries"))),
    };
    within(
        &format!("{path}.entries"),
        entries.len(),
        most_entries(limit),
    )?;
    let entries = entries
        .into_iter()
        .enumerate()
        .map(|(at, entry)| document_at(&format!("{path}.entries[{at}]"), entry))
        .collect::<Result<_, _>>()?;
    Ok(ListPage { full_size, entries })
}

fn document_at(path: &str, value: Value) -> Result<Document, Fault> {
    let document = Document::from_value(value).map_err(|error| match error {
        ShapeError::NoObject(_) => format!("{path}: {error}"),
        ShapeError::NoDocRef(_) => format!("{path}.docRef: {}", excerpt(&error.to_string(), 300)),
    })?;
    for (field, most) in MOST {
        if let Some(entries) = document.at(field.path).and_then(Value::as_array) {
            within(
                &format!("{path}.document.{}", field.path),
                entries.len(),
                most,
            )?;
        }
    }
    Ok(document)
}

fn within(path: &str, came: usize, most: usize) -> Result<(), Fault> {
    if came > most {
        return Err(format!("{path}: {came} entries; at most {most} are read"));
    }
    Ok(())
}

/// `filterItemMap`; services that have none leave it out.
fn facets(map: Option<&Value>) -> Result<Facets, Fault> {
    let members = match map {
        None | Some(Value::Null) => return Ok(Facets::new()),
        Some(Value::Object(members)) => members,
        Some(other) => return Err(unfit("result.filterItemMap", "an object", other)),
    };
    members
        .iter()
        .map(|(path, values)| match values {
            Value::Array(values) => Ok((path.clone(), values.iter().map(text).collect())),
            Value::Null => Ok((path.clone(), Vec::new())),
            other => Err(unfit(
                &format!("result.filterItemMap[{:?}]", excerpt(path, 60)),
                "an array",
                other,
            )),
        })
        .collect()
}

/// Texts as they are, numbers with every digit, all else as JSON.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn missing(path: &str) -> Fault {
    format!("{path} is missing")
}

fn unfit(path: &str, expected: &str, got: &Value) -> Fault {
    let got = match got {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => excerpt(&other.to_string(), 40),
    };
    format!("{path}: expected {expected}, got {got}")
}
