//! The runs list: the views, the window onto the service, the filter over it, sort and columns.

mod chunks;
mod export;
pub mod keys;
mod missing;
mod pickers;
mod preview;
mod summary;
mod update;
mod view;
mod window;

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use export::Export;
pub use summary::{Count, Shown, Summary, Tab};
pub use window::Window;

use crate::domain::columns::Columns;
use crate::domain::fields::{self, SEARCHED, VERSION};
use crate::domain::{DocRef, Facets, Filter, ResultCode, RunRow, RunsOperation, Sort, View};
use crate::store::{Cx, Layer, Motion, Shared, Slot, SortedBy};
use crate::ui::list::{Marks, RANGE_GONE, Search, Words, range_begun};
use crate::ui::{Scroll, text};

/// The service's full text is asked from so many characters on; shorter texts filter what is loaded.
pub const FULLTEXT_FROM: usize = 3;
/// Milliseconds without typing after which the service is asked.
pub const TYPING_PAUSE: u64 = 250;
/// Runs that can be marked at once: each is kept with its row.
pub const MOST_MARKS: usize = 1_000;

/// Which filter the rows on the screen come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InForce {
    /// No filter text.
    Nothing,
    /// The loaded rows are filtered on this side.
    Local,
    /// The service's `fulltext`.
    Service,
}

/// The loaded rows that match the filter text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matches {
    /// Places in the window.
    pub places: Vec<u64>,
    /// Cursor in them.
    pub scroll: Scroll,
}

impl Matches {
    fn len(&self) -> u64 {
        self.places.len() as u64
    }
}

/// State of the runs list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// All runs of the view under the chosen filters.
    pub all: Window,
    /// The runs that the service finds for the filter text.
    pub found: Option<Window>,
    /// The words that the list is narrowed by.
    pub search: Search,
    /// The rows that are here, as far as they match, where a text, the view or an order of this side says which.
    pub matches: Option<Matches>,
    /// Sort orders that are asked for.
    pub sort: Vec<Sort>,
    /// An order that the service does not know: the rows that are here are put into it.
    pub loaded_order: Option<SortedBy>,
    /// `filterItemMap` as read last.
    pub facets: Facets,
    /// What is filtered by: field path to value. It takes the place of what the view says about that field.
    pub chosen: BTreeMap<String, String>,
    /// The tab in force.
    pub view: View,
    /// What the rows tell together, and the tabs with their numbers.
    pub summary: Summary,
    pub marks: Marks<RunRow>,
    /// Operation that the rows came from.
    pub operation: Option<RunsOperation>,
    pub columns: Columns,
    /// Whether the preview is wanted; `None` as long as the height decides.
    preview: Option<bool>,
    /// The preview is on the screen.
    previews: bool,
    /// What is on its way to a file.
    export: Option<Box<Export>>,
    /// Columns of the terminal that the list was drawn with.
    pub width: u16,
    /// Some tabs stand behind "more…".
    more_tabs: bool,
    /// The highest number that a reading of an earlier window has.
    readings: u64,
    /// Failed readings in a row.
    retries: u32,
}

impl Runs {
    /// A list that has read nothing; the newest edits come first.
    pub fn new(page_size: u32) -> Self {
        let [view, ..] = View::built_in();
        let sort = Sort::newest_edits();
        Self {
            all: Window::new(sort.clone(), view.filter.clone(), page_size),
            sort,
            view,
            summary: Summary::new(&[]),
            ..Self::default()
        }
    }

    /// Sets the list to a view.
    pub fn use_view(&mut self, view: View, cx: &mut Cx) {
        self.clear_text(cx);
        if !view.sorts.is_empty() {
            self.sort.clone_from(&view.sorts);
            self.loaded_order = None;
        } else if !self.view.sorts.is_empty() {
            self.sort = Sort::newest_edits();
        }
        self.chosen = self.chosen_on(&view, &cx.shared);
        self.view = view;
        self.ask_anew(cx);
    }

    /// What is filtered by once the list is set to a view: what the view itself filters by not twice, and the version of
    /// the profile again after a view that has versions of its own.
    fn chosen_on(&self, view: &View, shared: &Shared) -> BTreeMap<String, String> {
        let mut chosen = self.chosen.clone();
        chosen.retain(|path, _| !view.filters_by(path));
        if self.view.filters_by(VERSION.path) {
            chosen.extend(shared.chosen_beside(view));
        }
        chosen
    }

    /// What the rows are sorted by.
    pub fn sorted_by(&self) -> Option<SortedBy> {
        let of_service = || {
            let sort = self.window().sort.first()?;
            Some(SortedBy {
                field: fields::sorted_by(&sort.path)?.name,
                ascending: !sort.descending,
            })
        };
        self.loaded_order.or_else(of_service)
    }

    /// Which rows there are and in what order, this side says.
    fn is_arranged(&self) -> bool {
        self.view.only.is_some() || self.loaded_order.is_some()
    }

    /// Which filter the rows on the screen come from.
    pub fn in_force(&self) -> InForce {
        match (&self.found, &self.matches) {
            (Some(found), _) if found.full_size().is_some() => InForce::Service,
            (_, Some(_)) => InForce::Local,
            _ => InForce::Nothing,
        }
    }

    /// The loaded rows that match, where they are those on the screen.
    fn local(&self) -> Option<&Matches> {
        let local = self.in_force() == InForce::Local;
        self.matches.as_ref().filter(|_| local)
    }

    fn local_mut(&mut self) -> Option<&mut Matches> {
        let local = self.in_force() == InForce::Local;
        self.matches.as_mut().filter(|_| local)
    }

    /// The window that the screen shows or filters.
    pub fn window(&self) -> &Window {
        let service = self.in_force() == InForce::Service;
        self.found.as_ref().filter(|_| service).unwrap_or(&self.all)
    }

    fn window_mut(&mut self) -> &mut Window {
        let service = self.in_force() == InForce::Service;
        self.found
            .as_mut()
            .filter(|_| service)
            .unwrap_or(&mut self.all)
    }

    /// Cursor and top of the rows on the screen.
    pub fn scroll(&self) -> Scroll {
        self.local()
            .map_or(self.window().scroll, |matches| matches.scroll)
    }

    /// Number of rows that can be scrolled through, if it is known.
    pub fn len(&self) -> Option<u64> {
        let size = self.window().full_size()?;
        // As long as nothing was read, nobody knows that none matches.
        Some(self.local().map_or(size, Matches::len))
    }

    /// Nothing can be scrolled through.
    pub fn is_empty(&self) -> bool {
        self.len().unwrap_or(0) == 0
    }

    /// The row at a place of the screen's list.
    pub fn row(&self, index: u64) -> Option<&RunRow> {
        match self.local() {
            Some(matches) => self.all.row(*matches.places.get(index as usize)?),
            None => self.window().row(index),
        }
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&RunRow> {
        self.row(self.scroll().cursor)
    }

    /// The reference of the run under the cursor.
    fn here(&self) -> Option<DocRef> {
        self.current().map(|row| row.doc_ref.clone())
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        let Some(matches) = self.local_mut() else {
            return self.window_mut().go(motion);
        };
        matches.scroll.go(motion, matches.len());
        // Of what is behind the end nobody knows yet whether it matches.
        if matches.scroll.cursor + 1 >= matches.len() && self.is_arranged() {
            self.all.read_on();
        }
    }

    /// Puts the cursor on a row of the screen.
    pub fn point(&mut self, row: u16) {
        match self.local_mut() {
            Some(matches) => matches.scroll.point(row, matches.len()),
            None => self.window_mut().point(row),
        }
    }

    /// Takes the number of rows on the screen; says whether anything has moved.
    pub fn set_height(&mut self, height: u16) -> bool {
        let mut moved = false;
        for window in self.windows_mut() {
            moved |= window.set_height(height);
        }
        if let Some(matches) = &mut self.matches {
            moved |= matches.scroll.set_height(height, matches.len());
        }
        moved
    }

    /// The filter text has changed: the loaded rows are filtered at once, the service is asked after a pause.
    pub fn text_changed(&mut self, cx: &mut Cx) {
        self.drop_found(cx);
        cx.give_up(&Slot::TypingPause);
        self.match_loaded(&cx.shared);
        if self.asks_service() {
            cx.timer(Slot::TypingPause, TYPING_PAUSE);
        }
    }

    /// The text is long enough for the service's full text, and what the service finds need not be arranged here.
    pub fn asks_service(&self) -> bool {
        !self.is_arranged() && self.search.text().trim().chars().count() >= FULLTEXT_FROM
    }

    /// Asks the service for the filter text, unless it has been asked.
    pub fn ask_service(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::TypingPause);
        if self.found.is_none() && self.asks_service() {
            let filter = self.searched_filter();
            let reading = self.next_reading();
            self.found = Some(self.all.search(filter, reading));
        }
    }

    /// What the service is asked for the filter text; words of the view stay in force.
    fn searched_filter(&self) -> Filter {
        let mut filter = self.chosen_filter();
        if !filter.fulltext.is_empty() {
            filter.fulltext.push(' ');
        }
        filter.fulltext.push_str(self.search.text().trim());
        filter
    }

    /// Takes the filter away; the cursor goes to the run it was on, where that is loaded.
    pub fn clear_text(&mut self, cx: &mut Cx) {
        let here = self.here();
        self.search.clear();
        self.text_changed(cx);
        if let Some(doc_ref) = here {
            self.all.go_to(&doc_ref);
        }
    }

    /// The query has changed (view, sort or filter): reads from the start, unless the same is here.
    pub fn ask_anew(&mut self, cx: &mut Cx) {
        let filter = self.chosen_filter();
        if (&self.all.sort, &self.all.filter) != (&self.sort, &filter) {
            self.summary.others.clear();
            self.all.cancel(cx);
            self.drop_found(cx);
            let reading = self.next_reading();
            self.all = self.all.successor(self.sort.clone(), filter, reading);
        }
        self.rows_changed(&cx.shared);
        self.ask_service(cx);
    }

    /// Other rows are here, or they are seen in another light: they are matched and summed up anew.
    fn rows_changed(&mut self, shared: &Shared) {
        self.match_loaded(shared);
        self.sum_up(shared);
    }

    /// Takes of the rows that are here those that match, in the order that is wanted: every word of the text must be
    /// found, case and accents do not matter. The cursor stays on its run where that still matches.
    pub fn match_loaded(&mut self, shared: &Shared) {
        let here = self.here();
        self.match_around(here.as_ref(), shared);
    }

    /// The same where other rows have come since: the cursor was on this run before.
    fn match_around(&mut self, here: Option<&DocRef>, shared: &Shared) {
        self.matches = self.matching(here, shared);
        self.sum_shown(shared);
    }

    fn matching(&self, here: Option<&DocRef>, shared: &Shared) -> Option<Matches> {
        let text = self.search.text().trim();
        if text.is_empty() && !self.is_arranged() {
            return None;
        }
        let mut words = Words::new(text);
        let mut rows: Vec<(u64, &RunRow)> = self
            .all
            .rows()
            .filter(|(_, row)| shared.fits(self.view.only, row))
            .filter(|(_, row)| words.fit(SEARCHED.iter().filter_map(|field| field.text_of(row))))
            .collect();
        if let Some(order) = self.loaded_order {
            in_order(&mut rows, order, shared.done_codes(), |(_, row)| row);
        }
        let places: Vec<u64> = rows.into_iter().map(|(place, _)| place).collect();
        let len = places.len() as u64;
        let mut scroll = self
            .matches
            .as_ref()
            .map_or(self.all.scroll, |matches| matches.scroll);
        let is_here = |place: &u64| self.all.row(*place).map(|row| &row.doc_ref) == here;
        let held = here.is_some() && self.all.is_held();
        match places.iter().position(is_here).filter(|_| held) {
            Some(place) => scroll.carry(place as u64, len),
            None => scroll.fit(len),
        }
        Some(Matches { places, scroll })
    }

    /// One that no window has had.
    fn next_reading(&mut self) -> u64 {
        self.readings = self.readings.max(self.all.epoch()) + 1;
        self.readings
    }

    fn drop_found(&mut self, cx: &mut Cx) {
        if let Some(mut found) = self.found.take() {
            self.readings = self.readings.max(found.epoch());
            found.cancel(cx);
        }
    }

    pub(super) fn chosen_filter(&self) -> Filter {
        narrowed(&self.view, &self.chosen)
    }

    /// What the list asks the service for once it is set to a view.
    fn filter_on(&self, view: &View, shared: &Shared) -> Filter {
        if view.name == self.view.name {
            self.chosen_filter()
        } else {
            narrowed(view, &self.chosen_on(view, shared))
        }
    }
}

/// Puts rows into an order that the service does not know: those that do not tell come last, and of the same value they
/// stay as they are.
fn in_order<T>(rows: &mut [T], order: SortedBy, done: &[ResultCode], row: impl Fn(&T) -> &RunRow) {
    let Some(field) = fields::named(order.field) else {
        return;
    };
    rows.sort_by_cached_key(|entry| {
        let row = row(entry);
        let value = field.number(row, row.sums(done)).map(|value| {
            let value = i128::from(value);
            if order.ascending { value } else { -value }
        });
        (value.is_none(), value)
    });
}

/// The filter of a view, in which what was chosen takes the place of what the view says about the same field.
fn narrowed(view: &View, chosen: &BTreeMap<String, String>) -> Filter {
    let mut filter = view.filter.clone();
    let is_chosen = |filter: &String| {
        let path = filter.split_once(':').map(|(path, _)| path);
        path.is_some_and(|path| chosen.contains_key(path))
    };
    filter.filters.retain(|filter| !is_chosen(filter));
    let chosen = chosen.iter().map(|(path, value)| format!("{path}:{value}"));
    filter.filters.extend(chosen);
    filter
}

impl Runs {
    /// What is told of the run under the cursor where none is here.
    fn none_here(&self) -> &'static str {
        if self.is_empty() {
            "there is no run here yet"
        } else {
            "this row is not here yet"
        }
    }

    /// Marks the run under the cursor or takes its mark away, and goes on to the next.
    fn toggle_mark(&mut self, cx: &mut Cx) {
        let Some(row) = self.current().cloned() else {
            return cx.say(self.none_here());
        };
        if self.marks.len() >= MOST_MARKS && !self.marks.has(&row.doc_ref) {
            return cx.say(full());
        }
        self.marks.toggle(&row);
        self.go(Motion::Down);
    }

    /// The first time: a range begins at the run under the cursor. The second time: all loaded rows from there to here
    /// are marked. Says what was done, or why nothing was; whether something was.
    fn mark_range(&mut self, cx: &mut Cx) -> bool {
        let here = self.here();
        let done = match self.marks.range(here.as_ref()) {
            Some(begun) => self.range_from(&begun).ok_or(RANGE_GONE).map(|places| {
                let wanted = places.end() - places.start() + 1;
                self.mark(&places, wanted)
            }),
            None if here.is_some() => Ok(range_begun(Layer::Runs, cx)),
            None => Err("this row is not here yet"),
        };
        let is_done = done.is_ok();
        cx.say(done.unwrap_or_else(str::to_owned));
        is_done
    }

    /// Marks all loaded rows of the filter in force.
    fn mark_all(&mut self, cx: &mut Cx) {
        self.marks.anchor = None;
        let mut wanted = self.len().unwrap_or(0);
        if self.in_force() == InForce::Local {
            // Of the rows that are not loaded nobody knows whether they match.
            let all = self.all.full_size().unwrap_or(0);
            wanted += all.saturating_sub(self.all.loaded() as u64);
        }
        cx.say(self.mark(&(0..=u64::MAX), wanted));
    }

    /// The marked runs, each as it was read last.
    pub fn marked(&self) -> Vec<RunRow> {
        let loaded = self
            .loaded_rows()
            .filter(|(_, row)| self.marks.has(&row.doc_ref));
        let loaded: HashMap<&DocRef, &RunRow> =
            loaded.map(|(_, row)| (&row.doc_ref, row)).collect();
        self.marks
            .rows()
            .iter()
            .map(|kept| match loaded.get(&kept.doc_ref) {
                Some(row) => (*row).clone().with_counts_of(kept),
                None => kept.clone(),
            })
            .collect()
    }

    /// The places from a run to the cursor, if the run is in the list and loaded.
    pub fn range_from(&self, begun: &DocRef) -> Option<RangeInclusive<u64>> {
        let place = self.loaded_rows().find(|(_, row)| row.doc_ref == *begun)?.0;
        Some(self.scroll().span(place))
    }

    /// The loaded rows of the list on the screen, with their places in it.
    pub fn loaded_rows(&self) -> Box<dyn Iterator<Item = (u64, &RunRow)> + '_> {
        match self.local() {
            Some(matches) => {
                let rows = matches.places.iter().zip(0..);
                Box::new(rows.filter_map(|(place, index)| Some((index, self.all.row(*place)?))))
            }
            None => Box::new(self.window().rows()),
        }
    }

    /// Marks the loaded rows of these places, of which so many were wanted; says how many were marked.
    fn mark(&mut self, places: &RangeInclusive<u64>, wanted: u64) -> String {
        let rows: Vec<RunRow> = self
            .loaded_rows()
            .filter(|(place, _)| places.contains(place))
            .map(|(_, row)| row.clone())
            .collect();
        let mut marked = 0;
        for row in &rows {
            if self.marks.has(&row.doc_ref) || self.marks.len() < MOST_MARKS {
                self.marks.add(row);
                marked += 1;
            }
        }
        let mut done = match wanted.saturating_sub(rows.len() as u64) {
            0 => format!("{} marked", text::count(marked, "row")),
            others => {
                let marked = text::count(marked, "loaded row");
                format!("{marked} marked, {others} others are not loaded")
            }
        };
        if marked < rows.len() {
            done += "; ";
            done += &full();
        }
        done
    }
}

fn full() -> String {
    format!("no more than {MOST_MARKS} runs can be marked at once")
}
