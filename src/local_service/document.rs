//! Parts of documents as the service writes them (2.2 to 2.4), with types and names that no client shares.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::time;

/// Model name of test runs.
pub const RUN_MODEL: &str = "TestRun-dm";
/// Model name of test suites.
pub const SUITE_MODEL: &str = "TestSuite-dm";
/// Tenant id of everything in the local service.
pub const TENANT: &str = "T_1";

/// Sets creator and time of the creation.
pub fn set_created(metadata: &mut Map<String, Value>, user: &str, at: i64) {
    metadata.insert("CreatedBy".to_owned(), json!(user));
    metadata.insert("DisplayCreatedOn".to_owned(), json!(time::iso(at)));
    metadata.insert("CreatedOn".to_owned(), json!(at));
}

/// Sets editor and time of the edit.
pub fn set_edited(metadata: &mut Map<String, Value>, user: &str, at: i64) {
    metadata.insert("EditedBy".to_owned(), json!(user));
    metadata.insert("DisplayEditedOn".to_owned(), json!(time::iso(at)));
    metadata.insert("EditedOn".to_owned(), json!(at));
}

/// Sets user and time of the closing.
pub fn set_closed(metadata: &mut Map<String, Value>, user: &str, at: i64) {
    metadata.insert("ClosedBy".to_owned(), json!(user));
    metadata.insert("ClosedOn".to_owned(), json!(at));
    metadata.insert("DisplayClosedOn".to_owned(), json!(time::iso(at)));
}

/// An attachment (2.4).
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Attachment {
    pub file_name: String,
    pub original_file_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    pub upload_on: String,
    pub upload_by: String,
    pub referenced: bool,
    pub copy_number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail_id: Option<String>,
    pub file: AttachedFile,
}

/// `File` of an attachment; `content` is null in responses.
#[derive(Debug, Serialize)]
pub struct AttachedFile {
    pub content: Option<String>,
    pub attachment_id: String,
    pub internal_filename: String,
    pub original_filename: String,
    pub size: u64,
    pub mime_type: String,
}
