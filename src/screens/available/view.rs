//! The suites that can be added to a run; in a wide terminal the one under the cursor in full beside them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{AvailableSuites, FreeSuites, what_if};
use crate::domain::SuiteRow;
use crate::screens::{SuiteTab, suite_tabs};
use crate::store::layer::Layer;
use crate::store::message::{Action, Choice, SuiteOrder};
use crate::ui::layout::Layout;
use crate::ui::list::ListRows as _;
use crate::ui::table::{Cell, Column, Table, sign};
use crate::ui::{Context, fields, frame, suite, text};

/// Columns from which on the suite under the cursor stands beside the list.
const ROOM_FOR_PREVIEW: u16 = 110;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    available: &AvailableSuites,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let free = available.suites.value().map(Vec::len);
    let numbers = (free.and_then(|free| u64::try_from(free).ok()), None);
    suite_tabs(
        context,
        &available.run,
        SuiteTab::ToAdd,
        numbers,
        area,
        buffer,
        layout,
    );
    let body = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    let wide = area.width >= ROOM_FOR_PREVIEW && available.current().is_some();
    let beside = if wide { area.width * 2 / 5 } else { 0 };
    let below = match (wide, available.preview) {
        (false, true) => body.height / 2,
        _ => 0,
    };
    let list = Rect {
        width: body.width - beside,
        height: body.height - below,
        ..body
    };
    self::list(context, available, list, buffer, layout);
    let preview = if wide {
        Rect {
            x: list.right() + 1,
            width: beside - 1,
            ..body
        }
    } else {
        Rect {
            y: list.bottom(),
            height: below,
            ..body
        }
    };
    if preview.height > 0
        && let Some(suite) = available.current()
    {
        suite::preview(context, suite, available.said.1.as_ref(), preview, buffer);
    }
}

/// The columns of the suites.
fn table(suites: &[SuiteRow], width: usize) -> Table {
    let any = |holds: fn(&SuiteRow) -> bool| suites.iter().any(holds);
    let ids = suites.iter().filter_map(|suite| suite.id.as_deref());
    let ids = ids.map(str::len).max().unwrap_or(6).clamp(6, 14);
    let title = if width < NARROW { 20 } else { 24 };
    let by = Choice::SuiteSort;
    let columns = vec![
        Column::signs(),
        Column::new("Suite", ids, 0)
            .behind(0)
            .sorted_by(by(SuiteOrder::Id)),
        Column::new("Title", title, 0)
            .up_to(usize::MAX)
            .sorted_by(by(SuiteOrder::Title)),
        Column::new("Cases", 5, 1)
            .numbers()
            .behind(2)
            .only_if(any(|suite| suite.total_cases.is_some()))
            .sorted_by(by(SuiteOrder::Cases)),
        Column::new("Priority", 8, 3)
            .behind(2)
            .only_if(any(|suite| suite.priority.is_some()))
            .sorted_by(by(SuiteOrder::Priority)),
        Column::new("Account", 7, 4).behind(2).only_if(any(|suite| {
            suite
                .time_booking_account
                .as_deref()
                .is_some_and(|it| !it.is_empty())
        })),
        Column::new("Edited", 11, 2)
            .behind(2)
            .only_if(any(|suite| suite.display_edited_on.is_some()))
            .sorted_by(by(SuiteOrder::Edited)),
    ];
    Table::lay_out(columns, width)
}

/// Columns of the screen below which a title has less room.
const NARROW: usize = 60;

fn list(
    context: Context<'_>,
    available: &AvailableSuites,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let rows = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    let width = usize::from(area.width);
    let mut said = |words: &str| frame::words(buffer, rows, words, theme.warn());
    if available.closed() {
        return said("This run is closed: its suites cannot be changed.");
    }
    let shared = &context.cx.shared;
    let then = |sign, action, does| shared.then_key(sign, Layer::Available, action, does);
    if available.suites.value().is_none() {
        let words = match (available.suites.failure(), available.progress) {
            (Some(failure), _) => {
                let lines = fields::failure(failure, width.saturating_sub(2));
                return frame::words(buffer, rows, &lines.join("\n"), theme.bad());
            }
            _ if !available.suites.is_reading() => {
                "given up".to_owned() + &then(": ", &Action::Refresh, "reads again")
            }
            (None, progress) => {
                let so_far = progress.map_or_else(String::new, |(received, all)| {
                    format!(": {received} of {all}")
                });
                let stops = then("  ", &Action::Cancel, "gives up");
                format!("Reading the suites{so_far}…{stops}")
            }
        };
        return said(&words);
    }
    if available.shown.is_empty() {
        return said(&if available.list.search.text().is_empty() {
            "No suite can be added: all are in the run, or there are none.".to_owned()
        } else {
            "No suite matches.".to_owned() + &then(" ", &Action::Back, "takes the words away.")
        });
    }
    let suites = available.suites.value().map_or(&[][..], Vec::as_slice);
    let table = table(suites, width);
    table.draw_heading(theme.accent(), area, buffer, layout);
    let shown = FreeSuites {
        suites: available.suites.value(),
        places: &available.shown,
    };
    let begun = available.list.begun(&shown);
    let line = |index: u64| {
        let Some(suite) = shown.at(index) else {
            return Vec::new();
        };
        let edited = suite.display_edited_on.as_deref();
        let edited = edited.map(|at| fields::short_time(at, context.now));
        let cases = suite.total_cases.map(|cases| cases.to_string());
        let in_range = begun.as_ref().is_some_and(|rows| rows.contains(&index));
        let marked = available.list.marks.has(&suite.doc_ref);
        let sign = sign([marked, in_range, false, false]);
        let style = if in_range { theme.warn() } else { theme.text() };
        let text = |words: Option<String>| Cell::text(words.unwrap_or_else(|| "-".into()), style);
        table.row([
            Cell::text(sign, theme.accent()),
            text(suite.id.clone()),
            Cell::text(
                suite.title.as_deref().unwrap_or(suite.doc_ref.as_str()),
                style,
            ),
            text(cases),
            text(suite.priority.clone()),
            text(suite.time_booking_account.clone()),
            text(edited),
        ])
    };
    let len = shown.row_count();
    available.list.draw(len, line, theme, rows, buffer, layout);
}

/// What is marked and what that would mean; else how many there are.
pub fn status(context: Context<'_>, available: &AvailableSuites) -> String {
    let Some(list) = available.suites.value() else {
        return String::new();
    };
    let shared = &context.cx.shared;
    let range = available.list.range_open(context.cx);
    if !available.list.marks.is_empty() {
        let gone = match available.gone().len() {
            0 => String::new(),
            1 => " (1 cannot be added any more)".to_owned(),
            gone => format!(" ({gone} cannot be added any more)"),
        };
        let more = what_if::more(
            available,
            &available.marked_there(),
            context.cx.shared.done_codes(),
        );
        let later = what_if::later(available);
        let later = later.map_or_else(String::new, |later| format!(", {later}"));
        return format!(
            "{} marked{gone}, up to {more}{later}{range}",
            available.list.marks.len()
        );
    }
    let name = available.run.name();
    let mut words = match available.list.search.text() {
        "" => format!("{} to add to {name}", text::count(list.len(), "suite")),
        filter => {
            let (shown, all) = (available.shown.len(), text::count(list.len(), "suite"));
            format!("{shown} of {all} with {filter:?}, to add to {name}")
        }
    };
    if available.suites.failure().is_some() {
        let again = &Action::Refresh;
        words += "   OLD: could not be read again";
        words += &shared.then_key("; ", Layer::Available, again, "tries again");
    }
    let down = if available.descending { " ↓" } else { "" };
    let mut orders = SuiteOrder::ALL.iter();
    let order = orders.find(|(order, _)| *order == available.order);
    let order = order.map_or("", |(_, heading)| heading);
    format!("{words}   sort: {}{down}{range}", order.to_lowercase())
}
