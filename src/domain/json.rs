//! Data as JSON; `docs/schema` describes it.

use jiff::Timestamp;

use super::SuiteRow;
use super::prelude::*;

/// Version of all printed JSON: raised when a member is removed or changes its meaning.
pub const SCHEMA: u32 = 2;

/// Returns a JSON object with version and type in front.
pub fn object(kind: &str, members: Value) -> Map<String, Value> {
    let mut out = Map::from_iter([
        ("schema".to_owned(), json!(SCHEMA)),
        ("type".to_owned(), json!(kind)),
    ]);
    if let Value::Object(members) = members {
        out.extend(members);
    }
    out
}

/// Returns the text of an object, over several lines or on one.
pub fn text(object: &Map<String, Value>, one_line: bool) -> String {
    let text = if one_line {
        serde_json::to_string(object)
    } else {
        serde_json::to_string_pretty(object)
    };
    // A map of JSON values always serializes.
    text::json(&text.unwrap_or_default()).into_owned() + "\n"
}

/// Returns a JSON object over several lines.
pub fn pretty(kind: &str, members: Value) -> String {
    text(&object(kind, members), false)
}

/// Returns a JSON object on one line.
pub fn line(kind: &str, members: Value) -> String {
    text(&object(kind, members), true)
}

/// Returns reference and short id of a run.
pub fn names(run: &RunRow) -> Value {
    json!({"ref": run.doc_ref, "id": run.id})
}

/// Returns an unchanged document, indented; a list of several.
pub fn laid_out(documents: &[Document]) -> String {
    match documents {
        [document] => format!("{:#}", document.raw()),
        documents => format!("{:#}", json!(documents)),
    }
}

/// Returns an entry of a list inside an object, indented.
pub fn nested(value: &Value) -> String {
    let text = format!("{value:#}").replace('\n', "\n    ");
    format!("    {}", text::json(&text))
}

/// Returns a run as JSON. Values that the service did not send are null; `done` are the codes of finished cases.
pub fn run(run: &RunRow, done: &[ResultCode]) -> Value {
    let members = fields::ALL.into_iter().filter(|field| field.in_json);
    fields_of(run, done, members)
}

/// Returns these fields of a run.
pub fn fields_of(
    run: &RunRow,
    done: &[ResultCode],
    fields: impl IntoIterator<Item = &'static Field>,
) -> Value {
    let member = |field: &Field| (field.name.to_owned(), field.value(run, done));
    fields.into_iter().map(member).collect()
}

/// Returns a suite; without a row, all but the reference is null.
pub fn suite(reference: &DocRef, row: Option<&SuiteRow>) -> Value {
    row.map_or_else(
        || json!(SuiteRow::known_by(reference.clone())),
        |row| json!(row),
    )
}

/// Formats epoch milliseconds in UTC, `2026-11-20T09:41:12.345Z`; `None` out of range.
pub fn time(ms: i64) -> Option<String> {
    Timestamp::from_millisecond(ms)
        .ok()
        .map(|time| format!("{time:.3}"))
}
