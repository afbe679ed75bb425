//! The probe run: made, read, deleted, each step written down first. What is left behind is found by the journal.

use std::sync::Arc;

use serde_json::{Value, json};

use super::changes::Changing;
use super::suites::now;
use super::{local, send};
use crate::attached::Attached;
use crate::disk::{Journal, JournalFilter, Step, WriteId, WriteRecord, WriteState};
use crate::model::{DocRef, PROBE_MARK, Probe, TEST_RUN_MODEL};
use crate::rpc::{CallError, Writer};
use crate::store::{Event, Failure};

impl Changing {
    /// Makes the probe run, works out the suites of its target, and deletes the probe whatever came of that.
    pub async fn probe(self, writer: Writer, probe: Probe) -> Result<Box<Attached>, Failure> {
        let locale = self.connection.locale();
        let params =
            json!({"document": probe.run.to_document(), "documentModelName": TEST_RUN_MODEL, "locale": locale});
        let made = async { writer.add_document(&probe.run, &locale).await };
        let made = self
            .written("ADD_DOCUMENT", params, "", &probe.run.title, made, |run| json!({"docRef": run.as_str()}))
            .await?;
        let given = (Vec::new(), Some(made.clone()));
        let surveyed = self.connection.survey(&probe.target, given, Some(&self.journal), self.id, &self.events).await;
        if let Err(failure) = self.delete_probe(&writer, &made, &probe.run.title).await {
            send(&self.events, Event::Trouble(failure));
            send(&self.events, Event::ProbesLeft(vec![made]));
        }
        surveyed
    }

    /// Deletes a probe run, if the service says that it is empty.
    pub async fn delete_probe(&self, writer: &Writer, run: &DocRef, name: &str) -> Result<(), Failure> {
        let left = "it stays behind: the command \"delete left probe runs\" tries again";
        let empty = writer.reader().check_test_run_empty(run).await.map_err(|error| Failure::from(&error))?;
        if !empty {
            return Err(local(
                &format!("deleting the probe run {run}"),
                "it is not empty: somebody has added suites",
                left,
            ));
        }
        let deleting = async { writer.delete_test_run(run).await };
        let params = json!({"testRunDocRef": run.as_str()});
        let deleted = self.written("DELETE_TEST_RUN", params, run.as_str(), name, deleting, |done| json!(done)).await?;
        if deleted {
            Ok(())
        } else {
            Err(local(&format!("deleting the probe run {run}"), "the service answered false", left))
        }
    }

    /// Writes a request down, sends it once, and writes its answer down.
    async fn written<T>(
        &self,
        method: &str,
        params: Value,
        run: &str,
        name: &str,
        call: impl Future<Output = Result<T, CallError>>,
        result: impl FnOnce(&T) -> Value,
    ) -> Result<T, Failure> {
        let write = WriteId::new(now());
        let problem = |problem: String| {
            local(method, &format!("not sent, because it could not be written down first: {problem}"), "see @")
        };
        let sent = Step::Sent { method: method.into(), params, note: None };
        self.write_down(run, name, write.clone(), sent).await.map_err(problem)?;
        let answer = call.await;
        let step = match &answer {
            Ok(value) => Step::Answered { result: result(value) },
            Err(error) if error.outcome_unknown() => Step::Unknown { failure: error.sentence() },
            Err(error) => Step::Refused { failure: error.sentence() },
        };
        if let Err(problem) = self.write_down(run, name, write, step).await {
            send(&self.events, Event::Trouble(local("the journal", &problem, "see @")));
        }
        answer.map_err(|error| Failure::from(&error))
    }
}

/// Probe runs of a profile that were made and not deleted, by the journal. Blocks.
pub fn left(journal: &Arc<Journal>, profile: &str) -> Vec<DocRef> {
    let filter = JournalFilter { profile: Some(profile.to_owned()), ..JournalFilter::default() };
    let Ok(read) = journal.read(500, &filter) else { return Vec::new() };
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
    (method == "ADD_DOCUMENT" && title.starts_with(PROBE_MARK)).then(|| DocRef::parse(answer).ok())?
}

fn deleted(write: &WriteRecord, run: &DocRef) -> bool {
    let told =
        write.steps.iter().any(|step| matches!(&step.step, Step::Answered { result } if *result == Value::Bool(true)));
    let asked = write
        .request()
        .is_some_and(|(method, params)| method == "DELETE_TEST_RUN" && params["testRunDocRef"] == run.as_str());
    asked && told && write.state() != WriteState::Differs
}
