//! One write, the same way for all operations: recorded, sent once, its answer recorded, and later the result of the
//! reading.

use std::fmt::Display;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Map;
use tokio_util::sync::CancellationToken;

use super::prelude::*;
use super::{ASKED_AGAIN, Client, lock, now};
use crate::disk::{DiskError, Held, StateFolder, WriteStep};
use crate::domain::{ItemOutcome, ReadBack, WriteRequest, with_log};
use crate::rpc::{Acted, CallErrorKind, Writer};

/// Milliseconds after which a request has been carried out or never will be.
pub(super) const LATEST: i64 = 300_000;

/// True if a request of this time may not be in effect yet. A time ahead is of a clock that was set back.
pub(super) fn may_come(at: i64) -> bool {
    (0..LATEST).contains(&(now() - at))
}

/// Progress of an operation under way.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// State of the survey of a run, in words.
    Survey(String),
    /// Number of suites read, of `full_size`.
    Received { received: u64, full_size: u64 },
    /// A problem beside the operation.
    Trouble(Failure),
}

/// Receiver of the progress.
pub type Tell = Arc<dyn Fn(Progress) + Send + Sync>;

/// Everything needed to write. A read-only profile has no [`Writer`], and so no `Writing`.
#[derive(Clone)]
pub struct Writing {
    pub client: Client,
    pub writer: Writer,
    /// Journal, copies of deleted runs, and unfinished changes.
    pub state: Arc<StateFolder>,
    /// The change being carried out, from its first request on.
    pub held: Arc<Mutex<Option<Held>>>,
    /// Cancelled by Ctrl-c: no further request is sent.
    pub stopped: CancellationToken,
    pub tell: Tell,
}

/// A request to send, with what is written down beside it.
pub(super) struct NotedRequest<'a> {
    pub request: &'a WriteRequest,
    /// Reference of the run, empty for a new run.
    pub run: &'a str,
    /// Name of the run for the user.
    pub run_name: &'a str,
    /// Further notes for the journal.
    pub note: Map<String, Value>,
    /// True for the deletion of a probe run, which goes on after a stop.
    pub cleans_up: bool,
}

/// A request that was sent, and its answer.
pub(super) struct SentWrite<T> {
    /// Its name in the journal.
    pub write: WriteId,
    /// Time of sending, epoch milliseconds.
    pub at: i64,
    pub answer: Result<T, Unsure>,
}

/// An answer that does not show whether the service acted: readings decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsure {
    /// The service answered with an error: what readings do not show was not done.
    pub denied: bool,
    /// The answer, or why there is none.
    pub why: String,
    /// The same as a refusal with its remedy, if readings show that nothing was done.
    pub refused: String,
}

impl Unsure {
    /// Describes how the effect is known without a clear answer.
    pub(super) fn by_reading(&self) -> &'static str {
        if self.denied {
            "by reading: the service answered with an error"
        } else {
            "by reading: no clear answer came"
        }
    }

    /// Returns the outcome if readings show no effect.
    pub(super) fn without_effect(&self, seen: &str) -> Outcome {
        if self.denied {
            Outcome::without_effect(format!("refused: {}", self.refused))
        } else {
            Outcome::contradicted(format!("{}; {seen}", self.why))
        }
    }
}

impl Writing {
    /// Records a request, sends it once and records its answer. An error is the end: nothing was sent, or the service
    /// cannot have acted on it. Nothing is sent after a stop, which may come while the disk takes its time.
    pub(super) async fn send_once<T>(
        &self,
        noted: NotedRequest<'_>,
        call: impl Future<Output = Result<T, CallError>>,
        result: impl FnOnce(&T) -> Value,
    ) -> Result<SentWrite<T>, Outcome> {
        let at = now();
        let write = WriteId::new(at);
        let (run, name) = (noted.run, noted.run_name);
        let cleans_up = noted.cleans_up;
        let is_stopped = || self.stopped.is_cancelled() && !cleans_up;
        let stopped = || Outcome::stopped(Why::Stopped, "stopped");
        if is_stopped() {
            return Err(stopped());
        }
        // A call waits for a sign-in that is under way; the stop is not checked there. The call reports why there is no token.
        drop(self.client.tokens.bearer().await);
        let is_first = lock(&self.held).is_none();
        let undo_of = noted.note.get("undo of").and_then(Value::as_str);
        let mut alone = None;
        if let Some(of) = undo_of.filter(|_| is_first) {
            let words =
                "not sent: another rundown is taking it back. Look in my changes what came of it.";
            alone = self.alone(&format!("undo of {of}"), words).await?;
            match self.client.is_undone(&self.state, of).await {
                Ok(None) => {}
                Ok(Some(words)) => return Err(Outcome::not_sent(Why::NothingToDo, words)),
                Err(failure) => {
                    let words = failure.line() + ". Nothing was sent";
                    return Err(Outcome::not_sent(Why::Impossible, words));
                }
            }
        }
        let written = async {
            let mut note = noted.note;
            if let Some(job) = self.begin(&write).await? {
                note.insert("job".into(), job.into());
            }
            let sent = Recorded::Sent {
                method: noted.request.method.to_owned(),
                params: noted.request.params.clone(),
                note: (!note.is_empty()).then_some(Value::Object(note)),
            };
            self.write_down(run, name, write.clone(), sent).await
        };
        written.await.map_err(|problem| {
            let asked = "writing down a change";
            (self.tell)(Progress::Trouble(local(
                asked,
                &problem,
                "nothing was sent",
            )));
            let words = format!("not sent: it could not be written down first: {problem}");
            Outcome::not_sent(Why::Impossible, words)
        })?;
        if is_stopped() {
            let failure = "stopped".to_owned();
            let step = Recorded::Refused {
                sent: false,
                failure,
            };
            self.record(run, name, &write, step).await;
            return Err(stopped());
        }
        let (answered, answer) = match call.await {
            Ok(value) => {
                let result = result(&value);
                (Recorded::Answered { result }, Ok(Ok(value)))
            }
            Err(error) => {
                let (step, end) = without_answer(&error);
                (step, end.map(Err))
            }
        };
        // A new run has its reference from the answer on.
        let run = match &answered {
            Recorded::Answered { result } if run.is_empty() => {
                result["docRef"].as_str().unwrap_or_default().to_owned()
            }
            _ => run.to_owned(),
        };
        self.record(&run, name, &write, answered).await;
        done_alone(alone).await;
        answer.map(|answer| SentWrite { write, at, answer })
    }

    /// Locks this name until the lock is dropped, so that one program of this machine at a time does what it stands for. If
    /// another one is at it, the error is the end of the write in these words.
    pub(super) async fn alone(&self, name: &str, words: &str) -> Result<Option<Held>, Outcome> {
        let (state, name) = (self.state.clone(), name.to_owned());
        match blocking(move || state.under_way.alone(&name)).await {
            Ok(None) => Err(Outcome::not_sent(Why::Impossible, words)),
            Ok(alone) => Ok(alone),
            Err(error) => {
                // As on a file system without locks. Where nothing can be kept, nothing is sent.
                tracing::warn!(%error, "a change is sent without its lock");
                Ok(None)
            }
        }
    }

    /// Registers the change so that it is found if this program ends in the middle of it. Returns the name of its first
    /// write, `None` if this write is the first.
    async fn begin(&self, write: &WriteId) -> Result<Option<String>, String> {
        let (state, held) = (self.state.clone(), self.held.clone());
        let name = write.as_str().to_owned();
        blocking(move || {
            let mut held = lock(&held);
            if let Some(held) = &*held {
                return Ok(Some(held.name().to_owned()));
            }
            *held = Some(state.under_way.begin(&name)?);
            Ok::<_, DiskError>(None)
        })
        .await
    }

    /// Ends a change. One whose end is unknown stays registered, to be checked later.
    pub(super) async fn end(&self, outcome: &Outcome) {
        let open = |part: &ItemOutcome| part.end == End::Unknown;
        let known = outcome.end != End::Unknown && !outcome.parts.iter().any(open);
        let held = lock(&self.held).take();
        if let Some(held) = held.filter(|_| known)
            && let Err(problem) = blocking(move || held.end()).await
        {
            let asked = "writing down that a change is over";
            (self.tell)(Progress::Trouble(local(asked, &problem, ASKED_AGAIN)));
        }
    }

    /// Records the result of a reading, if it decides anything.
    pub(super) async fn conclude(
        &self,
        run: &DocRef,
        run_name: &str,
        write: &WriteId,
        outcome: &Outcome,
    ) {
        let why = outcome.why.clone();
        let said = match (outcome.seen, outcome.end) {
            (ReadBack::AsSent, End::Done) => Recorded::Confirmed { how: why },
            (_, End::Refused) => Recorded::Refused {
                sent: true,
                failure: why,
            },
            (ReadBack::Other, _) => Recorded::Differs { what: why },
            _ => return,
        };
        self.record(run.as_str(), run_name, write, said).await;
    }

    /// Records a later step of a write; returns true if it is on the disk. A failed record is reported, and its change
    /// stays registered.
    pub(super) async fn record(
        &self,
        run: &str,
        run_name: &str,
        write: &WriteId,
        step: Recorded,
    ) -> bool {
        let written = self.write_down(run, run_name, write.clone(), step).await;
        if let Some(held) = &mut *lock(&self.held) {
            held.note_step(write, written.is_ok());
        }
        if let Err(problem) = &written {
            let asked = "writing down what came of a change";
            (self.tell)(Progress::Trouble(local(asked, problem, ASKED_AGAIN)));
        }
        written.is_ok()
    }

    /// Appends a step to the journal; returns once it is on the disk.
    async fn write_down(
        &self,
        run: &str,
        run_name: &str,
        write: WriteId,
        step: Recorded,
    ) -> Result<(), String> {
        let entry = WriteStep {
            write,
            at: now(),
            profile: self.client.settings.profile.clone(),
            target: self.client.target(),
            user: self.client.user(),
            run: run.to_owned(),
            run_name: run_name.to_owned(),
            step,
        };
        let state = self.state.clone();
        blocking(move || state.journal.append(&entry)).await
    }
}

/// Lets a lock go and removes its file.
pub(super) async fn done_alone(alone: Option<Held>) {
    if let Some(alone) = alone {
        // A file that stays is not locked.
        let _ = blocking(|| alone.end()).await;
    }
}

/// Runs blocking work on another thread; the error is in words.
pub async fn blocking<T: Send + 'static, E: Display + Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Pauses and reads in a loop until a reading is sure. The last reading decides, `unread` if there is none.
pub(super) async fn until<T, R>(
    pauses: impl IntoIterator<Item = Duration>,
    unread: T,
    mut read: impl FnMut() -> R,
) -> T
where
    R: Future<Output = ControlFlow<T, T>>,
{
    let mut last = unread;
    for pause in pauses {
        tokio::time::sleep(pause).await;
        match read().await {
            ControlFlow::Break(sure) => return sure,
            ControlFlow::Continue(reading) => last = reading,
        }
    }
    last
}

/// Returns the notes of a request for the journal.
pub(super) fn note<const N: usize>(
    parts: [(&str, Option<Value>); N],
    undo_of: Option<&String>,
) -> Map<String, Value> {
    let undo = ("undo of", undo_of.map(|write| Value::from(write.as_str())));
    let parts = parts.into_iter().chain([undo]);
    parts
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

/// Returns the end of a write that was not sent because a call failed: signed out if no sign-in is possible, else
/// `why`.
pub(super) fn not_sent(why: Why, error: &CallError) -> Outcome {
    let why = match error.failure_kind() {
        FailureKind::SignIn => Why::SignedOut,
        _ => why,
    };
    match why {
        Why::Unread => Outcome::unread(&error.in_full(), &error.remedy()),
        // The words of some failures say it themselves.
        _ if matches!(error.kind, CallErrorKind::NotSent(_)) => {
            Outcome::not_sent(why, with_remedy(error))
        }
        _ => Outcome::not_sent(why, format!("not sent: {}", with_remedy(error))),
    }
}

/// Returns what is recorded of a write that ended with an error, and what it leaves open; an error where it cannot have
/// been carried out.
fn without_answer(error: &CallError) -> (Recorded, Result<Unsure, Outcome>) {
    let failure = error.in_full();
    let unsure = |denied, why: &str| Unsure {
        denied,
        why: why.trim_end_matches('.').to_owned(),
        refused: with_remedy(error),
    };
    match error.acted() {
        Acted::NotSent => {
            let end = not_sent(Why::Offline, error);
            (
                Recorded::Refused {
                    sent: false,
                    failure,
                },
                Err(end),
            )
        }
        Acted::Refused => {
            let end = Outcome::refused(format!("refused: {}", with_remedy(error)));
            (
                Recorded::Refused {
                    sent: true,
                    failure,
                },
                Err(end),
            )
        }
        Acted::Denied => {
            let why = unsure(true, &failure);
            (Recorded::Unknown { failure }, Ok(why))
        }
        Acted::Lost => {
            let why = match error.kind.status() {
                Some(_) => {
                    let words = format!("{}; not sent again", error.cause());
                    with_log(&words, error.log())
                }
                None => format!("no answer ({failure}); not sent again"),
            };
            (Recorded::Unknown { failure }, Ok(unsure(false, &why)))
        }
    }
}

/// Returns the error and its remedy as two sentences, the id of the log behind them.
fn with_remedy(error: &CallError) -> String {
    let cause = error.cause();
    let words = format!("{}. {}", cause.trim_end_matches('.'), error.remedy());
    with_log(&words, error.log())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::MethodCall;

    #[test]
    fn that_nothing_was_sent_is_said_once() {
        let error = CallError {
            asked: MethodCall {
                method: "MODIFY_DOCUMENT",
                doing: "saving the run",
                about: String::new(),
                writes: true,
            },
            kind: CallErrorKind::NotSent("the document has no __meta".into()),
        };
        let outcome = not_sent(Why::Offline, &error);
        assert!(
            outcome.why.starts_with("not sent: the document has"),
            "{}",
            outcome.why
        );
    }
}
