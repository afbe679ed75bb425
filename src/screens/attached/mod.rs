//! The suites in a run: worked out, marked for removal, named by hand.

pub mod keys;
mod update;
mod view;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::attached::{Attached, Named, Trust};
use crate::domain::{DocRef, DocumentName, RunRow, SuiteRow};
use crate::screens::RANGE_GONE;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::remote::Remote;
use crate::ui::list::Marks;
use crate::ui::scroll::Scroll;

/// State of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct AttachedSuites {
    pub run: RunRow,
    /// What is known of its suites.
    pub verdict: Remote<Box<Attached>>,
    /// How far the survey is, in words.
    pub progress: Option<String>,
    /// Cursor in the lines of the list.
    pub scroll: Scroll,
    /// First line of the explanation that is on the screen.
    pub why_top: u16,
    /// How the suites are known is explained, even where all of them are.
    pub explains: bool,
    /// Marked suites.
    pub marks: Marks<DocRef>,
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
    /// So many more that no list names.
    Unknown(u64),
    /// A suite that may be one of them.
    Candidate(&'a Named),
}

impl AttachedSuites {
    /// A screen that knows nothing.
    pub fn new(run: RunRow) -> Self {
        Self {
            run,
            verdict: Remote::default(),
            progress: None,
            scroll: Scroll::default(),
            why_top: 0,
            explains: false,
            marks: Marks::default(),
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
            cx.say(format!(
                "a probe run is under way: its answer comes here{stops}"
            ));
            return;
        }
        self.progress = None;
        self.verdict.ask();
        let (run, typed) = (self.run.doc_ref.clone(), self.typed.clone());
        cx.request(Slot::Attached, |id| Effect::Survey { id, run, typed });
    }

    /// Takes suites that are to be removed: what is given as a reference and is not known yet is looked for.
    pub fn name(&mut self, names: Vec<DocumentName>, cx: &mut Cx) {
        let known = |suite: &DocRef| {
            let attached = self.verdict.value();
            let mut named = attached.into_iter().flat_map(|it| &it.named);
            self.typed.contains(suite) || named.any(|named| named.suite == *suite)
        };
        let new: Vec<DocRef> = names
            .iter()
            .filter_map(|name| match name {
                DocumentName::Ref(suite) if !known(suite) => Some(suite.clone()),
                _ => None,
            })
            .collect();
        self.named = names;
        if !new.is_empty() {
            self.typed.extend(new);
            self.survey(cx);
        }
    }

    /// The lines of the list.
    pub fn lines(&self) -> Vec<ListedSuite<'_>> {
        let Some(attached) = self.verdict.value() else {
            return Vec::new();
        };
        let unknown = attached
            .unknown
            .filter(|unknown| *unknown > 0)
            .map(ListedSuite::Unknown);
        let named = attached.named.iter().map(ListedSuite::Named);
        named
            .chain(unknown)
            .chain(attached.candidates.iter().map(ListedSuite::Candidate))
            .collect()
    }

    /// Moves the explanation under its frame, line by line.
    pub fn scroll_why(&mut self, motion: Motion) {
        self.why_top = match motion {
            Motion::Up => self.why_top.saturating_sub(1),
            _ => self.why_top.saturating_add(1),
        };
    }

    /// Moves the cursor; what is explained of the row under it begins anew.
    pub fn go(&mut self, motion: Motion) {
        self.why_top = 0;
        let len = self.lines().len() as u64;
        self.scroll.go(motion, len);
    }

    /// Takes new lines: the cursor stays in them, marks stay on suites that may be removed.
    pub fn arrange(&mut self) {
        self.why_top = 0;
        let len = self.lines().len() as u64;
        self.scroll.fit(len);
        let Some(attached) = self.verdict.value() else {
            return;
        };
        let removable = attached
            .named
            .iter()
            .filter(|named| attached.may_remove(named));
        let removable: HashSet<&DocRef> = removable.map(|named| &named.suite).collect();
        self.marks.retain(|mark| removable.contains(mark));
    }

    /// Marks the suite under the cursor or takes its mark away, and goes on. Says why not, where it cannot be removed.
    pub fn toggle(&mut self) -> Result<(), String> {
        let place = self.scroll.cursor;
        let suite = self.removable(place)?;
        self.marks.toggle(&suite);
        self.go(Motion::Down);
        Ok(())
    }

    /// The first time: a range begins here. The second time: all from there to here are marked; an error says why none is.
    pub fn range(&mut self) -> Result<(), &'static str> {
        let here = self.suite_at(self.scroll.cursor).cloned();
        if let Some(begun) = self.marks.range(here.as_ref()) {
            let begun = self.place_of(&begun).ok_or(RANGE_GONE)?;
            self.mark(self.scroll.span(begun), |_| true);
        }
        Ok(())
    }

    /// The suite of a line.
    fn suite_at(&self, place: u64) -> Option<&DocRef> {
        match self.lines().get(place as usize)? {
            ListedSuite::Named(named) | ListedSuite::Candidate(named) => Some(&named.suite),
            ListedSuite::Unknown(_) => None,
        }
    }

    /// The rows of the range that was begun.
    pub fn begun(&self) -> Option<RangeInclusive<u64>> {
        let place = self.place_of(self.marks.anchor.as_ref()?)?;
        Some(self.scroll.span(place))
    }

    /// The suite under the cursor, as far as it is known.
    pub fn current(&self) -> Option<SuiteRow> {
        match self.lines().get(self.scroll.cursor as usize)? {
            ListedSuite::Named(named) | ListedSuite::Candidate(named) => Some(known(named)),
            ListedSuite::Unknown(_) => None,
        }
    }

    /// The marked suites, as far as they are known.
    pub fn marked(&self) -> Vec<SuiteRow> {
        let named = self.verdict.value().map(|attached| &attached.named);
        let named = named.into_iter().flatten();
        let marked = named.filter(|named| self.marks.has(&named.suite));
        marked.map(known).collect()
    }

    /// Where a suite stands in the list.
    fn place_of(&self, suite: &DocRef) -> Option<u64> {
        let mut places = 0..self.lines().len() as u64;
        places.find(|place| self.suite_at(*place) == Some(suite))
    }

    /// Marks all sure suites.
    pub fn mark_all(&mut self) {
        self.marks.anchor = None;
        self.mark(0..=u64::MAX, |named| named.trust == Trust::Sure);
    }

    /// Marks the suites of some lines that are wanted and may be removed.
    fn mark(&mut self, places: RangeInclusive<u64>, wanted: impl Fn(&Named) -> bool) {
        let Some(attached) = self.verdict.value() else {
            return;
        };
        let fits = |(place, line): (u64, ListedSuite<'_>)| match line {
            ListedSuite::Named(named)
                if places.contains(&place) && wanted(named) && attached.may_remove(named) =>
            {
                Some(named.suite.clone())
            }
            _ => None,
        };
        let new: Vec<DocRef> = (0..).zip(self.lines()).filter_map(fits).collect();
        for suite in new {
            self.marks.add(&suite);
        }
    }

    fn removable(&self, place: u64) -> Result<DocRef, String> {
        let Some(attached) = self.verdict.value() else {
            return Err("Nothing is known yet".into());
        };
        match self.lines().get(place as usize) {
            Some(ListedSuite::Named(named)) if attached.may_remove(named) => {
                Ok(named.suite.clone())
            }
            Some(ListedSuite::Named(_)) => {
                Err("This one is not sure enough to be removed: \":remove REF\" names it".into())
            }
            Some(ListedSuite::Unknown(_)) => Err("Nobody knows which ones these are".into()),
            Some(ListedSuite::Candidate(_)) => {
                Err("This is a guess: \":remove REF\" names it, then it is checked".into())
            }
            None => Err("There is no suite here".into()),
        }
    }
}

/// A suite as some list shows it, or its reference alone.
fn known(named: &Named) -> SuiteRow {
    let row = named.row.clone();
    row.unwrap_or_else(|| SuiteRow::known_by(named.suite.clone()))
}
