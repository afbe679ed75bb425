//! Suites in a run: derived from readings, marked for removal, or named by the user.

pub mod keys;
mod update;
mod view;

use crate::screens::prelude::*;
use std::collections::HashSet;

use crate::attached::{Named, State};
use crate::screens::suites::{SuiteSort, fits};
use crate::ui::list::{ListRows, Words};

/// State of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct AttachedSuites {
    pub run: Arc<Run>,
    /// Known suites of the run.
    pub verdict: Remote<Box<Attached>>,
    pub list: List<DocRef>,
    pub sort: SuiteSort,
    /// Suites were sent of which no reading shows yet whether they are out of the run.
    unsure: bool,
    /// References typed by the user.
    pub typed: Vec<DocRef>,
    /// Suites named for removal; the question follows when it is known if they are in the run.
    named: Vec<DocumentName>,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListedSuite<'a> {
    /// A suite in the run.
    Named(&'a Named),
    /// The suites of the run that are in no list.
    Unknown,
    /// A suite that may be one of the unknown ones.
    Candidate(&'a Named),
}

impl AttachedSuites {
    pub fn new(run: Arc<Run>) -> Self {
        Self {
            run,
            verdict: Remote::default(),
            list: List::new(Layer::Attached),
            unsure: false,
            sort: SuiteSort::default(),
            typed: Vec::new(),
            named: Vec::new(),
        }
    }

    /// Returns true if the run was listed otherwise since its suites were worked out.
    pub fn is_outdated(&self) -> bool {
        let run = &self.run;
        let known = self.verdict.value();
        known.is_some_and(|known| known.is_outdated(&run.row(), run.read_at, run.counted_at))
    }

    /// Derives the suites from readings, unless a probe run is under way.
    pub fn survey(&mut self, cx: &mut Cx) {
        if cx.under_way(&Slot::Probe(self.run.doc_ref.clone())) {
            let stops = &Action::Cancel;
            let stops = cx
                .shared
                .then_key(", ", Layer::Attached, stops, "gives it up");
            let words = "a probe run is under way: its answer comes here";
            return cx.say(words.to_owned() + &stops);
        }
        self.verdict.ask();
        let (run, typed) = (self.run.doc_ref.clone(), self.typed.clone());
        cx.request(
            Slot::Attached,
            Request::Survey {
                run,
                typed,
                calls: None,
            },
        );
    }

    /// Takes suites to remove; new references are searched for.
    pub fn name(&mut self, names: Vec<DocumentName>, cx: &mut Cx) {
        let attached = self.verdict.value();
        let known = |suite: &DocRef| {
            let mut named = attached.into_iter().flat_map(|it| &it.named);
            self.typed.contains(suite) || named.any(|named| named.suite == *suite)
        };
        let new = names.iter().filter_map(DocumentName::reference);
        let new: Vec<DocRef> = new.filter(|suite| !known(suite)).cloned().collect();
        self.named = names;
        if !new.is_empty() {
            self.typed.extend(new);
            self.survey(cx);
        }
    }

    pub fn lines(&self) -> SuiteLines<'_> {
        SuiteLines::of(&self.verdict, self.sort, self.list.search.text())
    }

    /// Takes a verdict: the cursor stays on its suite, marks stay on removable suites, an open range on what was seen.
    fn take(&mut self, result: Result<Box<Attached>, Failure>, cx: &mut Cx) {
        let lines = self.lines();
        let here = lines.key_at(self.list.scroll.cursor).cloned();
        let range = self.list.open_range(&lines);
        cx.accept(&mut self.verdict, result);
        self.arrange(here.as_ref());
        let Some(attached) = self.verdict.value() else {
            return;
        };
        let named = attached.named.iter();
        let removable = named.filter(|named| attached.may_remove(named));
        let removable: HashSet<&DocRef> = removable.map(|named| &named.suite).collect();
        self.list.marks.retain(|mark| removable.contains(mark));
        if self.lines().row_count() == 0 {
            self.list.marks.anchor = None;
        }
        if let Some(mut range) = range {
            range.marks.retain(|mark| removable.contains(mark));
            let lines = SuiteLines::of(&self.verdict, self.sort, self.list.search.text());
            self.list.keep_range(range, &lines, cx);
        }
    }

    /// Takes new lines: the cursor stays on its suite.
    fn arrange(&mut self, here: Option<&DocRef>) {
        let lines = SuiteLines::of(&self.verdict, self.sort, self.list.search.text());
        self.list.follow(here, &lines);
    }

    /// The suite under the cursor.
    pub fn current(&self) -> Option<SuiteRow> {
        self.lines().suite_at(self.list.scroll.cursor).map(known)
    }

    /// The marked suites.
    pub fn marked(&self) -> Vec<SuiteRow> {
        let named = self.verdict.value().map(|attached| &attached.named);
        let named = named.into_iter().flatten();
        let marked = named.filter(|named| self.list.marks.has(&named.suite));
        marked.map(known).collect()
    }
}

/// Lines of the list: suites in the run, the unknown ones, and candidates.
pub struct SuiteLines<'a> {
    attached: Option<&'a Attached>,
    lines: Vec<ListedSuite<'a>>,
}

impl<'a> SuiteLines<'a> {
    /// The suites that match the words, in order; as they were worked out if no order was chosen.
    fn of(verdict: &'a Remote<Box<Attached>>, sort: SuiteSort, words: &str) -> Self {
        let attached = verdict.value().map(AsRef::as_ref);
        let all = words.trim().is_empty();
        let mut words = Words::new(words);
        let mut arranged = |suites: &'a [Named]| {
            let fits = |named: &&Named| match &named.row {
                _ if all => true,
                Some(row) => fits(&mut words, row),
                None => words.fit([named.suite.as_str()]),
            };
            let mut suites: Vec<&Named> = suites.iter().filter(fits).collect();
            if sort != SuiteSort::default() {
                suites.sort_by(|a, b| match (&a.row, &b.row) {
                    (Some(a), Some(b)) => sort.compare(a, b),
                    (a, b) => b.is_some().cmp(&a.is_some()),
                });
            }
            suites
        };
        let lines = attached.map_or_else(Vec::new, |attached: &Attached| {
            let unknown = attached.unknown.filter(|unknown| *unknown > 0 && all);
            let named = arranged(&attached.named).into_iter();
            let candidates = arranged(&attached.candidates).into_iter();
            let unknown = unknown.map(|_| ListedSuite::Unknown);
            named
                .map(ListedSuite::Named)
                .chain(unknown)
                .chain(candidates.map(ListedSuite::Candidate))
                .collect()
        });
        Self { attached, lines }
    }

    pub fn get(&self, place: usize) -> Option<ListedSuite<'a>> {
        self.lines.get(place).copied()
    }

    /// Suite of a line; `None` for the line of unknown ones.
    fn suite_at(&self, place: usize) -> Option<&'a Named> {
        match self.get(place)? {
            ListedSuite::Named(named) | ListedSuite::Candidate(named) => Some(named),
            ListedSuite::Unknown => None,
        }
    }
}

impl ListRows<DocRef> for SuiteLines<'_> {
    fn row_count(&self) -> usize {
        self.lines.len()
    }

    fn key_at(&self, place: usize) -> Option<&DocRef> {
        self.suite_at(place).map(|named| &named.suite)
    }

    /// The suite of a line if it can be removed; else the reason.
    fn mark_at(&self, place: usize) -> Result<DocRef, &'static str> {
        let attached = self.attached.ok_or("Nothing is known yet")?;
        match self.get(place) {
            Some(ListedSuite::Named(named)) if attached.may_remove(named) => {
                Ok(named.suite.clone())
            }
            Some(ListedSuite::Named(_)) => {
                Err("This one is not sure enough to be removed: \":remove REF\" names it")
            }
            Some(_) if attached.state == State::Closed => {
                Err("The run is closed: its suites cannot be changed")
            }
            Some(ListedSuite::Unknown) => Err("Nobody knows which ones these are"),
            Some(ListedSuite::Candidate(_)) => {
                Err("This is a guess: \":remove REF\" names it, then it is checked")
            }
            None => Err("there is no suite here"),
        }
    }

    fn uses_marks(&self, action: &Action) -> bool {
        matches!(action, Action::Remove | Action::Show(Layer::CopyMenu))
    }

    fn is_of_all(&self, place: usize) -> bool {
        let named = self.suite_at(place);
        named.is_some_and(|named| named.is_sure)
    }
}

/// Row of a suite; only the reference if no list has it.
fn known(named: &Named) -> SuiteRow {
    let row = named.row.clone();
    row.unwrap_or_else(|| SuiteRow::known_by(named.suite.clone()))
}
