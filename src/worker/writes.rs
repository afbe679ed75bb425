//! Starts writes: only with a profile that may write and a journal.

use super::fault;
use super::prelude::*;
use crate::domain::{ChunkResult, Create, Created, Modify, Outcome, Probe, SuiteChange, Why};
use crate::ops::steps::carry_out;
use crate::ops::unfinished::cannot;
use crate::ops::{
    ASKED_AGAIN, ChangingSuites, Creating, Deleting, Do, One, Operation, Probing, Progress, Step,
    Tell, Writing,
};

impl Worker {
    pub(super) fn save(&self, id: RequestId, modify: Box<Modify>) {
        let save = One::new(Step::Save(modify));
        let end = move |_, end| vec![Event::Answer(id, Answer::Modified(end))];
        self.operate((id, None), save, |_| Vec::new(), end);
    }

    pub(super) fn delete(&self, id: RequestId, deleting: Deleting) {
        let progress = move |deleting: &Deleting| {
            let deleting = Box::new(deleting.clone());
            vec![Answer::Deleting(deleting)]
        };
        self.operate((id, None), deleting, progress, move |_, end| {
            vec![Event::Answer(id, Answer::Deleted(end))]
        });
    }

    pub(super) fn change(&self, id: RequestId, change: SuiteChange) {
        let (job, mut reported) = (change.goes_on.clone(), 0);
        let step = move |change: &ChangingSuites| chunks(&change.steps, &mut reported);
        let end = move |_, outcome| vec![Event::Answer(id, Answer::Changed(outcome))];
        self.operate((id, job), ChangingSuites::new(change), step, end);
    }

    /// Reads what is left of a change without an end.
    pub(super) fn read_unfinished(&self, id: RequestId, job: String) {
        let writing = self.writing(id);
        self.read(id, Answer::UnfinishedRead, async move |_, _| {
            let writing = writing.map_err(|why| cannot(&why))?;
            writing.read_unfinished(&job, true).await
        });
    }

    /// Stops offering a change without an end.
    pub(super) fn let_be(&self, job: String) {
        let state = self.state.clone();
        self.aside(move || {
            let done = state.get().and_then(|state| {
                let done = state.under_way.let_be(&job);
                done.map_err(|error| error.to_string())
            });
            let failed = |why: String| local("leaving a change as it is", &why, ASKED_AGAIN);
            done.err()
                .map(failed)
                .map(Event::Trouble)
                .into_iter()
                .collect()
        });
    }

    pub(super) fn create(&self, id: RequestId, create: Create) {
        let (mut reported, mut told) = (0, 0);
        let step = move |creating: &Creating| {
            let mut answers = chunks(&creating.steps, &mut reported);
            let new = creating.ended[told..].iter().cloned();
            answers.extend(new.map(Box::new).map(Answer::Created));
            told = creating.ended.len();
            answers
        };
        let end = move |creating, run| match creating {
            // Each run was reported already, except after a panic.
            Some(_) => Vec::new(),
            None => {
                let end = Box::new(Created { run, suites: None });
                vec![Event::Answer(id, Answer::Created(end))]
            }
        };
        self.operate((id, None), Creating::new(create), step, end);
    }

    pub(super) fn probe(&self, id: RequestId, probe: Probe) {
        self.operate(
            (id, None),
            Probing::new(probe),
            |_| Vec::new(),
            move |probing, outcome| {
                let failed = || Err(local("the probe run", &outcome.why, "my changes show it"));
                let left = probing.as_ref().and_then(Probing::left);
                let gone = probing.as_ref().and_then(Probing::gone).cloned();
                let surveyed = probing.and_then(|probing| probing.surveyed);
                let result = surveyed.unwrap_or_else(failed);
                let mut events = Vec::from_iter(left.map(Event::Trouble));
                events.extend(gone.map(Event::ProbeGone));
                events.push(Event::Answer(id, Answer::Surveyed(result)));
                events
            },
        );
    }

    /// Carries out an operation. It continues without any screen; cancelling stops its next request. If nothing may be
    /// written, it ends before its first step; a panic is reported. `job` is the unfinished change to which it belongs.
    fn operate<O: Operation + Send + 'static>(
        &self,
        (id, job): (RequestId, Option<String>),
        mut operation: O,
        mut progress: impl FnMut(&O) -> Vec<Answer> + Send + 'static,
        end: impl FnOnce(Option<O>, Outcome) -> Vec<Event> + Send + 'static,
    ) {
        let (events, running) = (self.events.clone(), self.running.clone());
        let writing = self.writing(id);
        let drafts = self.drafts_done();
        let work = tokio::spawn(async move {
            // A form is marked as sent on the disk before its request leaves. Without drafts nothing is waited for.
            let _ = drafts.await;
            let mut tell = |operation: &O| {
                for answer in progress(operation) {
                    send(&events, Event::Answer(id, answer));
                }
            };
            let writing = match (writing, job) {
                (Ok(writing), Some(job)) => writing.resume(&job).await.map(|()| writing),
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
                        Do::Step(_) | Do::Ask => Outcome::not_sent(Why::Impossible, why),
                    }
                }
            };
            (operation, outcome)
        });
        let (events, scoped) = (self.events.clone(), self.scoped());
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
                match event {
                    Event::ProbeGone(_) => scoped.send(event),
                    event => send(&events, event),
                }
            }
        });
    }

    /// Returns everything needed to write: a profile that may write, and a journal.
    fn writing(&self, id: RequestId) -> Result<Writing, String> {
        let connection = lock(&self.connection).clone();
        let connection = connection.ok_or("there is no connection yet")?;
        let (state, tell) = (self.state.folder(), tell(id, self.events.clone()));
        connection.writing(state, self.register(id), tell)
    }
}

/// Returns the lines of requests that were not reported yet.
fn chunks(steps: &[ChunkResult], reported: &mut usize) -> Vec<Answer> {
    let new = steps[*reported..].iter().cloned();
    *reported = steps.len();
    new.map(Answer::ChangeStep).collect()
}

/// Sends the progress of a request as events.
pub(super) fn tell(id: RequestId, events: Events) -> Tell {
    Arc::new(move |progress| {
        let answer = match progress {
            Progress::Survey(words) => Answer::SurveyProgress(words),
            Progress::Received {
                received,
                full_size,
            } => Answer::Received {
                received,
                full_size,
            },
            Progress::Trouble(failure) => return send(&events, Event::Trouble(failure)),
        };
        send(&events, Event::Answer(id, answer));
    })
}
