//! Taking back one's own writes: the plan is worked out by reading, shown, and only then carried out.

use super::changes::{Confirm, Plan};
use super::effect::Effect;
use super::message::RequestId;
use super::{Layer, Screen, Store};
use crate::domain::{DocRef, Failure, RunRow, Undo, UndoBy, UndoOf, Unfinished};

/// What is being read for a preview, and where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Undoing {
    pub id: RequestId,
    pub place: (Screen, Layer),
}

impl Store {
    /// Asks how the last write to the run at hand can be taken back; in the journal, the one under the cursor.
    pub(super) fn plan_undo(&mut self) -> Vec<Effect> {
        let of = match &self.journal {
            Some(journal) => {
                let line = journal
                    .shown()
                    .get(journal.scroll.cursor as usize)
                    .map(|line| line.write.clone());
                let is_it = |change: &&Unfinished| Some(&change.write) == line.as_ref();
                if let Some(change) = self.unfinished.iter().find(is_it) {
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
            Err(why) => {
                self.say(why);
                Vec::new()
            }
        }
    }

    /// Asks how a write can be taken back. Only reads.
    pub(super) fn plan_undo_of(&mut self, of: UndoOf) -> Vec<Effect> {
        if !self.may_write() {
            return Vec::new();
        }
        let mut effects: Vec<Effect> = self
            .undoing
            .take()
            .map(|before| Effect::Cancel(before.id))
            .into_iter()
            .collect();
        let id = self.number();
        self.undoing = Some(Undoing {
            id,
            place: (self.screen, self.layer()),
        });
        self.say("reading how it can be taken back; nothing is changed yet");
        effects.push(Effect::PlanUndo { id, of });
        effects
    }

    /// Shows the plan, where the person still is where it was asked for.
    pub(super) fn undo_planned(
        &mut self,
        id: RequestId,
        result: Result<Box<Undo>, Failure>,
    ) -> Vec<Effect> {
        let Some(undoing) = self.undoing.take_if(|undoing| undoing.id == id) else {
            return Vec::new();
        };
        let undo = match result {
            Ok(undo) => *undo,
            Err(failure) => return self.failed(failure, self.now),
        };
        if undoing.place != (self.screen, self.layer()) {
            self.say(format!(
                "how to take back \"{}\" is known now: ask again where it shall be shown",
                undo.what
            ));
            return Vec::new();
        }
        if !self.may_write() {
            return Vec::new();
        }
        self.notice = None;
        self.journal = None;
        let said = std::iter::once(format!(
            "This takes back: {}.",
            undo.what.trim_end_matches('.')
        ));
        let notes: Vec<String> = said.chain(undo.warnings.iter().cloned()).collect();
        match undo.by {
            UndoBy::Modify { .. } | UndoBy::Rebuild(_) => return self.review_undo(undo),
            UndoBy::Suites(mut change) => {
                if change.suites.is_empty() {
                    self.say(format!("nothing is left of it to take back: {}", undo.what));
                    return Vec::new();
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
                return self.begin_delete(vec![deleting], notes);
            }
        }
        Vec::new()
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
