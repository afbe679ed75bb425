//! The probe run: made, read, deleted, each step written down first. What is left behind is found by the journal.

use std::sync::Arc;

use serde_json::{Value, json};

use super::changes::Changing;
use super::written::Request;
use super::{local, send};
use crate::attached::{Attached, Cache};
use crate::disk::{Journal, JournalFilter, Step, WriteRecord, WriteState};
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
        let request = Request { method: "ADD_DOCUMENT", params, run: "", run_name: &probe.run.title, note: None };
        let made = self.written(request, made, |run| json!({"docRef": run.as_str()})).await?;
        // What was kept of earlier readings knows nothing of the new run.
        self.connection.set_cache(Cache::default());
        let given = (Vec::new(), Some(made.clone()));
        let surveyed = self.connection.survey(&probe.target, given, Some(&self.journal), self.id, &self.events).await;
        if let Err(failure) = self.delete_probe(&writer, &made, &probe.run.title).await {
            send(&self.events, Event::Trouble(failure));
            send(&self.events, Event::ProbesLeft(vec![made]));
        }
        surveyed
    }

    /// Sends a request once; a failure says what was asked.
    async fn written<T>(
        &self,
        request: Request<'_>,
        call: impl Future<Output = Result<T, CallError>>,
        result: impl FnOnce(&T) -> Value,
    ) -> Result<T, Failure> {
        let method = request.method;
        let sent = self.send_once(request, call, result).await.map_err(|why| local(method, &why, "see @"))?;
        sent.answer.map_err(|error| Failure::from(&error))
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
        let request = Request { method: "DELETE_TEST_RUN", params, run: run.as_str(), run_name: name, note: None };
        let deleted = self.written(request, deleting, |done| json!(done)).await?;
        if deleted {
            Ok(())
        } else {
            Err(local(&format!("deleting the probe run {run}"), "the service answered false", left))
        }
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
