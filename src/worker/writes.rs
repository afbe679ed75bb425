//! What starts a write: only with a profile that may write and a journal to write it down in.

use super::{Events, Worker, fault, lock, send};
use crate::disk::Held;
use crate::domain::{
    ChunkResult, Create, Created, DocRef, Failure, Modify, Outcome, Probe, SuiteChange, Why,
};
use crate::ops::create::Creating;
use crate::ops::delete::Deleting;
use crate::ops::probe::{Clearing, Probing};
use crate::ops::steps::carry_out;
use crate::ops::suites::ChangingSuites;
use crate::ops::write::{Progress, Tell, Writing};
use crate::ops::{Do, One, Operation, Step, local};
use crate::store::{Event, RequestId};

impl Worker {
    pub(super) fn save(&self, id: RequestId, modify: Box<Modify>) {
        let save = One::new(Step::Save(modify));
        self.operate(
            (id, None),
            save,
            |_| Vec::new(),
            move |_, end| vec![Event::Modified { id, end }],
        );
    }

    pub(super) fn delete(&self, id: RequestId, deleting: Deleting) {
        let progress = move |deleting: &Deleting| {
            let deleting = Box::new(deleting.clone());
            vec![Event::Deleting { id, deleting }]
        };
        self.operate((id, None), deleting, progress, move |_, end| {
            vec![Event::Deleted { id, end }]
        });
    }

    /// `job` is a change without an end that this goes on with.
    pub(super) fn change(&self, id: RequestId, change: SuiteChange, job: Option<String>) {
        let mut reported = 0;
        let step = move |change: &ChangingSuites| chunks(id, &change.steps, &mut reported);
        let end = move |_, outcome| vec![Event::Changed { id, outcome }];
        self.operate((id, job), ChangingSuites::new(change), step, end);
    }

    /// Reads what is left of a change without an end.
    pub(super) fn look_at_rest(&self, id: RequestId, job: String) {
        let writing = self.writing(id);
        self.read(
            id,
            move |result| Event::RestRead { id, result },
            async move |_, _| {
                let asked = "going on with a change";
                let (_, writing) =
                    writing.map_err(|why| local(asked, &why, "my changes show it"))?;
                writing.look_at_rest(&job, true).await
            },
        );
    }

    /// A change without an end is not asked about any more.
    pub(super) fn let_be(&self, job: String) {
        let (events, state) = (self.events.clone(), self.state.clone());
        tokio::task::spawn_blocking(move || {
            let held = state.and_then(|state| {
                let held = state.under_way.take(&job);
                held.and_then(|held| held.map_or(Ok(()), Held::over))
                    .map_err(|error| error.to_string())
            });
            if let Err(why) = held {
                let remedy = "the next start asks about it once more";
                send(
                    &events,
                    Event::Trouble(local("leaving a change as it is", &why, remedy)),
                );
            }
        });
    }

    pub(super) fn create(&self, id: RequestId, create: Create) {
        let (mut reported, mut told) = (0, 0);
        let mut step = move |creating: &Creating| {
            let mut events = chunks(id, &creating.steps, &mut reported);
            for created in &creating.ended[told..] {
                let end = Box::new(created.clone());
                events.push(Event::Created { id, end });
                told += 1;
            }
            events
        };
        self.operate(
            (id, None),
            Creating::new(create),
            move |creating| step(creating),
            move |creating, run| {
                // What came of each is told; but for a fault.
                let suites = None;
                match creating {
                    Some(_) => Vec::new(),
                    None => vec![Event::Created {
                        id,
                        end: Box::new(Created { run, suites }),
                    }],
                }
            },
        );
    }

    pub(super) fn probe(&self, id: RequestId, probe: Probe) {
        self.operate(
            (id, None),
            Probing::new(probe),
            |_| Vec::new(),
            move |probing, outcome| {
                let failed = || Err(local("the probe run", &outcome.why, "my changes show it"));
                let surveyed = probing
                    .as_ref()
                    .and_then(|probing| probing.surveyed.clone());
                let result = surveyed.unwrap_or_else(failed);
                let left = probing.and_then(|probing| probing.left());
                let mut events = left_behind(left.map(|(run, why)| (run, Some(why))));
                events.push(Event::Surveyed { id, result });
                events
            },
        );
    }

    /// Deletes probe runs that were left behind, one after the other. Those that are still there are told before the end.
    pub(super) fn delete_probes(&self, id: RequestId, runs: Vec<DocRef>) {
        self.operate(
            (id, None),
            Clearing::new(runs),
            |_| Vec::new(),
            move |clearing, outcome| {
                let mut events = match clearing {
                    Some(clearing) => left_behind(clearing.left),
                    None => vec![Event::Trouble(local(
                        "deleting probe runs",
                        &outcome.why,
                        "my changes show it",
                    ))],
                };
                events.push(Event::ProbesDeleted(id));
                events
            },
        );
    }

    /// Carries out an operation. It goes on when nobody looks any more; giving up stops its next request. Where nothing
    /// may be written, it ends before its first step; a fault in it is told and not waited for. `job` is a change that was
    /// left, which this is a part of.
    fn operate<O: Operation + Send + 'static>(
        &self,
        (id, job): (RequestId, Option<String>),
        mut operation: O,
        mut progress: impl FnMut(&O) -> Vec<Event> + Send + 'static,
        end: impl FnOnce(Option<O>, Outcome) -> Vec<Event> + Send + 'static,
    ) {
        let (events, running) = (self.events.clone(), self.running.clone());
        let (connection, writing) = match self.writing(id) {
            Ok((connection, writing)) => (Some(connection), Ok(writing)),
            Err(why) => (None, Err(why)),
        };
        let work = tokio::spawn(async move {
            let mut tell = |operation: &O| {
                for event in progress(operation) {
                    send(&events, event);
                }
            };
            let writing = match (writing, job) {
                (Ok(writing), Some(job)) => writing.take_up(&job).await.map(|()| writing),
                (writing, _) => writing,
            };
            let outcome = match writing {
                Ok(writing) => carry_out(&writing, &mut operation, &mut tell, |_| false).await,
                Err(why) => {
                    operation.stop(Why::Impossible, &why);
                    let end = operation.next();
                    tell(&operation);
                    match end {
                        Do::End(outcome) => outcome,
                        Do::Step(_) | Do::Ask(_) => Outcome::not_sent(Why::Impossible, why),
                    }
                }
            };
            (operation, outcome)
        });
        let events = self.events.clone();
        tokio::spawn(async move {
            let last = match work.await {
                Ok((operation, outcome)) => end(Some(operation), outcome),
                Err(error) => {
                    let why = format!("{}: my changes tell how far it came", fault(&error));
                    end(None, Outcome::unknown(why))
                }
            };
            lock(&running).remove(&id);
            for event in last {
                match (&connection, event) {
                    (Some(connection), Event::ProbesLeft(runs)) => {
                        connection.tell(Event::ProbesLeft(runs));
                    }
                    (_, event) => send(&events, event),
                }
            }
        });
    }

    /// What a write needs: a profile that may write, and a journal.
    fn writing(
        &self,
        id: RequestId,
    ) -> Result<(std::sync::Arc<super::Connection>, Writing), String> {
        let connection = lock(&self.connection)
            .clone()
            .ok_or("there is no connection yet")?;
        let writer = connection
            .writer
            .clone()
            .ok_or("read-only profile: nothing is changed from here")?;
        let state = self.state.as_ref().map_err(|why| {
            format!("nothing is sent, because it cannot be written down first: {why}")
        })?;
        let (client, tell) = (connection.client.clone(), tell(id, self.events.clone()));
        let writing = Writing::new(client, writer, state, self.register(id), tell);
        Ok((connection, writing))
    }
}

/// The lines of requests that were not told yet.
fn chunks(id: RequestId, steps: &[ChunkResult], reported: &mut usize) -> Vec<Event> {
    let new = steps[*reported..].iter().cloned();
    *reported = steps.len();
    new.map(|step| Event::ChangeStep { id, step }).collect()
}

/// Probe runs that are still there, with why.
fn left_behind(left: impl IntoIterator<Item = (DocRef, Option<Failure>)>) -> Vec<Event> {
    let (runs, failures): (Vec<_>, Vec<_>) = left.into_iter().unzip();
    let mut events: Vec<Event> = failures.into_iter().flatten().map(Event::Trouble).collect();
    if !runs.is_empty() {
        events.push(Event::ProbesLeft(runs));
    }
    events
}

/// What is told of a request while it is under way, as events.
pub fn tell(id: RequestId, events: Events) -> Tell {
    std::sync::Arc::new(move |progress| {
        send(
            &events,
            match progress {
                Progress::Survey(words) => Event::SurveyProgress { id, words },
                Progress::Received {
                    received,
                    full_size,
                } => Event::Received {
                    id,
                    received,
                    full_size,
                },
                Progress::Trouble(failure) => Event::Trouble(failure),
            },
        );
    })
}
