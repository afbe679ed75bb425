//! Drawing of the runs list.

use crate::screens::prelude::*;
use crate::ui::time::Now;
use std::collections::BTreeSet;

use super::{Runs, preview};
use crate::domain::columns::{Column, Room};
use crate::domain::fields::{Holds, MORE, VERSION, of_path};
use crate::domain::{FailureKind, Narrowing, Only, RunsOperation, Sort, View};
use crate::mirror::{Count, ListExtent, NOT_SHOWN, Overview};
use crate::ui::run_cells;
use crate::ui::table::sign;
use crate::ui::{counts, fields};

/// Rows of the preview pane with its border.
const PREVIEW: u16 = 6;
/// Rows of tabs and headings.
const ABOVE: u16 = 2;
/// Minimum number of rows of the list beside the preview.
const LEAST: u16 = 4;
/// Minimum number of rows of the terminal for a preview by default.
const ROOM_FOR_PREVIEW: u16 = 30;
/// Gap between two parts of the status line.
const GAP: &str = "   ";
/// Note for a sorted list that is not complete.
const SORTED_IN_PART: &str = "only these are sorted: :sync all";
/// Minimum number of columns of the filters in the status line.
const FILTER: usize = 12;
/// Maximum number of columns of the name of what another screen lists.
const NAME: usize = 40;
/// Maximum number of columns of one value there when space is short.
const VALUE: usize = 20;

impl Draw for Runs {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let fits = area.height >= ABOVE + LEAST + PREVIEW;
        let preview = self.preview.unwrap_or(area.height >= ROOM_FOR_PREVIEW) && fits;
        let below = if preview { PREVIEW } else { 0 };
        let (tabs_row, rest) = frame::split(area, 1);
        let (heading, rest) = frame::split(rest, 1);
        let (rows, pane) = frame::split(rest, rest.height.saturating_sub(below));
        tabs(self, on, tabs_row);
        let room = room(self, area.width);
        let table = headed(self, Table::of_runs(&self.columns, &room), &room);
        table.draw_heading(on, heading);
        on.layout.preview = preview;
        on.layout.width = Some(area.width);
        on.layout
            .list_rows(rows, self.list.scroll.top, self.len().unwrap_or(0));
        self::rows(self, (&table, &room), on, rows);
        if preview {
            let mut shown = self.shown(self.list.scroll.cursor).cloned();
            // Counts of earlier readings are out of date.
            for row in shown.iter_mut().filter(|_| without_results(self)) {
                row.forget_counts();
            }
            let older = self.older_counts_at(self.list.scroll.cursor);
            preview::draw(shown.as_ref(), older, on, pane);
        }
    }

    fn status(&self, context: Context<'_>) -> String {
        let shared = &context.cx.shared;
        let Some(len) = self.len() else {
            return if self.is_barred() {
                NOT_SHOWN.into()
            } else if self.reader.failure.is_some() {
                "nothing could be read".into()
            } else if shared.signed_in {
                "Reading the runs…".into()
            } else {
                context.starting.to_owned()
            };
        };
        if self.is_beginning() {
            return "Reading the runs that are kept here…".into();
        }
        if self.answered().is_none() {
            return "Looking for these runs…".into();
        }
        let extent = self.extent();
        let is_part = !extent.is_complete && (self.view.only.is_some() || extent.size.is_none());
        let is_list = self.view.only.is_none() && !self.lists_found();
        let more = extent
            .size
            .filter(|size| *size > len as u64 && !extent.is_complete);
        let [here, all] = [self.list.scroll.cursor + 1, len].map(text::thousands);
        let place = match more.filter(|_| is_list) {
            _ if len == 0 => "no runs".to_owned(),
            None => format!("run {here} of {all}{}", if is_part { "+" } else { "" }),
            Some(size) => format!("run {here} of {all} here, {} in all", text::thousands(size)),
        };
        let width = usize::from(self.width);
        let narrowed = self.lists_found() || !self.chosen.is_empty();
        let plain = !narrowed
            && !self.is_sorted_in_part()
            && self.list.marks.is_empty()
            && self.list.marks.anchor.is_none();
        let mut parts = position(self, place, context.cx).join(GAP);
        // A part without room is left out, not cut; else its end is returned.
        let mut tell = |words: String| {
            let fits = text::width(&parts) + GAP.len() + text::width(&words) <= width;
            fits.then(|| {
                parts = format!("{parts}{GAP}{words}");
                parts.len()
            })
        };
        // Cases left are of all runs, not of the marked ones, so they come first.
        let left = left(self, context.now);
        if !self.list.marks.is_empty() {
            let marked = format!("{} marked", text::thousands(self.list.marks.len()));
            let mut both = left.iter().map(|left| format!("{left}{GAP}{marked}"));
            if both.find_map(&mut tell).is_none() {
                tell(marked);
            }
        }
        if self.list.marks.anchor.is_some() {
            let ends = shared.key_does(Layer::Runs, &Action::MarkRange, "ends it");
            tell(format!("range open: {ends}"));
        }
        if self.lists_found() {
            let does = match self.before {
                Some(_) => "leads back",
                None => "clears the words",
            };
            tell(shared.key_does(Layer::Runs, &Action::Back, does));
        }
        if self.list.marks.is_empty() {
            left.into_iter().find_map(&mut tell);
        }
        let asks = asks(self);
        if !asks.is_empty() {
            let most = width.saturating_sub(40).max(width / 3);
            tell(format!("tab: {}", text::fit(&asks, most)));
        }
        let order = sorted(self);
        let arrow = order.and_then(|(order, arrow)| Some((tell(order)?, arrow)));
        let above = changed_above(self, shared);
        if above > 0 {
            tell(format!("{above} changed above"));
        }
        // The view New failures already shows it.
        let new = match self.view.only {
            Some(Only::NewFailures) => 0,
            _ => self
                .answer
                .as_ref()
                .map_or(0, |answer| answer.sums.new_failures),
        };
        let refs = self.shown.1.iter().map(|row| &row.doc_ref);
        if let Some(since) = counts::since(context, refs) {
            let runs = if new == 1 { "run" } else { "runs" };
            if new == 0 {
                tell(format!("+n: new {since}"));
            } else if tell(format!("{new} {runs} with new failures (+n) {since}")).is_none() {
                tell(format!("{new} with new failures"));
            }
        }
        if without_results(self) {
            tell("without results".into());
        } else if let Some(answer) = &self.answer {
            counts::without_results(&answer.sums.all).map(&mut tell);
        }
        // Until the help was opened once on this machine.
        if plain && shared.newcomer {
            let help = shared.key_does(Layer::Runs, &Action::Help, "all signs");
            if tell(format!("● changed since you last looked{GAP}{help}")).is_none() {
                tell(help);
            }
        }
        if let Some((end, arrow)) = arrow
            && text::width(&parts) + text::width(&arrow) <= width
        {
            parts.insert_str(end, &arrow);
        }
        parts
    }

    fn field(&self, cx: &Cx) -> Option<FootField<'_>> {
        if !self.list.search.typing {
            return None;
        }
        let said = self.completing.said().map(|said| (said, false));
        let said = said.unwrap_or_else(|| {
            let (said, is_wrong) = in_force(self, cx);
            let narrowed = narrowed_to(self).words();
            if narrowed.is_empty() || is_wrong {
                (said, is_wrong)
            } else {
                (format!("{narrowed} · {said}"), false)
            }
        });
        Some(FootField {
            sign: "/ ",
            input: &self.list.search.words,
            said,
        })
    }
}

/// Returns true if the preview fits below the list.
pub fn fits_preview(runs: &Runs) -> bool {
    runs.list.scroll.height >= usize::from(LEAST + PREVIEW)
}

fn tabs(runs: &Runs, on: &mut Surface<'_>, area: Rect) {
    let chosen = runs.tabs.iter().position(|tab| tab.name == runs.view.name);
    // Without counts, new failures are unknown.
    let known = |tab: &View| tab.only != Some(Only::NewFailures) || !without_results(runs);
    let number = |Count { runs, or_more }| {
        let more = if or_more { "+" } else { "" };
        format!("{}{more}", text::thousands(runs))
    };
    let tabs = runs.tabs.iter().enumerate().map(|(place, tab)| {
        let count = count_of(runs, place).filter(|_| known(tab));
        frame::Tab::new(&tab.name, count.map(number).unwrap_or_default())
    });
    let tabs: Vec<_> = tabs.collect();
    frame::tabs(on, area, &tabs, chosen);
}

/// Number of runs on a tab, if known.
fn count_of(runs: &Runs, tab: usize) -> Option<Count> {
    overview(runs)?.tabs.get(tab).copied().flatten()
}

fn overview(runs: &Runs) -> Option<&Overview> {
    runs.answer.as_ref().map(|answer| &*answer.overview)
}

/// Returns true if the service sends no counts.
fn without_results(runs: &Runs) -> bool {
    runs.operation() == Some(RunsOperation::ListDocuments)
}

/// Space and content that decide the columns.
pub fn room(runs: &Runs, width: u16) -> Room {
    let widest = |column: &Column| {
        let field = column.field;
        let rows = runs.shown.1.iter();
        let cells = match field.holds {
            // The first one, and the number of the others.
            Holds::Texts(of) => text::widest(rows.filter_map(|row| {
                let (first, others) = of(row).split_first()?;
                let others = Some(others.len()).filter(|others| *others > 0);
                Some(others.map_or(first.clone(), |others| format!("{first} +{others}")))
            })),
            Holds::Counts(codes) => text::widest(rows.map(|row| run_cells::number(row, codes))),
            _ => text::widest(rows.filter_map(|row| field.text_of(row))),
        };
        (field.name, cells)
    };
    Room {
        width,
        widest: runs
            .columns
            .iter()
            .filter(|it| it.grows())
            .map(widest)
            .collect(),
        without_results: without_results(runs),
        empty: overview(runs).map_or(Vec::new(), |it| it.empty.clone()),
        more: (runs.answer.as_ref()).is_some_and(|it| it.sums.has_more),
        sorted: runs
            .sorted_by()
            .and_then(Sort::field)
            .map(|field| field.name),
        all_closed: (runs.answer.as_ref()).is_some_and(|it| it.sums.all.are_closed()),
    }
}

/// Adds the headings, with the order and the sign of `+n`.
fn headed(runs: &Runs, mut table: Table, room: &Room) -> Table {
    let sorted = runs.sorted_by();
    for (place, column) in (1..).zip(runs.columns.iter()) {
        let field = column.field;
        let heading = column.heading(room);
        let arrow = sorted
            .filter(|now| now.is_by(field.name))
            .map_or("", Sort::arrow);
        let words = match field.holds {
            // The cell has room for `+n` behind the number.
            Holds::Counts(_) => {
                let beside = room.beside(field);
                let more = if beside == MORE { "+n" } else { "" };
                let arrow = text::pad(arrow, beside.min(1));
                let number = table.width(place).saturating_sub(beside);
                format!("{}{arrow}{more}", text::pad_left(heading, number))
            }
            _ if field.is_number() => format!("{heading}{arrow}"),
            _ => format!("{heading} {arrow}").trim_end().to_owned(),
        };
        table = table.headed(place, &words);
    }
    table
}

fn rows(runs: &Runs, (table, room): (&Table, &Room), on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let scroll = runs.list.scroll;
    let Some(len) = runs.len() else {
        return waiting(runs, on, area);
    };
    if len == 0 {
        // The answer for the current words or tab may have rows.
        if runs.answered().is_none() {
            return;
        }
        let words = empty(context, runs);
        let lines = text::wrap(&words, usize::from(area.width).saturating_sub(2), 6);
        let lines = lines.into_iter();
        let lines = lines.map(|line| Span::styled(format!("  {line}"), context.theme.text()));
        return frame::lines(on.buffer, frame::below(area, 1), lines);
    }
    let row = run_cells::row(context, &runs.columns, (table, room), &runs.shown.1);
    let (marks, shared) = (&runs.list.marks, &context.cx.shared);
    let range = runs.list.begun(&runs.answer);
    let limit = shared.limit();
    let line = |index: usize| {
        let in_range = range.as_ref().is_some_and(|range| range.contains(&index));
        let Some(run) = runs.shown(index) else {
            return Vec::new();
        };
        let sign = sign([
            marks.has(&run.doc_ref),
            in_range,
            shared.is_bad(run, limit.as_ref(), context.now.ms),
            shared.feed.is_unread(&run.doc_ref),
        ]);
        let is_older = runs.older_counts_at(index).is_some();
        let mut spans = row(run, sign, is_older);
        if in_range {
            for span in &mut spans {
                span.style = span.style.patch(context.theme.accent());
            }
        }
        spans
    };
    scroll.draw(len, line, on, area);
}

/// Reason for an empty list, and the next step.
fn empty(context: Context<'_>, runs: &Runs) -> String {
    let words = runs.list.search.text().trim();
    if !words.is_empty() {
        return nothing_matches(context, runs, words);
    }
    if let Some(before) = &runs.before {
        let chosen = runs.chosen.words();
        if chosen.is_empty() {
            return "None of these runs is here any more.".to_owned();
        }
        let changes = then(context, &Action::Facets, "changes that");
        return format!(
            "None of the runs of \"{}\" is with {chosen}{changes}.",
            before.name
        );
    }
    if let Some(only) = runs.view.only {
        let none = none_of_tab(context.now, runs, only);
        return if runs.chosen.is_empty() {
            none
        } else {
            let changes = then(context, &Action::Facets, "changes that");
            format!("{none} Only {}{changes}.", runs.chosen.words())
        };
    }
    if !runs.chosen.is_empty() {
        let none = none_of_version(context, runs);
        if runs.extent().is_complete {
            return none;
        }
        return format!("{none} Not all runs are here: :sync all reads them.");
    }
    if !runs.view.query.is_empty() {
        return format!(
            "No runs here. This tab lists those that fit: {}{}",
            runs.view.query,
            not_known(runs)
        );
    }
    if runs.view.is("Closed") {
        return "No closed runs here.".to_owned();
    }
    let new = if context.cx.shared.is_read_only() {
        String::new()
    } else {
        then(context, &Action::New, "makes a new one")
    };
    if !runs.view.is("Open") {
        return format!("No runs here{new}.");
    }
    let all = runs.tabs.iter().position(|tab| tab.is("All"));
    let all = all.map(|all| then(context, &Action::Part(all), "shows closed runs, too"));
    format!("No open runs here{new}{}.", all.unwrap_or_default())
}

/// Message that no run matches the filters, with the versions that have runs.
fn none_of_version(context: Context<'_>, runs: &Runs) -> String {
    let kind = match &runs.view {
        view if view.is("Open") => "open run",
        view if view.is("Closed") => "closed run",
        _ => "run",
    };
    let which = match runs.chosen.values.get(VERSION.path) {
        Some(versions) if runs.chosen.values.len() == 1 && runs.chosen.flags.is_empty() => {
            format!(
                "of {}",
                text::join(versions.iter().map(String::as_str), " or ")
            )
        }
        _ => format!("with {}", runs.chosen.words()),
    };
    let others = overview(runs).map_or(&[][..], |it| &it.others);
    let other =
        |(version, number): &(String, u64)| format!("{version} ({})", text::thousands(*number));
    let others: Vec<String> = others.iter().map(other).collect();
    if others.is_empty() {
        let other = then(context, &Action::Facets, "changes what is filtered by");
        return format!("No {kind} {which}{other}.");
    }
    let key = context.cx.shared.key(Layer::Runs, &Action::Facets);
    let key = key.map_or_else(String::new, |key| format!(": {key}"));
    format!("No {kind} {which}. Others: {}{key}", others.join(", "))
}

/// Text that names the key of an action of the list; empty if no key is bound to it.
fn then(context: Context<'_>, action: &Action, does: &str) -> String {
    context.cx.shared.then_key("; ", Layer::Runs, action, does)
}

/// Message that no run matches the typed words.
fn nothing_matches(context: Context<'_>, runs: &Runs, words: &str) -> String {
    let (cx, extent) = (context.cx, runs.extent());
    // The first Esc only leaves the field.
    let esc = if runs.list.search.typing {
        "Esc Esc"
    } else {
        "Esc"
    };
    if let Some(problem) = &runs.problem {
        return format!("\"{words}\" cannot be read: {problem}. {esc} clears the words.");
    }
    let with = match runs.chosen.words() {
        filter if filter.is_empty() => filter,
        filter => format!(" with {filter}"),
    };
    if extent.is_complete {
        let hint = runs.wanted.status_hint();
        let hint = hint.map_or_else(|| not_known(runs), |hint| format!(": {hint}"));
        return format!("No run{with} matches \"{words}\"{hint}. {esc} clears the words.");
    }
    let here = text::thousands(extent.here);
    let unknown = not_known(runs);
    let none = format!("None of the {here} runs{with} that are here matches \"{words}\"{unknown}");
    if runs.reader.search_failed {
        return format!("{none}, and the search of the service failed. {esc} shows them again.");
    }
    if searches(cx) {
        return format!("{none}; the service is searched…");
    }
    format!("{none}; {}. {esc} shows them again.", not_here(extent))
}

/// Message about runs for which the search cannot be decided; empty if there are none.
fn not_known(runs: &Runs) -> String {
    match runs.answer.as_ref().map_or(0, |answer| answer.undecided) {
        0 => String::new(),
        _ if without_results(runs) => "; no results from this service".into(),
        runs => format!("; of {} it is not known", text::count(runs, "run")),
    }
}

/// Message about runs that are not loaded, and how to load them.
fn not_here(extent: ListExtent) -> String {
    match extent.missing() {
        0 => "others may not be here: :sync all".into(),
        runs => format!("{} not here: :sync all", text::count(runs, "run")),
    }
}

/// Returns true while the service is searched for the words.
fn searches(cx: &Cx) -> bool {
    cx.under_way(&Slot::Search) || cx.under_way(&Slot::TypingPause)
}

/// Message that no loaded run belongs to the tab.
fn none_of_tab(now: &Now, runs: &Runs, only: Only) -> String {
    let (extent, compared) = (runs.extent(), overview(runs).map_or(0, |it| it.compared));
    let before = match runs.read_at() {
        _ if !only.compares() || compared > 0 || extent.here == 0 => "",
        _ if without_results(runs) => " No results from this service.",
        Some(at) if !now.is_today(at) => " Nothing was read today.",
        _ => " No earlier reading to compare with.",
    };
    let missing = if extent.is_complete {
        String::new()
    } else {
        format!(" {}.", not_here(extent))
    };
    let lists = match &*asks(runs) {
        "" => only.words().to_owned(),
        asks => format!("{}: {asks}", only.words()),
    };
    format!("No run here. This tab lists {lists}.{before}{missing}")
}

/// Returns the conditions of the tab, in words; empty where chosen filters replace some of them.
fn asks(runs: &Runs) -> String {
    let mut chosen = runs.chosen.values.keys();
    if chosen.any(|path| runs.view.filters_by(path)) {
        return String::new();
    }
    text::cells(&runs.view.words()).into_owned()
}

/// Active filters, without fields that the words name.
fn narrowed_to(runs: &Runs) -> Narrowing {
    let mut chosen = runs.chosen.clone();
    let is_typed = |path: &String| of_path(path).is_some_and(|field| runs.wanted.chooses(field));
    chosen.values.retain(|path, _| !is_typed(path));
    chosen
}

/// First value of a field, and the number of others.
fn in_short(values: &BTreeSet<String>) -> String {
    let first = values.first().map_or("", |value| value);
    let first = text::fit(first, VALUE);
    match values.len() {
        ..=1 => first,
        all => format!("{first} +{}", all - 1),
    }
}

/// Parts of the status line: place of the cursor, filters, and the typed words or the note about a partial sort. The
/// last part is never cut; the filters are shortened, and the place is left out if there is no room.
fn position(runs: &Runs, place: String, cx: &Cx) -> Vec<String> {
    let name = match &runs.before {
        Some(before) => text::fit(&before.name, NAME),
        // What follows them is not cut for words that stand behind the sign of the search, too.
        None => {
            let words = text::fit(runs.list.search.text(), usize::from(runs.width / 3));
            format!("\"{words}\"")
        }
    };
    let found = || format!("{name}: {}", in_force(runs, cx).0);
    let typed = runs.lists_found().then(found);
    let typed = typed.or_else(|| runs.is_sorted_in_part().then(|| SORTED_IN_PART.into()));
    let columns = |part: &String| text::width(part) + GAP.len();
    let room = usize::from(runs.width).saturating_sub(typed.as_ref().map_or(0, columns));
    let narrowed = narrowed_to(runs);
    if narrowed.is_empty() {
        let place = Some(place).filter(|place| typed.is_none() || text::width(place) <= room);
        return place.into_iter().chain(typed).collect();
    }
    // The key that changes the filters.
    let key = cx.shared.key(Layer::Runs, &Action::Facets);
    let key = key.map_or_else(String::new, |key| format!("{key}: "));
    let beside = room.saturating_sub(columns(&place));
    let mut filter = format!("{key}{}", narrowed.words());
    if text::width(&filter) > beside {
        filter = format!("{key}{}", narrowed.words_with(in_short));
    }
    let (place, room) = if beside < FILTER.min(text::width(&filter)) {
        (None, room)
    } else {
        (Some(place), beside)
    };
    let filter = text::fit(&filter, room);
    place.into_iter().chain([filter]).chain(typed).collect()
}

/// Draws the rows before the first answer: placeholders, or the failure.
fn waiting(runs: &Runs, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    if let Some(failure) = &runs.reader.failure {
        let lines = fields::failure(failure, usize::from(area.width) - 2);
        let tries = |does| {
            context
                .cx
                .shared
                .key_does(Layer::Runs, &Action::Refresh, does)
        };
        let again = if failure.kind == FailureKind::SignIn || failure.is_in_vain() {
            String::new()
        } else if context.cx.under_way(&Slot::RetryPause) {
            format!("Trying again by itself. {}", tries("tries now."))
        } else {
            tries("tries again.")
        };
        let theme = context.theme;
        let styles = std::iter::once(theme.bad()).chain(std::iter::repeat(theme.text()));
        let last = [(String::new(), theme.text()), (again, theme.warn())];
        let lines = lines.into_iter().zip(styles).chain(last);
        let lines = lines.map(|(line, style)| frame::said(&line, style));
        return frame::lines(on.buffer, area, lines);
    }
    let more = Span::styled(" …", context.theme.muted());
    frame::lines(on.buffer, area, std::iter::repeat(more));
}

/// Result of the words, or their problem; true marks a problem.
pub fn in_force(runs: &Runs, cx: &Cx) -> (String, bool) {
    if let Some(problem) = &runs.problem {
        return (problem.clone(), true);
    }
    let extent = runs.extent();
    let number = runs.answered().map(|answer| answer.runs.len());
    let found = text::thousands(number.unwrap_or(0));
    let is_that_run = runs.wanted.is_one_run() && number.is_some_and(|found| found > 0);
    let instead = runs.chosen_by_words(|field| runs.view.filters_by(field.path));
    let instead = instead.filter(|_| !is_that_run);
    let instead = instead.map_or(String::new(), |field| match &runs.view.name {
        name if runs.wanted.names_run() => format!(", of all runs, not only of {name}"),
        name => format!(
            ", {} as typed, not as in {name}",
            field.label.to_lowercase()
        ),
    });
    let instead = instead + &not_known(runs);
    let words = match runs.wanted.notes.first() {
        _ if !runs.lists_found() => {
            let completes = cx.shared.completes();
            format!("words, or an id such as R_240{completes}")
        }
        _ if runs.len().is_none() => "no run is here yet".into(),
        _ if number.is_none() => "searching…".into(),
        Some(note) => format!("{found} found{instead}; {}", note.words),
        None if extent.is_complete || is_that_run => format!("{found} found{instead}"),
        None if searches(cx) => format!("{found} found{instead}; searching all…"),
        // First, where not all has room.
        None => format!(
            "{found} found; {}{}{}",
            not_here(extent),
            instead.replacen(',', ";", 1),
            if runs.reader.search_failed {
                "; service search failed"
            } else {
                ""
            }
        ),
    };
    (words, false)
}

/// Number of changed and unread rows above the cursor.
fn changed_above(runs: &Runs, shared: &Shared) -> usize {
    let Some(answer) = &runs.answer else { return 0 };
    let above = answer.changed.iter();
    let above = above.take_while(|place| **place < runs.list.scroll.cursor);
    let run = |place: &usize| answer.runs.get(*place);
    let is_unread = |run: &&Arc<Run>| shared.feed.is_unread(&run.doc_ref);
    above.filter_map(run).filter(is_unread).count()
}

/// The order and its direction, unless a visible heading shows them.
fn sorted(runs: &Runs) -> Option<(String, String)> {
    let Some(now) = runs.sorted_by() else {
        return Some(("not sorted".into(), String::new()));
    };
    let table = Table::of_runs(&runs.columns, &room(runs, runs.width));
    let mut columns = (1..).zip(runs.columns.iter());
    let is_headed = columns
        .find(|(_, column)| now.is_by(column.field.name))
        .is_some_and(|(place, _)| table.width(place) > 0);
    let label = now.field().map_or(&*now.path, |field| field.label);
    let words = || {
        (
            format!("sort: {}", label.to_lowercase()),
            format!(" {}", now.arrow()),
        )
    };
    (!is_headed).then(words)
}

/// Cases left in the found runs, and those not run in closed ones, the longest words first; at least, where some runs or
/// their counts are not known.
fn left(runs: &Runs, now: &Now) -> Vec<String> {
    let Some(answer) = &runs.answer else {
        return Vec::new();
    };
    let (sums, all) = (&answer.sums, &answer.sums.all);
    let Some(left) = sums.left() else {
        return Vec::new();
    };
    let number = |cases: u64, is_exact: bool| {
        let or_more = if is_exact { "" } else { "+" };
        format!("{}{or_more}", text::thousands(cases))
    };
    let is_whole = runs.extent().is_complete;
    // Runs that are not here, but are all closed, have no case left.
    let has_all_open = is_whole || answer.overview.project.has_all_open;
    let is_exact = has_all_open && all.open_without_results == 0;
    let closed_without = all.without_results - all.open_without_results;
    let not_run = match (all.not_run, closed_without) {
        (0, 0) => None,
        (not_run, without) => Some(format!(
            "{} not run",
            number(not_run, is_whole && without == 0)
        )),
    };
    // Where all found ones are closed, others may be open, but nobody knows.
    if left == 0 && !is_exact && not_run.is_some() {
        return Vec::from_iter(not_run);
    }
    let left = format!("{} left", number(left, is_exact));
    let ages = runs.older_counts().map_or_else(
        || vec![String::new()],
        |at| vec![format!(" (oldest {})", now.short(at)), " (old)".to_owned()],
    );
    let with = |end: &str| ages.iter().map(|age| format!("{left}{age}{end}")).collect();
    let mut words: Vec<String> = with(
        &not_run
            .as_ref()
            .map_or_else(String::new, |it| format!(", {it}")),
    );
    if not_run.is_some() {
        words.extend::<Vec<String>>(with(""));
    }
    words
}
