//! The suites in a run: worked out, marked for removal, named by hand.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::effect::Effect;
use super::input::Input;
use super::message::{Motion, RequestId};
use super::range::range;
use super::remote::Remote;
use super::scroll::Scroll;
use crate::attached::{Attached, Named, Trust};
use crate::domain::{DocRef, RunRow, TEST_SUITE_MODEL};

/// State of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Members {
    /// The run.
    pub run: RunRow,
    /// What is known of its suites.
    pub verdict: Remote<Box<Attached>>,
    /// How far the survey is, in words.
    pub progress: Option<String>,
    /// Cursor in the lines of the list.
    pub scroll: Scroll,
    /// First line of the explanation that is on the screen.
    pub why_top: u16,
    /// Marked suites, in the order of marking.
    pub marks: Vec<DocRef>,
    /// Where a range of marks began.
    pub anchor: Option<u64>,
    /// References that the person has given.
    pub typed: Vec<DocRef>,
    /// The box for references has the focus.
    pub typing: bool,
    /// The text in that box.
    pub text: Input,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Member<'a> {
    /// A suite that is in the run.
    Named(&'a Named),
    /// So many more that no list names.
    Unknown(u64),
    /// A suite that may be one of them.
    Candidate(&'a Named),
}

impl Members {
    /// A screen that knows nothing.
    pub fn new(run: RunRow) -> Self {
        Self {
            run,
            verdict: Remote::default(),
            progress: None,
            scroll: Scroll::default(),
            why_top: 0,
            marks: Vec::new(),
            anchor: None,
            typed: Vec::new(),
            typing: false,
            text: Input::default(),
            problem: None,
        }
    }

    /// Works it out, by reading.
    pub fn survey(&mut self, id: RequestId) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self
            .verdict
            .cancel()
            .map(Effect::Cancel)
            .into_iter()
            .collect();
        self.progress = None;
        self.verdict.ask(id);
        effects.push(Effect::Survey {
            id,
            run: self.run.doc_ref.clone(),
            typed: self.typed.clone(),
        });
        effects
    }

    /// The lines of the list.
    pub fn lines(&self) -> Vec<Member<'_>> {
        let Some(attached) = self.verdict.value() else {
            return Vec::new();
        };
        let unknown = attached
            .unknown
            .filter(|unknown| *unknown > 0)
            .map(Member::Unknown);
        let named = attached.named.iter().map(Member::Named);
        named
            .chain(unknown)
            .chain(attached.candidates.iter().map(Member::Candidate))
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
        self.anchor = None;
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

    /// Takes marks away.
    pub fn unmark(&mut self, suites: &[DocRef]) {
        let suites: HashSet<&DocRef> = suites.iter().collect();
        self.marks.retain(|mark| !suites.contains(mark));
    }

    /// Marks the suite under the cursor or takes its mark away, and goes on. Says why not, where it cannot be removed.
    pub fn toggle(&mut self) -> Result<(), String> {
        let place = self.scroll.cursor;
        let suite = self.removable(place)?;
        if self.marks.contains(&suite) {
            self.unmark(&[suite]);
        } else {
            self.marks.push(suite);
        }
        self.go(Motion::Down);
        Ok(())
    }

    /// The first time: a range begins here. The second time: all from there to here are marked.
    pub fn range(&mut self) {
        if let Some(places) = range(&mut self.anchor, self.scroll.cursor) {
            self.mark(places, |_| true);
        }
    }

    /// Marks all sure suites.
    pub fn mark_all(&mut self) {
        self.mark(0..=u64::MAX, |named| named.trust == Trust::Sure);
    }

    /// Marks the suites of some lines that are wanted and may be removed.
    fn mark(&mut self, places: RangeInclusive<u64>, wanted: impl Fn(&Named) -> bool) {
        let Some(attached) = self.verdict.value() else {
            return;
        };
        let marked: HashSet<&DocRef> = self.marks.iter().collect();
        let fits = |(place, line): (u64, Member<'_>)| match line {
            Member::Named(named)
                if places.contains(&place) && wanted(named) && attached.may_remove(named) =>
            {
                Some(named.suite.clone()).filter(|suite| !marked.contains(suite))
            }
            _ => None,
        };
        let new: Vec<DocRef> = (0..).zip(self.lines()).filter_map(fits).collect();
        self.marks.extend(new);
    }

    fn removable(&self, place: u64) -> Result<DocRef, String> {
        let Some(attached) = self.verdict.value() else {
            return Err("nothing is known yet".into());
        };
        match self.lines().get(place as usize) {
            Some(Member::Named(named)) if attached.may_remove(named) => Ok(named.suite.clone()),
            Some(Member::Named(_)) => {
                Err("this one is not sure enough to be removed: + names it by its reference".into())
            }
            Some(Member::Unknown(_)) => Err("nobody knows which ones these are".into()),
            Some(Member::Candidate(_)) => {
                Err("this is a guess: + names it by its reference, then it is checked".into())
            }
            None => Err("there is no suite here".into()),
        }
    }

    /// Takes the references in the box, separated by blanks, commas or lines.
    pub fn take_typed(&mut self) -> bool {
        let text = self.text.text().to_owned();
        let words = text
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
            .filter(|word| !word.is_empty());
        let mut taken = Vec::new();
        for word in words {
            match DocRef::parse(word) {
                Ok(suite) if suite.model() == TEST_SUITE_MODEL && suite.acts().is_none() => {
                    taken.push(suite);
                }
                _ => {
                    self.problem = Some(format!(
                        "{word:?} is no suite reference: expected {TEST_SUITE_MODEL}/20744"
                    ));
                    return false;
                }
            }
        }
        if taken.is_empty() {
            self.problem = Some(format!(
                "no reference: expected one or more of the form {TEST_SUITE_MODEL}/20744"
            ));
            return false;
        }
        taken.retain(|suite| !self.typed.contains(suite));
        self.typed.extend(taken);
        self.problem = None;
        self.typing = false;
        self.text.clear();
        true
    }
}
