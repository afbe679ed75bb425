//! Documents as the service writes them (2.2 to 2.4), with types that no client shares.

use serde::Serialize;

/// Model name of test runs.
pub const RUN_MODEL: &str = "TestRun-dm";
/// Model name of test suites.
pub const SUITE_MODEL: &str = "TestSuite-dm";
/// Tenant id of everything in the local service.
pub const TENANT: &str = "T_1";

/// A test run document (2.2), without the members that only `LIST_TEST_RUNS` adds.
#[derive(Debug, Serialize)]
pub struct RunDocument<'a> {
    /// May be absent (2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    #[serde(rename = "Root")]
    pub root: RunRoot<'a>,
}

/// `Root` of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct RunRoot<'a> {
    pub general: RunGeneral<'a>,
    pub metadata: RunMetadata<'a>,
    pub attachments: Vec<Attachment>,
}

/// `Root.General` of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct RunGeneral<'a> {
    pub project_id: &'a str,
    pub project_version_number: &'a str,
    pub subproject_id: &'a str,
    pub status: &'a str,
    pub title: &'a str,
    pub configuration: &'a str,
    pub description: &'a str,
    pub tenant_id: &'a str,
    pub technical_id: &'a str,
    pub id: &'a str,
}

/// `Root.Metadata` of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct RunMetadata<'a> {
    pub created_by: &'a str,
    pub display_created_on: String,
    pub created_on: i64,
    pub edited_by: &'a str,
    pub display_edited_on: String,
    pub edited_on: i64,
    #[serde(flatten)]
    pub closing: Option<Closing<'a>>,
}

/// Members of `Root.Metadata` that only closed runs have.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Closing<'a> {
    pub closed_by: &'a str,
    pub closed_on: i64,
    pub display_closed_on: String,
}

/// A test suite document (2.3).
#[derive(Debug, Serialize)]
pub struct SuiteDocument<'a> {
    #[serde(rename = "Root")]
    pub root: SuiteRoot<'a>,
}

/// `Root` of a suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SuiteRoot<'a> {
    pub general: SuiteGeneral<'a>,
    pub metadata: SuiteMetadata<'a>,
    pub attachments: Vec<Attachment>,
    pub display_fields: SuiteDisplay,
}

/// `Root.General` of a suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SuiteGeneral<'a> {
    pub project_id: &'a str,
    pub project_version_number: &'a str,
    pub subproject_id: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub technical_id: &'a str,
    pub tenant_id: &'a str,
    pub id: &'a str,
    pub time_booking_account: &'a str,
    pub order: &'a str,
    pub recommended_priority: Priority<'a>,
}

/// `RecommendedPriority` of a suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Priority<'a> {
    /// Name of the level.
    pub value: &'a str,
}

/// `Root.Metadata` of a suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SuiteMetadata<'a> {
    pub created_by: &'a str,
    pub display_created_on: String,
    pub created_on: i64,
    pub edited_by: &'a str,
    pub display_edited_on: String,
    pub edited_on: i64,
    pub is_imported: bool,
    pub assigned_to_version: AssignedToVersion<'a>,
}

/// Version of a suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct AssignedToVersion<'a> {
    pub assigned_to_number: &'a str,
    pub assigned_to_title: &'a str,
}

/// `Root.DisplayFields` of a suite.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SuiteDisplay {
    pub total_test_cases: u32,
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
