//! Documents of runs, from the service or as kept on this machine.

use super::Client;
use super::prelude::*;
use super::runs::RunsDoor;
use crate::domain::{Document, FailureKind, json};
use crate::store::Opened;

impl Worker {
    /// Reads a document and keeps it on this machine; before a failure to reach the service comes the kept one.
    pub(super) fn read_document(&self, id: RequestId, run: DocRef) {
        let (runs, events) = (self.runs.clone(), self.events.clone());
        self.read(id, Answer::Document, async move |client, _| {
            let at = now();
            let result = client.document(&run).await;
            if let (Err(failure), Some(runs)) = (&result, &runs)
                && failure.kind.is_away()
                && let Some((document, at)) = runs.kept_document(run.clone()).await
            {
                let kept = Answer::KeptDocument(Box::new(open(document)), at);
                send(&events, Event::Answer(id, kept));
            }
            let result = find_missing(runs.as_ref(), &client, run, result).await;
            let opened = open(result?);
            if let Some(runs) = runs {
                runs.keep_document(opened.document.clone(), at);
            }
            Ok(Box::new(opened))
        });
    }

    /// Reads the JSON of one run, or a list for several, to copy it.
    pub(super) fn read_json(&self, id: RequestId, runs: Vec<DocRef>) {
        self.read(id, Answer::Json, async move |client, _| {
            let mut documents = Vec::new();
            for run in &runs {
                documents.push(client.document(run).await?);
            }
            Ok(json::laid_out(&documents))
        });
    }
}

/// Looks for a run that was not found in its list, too: no reading may ever miss a closed one.
pub(super) async fn find_missing<T>(
    runs: Option<&RunsDoor>,
    client: &Client,
    run: DocRef,
    read: Result<T, Failure>,
) -> Result<T, Failure> {
    if let (Err(failure), Some(runs)) = (&read, runs)
        && failure.kind == FailureKind::NotFound
        && let Err(failure) = runs.find_missing(client, run).await
    {
        let error = failure.cause;
        tracing::warn!(%error, "a run that was not found could not be looked for");
    }
    read
}

/// Formats the JSON of a document.
fn open(document: Document) -> Opened {
    let json = json::laid_out(std::slice::from_ref(&document))
        .lines()
        .map(str::to_owned)
        .collect();
    Opened { document, json }
}
