//! One profile in use, through which the operations read.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::prelude::*;
use crate::attached::FormerlyFree;
use crate::auth::{SignInState, TokenSource};
use crate::disk::WriteOrigin;
use crate::domain::compare::KeptSuites;
use crate::domain::{RunsPage, lock, project_name};
use crate::mirror::is_me;
use crate::rpc::{Reader, Waits};

/// Settings of the profile that the operations use.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    pub profile: String,
    /// `base_url` of the profile.
    pub service: String,
    /// User named in the profile, may be empty.
    pub user: String,
    /// Further names of the user (`me`).
    pub me: Vec<String>,
    /// Language of what is created (`locale`).
    pub locale: String,
    /// Entries per request.
    pub page_size: u32,
    /// Pauses before the readings after a write: a replica may be behind for a moment.
    pub pauses: Vec<Duration>,
}

impl ClientSettings {
    /// Returns the origin of its writes.
    pub fn origin(&self) -> WriteOrigin {
        WriteOrigin {
            profile: self.profile.clone(),
            service: self.service.clone(),
        }
    }
}

/// Keeps the suites that a survey found in a run.
pub type KeepsSuites = Arc<dyn Fn(DocRef, KeptSuites) -> BoxFuture<'static, ()> + Send + Sync>;

/// Returns the newest suites that were kept of a run. Blocks.
pub type KeptSuitesOf = Arc<dyn Fn(&DocRef) -> Option<KeptSuites> + Send + Sync>;

/// Reads through a profile. Clones share the suites that were seen free.
#[derive(Clone)]
pub struct Client {
    pub reader: Reader,
    pub settings: ClientSettings,
    pub tokens: TokenSource,
    /// Keeps the suites of each survey; must not block for long.
    pub keeps: Option<KeepsSuites>,
    /// Suites of runs that are closed by now.
    pub kept: Option<KeptSuitesOf>,
    seen_free: Arc<Mutex<Vec<(DocRef, FormerlyFree)>>>,
}

/// Result of a search for a run that is missing in its list.
#[derive(Debug)]
pub enum MissingRun {
    There(Box<RunRow>),
    /// Neither the list of its short id nor the service has it.
    Gone,
    /// The service does not decide it, with this error.
    NotKnown(Box<CallError>),
}

/// Most suites remembered as seen free: they give names to suites that no list shows later.
const REMEMBERED: usize = 20_000;

impl Client {
    pub fn new(reader: Reader, tokens: TokenSource, settings: ClientSettings) -> Self {
        Self {
            reader,
            settings,
            tokens,
            keeps: None,
            kept: None,
            seen_free: Arc::default(),
        }
    }

    /// Returns the client for another project, with an empty memory.
    #[must_use]
    pub fn with_project(&self, project: &str, subproject: Option<&str>) -> Self {
        Self {
            reader: self.reader.with_project(project, subproject),
            seen_free: Arc::default(),
            ..self.clone()
        }
    }

    /// Service and project in use.
    pub fn target(&self) -> WriteTarget {
        let endpoint = self.reader.endpoint();
        WriteTarget {
            service: self.settings.service.clone(),
            project: project_name(&endpoint.project_id, endpoint.subproject_id.as_deref()),
        }
    }

    /// Returns false if the last call found no service, as the head of the screen says it.
    pub(super) fn answers(&self) -> bool {
        *self.reader.reached().borrow() != Some(false)
    }

    /// Returns the client for background work: readings are tried again after these pauses, of which `waits` hears.
    #[must_use]
    pub fn trying_again(&self, pauses: Vec<Duration>, waits: Arc<dyn Waits>) -> Self {
        Self {
            reader: self.reader.clone().trying_again(pauses, waits),
            ..self.clone()
        }
    }

    /// Returns the name of the signed-in user, else the user named in the profile.
    pub fn user(&self) -> String {
        match &*self.tokens.state().borrow() {
            SignInState::SignedIn { user } => user.clone(),
            _ => self.settings.user.clone(),
        }
    }

    /// Returns `true` if a write was made by the user, as far as is known.
    pub(super) fn is_own(&self, write: &WriteRecord) -> bool {
        let user = self.user();
        let (by, known) = (write.made_by(), !user.is_empty());
        by.is_none_or(|by| !known || is_me(by, &[user]) || is_me(by, &self.settings.me))
    }

    pub async fn document(&self, run: &DocRef) -> Result<Document, Failure> {
        Ok(self.reader.get_document(run).await?)
    }

    /// Asks the list of runs for this short id.
    pub(super) async fn by_id(&self, id: &str) -> Result<RunsPage, CallError> {
        let filter = Filter::by_id(id);
        self.reader.list_runs(Page::BY_ID, &[], &filter).await
    }

    /// Returns the run as the list shows it now, `None` if it is not listed or the list could not be read.
    pub async fn listed(&self, run: &DocRef, id: Option<&str>) -> Option<RunRow> {
        self.by_id(id?).await.ok()?.row_of(run).cloned()
    }

    /// Looks for a run that is missing in its list, by its short id and as a document. An error only if other calls would
    /// fail too.
    pub async fn find_missing(
        &self,
        run: &DocRef,
        id: Option<&str>,
    ) -> Result<MissingRun, CallError> {
        let is_lost = |kind| matches!(kind, FailureKind::Network | FailureKind::SignIn);
        match self.find_by(run, id).await {
            Err(error) if !is_lost(error.failure_kind()) => {
                Ok(MissingRun::NotKnown(Box::new(error)))
            }
            found => found,
        }
    }

    async fn find_by(&self, run: &DocRef, id: Option<&str>) -> Result<MissingRun, CallError> {
        // Without an id no list can be searched, and a document that is not found is not enough.
        let mut is_ruled_out = false;
        if let Some(id) = id {
            let page = self.by_id(id).await?;
            if let Some(row) = page.row_of(run) {
                return Ok(MissingRun::There(Box::new(row.clone())));
            }
            is_ruled_out = page.rules_out(run, id);
        }
        match self.reader.get_document(run).await {
            Ok(document) => Ok(MissingRun::There(Box::new(RunRow::from_document(
                &document,
            )))),
            Err(error) if is_ruled_out && error.is_not_found() => Ok(MissingRun::Gone),
            Err(error) => Err(error),
        }
    }

    /// Remembers suites that are free on a run.
    pub(super) fn remember(&self, run: &DocRef, free: Vec<FormerlyFree>) {
        let mut memory = lock(&self.seen_free);
        memory.retain(|(known, seen)| {
            known != run || !free.iter().any(|now| now.suite == seen.suite)
        });
        memory.extend(free.into_iter().map(|seen| (run.clone(), seen)));
        let excess = memory.len().saturating_sub(REMEMBERED);
        memory.drain(..excess);
    }

    pub(super) fn remembered(&self, run: &DocRef) -> Vec<FormerlyFree> {
        let memory = lock(&self.seen_free);
        let of_run = memory.iter().filter(|(known, _)| known == run);
        of_run.map(|(_, seen)| seen.clone()).collect()
    }
}

/// Current time, epoch milliseconds.
pub fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
