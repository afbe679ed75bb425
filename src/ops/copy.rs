//! A copy of a run in the trash folder, saved before the run is deleted.

use super::prelude::*;
use super::{Client, Copied, blocking, now};
use crate::disk::{StateFolder, TrashCopy};

impl Client {
    /// Reads a run and its counts, saves both with the suites and returns the file. Changes nothing at the service.
    pub async fn save_copy(
        &self,
        state: Arc<StateFolder>,
        copied: Copied,
    ) -> Result<String, Failure> {
        let document = self.document(&copied.run).await?;
        let shown = RunRow::from_document(&document);
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
