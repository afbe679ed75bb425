//! Taking back one's own writes: the plan is worked out by reading, shown, and only then carried out.

use super::changes::{Confirm, Plan};
use super::effect::Effect;
use super::in_flight::Slot;
use super::{Layer, Screen, Store};
use crate::domain::{DocRef, Failure, RunRow, Undo, UndoBy, UndoOf, Unfinished};

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
}
