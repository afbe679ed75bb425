//! Changes of the suites of a run: plan and results.

use super::prelude::*;
use super::text::thousands;
use super::{Deed, WriteRequest, method};

/// Suites to add to a run or to remove from it, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteChange {
    pub run: DocRef,
    /// Name of the run for the user.
    pub run_name: String,
    /// Short id of the run, for reading its count again.
    pub run_id: Option<String>,
    /// `true` to add, `false` to remove.
    pub adds: bool,
    /// Suites with their names for the user.
    pub suites: Vec<(DocRef, String)>,
    /// Result counts of the run before the change, for the journal.
    pub stake: Option<ResultCounts>,
    /// Write of the journal that this change undoes.
    pub undo_of: Option<String>,
    /// Deletes the run once its suites are removed.
    pub then_deletes: bool,
    /// Unfinished change that this one resumes.
    pub goes_on: Option<String>,
}

impl SuiteChange {
    /// Maximum number of references in one request.
    pub const CHUNK: usize = 20;

    /// Returns a change of a listed run.
    pub fn of(run: &RunRow, adds: bool, suites: Vec<(DocRef, String)>) -> Self {
        Self {
            run: run.doc_ref.clone(),
            run_name: run.full_name(),
            run_id: run.id.clone(),
            adds,
            suites,
            stake: run.results.clone(),
            undo_of: None,
            then_deletes: false,
            goes_on: None,
        }
    }

    /// Returns the deed, for the words of the outcome.
    pub fn deed(&self) -> Deed<'_> {
        if self.adds {
            Deed::Add(self.suites.len(), self.short_name())
        } else {
            Deed::Remove(self.suites.len(), self.short_name())
        }
    }

    /// Returns the short id of the run, else its name.
    pub fn short_name(&self) -> &str {
        self.run_id.as_deref().unwrap_or(&self.run_name)
    }

    /// Returns the operation.
    pub fn method(&self) -> &'static str {
        if self.adds {
            method::ADD_SUITES
        } else {
            method::REMOVE_SUITES
        }
    }

    /// Returns the request for these suites.
    pub fn request(&self, suites: &[(DocRef, String)]) -> WriteRequest {
        WriteRequest::suites(self.method(), Some(&self.run), suites)
    }

    /// Returns all its requests, in order.
    pub fn requests(&self) -> Vec<WriteRequest> {
        let chunks = self.suites.chunks(Self::CHUNK);
        chunks.map(|chunk| self.request(chunk)).collect()
    }

    /// Returns the suites of the request that begins at this index.
    pub fn chunk(&self, from: usize) -> &[(DocRef, String)] {
        let suites = &self.suites[from..];
        &suites[..suites.len().min(Self::CHUNK)]
    }

    /// Names the chosen suites by their ids, three of them at most; `None` if there are none.
    pub fn names(&self, chosen: impl Fn(&&(DocRef, String)) -> bool) -> Option<String> {
        let chosen = self.suites.iter().filter(chosen);
        let ids: Vec<&str> = chosen
            .map(|(_, name)| name.split(' ').next().unwrap_or(name))
            .collect();
        (!ids.is_empty()).then(|| text::few(&ids))
    }
}

/// Change in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct Changing {
    pub change: SuiteChange,
    /// Number of requests that succeeded.
    pub answered: usize,
}

impl Changing {
    /// `Adding 45 suites to R_239… 20 of 45`.
    pub fn words(&self) -> String {
        let change = &self.change;
        let (verb, place) = if change.adds {
            ("Adding", "to")
        } else {
            ("Removing", "from")
        };
        let all = change.suites.len();
        let run = change.short_name();
        let words = format!("{verb} {} {place} {run}…", count(all, "suite"));
        if all > SuiteChange::CHUNK {
            let answered = (self.answered * SuiteChange::CHUNK).min(all);
            format!("{words} {} of {}", thousands(answered), thousands(all))
        } else {
            words
        }
    }
}

/// Result of one request of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkResult {
    /// Number of the request and its result, in words.
    pub words: String,
    /// The service reported success.
    pub good: bool,
}

/// One suite of a run that this program added or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChange {
    pub suite: DocRef,
    /// Short id and title as they were then; the reference where they were not kept.
    pub name: String,
    /// True if added, false if removed.
    pub added: bool,
    /// Time of the answer or reading, epoch milliseconds.
    pub at: i64,
    /// The reading after the answer did not show it.
    pub is_contradicted: bool,
}
