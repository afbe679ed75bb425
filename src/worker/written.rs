//! One write, and the same for all: written down, sent once, its answer written down, and later what reading says.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::changes::Changing;
use super::suites::now;
use super::{local, send};
use crate::disk::{Entry, Step, WriteId};
use crate::rpc::CallError;
use crate::store::Event;

/// Pauses before the readings after a write: a replica may be behind for a moment.
pub const READINGS: [Duration; 3] = [
    Duration::from_millis(300),
    Duration::from_secs(1),
    Duration::from_secs(2),
];

/// What is about to be sent.
pub struct Request<'a> {
    /// Name of the operation (4.3).
    pub method: &'static str,
    /// Its params, exactly as they are sent.
    pub params: Value,
    /// Reference of the run; empty while a new run has none.
    pub run: &'a str,
    /// What the person knows it by.
    pub run_name: &'a str,
    /// What else the journal keeps.
    pub note: Option<Value>,
}

/// What was sent, and what came back.
pub struct Sent<T> {
    /// Its name in the journal.
    pub write: WriteId,
    /// When it was sent, epoch milliseconds.
    pub at: i64,
    /// The answer.
    pub answer: Result<T, CallError>,
}

impl Changing {
    /// Writes a request down, sends it once, and writes its answer down. An error means that nothing was sent.
    pub async fn send_once<T>(
        &self,
        request: Request<'_>,
        call: impl Future<Output = Result<T, CallError>>,
        result: impl FnOnce(&T) -> Value,
    ) -> Result<Sent<T>, String> {
        let at = now();
        let write = WriteId::new(at);
        let (run, name) = (request.run, request.run_name);
        let step = Step::Sent {
            method: request.method.to_owned(),
            params: request.params,
            note: request.note,
        };
        self.write_down(run, name, write.clone(), step)
            .await
            .map_err(|problem| {
                format!("not sent, because it could not be written down first: {problem}")
            })?;
        let answer = call.await;
        let step = match &answer {
            Ok(value) => Step::Answered {
                result: result(value),
            },
            Err(error) if error.outcome_unknown() => Step::Unknown {
                failure: error.sentence(),
            },
            Err(error) => Step::Refused {
                failure: error.sentence(),
            },
        };
        // A new run has its reference from the answer on.
        let run = match &step {
            Step::Answered { result } if run.is_empty() => {
                result["docRef"].as_str().unwrap_or_default().to_owned()
            }
            _ => run.to_owned(),
        };
        self.add_step(&run, name, &write, step).await;
        Ok(Sent { write, at, answer })
    }

    /// Writes down a later step of a write that was sent. What cannot be written is told; it changes nothing any more.
    pub async fn add_step(&self, run: &str, run_name: &str, write: &WriteId, step: Step) {
        if let Err(problem) = self.write_down(run, run_name, write.clone(), step).await {
            let asked = "writing down what came of a write";
            send(
                &self.events,
                Event::Trouble(local(
                    asked,
                    &problem,
                    "the write itself was sent: @ shows the journal",
                )),
            );
        }
    }

    /// Puts a step on the disk; returns when it is there.
    async fn write_down(
        &self,
        run: &str,
        run_name: &str,
        write: WriteId,
        step: Step,
    ) -> Result<(), String> {
        let entry = Entry {
            write,
            at: now(),
            profile: self.connection.session().profile,
            run: run.to_owned(),
            run_name: run_name.to_owned(),
            step,
        };
        let journal = self.journal.clone();
        let written = tokio::task::spawn_blocking(move || journal.append(&entry)).await;
        written
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())
    }
}

/// What the journal keeps beside a request; nothing where there is nothing.
pub fn note<const N: usize>(
    parts: [(&str, Option<Value>); N],
    undo_of: Option<&String>,
) -> Option<Value> {
    let undo = ("undo of", undo_of.map(|write| json!(write)));
    let parts = parts
        .into_iter()
        .chain([undo])
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let note: Map<String, Value> = parts.collect();
    (!note.is_empty()).then_some(Value::Object(note))
}

/// What came back of a request that was refused, and what helps.
pub fn refused(error: &CallError) -> String {
    format!("refused: {} {}", error.came_back(), error.remedy())
}
