//! Operations on the test suites of a run.

use super::read::list;
use super::reference::{link_id, parse_suite_ref, run_ref, suite_ref};
use super::stored::{Stored, suite_envelope};
use crate::local_service::prelude::*;
use crate::local_service::query;

/// `relationshipModel` of the links (2.6); the document does not name it.
const RELATIONSHIP: &str = "TestRunTestSuite-rm";

/// `GET_AVAILABLE_TEST_SUITES`: suites of the same project, sub project and version that are not in the run.
pub fn get_available(
    database: &Database,
    reach: &Reach,
    page_limit: Option<u32>,
    mut params: Members,
) -> Result<Value, Fault> {
    let doc_ref = params.text("testRunDocRef")?;
    let query = params.query(page_limit)?;
    params.finish()?;
    database.read(|snapshot| {
        let run = open_run(snapshot.connection, reach, &doc_ref)?;
        let found = query::find_suites(snapshot, (run.sub, run.version), &run.suites, &query)?;
        let mut statement = snapshot
            .connection
            .prepare_cached("SELECT number, doc FROM suites WHERE seq = ?1")?;
        let mut entries = Vec::new();
        for row in found.rows {
            let (number, document): (i64, String) =
                statement.query_row([row], |row| Ok((row.get(0)?, row.get(1)?)))?;
            entries.push(suite_envelope(&suite_ref(number), &document)?);
        }
        Ok(list(found.total, query.page, entries))
    })
}

/// `ADD_TEST_SUITES_TO_RUN`: all of them, or none.
pub fn add(database: &Database, reach: &Reach, params: Members) -> Result<Value, Fault> {
    let (doc_ref, numbers) = targets(params)?;
    database.write(|transaction| {
        let run = open_run(transaction, reach, &doc_ref)?;
        let mut attached = run.attached()?;
        let mut counts = Counts::from_text(&run.counts)?;
        let before = attached.len();
        for number in &numbers {
            let suite = find_suite(transaction, *number)?
                .ok_or_else(|| Fault::not_found(format!("There is no {}.", suite_ref(*number))))?;
            if (suite.sub, suite.version) != (run.sub, run.version) {
                return Err(Fault::failed(format!(
                    "{} belongs to another project version.",
                    suite_ref(*number)
                )));
            }
            if attached.contains(&suite.seq) {
                return Err(Fault::failed(format!(
                    "{} is already in the run.",
                    suite_ref(*number)
                )));
            }
            attached.push(suite.seq);
            counts.add(suite.cases);
        }
        let previous = match attached[..before].last() {
            None => String::new(),
            Some(last) => {
                let number = transaction.query_row(
                    "SELECT number FROM suites WHERE seq = ?1",
                    [last],
                    |row| row.get(0),
                )?;
                link_id(run.uuid, number)
            }
        };
        save(transaction, &run, &attached, counts)?;
        Ok(links(&run, &numbers, before, previous))
    })
}

/// Link records (2.6) of suites that follow `before` others.
fn links(run: &Stored, numbers: &[i64], before: usize, mut previous: String) -> Value {
    let mut records = Vec::new();
    for (index, number) in numbers.iter().enumerate() {
        let id = link_id(run.uuid, *number);
        records.push(json!({
            "id": id,
            "linkDescriptor": {
                "relationshipModel": RELATIONSHIP,
                "entities": [
                    { "role": "TestRun", "modelName": RUN_MODEL, "docRef": run_ref(run.uuid) },
                    { "role": "TestSuite", "modelName": SUITE_MODEL, "docRef": suite_ref(*number) },
                ],
                "predecessorLinkRef": previous,
                "position": before + index,
            }
        }));
        previous = id;
    }
    Value::Array(records)
}

/// `DELETE_TEST_SUITES_FROM_RUN`: suites that are not in the run are ignored.
pub fn remove(database: &Database, reach: &Reach, params: Members) -> Result<Value, Fault> {
    let (doc_ref, numbers) = targets(params)?;
    database.write(|transaction| {
        let run = open_run(transaction, reach, &doc_ref)?;
        let mut attached = run.attached()?;
        let mut counts = Counts::from_text(&run.counts)?;
        for number in &numbers {
            let Some(suite) = find_suite(transaction, *number)? else {
                continue;
            };
            if let Some(at) = attached.iter().position(|seq| *seq == suite.seq) {
                attached.remove(at);
                counts.remove(suite.cases);
            }
        }
        save(transaction, &run, &attached, counts)?;
        Ok(Value::Null)
    })
}

/// Run and suite numbers of the params.
fn targets(mut params: Members) -> Result<(String, Vec<i64>), Fault> {
    let doc_ref = params.text("testRunDocRef")?;
    let references = params.texts("testSuiteDocRefs")?;
    params.finish()?;
    let numbers = references
        .iter()
        .map(|reference| parse_suite_ref(reference))
        .collect::<Result<_, _>>()?;
    Ok((doc_ref, numbers))
}

/// The run, if it is open, as only its suites can be listed and changed (3, rule 1).
fn open_run(connection: &Connection, reach: &Reach, doc_ref: &str) -> Result<Stored, Fault> {
    let run = Stored::find(connection, reach, doc_ref)?;
    if run.closed {
        Err(Fault::failed("The run is closed."))
    } else {
        Ok(run)
    }
}

/// Columns of a suite that a run needs.
struct Suite {
    seq: i64,
    sub: i64,
    version: i64,
    cases: u32,
}

fn find_suite(connection: &Connection, number: i64) -> Result<Option<Suite>, Fault> {
    let mut statement = connection
        .prepare_cached("SELECT seq, sub, version, cases FROM suites WHERE number = ?1")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Suite {
            seq: row.get(0)?,
            sub: row.get(1)?,
            version: row.get(2)?,
            cases: row.get(3)?,
        })
    };
    Ok(statement.query_row([number], read).optional()?)
}

/// Stores the attached suites and the counts; a run without suites has no cases.
pub fn save(
    transaction: &Transaction<'_>,
    run: &Stored,
    attached: &[i64],
    mut counts: Counts,
) -> Result<(), Fault> {
    if attached.is_empty() {
        counts = Counts::default();
    }
    let assigned = run.assigned.min(counts.total().cast_signed());
    let testers = if assigned == 0 {
        "[]"
    } else {
        run.testers.as_str()
    };
    transaction.execute(
        "UPDATE docs SET suites = ?2, counts = ?3, assigned = ?4, testers = ?5 WHERE seq = ?1",
        params![
            run.seq,
            serde_json::to_string(attached)?,
            counts.to_text(),
            assigned,
            testers
        ],
    )?;
    let attached_count = attached.len().cast_signed() as i64;
    transaction.execute(
        "UPDATE runs SET suite_count = ?2, progress = ?3 WHERE seq = ?1",
        params![run.seq, attached_count, counts.progress()],
    )?;
    Ok(())
}
