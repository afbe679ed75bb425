//! How the board is drawn: a row for each kind of run, a column for each configuration.

use super::{ReleaseBoard, share};
use crate::domain::due;
use crate::domain::release::ReleaseSums;
use crate::screens::prelude::*;
use crate::ui::frame::Tab;

/// Cells of the longest kind that is not cut, and of the shortest that is not left out.
const KIND: usize = 28;
const LEAST: usize = 11;
/// Cells of a share with its mark: `100%`, `10F`.
const CELL: usize = 8;
const LEFT: usize = 6;

pub fn draw(board: &ReleaseBoard, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let theme = context.theme;
    let tabs = board.versions.iter().map(|(version, open)| {
        let open = if *open > 0 {
            text::thousands(*open)
        } else {
            String::new()
        };
        Tab::new(version.clone(), open)
    });
    let tabs: Vec<Tab> = tabs.collect();
    let chosen = board
        .versions
        .iter()
        .position(|(version, _)| *version == board.version);
    let due = due(board, context);
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
    frame::tabs(on, tabs_area, &tabs, chosen);
    let area = below(area, 1);
    if board.board.kinds.is_empty() {
        let words = match (&board.failure, board.is_reading || !board.is_answered) {
            (Some(failure), _) => failure.came_back.clone(),
            (None, true) => format!("Reading the runs of {}…", board.version),
            (None, false) => format!("There is no run of {}.", board.version),
        };
        on.layout.rows = Some(area.height);
        return frame::words(on.buffer, area, &words, theme.muted());
    }
    let table = table(board, usize::from(area.width));
    table.draw_heading(on, area);
    let rows = below(area, 1);
    on.layout.rows = Some(rows.height.max(1));
    on.layout.list = Some((rows, board.scroll.top));
    on.layout.click_rows(rows);
    board.scroll.draw(
        board.len(),
        |row| line(board, &table, row as usize, context),
        on,
        rows,
    );
}

/// When the release is due, and LATE where that is over with cases left.
fn due(board: &ReleaseBoard, context: Context<'_>) -> Span<'static> {
    let Context { cx, now, theme, .. } = context;
    let Some((at, is_typed)) = cx.shared.release_due(&board.version) else {
        return Span::raw("");
    };
    let is_late = due::is_late(at, board.board.all.left, None, now.ms);
    let late = if is_late { "LATE, " } else { "" };
    let here = if is_typed { " (set here)" } else { "" };
    let style = if is_late { theme.warn() } else { theme.text() };
    Span::styled(format!("{late}due {}{here} ", now.due(at)), style)
}

fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// Where there is no room, the configurations give way in which least is bad.
fn table(board: &ReleaseBoard, room: usize) -> Table {
    let all = &board.board;
    let longest = all
        .kinds
        .iter()
        .map(|kind| text::width(&kind.shown))
        .max()
        .unwrap_or(0);
    let bad = |sums: &ReleaseSums| (sums.at(ResultCode::FAILED), sums.at(ResultCode::BLOCKED));
    let mut worst: Vec<usize> = (0..all.configurations.len()).collect();
    worst.sort_by_key(|place| std::cmp::Reverse(bad(&all.by_configuration[*place])));
    let kind = Column::new("", LEAST.min(longest.max(3)), 0).up_to(longest.clamp(3, KIND));
    let mut columns = vec![Column::signs(), kind.behind(0)];
    for (place, (_, written)) in all.configurations.iter().enumerate() {
        let heading = if written.is_empty() { "none" } else { written };
        let cells = text::width(heading).clamp(CELL, 14);
        let rank = worst.iter().position(|it| *it == place).unwrap_or_default();
        let heading = text::fit(heading, cells);
        columns.push(Column::new(heading, cells, 3 + rank).behind(2));
    }
    columns.push(Column::new("all", CELL, 1).behind(2));
    columns.push(Column::new("left", LEFT, 2).numbers());
    Table::lay_out(columns, room)
}

/// `92%10F`: the share that is done, and the worst there is; `×2` where several runs are counted.
fn cell(sums: &ReleaseSums) -> (String, bool) {
    let percent = share(sums).percent();
    let percent = percent.map_or("-".to_owned(), |percent| format!("{percent}%"));
    let (failed, blocked) = (sums.at(ResultCode::FAILED), sums.at(&[ResultCode::Blocked]));
    let mark = match () {
        () if failed > 0 => format!("{failed}F"),
        () if blocked > 0 => format!("{blocked}B"),
        () if sums.untold > 0 => "?".to_owned(),
        () => String::new(),
    };
    (
        format!("{percent:>4}{mark:<4}"),
        sums.at(&[ResultCode::FailedNew]) > 0,
    )
}

fn line<'a>(
    board: &ReleaseBoard,
    table: &Table,
    row: usize,
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let (all, theme) = (&board.board, context.theme);
    if let Some(place) = row.checked_sub(board.first_criterion()) {
        return criterion(board, place, context);
    }
    if row > all.kinds.len() {
        let bad = all.earlier.iter().any(|it| it.is_bad);
        let style = if bad { theme.warn() } else { theme.muted() };
        let words = text::count(all.earlier.len(), "earlier round");
        let says = if bad { ", some not passed: " } else { ": " };
        let words = format!("  {words} not counted{says}Enter lists them");
        return vec![Span::styled(words, style)];
    }
    let is_total = row == all.kinds.len();
    let mut cells = vec![Cell::text("", theme.text())];
    let kind = all
        .kinds
        .get(row)
        .map_or("all".to_owned(), |kind| kind.shown.clone());
    let plain = if is_total {
        theme.accent()
    } else {
        theme.text()
    };
    cells.push(Cell::text(kind, plain));
    for column in 0..=all.configurations.len() {
        let Some(sums) = board.sums(row, column) else {
            let here = row as u64 == board.scroll.cursor && column == board.column;
            let words = if here { "   ·" } else { "" };
            cells.push(Cell::text(words, theme.muted()));
            continue;
        };
        let (words, is_bad) = cell(sums);
        let style = if is_bad { theme.bad() } else { theme.text() };
        let here = row as u64 == board.scroll.cursor && column == board.column;
        let style = if here { style.reversed() } else { style };
        let is_cell = !is_total && column < all.configurations.len();
        let words = if is_cell && sums.runs > 1 {
            format!("{}×{}", words.trim_end(), sums.runs)
        } else {
            words
        };
        cells.push(Cell::text(words, style));
    }
    let left = board.sums(row, all.configurations.len());
    let left = left.map_or(String::new(), |sums| text::thousands(sums.left));
    cells.push(Cell::text(left, plain));
    table.row(cells)
}

/// `READY?  no   not met    no failed (new): failed_new is 22`: the first one says whether all are met.
fn criterion<'a>(board: &ReleaseBoard, place: usize, context: Context<'_>) -> Vec<Span<'a>> {
    let Context { now, theme, .. } = context;
    let judged = board.criteria.iter().map(|it| it.is_met);
    let ready = if judged.clone().any(|is_met| is_met == Some(false)) {
        "no"
    } else if judged.clone().all(|is_met| is_met == Some(true)) {
        "yes"
    } else {
        "not known"
    };
    let is_old = board.read_at.filter(|at| !now.is_today(*at));
    let lead = match is_old {
        Some(at) => format!("READY? as of {}: {ready}", now.when(at)),
        None => format!("READY? {ready}"),
    };
    let cells = text::width(&lead).max(14) + 2;
    let lead = text::pad(if place == 0 { &lead } else { "" }, cells);
    let Some(criterion) = board.criteria.get(place) else {
        return Vec::new();
    };
    let (word, style) = match criterion.is_met {
        Some(true) => ("met", theme.good()),
        Some(false) => ("not met", theme.bad()),
        None => ("not known", theme.warn()),
    };
    let numbers = criterion.numbers.iter();
    let numbers = numbers.map(|(count, range)| format!("{} is {range}", count.text()));
    let numbers = text::join(numbers.collect::<Vec<_>>().iter().map(|it| &**it), ", ");
    vec![
        Span::styled(format!("  {lead}"), theme.text()),
        Span::styled(format!("{word:<11}"), style),
        Span::styled(text::cells(&criterion.name).into_owned(), theme.text()),
        Span::styled(format!(": {numbers}"), theme.muted()),
    ]
}

/// How many runs are counted, and what is not known of them.
pub fn status(_context: Context<'_>, board: &ReleaseBoard) -> String {
    let all = &board.board;
    if all.kinds.is_empty() {
        return String::new();
    }
    let of = text::count(board.runs.len(), "run");
    let mut words = vec![format!("{} of {of} counted", text::thousands(all.all.runs))];
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
    words.join("   ")
}
