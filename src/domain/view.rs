//! A saved view: what the runs list is set to, and which runs the monitor watches.

use super::{Filter, Sort};

/// Runs that a monitor watches, at most.
pub const MOST_WATCHED: usize = 20;

/// A view of the config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedView {
    pub name: String,
    /// What the list shows; empty where the view only names runs.
    pub filter: Filter,
    /// Orders of the list; none for the list's own.
    pub sorts: Vec<Sort>,
    /// Short ids of the runs that the monitor watches; none for those that the list finds.
    pub runs: Vec<String>,
    /// Threshold of the monitor, as it is written; `None` for that of the profile.
    pub gate: Option<String>,
}

impl SavedView {
    /// It says something about the list, and not only about the monitor.
    pub fn sets_list(&self) -> bool {
        !self.filter.is_empty() || !self.sorts.is_empty()
    }
}
