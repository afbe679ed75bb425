//! Operations that create, change and delete runs.

use super::document_rules::{
    ASSIGNED, CLOSING, COMPUTED, check_root, is_closed, object, store, text,
};
use super::read::run_model;
use super::reference::run_ref;
use super::stored::{Stored, meta as assigned_meta};
use crate::local_service::document::{set_closed, set_created, set_edited};
use crate::local_service::prelude::*;

/// `ADD_DOCUMENT`: creates a run without suites.
pub fn add_document(
    database: &Database,
    reach: &Reach,
    user: &str,
    mut params: Members,
) -> Result<Value, Fault> {
    let mut document = params.required("document")?;
    let model = params.text("documentModelName")?;
    params.optional_text("locale")?;
    params.finish()?;
    run_model(&model)?;
    let (sub, version) = check_new(&database.names, reach, &mut document)?;
    let uuid = ids::fresh().map_err(|error| Fault::internal(format!("no new id: {error}")))?;
    database.write(|transaction| {
        let seq: i64 = transaction.query_row(
            "UPDATE state SET value = value + 1 WHERE key = 'next_run' RETURNING value - 1",
            [],
            |row| row.get(0),
        )?;
        assign(&mut document, user, uuid, seq)?;
        transaction.execute(
            "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5, 0, '', '', '', 0, 0, 0, 0)",
            params![seq, uuid.as_bytes(), reach.project, sub, version],
        )?;
        transaction.execute(
            "INSERT INTO docs VALUES (?1, '', NULL, '[]', ?2, '[]', 0, 0)",
            params![seq, Counts::default().to_text()],
        )?;
        transaction.execute("INSERT INTO texts VALUES (?1, '')", [seq])?;
        store(transaction, seq, &document, None)?;
        Ok(json!({ "docRef": run_ref(uuid) }))
    })
}

/// Checks the document of a new run. Returns its sub project and version.
fn check_new(names: &Names, reach: &Reach, document: &mut Value) -> Result<(i64, i64), Fault> {
    let members = document
        .as_object_mut()
        .ok_or_else(|| Fault::invalid_params("params.document must be an object."))?;
    if members.contains_key("__meta") {
        return Err(Fault::invalid_input("__meta is assigned by the service."));
    }
    let root = object(members, "Root")?;
    check_root(root)?;
    for key in ["Metadata", "DisplayFields"] {
        if root.contains_key(key) {
            return Err(Fault::invalid_input(format!(
                "Root.{key} is assigned by the service."
            )));
        }
    }
    let general = object(root, "General")?;
    if let Some(key) = ASSIGNED
        .iter()
        .chain(&COMPUTED)
        .find(|key| general.contains_key(**key))
    {
        return Err(Fault::invalid_input(format!(
            "Root.General.{key} is assigned by the service."
        )));
    }
    if text(general, "ProjectId")? != reach.project_name {
        return Err(Fault::invalid_input(
            "Root.General.ProjectId is not the project of the header.",
        ));
    }
    let unknown = |key: &str| {
        Fault::invalid_input(format!(
            "Root.General.{key} does not exist in this project."
        ))
    };
    let version = names
        .version(text(general, "ProjectVersionNumber")?)
        .ok_or_else(|| unknown("ProjectVersionNumber"))?;
    let sub = names
        .sub(reach.project, text(general, "SubprojectId")?)
        .ok_or_else(|| unknown("SubprojectId"))?;
    if reach.sub.is_some_and(|reached| reached != sub) {
        return Err(Fault::invalid_input(
            "Root.General.SubprojectId is not the sub project of the header.",
        ));
    }
    Ok((sub, version))
}

/// Adds the members that the service assigns to a new run.
fn assign(document: &mut Value, user: &str, uuid: Uuid, seq: i64) -> Result<(), Fault> {
    let now = time::now();
    let closed = is_closed(document);
    let mut metadata = Map::new();
    set_created(&mut metadata, user, now);
    set_edited(&mut metadata, user, now);
    if closed {
        set_closed(&mut metadata, user, now);
    }
    let members = document
        .as_object_mut()
        .ok_or_else(|| Fault::internal("The document is no object any more."))?;
    let root = object(members, "Root")?;
    let general = object(root, "General")?;
    general.insert("TenantId".to_owned(), json!(TENANT));
    general.insert("TechnicalId".to_owned(), json!(uuid.to_string()));
    general.insert("Id".to_owned(), json!(format!("R_{seq}")));
    root.insert("Metadata".to_owned(), Value::Object(metadata));
    root.entry("Attachments").or_insert_with(|| json!([]));
    Ok(())
}

/// `MODIFY_DOCUMENT`: replaces the document, except for members that the service assigns; the last writer wins.
pub fn modify_document(
    database: &Database,
    reach: &Reach,
    user: &str,
    mut params: Members,
) -> Result<Value, Fault> {
    let document = params.required("document")?;
    let doc_ref = params.text("docRef")?;
    params.optional_text("locale")?;
    params.finish()?;
    let Value::Object(mut document) = document else {
        return Err(Fault::invalid_params("params.document must be an object."));
    };
    database.write(|transaction| {
        let stored = Stored::find(transaction, reach, &doc_ref)?;
        let old = stored.document()?;
        let meta = object(&mut document, "__meta")?.clone();
        document.shift_remove("__meta");
        keep_assigned(&mut document, &old, user)?;
        let document = Value::Object(document);
        let meta = renewed_meta(meta, &document, &run_ref(stored.uuid))?;
        store(transaction, stored.seq, &document, Some(&meta))?;
        Ok(Value::Null)
    })
}

/// Restores the members that the service assigns, and records the edit, a closing or a reopening.
fn keep_assigned(document: &mut Map<String, Value>, old: &Value, user: &str) -> Result<(), Fault> {
    let was_closed = is_closed(old);
    let old_member = |path: &str| old.pointer(path).cloned();
    let root = object(document, "Root")?;
    check_root(root)?;
    root.shift_remove("DisplayFields");
    let general = object(root, "General")?;
    for key in COMPUTED {
        general.shift_remove(key);
    }
    for key in ["ProjectId", "ProjectVersionNumber", "SubprojectId"] {
        if general.get(key) != old.pointer(&format!("/Root/General/{key}")) {
            return Err(Fault::invalid_input(format!(
                "Root.General.{key} of a run cannot be changed."
            )));
        }
    }
    for key in ASSIGNED {
        if let Some(value) = old_member(&format!("/Root/General/{key}")) {
            general.insert(key.to_owned(), value);
        }
    }
    let closes = general.get("Status").and_then(Value::as_str) == Some("inactive");
    root.entry("Metadata").or_insert_with(|| json!({}));
    let metadata = object(root, "Metadata")?;
    for key in ["CreatedBy", "DisplayCreatedOn", "CreatedOn"]
        .into_iter()
        .chain(CLOSING)
    {
        match old_member(&format!("/Root/Metadata/{key}")) {
            Some(value) if closes || !CLOSING.contains(&key) => {
                metadata.insert(key.to_owned(), value);
            }
            _ => {
                metadata.shift_remove(key);
            }
        }
    }
    let now = time::now();
    set_edited(metadata, user, now);
    if closes && !was_closed {
        set_closed(metadata, user, now);
    }
    Ok(())
}

/// `__meta` as sent, with the members of the service set; a reference to another document is refused.
fn renewed_meta(
    mut meta: Map<String, Value>,
    document: &Value,
    doc_ref: &str,
) -> Result<Value, Fault> {
    if meta.get("docRef").is_some_and(|sent| sent != doc_ref) {
        return Err(Fault::invalid_input(
            "__meta.docRef is another document than docRef.",
        ));
    }
    meta.extend(assigned_meta(document, RUN_MODEL, doc_ref, false));
    Ok(Value::Object(meta))
}

/// Records an edit by a user without a call.
pub fn sign(connection: &Connection, run: &Stored, name: &str) -> Result<(), Fault> {
    let mut document = run.document()?;
    let members = document
        .as_object_mut()
        .ok_or_else(|| Fault::internal("A stored document is no object."))?;
    set_edited(
        object(object(members, "Root")?, "Metadata")?,
        name,
        time::now(),
    );
    let meta = match run.meta.as_deref().map(serde_json::from_str).transpose()? {
        Some(Value::Object(meta)) => Some(renewed_meta(meta, &document, &run_ref(run.uuid))?),
        _ => None,
    };
    store(connection, run.seq, &document, meta.as_ref())
}

/// `DELETE_TEST_RUN`: deletes an empty run.
pub fn delete_test_run(
    database: &Database,
    reach: &Reach,
    mut params: Members,
) -> Result<Value, Fault> {
    let doc_ref = params.text("testRunDocRef")?;
    params.finish()?;
    database.write(|transaction| {
        let stored = Stored::find(transaction, reach, &doc_ref)?;
        if stored.suite_count > 0 {
            return Err(Fault::failed(format!(
                "The run holds {} test suites; remove them first.",
                stored.suite_count
            )));
        }
        for table in ["runs", "docs", "texts"] {
            transaction.execute(&format!("DELETE FROM {table} WHERE seq = ?1"), [stored.seq])?;
        }
        Ok(Value::Bool(true))
    })
}
