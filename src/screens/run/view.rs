//! Drawing of a run: results and cases left first, then suites, history, forecast and details; on one page if there is
//! room, else in tabs.

use crate::screens::prelude::*;
use ratatui::prelude::Buffer;

use super::history;
use super::{DETAILS, Detail, FORECAST, HISTORY, PARTS, RESULTS, SUITES};
use crate::attached::{Named, State};
use crate::domain::fields::{self as run, Field};
use crate::domain::{ResultCounts, Sums, files_of};
use crate::forecast::{NoForecast, Outlook, Settings};
use crate::screens::suites::called;
use crate::ui::frame::{Tab, split};
use crate::ui::run_cells::id_width;
use crate::ui::{bar, chart, counts, fields, suite};

/// Smallest size in columns and rows for one page.
const ONE_PAGE: (u16, u16) = (110, 31);
/// Minimum number of rows for blank lines.
const AIRY: u16 = 18;
/// Columns of the title in the line above the results.
const TITLE: usize = 18;
/// Minimum number of columns for the testers beside the results.
const BESIDE: usize = 70;
/// Column of these testers.
const TESTERS_AT: usize = 49;
/// Columns of a label of the details.
const LABEL: usize = 14;
/// Maximum number of lines of a description.
const LONGEST: usize = 5_000;
/// Maximum number of testers in a sentence.
const TESTERS: usize = 60;

/// Content of a pane.
struct Pane {
    title: String,
    right: String,
    lines: Vec<Line<'static>>,
}

impl Pane {
    fn new(title: impl Into<String>, lines: Vec<Line<'static>>) -> Self {
        Self {
            title: title.into(),
            right: String::new(),
            lines,
        }
    }

    /// Rows of the pane with its heading and a blank one.
    fn needs(&self) -> u16 {
        u16::try_from(self.lines.len() + 2).unwrap_or(u16::MAX)
    }
}

/// Draws the screen.
pub fn draw(detail: &Detail, on: &mut Surface<'_>, area: Rect) {
    let view = View {
        context: on.context,
        detail,
        row: detail.run.row(),
        one_page: area.width >= ONE_PAGE.0 && area.height >= ONE_PAGE.1,
    };
    let airy = area.height >= AIRY;
    view.head(area, airy, on.buffer);
    let below = |rows: u16| split(area, rows).1;
    if view.one_page {
        return view.page(below(3), on);
    }
    let tabs = 2 + u16::from(airy);
    // A missing tab has an empty name, so that the others keep their numbers.
    let name = |part| match part {
        FORECAST if !detail.has_forecast() => String::new(),
        part => view.tab_name(part),
    };
    let names: Vec<Tab> = (0..PARTS.len())
        .map(|part| Tab::new(name(part), ""))
        .collect();
    let chosen = Some(detail.part);
    frame::tabs(on, below(tabs), &names, chosen);
    view.tab(below(tabs + 1), on);
}

struct View<'a> {
    context: Context<'a>,
    detail: &'a Detail,
    /// The run with its newest counts.
    row: RunRow,
    one_page: bool,
}

/// Head, tabs and places of the panes.
impl View<'_> {
    fn muted(&self, words: impl Into<String>) -> Line<'static> {
        Line::styled(words.into(), self.context.theme.muted())
    }

    /// Wrapped and indented lines.
    fn wrapped(words: &str, columns: usize, style: Style) -> Vec<Line<'static>> {
        let lines = text::wrap(words, columns.saturating_sub(2), 20).into_iter();
        lines
            .map(|line| indented(Line::styled(line, style)))
            .collect()
    }

    fn document(&self) -> Option<&Document> {
        self.detail.document.value().map(|opened| &opened.document)
    }

    /// Draws name, status and due date of the run, with version, configuration and users below.
    fn head(&self, area: Rect, airy: bool, buffer: &mut Buffer) {
        let theme = self.context.theme;
        let width = usize::from(area.width);
        let (status, style) = match &self.row.status {
            Status::Active => ("OPEN".to_owned(), theme.text().bold()),
            Status::Inactive => ("CLOSED".to_owned(), theme.warn()),
            Status::Other(other) => (text::fit(other, 20), theme.warn()),
            Status::Missing => (String::new(), theme.text()),
        };
        let id = text::fit(self.row.id.as_deref().unwrap_or("-"), 20);
        let title = self.row.title.as_deref().unwrap_or("(no title)");
        let due = self.due();
        let due_columns: usize = due.iter().map(Span::width).sum();
        let used = text::width(&id) + due_columns + text::width(&status) + 4;
        let mut spans = vec![
            Span::styled(id, theme.accent()),
            Span::raw("  "),
            Span::styled(
                text::pad(title, width.saturating_sub(used)),
                theme.text().bold(),
            ),
        ];
        spans.extend(due);
        spans.extend([Span::raw("  "), Span::styled(status, style)]);
        frame::line(buffer, area, 0, spans);
        let meta = text::fit(&self.meta(), width);
        frame::line(buffer, area, 1, vec![Span::styled(meta, theme.muted())]);
        if let Some(failure) = self.detail.document.failure() {
            let again = self.then(", ", &Action::Refresh, "tries again");
            let words = format!("Not read{again}: {}", failure.cause);
            let words = text::pad(&words, width);
            let row = 1 + u16::from(airy);
            frame::line(buffer, area, row, vec![Span::styled(words, theme.bad())]);
        }
    }

    /// Due date, with LATE under the same condition as in the monitor.
    fn due(&self) -> Vec<Span<'static>> {
        let Context { now, theme, .. } = self.context;
        let Some(due) = self.due_at() else {
            return Vec::new();
        };
        let end = self.detail.outlook().and_then(Outlook::band);
        let end = end.map(|band| band.middle);
        let when = format!("  due {}", now.due(due));
        let done = self.context.cx.shared.done_codes();
        if self.row.is_late(Some(due), end, done, now.ms) == Some(true) {
            let late = Span::styled(" LATE", theme.warn().bold());
            vec![Span::styled(when, theme.warn()), late]
        } else {
            vec![Span::styled(when, theme.text())]
        }
    }

    /// Version, configuration, and who created, closed and edited the run; missing values are left out.
    fn meta(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.row.version.clone());
        let names = text::join(self.row.configurations(), ", ");
        parts.extend((!names.is_empty()).then_some(names));
        for (word, (at, ms), by) in [
            (
                "created",
                (&run::CREATED, Some(&run::CREATED_ON)),
                &run::CREATED_BY,
            ),
            ("closed", (&run::CLOSED, None), &run::CLOSED_BY),
            (
                "edited",
                (&run::EDITED, Some(&run::EDITED_ON)),
                &run::EDITED_BY,
            ),
        ] {
            let said = |field| self.text(field).filter(|said| !said.is_empty());
            let Some(words) = said(at) else { continue };
            let of_row = match at.holds {
                run::Holds::Time(_, of) => of(&self.row),
                _ => None,
            };
            let ms = ms.and_then(|ms| said(ms)?.parse().ok()).or(of_row);
            let now = self.context.now;
            let at = ms.map_or_else(|| fields::short_time(&words, now), |ms| now.short(ms));
            let by = said(by).map_or_else(String::new, |by| {
                format!(" by {}", self.context.cx.shared.person(&by))
            });
            parts.push(format!("{word} {at}{by}"));
        }
        if self.one_page && self.document().is_some_and(|it| description(it).is_none()) {
            parts.push("no description".into());
        }
        parts.join(" · ")
    }

    /// Text of a field: of the document, else of the row.
    fn text(&self, field: &Field) -> Option<String> {
        let said = self.document().and_then(|it| field.text(it));
        said.or_else(|| field.text_of(&self.row).map(str::to_owned))
    }

    fn tab_name(&self, part: usize) -> String {
        let files = self.document().map_or(0, |it| it.attachments().len());
        match part {
            SUITES => self.suites_title(),
            DETAILS if files > 0 => format!("Details, {}", text::count(files, "file")),
            part => PARTS[part].to_owned(),
        }
    }

    /// Draws one tab; below the results it adds as many suites as fit.
    fn tab(&self, area: Rect, on: &mut Surface<'_>) {
        let columns = usize::from(area.width);
        let part = self.detail.part;
        let pane = self.pane(part, columns, usize::from(area.height.saturating_sub(1)));
        let mut place = area;
        if part == RESULTS {
            let needed = pane.needs();
            if needed.saturating_add(3) <= area.height {
                let below;
                (place, below) = split(area, needed);
                let lines = self.suites_in_two(columns, usize::from(below.height) - 1);
                let mut pane = Pane::new(self.suites_title(), lines);
                let shared = &self.context.cx.shared;
                pane.right = shared.key_does(Layer::Detail, &Action::Part(1), "shows all");
                self.draw_pane(&pane, None, below, on);
            }
        }
        self.draw_pane(&pane, Some(part), place, on);
    }

    /// Draws all parts on one page.
    fn page(&self, area: Rect, on: &mut Surface<'_>) {
        let gap = 3;
        let left = Rect {
            width: (area.width - gap) / 2,
            ..area
        };
        let right = frame::from_column(area, left.width + gap);
        let mut draw = |part, pane: &Pane, place| {
            self.draw_pane(pane, Some(part), place, on);
        };
        let columns = usize::from(left.width);
        let results = self.results(columns);
        if self.detail.has_forecast() {
            let (top, below) = split(left, results.needs().min(area.height - 8));
            draw(RESULTS, &results, top);
            let forecast = self.forecast(columns, usize::from(below.height) - 1);
            draw(FORECAST, &forecast, below);
        } else {
            draw(RESULTS, &results, left);
        }

        let columns = usize::from(right.width);
        let suites = self.suites(columns);
        let history = self.history(columns);
        let details = self.details(columns);
        let third = area.height / 3;
        let details_at_least = details.needs().min(third);
        let suites_at_most = suites.needs().min(third);
        let room = area.height - details_at_least - suites_at_most;
        let (top, rest) = split(right, suites_at_most);
        draw(SUITES, &suites, top);
        let (middle, rest) = split(rest, history.needs().min(room.max(3)));
        draw(HISTORY, &history, middle);
        draw(DETAILS, &details, rest);
    }

    fn draw_pane(&self, pane: &Pane, part: Option<usize>, area: Rect, on: &mut Surface<'_>) {
        let theme = self.context.theme;
        // On one page an empty row follows each pane.
        let height = area.height.saturating_sub(1);
        let seen = if self.one_page && part != Some(DETAILS) && part != Some(FORECAST) {
            height.saturating_sub(1)
        } else {
            height
        };
        let last = u16::try_from(pane.lines.len())
            .unwrap_or(u16::MAX)
            .saturating_sub(seen);
        let top = part.map_or(0, |part| self.detail.tops[part]).min(last);
        let below = last - top;
        let right = if below > 0 && part.is_some() {
            format!("{below} more")
        } else {
            pane.right.clone()
        };
        let focus = part == Some(self.detail.part);
        // On one page a sign marks the focused pane.
        let sign = if focus && self.one_page { "> " } else { "" };
        let title = format!("{sign}{}", pane.title);
        let inside = frame::pane(on.buffer, area, &title, &right, theme, focus);
        for (row, line) in (0..seen).zip(pane.lines.iter().skip(usize::from(top))) {
            on.buffer
                .set_line(inside.x, inside.y + row, line, inside.width);
        }
        if let Some(part) = part {
            on.layout.click(area, Action::Part(part));
            on.layout.last_tops[part] = Some(last);
            if focus {
                on.layout.part = Some(seen);
            }
        }
    }

    fn pane(&self, part: usize, columns: usize, height: usize) -> Pane {
        match part {
            RESULTS => self.results(columns),
            SUITES => self.suites(columns),
            HISTORY => self.history(columns),
            FORECAST => self.forecast(columns, height),
            _ => self.details(columns),
        }
    }
}

/// A line of the results.
struct ResultLine {
    label: String,
    cases: u64,
    /// The code, if the line has one known code.
    code: Option<ResultCode>,
}

/// Results, testers, and the forecast in one line.
impl View<'_> {
    /// Text that names the key of an action of the run; empty if no key is bound to it.
    fn then(&self, sign: &str, action: &Action, does: &str) -> String {
        self.context
            .cx
            .shared
            .then_key(sign, Layer::Detail, action, does)
    }

    fn results(&self, columns: usize) -> Pane {
        let theme = self.context.theme;
        let mut pane = Pane::new(PARTS[RESULTS], Vec::new());
        let Some(found) = &self.row.results else {
            let counts = &self.detail.counts;
            let words = match counts.failure() {
                _ if counts.is_reading() => "reading…".to_owned(),
                Some(failure) => {
                    let again = self.then("; ", &Action::Refresh, "tries again");
                    format!("no results: {}{again}", failure.cause)
                }
                None => {
                    let more = self.then("; ", &Action::Raw, "for more");
                    format!("no results have come{more}")
                }
            };
            let words = text::wrap(&words, columns, 20).into_iter();
            pane.lines = words.map(|line| self.muted(line)).collect();
            return pane;
        };
        let as_of = if self.detail.has_old_counts() {
            let at = self.detail.counted_at();
            format!(", as of {}", self.context.now.when(at))
        } else {
            String::new()
        };
        let room = columns.saturating_sub(TITLE + text::width(&as_of));
        let done = self.context.cx.shared.done_codes();
        let closed = self.row.is_closed();
        pane.right = counts::done_and_left(found, done, closed, room) + &as_of;
        let total = found.total();
        if total == 0 && found.unread == 0 {
            pane.lines.push(self.muted("  no cases"));
        } else {
            let bar = bar::spans(found, columns, theme);
            let legend = if bar.is_empty() {
                None
            } else {
                pane.lines.push(bar.into());
                bar::legend(found, columns, theme)
            };
            let blank = self.one_page || legend.is_none();
            pane.lines.extend(legend);
            pane.lines.extend(blank.then(Line::default));
            self.count_lines(found, columns, &mut pane.lines);
        }
        if !self.one_page || !self.detail.has_forecast() {
            let words = self.forecast_line();
            let words = words.trim();
            if !words.is_empty() {
                pane.lines.push(Line::default());
                pane.lines
                    .extend(Self::wrapped(words, columns, theme.text()));
            }
        }
        pane
    }

    fn count_lines(&self, found: &ResultCounts, columns: usize, lines: &mut Vec<Line<'static>>) {
        let theme = self.context.theme;
        let (rows, rest) = listed(found, self.one_page);
        let total = found.total();
        let digits = rows
            .iter()
            .map(|row| text::thousands(row.cases).len() + 1)
            .fold(6, usize::max);
        let label = text::widest(rows.iter().map(|row| &*row.label)).clamp(15, 24);
        let most = rows.iter().map(|row| row.cases).fold(1, u64::max);
        let more: Vec<String> = rows
            .iter()
            .map(|row| self.more_than_before(row, columns))
            .collect();
        let beside_it = text::widest(more.iter().map(String::as_str));
        let room = columns.saturating_sub(label + digits + 2 + 8 + 3 + 2 + beside_it);
        let beside = !self.one_page && columns >= BESIDE;
        let testers = if beside {
            self.testers(columns - TESTERS_AT, rows.len())
        } else {
            Vec::new()
        };
        let first = lines.len();
        for (row, more) in rows.iter().zip(more) {
            let mut spans = vec![Span::raw(format!(
                "  {}{}{}   ",
                text::pad(&row.label, label),
                text::pad_left(&text::thousands(row.cases), digits),
                text::pad_left(&percent(row.cases, total), 8),
            ))];
            if self.one_page {
                let cells = (u128::from(row.cases) * room as u128).div_ceil(u128::from(most));
                let cells = (cells as usize).min(room);
                spans.push(bar::part(row.code, cells, theme));
                spans.push(Span::raw(" ".repeat(room + 2 - cells)));
            }
            spans.push(Span::styled(more, theme.bad()));
            lines.push(Line::from(spans));
        }
        let needed = first + testers.len();
        lines.resize(needed.max(lines.len()), Line::default());
        for (line, tester) in lines[first..].iter_mut().zip(testers) {
            put_beside(line, TESTERS_AT, tester);
        }
        if !rest.is_empty() {
            let words = |row: &ResultLine| format!("{} {}", row.label, text::thousands(row.cases));
            let words = text::join(rest.iter().map(words), "   ");
            let words = text::wrap(&words, columns.saturating_sub(2), 6);
            lines.extend(words.into_iter().map(Line::raw).map(indented));
        }
        let done = self.context.cx.shared.done_codes();
        if done != Settings::DONE {
            let words = format!(
                "left: all but {} (done_codes)",
                text::join(done.iter().map(|code| code.label()), ", ")
            );
            lines.extend(Self::wrapped(&words, columns, theme.muted()));
        }
        if !beside {
            lines.extend(self.testers_below(columns));
        }
    }

    /// Number of additional new failures since before today, in words.
    fn more_than_before(&self, count: &ResultLine, columns: usize) -> String {
        let earlier = &self.context.cx.shared.earlier;
        let more = earlier.more_failed(&self.row).unwrap_or(0);
        if more == 0 || count.code != Some(ResultCode::FailedNew) {
            return String::new();
        }
        match earlier.since([&self.detail.run.doc_ref]) {
            _ if columns < 50 => format!("+{more}"),
            None => format!("+{more} today"),
            Some(at) => format!("+{more} since {}", self.context.now.short(at)),
        }
    }

    /// Testers, one per line, in at most `most` lines or 5.
    fn testers(&self, columns: usize, most: usize) -> Vec<Line<'static>> {
        let testers = &self.row.testers;
        let with_tester = self.with_tester();
        let mut lines = Vec::new();
        let room = most.max(5) - usize::from(with_tester.is_some()) - 1;
        let all = testers.len();
        if all > 0 {
            lines.push(self.muted("Testers"));
            let shown = if all > room { room - 1 } else { all };
            let names = testers
                .iter()
                .take(shown)
                .map(|name| self.context.cx.shared.person(name))
                .map(|name| Line::raw(text::fit(name, columns.saturating_sub(2))));
            lines.extend(names.map(indented));
            if all > shown {
                let key = self.context.cx.shared.key(Layer::Detail, &Action::Part(4));
                let key = key.map_or_else(String::new, |key| format!(": {key}"));
                lines.push(self.muted(format!("  and {} more{key}", all - shown)));
            }
        }
        lines.extend(with_tester.map(|words| self.muted(text::fit(&words, columns))));
        lines
    }

    /// Testers in a sentence.
    fn testers_below(&self, columns: usize) -> Vec<Line<'static>> {
        let label = "  Testers  ";
        let room = columns.saturating_sub(label.len()).max(12);
        let names = self
            .tester_names()
            .map_or_else(Vec::new, |names| text::wrap(&names, room, 4));
        let styles = [self.context.theme.muted(), Style::new()];
        let mut lines = frame::labelled(label.to_owned(), names, styles);
        if let Some(words) = self.with_tester() {
            let words = text::fit(&words, room);
            let before = if lines.is_empty() { 2 } else { label.len() };
            lines.push(self.muted(" ".repeat(before) + &words));
        }
        if !lines.is_empty() {
            lines.insert(0, Line::default());
        }
        lines
    }

    fn tester_names(&self) -> Option<String> {
        let testers = &self.row.testers;
        let mut names: Vec<String> = testers
            .iter()
            .take(TESTERS)
            .map(|name| self.context.cx.shared.person(name).to_owned())
            .collect();
        if testers.len() > names.len() {
            names.push(format!("and {} more", testers.len() - names.len()));
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Text such as `117 of 221 cases have a tester`.
    fn with_tester(&self) -> Option<String> {
        let cases = self.row.cases_with_tester.as_ref()?;
        let total = self.sums().map(|sums| sums.total);
        let of = total.map_or_else(String::new, |total| {
            format!(" of {}", text::thousands(total))
        });
        let here: Option<u64> = cases.parse().ok();
        let cases = here.map_or_else(|| cases.clone(), text::thousands);
        let noun = if total.or(here) == Some(1) {
            "case"
        } else {
            "cases"
        };
        let have = if here == Some(1) { "has" } else { "have" };
        Some(format!("{cases}{of} {noun} {have} a tester"))
    }

    fn sums(&self) -> Option<Sums> {
        self.row.sums(self.context.cx.shared.done_codes())
    }

    /// Percentage done and forecast, in words.
    fn forecast_line(&self) -> String {
        let sums = self.sums().filter(|sums| sums.total > 0);
        let done = sums.and_then(Sums::share);
        let done = done.map_or_else(String::new, |done| format!("{done} % done. "));
        if sums.is_some_and(|sums| sums.left() == 0) {
            return format!("{done}All cases are finished.");
        }
        if self.row.is_closed() {
            return done;
        }
        let words = match self.detail.outlook() {
            Some(outlook @ Outlook::Band(band)) => {
                let (now, zone) = (self.context.now, &self.context.now.zone);
                let pace = band.pace_words(self.due_at(), now.ms, zone);
                format!("At {pace}; likely {}", outlook.words(now.ms, zone))
            }
            Some(Outlook::Done) => "All cases are finished.".to_owned(),
            Some(Outlook::Refused(why @ NoForecast::Old(_))) => {
                let makes = self.then("; ", &Action::Refresh, "makes one");
                format!("No forecast: {why}{makes}")
            }
            _ => self.detail.no_forecast().unwrap_or_default(),
        };
        format!("{done}{words}")
    }
}

/// Results with cases: those with a line of their own, and those in a common line.
fn listed(found: &ResultCounts, each: bool) -> (Vec<ResultLine>, Vec<ResultLine>) {
    use ResultCode::{
        Blocked, Customer, FailedKnown, FailedNew, InProgress, OnHoldExternal, OnHoldInternal,
        Passed, Retest, Skipped, Untested,
    };
    let count = |code: ResultCode| ResultLine {
        label: code.label().into(),
        cases: found.get(code),
        code: Some(code),
    };
    let has = |row: &ResultLine| row.cases > 0;
    let others = found.others.iter().map(|(code, label, cases)| {
        let code = format!("unknown result {code}");
        let label = match label.as_str() {
            "" => code,
            label => format!("{label} ({code})"),
        };
        ResultLine {
            label,
            cases: *cases,
            code: None,
        }
    });
    let small = [InProgress, Retest, Skipped]
        .map(count)
        .into_iter()
        .chain(others)
        .filter(has);
    let first = [
        FailedNew,
        FailedKnown,
        Blocked,
        OnHoldExternal,
        OnHoldInternal,
        Customer,
        Passed,
    ]
    .map(count)
    .into_iter()
    .filter(has);
    let last = Some(count(Untested)).filter(has);
    if each {
        (first.chain(small).chain(last).collect(), Vec::new())
    } else {
        (first.chain(last).collect(), small.collect())
    }
}

/// Percentage such as `4 %`, rounded like that of done cases.
fn percent(count: u64, total: u64) -> String {
    let share = Sums { total, done: count }.share();
    share.map_or_else(String::new, |share| format!("{share} %"))
}

fn indented(mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::raw("  "));
    line
}

/// Appends a line to another one from a column on.
fn put_beside(line: &mut Line<'static>, column: usize, more: Line<'static>) {
    let gap = column.saturating_sub(line.width());
    line.push_span(" ".repeat(gap));
    line.spans.extend(more.spans);
}

/// Suites of the run.
impl View<'_> {
    /// Newest known suites, from this screen or from that of the suites.
    fn attached(&self) -> Option<&Attached> {
        let own = self.detail.suites.value().map(AsRef::as_ref);
        let run = &self.detail.run;
        let other = self.context.attached;
        let other = other
            .filter(|(of, _)| **of == run.doc_ref)
            .map(|(_, attached)| attached)
            .filter(|it| !it.is_outdated(&self.row, run.read_at, run.counted_at));
        // The list may know all suites, and the few calls of this screen only a part of as many.
        let knows_more = |list: &&Attached| {
            own.is_none_or(|own| {
                let is_part = own.state == State::Partial && list.count == own.count;
                list.at > own.at || is_part && list.is_complete()
            })
        };
        other.filter(knows_more).or(own)
    }

    fn suite_count(&self) -> Option<u64> {
        let counted = self.row.suite_count;
        let counted = counted.and_then(|count| u64::try_from(count).ok());
        let counted = counted.map(|count| (count, self.detail.counted_at()));
        let attached = self.attached().and_then(|it| Some((it.count?, it.at)));
        counted
            .into_iter()
            .chain(attached)
            .max_by_key(|(_, at)| *at)
            .map(|(count, _)| count)
    }

    fn suites_title(&self) -> String {
        let count = self.suite_count().map(|count| format!(" {count}"));
        format!("{}{}", PARTS[SUITES], count.unwrap_or_default())
    }

    /// Message about the suites, before or in place of them.
    fn about_suites(&self, columns: usize) -> Vec<Line<'static>> {
        let theme = self.context.theme;
        let count = self.suite_count();
        let many = count
            .map(|count| format!("{}. ", text::count(count, "suite")))
            .unwrap_or_default();
        let add = Action::Show(Layer::Available);
        let list = Action::Show(Layer::Attached);
        let none = || format!("no suites{}", self.then(": ", &add, "adds some"));
        let closed = "Closed: its suites cannot be listed or changed.";
        let suites = &self.detail.suites;
        let own = suites.value();
        let (words, style) = match self.attached() {
            _ if self.row.is_closed() => (format!("{many}{closed}"), theme.muted()),
            None if count == Some(0) => (none(), theme.muted()),
            None if suites.is_reading() => ("looking for them…".to_owned(), theme.muted()),
            None => {
                let words = match suites.failure() {
                    Some(failure) => format!(
                        "They could not be worked out: {}.{}",
                        failure.cause.trim_end_matches('.'),
                        self.then(" ", &list, "tries again.")
                    ),
                    None => {
                        let shows = self.then("", &list, "shows them");
                        shows + &self.then(", ", &add, "adds more.")
                    }
                };
                (many + &words, theme.muted())
            }
            Some(attached) => match attached.state {
                State::Empty => (none(), theme.muted()),
                State::Complete | State::CompleteWorkedOut => return Vec::new(),
                State::Closed => (closed.to_owned(), theme.muted()),
                state => {
                    let is_own = own.is_some_and(|own| own.at == attached.at);
                    let more = if is_own && state == State::Partial {
                        "looks for the rest"
                    } else {
                        "explains"
                    };
                    let words = attached.words() + &self.then(": ", &list, more);
                    (words, theme.warn())
                }
            },
        };
        Self::wrapped(&words, columns, style)
    }

    fn suites(&self, columns: usize) -> Pane {
        let mut pane = Pane::new(self.suites_title(), self.about_suites(columns));
        let Some(attached) = self.attached() else {
            return pane;
        };
        let named = attached.named.iter();
        let ids = id_width(attached.named.iter().map(|it| called(it).0));
        let lines = named.clone().map(|named| self.suite(named, ids, columns));
        pane.lines.extend(lines);
        let cases = |named: &Named| u64::try_from(named.row.as_ref()?.total_cases?).ok();
        let sum = |sum: u64, named| Some(sum.saturating_add(cases(named)?));
        let sum = named.clone().try_fold(0, sum);
        if let Some(sum) = sum
            && attached.is_complete()
            && !attached.named.is_empty()
        {
            pane.right = text::count(sum, "case");
        }
        pane
    }

    /// Suites in two columns, as many as fit.
    fn suites_in_two(&self, columns: usize, rows: usize) -> Vec<Line<'static>> {
        let mut lines = self.about_suites(columns);
        let Some(attached) = self.attached() else {
            return lines;
        };
        let rows = rows.saturating_sub(lines.len());
        let named = &attached.named;
        let room = rows * 2;
        let shown = if named.len() > room {
            room.saturating_sub(1)
        } else {
            named.len()
        };
        let ids = id_width(named.iter().map(|it| called(it).0));
        let width = columns / 2 - 1;
        let mut cells: Vec<Line<'static>> = named
            .iter()
            .take(shown)
            .map(|named| self.suite(named, ids, width))
            .collect();
        if named.len() > shown {
            cells.push(self.muted(format!("  … {} more", named.len() - shown)));
        }
        let right = cells.split_off(cells.len().div_ceil(2));
        for (left, right) in cells.iter_mut().zip(right) {
            put_beside(left, width + 2, right);
        }
        lines.extend(cells);
        lines
    }

    fn suite(&self, named: &Named, ids: usize, columns: usize) -> Line<'static> {
        let (id, title) = called(named);
        let cases = named.row.as_ref().and_then(|row| row.total_cases);
        let (cases, style) = if named.is_sure {
            let cases = cases.map_or_else(|| "-".to_owned(), |cases| cases.to_string());
            (cases, self.context.theme.text())
        } else {
            (named.trust().to_owned(), self.context.theme.warn())
        };
        let room = (text::width(&cases) + 1).max(6);
        let words = format!(
            "  {} {}{}",
            text::pad(id, ids),
            text::pad(title, columns.saturating_sub(4 + ids + room)),
            text::pad_left(&cases, room)
        );
        Span::styled(words, style).into()
    }
}

/// History and forecast.
impl View<'_> {
    fn history(&self, columns: usize) -> Pane {
        let theme = self.context.theme;
        let mut pane = Pane::new(PARTS[HISTORY], Vec::new());
        let lines = history::lines(self.detail, self.context.cx);
        if lines.is_empty() {
            pane.lines.push(self.muted("  no changes seen"));
            return pane;
        }
        let time = |line: &history::Line| self.context.now.short(line.at);
        let at = text::widest(lines.iter().map(time));
        let who = text::widest(lines.iter().map(|line| &*line.who)).min(10);
        for line in &lines {
            let mut before = format!("  {}  ", text::pad(&time(line), at));
            if who > 0 {
                before = format!("{before}{}  ", text::pad(&line.who, who));
            }
            let room = columns.saturating_sub(text::width(&before)).max(12);
            let most = if self.one_page { 2 } else { 4 };
            let what = text::excerpt(&line.what, room, most);
            let style = if line.bad { theme.bad() } else { theme.text() };
            let styles = [theme.muted(), style];
            pane.lines.extend(frame::labelled(before, what, styles));
        }
        pane
    }

    /// Due date of the run, epoch milliseconds.
    fn due_at(&self) -> Option<i64> {
        self.context.cx.shared.due_of(&self.row)
    }

    /// Forecast: the chart if there is room, and the words.
    fn forecast(&self, columns: usize, height: usize) -> Pane {
        let mut pane = Pane::new(PARTS[FORECAST], Vec::new());
        let Some(history) = self.detail.history.value() else {
            return pane;
        };
        let mut words = chart::words(self.context, history, self.due_at());
        let is_band = history.outlook.band().is_some();
        let calibration = self.detail.calibration.filter(|_| is_band);
        words.extend(calibration.and_then(|it| it.words()));
        let words: Vec<String> = words
            .iter()
            .flat_map(|words| text::wrap(words, columns.saturating_sub(1), 4))
            .collect();
        let rows = height.saturating_sub(words.len());
        pane.lines = chart::burn_up(self.context, history, columns, rows);
        pane.lines
            .extend(words.iter().map(|words| Line::raw(format!(" {words}"))));
        if is_band {
            let (now, zone) = (self.context.now.ms, &self.context.now.zone);
            pane.right = history.outlook.words(now, zone);
        }
        pane
    }
}

/// All other fields of the document.
impl View<'_> {
    fn details(&self, columns: usize) -> Pane {
        let mut lines = Vec::new();
        if let Some(failure) = self.detail.document.failure() {
            for line in fields::failure(failure, columns.saturating_sub(2)) {
                lines.push(indented(Line::styled(line, self.context.theme.bad())));
            }
            lines.push(Line::default());
        }
        match self.document() {
            Some(document) => self.document_lines(document, columns, &mut lines),
            None if self.detail.document.is_reading() => lines.push(self.muted("  reading…")),
            None => lines.push(self.muted("  not read")),
        }
        Pane::new(PARTS[DETAILS], lines)
    }

    fn value(&self, label: &str, value: &str, columns: usize) -> Vec<Line<'static>> {
        let room = columns.saturating_sub(LABEL + 2).max(12);
        let label = format!("  {}", text::pad(label, LABEL));
        let styles = [self.context.theme.muted(), Style::new()];
        frame::labelled(label, text::wrap(value, room, LONGEST), styles)
    }

    fn document_lines(&self, document: &Document, columns: usize, lines: &mut Vec<Line<'static>>) {
        let said = |field: &Field| field.text(document).filter(|text| !text.is_empty());
        let mut put = |label, value: &str| lines.extend(self.value(label, value, columns));
        for (at, by) in [
            (&run::CREATED, &run::CREATED_BY),
            (&run::EDITED, &run::EDITED_BY),
            (&run::CLOSED, &run::CLOSED_BY),
        ] {
            let time = said(at).map(|at| fields::full_time(&at));
            let by = said(by).map(|by| self.context.cx.shared.person(&by).to_owned());
            let words = text::join(time.into_iter().chain(by), "  ");
            if !words.is_empty() {
                put(at.label, &words);
            }
        }
        let attached = files_of(document);
        put("Files", &suite::file_names(&attached));
        let copies = self.then("  ", &Action::Show(Layer::CopyMenu), "copies it");
        put("Reference", &format!("{}{copies}", document.doc_ref()));
        put(
            "Description",
            description(document).as_deref().unwrap_or("none"),
        );
        for field in [
            // The head cuts a long one.
            &run::TITLE,
            &run::STATUS,
            &run::CONFIGURATION,
            &run::VERSION,
            &run::PROJECT,
            &run::SUBPROJECT,
            &run::TENANT,
            &run::ID,
            &run::TECHNICAL_ID,
        ] {
            let words = match said(field) {
                Some(text) if *field == run::STATUS => Status::from_text(Some(&text)).to_string(),
                Some(text) if *field == run::SUBPROJECT && text == "_" => "none".into(),
                text => text.unwrap_or_else(|| "-".into()),
            };
            put(field.label, &words);
        }
        let share = || run::PROGRESS.words(&self.row, &[]).replace('%', " %");
        let progress = self.row.progress.map(|_| format!("{} (service)", share()));
        for (label, value) in [
            (run::PROGRESS.label, progress),
            (
                run::SUITES.label,
                self.row.suite_count.map(|count| count.to_string()),
            ),
            ("Cases", self.with_tester()),
            (run::TESTERS.label, self.tester_names()),
        ] {
            if let Some(value) = value {
                put(label, &value);
            }
        }
        let unknown = run::other_fields(document);
        if !unknown.is_empty() {
            let shows = self.then("; ", &Action::Raw, "shows them");
            put("Other fields", &format!("{}{shows}", unknown.join(", ")));
        }
        for file in &attached {
            lines.push(Line::default());
            for record in file {
                lines.extend(self.value(record.label, &suite::words(record), columns));
            }
        }
        lines.push(Line::default());
        let muted = self.context.theme.muted();
        lines.extend(Self::wrapped(suite::TIMES, columns, muted));
    }
}

fn description(document: &Document) -> Option<String> {
    let text = run::DESCRIPTION.text(document);
    text.filter(|text| !text.trim().is_empty())
}
