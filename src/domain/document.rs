//! The document envelope (interface sections 2.1 and 2.5), kept unchanged.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{DocRef, items};

/// Document as the service sent it: unknown members, their order and every digit of numbers are kept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub struct Document {
    doc_ref: DocRef,
    raw: Value,
}

impl TryFrom<Value> for Document {
    type Error = ShapeError;

    fn try_from(raw: Value) -> Result<Self, ShapeError> {
        Self::from_value(raw)
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(to)
    }
}

/// Error of a JSON value that is no envelope.
#[derive(Debug, thiserror::Error)]
pub enum ShapeError {
    /// Not an object.
    #[error("expected a document object, got {0}")]
    NoObject(&'static str),
    /// No `docRef`, or not of the form of section 2.1.
    #[error("a document without a usable docRef: {0}")]
    NoDocRef(String),
}

impl Document {
    /// Reads the envelope of section 2.1; only `docRef` is required.
    pub fn from_value(raw: Value) -> Result<Self, ShapeError> {
        let Value::Object(members) = &raw else {
            return Err(ShapeError::NoObject(kind(&raw)));
        };
        let text = match members.get("docRef") {
            Some(Value::String(text)) => text,
            Some(other) => return Err(ShapeError::NoDocRef(format!("docRef is {}", kind(other)))),
            None => return Err(ShapeError::NoDocRef("there is none".into())),
        };
        let doc_ref =
            DocRef::parse(text).map_err(|error| ShapeError::NoDocRef(error.to_string()))?;
        Ok(Self { doc_ref, raw })
    }

    /// Returns a document with nothing but a reference.
    pub(super) fn unknown(doc_ref: DocRef) -> Self {
        Self {
            doc_ref,
            raw: Value::Null,
        }
    }

    pub fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }

    /// Returns the unchanged envelope.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// Returns the value at a path inside `document`, such as `Root.General.Title`.
    pub fn at(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .try_fold(self.raw.get("document")?, |value, name| value.get(name))
    }

    /// Returns the attached files.
    pub fn attachments(&self) -> &[Value] {
        self.at("Root.Attachments").map_or(&[], items)
    }

    /// Returns the value at a path as text: strings as they are, numbers with every digit, `true` and `false`; `None`
    /// for null, objects and arrays.
    pub fn text(&self, path: &str) -> Option<String> {
        scalar_text(self.at(path)?)
    }

    /// Returns true if an object or an array stands at a path, which no field of a form can show.
    pub fn is_nested(&self, path: &str) -> bool {
        matches!(self.at(path), Some(Value::Array(_) | Value::Object(_)))
    }

    /// Returns the integer at a path.
    pub fn integer(&self, path: &str) -> Option<i64> {
        self.at(path)?.as_i64()
    }

    /// Returns each value with its path in the envelope, such as `document.Root.Attachments.0.FileName`, in the order
    /// of the document. Dots and backslashes in names are escaped with a backslash.
    pub fn values(&self) -> Vec<(String, &Value)> {
        let mut values = Vec::new();
        gather("", &self.raw, &mut values);
        values
    }

    /// Returns a member of `__meta` (2.5) as text.
    pub fn meta(&self, name: &str) -> Option<String> {
        scalar_text(self.raw.get("__meta")?.get(name)?)
    }
}

/// Adds each value below `path` with its path.
pub fn gather<'a>(path: &str, value: &'a Value, out: &mut Vec<(String, &'a Value)>) {
    let below = |name: &str| {
        let name = name.replace('\\', r"\\").replace('.', r"\.");
        below(path, &name)
    };
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                gather(&below(name), value, out);
            }
        }
        Value::Array(entries) if !entries.is_empty() => {
            for (place, value) in entries.iter().enumerate() {
                gather(&below(&place.to_string()), value, out);
            }
        }
        value => out.push((path.to_owned(), value)),
    }
}

/// Returns a scalar as text: strings as they are, numbers with every digit, `true` and `false`.
pub fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns the path of the member `name` below `path`.
pub fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// Returns texts as they are, numbers with every digit, all else as JSON.
pub fn text_or_json(value: &Value) -> String {
    scalar_text(value).unwrap_or_else(|| value.to_string())
}

/// Returns the kind of a JSON value, in words.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_stays_to_the_last_digit() {
        let text = r#"{"docRef":"TestRun-dm/1","zz":1.10000000000000000000000000000000001,"document":{"Root":{"General":{"Title":"T","b":123456789012345678901234567890,"a":null}}},"__meta":{"x":[1e400]}}"#;
        let document = Document::from_value(serde_json::from_str(text).unwrap()).unwrap();
        let back = serde_json::to_string(document.raw()).unwrap();
        assert_eq!(back.replace("1e+400", "1e400"), text);
        assert_eq!(
            document.text("Root.General.b").as_deref(),
            Some("123456789012345678901234567890")
        );
        assert_eq!(document.text("Root.General.a"), None);
    }

    #[test]
    fn an_envelope_without_reference_is_refused() {
        for (text, word) in [
            ("[]", "an array"),
            (r#"{"document":{}}"#, "none"),
            (r#"{"docRef":7}"#, "a number"),
            (r#"{"docRef":"x"}"#, "no document reference"),
        ] {
            let error = Document::from_value(serde_json::from_str(text).unwrap())
                .unwrap_err()
                .to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
