//! A value kept as a JSON file that a person can read, and back.

use serde_json::Value;

use crate::domain::text;

/// The format that is written and read.
pub const FORMAT: i64 = 1;

/// The whole file, laid out so that a person can take a text out of it.
pub fn written(file: &Value) -> Vec<u8> {
    (text::json(&format!("{file:#}")).into_owned() + "\n").into_bytes()
}

/// Reads a file of [`FORMAT`]; else says why it is none.
pub fn read(bytes: &[u8]) -> Result<Value, String> {
    let file: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("no JSON ({error})"))?;
    match file["format"].as_i64() {
        Some(FORMAT) => Ok(file),
        Some(other) => Err(format!(
            "written by another version of rundown (format {other})"
        )),
        None => Err("without a format".into()),
    }
}

/// A member that has to be a text.
pub fn text(value: &Value, name: &str) -> Result<String, String> {
    let text = value[name].as_str().map(str::to_owned);
    text.ok_or(format!("without {name}"))
}
