//! Drawing of the monitor: totals, a row for each run with the worst first, and the failures of today.

use crate::screens::prelude::*;
use std::collections::HashMap;

use ratatui::buffer::Buffer;

use super::{Monitor, RunEnd, RunTrouble, Totals, WatchedRun};
use crate::domain::fields::{MORE, percent};
use crate::domain::query_language::RunCount;
use crate::domain::{LimitState, MOST_WATCHED, Only, Sort, Sums, View, local};
use crate::forecast::Outlook;
use crate::ui::run_cells::{self, id_width};
use crate::ui::{bar, changes, counts, fields, figures};

/// Smallest body, in columns and rows, for large totals.
const WALL: (u16, u16) = (110, 31);
/// Smallest body for two large totals: 20 rows of screen with header and foot.
const TWO: (u16, u16) = (60, 17);
/// Smallest width at which a run may take two lines.
const TWO_LINES: u16 = 160;
/// Maximum number of columns of id and title beside a bar.
const TITLE: usize = 72;
/// Columns of failed and blocked cases; the numbers end below the headings.
const FAIL: usize = 4;
const BLOCK: usize = 5;
/// Columns of `+n` behind a number with a heading.
const MORE_TODAY: usize = 7;

/// Forms of the totals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Figures {
    /// All totals large, readable from afar.
    Wall,
    /// Cases left and failed large, the others in the line below.
    Two,
    Text,
}

/// Areas of the body.
struct Parts {
    figures: Figures,
    totals: Rect,
    heading: Rect,
    rows: Rect,
    /// Lines for each run.
    lines: u16,
    /// Line for the runs without a row.
    rowless: Option<Rect>,
    feed: Rect,
}

impl Parts {
    fn of(monitor: &Monitor, area: Rect) -> Self {
        let runs = u16::try_from(monitor.order.len()).unwrap_or(u16::MAX);
        let figures = match (area.width, area.height) {
            _ if area.width >= WALL.0 && area.height >= WALL.1 => Figures::Wall,
            _ if area.width >= TWO.0 && area.height >= TWO.1 => Figures::Two,
            _ => Figures::Text,
        };
        let large = figures::ROWS as u16;
        // With little room the figures become text, then the feed is left out.
        let (top, totals, heading, feed) = match (figures, area.height) {
            (Figures::Wall, _) => (1, large + 2, 1, 6),
            (Figures::Two, _) => (0, large + 1, 1, 4),
            (Figures::Text, 14..) => (0, 1, 1, 4),
            (Figures::Text, 9..) => (0, 1, 1, 0),
            (Figures::Text, _) => (0, 1, 0, 0),
        };
        let used = top + totals + heading;
        let room = area.height.saturating_sub(used + feed).max(1);
        let fits_twice = runs.saturating_mul(2) < room;
        let lines = 1 + u16::from(area.width >= TWO_LINES && fits_twice);
        let wanted = runs.saturating_mul(lines).max(1);
        let rest = u16::from(wanted > room || monitor.totals.finished > 0).min(room - 1);
        let rows = wanted.min(room - rest);
        let at = |y: u16, height: u16| frame::split(frame::below(area, y), height).0;
        let below = used + rows + rest;
        // A blank row before the feed if there is room.
        let gap = u16::from(figures == Figures::Wall && area.height > below + feed);
        Self {
            figures,
            totals: at(top, totals),
            heading: at(top + totals, heading),
            rows: at(used, rows),
            lines,
            rowless: (rest > 0).then(|| at(used + rows, 1)),
            feed: frame::below(area, below + gap),
        }
    }
}

impl Draw for Monitor {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let parts = Parts::of(self, area);
        totals(context, self, &parts, on.buffer);
        on.layout.rows = Some((parts.rows.height / parts.lines).max(1));
        let top = if self.turn.is_some() {
            0
        } else {
            self.scroll.top * usize::from(parts.lines)
        };
        on.layout.list = Some((parts.rows, top));
        on.layout.click_rows(parts.rows);
        if self.order.is_empty() {
            let place = Rect {
                height: area.bottom().saturating_sub(parts.heading.y),
                ..parts.heading
            };
            no_runs(context, self, place, on.buffer);
        } else {
            let table = table(context, self, area.width, parts.lines);
            table.draw_heading(on, parts.heading);
            rows(context, self, &table, &parts, on.buffer);
        }
        if let Some(rest) = parts.rowless {
            rowless_line(context, self, &parts, rest, on.buffer);
        }
        if !self.order.is_empty() || self.totals.finished > 0 {
            feed(context, self, parts.feed, on.buffer);
        }
    }

    fn title(&self, project: &str) -> String {
        let origin = &self.origin;
        let list = origin.list.as_ref().map(|(view, _)| view);
        let built_in = list.filter(|view| View::built_in().contains(view));
        let runs = match origin.view.as_deref() {
            None if self.runs.len() == 1 => "1 run".to_owned(),
            None => format!("{} runs", text::thousands(self.runs.len())),
            Some(name) => match built_in.map(|view| view.only) {
                Some(Some(Only::Mine)) => "my runs".to_owned(),
                Some(Some(Only::Today)) => "runs of today".to_owned(),
                Some(Some(Only::NewFailures)) => "runs with new failures".to_owned(),
                Some(None) => format!("{} runs", name.to_lowercase()),
                None => format!("\"{name}\""),
            },
        };
        let first = part(self);
        let of = if project.is_empty() { "" } else { " of " };
        let chosen = origin.list.as_ref().filter(|_| origin.names.is_none());
        let chosen = chosen.map(|(_, chosen)| chosen.words());
        let chosen = chosen.filter(|words| !words.is_empty());
        let chosen = chosen.map_or(String::new(), |words| format!(" · {words}"));
        format!("Monitor: {first}{runs}{of}{project}{chosen}")
    }

    fn clock(&self, context: Context<'_>) -> Option<String> {
        let clock = context.now.day_and_clock();
        Some(match (&self.asked.failure, self.shown_as_of()) {
            (Some(_), Some(at)) => format!(" OLD: read {} ", context.now.when(at)),
            (Some(_), None) => " nothing read yet ".into(),
            _ if context.paused => format!("paused  {clock}"),
            _ => clock,
        })
    }

    fn status(&self, context: Context<'_>) -> String {
        let mut parts = Vec::new();
        if let Some(failure) = &self.asked.failure {
            let shared = &context.cx.shared;
            let again = shared.key_does(Layer::Monitor, &Action::Refresh, "tries again");
            parts.push(format!("could not read ({again}): {}", failure.cause));
        }
        let read = match self.shown_as_of() {
            Some(at) => format!("read {}", context.now.when(at)),
            None if self.busy() => "reading…".into(),
            None => "nothing read yet".into(),
        };
        parts.push(read);
        // The remark on the run under the cursor tells it, too.
        let is_over = |run: &WatchedRun| run.standing.over;
        if let Some(limit) = &self.limit
            && !self.current().is_some_and(is_over)
        {
            parts.push(format!("limit: {}", limit.text));
        }
        parts.extend(missing(self));
        parts.push(format!("every {} s", self.every));
        if self.bell {
            parts.push("bell on".into());
        }
        if self.chosen.order.is_none() {
            parts.push("worst: late, over, new failures, blocked, finish".into());
        }
        parts.join("   ")
    }

    fn remark(&self, context: Context<'_>) -> Option<String> {
        let run = self.current()?;
        let mut parts = Vec::new();
        let standing = run.standing;
        if let Some(due) = standing.due {
            let due = context.now.due(due);
            parts.push(match standing.end {
                _ if !standing.late => format!("due {due}"),
                RunEnd::At(at) => format!("LATE, due {due}, forecast {}", context.now.about(at)),
                _ => format!("LATE, due {due}"),
            });
        }
        match &run.limit_state {
            // With the words on a late run there is no room for more.
            Some(LimitState::Over { why, .. }) if standing.late => parts.push(why.clone()),
            Some(LimitState::Over { why, .. }) => parts.push(format!("over the limit: {why}")),
            Some(LimitState::Unknown(names)) => {
                parts.push(format!("limit not known: no number of {names}"));
            }
            Some(LimitState::Within) | None => {}
        }
        (!parts.is_empty()).then(|| format!("{}: {}", run.run.name(), parts.join("; ")))
    }
}

/// A figure of the totals, with sign, label, and its style if it is not zero.
struct Total {
    number: u64,
    /// Text of the large figure.
    figure: String,
    sign: &'static str,
    /// Label in a line, and below a large figure.
    words: [String; 2],
    style: Style,
}

/// Totals in two groups: left, failed and blocked cases; late runs and runs over the limit, each only if a due date or
/// limit is set.
fn figures_of(context: Context<'_>, monitor: &Monitor) -> (Vec<Total>, Vec<Total>) {
    let theme = context.theme;
    let Totals {
        sums,
        late,
        may_be_late,
        over,
        ..
    } = &monitor.totals;
    let left = sums.all.left;
    let since = context.cx.shared.earlier.since(refs(monitor));
    let failed_words = match (sums.failed_today, since) {
        (None, _) => "failed".to_owned(),
        (Some(_), None) => "new failures".to_owned(),
        (Some(_), Some(at)) => format!("new since {}", context.now.short(at)),
    };
    // Zero and old figures have no colour.
    let total = |number, sign, words: [&str; 2], style: Style| Total {
        number,
        figure: format!("{sign}{}", text::thousands(number)),
        sign,
        words: words.map(str::to_owned),
        style: match number {
            _ if monitor.asked.failure.is_some() => theme.muted(),
            0 => theme.text().bold(),
            _ => style.bold(),
        },
    };
    let cases = if left == 1 { "case left" } else { "cases left" };
    let (failed, sign) = match sums.failed_today {
        Some(today) => (today, "+"),
        None => (sums.all.at(ResultCode::FAILED), ""),
    };
    // The column Block has both.
    let blocked = match sums.all.at(ResultCode::ON_HOLD) {
        0 => "blocked".to_owned(),
        held => format!("blocked, {} on hold", text::thousands(held)),
    };
    let counted = vec![
        total(left, "", ["left", cases], theme.text()),
        total(failed, sign, [&failed_words, &failed_words], theme.bad()),
        total(
            sums.all.at(&[ResultCode::Blocked]),
            "",
            [&blocked, &blocked],
            theme.warn(),
        ),
    ];
    let words = if *may_be_late { "LATE so far" } else { "LATE" };
    let late = late.map(|late| total(late, "", [words, words], theme.warn()));
    let words = ["OVER LIMIT", "over the limit"];
    let over = over.map(|over| total(over, "", words, theme.bad()));
    (counted, late.into_iter().chain(over).collect())
}

/// Percentage done and forecast end of all runs, shown where there are large figures. Their label in a line is all of
/// the words.
fn on_time(context: Context<'_>, monitor: &Monitor) -> (Option<Total>, Option<Total>) {
    let (theme, now) = (context.theme, context.now);
    let muted = monitor.asked.failure.is_some();
    let total = |figure: String, words: [String; 2], style: Style| Total {
        number: 1,
        figure,
        sign: "",
        words,
        style: if muted { theme.muted() } else { style.bold() },
    };
    let done = monitor.totals.sums.all.share();
    let done = done.map(|done| {
        let words = [format!("{done}% done"), "done".to_owned()];
        total(format!("{done}%"), words, theme.text())
    });
    let finish = monitor.finish.as_ref().filter(|_| done.is_some());
    let finish = finish.and_then(|finish| match &finish.outlook {
        Outlook::Band(band) => {
            let at = band.middle;
            let is_late = release_due(context, monitor).is_some_and(|due| due < at);
            let style = if is_late { theme.warn() } else { theme.text() };
            let day = local(at, &now.zone)?.day();
            let in_a_line = format!("finish {}", now.when(at));
            let (figure, words) = if now.is_today(at) {
                (now.clock(at), "finish today".to_owned())
            } else {
                (day.to_string(), format!("finish {}", now.short(at)))
            };
            Some(total(figure, [in_a_line, words], style))
        }
        Outlook::Refused(_) => {
            let words = ["no forecast"; 2].map(str::to_owned);
            Some(total("-".to_owned(), words, theme.text()))
        }
        Outlook::Done => None,
    });
    (done, finish)
}

/// Due date of the release that all runs belong to, epoch milliseconds.
fn release_due(context: Context<'_>, monitor: &Monitor) -> Option<i64> {
    let version = monitor.version.as_deref()?;
    Some(context.cx.shared.release_due(version)?.0)
}

fn refs(monitor: &Monitor) -> impl Iterator<Item = &DocRef> {
    monitor.runs.iter().map(|run| &run.run.doc_ref)
}

/// Note about runs that are missing in the sums.
fn without(totals: &Totals) -> Option<String> {
    if totals.uncounted {
        return Some("no results from this service".into());
    }
    counts::without_results(&totals.sums.all)
}

/// Draws the totals, as large as there is room. Before the first reading nothing is drawn, as zero would be wrong.
fn totals(context: Context<'_>, monitor: &Monitor, parts: &Parts, buffer: &mut Buffer) {
    let (theme, area) = (context.theme, parts.totals);
    if monitor.read_at.is_none() && monitor.runs.is_empty() {
        return;
    }
    let without = without(&monitor.totals);
    if monitor.totals.uncounted || monitor.totals.sums.all.known().is_none() {
        let words = format!("   {}", without.unwrap_or_default());
        let row = u16::from(parts.figures != Figures::Text);
        return frame::line(buffer, area, row, Span::styled(words, theme.warn()));
    }
    let (mut counted, mut wrong) = figures_of(context, monitor);
    let (done, finish) = on_time(context, monitor);
    let late = monitor.totals.late;
    let late = late.filter(|_| parts.figures != Figures::Text);
    let late = late.map(|_| wrong.remove(0));
    let (large, each) = match parts.figures {
        Figures::Wall => {
            let blocked = counted.pop();
            counted = done
                .into_iter()
                .chain(counted)
                .chain(late)
                .chain(finish)
                .collect();
            let large = counted.len();
            counted.extend(blocked);
            (large, (area.width - 3) / large.max(5) as u16)
        }
        Figures::Two => {
            let on_time = done.into_iter().chain(finish);
            let lines = on_time.map(|it| (it.words[0].clone(), it.style));
            let late = late.map(|it| (format!("{} {}", it.figure, it.words[0]), it.style));
            let lines = lines.chain(late);
            let place = frame::from_column(area, 43);
            frame::lines(
                buffer,
                place,
                lines.map(|(words, style)| Span::styled(words, style)),
            );
            (2, 20)
        }
        Figures::Text => (0, 0),
    };
    let rest = counted.split_off(large);
    // Of figures side by side no one looks the largest that is not.
    let columns = usize::from(each).saturating_sub(2);
    let large_signs = counted.iter().all(|it| figures::fits(&it.figure, columns));
    for (total, place) in counted.iter().zip(0..) {
        let place = Rect {
            x: area.x + 3 + each * place,
            width: each,
            ..area
        };
        let rows = figures::rows(&total.figure, large_signs);
        let rows = rows.into_iter().map(|it| Span::styled(it, total.style));
        frame::lines(buffer, place, rows);
        let words = text::fit(&total.words[1], usize::from(each) - 1);
        let words = Span::styled(words, theme.text());
        frame::line(buffer, place, figures::ROWS as u16, words);
    }
    let is_wall = parts.figures == Figures::Wall;
    let due = release_due(context, monitor).map(|at| format!("due {}", context.now.due(at)));
    let due = due.filter(|_| is_wall);
    let due = due.map(|words| Span::styled(words, theme.text()));
    let not_run = monitor.totals.sums.all.not_run;
    let not_run = (not_run > 0).then(|| format!("{} not run", text::thousands(not_run)));
    let muted = not_run.into_iter().chain(without);
    let muted = muted.map(|words| Span::styled(words, theme.muted()));
    let beside: Vec<Span<'static>> = due.into_iter().chain(muted).collect();
    let row = figures::ROWS as u16;
    let (before, row) = match parts.figures {
        Figures::Wall => (3, row + 1),
        Figures::Two => (3 + each * large as u16, row),
        Figures::Text if area.width < 60 => (1, 0),
        Figures::Text => (3, 0),
    };
    let place = frame::from_column(area, before);
    let words = in_a_line((rest, wrong), &beside, place.width.into());
    frame::line(buffer, place, row, words);
}

/// Totals side by side. With little room each has one word, zeros of the second group are left out, and that group
/// comes before blocked cases.
fn in_a_line(
    totals: (Vec<Total>, Vec<Total>),
    beside: &[Span<'static>],
    room: usize,
) -> Vec<Span<'static>> {
    let (mut counted, mut wrong) = totals;
    let words = |total: &Total, short: bool| {
        let label = match &total.words[0] {
            long if short => long.split([' ', ',']).next().unwrap_or_default(),
            long => long.as_str(),
        };
        let number = text::thousands(total.number);
        Span::styled(format!("{}{number} {label}", total.sign), total.style)
    };
    let all = |counted: &[Total], wrong: &[Total], short: bool| -> Vec<Span<'static>> {
        counted
            .iter()
            .chain(wrong)
            .map(|total| words(total, short))
            .chain(beside.iter().cloned())
            .collect()
    };
    let width = |words: &[Span<'_>]| words.iter().map(|span| span.width() + 1).sum::<usize>();
    let mut shown = all(&counted, &wrong, false);
    if width(&shown) > room {
        wrong.retain(|total| total.number > 0);
        let blocked: Vec<Total> = counted.pop().into_iter().collect();
        counted.append(&mut wrong);
        shown = all(&counted, &blocked, true);
    }
    let gaps = shown.len().saturating_sub(1);
    let gap = room.saturating_sub(width(&shown) - gaps).checked_div(gaps);
    let gap = " ".repeat(gap.unwrap_or(1).clamp(1, 6));
    let spaced = shown
        .into_iter()
        .flat_map(|word| [Span::raw(gap.clone()), word]);
    let mut left = room;
    let fitted = spaced.skip(1).map(|word| {
        let mut words = text::fit(&word.content, left);
        // A number alone would not show what it counts.
        if word.content.contains(' ') && !words.contains(' ') {
            words = text::fit("…", left);
        }
        left -= text::width(&words);
        Span::styled(words, word.style)
    });
    fitted.collect()
}

/// Indexes of the columns.
const RUN: usize = 1;
const DONE: usize = 2;
const BAR: usize = 3;
const FAILED: usize = 4;
const BLOCKED: usize = 5;
const LEFT: usize = 6;
const WHY: usize = 9;

/// Width of the visible ids.
fn ids(monitor: &Monitor) -> usize {
    let places = monitor.on_screen().into_iter();
    let runs = places.filter_map(|place| monitor.at(place));
    id_width(runs.map(|run| run.run.name()))
}

/// Columns of the table. If there is room, the first heading has the order, and those of the counts have the start of
/// `+n`.
fn table(context: Context<'_>, monitor: &Monitor, width: u16, lines: u16) -> Table {
    let since = counts::since(context, refs(monitor));
    let since = since.map_or_else(String::new, |since| {
        format!(" +{}", since.trim_start_matches("since "))
    });
    let counted = |heading: &str, width: usize| {
        let long = format!("{heading}{since}");
        if text::width(&long) <= width {
            long
        } else {
            heading.to_owned()
        }
    };
    let by = Choice::Sort;
    let (narrow, wide) = (width < 60, width >= 110);
    let done = context.cx.shared.done_codes();
    let seen = monitor.on_screen().into_iter();
    let seen = seen.filter_map(|place| Some(monitor.at(place)?.run.row()));
    let seen: Vec<RunRow> = seen.collect();
    let (title, fail, block) = match width {
        ..60 => (12, FAIL + MORE, BLOCK - 1),
        60..80 => (16, FAIL + MORE, BLOCK),
        _ => (28, FAIL + MORE_TODAY, BLOCK + MORE),
    };
    // Without a `+n` its cells are blank, unless a number needs them.
    let has_more = |run: &WatchedRun| run.standing.new_failures + run.standing.more_blocked > 0;
    let has_more = !since.is_empty() || monitor.listed().any(has_more);
    let spare = |cells: usize, least: usize, codes| {
        let numbers = seen.iter().map(|row| run_cells::number(row, codes));
        let needs = text::widest(numbers).max(least);
        cells.saturating_sub(if has_more { cells } else { needs })
    };
    let spares = [
        spare(fail, FAIL, ResultCode::FAILED),
        spare(block, BLOCK, ResultCode::BLOCKED),
    ];
    let blocked = if narrow {
        "Blk".to_owned()
    } else {
        counted("Block", block - spares[1])
    };
    let failed = Column {
        spare: spares[0],
        ..Column::new(counted("Fail", fail - spares[0]), fail, 1).sorted_by(by("failed"))
    };
    let blocked = Column {
        right: narrow,
        spare: spares[1],
        ..Column::new(blocked, block, 2).sorted_by(by("blocked_or_on_hold"))
    };
    let any = |told: fn(&WatchedRun) -> bool| wide && monitor.listed().any(told);
    let run = ids(monitor) + 1 + title;
    let sums = seen.iter().filter_map(|row| row.sums(done));
    let left = text::widest(sums.map(|sums| counts::number(Some(sums.left()))));
    let columns = vec![
        Column::new("", 2, 0).behind(0),
        Column::new("Run", run, 0)
            .up_to(TITLE.max(run))
            .behind(0)
            .sorted_by(by("title")),
        Column::new("Done", 4, 4)
            .numbers()
            .only_if(!narrow)
            .sorted_by(by("done")),
        Column::new("", 10, 9).up_to(usize::MAX).only_if(lines == 1),
        failed,
        blocked,
        Column::new("Left", left.max(if narrow { 4 } else { 5 }), 1)
            .numbers()
            .sorted_by(by("left")),
        Column::new("Finish", if wide { 11 } else { 9 }, 3).behind(if narrow { 1 } else { 2 }),
        Column::new("Due", 14, 5).only_if(any(|run| run.standing.due.is_some())),
        Column::new("", 9, 4).only_if(any(|run| run.standing.bad())),
    ];
    let first = format!("Run, {}", order_words(monitor.chosen.order.as_ref()));
    Table::lay_out(columns, usize::from(width)).headed(RUN, &first)
}

fn order_words(order: Option<&Sort>) -> String {
    let Some((order, field)) = order.and_then(|order| Some((order, order.field()?))) else {
        return "worst first".into();
    };
    let label = field.column.map_or(field.label, |column| column.heading);
    format!("by {label} {}", order.arrow())
}

fn rows(
    context: Context<'_>,
    monitor: &Monitor,
    table: &Table,
    parts: &Parts,
    buffer: &mut Buffer,
) {
    let theme = context.theme;
    let area = parts.rows;
    let ids = ids(monitor);
    for (line, place) in (0..).step_by(parts.lines.into()).zip(monitor.on_screen()) {
        let Some(run) = monitor.at(place) else {
            continue;
        };
        if line + parts.lines > area.height {
            break;
        }
        let mut of_run = run.run.row();
        of_run.results.take_if(|_| monitor.totals.uncounted);
        let cells = row(context, run, &of_run, table, ids);
        frame::line(buffer, area, line, table.row(cells));
        if parts.lines == 2
            && let Some(counts) = &of_run.results
        {
            let before = 3 + ids;
            let width = usize::from(area.width).saturating_sub(before + 1);
            let mut spans = vec![Span::raw(" ".repeat(before))];
            spans.extend(bar::spans(counts, width, theme));
            frame::line(buffer, area, line + 1, spans);
        }
        let here = place == monitor.scroll.cursor;
        frame::cursor(buffer, area, line, here, theme);
        // The cursor covers the sign of a bad run, so the sign is drawn beside it; pinned runs have theirs in the same
        // cell.
        let sign = match (monitor.is_pinned(run), here && run.standing.bad()) {
            (_, true) => "!",
            (true, false) => "^",
            _ => continue,
        };
        buffer[(area.x + 1, area.y + line)].set_symbol(sign);
    }
}

/// Cells of a run.
fn row(
    context: Context<'_>,
    run: &WatchedRun,
    row: &RunRow,
    table: &Table,
    ids: usize,
) -> [Cell<'static>; 10] {
    let theme = context.theme;
    let standing = run.standing;
    let old = run.trouble.is_some();
    let mut base = if old { theme.muted() } else { theme.text() };
    if standing.bad() {
        base = base.bold();
    }
    let over: &[RunCount] = match &run.limit_state {
        Some(LimitState::Over { counts, .. }) => counts,
        _ => &[],
    };
    let style = |count: RunCount| {
        if over.contains(&count) {
            theme.bad().bold()
        } else {
            base
        }
    };
    // A figure over the limit has the sign of its row.
    let signed = |count: RunCount, number: String, room: usize| {
        if over.contains(&count) && text::width(&number) < room {
            format!("!{number}")
        } else {
            number
        }
    };
    let sums = row.sums(context.cx.shared.done_codes());
    let title = row.title.as_deref().unwrap_or_default();
    let name = format!("{} {title}", text::pad(row.name(), ids));
    let sign = if standing.bad() { "! " } else { "  " };
    let sign_style = match (standing.over, standing.late) {
        _ if old => base,
        (true, _) => theme.bad().bold(),
        (false, true) => theme.warn().bold(),
        (false, false) => base,
    };
    let done = percent(sums.and_then(Sums::share));
    let counts = row.results.as_ref();
    let bar = counts.map(|counts| bar::spans(counts, table.width(BAR), theme));
    let earlier = &context.cx.shared.earlier;
    let number = |codes| counts::number(counts.and_then(|counts| counts.exact(codes)));
    let failed = signed(
        RunCount::Failed,
        number(ResultCode::FAILED),
        table.width(FAILED),
    );
    let blocked = earlier
        .more_blocked(row)
        .filter(|_| table.width(BLOCKED) > BLOCK);
    let left = counts::number(sums.map(Sums::left));
    let due = standing.due;
    let due = due.map(|at| format!("due {}", context.now.due(at)));
    [
        Cell::text(sign, sign_style),
        Cell::text(name, base),
        Cell::text(
            signed(RunCount::Done, done, table.width(DONE)),
            style(RunCount::Done),
        ),
        Cell::Spans(bar.unwrap_or_default()),
        counts::with_more(
            &failed,
            earlier.more_failed(row),
            FAIL,
            table.width(FAILED),
            [style(RunCount::Failed), theme.bad()],
        ),
        counts::with_more(
            &number(ResultCode::BLOCKED),
            blocked,
            BLOCK,
            table.width(BLOCKED),
            [base, theme.warn()],
        ),
        Cell::text(
            signed(RunCount::Left, left, table.width(LEFT)),
            style(RunCount::Left),
        ),
        // Without a column for it, LATE takes the place of the forecast; the status line shows both.
        if standing.late && table.width(WHY) == 0 {
            Cell::Spans(why(context, run))
        } else {
            Cell::text(finish(context, run), base)
        },
        Cell::text(due.unwrap_or_default(), base),
        Cell::Spans(why(context, run)),
    ]
}

/// Forecast end of a run, or the reason why there is none.
fn finish(context: Context<'_>, run: &WatchedRun) -> String {
    match (run.trouble, run.standing.end) {
        (Some(RunTrouble::Gone), _) => "not found".into(),
        (Some(RunTrouble::NotSeen), _) => "not seen".into(),
        (Some(RunTrouble::NotRead), _) => "not read".into(),
        (_, RunEnd::Finished) => "done".into(),
        (_, RunEnd::Closed) => "closed".into(),
        (_, RunEnd::NotBegun) => "not begun".into(),
        (_, RunEnd::At(at)) => context.now.about(at),
        (_, RunEnd::Unknown) => match &run.outlook {
            Some(Outlook::Refused(why)) => why.word().into(),
            _ => "-".into(),
        },
    }
}

/// Reasons why a run comes before others.
fn why(context: Context<'_>, run: &WatchedRun) -> Vec<Span<'static>> {
    let theme = context.theme;
    let mut words = Vec::new();
    if run.standing.late {
        let style = theme.warn().bold();
        words.push(Span::styled("LATE ", style));
    }
    if run.standing.over {
        words.push(Span::styled("OVER", theme.text().bold()));
    }
    words
}

/// Draws the line of runs without a row: the finished ones and those that do not fit.
fn rowless_line(
    context: Context<'_>,
    monitor: &Monitor,
    parts: &Parts,
    area: Rect,
    buffer: &mut Buffer,
) {
    let len = monitor.order.len();
    let shown = usize::from(parts.rows.height / parts.lines);
    let on_screen = monitor.on_screen();
    let hidden = len - on_screen.len();
    let places = (0..len).filter(|place| !on_screen.contains(place));
    let is_late = |place: &usize| monitor.at(*place).is_some_and(|run| run.standing.late);
    let late = match places.filter(is_late).count() {
        0 => String::new(),
        late => format!(", {late} LATE"),
    };
    let more = match monitor.turn {
        Some(_) if hidden > 0 => format!("{hidden} more, in turn"),
        _ => monitor.scroll.more(len, shown),
    };
    let finished = monitor.totals.finished;
    let mut words = String::from("  ");
    if finished > 0 {
        words += &text::thousands(finished);
        words += " finished";
        let taken = text::width(&words) + text::width(&more) + 6;
        let mut room = usize::from(area.width).saturating_sub(taken);
        let names = monitor
            .runs
            .iter()
            .filter(|run| run.standing.folded())
            .map(|run| text::cells(run.run.name()))
            .take_while(|name| {
                let width = text::width(name) + 1;
                let fits = width <= room;
                room = room.saturating_sub(width);
                fits
            })
            .collect::<Vec<_>>()
            .join(" ");
        let named = area.width >= 60 && !names.is_empty();
        if named {
            words += ": ";
            words += &names;
        }
        if !more.is_empty() {
            words += if named { "   " } else { ", " };
        }
    }
    words += &more;
    words += &late;
    let words = Span::styled(words, context.theme.muted());
    frame::line(buffer, area, 0, words);
}

/// Draws the failures and blocked cases that were seen today, and other messages of these runs.
fn feed(context: Context<'_>, monitor: &Monitor, area: Rect, buffer: &mut Buffer) {
    if area.height < 2 {
        return;
    }
    let wide = area.width >= WALL.0;
    let runs = monitor.runs.iter().map(|run| (&run.run.doc_ref, &run.run));
    let watched: HashMap<&DocRef, &Arc<Run>> = runs.collect();
    let title = |run: Option<&DocRef>| watched.get(run.filter(|_| wide)?)?.title();
    let is_watched = |run: &DocRef| watched.contains_key(run);
    let ids = id_width(watched.values().map(|run| run.name()));
    let table = changes::table((5, ids), wide, area.width.into());
    let entries = context.cx.shared.feed.entries.iter();
    let lines: Vec<_> = entries
        .filter(|entry| context.now.is_today(entry.at))
        .filter(|entry| entry.run.as_ref().is_none_or(is_watched))
        .filter_map(|entry| changes::failures(context, &table, entry, title(entry.run.as_ref())))
        .collect();
    let hidden = lines.len().saturating_sub(usize::from(area.height) - 1);
    let more = match hidden {
        0 => String::new(),
        hidden => format!(", {hidden} more"),
    };
    let key = context
        .cx
        .shared
        .key(Layer::Monitor, &Action::Show(Layer::Changes));
    let key = key.filter(|_| wide);
    let key = key.map_or_else(String::new, |key| format!("; {key}: all changes"));
    let right = format!("newest first{more}{key}");
    let left = "Failures and blocks";
    let inside = frame::pane(buffer, area, left, &right, context.theme, false);
    if lines.is_empty() {
        let words = Span::styled(
            "  none between the readings of today",
            context.theme.muted(),
        );
        return frame::line(buffer, inside, 0, words);
    }
    frame::lines(buffer, inside, lines);
}

/// Draws the reason why there is no run.
fn no_runs(context: Context<'_>, monitor: &Monitor, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width).saturating_sub(4);
    let lines = match &monitor.asked.failure {
        Some(failure) => fields::failure(failure, width),
        None if monitor.read_at.is_none() => vec!["Reading the runs…".into()],
        None if monitor.totals.finished > 0 => vec!["All runs are finished.".into()],
        None => match &monitor.origin.view {
            Some(view) => vec![format!("View \"{view}\" has no runs now.")],
            None => vec!["There are no runs to watch.".into()],
        },
    };
    let lines = lines
        .into_iter()
        .chain(missing(monitor))
        .flat_map(|line| text::wrap(&line, width, 4))
        .map(|line| Span::styled(format!("  {line}"), context.theme.text()));
    frame::lines(buffer, frame::below(area, 1), lines);
}

/// Runs named by the view that no list has shown, and runs that could not be read.
fn missing(monitor: &Monitor) -> impl Iterator<Item = String> {
    let is_here = |id: &str| monitor.runs.iter().any(|run| run.run.id() == Some(id));
    let names = monitor.origin.names.iter().flatten();
    let names = names.filter(|_| monitor.read_at.is_some());
    let unseen = names.filter_map(move |name| match name {
        DocumentName::Id(id) if !is_here(id) => Some(format!("{id} not seen")),
        _ => None,
    });
    let is_unread = |run: &&WatchedRun| run.trouble == Some(RunTrouble::NotRead);
    let unread = monitor.runs.iter().filter(is_unread);
    unseen.chain(unread.map(|run| format!("{} not read", run.run.name())))
}

/// Number of watched runs of a view, if these are not all.
fn part(monitor: &Monitor) -> String {
    let origin = &monitor.origin;
    let of_list = origin.names.is_none();
    let Some((found, extent)) = origin.found.filter(|(found, _)| of_list && *found > 0) else {
        return String::new();
    };
    let most = MOST_WATCHED as u64;
    // The size that the service reports is that of the list, without any filter on top.
    let size = extent.size.filter(|_| !origin.is_part());
    let all = size.filter(|size| *size > found);
    let more = if all.is_none() && !extent.is_complete {
        "+"
    } else {
        ""
    };
    let all = all.unwrap_or(found);
    match found {
        _ if found.min(most) == all && more.is_empty() => String::new(),
        _ if found >= most => {
            let (most, all) = (text::thousands(most), text::thousands(all));
            format!("first {most} of {all}{more} ")
        }
        _ if all == found => format!("{}{more} ", text::thousands(found)),
        _ => format!("{} of {} ", text::thousands(found), text::thousands(all)),
    }
}
