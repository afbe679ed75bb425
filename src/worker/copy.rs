//! A copy of a run in the trash folder, before it is deleted.

use std::sync::Arc;

use super::connection::Connection;
use super::create::named;
use super::local;
use super::suites::now;
use crate::disk::{Trash, TrashCopy};
use crate::domain::{DocRef, RunCopy, RunRow};
use crate::store::Failure;

/// What is known of a run that its document does not say.
pub struct Beside {
    /// The run as a list has shown it: its counts go into the copy where the list does not show newer ones.
    pub row: Option<RunRow>,
    /// The suites that are known to be in it, with names.
    pub suites: Vec<(DocRef, String)>,
    /// How complete they are, in words.
    pub known: String,
}

impl Connection {
    /// Reads a run and its counts, and saves both with the suites. Changes nothing at the service.
    pub async fn save_copy(
        &self,
        trash: Arc<Trash>,
        run: &DocRef,
        beside: Beside,
    ) -> Result<Box<RunCopy>, Failure> {
        let document = self
            .reader()
            .get_document(run)
            .await
            .map_err(|error| Failure::from(&error))?;
        let listed = match document.text("Root.General.Id") {
            Some(id) => self.listed(run, &id).await,
            None => None,
        };
        let row = listed
            .filter(|row| row.results.is_some() || row.suite_count.is_some())
            .or(beside.row);
        let copy = TrashCopy {
            profile: self.session().profile,
            at: now(),
            run_name: named(&document),
            document,
            counts: row.as_ref().and_then(|row| row.results.clone()),
            suite_count: row.and_then(|row| row.suite_count),
            suites: beside.suites,
            known: beside.known,
        };
        let saved = tokio::task::spawn_blocking(move || {
            trash.save(&copy).map(|file| (file, copy.document))
        })
        .await;
        let failed = |problem: String| {
            local(
                "saving a copy of the run",
                &problem,
                "nothing is deleted without one",
            )
        };
        let (file, document) = saved
            .map_err(|error| failed(error.to_string()))?
            .map_err(|error| failed(error.to_string()))?;
        Ok(Box::new(RunCopy {
            file: file.display().to_string(),
            document,
        }))
    }
}
