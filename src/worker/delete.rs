//! Deleting a run: only one that the service calls empty, only with a copy, and gone only when reading says so.

use serde_json::json;

use super::changes::Changing;
use super::copy::Beside;
use super::written::{READINGS, Request, note, refused};
use crate::disk::Step;
use crate::domain::{Delete, DeleteEnd, DocRef, Document, Filter, Page};
use crate::rpc::{CallErrorKind, Writer};

/// What `GET_DOCUMENT` says of a run that should be gone.
enum Read {
    There,
    /// An error whose code is known to mean so.
    NotFound,
    /// An error of the service, in words; what its code means is not documented.
    Refused(String),
    Unread(String),
}

/// What the list of runs says of it.
enum Listed {
    There,
    Absent,
    /// The list could not be asked, in words.
    Unsure(String),
}

impl Changing {
    /// Deletes a run, if the service says that it is empty, and reads that it is gone.
    pub async fn delete(self, writer: Writer, delete: Delete) -> DeleteEnd {
        let (document, copy) = match self.may_delete(&delete).await {
            Ok(ready) => ready,
            Err(why) => return DeleteEnd::Not(why),
        };
        if self.stopped.is_cancelled() {
            return DeleteEnd::Not("not sent, stopped by Ctrl-c".into());
        }
        let request = Request {
            method: "DELETE_TEST_RUN",
            params: delete.params(),
            run: delete.run.as_str(),
            run_name: &delete.run_name,
            note: note([("copy", Some(json!(copy)))], delete.undo_of.as_ref()),
        };
        let call = async { writer.delete_test_run(&delete.run).await };
        let sent = match self.send_once(request, call, |done| json!(done)).await {
            Ok(sent) => sent,
            Err(why) => return DeleteEnd::Not(why),
        };
        let told = match sent.answer {
            Ok(told) => Ok(told),
            Err(error) if error.outcome_unknown() => Err(error.came_back()),
            Err(error) => return DeleteEnd::Not(refused(&error)),
        };
        let (end, step) = self.read_gone(&delete.run, &document, told).await;
        if let Some(step) = step {
            self.add_step(delete.run.as_str(), &delete.run_name, &sent.write, step)
                .await;
        }
        end
    }

    /// The run and the file of its copy, if the service says that it is empty; else why not.
    async fn may_delete(&self, delete: &Delete) -> Result<(Document, String), String> {
        let reader = self.connection.reader();
        let unread = |error: crate::rpc::CallError| {
            format!("not sent: {} {}", error.sentence(), error.remedy())
        };
        let document = reader.get_document(&delete.run).await.map_err(unread)?;
        if !reader
            .check_test_run_empty(&delete.run)
            .await
            .map_err(unread)?
        {
            return Err(
                if document.text("Root.General.Status").as_deref() == Some("inactive") {
                    "not sent: the run is closed and not empty. Suites of a closed run cannot be removed through this \
                 interface, so it cannot be deleted from here."
                    .into()
                } else {
                    "not sent: the service says that the run is not empty. Its suites have to go first.".into()
                },
            );
        }
        if let Some(copy) = &delete.copy {
            return Ok((document, copy.clone()));
        }
        let beside = Beside {
            row: None,
            suites: Vec::new(),
            known: "none: the service says that it is empty".into(),
        };
        let saved = self
            .connection
            .save_copy(self.trash.clone(), &delete.run, beside)
            .await;
        let copy = saved
            .map_err(|failure| format!("not sent: {}: {}", failure.asked, failure.came_back))?;
        Ok((document, copy.file))
    }

    /// Reads until the run is gone, three times at most. `told` is what the service answered, or why that was lost.
    async fn read_gone(
        &self,
        run: &DocRef,
        document: &Document,
        told: Result<bool, String>,
    ) -> (DeleteEnd, Option<Step>) {
        let mut last = (
            Read::Unread("it was not read".into()),
            Listed::Unsure("it was not asked".into()),
        );
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            last = (
                self.read_deleted(run).await,
                self.list_deleted(run, document).await,
            );
            let gone = matches!(last, (Read::NotFound, Listed::Absent));
            if gone || matches!((&told, &last.0), (Ok(false), Read::There)) {
                break;
            }
        }
        judge(told, &last.0, &last.1)
    }

    async fn read_deleted(&self, run: &DocRef) -> Read {
        match self.connection.reader().get_document(run).await {
            Ok(_) => Read::There,
            Err(error) if error.hint() == Some("looks like: not found") => Read::NotFound,
            Err(error) if matches!(error.kind, CallErrorKind::Service(_)) => {
                Read::Refused(error.came_back())
            }
            Err(error) => Read::Unread(error.came_back()),
        }
    }

    async fn list_deleted(&self, run: &DocRef, document: &Document) -> Listed {
        let Some(id) = document.text("Root.General.Id") else {
            return Listed::Unsure("the list cannot be asked for it: it had no short id".into());
        };
        match self
            .connection
            .lister()
            .list(Page::BY_ID, &[], &Filter::by_id(&id))
            .await
        {
            Ok(page) if page.row_of(run).is_some() => Listed::There,
            Ok(page) if page.rules_out(run, &id) => Listed::Absent,
            Ok(_) => Listed::Unsure("the list does not filter by id".into()),
            Err(error) => {
                Listed::Unsure(format!("the list could not be read: {}", error.came_back()))
            }
        }
    }
}

/// What answer and readings together say, and how the journal puts it.
fn judge(told: Result<bool, String>, read: &Read, listed: &Listed) -> (DeleteEnd, Option<Step>) {
    let seen = seen(read, listed);
    let gone = |how: String| (DeleteEnd::Gone(how.clone()), Some(Step::Confirmed { how }));
    let not = |what: String| (DeleteEnd::Not(what.clone()), Some(Step::Differs { what }));
    let odd = |what: String| {
        (
            DeleteEnd::Unknown(what.clone()),
            Some(Step::Differs { what }),
        )
    };
    let open = |what: String| (DeleteEnd::Unknown(what), None);
    match (told, read, listed) {
        (Ok(true), Read::NotFound, Listed::Absent | Listed::Unsure(_))
        | (Ok(true), Read::Refused(_), Listed::Absent) => gone(seen),
        (Ok(true), Read::There, _) | (Ok(true), _, Listed::There) => {
            odd(format!("the service answered true, but: {seen}"))
        }
        (Ok(true), Read::Unread(_) | Read::Refused(_), _) => open(format!(
            "the service answered true; whether it is gone could not be found out: {seen}"
        )),
        (Ok(false), Read::NotFound | Read::Refused(_), Listed::Absent) => {
            odd(format!("the service answered false, yet: {seen}"))
        }
        (Ok(false), _, _) => not(format!(
            "the service answered false: nothing was deleted; {seen}"
        )),
        (Err(_), Read::NotFound, Listed::Absent) => {
            gone(format!("by reading: the answer was lost; {seen}"))
        }
        (Err(why), Read::There, Listed::There | Listed::Unsure(_)) => not(format!(
            "the answer was lost ({why}), and after three readings {seen}: the service did not act"
        )),
        (Err(why), _, _) => open(format!(
            "{why}; whether it is gone could not be found out: {seen}"
        )),
    }
}

/// What the last readings say, in words.
fn seen(read: &Read, listed: &Listed) -> String {
    let read = match read {
        Read::There => "the run can still be read",
        Read::NotFound => "the run is not found any more",
        Read::Refused(why) | Read::Unread(why) => &format!("the run could not be read ({why})"),
    };
    let listed = match listed {
        Listed::There => "the list shows it",
        Listed::Absent => "the list does not show it",
        Listed::Unsure(why) => why,
    };
    format!("{read}, {listed}")
}
