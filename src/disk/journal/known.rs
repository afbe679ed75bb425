//! Suites of a run by the journal.

use super::{WriteOrigin, WriteRecord, read};
use crate::disk::prelude::*;
use crate::domain::{DocRef, KnownChange, TEST_SUITE_MODEL, linked};

/// Most bytes read.
const WINDOW: u64 = 32 * 1024 * 1024;

/// Returns all changes that were answered or confirmed, and not contradicted by a later step, in the order in which the
/// writes were sent.
pub fn suites(path: &Path, of: &WriteOrigin, run: &str) -> Result<Vec<KnownChange>, DiskError> {
    let (bytes, _) = read::tail(path, WINDOW).map_err(DiskError::reading(path))?;
    // A reference is written without escapes, so that most lines need no parsing.
    let names_run = |line: &[u8]| contains(line, run.as_bytes());
    let (writes, _) = read::writes(&bytes, Some(of), names_run);
    let of_run = writes.iter().filter(|write| write.run == run);
    Ok(of_run.filter_map(changes).flatten().collect())
}

/// Returns the changes of one write, `None` if it is neither answered nor confirmed.
fn changes(write: &WriteRecord) -> Option<impl Iterator<Item = KnownChange>> {
    let ((_, params), added) = (write.request()?, write.adds()?);
    let asked = params["testSuiteDocRefs"].as_array().into_iter().flatten();
    let asked = suites_of(asked.filter_map(Value::as_str));
    let mut known = None;
    for step in &write.steps {
        known = match &step.step {
            // A link record in the answer names the suite (2.6), else the request does.
            Recorded::Answered { result } => {
                let records = result.as_array().into_iter().flatten();
                let linked = suites_of(records.flat_map(linked));
                let is_empty = linked.is_empty();
                Some((step.at, if is_empty { asked.clone() } else { linked }))
            }
            Recorded::Confirmed { .. } => Some((step.at, asked.clone())),
            Recorded::Refused { .. }
            | Recorded::NotSent { .. }
            | Recorded::Unknown { .. }
            | Recorded::Differs { .. } => None,
            Recorded::Sent { .. } | Recorded::Other { .. } => known,
        };
    }
    let (at, suites) = known?;
    let mut names: BTreeMap<_, _> = write.suites().into_iter().collect();
    Some(suites.into_iter().map(move |suite| {
        let name = names.remove(&suite);
        KnownChange {
            name: name.unwrap_or_else(|| suite.to_string()),
            suite,
            added,
            at,
        }
    }))
}

/// Link roles are not documented: a suite is recognized by its form.
fn suites_of<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<DocRef> {
    let references = texts.filter_map(|text| DocRef::parse(text).ok());
    references
        .filter(|it| it.model() == TEST_SUITE_MODEL)
        .collect()
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    wanted.is_empty() || text.windows(wanted.len()).any(|window| window == wanted)
}
