//! What a monitor watches where that is not a handful of runs somebody marked: the runs of a saved view.

use std::collections::{HashMap, HashSet};

use super::card::{Card, Gate};
use crate::domain::{DocRef, Filter, RunRow, Sort, View};
use crate::store::in_flight::Ask;
use crate::store::shared::Shared;

/// The view that a monitor is on.
#[derive(Clone, Debug, PartialEq)]
pub struct OnView {
    pub name: String,
    /// How many runs it finds, as the service said last; `None` before, and for a view that names its runs.
    pub found: Option<u64>,
    /// Runs that the view names and that are not here, each with why.
    pub missing: Vec<(String, String)>,
    /// Where its runs come from.
    pub source: Source,
}

/// Where the runs of a view come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A list of the service: its first runs.
    Listed(Filter, Vec<Sort>),
    /// Short ids.
    Named(Vec<String>),
}

impl OnView {
    /// Nothing of it has been read. `filter` and `sorts` are those of the list on this view.
    pub fn new(view: &View, filter: Filter, sorts: Vec<Sort>) -> Self {
        let source = if view.runs.is_empty() {
            Source::Listed(filter, sorts)
        } else {
            Source::Named(view.runs.clone())
        };
        Self {
            name: view.name.clone(),
            found: None,
            missing: Vec::new(),
            source,
        }
    }

    /// What is asked in a reading, with these cards here.
    pub fn asks(&self, cards: &[Card]) -> Vec<Ask> {
        let Source::Named(ids) = &self.source else {
            return vec![Ask::View];
        };
        let ask = |id: &String| match cards.iter().find(|card| card.row.id.as_ref() == Some(id)) {
            Some(card) => Ask::Run(card.row.doc_ref.clone()),
            None => Ask::Id(id.clone()),
        };
        ids.iter().map(ask).collect()
    }

    /// Where a run stands among those that the view names.
    pub fn place(&self, id: &str) -> usize {
        match &self.source {
            Source::Named(ids) => ids
                .iter()
                .position(|known| known == id)
                .unwrap_or(ids.len()),
            Source::Listed(..) => 0,
        }
    }

    /// How many runs it is of, as far as that is known.
    pub fn of(&self) -> Option<u64> {
        match &self.source {
            Source::Named(ids) => Some(ids.len() as u64),
            Source::Listed(..) => self.found,
        }
    }

    /// Takes the orders away, once: the service may refuse them.
    pub fn unsort(&mut self) -> bool {
        match &mut self.source {
            Source::Listed(_, sorts) if self.found.is_none() && !sorts.is_empty() => {
                sorts.clear();
                true
            }
            Source::Listed(..) | Source::Named(_) => false,
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
    /// The thresholds that were typed for all runs, by the view; empty for none.
    pub gates: HashMap<Option<String>, String>,
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
    /// Thresholds of their own.
    pub gates: HashMap<DocRef, Gate>,
    /// Runs that come first.
    pub pinned: HashSet<DocRef>,
}

impl OfRuns {
    /// A card of a run that was read at a time (epoch milliseconds), `place` in the order of the monitor.
    pub fn card(&self, row: RunRow, at: i64, place: usize) -> Card {
        let (own, pinned) = (
            self.gates.get(&row.doc_ref).cloned(),
            self.pinned.contains(&row.doc_ref),
        );
        let mut card = Card::new(row, at);
        (card.own, card.pinned, card.place) = (own, pinned, place);
        card
    }
}
