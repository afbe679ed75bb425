//! Recent writes from this machine, by any program: a reading that shows one of them is no news.

use serde_json::Value;

use super::prelude::*;
use crate::disk::{DiskError, Journal, WriteRecord};
use crate::domain::{RunField, method};
use crate::samples::Samples;

/// Time within which a write shows in a reading, in milliseconds.
pub const SHOWS: i64 = 10 * 60_000;

/// A write that may have had an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRecord {
    pub run: DocRef,
    /// Time of sending, epoch milliseconds.
    pub at: i64,
    /// `None` for the creation of the run.
    pub write: Option<OwnWrite>,
    /// True if the write is known to be in effect.
    pub is_done: bool,
    /// State before a change of the status: true if open. `None` if the status was not changed.
    pub was_open: Option<bool>,
}

/// Returns when runs were closed (epoch milliseconds) that were not opened again, by readings and by writes of this machine.
pub fn closed(samples: &Samples, own: &[OwnRecord]) -> Done<HashMap<DocRef, i64>> {
    let mut closings = samples.closings()?;
    let own = own.iter();
    closings.extend(own.filter_map(|own| Some((own.run.clone(), own.at, own.was_open?))));
    closings.sort_by_key(|(_, at, _)| *at);
    let mut closed = HashMap::new();
    for (run, at, is_closed) in closings {
        if is_closed {
            closed.entry(run).or_insert(at);
        } else {
            closed.remove(&run);
        }
    }
    Ok(closed)
}

impl OwnRecord {
    /// Reads the writes of the journal, those of other profiles of the same service included.
    pub fn read(journal: &Journal) -> Result<Vec<Self>, DiskError> {
        let recent = journal.newest(None)?;
        Ok(recent.writes.iter().filter_map(Self::of).collect())
    }

    /// Reads a record of the journal, where each write is noted before it is sent.
    pub fn of(record: &WriteRecord) -> Option<Self> {
        let is_done = record.is_done();
        let mut was_open = None;
        let write = match record.request()?.0 {
            method::CREATE => None,
            method::SAVE => {
                let before = record.values().unwrap_or_default();
                let status = before.get(&RunField::Status).filter(|_| is_done);
                was_open = status.map(|status| {
                    let status = status.as_ref().and_then(Value::as_str);
                    Status::from_text(status) != Status::Inactive
                });
                Some(OwnWrite::Fields(before.into_keys().collect()))
            }
            method::DELETE => Some(OwnWrite::Deletion),
            _ => Some(OwnWrite::Suites),
        };
        let run = DocRef::parse(&record.run).ok();
        Some(Self {
            run: run.or_else(|| record.made())?,
            at: record.at,
            write,
            is_done,
            was_open,
        })
    }
}
