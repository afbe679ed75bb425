//! Queries of the list of runs and their answers: found runs, sums and numbers of the tabs.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Zoned;

use super::prelude::*;
use super::reading::RunsReading;
use super::{EarlierReadings, FoundRuns, Mirror, Presence, Run, SinceAnswer, SinceQuery};
use crate::domain::compare::Comparison;
use crate::domain::fields::{
    CONFIGURATION, Field, Holds, ID, LIST, STATUS, TESTERS, TITLE, VERSION,
};
use crate::domain::query_language::{Condition, Flag, QueryContext, RunSearch, search};
use crate::domain::release::{NamedKind, ReleaseSums, newest_first};
use crate::domain::{
    DocumentName, DueDates, FieldFilter, Narrowing, Only, RunsOperation, RunsPage, Sort, View,
    text, version_numbers,
};

/// Maximum number of other versions that are named for an empty list.
const OTHERS: usize = 3;
/// Maximum number of values of a field to choose from that come from runs.
const VALUES: usize = 500;
/// Fields with a choice of values, whatever the service offers.
const OFFERED: [&Field; 3] = [&VERSION, &CONFIGURATION, &TESTERS];

/// Query for the runs of a tab.
#[derive(Clone, Debug, PartialEq)]
pub struct TabQuery {
    /// Lists of the service that contain the runs.
    pub lists: Vec<Filter>,
    /// Filter of the runs; one of several values of a field is enough.
    pub filter: Filter,
    pub only: Option<Only>,
    pub search: RunSearch,
}

/// Query for all runs.
impl Default for TabQuery {
    fn default() -> Self {
        Self {
            lists: vec![Filter::default()],
            filter: Filter::default(),
            only: None,
            search: RunSearch::default(),
        }
    }
}

impl TabQuery {
    /// Returns the tab of all runs of a list.
    pub fn of_list(list: Filter) -> Self {
        Self {
            lists: vec![list.clone()],
            filter: list,
            ..Self::default()
        }
    }

    /// The runs of a view. Chosen values replace those of the view for the same field, and the words
    /// that of both.
    pub fn of(view: &View, chosen: &Narrowing, words: &RunSearch, now: &Zoned) -> Self {
        let read = |text: &str| search(text, now, &RunsQuery::FLAGS).unwrap_or_default();
        let is_in_words = |field: &Field| words.chooses(field);
        let of_view = read(&view.query).without(is_in_words);
        let mut filter = view.filter.clone();
        filter.filters.extend(of_view.filters());
        let mut chosen = chosen.clone();
        let is_left = |path: &str| !fields::of_path(path).is_some_and(is_in_words);
        chosen.values.retain(|path, _| is_left(path));
        filter.retain(is_left);
        filter.filters.extend(words.filters());
        Self {
            lists: chosen.lists(&filter),
            filter: chosen.narrow(&filter),
            only: view.only,
            search: of_view.and(&read(&chosen.search())),
        }
    }

    /// Returns true if the tab has all runs of its lists, apart from [`Only`].
    pub fn is_list(&self) -> bool {
        let lines = |lists: &[Filter]| -> BTreeSet<String> {
            lists.iter().flat_map(|list| list.filters.clone()).collect()
        };
        self.search.is_empty() && lines(&self.lists) == lines(std::slice::from_ref(&self.filter))
    }
}

/// Sides of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonSides {
    /// Runs, each before a time (epoch milliseconds) or in its newest state.
    Runs(Vec<(DocRef, Option<i64>)>),
    /// Versions, and the kinds of runs given in the config.
    Versions(Vec<String>, Vec<NamedKind>),
}

/// A query, which is answered again after each change of the runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunsQuery {
    /// Number of the query.
    pub number: u64,
    pub search: RunSearch,
    /// Query of the tab in force.
    pub tab: TabQuery,
    /// Only these runs, in a list or not.
    pub chosen: Option<Vec<DocumentName>>,
    /// True if chosen runs that are gone are found, too.
    pub with_gone: bool,
    pub orders: Vec<Sort>,
    /// Queries of all tabs; if empty, the overview has only the list's extent and time, and the project.
    pub tabs: Vec<TabQuery>,
    /// Names of the user; empty if unknown.
    pub me: Vec<String>,
    pub days: Days,
    /// Time of the query, epoch milliseconds.
    pub now: i64,
    pub limit: Option<Condition>,
    /// Due dates of runs and releases.
    pub due: DueDates,
    /// Days for deciding which runs are quiet, see [`Mirror::quiet`].
    pub quiet: Vec<(i64, i64)>,
    /// Query for changes since a time.
    pub since: Option<SinceQuery>,
    /// Query for a comparison.
    pub comparing: Option<ComparisonSides>,
}

impl RunsQuery {
    /// Flags of a search that the mirror can decide.
    pub const FLAGS: [Flag; 4] = [Flag::Unread, Flag::Late, Flag::Over, Flag::Worse];
}

/// Number of runs of a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub runs: u64,
    /// True if there may be more runs that are not loaded.
    pub or_more: bool,
}

/// Loaded extent of a list of the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListExtent {
    /// Number of loaded runs.
    pub here: u64,
    /// Size as reported by the service.
    pub size: Option<u64>,
    /// True if all runs are loaded.
    pub is_complete: bool,
}

impl ListExtent {
    /// Number of runs that are not loaded; they may match, too.
    pub fn missing(&self) -> u64 {
        let size = self.size.filter(|_| !self.is_complete);
        size.map_or(0, |size| size.saturating_sub(self.here))
    }
}

impl RunsAnswer {
    /// Returns the loaded extent of the list behind the answer.
    pub fn extent(&self) -> ListExtent {
        if self.are_chosen {
            ListExtent {
                here: self.runs.len() as u64,
                size: None,
                is_complete: true,
            }
        } else {
            self.overview.list
        }
    }
}

/// Reason why no run is shown to an account.
pub const NOT_SHOWN: &str =
    "the service says that this account may not list runs: what is kept is not shown until it may";

/// Answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunsAnswer {
    /// Number of the query.
    pub number: u64,
    /// Found runs in order.
    pub runs: Arc<[Arc<Run>]>,
    /// Number of runs for which the search cannot be decided.
    pub undecided: u64,
    /// Time of the oldest counts of the found open runs, epoch milliseconds.
    pub oldest: Option<i64>,
    pub sums: RunSums,
    /// Places of changed and unread runs.
    pub changed: Vec<usize>,
    /// True if the query chose the runs: all of them are here.
    pub are_chosen: bool,
    /// Data that does not depend on the search.
    pub overview: Arc<Overview>,
    /// Operation of the last reading.
    pub operation: Option<RunsOperation>,
    /// True if this account may not list runs: none is shown ([`NOT_SHOWN`]).
    pub is_barred: bool,
    pub earlier: Arc<EarlierReadings>,
    /// Expected ends of runs with a due date, epoch milliseconds.
    pub ends: Arc<HashMap<DocRef, i64>>,
    /// All runs that have changed and were not opened since, with the time of the change (epoch milliseconds).
    pub unread: Arc<HashMap<DocRef, i64>>,
    /// Quiet state of the runs, if asked for.
    pub quiet: HashMap<DocRef, Quiet>,
    /// Changes since a time, if asked for.
    pub since: Option<Arc<SinceAnswer>>,
    /// Comparison, if asked.
    pub comparison: Option<Box<Comparison>>,
}

/// Sums of the results of some runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSums {
    pub all: ReleaseSums,
    /// Additional new failures since before today; `None` if no run can be compared.
    pub failed_today: Option<u64>,
    /// Runs with more new failures than before today.
    pub new_failures: u64,
    /// True if some run has more new failures, or more blocked or on hold cases, than before today: `+n`.
    pub has_more: bool,
}

impl RunSums {
    /// Adds a run. `done` are the results of finished cases.
    pub fn add(&mut self, row: &RunRow, done: &[ResultCode], earlier: &EarlierReadings) {
        self.all.add(&ReleaseSums::of(row, done));
        if let Some(more) = earlier.more_failed(row) {
            if earlier.compares(row) {
                let today = self.failed_today.get_or_insert(0);
                *today = today.saturating_add(more);
            }
            self.new_failures += u64::from(more > 0);
            let has_more = || more > 0 || earlier.more_blocked(row) > Some(0);
            self.has_more = self.has_more || has_more();
        }
    }

    /// Cases left in the runs that are not closed; `None` if no run has results.
    pub fn left(&self) -> Option<u64> {
        let known = self.all.known().filter(|all| all.runs > 0);
        known.map(|all| all.left)
    }
}

/// Data of a tab and of all others, independent of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// Extent of the list, without [`Only`].
    pub list: ListExtent,
    /// Time of the newest reading of the list, epoch milliseconds.
    pub read_at: Option<i64>,
    /// All runs of the project.
    pub project: Arc<ProjectRuns>,
    /// Number of runs that can be compared with their state before today.
    pub compared: u64,
    /// Names of the columns that are empty in all runs.
    pub empty: Vec<&'static str>,
    /// Numbers of the tabs in the order of the query; `None` if unknown.
    pub tabs: Vec<Option<Count>>,
    /// For an empty list: other versions with their number of runs, newest first.
    pub others: Vec<(String, u64)>,
    /// Values to filter the tab by.
    pub facets: Vec<FieldValues>,
    /// Open runs with their due date, epoch milliseconds.
    pub due: Vec<(DocRef, i64)>,
}

/// All loaded runs of a project, independent of tab and search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectRuns {
    pub extent: ListExtent,
    /// Number of open runs by version, for all versions of the runs.
    pub releases: BTreeMap<String, u64>,
    /// True if all open runs of the project are among them.
    pub has_all_open: bool,
    /// Number of runs without a version, and of the open ones of these.
    pub without_version: [u64; 2],
    /// Projects and sub projects of the runs.
    pub projects: BTreeSet<(String, Option<String>)>,
}

impl ProjectRuns {
    /// Counts runs; their extent is not known.
    fn of<'a>(runs: impl Iterator<Item = &'a Arc<Run>>) -> Self {
        let mut all = Self::default();
        let (mut releases, mut projects) = (BTreeMap::new(), BTreeSet::new());
        for run in runs {
            all.extent.here += 1;
            let (project, subproject, version) = run.scope();
            match version {
                Some(version) => *releases.entry(version).or_default() += u64::from(run.is_open),
                None => {
                    let [runs, open] = &mut all.without_version;
                    *runs += 1;
                    *open += u64::from(run.is_open);
                }
            }
            projects.extend(project.map(|project| (project, subproject)));
        }
        let of = |(version, open): (&str, u64)| (version.to_owned(), open);
        all.releases = releases.into_iter().map(of).collect();
        let of = |(project, sub): (&str, Option<&str>)| (project.into(), sub.map(Into::into));
        all.projects = projects.into_iter().map(of).collect();
        all
    }
}

/// Values of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldValues {
    pub path: String,
    /// Values of loaded runs with the number of runs under the filters of the other fields, then the other values of
    /// `filterItemMap`.
    pub values: Vec<(String, Option<u64>)>,
}

/// Part of a query that an overview depends on.
#[derive(Debug, PartialEq)]
pub(super) struct OverviewOf {
    tab: TabQuery,
    tabs: Vec<TabQuery>,
    me: Vec<String>,
    limit: Option<Condition>,
    due: DueDates,
    passed: Option<i64>,
}

/// Returns true if a run of the filter belongs to a view of this user.
fn fits(only: Option<Only>, row: &RunRow, me: &[String], earlier: &EarlierReadings) -> bool {
    let Some(only) = only else { return true };
    match only {
        Only::Today => earlier.is_of_today(row),
        Only::NewFailures => earlier.more_failed(row).is_some_and(|more| more > 0),
        Only::Mine => row
            .testers
            .iter()
            .chain(&row.created_by)
            .chain(&row.edited_by)
            .any(|name| is_me(name, me)),
    }
}

/// Returns true if `name` is a name of the user.
pub fn is_me(name: &str, me: &[String]) -> bool {
    me.iter().any(|own| is_same_user(name, own))
}

/// Compares names of users without case. Makes no copy, as it is called for many rows.
fn is_same_user(name: &str, user: &str) -> bool {
    fn lower(name: &str) -> impl Iterator<Item = char> {
        name.chars().flat_map(char::to_lowercase)
    }
    !user.is_empty() && lower(name).eq(lower(user))
}

/// A tab with its query prepared.
struct Listed<'a> {
    tab: &'a TabQuery,
    fields: Vec<ListedField<'a>>,
    /// Fields of the lists of the service.
    lists: Vec<Vec<ListedField<'a>>>,
    words: RunSearch,
    is_list: bool,
}

/// A filtered field.
struct ListedField<'a> {
    of: FieldFilter<'a>,
    /// Runs that the service listed by a value although their rows do not seem to match.
    by_service: Vec<&'a HashSet<DocRef>>,
}

impl ListedField<'_> {
    fn fits(&self, row: &RunRow) -> bool {
        let mut by_service = self.by_service.iter();
        self.of.fits(row) == Some(true) || by_service.any(|runs| runs.contains(&row.doc_ref))
    }
}

impl Listed<'_> {
    /// Fields whose filter the row does not match.
    fn unfit(&self, row: &RunRow) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter();
        fields
            .filter(|field| !field.fits(row))
            .map(|field| field.of.path)
    }

    /// Returns false if the run is not in the tab, by its text alone: a quick test.
    fn may_have(&self, run: &Run) -> bool {
        let may_fit =
            |field: &ListedField<'_>| !field.by_service.is_empty() || field.of.may_fit(&run.text);
        self.fields.iter().all(may_fit)
    }

    /// Returns true if the row matches the searches, without filter and [`Only`]; `None` if that is not known.
    fn finds(&self, row: &RunRow, context: &QueryContext<'_>) -> Option<bool> {
        match self.words.finds(row, context) {
            Some(true) => self.tab.search.finds(row, context),
            _ => Some(false),
        }
    }

    /// Returns true if the row belongs to the tab, without [`Only`]; `None` if that is not known.
    fn has(&self, row: &RunRow, context: &QueryContext<'_>) -> Option<bool> {
        match self.unfit(row).next() {
            None => self.finds(row, context),
            Some(_) => Some(false),
        }
    }

    /// Returns true if the row is in one of the lists of the service.
    fn is_listed(&self, row: &RunRow, context: &QueryContext<'_>) -> bool {
        let has = |list: &Vec<ListedField<'_>>| list.iter().all(|field| field.fits(row));
        self.lists.iter().any(has) && self.words.finds(row, context) == Some(true)
    }
}

/// Counts of a tab.
struct TabCounts<'a> {
    list: Listed<'a>,
    /// Runs in its lists.
    listed: u64,
    /// Runs of the tab, without [`Only`].
    here: u64,
    compared: u64,
    runs: u64,
}

impl Mirror {
    /// Answers a query.
    pub fn list_answer(&mut self, query: &RunsQuery) -> RunsAnswer {
        if self.is_barred() {
            return RunsAnswer {
                number: query.number,
                is_barred: true,
                ..RunsAnswer::default()
            };
        }
        self.update_overview(query);
        let mut sums = RunSums::default();
        let found = self.find(query, |row| {
            sums.add(row, &self.settings.done, &self.earlier);
        });
        let overview = if query.tabs.is_empty() {
            let here = found.runs.len() as u64;
            Arc::new(Overview {
                list: self.extent(&self.listed(&query.tab), here, here),
                read_at: self.read_at(&query.tab.lists),
                project: self.project(),
                ..Overview::default()
            })
        } else {
            self.overview.clone()
        };
        let quiet = self.quiet(found.runs.iter(), &query.quiet);
        let quiet = self.or_trouble(quiet);
        let comparison = self.comparison(query);
        let comparison = self.or_trouble(comparison);
        let changed = |(_, run): &(usize, &Arc<Run>)| self.is_unread(&run.doc_ref);
        let changed = (0..).zip(&*found.runs).filter(changed);
        let unread = self.unread.iter();
        RunsAnswer {
            number: query.number,
            are_chosen: query.chosen.is_some(),
            undecided: found.undecided,
            oldest: found.oldest,
            sums,
            changed: changed.map(|(place, _)| place).collect(),
            runs: found.runs,
            overview,
            operation: self.operation,
            is_barred: false,
            earlier: self.earlier.clone(),
            ends: self.ends.ends.clone(),
            unread: Arc::new(unread.map(|(run, since)| (run.clone(), since.0)).collect()),
            quiet,
            since: None,
            comparison,
        }
    }

    /// Returns the default instead of a failure, which is reported once.
    fn or_trouble<T: Default>(&mut self, done: Done<T>) -> T {
        done.unwrap_or_else(|error| {
            self.trouble = Some(error);
            T::default()
        })
    }

    /// Runs that a query finds.
    pub fn runs_of(&self, query: &RunsQuery) -> FoundRuns {
        self.find(query, |_| {})
    }

    /// Returns the runs of a tab, without the search of the query, and how much of its list is loaded.
    pub(super) fn tab(&self, tab: TabQuery, query: &RunsQuery) -> (FoundRuns, ListExtent) {
        let query = RunsQuery {
            search: RunSearch::default(),
            tab,
            chosen: None,
            orders: Vec::new(),
            ..query.clone()
        };
        let found = self.runs_of(&query);
        let here = found.runs.len() as u64;
        let extent = self.extent(&self.listed(&query.tab), here, here);
        (found, extent)
    }

    /// Last reading of the runs.
    pub fn operation(&self) -> Option<RunsOperation> {
        self.operation
    }

    fn find(&self, query: &RunsQuery, with: impl FnMut(&RunRow)) -> FoundRuns {
        let (me, flag) = (names(&query.me), self.flags(query));
        let context = self.context(&me, &flag);
        let list = self.listed(&query.tab);
        let finds = |row: &RunRow| match list.has(row, &context) {
            Some(false) => Some(false),
            _ if !fits(query.tab.only, row, &query.me, &self.earlier) => Some(false),
            is_listed => match query.search.finds(row, &context) {
                Some(false) => Some(false),
                is_found => is_listed.and(is_found),
            },
        };
        let may_have = |run: &&Arc<Run>| list.may_have(run) && !query.search.rules_out(&run.text);
        let chosen = query.chosen.iter().flatten();
        let chosen = chosen.flat_map(|name| match name {
            DocumentName::Ref(run) => self.run(run).into_iter().collect(),
            DocumentName::Id(id) => {
                let runs = self.runs().filter(|run| run.id() == Some(id));
                runs.collect::<Vec<_>>()
            }
        });
        let chosen = chosen.filter(|run| query.with_gone || run.state != Presence::Gone);
        let all = query.chosen.is_none().then(|| self.here());
        let runs = chosen.chain(all.into_iter().flatten());
        self.found(runs.filter(may_have), &query.orders, finds, with)
    }

    fn context<'a>(
        &'a self,
        me: &'a [&'a str],
        flag: &'a dyn Fn(Flag, &RunRow) -> Option<bool>,
    ) -> QueryContext<'a> {
        QueryContext {
            me,
            flag,
            ..QueryContext::of_counts(&self.settings.done, true)
        }
    }

    fn listed<'a>(&'a self, tab: &'a TabQuery) -> Listed<'a> {
        Listed {
            tab,
            fields: self.fields(&tab.filter),
            lists: tab.lists.iter().map(|list| self.fields(list)).collect(),
            words: RunSearch::default().with_words(&tab.filter.fulltext),
            is_list: tab.is_list(),
        }
    }

    fn fields<'a>(&'a self, filter: &'a Filter) -> Vec<ListedField<'a>> {
        let by_service = |of: &FieldFilter<'_>| {
            let lines = of.values.iter().map(|value| format!("{}:{value}", of.path));
            lines.filter_map(|line| self.listed_by.get(&line)).collect()
        };
        let fields = filter.fields().into_iter();
        let fields = fields.map(|of| ListedField {
            by_service: by_service(&of),
            of,
        });
        fields.collect()
    }

    fn flags(&self, query: &RunsQuery) -> impl Fn(Flag, &RunRow) -> Option<bool> {
        move |flag, row| self.flag(flag, row, query)
    }

    fn flag(&self, flag: Flag, row: &RunRow, query: &RunsQuery) -> Option<bool> {
        let done = &self.settings.done;
        match flag {
            Flag::Unread => Some(self.is_unread(&row.doc_ref)),
            Flag::Over => query.limit.as_ref()?.is_exceeded(row, done),
            Flag::Late => {
                let end = self.ends.ends.get(&row.doc_ref).copied();
                let is_late = row.is_late(query.due.of(row), end, done, query.now);
                Some(is_late == Some(true))
            }
            Flag::Worse => Some(self.earlier.more_failed(row)? > 0),
            _ => None,
        }
    }

    /// Computes the overview again if runs, lists or the query have changed.
    fn update_overview(&mut self, query: &RunsQuery) {
        self.compare_with(query.days);
        if query.tabs.is_empty() {
            return;
        }
        let of = OverviewOf {
            tab: query.tab.clone(),
            tabs: query.tabs.clone(),
            me: query.me.clone(),
            limit: query.limit.clone(),
            due: query.due.clone(),
            passed: query.due.passed(query.now),
        };
        if self.overview_of.as_ref() != Some(&of) {
            let project = self.project();
            self.overview = Arc::new(Overview {
                project,
                ..self.overview_of(query)
            });
            self.overview_of = Some(of);
        }
    }

    /// Returns the runs of the project, counted again if they have changed.
    fn project(&mut self) -> Arc<ProjectRuns> {
        if let Some(project) = &self.project {
            return project.clone();
        }
        let mut project = ProjectRuns::of(self.here());
        project.has_all_open = self.is_complete(&RunsReading::open_runs());
        let here = project.extent.here;
        project.extent = self.extent(&self.listed(&TabQuery::default()), here, here);
        let project = Arc::new(project);
        self.project = Some(project.clone());
        project
    }

    fn overview_of(&self, query: &RunsQuery) -> Overview {
        let done = &self.settings.done;
        let (me, flag) = (names(&query.me), self.flags(query));
        let context = self.context(&me, &flag);
        let list = self.listed(&query.tab);
        let mut tabs: Vec<TabCounts<'_>> = query
            .tabs
            .iter()
            .map(|tab| TabCounts::new(self.listed(tab)))
            .collect();
        let mut overview = Overview::default();
        let (mut here, mut listed, mut versions) = (0, 0, BTreeMap::new());
        let offered = self.facets.iter().map(|(path, _)| path.as_str());
        let offered = OFFERED.into_iter().map(|field| field.path).chain(offered);
        let offered: BTreeSet<&str> = offered.filter(|path| Filter::is_in_rows(path)).collect();
        let mut values: Vec<(&str, ValueCounts)> = offered
            .into_iter()
            .map(|path| (path, ValueCounts::new()))
            .collect();
        let mut empty: Vec<&Field> = LIST.into_iter().collect();
        empty.retain(|field| ![ID.name, TITLE.name].contains(&field.name));
        let mut room = None;
        for run in self.here() {
            let row = room.get_or_insert_with(|| run.row());
            self.fill(run, row);
            if let Some(due) = query.due.of(row).filter(|_| run.is_open) {
                overview.due.push((run.doc_ref.clone(), due));
            }
            for tab in &mut tabs {
                tab.count(row, &context, &query.me, &self.earlier);
            }
            listed += u64::from(!list.is_list && list.is_listed(row, &context));
            let mut unfit = list.unfit(row);
            let (first, second) = (unfit.next(), unfit.next());
            if second.is_some() || list.finds(row, &context) != Some(true) {
                continue;
            }
            let is_beside = first.is_none_or(|path| path == VERSION.path);
            if let Some(version) = row.version.as_ref().filter(|_| is_beside) {
                *versions.entry(version.clone()).or_insert(0) += 1;
            }
            if fits(query.tab.only, row, &query.me, &self.earlier) {
                let of = values.iter_mut();
                of.filter(|(path, _)| first.is_none_or(|unfit| unfit == *path))
                    .for_each(|(path, values)| add_values(path, row, values));
            }
            if first.is_some() {
                continue;
            }
            here += 1;
            overview.compared += u64::from(self.earlier.compares(row));
            empty.retain(|field| field.is_empty(row, done));
        }
        if here > 0 {
            overview.empty = empty.into_iter().map(|field| field.name).collect();
        } else {
            let mut newest: Vec<String> = versions.keys().cloned().collect();
            newest_first(&mut newest);
            let newest = newest.into_iter().take(OTHERS);
            overview.others = newest.filter_map(|it| versions.remove_entry(&it)).collect();
        }
        let listed = if list.is_list { here } else { listed };
        overview.list = self.extent(&list, listed, here);
        overview.read_at = self.read_at(&query.tab.lists);
        overview.tabs = tabs.into_iter().map(|tab| self.count(&tab)).collect();
        overview.facets = self.choices(values);
        overview
    }

    /// Values to filter by; fields that the service offers come first, in its order.
    fn choices(&self, of_runs: Vec<(&str, ValueCounts)>) -> Vec<FieldValues> {
        let mut of_runs: BTreeMap<&str, _> = of_runs.into_iter().collect();
        let of_service = self.facets.iter().map(|(path, _)| path.as_str());
        let mut choices: Vec<FieldValues> = Vec::new();
        for path in of_service.chain(OFFERED.map(|field| field.path)) {
            if choices.iter().any(|known| known.path == path) {
                continue;
            }
            let counts = of_runs.remove(path).unwrap_or_default();
            let counted = counts.iter().filter(|(_, (_, whole))| *whole > 0);
            let mut here: Vec<_> = counted.map(|(value, (runs, _))| (value, *runs)).collect();
            here.sort_by(|(a, of_a), (b, of_b)| (of_b, a).cmp(&(of_a, b)));
            here.truncate(VALUES);
            here.sort();
            if path == VERSION.path {
                // What is no version comes last.
                here.sort_by_key(|(version, _)| {
                    let numbers = version_numbers(version);
                    (numbers.is_none(), numbers)
                });
            }
            let offered = self.facets.iter().filter(|(other, _)| other == path);
            let offered = offered.flat_map(|(_, values)| values);
            let others = offered.filter(|value| here.iter().all(|(known, _)| known != value));
            let others = others.map(|value| (value, counts.get(value).map(|(runs, _)| *runs)));
            let others: Vec<_> = others.collect();
            let here = here.iter().map(|(value, runs)| (*value, Some(*runs)));
            let values = here.chain(others);
            let values = values.map(|(value, runs)| (value.clone(), runs));
            let values: Vec<_> = values.collect();
            choices.push(FieldValues {
                path: path.to_owned(),
                values,
            });
        }
        choices
    }

    /// Extent of a list by what was read. The size of a tab is unknown if it is only a part of its lists.
    fn extent(&self, of: &Listed<'_>, listed: u64, here: u64) -> ListExtent {
        let sizes = of.tab.lists.iter().map(|list| {
            let size = self.sizes.get(&size_key(list)).copied();
            size.filter(|_| !self.fits_by_part(list))
        });
        let size: Option<u64> = sizes.sum();
        let is_whole = of.tab.lists.iter().all(|list| self.is_complete(list));
        ListExtent {
            here,
            size: size.filter(|_| of.is_list),
            is_complete: is_whole || size == Some(listed),
        }
    }

    fn count(&self, tab: &TabCounts<'_>) -> Option<Count> {
        let extent = self.extent(&tab.list, tab.listed, tab.here);
        let is_known = extent.is_complete || extent.size.is_some() || tab.listed > 0;
        // If no run can be compared, 0 is not certain.
        let only = tab.list.tab.only;
        let compares = only.is_some_and(Only::compares);
        let is_compared = !compares || tab.compared > 0 || tab.runs > 0 || tab.here == 0;
        if !is_known || !is_compared {
            return None;
        }
        let (runs, or_more) = match (only, extent.size) {
            (None, Some(size)) if !extent.is_complete && size >= tab.runs => (size, false),
            _ => (tab.runs, !extent.is_complete),
        };
        Some(Count { runs, or_more })
    }

    /// Stores the size of a list and the runs that the service finds by filters that their rows do not match. Called
    /// after the rows were taken.
    pub fn saw_list(&mut self, filter: &Filter, page: &RunsPage) {
        let fields = filter.fields();
        let mut is_heeded = true;
        for line in &filter.filters {
            let path = line.split_once(':').map_or("", |(path, _)| path);
            let field = fields.iter().find(|field| field.path == path);
            let fits = |row: &RunRow| field.and_then(|field| field.fits(row)) == Some(true);
            // Whether a run is closed its row tells, also where the filter is not heeded.
            let is_told = |row: &RunRow| {
                path == STATUS.path && matches!(row.status, Status::Active | Status::Inactive)
            };
            is_heeded &= !page.rows.iter().any(|row| !fits(row) && is_told(row));
            let odd = page.rows.iter().filter(|row| !fits(row) && !is_told(row));
            let odd: Vec<DocRef> = odd.map(|row| row.doc_ref.clone()).collect();
            if !odd.is_empty() {
                self.listed_by.entry(line.clone()).or_default().extend(odd);
            }
        }
        // Its size is that of another list.
        if is_heeded {
            self.sizes.insert(size_key(filter), page.full_size);
        } else {
            self.sizes.remove(&size_key(filter));
        }
        self.touched();
    }

    /// Stores the operation and the filter values of a page.
    pub fn saw_page(&mut self, page: &RunsPage) {
        if let Some(operation) = page.operation.filter(|it| self.operation != Some(*it)) {
            self.operation = Some(operation);
            let kept = self.set("operation", operation as i64);
            self.trouble = kept.err().or(self.trouble.take());
        }
        if let Some(facets) = page.facets.as_ref().filter(|facets| !facets.is_empty()) {
            self.facets.clone_from(facets);
        }
        self.touched();
    }

    /// Reads a run into a row, without old counts if the service sends none any more.
    pub(super) fn fill(&self, run: &Run, row: &mut RunRow) {
        run.fill(row);
        if self.operation == Some(RunsOperation::ListDocuments) {
            row.forget_counts();
        }
    }

    /// Loads the counts from before this day from the history, once a list was read on it: runs as they were read before
    /// would be compared with themselves.
    fn compare_with(&mut self, days: Days) {
        let is_of_day = self.earlier.days() == Some(days);
        if is_of_day && !self.lacks_earlier {
            return;
        }
        if self.read.values().any(|at| days.is_today(*at)) {
            match self.asked(|it| it.counts().newest_before(days.today)) {
                Ok(told) => return self.compare_by(EarlierReadings::new(days, told)),
                Err(error) => self.trouble = Some(error),
            }
        }
        // Otherwise another failure would be a change, after which all is asked again.
        if !is_of_day {
            self.compare_by(EarlierReadings::new(days, Vec::new()));
        }
        self.lacks_earlier = true;
    }

    /// Sets the earlier counts.
    pub fn compare_by(&mut self, earlier: EarlierReadings) {
        (self.earlier, self.lacks_earlier) = (Arc::new(earlier), false);
        self.touched();
    }
}

impl<'a> TabCounts<'a> {
    fn new(list: Listed<'a>) -> Self {
        Self {
            list,
            listed: 0,
            here: 0,
            compared: 0,
            runs: 0,
        }
    }

    fn count(
        &mut self,
        row: &RunRow,
        context: &QueryContext<'_>,
        me: &[String],
        earlier: &EarlierReadings,
    ) {
        let is_here = self.list.has(row, context) == Some(true);
        let is_listed = is_here || !self.list.is_list && self.list.is_listed(row, context);
        self.listed += u64::from(is_listed);
        if is_here {
            self.here += 1;
            self.compared += u64::from(earlier.compares(row));
            self.runs += u64::from(fits(self.list.tab.only, row, me, earlier));
        }
    }
}

/// Number of runs by value, and how many of them have it as their full text.
type ValueCounts = HashMap<String, (u64, u64)>;

/// Counts a run for each of its values.
fn add_values(path: &str, row: &RunRow, values: &mut ValueCounts) {
    let Some(field) = fields::of_path(path) else {
        return;
    };
    let texts = match field.holds {
        Holds::Texts(of) => of(row),
        Holds::Text(of) | Holds::Time(of, _) => of(row).as_slice(),
        _ => &[],
    };
    let mut add = |value: &str, whole: u64| match values.get_mut(value) {
        Some(known) => *known = (known.0 + 1, known.1 + whole),
        None => {
            values.insert(value.to_owned(), (1, whole));
        }
    };
    for text in texts.iter().filter(|text| !text.is_empty()) {
        add(text, 1);
        if path == CONFIGURATION.path && text.contains(',') {
            let parts: BTreeSet<&str> = text::parts(text).collect();
            for part in parts {
                add(part, 0);
            }
        }
    }
}

fn names(me: &[String]) -> Vec<&str> {
    let names = me.iter().map(String::as_str);
    names.filter(|name| !name.is_empty()).collect()
}

/// Key of a list for its size.
fn size_key(filter: &Filter) -> String {
    format!("{}\n\n{}", filter.filters.join("\n"), filter.fulltext)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_part_of_a_configuration_is_no_value() {
        let written = "chrome,, edge ,chrome,";
        let row = RunRow {
            configuration: Some(written.into()),
            ..RunRow::unknown(DocRef::parse("TestRun-dm/1").unwrap())
        };
        let mut values = ValueCounts::default();
        add_values(CONFIGURATION.path, &row, &mut values);
        let values: BTreeSet<String> = values.into_keys().collect();
        assert_eq!(
            values,
            BTreeSet::from(["chrome", written, "edge"].map(str::to_owned))
        );
    }
}
