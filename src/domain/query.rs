//! The shared parameter shapes and list results (interface section 4.2).

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::fields::{self, Holds};
use super::{DocRef, Document, RunRow};

/// A page of a list: `offset` entries are passed over, at most `limit` are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    /// Number of entries before the page.
    pub offset: u64,
    /// Number of entries wanted.
    pub limit: u32,
}

impl Page {
    /// Entries asked for by a short id: one is expected, and a service that looks for the text anywhere may have a few more.
    pub const BY_ID: Self = Self {
        offset: 0,
        limit: 10,
    };
}

/// One sort order, `<field_path> ASC` or `<field_path> DESC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// Field path, such as `Root.General.Title`.
    pub path: String,
    /// Largest first.
    pub descending: bool,
}

impl Sort {
    /// The order of the list unless somebody says otherwise.
    pub fn newest_edits() -> Vec<Self> {
        vec![Self {
            path: fields::EDITED_ON.path.into(),
            descending: true,
        }]
    }

    /// Reads a field path, with ASC or DESC if wanted; ascending where nothing is said.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let path = words.next()?.to_owned();
        let descending = match words.next().map(str::to_ascii_uppercase).as_deref() {
            None | Some("ASC") => false,
            Some("DESC") => true,
            Some(_) => return None,
        };
        words.next().is_none().then_some(Self { path, descending })
    }

    /// The text the service is sent (4.2).
    pub fn order(&self) -> String {
        format!(
            "{} {}",
            self.path,
            if self.descending { "DESC" } else { "ASC" }
        )
    }
}

/// What runs are sorted by here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SortedBy {
    /// Name of the field.
    pub field: &'static str,
    /// The least first.
    pub ascending: bool,
}

impl<'de> Deserialize<'de> for SortedBy {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Kept {
            field: String,
            ascending: bool,
        }
        let Kept { field, ascending } = Kept::deserialize(from)?;
        let known = fields::named(&field);
        let known = known.ok_or_else(|| D::Error::custom(format!("no field {field}")))?;
        Ok(Self {
            field: known.name,
            ascending,
        })
    }
}

impl SortedBy {
    /// The order that the service is asked for by this path, or here by this name of a field; `None` where there is none.
    pub fn of(sort: &Sort) -> Option<Self> {
        let field = fields::sorted_by(&sort.path).or_else(|| fields::named(&sort.path));
        Some(Self {
            field: field?.name,
            ascending: !sort.descending,
        })
    }

    /// The orders of these by which this side can sort.
    pub fn all_of(sorts: &[Sort]) -> Vec<Self> {
        sorts.iter().filter_map(Self::of).collect()
    }

    /// The order that choosing a field means after the one in force: the newest or the worst first; the same again reverses.
    pub fn after(now: Option<Self>, name: &str) -> Option<Self> {
        let field = fields::named(name)?;
        let of_texts = matches!(field.holds, Holds::Text(_) | Holds::Status | Holds::Done);
        let by_newest = [fields::EDITED.name, fields::CREATED.name, fields::ID.name];
        let is_newest = by_newest.contains(&field.name);
        let before = now.filter(|now| now.field == field.name);
        Some(Self {
            field: field.name,
            // Of what is done the least is the worst.
            ascending: before.map_or(of_texts && !is_newest, |now| !now.ascending),
        })
    }

    /// What the service can be asked for; `None` where only this side can sort so.
    pub fn asked(self) -> Option<Sort> {
        Some(Sort {
            path: fields::named(self.field)?.sort_path()?.to_owned(),
            descending: !self.ascending,
        })
    }

    /// As it is kept: what the service can be asked for, else by the name of the field.
    pub fn kept(self) -> Sort {
        self.asked().unwrap_or_else(|| Sort {
            path: self.field.to_owned(),
            descending: !self.ascending,
        })
    }

    /// How it is shown.
    pub fn arrow(self) -> &'static str {
        if self.ascending { "↑" } else { "↓" }
    }
}

/// The filter of a list. Empty members are left out of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Filter {
    /// Each of the form `<field_path>:<value>`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Words to be found anywhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fulltext: String,
    /// Language; what the service does with it is not documented.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lang: String,
}

impl Filter {
    /// A run has another value in a field that is filtered by: none of those that are given for it. What the words find is
    /// not said, nor what the service makes of a value: what is not ruled out need not be found.
    pub fn rules_out(&self, row: &RunRow) -> bool {
        self.named()
            .any(|(path, _)| self.fits(path, row) == Some(false))
    }

    /// Whether a run has one of the values that are given for a field; `None` if its row does not tell.
    pub fn fits(&self, path: &str, row: &RunRow) -> Option<bool> {
        let field = fields::of_path(path).filter(|field| field.is_in_row())?;
        let is_list = field.name == fields::CONFIGURATION.name;
        let has = |text: &str, value: &str| {
            text == value || is_list && text.split(',').any(|part| part.trim() == value)
        };
        let mut values = self.named().filter(|(other, _)| *other == path);
        if let Holds::Texts(of) = field.holds {
            let texts = of(row);
            let is_known = row.results.is_some() || !texts.is_empty();
            let has = |value| texts.iter().any(|text| text == value);
            return is_known.then(|| values.any(|(_, value)| has(value)));
        }
        let text = match field.holds {
            Holds::Status => row.status.as_text()?,
            _ => field.text_of(row)?,
        };
        Some(values.any(|(_, value)| has(text, value)))
    }

    /// A row tells which values of the field at this path it has.
    pub fn is_told(path: &str) -> bool {
        let field = fields::of_path(path).filter(|field| field.is_in_row());
        field.is_some_and(|field| field.is_text() || matches!(field.holds, Holds::Texts(_)))
    }

    /// Keeps the lines about some fields.
    pub fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        let keeps = |line: &String| line.split_once(':').is_none_or(|(path, _)| keeps(path));
        self.filters.retain(keeps);
    }

    /// A row tells that it fits all filters.
    pub fn has(&self, row: &RunRow) -> bool {
        self.named()
            .all(|(path, _)| self.fits(path, row) == Some(true))
    }

    /// Whether this is the text of a filter, `<field_path>:<value>` (4.2).
    pub fn is_one(text: &str) -> bool {
        text.split_once(':')
            .is_some_and(|(path, _)| !path.trim().is_empty())
    }

    /// Asks for one run by its short id: no operation gives the row of one run. What the service makes of it is not
    /// documented; [`RunsPage::row_of`] and [`RunsPage::rules_out`] look at what came.
    pub fn by_id(id: &str) -> Self {
        Self {
            filters: vec![format!("{}:{id}", fields::ID.path)],
            ..Self::default()
        }
    }

    /// The filters as path and value.
    pub fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        self.filters.iter().filter_map(|it| it.split_once(':'))
    }

    /// Nothing is filtered.
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty() && self.fulltext.is_empty()
    }
}

/// A list result.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPage<T = Document> {
    /// Total number of matches.
    pub full_size: u64,
    /// The entries in order.
    pub entries: Vec<T>,
    /// Which operation listed them, where there are several.
    pub operation: Option<RunsOperation>,
}

impl From<RunsPage> for ListPage<RunRow> {
    fn from(page: RunsPage) -> Self {
        Self {
            full_size: page.full_size,
            entries: page.rows,
            operation: Some(page.operation),
        }
    }
}

/// `filterItemMap` of `LIST_TEST_RUNS`: field path to the values on offer, as text, in the order of the service.
pub type Facets = Vec<(String, Vec<String>)>;

/// Which operation lists test runs (`runs_source` of the configuration).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunsSource {
    /// `LIST_TEST_RUNS` until the service refuses it as unknown, from then on `LIST_DOCUMENTS`.
    #[default]
    Auto,
    /// `LIST_TEST_RUNS` only.
    ListTestRuns,
    /// `LIST_DOCUMENTS` only.
    ListDocuments,
}

/// Which operation a page of runs came from (4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsOperation {
    /// `LIST_TEST_RUNS`: with suite count, progress, results and facets.
    ListTestRuns,
    /// `LIST_DOCUMENTS`: without them.
    ListDocuments,
}

impl RunsOperation {
    /// Name of the method.
    pub fn method(self) -> &'static str {
        match self {
            Self::ListTestRuns => "LIST_TEST_RUNS",
            Self::ListDocuments => "LIST_DOCUMENTS",
        }
    }
}

/// A page of test runs.
#[derive(Clone, Debug, PartialEq)]
pub struct RunsPage {
    /// Total number of matches.
    pub full_size: u64,
    /// The runs in order, from the offset that was asked for.
    pub rows: Vec<RunRow>,
    /// What the service offers to filter by; `None` from `LIST_DOCUMENTS`.
    pub facets: Option<Facets>,
    /// Where the page came from.
    pub operation: RunsOperation,
}

impl RunsPage {
    /// The row of a run, if it is here.
    pub fn row_of(&self, run: &DocRef) -> Option<&RunRow> {
        self.rows.iter().find(|row| row.doc_ref == *run)
    }

    /// Whether this answer to [`Filter::by_id`] tells that there is no such run: it is whole, it does not have the run,
    /// and no other id is in it. Rows of other ids say that the filter was not heeded as meant, so nothing follows.
    pub fn rules_out(&self, run: &DocRef, id: &str) -> bool {
        self.row_of(run).is_none()
            && self.full_size == self.rows.len() as u64
            && self.rows.iter().all(|row| row.id.as_deref() == Some(id))
    }
}
