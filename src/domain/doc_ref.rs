//! Document references (interface section 2.1).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use super::text;

/// Document model name of test runs.
pub const TEST_RUN_MODEL: &str = "TestRun-dm";
/// Document model name of test suites.
pub const TEST_SUITE_MODEL: &str = "TestSuite-dm";

/// Document reference, `<document_model_name>/<document_id>` (2.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct DocRef(Arc<str>);

impl Serialize for DocRef {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// Error of a text that is no document reference.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{}\" is no document reference: expected <document model name>/<document id>, as in TestRun-dm/3b53beea",
    text::plain(.text)
)]
pub struct DocRefError {
    /// The text, at most 200 characters.
    pub text: String,
}

impl DocRef {
    /// Parses `model/id`, both parts non-empty and free of white space. Characters that act are accepted, so that the
    /// document can be shown: see [`Self::acts`].
    pub fn parse(text: &str) -> Result<Self, DocRefError> {
        let good = |part: &str| {
            !part.is_empty() && !part.chars().any(|c| c.is_whitespace() && !text::acts(c))
        };
        match text.split_once('/') {
            Some((model, id)) if good(model) && good(id) && !id.contains('/') => {
                Ok(Self(text.into()))
            }
            _ => Err(DocRefError {
                text: text.chars().take(200).collect(),
            }),
        }
    }

    /// Parses a reference of this model that other programs may get.
    pub fn of_model(text: &str, model: &str) -> Option<Self> {
        let reference = Self::parse(text).ok()?;
        (reference.model() == model && reference.acts().is_none()).then_some(reference)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a character that other programs must not get. No user typed such a reference: no call is sent about it,
    /// and no command takes it.
    pub fn acts(&self) -> Option<char> {
        self.0.chars().find(|c| text::acts(*c))
    }

    /// Returns the part before the slash.
    pub fn model(&self) -> &str {
        self.0.split_once('/').map_or("", |(model, _)| model)
    }
}

impl TryFrom<String> for DocRef {
    type Error = DocRefError;

    fn try_from(text: String) -> Result<Self, DocRefError> {
        Self::parse(&text)
    }
}

impl fmt::Display for DocRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_model_and_id_are_taken() {
        assert_eq!(
            DocRef::parse("TestSuite-dm/20744").map(|r| r.model().to_owned()),
            Ok("TestSuite-dm".into())
        );
        for bad in [
            "",
            "/",
            "TestRun-dm",
            "TestRun-dm/",
            "/1",
            "a/b/c",
            "TestRun-dm/ 1",
            "TestRun-dm/1\u{a0}",
        ] {
            assert!(DocRef::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_reference_that_acts_is_one_and_is_known_for_it() {
        for (text, odd) in [
            ("TestRun-dm/1", None),
            ("TestRun-dm/\u{1b}[2J", Some('\u{1b}')),
            ("TestRun-dm/1\n", Some('\n')),
            ("Test\u{202e}Run-dm/1", Some('\u{202e}')),
            ("TestRun-dm/1\u{200c}", None),
        ] {
            assert_eq!(DocRef::parse(text).unwrap().acts(), odd, "{text:?}");
        }
    }
}
