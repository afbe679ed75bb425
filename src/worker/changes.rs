//! Changing the suites of a run: each request is written down before it is sent, sent once, and read after.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::suites::failure;
use super::written::{READINGS, Request, note, refused};
use super::{Events, send};
use crate::attached::available_suites;
use crate::disk::{Journal, Step, Trash, WriteId};
use crate::domain::{ChangeOutcome, ChangeVerdict, ChunkResult, DocRef, ResultCode, SuiteChange};
use crate::rpc::Writer;
use crate::store::{Event, RequestId};

/// One change on its way.
#[derive(Clone)]
pub struct Changing {
    /// The profile in use.
    pub connection: Arc<Connection>,
    /// Where every step is written down.
    pub journal: Arc<Journal>,
    /// Where copies of runs go that are deleted.
    pub trash: Arc<Trash>,
    /// The request of the store.
    pub id: RequestId,
    /// Raised by Ctrl-c: no further request is sent.
    pub stopped: CancellationToken,
    /// Where the steps are told.
    pub events: Events,
}

/// What one request came to.
enum Outcome {
    Answered(WriteId),
    Lost(WriteId),
    Stopped,
}

impl Changing {
    /// Sends the change chunk by chunk and reads what came of it. A chunk that fails stops the rest.
    pub async fn run(&self, writer: &Writer, change: &SuiteChange) -> ChangeOutcome {
        let before = self.count(change).await;
        let total = change.requests();
        let mut writes: Vec<WriteId> = Vec::new();
        let (mut answered, mut lost) = (Vec::new(), Vec::new());
        for (number, chunk) in change.suites.chunks(SuiteChange::CHUNK).enumerate() {
            let suites = if chunk.len() == 1 { "suite" } else { "suites" };
            let which = format!(
                "request {} of {total}, {} {suites}",
                number + 1,
                chunk.len()
            );
            if self.stopped.is_cancelled() {
                self.tell(false, format!("{which}: not sent, stopped by Ctrl-c"));
                break;
            }
            let suites = chunk.iter().map(|(suite, _)| suite.clone());
            match self
                .send_chunk(writer, change, chunk, writes.first(), &which)
                .await
            {
                Outcome::Answered(write) => {
                    answered.extend(suites);
                    writes.push(write);
                }
                Outcome::Lost(write) => {
                    lost.extend(suites);
                    writes.push(write);
                    break;
                }
                Outcome::Stopped => break,
            }
        }
        let outcome = self.verify(change, before, &answered, &lost).await;
        for write in &writes {
            let step = match &outcome.verdict {
                ChangeVerdict::Confirmed(how) => Step::Confirmed { how: how.clone() },
                ChangeVerdict::Differs(what) => Step::Differs { what: what.clone() },
                ChangeVerdict::Unread(_) => continue,
            };
            self.add_step(change.run.as_str(), &change.run_name, write, step)
                .await;
        }
        outcome
    }

    async fn send_chunk(
        &self,
        writer: &Writer,
        change: &SuiteChange,
        chunk: &[(DocRef, String)],
        first: Option<&WriteId>,
        which: &str,
    ) -> Outcome {
        let suites: Vec<DocRef> = chunk.iter().map(|(suite, _)| suite.clone()).collect();
        let request = Request {
            method: change.method(),
            params: change.params(chunk),
            run: change.run.as_str(),
            run_name: &change.run_name,
            note: kept(change, chunk, first),
        };
        let call = async {
            if change.adds {
                let links = writer.add_test_suites_to_run(&change.run, &suites).await;
                links.map(|links| Value::Array(links.into_iter().map(|link| link.raw).collect()))
            } else {
                writer
                    .delete_test_suites_from_run(&change.run, &suites)
                    .await
                    .map(|()| Value::Null)
            }
        };
        let sent = match self.send_once(request, call, Value::clone).await {
            Ok(sent) => sent,
            Err(why) => {
                self.tell(false, format!("{which}: {why}"));
                return Outcome::Stopped;
            }
        };
        match sent.answer {
            Ok(_) => {
                self.tell(true, format!("{which}: done, says the service"));
                Outcome::Answered(sent.write)
            }
            Err(error) if error.outcome_unknown() => {
                let back = error.came_back();
                self.tell(
                    false,
                    format!(
                        "{which}: sent, outcome unknown ({back}); not sent again, reading decides"
                    ),
                );
                Outcome::Lost(sent.write)
            }
            Err(error) => {
                let why = self.why(&change.run).await;
                self.tell(false, format!("{which}: {}{why}", refused(&error)));
                Outcome::Stopped
            }
        }
    }

    /// Reads until the service shows the change, three times at most; what an answer that was lost has done is decided
    /// by reading alone.
    async fn verify(
        &self,
        change: &SuiteChange,
        before: Option<i64>,
        answered: &[DocRef],
        lost: &[DocRef],
    ) -> ChangeOutcome {
        let never = |suite: &&DocRef| !answered.contains(suite) && !lost.contains(suite);
        let all: Vec<DocRef> = change
            .suites
            .iter()
            .map(|(suite, _)| suite.clone())
            .collect();
        let unsent: Vec<DocRef> = all.iter().filter(never).cloned().collect();
        if answered.is_empty() && lost.is_empty() {
            let verdict = ChangeVerdict::Differs("nothing has been changed".into());
            return ChangeOutcome {
                done: Vec::new(),
                not_done: all,
                verdict,
            };
        }
        let mut last = ChangeVerdict::Unread("it was not read".into());
        let mut done = answered.to_vec();
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            let free: HashSet<DocRef> = match available_suites(
                &self.connection.client(),
                &change.run,
                self.connection.page_size(),
                &|_, _| {},
            )
            .await
            {
                Ok(list) => list.refs().cloned().collect(),
                Err(fault) => {
                    last = ChangeVerdict::Unread(format!(
                        "reading afterwards failed: {}",
                        failure(&fault).came_back
                    ));
                    continue;
                }
            };
            let in_effect = |suite: &&DocRef| free.contains(*suite) != change.adds;
            done = answered
                .iter()
                .chain(lost)
                .filter(in_effect)
                .cloned()
                .collect();
            let missing = answered.iter().filter(|suite| !in_effect(suite)).count();
            let after = self.count(change).await;
            last = judge(
                change,
                (before, after),
                (missing, lost, &done),
                answered.len(),
            );
            if matches!(last, ChangeVerdict::Confirmed(_)) {
                break;
            }
        }
        let mut not_done: Vec<DocRef> = answered
            .iter()
            .chain(lost)
            .filter(|suite| !done.contains(suite))
            .cloned()
            .collect();
        not_done.extend(unsent);
        ChangeOutcome {
            done,
            not_done,
            verdict: last,
        }
    }

    /// After a refusal: whether the run is closed or gone by now.
    pub(super) async fn why(&self, run: &DocRef) -> String {
        match self.connection.reader().get_document(run).await {
            Ok(document) if document.text("Root.General.Status").as_deref() == Some("inactive") => {
                " The run is closed by now: its suites cannot be changed.".into()
            }
            Err(error) if error.hint() == Some("looks like: not found") => {
                " The run is gone by now.".into()
            }
            // Nothing more is known than what the service has said.
            Ok(_) | Err(_) => String::new(),
        }
    }

    /// `TestSuiteCount` of the run now; only `LIST_TEST_RUNS` brings it.
    async fn count(&self, change: &SuiteChange) -> Option<i64> {
        self.connection
            .listed(&change.run, change.run_id.as_ref()?)
            .await?
            .suite_count
    }

    fn tell(&self, good: bool, words: String) {
        send(
            &self.events,
            Event::ChangeStep {
                id: self.id,
                step: ChunkResult { words, good },
            },
        );
    }
}

/// What the journal keeps of a request: the names of its suites, the results at stake, and the first request where a
/// change takes several, so that they can be taken back together.
fn kept(
    change: &SuiteChange,
    chunk: &[(DocRef, String)],
    first: Option<&WriteId>,
) -> Option<Value> {
    let stake = change.stake.as_ref().map(|counts| {
        let counts = ResultCode::ALL
            .iter()
            .map(|code| (code.label().to_owned(), json!(counts.get(*code))));
        Value::Object(counts.collect())
    });
    let names: Vec<&str> = chunk.iter().map(|(_, name)| name.as_str()).collect();
    let first = first.map(|write| json!(write.as_str()));
    note(
        [
            ("results before", stake),
            ("suites", Some(json!(names))),
            ("part of", first),
        ],
        change.undo_of.as_ref(),
    )
}

/// What a reading says about the change.
fn judge(
    change: &SuiteChange,
    (before, after): (Option<i64>, Option<i64>),
    (missing, lost, done): (usize, &[DocRef], &[DocRef]),
    answered: usize,
) -> ChangeVerdict {
    let verb = if change.adds { "added" } else { "removed" };
    let lost_done = done.iter().filter(|suite| lost.contains(suite)).count();
    if missing > 0 {
        return ChangeVerdict::Differs(if change.adds {
            format!(
                "{missing} of {answered} are still free, although the service said they were added"
            )
        } else {
            format!("no effect seen for {missing} of {answered}: not free again")
        });
    }
    let changed = i64::try_from(answered + lost_done).unwrap_or(i64::MAX);
    let counts = match (before, after) {
        (Some(before), Some(after)) => {
            let expected = if change.adds {
                before + changed
            } else {
                before - changed
            };
            if after != expected {
                let none = if after == before {
                    "no effect seen: "
                } else {
                    ""
                };
                return ChangeVerdict::Differs(format!(
                    "{none}the run had {before} suites and has {after}, expected {expected}; somebody else may have changed it too"
                ));
            }
            format!(", the count went from {before} to {after}")
        }
        _ => ", the count is not known".into(),
    };
    let seen = if change.adds {
        "not free any more"
    } else {
        "free again"
    };
    let by = if lost.is_empty() {
        ""
    } else {
        ", by reading: an answer was lost"
    };
    if done.len() == change.suites.len() {
        return ChangeVerdict::Confirmed(format!("all {} {verb}: {seen}{counts}{by}", done.len()));
    }
    let lost_words = match lost.len() {
        0 => String::new(),
        all => format!("; of the {all} whose answer was lost, {lost_done} are {verb}"),
    };
    ChangeVerdict::Differs(format!(
        "{} of {} {verb}{counts}{lost_words}",
        done.len(),
        change.suites.len()
    ))
}
