//! What the list of runs asks, and all that it shows: the runs that are found, their sums, the numbers of the tabs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{EarlierReadings, FoundRuns, Mirror, Run};
use crate::domain::fields::{CONFIGURATION, Field, ID, LIST, TITLE, VERSION};
use crate::domain::query_language::{Condition, Flag, QueryContext, RunSearch};
use crate::domain::{
    Days, DocRef, Facets, Filter, Only, ResultCode, RunRow, RunsOperation, RunsPage, SortedBy,
    Status, Sums, due,
};

/// Other versions that are named where a list has no run.
const OTHERS: usize = 3;
/// Values of a field to choose from that are taken from the runs.
const VALUES: usize = 50;

/// A question, answered again whenever the runs have changed.
#[derive(Clone, Debug, PartialEq)]
pub struct RunsQuery {
    /// Counts the questions.
    pub number: u64,
    pub search: RunSearch,
    pub filter: Filter,
    /// No others than these, whether a list has them or not; also those that are gone.
    pub chosen: Option<Vec<DocRef>>,
    /// Which of those that the filter finds.
    pub only: Option<Only>,
    pub orders: Vec<SortedBy>,
    /// The tabs of the list; where there are none the overview tells no more than how much of the list is here.
    pub tabs: Vec<(Filter, Option<Only>)>,
    /// Name of the user; empty if it is not known.
    pub user: String,
    pub days: Days,
    /// When it is asked, epoch milliseconds.
    pub now: i64,
    pub limit: Option<Condition>,
    /// When runs are due, epoch milliseconds.
    pub due: BTreeMap<DocRef, i64>,
}

impl RunsQuery {
    /// The flags of a search that can be told here.
    pub const FLAGS: [Flag; 3] = [Flag::Unread, Flag::Late, Flag::Over];
}

/// How many runs a tab shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub runs: u64,
    /// There may be more that are not here.
    pub or_more: bool,
}

/// How much of a list of the service is here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListExtent {
    /// Its runs that are here.
    pub here: u64,
    /// How many the service says there are.
    pub size: Option<u64>,
    /// All of them are here.
    pub is_whole: bool,
}

/// What a question is answered with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunsAnswer {
    /// Of the question.
    pub number: u64,
    /// All runs that are found, in their order.
    pub runs: Arc<[Arc<Run>]>,
    /// Runs of which nobody can say whether the search finds them.
    pub undecided: u64,
    pub sums: RunSums,
    /// Places of those that have changed and were not opened.
    pub changed: Vec<u64>,
    /// What does not depend on the words.
    pub overview: Arc<Overview>,
    /// What the runs were read by last.
    pub operation: Option<RunsOperation>,
    pub earlier: Arc<EarlierReadings>,
    /// Runs that have changed and were not opened.
    pub unread: Arc<HashSet<DocRef>>,
}

/// What the results of some runs come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunSums {
    pub runs: u64,
    /// Those that do not tell their results: they are in no other sum.
    pub without: u64,
    /// Cases that are left; `None` where no run tells.
    pub left: Option<u64>,
    /// Failed cases, new and known.
    pub failed: u64,
    /// More of them are new than before today; `None` where no run can be compared.
    pub failed_today: Option<u64>,
    /// Runs with more new failures than before today.
    pub new_failures: u64,
    /// Cases that are blocked or on hold.
    pub blocked: u64,
}

impl RunSums {
    /// Adds a run. `done` are the results of finished cases.
    pub fn add(&mut self, row: &RunRow, done: &[ResultCode], earlier: &EarlierReadings) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        self.runs += 1;
        let (Some(counts), Some(sums)) = (&row.results, row.sums(done)) else {
            self.without += 1;
            return;
        };
        add(self.left.get_or_insert(0), sums.left());
        add(&mut self.failed, counts.sum(ResultCode::FAILED));
        add(&mut self.blocked, counts.sum(ResultCode::BLOCKED));
        if let Some(more) = earlier.more_failed(row) {
            add(self.failed_today.get_or_insert(0), more);
            self.new_failures += u64::from(more > 0);
        }
    }
}

/// What the runs of a tab come to, whatever is searched in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// The list, without [`Only`].
    pub list: ListExtent,
    /// When the newest reading began that covers it, epoch milliseconds.
    pub read_at: Option<i64>,
    /// All runs of the project.
    pub project: ListExtent,
    /// Those of its runs that can be compared with how they stood before today.
    pub compared: u64,
    /// Since when those are compared, epoch milliseconds, where that is not simply since yesterday.
    pub since: Option<i64>,
    /// Names of the columns in which none of its runs has anything.
    pub empty: Vec<&'static str>,
    /// As far as they are known, in the order of the question.
    pub tabs: Vec<Option<Count>>,
    /// Where the list has no run: other versions with how many it has of each, the newest first.
    pub others: Vec<(String, u64)>,
    /// `filterItemMap` as read last, and of version and configuration the values of the runs where it has none.
    pub facets: Facets,
    /// Projects and sub projects of the runs.
    pub projects: BTreeSet<(String, Option<String>)>,
}

/// What of a question an overview depends on.
#[derive(Debug, PartialEq)]
pub(super) struct OverviewOf {
    filter: Filter,
    only: Option<Only>,
    tabs: Vec<(Filter, Option<Only>)>,
    user: String,
}

/// Whether a run that its filter finds belongs to a view of this user.
fn fits(only: Option<Only>, row: &RunRow, user: &str, earlier: &EarlierReadings) -> bool {
    let Some(only) = only else { return true };
    match only {
        Only::Today => earlier.is_of_today(row),
        Only::NewFailures => earlier.more_failed(row).is_some_and(|more| more > 0),
        Only::Mine => row
            .testers
            .iter()
            .chain(&row.created_by)
            .chain(&row.edited_by)
            .any(|name| is_same_user(name, user)),
    }
}

/// Two names of users are the same, by any case. Asked for many rows at once: no text is made for it.
pub fn is_same_user(name: &str, user: &str) -> bool {
    fn lower(name: &str) -> impl Iterator<Item = char> {
        name.chars().flat_map(char::to_lowercase)
    }
    !user.is_empty() && lower(name).eq(lower(user))
}

/// A list of the service as it can be told here.
struct Listed<'a> {
    filter: &'a Filter,
    words: RunSearch,
    /// Runs that the service listed by filters which their rows do not seem to fit, by the filter.
    by_service: &'a HashMap<String, HashSet<DocRef>>,
}

impl Listed<'_> {
    fn has(&self, row: &RunRow, context: &QueryContext<'_>) -> bool {
        let is_listed = |line: &String| {
            let listed = self.by_service.get(line);
            listed.is_some_and(|runs| runs.contains(&row.doc_ref))
        };
        let fits = |path: &str| {
            let of_field = |line: &&String| line.split_once(':').is_some_and(|it| it.0 == path);
            self.filter.fits(path, row) == Some(true)
                || self.filter.filters.iter().filter(of_field).any(is_listed)
        };
        self.filter.named().all(|(path, _)| fits(path))
            && self.words.finds(row, context) == Some(true)
    }
}

/// A tab that is being counted.
struct Tab<'a> {
    list: Listed<'a>,
    only: Option<Only>,
    listed: u64,
    compared: u64,
    runs: u64,
}

impl Mirror {
    /// Answers a question.
    pub fn list_answer(&mut self, query: &RunsQuery) -> RunsAnswer {
        self.look_over(query);
        let mut sums = RunSums::default();
        let found = self.find(query, |row| {
            sums.add(row, &self.settings.done, &self.earlier);
        });
        let overview = if query.tabs.is_empty() {
            let here = found.runs.len() as u64;
            Arc::new(Overview {
                list: self.extent(&query.filter, here),
                ..Overview::default()
            })
        } else {
            self.overview.clone()
        };
        let changed = |(_, run): &(u64, &Arc<Run>)| self.is_unread(&run.doc_ref);
        let changed = (0..).zip(&*found.runs).filter(changed);
        RunsAnswer {
            number: query.number,
            undecided: found.undecided,
            sums,
            changed: changed.map(|(place, _)| place).collect(),
            runs: found.runs,
            overview,
            operation: self.operation,
            earlier: self.earlier.clone(),
            unread: Arc::new(self.unread.keys().cloned().collect()),
        }
    }

    /// The runs that a question finds.
    pub fn runs_of(&self, query: &RunsQuery) -> FoundRuns {
        self.find(query, |_| {})
    }

    /// What the runs were read by last.
    pub fn operation(&self) -> Option<RunsOperation> {
        self.operation
    }

    fn find(&self, query: &RunsQuery, with: impl FnMut(&RunRow)) -> FoundRuns {
        let done = &self.settings.done;
        let me = [query.user.as_str()];
        let flag = |flag: Flag, row: &RunRow| self.flag(flag, row, query);
        let context = QueryContext {
            me: if query.user.is_empty() { &[] } else { &me },
            flag: &flag,
            ..QueryContext::of_counts(done, true)
        };
        let list = self.listed(&query.filter);
        let finds = |row: &RunRow| {
            let is_listed =
                list.has(row, &context) && fits(query.only, row, &query.user, &self.earlier);
            if is_listed {
                query.search.finds(row, &context)
            } else {
                Some(false)
            }
        };
        let chosen = query.chosen.iter().flatten();
        let chosen = chosen.filter_map(|run| self.run(run));
        let all = query.chosen.is_none().then(|| self.here());
        let runs = chosen.chain(all.into_iter().flatten());
        self.found(runs, &query.search, &query.orders, finds, with)
    }

    fn listed<'a>(&'a self, filter: &'a Filter) -> Listed<'a> {
        Listed {
            filter,
            words: RunSearch::default().with_words(&filter.fulltext),
            by_service: &self.listed_by,
        }
    }

    fn flag(&self, flag: Flag, row: &RunRow, query: &RunsQuery) -> Option<bool> {
        let done = &self.settings.done;
        match flag {
            Flag::Unread => Some(self.is_unread(&row.doc_ref)),
            Flag::Over => {
                let counts = QueryContext::of_counts(done, false);
                let is_within = query.limit.as_ref()?.holds(row, &counts)?;
                Some(row.status == Status::Active && !is_within)
            }
            Flag::Late => {
                let left = row.sums(done).map_or(0, Sums::left);
                let is_late = |due: &i64| due::is_late(*due, left, None, query.now);
                let due = query.due.get(&row.doc_ref);
                Some(row.status == Status::Active && due.is_some_and(is_late))
            }
            _ => None,
        }
    }

    /// Works out anew what does not depend on the search, if runs or lists are others.
    fn look_over(&mut self, query: &RunsQuery) {
        self.compare_with(query.days);
        if query.tabs.is_empty() {
            return;
        }
        let of = OverviewOf {
            filter: query.filter.clone(),
            only: query.only,
            tabs: query.tabs.clone(),
            user: query.user.clone(),
        };
        if self.looked_over.as_ref() != Some(&of) {
            self.overview = Arc::new(self.overview_of(query));
            self.looked_over = Some(of);
        }
    }

    fn overview_of(&self, query: &RunsQuery) -> Overview {
        let done = &self.settings.done;
        let context = QueryContext::of_counts(done, true);
        let of_other_version = |filter: &String| !filter.starts_with(VERSION.path);
        let beside = Filter {
            filters: query
                .filter
                .filters
                .iter()
                .filter(|it| of_other_version(it))
                .cloned()
                .collect(),
            ..query.filter.clone()
        };
        let (list, beside) = (self.listed(&query.filter), self.listed(&beside));
        let tabs = query.tabs.iter().map(|(filter, only)| Tab {
            list: self.listed(filter),
            only: *only,
            listed: 0,
            compared: 0,
            runs: 0,
        });
        let mut tabs: Vec<Tab<'_>> = tabs.collect();
        let mut overview = Overview::default();
        let mut compared: Vec<&DocRef> = Vec::new();
        let (mut here, mut all, mut versions) = (0, 0, BTreeMap::new());
        let offers = |(path, values): &&(String, Vec<String>), field: &Field| {
            *path == field.path && !values.is_empty()
        };
        let lacking = [&VERSION, &CONFIGURATION].into_iter();
        let lacking = lacking.filter(|field| !self.facets.iter().any(|it| offers(&it, field)));
        let mut values: Vec<(&Field, BTreeSet<String>)> =
            lacking.map(|field| (field, BTreeSet::new())).collect();
        let mut empty: Vec<&Field> = LIST.into_iter().collect();
        empty.retain(|field| ![ID.name, TITLE.name].contains(&field.name));
        let mut room = None;
        for run in self.here() {
            let row = room.get_or_insert_with(|| run.row());
            run.fill(row);
            all += 1;
            for tab in tabs.iter_mut().filter(|tab| tab.list.has(row, &context)) {
                tab.listed += 1;
                tab.compared += u64::from(self.earlier.more_failed(row).is_some());
                tab.runs += u64::from(fits(tab.only, row, &query.user, &self.earlier));
            }
            if let Some(project) = &row.project {
                overview
                    .projects
                    .insert((project.clone(), row.subproject.clone()));
            }
            if let Some(version) = row.version.as_ref().filter(|_| beside.has(row, &context)) {
                *versions.entry(version.clone()).or_insert(0) += 1;
            }
            if !list.has(row, &context) {
                continue;
            }
            here += 1;
            compared.push(&run.doc_ref);
            overview.compared += u64::from(self.earlier.more_failed(row).is_some());
            let sums = row.sums(done);
            empty.retain(|field| field.is_empty(row, sums));
            for (field, values) in &mut values {
                let value = field.text_of(row).filter(|value| !value.is_empty());
                if let Some(value) = value.filter(|value| !values.contains(*value)) {
                    values.insert(value.to_owned());
                }
            }
        }
        if here > 0 {
            overview.empty = empty.into_iter().map(|field| field.name).collect();
        } else {
            overview.others = versions.into_iter().rev().take(OTHERS).collect();
        }
        overview.since = self.earlier.since(compared);
        overview.list = self.extent(&query.filter, here);
        overview.read_at = self.read_at(&query.filter);
        overview.project = self.extent(&Filter::default(), all);
        overview.tabs = tabs.into_iter().map(|tab| self.count(&tab)).collect();
        overview.facets.clone_from(&self.facets);
        overview
            .facets
            .extend(values.into_iter().map(|(field, values)| {
                let values = values.into_iter().take(VALUES).collect();
                (field.path.to_owned(), values)
            }));
        overview
    }

    /// How much of a list is here, by those that were read.
    fn extent(&self, filter: &Filter, here: u64) -> ListExtent {
        let size = self.sizes.get(&size_key(filter)).copied();
        ListExtent {
            here,
            size,
            is_whole: self.is_whole(filter) || size.is_some_and(|size| here >= size),
        }
    }

    fn count(&self, tab: &Tab<'_>) -> Option<Count> {
        let extent = self.extent(tab.list.filter, tab.listed);
        let is_known = extent.is_whole || extent.size.is_some() || tab.listed > 0;
        // Where nothing can be compared, that there is none is not known.
        let compares = tab.only.is_some_and(Only::compares);
        let is_compared = !compares || tab.compared > 0 || tab.runs > 0 || tab.listed == 0;
        if !is_known || !is_compared {
            return None;
        }
        let (runs, or_more) = match (tab.only, extent.size) {
            (None, Some(size)) if !extent.is_whole => (size, false),
            _ => (tab.runs, !extent.is_whole),
        };
        Some(Count { runs, or_more })
    }

    /// Takes note of what a page says of its list, once its rows were taken: what the service makes of a filter it alone
    /// knows.
    pub fn saw_list(&mut self, filter: &Filter, page: &RunsPage) {
        self.sizes.insert(size_key(filter), page.full_size);
        for line in &filter.filters {
            let path = line.split_once(':').map_or("", |(path, _)| path);
            let odd = page
                .rows
                .iter()
                .filter(|row| filter.fits(path, row) != Some(true));
            let odd: Vec<DocRef> = odd.map(|row| row.doc_ref.clone()).collect();
            if !odd.is_empty() {
                self.listed_by.entry(line.clone()).or_default().extend(odd);
            }
        }
        self.touched();
    }

    /// Takes note of what a page says of the service.
    pub fn saw_page(&mut self, page: &RunsPage) {
        if self.operation != Some(page.operation) {
            self.operation = Some(page.operation);
            let kept = self.cache.as_ref();
            let kept = kept.map_or(Ok(()), |it| it.set("operation", page.operation as i64));
            self.trouble = kept.err().or(self.trouble.take());
        }
        if let Some(facets) = page.facets.as_ref().filter(|facets| !facets.is_empty()) {
            self.facets.clone_from(facets);
        }
        self.touched();
    }

    /// Compares with how the runs stood before this day, as far as the history tells.
    fn compare_with(&mut self, days: Days) {
        if self.earlier.days() == Some(days) {
            return;
        }
        let told = self
            .history
            .as_ref()
            .map(|history| history.before(days.today));
        let told = told.unwrap_or_else(|| Ok(Vec::new()));
        let told = told.unwrap_or_else(|error| {
            self.trouble = Some(error);
            Vec::new()
        });
        self.compare_by(EarlierReadings::new(days, told));
    }

    /// Compares with these.
    pub fn compare_by(&mut self, earlier: EarlierReadings) {
        self.earlier = Arc::new(earlier);
        self.touched();
    }
}

/// Of a list, for its size.
fn size_key(filter: &Filter) -> String {
    format!("{}\n\n{}", filter.filters.join("\n"), filter.fulltext)
}
