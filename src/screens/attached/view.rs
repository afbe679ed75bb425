//! Drawing of the suites in a run, with the reason why some are unknown.

use crate::screens::prelude::*;

use super::{AttachedSuites, ListedSuite, SuiteLines};
use crate::attached::Named;
use crate::screens::suites::{self, SuiteSort, called, no_match, suite_tabs, suites_title};
use crate::store::Explanation;
use crate::ui::Now;
use crate::ui::fields;
use crate::ui::frame::split;
use crate::ui::list::ListRows as _;
use crate::ui::table::sign;

/// Maximum number of lines of a paragraph.
const MOST_LINES: usize = 40;

impl Draw for AttachedSuites {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let attached = self.verdict.value();
        let free = attached.and_then(|attached| attached.free);
        let newest = self.verdict.newest();
        let newest = newest.filter(|_| !self.verdict.is_reading());
        let inside = newest.and_then(|newest| newest.count);
        let tabs = suite_tabs(&self.run, free, inside);
        frame::tabs(on, area, &tabs, Some(1));
        let (_, body) = split(area, 1);
        let (list, below) = split(body, body.height - height_of_why(self, body));
        rows(self, on, list);
        if let Some(attached) = attached.filter(|_| below.height > 0) {
            let theme = context.theme;
            let inside = frame::pane(on.buffer, below, &attached.words(), "", theme, false);
            let why = why(attached, below.width);
            frame::lines(on.buffer, inside, why.iter().map(|it| format!(" {it}")));
        }
    }

    fn title(&self, project: &str) -> String {
        suites_title(project, &self.run, "suites")
    }

    fn status(&self, context: Context<'_>) -> String {
        let Some(attached) = self.verdict.value() else {
            return String::new();
        };
        let range = self.list.range_open(context.cx);
        let lines = self.lines();
        // The last line may stand for suites that are not known.
        let is_suite = |place: &usize| lines.suite_at(*place).is_some();
        let suites = (0..lines.row_count()).rev().find(is_suite);
        let place = suites::place(&self.list.scroll, suites.map_or(0, |last| last + 1));
        let place = place.map_or_else(String::new, |place| format!("{place}   "));
        let old = if self.verdict.failure().is_some() {
            "   OLD: could not be worked out again"
        } else {
            ""
        };
        if self.list.marks.is_empty() {
            let known = match self.lines().row_count() {
                0 if self.list.search.text().is_empty() => String::new(),
                _ => {
                    let last = attached.last_known(&|at| context.now.when(at));
                    text::join(
                        [attached.words(), last]
                            .into_iter()
                            .filter(|it| !it.is_empty()),
                        "; ",
                    )
                }
            };
            let sort = match self.sort {
                sort if sort == SuiteSort::default() => String::new(),
                sort => sort.words(),
            };
            let found = match self.list.search.text() {
                "" => String::new(),
                words => format!("{} with \"{words}\" of ", self.lines().row_count()),
            };
            return format!("{range}{place}{found}{known}{old}{sort}");
        }
        let marks = &self.list.marks;
        let marked = attached.named.iter();
        let marked = marked.filter(|named| marks.has(&named.suite));
        let cases: Option<i64> = marked.map(|named| named.row.as_ref()?.total_cases).sum();
        let cases = cases.map(|cases| format!(", {}", text::count(cases, "case")));
        let shown = (0..lines.row_count()).filter_map(|place| Some(&lines.suite_at(place)?.suite));
        let marked = suites::marked(&self.list, shown);
        format!("{range}{marked}{}{old}", cases.unwrap_or_default())
    }

    fn field(&self, _cx: &Cx) -> Option<FootField<'_>> {
        let all = SuiteLines::of(&self.verdict, self.sort, "").row_count();
        let shown = self.lines().row_count();
        self.list.field(shown, all)
    }
}

/// Rows below the list for why suites are unknown, with a title: at most those that the list leaves, or two fifths.
fn height_of_why(screen: &AttachedSuites, area: Rect) -> u16 {
    let listed = screen.lines().row_count();
    let why = screen
        .verdict
        .value()
        .map_or(0, |it| why(it, area.width).len());
    let rows = |lines: usize| u16::try_from(lines + 1).unwrap_or(u16::MAX);
    let left = area.height.saturating_sub(rows(listed));
    if listed == 0 || why == 0 || rows(why) > left.max(area.height * 2 / 5) {
        return 0;
    }
    rows(why)
}

/// Lines on why suites are unknown.
fn why(attached: &Attached, width: u16) -> Vec<String> {
    if attached.is_complete() {
        return Vec::new();
    }
    let columns = usize::from(width.saturating_sub(4));
    let paragraphs = attached.why().into_iter();
    let lines = paragraphs.flat_map(|line| text::wrap(&line, columns, MOST_LINES));
    lines.collect()
}

fn rows(screen: &AttachedSuites, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let theme = context.theme;
    let (_, rows) = split(area, 1);
    let width = usize::from(area.width);
    let lines = screen.lines();
    let table = table(&lines, width);
    if screen.verdict.is_reading() {
        let shared = &context.cx.shared;
        let stops = shared.then_key("  ", Layer::Attached, &Action::Cancel, "gives up");
        let words = format!(" Looking for its suites…{stops}");
        let words = vec![Span::styled(text::fit(&words, width), theme.warn())];
        frame::line(on.buffer, area, 0, words);
    } else if let (Some(failure), None) = (screen.verdict.failure(), screen.verdict.value()) {
        return fields::draw_failure(on, rows, failure, Layer::Attached);
    } else {
        table.draw_heading(on, area);
    }
    let Some(attached) = screen.verdict.value() else {
        return;
    };
    if lines.row_count() == 0 {
        let said = match screen.list.search.text() {
            "" => [vec![attached.words()], why(attached, area.width)].concat(),
            _ => vec![no_match(&context.cx.shared, Layer::Attached)],
        };
        let said = said
            .iter()
            .flat_map(|it| text::wrap(it, width.saturating_sub(1), usize::from(rows.height)));
        let said = said.map(|it| Line::styled(format!(" {it}"), theme.warn()));
        frame::lines(on.buffer, rows, said);
    }
    let begun = screen.list.begun(&lines);
    let line = |index: usize| {
        let Some(line) = lines.get(index) else {
            return Vec::new();
        };
        let in_range = begun.as_ref().is_some_and(|rows| rows.contains(&index));
        let ranged = |style| if in_range { theme.accent() } else { style };
        match line {
            ListedSuite::Named(named) => {
                let marked = screen.list.marks.has(&named.suite);
                let sign = sign([marked, in_range, false, false]);
                let (sign, style) = match (sign, named.is_sure) {
                    ("", false) => (" ?", theme.warn()),
                    (sign, false) => (sign, theme.warn()),
                    (sign, true) => (sign, theme.text()),
                };
                table.row(cells(context, named, sign, ranged(style)))
            }
            ListedSuite::Candidate(named) => {
                table.row(cells(context, named, " ?", ranged(theme.muted())))
            }
            ListedSuite::Unknown => {
                let words = attached.unknown_row().unwrap_or_default();
                let words = text::fit(&format!(" ? {words}"), width);
                vec![Span::styled(words, ranged(theme.warn()))]
            }
        }
    };
    let scroll = &screen.list.scroll;
    scroll.draw_list(lines.row_count(), line, on, rows);
}

/// Cells of a suite.
fn cells<'a>(
    context: Context<'_>,
    named: &'a Named,
    sign: &'static str,
    style: Style,
) -> Vec<Cell<'a>> {
    let row = named.row.as_ref();
    let mut cells = suites::cells(context, row, called(named), Cell::text(sign, style), style);
    cells.push(Cell::text(named.trust(), style));
    cells
}

/// Columns of the table.
fn table(lines: &SuiteLines<'_>, width: usize) -> Table {
    let named = || (0..lines.row_count()).filter_map(|place| lines.suite_at(place));
    let rows = named().filter_map(|named| named.row.as_ref());
    let titles = named().map(|named| text::width(called(named).1));
    let least = if width < 80 { 20 } else { 28 };
    let title = (least, titles.fold(least, usize::max));
    let mut columns = suites::columns(&rows, title, 4);
    let trust = Column::new("", 8, 2).behind(2);
    columns.push(trust.only_if(named().any(|named| !named.is_sure)));
    Table::lay_out(columns, width)
}

/// Explanation of how the suite under the cursor is known, and why others are unknown.
pub fn explained(screen: &AttachedSuites, now: &Now) -> Option<Explanation> {
    let attached = screen.verdict.value()?;
    let here = screen.lines().suite_at(screen.list.scroll.cursor);
    let here = here.map(|named| {
        let (id, title) = called(named);
        let name = if id == "-" {
            title.to_owned()
        } else {
            format!("{id} {title}")
        };
        let how = named.how.text(&|at: i64| now.when(at));
        format!("{name}: {}, {how}.", named.trust())
    });
    let lines: Vec<String> = here.into_iter().chain(attached.why()).collect();
    (!lines.is_empty()).then(|| Explanation {
        title: attached.words(),
        lines,
        config: String::new(),
    })
}
