//! A view: what a tab of the runs list shows, and which runs the monitor watches.

use jiff::Zoned;
use serde_json::{Value, json};

use super::columns::Columns;
use super::fields::{self, Field, STATUS};
use super::query_language::{self, Flag};
use super::{Filter, Sort};

/// Runs that a monitor watches, at most.
pub const MOST_WATCHED: usize = 1_000;
/// Runs that are asked for by their ids, each by itself: more of them are looked for in lists.
pub const MOST_BY_ID: usize = 20;

/// A tab of the runs list: built in, or of the config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub name: String,
    /// What the list shows; empty where the view only names runs.
    pub filter: Filter,
    /// What its runs must fit besides, as a search is written; empty for nothing.
    pub query: String,
    /// Orders of the list; none for the list's own.
    pub sorts: Vec<Sort>,
    /// Which of the rows that are here it shows; none for all.
    pub only: Option<Only>,
    /// The columns of the list; `None` for those that it has.
    pub columns: Option<Columns>,
    /// Short ids of the runs that the monitor watches; none for those that the list finds.
    pub runs: Vec<String>,
    /// Limit of the monitor, as it is written; `None` for that of the profile.
    pub limit: Option<String>,
}

/// What no filter of the service says (4.1): it is worked out from the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// Edited today, or a count has moved today.
    Today,
    /// More new failures than before today.
    NewFailures,
    /// Of the person who is signed in: as tester, creator or last editor.
    Mine,
}

impl Only {
    const ALL: [Self; 3] = [Self::Today, Self::NewFailures, Self::Mine];

    /// By what it is kept.
    fn name(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::NewFailures => "new_failures",
            Self::Mine => "mine",
        }
    }

    /// The runs that a tab lists, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Today => "open runs edited today and those in which a count moved today",
            Self::NewFailures => "open runs with more new failures than before today",
            Self::Mine => "open runs with you as tester, creator or last editor",
        }
    }

    /// It is told by how the runs stood before today.
    pub fn compares(self) -> bool {
        self != Self::Mine
    }
}

impl View {
    /// Those that are built in, in the order of the tabs.
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

    /// All that somebody with these views of the config has: a view with the name of a built-in one stands in its place.
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

    /// Its query says which values of the field are looked for.
    pub fn says(&self, field: &Field) -> bool {
        let flags = Flag::ALL.map(|it| it.0);
        let read = query_language::search(&self.query, &Zoned::default(), &flags);
        read.is_ok_and(|read| read.chooses(field))
    }

    /// It filters by this field.
    pub fn filters_by(&self, path: &str) -> bool {
        let is_chosen = fields::of_path(path).is_some_and(|field| self.says(field));
        is_chosen || self.filter.named().any(|(named, _)| named == path)
    }

    /// What it shows as it is kept.
    pub fn json(&self) -> Value {
        let sorts: Vec<String> = self.sorts.iter().map(Sort::order).collect();
        json!({
            "filter": self.filter.filters, "fulltext": self.filter.fulltext, "query": self.query, "sort": sorts,
            "only": self.only.map(Only::name), "columns": self.columns,
        })
    }

    /// A kept view; `None` if that cannot be read.
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
            ..Self::default()
        })
    }

    /// It goes by this name, whatever its case.
    pub fn is(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }

    /// It says something about the list, and not only which runs the monitor watches.
    pub fn is_tab(&self) -> bool {
        let lists = !self.filter.is_empty() || !self.query.is_empty() || !self.sorts.is_empty();
        self.runs.is_empty() || lists
    }
}
