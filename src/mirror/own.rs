//! What was written from this machine a moment ago, by any program: a reading that shows it brings no news.

use serde_json::Value;

use crate::disk::WriteRecord;
use crate::domain::diff::OwnWrite;
use crate::domain::{DocRef, RunField, Status};

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
    /// It is in effect.
    pub is_done: bool,
    /// Whether the run was open before, where that was changed.
    pub was_open: Option<bool>,
}

impl OwnRecord {
    /// Takes it from the journal, in which each write stands before it is sent.
    pub fn of(record: &WriteRecord) -> Option<Self> {
        let is_done = record.is_done();
        let mut was_open = None;
        let write = match record.request()?.0 {
            "ADD_DOCUMENT" => None,
            "MODIFY_DOCUMENT" => {
                let before = record.values().unwrap_or_default();
                let status = before.get(&RunField::Status).filter(|_| is_done);
                was_open = status.map(|status| {
                    let status = status.as_ref().and_then(Value::as_str);
                    Status::from_text(status) != Status::Inactive
                });
                Some(OwnWrite::Fields(before.into_keys().collect()))
            }
            "DELETE_TEST_RUN" => Some(OwnWrite::Deletion),
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
