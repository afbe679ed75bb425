//! The runs list: the window onto the service, the filter over it, sort, facets and columns.

mod chunks;
mod feed;
pub mod keys;
mod pickers;
mod preview;
mod update;
mod view;
mod window;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

pub use window::Window;

use crate::domain::fields::SEARCHED;
use crate::domain::{DocRef, Facets, Filter, RunRow, RunsOperation, SavedView, Sort};
use crate::store::cx::Cx;
use crate::store::in_flight::Slot;
use crate::store::message::Motion;
use crate::ui::list::{Marks, Scroll, Words};
use crate::ui::text_input::Input;

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

/// State of the runs list.
#[derive(Clone, Debug, PartialEq)]
pub struct Runs {
    /// All runs under the chosen facets.
    pub all: Window,
    /// The runs that the service finds for the filter text.
    pub found: Option<Window>,
    /// The filter text.
    pub text: Input,
    /// The filter box has the focus.
    pub typing: bool,
    /// The loaded rows that match the text.
    pub matches: Option<Matches>,
    /// Sort orders that are asked for.
    pub sort: Vec<Sort>,
    /// `filterItemMap` as read last.
    pub facets: Facets,
    /// Chosen facets: field path to value.
    pub chosen: BTreeMap<String, String>,
    /// The saved view in force, with the orders and facets that were there before it.
    view: Option<(SavedView, Vec<Sort>, BTreeMap<String, String>)>,
    pub marks: Marks<RunRow>,
    /// Operation that the rows came from.
    pub operation: Option<RunsOperation>,
    /// Columns a person has switched off, by name of their field.
    pub hidden: BTreeSet<&'static str>,
    /// The preview pane is wanted or not; as long as nobody has said, it is there when there is room.
    pub preview: Option<bool>,
    /// The preview pane is on the screen.
    pub preview_shown: bool,
    /// The highest number that a reading of an earlier window has.
    readings: u64,
    /// Failed readings in a row.
    retries: u32,
}

impl Runs {
    /// A list that has read nothing; the newest edits come first.
    pub fn new(page_size: u32) -> Self {
        let sort = Sort::newest_edits();
        Self {
            all: Window::new(sort.clone(), Filter::default(), page_size),
            found: None,
            text: Input::default(),
            typing: false,
            matches: None,
            sort,
            facets: Facets::new(),
            chosen: BTreeMap::new(),
            view: None,
            marks: Marks::default(),
            operation: None,
            hidden: BTreeSet::new(),
            preview: None,
            preview_shown: false,
            readings: 0,
            retries: 0,
        }
    }

    /// The saved view in force.
    pub fn view(&self) -> Option<&SavedView> {
        self.view.as_ref().map(|(view, ..)| view)
    }

    /// Sets the list to a view, with these facets beside it.
    pub fn use_view(&mut self, view: SavedView, chosen: BTreeMap<String, String>, cx: &mut Cx) {
        self.clear_text(cx);
        let before = self.view.take().map(|(_, sort, chosen)| (sort, chosen));
        let (sort, facets) = before.unwrap_or_else(|| (self.sort.clone(), self.chosen.clone()));
        self.sort = if view.sorts.is_empty() {
            Sort::newest_edits()
        } else {
            view.sorts.clone()
        };
        self.chosen = chosen;
        self.view = Some((view, sort, facets));
        self.ask_anew(cx);
    }

    /// Leaves the view in force: orders and facets are what they were before. Returns its name.
    pub fn leave_view(&mut self, cx: &mut Cx) -> Option<String> {
        let (view, sort, chosen) = self.view.take()?;
        (self.sort, self.chosen) = (sort, chosen);
        self.ask_anew(cx);
        Some(view.name)
    }

    /// Which filter the rows on the screen come from.
    pub fn in_force(&self) -> InForce {
        match (&self.found, &self.matches) {
            (Some(found), _) if found.full_size().is_some() => InForce::Service,
            (_, Some(_)) => InForce::Local,
            _ => InForce::Nothing,
        }
    }

    /// The window that the screen shows or filters.
    pub fn window(&self) -> &Window {
        match (self.in_force(), &self.found) {
            (InForce::Service, Some(found)) => found,
            _ => &self.all,
        }
    }

    fn window_mut(&mut self) -> &mut Window {
        match (self.in_force(), &mut self.found) {
            (InForce::Service, Some(found)) => found,
            _ => &mut self.all,
        }
    }

    /// Cursor and top of the rows on the screen.
    pub fn scroll(&self) -> Scroll {
        match (self.in_force(), &self.matches) {
            (InForce::Local, Some(matches)) => matches.scroll,
            _ => self.window().scroll,
        }
    }

    /// Number of rows that can be scrolled through, if it is known.
    pub fn len(&self) -> Option<u64> {
        match (self.in_force(), &self.matches) {
            (InForce::Local, Some(matches)) => Some(matches.places.len() as u64),
            _ => self.window().full_size(),
        }
    }

    /// Nothing can be scrolled through.
    pub fn is_empty(&self) -> bool {
        self.len().unwrap_or(0) == 0
    }

    /// The row at a place of the screen's list.
    pub fn row(&self, index: u64) -> Option<&RunRow> {
        match (self.in_force(), &self.matches) {
            (InForce::Local, Some(matches)) => self.all.row(*matches.places.get(index as usize)?),
            _ => self.window().row(index),
        }
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&RunRow> {
        self.row(self.scroll().cursor)
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        match (self.in_force(), &mut self.matches) {
            (InForce::Local, Some(matches)) => {
                matches.scroll.go(motion, matches.places.len() as u64);
            }
            _ => self.window_mut().go(motion),
        }
    }

    /// Puts the cursor on a row of the screen.
    pub fn point(&mut self, row: u16) {
        match (self.in_force(), &mut self.matches) {
            (InForce::Local, Some(matches)) => {
                matches.scroll.point(row, matches.places.len() as u64);
            }
            _ => self.window_mut().point(row),
        }
    }

    /// Takes the number of rows on the screen; says whether anything has moved.
    pub fn set_height(&mut self, height: u16) -> bool {
        let mut moved = false;
        for window in std::iter::once(&mut self.all).chain(self.found.as_mut()) {
            moved |= window.set_height(height);
        }
        if let Some(matches) = &mut self.matches {
            moved |= matches
                .scroll
                .set_height(height, matches.places.len() as u64);
        }
        moved
    }

    /// The filter text has changed: the loaded rows are filtered at once, the service is asked after a pause.
    pub fn text_changed(&mut self, cx: &mut Cx) {
        self.drop_found(cx);
        cx.give_up(&Slot::TypingPause);
        if self.text.text().trim().is_empty() {
            self.matches = None;
            return;
        }
        self.match_loaded();
        if self.asks_service() {
            cx.timer(Slot::TypingPause, TYPING_PAUSE);
        }
    }

    /// The text is long enough for the service's full text.
    pub fn asks_service(&self) -> bool {
        self.text.text().trim().chars().count() >= FULLTEXT_FROM
    }

    /// Asks the service for the filter text, unless it has been asked.
    pub fn ask_service(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::TypingPause);
        if self.found.is_none() && self.asks_service() {
            let mut filter = self.chosen_filter();
            // Words of the view stay in force.
            if !filter.fulltext.is_empty() {
                filter.fulltext.push(' ');
            }
            filter.fulltext.push_str(self.text.text().trim());
            self.readings = self.readings.max(self.all.epoch()) + 1;
            self.found = Some(self.all.search(filter, self.readings));
        }
    }

    /// Takes the filter away; the cursor goes to the run it was on, where that is loaded.
    pub fn clear_text(&mut self, cx: &mut Cx) {
        let here = self.current().map(|row| row.doc_ref.clone());
        self.text.clear();
        self.typing = false;
        self.matches = None;
        self.drop_found(cx);
        cx.give_up(&Slot::TypingPause);
        if let Some(doc_ref) = here {
            self.all.go_to(&doc_ref);
        }
    }

    /// The query has changed (sort or facets): reads from the start.
    pub fn ask_anew(&mut self, cx: &mut Cx) {
        self.all.cancel(cx);
        self.drop_found(cx);
        self.readings = self.readings.max(self.all.epoch()) + 1;
        self.all = self
            .all
            .successor(self.sort.clone(), self.chosen_filter(), self.readings);
        if self.matches.is_some() {
            self.match_loaded();
            self.ask_service(cx);
        }
    }

    /// Filters the loaded rows by the text: every word must be found, case and accents do not matter.
    pub fn match_loaded(&mut self) {
        let here = self.current().map(|row| row.doc_ref.clone());
        let mut words = Words::new(self.text.text());
        let rows = self.all.rows();
        let rows = rows
            .filter(|(_, row)| words.fit(SEARCHED.iter().filter_map(|field| field.text_of(row))));
        let places: Vec<u64> = rows.map(|(place, _)| place).collect();
        // The cursor stays on its run where that still matches.
        let len = places.len() as u64;
        let mut scroll = self
            .matches
            .as_ref()
            .map_or(self.all.scroll, |matches| matches.scroll);
        match here.and_then(|here| {
            places
                .iter()
                .position(|place| self.all.row(*place).is_some_and(|row| row.doc_ref == here))
        }) {
            Some(place) => scroll.carry(place as u64, len),
            None => scroll.fit(len),
        }
        self.matches = Some(Matches { places, scroll });
    }

    fn drop_found(&mut self, cx: &mut Cx) {
        if let Some(mut found) = self.found.take() {
            self.readings = self.readings.max(found.epoch());
            found.cancel(cx);
        }
    }

    fn chosen_filter(&self) -> Filter {
        let mut filter = self
            .view()
            .map(|view| view.filter.clone())
            .unwrap_or_default();
        filter.filters.extend(
            self.chosen
                .iter()
                .map(|(path, value)| format!("{path}:{value}")),
        );
        filter
    }
}

impl Runs {
    /// Marks the run under the cursor or takes its mark away, and goes on to the next. Says why not, where it cannot.
    pub fn toggle_mark(&mut self) -> Result<(), String> {
        let Some(row) = self.current().cloned() else {
            return Err(if self.is_empty() {
                "there is no run here yet"
            } else {
                "this row is not here yet"
            }
            .into());
        };
        if self.marks.len() >= MOST_MARKS && !self.marks.has(&row.doc_ref) {
            return Err(full());
        }
        self.marks.toggle(&row);
        self.go(Motion::Down);
        Ok(())
    }

    /// The first time: a range begins at the run under the cursor. The second time: all loaded rows from there to here
    /// are marked. Says what was done.
    pub fn mark_range(&mut self) -> String {
        let here = self.current().map(|row| row.doc_ref.clone());
        let Some(begun) = self.marks.range(here.as_ref()) else {
            let words = match self.marks.anchor {
                Some(_) => "range: move, then v again marks all between",
                None => "this row is not here yet",
            };
            return words.into();
        };
        let Some(places) = self.range_from(&begun) else {
            return "the row where the range began is not in this list any more: nothing was marked".into();
        };
        let wanted = places.end() - places.start() + 1;
        self.mark(&places, wanted)
    }

    /// Marks all loaded rows of the filter in force. Says what was done.
    pub fn mark_all(&mut self) -> String {
        self.marks.anchor = None;
        let wanted = match self.in_force() {
            // Of the rows that are not loaded nobody knows whether they match.
            InForce::Local => {
                let window = self.window();
                let outside = window
                    .full_size()
                    .unwrap_or(0)
                    .saturating_sub(window.loaded() as u64);
                self.len().unwrap_or(0) + outside
            }
            InForce::Service | InForce::Nothing => self.len().unwrap_or(0),
        };
        self.mark(&(0..=u64::MAX), wanted)
    }

    /// The marked runs, each as it was read last.
    pub fn marked(&self) -> Vec<RunRow> {
        let loaded = self
            .loaded_rows()
            .filter(|(_, row)| self.marks.has(&row.doc_ref));
        let loaded: HashMap<&DocRef, &RunRow> =
            loaded.map(|(_, row)| (&row.doc_ref, row)).collect();
        let newest = |kept: &RunRow| match loaded.get(&kept.doc_ref) {
            Some(row) => (*row).clone().with_counts_of(kept),
            None => kept.clone(),
        };
        self.marks.rows().iter().map(newest).collect()
    }

    /// The places from a run to the cursor, if the run is in the list and loaded.
    pub fn range_from(&self, begun: &DocRef) -> Option<RangeInclusive<u64>> {
        let place = self.loaded_rows().find(|(_, row)| row.doc_ref == *begun)?.0;
        Some(self.scroll().span(place))
    }

    /// The loaded rows of the list on the screen, with their places in it.
    fn loaded_rows(&self) -> Box<dyn Iterator<Item = (u64, &RunRow)> + '_> {
        match (self.in_force(), &self.matches) {
            (InForce::Local, Some(matches)) => {
                let rows = matches.places.iter().zip(0..);
                Box::new(rows.filter_map(|(place, index)| Some((index, self.all.row(*place)?))))
            }
            _ => Box::new(self.window().rows()),
        }
    }

    fn mark(&mut self, places: &RangeInclusive<u64>, wanted: u64) -> String {
        let rows = self
            .loaded_rows()
            .filter(|(place, _)| places.contains(place));
        let rows: Vec<RunRow> = rows.map(|(_, row)| row.clone()).collect();
        let loaded = rows.len();
        let mut marked = 0;
        for row in rows {
            if self.marks.has(&row.doc_ref) || self.marks.len() < MOST_MARKS {
                self.marks.add(&row);
                marked += 1;
            }
        }
        let others = wanted.saturating_sub(loaded as u64);
        let done = match (marked, others) {
            (1, 0) => "1 row marked".to_owned(),
            (_, 0) => format!("{marked} rows marked"),
            (1, _) => format!("1 loaded row marked, {others} others are not loaded"),
            _ => format!("{marked} loaded rows marked, {others} others are not loaded"),
        };
        if marked < loaded {
            format!("{done}; {}", full())
        } else {
            done
        }
    }
}

fn full() -> String {
    format!("no more than {MOST_MARKS} runs can be marked at once")
}
