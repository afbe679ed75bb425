//! Which write can be taken back: by the journal, and only those of the profile in use.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::connection::Connection;
use super::journal::{kept, newest, unread};
use super::local;
use crate::disk::{Journal, Read, WriteRecord, WriteState};
use crate::domain::{DocRef, PROBE_MARK, Undo, UndoOf};
use crate::store::Failure;

/// What a person did at once: one write, or all requests of one change of suites.
pub struct Deed<'a> {
    /// Name in the journal: what an undo of it refers to.
    pub id: &'a str,
    /// The write itself; of several requests, one of them.
    pub write: &'a WriteRecord,
    /// Suites that are not taken back yet, each with its name where that was kept.
    pub suites: Vec<(&'a str, Option<&'a str>)>,
    /// How an earlier undo of it stands that came to nothing, or to nothing that is known.
    pub tried: Option<WriteState>,
}

/// The writes of one profile, and what of them is taken back already.
struct History<'a> {
    /// Newest first.
    writes: Vec<&'a WriteRecord>,
    /// Writes that are taken back.
    undone: HashSet<&'a str>,
    /// Suites that are taken back, by the name of their change.
    suites: HashMap<&'a str, HashSet<&'a str>>,
    /// Undos that came to nothing, or to nothing that is known.
    tried: HashMap<&'a str, WriteState>,
    /// Runs that were deleted from here.
    deleted: HashSet<&'a str>,
}

impl Connection {
    /// Works out how a write can be taken back. Sends nothing but reads.
    pub async fn plan_undo(&self, journal: Arc<Journal>, of: UndoOf) -> Result<Box<Undo>, Failure> {
        if self.writer().is_none() {
            return Err(cannot("read-only profile: nothing is changed from here"));
        }
        let profile = self.session().profile;
        let read = all_of(journal.clone(), Some(profile)).await?;
        let history = History::of(&read);
        let write = match &of {
            UndoOf::Write(id) => match history.named(id) {
                Some(write) => write.map_err(|why| cannot(&why))?,
                None => return Err(cannot(&elsewhere(id, &all_of(journal, None).await?))),
            },
            UndoOf::LastOf(run) => history
                .last(Some(run))
                .ok_or_else(|| nothing("this run", &read))?,
            UndoOf::Last => history
                .last(None)
                .ok_or_else(|| nothing("this profile", &read))?,
        };
        self.plan(&history.deed(write)).await
    }
}

/// The newest writes of a profile, or of all.
async fn all_of(journal: Arc<Journal>, profile: Option<String>) -> Result<Read, Failure> {
    let read = tokio::task::spawn_blocking(move || newest(&journal, profile)).await;
    read.map_err(|error| unread(&error.to_string()))?
        .map_err(|error| unread(&error.to_string()))
}

/// Why a write is none of this profile.
fn elsewhere(id: &str, read: &Read) -> String {
    match read.writes.iter().find(|write| write.write.as_str() == id) {
        Some(write) => format!(
            "it was made with the profile \"{}\": change to that one first",
            write.profile
        ),
        None if read.more => "it is older than what is read of the journal".into(),
        None => "the journal has no such write".into(),
    }
}

/// Why a write is not taken back.
pub fn cannot(why: &str) -> Failure {
    local("taking back a write", why, "@ shows the journal")
}

fn nothing(whose: &str, read: &Read) -> Failure {
    let older = if read.more {
        "; older writes are not looked at"
    } else {
        ""
    };
    cannot(&format!(
        "the journal has no write of {whose} that was confirmed and is not taken back already{older}"
    ))
}

impl<'a> History<'a> {
    /// Of what was read of one profile.
    fn of(read: &'a Read) -> Self {
        let writes: Vec<&WriteRecord> = read.writes.iter().collect();
        let deletes = writes
            .iter()
            .filter(|write| method(write) == "DELETE_TEST_RUN" && done(write));
        let deleted = deletes.map(|write| write.run.as_str()).collect();
        let (undone, suites_back, tried) = (HashSet::new(), HashMap::new(), HashMap::new());
        let mut history = Self {
            writes,
            undone,
            suites: suites_back,
            tried,
            deleted,
        };
        // From the newest on: whether an undo counts depends on whether it is itself taken back.
        for write in history.writes.clone() {
            let Some(of) = text(write, "undo of") else {
                continue;
            };
            if !done(write) {
                history.tried.entry(of).or_insert(write.state());
            } else if suites(write).is_empty() {
                if !history.undone.contains(write.write.as_str()) {
                    history.undone.insert(of);
                }
            } else {
                let left: Vec<&str> = history.left(write).map(|(suite, _)| suite).collect();
                history.suites.entry(of).or_default().extend(left);
            }
        }
        history
    }

    /// The last write that can be taken back. Undos are passed over, so that the next one reaches further back.
    fn last(&self, run: Option<&DocRef>) -> Option<&'a WriteRecord> {
        let wanted = |write: &&&WriteRecord| {
            run.is_none_or(|run| write.run == run.as_str()) && kept(write, "undo of").is_none()
        };
        self.writes
            .iter()
            .filter(wanted)
            .find(|write| self.refusal(write).is_none())
            .copied()
    }

    /// The write of this name, if it can be taken back; else why not. Nothing where this profile has none of that name.
    fn named(&self, id: &str) -> Option<Result<&'a WriteRecord, String>> {
        let write = *self
            .writes
            .iter()
            .find(|write| write.write.as_str() == id)?;
        Some(self.refusal(write).map_or(Ok(write), Err))
    }

    /// Why a write cannot be taken back.
    fn refusal(&self, write: &WriteRecord) -> Option<String> {
        let Some((method, params)) = write.request() else {
            return Some(
                "it is too old: what was sent lies before what is read of the journal".into(),
            );
        };
        let title = params["document"]["Root"]["General"]["Title"]
            .as_str()
            .unwrap_or_default();
        let why = match write.state() {
            WriteState::Refused => "it was refused: nothing was changed",
            WriteState::Begun | WriteState::Unknown => {
                "whether the service acted on it is not known: read the run and look first"
            }
            WriteState::Differs => {
                "what it changed is not certain: reading afterwards showed something else"
            }
            WriteState::Other => "it was written by another version of this program",
            WriteState::Answered | WriteState::Confirmed => {
                let probe = [title, &write.run_name]
                    .iter()
                    .any(|name| name.starts_with(PROBE_MARK));
                let back = match method {
                    "ADD_TEST_SUITES_TO_RUN" | "DELETE_TEST_SUITES_FROM_RUN" => {
                        self.left(write).next().is_none()
                    }
                    "ADD_DOCUMENT" | "MODIFY_DOCUMENT" | "DELETE_TEST_RUN" => {
                        self.undone.contains(write.write.as_str())
                    }
                    _ => return Some("how to take this operation back is not known".into()),
                };
                match method {
                    "ADD_DOCUMENT" | "DELETE_TEST_RUN" if probe => "it belongs to a probe run",
                    _ if back => "it is taken back already",
                    "DELETE_TEST_RUN" => return None,
                    _ if self.deleted.contains(write.run.as_str()) => "the run was deleted since",
                    _ => return None,
                }
            }
        };
        Some(why.into())
    }

    /// All that belongs to a write that can be taken back.
    fn deed(&self, write: &'a WriteRecord) -> Deed<'a> {
        let id = group(write);
        let parts = self
            .writes
            .iter()
            .rev()
            .filter(|other| group(other) == id && done(other));
        let suites = parts.flat_map(|part| self.left(part)).collect();
        Deed {
            id,
            write,
            suites,
            tried: self.tried.get(id).copied(),
        }
    }

    /// The suites of a write that are not taken back, with their names.
    fn left(&self, write: &'a WriteRecord) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let back = self.suites.get(group(write));
        let names = kept(write, "suites").and_then(|names| names.as_array());
        let suites = suites(write)
            .iter()
            .enumerate()
            .filter_map(move |(at, suite)| {
                Some((
                    suite.as_str()?,
                    names.and_then(|names| names.get(at)?.as_str()),
                ))
            });
        suites
            .filter(move |(suite, _)| back.is_none_or(|back| !back.contains(suite)))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

fn method(write: &WriteRecord) -> &str {
    write.request().map_or("", |(method, _)| method)
}

/// The service has acted on it, by its answer or by reading.
fn done(write: &WriteRecord) -> bool {
    matches!(write.state(), WriteState::Answered | WriteState::Confirmed)
}

/// The name of the change that a request is a part of.
fn group(write: &WriteRecord) -> &str {
    text(write, "part of").unwrap_or(write.write.as_str())
}

fn text<'a>(write: &'a WriteRecord, part: &str) -> Option<&'a str> {
    kept(write, part)?.as_str()
}

/// The suites that a request names.
fn suites(write: &WriteRecord) -> &[serde_json::Value] {
    let named = write
        .request()
        .and_then(|(_, params)| params["testSuiteDocRefs"].as_array());
    named.map_or(&[], Vec::as_slice)
}
