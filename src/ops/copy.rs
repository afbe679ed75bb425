//! A copy of a run in the trash folder, saved before the run is deleted.

use super::edit::last_editor;
use super::prelude::*;
use super::{Client, Copied, blocking, now};
use crate::disk::{StateFolder, TrashCopy};

impl Client {
    /// Reads a run and its counts, saves both with the suites and returns the file; a run that was edited since the user
    /// was asked is not copied. Changes nothing at the service.
    pub async fn save_copy(&self, state: Arc<StateFolder>, copied: Copied) -> StepResult {
        let document = match self.document(&copied.run).await {
            Ok(document) => document,
            Err(failure) => return StepResult::Copied(Err(failure)),
        };
        let shown = RunRow::from_document(&document);
        // An older version is that of a replica that is behind.
        if copied.row.edited_on.is_some() && shown.edited_on > copied.row.edited_on {
            let who = last_editor(&document, " by ");
            let words = format!("it was edited{who} since it was read: nothing was sent");
            let moved = Outcome::not_sent(Why::Moved, words);
            return StepResult::Moved(moved.with_document(document));
        }
        // Which run a person means is by its id.
        if let (Some(asked), Some(told)) = (&copied.row.id, &shown.id)
            && asked != told
        {
            let words = format!("its document calls it {told}: nothing was sent");
            return StepResult::Moved(Outcome::not_sent(Why::Impossible, words));
        }
        StepResult::Copied(self.save(state, copied, document, &shown).await)
    }

    async fn save(
        &self,
        state: Arc<StateFolder>,
        copied: Copied,
        document: Document,
        shown: &RunRow,
    ) -> Result<String, Failure> {
        let listed = self.listed(&copied.run, shown.id.as_deref()).await;
        let row = listed
            .filter(|row| row.results.is_some() || row.suite_count.is_some())
            .unwrap_or(copied.row);
        let copy = TrashCopy {
            profile: self.settings.profile.clone(),
            at: now(),
            run_name: shown.full_name(),
            document,
            counts: row.results,
            suite_count: row.suite_count,
            suites: copied.suites,
            known: copied.known,
        };
        let saved = blocking(move || state.trash.save(&copy)).await;
        let file = saved.map_err(|problem| {
            local(
                "saving a copy of the run",
                &problem,
                "nothing is deleted without one",
            )
        })?;
        Ok(file.display().to_string())
    }
}
