//! Board of a release: kinds of runs by configurations, with each run counted once.

pub mod keys;
mod update;
mod view;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

use crate::domain::query_language::{Range, RunCount, search};
use crate::domain::release::subprojects_words;
use crate::domain::release::{
    Board, BoardCell, Judged, ReleaseFacts, ReleaseLine, ReleaseSums, newest_first,
};
use crate::domain::{Filter, RunsOperation, due, local};
use crate::forecast::{Band, Finish, SumRun};
use crate::mirror::{ProjectRuns, RunsAnswer, RunsQuery, TabQuery};
use crate::screens::prelude::*;
use crate::screens::runs_read::RunsRead;
use crate::ui::Scroll;
use view::Grid;

/// Maximum number of versions with a tab.
const TABS: usize = 6;

/// Query for runs without a version.
const NO_VERSION: &str = "-version:*";

/// Runs of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum BoardOf {
    Version(String),
    /// All versions, with a row for each.
    #[default]
    Versions,
    /// Runs without a version.
    NoVersion,
}

/// A row of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardRow {
    /// Index in `board.kinds`.
    Kind(usize),
    /// Index in `by_run`, if kinds do not group.
    Run(usize),
    /// Index in `lines`.
    Version(usize),
    All,
    /// Unfinished cases by configuration.
    Left,
    /// The runs that are not counted.
    Earlier,
    /// Verdict on all criteria.
    Ready,
    /// Index in `criteria`.
    Criterion(usize),
    Finish,
    Pace,
    /// Suites in none of the open runs.
    InNoRun,
}

/// A column of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BoardColumn {
    /// Index in `board.configurations`.
    Configuration(usize),
    /// Those without room, if there are several.
    Hidden,
    #[default]
    All,
}

/// Key of a row, to find it again after a change.
type RowKey = (Discriminant<BoardRow>, String);

/// State of the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReleaseBoard {
    of: BoardOf,
    /// The last answer: the runs of the version or of all versions, counted or not.
    pub answer: Option<Box<RunsAnswer>>,
    /// All loaded runs of the project.
    pub project: Arc<ProjectRuns>,
    /// Sums of each version, for the board of all versions.
    pub lines: Vec<ReleaseLine>,
    /// True if configurations are split into their parts.
    pub splits: bool,
    pub board: Board,
    /// If more than half of the kinds have one run: the counted runs, worst first.
    by_run: Vec<(usize, ReleaseSums)>,
    /// Their sub projects in words, if there are several.
    subprojects: Option<String>,
    grid: Grid,
    /// Result of each criterion.
    pub criteria: Vec<Judged>,
    /// Time at which the criteria were evaluated, epoch milliseconds.
    judged_at: i64,
    /// Open runs that are late, and those that are quiet.
    late: HashSet<DocRef>,
    are_quiet: HashSet<DocRef>,
    /// Forecast of the end of the runs.
    pub finish: Option<Box<Finish>>,
    /// True if the forecast must be computed anew.
    is_stale: bool,
    /// Reason why neither the forecast nor the sums of each version are here, and will not come; else `None`.
    lacks: Option<&'static str>,
    pub scroll: Scroll,
    /// Row that the cursor was on in another tab, until the cursor moves.
    sought: Option<RowKey>,
    /// Column of the cursor.
    column: BoardColumn,
    /// Parts of the configuration that the cursor was put on.
    parts: Option<Vec<String>>,
    /// Indexes of the configurations without room in the last frame.
    hidden: Vec<usize>,
    read: RunsRead,
    /// Time of the oldest counts of a counted open run, epoch milliseconds.
    oldest: Option<i64>,
}

impl ReleaseBoard {
    /// Creates the empty board of a version.
    pub fn new(version: String) -> Self {
        Self {
            of: BoardOf::Version(version),
            ..Self::default()
        }
    }

    /// Creates the empty board of all versions.
    pub fn of_versions() -> Self {
        Self::default()
    }

    /// Version of the board; empty for other boards than that of one version.
    fn version(&self) -> &str {
        match &self.of {
            BoardOf::Version(version) => version,
            BoardOf::Versions | BoardOf::NoVersion => "",
        }
    }

    /// Tabs with their numbers of open runs: versions, all versions, and runs without a version if there are any.
    fn tabs(&self) -> Vec<(BoardOf, u64)> {
        let releases = &self.project.releases;
        let open = releases.iter().filter(|(_, open)| **open > 0);
        let mut versions: Vec<String> = open.map(|(version, _)| version.clone()).collect();
        newest_first(&mut versions);
        versions.truncate(TABS);
        if let BoardOf::Version(version) = &self.of
            && !versions.contains(version)
        {
            versions.truncate(TABS - 1);
            versions.push(version.clone());
            newest_first(&mut versions);
        }
        let versions = versions.into_iter().map(|version| {
            let open = releases.get(&version).copied();
            (BoardOf::Version(version), open.unwrap_or(0))
        });
        let [without, open_ones] = self.project.without_version;
        let has_others = without > 0 || self.of == BoardOf::NoVersion;
        let others = (BoardOf::NoVersion, open_ones);
        let all = (BoardOf::Versions, 0);
        let others = Some(others).filter(|_| has_others);
        versions.chain([all]).chain(others).collect()
    }

    fn runs(&self) -> &[Arc<Run>] {
        self.answer.as_ref().map_or(&[], |answer| &answer.runs)
    }

    /// Returns true if all runs of the version are loaded.
    fn is_complete(&self) -> bool {
        let answer = self.answer.as_ref();
        answer.is_some_and(|answer| answer.overview.list.is_complete)
    }

    /// Index of the tab in force.
    fn tab(&self) -> Option<usize> {
        self.tabs().iter().position(|(of, _)| *of == self.of)
    }

    /// Returns the list to read from the service.
    fn filter(&self) -> Filter {
        match &self.of {
            BoardOf::Version(version) => Filter::of_version(version),
            BoardOf::Versions | BoardOf::NoVersion => Filter::default(),
        }
    }

    /// Asks the mirror for the runs of the version.
    fn ask(&mut self, cx: &mut Cx) {
        let (of, list) = (self.of.clone(), self.filter());
        self.read.ask(Layer::Board, cx, |all, cx| {
            let (tab, tabs) = match of {
                BoardOf::NoVersion => {
                    let now = local(cx.now, cx.shared.zone()).unwrap_or_default();
                    let no_version = search(NO_VERSION, &now, &RunsQuery::FLAGS);
                    let tab = TabQuery {
                        search: no_version.unwrap_or_default(),
                        ..TabQuery::default()
                    };
                    // Its extent is that of all runs.
                    (tab.clone(), vec![tab])
                }
                BoardOf::Version(_) | BoardOf::Versions => (TabQuery::of_list(list), Vec::new()),
            };
            RunsQuery {
                tabs,
                tab,
                quiet: cx.shared.quiet_days(cx.now),
                ..all
            }
        });
    }

    /// Evaluates the criteria, which are unknown while runs may be missing, and works out the cells.
    fn judge(&mut self, shared: &Shared, now: i64) {
        self.judged_at = now;
        let rows = self.rows_of_runs();
        let in_no_run = shared.in_no_run_today(self.version(), now);
        let ends = self.finish.as_ref().map(|finish| finish.ends());
        let none = HashMap::new();
        let quiet = self.answer.as_ref().map(|answer| &answer.quiet);
        let facts = ReleaseFacts {
            runs: &rows,
            sums: &self.board.all,
            done: shared.done_codes(),
            due: &|run| shared.due_of(run),
            ends: ends.as_ref(),
            quiet: quiet.unwrap_or(&none),
            in_no_run: in_no_run.map_or(Range::UNKNOWN, |read| read.range),
            unlisted_as_zero: false,
            is_complete: self.is_complete(),
            now,
        };
        let refs = |is: &dyn Fn(&RunRow) -> Option<bool>| {
            let runs = rows.iter().filter(|run| is(run) == Some(true));
            runs.map(|run| run.doc_ref.clone()).collect()
        };
        self.late = refs(&|run| facts.is_late(run));
        self.are_quiet = refs(&|run| facts.is_quiet(run));
        self.criteria = match self.of {
            BoardOf::Version(_) => facts.judge(&shared.in_use().watch.release.criteria),
            BoardOf::Versions | BoardOf::NoVersion => Vec::new(),
        };
        self.grid = Grid::of(self);
    }

    /// Takes an answer of the mirror.
    fn take_answer(&mut self, mut answer: Box<RunsAnswer>, shared: &Shared, now: i64) {
        let read_before = self.read.read_at;
        if !self.read.takes(&answer) {
            return;
        }
        if answer.operation == Some(RunsOperation::ListDocuments) {
            // What is kept of an earlier reading is in no sum.
            let told = answer.runs.iter();
            answer.runs = told.map(|run| run.with(RunRow::forget_counts)).collect();
        }
        let here = self.to_here();
        let is_same = |(a, b): (&Arc<Run>, &Arc<Run>)| a.doc_ref == b.doc_ref && a.is_as(b);
        let before = self.runs();
        let are_others =
            before.len() != answer.runs.len() || !before.iter().zip(&*answer.runs).all(is_same);
        self.is_stale |= are_others || self.read.read_at != read_before;
        self.project = answer.overview.project.clone();
        let is_first = self.answer.replace(answer).is_none();
        // While runs are read, most answers are of the same ones.
        if are_others || is_first {
            self.subprojects = subprojects_words(self.runs().iter().map(|run| run.subproject()));
            self.lay_out(shared);
        }
        let counted = self.board.counted();
        let of_all = self.of == BoardOf::Versions;
        let open = self.runs().iter().filter(|run| run.is_open);
        let open = open.filter(|run| of_all || counted.contains(&run.doc_ref));
        self.oldest = open.filter_map(|run| run.counted_at).min();
        self.judge(shared, now);
        self.keep_on(&here);
    }

    /// Keys of the row under the cursor and of those above, upwards.
    fn to_here(&self) -> Vec<RowKey> {
        let rows = self.rows().into_iter();
        let rows = rows.take(self.scroll.cursor + 1);
        rows.rev().map(|row| self.key_of(row)).collect()
    }

    /// Keeps the cursor on its row after a change, or on the nearest of those above that is still there.
    fn keep_on(&mut self, here: &[RowKey]) {
        let rows: Vec<RowKey> = self
            .rows()
            .into_iter()
            .map(|row| self.key_of(row))
            .collect();
        let place = |key: &RowKey| rows.iter().position(|row| row == key);
        let row = self.sought.iter().chain(here).find_map(place);
        self.scroll.stay_on(row, rows.len());
    }

    /// Judges again, after a change that rows depend on.
    fn judge_again(&mut self, cx: &Cx, change: impl FnOnce(&mut Self)) {
        let here = self.to_here();
        change(self);
        self.judge(&cx.shared, cx.now);
        self.keep_on(&here);
    }

    /// Key of a row.
    fn key_of(&self, row: BoardRow) -> RowKey {
        let key = match row {
            BoardRow::Kind(place) => self.board.kinds[place].key.clone(),
            BoardRow::Run(place) => self.runs()[self.by_run[place].0].doc_ref.to_string(),
            BoardRow::Version(place) => self.lines[place].version.clone(),
            BoardRow::Criterion(place) => place.to_string(),
            _ => String::new(),
        };
        (discriminant(&row), key)
    }

    /// Arranges the runs in rows and columns.
    fn lay_out(&mut self, shared: &Shared) {
        let (named, done) = (&shared.in_use().watch.release.kinds, shared.done_codes());
        let rows = self.rows_of_runs();
        self.board = Board::of(&rows, named, done, self.splits);
        let board = &self.board;
        let alone = board.by_kind.iter().filter(|kind| kind.runs == 1).count();
        self.by_run.clear();
        if alone * 2 > board.by_kind.iter().filter(|kind| kind.runs > 0).count() {
            let counted = board.counted();
            let runs = rows.iter().enumerate();
            let runs = runs.filter(|(_, run)| counted.contains(&run.doc_ref));
            let sums = runs.map(|(place, run)| (place, ReleaseSums::of(run, done)));
            self.by_run = sums.collect();
            self.by_run.sort_by_key(|(_, sums)| sums.worst_first());
        }
        self.keep_column();
    }

    /// Keeps the cursor in the column of its configuration, or moves it to that of all if its own is gone.
    fn keep_column(&mut self) {
        if let Some(parts) = &self.parts {
            let mut all = self.board.configurations.iter();
            let place = all.position(|it| it.0 == *parts).unwrap_or(usize::MAX);
            self.column = BoardColumn::Configuration(place);
        }
        if !self.columns().contains(&self.column) {
            self.column = BoardColumn::All;
        }
    }

    /// The runs of its rows; none for the board of all versions.
    fn rows_of_runs(&self) -> Vec<RunRow> {
        match self.of {
            BoardOf::Versions => Vec::new(),
            BoardOf::Version(_) | BoardOf::NoVersion => Run::rows(self.runs()),
        }
    }

    /// Number of configurations with a column.
    fn configurations(&self) -> usize {
        if self.by_run.is_empty() {
            self.board.configurations.len()
        } else {
            0
        }
    }

    /// Columns in the order of the cursor.
    fn columns(&self) -> Vec<BoardColumn> {
        let configurations = (0..self.configurations()).map(BoardColumn::Configuration);
        let hidden = (self.hidden.len() > 1).then_some(BoardColumn::Hidden);
        configurations
            .chain(hidden)
            .chain([BoardColumn::All])
            .collect()
    }

    /// Rows in order.
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
        rows.extend((self.configurations() > 0).then_some(BoardRow::Left));
        rows.extend((!board.earlier.is_empty()).then_some(BoardRow::Earlier));
        rows.extend((!self.criteria.is_empty()).then_some(BoardRow::Ready));
        rows.extend((0..self.criteria.len()).map(BoardRow::Criterion));
        if matches!(self.of, BoardOf::Version(_)) && board.all.open > 0 {
            rows.push(BoardRow::Finish);
            rows.extend(self.band().map(|_| BoardRow::Pace));
            rows.push(BoardRow::InNoRun);
        }
        rows
    }

    /// Version under the cursor or of the board; empty if there is none.
    pub fn version_here(&self) -> &str {
        match self.here() {
            Some(BoardRow::Version(place)) => &self.lines[place].version,
            _ => self.version(),
        }
    }

    /// Returns the version before the one at hand, and that one; else a message.
    pub fn compared(&self) -> Result<[String; 2], String> {
        let version = self.version_here();
        let mut versions: Vec<String> = self.project.releases.keys().cloned().collect();
        newest_first(&mut versions);
        let mut from_here = versions.into_iter().skip_while(|it| it != version);
        match from_here.nth(1) {
            Some(before) => Ok([before, version.to_owned()]),
            None if version.is_empty() => Err("there is no version here".to_owned()),
            None => {
                let tabs = self.tabs();
                let all = tabs.iter().position(|tab| tab.0 == BoardOf::Versions);
                let all = all.filter(|_| !self.version().is_empty());
                let all =
                    all.map_or_else(String::new, |place| format!(": {} reads all", place + 1));
                Err(format!("no version before {version} is here{all}"))
            }
        }
    }

    fn len(&self) -> usize {
        self.rows().len()
    }

    /// The row under the cursor.
    fn here(&self) -> Option<BoardRow> {
        self.rows().get(self.scroll.cursor).copied()
    }

    /// Counted runs for the forecast.
    fn counted(&self, done: &[ResultCode]) -> Vec<SumRun> {
        let counted = self.board.counted();
        let runs = self.runs().iter();
        let counted = runs.filter(|run| counted.contains(&run.doc_ref));
        let sum = |run: &Arc<Run>| {
            let row = run.row();
            // The last reading of an open run may have been without counts.
            let is_old = run.is_open && run.counted_at < Some(run.read_at);
            SumRun {
                has_results: row.results.is_some() && !is_old,
                ..SumRun::of(&row, done)
            }
        };
        counted.map(sum).collect()
    }

    /// Time of the oldest data on the board: of counts of a counted open run, or of the reading.
    fn as_of(&self) -> Option<i64> {
        self.oldest.into_iter().chain(self.read.read_at).min()
    }

    /// Forecast of the end of all runs.
    fn band(&self) -> Option<&Band> {
        self.finish.as_ref()?.outlook.band()
    }

    /// Returns true if the release is due with cases left, or forecast to end after the due date.
    fn is_late(&self, due: i64, now: i64) -> bool {
        let end = self.band().map(|band| band.middle);
        due::is_late(due, self.board.all.left, end, now)
    }

    /// Sums of a cell, if it has runs.
    fn sums(&self, row: BoardRow, column: BoardColumn) -> Option<ReleaseSums> {
        let board = &self.board;
        let add = |mut sums: ReleaseSums, more: ReleaseSums| {
            sums.add(&more);
            sums
        };
        match (row, column) {
            (BoardRow::Run(row), _) => Some(self.by_run.get(row)?.1.clone()),
            // Of split configurations a run can be in several cells.
            (BoardRow::Kind(row), BoardColumn::All) => board.by_kind.get(row).cloned(),
            (BoardRow::All | BoardRow::Left, BoardColumn::All) => Some(board.all.clone()),
            (_, BoardColumn::Hidden) => None,
            _ => {
                let cells = self.cells_of(row, column);
                cells.map(|cell| cell.sums.clone()).reduce(add)
            }
        }
    }

    /// Runs of a cell.
    fn runs_of(&self, row: BoardRow, column: BoardColumn) -> BTreeSet<&DocRef> {
        match row {
            BoardRow::Run(row) => self.run(row).map(|run| &run.doc_ref).into_iter().collect(),
            BoardRow::Earlier => self.board.earlier.iter().map(|it| &it.run).collect(),
            BoardRow::Criterion(place) => {
                let numbers = self.criteria.get(place).into_iter();
                let counts = numbers.flat_map(|it| &it.numbers);
                let is_met = self.criteria.get(place).and_then(|it| it.is_met);
                let runs = counts.flat_map(|(count, _)| match count {
                    RunCount::RunsQuiet => self.are_quiet.iter().collect(),
                    RunCount::RunsLate => self.late.iter().collect(),
                    count if is_met == Some(false) => self.holding(*count),
                    _ => BTreeSet::new(),
                });
                runs.collect()
            }
            _ => self
                .cells_of(row, column)
                .flat_map(|cell| &cell.runs)
                .collect(),
        }
    }

    /// Returns true if one of the runs of a cell is quiet.
    fn is_quiet(&self, row: BoardRow, column: BoardColumn) -> bool {
        let runs = self.runs_of(row, column);
        runs.iter().any(|run| self.are_quiet.contains(run))
    }

    /// Counted runs with cases of a result.
    fn holding(&self, count: RunCount) -> BTreeSet<&DocRef> {
        let codes = match &count {
            // Those without it miss it.
            RunCount::Code(ResultCode::Passed) => return BTreeSet::new(),
            RunCount::Code(code) => std::slice::from_ref(code),
            RunCount::Failed => ResultCode::FAILED,
            RunCount::Hold => ResultCode::ON_HOLD,
            _ => return BTreeSet::new(),
        };
        let counted = self.board.counted();
        let runs = self.runs().iter();
        let runs = runs.filter(|run| counted.contains(&run.doc_ref));
        let has = |run: &&Arc<Run>| ReleaseSums::of(&run.row(), &[]).at(codes) > 0;
        runs.filter(has).map(|run| &run.doc_ref).collect()
    }

    /// Cells of kinds in a cell, a row or a column.
    fn cells_of(&self, row: BoardRow, column: BoardColumn) -> impl Iterator<Item = &BoardCell> {
        let kinds = match row {
            BoardRow::Kind(kind) => kind..kind + 1,
            BoardRow::All | BoardRow::Left => 0..self.board.kinds.len(),
            _ => 0..0,
        };
        let cells = self.board.cells.range((kinds.start, 0)..(kinds.end, 0));
        let cells = cells.filter(move |((_, of), _)| match column {
            BoardColumn::Configuration(one) => *of == one,
            BoardColumn::Hidden => self.hidden.contains(of),
            BoardColumn::All => true,
        });
        cells.map(|(_, cell)| cell)
    }

    /// Run of a row, if kinds do not group.
    fn run(&self, row: usize) -> Option<&Arc<Run>> {
        self.runs().get(self.by_run.get(row)?.0)
    }
}
