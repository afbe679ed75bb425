//! What was written from this machine a moment ago, by any program: a reading that shows it brings no news.

use crate::disk::WriteRecord;
use crate::domain::DocRef;
use crate::domain::diff::OwnWrite;

/// What was written shows within so many milliseconds.
pub const SHOWS: i64 = 10 * 60_000;

/// A write that may have been done.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRecord {
    pub run: DocRef,
    /// When it was sent, epoch milliseconds.
    pub at: i64,
    /// `None` where the run was made.
    pub write: Option<OwnWrite>,
}

impl OwnRecord {
    /// Takes it from the journal, in which each write stands before it is sent.
    pub fn of(record: &WriteRecord) -> Option<Self> {
        let write = match record.request()?.0 {
            "ADD_DOCUMENT" => None,
            "MODIFY_DOCUMENT" => {
                let fields = record.values().into_iter().flatten();
                Some(OwnWrite::Fields(fields.map(|(field, _)| field).collect()))
            }
            "DELETE_TEST_RUN" => Some(OwnWrite::Deletion),
            _ => Some(OwnWrite::Suites),
        };
        let run = DocRef::parse(&record.run).ok();
        Some(Self {
            run: run.or_else(|| record.made())?,
            at: record.at,
            write,
        })
    }
}
