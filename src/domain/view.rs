//! Views: what a tab of the runs list shows, and which runs the monitor watches.

use jiff::Zoned;
use serde_json::{Value, json};

use super::columns::Columns;
use super::fields::{self, Field, STATUS};
use super::query_language::{self, Flag};
use super::{Filter, Sort};

/// Maximum number of runs that a monitor watches.
pub const MOST_WATCHED: usize = 1_000;
/// Maximum number of runs that are read one by one by id; more are read in lists.
pub const MOST_BY_ID: usize = 20;

/// Tab of the runs list: built in, of the config, or saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub name: String,
    /// Filter of the list; empty if the view only names runs.
    pub filter: Filter,
    /// Search that the runs must also match; empty for none.
    pub query: String,
    /// Orders of the list; empty for the list's own.
    pub sorts: Vec<Sort>,
    /// Condition on the loaded rows; `None` for all.
    pub only: Option<Only>,
    /// Columns of the list; `None` for the current ones.
    pub columns: Option<Columns>,
    /// Short ids of the runs that the monitor watches; empty for the runs of the list.
    pub runs: Vec<String>,
    /// Limit of the monitor, unparsed; `None` for that of the profile.
    pub limit: Option<String>,
}

/// Condition that no filter of the service expresses (4.1), computed from the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// Edited today, or a count changed today.
    Today,
    /// More new failures than before today.
    NewFailures,
    /// With the signed-in user as tester, creator or last editor.
    Mine,
}

impl Only {
    const ALL: [Self; 3] = [Self::Today, Self::NewFailures, Self::Mine];

    /// Returns the name in a saved view.
    fn name(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::NewFailures => "new_failures",
            Self::Mine => "mine",
        }
    }

    /// Returns the words for the runs of such a tab.
    pub fn words(self) -> &'static str {
        match self {
            Self::Today => "open runs edited today and those in which a count moved today",
            Self::NewFailures => "open runs with more new failures than before today",
            Self::Mine => "open runs with you as tester, creator or last editor",
        }
    }

    /// Returns `true` if the counts from before today are needed.
    pub fn compares(self) -> bool {
        self != Self::Mine
    }
}

impl View {
    /// Returns the built-in views, in the order of the tabs.
    pub fn built_in() -> [Self; 6] {
        let of = |name: &str, status: Option<&str>, only| Self {
            name: name.into(),
            filter: Filter {
                filters: Vec::from_iter(status.map(|status| format!("{}:{status}", STATUS.path))),
                ..Filter::default()
            },
            only,
            ..Self::default()
        };
        let (open, closed) = (Some("active"), Some("inactive"));
        [
            of("Open", open, None),
            of("Today", open, Some(Only::Today)),
            of("New failures", open, Some(Only::NewFailures)),
            of("Mine", open, Some(Only::Mine)),
            of("Closed", closed, None),
            of("All", None, None),
        ]
    }

    /// Returns the built-in and the saved views. A saved view replaces the built-in one of the same name.
    pub fn all(saved: &[Self]) -> Vec<Self> {
        let (mut all, mut others) = (Self::built_in().to_vec(), Vec::new());
        for view in saved {
            match all.iter_mut().find(|built_in| built_in.is(&view.name)) {
                Some(built_in) => *built_in = view.clone(),
                None => others.push(view.clone()),
            }
        }
        all.extend(others);
        all
    }

    /// Returns `true` if the query chooses values of the field.
    pub fn says(&self, field: &Field) -> bool {
        let flags = Flag::ALL.map(|it| it.0);
        let read = query_language::search(&self.query, &Zoned::default(), &flags);
        read.is_ok_and(|read| read.chooses(field))
    }

    /// Returns `true` if the view filters by this field.
    pub fn filters_by(&self, path: &str) -> bool {
        let is_chosen = fields::of_path(path).is_some_and(|field| self.says(field));
        is_chosen || self.filter.named().any(|(named, _)| named == path)
    }

    /// Returns the settings of the list as saved.
    pub fn json(&self) -> Value {
        let sorts: Vec<String> = self.sorts.iter().map(Sort::order).collect();
        json!({
            "filter": self.filter.filters, "fulltext": self.filter.fulltext, "query": self.query, "sort": sorts,
            "only": self.only.map(Only::name), "columns": self.columns, "runs": self.runs, "limit": self.limit,
        })
    }

    /// Reads a saved view; `None` if it is invalid.
    pub fn read(name: &str, kept: &str) -> Option<Self> {
        let kept: Value = serde_json::from_str(kept).ok()?;
        let texts = |member: &str| -> Option<Vec<&str>> {
            kept[member].as_array()?.iter().map(Value::as_str).collect()
        };
        let sorts = texts("sort")?.into_iter().map(Sort::parse);
        Some(Self {
            name: name.to_owned(),
            filter: Filter {
                filters: texts("filter")?.into_iter().map(str::to_owned).collect(),
                fulltext: kept["fulltext"].as_str()?.to_owned(),
                lang: String::new(),
            },
            query: kept["query"].as_str()?.to_owned(),
            sorts: sorts.collect::<Option<_>>()?,
            only: match &kept["only"] {
                Value::Null => None,
                only => Some(Only::ALL.into_iter().find(|it| *only == it.name())?),
            },
            columns: serde_json::from_value(kept["columns"].clone()).ok()?,
            runs: serde_json::from_value::<Option<_>>(kept["runs"].clone())
                .ok()?
                .unwrap_or_default(),
            limit: serde_json::from_value(kept["limit"].clone()).ok()?,
        })
    }

    /// Compares the name, ignoring case.
    pub fn is(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }

    /// Returns `true` if the view has settings of the list, not only runs for the monitor.
    pub fn is_tab(&self) -> bool {
        let lists = !self.filter.is_empty() || !self.query.is_empty() || !self.sorts.is_empty();
        self.runs.is_empty() || lists
    }
}
