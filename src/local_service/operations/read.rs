//! Operations without changes.

use super::stored::Stored;
use crate::local_service::prelude::*;
use crate::local_service::query::{self, Page, Query};

/// `GET_DOCUMENT`.
pub fn get_document(
    database: &Database,
    reach: &Reach,
    mut params: Members,
) -> Result<Value, Fault> {
    let doc_ref = params.text("docRef")?;
    params.finish()?;
    database.read(|snapshot| Stored::find(snapshot.connection, reach, &doc_ref)?.envelope())
}

/// `CHECK_TEST_RUN_EMPTY`.
pub fn check_test_run_empty(
    database: &Database,
    reach: &Reach,
    mut params: Members,
) -> Result<Value, Fault> {
    let doc_ref = params.text("testRunDocRef")?;
    params.finish()?;
    database.read(|snapshot| {
        Ok(json!(
            Stored::find(snapshot.connection, reach, &doc_ref)?.suite_count == 0
        ))
    })
}

/// `LIST_DOCUMENTS`: stored runs.
pub fn list_documents(
    database: &Database,
    reach: &Reach,
    page_limit: Option<u32>,
    mut params: Members,
) -> Result<Value, Fault> {
    let model = params.text("documentModelName")?;
    let query = params.query(page_limit)?;
    params.finish()?;
    run_model(&model)?;
    database.read(|snapshot| {
        let found = query::find_runs(snapshot, reach, &query)?;
        let entries = found
            .rows
            .iter()
            .map(|row| Stored::by_row(snapshot.connection, *row)?.envelope());
        Ok(list(
            found.total,
            query.page,
            entries.collect::<Result<_, _>>()?,
        ))
    })
}

/// `LIST_TEST_RUNS`: runs with their counts, progress and results, and values for filters.
pub fn list_test_runs(
    database: &Database,
    reach: &Reach,
    page_limit: Option<u32>,
    mut params: Members,
) -> Result<Value, Fault> {
    let query: Query = params.query(page_limit)?;
    params.finish()?;
    database.read(|snapshot| {
        let found = query::find_runs(snapshot, reach, &query)?;
        let entries = found
            .rows
            .iter()
            .map(|row| Stored::by_row(snapshot.connection, *row)?.envelope_with_results());
        let result = list(found.total, query.page, entries.collect::<Result<_, _>>()?);
        Ok(object([
            ("result", result),
            ("filterItemMap", query::filter_items(snapshot, reach)?),
        ]))
    })
}

/// Refuses models other than test runs.
pub fn run_model(model: &str) -> Result<(), Fault> {
    if model == RUN_MODEL {
        return Ok(());
    }
    Err(Fault::invalid_input(format!(
        "documentModelName is {model:?}, only {RUN_MODEL} is offered."
    )))
}

/// A list result (4.2).
pub fn list(total: u64, page: Page, entries: Vec<Value>) -> Value {
    object([
        ("fullSize", json!(total)),
        (
            "page",
            json!({ "offset": page.offset, "limit": page.limit }),
        ),
        ("entries", Value::Array(entries)),
    ])
}
