//! Drawing of the board: a row for each kind of run, a column for each configuration.

use std::fmt::Write;

use serde_json::json;

use super::{BoardColumn, BoardOf, BoardRow, ReleaseBoard};
use crate::domain::fields::percent;
use crate::domain::release::{
    ReleaseLine, ReleaseSums, RunKind, in_none, readiness, readiness_word,
};
use crate::domain::text::toml_key;
use crate::domain::{Summary, Sums, table};
use crate::forecast::{Band, Finish};
use crate::screens::{clock, prelude::*};
use crate::store::Explanation;
use crate::ui::counts;
use crate::ui::frame::Tab;
use crate::ui::time::Now;

/// Maximum number of cells of a kind, normally and in a narrow terminal.
const KIND: usize = 28;
const SHORT: usize = 16;
/// Minimum number of columns for a long kind.
const WIDE: usize = 70;
/// Minimum number of columns for all figures of a version with their whole headings.
const WIDEST: usize = 100;
/// Cells of a percentage with its mark: `100%`, `10F`.
const CELL: usize = 8;
/// Maximum number of cells of a configuration.
const CONFIGURATION: usize = 14;
const LEFT: usize = 6;
/// Number of rows below which one line tells what does not fit.
const LOW: u16 = 10;
/// Minimum number of cells of the name of a criterion.
const LEAST: usize = 6;
/// Maximum number of runs of a kind that are named.
const EXPLAINED: usize = 6;

impl Draw for ReleaseBoard {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        let tabs = self.tabs().into_iter().map(|(of, runs)| {
            let is_whole = self.project.has_all_open || self.of == of && self.is_complete();
            let more = if is_whole { "" } else { "+" };
            let name = match of {
                BoardOf::Version(version) => version,
                BoardOf::Versions => "all".to_owned(),
                BoardOf::NoVersion => "none".to_owned(),
            };
            let runs = Some(runs).filter(|runs| *runs > 0);
            let runs = runs.map(|runs| text::thousands(runs) + more);
            Tab::new(name, runs.unwrap_or_default())
        });
        let tabs: Vec<Tab> = tabs.collect();
        let due = due(self, &context.cx.shared, context.now);
        let due = due.map_or(Span::raw(""), |(words, is_late)| {
            let style = if is_late { theme.warn() } else { theme.text() };
            Span::styled(format!("{words} "), style)
        });
        // Below rows that leave it no room, the verdict would not be seen.
        let is_cut = self.len() > usize::from(area.height.saturating_sub(2));
        let leaves_tabs =
            |words: &str| text::width(words) + due.width() + WIDE / 2 < usize::from(area.width);
        let verdict = Some(ready(self, context.now))
            .filter(|words| is_cut && !self.criteria.is_empty() && leaves_tabs(words));
        let verdict = verdict.map_or(String::new(), |words| format!("{words}   "));
        let words = vec![Span::styled(verdict, theme.text()), due];
        let width = words.iter().map(Span::width).sum::<usize>() as u16;
        let left = area.width.saturating_sub(width + 1);
        let right = frame::from_column(area, area.width.saturating_sub(width));
        frame::line(on.buffer, right, 0, words);
        let tabs_area = Rect {
            width: left,
            height: 1,
            ..area
        };
        frame::tabs(on, tabs_area, &tabs, self.tab());
        let area = frame::below(area, 1);
        if self.rows().is_empty() {
            let adds_up = context.cx.under_way(&Slot::Releases);
            let is_busy = self.read.is_reading || self.is_stale || self.answer.is_none() || adds_up;
            let words = match (self.read.lacks(), is_busy, &self.of) {
                (Some(lacks), ..) => lacks,
                (None, false, BoardOf::Versions) if let Some(why) = self.lacks => {
                    not_worked_out(why, &context.cx.shared)
                }
                (None, true, BoardOf::Version(version)) => {
                    format!("Reading the runs of {version}…")
                }
                (None, true, _) => "Reading the runs…".to_owned(),
                (None, false, BoardOf::Version(version)) => {
                    format!("There is no run of {version}.")
                }
                (None, false, BoardOf::Versions) => "No run has a version.".to_owned(),
                (None, false, BoardOf::NoVersion) => "All runs have a version.".to_owned(),
            };
            on.layout.rows = Some(area.height);
            return frame::words(on.buffer, area, &words, theme.muted());
        }
        let (table, shown) = match self.of {
            BoardOf::Versions => {
                let versions = versions(self, usize::from(area.width), context.now);
                (versions, Vec::new())
            }
            _ => table(self, usize::from(area.width)),
        };
        on.layout.hidden = (0..self.configurations())
            .filter(|it| !shown.contains(&BoardColumn::Configuration(*it)))
            .collect();
        table.draw_heading(on, area);
        let rows = frame::below(area, 1);
        let foot = foot(self, rows, context);
        let lines = foot.len() as u16;
        let (rows, below) = frame::split(rows, rows.height.saturating_sub(lines));
        frame::lines(on.buffer, below, foot);
        self.scroll.draw_list(
            self.len(),
            |row| {
                let table = (&table, &*shown, rows.width);
                line(self, table, row, context)
            },
            on,
            rows,
        );
        click_cells(self, &table, &shown, on, rows);
    }

    fn title(&self, project: &str) -> String {
        match &self.of {
            BoardOf::Version(version) => format!("{project} › Release {version}"),
            BoardOf::Versions => format!("{project} › All releases"),
            BoardOf::NoVersion => format!("{project} › Runs without a version"),
        }
    }

    fn status(&self, context: Context<'_>) -> String {
        counted(self, context.now)
    }
}

/// Lines below rows that do not all fit: how many more there are, and the sums and the forecast of those that are not to be
/// seen.
fn foot<'a>(board: &ReleaseBoard, area: Rect, context: Context<'_>) -> Vec<Span<'a>> {
    let (len, theme) = (board.len(), context.theme);
    if len <= usize::from(area.height) {
        return Vec::new();
    }
    let [ends, late] = finish(board, &context.cx.shared, context.now);
    let before = if late.is_empty() { "" } else { ": " };
    let rows = board.rows();
    let words = |shown: Option<usize>| {
        let is_hidden = |row: BoardRow| {
            let place = rows.iter().position(|it| *it == row);
            let seen = |shown| board.scroll.top..board.scroll.top + shown;
            place.is_some_and(|place| shown.is_none_or(|shown| !seen(shown).contains(&place)))
        };
        let longest = || format!("{len} more above, {len} below");
        let more = shown.map_or_else(longest, |shown| board.scroll.more(len, shown));
        let all = is_hidden(BoardRow::All).then(|| all_in_short(board));
        let finish = is_hidden(BoardRow::Finish).then(|| format!("FINISH {ends}{before}{late}"));
        [Some(more), all, finish]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    // As many lines as all of them need, wherever one is.
    let most = if area.height < LOW { 1 } else { 2 };
    let room = usize::from(area.width).saturating_sub(2);
    let lines = in_lines(&words(None), room, most).len();
    let mut shown = in_lines(&words(Some(usize::from(area.height) - lines)), room, lines);
    shown.resize(lines, String::new());
    let styled = |line| Span::styled(format!("  {line}"), theme.text());
    shown.into_iter().map(styled).collect()
}

/// Words side by side, in at most this number of lines; what has no room is left out, but for the first.
fn in_lines(words: &[String], room: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for words in words {
        let begun = lines.len();
        match lines.last_mut() {
            Some(line) if text::width(line) + 3 + text::width(words) <= room => {
                *line = format!("{line}   {words}");
            }
            _ if begun < most => lines.push(text::fit(words, room)),
            _ => {}
        }
    }
    lines
}

/// The sums of all rows: `all 64% 292F, 1,439 left`.
fn all_in_short(board: &ReleaseBoard) -> String {
    let cell = CellWords::of(board, BoardRow::All, BoardColumn::All).unwrap_or_default();
    let left = board.board.all.words(|it| it.left);
    format!("all {}, {left} left", cell.shown().trim())
}

/// Lets a click on a cell put the cursor on it.
fn click_cells(
    board: &ReleaseBoard,
    table: &Table,
    shown: &[BoardColumn],
    on: &mut Surface<'_>,
    area: Rect,
) {
    // Before them: the signs, and the name of the row.
    let cells: Vec<Rect> = table.places(area).skip(2).map(|(_, place)| place).collect();
    let columns = board.columns();
    let rows = board.rows().into_iter().skip(board.scroll.top);
    for (line, row) in (0..area.height).zip(rows) {
        if !matches!(row, BoardRow::Kind(_) | BoardRow::All | BoardRow::Left) {
            continue;
        }
        for (column, cell) in shown.iter().zip(&cells) {
            if let Some(place) = columns.iter().position(|it| it == column) {
                let action = Action::PointCell(line, place);
                on.layout.click_row(*cell, line, action);
            }
        }
    }
}

/// Due date of the release, with LATE if it is late; true marks a late one.
fn due(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<(String, bool)> {
    let (at, is_typed) = shared.release_due(board.version())?;
    let is_late = board.is_late(at, now.ms);
    let late = if is_late { "LATE, " } else { "" };
    let here = if is_typed { " (set here)" } else { "" };
    Some((format!("{late}due {}{here}", now.due(at)), is_late))
}

/// Columns: kinds, the configurations that fit, with the column under the cursor, and all. Returns those after the
/// kinds, too.
fn table(board: &ReleaseBoard, room: usize) -> (Table, Vec<BoardColumn>) {
    let most = if room < WIDE { SHORT } else { KIND };
    let cells = |column: BoardColumn| {
        let heading = text::width(&heading(board, column)).clamp(CELL, CONFIGURATION);
        heading.max(board.grid.width(column))
    };
    let of_all = cells(BoardColumn::All);
    let left = board.grid.rows.iter();
    let left = left.filter_map(|(row, _)| left_of(board, *row, room));
    let left_cells = text::widest(left).max(LEFT);
    let besides = 2 + of_all + 2 + left_cells + 1;
    // Titles of runs are longer than kinds.
    let most = if board.by_run.is_empty() {
        most
    } else {
        (2 * most).min(room.saturating_sub(besides)).max(most)
    };
    let kind = board.grid.names.clamp(3, most);
    let left = room.saturating_sub(besides + kind);
    let shown = shown(board, left, &|column| cells(column) + 2);
    let mut columns = vec![Column::signs(), Column::plain(kind).behind(0)];
    if !board.by_run.is_empty() {
        columns.push(
            Column::new("configuration", CONFIGURATION, 3)
                .up_to(KIND)
                .behind(2),
        );
    }
    for column in shown.iter().copied() {
        let cells = cells(column);
        let rank = if column == BoardColumn::All { 1 } else { 3 };
        let heading = text::fit(&heading(board, column), cells);
        columns.push(Column::new(heading, cells, rank).behind(2));
    }
    columns.push(Column::new("left", left_cells, 2).numbers());
    let table = Table::lay_out(columns, room);
    match board.hidden[..] {
        [] => (table, shown),
        // They have a column.
        _ if board.column == BoardColumn::Hidden => (table, shown),
        [one] => {
            let one = heading(board, BoardColumn::Configuration(one));
            (table.headed(1, &format!("+ {one}")), shown)
        }
        _ => (table.headed(1, &heading(board, BoardColumn::Hidden)), shown),
    }
}

/// Columns that fit, in order; if not all do, the one under the cursor, the worst ones, and all. `needs` returns the
/// cells of a column.
fn shown(
    board: &ReleaseBoard,
    room: usize,
    needs: &dyn Fn(BoardColumn) -> usize,
) -> Vec<BoardColumn> {
    let configurations = (0..board.configurations()).map(BoardColumn::Configuration);
    let mut shown: Vec<BoardColumn> = configurations.collect();
    if shown.iter().map(|it| needs(*it)).sum::<usize>() > room {
        let here = Some(board.column).filter(|it| *it == BoardColumn::Hidden);
        shown.extend(here);
        let worst = |column: &BoardColumn| match column {
            BoardColumn::Configuration(place) => {
                let sums = board.board.by_configuration.get(*place);
                sums.map(ReleaseSums::worst_first)
            }
            BoardColumn::Hidden | BoardColumn::All => None,
        };
        shown.sort_by_key(|column| (*column != board.column, worst(column)));
        let mut left = room;
        let mut has_room = |column: &BoardColumn| {
            let needs = needs(*column);
            let fits = needs <= left || *column == board.column;
            left = left.saturating_sub(needs);
            fits
        };
        let end = shown.iter().position(|column| !has_room(column));
        shown.truncate(end.unwrap_or(shown.len()));
    }
    let is_shown = |column: &BoardColumn| shown.contains(column) || *column == BoardColumn::All;
    board.columns().into_iter().filter(is_shown).collect()
}

/// Heading of a column.
fn heading(board: &ReleaseBoard, column: BoardColumn) -> String {
    let place = match column {
        BoardColumn::All => return "all".to_owned(),
        BoardColumn::Hidden => return format!("more {}", board.hidden.len()),
        BoardColumn::Configuration(place) => place,
    };
    let written = board.board.configurations.get(place).map(|it| &*it.1);
    written
        .filter(|it| !it.is_empty())
        .unwrap_or("none")
        .to_owned()
}

/// Text of a cell such as `92% 10F`: percentage done, the worst sign (failed, `f` if all are known; blocked; `q` for a
/// quiet run), `×2` for two runs.
#[derive(Clone, Debug, Default, PartialEq)]
struct CellWords {
    share: String,
    worst: String,
    runs: String,
    has_new: bool,
}

impl CellWords {
    /// Returns `None` if there is no run.
    fn of(board: &ReleaseBoard, row: BoardRow, column: BoardColumn) -> Option<Self> {
        let sums = board.sums(row, column)?;
        let mut words = Self::default();
        if row == BoardRow::Left {
            words.share = format!("{:>4}", sums.words(|it| it.left));
            return Some(words);
        }
        words.share = format!("{:>4}", percent(sums.share()));
        let blocked = sums.at(&[ResultCode::Blocked]);
        words.has_new = sums.at(&[ResultCode::FailedNew]) > 0;
        words.worst = match () {
            () if sums.at(ResultCode::FAILED) > 0 => failed(&sums),
            () if blocked > 0 => format!("{}B", text::thousands(blocked)),
            () if sums.without_results > 0 => "?".to_owned(),
            () if board.is_quiet(row, column) => "q".to_owned(),
            () => String::new(),
        };
        let is_one = matches!(column, BoardColumn::Configuration(_));
        if matches!(row, BoardRow::Kind(_)) && is_one && sums.runs > 1 {
            words.runs = format!(" ×{}", sums.runs);
        }
        Some(words)
    }

    fn shown(&self) -> String {
        let Self { share, worst, .. } = self;
        let before = if worst.is_empty() { "" } else { " " };
        format!("{share}{before}{worst}{}", self.runs)
    }
}

/// Number of failed cases: `22F` if some are new, `22f` if all are known.
fn failed(sums: &ReleaseSums) -> String {
    let failed = sums.at(ResultCode::FAILED);
    let sign = match sums.at(&[ResultCode::FailedNew]) {
        _ if failed == 0 => "",
        0 => "f",
        _ => "F",
    };
    sums.words(|_| failed) + sign
}

/// Cells of a row, by column.
type CellsOfRow = Vec<(BoardColumn, Option<CellWords>)>;

/// Rows of the board with the cells of all its columns, worked out once for each change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    rows: Vec<(BoardRow, CellsOfRow)>,
    /// Width of the longest name of a row, up to that of the widest column.
    names: usize,
    /// Widths of the cells of each column.
    widths: Vec<(BoardColumn, usize)>,
}

impl Grid {
    pub fn of(board: &ReleaseBoard) -> Self {
        let columns = board.columns().into_iter();
        let mut grid = Self {
            widths: columns.map(|column| (column, 0)).collect(),
            ..Self::default()
        };
        for row in board.rows() {
            if grid.names < 2 * KIND {
                let name = name_of_row(board, row).unwrap_or_default();
                grid.names = grid.names.max(text::width(&name));
            }
            let mut cells = Vec::with_capacity(grid.widths.len());
            for (column, width) in &mut grid.widths {
                let cell = CellWords::of(board, row, *column);
                let shown = cell.as_ref().map_or(String::new(), CellWords::shown);
                *width = text::width(shown.trim_end()).max(*width);
                cells.push((*column, cell));
            }
            grid.rows.push((row, cells));
        }
        grid
    }

    /// Width of the cells of a column.
    fn width(&self, column: BoardColumn) -> usize {
        let of = self.widths.iter().find(|(of, _)| *of == column);
        of.map_or(0, |(_, width)| *width)
    }
}

/// Line of the first of these words if they have room, else of the second, cut.
fn fitting<'a>([words, short]: [String; 2], room: usize, style: Style) -> Vec<Span<'a>> {
    let room = room.saturating_sub(2);
    let fits = text::width(&words) <= room;
    let words = text::fit(if fits { &words } else { &short }, room);
    vec![Span::styled(format!("  {words}"), style)]
}

fn line<'a>(
    board: &ReleaseBoard,
    (table, shown, room): (&Table, &[BoardColumn], u16),
    row: usize,
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let theme = context.theme;
    let here = row == board.scroll.cursor;
    let Some((row, of_row)) = board.grid.rows.get(row) else {
        return Vec::new();
    };
    let row = *row;
    match row {
        BoardRow::Ready => {
            let ready = format!("  {}", ready(board, context.now));
            return vec![Span::styled(ready, theme.text())];
        }
        BoardRow::Criterion(place) => return criterion(board, place, room.into(), context),
        BoardRow::Finish => return finish_line(board, room.into(), context),
        BoardRow::Pace => {
            let pace = pace(board, &context.cx.shared, context.now).unwrap_or_default();
            // The pace that is needed comes first where not all has room.
            let needed_first = text::join(pace.iter().rev().map(String::as_str), ", ");
            let words = [pace.join(", "), needed_first];
            let words = words.map(|pace| format!("PACE    {pace}"));
            return fitting(words, room.into(), theme.muted());
        }
        BoardRow::InNoRun => return in_no_run_line(board, (room.into(), here), context),
        BoardRow::Version(place) => return version(&board.lines[place], table, context),
        BoardRow::Earlier => {
            let bad = board.board.earlier.iter().any(|it| it.is_bad);
            let style = if bad { theme.warn() } else { theme.muted() };
            let words = board.board.earlier_words().unwrap_or_default();
            let shared = &context.cx.shared;
            let does =
                here.then(|| shared.then_key(": ", Layer::Board, &Action::Open, "lists them"));
            let more = format!("{words}{}", does.unwrap_or_default());
            return fitting([more, words], room.into(), style);
        }
        BoardRow::Kind(_) | BoardRow::Run(_) | BoardRow::All | BoardRow::Left => {}
    }
    let mut cells = vec![Cell::text("", theme.text())];
    let plain = if matches!(row, BoardRow::All | BoardRow::Left) {
        theme.accent()
    } else {
        theme.text()
    };
    cells.push(Cell::text(
        name_of_row(board, row).unwrap_or_default(),
        plain,
    ));
    if !board.by_run.is_empty() {
        cells.push(Cell::text(configuration(board, row), theme.muted()));
    }
    for (column, cell) in of_row.iter().filter(|(column, _)| shown.contains(column)) {
        let here = here && *column == board.column;
        let Some(cell) = cell else {
            let runs = match column {
                BoardColumn::Hidden => board.runs_of(row, *column).len(),
                _ => 0,
            };
            let words = match (here, runs) {
                (_, 1..) => format!("×{runs}"),
                (true, 0) => "   ·".to_owned(),
                (false, 0) => String::new(),
            };
            let style = theme.muted();
            cells.push(Cell::text(
                words,
                if here { style.reversed() } else { style },
            ));
            continue;
        };
        let style = if cell.has_new {
            theme.bad()
        } else {
            theme.text()
        };
        let style = if here { style.reversed() } else { style };
        cells.push(Cell::text(cell.shown(), style));
    }
    let left = left_of(board, row, room.into()).unwrap_or_default();
    cells.push(Cell::text(left, plain));
    table.row(cells)
}

/// Cases left in a row of the table; of closed runs, those not run, if there is room for that.
fn left_of(board: &ReleaseBoard, row: BoardRow, room: usize) -> Option<String> {
    let sums = board.sums(row, BoardColumn::All)?;
    Some(match row {
        BoardRow::Left => return None,
        BoardRow::Kind(_) | BoardRow::Run(_) => sums.left_words(room >= WIDE),
        _ => sums.words(|it| it.left),
    })
}

/// Name of a row of the table.
fn name_of_row(board: &ReleaseBoard, row: BoardRow) -> Option<String> {
    match row {
        BoardRow::Kind(place) => Some(board.board.kinds.get(place)?.shown.clone()),
        BoardRow::Run(place) => Some(board.run(place)?.full_name()),
        BoardRow::All => Some("all".to_owned()),
        BoardRow::Left => Some("left".to_owned()),
        _ => None,
    }
}

/// Name of the runs that Enter lists, such as `Smoke, chrome`.
pub fn name_of_cell(board: &ReleaseBoard, row: BoardRow) -> String {
    let kind = match row {
        BoardRow::Earlier => "earlier rounds".to_owned(),
        BoardRow::Criterion(place) => board.criteria[place].name.clone(),
        BoardRow::Left => "all".to_owned(),
        row => name_of_row(board, row).unwrap_or_default(),
    };
    let is_cell = matches!(row, BoardRow::Kind(_) | BoardRow::All | BoardRow::Left);
    match board.column {
        BoardColumn::Configuration(_) if is_cell => {
            format!("{kind}, {}", heading(board, board.column))
        }
        BoardColumn::Hidden if is_cell => {
            format!("{kind}, {} other configurations", board.hidden.len())
        }
        _ => kind,
    }
}

/// Configuration of a row that is a run.
fn configuration(board: &ReleaseBoard, row: BoardRow) -> String {
    let run = match row {
        BoardRow::Run(place) => board.run(place),
        _ => None,
    };
    run.and_then(|run| run.configuration())
        .unwrap_or_default()
        .to_owned()
}

/// Headings of the board of all versions.
const OF_VERSIONS: [&str; 11] = [
    "Version",
    "cases",
    "done",
    "passed",
    FAILED,
    FAILED_KNOWN,
    "blocked",
    "not run",
    "left",
    "from",
    "to",
];

const FAILED: &str = "failed";
/// Heading of a part of the failed cases; `known` below [`WIDEST`].
const FAILED_KNOWN: &str = "failed (known)";

/// Cells of a version below [`OF_VERSIONS`], with this number of failed cases.
fn version_cells(line: &ReleaseLine, now: &Now, failed: String) -> [String; 11] {
    let sums = &line.sums;
    let passed = Sums {
        total: sums.total(),
        done: sums.at(&[ResultCode::Passed]),
    };
    let day = |at: Option<i64>| at.map_or("-".to_owned(), |at| now.short(at));
    let is_closed = sums.open == 0;
    [
        line.version.clone(),
        sums.words(ReleaseSums::total),
        percent(sums.share()),
        percent(passed.share()),
        failed,
        sums.words(|it| it.at(&[ResultCode::FailedKnown])),
        sums.words(|it| it.at(&[ResultCode::Blocked])),
        sums.words(|it| it.not_run),
        sums.words(|it| it.left),
        day(line.from),
        if is_closed {
            day(line.to)
        } else {
            "open".to_owned()
        },
    ]
}

fn versions(board: &ReleaseBoard, room: usize, now: &Now) -> Table {
    let rows: Vec<_> = board
        .lines
        .iter()
        .map(|line| version_cells(line, now, failed(&line.sums)))
        .collect();
    let cells = |place: usize| text::widest(rows.iter().map(|cells| &*cells[place]));
    let ranks = (1..).zip([5, 1, 3, 2, 4, 8, 6, 1, 7, 7]);
    let columns = ranks.map(|(place, rank)| {
        let heading = match OF_VERSIONS[place] {
            FAILED_KNOWN if room < WIDEST => "known",
            heading => heading,
        };
        let cells = cells(place).max(heading.len());
        Column::new(heading, cells, rank).numbers().behind(2)
    });
    let first = cells(0).max(OF_VERSIONS[0].len()).min(KIND);
    let name = [Column::signs(), Column::plain(first).behind(0)];
    Table::lay_out(name.into_iter().chain(columns).collect(), room).headed(1, OF_VERSIONS[0])
}

fn version<'a>(line: &ReleaseLine, table: &Table, context: Context<'_>) -> Vec<Span<'a>> {
    let theme = context.theme;
    let has_new = line.sums.at(&[ResultCode::FailedNew]) > 0;
    let cells = OF_VERSIONS
        .into_iter()
        .zip(version_cells(line, context.now, failed(&line.sums)));
    let cells = cells.map(|(heading, words)| match heading {
        FAILED if has_new => Cell::text(words, theme.bad()),
        _ => Cell::text(words, theme.text()),
    });
    table.row([Cell::text("", theme.text())].into_iter().chain(cells))
}

/// Verdict on all criteria: `READY? no`, or for an earlier day `READY? as of Fri 17:28: yes`.
fn ready(board: &ReleaseBoard, now: &Now) -> String {
    let ready = readiness_word(readiness(&board.criteria));
    match board.as_of().filter(|at| !now.is_today(*at)) {
        Some(at) => format!("READY? as of {}: {ready}", now.when(at)),
        None => format!("READY? {ready}"),
    }
}

/// Line of a criterion: `not met    no run quiet: runs_quiet is 1: R_222`.
fn criterion<'a>(
    board: &ReleaseBoard,
    place: usize,
    room: usize,
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let theme = context.theme;
    let Some(criterion) = board.criteria.get(place) else {
        return Vec::new();
    };
    let style = match criterion.is_met {
        Some(true) => theme.good(),
        Some(false) => theme.bad(),
        None => theme.warn(),
    };
    let mut spans = vec![Span::styled(format!("    {:<11}", criterion.word()), style)];
    // The name gives way to the numbers.
    let room = room.saturating_sub(spans[0].width());
    let numbers = text::fit(&criterion.numbers_words(), room);
    let name = text::cells(&criterion.name);
    let of_name = room.saturating_sub(text::width(&numbers) + 2);
    if of_name >= LEAST.min(text::width(&name)) {
        let name = text::fit(&name, of_name);
        spans.push(Span::styled(format!("{name}: "), theme.text()));
    }
    spans.push(Span::styled(numbers, theme.muted()));
    spans
}

/// Text such as `not worked out: given up; r tries again`.
fn not_worked_out(why: &str, shared: &Shared) -> String {
    let again = shared.then_key("; ", Layer::Board, &Action::Refresh, "tries again");
    format!("not worked out: {why}{again}")
}

/// Parts of the forecast: `Mon 14:00 to Tue 11:00` or the reason for none; `LATE`.
fn finish(board: &ReleaseBoard, shared: &Shared, now: &Now) -> [String; 2] {
    let Some(finish) = &board.finish else {
        let words = board.lacks.map(|why| not_worked_out(why, shared));
        let words = words.unwrap_or_else(|| "being worked out…".to_owned());
        return [words, String::new()];
    };
    let due = shared.release_due(board.version()).map(|(at, _)| at);
    let is_late = due.is_some_and(|at| board.is_late(at, now.ms));
    let late = if is_late { "LATE" } else { "" };
    let slowest = slowest(board, finish, now).unwrap_or_default();
    [
        finish.outlook.words(now.ms, &now.zone) + &slowest,
        late.to_owned(),
    ]
}

/// The run that ends last at its own pace, if that is after the end that the pace of all has.
fn slowest(board: &ReleaseBoard, finish: &Finish, now: &Now) -> Option<String> {
    let ends = finish.ends().into_iter();
    let (end, run) = ends.filter_map(|(run, end)| Some((end?, run))).max()?;
    let of_all = finish.outlook.band()?.to;
    let mut runs = board.answer.as_ref()?.runs.iter();
    let run = runs.find(|known| known.doc_ref == run)?;
    (end > of_all).then(|| format!("; {} alone ~{}", run.name(), now.when(end)))
}

/// Line of the forecast: `FINISH  Mon 14:00 to Tue 11:00: LATE`.
fn finish_line<'a>(board: &ReleaseBoard, room: usize, context: Context<'_>) -> Vec<Span<'a>> {
    let theme = context.theme;
    let [ends, late] = finish(board, &context.cx.shared, context.now);
    let before = if late.is_empty() { "" } else { ": " };
    let room = room.saturating_sub(before.len() + late.len());
    let ends = text::fit(&format!("  FINISH  {ends}"), room);
    vec![
        Span::styled(ends + before, theme.text()),
        Span::styled(late, theme.warn()),
    ]
}

/// Pace of the forecast in its parts, if there is one: `16 an hour over 40 h observed`, `19 needed`.
fn pace(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<Vec<String>> {
    let due = shared.release_due(board.version()).map(|(at, _)| at);
    let parts = |band: &Band| band.pace_parts(due, now.ms, &now.zone);
    board.band().map(parts)
}

/// Number of suites in no open run, and time of the reading; `None` if they were not read.
fn in_no_run(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<[String; 2]> {
    let read = shared.in_no_run.get(board.version())?;
    let words = in_none(read.suites.len(), read.range);
    Some([words, format!(" (read {})", now.when(read.at))])
}

fn in_no_run_line<'a>(
    board: &ReleaseBoard,
    (room, here): (usize, bool),
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let Context { cx, now, theme, .. } = context;
    let Some([words, read]) = in_no_run(board, &cx.shared, now) else {
        let lists = text::count(board.board.all.open, "list");
        let reads = if here {
            let does = format!("reads {lists}");
            cx.shared.key_does(Layer::Board, &Action::Open, &does)
        } else {
            "not read".to_owned()
        };
        let words = ["Suites in", "In"].map(|it| format!("{it} no open run: {reads}"));
        return fitting(words, room, theme.muted());
    };
    let words = text::fit(&format!("  {words}"), room);
    let left = room.saturating_sub(text::width(&words));
    vec![
        Span::styled(words, theme.text()),
        Span::styled(text::fit(&read, left), theme.muted()),
    ]
}

/// The board as a summary for copying and exports.
pub fn summary(board: &ReleaseBoard, cx: &Cx) -> Summary {
    let (shared, now) = (&cx.shared, clock(cx));
    let all = &board.board;
    let session = shared.in_use();
    let of = session.scope_name();
    if board.of == BoardOf::Versions {
        let cells = board
            .lines
            .iter()
            .map(|line| version_cells(line, &now, line.sums.words(|it| it.at(ResultCode::FAILED))));
        let rows = cells.map(|cells| cells.map(table::TextCell::Text).into());
        return Summary {
            name: "the versions".to_owned(),
            file: "versions",
            head: vec![format!("Versions of {of}")],
            table: table::TextTable::new(OF_VERSIONS, rows),
            foot: vec![counted(board, &now)],
            json: String::new(),
        };
    }
    let share = all.all.share_words();
    let left = all.all.words(|it| it.left);
    let (title, name) = match &board.of {
        BoardOf::Version(version) => (format!("Release {version}"), &**version),
        _ => (
            "Runs without a version".to_owned(),
            "runs without a version",
        ),
    };
    let mut head = vec![format!("{title} of {of}: {share} done, {left} left")];
    head.extend(due(board, shared, &now).map(|(words, _)| words));
    if !board.criteria.is_empty() {
        head.push(ready(board, &now));
    }
    head.extend(board.criteria.iter().map(|it| {
        let (name, numbers) = (text::cells(&it.name), it.numbers_words());
        format!("{}: {name}: {numbers}", it.word())
    }));
    if board.rows().contains(&BoardRow::Finish) {
        let parts = finish(board, shared, &now).into_iter();
        let parts = parts.filter(|part| !part.is_empty());
        let parts = parts.chain(pace(board, shared, &now).into_iter().flatten());
        head.push(format!("FINISH {}", text::join(parts, ", ")));
    }
    head.extend(in_no_run(board, shared, &now).map(|words| words.concat()));
    Summary {
        name: format!("the board of {name}"),
        file: "board",
        head,
        table: all.table(),
        foot: (all.earlier_words().into_iter())
            .chain([counted(board, &now)])
            .collect(),
        json: String::new(),
    }
}

/// Explanation of the kind under the cursor with its key in the config; elsewhere of criteria.
pub fn explained(board: &ReleaseBoard, cx: &Cx) -> Explanation {
    let profile = cx.shared.profile();
    let profile = toml_key(&profile);
    let here = board.here();
    if here == Some(BoardRow::Earlier) {
        return earlier(board);
    }
    let here = here.filter(|row| matches!(row, BoardRow::Kind(_) | BoardRow::Run(_)));
    let of = here.map(|row| board.runs_of(row, BoardColumn::All));
    let of = of.unwrap_or_default();
    let runs = board.runs().iter().filter(|run| of.contains(&run.doc_ref));
    let runs: Vec<&Arc<Run>> = runs.collect();
    let Some(first) = runs.first() else {
        return Explanation {
            title: "Criteria of a release".to_owned(),
            lines: [
                "A criterion is a condition on the sums of the release. Those of the config stand behind READY?, an example:",
                "",
            ]
            .map(str::to_owned)
            .into(),
            config: format!(
                "[[profiles.{profile}.criteria]]\nname = \"no failed (new)\"\nexpr = \"failed_new == 0\"\n"
            ),
        };
    };
    let kind = RunKind::of(&first.row(), &cx.shared.in_use().watch.release.kinds);
    let mut lines = vec![
        "A kind is the title of a run without what stands at its ends: its version and configuration, builds, weeks, \
         sprints and rounds with their number, dates."
            .to_owned(),
        String::new(),
    ];
    lines.extend(runs.iter().take(EXPLAINED).map(|run| run.full_name()));
    let more = runs.len().saturating_sub(EXPLAINED);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    let other = "The config can give a title another kind:".to_owned();
    lines.extend([String::new(), other]);
    // A string quoted for JSON is valid in TOML.
    let title = json!(first.title().unwrap_or_default());
    let shown = json!(kind.shown);
    Explanation {
        title: format!("Kind {}", kind.shown),
        lines,
        config: format!("[[profiles.{profile}.kinds]]\ntitle = {title}\nkind = {shown}\n"),
    }
}

/// Each run that is not counted with the one in its place.
fn earlier(board: &ReleaseBoard) -> Explanation {
    let run = |wanted: &DocRef| board.runs().iter().find(|run| run.doc_ref == *wanted);
    let name = |wanted: &DocRef| run(wanted).map_or(wanted.to_string(), |run| run.full_name());
    let lines = board.board.earlier.iter().map(|it| {
        let by = run(&it.by).map_or(it.by.as_str(), |run| run.name());
        format!("{}: {by} took its place", name(&it.run))
    });
    Explanation {
        title: "Earlier rounds".to_owned(),
        lines: lines.collect(),
        config: String::new(),
    }
}

/// Number of counted runs, and what is unknown about them.
pub fn counted(board: &ReleaseBoard, now: &Now) -> String {
    let all = &board.board;
    let is_of_versions = board.of == BoardOf::Versions;
    let is_empty = match board.of {
        BoardOf::Versions => board.lines.is_empty(),
        _ => all.kinds.is_empty(),
    };
    if is_empty {
        return String::new();
    }
    let mut sums = all.all.clone();
    if is_of_versions {
        board.lines.iter().for_each(|line| sums.add(&line.sums));
    }
    let of = text::count(board.runs().len(), "run");
    let mut words = vec![format!("{} of {of} counted", text::thousands(sums.runs))];
    if board.splits && !is_of_versions {
        words[0] += ", each in all its parts";
    }
    let [without, _] = board.project.without_version;
    if is_of_versions && without > 0 {
        let without = text::thousands(without);
        let _ = write!(words[0], ", {without} without a version");
    }
    let as_of = board.as_of().filter(|at| !now.is_today(*at));
    if let Some(at) = as_of.filter(|_| is_of_versions) {
        let _ = write!(words[0], ", as of {}", now.when(at));
    }
    if !board.is_complete() {
        words.push("others may not be here".to_owned());
    }
    words.extend(counts::without_results(&sums));
    if sums.not_run > 0 && !is_of_versions {
        let not_run = text::thousands(sums.not_run);
        words.push(format!("{not_run} not run in closed runs"));
    }
    words.extend(board.subprojects.clone().filter(|_| !is_of_versions));
    words.join("   ")
}
