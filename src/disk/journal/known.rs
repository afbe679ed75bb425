//! What the journal knows about the suites of a run.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::{JournalError, Recorded, line, read};
use crate::domain::{DocRef, TEST_SUITE_MODEL, linked};

/// Bytes that are looked at at most.
const WINDOW: u64 = 32 * 1024 * 1024;

/// Changes of the suites of one run that were made from here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownSuites {
    /// In the order in which the writes were sent.
    pub changes: Vec<KnownChange>,
    /// Whether the file goes further back than was looked.
    pub more: bool,
}

/// One suite that was added or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChange {
    pub suite: DocRef,
    /// Added, else removed.
    pub added: bool,
    /// When that became known, epoch milliseconds.
    pub at: i64,
    pub by: KnownBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownBy {
    /// A link record in the answer names the suite (2.6).
    LinkRecord,
    /// The service answered a request that names the suite.
    Answer,
    /// Reading afterwards agreed.
    Confirmation,
}

/// A write to the suites of the run, as far as it was read.
struct SuiteWrite {
    added: bool,
    asked: Vec<DocRef>,
    linked: Vec<DocRef>,
    known: Option<(i64, KnownBy)>,
}

/// All changes that were answered or confirmed, and not contradicted by a later reading or a later step.
pub fn suites(path: &Path, profile: &str, run: &str) -> Result<KnownSuites, JournalError> {
    let failed = |source| JournalError::Read {
        path: path.to_owned(),
        source,
    };
    let (bytes, whole) = read::tail(path, WINDOW).map_err(failed)?;
    let mut changes: Vec<SuiteWrite> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    // A reference is written without escapes, so that most lines need no parsing.
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
                linked: Vec::new(),
                known: None,
            });
        } else if let Some(at) = places.get(line.write.as_str()) {
            let change = &mut changes[*at];
            match &line.step.step {
                Recorded::Answered { result } => {
                    change.linked = suites_linked(result);
                    change.known = Some((line.step.at, KnownBy::Answer));
                }
                Recorded::Confirmed { .. } => {
                    change.known = Some((line.step.at, KnownBy::Confirmation));
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
    Ok(KnownSuites {
        changes: changes.into_iter().flat_map(known_changes).collect(),
        more: !whole,
    })
}

/// What one write says; nothing while it is neither answered nor confirmed.
fn known_changes(change: SuiteWrite) -> Vec<KnownChange> {
    let Some((at, by)) = change.known else {
        return Vec::new();
    };
    let (suites, by) = match by {
        KnownBy::Answer if !change.linked.is_empty() => (change.linked, KnownBy::LinkRecord),
        _ => (change.asked, by),
    };
    suites
        .into_iter()
        .map(|suite| KnownChange {
            suite,
            added: change.added,
            at,
            by,
        })
        .collect()
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
