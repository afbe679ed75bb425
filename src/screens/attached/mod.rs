//! The suites in a run: worked out, marked for removal, named by hand.

pub mod keys;
mod update;
mod view;

use crate::screens::prelude::*;
use std::collections::HashSet;

use crate::attached::{Named, Trust};
use crate::ui::list::ListRows;

/// State of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct AttachedSuites {
    pub run: RunRow,
    /// What is known of its suites.
    pub verdict: Remote<Box<Attached>>,
    pub list: List<DocRef>,
    /// First line of the explanation that is on the screen.
    pub why_top: u16,
    /// Lines of it on the screen.
    why_page: u16,
    /// How the suites are known is explained, even where all of them are.
    pub explains: bool,
    /// References that the person has given.
    pub typed: Vec<DocRef>,
    /// Suites that were named for removal: asked about once it is known whether they are in the run.
    named: Vec<DocumentName>,
}

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListedSuite<'a> {
    /// A suite that is in the run.
    Named(&'a Named),
    /// Those that no list names.
    Unknown,
    /// A suite that may be one of them.
    Candidate(&'a Named),
}

impl AttachedSuites {
    /// A screen that knows nothing.
    pub fn new(run: RunRow) -> Self {
        Self {
            run,
            verdict: Remote::default(),
            list: List::new(Layer::Attached),
            why_top: 0,
            why_page: 1,
            explains: false,
            typed: Vec::new(),
            named: Vec::new(),
        }
    }

    /// Works it out by reading, unless a probe run is about to tell.
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
        cx.request(Slot::Attached, |id| Effect::Survey { id, run, typed });
    }

    /// Takes suites that are to be removed: what is given as a reference and is not known yet is looked for.
    pub fn name(&mut self, names: Vec<DocumentName>, cx: &mut Cx) {
        let attached = self.verdict.value();
        let known = |suite: &DocRef| {
            let mut named = attached.into_iter().flat_map(|it| &it.named);
            self.typed.contains(suite) || named.any(|named| named.suite == *suite)
        };
        let new = names.iter().filter_map(|name| match name {
            DocumentName::Ref(suite) if !known(suite) => Some(suite.clone()),
            _ => None,
        });
        let new: Vec<DocRef> = new.collect();
        self.named = names;
        if !new.is_empty() {
            self.typed.extend(new);
            self.survey(cx);
        }
    }

    /// The lines of the list.
    pub fn lines(&self) -> SuiteLines<'_> {
        SuiteLines::of(&self.verdict)
    }

    /// Moves the explanation under its frame by a page.
    fn scroll_why(&mut self, down: bool) {
        self.why_top = if down {
            self.why_top.saturating_add(self.why_page)
        } else {
            self.why_top.saturating_sub(self.why_page)
        };
    }

    /// Takes new lines: the cursor stays on its suite, marks stay on suites that may be removed.
    fn arrange(&mut self, here: Option<&DocRef>) {
        self.why_top = 0;
        let lines = SuiteLines::of(&self.verdict);
        self.list.carry(here, &lines);
        let Some(attached) = lines.attached else {
            return;
        };
        let named = attached.named.iter();
        let removable = named.filter(|named| attached.may_remove(named));
        let removable: HashSet<&DocRef> = removable.map(|named| &named.suite).collect();
        self.list.marks.retain(|mark| removable.contains(mark));
    }

    /// The suite under the cursor, as far as it is known.
    pub fn current(&self) -> Option<SuiteRow> {
        self.lines().suite_at(self.list.scroll.cursor).map(known)
    }

    /// The marked suites, as far as they are known.
    pub fn marked(&self) -> Vec<SuiteRow> {
        let named = self.verdict.value().map(|attached| &attached.named);
        let named = named.into_iter().flatten();
        let marked = named.filter(|named| self.list.marks.has(&named.suite));
        marked.map(known).collect()
    }
}

/// The lines of the list: what is in the run, what no list names, what may be in it.
pub struct SuiteLines<'a> {
    attached: Option<&'a Attached>,
    lines: Vec<ListedSuite<'a>>,
}

impl<'a> SuiteLines<'a> {
    fn of(verdict: &'a Remote<Box<Attached>>) -> Self {
        let attached = verdict.value().map(AsRef::as_ref);
        let lines = attached.map_or_else(Vec::new, |attached: &Attached| {
            let unknown = attached.unknown.filter(|unknown| *unknown > 0);
            let named = attached.named.iter().map(ListedSuite::Named);
            let candidates = attached.candidates.iter().map(ListedSuite::Candidate);
            let unknown = unknown.map(|_| ListedSuite::Unknown);
            named.chain(unknown).chain(candidates).collect()
        });
        Self { attached, lines }
    }

    pub fn get(&self, place: u64) -> Option<ListedSuite<'a>> {
        self.lines.get(place as usize).copied()
    }

    /// The suite of a line, unless it stands for some that no list names.
    pub fn suite_at(&self, place: u64) -> Option<&'a Named> {
        match self.get(place)? {
            ListedSuite::Named(named) | ListedSuite::Candidate(named) => Some(named),
            ListedSuite::Unknown => None,
        }
    }
}

impl ListRows<DocRef> for SuiteLines<'_> {
    fn row_count(&self) -> u64 {
        self.lines.len() as u64
    }

    fn key_at(&self, place: u64) -> Option<&DocRef> {
        self.suite_at(place).map(|named| &named.suite)
    }

    /// A suite that may be removed.
    fn mark_at(&self, place: u64) -> Result<DocRef, &'static str> {
        let attached = self.attached.ok_or("Nothing is known yet")?;
        match self.get(place) {
            Some(ListedSuite::Named(named)) if attached.may_remove(named) => {
                Ok(named.suite.clone())
            }
            Some(ListedSuite::Named(_)) => {
                Err("This one is not sure enough to be removed: \":remove REF\" names it")
            }
            Some(ListedSuite::Unknown) => Err("Nobody knows which ones these are"),
            Some(ListedSuite::Candidate(_)) => {
                Err("This is a guess: \":remove REF\" names it, then it is checked")
            }
            None => Err("There is no suite here"),
        }
    }

    fn is_of_all(&self, place: u64) -> bool {
        let named = self.suite_at(place);
        named.is_some_and(|named| named.trust == Trust::Sure)
    }
}

/// A suite as some list shows it, or its reference alone.
fn known(named: &Named) -> SuiteRow {
    let row = named.row.clone();
    row.unwrap_or_else(|| SuiteRow::known_by(named.suite.clone()))
}
