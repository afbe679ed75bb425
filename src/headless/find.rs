//! Search for a run by its name, and its state.

use super::listing::read;
use super::prelude::*;
use crate::domain::fields::ID;
use crate::domain::{ReadFault, ReadList, RunsOperation};
use crate::rpc::CallError;

/// Maximum number of runs read for one short id, if the service ignores the filter.
const LOOKED: u64 = 2_000;

/// Message for a run that exists but is not in the list.
pub const UNLISTED: &str = "the list does not show it just now";

/// Name of a run for the user. It comes from the service, so control characters are made visible.
pub fn called(run: &RunRow) -> Cow<'_, str> {
    text::plain(run.name())
}

/// A run as last read.
pub struct FoundRun {
    /// Its row.
    pub row: RunRow,
    /// True if the run exists but `LIST_TEST_RUNS` does not list it: its counts are unknown, perhaps only for a while.
    pub unlisted: bool,
}

impl Access {
    /// Finds the run of this name. A short id must belong to exactly one run.
    pub async fn find(&mut self, name: &DocumentName) -> Ran<RunRow> {
        Ok(self.find_listed(name).await?.row)
    }

    /// Same as `find`; a closed run is an error with the reason `closed`.
    pub async fn find_open(&mut self, name: &DocumentName, closed: &str) -> Ran<RunRow> {
        let run = self.find(name).await?;
        if run.is_closed() {
            let words = format!("{} is closed: {closed}", called(&run));
            return Err(Exit::Service.because(words));
        }
        Ok(run)
    }

    /// Same as [`Self::find`], with the state of the list.
    pub async fn find_listed(&mut self, name: &DocumentName) -> Ran<FoundRun> {
        match name {
            DocumentName::Ref(reference) => {
                let document = RunRow::from_document(&self.document(reference).await?);
                let (row, operation) = self.listing(&document).await?;
                Ok(FoundRun::of(row, operation, document))
            }
            DocumentName::Id(id) => {
                let rows = self.rows_of(id).await?.entries;
                let words = match &rows[..] {
                    [row] => return Ok(FoundRun::listed(row.clone())),
                    [] => format!("there is no test run {id} in {}", self.scope()),
                    rows => {
                        let all = text::join(rows.iter().map(|row| row.doc_ref.as_str()), ", ");
                        let number = rows.len();
                        format!("{id} names {number} test runs: {all}; give a reference")
                    }
                };
                Err(Exit::Service.because(words))
            }
        }
    }

    pub async fn opened(&mut self, name: &DocumentName) -> Ran<Document> {
        let run = match name {
            DocumentName::Ref(reference) => reference.clone(),
            DocumentName::Id(_) => self.find(name).await?.doc_ref,
        };
        let document = self.document(&run).await?;
        let told = ID.text(&document);
        match (name, told) {
            (DocumentName::Id(id), Some(told)) if told != *id => {
                let words = format!(
                    "the list calls {run} {id}, its document {}: which run is meant is not known; give a reference",
                    text::plain(&told)
                );
                Err(Exit::Service.because(words))
            }
            _ => Ok(document),
        }
    }

    /// Reads a run again; `None` if the service does not find it any more.
    pub async fn read_again(&mut self, run: &RunRow) -> Ran<Option<FoundRun>> {
        let (row, operation) = self.listing(run).await?;
        if let Some(row) = row {
            return Ok(Some(FoundRun::listed(row)));
        }
        match self.read(&run.doc_ref).await? {
            Ok(document) => {
                let document = RunRow::from_document(&document);
                Ok(Some(FoundRun::of(None, operation, document)))
            }
            Err(error) if error.is_not_found() => Ok(None),
            // The error code for a missing run is not documented, so the list decides, after a second reading.
            Err(error) if error.is_of_the_service() && run.id.is_some() => {
                let listed = self.listed(run).await?;
                listed.map_or(Ok(None), |_| Err(error.into()))
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn read(&mut self, run: &DocRef) -> Ran<Result<Document, CallError>> {
        self.call(async |client| client.reader.get_document(run).await)
            .await
    }

    pub async fn document(&mut self, run: &DocRef) -> Ran<Document> {
        Ok(self.read(run).await??)
    }

    /// The run in the list, which alone has counts.
    pub async fn listed(&mut self, run: &RunRow) -> Ran<Option<RunRow>> {
        Ok(self.listing(run).await?.0)
    }

    /// Same with the operation of the list; nothing is requested for a run without a short id.
    async fn listing(&mut self, run: &RunRow) -> Ran<(Option<RunRow>, Option<RunsOperation>)> {
        let Some(id) = &run.id else {
            return Ok((None, None));
        };
        let runs = self.rows_of(id).await?;
        let mut rows = runs.entries.into_iter();
        let row = rows.find(|row| row.doc_ref == run.doc_ref);
        Ok((row, runs.operation))
    }

    /// Runs with this short id, even if the service ignores the filter.
    async fn rows_of(&mut self, id: &str) -> Ran<ReadList<RunRow>> {
        let page_size = self.connection.client.settings.page_size;
        let options = ReadOptions::unsorted(page_size, Extent::All { at_most: LOOKED });
        let mut runs = read(self, &Filter::by_id(id), &options, &mut |_, rows| Ok((rows, false)))
            .await
            .map_err(|fault| match fault {
                ReadFault::TooLong { size, .. } => Exit::Service.because(format!(
                    "the service gives {size} runs for the filter Root.General.Id:{id}; {id} cannot be looked up here"
                )),
                fault => fault.into(),
            })?;
        let is_unread = runs.entries.iter().any(|row| row.id.is_none());
        runs.entries.retain(|row| row.id.as_deref() == Some(id));
        if is_unread && runs.entries.is_empty() {
            return Err(Exit::Service.because(format!(
                "the service gives a run whose id cannot be read for the filter Root.General.Id:{id}; {id} cannot be looked up \
                 here"
            )));
        }
        Ok(runs)
    }

    /// Project and sub project for messages.
    fn scope(&self) -> String {
        let profile = self.connection.profile();
        let subproject = profile
            .subproject()
            .map_or_else(String::new, |id| format!(", sub project {id}"));
        format!("project {}{subproject}", profile.project_id)
    }
}

impl FoundRun {
    fn listed(row: RunRow) -> Self {
        let unlisted = false;
        Self { row, unlisted }
    }

    /// Row of the list, else of the document.
    fn of(row: Option<RunRow>, operation: Option<RunsOperation>, document: RunRow) -> Self {
        let unlisted = row.is_none() && operation == Some(RunsOperation::ListTestRuns);
        Self {
            row: row.unwrap_or(document),
            unlisted,
        }
    }
}
