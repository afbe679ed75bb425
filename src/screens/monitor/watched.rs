//! What a monitor watches: some runs, or all of a view.

use std::collections::{HashMap, HashSet};

use super::limit::Limit;
use crate::domain::query_language::RunSearch;
use crate::domain::{DocRef, DocumentName, MOST_BY_ID, Narrowing, SortedBy, View, local};
use crate::mirror::{ListExtent, Run, TabQuery};
use crate::store::Shared;

/// Where the runs of a monitor come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The view that they are of; nothing for runs that somebody chose.
    pub view: Option<String>,
    /// How many runs are found here, and how much of their list that is.
    pub found: Option<(u64, ListExtent)>,
    /// Runs that the view names and that are not here, each with why.
    pub missing: Vec<(String, String)>,
    /// The view that is read, and what it is narrowed to; `None` where each run is asked for by itself.
    pub list: Option<(View, Narrowing)>,
    pub orders: Vec<SortedBy>,
    /// The runs that somebody chose or that a view names, in their order; `None` for all that the list has.
    pub names: Option<Vec<DocumentName>>,
}

impl Origin {
    /// Runs that somebody chose, from this view.
    pub fn of_runs<'a>(runs: impl Iterator<Item = &'a DocRef>, list: (View, Narrowing)) -> Self {
        let names: Vec<DocumentName> = runs.cloned().map(DocumentName::Ref).collect();
        Self {
            list: (names.len() > MOST_BY_ID).then_some(list),
            names: Some(names),
            ..Self::default()
        }
    }

    /// The runs of a view: those that it names, else those that it lists, narrowed to what was chosen.
    pub fn of_view(view: &View, chosen: Narrowing, orders: Vec<SortedBy>) -> Self {
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

    /// The list that is read, at a time.
    pub fn tab(&self, now: i64, shared: &Shared) -> Option<TabQuery> {
        let (view, chosen) = self.list.as_ref()?;
        let now = local(now, &shared.in_use().watch.zone)?;
        Some(TabQuery::of(view, chosen, &RunSearch::default(), &now))
    }

    /// Not all runs that lists of the service have are watched.
    pub fn is_part(&self) -> bool {
        let list = self.list.as_ref().filter(|_| self.names.is_none());
        list.is_some_and(|(view, chosen)| {
            view.only.is_some() || !view.query.is_empty() || !chosen.flags.is_empty()
        })
    }

    /// References of the runs that were chosen, as far as they are known.
    pub fn chosen(&self) -> Option<Vec<DocRef>> {
        let of = |name: &DocumentName| match name {
            DocumentName::Ref(run) => Some(run.clone()),
            DocumentName::Id(_) => None,
        };
        Some(self.names.as_ref()?.iter().filter_map(of).collect())
    }

    /// The run that is named by this short id.
    pub fn names_run(&mut self, id: &str, run: &DocRef) {
        self.missing.retain(|(known, _)| known != id);
        let is_it = |name: &&mut DocumentName| **name == DocumentName::Id(id.to_owned());
        if let Some(name) = self.names.iter_mut().flatten().find(is_it) {
            *name = DocumentName::Ref(run.clone());
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
    /// Those of single runs.
    pub limits_of_runs: HashMap<DocRef, Limit>,
    /// Runs that come first.
    pub pinned: HashSet<DocRef>,
}

impl Chosen {
    /// Seconds between two readings: those somebody chose, else those of the profile.
    pub fn pace(&self, shared: &Shared) -> u64 {
        let session = shared.session.as_ref();
        let profiles = session.map_or(0, |session| session.refresh_seconds);
        self.every
            .unwrap_or(if profiles > 0 { profiles } else { EVERY })
    }

    /// The limit of a run: its own, else that of all.
    pub fn limit_of<'a>(&'a self, run: &Run, of_all: Option<&'a Limit>) -> Option<&'a Limit> {
        self.limits_of_runs.get(&run.doc_ref).or(of_all)
    }
}
