//! What answers do in the steps of deleting runs.

use super::act_delete::to_copy;
use super::delete::{Asked, Doing};
use super::doomed::{Ask, Doomed, Stand};
use super::effect::Effect;
use super::event::Event;
use super::{Screen, Store};
use crate::attached::Attached;
use crate::domain::{ChunkResult, Deed, DocRef, End, Failure, Outcome, RunCopy, RunRow};

impl Store {
    /// Whether the steps of deleting wait for this.
    pub(super) fn is_for_steps(&self, event: &Event) -> bool {
        let (Event::SurveyProgress { id, .. }
        | Event::Surveyed { id, .. }
        | Event::ChangeStep { id, .. }
        | Event::Changed { id, .. }
        | Event::CopySaved { id, .. }
        | Event::Emptiness { id, .. }
        | Event::Deleted { id, .. }) = event
        else {
            return false;
        };
        self.delete
            .as_ref()
            .and_then(|flow| flow.asked)
            .is_some_and(|asked| asked.id == *id)
    }

    /// Takes what the steps of deleting wait for.
    pub(super) fn steps_happen(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::SurveyProgress { words, .. } => self.deleting_progress(words),
            Event::ChangeStep { step, .. } => self.deleting_step(step),
            Event::Surveyed { result, .. } => return self.deleting_surveyed(result),
            Event::Changed { outcome, .. } => return self.deleting_changed(outcome),
            Event::CopySaved { result, .. } => return self.copy_saved(result),
            Event::Emptiness { result, .. } => return self.emptiness_came(result),
            Event::Deleted { end, .. } => return self.deleted(&end),
            _ => {}
        }
        Vec::new()
    }

    fn deleting_progress(&mut self, words: String) {
        if let Some(flow) = &mut self.delete {
            flow.progress = Some(words);
        }
    }

    fn deleting_surveyed(&mut self, result: Result<Box<Attached>, Failure>) -> Vec<Effect> {
        let failure = result.as_ref().err().cloned();
        let Some((_, run)) = self.answered() else {
            return Vec::new();
        };
        if let Ok(attached) = &result
            && (matches!(attached.empty, Some((true, _))) || attached.count == Some(0))
        {
            run.check = None;
        }
        (run.known, run.touched) = (Some(result), false);
        self.after_answer(failure)
    }

    fn copy_saved(&mut self, result: Result<Box<RunCopy>, Failure>) -> Vec<Effect> {
        let failure = result.as_ref().err().cloned();
        let taken_out = std::mem::take(&mut self.taken_out);
        if let Some((_, run)) = self.answered() {
            if let Ok(copy) = &result {
                run.copied = to_copy(run, &taken_out).into_keys().collect();
                run.row = RunRow::from_document(&copy.document).with_counts_of(&run.row);
            }
            run.copy = Some(result.map(|copy| copy.file));
        }
        self.taken_out = taken_out;
        self.after_answer(failure)
    }

    fn emptiness_came(&mut self, result: Result<bool, Failure>) -> Vec<Effect> {
        let failure = result.as_ref().err().cloned();
        let Some((doing, run)) = self.answered() else {
            return Vec::new();
        };
        run.check = Some(result);
        if failure.is_none() {
            // It is there: what a deletion before has come to is over.
            run.end = None;
        }
        if run.stand() == Stand::Holds && matches!(*doing, Doing::Emptying | Doing::Checking) {
            // What is still in it is worked out anew, and then the person decides.
            run.known = None;
            *doing = Doing::Reading;
        }
        self.after_answer(failure)
    }

    fn deleting_step(&mut self, step: ChunkResult) {
        if let Some(flow) = &mut self.delete
            && let Some(asked) = flow.asked
            && let Some(removal) = flow
                .runs
                .get_mut(asked.place)
                .and_then(|run| run.removal.as_mut())
        {
            removal.steps.push(step);
        }
    }

    /// Suites were removed; whether the run is empty the check tells, whatever this says.
    fn deleting_changed(&mut self, outcome: Outcome) -> Vec<Effect> {
        let Some((_, run)) = self.answered() else {
            return Vec::new();
        };
        run.out.extend(outcome.done_parts());
        let (good, mut words) = (outcome.is_whole(), String::new());
        if let Some(removal) = &mut run.removal {
            words = outcome.words(removal.change.deed());
            removal.outcome = Some(outcome);
        }
        let run = run.row.doc_ref.clone();
        if self.screen != Screen::Members {
            self.members = self
                .members
                .take()
                .filter(|members| members.run.doc_ref != run);
        }
        self.refresh_lists();
        self.tell_if_left(&format!("{words} (@ shows it)"), good);
        self.after_answer(None)
    }

    /// A deletion has come to its end; only where the service said so and the run is not found any more, it is gone.
    fn deleted(&mut self, end: &Outcome) -> Vec<Effect> {
        let Some((_, run)) = self.answered() else {
            return Vec::new();
        };
        run.end = Some(end.clone());
        let (doc_ref, name) = (run.row.doc_ref.clone(), run.row.name().to_owned());
        let mut effects = Vec::new();
        let words = end.words(Deed::Delete(&name));
        let gone = end.end == End::Done;
        if gone {
            effects.extend(self.forget_run(&doc_ref));
            self.tell_if_left(&words, true);
        } else {
            self.complain(words);
        }
        effects.extend(self.after_answer(None));
        if let Some(flow) = &mut self.delete
            && !gone
        {
            // Nothing stays armed, and the results are at the end of the lines.
            flow.text.clear();
            flow.top = Some(u16::MAX);
        }
        if self.delete.as_ref().is_none_or(|flow| flow.asked.is_none()) {
            self.refresh_lists();
        }
        effects
    }

    /// The request under way is answered: what the flow was doing, and the run it was about.
    fn answered(&mut self) -> Option<(&mut Doing, &mut Doomed)> {
        let flow = self.delete.as_mut()?;
        let Asked { place, ask, .. } = flow.asked.take()?;
        flow.progress = None;
        flow.read_at = Some(self.now);
        if ask == Ask::Delete {
            flow.top = None;
        }
        Some((&mut flow.doing, flow.runs.get_mut(place)?))
    }

    /// Goes on after an answer; a flow that the person has left comes to its end.
    fn after_answer(&mut self, failure: Option<Failure>) -> Vec<Effect> {
        let mut effects = failure
            .map(|failure| self.failed(failure, self.now))
            .unwrap_or_default();
        effects.extend(self.go_on_deleting());
        let Some(flow) = self.delete.as_ref().filter(|flow| flow.asked.is_none()) else {
            return effects;
        };
        if flow.left().next().is_none() {
            self.all_gone();
        } else if self.screen != Screen::Delete || flow.over {
            self.delete = None;
        }
        effects
    }

    fn all_gone(&mut self) {
        let Some(flow) = &self.delete else { return };
        let words = match &flow.runs[..] {
            [run] => run.end.as_ref().map_or_else(String::new, |end| {
                let words = end.words(Deed::Delete(run.row.name()));
                format!("{words}. \":undo the last\" makes a new run from its copy")
            }),
            runs => format!(
                "{} runs deleted; the copies are in the trash folder, @ names them",
                runs.len()
            ),
        };
        if self.screen == Screen::Delete {
            self.leave_delete_screen();
        }
        self.delete = None;
        self.say(words);
    }

    /// A deleted run leaves every place that shows it.
    fn forget_run(&mut self, run: &DocRef) -> Vec<Effect> {
        self.runs.marks.remove(std::slice::from_ref(run));
        self.taken_out.remove(run);
        let mut effects = Vec::new();
        if self
            .members
            .as_ref()
            .is_some_and(|members| members.run.doc_ref == *run)
        {
            effects.extend(self.drop_members());
        }
        if self
            .available
            .as_ref()
            .is_some_and(|available| available.run.doc_ref == *run)
        {
            effects.extend(self.drop_available());
        }
        if self
            .detail
            .as_ref()
            .is_some_and(|detail| detail.doc_ref == *run)
        {
            effects.extend(self.leave_detail());
            self.detail = None;
        }
        let shows_nothing = match self.screen {
            Screen::Detail | Screen::Json => self.detail.is_none(),
            Screen::Available => self.available.is_none(),
            Screen::Members => self.members.is_none(),
            Screen::Runs | Screen::Form | Screen::Review | Screen::Delete | Screen::Monitor => {
                false
            }
        };
        if shows_nothing {
            self.screen = Screen::Runs;
        }
        effects
    }

    fn refresh_lists(&mut self) {
        self.runs.all.refresh();
        if let Some(found) = &mut self.runs.found {
            found.refresh();
        }
    }

    /// What came of a request whose flow is not on the screen any more.
    fn tell_if_left(&mut self, words: &str, good: bool) {
        if self.screen != Screen::Delete {
            if good {
                self.say(words);
            } else {
                self.complain(words);
            }
        }
    }
}
