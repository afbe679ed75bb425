//! Runs that a monitor watches: chosen ones, or those of a view.

use crate::screens::prelude::*;
use std::collections::{HashMap, HashSet};

use crate::domain::query_language::RunSearch;
use crate::domain::{Filter, MOST_BY_ID, Narrowing, Sort, View, local};
use crate::mirror::{ListExtent, TabQuery};

/// Source of the runs of a monitor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Name of the view; `None` for runs chosen by the user.
    pub view: Option<String>,
    /// Number of runs found in the mirror, and the known extent of their list.
    pub found: Option<(u64, ListExtent)>,
    /// View to read and its filters; `None` if all runs are read by id.
    pub list: Option<(View, Narrowing)>,
    pub orders: Vec<Sort>,
    /// Runs chosen by the user or named by the view, in order; `None` for all runs of the list.
    pub names: Option<Vec<DocumentName>>,
    /// Short ids of the runs, if all are read by id.
    ids: Vec<String>,
}

impl Origin {
    /// Source for runs that the user has chosen in a list.
    pub fn of_runs(runs: &[Arc<Run>], list: (View, Narrowing)) -> Self {
        let names = runs.iter().map(|run| run.doc_ref.clone());
        let ids = runs.iter().map(|run| run.id().map(str::to_owned));
        let ids = ids.collect::<Option<Vec<_>>>();
        let ids = ids.filter(|ids| ids.len() <= MOST_BY_ID);
        Self {
            list: ids.is_none().then_some(list),
            names: Some(names.map(DocumentName::Ref).collect()),
            ids: ids.unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Source for a view: the runs it names, else those it lists, filtered as chosen.
    pub fn of_view(view: &View, chosen: Narrowing, orders: Vec<Sort>) -> Self {
        let mut ids = Vec::new();
        for id in &view.runs {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let names = ids.iter().cloned().map(DocumentName::Id);
        Self {
            view: Some(view.name.clone()),
            list: ids.is_empty().then(|| (view.clone(), chosen)),
            orders,
            names: (!ids.is_empty()).then(|| names.collect()),
            ids,
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

    /// Lists to read; empty if no date can be told of `now`.
    pub fn lists(&self, now: i64, shared: &Shared) -> Vec<Filter> {
        let tab = self.tab(now, shared).into_iter();
        let by_id = self.ids.iter().map(|id| Filter::by_id(id));
        tab.flat_map(|tab| tab.lists).chain(by_id).collect()
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
