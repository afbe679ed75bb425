//! Runs that a monitor watches: chosen ones, or those of a view.

use crate::screens::prelude::*;
use std::collections::{HashMap, HashSet};

use crate::domain::query_language::RunSearch;
use crate::domain::{MOST_BY_ID, Narrowing, Sort, View, local};
use crate::mirror::{ListExtent, TabQuery};

/// Source of the runs of a monitor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Name of the view; `None` for runs chosen by the user.
    pub view: Option<String>,
    /// Number of runs found in the mirror, and the known extent of their list.
    pub found: Option<(u64, ListExtent)>,
    /// Runs named by the view that were not found, each with the reason.
    pub missing: Vec<(String, String)>,
    /// View to read and its filters; `None` if each run is read by id.
    pub list: Option<(View, Narrowing)>,
    pub orders: Vec<Sort>,
    /// Runs chosen by the user or named by the view, in order; `None` for all runs of the list.
    pub names: Option<Vec<DocumentName>>,
}

impl Origin {
    /// Source for runs that the user has chosen in a list.
    pub fn of_runs<'a>(runs: impl Iterator<Item = &'a DocRef>, list: (View, Narrowing)) -> Self {
        let names: Vec<DocumentName> = runs.cloned().map(DocumentName::Ref).collect();
        Self {
            list: (names.len() > MOST_BY_ID).then_some(list),
            names: Some(names),
            ..Self::default()
        }
    }

    /// Source for a view: the runs it names, else those it lists, filtered as chosen.
    pub fn of_view(view: &View, chosen: Narrowing, orders: Vec<Sort>) -> Self {
        let mut names = Vec::new();
        for id in &view.runs {
            let name = DocumentName::Id(id.clone());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let is_named = !names.is_empty();
        Self {
            view: Some(view.name.clone()),
            list: (!is_named).then(|| (view.clone(), chosen)),
            orders,
            names: is_named.then_some(names),
            ..Self::default()
        }
    }

    /// Query for the list that is read, with dates at `now`.
    pub fn tab(&self, now: i64, shared: &Shared) -> Option<TabQuery> {
        let (view, chosen) = self.list.as_ref()?;
        let now = local(now, shared.zone())?;
        Some(TabQuery::of(view, chosen, &RunSearch::default(), &now))
    }

    /// Returns true if only a part of the list is watched.
    pub fn is_part(&self) -> bool {
        let list = self.list.as_ref().filter(|_| self.names.is_none());
        list.is_some_and(|(view, chosen)| {
            view.only.is_some() || !view.query.is_empty() || !chosen.flags.is_empty()
        })
    }

    /// References of the chosen runs, as far as they are known.
    pub fn chosen(&self) -> Option<Vec<DocRef>> {
        let of = |name: &DocumentName| match name {
            DocumentName::Ref(run) => Some(run.clone()),
            DocumentName::Id(_) => None,
        };
        Some(self.names.as_ref()?.iter().filter_map(of).collect())
    }

    /// Sets the reference of the run with this short id.
    pub fn names_run(&mut self, id: &str, run: &DocRef) {
        self.missing.retain(|(known, _)| known != id);
        let is_it = |name: &&mut DocumentName| **name == DocumentName::Id(id.to_owned());
        if let Some(name) = self.names.iter_mut().flatten().find(is_it) {
            *name = DocumentName::Ref(run.clone());
        }
    }

    /// Notes why a run of the view was not found.
    pub fn misses(&mut self, id: &str, why: String) {
        self.missing.retain(|(known, _)| known != id);
        self.missing.push((id.to_owned(), why));
    }
}

/// Default interval between two readings, in seconds.
const EVERY: u64 = 30;

/// Choices of the user in monitors, kept for later monitors while the program runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// Seconds between two readings.
    pub every: Option<u64>,
    /// Order of the runs; `None` for worst first.
    pub order: Option<Sort>,
    /// Typed limits, by view; an empty text means no limit.
    pub limits: HashMap<Option<String>, String>,
    /// Runs that come first.
    pub pinned: HashSet<DocRef>,
}

impl Chosen {
    /// Seconds between two readings: the choice of the user, else the profile, else `EVERY`.
    pub fn pace(&self, shared: &Shared) -> u64 {
        let session = shared.session.as_ref();
        let profiles = session.map_or(0, |session| session.refresh_seconds);
        self.every
            .unwrap_or(if profiles > 0 { profiles } else { EVERY })
    }
}
