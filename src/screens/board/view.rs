//! How the board is drawn: a row for each kind of run, a column for each configuration.

use serde_json::{Value, json};

use super::{BoardRow, ReleaseBoard};
use crate::domain::release::{Board, BoardCell, Judged, ReleaseSums};
use crate::domain::{Summary, json, table};
use crate::forecast::{Outlook, pace_needed, per_hour};
use crate::screens::prelude::*;
use crate::ui::frame::Tab;
use crate::ui::time::Now;

/// Cells of the longest kind that is not cut, and where there is little room.
const KIND: usize = 28;
const SHORT: usize = 16;
/// Columns from which on there is room for a long one.
const WIDE: usize = 70;
/// Cells of a share with its mark: `100%`, `10F`.
const CELL: usize = 8;
/// Cells of the longest configuration that is not cut.
const CONFIGURATION: usize = 14;
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
    let due = due(board, &context.cx.shared, context.now);
    let due = due.map_or(Span::raw(""), |(words, is_late)| {
        let style = if is_late { theme.bad() } else { theme.text() };
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
    let (table, shown) = table(board, usize::from(area.width));
    table.draw_heading(on, area);
    let rows = below(area, 1);
    on.layout.rows = Some(rows.height.max(1));
    on.layout.list = Some((rows, board.scroll.top));
    on.layout.click_rows(rows);
    board.scroll.draw(
        board.len(),
        |row| line(board, (&table, &shown, rows.width), row as usize, context),
        on,
        rows,
    );
}

/// When the release is due, with LATE where it is, and whether it is.
fn due(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<(String, bool)> {
    let (at, is_typed) = shared.release_due(&board.version)?;
    let is_late = board.is_late(at, now.ms);
    let late = if is_late { "LATE, " } else { "" };
    let here = if is_typed { " (set here)" } else { "" };
    Some((format!("{late}due {}{here}", now.due(at)), is_late))
}

fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// Kinds, as many configurations as have room, that under the cursor among them, and all of them.
fn table(board: &ReleaseBoard, room: usize) -> (Table, std::ops::Range<usize>) {
    let all = &board.board;
    let longest = all.kinds.iter().map(|kind| text::width(&kind.shown));
    let most = if room < WIDE { SHORT } else { KIND };
    let kind = longest.max().unwrap_or(0).clamp(3, most);
    let heading = |place: usize| heading(all, place);
    let widest = |column: usize| {
        let cells = (0..=all.kinds.len()).filter_map(|row| words(board, row, column));
        cells
            .map(|(words, _)| text::width(words.trim_end()))
            .max()
            .unwrap_or(0)
    };
    let cells = |place: usize| {
        let heading = text::width(heading(place)).clamp(CELL, CONFIGURATION);
        heading.max(widest(place))
    };
    let of_all = widest(all.configurations.len()).max(CELL);
    let needs = |places: std::ops::Range<usize>| places.map(|it| cells(it) + 2).sum::<usize>();
    let left = room.saturating_sub(2 + kind + of_all + 2 + LEFT + 1);
    let count = all.configurations.len();
    // The first ones, as long as the cursor is in them or in the column of all.
    let mut shown = 0..0;
    while shown.end < count && needs(shown.start..shown.end + 1) <= left {
        shown.end += 1;
    }
    if board.column < count {
        while shown.end <= board.column {
            shown.end += 1;
            while needs(shown.clone()) > left && shown.len() > 1 {
                shown.start += 1;
            }
        }
    }
    let mut columns = vec![
        Column::signs(),
        Column::plain(kind).up_to(kind.max(most)).behind(0),
    ];
    for place in shown.clone() {
        let cells = cells(place);
        columns.push(Column::new(text::fit(heading(place), cells), cells, 3).behind(2));
    }
    columns.push(Column::new("all", of_all, 1).behind(2));
    columns.push(Column::new("left", LEFT, 2).numbers());
    let table = Table::lay_out(columns, room);
    let hidden = count - shown.len();
    if hidden == 0 {
        return (table, shown);
    }
    (table.headed(1, &format!("{hidden} more →")), shown)
}

/// What stands above a column.
fn heading(board: &Board, column: usize) -> &str {
    match board.configurations.get(column).map(|it| it.1.as_str()) {
        None => "all",
        Some("") => "none",
        Some(written) => written,
    }
}

/// `92% 10F`: the share that is done, and the worst there is; `×2` where several runs are counted in a cell. With whether
/// new ones failed; nothing where there is no run.
fn words(board: &ReleaseBoard, row: usize, column: usize) -> Option<(String, bool)> {
    let sums = board.sums(row, column)?;
    let percent = sums.percent();
    let percent = percent.map_or("-".to_owned(), |percent| format!("{percent}%"));
    let (failed, blocked) = (sums.at(ResultCode::FAILED), sums.at(&[ResultCode::Blocked]));
    let mark = match () {
        () if failed > 0 => format!(" {failed}F"),
        () if blocked > 0 => format!(" {blocked}B"),
        () if sums.untold > 0 => " ?".to_owned(),
        () if board.is_quiet(row, column) => " q".to_owned(),
        () => String::new(),
    };
    let all = &board.board;
    let is_cell = row < all.kinds.len() && column < all.configurations.len();
    let runs = if is_cell && sums.runs > 1 {
        format!(" ×{}", sums.runs)
    } else {
        String::new()
    };
    let is_bad = sums.at(&[ResultCode::FailedNew]) > 0;
    Some((format!("{percent:>4}{mark}{runs}"), is_bad))
}

fn line<'a>(
    board: &ReleaseBoard,
    (table, shown, room): (&Table, &std::ops::Range<usize>, u16),
    row: usize,
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let (all, theme) = (&board.board, context.theme);
    match board.rows().get(row) {
        Some(BoardRow::Criterion(place)) => return criterion(board, *place, context),
        Some(BoardRow::Finish) => return finish_line(board, room.into(), context),
        Some(BoardRow::InNoRun) => return in_no_run_line(board, context),
        Some(BoardRow::Earlier) => {
            let bad = all.earlier.iter().any(|it| it.is_bad);
            let style = if bad { theme.warn() } else { theme.muted() };
            let words = text::count(all.earlier.len(), "earlier round");
            let says = if bad { ", some not passed: " } else { ": " };
            let words = format!("  {words} not counted{says}Enter lists them");
            return vec![Span::styled(words, style)];
        }
        _ => {}
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
    for column in shown.clone().chain([all.configurations.len()]) {
        let Some((words, is_bad)) = words(board, row, column) else {
            let here = row as u64 == board.scroll.cursor && column == board.column;
            let words = if here { "   ·" } else { "" };
            cells.push(Cell::text(words, theme.muted()));
            continue;
        };
        let style = if is_bad { theme.bad() } else { theme.text() };
        let here = row as u64 == board.scroll.cursor && column == board.column;
        let style = if here { style.reversed() } else { style };
        cells.push(Cell::text(words, style));
    }
    let left = board.sums(row, all.configurations.len());
    let left = left.map_or(String::new(), |sums| text::thousands(sums.left));
    cells.push(Cell::text(left, plain));
    table.row(cells)
}

/// Whether all criteria are met: `READY? no`, of an earlier day `READY? as of Fri 17:28: yes`.
fn ready(board: &ReleaseBoard, now: &Now) -> String {
    let judged = board.criteria.iter().map(|it| it.is_met);
    let ready = if judged.clone().any(|is_met| is_met == Some(false)) {
        "no"
    } else if judged.clone().all(|is_met| is_met == Some(true)) {
        "yes"
    } else {
        "not known"
    };
    match board.read_at.filter(|at| !now.is_today(*at)) {
        Some(at) => format!("READY? as of {}: {ready}", now.when(at)),
        None => format!("READY? {ready}"),
    }
}

/// `not met`, `no failed (new)`, `failed_new is 22`.
fn judged(criterion: &Judged) -> [String; 3] {
    let word = match criterion.is_met {
        Some(true) => "met",
        Some(false) => "not met",
        None => "not known",
    };
    let numbers = criterion.numbers.iter();
    let numbers = numbers.map(|(count, range)| format!("{} is {range}", count.text()));
    [
        word.to_owned(),
        text::cells(&criterion.name).into_owned(),
        text::join(numbers, ", "),
    ]
}

/// `READY? no   not met    no failed (new): failed_new is 22`: the first one says whether all are met.
fn criterion<'a>(board: &ReleaseBoard, place: usize, context: Context<'_>) -> Vec<Span<'a>> {
    let Context { now, theme, .. } = context;
    let lead = ready(board, now);
    let cells = text::width(&lead).max(14) + 2;
    let lead = text::pad(if place == 0 { &lead } else { "" }, cells);
    let Some(criterion) = board.criteria.get(place) else {
        return Vec::new();
    };
    let style = match criterion.is_met {
        Some(true) => theme.good(),
        Some(false) => theme.bad(),
        None => theme.warn(),
    };
    let [word, name, numbers] = judged(criterion);
    vec![
        Span::styled(format!("  {lead}"), theme.text()),
        Span::styled(format!("{word:<11}"), style),
        Span::styled(name, theme.text()),
        Span::styled(format!(": {numbers}"), theme.muted()),
    ]
}

/// `Mon 14:00 to Tue 11:00`, or why nothing is forecast; `LATE`; `16 an hour, 19 needed until Fri`.
fn finish(board: &ReleaseBoard, shared: &Shared, now: &Now, room: usize) -> [String; 3] {
    let Some(finish) = &board.finish else {
        return ["being worked out…".to_owned(), String::new(), String::new()];
    };
    let due = shared.release_due(&board.version).map(|(at, _)| at);
    let is_late = due.is_some_and(|at| board.is_late(at, now.ms));
    let left = board.board.all.left;
    let needed = due.and_then(|at| {
        let pace = pace_needed(left, (now.ms, at), finish.counted, &now.zone)?;
        let until = format!(" until {}", now.due(at));
        let until = if room < WIDE { "" } else { &until };
        Some(format!(", {} needed{until}", per_hour(pace)))
    });
    let pace = match &finish.outlook {
        Outlook::Band(band) => {
            format!(
                "{} an hour{}",
                per_hour(band.pace),
                needed.unwrap_or_default()
            )
        }
        Outlook::Done | Outlook::Refused(_) => String::new(),
    };
    let late = if is_late { "LATE" } else { "" };
    [
        finish.outlook.words(now.ms, &now.zone),
        late.to_owned(),
        pace,
    ]
}

/// `FINISH  Mon 14:00 to Tue 11:00: LATE. 16 an hour, 19 needed until Fri`.
fn finish_line<'a>(board: &ReleaseBoard, room: usize, context: Context<'_>) -> Vec<Span<'a>> {
    let theme = context.theme;
    let [ends, late, pace] = finish(board, &context.cx.shared, context.now, room);
    let [before, behind] = if late.is_empty() {
        ["", "   "]
    } else {
        [": ", ". "]
    };
    vec![
        Span::styled("  FINISH  ", theme.text()),
        Span::styled(ends, theme.text()),
        Span::styled(before, theme.text()),
        Span::styled(late, theme.bad()),
        Span::styled(format!("{behind}{pace}"), theme.muted()),
    ]
}

/// How many suites are in no open run, as far as that was read; and when.
fn in_no_run(board: &ReleaseBoard, shared: &Shared, now: &Now) -> Option<[String; 2]> {
    let read = shared.in_no_run.get(&board.version)?;
    let suites = text::count(usize::try_from(read.suites).unwrap_or(usize::MAX), "suite");
    let words = if read.is_sure {
        format!("{suites} can be added to every open run: in none of them")
    } else {
        format!("At most {suites} are in no open run")
    };
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

/// What the board says, to be copied.
pub fn summary(board: &ReleaseBoard, cx: &Cx) -> Summary {
    let shared = &cx.shared;
    let now = Now {
        ms: cx.now,
        zone: shared.in_use().watch.zone.clone(),
    };
    let all = &board.board;
    let session = shared.in_use();
    let subproject = session.subproject.iter().map(|it| format!("/{it}"));
    let of = session.project.clone() + &text::join(subproject, "");
    let percent = all
        .all
        .percent()
        .map_or("-".to_owned(), |it| format!("{it} %"));
    let left = text::thousands(all.all.left);
    let mut head = vec![format!(
        "Release {} of {of}: {percent} done, {left} left",
        board.version
    )];
    head.extend(due(board, shared, &now).map(|(words, _)| words));
    if !board.criteria.is_empty() {
        head.push(ready(board, &now));
    }
    head.extend(board.criteria.iter().map(|criterion| {
        let [word, name, numbers] = judged(criterion);
        format!("{word}: {name}: {numbers}")
    }));
    if board.rows().contains(&BoardRow::Finish) {
        let parts = finish(board, shared, &now, WIDE);
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        head.push(format!("FINISH {}", text::join(parts, ", ")));
    }
    head.extend(in_no_run(board, shared, &now).map(|words| words.concat()));
    let columns = 0..=all.configurations.len();
    let headings = columns
        .clone()
        .map(|column| heading(all, column).to_owned());
    let row = |row: usize| {
        let kind = all.kinds.get(row).map_or("all", |kind| &kind.shown);
        let cell = |column| {
            let words = words(board, row, column);
            table::Cell::Text(words.map_or(String::new(), |it| it.0.trim().to_owned()))
        };
        let left = board.sums(row, all.configurations.len());
        let left = table::Cell::number(left.map(|sums| sums.left));
        let cells = columns.clone().map(cell);
        [table::Cell::Text(kind.to_owned())]
            .into_iter()
            .chain(cells)
            .chain([left])
            .collect()
    };
    Summary {
        name: format!("the board of {}", board.version),
        file: "board",
        head,
        table: table::Table {
            headings: ["Kind".to_owned()]
                .into_iter()
                .chain(headings)
                .chain(["left".to_owned()])
                .collect(),
            rows: (0..=all.kinds.len()).map(row).collect(),
        },
        foot: vec![counted(board)],
        json: json(board, shared),
    }
}

/// The sums of each cell for programs.
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
    let members = json!({
        "version": board.version,
        "due": due.map(|(at, _)| json::time(at)),
        "sums": sums(&all.all),
        "cells": all.cells.iter().map(cell).collect::<Vec<Value>>(),
    });
    json::whole("board", members)
}

/// How many runs are counted, and what is not known of them.
pub fn counted(board: &ReleaseBoard) -> String {
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
