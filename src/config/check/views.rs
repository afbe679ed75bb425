//! The saved views of a profile.

use std::collections::BTreeSet;

use toml::de::DeTable;

use super::Check;
use crate::config::schema::VIEW;
use crate::config::value::{Value, kind_of};
use crate::domain::MOST_WATCHED;

impl Check<'_> {
    /// Checks the tables below `title`; that they are a list has been looked at.
    pub(super) fn views(&mut self, title: &str, views: &Value<'_>) {
        let mut names = BTreeSet::new();
        for view in views
            .get_ref()
            .as_array()
            .into_iter()
            .flat_map(|views| views.iter())
        {
            let Some(table) = view.get_ref().as_table() else {
                self.report(
                    view.span().start,
                    format!("views: {} found; expected a table {title}", kind_of(view)),
                );
                continue;
            };
            self.keys(title, table, VIEW);
            self.missing(title, view.span().start, table, VIEW);
            self.view(title, view.span().start, table);
            let name = table
                .iter()
                .find(|(key, _)| key.get_ref() == "name")
                .map(|(_, value)| value);
            if let Some(name) = name
                && let Some(text) = name.get_ref().as_str()
                && !names.insert(text)
            {
                self.report(
                    name.span().start,
                    format!("name: a second view of this name in {title}; expected another"),
                );
            }
        }
    }

    fn view(&mut self, title: &str, at: usize, table: &DeTable<'_>) {
        let shows = |name: &str| ["fulltext", "filter", "sort", "runs"].contains(&name);
        if !self.broken && !table.iter().any(|(name, _)| shows(name.get_ref())) {
            let text = format!(
                "a view of nothing in {title}; expected at least one of fulltext, filter, sort, runs"
            );
            self.report(at, text);
        }
        for (_, runs) in table.iter().filter(|(name, _)| name.get_ref() == "runs") {
            if runs
                .get_ref()
                .as_array()
                .is_some_and(|runs| runs.iter().count() > MOST_WATCHED)
            {
                let text =
                    format!("runs: more than a monitor watches; expected at most {MOST_WATCHED}");
                self.report(runs.span().start, text);
            }
        }
    }
}
