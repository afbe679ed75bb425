//! Drawing of the suites that can be added; in a wide terminal with the one under the cursor beside them.

use super::{AvailableSuites, FreeOn, ReleaseSuites, cases, extra};
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::domain::text::plain;
use crate::screens::prelude::*;
use crate::screens::suites::{self, no_match, or_dash, suite_tabs, suites_title};
use crate::ui::frame::split;
use crate::ui::list::ListRows as _;
use crate::ui::table::sign;
use crate::ui::{fields, suite, time};

/// Minimum number of columns of the list beside the suite under the cursor: no title is cut that is whole without it.
const LIST: u16 = 80;
/// Minimum number of columns for both.
const ROOM_FOR_PREVIEW: u16 = LIST + 36;

impl Draw for AvailableSuites {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let body = match &self.on {
            FreeOn::Run(run) => {
                let free = self.listed().map(|free| free.len() as u64);
                frame::tabs(on, area, &suite_tabs(run, free, None), Some(0));
                split(area, 1).1
            }
            FreeOn::Release(release) => head(self, release, on, area),
        };
        let current = self.current();
        let is_wide = area.width >= ROOM_FOR_PREVIEW;
        let shows = self.preview.unwrap_or(is_wide);
        on.layout.preview = shows;
        let (list, preview) = if is_wide && shows && current.is_some() {
            let beside = (area.width * 2 / 5).min(area.width - LIST);
            let width = body.width - beside;
            (Rect { width, ..body }, frame::from_column(body, width + 1))
        } else {
            let below = if shows { body.height / 2 } else { 0 };
            split(body, body.height - below)
        };
        self::list(self, on, list);
        if preview.height > 0
            && let Some(suite) = current
        {
            let said = self.said.1.as_ref();
            suite::preview(on.context, suite, said, preview, on.buffer);
        }
    }

    fn title(&self, project: &str) -> String {
        match &self.on {
            FreeOn::Run(run) => suites_title(project, run, "add suites"),
            FreeOn::Release(release) => {
                format!("{project} › Release {} › in no open run", release.version)
            }
        }
    }

    fn status(&self, context: Context<'_>) -> String {
        let Some(list) = self.listed() else {
            return String::new();
        };
        let shared = &context.cx.shared;
        let range = self.list.range_open(context.cx);
        let place = suites::place(&self.list.scroll, self.shown.len());
        let mut old = String::new();
        if self.suites.failure().is_some() {
            old += "   OLD: could not be read again";
            old += &shared.then_key("; ", Layer::Available, &Action::Refresh, "tries again");
        }
        if !self.list.marks.is_empty() {
            let (there, gone) = self.marked();
            let gone = match gone.len() {
                0 => String::new(),
                gone => format!(" ({gone} cannot be added any more)"),
            };
            let run = self.on_run().map(|run| run.row());
            let more = more(run.as_ref(), &there, shared.done_codes());
            let later = later(self, &there).unwrap_or_default();
            let shown = self.shown.iter().map(|place| &list[*place].doc_ref);
            let marked = suites::marked(&self.list, shown);
            return format!("{range}{marked}{gone}, up to {more}{later}{old}");
        }
        let name = match &self.on {
            FreeOn::Run(run) => run.name().to_owned(),
            FreeOn::Release(release) => format!("a run of {}", release.version),
        };
        let all = text::count(list.len(), "suite");
        let words = match self.list.search.text() {
            "" => format!("{} to add to {name}", place.unwrap_or(all)),
            filter => {
                let shown = format!("{} of {all}", text::thousands(self.shown.len()));
                let shown = place.unwrap_or(shown);
                format!("{shown} with \"{filter}\", to add to {name}")
            }
        };
        format!("{range}{words}{old}{}", self.sort.words())
    }

    fn field(&self, _cx: &Cx) -> Option<FootField<'_>> {
        let all = self.suites.value().map_or(0, Vec::len);
        self.list.field(self.shown.len(), all)
    }
}

/// Draws the number of suites in no run of the release, with its doubts. Returns the area below.
fn head(
    available: &AvailableSuites,
    release: &ReleaseSuites,
    on: &mut Surface<'_>,
    area: Rect,
) -> Rect {
    let Some(suites) = available.suites.value() else {
        return area;
    };
    let theme = on.context.theme;
    let all: Vec<&SuiteRow> = suites.iter().collect();
    let mut priorities: BTreeMap<&str, usize> = BTreeMap::new();
    for priority in all.iter().filter_map(|suite| suite.priority.as_deref()) {
        *priorities.entry(priority).or_default() += 1;
    }
    let mut words = format!(
        "{}, {} can be added and are in no open run of {}.",
        text::count(suites.len(), "suite"),
        text::count(cases(&all).0, "case"),
        release.version
    );
    for (priority, count) in priorities {
        let _ = write!(words, " {} {}", plain(priority), text::thousands(count));
    }
    let mut doubts: Vec<String> = release.found.doubts(suites.len()).collect();
    if release.is_old {
        doubts.push("there may be more: a suite was taken out of a run since".into());
    }
    let is_sure = doubts.is_empty();
    if is_sure && suites.is_empty() {
        // An empty list has its own message.
        return area;
    }
    let doubts = text::join(doubts, "; ");
    // Of several sub projects no list is read, and there is no number.
    let said = if release.found.subprojects > 1 {
        vec![(format!("Of {}: {doubts}.", release.version), theme.warn())]
    } else {
        let doubts = (!is_sure).then(|| (format!("But {doubts}."), theme.warn()));
        [(words, theme.text())].into_iter().chain(doubts).collect()
    };
    let width = usize::from(area.width).saturating_sub(2);
    let mut below = area;
    for (words, style) in said {
        let lines = frame::wrapped(&words, width, below.height.into(), style);
        frame::lines(on.buffer, below, lines.iter().cloned());
        below = frame::below(below, u16::try_from(lines.len()).unwrap_or(u16::MAX));
    }
    below
}

/// Place of the account among the columns.
const ACCOUNT: usize = 5;

/// Columns of the table.
fn table(rows: &[SuiteRow], width: usize) -> Table {
    let least = if width < 60 { 20 } else { 24 };
    let mut columns = suites::columns(&rows.iter(), (least, usize::MAX), 2);
    let is_said = rows.iter().any(|suite| {
        let account = suite.time_booking_account.as_deref();
        account.is_some_and(|account| !account.is_empty())
    });
    let account = Column::new("Account", 7, 4).behind(2).only_if(is_said);
    columns.insert(ACCOUNT, account);
    Table::lay_out(columns, width)
}

fn list(available: &AvailableSuites, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let theme = context.theme;
    let (_, rows) = split(area, 1);
    let width = usize::from(area.width);
    let mut said = |words: &str| frame::words(on.buffer, rows, words, theme.warn());
    if available.closed() {
        return said("This run is closed: its suites cannot be changed.");
    }
    let shared = &context.cx.shared;
    let then = |sign, action, does| shared.then_key(sign, Layer::Available, action, does);
    let Some(suites) = available.suites.value() else {
        if let Some(failure) = available.suites.failure() {
            return fields::draw_failure(on, rows, failure, Layer::Available);
        }
        if !available.suites.is_reading() {
            let reads = then(": ", &Action::Refresh, "reads again");
            return said(&format!("given up{reads}"));
        }
        if let FreeOn::Release(release) = &available.on {
            let stops = then("  ", &Action::Cancel, "gives up");
            return said(&format!(
                "Reading the open runs: {}…{stops}",
                release.so_far
            ));
        }
        let so_far = available.progress;
        let so_far = so_far.map(|(received, all)| {
            let [received, all] = [received, all].map(text::thousands);
            format!(": {received} of {all}")
        });
        let so_far = so_far.unwrap_or_default();
        let stops = then("  ", &Action::Cancel, "gives up");
        return said(&format!("Reading the suites{so_far}…{stops}"));
    };
    if available.shown.is_empty() {
        return said(&if suites.is_empty() {
            match &available.on {
                FreeOn::Run(_) => {
                    "No suite can be added: all are in the run, or there are none.".to_owned()
                }
                FreeOn::Release(release) if release.found.runs.is_empty() => {
                    format!("No open run of {} was found.", release.version)
                }
                FreeOn::Release(release) if release.found.range(0).exact().is_none() => {
                    "Nothing is known of the suites in no run.".to_owned()
                }
                FreeOn::Release(_) => {
                    "Each suite that can be added is in some open run.".to_owned()
                }
            }
        } else {
            no_match(shared, Layer::Available)
        });
    }
    let table = table(suites, width);
    table.draw_heading(on, area);
    let shown = available.rows();
    let begun = available.list.begun(&shown);
    let line = |index: usize| {
        let Some(suite) = shown.at(index) else {
            return Vec::new();
        };
        let in_range = begun.as_ref().is_some_and(|rows| rows.contains(&index));
        let marked = available.list.marks.has(&suite.doc_ref);
        let sign = sign([marked, in_range, false, false]);
        let style = if in_range { theme.warn() } else { theme.text() };
        let sign = Cell::text(sign, theme.accent());
        let id = suite.id.as_deref().unwrap_or("-");
        let title = suite.title.as_deref().unwrap_or(suite.doc_ref.as_str());
        let mut cells = suites::cells(context, Some(suite), (id, title), sign, style);
        let account = suite.time_booking_account.clone();
        cells.insert(ACCOUNT, or_dash(account, style));
        table.row(cells)
    };
    let len = shown.row_count();
    available.list.scroll.draw_list(len, line, on, rows);
}

/// Effect of adding suites to the run, `131 more cases: 56 → 187 left`: an upper bound, shown only here.
pub fn more(run: Option<&RunRow>, suites: &[&SuiteRow], done: &[ResultCode]) -> String {
    let (cases, silent) = cases(suites);
    let said = match u64::try_from(cases).unwrap_or(0) {
        1 => "1 more case".to_owned(),
        cases => format!("{} more cases", text::thousands(cases)),
    };
    let sums = run.and_then(|run| run.sums(done));
    match (extra(suites), sums, silent) {
        (Some(extra), Some(sums), _) => {
            let now = text::thousands(sums.left());
            let then = text::thousands(sums.left().saturating_add(extra));
            format!("{said}: {now} → {then} left")
        }
        (Some(_), None, _) | (None, _, 0) => said,
        (None, _, 1) => format!("{said}, and 1 suite does not say how many it has"),
        (None, _, silent) => {
            format!("{said}, and {silent} suites do not say how many they have")
        }
    }
}

/// Delay of the end of the run with these suites, if known.
fn later(available: &AvailableSuites, suites: &[&SuiteRow]) -> Option<String> {
    let extra = extra(suites)?;
    let known = available.what_if.value();
    let known = known.filter(|known| known.extra == extra)?;
    let (now, then) = (known.now.band()?, known.then.band()?);
    let later = then.middle.saturating_sub(now.middle);
    (later > 0).then(|| format!(", about +{}", time::span(later)))
}
