//! Views: what a tab of the runs list shows, and which runs the monitor watches.

use super::columns::Columns;
use super::fields::STATUS;
use super::prelude::*;
use super::query_language;
use super::{Filter, Narrowing, Sort, Status};

/// Maximum number of runs that a monitor watches.
pub const MOST_WATCHED: usize = 1_000;
/// Maximum number of runs that are read one by one by id; more are read in lists.
pub const MOST_BY_ID: usize = 20;

/// Tab of the runs list: built in, of the config, or saved; written alike in both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct View {
    #[serde(skip_serializing)]
    pub name: String,
    /// Filter of the list; empty if the view only names runs.
    #[serde(flatten, with = "WrittenFilter")]
    pub filter: Filter,
    /// Search that the runs must also match; empty for none.
    pub query: String,
    /// Orders of the list; empty for the list's own.
    #[serde(rename = "sort")]
    pub sorts: Vec<Sort>,
    /// Condition on the loaded rows; `None` for all.
    pub only: Option<Only>,
    /// Columns of the list; `None` for the current ones.
    pub columns: Option<Columns>,
    /// Short ids of the runs that the monitor watches; empty for the runs of the list.
    pub runs: Vec<String>,
    /// Limit of the monitor, unparsed; `None` for that of the profile.
    #[serde(alias = "gate")]
    pub limit: Option<String>,
}

/// Filter among the members of a view.
#[derive(Deserialize, Serialize)]
#[serde(remote = "Filter")]
struct WrittenFilter {
    #[serde(default, rename = "filter")]
    filters: Vec<String>,
    #[serde(default)]
    fulltext: String,
}

/// Condition that no filter of the service expresses (4.1), computed from the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Only {
    /// Edited today, or a count changed today.
    Today,
    /// More new failures than before today.
    NewFailures,
    /// With the signed-in user as tester, creator or last editor.
    Mine,
}

impl Only {
    /// Returns the name of such a tab, in small letters.
    fn name(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::NewFailures => "new failures",
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
            filter: Filter::of(status.map(|status| STATUS.filter(status))),
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

    /// Returns what it asks of a run: `open, mine, version 1.2.0 smoke`; empty for nothing, and for a built-in one, which
    /// its name tells.
    pub fn words(&self) -> String {
        let is_built_in = |view: &Self| view.filter == self.filter && view.only == self.only;
        if self.query.is_empty()
            && Self::built_in()
                .iter()
                .any(|view| view.is(&self.name) && is_built_in(view))
        {
            return String::new();
        }
        let mut narrowing = Narrowing::default();
        let mut words = Vec::new();
        for (path, value) in self.filter.named() {
            if path == STATUS.path {
                words.push(Status::from_text(Some(value)).to_string());
            } else {
                narrowing.add(path, value);
            }
        }
        words.extend(self.only.map(|only| only.name().to_owned()));
        words.extend([
            narrowing.words(),
            self.filter.fulltext.clone(),
            self.query.clone(),
        ]);
        words.retain(|words| !words.is_empty());
        words.join(", ")
    }

    /// Reads a saved view; `None` if it is invalid.
    pub fn read(name: &str, kept: &str) -> Option<Self> {
        Some(Self {
            name: name.to_owned(),
            ..serde_json::from_str(kept).ok()?
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
