//! Suites that can be added to a run, or that are in no open run of a release. The list is read completely, then filtered,
//! sorted and marked locally.

pub mod keys;
mod update;
mod view;

use crate::screens::prelude::*;
use std::collections::HashSet;

use crate::attached::InNoRun;
use crate::domain::SuiteFields;
use crate::forecast::WhatIf;
use crate::screens::suites::{SuiteSort, fits};
use crate::ui::list::{ListRows, Words};

/// Target of the suites.
#[derive(Clone, Debug, PartialEq)]
pub enum FreeOn {
    Run(Arc<Run>),
    /// Every open run of a version; the suites are in none of them.
    Release(ReleaseSuites),
}

/// A version, with the result from the lists of its open runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReleaseSuites {
    pub version: String,
    /// The result, without its suites.
    pub found: InNoRun,
    /// Progress of the reading.
    pub so_far: String,
    /// True if a suite was removed from a run since; it may still be in another one.
    pub is_old: bool,
}

/// State of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct AvailableSuites {
    pub on: FreeOn,
    /// All suites of the list.
    pub suites: Remote<Vec<SuiteRow>>,
    /// Number of suites received so far, and of all.
    pub progress: Option<(u64, u64)>,
    pub sort: SuiteSort,
    /// Indexes of the suites that match the words, in order.
    pub shown: Vec<usize>,
    /// List over `shown`.
    pub list: List<SuiteRow>,
    /// Suites were sent of which no list shows yet whether they are in the run.
    pub unsure: bool,
    /// Suites named by the user; the question follows when the list is loaded.
    pub named: Vec<DocumentName>,
    /// Marked suites that are not in the list any more.
    gone: HashSet<DocRef>,
    /// Forecast of the run with the marked suites added.
    pub what_if: Remote<Box<WhatIf>>,
    /// Number of cases in the last request for the forecast.
    asked_for: Option<u64>,
    /// Document of the suite under the cursor, and its fields.
    said: (Option<Arc<str>>, Option<SuiteFields>),
    /// Choice of the user for the suite under the cursor in full; `None` if the width decides.
    preview: Option<bool>,
    /// True if it is on the screen.
    previews: bool,
}

impl AvailableSuites {
    pub fn new(on: FreeOn) -> Self {
        Self {
            on,
            suites: Remote::default(),
            progress: None,
            sort: SuiteSort::default(),
            shown: Vec::new(),
            list: List::new(Layer::Available),
            unsure: false,
            named: Vec::new(),
            gone: HashSet::new(),
            what_if: Remote::default(),
            asked_for: None,
            said: (None, None),
            preview: None,
            previews: false,
        }
    }

    /// Creates the screen for a version.
    pub fn of_release(version: String) -> Self {
        Self::new(FreeOn::Release(ReleaseSuites {
            version,
            ..ReleaseSuites::default()
        }))
    }

    /// The run; `None` for a version.
    pub fn on_run(&self) -> Option<&Arc<Run>> {
        match &self.on {
            FreeOn::Run(run) => Some(run),
            FreeOn::Release(_) => None,
        }
    }

    /// The run, if it is this one.
    pub fn run_mut(&mut self, run: &DocRef) -> Option<&mut Arc<Run>> {
        match &mut self.on {
            FreeOn::Run(open) => (open.doc_ref == *run).then_some(open),
            FreeOn::Release(_) => None,
        }
    }

    /// Returns true for a closed run, which has no list.
    pub fn closed(&self) -> bool {
        self.on_run().is_some_and(|run| run.is_closed())
    }

    /// Takes the run as it was read: one that is open again gets its list, a closed one has none.
    fn take_run(&mut self, run: Arc<Run>, cx: &mut Cx) {
        let was_closed = self.closed();
        self.on = FreeOn::Run(run);
        if self.closed() {
            self.list.marks.anchor = None;
            self.arrange();
        } else if was_closed {
            self.read_list(cx);
        }
    }

    /// All suites of the list; none are shown of a closed run.
    fn listed(&self) -> Option<&Vec<SuiteRow>> {
        self.suites.value().filter(|_| !self.closed())
    }

    /// Reads the complete list; nothing is sent for a closed run (3, rule 1).
    pub fn read_list(&mut self, cx: &mut Cx) {
        if self.closed() {
            return;
        }
        self.progress = None;
        self.suites.ask();
        match &mut self.on {
            FreeOn::Run(run) => {
                let run = run.doc_ref.clone();
                cx.request(Slot::Available, Request::ReadAvailable { run });
            }
            FreeOn::Release(release) => {
                release.so_far.clear();
                let version = release.version.clone();
                cx.request(Slot::Available, Request::ReadInNoRun { version });
            }
        }
    }

    fn rows(&self) -> FreeSuites<'_> {
        FreeSuites::of(&self.suites, &self.shown)
    }

    /// The suite at a place of the list.
    pub fn at(&self, place: usize) -> Option<&SuiteRow> {
        self.rows().at(place)
    }

    /// The suite under the cursor.
    pub fn current(&self) -> Option<&SuiteRow> {
        self.at(self.list.scroll.cursor)
    }

    /// Filters and sorts the list; the cursor stays on its suite.
    pub fn arrange(&mut self) {
        let here = self.current().map(|suite| suite.doc_ref.clone());
        self.arrange_around(here.as_ref());
    }

    /// Same as `arrange` after a new list has arrived; `here` is the suite under the cursor before.
    fn arrange_around(&mut self, here: Option<&DocRef>) {
        let Some(list) = self.suites.value() else {
            return;
        };
        let marked = self
            .list
            .marks
            .rows()
            .iter()
            .map(|suite| suite.doc_ref.clone());
        self.gone = marked.collect();
        if !self.gone.is_empty() {
            for suite in list {
                self.gone.remove(&suite.doc_ref);
            }
        }
        let mut words = Words::new(self.list.search.text());
        let all = self.list.search.text().trim().is_empty();
        let is_closed = self.closed();
        let mut shown: Vec<usize> = (0..list.len())
            .filter(|place| !is_closed && (all || fits(&mut words, &list[*place])))
            .collect();
        shown.sort_by(|a, b| self.sort.compare(&list[*a], &list[*b]));
        self.shown = shown;
        let rows = FreeSuites::of(&self.suites, &self.shown);
        self.list.follow(here, &rows);
    }

    /// Parses the document of the suite under the cursor, unless it is the last one.
    fn read_document(&mut self) {
        let suite = self.current();
        let json = suite.and_then(|suite| suite.json.clone());
        if self.said.0 != json {
            self.said = (json, suite.and_then(SuiteRow::said));
        }
    }

    /// Marked suites that can still be added, and those that cannot.
    pub fn marked(&self) -> (Vec<&SuiteRow>, Vec<&SuiteRow>) {
        let marked = self.list.marks.rows().iter();
        marked.partition(|suite| !self.gone.contains(&suite.doc_ref))
    }
}

/// Upper bound of the test cases in these suites; `None` if there is no suite or one has no number.
fn extra(suites: &[&SuiteRow]) -> Option<u64> {
    let (cases, silent) = cases(suites);
    let cases = u64::try_from(cases).ok();
    cases.filter(|_| silent == 0 && !suites.is_empty())
}

/// The matching suites as rows of the list.
struct FreeSuites<'a> {
    suites: Option<&'a Vec<SuiteRow>>,
    places: &'a [usize],
}

impl<'a> FreeSuites<'a> {
    fn of(suites: &'a Remote<Vec<SuiteRow>>, places: &'a [usize]) -> Self {
        let suites = suites.value();
        Self { suites, places }
    }

    fn at(&self, place: usize) -> Option<&'a SuiteRow> {
        self.suites?.get(*self.places.get(place)?)
    }
}

impl ListRows<SuiteRow> for FreeSuites<'_> {
    fn row_count(&self) -> usize {
        self.places.len()
    }

    fn key_at(&self, place: usize) -> Option<&DocRef> {
        self.at(place).map(|suite| &suite.doc_ref)
    }

    fn mark_at(&self, place: usize) -> Result<SuiteRow, &'static str> {
        let none = match self.suites {
            Some(_) => "there is no suite here",
            None => "the suites are not here",
        };
        self.at(place).cloned().ok_or(none)
    }

    fn uses_marks(&self, action: &Action) -> bool {
        matches!(action, Action::Open | Action::Show(Layer::CopyMenu))
    }
}

/// Upper bound of the test cases in these suites, the sum of their `TotalTestCases`, and the number of suites without
/// it.
fn cases(suites: &[&SuiteRow]) -> (i64, usize) {
    let said = suites.iter().filter_map(|suite| suite.total_cases);
    let silent = suites.len() - said.clone().count();
    (said.fold(0, i64::saturating_add), silent)
}
