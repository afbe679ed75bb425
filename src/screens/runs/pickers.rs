//! Choices for filters of the list.

use super::Runs;
use crate::domain::fields::{self, STATUS, TESTERS};
use crate::domain::{Facets, Narrowing};
use crate::mirror::FieldValues;
use crate::store::{Choice, Entry};
use crate::ui::text::thousands;

impl Runs {
    pub(super) fn facet_choices(&self) -> Vec<Entry> {
        let mut flags = Vec::from(Narrowing::FLAGS.map(|(flag, words)| Entry {
            ticked: Some(self.chosen.flags.contains(&flag)),
            ..Entry::new(format!("Only: {words}"), Choice::Flag(flag))
        }));
        let mut entries = Vec::new();
        // Open and closed runs have tabs.
        let mut offered = self.offered_values();
        offered.retain(|field| field.path != STATUS.path);
        for FieldValues { path, mut values } in offered {
            values.sort_by_key(|(_, runs)| runs.is_none());
            // Before the testers, as there may be many.
            if path == TESTERS.path {
                entries.append(&mut flags);
            }
            let field = fields::label(&path);
            entries.extend(values.into_iter().map(|(value, runs)| {
                let ticked = self.chosen.has(&path, &value);
                // Runs are counted with the other filters on, so "none" would be wrong for a ticked value.
                let none = if ticked { "" } else { "none here" };
                Entry {
                    ticked: Some(ticked),
                    detail: runs.map_or_else(|| none.into(), thousands),
                    ..Entry::new(
                        format!("{field}: {value}"),
                        Choice::Facet(path.clone(), value),
                    )
                }
            }));
        }
        entries.append(&mut flags);
        entries
    }

    /// Values for filters by field, without counts.
    pub fn offered_facets(&self) -> Facets {
        let offered = self.offered_values().into_iter();
        let texts = |field: FieldValues| {
            let values = field.values.into_iter().map(|(value, _)| value);
            (field.path, values.collect())
        };
        offered.map(texts).collect()
    }

    /// Values for filters with their counts, with the active ones added.
    fn offered_values(&self) -> Vec<FieldValues> {
        let answer = self.answer.as_ref();
        let mut offered = answer
            .map(|answer| answer.overview.facets.clone())
            .unwrap_or_default();
        for (path, chosen) in &self.chosen.values {
            let place = offered.iter().position(|field| field.path == *path);
            let place = place.unwrap_or_else(|| {
                offered.push(FieldValues {
                    path: path.clone(),
                    values: Vec::new(),
                });
                offered.len() - 1
            });
            let values = &mut offered[place].values;
            for value in chosen {
                if values.iter().all(|(known, _)| known != value) {
                    values.push((value.clone(), None));
                }
            }
        }
        offered
    }
}
