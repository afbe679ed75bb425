//! Taking back one's own writes, and going on with those without an end: what is to be sent is worked out by reading,
//! shown, and only then sent.

use super::changes::{Confirm, Plan};
use super::effect::Effect;
use super::in_flight::Slot;
use super::{Layer, Screen, Store};
use crate::domain::{DocRef, End, Failure, Rest, RunRow, Undo, UndoBy, UndoOf, Unfinished};

impl Store {
    /// Asks how the last write to the run at hand can be taken back; in the journal, the one under the cursor.
    pub(super) fn plan_undo(&mut self) {
        let of = match &self.journal {
            Some(journal) => {
                let line = journal
                    .shown()
                    .get(journal.scroll.cursor as usize)
                    .map(|line| line.write.clone());
                let is_it = |change: &&Unfinished| Some(&change.write) == line.as_ref();
                if let Some(change) = self.cx.shared.unfinished.iter().find(is_it) {
                    return self.look_at_rest(change.job.clone());
                }
                line.map(UndoOf::Write)
                    .ok_or("no write is under the cursor")
            }
            None => self
                .run_at_hand()
                .map(|run| UndoOf::LastOf(run.doc_ref))
                .ok_or("there is no run here yet"),
        };
        match of {
            Ok(of) => self.plan_undo_of(of),
            Err(why) => self.cx.say(why),
        }
    }

    /// Asks how a write can be taken back. Only reads.
    pub(super) fn plan_undo_of(&mut self, of: UndoOf) {
        if !self.may_write() {
            return;
        }
        let slot = Slot::Undo(self.stack.top(), self.layer());
        self.cx.give_up_all(|slot| matches!(slot, Slot::Undo(..)));
        self.cx
            .say("reading how it can be taken back; nothing is changed yet");
        self.cx.request(slot, |id| Effect::PlanUndo { id, of });
    }

    /// Shows the plan, where the person still is where it was asked for.
    pub(super) fn undo_planned(
        &mut self,
        place: (Screen, Layer),
        result: Result<Box<Undo>, Failure>,
    ) {
        let undo = match result {
            Ok(undo) => *undo,
            Err(failure) => return self.cx.failed(failure),
        };
        if place != (self.stack.top(), self.layer()) {
            self.cx.say(format!(
                "how to take back \"{}\" is known now: ask again where it shall be shown",
                undo.what
            ));
            return;
        }
        if !self.may_write() {
            return;
        }
        self.cx.notice = None;
        self.journal = None;
        let said = std::iter::once(format!(
            "This takes back: {}.",
            undo.what.trim_end_matches('.')
        ));
        let notes: Vec<String> = said.chain(undo.warnings.iter().cloned()).collect();
        match undo.by {
            UndoBy::Modify { .. } | UndoBy::Rebuild(_) => self.review_undo(undo),
            UndoBy::Suites(mut change) => {
                if change.suites.is_empty() {
                    self.cx
                        .say(format!("nothing is left of it to take back: {}", undo.what));
                    return;
                }
                change.undo_of.get_or_insert(undo.write);
                self.confirm = Some(Confirm {
                    plan: Plan::Suites(*change),
                    warnings: notes,
                    on_do: false,
                    top: 0,
                });
            }
            UndoBy::Delete(row) => {
                let row = self.row_of(&row.doc_ref).unwrap_or(*row);
                let mut deleting = self.deleting(row);
                deleting.undo_of = Some(undo.write);
                self.begin_delete(vec![deleting], notes);
            }
        }
    }

    /// What is here of a run, if anything is.
    fn row_of(&self, run: &DocRef) -> Option<RunRow> {
        let found = self.runs.found.iter().flat_map(super::Window::rows);
        let mut rows = self.runs.all.rows().chain(found).map(|(_, row)| row);
        let detail = || {
            self.detail
                .as_ref()
                .and_then(|detail| detail.row.as_ref())
                .map(|(row, _)| row)
        };
        rows.find(|row| row.doc_ref == *run)
            .or_else(|| detail().filter(|row| row.doc_ref == *run))
            .cloned()
    }

    pub(super) fn unfinished_came(&mut self, changes: Vec<Unfinished>, first: bool) {
        if let Some(oldest) = changes.first().filter(|_| first) {
            let words = match changes.len() {
                1 => format!("{}; @ shows it", oldest.words),
                more => format!(
                    "{}; @ shows all {more} of which the end is not known",
                    oldest.words
                ),
            };
            self.cx.complain(&words);
        }
        self.cx.shared.unfinished = changes;
    }

    /// Reads what is left of the oldest of them.
    pub(super) fn go_on(&mut self) {
        match self.cx.shared.unfinished.first() {
            Some(change) => self.look_at_rest(change.job.clone()),
            None => self.cx.say("no change is left whose end is not known"),
        }
    }

    /// Reads what is left of a change.
    pub(super) fn look_at_rest(&mut self, job: String) {
        if !self.may_write() {
            return;
        }
        let slot = Slot::Rest(self.stack.top(), self.layer());
        self.cx.give_up_all(|slot| matches!(slot, Slot::Rest(..)));
        self.cx
            .say("reading what is left of it; nothing is sent yet");
        self.cx.request(slot, |id| Effect::LookAtRest { id, job });
    }

    /// Shows what is left, and asks.
    pub(super) fn rest_read(&mut self, place: (Screen, Layer), result: Result<Box<Rest>, Failure>) {
        let rest = match result {
            Ok(rest) => *rest,
            Err(failure) => return self.cx.failed(failure),
        };
        if rest.is_over() {
            self.cx
                .shared
                .unfinished
                .retain(|change| change.job != rest.job);
            // What was sent of it is known to who has asked.
            let found = rest.found.get(1..).filter(|found| !found.is_empty());
            self.cx.say(found.unwrap_or(&rest.found).join(" "));
            return if self.journal.is_some() {
                self.open_journal();
            };
        }
        if place != (self.stack.top(), self.layer()) {
            self.cx
                .say("what is left is known now: ask again where it shall be shown");
            return;
        }
        if !self.may_write() {
            return;
        }
        (self.cx.notice, self.journal) = (None, None);
        let plan = match rest.change {
            Some(change) => Plan::GoOn {
                job: rest.job,
                change,
            },
            None => Plan::LetBe { job: rest.job },
        };
        self.confirm = Some(Confirm {
            on_do: rest.end != End::Unknown,
            plan,
            warnings: rest.found,
            top: 0,
        });
    }
}
