//! The suites in a run: worked out, marked for removal, named by hand.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::cx::Cx;
use super::effect::Effect;
use super::in_flight::Slot;
use super::input::Input;
use super::list::{Marks, Scroll};
use super::message::{Action, Motion};
use super::remote::Remote;
use super::{Screen, Store};
use crate::attached::{Attached, Named, Trust};
use crate::domain::{DocRef, Failure, RunRow, TEST_SUITE_MODEL};

/// State of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Members {
    pub run: RunRow,
    /// What is known of its suites.
    pub verdict: Remote<Box<Attached>>,
    /// How far the survey is, in words.
    pub progress: Option<String>,
    /// Cursor in the lines of the list.
    pub scroll: Scroll,
    /// First line of the explanation that is on the screen.
    pub why_top: u16,
    /// Marked suites.
    pub marks: Marks<DocRef>,
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
            marks: Marks::default(),
            typed: Vec::new(),
            typing: false,
            text: Input::default(),
            problem: None,
        }
    }

    /// Works it out, by reading.
    pub fn survey(&mut self, cx: &mut Cx) {
        self.progress = None;
        self.verdict.ask();
        let (run, typed) = (self.run.doc_ref.clone(), self.typed.clone());
        cx.request(Slot::Members, |id| Effect::Survey { id, run, typed });
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
        self.marks.anchor = None;
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

    /// The first time: a range begins here. The second time: all from there to here are marked.
    pub fn range(&mut self) {
        let here = self.suite_at(self.scroll.cursor).cloned();
        if let Some(begun) = self.marks.range(here.as_ref())
            && let Some(begun) = self.place_of(&begun)
        {
            self.mark(self.scroll.span(begun), |_| true);
        }
    }

    /// The suite of a line.
    fn suite_at(&self, place: u64) -> Option<&DocRef> {
        match self.lines().get(place as usize)? {
            Member::Named(named) | Member::Candidate(named) => Some(&named.suite),
            Member::Unknown(_) => None,
        }
    }

    /// The rows of the range that was begun.
    pub fn begun(&self) -> Option<RangeInclusive<u64>> {
        let place = self.place_of(self.marks.anchor.as_ref()?)?;
        Some(self.scroll.span(place))
    }

    /// Where a suite stands in the list.
    fn place_of(&self, suite: &DocRef) -> Option<u64> {
        let mut places = 0..self.lines().len() as u64;
        places.find(|place| self.suite_at(*place) == Some(suite))
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
        let fits = |(place, line): (u64, Member<'_>)| match line {
            Member::Named(named)
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

impl Store {
    /// The suites in the run at hand.
    pub(super) fn open_members(&mut self) {
        let Some(run) = self.run_at_hand() else {
            self.cx.say("there is no run here yet");
            return;
        };
        self.enter_suites(Screen::Members);
        if let Some(members) = self
            .members
            .as_mut()
            .filter(|open| open.run.doc_ref == run.doc_ref)
        {
            members.run = run;
            if members.verdict.value().is_some() {
                return;
            }
        } else {
            self.drop_members();
            self.members = Some(Members::new(run));
        }
        self.survey_members();
    }

    /// Nothing is known any more of suites in a run; working them out is given up.
    pub(super) fn drop_members(&mut self) {
        self.members = None;
        self.cx.give_up(&Slot::Members);
    }

    /// Works out the suites of the run on the screen, unless a probe run is about to tell them.
    pub(super) fn survey_members(&mut self) {
        let Some(members) = &mut self.members else {
            return;
        };
        let probe = Slot::Probe(members.run.doc_ref.clone());
        if self.cx.under_way(&probe) {
            self.cx
                .say("a probe run is under way: its answer comes here, Ctrl-c gives it up");
            return;
        }
        members.survey(&mut self.cx);
    }

    pub(super) fn act_members(&mut self, action: Action) {
        let Some(members) = &mut self.members else {
            return self.stack.back();
        };
        match action {
            Action::Move(motion) => members.go(motion),
            Action::ScrollWhy(motion) => members.scroll_why(motion),
            Action::Point(row) => {
                let len = members.lines().len() as u64;
                members.scroll.point(row, len);
            }
            Action::Mark => {
                if let Err(why) = members.toggle() {
                    self.cx.say(why);
                }
            }
            Action::MarkRange => {
                members.range();
                if members.marks.anchor.is_some() {
                    self.cx.say("range: move, then v again marks all between");
                }
            }
            Action::MarkAll => members.mark_all(),
            Action::Remove | Action::Open => self.confirm_remove(),
            Action::TypeReference => members.typing = true,
            Action::Probe => self.confirm_probe(),
            Action::Verify => self.survey_members(),
            Action::Back if members.marks.anchor.take().is_some() => {}
            Action::Back if !members.marks.is_empty() => {
                members.marks.clear();
                self.cx.say("no marks any more; Esc again goes back");
            }
            Action::Back | Action::LastScreen => self.stack.back(),
            Action::NextPart => self.open_available(),
            other => self.act_anywhere(&other),
        }
    }

    pub(super) fn act_reference(&mut self, action: Action) {
        let Some(members) = &mut self.members else {
            return;
        };
        match action {
            Action::Type(key) => {
                members.text.key(key);
                members.problem = None;
            }
            Action::Paste(text) => {
                members.text.paste(&text);
                members.problem = None;
            }
            Action::Back => members.typing = false,
            Action::Open if members.take_typed() => self.survey_members(),
            _ => {}
        }
    }

    /// Suites are worked out, by a probe of a run or without one. Of a probe, which is a write, a failure is told wherever
    /// the person is by now.
    pub(super) fn members_came(
        &mut self,
        probed: Option<&DocRef>,
        result: Result<Box<Attached>, Failure>,
    ) {
        let failure = result.as_ref().err().cloned();
        let wanted = |members: &&mut Members| probed.is_none_or(|run| members.run.doc_ref == *run);
        if let Some(members) = self.members.as_mut().filter(wanted) {
            members.verdict.accept(result, self.cx.now);
            members.arrange();
        }
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
    }
}
