//! One write, and the same for all: written down, sent once, its answer written down, and later what reading says.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::{Client, local, lock, now};
use crate::disk::{DiskError, Held, Recorded, StateFolder, WriteId, WriteStep};
use crate::domain::{
    DocRef, End, Failure, FailureKind, ItemOutcome, Outcome, PROBE_MARK, ReadBack, Why,
};
use crate::rpc::{Acted, CallError, Writer};

/// What is told while an operation is under way.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// How far working out the suites of a run is, in words.
    Survey(String),
    /// How many suites of how many were read.
    Received { received: u64, full_size: u64 },
    /// Something went wrong beside the operation.
    Trouble(Failure),
}

/// Who is told of it.
pub type Tell = Arc<dyn Fn(Progress) + Send + Sync>;

/// What writing needs. A read-only profile has no [`Writer`], and so none of this.
#[derive(Clone)]
pub struct Writing {
    pub client: Client,
    pub writer: Writer,
    /// Journal, copies of runs that are deleted, and changes without an end.
    pub state: Arc<StateFolder>,
    /// The change that is being carried out, from its first request on.
    pub held: Arc<Mutex<Option<Held>>>,
    /// Raised by Ctrl-c: no further request is sent.
    pub stopped: CancellationToken,
    pub tell: Tell,
}

/// What is about to be sent.
pub(super) struct Request<'a> {
    /// Name of the operation (4.3).
    pub method: &'static str,
    /// Its params, exactly as they are sent.
    pub params: Value,
    /// Reference of the run; empty while a new run has none.
    pub run: &'a str,
    /// What the person knows it by.
    pub run_name: &'a str,
    /// What else the journal keeps.
    pub note: Map<String, Value>,
}

/// What was sent, and what came back.
pub(super) struct SentWrite<T> {
    /// Its name in the journal.
    pub write: WriteId,
    /// When it was sent, epoch milliseconds.
    pub at: i64,
    pub answer: Result<T, Unsure>,
}

/// An answer by which nobody knows whether the service acted: readings decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsure {
    /// The service said no: what readings do not show was not done.
    pub denied: bool,
    /// What came back, or did not.
    pub why: String,
}

impl Unsure {
    /// By what it is known to be done all the same.
    pub(super) fn by_reading(&self) -> &'static str {
        if self.denied {
            "by reading: the service answered with an error"
        } else {
            "by reading: the answer was lost"
        }
    }

    /// The end where readings show nothing of it.
    pub(super) fn without_effect(&self, seen: &str) -> Outcome {
        if self.denied {
            Outcome::without_effect(self.why.clone())
        } else {
            Outcome::contradicted(format!("{}; {seen}", self.why))
        }
    }
}

impl Writing {
    /// Writes a request down, sends it once, and writes its answer down. An error is the end: nothing was sent, or the
    /// service cannot have acted on it.
    pub(super) async fn send_once<T>(
        &self,
        request: Request<'_>,
        call: impl Future<Output = Result<T, CallError>>,
        result: impl FnOnce(&T) -> Value,
    ) -> Result<SentWrite<T>, Outcome> {
        let at = now();
        let write = WriteId::new(at);
        let (run, name) = (request.run, request.run_name);
        let written = async {
            let mut note = request.note;
            // A probe run that is left behind is found in its own way.
            if !name.starts_with(PROBE_MARK)
                && let Some(job) = self.begin(&write).await?
            {
                note.insert("job".into(), job.into());
            }
            let sent = Recorded::Sent {
                method: request.method.to_owned(),
                params: request.params,
                note: (!note.is_empty()).then_some(Value::Object(note)),
            };
            self.write_down(run, name, write.clone(), sent).await
        };
        written.await.map_err(|problem| {
            Outcome::not_sent(
                Why::Impossible,
                format!("not sent, because it could not be written down first: {problem}"),
            )
        })?;
        let (answered, answer) = match call.await {
            Ok(value) => {
                let result = result(&value);
                (Recorded::Answered { result }, Ok(Ok(value)))
            }
            Err(error) => {
                let failure = error.sentence();
                let unsure = |denied, why| Unsure { denied, why };
                match error.acted() {
                    Acted::NotSent => {
                        let end = not_sent(Why::Offline, &error);
                        (Recorded::NotSent { failure }, Err(end))
                    }
                    Acted::Refused => {
                        let end = Outcome::refused(refused(&error));
                        (Recorded::Refused { failure }, Err(end))
                    }
                    Acted::Denied => {
                        let why = unsure(true, refused(&error));
                        (Recorded::Unknown { failure }, Ok(Err(why)))
                    }
                    Acted::Lost => {
                        let why = format!("no answer ({}); not sent again", error.came_back());
                        (Recorded::Unknown { failure }, Ok(Err(unsure(false, why))))
                    }
                }
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
        answer.map(|answer| SentWrite { write, at, answer })
    }

    /// Makes sure that the change is found again if this program ends in the middle of it; the name of its first write,
    /// unless this is it.
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

    /// A change has come to its end. One that is not known stays, to be looked at later.
    pub(super) async fn end(&self, outcome: &Outcome) {
        let open = |part: &ItemOutcome| part.end == End::Unknown;
        let known = outcome.end != End::Unknown && !outcome.parts.iter().any(open);
        let held = lock(&self.held).take();
        if let Some(held) = held.filter(|_| known)
            && let Err(problem) = blocking(move || held.over()).await
        {
            let asked = "writing down that a change is over";
            let remedy = "the next start asks about it once more";
            (self.tell)(Progress::Trouble(local(asked, &problem, remedy)));
        }
    }

    /// Writes down what reading says of a write, as far as it says anything.
    pub(super) async fn conclude(
        &self,
        run: &DocRef,
        run_name: &str,
        write: &WriteId,
        outcome: &Outcome,
    ) {
        let why = outcome.why.clone();
        let said = match (outcome.seen, outcome.end) {
            (ReadBack::Whole, End::Done) => Recorded::Confirmed { how: why },
            (_, End::Refused) => Recorded::Refused { failure: why },
            (ReadBack::Other, _) => Recorded::Differs { what: why },
            _ => return,
        };
        self.record(run.as_str(), run_name, write, said).await;
    }

    /// Writes down a later step of a write that was sent. What cannot be written is told; it changes nothing any more.
    pub(super) async fn record(&self, run: &str, run_name: &str, write: &WriteId, step: Recorded) {
        if let Err(problem) = self.write_down(run, run_name, write.clone(), step).await {
            let asked = "writing down what came of a change";
            let remedy = "the change itself was sent: my changes show it";
            (self.tell)(Progress::Trouble(local(asked, &problem, remedy)));
        }
    }

    /// Puts a step on the disk; returns when it is there.
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
            run: run.to_owned(),
            run_name: run_name.to_owned(),
            step,
        };
        let state = self.state.clone();
        blocking(move || state.journal.append(&entry)).await
    }
}

/// Work on the disk, away from what must not wait; why it failed, in words.
pub async fn blocking<T: Send + 'static, E: Display + Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// THE loop of readings after a write: pauses and reads until a reading is sure. The last one decides, `unread` where
/// there is none.
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

/// What the journal keeps beside a request.
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

/// The end where nothing was sent because a call failed; `why` if that is not for want of a sign-in.
pub(super) fn not_sent(why: Why, error: &CallError) -> Outcome {
    let why = match Failure::from(error).kind {
        FailureKind::SignIn => Why::SignedOut,
        _ => why,
    };
    match why {
        Why::Unread => Outcome::unread(&error.came_back(), &error.remedy()),
        _ => Outcome::not_sent(why, format!("not sent: {}", with_remedy(error))),
    }
}

/// What came back, and what helps, as two sentences.
fn with_remedy(error: &CallError) -> String {
    let came_back = error.came_back();
    format!("{}. {}", came_back.trim_end_matches('.'), error.remedy())
}

/// What came back of a request that was refused, and what helps.
fn refused(error: &CallError) -> String {
    format!("refused: {}", with_remedy(error))
}
