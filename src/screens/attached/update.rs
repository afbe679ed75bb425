//! What keys and answers do to the suites in a run.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{AttachedSuites, view};
use crate::attached::{Attached, Named};
use crate::domain::{DocRef, Failure, Probe, RunRow, Status, SuiteChange};
use crate::screens::{Field, Screen, given_up, suites_title};
use crate::store::cx::Cx;
use crate::store::event::Event;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, Fact, Plan};
use crate::store::shared::Shared;
use crate::ui::Context;
use crate::ui::layout::Layout;

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
            Action::NextPart => cx.anywhere(Action::Show(Layer::Available)),
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
        let Some(height) = layout.rows else {
            return false;
        };
        let len = self.lines().len() as u64;
        self.why_top = self.why_top.min(layout.why);
        self.scroll.set_height(height, len)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        view::draw(context, self, area, buffer, layout);
    }

    fn title(&self, project: &str) -> String {
        suites_title(project, &self.run, "suites")
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
