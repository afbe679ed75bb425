//! Drawing of the board: a row for each kind of run, a column for each configuration.

use serde_json::{Value, json};

use super::{BoardOf, BoardRow, ReleaseBoard};
use crate::domain::project_name;
use crate::domain::release::{
    Board, BoardCell, Judged, Kind, ReleaseLine, ReleaseSums, in_none, readiness, readiness_word,
};
use crate::domain::{Summary, Sums, json, table};
use crate::forecast::{self, Band};
use crate::screens::{clock, prelude::*};
use crate::store::Explanation;
use crate::ui::frame::Tab;
use crate::ui::time::Now;

/// Maximum number of cells of a kind, normally and in a narrow terminal.
const KIND: usize = 28;
const SHORT: usize = 16;
/// Minimum number of columns for a long kind.
const WIDE: usize = 70;
/// Cells of a percentage with its mark: `100%`, `10F`.
const CELL: usize = 8;
/// Maximum number of cells of a configuration.
const CONFIGURATION: usize = 14;
const LEFT: usize = 6;
/// Minimum number of cells of the name of a criterion.
const LEAST: usize = 6;
/// Maximum number of runs of a kind that are named.
const EXPLAINED: usize = 6;

pub fn draw(board: &ReleaseBoard, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let theme = context.theme;
    let tabs = board.tabs().into_iter().map(|(of, version, runs)| {
        let name = match of {
            BoardOf::Version => version,
            BoardOf::Versions => "all".to_owned(),
            BoardOf::NoVersion => "none".to_owned(),
        };
        let runs = Some(runs).filter(|runs| *runs > 0);
        Tab::new(name, runs.map_or(String::new(), text::thousands))
    });
    let tabs: Vec<Tab> = tabs.collect();
    let due = due(board, &context.cx.shared, context.now);
    let due = due.map_or(Span::raw(""), |(words, is_late)| {
        let style = if is_late { theme.warn() } else { theme.text() };
        Span::styled(format!("{words} "), style)
    });
    let words = Rect {
        x: area.x + area.width.saturating_sub(due.width() as u16),
        ..area
    };
    let left = area.width.saturating_sub(due.width() as u16 + 1);
    frame::line(on.buffer, words, 0, vec![due]);
    let tabs_area = Rect {
        width: left,
        height: 1,
        ..area
    };
    frame::tabs(on, tabs_area, &tabs, board.tab());
    let area = frame::below(area, 1);
    if board.rows().is_empty() {
        let adds_up = context.cx.under_way(&Slot::Releases);
        let is_busy = board.read.is_reading || board.is_stale || !board.is_answered || adds_up;
        let words = match (board.read.lacks(), is_busy, board.of) {
            (Some(lacks), ..) => lacks,
            (None, false, BoardOf::Versions) if let Some(why) = board.lacks => {
                not_worked_out(why, &context.cx.shared)
            }
            (None, true, BoardOf::Version) => format!("Reading the runs of {}…", board.version),
            (None, true, _) => "Reading the runs…".to_owned(),
            (None, false, BoardOf::Version) => format!("There is no run of {}.", board.version),
            (None, false, BoardOf::Versions) => "No run has a version.".to_owned(),
            (None, false, BoardOf::NoVersion) => "All runs have a version.".to_owned(),
        };
        on.layout.rows = Some(area.height);
        return frame::words(on.buffer, area, &words, theme.muted());
    }
    let grid = Grid::of(board);
    let (table, shown, signs) = match board.of {
        BoardOf::Versions => (
            versions(board, usize::from(area.width), context.now),
            Vec::new(),
            false,
        ),
        _ => table(board, &grid, usize::from(area.width)),
    };
    table.draw_heading(on, area);
    let rows = frame::below(area, 1);
    board.scroll.draw_list(
        board.len(),
        |row| {
            let table = (&table, &*shown, signs, rows.width);
            line(board, &grid, table, row as usize, context)
        },
        on,
        rows,
    );
}

/// Due date of the release, with LATE if it is late; true marks a late one.
fn due(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<(String, bool)> {
    let (at, is_typed) = shared.release_due(&board.version)?;
    let is_late = board.is_late(at, now.ms);
    let late = if is_late { "LATE, " } else { "" };
    let here = if is_typed { " (set here)" } else { "" };
    Some((format!("{late}due {}{here}", now.due(at)), is_late))
}

/// Columns: kinds, the configurations that fit, with the one under the cursor, and all. Returns their indexes too, and
/// true if `q` and `L` have room beside other results: they hide no column.
fn table(board: &ReleaseBoard, grid: &Grid, room: usize) -> (Table, Vec<usize>, bool) {
    let [(most, all), (least, shown)] =
        [true, false].map(|signs| laid_out(board, grid, room, signs));
    if all == shown {
        (most, all, true)
    } else {
        (least, shown, false)
    }
}

fn laid_out(board: &ReleaseBoard, grid: &Grid, room: usize, signs: bool) -> (Table, Vec<usize>) {
    let all = &board.board;
    let names = grid.0.iter();
    let names = names.filter_map(|(row, _)| name_of_row(board, *row));
    let longest = names.map(|name| text::width(&name));
    let most = if room < WIDE { SHORT } else { KIND };
    // Titles of runs are longer than kinds.
    let most = if board.by_run.is_empty() {
        most
    } else {
        2 * most
    };
    let kind = longest.max().unwrap_or(0).clamp(3, most);
    let heading = |place: usize| heading(all, place);
    let count = board.columns();
    let widest: Vec<usize> = (0..=count).map(|it| grid.width(it, signs)).collect();
    let cells = |place: usize| {
        let heading = text::width(heading(place)).clamp(CELL, CONFIGURATION);
        heading.max(widest[place])
    };
    let of_all = widest[count].max(CELL);
    let left = room.saturating_sub(2 + kind + of_all + 2 + LEFT + 1);
    let shown = shown(board, left, &|place| cells(place) + 2);
    let mut columns = vec![
        Column::signs(),
        Column::plain(kind).up_to(kind.max(most)).behind(0),
    ];
    if !board.by_run.is_empty() {
        columns.push(
            Column::new("configuration", CONFIGURATION, 3)
                .up_to(KIND)
                .behind(2),
        );
    }
    for place in shown.iter().copied() {
        let cells = cells(place);
        columns.push(Column::new(text::fit(heading(place), cells), cells, 3).behind(2));
    }
    columns.push(Column::new("all", of_all, 1).behind(2));
    columns.push(Column::new("left", LEFT, 2).numbers());
    let table = Table::lay_out(columns, room);
    let hidden: Vec<usize> = (0..count).filter(|place| !shown.contains(place)).collect();
    let sums = hidden.iter().filter_map(|it| all.by_configuration.get(*it));
    let [failed, new] = [ResultCode::FAILED, &[ResultCode::FailedNew]].map(|codes| {
        sums.clone()
            .map(|it| it.at(codes))
            .fold(0, u64::saturating_add)
    });
    let letter = if new > 0 { "F" } else { "f" };
    let marks = match failed {
        0 => ["", ""].map(str::to_owned),
        _ => [letter.to_owned(), format!(" {failed}{letter}")],
    };
    let more = hidden.len();
    let last = match hidden[..] {
        [] => return (table, shown),
        [place] => format!("+ {}", heading(place)),
        _ => format!("{more} more"),
    };
    // The longest heading that fits is used.
    let table = table.headed(1, &format!("+{more}{}", marks[0]));
    let table = table.headed(1, &format!("+{more}{}", marks[1]));
    (table.headed(1, &format!("{last}{}", marks[1])), shown)
}

/// Configurations that fit; if not all do, the one under the cursor and the worst ones. `needs` returns the cells of a
/// column.
fn shown(board: &ReleaseBoard, room: usize, needs: &dyn Fn(usize) -> usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..board.columns()).collect();
    if places.iter().map(|it| needs(*it)).sum::<usize>() <= room {
        return places;
    }
    let worst = |place: &usize| {
        board
            .board
            .by_configuration
            .get(*place)
            .map(ReleaseSums::worst_first)
    };
    places.sort_by_key(|place| (*place != board.column, worst(place)));
    let mut left = room;
    let mut has_room = |place: &usize| {
        let needs = needs(*place);
        let fits = needs <= left || *place == board.column;
        left = left.saturating_sub(needs);
        fits
    };
    let end = places.iter().position(|place| !has_room(place));
    places.truncate(end.unwrap_or(places.len()));
    places.sort_unstable();
    places
}

/// Heading of a column.
fn heading(board: &Board, column: usize) -> &str {
    match board.configurations.get(column).map(|it| it.1.as_str()) {
        None => "all",
        Some("") => "none",
        Some(written) => written,
    }
}

/// Text of a cell such as `92% 10FqL`: percentage done, the worst result (`f` if all failures are known), `q` with a
/// quiet run, `L` with a late one, `×2` for two runs.
#[derive(Default)]
struct CellWords {
    share: String,
    worst: String,
    signs: String,
    runs: String,
    has_new: bool,
}

impl CellWords {
    /// Returns `None` if there is no run.
    fn of(board: &ReleaseBoard, row: BoardRow, column: usize) -> Option<Self> {
        let sums = board.sums(row, column)?;
        let mut words = Self::default();
        if row == BoardRow::Left {
            words.share = format!("{:>4}", text::thousands(sums.left));
            return Some(words);
        }
        words.share = format!("{:>4}", share(sums.percent()));
        let (failed, blocked) = (sums.at(ResultCode::FAILED), sums.at(&[ResultCode::Blocked]));
        words.has_new = sums.at(&[ResultCode::FailedNew]) > 0;
        words.worst = match () {
            () if words.has_new => format!("{failed}F"),
            () if failed > 0 => format!("{failed}f"),
            () if blocked > 0 => format!("{blocked}B"),
            () if sums.untold > 0 => "?".to_owned(),
            () => String::new(),
        };
        let of_cell = board.runs_of(row, column);
        let signs = [(&board.are_quiet, 'q'), (&board.late, 'L')].into_iter();
        let signs = signs.filter(|(runs, _)| of_cell.iter().any(|run| runs.contains(*run)));
        words.signs = signs.map(|(_, sign)| sign).collect();
        if matches!(row, BoardRow::Kind(_)) && column < board.columns() && sums.runs > 1 {
            words.runs = format!(" ×{}", sums.runs);
        }
        Some(words)
    }

    /// With `signs` they stand beside a worse result, too.
    fn shown(&self, signs: bool) -> String {
        let Self { share, worst, .. } = self;
        let signs = Some(&*self.signs).filter(|_| signs || worst.is_empty());
        let signs = signs.unwrap_or_default();
        let before = if worst.is_empty() && signs.is_empty() {
            ""
        } else {
            " "
        };
        format!("{share}{before}{worst}{signs}{}", self.runs)
    }
}

/// Rows of the board with their cells, the last column that of all.
struct Grid(Vec<(BoardRow, Vec<Option<CellWords>>)>);

impl Grid {
    fn of(board: &ReleaseBoard) -> Self {
        let cells = |row| (0..=board.columns()).map(move |it| CellWords::of(board, row, it));
        let rows = board.rows().into_iter();
        Self(rows.map(|row| (row, cells(row).collect())).collect())
    }

    /// Width of the cells of a column.
    fn width(&self, column: usize, signs: bool) -> usize {
        let cells = self
            .0
            .iter()
            .filter_map(|(_, cells)| cells[column].as_ref());
        let widths = cells.map(|cell| text::width(cell.shown(signs).trim_end()));
        widths.max().unwrap_or(0)
    }
}

fn line<'a>(
    board: &ReleaseBoard,
    grid: &Grid,
    (table, shown, signs, room): (&Table, &[usize], bool, u16),
    row: usize,
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let theme = context.theme;
    let here = row as u64 == board.scroll.cursor;
    let Some((row, of_row)) = grid.0.get(row) else {
        return Vec::new();
    };
    let row = *row;
    match row {
        BoardRow::Ready => {
            let ready = format!("  {}", ready(board, context.now));
            return vec![Span::styled(ready, theme.text())];
        }
        BoardRow::Criterion(place) => return criterion(board, place, room.into(), context),
        BoardRow::Finish => return finish_line(board, context),
        BoardRow::Pace => {
            let pace = pace(board, &context.cx.shared, context.now).unwrap_or_default();
            return vec![Span::styled(format!("  PACE    {pace}"), theme.muted())];
        }
        BoardRow::InNoRun => return in_no_run_line(board, context),
        BoardRow::Version(place) => return version(&board.lines[place], table, context),
        BoardRow::Earlier => {
            let bad = board.board.earlier.iter().any(|it| it.is_bad);
            let style = if bad { theme.warn() } else { theme.muted() };
            let words = named(board, row).unwrap_or_default();
            let hint = if usize::from(room) < WIDE {
                ""
            } else {
                ": Enter lists them"
            };
            return vec![Span::styled(format!("  {words}{hint}"), style)];
        }
        BoardRow::Quiet | BoardRow::Late => {
            let words = named(board, row).unwrap_or_default();
            return vec![Span::styled(format!("  {words}"), theme.warn())];
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
    for column in shown.iter().copied().chain([board.columns()]) {
        let here = here && column == board.column;
        let Some(cell) = &of_row[column] else {
            let words = if here { "   ·" } else { "" };
            cells.push(Cell::text(words, theme.muted()));
            continue;
        };
        let style = if cell.has_new {
            theme.bad()
        } else {
            theme.text()
        };
        let style = if here { style.reversed() } else { style };
        cells.push(Cell::text(cell.shown(signs), style));
    }
    let left = board.sums(row, board.columns());
    let left = left.filter(|_| row != BoardRow::Left);
    let left = left.map_or(String::new(), |sums| text::thousands(sums.left));
    cells.push(Cell::text(left, plain));
    table.row(cells)
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
        BoardRow::Quiet => "quiet".to_owned(),
        BoardRow::Late => "late".to_owned(),
        BoardRow::Criterion(place) => board.criteria[place].name.clone(),
        BoardRow::Left => "all".to_owned(),
        row => name_of_row(board, row).unwrap_or_default(),
    };
    let is_cell = matches!(row, BoardRow::Kind(_) | BoardRow::All | BoardRow::Left);
    if is_cell && board.column < board.columns() {
        format!("{kind}, {}", heading(&board.board, board.column))
    } else {
        kind
    }
}

/// Words of a row of runs beside the table: `2 earlier rounds not counted`, `1 run quiet: R_12`.
fn named(board: &ReleaseBoard, row: BoardRow) -> Option<String> {
    let word = match row {
        BoardRow::Earlier => return board.board.earlier_words(),
        BoardRow::Quiet => "quiet",
        BoardRow::Late => "late",
        _ => return None,
    };
    let of = board.runs_of(row, 0);
    let runs = board.runs.iter().filter(|run| of.contains(&run.doc_ref));
    let names: Vec<String> = runs.map(|run| run.name().to_owned()).collect();
    let count = text::count(names.len(), "run");
    Some(format!("{count} {word}: {}", forecast::named(&names)))
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

/// Signs of the cells, in a copy.
const SIGNS: &str = "F failed, some of them new; f failed, all known; B blocked; q quiet; L late";

/// Headings of the board of all versions.
const OF_VERSIONS: [&str; 11] = [
    "Version",
    "cases",
    "done",
    "passed",
    "failed (new)",
    "failed (known)",
    "blocked",
    "not run",
    "left",
    "from",
    "to",
];

fn share(percent: Option<u64>) -> String {
    percent.map_or("-".to_owned(), |percent| format!("{percent}%"))
}

/// Cells of a version below [`OF_VERSIONS`].
fn version_cells(line: &ReleaseLine, now: &Now) -> [String; 11] {
    let sums = &line.sums;
    let passed = Sums {
        total: sums.done,
        done: sums.at(&[ResultCode::Passed]),
    };
    let day = |at: Option<i64>| at.map_or("-".to_owned(), |at| now.short(at));
    let is_closed = sums.open == 0;
    [
        line.version.clone(),
        text::thousands(sums.total),
        share(sums.percent()),
        share(passed.percent()),
        text::thousands(sums.at(&[ResultCode::FailedNew])),
        text::thousands(sums.at(&[ResultCode::FailedKnown])),
        text::thousands(sums.at(&[ResultCode::Blocked])),
        text::thousands(sums.not_run),
        text::thousands(sums.left),
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
        .map(|line| version_cells(line, now))
        .collect();
    let cells = |place: usize| {
        let widths = rows.iter().map(|cells| text::width(&cells[place]));
        widths.chain([OF_VERSIONS[place].len()]).max().unwrap_or(0)
    };
    let ranks = (1..).zip([4, 1, 3, 2, 7, 5, 6, 1, 8, 5]);
    let columns = ranks.map(|(place, rank)| {
        Column::new(OF_VERSIONS[place], cells(place), rank)
            .numbers()
            .behind(2)
    });
    let name = [Column::signs(), Column::plain(cells(0).min(KIND)).behind(0)];
    Table::lay_out(name.into_iter().chain(columns).collect(), room).headed(1, OF_VERSIONS[0])
}

fn version<'a>(line: &ReleaseLine, table: &Table, context: Context<'_>) -> Vec<Span<'a>> {
    let theme = context.theme;
    let cells = version_cells(line, context.now).into_iter();
    let cells = cells.map(|words| Cell::text(words, theme.text()));
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

/// Line of a criterion: `not met    no failed (new): failed_new is 22`.
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
    let due = shared.release_due(&board.version).map(|(at, _)| at);
    let is_late = due.is_some_and(|at| board.is_late(at, now.ms));
    let late = if is_late { "LATE" } else { "" };
    [
        finish.outlook.words(now.ms, &now.zone) + &finish.last_words(),
        late.to_owned(),
    ]
}

/// Line of the forecast: `FINISH  Mon 14:00 to Tue 11:00: LATE`.
fn finish_line<'a>(board: &ReleaseBoard, context: Context<'_>) -> Vec<Span<'a>> {
    let theme = context.theme;
    let [ends, late] = finish(board, &context.cx.shared, context.now);
    let before = if late.is_empty() { "" } else { ": " };
    vec![
        Span::styled(format!("  FINISH  {ends}{before}"), theme.text()),
        Span::styled(late, theme.warn()),
    ]
}

/// Pace of the forecast, if there is one: `16 an hour over 40 h observed, 19 needed`.
fn pace(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<String> {
    let due = shared.release_due(&board.version).map(|(at, _)| at);
    let words = |band: &Band| band.pace_words(due, now.ms, &now.zone);
    board.band().map(words)
}

/// Number of suites in no open run, and time of the reading; `None` if they were not read.
fn in_no_run(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<[String; 2]> {
    let read = shared.in_no_run.get(&board.version)?;
    let words = in_none(read.suites.len(), read.range);
    Some([words, format!(" (read {})", now.when(read.at))])
}

fn in_no_run_line<'a>(board: &ReleaseBoard, context: Context<'_>) -> Vec<Span<'a>> {
    let Context { cx, now, theme, .. } = context;
    let Some([words, read]) = in_no_run(board, &cx.shared, now) else {
        let open = usize::try_from(board.board.all.open).unwrap_or(usize::MAX);
        let words = format!(
            "  Suites in no open run: Enter reads {}",
            text::count(open, "list")
        );
        return vec![Span::styled(words, theme.muted())];
    };
    vec![
        Span::styled(format!("  {words}"), theme.text()),
        Span::styled(read, theme.muted()),
    ]
}

/// The board as a summary for copying and exports.
pub fn summary(board: &ReleaseBoard, cx: &Cx) -> Summary {
    let (shared, now) = (&cx.shared, clock(cx));
    let all = &board.board;
    let session = shared.in_use();
    let of = project_name(&session.project, session.subproject.as_deref());
    if board.of == BoardOf::Versions {
        let cells = board.lines.iter().map(|line| version_cells(line, &now));
        let rows = cells.map(|cells| cells.map(table::Cell::Text).into());
        return Summary {
            name: "the versions".to_owned(),
            file: "versions",
            head: vec![format!("Versions of {of}")],
            table: table::Table {
                headings: OF_VERSIONS.map(str::to_owned).into(),
                rows: rows.collect(),
            },
            foot: vec![counted(board, &now)],
            json: json(board, shared),
        };
    }
    let percent = all.all.percent();
    let percent = percent.map_or("-".to_owned(), |it| format!("{it} %"));
    let left = text::thousands(all.all.left);
    let (title, name) = match board.of {
        BoardOf::Version => (format!("Release {}", board.version), &*board.version),
        _ => (
            "Runs without a version".to_owned(),
            "runs without a version",
        ),
    };
    let mut head = vec![format!("{title} of {of}: {percent} done, {left} left")];
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
        let parts = parts.chain(pace(board, shared, &now));
        head.push(format!("FINISH {}", text::join(parts, ", ")));
    }
    head.extend(in_no_run(board, shared, &now).map(|words| words.concat()));
    let is_by_run = !board.by_run.is_empty();
    let columns = 0..board.columns();
    let headings = columns
        .clone()
        .map(|column| heading(all, column).to_owned());
    let first = if is_by_run {
        ["Run", "configuration"].as_slice()
    } else {
        &["Kind"]
    };
    let first = first.iter().map(|it| (*it).to_owned());
    let last = ["all", "left"].map(str::to_owned);
    let text = table::Cell::Text;
    let row = |(row, of_row): (BoardRow, Vec<Option<CellWords>>)| {
        let mut cells = vec![text(name_of_row(board, row)?)];
        cells.extend(is_by_run.then(|| text(configuration(board, row))));
        cells.extend(of_row.into_iter().map(|cell| {
            let shown = cell.map_or(String::new(), |it| it.shown(true));
            text(shown.trim().to_owned())
        }));
        let left = board.sums(row, board.columns());
        let left = left.filter(|_| row != BoardRow::Left);
        cells.push(table::Cell::number(left.map(|sums| sums.left)));
        Some(cells)
    };
    Summary {
        name: format!("the board of {name}"),
        file: "board",
        head,
        table: table::Table {
            headings: first.chain(headings).chain(last).collect(),
            rows: Grid::of(board).0.into_iter().filter_map(row).collect(),
        },
        foot: board
            .rows()
            .into_iter()
            .filter_map(|row| named(board, row))
            .chain([counted(board, &now), SIGNS.to_owned()])
            .collect(),
        json: json(board, shared),
    }
}

/// Explanation of the kind under the cursor with its key in the config; elsewhere of criteria.
pub fn explained(board: &ReleaseBoard, cx: &Cx) -> Explanation {
    let profile = cx.shared.profile();
    let here = board.here();
    if here == Some(BoardRow::Earlier) {
        return earlier(board);
    }
    let here = here.filter(|row| matches!(row, BoardRow::Kind(_) | BoardRow::Run(_)));
    let of = here.map(|row| board.runs_of(row, board.columns()));
    let of = of.unwrap_or_default();
    let runs = board.runs.iter().filter(|run| of.contains(&run.doc_ref));
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
    let kind = Kind::of(&first.row(), &cx.shared.in_use().watch.release.kinds);
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
    let run = |wanted: &DocRef| board.runs.iter().find(|run| run.doc_ref == *wanted);
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

/// JSON with the sums of each cell.
fn json(board: &ReleaseBoard, shared: &Shared) -> String {
    let all = &board.board;
    let sums = |sums: &ReleaseSums| {
        json!({
            "runs": sums.runs, "runs_open": sums.open, "total": sums.total, "done": sums.done, "left": sums.left,
            "not_run": sums.not_run, "passed": sums.at(&[ResultCode::Passed]), "blocked": sums.at(&[ResultCode::Blocked]),
            "failed_new": sums.at(&[ResultCode::FailedNew]), "failed_known": sums.at(&[ResultCode::FailedKnown]),
        })
    };
    let cell = |((kind, configuration), cell): (&(usize, usize), &BoardCell)| {
        json!({
            "kind": all.kinds[*kind].shown, "configuration": all.configurations[*configuration].1, "sums": sums(&cell.sums),
        })
    };
    let due = shared.release_due(&board.version);
    let version = |line: &ReleaseLine| json!({"version": line.version, "sums": sums(&line.sums)});
    let members = json!({
        "scope": project_name(&shared.in_use().project, shared.in_use().subproject.as_deref()),
        "version": Some(&board.version).filter(|version| !version.is_empty()),
        "versions": board.lines.iter().map(version).collect::<Vec<Value>>(),
        "due": due.map(|(at, _)| json::time(at)), "due_set_here": due.is_some_and(|(_, is_typed)| is_typed),
        "criteria": board.criteria.iter().map(Judged::json).collect::<Vec<Value>>(),
        "sums": sums(&all.all),
        "cells": all.cells.iter().map(cell).collect::<Vec<Value>>(),
    });
    json::whole("board", members)
}

/// Number of counted runs, and what is unknown about them.
pub fn counted(board: &ReleaseBoard, now: &Now) -> String {
    let all = &board.board;
    if board.of == BoardOf::Versions {
        let runs = text::count(board.runs.len(), "run");
        let others = if board.is_whole {
            ""
        } else {
            "; others may not be here"
        };
        let as_of = board.as_of().filter(|at| !now.is_today(*at));
        let as_of = as_of.map(|at| format!(", as of {}", now.when(at)));
        let as_of = as_of.unwrap_or_default();
        return format!("by {runs} that are here{as_of}{others}");
    }
    if all.kinds.is_empty() {
        return String::new();
    }
    let of = text::count(board.runs.len(), "run");
    let mut words = vec![format!("{} of {of} counted", text::thousands(all.all.runs))];
    if board.splits {
        words[0] += ", each in all parts of its configuration";
    }
    if !board.is_whole {
        words.push("others may not be here".to_owned());
    }
    if all.all.untold > 0 {
        words.push(format!("{} without results", all.all.untold));
    }
    if all.all.not_run > 0 {
        let not_run = text::thousands(all.all.not_run);
        words.push(format!("{not_run} not run in closed runs"));
    }
    words.extend(board.subprojects.clone());
    words.join("   ")
}
