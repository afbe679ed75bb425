//! The document envelope (interface sections 2.1 and 2.5), kept as it came.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::DocRef;

/// A document as the service sent it: members that this program does not know, their order and every digit of
/// their numbers stay as they are.
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

/// Why a JSON value is no document envelope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// Something else than an object.
    #[error("expected a document object, got {0}")]
    NoObject(&'static str),
    /// No `docRef`, or not of the form of section 2.1.
    #[error("a document without a usable docRef: {0}")]
    NoDocRef(String),
}

impl Document {
    /// Takes the envelope of section 2.1; only `docRef` is insisted on.
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

    /// A document of which nothing is known but its reference.
    pub(super) fn unknown(doc_ref: DocRef) -> Self {
        Self {
            doc_ref,
            raw: Value::Null,
        }
    }

    /// The reference of the document.
    pub fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }

    /// The whole envelope.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The value at a field path such as `Root.General.Title`, inside `document`.
    pub fn at(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .try_fold(self.raw.get("document")?, |value, name| value.get(name))
    }

    /// The value at a field path as text: strings as they are, numbers with every digit, `true` and `false`; nothing
    /// for null, objects and arrays.
    pub fn text(&self, path: &str) -> Option<String> {
        scalar_text(self.at(path)?)
    }

    /// The whole number at a field path.
    pub fn integer(&self, path: &str) -> Option<i64> {
        self.at(path)?.as_i64()
    }

    /// Each value with its path in the envelope, such as `document.Root.Attachments.0.FileName`, in the order in which
    /// they came. A dot in a name has a backslash before it, and so has a backslash.
    pub fn values(&self) -> Vec<(String, &Value)> {
        fn gather<'a>(path: &str, value: &'a Value, out: &mut Vec<(String, &'a Value)>) {
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
        let mut values = Vec::new();
        gather("", &self.raw, &mut values);
        values
    }

    /// A member of `__meta` (2.5) as text.
    pub fn meta(&self, name: &str) -> Option<String> {
        scalar_text(self.raw.get("__meta")?.get(name)?)
    }
}

/// A value as text: strings as they are, numbers with every digit, `true` and `false`.
pub fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The path of a member of what stands at a path.
pub fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// Texts as they are, numbers with every digit, all else as JSON.
pub fn text_or_json(value: &Value) -> String {
    scalar_text(value).unwrap_or_else(|| value.to_string())
}

/// What kind of JSON value this is, in words.
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
