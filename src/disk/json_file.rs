//! Values kept as readable JSON files.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::domain::text;

/// Version of the file format.
const FORMAT: i64 = 1;

#[derive(Serialize)]
struct OfFormat<'a, T> {
    format: i64,
    #[serde(flatten)]
    file: &'a T,
}

/// Returns the contents of the file, formatted for human readers.
pub fn written(file: &impl Serialize) -> Vec<u8> {
    let format = FORMAT;
    let file = json!(OfFormat { format, file });
    (text::json(&format!("{file:#}")).into_owned() + "\n").into_bytes()
}

/// Returns true if a newer version of rundown has written the file.
pub fn is_newer(bytes: &[u8]) -> bool {
    let format = serde_json::from_slice(bytes).ok();
    format.is_some_and(|file: Value| file["format"].as_i64() > Some(FORMAT))
}

/// Reads a file of [`FORMAT`]; an error is in words.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let file: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("no JSON ({error})"))?;
    match file["format"].as_i64() {
        // From the text again: numbers may lose digits in a `Value`.
        Some(FORMAT) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        Some(other) => Err(format!(
            "written by another version of rundown (format {other})"
        )),
        None => Err("without a format".into()),
    }
}
