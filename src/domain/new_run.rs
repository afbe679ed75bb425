//! What a caller supplies to create a test run (interface sections 2.2 and 4.3).

use serde_json::{Value, json};

use super::TEST_RUN_MODEL;

/// The fields of `Root.General` that are sent on creation; the service assigns all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRun {
    pub project_id: String,
    /// Form `<major>.<minor>.<patch>`.
    pub project_version: String,
    /// `None` is sent as `_`.
    pub subproject_id: Option<String>,
    /// `active` or `inactive`.
    pub status: String,
    pub title: String,
    pub configuration: String,
    pub description: String,
}

impl NewRun {
    /// The params of `ADD_DOCUMENT` (4.3).
    pub fn params(&self, locale: &str) -> Value {
        json!({"document": self.to_document(), "documentModelName": TEST_RUN_MODEL, "locale": locale})
    }

    /// The `document` parameter of `ADD_DOCUMENT`: `Root.General` and an empty `Root.Attachments`.
    pub fn to_document(&self) -> Value {
        json!({"Root": {
            "General": {
                "ProjectId": self.project_id,
                "ProjectVersionNumber": self.project_version,
                "SubprojectId": self.subproject_id.as_deref().unwrap_or("_"),
                "Status": self.status,
                "Title": self.title,
                "Configuration": self.configuration,
                "Description": self.description,
            },
            "Attachments": [],
        }})
    }
}
