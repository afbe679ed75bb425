//! Requests that change something (4.3), made here alone: what is shown and written down is what is sent.

use super::prelude::*;
use super::{NewRun, TEST_RUN_MODEL, excerpt};

/// Names of the operations.
pub mod method {
    pub const CREATE: &str = "ADD_DOCUMENT";
    pub const SAVE: &str = "MODIFY_DOCUMENT";
    pub const DELETE: &str = "DELETE_TEST_RUN";
    pub const ADD_SUITES: &str = "ADD_TEST_SUITES_TO_RUN";
    pub const REMOVE_SUITES: &str = "DELETE_TEST_SUITES_FROM_RUN";
}

/// A request as it is sent.
#[derive(Serialize)]
pub struct WriteRequest {
    pub method: &'static str,
    pub params: Value,
    /// Its subject, for messages.
    #[serde(skip)]
    pub about: String,
}

impl WriteRequest {
    pub fn create(new: &NewRun, locale: &str) -> Self {
        Self {
            method: method::CREATE,
            params: json!({
                "document": new.to_document(), "documentModelName": TEST_RUN_MODEL, "locale": locale
            }),
            about: format!("\"{}\"", excerpt(new.title(), 80)),
        }
    }

    /// Replaces the run by `document`, see [`Document::modified`].
    pub fn save(run: &DocRef, document: &Value, locale: &str) -> Self {
        Self {
            method: method::SAVE,
            params: json!({"document": document, "locale": locale, "docRef": run}),
            about: run.to_string(),
        }
    }

    pub fn delete(run: &DocRef) -> Self {
        Self {
            method: method::DELETE,
            params: json!({"testRunDocRef": run}),
            about: run.to_string(),
        }
    }

    /// Adds suites to a run or removes them; a run that is not made yet has no reference.
    pub fn suites(method: &'static str, run: Option<&DocRef>, suites: &[(DocRef, String)]) -> Self {
        let suites: Vec<&DocRef> = suites.iter().map(|(suite, _)| suite).collect();
        let name = run.map_or("", DocRef::as_str);
        Self {
            method,
            about: match suites[..] {
                [suite] => format!("{name}, {suite}"),
                _ => format!("{name}, {} suites", suites.len()),
            },
            params: json!({"testRunDocRef": run, "testSuiteDocRefs": suites}),
        }
    }
}
