//! Documents with new values, and the comparison of two readings of a document.

use super::document::below;
use super::prelude::*;
use super::{RunTexts, RunValues, text_of};

/// Error of setting fields of a document.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// A required part is missing or no object.
    #[error("the document has no object {0}: its fields cannot be changed from here")]
    NoObject(&'static str),
    /// A field holds an object or an array, which a text would replace.
    #[error(
        "{0} holds no text in this document but an object or an array: it is not changed from here"
    )]
    NoText(String),
}

impl Document {
    /// Returns the `document` parameter of `MODIFY_DOCUMENT` (4.3): all of `document`, with `__meta` beside `Root` and
    /// these fields of `Root.General` as strings. A field that already shows its text is unchanged: null stays null, a
    /// missing one stays missing, a number keeps its digits.
    pub fn modified(&self, texts: &RunTexts) -> Result<Value, FieldError> {
        self.restored(texts, &RunValues::new())
    }

    /// [`Document::modified`], but a field gets back its value of `before` (null, a number, or no member) if that shows
    /// the wanted text.
    pub fn restored(&self, texts: &RunTexts, before: &RunValues) -> Result<Value, FieldError> {
        let mut document = self
            .raw()
            .get("document")
            .and_then(Value::as_object)
            .ok_or(FieldError::NoObject("document"))?
            .clone();
        for (field, text) in texts {
            let path = field.path();
            if self.text(path).unwrap_or_default() == *text {
                continue;
            }
            if matches!(self.at(path), Some(Value::Object(_) | Value::Array(_))) {
                return Err(FieldError::NoText(path.to_owned()));
            }
            let root = member(&mut document, "Root", "Root")?;
            let general = member(root, "General", "Root.General")?;
            let kept = before
                .get(field)
                .filter(|value| text_of(value.as_ref()) == *text);
            match kept.cloned().unwrap_or_else(|| Some(text.clone().into())) {
                Some(value) => drop(general.insert(field.name().to_owned(), value)),
                None => drop(general.shift_remove(field.name())),
            }
        }
        if let Some(meta) = self.raw().get("__meta") {
            document.insert("__meta".to_owned(), meta.clone());
        }
        Ok(Value::Object(document))
    }
}

fn member<'a>(
    of: &'a mut Map<String, Value>,
    name: &str,
    path: &'static str,
) -> Result<&'a mut Map<String, Value>, FieldError> {
    of.get_mut(name)
        .and_then(Value::as_object_mut)
        .ok_or(FieldError::NoObject(path))
}

/// Compares two readings: `modifiedAt`, `EditedOn` and all of `document`, unknown members included, in any order.
/// `modifiedAt` alone has been seen in whole seconds only, and two writes fit into one. The error lists names and field
/// paths that differ, in the order of the documents.
pub fn same_version(one: &Document, other: &Document) -> Result<(), Vec<String>> {
    let mut differs = Vec::new();
    if one.doc_ref() != other.doc_ref() {
        differs.push("docRef".to_owned());
    }
    let modified = |document: &Document| document.raw().get("__meta")?.get("modifiedAt").cloned();
    if modified(one) != modified(other) {
        differs.push("modifiedAt".to_owned());
    }
    let [one, other] = [one, other].map(|document| document.raw().get("document"));
    compare("", one, other, &mut differs);
    if differs.is_empty() {
        Ok(())
    } else {
        Err(differs)
    }
}

/// Adds the paths below `path` at which the two differ.
fn compare(path: &str, one: Option<&Value>, other: Option<&Value>, differs: &mut Vec<String>) {
    if one == other {
        return;
    }
    let below = |name: &str| below(path, name);
    match (one, other) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            for (name, value) in one {
                compare(&below(name), Some(value), other.get(name), differs);
            }
            for (name, value) in other.iter().filter(|(name, _)| !one.contains_key(*name)) {
                compare(&below(name), None, Some(value), differs);
            }
        }
        _ if path.is_empty() => differs.push("document".to_owned()),
        _ => differs.push(path.to_owned()),
    }
}
