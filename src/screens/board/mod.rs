//! The board of a release: kinds of runs by configurations, each run counted once.

pub mod keys;
mod update;
mod view;

use std::collections::{BTreeSet, HashMap};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::fields::VERSION;
use crate::domain::query_language::{Range, RunCount, search};
use crate::domain::release::{
    Board, BoardCell, Judged, ReleaseLine, ReleaseSums, late, newest_first, quiet,
};
use crate::domain::{Filter, Quiet, due};
use crate::forecast::{Finish, Outlook, SumRun};
use crate::mirror::{Run, RunsAnswer, RunsQuery, TabQuery};
use crate::screens::prelude::*;
use crate::ui::Scroll;

/// Versions that have a tab.
const TABS: usize = 6;

/// Finds the runs without a version.
const NO_VERSION: &str = "-version:*";

/// What a board is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardOf {
    #[default]
    Version,
    /// All versions, a row for each.
    Versions,
    /// The runs without a version.
    NoVersion,
}

/// A row under the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardRow {
    /// By its place.
    Kind(usize),
    /// Where kinds do not group: by its place, the worst first.
    Run(usize),
    /// By its place.
    Version(usize),
    All,
    /// What is not counted.
    Earlier,
    /// By its place.
    Criterion(usize),
    Finish,
    /// What is in none of the open runs.
    InNoRun,
}

/// By what a row is found again, wherever it stands.
type RowKey = (Discriminant<BoardRow>, String);

/// What became of what was to be worked out: the forecast, or what each version comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum WorkedOut {
    #[default]
    NotYet,
    Here,
    /// The readings could not be read.
    Failed,
    GivenUp,
}

impl WorkedOut {
    /// Why it is not here and will not come by itself.
    fn lacks(self) -> Option<&'static str> {
        match self {
            Self::NotYet | Self::Here => None,
            Self::Failed => Some("the readings kept here cannot be read"),
            Self::GivenUp => Some("given up"),
        }
    }
}

/// State of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReleaseBoard {
    pub of: BoardOf,
    /// Empty where it is of no single one.
    pub version: String,
    /// Versions with their number of open runs, the newest first; that of the board is among them.
    pub versions: Vec<(String, u64)>,
    /// Number of runs without a version, as far as they are here.
    pub without_version: u64,
    /// What each version comes to, where the board is of all.
    pub lines: Vec<ReleaseLine>,
    /// Configurations are split into their parts.
    pub splits: bool,
    pub board: Board,
    /// Where more than half of the kinds have one run: the runs that are counted, the worst first.
    by_run: Vec<(usize, ReleaseSums)>,
    /// All runs that are here, where the board is of all versions.
    all_runs: Arc<[Arc<Run>]>,
    /// The runs of the version, whether they are counted or not.
    runs: Vec<RunRow>,
    /// How the release stands to each criterion.
    pub criteria: Vec<Judged>,
    /// Whether runs are quiet, as far as their readings tell.
    pub quiet: HashMap<DocRef, Quiet>,
    /// When the runs will be done, as far as that was worked out.
    pub finish: Option<Box<Finish>>,
    /// It is to be worked out anew.
    is_stale: bool,
    /// What became of it.
    worked_out: WorkedOut,
    /// All runs of the version are here.
    pub is_whole: bool,
    pub scroll: Scroll,
    /// The column under the cursor: of the configurations, or behind them that of all.
    pub column: usize,
    /// The question that is asked now, `None` where it is to be asked anew.
    question: Option<u64>,
    /// An answer was here.
    is_answered: bool,
    pub is_reading: bool,
    /// Why the last reading brought nothing.
    pub failure: Option<Failure>,
    pub read_at: Option<i64>,
    /// When the oldest counts of a counted open run were read.
    oldest: Option<i64>,
    /// Runs that were read later than their counts.
    untold: BTreeSet<DocRef>,
}

impl ReleaseBoard {
    /// That of a version, nothing of which is here yet.
    pub fn new(version: String) -> Self {
        Self {
            versions: vec![(version.clone(), 0)],
            version,
            ..Self::default()
        }
    }

    /// That of all versions.
    pub fn of_versions() -> Self {
        Self {
            of: BoardOf::Versions,
            ..Self::default()
        }
    }

    /// The tabs: versions, all of them, the runs without one where there are any.
    fn tabs(&self) -> Vec<(BoardOf, String)> {
        let versions = self.versions.iter();
        let versions = versions.map(|(version, _)| (BoardOf::Version, version.clone()));
        let has_others = self.without_version > 0 || self.of == BoardOf::NoVersion;
        let others = has_others.then(|| (BoardOf::NoVersion, String::new()));
        let all = (BoardOf::Versions, String::new());
        versions.chain([all]).chain(others).collect()
    }

    /// The place of the tab in force.
    fn tab(&self) -> Option<usize> {
        let here = (self.of, self.version.clone());
        self.tabs().iter().position(|tab| *tab == here)
    }

    fn filter(&self) -> Filter {
        Filter {
            filters: vec![format!("{}:{}", VERSION.path, self.version)],
            ..Filter::default()
        }
    }

    /// The lists that the service is asked for.
    fn lists(&self) -> Vec<Filter> {
        vec![match self.of {
            BoardOf::Version => self.filter(),
            BoardOf::Versions | BoardOf::NoVersion => Filter::default(),
        }]
    }

    /// Asks the mirror for the runs of the version.
    fn ask(&mut self, cx: &mut Cx) {
        if self.question.is_some() {
            return;
        }
        let Some(all) = cx.shared.all_runs(cx.now) else {
            return;
        };
        let zone = cx.shared.in_use().watch.zone.clone();
        let now = Timestamp::from_millisecond(cx.now).unwrap_or_default();
        let no_version = search(NO_VERSION, &now.to_zoned(zone), &RunsQuery::FLAGS);
        let no_version = TabQuery {
            search: no_version.unwrap_or_default(),
            ..TabQuery::default()
        };
        let tab = match self.of {
            BoardOf::Version => TabQuery {
                lists: self.lists(),
                filter: self.filter(),
                ..TabQuery::default()
            },
            BoardOf::Versions => TabQuery::default(),
            BoardOf::NoVersion => no_version.clone(),
        };
        let query = RunsQuery {
            tabs: vec![no_version],
            tab,
            quiet: cx.shared.quiet_days(cx.now),
            ..all
        };
        self.question = Some(cx.ask_runs(Layer::Board, query));
    }

    /// Looks how the release stands to the criteria; while runs may be missing that is not known.
    fn judge(&mut self, shared: &Shared, now: i64) {
        let done = shared.done_codes();
        let due = |run: &RunRow| shared.due_of(run);
        let ends = self.finish.iter().flat_map(|finish| &finish.ends);
        let ends: HashMap<&DocRef, i64> = ends.map(|(run, at)| (run, *at)).collect();
        let end = |run: &RunRow| ends.get(&run.doc_ref).copied();
        let is_quiet = |run: &RunRow| {
            let known = self.quiet.get(&run.doc_ref);
            known.copied().unwrap_or(Quiet::NotKnown)
        };
        let number = |count| match count {
            _ if !self.is_whole => Range::UNKNOWN,
            RunCount::SuitesInNoRun => shared.suites_in_no_run(&self.version, now),
            RunCount::RunsLate => late(&self.runs, &due, &end, done, now),
            RunCount::RunsQuiet => quiet(&self.runs, &is_quiet),
            count => self.board.all.number(count, done, false),
        };
        let criteria = shared.in_use().watch.release.criteria.iter();
        let criteria = criteria.filter(|_| self.of == BoardOf::Version);
        self.criteria = criteria.filter_map(|it| it.judge(&number)).collect();
    }

    /// Takes what the mirror answers.
    pub fn on_answer(&mut self, answer: &RunsAnswer, shared: &Shared, now: i64) {
        if self.question.is_none_or(|number| answer.number < number) {
            return;
        }
        self.is_answered = true;
        let key = self.here().map(|row| self.key_of(row));
        let of_one = self.of != BoardOf::Versions;
        let rows = answer.runs.iter().filter(|_| of_one).map(|run| run.row());
        let rows: Vec<RunRow> = rows.collect();
        self.is_stale |= self.runs != rows || self.read_at != answer.overview.read_at;
        if !of_one {
            let (before, now) = (&self.all_runs, &answer.runs);
            let is_same = |(a, b): (&Arc<Run>, &Arc<Run>)| Arc::ptr_eq(a, b);
            self.is_stale |= before.len() != now.len() || !before.iter().zip(&**now).all(is_same);
            self.all_runs = answer.runs.clone();
        }
        self.runs = rows;
        self.quiet.clone_from(&answer.quiet);
        self.is_whole = answer.overview.list.is_whole;
        self.read_at = answer.overview.read_at;
        let without = answer.overview.tabs.first().copied().flatten();
        self.without_version = without.map_or(0, |count| count.runs);
        self.lay_out(shared);
        let counted = self.runs_of(BoardRow::All, usize::MAX);
        let open = answer.runs.iter().filter(|run| run.is_open);
        let open = open.filter(|run| counted.contains(&run.doc_ref));
        let oldest = open.clone().filter_map(|run| run.counted_at).min();
        let untold = open.filter(|run| run.counted_at < Some(run.read_at));
        self.untold = untold.map(|run| run.doc_ref.clone()).collect();
        self.oldest = oldest;
        self.judge(shared, now);
        let releases = &answer.overview.releases;
        let mut versions: Vec<String> = releases.keys().cloned().collect();
        newest_first(&mut versions);
        versions.truncate(TABS);
        if self.of == BoardOf::Version && !versions.contains(&self.version) {
            versions.truncate(TABS - 1);
            versions.push(self.version.clone());
            newest_first(&mut versions);
        }
        let open = |version: &String| releases.get(version).copied().unwrap_or(0);
        let versions = versions
            .into_iter()
            .map(|version| (version.clone(), open(&version)));
        self.versions = versions.collect();
        self.keep_on(key.as_ref());
    }

    /// The cursor stays on its row, wherever that is now.
    fn keep_on(&mut self, key: Option<&RowKey>) {
        let rows = self.rows();
        let place = rows.iter().position(|row| Some(&self.key_of(*row)) == key);
        if let Some(place) = place {
            self.scroll.cursor = place as u64;
        }
        self.scroll.fit(self.len());
    }

    /// What a row is of.
    fn key_of(&self, row: BoardRow) -> RowKey {
        let key = match row {
            BoardRow::Kind(place) => self.board.kinds[place].key.clone(),
            BoardRow::Run(place) => self.runs[self.by_run[place].0].doc_ref.to_string(),
            BoardRow::Version(place) => self.lines[place].version.clone(),
            BoardRow::Criterion(place) => place.to_string(),
            _ => String::new(),
        };
        (discriminant(&row), key)
    }

    /// Lays the runs out in rows and columns.
    fn lay_out(&mut self, shared: &Shared) {
        let is_on_all = self.column >= self.columns();
        let (named, done) = (&shared.in_use().watch.release.kinds, shared.done_codes());
        self.board = if self.splits {
            Board::split(&self.runs, named, done)
        } else {
            Board::of(&self.runs, named, done)
        };
        let board = &self.board;
        let alone = board.by_kind.iter().filter(|kind| kind.runs == 1).count();
        self.by_run.clear();
        if alone * 2 > board.by_kind.iter().filter(|kind| kind.runs > 0).count() {
            let counted = self.runs_of(BoardRow::All, usize::MAX);
            let runs = self.runs.iter().enumerate();
            let runs = runs.filter(|(_, run)| counted.contains(&run.doc_ref));
            let sums = runs.map(|(place, run)| (place, ReleaseSums::of(run, done)));
            self.by_run = sums.collect();
            self.by_run.sort_by_key(|(_, sums)| sums.worst_first());
        }
        let last = self.columns();
        self.column = if is_on_all {
            last
        } else {
            self.column.min(last)
        };
    }

    /// Number of columns before that of all.
    fn columns(&self) -> usize {
        if self.by_run.is_empty() {
            self.board.configurations.len()
        } else {
            0
        }
    }

    /// The rows under the cursor, in their order.
    fn rows(&self) -> Vec<BoardRow> {
        let board = &self.board;
        if self.of == BoardOf::Versions {
            return (0..self.lines.len()).map(BoardRow::Version).collect();
        }
        if board.kinds.is_empty() {
            return Vec::new();
        }
        let mut rows: Vec<BoardRow> = match self.by_run.len() {
            0 => (0..board.kinds.len()).map(BoardRow::Kind).collect(),
            runs => (0..runs).map(BoardRow::Run).collect(),
        };
        rows.push(BoardRow::All);
        rows.extend((!board.earlier.is_empty()).then_some(BoardRow::Earlier));
        rows.extend((0..self.criteria.len()).map(BoardRow::Criterion));
        if self.of == BoardOf::Version && board.all.open > 0 {
            rows.extend([BoardRow::Finish, BoardRow::InNoRun]);
        }
        rows
    }

    fn len(&self) -> u64 {
        self.rows().len() as u64
    }

    /// The row under the cursor.
    fn here(&self) -> Option<BoardRow> {
        self.rows().get(self.scroll.cursor as usize).copied()
    }

    /// The runs that are counted.
    fn counted(&self, done: &[ResultCode]) -> Vec<SumRun> {
        let runs = self.runs_of(BoardRow::All, usize::MAX);
        let counted = self.runs.iter().filter(|run| runs.contains(&run.doc_ref));
        let sum = |run: &RunRow| SumRun {
            is_told: run.results.is_some() && !self.untold.contains(&run.doc_ref),
            ..SumRun::of(run, done)
        };
        counted.map(sum).collect()
    }

    /// What is said here is as of then: the oldest counts of an open run that is counted.
    fn as_of(&self) -> Option<i64> {
        self.oldest.into_iter().chain(self.read_at).min()
    }

    /// The release is due, or will not be done by then, with cases left.
    fn is_late(&self, due: i64, now: i64) -> bool {
        let end = match self.finish.as_ref().map(|finish| &finish.outlook) {
            Some(Outlook::Band(band)) => Some(band.middle),
            _ => None,
        };
        due::is_late(due, self.board.all.left, end, now)
    }

    /// What a cell comes to, if it has runs; behind the other columns stands that of all.
    fn sums(&self, row: BoardRow, column: usize) -> Option<&ReleaseSums> {
        let (board, is_all) = (&self.board, column >= self.columns());
        match row {
            BoardRow::Kind(row) if is_all => board.by_kind.get(row),
            BoardRow::Kind(row) => Some(&board.cells.get(&(row, column))?.sums),
            BoardRow::Run(row) => Some(&self.by_run.get(row)?.1),
            BoardRow::All if is_all => Some(&board.all),
            BoardRow::All => board.by_configuration.get(column),
            _ => None,
        }
    }

    /// The runs of a cell.
    fn runs_of(&self, row: BoardRow, column: usize) -> BTreeSet<&DocRef> {
        match row {
            BoardRow::Run(row) => self.run(row).map(|run| &run.doc_ref).into_iter().collect(),
            BoardRow::Earlier => self.board.earlier.iter().map(|it| &it.run).collect(),
            _ => self
                .cells_of(row, column)
                .flat_map(|cell| &cell.runs)
                .collect(),
        }
    }

    /// What is counted in a cell of kinds, a row or a column of them.
    fn cells_of(&self, row: BoardRow, column: usize) -> impl Iterator<Item = &BoardCell> {
        let kinds = match row {
            BoardRow::Kind(kind) => kind..kind + 1,
            BoardRow::All => 0..self.board.kinds.len(),
            _ => 0..0,
        };
        let one = (column < self.columns()).then_some(column);
        let (from, to) = ((kinds.start, one.unwrap_or(0)), (kinds.end, 0));
        let cells = self.board.cells.range(from..to.max(from));
        let cells = cells.filter(move |((_, of), _)| one.is_none_or(|one| *of == one));
        cells.map(|(_, cell)| cell)
    }

    /// The run of a row, where kinds do not group.
    fn run(&self, row: usize) -> Option<&RunRow> {
        self.runs.get(self.by_run.get(row)?.0)
    }

    /// A run of a cell is quiet.
    fn is_quiet(&self, row: BoardRow, column: usize) -> bool {
        let is_quiet = |run: &DocRef| matches!(self.quiet.get(run), Some(Quiet::Since(_)));
        match row {
            BoardRow::Run(row) => self.run(row).is_some_and(|run| is_quiet(&run.doc_ref)),
            _ => self
                .cells_of(row, column)
                .any(|cell| cell.runs.iter().any(is_quiet)),
        }
    }
}
