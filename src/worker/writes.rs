//! What starts a write: only with a profile that may write and a journal to write it down in.

use std::sync::Arc;

use super::changes::Changing;
use super::connection::Connection;
use super::copy::Beside;
use super::undo::cannot;
use super::{Worker, broken, local, lock, send};
use crate::domain::{
    ChangeOutcome, ChangeVerdict, ChunkResult, Create, CreateEnd, Delete, DeleteEnd, DocRef,
    Modify, ModifyEnd, PROBE_MARK, Probe, RunRow, SuiteChange, UndoOf,
};
use crate::rpc::Writer;
use crate::store::{Event, Failure, RequestId};

/// Makes the end of a write out of words.
type End<E> = fn(String) -> E;

impl Worker {
    /// Changes the suites of a run. The requests go on when nobody looks any more; giving up stops the next one.
    pub(super) fn change(&self, id: RequestId, change: SuiteChange) {
        let refuse = |words: &str| {
            self.tell(Event::ChangeStep {
                id,
                step: ChunkResult {
                    words: words.into(),
                    good: false,
                },
            });
            let not_done = change
                .suites
                .iter()
                .map(|(suite, _)| suite.clone())
                .collect();
            let verdict = ChangeVerdict::Differs("nothing was sent".into());
            self.tell(Event::Changed {
                id,
                outcome: ChangeOutcome {
                    done: Vec::new(),
                    not_done,
                    verdict,
                },
            });
        };
        let (writer, changing) = match self.changing(id) {
            Ok(ready) => ready,
            Err(why) => return refuse(&why),
        };
        let (events, running) = (self.events.clone(), self.running.clone());
        tokio::spawn(async move {
            let suites: Vec<_> = change
                .suites
                .iter()
                .map(|(suite, _)| suite.clone())
                .collect();
            // In a task of its own, so that a fault in it is told and not waited for.
            let outcome = tokio::spawn(async move { changing.run(&writer, &change).await })
                .await
                .unwrap_or_else(|error| ChangeOutcome {
                    done: Vec::new(),
                    not_done: suites,
                    verdict: ChangeVerdict::Unread(format!(
                        "a fault in this program ({error}): the journal (@) tells how far it came"
                    )),
                });
            lock(&running).remove(&id);
            send(&events, Event::Changed { id, outcome });
        });
    }

    /// What a write needs: a profile that may write, and a journal.
    fn changing(&self, id: RequestId) -> Result<(Writer, Changing), String> {
        let connection = lock(&self.connection)
            .clone()
            .ok_or("there is no connection yet")?;
        let writer = connection
            .writer()
            .cloned()
            .ok_or("read-only profile: nothing is changed from here")?;
        let state = self
            .state
            .as_ref()
            .map_err(|why| format!("nothing is sent without a journal: {why}"))?;
        let (journal, trash) = (state.journal.clone(), state.trash.clone());
        let stopped = self.register(id);
        Ok((
            writer,
            Changing {
                connection,
                journal,
                trash,
                id,
                stopped,
                events: self.events.clone(),
            },
        ))
    }

    /// Changes fields of a run.
    pub(super) fn modify(&self, id: RequestId, modify: Modify) {
        let work = async |changing: Changing, writer| changing.modify(writer, modify).await;
        self.write(id, work, (ModifyEnd::Not, ModifyEnd::Unknown), move |end| {
            Event::Modified { id, end }
        });
    }

    /// Deletes a run.
    pub(super) fn delete(&self, id: RequestId, delete: Delete) {
        let work = async |changing: Changing, writer| changing.delete(writer, delete).await;
        self.write(id, work, (DeleteEnd::Not, DeleteEnd::Unknown), move |end| {
            Event::Deleted { id, end }
        });
    }

    /// Starts a write that comes to one end: not sent, broken off, or what it says itself.
    fn write<E, F>(
        &self,
        id: RequestId,
        work: impl FnOnce(Changing, Writer) -> F,
        (not, unknown): (End<E>, End<E>),
        event: impl FnOnce(E) -> Event + Send + 'static,
    ) where
        E: Send + 'static,
        F: Future<Output = E> + Send + 'static,
    {
        let (events, running) = (self.events.clone(), self.running.clone());
        match self.changing(id) {
            Ok((writer, changing)) => {
                let work = tokio::spawn(work(changing, writer));
                tokio::spawn(async move {
                    let end = work.await.unwrap_or_else(|error| {
                        unknown(format!("a fault in this program ({error}): the journal (@) tells how far it came"))
                    });
                    lock(&running).remove(&id);
                    send(&events, event(end));
                });
            }
            Err(why) => self.tell(event(not(why))),
        }
    }

    /// Saves a copy of a run; needs no right to write.
    pub(super) fn save_copy(
        &self,
        id: RequestId,
        run: RunRow,
        suites: Vec<(DocRef, String)>,
        known: String,
    ) {
        let event = move |result| Event::CopySaved { id, result };
        match &self.state {
            Ok(state) => {
                let trash = state.trash.clone();
                self.call(id, event, async move |connection: Arc<Connection>| {
                    let doc_ref = run.doc_ref.clone();
                    connection
                        .save_copy(
                            trash,
                            &doc_ref,
                            Beside {
                                row: Some(run),
                                suites,
                                known,
                            },
                        )
                        .await
                });
            }
            Err(why) => self.tell(event(Err(local(
                "saving a copy of the run",
                why,
                "nothing is deleted without one",
            )))),
        }
    }

    /// Looks for runs whose answer was lost.
    pub(super) fn look_for(&self, id: RequestId, titles: Vec<String>, since: i64) {
        // Without the journal runs are found, too, that are known to be others: a person decides.
        let journal = self.journal().ok();
        let look = async move |connection: Arc<Connection>| {
            connection.look_again(journal, &titles, since).await
        };
        self.call(id, move |result| Event::LookedFor { id, result }, look);
    }

    /// Asks whether a run is empty.
    pub(super) fn check_empty(&self, id: RequestId, run: DocRef) {
        let check = async move |connection: Arc<Connection>| {
            connection
                .reader()
                .check_test_run_empty(&run)
                .await
                .map_err(|error| Failure::from(&error))
        };
        self.call(id, move |result| Event::Emptiness { id, result }, check);
    }

    /// Works out how a write can be taken back.
    pub(super) fn plan_undo(&self, id: RequestId, of: UndoOf) {
        let event = move |result| Event::UndoPlanned { id, result };
        match self.journal() {
            Ok(journal) => {
                let plan = async move |connection: Arc<Connection>| {
                    connection.plan_undo(journal, of).await
                };
                self.call(id, event, plan);
            }
            Err(why) => self.tell(event(Err(cannot(&why)))),
        }
    }

    /// Makes new runs. Where nothing may be written, each is told as not made.
    pub(super) fn create(&self, id: RequestId, create: Create) {
        let (events, running) = (self.events.clone(), self.running.clone());
        match self.changing(id) {
            Ok((writer, changing)) => {
                tokio::spawn(async move {
                    changing.create(writer, create).await;
                    lock(&running).remove(&id);
                });
            }
            Err(why) => {
                for number in 0..create.runs.len() {
                    send(
                        &events,
                        Event::Created {
                            id,
                            number,
                            end: CreateEnd::Not(why.clone()),
                        },
                    );
                }
            }
        }
    }

    pub(super) fn probe(&self, id: RequestId, probe: Probe) {
        let (events, running) = (self.events.clone(), self.running.clone());
        match self.changing(id) {
            Ok((writer, changing)) => {
                tokio::spawn(async move {
                    let result = tokio::spawn(changing.probe(writer, probe)).await;
                    lock(&running).remove(&id);
                    let result = result.unwrap_or_else(|error| Err(broken(&error)));
                    send(&events, Event::Surveyed { id, result });
                });
            }
            Err(why) => {
                send(
                    &events,
                    Event::Surveyed {
                        id,
                        result: Err(local("the probe run", &why, "nothing was sent")),
                    },
                );
            }
        }
    }

    /// Deletes probe runs that were left behind, one after the other; giving up stops before the next one. Those that are
    /// still there are told before the end.
    pub(super) fn delete_probes(&self, id: RequestId, runs: Vec<DocRef>) {
        let (events, running) = (self.events.clone(), self.running.clone());
        let (writer, changing) = match self.changing(id) {
            Ok(ready) => ready,
            Err(why) => {
                self.tell(Event::Trouble(local(
                    "deleting probe runs",
                    &why,
                    "nothing was sent",
                )));
                self.tell(Event::ProbesLeft(runs));
                return self.tell(Event::ProbesDeleted(id));
            }
        };
        let work = tokio::spawn(async move {
            let mut left = Vec::new();
            for run in runs {
                if changing.stopped.is_cancelled() {
                    left.push(run);
                } else if let Err(failure) = changing.delete_probe(&writer, &run, PROBE_MARK).await
                {
                    send(&changing.events, Event::Trouble(failure));
                    left.push(run);
                }
            }
            if !left.is_empty() {
                changing.connection.tell(Event::ProbesLeft(left));
            }
        });
        tokio::spawn(async move {
            if let Err(error) = work.await {
                send(&events, Event::Trouble(broken(&error)));
            }
            lock(&running).remove(&id);
            send(&events, Event::ProbesDeleted(id));
        });
    }
}
