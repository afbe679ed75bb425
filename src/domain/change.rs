//! A change of the suites of a run, as it is planned and as it came out.

use serde_json::{Value, json};

use super::text::count;
use super::{Deed, DocRef, ResultCounts, RunRow};

/// Suites that go into a run or out of it, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteChange {
    pub run: DocRef,
    /// What the person knows it by.
    pub run_name: String,
    /// Short id of the run, for reading its count again.
    pub run_id: Option<String>,
    /// Added, else removed.
    pub adds: bool,
    /// The suites: reference and what the person knows them by.
    pub suites: Vec<(DocRef, String)>,
    /// Result counts of the run before, kept in the journal.
    pub stake: Option<ResultCounts>,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
    /// The run is deleted once they are out.
    pub then_deletes: bool,
    /// The unfinished change that this goes on with.
    pub goes_on: Option<String>,
}

impl SuiteChange {
    /// References in one request at most.
    pub const CHUNK: usize = 20;

    /// A change of a run as a list shows it.
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

    /// What it does, for the wording of its end.
    pub fn deed(&self) -> Deed<'_> {
        if self.adds {
            Deed::Add(self.suites.len(), self.short_name())
        } else {
            Deed::Remove(self.suites.len(), self.short_name())
        }
    }

    /// The id of the run, if it has one.
    pub fn short_name(&self) -> &str {
        self.run_id.as_deref().unwrap_or(&self.run_name)
    }

    /// The operation (4.3).
    pub fn method(&self) -> &'static str {
        if self.adds {
            "ADD_TEST_SUITES_TO_RUN"
        } else {
            "DELETE_TEST_SUITES_FROM_RUN"
        }
    }

    /// The params of the request for some of the suites (4.3).
    pub fn params(&self, suites: &[(DocRef, String)]) -> Value {
        let suites: Vec<&DocRef> = suites.iter().map(|(suite, _)| suite).collect();
        json!({"testRunDocRef": self.run, "testSuiteDocRefs": suites})
    }

    /// The suites of the request that begins with this one.
    pub fn chunk(&self, from: usize) -> &[(DocRef, String)] {
        let suites = &self.suites[from..];
        &suites[..suites.len().min(Self::CHUNK)]
    }

    /// Number of requests that it takes.
    pub fn requests(&self) -> usize {
        self.suites.len().div_ceil(Self::CHUNK)
    }
}

/// A change that is under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Changing {
    pub change: SuiteChange,
    /// Requests that the service answered well.
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
        if change.requests() > 1 {
            let answered = (self.answered * SuiteChange::CHUNK).min(all);
            format!("{words} {answered} of {all}")
        } else {
            words
        }
    }
}

/// What became of one request of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkResult {
    /// In words: which of how many, and what came back.
    pub words: String,
    /// The service said that it was done.
    pub good: bool,
}
