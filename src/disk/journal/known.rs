//! What the journal knows about the suites of a run.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::{JournalError, Recorded, line, read};
use crate::domain::{DocRef, TEST_SUITE_MODEL, linked};

/// Bytes that are looked at at most.
const WINDOW: u64 = 32 * 1024 * 1024;

/// One suite of a run that was added or removed from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChange {
    pub suite: DocRef,
    /// Added, else removed.
    pub added: bool,
    /// When that became known, epoch milliseconds.
    pub at: i64,
}

/// A write to the suites of the run, as far as it was read.
struct SuiteWrite {
    added: bool,
    asked: Vec<DocRef>,
    /// The suites that were changed, and when that became known; nothing while it is neither answered nor confirmed.
    known: Option<(i64, Vec<DocRef>)>,
}

/// All changes that were answered or confirmed, and not contradicted by a later reading or a later step, in the order in
/// which the writes were sent.
pub fn suites(path: &Path, profile: &str, run: &str) -> Result<Vec<KnownChange>, JournalError> {
    let failed = |source| JournalError::Read {
        path: path.to_owned(),
        source,
    };
    let (bytes, _) = read::tail(path, WINDOW).map_err(failed)?;
    let mut changes: Vec<SuiteWrite> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    // A reference is written without escapes, so that most lines need no parsing; which run a line is of is checked below.
    for text in bytes
        .split(|byte| *byte == b'\n')
        .filter(|text| contains(text, run.as_bytes()))
    {
        let Some(line) = line::read(text).filter(|line| line.profile == profile && line.run == run)
        else {
            continue;
        };
        if let Recorded::Sent { method, params, .. } = &line.step.step {
            let added = match method.as_str() {
                "ADD_TEST_SUITES_TO_RUN" => true,
                "DELETE_TEST_SUITES_FROM_RUN" => false,
                _ => continue,
            };
            places.insert(line.write.as_str().to_owned(), changes.len());
            changes.push(SuiteWrite {
                added,
                asked: asked(params),
                known: None,
            });
        } else if let Some(at) = places.get(line.write.as_str()) {
            let change = &mut changes[*at];
            match &line.step.step {
                Recorded::Answered { result } => {
                    // A link record in the answer names the suite (2.6), else the request does.
                    let mut suites = suites_linked(result);
                    if suites.is_empty() {
                        suites.clone_from(&change.asked);
                    }
                    change.known = Some((line.step.at, suites));
                }
                Recorded::Confirmed { .. } => {
                    change.known = Some((line.step.at, change.asked.clone()));
                }
                Recorded::Refused { .. }
                | Recorded::NotSent { .. }
                | Recorded::Unknown { .. }
                | Recorded::Differs { .. } => {
                    change.known = None;
                }
                Recorded::Sent { .. } | Recorded::Other { .. } => {}
            }
        }
    }
    let known = changes.into_iter().flat_map(|change| {
        let (at, suites) = change.known.unwrap_or_default();
        let added = change.added;
        suites
            .into_iter()
            .map(move |suite| KnownChange { suite, added, at })
    });
    Ok(known.collect())
}

/// The suites that the params name.
fn asked(params: &Value) -> Vec<DocRef> {
    let listed = params.get("testSuiteDocRefs").and_then(Value::as_array);
    listed
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter_map(suite)
        .collect()
}

/// The suites that link records name; roles are not described, so a suite is what has the form of one.
fn suites_linked(result: &Value) -> Vec<DocRef> {
    let records = result.as_array().into_iter().flatten();
    records.flat_map(linked).filter_map(suite).collect()
}

fn suite(text: &str) -> Option<DocRef> {
    DocRef::parse(text)
        .ok()
        .filter(|reference| reference.model() == TEST_SUITE_MODEL)
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    wanted.is_empty() || text.windows(wanted.len()).any(|window| window == wanted)
}
