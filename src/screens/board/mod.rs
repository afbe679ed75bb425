//! The board of a release: kinds of runs by configurations, each run counted once.

pub mod keys;
mod update;
mod view;

use std::collections::{BTreeSet, HashMap};

use crate::domain::fields::VERSION;
use crate::domain::query_language::{Range, RunCount};
use crate::domain::release::{Board, Judged, ReleaseSums, late, newest_first, quiet};
use crate::domain::{Filter, Quiet, due};
use crate::forecast::{Finish, Outlook, SumRun};
use crate::mirror::{RunsAnswer, RunsQuery, TabQuery};
use crate::screens::prelude::*;
use crate::store::InNoRunCount;
use crate::ui::Scroll;

/// Versions that have a tab.
const TABS: usize = 6;

/// A row under the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardRow {
    /// By its place.
    Kind(usize),
    All,
    /// What is not counted.
    Earlier,
    /// By its place.
    Criterion(usize),
    Finish,
    /// What is in none of the open runs.
    InNoRun,
}

/// State of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReleaseBoard {
    pub version: String,
    /// Versions with their number of open runs, the newest first; that of the board is among them.
    pub versions: Vec<(String, u64)>,
    pub board: Board,
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

    fn filter(&self) -> Filter {
        Filter {
            filters: vec![format!("{}:{}", VERSION.path, self.version)],
            ..Filter::default()
        }
    }

    /// Asks the mirror for the runs of the version.
    fn ask(&mut self, cx: &mut Cx) {
        if self.question.is_some() {
            return;
        }
        let Some(all) = cx.shared.all_runs(cx.now) else {
            return;
        };
        let tab = TabQuery {
            lists: vec![self.filter()],
            filter: self.filter(),
            ..TabQuery::default()
        };
        let query = RunsQuery {
            tabs: vec![tab.clone()],
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
            RunCount::SuitesInNoRun => {
                let read = shared.in_no_run.get(&self.version);
                read.map_or(Range::UNKNOWN, InNoRunCount::range)
            }
            RunCount::RunsLate => late(&self.runs, &due, &end, done, now),
            RunCount::RunsQuiet => quiet(&self.runs, &is_quiet),
            count => self.board.all.number(count, done, false),
        };
        let criteria = shared.in_use().watch.release.criteria.iter();
        self.criteria = criteria.filter_map(|it| it.judge(&number)).collect();
    }

    /// Takes what the mirror answers.
    pub fn on_answer(&mut self, answer: &RunsAnswer, shared: &Shared, now: i64) {
        if self.question.is_none_or(|number| answer.number < number) {
            return;
        }
        self.is_answered = true;
        let rows: Vec<RunRow> = answer.runs.iter().map(|run| run.row()).collect();
        self.is_stale |= self.runs != rows || self.read_at != answer.overview.read_at;
        self.runs = rows;
        self.quiet.clone_from(&answer.quiet);
        let is_on_all = self.column >= self.board.configurations.len();
        let here = self.here();
        let kind = match here {
            Some(BoardRow::Kind(place)) => Some(self.board.kinds[place].clone()),
            _ => None,
        };
        self.board = Board::of(
            &self.runs,
            &shared.in_use().watch.release.kinds,
            shared.done_codes(),
        );
        self.is_whole = answer.overview.list.is_whole;
        self.read_at = answer.overview.read_at;
        self.judge(shared, now);
        let releases = &answer.overview.releases;
        let mut versions: Vec<String> = releases.keys().cloned().collect();
        newest_first(&mut versions);
        versions.truncate(TABS);
        if !versions.contains(&self.version) {
            versions.truncate(TABS - 1);
            versions.push(self.version.clone());
            newest_first(&mut versions);
        }
        let open = |version: &String| releases.get(version).copied().unwrap_or(0);
        let versions = versions
            .into_iter()
            .map(|version| (version.clone(), open(&version)));
        self.versions = versions.collect();
        let last = self.board.configurations.len();
        self.column = if is_on_all {
            last
        } else {
            self.column.min(last)
        };
        // The cursor stays on its row, wherever that is now.
        let place = match kind {
            Some(kind) => self.board.kinds.iter().position(|it| *it == kind),
            None => self.rows().iter().position(|row| Some(*row) == here),
        };
        if let Some(place) = place {
            self.scroll.cursor = place as u64;
        }
        self.scroll.fit(self.len());
    }

    /// The rows under the cursor, in their order.
    fn rows(&self) -> Vec<BoardRow> {
        let board = &self.board;
        if board.kinds.is_empty() {
            return Vec::new();
        }
        let mut rows: Vec<BoardRow> = (0..board.kinds.len()).map(BoardRow::Kind).collect();
        rows.push(BoardRow::All);
        rows.extend((!board.earlier.is_empty()).then_some(BoardRow::Earlier));
        rows.extend((0..self.criteria.len()).map(BoardRow::Criterion));
        if board.all.open > 0 {
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
        let runs: BTreeSet<&DocRef> = self.board.cells.values().flat_map(|it| &it.runs).collect();
        let counted = self.runs.iter().filter(|run| runs.contains(&run.doc_ref));
        counted.map(|run| SumRun::of(run, done)).collect()
    }

    /// The release is due, or will not be done by then, with cases left.
    fn is_late(&self, due: i64, now: i64) -> bool {
        let end = match self.finish.as_ref().map(|finish| &finish.outlook) {
            Some(Outlook::Band(band)) => Some(band.middle),
            _ => None,
        };
        due::is_late(due, self.board.all.left, end, now)
    }

    /// What a cell comes to, if it has runs; the last row and the last column are of all.
    fn sums(&self, row: usize, column: usize) -> Option<&ReleaseSums> {
        let board = &self.board;
        let of_all = (
            row >= board.kinds.len(),
            column >= board.configurations.len(),
        );
        match of_all {
            (false, false) => Some(&board.cells.get(&(row, column))?.sums),
            (false, true) => board.by_kind.get(row),
            (true, false) => board.by_configuration.get(column),
            (true, true) => Some(&board.all),
        }
    }

    /// The runs of a cell; the last row and the last column are of all.
    fn runs_of(&self, row: usize, column: usize) -> impl Iterator<Item = &DocRef> {
        let board = &self.board;
        let cells = board
            .cells
            .iter()
            .filter(move |((kind, configuration), _)| {
                (row >= board.kinds.len() || *kind == row)
                    && (column >= board.configurations.len() || *configuration == column)
            });
        cells.flat_map(|(_, cell)| &cell.runs)
    }

    /// A run of a cell is quiet.
    fn is_quiet(&self, row: usize, column: usize) -> bool {
        let is_quiet = |run: &DocRef| matches!(self.quiet.get(run), Some(Quiet::Since(_)));
        self.runs_of(row, column).any(is_quiet)
    }

    /// References of the runs that the cursor is on.
    fn chosen(&self) -> Vec<DocRef> {
        match self.here() {
            Some(BoardRow::Earlier) => {
                let earlier = self.board.earlier.iter();
                earlier.map(|it| it.run.clone()).collect()
            }
            _ => {
                let row = self.scroll.cursor as usize;
                self.runs_of(row, self.column).cloned().collect()
            }
        }
    }
}
