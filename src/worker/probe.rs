//! The probe run: made, read, deleted, each step written down first and read afterwards. What is left behind is found by
//! the journal.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::changes::Changing;
use super::written::{Request, Sent};
use super::{local, send};
use crate::attached::Attached;
use crate::disk::{Journal, JournalFilter, Step, WriteId, WriteRecord, WriteState};
use crate::domain::{DocRef, PROBE_MARK, Probe, TEST_RUN_MODEL};
use crate::rpc::{CallError, Writer};
use crate::store::{Event, Failure};

/// Pauses before the readings after a write: a replica may be behind for a moment.
const READINGS: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_millis(300),
    Duration::from_secs(1),
];

impl Changing {
    /// Makes the probe run, works out the suites of its target, and deletes the probe whatever came of that. Giving up
    /// ends the working out, and the probe is deleted at once.
    pub async fn probe(self, writer: Writer, probe: Probe) -> Result<Box<Attached>, Failure> {
        let locale = self.connection.locale();
        let params = json!({"document": probe.run.to_document(), "documentModelName": TEST_RUN_MODEL, "locale": locale});
        let made = async { writer.add_document(&probe.run, &locale).await };
        let title = &probe.run.title;
        let request = Request {
            method: "ADD_DOCUMENT",
            params,
            run: "",
            run_name: title,
            note: None,
        };
        let sent = self
            .written(request, made, |run| json!({"docRef": run.as_str()}))
            .await?;
        let made = sent.answer.map_err(|error| Failure::from(&error))?;
        self.confirm(&writer, &made, title, sent.write, true).await;
        let given = (Vec::new(), Some(made.clone()));
        let survey = self.connection.survey(
            &probe.target,
            given,
            Some(&self.journal),
            self.id,
            &self.events,
        );
        let given_up = || {
            let what = "working out the suites with a probe run";
            Err(local(
                what,
                "given up by Ctrl-c",
                "V works them out again, without one",
            ))
        };
        let surveyed = self
            .stopped
            .run_until_cancelled(survey)
            .await
            .unwrap_or_else(given_up);
        if let Err(failure) = self.delete_probe(&writer, &made, title).await {
            send(&self.events, Event::Trouble(failure));
            self.connection.tell(Event::ProbesLeft(vec![made]));
        }
        surveyed
    }

    /// Deletes a probe run, if the service says that it is empty.
    pub async fn delete_probe(
        &self,
        writer: &Writer,
        run: &DocRef,
        name: &str,
    ) -> Result<(), Failure> {
        let left = "it stays behind: the command \"delete left probe runs\" tries again";
        let empty = writer
            .reader()
            .check_test_run_empty(run)
            .await
            .map_err(|error| Failure::from(&error))?;
        if !empty {
            return Err(local(
                &format!("deleting the probe run {run}"),
                "it is not empty: somebody has added suites",
                left,
            ));
        }
        let deleting = async { writer.delete_test_run(run).await };
        let params = json!({"testRunDocRef": run.as_str()});
        let request = Request {
            method: "DELETE_TEST_RUN",
            params,
            run: run.as_str(),
            run_name: name,
            note: None,
        };
        let Sent { write, answer, .. } =
            self.written(request, deleting, |done| json!(done)).await?;
        if let Some(error) = answer
            .as_ref()
            .err()
            .filter(|error| !error.outcome_unknown())
        {
            return Err(Failure::from(error));
        }
        let gone = self.confirm(writer, run, name, write, false).await;
        match (gone, answer) {
            (Some(true), _) | (None, Ok(true)) => Ok(()),
            (_, Err(error)) => Err(Failure::from(&error)),
            (gone, Ok(said)) => {
                let seen = if gone.is_some() {
                    "and it is still there"
                } else {
                    "and it could not be read"
                };
                Err(local(
                    &format!("deleting the probe run {run}"),
                    &format!("the service answered {said}, {seen}"),
                    left,
                ))
            }
        }
    }

    /// Reads the run after a write until it is there or gone as it should be, three times at most, and writes down what
    /// was seen. Says whether it is as it should be; nothing where no reading told.
    async fn confirm(
        &self,
        writer: &Writer,
        run: &DocRef,
        name: &str,
        write: WriteId,
        there: bool,
    ) -> Option<bool> {
        let mut seen = None;
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            let (is_there, words) = match writer.reader().get_document(run).await {
                Ok(document) => match document.text("Root.General.Title") {
                    Some(title) if there && title != name => {
                        (false, format!("GET_DOCUMENT shows the title {title:?}"))
                    }
                    _ => (true, "GET_DOCUMENT shows it".to_owned()),
                },
                Err(error) if error.hint() == Some("looks like: not found") => {
                    (false, "GET_DOCUMENT does not find it".to_owned())
                }
                // Neither here nor there: another reading may tell.
                Err(_) => continue,
            };
            seen = Some((is_there == there, words));
            if is_there == there {
                break;
            }
        }
        let (as_it_should_be, words) = seen?;
        let step = if as_it_should_be {
            Step::Confirmed { how: words }
        } else {
            Step::Differs { what: words }
        };
        self.add_step(run.as_str(), name, &write, step).await;
        Some(as_it_should_be)
    }

    /// Sends a request once; a failure means that nothing was sent.
    async fn written<T>(
        &self,
        request: Request<'_>,
        call: impl Future<Output = Result<T, CallError>>,
        result: impl FnOnce(&T) -> Value,
    ) -> Result<Sent<T>, Failure> {
        let method = request.method;
        self.send_once(request, call, result)
            .await
            .map_err(|why| local(method, &why, "see @"))
    }
}

/// Probe runs of a profile that were made and not deleted, by the journal. Blocks.
pub fn left(journal: &Arc<Journal>, profile: &str) -> Vec<DocRef> {
    let filter = JournalFilter {
        profile: Some(profile.to_owned()),
        ..JournalFilter::default()
    };
    let Ok(read) = journal.read(500, &filter) else {
        return Vec::new();
    };
    let made = read.writes.iter().filter_map(made_probe);
    let gone = |run: &DocRef| read.writes.iter().any(|write| deleted(write, run));
    made.filter(|run| !gone(run)).collect()
}

fn made_probe(write: &WriteRecord) -> Option<DocRef> {
    let (method, params) = write.request()?;
    let title = params["document"]["Root"]["General"]["Title"].as_str()?;
    let answer = write.steps.iter().find_map(|step| match &step.step {
        Step::Answered { result } => result["docRef"].as_str(),
        _ => None,
    })?;
    (method == "ADD_DOCUMENT" && title.starts_with(PROBE_MARK))
        .then(|| DocRef::parse(answer).ok())?
}

fn deleted(write: &WriteRecord, run: &DocRef) -> bool {
    let told = write.steps.iter().any(
        |step| matches!(&step.step, Step::Answered { result } if *result == Value::Bool(true)),
    );
    let asked = write.request().is_some_and(|(method, params)| {
        method == "DELETE_TEST_RUN" && params["testRunDocRef"] == run.as_str()
    });
    asked
        && (write.state() == WriteState::Confirmed || told && write.state() != WriteState::Differs)
}
