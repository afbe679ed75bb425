//! Shared parameters and list results (interface section 4.2).

use super::prelude::*;

/// Page of a list: `offset` entries are skipped, at most `limit` are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    /// Number of entries before the page.
    pub offset: u64,
    /// Number of entries requested.
    pub limit: u32,
}

impl Page {
    /// Page for a short id: one entry is expected, but a service that searches anywhere may return a few more.
    pub const BY_ID: Self = Self::first(10);

    /// Returns the first page.
    pub const fn first(limit: u32) -> Self {
        Self { offset: 0, limit }
    }
}

/// One sort order, `<field_path> ASC` or `<field_path> DESC`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sort {
    /// Field path, such as `Root.General.Title`; the name of a field by which only this side sorts.
    pub path: String,
    /// Largest first.
    pub descending: bool,
}

impl TryFrom<String> for Sort {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no order")
    }
}

impl From<Sort> for String {
    fn from(sort: Sort) -> Self {
        sort.order()
    }
}

impl Sort {
    pub fn by(path: &str, descending: bool) -> Self {
        let path = path.to_owned();
        Self { path, descending }
    }

    /// Returns the default order of the list.
    pub fn newest_edits() -> Vec<Self> {
        vec![Self::by(fields::EDITED_ON.path, true)]
    }

    /// Parses a field path, or the name of a field, with optional ASC or DESC; ascending by default.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let path = match words.next()? {
            path if path.contains('.') => path.to_owned(),
            name => {
                let field = fields::named(name).filter(|it| it.is_sorted())?;
                field.sort_path().unwrap_or(field.name).to_owned()
            }
        };
        let descending = match words.next().map(str::to_ascii_uppercase).as_deref() {
            None | Some("ASC") => false,
            Some("DESC") => true,
            Some(_) => return None,
        };
        words.next().is_none().then_some(Self { path, descending })
    }

    /// Returns the order after the user chose a field: newest or worst first; the current field is reversed.
    pub fn after(now: Option<&Self>, name: &str) -> Option<Self> {
        let field = fields::named(name)?;
        let of_texts = matches!(field.holds, Holds::Text(_) | Holds::Status | Holds::Done);
        let by_newest = [&fields::EDITED, &fields::CREATED, &fields::ID];
        // The smallest share of finished cases is the worst.
        let first = !of_texts || by_newest.contains(&field);
        let before = now.filter(|now| now.is_by(field.name));
        let path = field.sort_path().unwrap_or(field.name);
        Some(Self::by(path, before.map_or(first, |now| !now.descending)))
    }

    /// Returns the orders that this side supports.
    pub fn known(sorts: &[Self]) -> Vec<Self> {
        let known = sorts.iter().filter(|sort| sort.field().is_some());
        known.cloned().collect()
    }

    /// Returns the field that this side sorts by; `None` if unknown.
    pub fn field(&self) -> Option<&'static Field> {
        fields::sorted_by(&self.path).or_else(|| fields::named(&self.path))
    }

    /// Returns `true` for an order by the field of this name.
    pub fn is_by(&self, name: &str) -> bool {
        self.field().is_some_and(|field| field.name == name)
    }

    /// Returns `true` if the service can sort so.
    pub fn is_asked(&self) -> bool {
        self.path.contains('.')
    }

    pub fn arrow(&self) -> &'static str {
        if self.descending { "↓" } else { "↑" }
    }

    /// Returns the text for the service (4.2).
    pub fn order(&self) -> String {
        format!(
            "{} {}",
            self.path,
            if self.descending { "DESC" } else { "ASC" }
        )
    }
}

/// Filter of a list. Empty members are left out of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Filter {
    /// Each of the form `<field_path>:<value>`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Words to be found anywhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fulltext: String,
}

impl Filter {
    /// Returns `true` if a run has none of the given values of a field. The service does not document its search for
    /// words and values: a run that is not ruled out need not be found.
    pub fn rules_out(&self, row: &RunRow) -> bool {
        let fields = self.fields();
        fields.iter().any(|field| field.fits(row) == Some(false))
    }

    /// Returns the filters and the words, a line each.
    pub fn lines(&self) -> Vec<String> {
        let words = Some(self.fulltext.replace('\n', " ")).filter(|it| !it.is_empty());
        let words = words.map(|words| format!("words {words}"));
        self.filters.iter().cloned().chain(words).collect()
    }

    /// Returns the values of each field.
    pub fn fields(&self) -> Vec<FieldFilter<'_>> {
        let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, value) in self.named() {
            values.entry(path).or_default().push(value);
        }
        let of = |(path, values)| FieldFilter {
            path,
            values,
            field: fields::of_path(path).filter(|field| field.is_in_row()),
        };
        values.into_iter().map(of).collect()
    }

    /// Returns `true` if rows have the values of the field at this path.
    pub fn is_in_rows(path: &str) -> bool {
        let field = fields::of_path(path).filter(|field| field.is_in_row());
        field.is_some_and(|field| field.is_text() || matches!(field.holds, Holds::Texts(_)))
    }

    /// Keeps the lines about some fields.
    pub fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        let keeps = |line: &String| line.split_once(':').is_none_or(|(path, _)| keeps(path));
        self.filters.retain(keeps);
    }

    /// Returns `true` if a row surely fits all filters: the service documents neither its search for words, nor whether
    /// it finds a part of a list, nor whether two values of a field mean both or either.
    pub fn has(&self, row: &RunRow) -> bool {
        self.fulltext.is_empty() && self.fields().iter().all(|field| field.has(row))
    }

    /// Returns `true` if a row fits by a part of its configuration: the service may not find it.
    pub fn has_part(&self, row: &RunRow) -> bool {
        let mut fields = self.fields().into_iter();
        fields.any(|field| {
            let is_list = field.path == fields::CONFIGURATION.path;
            is_list && field.fits(row) == Some(true) && !field.has(row)
        })
    }

    /// Returns the list of all runs whose configuration may fit.
    #[must_use]
    pub fn of_any_configuration(&self) -> Self {
        let mut all = self.clone();
        all.retain(|path| path != fields::CONFIGURATION.path);
        all
    }

    /// Returns `true` for the text of a filter, `<field_path>:<value>` (4.2).
    pub fn is_one(text: &str) -> bool {
        text.split_once(':')
            .is_some_and(|(path, _)| path.contains('.'))
    }

    /// Returns the list of these filters.
    pub fn of(filters: impl IntoIterator<Item = String>) -> Self {
        Self {
            filters: filters.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Returns the filter for a short id: no operation returns the row of one run. The effect is not documented;
    /// [`RunsPage::row_of`] and [`RunsPage::rules_out`] check the answer.
    pub fn by_id(id: &str) -> Self {
        Self::of([fields::ID.filter(id)])
    }

    /// Returns the list of the runs of a version.
    pub fn of_version(version: &str) -> Self {
        Self::of([fields::VERSION.filter(version)])
    }

    /// Returns path and value of each filter.
    pub fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        self.filters.iter().filter_map(|it| it.split_once(':'))
    }

    /// Returns `true` if nothing is filtered.
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty() && self.fulltext.is_empty()
    }
}

/// Values of a field, one of which a run of a filter has.
pub struct FieldFilter<'a> {
    pub path: &'a str,
    pub values: Vec<&'a str>,
    /// `None` if rows lack the field.
    field: Option<&'static Field>,
}

impl FieldFilter<'_> {
    /// Returns `true` if a run has one of the values; `None` if its row lacks the field.
    pub fn fits(&self, row: &RunRow) -> Option<bool> {
        let field = self.field?;
        if let Holds::Texts(of) = field.holds {
            let texts = of(row);
            let is_known = row.results.is_some() || !texts.is_empty();
            let has = |value: &&str| texts.iter().any(|text| text == value);
            return is_known.then(|| self.values.iter().any(has));
        }
        let text = field.text_of(row)?;
        let is_list = *field == fields::CONFIGURATION;
        let has = |value: &&str| {
            text == *value || is_list && text::parts(text).any(|part| part == *value)
        };
        Some(self.values.iter().any(has))
    }

    /// Returns `true` if the only value is the whole text of a run.
    fn has(&self, row: &RunRow) -> bool {
        let text = self.field.and_then(|field| field.text_of(row));
        text.is_some_and(|text| self.values == [text])
    }

    /// Returns `false` if a run whose texts are all within this one does not have any of the values: a quick test.
    pub fn may_fit(&self, texts: &str) -> bool {
        !self.field.is_some_and(Field::is_text) || self.values.iter().any(|it| texts.contains(it))
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPage<T = Document> {
    /// Total number of matches.
    pub full_size: u64,
    /// The entries in order, from the requested offset.
    pub rows: Vec<T>,
    /// Values to filter by, if they came.
    pub facets: Option<Facets>,
    /// Operation that was used, if there are several.
    pub operation: Option<RunsOperation>,
}

pub type RunsPage = ListPage<RunRow>;

/// `filterItemMap` of `LIST_TEST_RUNS`: field path to the values on offer, as text, in the order of the service.
pub type Facets = Vec<(String, Vec<String>)>;

/// Operation to list test runs with (`runs_source` of the configuration).
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

/// Operation that returned a page of runs (4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsOperation {
    /// `LIST_TEST_RUNS`: with suite count, progress, results and facets.
    ListTestRuns,
    /// `LIST_DOCUMENTS`: without them.
    ListDocuments,
}

impl RunsOperation {
    pub fn method(self) -> &'static str {
        match self {
            Self::ListTestRuns => "LIST_TEST_RUNS",
            Self::ListDocuments => "LIST_DOCUMENTS",
        }
    }
}

impl RunsPage {
    /// Returns the row of a run, if the page has it.
    pub fn row_of(&self, run: &DocRef) -> Option<&RunRow> {
        self.rows.iter().find(|row| row.doc_ref == *run)
    }

    /// Returns `true` if this answer to [`Filter::by_id`] shows that the run does not exist: complete, without the run
    /// and without other ids. Rows with other ids mean that the service did not filter as expected, which proves
    /// nothing.
    pub fn rules_out(&self, run: &DocRef, id: &str) -> bool {
        self.row_of(run).is_none()
            && self.full_size == self.rows.len() as u64
            && self.rows.iter().all(|row| row.id.as_deref() == Some(id))
    }
}
