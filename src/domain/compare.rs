//! Runs or versions side by side: their counts, fields that differ, and suites that are only in some.

use std::iter;

use super::prelude::*;
use super::release::{Board, NamedKind, ReleaseSums};
use super::text::thousands;
use super::{Summary, json};

/// A suite that was in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeptSuite {
    pub suite: DocRef,
    pub id: Option<String>,
    pub title: Option<String>,
    pub cases: Option<i64>,
}

/// Suites in a run, as they were computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSuites {
    /// Time of the computation, epoch milliseconds.
    pub at: i64,
    /// The list is complete.
    #[serde(rename = "is_whole")]
    pub is_complete: bool,
    /// Number of suites.
    pub count: Option<u64>,
    /// Suites that are certain.
    pub suites: Vec<KeptSuite>,
}

/// A run at a time.
#[derive(Clone, Debug)]
pub struct ComparedRun {
    /// Row of the last reading, with the results and the number of suites at that time, and the status, if known.
    pub row: RunRow,
    /// Time of the state, epoch milliseconds; `None` for the last reading.
    pub at: Option<i64>,
    /// Newest known suites at that time.
    pub suites: Option<KeptSuites>,
}

/// A version with its loaded runs.
#[derive(Clone, Debug)]
pub struct ComparedVersion {
    board: Board,
    pub column: ComparedColumn,
    /// Time of the oldest counts of an open run, epoch milliseconds.
    pub oldest: Option<i64>,
}

/// A column: a run or a version.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedColumn {
    pub name: String,
    pub version: Option<String>,
    /// Time of the shown state, epoch milliseconds; `None` for the newest.
    pub at: Option<i64>,
    /// For a version: number of counted runs and of loaded runs.
    pub runs: Option<(u64, usize)>,
    /// False for a version of which not all runs are loaded.
    pub is_complete: bool,
    /// Time at which its suites were worked out, epoch milliseconds.
    pub suites_at: Option<i64>,
    /// Its suites, if all of them are known.
    pub suites: Option<KeptSuites>,
    /// For a version: number of runs whose suites are not all known.
    unknown: usize,
    /// Unknown suites can be worked out now: of open runs as they stand.
    can_work_out: bool,
    /// The run; `None` for a version.
    pub run: Option<DocRef>,
    /// No results were read until the time of the shown state.
    pub is_unread: bool,
    /// Its members in JSON.
    json: Value,
}

/// Values of a row, one for each column; `None` if not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedValues {
    Texts(Vec<Option<String>>),
    /// Numbers, and the total for a share.
    Numbers(Vec<Option<(u64, Option<u64>)>>),
    /// Number of known ones and of all.
    Known(Vec<Option<(u64, u64)>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedRow {
    pub label: String,
    pub values: ComparedValues,
}

/// A suite that is in some of the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InSome {
    /// By index of the column.
    pub is_in: Vec<bool>,
    pub name: String,
    pub cases: Option<i64>,
}

/// Comparison of the suites of the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedSuites {
    InSome {
        suites: Vec<InSome>,
        /// The runs are of several versions: suites are compared by title.
        by_title: bool,
        /// Suites without a title of their own, which are not compared.
        doubled: usize,
    },
    /// Indexes of the columns whose suites are not all known.
    NotKnown(Vec<usize>),
}

/// Runs or versions side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub columns: Vec<ComparedColumn>,
    pub rows: Vec<ComparedRow>,
    pub suites: ComparedSuites,
    /// For versions: time of the oldest counts of an open run, epoch milliseconds.
    pub oldest: Option<i64>,
}

fn differ<T: PartialEq>(values: impl Iterator<Item = T>) -> bool {
    let mut values = values;
    let first = values.next();
    values.any(|value| Some(value) != first)
}

impl ComparedRow {
    fn new(label: &str, values: ComparedValues) -> Self {
        Self {
            label: label.to_owned(),
            values,
        }
    }

    fn numbers(&self) -> Vec<Option<u64>> {
        match &self.values {
            ComparedValues::Texts(_) => Vec::new(),
            ComparedValues::Numbers(numbers) => numbers
                .iter()
                .map(|it| it.map(|(number, _)| number))
                .collect(),
            ComparedValues::Known(known) => known.iter().map(|it| it.map(|(_, all)| all)).collect(),
        }
    }

    /// Returns `true` if known values differ.
    pub fn differs(&self) -> bool {
        match &self.values {
            ComparedValues::Texts(texts) => differ(texts.iter().flatten()),
            _ => differ(self.numbers().into_iter().flatten()),
        }
    }

    /// Returns `true` if any number is above 0.
    fn is_any(&self) -> bool {
        self.numbers()
            .into_iter()
            .flatten()
            .any(|number| number > 0)
    }

    /// Returns the difference between the last two columns; of parts that are known there is none.
    pub fn last_two(&self) -> Option<i64> {
        match self.numbers()[..] {
            _ if matches!(self.values, ComparedValues::Known(_)) => None,
            [.., Some(before), Some(last)] => {
                Some(i64::try_from(last).ok()? - i64::try_from(before).ok()?)
            }
            _ => None,
        }
    }
}

impl ComparedRun {
    /// Returns the suites, if all of that time are known.
    pub fn complete_suites(&self) -> Option<&KeptSuites> {
        let kept = self.suites.as_ref().filter(|kept| kept.is_complete)?;
        let is_so = |count: i64| u64::try_from(count).is_ok_and(|count| kept.count == Some(count));
        self.row.suite_count.is_none_or(is_so).then_some(kept)
    }

    fn is_open(&self) -> bool {
        !self.row.is_closed()
    }

    fn sums(&self, done: &[ResultCode]) -> Option<ReleaseSums> {
        let sums = ReleaseSums::of(&self.row, done);
        Some(sums).filter(|sums| sums.without_results == 0)
    }

    fn column(&self) -> ComparedColumn {
        ComparedColumn {
            name: self.row.name().to_owned(),
            version: self.row.version.clone(),
            at: self.at,
            runs: None,
            is_complete: true,
            suites_at: self.suites.as_ref().map(|kept| kept.at),
            suites: self.complete_suites().cloned(),
            unknown: 0,
            can_work_out: self.at.is_none() && self.is_open(),
            run: Some(self.row.doc_ref.clone()),
            is_unread: self.at.is_some() && self.row.results.is_none(),
            json: json!({"run": json::names(&self.row), "title": self.row.title}),
        }
    }

    /// Returns its known suites as JSON; `None` where none were worked out.
    pub fn attached(&self) -> Option<Value> {
        let kept = self.suites.as_ref()?;
        let suites = kept
            .suites
            .iter()
            .map(|it| json!({"ref": it.suite, "id": it.id, "title": it.title, "cases": it.cases}));
        Some(json!({
            "at": json::time(kept.at), "is_whole": self.complete_suites().is_some(), "suites": suites.collect::<Vec<_>>()
        }))
    }

    /// Returns the number of its known suites and of all.
    pub fn known_suites(&self) -> Option<(u64, u64)> {
        let known = self.suites.as_ref().map(|kept| kept.suites.len() as u64);
        let counted = self
            .row
            .suite_count
            .and_then(|count| u64::try_from(count).ok());
        let count = counted.or_else(|| self.suites.as_ref()?.count)?;
        Some((known.unwrap_or(0).min(count), count))
    }
}

impl ComparedVersion {
    /// `runs` are its loaded runs in their newest state; `is_whole` is true if these are all.
    pub fn of(
        version: &str,
        runs: &[ComparedRun],
        is_complete: bool,
        named: &[NamedKind],
        done: &[ResultCode],
    ) -> Self {
        let rows: Vec<RunRow> = runs.iter().map(|run| run.row.clone()).collect();
        let is_unknown = |run: &&ComparedRun| run.complete_suites().is_none();
        let unknown = runs.iter().filter(is_unknown);
        let can_work_out = is_complete && unknown.clone().all(ComparedRun::is_open);
        let unknown = unknown.count();
        // The newest name is shown.
        let mut suites: BTreeMap<&DocRef, (i64, &KeptSuite)> = BTreeMap::new();
        for kept in runs.iter().filter_map(ComparedRun::complete_suites) {
            for suite in &kept.suites {
                let named = suites.entry(&suite.suite).or_insert((kept.at, suite));
                *named = (*named).max((kept.at, suite));
            }
        }
        let at = runs
            .iter()
            .filter_map(ComparedRun::complete_suites)
            .map(|kept| kept.at)
            .min();
        let suites = (is_complete && unknown == 0).then(|| KeptSuites {
            at: at.unwrap_or_default(),
            is_complete: true,
            count: Some(suites.len() as u64),
            suites: suites
                .into_values()
                .map(|(_, suite)| suite.clone())
                .collect(),
        });
        let board = Board::of(&rows, named, done, false);
        let column = ComparedColumn {
            name: version.to_owned(),
            version: Some(version.to_owned()),
            at: None,
            runs: Some((board.all.runs, runs.len())),
            is_complete,
            suites_at: at.filter(|_| suites.is_some()),
            suites,
            unknown,
            can_work_out,
            run: None,
            is_unread: false,
            json: json!({
                "version": version, "runs": runs.len(), "runs_counted": board.all.runs, "is_whole": is_complete,
            }),
        };
        Self {
            board,
            column,
            oldest: None,
        }
    }

    /// Returns the sums of a kind; 0 for a missing kind only if all runs are loaded.
    fn of_kind(&self, key: &str) -> Option<ReleaseSums> {
        let place = self.board.kinds.iter().position(|kind| kind.key == key);
        let sums = place.and_then(|place| self.board.by_kind.get(place));
        let none = || self.column.is_complete.then(ReleaseSums::default);
        match sums {
            Some(sums) => sums.known().cloned(),
            None => none(),
        }
    }
}

/// Returns a row of numbers, with shares of the total if `has_share`.
fn number(
    label: &str,
    sums: &[Option<ReleaseSums>],
    has_share: bool,
    of: impl Fn(&ReleaseSums) -> u64,
) -> ComparedRow {
    let value = |sums: &ReleaseSums| (of(sums), has_share.then_some(sums.total()));
    let values = sums.iter().map(|it| it.as_ref().map(value));
    ComparedRow::new(label, ComparedValues::Numbers(values.collect()))
}

/// Returns the rows of cases: by result, done, left and not run.
fn figures(
    sums: &[Option<ReleaseSums>],
    is_closed_known: impl Fn(usize) -> bool,
) -> Vec<ComparedRow> {
    let codes = ResultCode::ALL
        .into_iter()
        .map(|code| number(code.label(), sums, true, |sums| sums.at(&[code])));
    let mut rows = vec![number("Cases", sums, false, ReleaseSums::total)];
    rows.extend(codes.filter(ComparedRow::is_any));
    rows.push(number("Done", sums, true, |sums| sums.done));
    // Whether what was not done was left depends on the status.
    let ends: Vec<_> = sums
        .iter()
        .enumerate()
        .map(|(place, sums)| sums.clone().filter(|_| is_closed_known(place)))
        .collect();
    rows.push(number("Left", &ends, false, |sums| sums.left));
    let not_run = number("Not run", &ends, false, |sums| sums.not_run);
    rows.extend(Some(not_run).filter(ComparedRow::is_any));
    rows
}

impl Comparison {
    fn of(columns: Vec<ComparedColumn>, rows: Vec<ComparedRow>) -> Self {
        let suites = suites(&columns);
        Self {
            columns,
            rows,
            suites,
            oldest: None,
        }
    }

    /// Compares runs. `done` are the results of finished cases.
    pub fn of_runs(runs: &[ComparedRun], done: &[ResultCode]) -> Self {
        let text = |label: &str, of: &dyn Fn(&RunRow) -> Option<String>| {
            // Earlier values of fields are not kept.
            let of = |run: &ComparedRun| run.at.is_none().then(|| of(&run.row).unwrap_or_default());
            ComparedRow::new(label, ComparedValues::Texts(runs.iter().map(of).collect()))
        };
        let mut rows = vec![
            text("Title", &|row| row.title.clone()),
            text("Version", &|row| row.version.clone()),
            text("Configuration", &|row| row.configuration.clone()),
        ];
        // Of an earlier time it is surely known where it was open: what was left is told by that, too.
        let was_open = |run: &ComparedRun| run.is_open() && run.row.status != Status::Missing;
        let is_now_or_open = |run: &ComparedRun| run.at.is_none() || was_open(run);
        let status = |run| is_now_or_open(run).then(|| run.row.status.to_string());
        let status = ComparedValues::Texts(runs.iter().map(status).collect());
        rows.push(ComparedRow::new("Status", status));
        let sums: Vec<_> = runs.iter().map(|run| run.sums(done)).collect();
        rows.extend(figures(&sums, |place| is_now_or_open(&runs[place])));
        // Of a set that was worked out before suites went it is not known which are left.
        let known = runs.iter().map(|run| {
            let (known, all) = run.known_suites()?;
            let is_sure = known < all || all == 0 || run.complete_suites().is_some();
            is_sure.then_some((known, all))
        });
        let known = ComparedValues::Known(known.collect());
        rows.push(ComparedRow::new("Suites known", known));
        Self::of(runs.iter().map(ComparedRun::column).collect(), rows)
    }

    /// Compares versions, in total and by kind of run.
    pub fn of_versions(versions: &[ComparedVersion]) -> Self {
        let sums: Vec<_> = versions
            .iter()
            .map(|it| Some(it.board.all.clone()))
            .collect();
        let mut rows = vec![
            number("Runs", &sums, false, |sums| sums.runs),
            number("Open runs", &sums, false, |sums| sums.open),
        ];
        let without_results = number("Without results", &sums, false, |sums| sums.without_results);
        rows.extend(Some(without_results).filter(ComparedRow::is_any));
        let known_sums = sums.iter().flatten().map(|sums| sums.known().cloned());
        rows.extend(figures(&known_sums.collect::<Vec<_>>(), |_| true));
        let known = |it: &ComparedVersion| {
            let (_, all) = it.column.runs?;
            Some(((all - it.column.unknown) as u64, all as u64))
        };
        let known = ComparedValues::Known(versions.iter().map(known).collect());
        rows.push(ComparedRow::new("Suites known (all runs)", known));
        // The spelling of the newest version is shown.
        let kinds = versions.iter().flat_map(|it| {
            let newest = (version_numbers(&it.column.name), &it.column.name);
            it.board
                .kinds
                .iter()
                .map(move |kind| (newest.clone(), kind))
        });
        let kinds: BTreeSet<_> = kinds.collect();
        let kinds: BTreeMap<&str, &str> = kinds
            .into_iter()
            .map(|(_, kind)| (&*kind.key, &*kind.shown))
            .collect();
        for (key, shown) in kinds {
            let sums: Vec<_> = versions.iter().map(|it| it.of_kind(key)).collect();
            let failed = number("  failed", &sums, true, |it| it.at(ResultCode::FAILED));
            rows.push(number(shown, &sums, false, ReleaseSums::total));
            rows.push(number("  done", &sums, true, |sums| sums.done));
            rows.extend(Some(failed).filter(ComparedRow::is_any));
        }
        Self {
            oldest: versions.iter().filter_map(|it| it.oldest).min(),
            ..Self::of(versions.iter().map(|it| it.column.clone()).collect(), rows)
        }
    }

    /// Returns `true` if any known value differs.
    pub fn differs(&self) -> bool {
        let suites = match &self.suites {
            ComparedSuites::InSome { suites, .. } => !suites.is_empty(),
            ComparedSuites::NotKnown(_) => false,
        };
        suites || self.rows.iter().any(ComparedRow::differs)
    }
}

/// Returns the suites that are in some of the columns and not in others.
fn suites(columns: &[ComparedColumn]) -> ComparedSuites {
    let not_known: Vec<usize> = (0..columns.len())
        .filter(|place| columns[*place].suites.is_none())
        .collect();
    if !not_known.is_empty() {
        return ComparedSuites::NotKnown(not_known);
    }
    let by_title = columns.iter().any(|it| it.version != columns[0].version);
    // By reference or title: the number of occurrences in each column.
    let mut found: BTreeMap<String, (Vec<usize>, i64, &KeptSuite)> = BTreeMap::new();
    let mut doubled = 0;
    let kept = columns.iter().filter_map(|it| it.suites.as_ref());
    for (place, kept) in kept.enumerate() {
        for suite in &kept.suites {
            let title = || suite.title.clone().filter(|title| !title.is_empty());
            let key = if by_title {
                title()
            } else {
                Some(suite.suite.to_string())
            };
            match key {
                Some(key) => {
                    let none = || (vec![0; columns.len()], kept.at, suite);
                    let (times, at, named) = found.entry(key).or_insert_with(none);
                    times[place] += 1;
                    // The newest name is shown.
                    if (*at, *named) < (kept.at, suite) {
                        (*at, *named) = (kept.at, suite);
                    }
                }
                None => doubled += 1,
            }
        }
    }
    let mut suites = Vec::new();
    for (times, _, suite) in found.into_values() {
        if times.iter().any(|times| *times > 1) {
            doubled += times.iter().sum::<usize>();
        } else if times.contains(&0) {
            let id = suite.id.as_deref().filter(|_| !by_title);
            let title = suite.title.as_deref();
            let names = [id, title].into_iter().flatten().collect::<Vec<_>>();
            suites.push(InSome {
                is_in: times.iter().map(|times| *times > 0).collect(),
                name: match &names[..] {
                    [] => suite.suite.to_string(),
                    names => names.join(" "),
                },
                cases: suite.cases,
            });
        }
    }
    suites.sort_by(|a, b| (&b.is_in, &a.name).cmp(&(&a.is_in, &b.name)));
    ComparedSuites::InSome {
        suites,
        by_title,
        doubled,
    }
}

/// `94%` of cases; `None` if there are none.
fn share(done: u64, total: u64) -> Option<String> {
    let share = Sums { total, done }.share()?;
    Some(format!("{share}%"))
}

/// Returns a number in words, and its share, which may be empty.
pub fn number_words(number: Option<(u64, Option<u64>)>) -> [String; 2] {
    let share = number.and_then(|(number, of)| share(number, of?));
    let number = number.map_or("-".to_owned(), |(number, _)| thousands(number));
    [number, share.unwrap_or_default()]
}

impl ComparedColumn {
    /// Returns its name with the time of its state.
    pub fn full_name(&self, when: impl Fn(i64) -> String) -> String {
        match self.at {
            Some(at) => format!("{} {}", self.name, when(at)),
            None => self.name.clone(),
        }
    }

    /// Returns the time of its state, or its number of runs.
    pub fn detail(&self, when: impl Fn(i64) -> String) -> String {
        match (self.runs, self.at) {
            (Some((counted, all)), _) => format!("{} of {}", thousands(counted), count(all, "run")),
            (None, Some(at)) => when(at),
            (None, None) => "now".to_owned(),
        }
    }

    /// Returns a sentence on a run without results at that time.
    fn unread_words(&self, when: impl Fn(i64) -> String) -> Option<String> {
        let at = when(self.at.filter(|_| self.is_unread)?);
        Some(format!("No results of {} were read up to {at}.", self.name))
    }
}

impl Comparison {
    /// Returns a value of a row: the text, or the number with its share.
    pub fn cell(row: &ComparedRow, place: usize) -> String {
        match &row.values {
            ComparedValues::Texts(texts) => texts[place].clone().unwrap_or_default(),
            ComparedValues::Numbers(numbers) => {
                let [number, share] = number_words(numbers[place]);
                match &*share {
                    "" => number,
                    share => format!("{number}  {share}"),
                }
            }
            ComparedValues::Known(known) => match known[place] {
                Some((known, all)) => format!("{} of {}", thousands(known), thousands(all)),
                None => "-".to_owned(),
            },
        }
    }

    /// Returns the columns of a suite: `only R_1`, `not R_2`, `in R_1, R_3`.
    pub fn place_words(&self, suite: &InSome, when: impl Fn(i64) -> String) -> String {
        let of = |wanted: bool| {
            let places = suite
                .is_in
                .iter()
                .enumerate()
                .filter(move |(_, is_in)| **is_in == wanted);
            let names = places.map(|(place, _)| self.columns[place].full_name(&when));
            names.collect::<Vec<_>>()
        };
        match (&of(true)[..], &of(false)[..]) {
            ([only], _) => format!("only {only}"),
            (_, [not]) => format!("not {not}"),
            (several, _) => format!("in {}", several.join(", ")),
        }
    }

    /// Returns true if unknown suites can be worked out now.
    pub fn can_work_out(&self) -> bool {
        match &self.suites {
            ComparedSuites::NotKnown(places) => {
                places.iter().all(|place| self.columns[*place].can_work_out)
            }
            ComparedSuites::InSome { .. } => false,
        }
    }

    /// Returns the runs whose unknown suites can be worked out now.
    pub fn to_work_out(&self) -> Vec<DocRef> {
        let places = match &self.suites {
            ComparedSuites::NotKnown(places) => &places[..],
            ComparedSuites::InSome { .. } => &[],
        };
        let columns = places.iter().map(|place| &self.columns[*place]);
        let runs = columns.filter(|column| column.can_work_out);
        runs.filter_map(|column| column.run.clone()).collect()
    }

    /// Returns notes on the comparison: runs without results then, and which suites are not compared.
    pub fn notes(&self, when: impl Fn(i64) -> String) -> Vec<String> {
        let unread = self.columns.iter().filter_map(|it| it.unread_words(&when));
        let mut notes: Vec<String> = unread.collect();
        match &self.suites {
            ComparedSuites::NotKnown(places) => {
                let columns = places.iter().map(|place| &self.columns[*place]);
                let names: Vec<String> = columns.map(|column| column.full_name(&when)).collect();
                let names = names.join(", ");
                notes.push(format!(
                    "Suites are not compared: those of {names} are not known whole."
                ));
            }
            ComparedSuites::InSome {
                by_title, doubled, ..
            } => {
                let by_title =
                    by_title.then(|| "Suites of several versions: by their titles.".to_owned());
                let doubled = (*doubled > 0).then(|| {
                    let suites = count(*doubled, "suite");
                    format!("{suites} with a title that another has, or none: not compared.")
                });
                notes.extend(by_title.into_iter().chain(doubled));
            }
        }
        notes
    }

    /// Returns the rows to show: all, or those that differ.
    pub fn rows(&self, only_differing: bool) -> impl Iterator<Item = &ComparedRow> {
        let is_shown = move |row: &&ComparedRow| !only_differing || row.differs();
        self.rows.iter().filter(is_shown)
    }

    /// Heading of the column of differences.
    pub fn difference(&self) -> &'static str {
        if self.columns.len() > 2 {
            "last two"
        } else {
            "change"
        }
    }

    /// Returns the comparison; `when` formats a time.
    pub fn summary(&self, only_differing: bool, when: impl Fn(i64) -> String) -> Summary {
        let names: Vec<String> = self.columns.iter().map(|it| it.full_name(&when)).collect();
        let mut headings = vec![String::new()];
        headings.extend(names.iter().cloned());
        headings.push(self.difference().to_owned());
        let rows = self.rows(only_differing).map(|row| {
            let numbers = match row.values {
                ComparedValues::Numbers(_) => row.numbers(),
                ComparedValues::Texts(_) | ComparedValues::Known(_) => Vec::new(),
            };
            let cell = |place| match numbers.get(place).copied().flatten().map(i64::try_from) {
                Some(Ok(number)) => TextCell::Amount(Self::cell(row, place), number),
                _ => TextCell::Text(Self::cell(row, place)),
            };
            let change = |more| TextCell::Amount(signed(more), more);
            iter::once(TextCell::Text(row.label.clone()))
                .chain((0..names.len()).map(cell))
                .chain([row.last_two().map_or(TextCell::Unknown, change)])
                .collect()
        });
        let mut foot: Vec<String> = Vec::new();
        if let ComparedSuites::InSome { suites, .. } = &self.suites {
            foot.extend(suites.iter().map(|suite| {
                let cases = suite
                    .cases
                    .map_or_else(String::new, |cases| format!(", {}", count(cases, "case")));
                format!("{}: {}{cases}", self.place_words(suite, &when), suite.name)
            }));
        }
        foot.extend(self.notes(&when));
        Summary {
            name: format!("the comparison of {}", names.join(", ")),
            file: "compare",
            head: vec![format!("Compared: {}", names.join(", "))],
            table: TextTable::new(headings, rows),
            foot,
            json: self.json(),
        }
    }

    fn json(&self) -> String {
        let columns = self.columns.iter().map(|it| {
            let mut column = it.json.clone();
            column["at"] = json!(it.at.and_then(json::time));
            column["suites_at"] = json!(it.suites_at.and_then(json::time));
            column
        });
        let mut kind = "";
        let rows = self.rows.iter().map(|row| {
            let known = |it: &(u64, u64)| json!({"known": it.0, "all": it.1});
            let values = match &row.values {
                ComparedValues::Texts(texts) => json!(texts),
                ComparedValues::Numbers(_) => json!(row.numbers()),
                ComparedValues::Known(all) => all.iter().map(|it| it.as_ref().map(known)).collect(),
            };
            let name = row.label.trim_start();
            // Rows of a kind are below that of its cases.
            let is_of_kind = name != row.label;
            if !is_of_kind {
                kind = name;
            }
            let kind = is_of_kind.then_some(kind);
            json!({"name": name, "kind": kind, "values": values, "last_two": row.last_two()})
        });
        let suites = match &self.suites {
            ComparedSuites::InSome { suites, .. } => {
                let suite =
                    |it: &InSome| json!({"name": it.name, "in": it.is_in, "cases": it.cases});
                suites.iter().map(suite).collect()
            }
            ComparedSuites::NotKnown(_) => Value::Null,
        };
        let members = json!({
            "columns": columns.collect::<Vec<_>>(), "rows": rows.collect::<Vec<_>>(), "suites": suites
        });
        json::pretty("compare", members)
    }
}

/// `+11`, `-7`, `·` for no difference.
pub fn signed(more: i64) -> String {
    match more {
        0 => "·".to_owned(),
        1.. => format!("+{}", thousands(more)),
        _ => format!("-{}", thousands(more.unsigned_abs())),
    }
}
