//! The runs list: the window onto the service, the filter over it, sort, facets and columns.

mod chunks;
mod feed;
pub mod keys;
mod pickers;
mod preview;
mod view;
mod window;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use window::Accepted;
pub use window::Window;

use super::{Field, Screen};
use crate::domain::fields::SEARCHED;
use crate::domain::{
    DocRef, Facets, Failure, FailureKind, Filter, MOST_WATCHED, Page, RunRow, RunsOperation,
    RunsPage, SavedView, Sort,
};
use crate::store::cx::Cx;
use crate::store::event::Event;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{
    Action, Choice, CopyWhat, Fact, Motion, Open, PickerKind, RunPart, Watched,
};
use crate::store::remote::Reading;
use crate::store::session::Session;
use crate::store::shared::Shared;
use crate::ui::Context;
use crate::ui::layout::Layout;
use crate::ui::list::{Marks, Scroll, Words};
use crate::ui::text_input::Input;

/// The service's full text is asked from so many characters on; shorter texts filter what is loaded.
pub const FULLTEXT_FROM: usize = 3;
/// Milliseconds without typing after which the service is asked.
pub const TYPING_PAUSE: u64 = 250;
/// Runs that can be marked at once: each is kept with its row.
pub const MOST_MARKS: usize = 1_000;
/// Milliseconds until a failed read is tried again: longer each time.
const BACKOFF: [u64; 5] = [1_000, 2_000, 5_000, 10_000, 30_000];

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

impl Runs {
    /// The list of another profile: columns and panes are as they were.
    #[must_use]
    pub fn anew(&self, session: &Session) -> Self {
        let mut runs = Self::new(session.page_size);
        runs.hidden.clone_from(&self.hidden);
        runs.preview = self.preview;
        runs.set_height(self.all.scroll.height as u16);
        runs
    }

    /// Asks again for what failed.
    pub fn resume(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::RetryPause);
        self.windows_mut().for_each(Window::retry);
    }

    /// The list is read again; what is on the screen stays until it is here.
    fn reread(&mut self) {
        self.windows_mut().for_each(Window::refresh);
    }

    fn windows(&self) -> impl Iterator<Item = &Window> {
        self.found.iter().chain([&self.all])
    }

    fn windows_mut(&mut self) -> impl Iterator<Item = &mut Window> {
        std::iter::once(&mut self.all).chain(self.found.as_mut())
    }

    /// Project and sub project of the rows that are here.
    pub fn projects(&self) -> BTreeSet<(String, Option<String>)> {
        let rows = self.all.rows();
        rows.filter_map(|(_, row)| Some((row.project.clone()?, row.subproject.clone())))
            .collect()
    }

    /// What is here of a run, if anything is.
    pub fn row_of(&self, run: &DocRef) -> Option<&RunRow> {
        let mut rows = self.windows().flat_map(Window::rows).map(|(_, row)| row);
        rows.find(|row| row.doc_ref == *run)
    }

    fn page_came(
        &mut self,
        is_found: bool,
        (page, epoch): (Page, u64),
        result: Result<RunsPage, Failure>,
        cx: &mut Cx,
    ) {
        let window = if is_found {
            self.found.as_ref()
        } else {
            Some(&self.all)
        };
        if let (Ok(page), true) = (&result, window.is_some_and(|it| it.epoch() == epoch)) {
            cx.saw_page(page);
        }
        let brought = result
            .as_ref()
            .ok()
            .map(|page| (page.operation, page.facets.clone()));
        let here = self.current().map(|run| run.doc_ref.clone());
        let accepted = match &mut self.found {
            Some(found) if is_found => {
                let first = found.full_size().is_none();
                let accepted = found.accept(page, epoch, result, cx.now);
                if let (true, Some(here)) = (first, &here) {
                    // The service's answer takes the place of the local one: the cursor stays on its run.
                    found.go_to(here);
                }
                accepted
            }
            _ => self.all.accept(page, epoch, result, cx.now),
        };
        match accepted {
            Accepted::Taken => {}
            Accepted::Unsorted => {
                if !is_found {
                    self.sort.clear();
                }
                cx.complain("the service refused the sort order: the list is in its own order");
            }
            Accepted::Failed(failure) => {
                return self.failed(failure, cx);
            }
        }
        self.compare_lists(cx);
        if self.windows().all(|window| window.failure.is_none()) {
            if self.retries > 0 && cx.notice.as_ref().is_some_and(|notice| notice.bad) {
                // It works again: the words about the failure stay under `!`.
                cx.notice = None;
            }
            self.retries = 0;
            cx.give_up(&Slot::RetryPause);
        }
        if let Some((operation, facets)) = brought {
            if self.operation == Some(RunsOperation::ListTestRuns)
                && operation == RunsOperation::ListDocuments
            {
                cx.complain(
                    "LIST_TEST_RUNS is gone: no suites, progress, results and left from now on",
                );
            }
            self.operation = Some(operation);
            if let Some(facets) = facets.filter(|facets| !facets.is_empty()) {
                self.facets = facets;
            }
        }
        if self.matches.is_some() {
            self.match_loaded();
        }
    }

    /// Nothing can be read for now.
    pub fn could_not(&mut self, failure: Failure, cx: &mut Cx) {
        self.all.failure = Some(failure.clone());
        self.failed(failure, cx);
    }

    fn failed(&mut self, failure: Failure, cx: &mut Cx) {
        let again = failure.may_retry && failure.kind != FailureKind::SignIn;
        cx.failed(failure);
        if again && !cx.under_way(&Slot::RetryPause) {
            let step = (self.retries as usize).min(BACKOFF.len() - 1);
            self.retries += 1;
            cx.timer(Slot::RetryPause, BACKOFF[step]);
        }
    }

    /// Opens the run under the cursor, if it is here.
    fn open_current(&self, on: RunPart, cx: &mut Cx) {
        if let Some(row) = self.current().cloned() {
            let read_at = self.window().read_at().unwrap_or_default();
            cx.open(Open::Run { row, read_at, on });
        } else if !self.is_empty() {
            cx.say("this row is not here yet");
        }
    }

    fn reverse_sort(&mut self, cx: &mut Cx) {
        match self.sort.first_mut() {
            Some(sort) => {
                sort.descending = !sort.descending;
                self.ask_anew(cx);
            }
            None => cx.say("no sort order to reverse: o chooses one"),
        }
    }

    /// Esc: one thing after the other goes that narrows the list.
    fn widen(&mut self, cx: &mut Cx) {
        if self.marks.anchor.take().is_some() {
        } else if !self.text.text().is_empty() {
            self.clear_text(cx);
        } else if let Some(name) = self.leave_view(cx) {
            cx.say(format!("view {name} left"));
        } else if !self.chosen.is_empty() {
            self.chosen.clear();
            cx.say("no facet any more: runs of all versions and states are shown; f chooses");
            self.ask_anew(cx);
        } else if !self.marks.is_empty() {
            self.marks.clear();
            cx.say("no marks any more");
        } else {
            cx.say("this is the first screen: q quits");
        }
    }

    /// A key for the filter.
    fn update_filter(&mut self, action: Action, cx: &mut Cx) {
        let changed = match action {
            Action::Type(key) => self.text.key(key),
            Action::Paste(text) => self.text.paste(&text),
            Action::Move(motion) => {
                self.go(motion);
                false
            }
            Action::Open => {
                self.typing = false;
                self.ask_service(cx);
                false
            }
            Action::Back => {
                self.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            self.text_changed(cx);
        }
    }

    /// Something was chosen in a picker.
    fn take_choice(&mut self, choice: Choice, cx: &mut Cx) {
        match choice {
            Choice::Sort(path) => {
                let sorted = self.sort.first().filter(|sort| sort.path == path);
                let descending = sorted.is_some_and(|sort| !sort.descending);
                self.sort = vec![Sort { path, descending }];
                self.ask_anew(cx);
            }
            Choice::Facet(path, value) => {
                if self.chosen.get(&path) == Some(&value) {
                    self.chosen.remove(&path);
                } else {
                    self.chosen.insert(path, value);
                }
                self.ask_anew(cx);
            }
            Choice::Column(column) if self.hidden.remove(column) => {}
            Choice::Column(column) => {
                self.hidden.insert(column);
            }
            _ => {}
        }
    }

    /// Opens the monitor on the view in force if nobody has marked runs or narrowed the list further; else on the marked
    /// runs, or on those on the screen.
    fn watch(&self, cx: &mut Cx) {
        let as_it_is = |view: &&SavedView| {
            self.marks.is_empty()
                && self.text.text().is_empty()
                && self.chosen == cx.shared.chosen_beside(view)
        };
        if let Some(view) = self.view().filter(as_it_is) {
            return cx.open(Open::Monitor(Watched::View(view.name.clone())));
        }
        let (runs, words) = self.runs_to_watch();
        if runs.is_empty() {
            cx.say("there is no run here yet");
            return;
        }
        if let Some(words) = words {
            cx.say(words);
        }
        let read_at = self.window().read_at().unwrap_or(cx.now);
        let known = |row: RunRow| {
            let known = cx.shared.feed.known(&row.doc_ref);
            known.map_or((row, read_at), |(known, at)| (known.clone(), at))
        };
        let runs = runs.into_iter().map(known).collect();
        cx.open(Open::Monitor(Watched::Runs(runs)));
    }

    fn runs_to_watch(&self) -> (Vec<RunRow>, Option<String>) {
        let marked = self.marked();
        if !marked.is_empty() {
            let words = format!(
                "{MOST_WATCHED} of {} marked runs: a monitor holds no more",
                marked.len()
            );
            let over = (marked.len() > MOST_WATCHED).then_some(words);
            return (marked.into_iter().take(MOST_WATCHED).collect(), over);
        }
        let len = self.len().unwrap_or(0);
        let scroll = self.scroll();
        // As many as fit, from the top of the screen, and always with the one under the cursor.
        let most = MOST_WATCHED as u64;
        let first = if len <= most {
            0
        } else {
            scroll.top.max((scroll.cursor + 1).saturating_sub(most))
        };
        let rows = (first..len.min(first + most)).filter_map(|place| self.row(place).cloned());
        let rows: Vec<RunRow> = rows.collect();
        let words = (len > most).then(|| {
            format!(
                "{} of {len} runs, those on the screen: Space marks others",
                rows.len()
            )
        });
        (rows, words)
    }

    /// The runs that a deletion is about: the marked ones, else the one under the cursor; and what is to be said before.
    fn delete(&self, cx: &mut Cx) {
        let (marked, here) = (self.marked(), self.current());
        let mut notes = Vec::new();
        if let Some(here) = here
            && !marked.is_empty()
            && marked.iter().all(|row| row.doc_ref != here.doc_ref)
        {
            let marked = if marked.len() == 1 {
                "the marked run"
            } else {
                "the marked runs"
            };
            notes.push(format!(
                "This is about {marked}, not about {} under the cursor.",
                here.name()
            ));
        }
        let rows = if marked.is_empty() {
            here.cloned().into_iter().collect()
        } else {
            marked
        };
        cx.open(Open::Delete {
            rows,
            undo_of: None,
            notes,
        });
    }
}

impl Screen for Runs {
    fn layer(&self, shared: &Shared) -> Layer {
        match (self.typing, shared.feed.open) {
            (true, _) => Layer::Typing,
            (_, true) => Layer::Feed,
            _ => Layer::Runs,
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        if self.typing {
            return self.update_filter(action, cx);
        }
        if cx.shared.feed.open {
            return feed::update(action, cx);
        }
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Point(row) => self.point(row),
            Action::Open => self.open_current(RunPart::Part(0), cx),
            Action::Mark => {
                if let Err(why) = self.toggle_mark() {
                    cx.say(why);
                }
            }
            Action::MarkRange => cx.say(self.mark_range()),
            Action::MarkAll => cx.say(self.mark_all()),
            Action::Back => self.widen(cx),
            Action::Filter => self.typing = true,
            Action::Facets => cx.choose(PickerKind::Facets, self.facet_choices().into_iter()),
            Action::Sort => cx.choose(PickerKind::Sort, self.sort_choices()),
            Action::Columns => cx.choose(PickerKind::Columns, self.column_choices()),
            Action::Chosen(choice) => self.take_choice(*choice, cx),
            Action::ReverseSort => self.reverse_sort(cx),
            Action::NextPart => feed::enter(cx),
            Action::Monitor => self.watch(cx),
            Action::Preview => self.preview = Some(!self.preview_shown),
            Action::Raw => self.open_current(RunPart::Json, cx),
            Action::Copy(CopyWhat::Json) => self.open_current(RunPart::Copied, cx),
            Action::Delete => self.delete(cx),
            other => cx.anywhere(other),
        }
    }

    fn reply(&mut self, slot: Slot, event: Event, cx: &mut Cx) {
        match (slot, event) {
            (Slot::Page { found, page, epoch }, Event::Runs { result, .. }) => {
                self.page_came(found, (page, epoch), result, cx);
            }
            (Slot::Missing(run), Event::Runs { result, .. }) => {
                feed::looked_for(&run, &result, cx);
            }
            (Slot::TypingPause, Event::Timer(_)) => self.ask_service(cx),
            _ => {}
        }
    }

    fn learned(&mut self, fact: &Fact, _cx: &mut Cx) {
        match fact {
            Fact::Row(row) => self.windows_mut().for_each(|window| window.renew(row)),
            Fact::Gone(run) => self.marks.remove(std::slice::from_ref(run)),
            Fact::Wrote(_) | Fact::WroteSuites { .. } => self.reread(),
            Fact::Stripped(_) => {}
        }
    }

    fn settle(&mut self, cx: &mut Cx) {
        if cx.shared.signed_in.is_some() {
            self.found.as_mut().unwrap_or(&mut self.all).wants(cx);
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let mut any = false;
        for window in self.windows_mut() {
            if window.cancel(cx) {
                window.failure = Some(super::given_up("reading", "r reads again"));
                any = true;
            }
        }
        // The pause before it is tried again is given up with the list.
        if any {
            cx.give_up(&Slot::RetryPause);
        }
        any
    }

    fn run(&self) -> Option<RunRow> {
        self.current().cloned()
    }

    fn read(&mut self, _cx: &mut Cx) {
        self.found.as_mut().unwrap_or(&mut self.all).refresh();
    }

    fn reading(&self) -> Option<Reading> {
        let window = self.window();
        Some(Reading {
            every: None,
            read_at: window.read_at(),
            busy: window.busy(),
            failed: window.failure.is_some(),
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let Some(height) = layout.runs else {
            return false;
        };
        self.preview_shown = layout.preview;
        self.set_height(height)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        view::draw(context, self, area, buffer, layout);
    }

    fn status(&self, context: Context<'_>) -> String {
        view::status(context, self)
    }

    fn field(&self, _context: Context<'_>) -> Option<Field<'_>> {
        self.typing.then(|| Field {
            sign: "/ ",
            input: &self.text,
            said: (view::in_force(self), false),
        })
    }
}
