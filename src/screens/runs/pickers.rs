//! What the list can be filtered by, to choose from.

use std::collections::BTreeSet;

use super::Runs;
use crate::domain::Facets;
use crate::domain::fields::{self, CONFIGURATION, STATUS, VERSION};
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

    /// What can be filtered by: what the service offers, and of version and configuration the values of the loaded rows where the service offers none.
    pub fn offered_facets(&self) -> Facets {
        let mut facets = self.facets.clone();
        // Open and closed are tabs.
        facets.retain(|(path, _)| *path != STATUS.path);
        for field in [&VERSION, &CONFIGURATION] {
            if !facets
                .iter()
                .any(|(known, values)| known == field.path && !values.is_empty())
            {
                let seen: BTreeSet<&str> = self
                    .all
                    .rows()
                    .filter_map(|(_, row)| field.text_of(row))
                    .filter(|value| !value.is_empty())
                    .collect();
                facets.push((
                    field.path.to_owned(),
                    seen.into_iter().take(50).map(str::to_owned).collect(),
                ));
            }
        }
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
