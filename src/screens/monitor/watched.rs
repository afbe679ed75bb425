//! What a monitor watches: some runs, or all of a view.

use std::collections::{HashMap, HashSet};

use super::limit::Limit;
use super::run::WatchedRun;
use crate::domain::{
    DocRef, Filter, MOST_BY_ID, MOST_WATCHED, Only, Page, RunRow, Sort, SortedBy, View,
};
use crate::store::{Ask, Shared};

/// Where the runs of a monitor come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The view that they are of; nothing for runs that somebody chose.
    pub view: Option<String>,
    /// Which of the runs that are found are watched.
    pub only: Option<Only>,
    /// How many runs are found, as the service said last; `None` before, and for named runs.
    pub found: Option<u64>,
    /// Runs that the view names and that are not here, each with why.
    pub missing: Vec<(String, String)>,
    pub source: Source,
}

/// How the runs are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Source {
    /// Each by itself: they are few.
    #[default]
    ByThemselves,
    /// By their short ids, which a view names.
    Named(Vec<String>),
    /// All of a list, page by page.
    Listed(Filter, Vec<Sort>),
    /// They are many, and looked for in a list; those that it does not have are asked for by themselves.
    AmongListed(Filter, Vec<Sort>),
}

impl Origin {
    /// Runs that somebody chose, from a list.
    pub fn of_runs(number: usize, filter: Filter, sorts: Vec<Sort>) -> Self {
        let source = if number <= MOST_BY_ID {
            Source::ByThemselves
        } else {
            Source::AmongListed(filter, sorts)
        };
        Self {
            source,
            ..Self::default()
        }
    }

    /// All runs of a view. `filter` and `sorts` are those of the list on this view.
    pub fn of_view(view: &View, filter: Filter, sorts: Vec<Sort>) -> Self {
        let source = if view.runs.is_empty() {
            Source::Listed(filter, sorts)
        } else {
            Source::Named(view.runs.clone())
        };
        Self {
            view: Some(view.name.clone()),
            only: view.only,
            source,
            ..Self::default()
        }
    }

    /// What a reading begins with, with these runs here; a page has so many rows.
    pub fn asks(&self, runs: &[WatchedRun], rows: u32) -> Vec<Ask> {
        let known = |run: &WatchedRun| Ask::Run(run.row.doc_ref.clone());
        match &self.source {
            Source::ByThemselves => runs.iter().map(known).collect(),
            Source::Named(ids) => {
                let ask = |id: &String| {
                    runs.iter()
                        .find(|run| run.row.id.as_ref() == Some(id))
                        .map_or_else(|| Ask::Id(id.clone()), known)
                };
                ids.iter().map(ask).collect()
            }
            Source::Listed(..) | Source::AmongListed(..) => vec![Ask::Page(Page {
                offset: 0,
                limit: rows.clamp(1, MOST_WATCHED as u32),
            })],
        }
    }

    /// What is asked for a page.
    pub fn list(&self) -> Option<(&Filter, &[Sort])> {
        match &self.source {
            Source::Listed(filter, sorts) | Source::AmongListed(filter, sorts) => {
                Some((filter, sorts))
            }
            Source::ByThemselves | Source::Named(_) => None,
        }
    }

    /// Runs come and go with what the list has.
    pub fn follows(&self) -> bool {
        matches!(self.source, Source::Listed(..))
    }

    /// Where a run stands among those that the view names.
    pub fn place(&self, id: &str) -> usize {
        match &self.source {
            Source::Named(ids) => ids
                .iter()
                .position(|known| known == id)
                .unwrap_or(ids.len()),
            _ => 0,
        }
    }

    /// Takes the orders away, once: the service may refuse them.
    pub fn unsort(&mut self) -> bool {
        match &mut self.source {
            Source::Listed(_, sorts) | Source::AmongListed(_, sorts)
                if self.found.is_none() && !sorts.is_empty() =>
            {
                sorts.clear();
                true
            }
            _ => false,
        }
    }

    /// A run that the view names is not here.
    pub fn misses(&mut self, id: &str, why: String) {
        self.missing.retain(|(known, _)| known != id);
        self.missing.push((id.to_owned(), why));
    }
}

/// Seconds between two readings, unless the profile says otherwise.
const EVERY: u64 = 30;

/// What somebody chose in monitors: for every later one, as long as the program runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// Seconds between two readings.
    pub every: Option<u64>,
    /// In which order runs come; nothing for the worst first.
    pub order: Option<SortedBy>,
    /// The limits that were typed for all runs, by the view; empty for none.
    pub limits: HashMap<Option<String>, String>,
    pub of_runs: OfRuns,
}

impl Chosen {
    /// Seconds between two readings: those somebody chose, else those of the profile.
    pub fn pace(&self, shared: &Shared) -> u64 {
        let session = shared.session.as_ref();
        let profiles = session.map_or(0, |session| session.refresh_seconds);
        self.every
            .unwrap_or(if profiles > 0 { profiles } else { EVERY })
    }
}

/// What somebody chose for single runs: for every monitor, as long as the program runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfRuns {
    /// Limits of their own.
    pub limits: HashMap<DocRef, Limit>,
    /// Runs that come first.
    pub pinned: HashSet<DocRef>,
}

impl OfRuns {
    /// A run that was read at a time (epoch milliseconds), `place` in the order of the list.
    pub fn watch(&self, row: RunRow, at: i64, place: usize) -> WatchedRun {
        let mut run = WatchedRun::new(row, at);
        run.own = self.limits.get(&run.row.doc_ref).cloned();
        run.pinned = self.pinned.contains(&run.row.doc_ref);
        run.place = place;
        run
    }
}
