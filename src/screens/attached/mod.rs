//! The suites in a run: worked out, marked for removal, named by hand.

pub mod keys;
mod view;

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::attached::{Attached, Named, Trust};
use crate::domain::{DocRef, Failure, Probe, RunRow, Status, SuiteChange, TEST_SUITE_MODEL};
use crate::screens::{Field, Screen, given_up, suites_title};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::event::Event;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, Fact, Motion, Plan};
use crate::store::remote::Remote;
use crate::store::shared::Shared;
use crate::ui::Context;
use crate::ui::layout::Layout;
use crate::ui::list::{Marks, Scroll};
use crate::ui::text_input::Input;

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
pub enum SuiteLine<'a> {
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
            marks: Marks::default(),
            typed: Vec::new(),
            typing: false,
            text: Input::default(),
            problem: None,
        }
    }

    /// Works it out by reading, unless a probe run is about to tell.
    pub fn survey(&mut self, cx: &mut Cx) {
        if cx.under_way(&Slot::Probe(self.run.doc_ref.clone())) {
            cx.say("a probe run is under way: its answer comes here, Ctrl-c gives it up");
            return;
        }
        self.progress = None;
        self.verdict.ask();
        let (run, typed) = (self.run.doc_ref.clone(), self.typed.clone());
        cx.request(Slot::Attached, |id| Effect::Survey { id, run, typed });
    }

    /// The lines of the list.
    pub fn lines(&self) -> Vec<SuiteLine<'_>> {
        let Some(attached) = self.verdict.value() else {
            return Vec::new();
        };
        let unknown = attached
            .unknown
            .filter(|unknown| *unknown > 0)
            .map(SuiteLine::Unknown);
        let named = attached.named.iter().map(SuiteLine::Named);
        named
            .chain(unknown)
            .chain(attached.candidates.iter().map(SuiteLine::Candidate))
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
            SuiteLine::Named(named) | SuiteLine::Candidate(named) => Some(&named.suite),
            SuiteLine::Unknown(_) => None,
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
        let fits = |(place, line): (u64, SuiteLine<'_>)| match line {
            SuiteLine::Named(named)
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
            Some(SuiteLine::Named(named)) if attached.may_remove(named) => Ok(named.suite.clone()),
            Some(SuiteLine::Named(_)) => {
                Err("this one is not sure enough to be removed: + names it by its reference".into())
            }
            Some(SuiteLine::Unknown(_)) => Err("nobody knows which ones these are".into()),
            Some(SuiteLine::Candidate(_)) => {
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

impl AttachedSuites {
    /// Shows what removing the marked suites will send.
    fn remove(&mut self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        if self.marks.is_empty() {
            return cx.say("nothing is marked: Space marks a suite");
        }
        let Some(attached) = self.verdict.value() else {
            return;
        };
        let named: HashMap<&DocRef, &Named> = attached
            .named
            .iter()
            .map(|named| (&named.suite, named))
            .collect();
        let name = |suite: &DocRef| {
            named
                .get(suite)
                .map_or_else(|| suite.to_string(), |named| named.full_name())
        };
        let suites: Vec<(DocRef, String)> = self
            .marks
            .rows()
            .iter()
            .map(|suite| (suite.clone(), name(suite)))
            .collect();
        let mut change = SuiteChange::of(&self.run, false, suites);
        change.count = attached.count.and_then(|count| i64::try_from(count).ok());
        let mut warnings =
            vec!["What becomes of results recorded in these suites is not documented.".to_owned()];
        match &change.stake {
            Some(counts) => warnings.push(format!(
                "{} cases are counted in this run; the counts are kept in the journal first.",
                counts.total()
            )),
            None => warnings.push(
                "The counts of this run are not known, so none are kept in the journal.".into(),
            ),
        }
        cx.confirm(Plan::Suites(change), warnings, false);
    }

    /// Shows what a probe run will send.
    fn probe(&mut self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        let run = &self.run;
        let (Some(project), Some(version)) = (&run.project, &run.version) else {
            return cx.complain(
                "the service did not say project and version of this run: no probe can be made",
            );
        };
        if run.status == Status::Inactive {
            return cx.complain("a closed run: a probe would tell nothing about its suites");
        }
        let user = cx
            .shared
            .signed_in
            .as_ref()
            .map_or("", |signed_in| signed_in.user.as_str());
        let minutes = cx.now.div_euclid(60_000).rem_euclid(24 * 60);
        let clock = format!("{:02}:{:02} UTC", minutes / 60, minutes % 60);
        let subproject = run.subproject.as_deref().filter(|id| *id != "_");
        let probe = Probe::new(
            run.doc_ref.clone(),
            project,
            subproject,
            version,
            (user, &clock),
        );
        let warnings = vec![
            "This writes: it uses up an id, colleagues see the run for a moment, and it needs the right to create and delete.".into(),
            "If this program ends in between, the run stays behind; the next start offers to delete it.".into(),
        ];
        cx.confirm(Plan::Probe(probe), warnings, false);
    }

    /// A probe run is about to tell it.
    pub fn wait_for_probe(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::Attached);
        self.verdict.ask();
    }

    /// A key for the field with references.
    fn update_references(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Type(key) => {
                self.text.key(key);
                self.problem = None;
            }
            Action::Paste(text) => {
                self.text.paste(&text);
                self.problem = None;
            }
            Action::Back => self.typing = false,
            Action::Open if self.take_typed() => self.survey(cx),
            _ => {}
        }
    }

    /// Suites are worked out, by a probe of a run or without one. Of a probe, which is a write, a failure is told wherever
    /// the person is by now.
    fn came(&mut self, slot: &Slot, result: Result<Box<Attached>, Failure>, cx: &mut Cx) {
        let failure = result.as_ref().err().cloned();
        if *slot == Slot::Attached || *slot == Slot::Probe(self.run.doc_ref.clone()) {
            self.verdict.accept(result, cx.now);
            self.arrange();
        }
        if let Some(failure) = failure {
            cx.failed(failure);
        }
    }
}

impl Screen for AttachedSuites {
    fn layer(&self, _shared: &Shared) -> Layer {
        if self.typing {
            Layer::Typing
        } else {
            Layer::Attached
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        if self.typing {
            return self.update_references(action, cx);
        }
        match action {
            Action::Move(motion) => self.go(motion),
            Action::ScrollWhy(motion) => self.scroll_why(motion),
            Action::Point(row) => {
                let len = self.lines().len() as u64;
                self.scroll.point(row, len);
            }
            Action::Mark => {
                if let Err(why) = self.toggle() {
                    cx.say(why);
                }
            }
            Action::MarkRange => {
                self.range();
                if self.marks.anchor.is_some() {
                    cx.say("range: move, then v again marks all between");
                }
            }
            Action::MarkAll => self.mark_all(),
            Action::Remove | Action::Open => self.remove(cx),
            Action::TypeReference => self.typing = true,
            Action::Probe => self.probe(cx),
            Action::Verify => self.survey(cx),
            Action::Back if self.marks.anchor.take().is_some() => {}
            Action::Back if !self.marks.is_empty() => {
                self.marks.clear();
                cx.say("no marks any more; Esc again goes back");
            }
            Action::Back | Action::LastScreen => cx.back(),
            Action::NextPart => cx.anywhere(Action::Available),
            other => cx.anywhere(other),
        }
    }

    fn reply(&mut self, slot: Slot, event: Event, cx: &mut Cx) {
        match event {
            Event::SurveyProgress { words, .. } => self.progress = Some(words),
            Event::Surveyed { result, .. } => self.came(&slot, result, cx),
            _ => {}
        }
    }

    /// What is in effect loses its mark.
    fn learned(&mut self, fact: &Fact, _cx: &mut Cx) {
        if let Fact::WroteSuites { run, done, .. } = fact
            && *run == self.run.doc_ref
        {
            self.marks.remove(done);
        }
    }

    /// What was read before stays, and is not called whole.
    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let any = cx.give_up(&Slot::Attached);
        if any {
            let failure = given_up("reading the suites", "r reads again");
            self.verdict.accept(Err(failure), cx.now);
        }
        any
    }

    fn run(&self) -> Option<RunRow> {
        Some(self.run.clone())
    }

    fn read(&mut self, cx: &mut Cx) {
        self.survey(cx);
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let Some(height) = layout.attached else {
            return false;
        };
        let len = self.lines().len() as u64;
        self.why_top = self.why_top.min(layout.why);
        self.scroll.set_height(height, len)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        view::draw(context, self, area, buffer, layout);
    }

    fn title(&self, path: String, width: u16) -> String {
        suites_title(&path, &self.run, "Suites in the run", width)
    }

    fn status(&self, _context: Context<'_>) -> String {
        view::status(self)
    }

    fn field(&self, _context: Context<'_>) -> Option<Field<'_>> {
        let said = self.problem.clone();
        let bad = said.is_some();
        let hint = || "TestSuite-dm/20744, several with blanks between".into();
        self.typing.then(|| Field {
            sign: "+ ",
            input: &self.text,
            said: (said.unwrap_or_else(hint), bad),
        })
    }

    fn read_at(&self) -> Option<i64> {
        self.verdict.read_at()
    }
}
