//! The calls around the verdict.

use super::{Attached, Cache, Known, Source};
use crate::model::DocRef;

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Entries asked for in one page.
    pub page_size: u32,
    /// Most other runs whose lists are read.
    pub most_runs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { page_size: 50, most_runs: 40 }
    }
}

/// How far a survey is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The runs of the scope are listed.
    Runs,
    /// A list is read: run, entries received, entries in all, which list this is of how many at most.
    List {
        /// Name of the run.
        run: String,
        /// Entries received.
        received: u64,
        /// Entries in all.
        full_size: u64,
        /// Lists read before this one.
        done: usize,
        /// Lists to be read at most.
        lists: usize,
    },
    /// The last numbers are read again.
    Closing,
    /// Something changed meanwhile: once more from the start.
    Again,
}

/// What came of a survey.
#[derive(Clone, Debug, PartialEq)]
pub struct Surveyed {
    /// The verdict.
    pub attached: Attached,
    /// What the next survey may make use of.
    pub cache: Cache,
}

/// Works out which suites are in a run. Dropping the future gives it up; nothing is written anywhere.
pub async fn survey<S: Source>(
    source: &S,
    target: &DocRef,
    known: &Known,
    settings: Settings,
    cache: &Cache,
    progress: &(dyn Fn(Progress) + Send + Sync),
) -> Result<Surveyed, S::Error> {
    let _ = (source, target, known, settings, cache, progress);
    todo!()
}
