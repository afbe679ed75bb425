//! Marked suites, in the order of marking. They stay whatever happens to the list they were marked in.

use std::collections::HashSet;
use std::ops::Deref;

use crate::domain::{DocRef, SuiteRow};

/// Marked suites; read like a slice. Looking one up costs the same however many there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Basket {
    suites: Vec<SuiteRow>,
    marked: HashSet<DocRef>,
    gone: HashSet<DocRef>,
}

impl Deref for Basket {
    type Target = [SuiteRow];

    fn deref(&self) -> &[SuiteRow] {
        &self.suites
    }
}

impl Basket {
    /// The suite is marked.
    pub fn holds(&self, suite: &DocRef) -> bool {
        self.marked.contains(suite)
    }

    /// The suite is not in the list any more.
    pub fn is_gone(&self, suite: &DocRef) -> bool {
        self.gone.contains(suite)
    }

    /// Marks a suite, unless it is marked.
    pub(super) fn mark(&mut self, suite: &SuiteRow) {
        if self.marked.insert(suite.doc_ref.clone()) {
            self.suites.push(suite.clone());
        }
    }

    /// Takes marks away.
    pub(super) fn unmark(&mut self, suites: &[DocRef]) {
        for suite in suites {
            self.marked.remove(suite);
            self.gone.remove(suite);
        }
        let marked = &self.marked;
        self.suites.retain(|suite| marked.contains(&suite.doc_ref));
    }

    /// Takes all marks away.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Compares the marks with the list as it is now.
    pub(super) fn compare(&mut self, list: &[SuiteRow]) {
        self.gone = if self.suites.is_empty() {
            HashSet::new()
        } else {
            let listed: HashSet<&DocRef> = list.iter().map(|suite| &suite.doc_ref).collect();
            self.marked
                .iter()
                .filter(|marked| !listed.contains(marked))
                .cloned()
                .collect()
        };
    }
}
