//! Reading the suites of a run: those that can be added, and those that are in it.

use std::sync::Arc;

use super::attached::Client;
use super::connection::Connection;
use super::{Events, local, send};
use crate::attached::{Known, Progress, Record, Seen, Settings, available_suites, survey};
use crate::disk::{Journal, KnownSuites};
use crate::domain::{DocRef, ReadFault, SuiteRow};
use crate::rpc::CallError;
use crate::store::{Event, Failure, FailureKind, RequestId};

/// Entries asked for at once by a survey; a service that allows fewer says so and is asked for half of them.
const LARGEST: u32 = 100;
/// Suites remembered as seen free, at most: they may name what no list names later.
const REMEMBERED: usize = 20_000;

impl Connection {
    /// All suites that can be added to a run, read whole.
    pub async fn read_available(
        &self,
        run: &DocRef,
        id: RequestId,
        events: &Events,
    ) -> Result<Vec<SuiteRow>, Failure> {
        let progress = |received, full_size| {
            send(
                events,
                Event::AvailableProgress {
                    id,
                    received,
                    full_size,
                },
            );
        };
        let list = available_suites(&self.client(), run, self.page_size(), &progress).await;
        let suites = list.map_err(|fault| failure(&fault))?.entries;
        self.remember(run, &suites);
        Ok(suites)
    }

    /// Works out the suites in a run from lists, link records and what the person has typed.
    pub async fn survey(
        &self,
        run: &DocRef,
        (typed, probe): (Vec<DocRef>, Option<DocRef>),
        journal: Option<&Arc<Journal>>,
        id: RequestId,
        events: &Events,
    ) -> Result<Box<crate::attached::Attached>, Failure> {
        let mut known = match journal {
            Some(journal) => records(journal, &self.session().profile, run).await?,
            None => Known::default(),
        };
        (known.typed, known.probe) = (typed, probe);
        known.seen_free = self.remembered(run);
        // Few large pages: a list of one page is of one moment.
        let settings = Settings {
            page_size: self.page_size().max(LARGEST),
            ..Settings::default()
        };
        let cache = self.cache();
        let progress = |progress: Progress| {
            send(
                events,
                Event::SurveyProgress {
                    id,
                    words: progress.to_string(),
                },
            );
        };
        let client = self.client();
        let surveyed = survey(&client, run, &known, settings, &cache, &progress).await;
        let surveyed = surveyed.map_err(|error| Failure::from(&error))?;
        self.set_cache(surveyed.cache);
        Ok(Box::new(surveyed.attached))
    }

    /// The client as the engine takes it.
    pub fn client(&self) -> Client {
        Client {
            reader: self.reader().clone(),
            lister: self.lister().clone(),
        }
    }

    fn remember(&self, run: &DocRef, suites: &[SuiteRow]) {
        let at = now();
        let seen = suites.iter().map(|suite| Seen {
            suite: suite.doc_ref.clone(),
            row: Some(suite.clone()),
            at,
        });
        let mut memory = super::lock(&self.seen_free);
        memory.retain(|(known, seen)| {
            known != run || !suites.iter().any(|suite| suite.doc_ref == seen.suite)
        });
        memory.extend(seen.map(|seen| (run.clone(), seen)));
        let over = memory.len().saturating_sub(REMEMBERED);
        memory.drain(..over);
    }

    fn remembered(&self, run: &DocRef) -> Vec<Seen> {
        super::lock(&self.seen_free)
            .iter()
            .filter(|(known, _)| known == run)
            .map(|(_, seen)| seen.clone())
            .collect()
    }
}

/// Why a list could not be read whole, as a failure.
pub fn failure(fault: &ReadFault<CallError>) -> Failure {
    let why = match fault {
        ReadFault::Call(error) => return Failure::from(error),
        ReadFault::Changed(why) => why,
        ReadFault::TooLong { size, at_most } => {
            &format!("{size} entries; at most {at_most} are read")
        }
    };
    Failure {
        kind: FailureKind::Odd,
        asked: "GET_AVAILABLE_TEST_SUITES, the whole list".into(),
        came_back: format!("not read whole: {why}"),
        remedy: "Somebody is changing it: r reads it again.".into(),
        may_retry: true,
    }
}

/// What the journal knows of the suites of a run.
async fn records(journal: &Arc<Journal>, profile: &str, run: &DocRef) -> Result<Known, Failure> {
    let (journal, profile, run) = (journal.clone(), profile.to_owned(), run.to_string());
    let read = tokio::task::spawn_blocking(move || journal.known_suites(&profile, &run)).await;
    let remedy = "the file can be read with any text viewer";
    let read = read.map_err(|error| local("reading the journal", &error.to_string(), remedy))?;
    let KnownSuites { changes, .. } =
        read.map_err(|error| local("reading the journal", &error.to_string(), remedy))?;
    let (added, removed): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| change.added);
    let record = |change: crate::disk::KnownChange| Record {
        suite: change.suite,
        at: change.at,
    };
    Ok(Known {
        added: added.into_iter().map(record).collect(),
        removed: removed.into_iter().map(record).collect(),
        ..Known::default()
    })
}

/// Epoch milliseconds.
pub fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
