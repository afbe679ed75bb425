//! Rules for stored documents (2.2), and their columns.

use crate::local_service::data;
use crate::local_service::prelude::*;

/// Members of `Root.General` that the service assigns.
pub const ASSIGNED: [&str; 3] = ["TenantId", "TechnicalId", "Id"];
/// Members of `Root.General` that only `LIST_TEST_RUNS` returns.
pub const COMPUTED: [&str; 2] = ["TestSuiteCount", "Progress"];
/// Members of `Root.Metadata` that exist on closed runs only.
pub const CLOSING: [&str; 3] = ["ClosedBy", "ClosedOn", "DisplayClosedOn"];

type Object = Map<String, Value>;

/// Object under `key`; an error if it is missing.
pub fn object<'v>(parent: &'v mut Object, key: &str) -> Result<&'v mut Object, Fault> {
    parent
        .get_mut(key)
        .and_then(Value::as_object_mut)
        .ok_or_else(|| Fault::invalid_input(format!("{key} must be an object.")))
}

/// String member; an error if it is missing.
pub fn text<'v>(general: &'v Object, key: &str) -> Result<&'v str, Fault> {
    general
        .get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::invalid_input(format!("Root.General.{key} must be a string.")))
}

/// Checks the members of `Root` from the caller: required texts, status, optional texts, attachments.
pub fn check_root(root: &Object) -> Result<(), Fault> {
    let general = root
        .get("General")
        .and_then(Value::as_object)
        .ok_or_else(|| Fault::invalid_input("Root.General must be an object."))?;
    for key in ["ProjectId", "ProjectVersionNumber", "SubprojectId"] {
        text(general, key)?;
    }
    if text(general, "Title")?.trim().is_empty() {
        return Err(Fault::invalid_input(
            "Root.General.Title must not be empty.",
        ));
    }
    if !matches!(text(general, "Status")?, "active" | "inactive") {
        return Err(Fault::invalid_input(
            "Root.General.Status must be \"active\" or \"inactive\".",
        ));
    }
    for key in ["Configuration", "Description"] {
        if general.contains_key(key) {
            text(general, key)?;
        }
    }
    match root.get("Attachments") {
        None => Ok(()),
        Some(Value::Array(attachments)) if attachments.iter().all(Value::is_object) => Ok(()),
        Some(_) => Err(Fault::invalid_input(
            "Root.Attachments must be an array of objects.",
        )),
    }
}

/// Returns true if the status is `inactive`.
pub fn is_closed(document: &Value) -> bool {
    document
        .pointer("/Root/General/Status")
        .and_then(Value::as_str)
        == Some("inactive")
}

/// Updates document, searched text and columns of an existing run.
pub fn store(
    connection: &Connection,
    seq: i64,
    document: &Value,
    meta: Option<&Value>,
) -> Result<(), Fault> {
    let general = |key: &str| {
        document
            .pointer(&format!("/Root/General/{key}"))
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let metadata = |key: &str| document.pointer(&format!("/Root/Metadata/{key}"));
    let edited_by = metadata("EditedBy")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let at = |key: &str| metadata(key).and_then(Value::as_i64).unwrap_or_default();
    connection.execute(
        "UPDATE runs SET status = ?2, title = ?3, configuration = ?4, edited_by = ?5, edited_on = ?6, created_on = ?7
         WHERE seq = ?1",
        params![
            seq,
            is_closed(document),
            general("Title"),
            general("Configuration"),
            edited_by,
            at("EditedOn"),
            at("CreatedOn")
        ],
    )?;
    connection.execute(
        "UPDATE docs SET doc = ?2, meta = ?3, by_system = 0 WHERE seq = ?1",
        params![seq, document.to_string(), meta.map(Value::to_string)],
    )?;
    let text = data::search_text(
        general("Title"),
        general("Id"),
        general("Configuration"),
        general("Description"),
        edited_by,
    );
    connection.execute(
        "UPDATE texts SET text = ?2 WHERE seq = ?1",
        params![seq, text],
    )?;
    Ok(())
}
