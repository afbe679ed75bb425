//! One profile in use, as the operations read through it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::attached::{Cache, FormerlyFree};
use crate::auth::{SignInState, TokenSource};
use crate::domain::{DocRef, Document, Failure, Filter, Page, RunRow, RunsPage, lock};
use crate::rpc::{CallError, Reader};

/// What the profile says about the operations.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// Name of the profile.
    pub profile: String,
    /// The user that it names, or empty.
    pub user: String,
    /// Language of what is created (`locale`).
    pub locale: String,
    /// Entries asked for at once.
    pub page_size: u32,
    /// Pauses before the readings after a write: a replica may be behind for a moment.
    pub pauses: Vec<Duration>,
}

/// Reads through a profile. Clones share what they remember.
#[derive(Clone)]
pub struct Client {
    pub reader: Reader,
    pub settings: ClientSettings,
    pub tokens: TokenSource,
    pub(super) memory: Arc<Memory>,
}

/// What earlier surveys are of use for.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) cache: Mutex<Cache>,
    seen_free: Mutex<Vec<(DocRef, FormerlyFree)>>,
}

/// Suites remembered as seen free, at most: they may name what no list names later.
const REMEMBERED: usize = 20_000;

impl Client {
    pub fn new(reader: Reader, tokens: TokenSource, settings: ClientSettings) -> Self {
        Self {
            reader,
            settings,
            tokens,
            memory: Arc::default(),
        }
    }

    /// The same for another project, which nothing is remembered of.
    #[must_use]
    pub fn with_project(&self, project: &str, subproject: Option<&str>) -> Self {
        Self {
            reader: self.reader.with_project(project, subproject),
            memory: Arc::default(),
            ..self.clone()
        }
    }

    /// The same for one who waits for nothing else: readings are tried again after these pauses.
    #[must_use]
    pub fn trying_again(&self, pauses: Vec<Duration>) -> Self {
        Self {
            reader: self.reader.clone().trying_again(pauses),
            ..self.clone()
        }
    }

    /// Name of the user who is signed in, else of the one that the profile names.
    pub fn user(&self) -> String {
        match &*self.tokens.state().borrow() {
            SignInState::SignedIn { user } => user.clone(),
            _ => self.settings.user.clone(),
        }
    }

    pub async fn document(&self, run: &DocRef) -> Result<Document, Failure> {
        Ok(self.reader.get_document(run).await?)
    }

    /// What the list shows for this short id.
    pub(super) async fn by_id(&self, id: &str) -> Result<RunsPage, CallError> {
        let filter = Filter::by_id(id);
        self.reader.list_runs(Page::BY_ID, &[], &filter).await
    }

    /// The run of this short id as the list shows it now; nothing if it does not.
    pub async fn listed(&self, run: &DocRef, id: Option<&str>) -> Option<RunRow> {
        self.by_id(id?).await.ok()?.row_of(run).cloned()
    }

    /// Remembers which suites are free on a run.
    pub(super) fn remember(&self, run: &DocRef, free: Vec<FormerlyFree>) {
        let mut memory = lock(&self.memory.seen_free);
        memory.retain(|(known, seen)| {
            known != run || !free.iter().any(|now| now.suite == seen.suite)
        });
        memory.extend(free.into_iter().map(|seen| (run.clone(), seen)));
        let over = memory.len().saturating_sub(REMEMBERED);
        memory.drain(..over);
    }

    pub(super) fn remembered(&self, run: &DocRef) -> Vec<FormerlyFree> {
        let memory = lock(&self.memory.seen_free);
        let of_run = memory.iter().filter(|(known, _)| known == run);
        of_run.map(|(_, seen)| seen.clone()).collect()
    }
}

/// Epoch milliseconds.
pub fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
