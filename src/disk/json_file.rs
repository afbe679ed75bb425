//! A value kept as a JSON file that a person can read, and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::domain::text;

/// The format that is written and read.
const FORMAT: i64 = 1;

#[derive(Serialize)]
struct OfFormat<'a, T> {
    format: i64,
    #[serde(flatten)]
    file: &'a T,
}

/// The whole file, laid out so that a person can take a text out of it.
pub fn written(file: &impl Serialize) -> Vec<u8> {
    let format = FORMAT;
    let file = json!(OfFormat { format, file });
    (text::json(&format!("{file:#}")).into_owned() + "\n").into_bytes()
}

/// Reads a file of [`FORMAT`]; else says why it is none.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let file: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("no JSON ({error})"))?;
    match file["format"].as_i64() {
        // From the text once more: a number on its way through a value may lose digits.
        Some(FORMAT) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        Some(other) => Err(format!(
            "written by another version of rundown (format {other})"
        )),
        None => Err("without a format".into()),
    }
}
