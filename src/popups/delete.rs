//! Deleting runs: one box. What is in each is worked out; once the id is typed, the worker saves a copy, takes the
//! suites out and deletes, run after run. The first that does not go as expected ends it.

use std::collections::BTreeMap;

use crate::domain::{Deed, DocRef, Failure, Outcome};
use crate::ops::delete::Deleting;
use crate::ops::{Do, Operation, Report, Step};
use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::event::Event;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, Fact, Open};
use crate::store::shared::Shared;
use crate::ui::laid::Laid;
use crate::ui::text_input::Input;

/// Runs that are deleted at once, at most: all of what is known of each is kept until the end.
pub const MOST_AT_ONCE: usize = 100;

/// The box, or what it has begun once it is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct DeleteBox {
    pub runs: Vec<DeletedRun>,
    /// The request under way, and the place of the run it is about; there is never more than one.
    pub asked: Option<usize>,
    /// How far the survey under way is, in words.
    pub progress: Option<String>,
    /// The field for the id.
    pub text: Input,
    /// The id was typed, and Enter pressed: it goes on once it is known what is in the runs.
    pub entered: bool,
    /// The runs are being deleted, or were.
    pub confirmed: bool,
    pub open: bool,
    /// What is to be said before: of an undo, of marks.
    pub notes: Vec<String>,
    /// First line shown.
    pub top: u16,
    /// A person has stopped it: no further run is begun.
    stopped: bool,
}

/// One run that is to be deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct DeletedRun {
    pub deleting: Deleting,
    /// It is known what is in it.
    pub looked: bool,
    /// What came of it.
    pub end: Option<Outcome>,
}

impl DeletedRun {
    fn new(deleting: Deleting) -> Self {
        Self {
            deleting,
            looked: false,
            end: None,
        }
    }

    pub fn name(&self) -> &str {
        self.deleting.row.name()
    }

    pub fn gone(&self) -> bool {
        self.end.as_ref().is_some_and(Outcome::is_whole)
    }

    /// It can be deleted, as far as is known.
    fn ready(&self) -> bool {
        self.looked && self.end.is_none() && self.deleting.hindrance().is_none()
    }

    /// Asks for what is to be known of what is in it; whether anything was left to ask.
    fn look(&mut self, place: usize, cx: &mut Cx) -> bool {
        let slot = Slot::Look(place);
        match self.deleting.next() {
            Do::Step(Step::Survey { run, typed, .. }) => {
                cx.request(slot, |id| Effect::Survey { id, run, typed });
                return true;
            }
            Do::Step(Step::CheckEmpty(run)) => {
                cx.request(slot, |id| Effect::CheckEmpty { id, run });
                return true;
            }
            Do::Step(_) | Do::Ask(_) => self.looked = true,
            Do::End(outcome) => self.end = Some(outcome),
        }
        false
    }

    /// The same run, of which nothing is known.
    fn anew(&self, taken_out: &BTreeMap<DocRef, BTreeMap<DocRef, String>>) -> Self {
        let before = &self.deleting;
        let mut deleting = Deleting::new(before.row.clone());
        deleting.typed.clone_from(&before.typed);
        deleting.undo_of.clone_from(&before.undo_of);
        if let Some(taken_out) = taken_out.get(&before.row.doc_ref) {
            deleting.taken_out.clone_from(taken_out);
        }
        Self::new(deleting)
    }
}

impl DeleteBox {
    /// Something that changes the service is under way.
    pub fn writing(&self) -> bool {
        self.confirmed && self.asked.is_some()
    }

    /// The field for the id is there.
    pub fn typing(&self) -> bool {
        let stays = |run: &DeletedRun| run.end.is_some() || (run.looked && !run.ready());
        self.open && !self.confirmed && !self.runs.iter().any(stays)
    }

    /// What must be typed: the id of the run, the number of several.
    pub fn word(&self) -> String {
        match &self.runs[..] {
            [run] => run.name().to_owned(),
            runs => runs.len().to_string(),
        }
    }

    /// The right word is typed.
    pub fn armed(&self) -> bool {
        self.text.text().trim() == self.word().trim()
    }

    /// The box for these runs, with what is to be said before.
    pub fn new(runs: Vec<Deleting>, notes: Vec<String>) -> Self {
        Self {
            runs: runs.into_iter().map(DeletedRun::new).collect(),
            asked: None,
            progress: None,
            text: Input::default(),
            entered: false,
            confirmed: false,
            open: true,
            notes,
            top: 0,
            stopped: false,
        }
    }

    /// What comes next: working out what is in a run, or once that was answered with yes, a deletion.
    fn next(&mut self, cx: &mut Cx) {
        if self.asked.is_some() || self.stopped {
            return;
        }
        while !self.confirmed
            && let Some(place) = self.runs.iter().position(|run| !run.ready())
        {
            let run = &mut self.runs[place];
            if run.looked || run.end.is_some() {
                // It stays: nothing more is looked at.
                return;
            }
            if run.look(place, cx) {
                self.asked = Some(place);
                return;
            }
        }
        self.confirmed |= self.entered;
        let Some(place) = self.runs.iter().position(|run| !run.gone()) else {
            return;
        };
        let run = &mut self.runs[place];
        if !self.confirmed || run.end.is_some() {
            return;
        }
        run.deleting.answer(true);
        self.asked = Some(place);
        let deleting = Box::new(run.deleting.clone());
        cx.request(Slot::Delete(place), |id| Effect::Delete { id, deleting });
    }

    /// Nothing further is sent; what is out is waited for.
    fn stop(&mut self, cx: &mut Cx) {
        let Some(place) = self.asked else {
            return;
        };
        if self.confirmed {
            self.stopped = true;
            cx.stop(|slot| matches!(slot, Slot::Delete(_) | Slot::DeleteElsewhere));
            return;
        }
        cx.give_up(&Slot::Look(place));
        self.asked = None;
        self.entered = false;
        self.runs[place].end = Some(Outcome::not_sent("given up"));
    }

    /// What came of it, once something was sent or could not be.
    fn summary(&self) -> Option<(String, bool)> {
        let words = |run: &DeletedRun| {
            let outcome = run.end.as_ref()?;
            Some(outcome.words(Deed::Delete(run.name())))
        };
        let gone = self.runs.iter().filter(|run| run.gone()).count();
        let all = self.runs.len();
        if gone == all {
            let told = match &self.runs[..] {
                [run] => {
                    let back = "\":undo the last\" makes a new run from the copy";
                    format!("{}. {back}", words(run)?)
                }
                _ => format!("{all} runs deleted. @, then Enter on one: a new run from its copy"),
            };
            return Some((told, true));
        }
        let bad = self
            .runs
            .iter()
            .find(|run| run.end.is_some() && !run.gone());
        let bad = bad.and_then(words);
        Some(match (all, bad) {
            (1, bad) => (bad?, false),
            (_, Some(bad)) => (format!("{gone} of {all} runs deleted. {bad}"), false),
            (_, None) if gone == 0 => return None,
            (_, None) => (
                format!("{gone} of {all} runs deleted. The others were not begun."),
                false,
            ),
        })
    }
}

impl DeleteBox {
    pub fn go_on(&mut self, cx: &mut Cx) {
        self.progress = None;
        self.next(cx);
    }

    /// Another profile is in use: nothing further is sent. Whether something that changes the service is still waited
    /// for.
    pub fn leave(&mut self, cx: &mut Cx) -> bool {
        self.stop(cx);
        self.open = false;
        self.writing()
    }

    /// Looks again at what is in the runs that are left.
    fn anew(&mut self, cx: &mut Cx) {
        if self.asked.is_some() {
            cx.say("under way; Ctrl-c stops before the next request");
            return;
        }
        (self.entered, self.confirmed, self.stopped) = (false, false, false);
        self.text.clear();
        self.runs.retain(|run| !run.gone());
        for run in &mut self.runs {
            *run = run.anew(&cx.shared.taken_out);
        }
        self.go_on(cx);
    }

    fn enter(&mut self, cx: &mut Cx) {
        if self.typing() && self.armed() {
            self.entered = true;
            self.go_on(cx);
        } else if self.typing() {
            let word = self.word();
            cx.complain(format!("nothing is deleted before {word} is typed here"));
        } else if self.writing() {
            cx.say("under way; Ctrl-c stops before the next request");
        } else if self.confirmed {
            // What stays is told, and not closed by a key that was typed ahead.
            self.close(cx);
        }
    }

    /// Esc: nothing further is sent, and what came of it is said.
    fn close(&mut self, cx: &mut Cx) {
        let writing = self.writing();
        let summary = self.summary().filter(|_| self.confirmed);
        self.stop(cx);
        if writing {
            self.open = false;
            cx.say("nothing further is sent; what is under way is told when its answer is here");
            return;
        }
        cx.close(Layer::Delete);
        tell(
            summary.unwrap_or_else(|| ("nothing was changed".into(), true)),
            cx,
        );
    }

    /// Opens the screen of suites for the first run that stays, where a probe run may name the others.
    fn visit_suites(&mut self, cx: &mut Cx) {
        if self.asked.is_some() {
            return;
        }
        let stays = self.runs.iter().find(|run| !run.gone() && !run.ready());
        let Some(run) = stays.or(self.runs.first()) else {
            return;
        };
        let known = run.deleting.attached().filter(|_| !self.confirmed);
        cx.close(Layer::Delete);
        cx.open(Open::Members {
            run: run.deleting.row.clone(),
            typed: run.deleting.typed.clone(),
            known: known.cloned().map(Box::new),
        });
    }

    fn looked(&mut self, place: usize, report: Report, failure: Option<Failure>, cx: &mut Cx) {
        self.runs[place].deleting.take(report);
        self.asked = None;
        if let Some(failure) = failure {
            cx.failed(failure);
        }
        self.go_on(cx);
    }

    /// A deletion has come to its end; only where the run is not found any more, it is gone.
    fn deleted(&mut self, place: usize, end: Outcome, cx: &mut Cx) {
        self.asked = None;
        let run = &mut self.runs[place];
        run.end = Some(end);
        let doc_ref = run.deleting.row.doc_ref.clone();
        if run.gone() {
            cx.learn(Fact::Gone(doc_ref));
        } else if let (Some(removal), Some(removed)) =
            (run.deleting.plan().0, &run.deleting.removed)
        {
            let out = removed.done_parts();
            let suites = removal.suites.iter().cloned();
            let suites = suites.filter(|(suite, _)| out.contains(suite));
            let taken_out = &mut cx.shared.taken_out;
            taken_out.entry(doc_ref.clone()).or_default().extend(suites);
            cx.learn(Fact::Stripped(doc_ref));
        }
        self.go_on(cx);
        if self.asked.is_some() {
            return;
        }
        // What was said of waiting is over; the box tells what came of it.
        cx.notice = None;
        if !self.open || self.runs.iter().all(DeletedRun::gone) {
            cx.close(Layer::Delete);
            if let Some(summary) = self.summary() {
                tell(summary, cx);
            }
        }
        cx.learn(Fact::Wrote(None));
    }
}

impl Screen for DeleteBox {
    fn layer(&self, _shared: &Shared) -> Layer {
        if self.typing() {
            Layer::Typing
        } else {
            Layer::Delete
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            // Somebody who goes on typing has not meant what stood there.
            Action::Type(key) if self.typing() => self.entered &= !self.text.key(key),
            Action::Paste(text) if self.typing() => self.entered &= !self.text.paste(&text),
            Action::Move(motion) => motion.scroll(&mut self.top),
            Action::Back => self.close(cx),
            Action::Open => self.enter(cx),
            Action::Refresh => self.anew(cx),
            Action::Members => self.visit_suites(cx),
            Action::Journal | Action::Errors | Action::Palette => cx.anywhere(action),
            _ => {}
        }
    }

    fn reply(&mut self, _slot: Slot, event: Event, cx: &mut Cx) {
        let Some(place) = self.asked else {
            return;
        };
        match event {
            Event::SurveyProgress { words, .. } => self.progress = Some(words),
            Event::Deleting { deleting, .. } => self.runs[place].deleting = *deleting,
            Event::Surveyed { result, .. } => {
                let failure = result.as_ref().err().cloned();
                self.looked(place, Report::Attached(result), failure, cx);
            }
            Event::Emptiness { result, .. } => {
                let failure = result.as_ref().err().cloned();
                self.looked(place, Report::Empty(result), failure, cx);
            }
            Event::Deleted { end, .. } => self.deleted(place, end, cx),
            _ => {}
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let any = self.asked.is_some();
        self.stop(cx);
        any
    }

    fn laid_out(&mut self, laid: &Laid) -> bool {
        if let Some(last) = laid.delete {
            self.top = self.top.min(last);
        }
        false
    }
}

fn tell((words, good): (String, bool), cx: &mut Cx) {
    if good {
        cx.say(words);
    } else {
        cx.complain(words);
    }
}
