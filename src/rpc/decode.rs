//! Converts results that several operations share into domain values (interface sections 2 and 4.2); other results are
//! read beside their call. An error names its path; a list is complete or an error.

use serde_json::Value;

use super::bounds::most_entries;
use crate::domain::fields::{Field, RESULTS, TESTERS};
use crate::domain::{Document, ListPage, ShapeError, excerpt};

/// Most entries read of a field. There are eleven result codes; testers are people.
const MOST: [(&Field, usize); 2] = [(&RESULTS, 256), (&TESTERS, 10_000)];

/// An error in a result, beginning with the path.
pub type Fault = String;

/// Reads `true` or `false`.
pub fn boolean(result: &Value) -> Result<bool, Fault> {
    result
        .as_bool()
        .ok_or_else(|| unfit("result", "true or false", result))
}

/// Reads a list for which `limit` entries were requested.
pub fn list(path: &str, mut value: Value, limit: u32) -> Result<ListPage, Fault> {
    let Some(members) = value.as_object_mut() else {
        return Err(unfit(path, "an object", &value));
    };
    let at = |name: &str| format!("{path}.{name}");
    let full_size = members
        .get("fullSize")
        .ok_or_else(|| missing(&at("fullSize")))?;
    let full_size = full_size
        .as_u64()
        .filter(|size| i64::try_from(*size).is_ok())
        .ok_or_else(|| unfit(&at("fullSize"), "a whole number from 0", full_size))?;
    let entries = match members.remove("entries") {
        Some(Value::Array(entries)) => entries,
        Some(other) => return Err(unfit(&at("entries"), "an array", &other)),
        None => return Err(missing(&at("entries"))),
    };
    within(&at("entries"), entries.len(), most_entries(limit))?;
    let entries = (0..).zip(entries);
    let entries = entries
        .map(|(place, entry)| document(&at(&format!("entries[{place}]")), entry))
        .collect::<Result<_, _>>()?;
    Ok(ListPage {
        full_size,
        rows: entries,
        facets: None,
        operation: None,
    })
}

/// Reads the envelope of section 2.1.
pub fn document(path: &str, value: Value) -> Result<Document, Fault> {
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

pub fn missing(path: &str) -> Fault {
    format!("{path} is missing")
}

pub fn unfit(path: &str, expected: &str, got: &Value) -> Fault {
    let got = match got {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => excerpt(&other.to_string(), 40),
    };
    format!("{path}: expected {expected}, got {got}")
}
