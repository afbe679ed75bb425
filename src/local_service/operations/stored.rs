//! Stored runs and their envelopes (2.1, 2.5).

use rusqlite::Row;

use super::reference::{parse_run_ref, run_ref};
use crate::local_service::prelude::*;

const COLUMNS: &str = "SELECT r.seq, r.ref, r.sub, r.version, r.status, r.suite_count, r.progress,
  d.doc, d.meta, d.by_system, d.suites, d.counts, d.testers, d.assigned FROM runs r JOIN docs d ON d.seq = r.seq";

/// A run with all its columns.
#[derive(Debug)]
pub struct Stored {
    pub seq: i64,
    pub uuid: Uuid,
    pub sub: i64,
    pub version: i64,
    pub closed: bool,
    pub suite_count: i64,
    pub progress: i64,
    pub doc: String,
    pub meta: Option<String>,
    pub by_system: bool,
    pub suites: String,
    pub counts: String,
    pub testers: String,
    pub assigned: i64,
}

impl Stored {
    /// The run with this reference, if it is in the project and sub project of the caller.
    pub fn find(connection: &Connection, reach: &Reach, doc_ref: &str) -> Result<Self, Fault> {
        let uuid = parse_run_ref(doc_ref)?;
        let sql =
            format!("{COLUMNS} WHERE r.ref = ?1 AND r.project = ?2 AND (?3 IS NULL OR r.sub = ?3)");
        connection
            .prepare_cached(&sql)?
            .query_row(
                params![uuid.as_bytes(), reach.project, reach.sub],
                Self::read,
            )
            .optional()?
            .ok_or_else(|| Fault::not_found(format!("There is no {doc_ref} in this project.")))
    }

    /// The run with this row number.
    pub fn by_row(connection: &Connection, seq: i64) -> Result<Self, Fault> {
        let sql = format!("{COLUMNS} WHERE r.seq = ?1");
        Ok(connection
            .prepare_cached(&sql)?
            .query_row([seq], Self::read)?)
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get(0)?,
            uuid: Uuid::from_bytes(row.get(1)?),
            sub: row.get(2)?,
            version: row.get(3)?,
            closed: row.get(4)?,
            suite_count: row.get(5)?,
            progress: row.get(6)?,
            doc: row.get(7)?,
            meta: row.get(8)?,
            by_system: row.get(9)?,
            suites: row.get(10)?,
            counts: row.get(11)?,
            testers: row.get(12)?,
            assigned: row.get(13)?,
        })
    }

    /// Row numbers of the attached suites in order.
    pub fn attached(&self) -> Result<Vec<i64>, Fault> {
        Ok(serde_json::from_str(&self.suites)?)
    }

    pub fn document(&self) -> Result<Value, Fault> {
        Ok(serde_json::from_str(&self.doc)?)
    }

    /// Envelope of 2.1.
    pub fn envelope(&self) -> Result<Value, Fault> {
        let document = self.document()?;
        let doc_ref = run_ref(self.uuid);
        let meta = match &self.meta {
            Some(meta) => serde_json::from_str(meta)?,
            None => meta(&document, RUN_MODEL, &doc_ref, self.by_system).into(),
        };
        Ok(enveloped(&doc_ref, RUN_MODEL, document, meta))
    }

    /// Envelope with the members that only `LIST_TEST_RUNS` returns: `TestSuiteCount`, `Progress`, `DisplayFields`
    /// (2.2).
    pub fn envelope_with_results(&self) -> Result<Value, Fault> {
        let mut envelope = self.envelope()?;
        let testers: Value = serde_json::from_str(&self.testers)?;
        let display = object([
            ("Result", Counts::from_text(&self.counts)?.to_json()),
            ("TestCasesWithTester", json!(self.assigned.to_string())),
            ("TestersOfTestCases", testers),
        ]);
        if let Some(root) = envelope
            .pointer_mut("/document/Root")
            .and_then(Value::as_object_mut)
        {
            if let Some(general) = root.get_mut("General").and_then(Value::as_object_mut) {
                general.insert("TestSuiteCount".to_owned(), json!(self.suite_count));
                general.insert("Progress".to_owned(), json!(self.progress));
            }
            root.insert("DisplayFields".to_owned(), display);
        }
        Ok(envelope)
    }
}

pub fn suite_envelope(doc_ref: &str, document: &str) -> Result<Value, Fault> {
    let document: Value = serde_json::from_str(document)?;
    let meta = meta(&document, SUITE_MODEL, doc_ref, false);
    Ok(enveloped(doc_ref, SUITE_MODEL, document, meta.into()))
}

/// `__meta` derived from the document (2.5).
pub fn meta(document: &Value, model: &str, doc_ref: &str, by_system: bool) -> Map<String, Value> {
    let metadata = |field: &str| {
        document
            .pointer(&format!("/Root/Metadata/{field}"))
            .cloned()
            .unwrap_or_default()
    };
    let modifier = if by_system {
        json!("SYSTEM")
    } else {
        metadata("EditedBy")
    };
    let members = [
        ("creator", metadata("CreatedBy")),
        ("modifier", modifier),
        ("createdAt", metadata("DisplayCreatedOn")),
        ("modifiedAt", metadata("DisplayEditedOn")),
        ("modelReference", json!(model)),
        ("docRef", json!(doc_ref)),
        ("modelVersion", Value::Null),
    ];
    let members = members.into_iter();
    members
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// The four members of 2.1.
fn enveloped(doc_ref: &str, model: &str, document: Value, meta: Value) -> Value {
    object([
        ("docRef", json!(doc_ref)),
        ("documentModelName", json!(model)),
        ("document", document),
        ("__meta", meta),
    ])
}
