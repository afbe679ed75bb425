//! Deleting runs: one box. What is in each is worked out; once the id is typed, the worker saves a copy, takes the
//! suites out and deletes, run after run. The first that does not go as expected ends it.

use std::collections::BTreeMap;

use super::cx::Cx;
use super::effect::Effect;
use super::event::Event;
use super::in_flight::Slot;
use super::input::Input;
use super::message::Action;
use super::{Layer, Members, Screen, Store};
use crate::domain::{Deed, DocRef, Failure, Outcome, RunRow};
use crate::ops::delete::Deleting;
use crate::ops::{Do, Operation, Report, Step};

/// Runs that are deleted at once, at most: all of what is known of each is kept until the end.
pub const MOST_AT_ONCE: usize = 100;

/// Suites that were taken out of runs that were not deleted then, with names, by run: a later copy names them too.
pub(super) type TakenOut = BTreeMap<DocRef, BTreeMap<DocRef, String>>;

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
    /// The person uses another profile by now, and nothing but its end is waited for.
    pub(super) over: bool,
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
    fn anew(&self, taken_out: &TakenOut) -> Self {
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
    pub fn stop(&mut self, cx: &mut Cx) {
        let Some(place) = self.asked else {
            return;
        };
        if self.confirmed {
            self.stopped = true;
            cx.stop(|slot| matches!(slot, Slot::Delete(_)));
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

impl Store {
    /// Begins with the marked runs, else with the run at hand.
    pub(super) fn open_delete(&mut self) {
        if !matches!(
            self.stack.top(),
            Screen::Runs | Screen::Detail | Screen::Members
        ) {
            return;
        }
        let writing = |flow: &&mut DeleteBox| flow.writing() && !flow.over;
        if let Some(flow) = self.delete.as_mut().filter(writing) {
            flow.open = true;
            return;
        }
        if !self.may_write() {
            return;
        }
        let marked = if self.stack.top() == Screen::Runs {
            self.runs.marked()
        } else {
            Vec::new()
        };
        let mut notes = Vec::new();
        let here = self.run_at_hand();
        if let (false, Some(here)) = (marked.is_empty(), &here)
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
        let rows: Vec<RunRow> = if marked.is_empty() {
            here.into_iter().collect()
        } else {
            marked
        };
        if rows.is_empty() {
            self.cx.say("there is no run here yet");
            return;
        }
        if rows.len() > MOST_AT_ONCE {
            self.cx.complain(format!(
                "{} runs are marked; at most {MOST_AT_ONCE} are deleted at once",
                rows.len()
            ));
            return;
        }
        let runs = rows.into_iter().map(|row| self.deleting(row)).collect();
        self.begin_delete(runs, notes);
    }

    /// A deletion that knows what the person has said of its suites; on the screen of suites it goes by what stands there.
    pub(super) fn deleting(&self, row: RunRow) -> Deleting {
        let mut deleting = Deleting::new(row);
        let run = &deleting.row.doc_ref;
        if let Some(taken_out) = self.cx.shared.taken_out.get(run) {
            deleting.taken_out.clone_from(taken_out);
        }
        if let Some(members) = self
            .members
            .as_ref()
            .filter(|members| members.run.doc_ref == *run)
        {
            deleting.typed.clone_from(&members.typed);
            let known = members.verdict.value();
            let known = known.filter(|known| known.is_complete());
            let settled = !members.verdict.is_reading() && members.verdict.failure().is_none();
            if let (Screen::Members, true, Some(known)) = (self.stack.top(), settled, known) {
                deleting.take(Report::Attached(Ok(known.clone())));
            }
        }
        deleting
    }

    /// Opens the box for these runs.
    pub(super) fn begin_delete(&mut self, runs: Vec<Deleting>, notes: Vec<String>) {
        self.drop_delete();
        // What another profile deletes is not for this box.
        self.cx.over(|slot| matches!(slot, Slot::Delete(_)));
        self.delete = Some(DeleteBox {
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
            over: false,
        });
        self.go_on_deleting();
    }

    /// It ends: nothing further is sent. What changes the service and is under way is still waited for.
    pub(super) fn drop_delete(&mut self) {
        let Some(flow) = &mut self.delete else {
            return;
        };
        flow.stop(&mut self.cx);
        (flow.over, flow.open) = (true, false);
        if !flow.writing() {
            self.delete = None;
        }
    }

    pub(super) fn act_delete(&mut self, action: &Action) {
        let Some(flow) = &mut self.delete else {
            return;
        };
        match action {
            // Somebody who goes on typing has not meant what stood there.
            Action::Type(key) if flow.typing() => flow.entered &= !flow.text.key(*key),
            Action::Paste(text) if flow.typing() => flow.entered &= !flow.text.paste(text),
            Action::Move(motion) => motion.scroll(&mut flow.top),
            Action::Back => self.close_delete(),
            Action::Open if flow.typing() => {
                if flow.armed() {
                    flow.entered = true;
                    return self.go_on_deleting();
                }
                let word = flow.word();
                self.cx
                    .complain(format!("nothing is deleted before {word} is typed here"));
            }
            Action::Open if flow.writing() => {
                self.cx
                    .say("under way; Ctrl-c stops before the next request");
            }
            // What stays is told, and not closed by a key that was typed ahead.
            Action::Open if flow.confirmed => self.close_delete(),
            Action::Refresh => {
                if flow.asked.is_some() {
                    self.cx
                        .say("under way; Ctrl-c stops before the next request");
                    return;
                }
                (flow.entered, flow.confirmed, flow.stopped) = (false, false, false);
                flow.text.clear();
                for run in flow.runs.iter_mut().filter(|run| !run.gone()) {
                    *run = run.anew(&self.cx.shared.taken_out);
                }
                flow.runs.retain(|run| !run.gone());
                self.go_on_deleting();
            }
            Action::Members => self.visit_suites(),
            Action::Journal | Action::Errors | Action::Palette => self.act_anywhere(action),
            _ => {}
        }
    }

    /// Esc: nothing further is sent, and what came of it is said.
    fn close_delete(&mut self) {
        let Some(flow) = &mut self.delete else {
            return;
        };
        if flow.writing() {
            flow.open = false;
            flow.stop(&mut self.cx);
            self.cx
                .say("nothing further is sent; what is under way is told when its answer is here");
            return;
        }
        let summary = flow.summary().filter(|_| flow.confirmed);
        flow.stop(&mut self.cx);
        self.delete = None;
        self.tell_end(summary.unwrap_or_else(|| ("nothing was changed".into(), true)));
    }

    /// Opens the screen of suites for the first run that stays, where a probe run may name the others.
    fn visit_suites(&mut self) {
        let Some(flow) = self.delete.take_if(|flow| flow.asked.is_none()) else {
            return;
        };
        let stays = flow.runs.iter().find(|run| !run.gone() && !run.ready());
        let Some(run) = stays.or(flow.runs.first()) else {
            return;
        };
        let mut members = Members::new(run.deleting.row.clone());
        members.typed.clone_from(&run.deleting.typed);
        let known = run.deleting.attached().filter(|_| !flow.confirmed);
        if let Some(known) = known {
            members.verdict.put(Box::new(known.clone()), self.cx.now);
        }
        members.arrange();
        let unknown = known.is_none();
        self.drop_members();
        self.enter_suites(Screen::Members);
        self.members = Some(members);
        if unknown {
            self.survey_members();
        }
    }

    fn go_on_deleting(&mut self) {
        if let Some(flow) = &mut self.delete {
            flow.progress = None;
            flow.next(&mut self.cx);
        }
    }

    /// Takes what the box waits for.
    pub(super) fn deletion_happens(&mut self, event: Event) {
        let Some(flow) = &mut self.delete else {
            return;
        };
        let Some(place) = flow.asked else {
            return;
        };
        let run = &mut flow.runs[place];
        match event {
            Event::SurveyProgress { words, .. } => flow.progress = Some(words),
            Event::Deleting { deleting, .. } => run.deleting = *deleting,
            Event::Surveyed { result, .. } => {
                let failure = result.as_ref().err().cloned();
                run.deleting.take(Report::Attached(result));
                self.looked(failure);
            }
            Event::Emptiness { result, .. } => {
                let failure = result.as_ref().err().cloned();
                run.deleting.take(Report::Empty(result));
                self.looked(failure);
            }
            Event::Deleted { end, .. } => {
                run.end = Some(end);
                flow.asked = None;
                self.deleted(place);
            }
            _ => {}
        }
    }

    fn looked(&mut self, failure: Option<Failure>) {
        if let Some(flow) = &mut self.delete {
            flow.asked = None;
        }
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
        self.go_on_deleting();
    }

    /// A deletion has come to its end; only where the run is not found any more, it is gone.
    fn deleted(&mut self, place: usize) {
        let Some(run) = self.delete.as_ref().and_then(|flow| flow.runs.get(place)) else {
            return;
        };
        let (doc_ref, gone) = (run.deleting.row.doc_ref.clone(), run.gone());
        if gone {
            self.forget_run(&doc_ref);
        } else if let (Some(removal), Some(removed)) =
            (run.deleting.plan().0, &run.deleting.removed)
        {
            let out = removed.done_parts();
            let suites = removal.suites.iter().cloned();
            let suites = suites.filter(|(suite, _)| out.contains(suite));
            self.cx
                .shared
                .taken_out
                .entry(doc_ref.clone())
                .or_default()
                .extend(suites);
            let of_this = |members: &mut Members| members.run.doc_ref == doc_ref;
            if self.stack.top() != Screen::Members && self.members.as_mut().is_some_and(of_this) {
                self.drop_members();
            }
        }
        self.go_on_deleting();
        let Some(flow) = self.delete.as_ref().filter(|flow| flow.asked.is_none()) else {
            return;
        };
        let summary = flow.summary();
        // What was said of waiting is over; the box tells what came of it.
        self.cx.notice = None;
        if !flow.open || flow.runs.iter().all(DeletedRun::gone) {
            self.delete = None;
            if let Some(summary) = summary {
                self.tell_end(summary);
            }
        }
        self.reread_runs();
    }

    fn tell_end(&mut self, (words, good): (String, bool)) {
        if good {
            self.cx.say(words);
        } else {
            self.cx.complain(words);
        }
    }

    /// A deleted run leaves every place that shows it.
    fn forget_run(&mut self, run: &DocRef) {
        self.runs.marks.remove(std::slice::from_ref(run));
        if self
            .members
            .as_ref()
            .is_some_and(|members| members.run.doc_ref == *run)
        {
            self.drop_members();
        }
        if self
            .available
            .as_ref()
            .is_some_and(|available| available.run.doc_ref == *run)
        {
            self.drop_available();
        }
        if self
            .detail
            .as_ref()
            .is_some_and(|detail| detail.doc_ref == *run)
        {
            self.leave_detail();
            self.detail = None;
        }
        if self.detail.is_none() {
            self.stack.close(&[Screen::Detail, Screen::Json]);
        }
        if self.available.is_none() {
            self.stack.close(&[Screen::Available]);
        }
        if self.members.is_none() {
            self.stack.close(&[Screen::Members]);
        }
    }

    /// The id of what is deleted is being typed.
    pub fn types_id(&self) -> bool {
        self.layer() == Layer::Typing && self.delete_layer().is_some()
    }

    /// Where a key goes while the box is open.
    pub(super) fn delete_layer(&self) -> Option<Layer> {
        let flow = self.delete.as_ref().filter(|flow| flow.open)?;
        Some(if flow.typing() {
            Layer::Typing
        } else {
            Layer::Delete
        })
    }
}
