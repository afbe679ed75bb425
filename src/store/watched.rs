//! What a monitor watches where that is not a handful of runs somebody marked: the runs of a saved view.

use std::collections::{HashMap, HashSet};

use super::card::{Card, Gate};
use crate::domain::{DocRef, Filter, RunRow, SavedView, Sort};

/// The view that a monitor is on.
#[derive(Clone, Debug, PartialEq)]
pub struct OnView {
    pub name: String,
    /// How many runs it finds, as the service said last; `None` before, and for a view that names its runs.
    pub found: Option<u64>,
    /// Runs that the view names and that are not here, each with why.
    pub missing: Vec<(String, String)>,
    /// Where its runs come from.
    pub(super) source: Source,
}

/// Where the runs of a view come from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// A list of the service: its first runs.
    Listed(Filter, Vec<Sort>),
    /// Short ids.
    Named(Vec<String>),
}

/// One call of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// For a run that has a card.
    Run(DocRef),
    /// For a run of which only the short id is known.
    Id(String),
    /// For the runs of the view.
    View,
}

impl OnView {
    /// Nothing of it has been read. `filter` and `sorts` are those of the list on this view.
    pub fn new(view: &SavedView, filter: Filter, sorts: Vec<Sort>) -> Self {
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
    pub(super) fn asks(&self, cards: &[Card]) -> Vec<Ask> {
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
    pub(super) fn place(&self, id: &str) -> usize {
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
    pub(super) fn unsort(&mut self) -> bool {
        match &mut self.source {
            Source::Listed(_, sorts) if self.found.is_none() && !sorts.is_empty() => {
                sorts.clear();
                true
            }
            Source::Listed(..) | Source::Named(_) => false,
        }
    }

    /// A run that the view names is not here.
    pub(super) fn misses(&mut self, id: &str, why: String) {
        self.missing.retain(|(known, _)| known != id);
        self.missing.push((id.to_owned(), why));
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
    pub(super) fn card(&self, row: RunRow, at: i64, place: usize) -> Card {
        let (own, pinned) = (
            self.gates.get(&row.doc_ref).cloned(),
            self.pinned.contains(&row.doc_ref),
        );
        let mut card = Card::new(row, at);
        (card.own, card.pinned, card.place) = (own, pinned, place);
        card
    }
}
