//! What the list can be sorted and filtered by, and which columns it has, to choose from.

use std::collections::BTreeSet;

use super::Runs;
use crate::domain::Facets;
use crate::domain::fields::{CONFIGURATION, LIST, SORTS, STATUS, VERSION};
use crate::store::message::{Choice, Entry};

impl Runs {
    pub(super) fn sort_choices(&self) -> impl Iterator<Item = Entry> {
        let now = self.all.sort.first().map(|sort| sort.path.clone());
        SORTS.iter().map(move |(heading, path)| Entry {
            label: (*heading).to_owned(),
            detail: (*path).to_owned(),
            ticked: Some(now.as_deref() == Some(path)),
            choice: Choice::Sort((*path).to_owned()),
        })
    }

    pub(super) fn column_choices(&self) -> impl Iterator<Item = Entry> {
        let columns = LIST
            .into_iter()
            .filter_map(|field| Some((field, field.column?)));
        columns.map(|(field, column)| Entry {
            label: column.heading.to_owned(),
            detail: if field.counted {
                "from LIST_TEST_RUNS".to_owned()
            } else {
                String::new()
            },
            ticked: Some(!self.hidden.contains(field.name)),
            choice: Choice::Column(field.name),
        })
    }

    pub(super) fn facet_choices(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (path, values) in self.offered_facets() {
            let field = path.rsplit('.').next().unwrap_or(&path);
            entries.extend(values.into_iter().map(|value| Entry {
                label: format!(
                    "{field}: {}",
                    if value == "inactive" {
                        "inactive (closed)"
                    } else {
                        &value
                    }
                ),
                detail: path.clone(),
                ticked: Some(self.chosen.get(&path) == Some(&value)),
                choice: Choice::Facet(path.clone(), value),
            }));
        }
        entries
    }

    /// What can be filtered by: what the service offers, the two states of the document, and of version and
    /// configuration the values of the loaded rows where the service offers none.
    fn offered_facets(&self) -> Facets {
        let mut facets = self.facets.clone();
        let status = STATUS.path.to_owned();
        if !facets
            .iter()
            .any(|(path, values)| *path == status && !values.is_empty())
        {
            facets.insert(0, (status, vec!["active".into(), "inactive".into()]));
        }
        for field in [&VERSION, &CONFIGURATION] {
            if !facets
                .iter()
                .any(|(known, values)| known == field.path && !values.is_empty())
            {
                let rows = self.all.rows();
                let seen = rows.filter_map(|(_, row)| field.text_of(row));
                let seen: BTreeSet<&str> = seen.filter(|value| !value.is_empty()).collect();
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
