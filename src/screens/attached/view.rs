//! Drawing of the suites in a run, with an explanation of how they are known or why some are missing.

use crate::screens::prelude::*;

use ratatui::prelude::Buffer;

use super::{AttachedSuites, ListedSuite, SuiteLines};
use crate::attached::{Named, Trust};
use crate::screens::suites::{SuiteSort, called, no_match, suite_tabs, suites_title};
use crate::store::SuiteOrder;
use crate::ui::fields;
use crate::ui::frame::split;
use crate::ui::list::ListRows as _;
use crate::ui::table::sign;

/// Minimum number of rows for an explanation below the list.
const ROOM_FOR_WHY: u16 = 10;
/// Minimum number of rows of the list, with tabs and heading.
const LIST: u16 = 6;

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
        let explained = explained(context, self, usize::from(area.width.saturating_sub(4)));
        let why = match explained.len() {
            0 => 0,
            lines => height_of_why(area.height, self.lines().row_count(), lines),
        };
        let (_, body) = split(area, 1);
        let (list, below) = split(body, body.height.saturating_sub(why));
        rows(self, on, list);
        if why > 0 {
            on.layout.why = self::why(context, self, &explained, below, on.buffer);
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
        let old = if self.verdict.failure().is_some() {
            "   OLD: could not be worked out again"
        } else {
            ""
        };
        if self.list.marks.is_empty() {
            let known = match self.lines().row_count() {
                0 if self.list.search.text().is_empty() => String::new(),
                _ => attached.words(),
            };
            let sort = match self.sort {
                sort if sort == SuiteSort::default() => String::new(),
                sort => sort.words(),
            };
            let found = match self.list.search.text() {
                "" => String::new(),
                words => format!("{} with \"{words}\" of ", self.lines().row_count()),
            };
            return format!("{found}{known}{old}{sort}{range}");
        }
        let marks = &self.list.marks;
        let marked = attached.named.iter();
        let marked = marked.filter(|named| marks.has(&named.suite));
        let cases: Option<i64> = marked.map(|named| named.row.as_ref()?.total_cases).sum();
        let cases = cases.filter(|cases| *cases >= 0);
        let cases = cases.map(|cases| format!(", {}", text::count(cases, "case")));
        format!(
            "{} marked{}{old}{range}",
            marks.len(),
            cases.unwrap_or_default()
        )
    }

    fn field(&self, _cx: &Cx) -> Option<FootField<'_>> {
        let all = SuiteLines::of(&self.verdict, self.sort, "").row_count();
        let shown = self.lines().row_count();
        self.list.field(shown, all)
    }
}

/// Rows of the explanation with its border: all it needs if the list leaves them, else two fifths.
fn height_of_why(height: u16, listed: usize, explained: usize) -> u16 {
    if height < ROOM_FOR_WHY {
        return 0;
    }
    let needed = u16::try_from(explained + 1).unwrap_or(u16::MAX);
    let left = height.saturating_sub(u16::try_from(listed + 2).unwrap_or(u16::MAX).max(LIST));
    needed.min(left.max(height * 2 / 5))
}

/// True if the screen, as it was drawn last, has room for the explanation.
pub fn fits_why(screen: &AttachedSuites) -> bool {
    // Tabs and headings have a row each.
    screen.why_page > 0 || screen.list.scroll.height + 2 >= usize::from(ROOM_FOR_WHY)
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
        let words = match screen.list.search.text() {
            "" => attached.words(),
            _ => no_match(&context.cx.shared, Layer::Attached),
        };
        frame::words(on.buffer, rows, &words, theme.warn());
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
                let (sign, style) = match (sign, named.trust) {
                    ("", Trust::Maybe) => (" ?", theme.warn()),
                    (sign, Trust::Maybe) => (sign, theme.warn()),
                    (sign, Trust::Sure) => (sign, theme.text()),
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
) -> [Cell<'a>; 7] {
    let row = named.row.as_ref();
    let (id, title) = called(named);
    let cases = row.and_then(|row| row.total_cases);
    let edited = row.and_then(|row| row.display_edited_on.as_deref());
    let edited = edited.map(|at| fields::short_time(at, context.now));
    let dash = |words: Option<String>| Cell::text(words.unwrap_or_else(|| "-".into()), style);
    [
        Cell::text(sign, style),
        Cell::text(id, style),
        Cell::text(title, style),
        dash(cases.map(|cases| cases.to_string())),
        dash(row.and_then(|row| row.priority.clone())),
        dash(edited),
        Cell::text(named.trust.words(), style),
    ]
}

/// Columns of the table.
fn table(lines: &SuiteLines<'_>, width: usize) -> Table {
    let named = || (0..lines.row_count()).filter_map(|place| lines.suite_at(place));
    let rows = || named().filter_map(|named| named.row.as_ref());
    let ids = named().map(|named| text::width(called(named).0));
    let titles = named().map(|named| text::width(called(named).1));
    let title = if width < 80 { 20 } else { 28 };
    let by = Choice::SuiteSort;
    let columns = vec![
        Column::signs(),
        Column::new("Suite", ids.fold(6, usize::max).min(14), 0)
            .behind(0)
            .sorted_by(by(SuiteOrder::Id)),
        Column::new("Title", title, 0)
            .up_to(titles.fold(title, usize::max))
            .sorted_by(by(SuiteOrder::Title)),
        Column::new("Cases", 5, 1)
            .numbers()
            .behind(2)
            .only_if(rows().any(|row| row.total_cases.is_some()))
            .sorted_by(by(SuiteOrder::Cases)),
        Column::new("Priority", 8, 4)
            .behind(2)
            .only_if(rows().any(|row| row.priority.is_some()))
            .sorted_by(by(SuiteOrder::Priority)),
        Column::new("Edited", 11, 3)
            .behind(2)
            .only_if(rows().any(|row| row.display_edited_on.is_some()))
            .sorted_by(by(SuiteOrder::Edited)),
        Column::new("", 8, 2)
            .behind(2)
            .only_if(named().any(|named| named.trust == Trust::Maybe)),
    ];
    Table::lay_out(columns, width)
}

/// Explanation for the row under the cursor.
fn how_known(context: Context<'_>, screen: &AttachedSuites, width: usize) -> Option<String> {
    let attached = screen.verdict.value()?;
    let lines = screen.lines();
    let place = screen.list.scroll.cursor;
    let Some(named) = lines.suite_at(place) else {
        let words = lines.get(place).and_then(|_| attached.unknown_row());
        return words.filter(|words| text::width(words) + 4 > width);
    };
    let (id, title) = called(named);
    let how = named.how.text(&|at: i64| context.now.when(at));
    let name = if id == "-" {
        title.to_owned()
    } else {
        format!("{id} {title}")
    };
    Some(format!("> {name}: {}, {how}.", named.trust.words()))
}

/// Lines below the list: unknown suites and remedies, or on request how each suite is known.
fn explained(context: Context<'_>, screen: &AttachedSuites, columns: usize) -> Vec<String> {
    let Some(attached) = screen.verdict.value() else {
        return Vec::new();
    };
    let paragraphs: Vec<String> = if screen.explains {
        let row = how_known(context, screen, columns + 4).into_iter();
        row.chain(attached.why()).collect()
    } else if attached.is_complete() {
        return Vec::new();
    } else {
        attached.why()
    };
    let lines = paragraphs.iter();
    let lines = lines.flat_map(|line| text::wrap(line, columns, 200));
    lines.collect()
}

/// Draws the explanation. Returns the last possible first line, and the number of visible lines.
fn why(
    context: Context<'_>,
    screen: &AttachedSuites,
    lines: &[String],
    area: Rect,
    buffer: &mut Buffer,
) -> (u16, u16) {
    let attached = screen.verdict.value().map(AsRef::as_ref);
    let title = if screen.explains {
        "How this is known".to_owned()
    } else {
        attached.map_or_else(String::new, Attached::words)
    };
    let seen = usize::from(area.height.saturating_sub(1));
    let last = u16::try_from(lines.len().saturating_sub(seen)).unwrap_or(u16::MAX);
    let top = usize::from(screen.why_top.min(last));
    let right = match last {
        0 => String::new(),
        _ => format!("PgUp PgDn  {}-{} of {}", top + 1, top + seen, lines.len()),
    };
    let inside = frame::pane(buffer, area, &title, &right, context.theme, false);
    let lines = lines.iter().skip(top).map(|it| format!(" {it}"));
    frame::lines(buffer, inside, lines);
    (last, inside.height)
}
