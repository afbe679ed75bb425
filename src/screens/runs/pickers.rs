//! What the list can be filtered by, to choose from.

use super::Runs;
use crate::domain::Facets;
use crate::domain::fields::{self, STATUS};
use crate::store::{Choice, Entry};

impl Runs {
    pub(super) fn facet_choices(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (path, values) in self.offered_facets() {
            let field = fields::label(&path);
            entries.extend(values.into_iter().map(|value| Entry {
                ticked: Some(self.chosen.get(&path) == Some(&value)),
                ..Entry::new(
                    format!("{field}: {value}"),
                    Choice::Facet(path.clone(), value),
                )
            }));
        }
        entries
    }

    /// What can be filtered by: what the service offers, and of version and configuration the values of the runs where it
    /// offers none.
    pub fn offered_facets(&self) -> Facets {
        let answer = self.answer.as_ref();
        let mut facets = answer
            .map(|answer| answer.overview.facets.clone())
            .unwrap_or_default();
        // Open and closed are tabs.
        facets.retain(|(path, _)| *path != STATUS.path);
        for (path, value) in &self.chosen {
            match facets.iter_mut().find(|(known, _)| known == path) {
                Some((_, values)) if values.contains(value) => {}
                Some((_, values)) => values.insert(0, value.clone()),
                None => facets.push((path.clone(), vec![value.clone()])),
            }
        }
        facets
    }
}
