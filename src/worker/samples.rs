//! Samples of runs, kept and read. One task takes the requests in order, so that no sample overtakes an older one and
//! readers find all earlier ones; the database is opened with the first request.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use tokio::sync::oneshot;

use super::broken;
use super::export::export;
use super::prelude::*;
use crate::domain::{Sample, View};
use crate::forecast::{self, Calibration, History, Settings, SumRun, WhatIf};
use crate::mirror::OwnRecord;
use crate::profile::{calibration, forecast_settings};
use crate::samples::{Counts, DatabaseError, Samples};
use crate::store::{SampleRequest, SampleWrite};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// Longest time shown by a burn-up, in milliseconds: three weeks.
const CHART: i64 = 21 * DAY;
/// Columns of a burn-up: more than a terminal has, so that narrower ones select from them.
const COLUMNS: usize = 256;
/// Most changes of counts reported.
const MOVED: usize = 100;
/// Shortest time shown by a burn-up, in milliseconds: a quarter of an hour.
const SHORTEST: i64 = 900_000;

/// A job, and the profile of its samples.
pub type QueuedSampleJob = (Arc<Profile>, SampleJob);

/// A request about samples, with an answer or without.
pub enum SampleJob {
    Read(RequestId, SampleRequest),
    Write(SampleWrite),
    /// Answered once all earlier jobs are done.
    Close(oneshot::Sender<()>),
}

/// Returns the event for a job that cannot be carried out, `None` if it has no answer.
fn refused(job: &SampleJob, failure: Failure) -> Option<Event> {
    let (id, request) = match job {
        SampleJob::Read(id, request) => (id, request),
        SampleJob::Write(SampleWrite::Export { .. }) => return Some(Event::Trouble(failure)),
        SampleJob::Write(_) | SampleJob::Close(_) => return None,
    };
    let answer = match request {
        SampleRequest::History { .. } => Answer::History(Err(failure)),
        SampleRequest::WhatIf { .. } => Answer::WhatIf(Err(failure)),
        SampleRequest::Calibration => Answer::Calibration(None),
        SampleRequest::Finish { .. } => Answer::Finish(None),
        SampleRequest::Due => Answer::Due(None),
        SampleRequest::Views => Answer::Views(None),
    };
    Some(Event::Answer(*id, answer))
}

/// Returns the runs whose counts a job reads.
pub fn runs_of(job: &SampleJob) -> Vec<DocRef> {
    match job {
        SampleJob::Read(_, SampleRequest::History { run } | SampleRequest::WhatIf { run, .. }) => {
            vec![run.clone()]
        }
        SampleJob::Read(_, SampleRequest::Finish { runs }) => {
            runs.iter().map(|it| it.run.clone()).collect()
        }
        SampleJob::Write(SampleWrite::Export { runs }) => {
            runs.iter().map(|(_, run)| run.clone()).collect()
        }
        SampleJob::Read(..) | SampleJob::Write(_) | SampleJob::Close(_) => Vec::new(),
    }
}

/// Starts the task; it ends once the sender is dropped.
pub fn start(
    state: &State,
    events: Events,
    complained: Complained,
) -> UnboundedSender<QueuedSampleJob> {
    let (jobs, waiting) = unbounded_channel();
    let mut store = SampleStore {
        state: state.clone(),
        samples: None,
        pruned: 0,
        complained,
        calibrated: None,
    };
    tokio::spawn(run_jobs(
        move |job, events: &Events| store.take(job, events),
        events,
        waiting,
    ));
    jobs
}

impl Worker {
    /// Sends a request about the samples of the profile in use.
    pub(super) fn ask_samples(&self, job: SampleJob) {
        if let Some(runs) = &self.runs {
            runs.ask_samples(job);
        } else if let Some(event) = refused(&job, unread("there is no connection yet")) {
            self.tell(event);
        }
    }
}

/// Runs the jobs in order. After a panic the next one is taken all the same.
async fn run_jobs<W>(work: W, events: Events, mut waiting: UnboundedReceiver<QueuedSampleJob>)
where
    W: FnMut(QueuedSampleJob, &Events) + Send + 'static,
{
    let work = Arc::new(Mutex::new(work));
    while let Some(job) = waiting.recv().await {
        let remedy = "the next reading tries again";
        let owed = refused(&job.1, local("reading counts over time", STOPPED, remedy));
        let (work, to) = (work.clone(), events.clone());
        let done = tokio::task::spawn_blocking(move || (*lock(&work))(job, &to));
        if let Err(error) = done.await {
            send(&events, Event::Trouble(broken(&error)));
            if let Some(event) = owed {
                send(&events, event);
            }
        }
    }
}

const STOPPED: &str = "a fault in this program has ended it (see the errors)";

/// The database, opened on first use.
struct SampleStore {
    state: State,
    samples: Option<Samples>,
    /// Time of the last removal of old samples, epoch milliseconds.
    pruned: i64,
    complained: Complained,
    /// Accuracy of forecasts in a profile and scope, and the time of its calculation, epoch milliseconds.
    calibrated: Option<((String, String), i64, Calibration)>,
}

/// Remembers that a failure of samples was reported: every reading would repeat it.
#[derive(Clone, Default)]
pub struct Complained(Arc<AtomicBool>);

impl Complained {
    /// Reports a failure, unless one was reported before.
    pub fn tell(&self, failure: Failure, tell: impl FnOnce(Event)) {
        if self.0.swap(true, Ordering::SeqCst) {
            tracing::debug!(why = failure.cause, "samples");
        } else {
            tell(Event::Trouble(failure));
        }
    }

    /// Samples are kept again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl SampleStore {
    /// Carries out one job. Blocks.
    fn take(&mut self, (of, job): QueuedSampleJob, events: &Events) {
        match job {
            SampleJob::Read(id, request) => {
                let answer = self.answer(&of, request, events);
                send(events, Event::Answer(id, answer));
            }
            SampleJob::Write(write) => self.write(&of, write, events),
            // Without a receiver the program does not wait any more.
            SampleJob::Close(closed) => drop(closed.send(())),
        }
    }

    fn answer(&mut self, of: &Profile, request: SampleRequest, events: &Events) -> Answer {
        let settings = forecast_settings(of);
        match request {
            SampleRequest::History { run } => {
                let now = now();
                let read = self.read(of, &run, now).map_err(|why| unread(&why));
                Answer::History(read.map(|it| Box::new(history(&it, now, &settings))))
            }
            SampleRequest::Calibration => {
                let found = self.calibration(of);
                Answer::Calibration(self.or_report(found, events))
            }
            SampleRequest::Finish { runs } => {
                let now = now();
                let read = |run: SumRun| {
                    let samples = self.read(of, &run.run, now)?;
                    Ok((run, samples))
                };
                let found: Result<Vec<_>, String> = runs.into_iter().map(read).collect();
                let found = found.map(|runs| forecast::finish(&runs, now, &settings));
                Answer::Finish(self.or_report(found, events).map(Box::new))
            }
            SampleRequest::Due => {
                let found = self.ask(of, |it| it.due());
                Answer::Due(self.or_report(found, events))
            }
            SampleRequest::Views => {
                let found = self.ask(of, |it| it.views());
                let read = |(name, view): (String, String)| {
                    let read = View::read(&name, &view);
                    if read.is_none() {
                        let asked = format!("the view {name}");
                        let why = "a word in it is not known here";
                        let remedy = "Another version of rundown kept it, and shows it.";
                        let failure = local(&asked, why, remedy);
                        send(events, Event::Trouble(failure));
                    }
                    read
                };
                let found = self.or_report(found, events);
                Answer::Views(found.map(|found| found.into_iter().filter_map(read).collect()))
            }
            SampleRequest::WhatIf { run, extra } => {
                let now = now();
                let read = self.read(of, &run, now).map_err(|why| unread(&why));
                let result = read.map(|samples| {
                    let at = |extra| forecast::what_if(&samples, now, &settings, extra);
                    Box::new(WhatIf {
                        extra,
                        now: at(0),
                        then: at(extra),
                    })
                });
                Answer::WhatIf(result)
            }
        }
    }

    fn write(&mut self, of: &Profile, write: SampleWrite, events: &Events) {
        match write {
            SampleWrite::SetDue { of: due, at } => {
                let set = self.ask(of, |it| it.set_due(&due, at));
                let remedy = "type it again once that is mended";
                typed(set, "keeping the due date", remedy, events);
            }
            SampleWrite::SetView { name, view } => {
                let view = view.map(|view| json!(view).to_string());
                let set = self.ask(of, |it| it.set_view(&name, view.as_deref()));
                let remedy =
                    "it is there until the program ends; keep it again once that is mended";
                typed(set, "keeping the view", remedy, events);
            }
            SampleWrite::Export { runs } => {
                let written = self.export(of, runs);
                send(events, written.unwrap_or_else(Event::Trouble));
            }
        }
    }
    /// Returns the value; a failure is reported once, until samples are kept again.
    fn or_report<T>(&mut self, found: Result<T, String>, events: &Events) -> Option<T> {
        let found = found.inspect_err(|why| {
            // Without a state folder it was reported at the start.
            if self.state.get().is_ok() {
                self.complained
                    .tell(unread(why), |event| send(events, event));
            }
        });
        found.ok()
    }

    /// Queries the database about the runs of a profile.
    fn ask<T>(
        &mut self,
        of: &Profile,
        ask: impl FnOnce(Counts<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, String> {
        let database = self.open(of.monitor.samples_days)?;
        let name = database.name_of(&of.name, &of.target().service);
        let asked = name.and_then(|name| ask(database.of_scope(&name, &of.scope())));
        asked.map_err(|error| error.to_string())
    }

    /// Returns the samples of a run that a forecast needs.
    fn read(&mut self, of: &Profile, run: &DocRef, now: i64) -> Result<Vec<Sample>, String> {
        let since = forecast_settings(of).reads_from(now);
        self.ask(of, |it| it.of(run, since))
    }

    /// Compares the forecasts of the runs that ended last with their ends; worked out once a day.
    fn calibration(&mut self, of: &Profile) -> Result<Calibration, String> {
        let (key, now) = ((of.name.clone(), of.scope()), now());
        if let Some((known, at, found)) = &self.calibrated
            && *known == key
            && now.saturating_sub(*at) < DAY
        {
            return Ok(*found);
        }
        let state = self.state.get().ok();
        let own = state
            .and_then(|state| OwnRecord::read(&state.journal).ok())
            .unwrap_or_default();
        let found = self.ask(of, |it| calibration(it, &own, &forecast_settings(of)))?;
        self.calibrated = Some((key, now, found));
        Ok(found)
    }

    fn export(&mut self, of: &Profile, runs: Vec<(String, DocRef)>) -> Result<Event, Failure> {
        let state = self.state.get().map_err(|why| unread(&why))?;
        let kept = |(id, run): (String, DocRef)| {
            let samples = self.ask(of, |it| it.of(&run, i64::MIN))?;
            Ok((id, run, samples))
        };
        let runs = runs.into_iter().map(kept).collect::<Result<_, String>>();
        export(&state.folder, &runs.map_err(|why| unread(&why))?)
    }

    fn open(&mut self, days: u32) -> Result<&Samples, String> {
        let now = now();
        if self.samples.is_none() {
            let state = self.state.get()?;
            let opened = Samples::open(&state.folder, days, now);
            self.samples = Some(opened.map_err(|error| error.to_string())?);
            self.pruned = now;
        }
        // A program left open for months keeps no more than one started every day.
        if let Some(samples) = self
            .samples
            .as_ref()
            .filter(|_| now.saturating_sub(self.pruned) > DAY)
        {
            self.pruned = now;
            if let Err(error) = samples.prune(days, now) {
                tracing::warn!(%error, "old samples were not removed");
            }
        }
        self.samples.as_ref().ok_or_else(String::new)
    }
}

/// Reports a failure to keep input of the user, each time.
fn typed(kept: Result<(), String>, asked: &str, remedy: &str, events: &Events) {
    if let Err(why) = kept {
        send(events, Event::Trouble(local(asked, &why, remedy)));
    }
}

fn unread(why: &str) -> Failure {
    failure("reading counts over time", why)
}

/// Returns the failure if samples are not read or not kept.
pub fn failure(asked: &str, why: &str) -> Failure {
    local(
        asked,
        why,
        "saved tabs, due dates, what you have seen, chart and forecast are missing until that is mended",
    )
}

/// Returns the history of a run by its samples; `now` in epoch milliseconds.
fn history(samples: &[Sample], now: i64, settings: &Settings) -> History {
    let first = samples.iter().map(|sample| sample.at).min().unwrap_or(now);
    let from = first
        .max(now.saturating_sub(CHART))
        .min(now.saturating_sub(SHORTEST));
    History {
        samples: samples.len(),
        from,
        to: now,
        points: forecast::burn_up(samples, &settings.done, from, now, COLUMNS),
        state: samples
            .iter()
            .rev()
            .find_map(|sample| sample.sums(&settings.done)),
        outlook: forecast::forecast(samples, now, settings),
        moved: forecast::moved(samples, MOVED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(number: u64) -> QueuedSampleJob {
        let keys = "base_url = 'https://x/api'\nidp_url = 'https://x'\nrealm = 'r'\nclient_id = 'c'\nproject_id = 'P_9'\n";
        let of = Arc::new(Profile::from_own("demo", keys).unwrap());
        let run = DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap();
        let id = RequestId(number);
        (of, SampleJob::Read(id, SampleRequest::History { run }))
    }

    #[tokio::test]
    async fn after_a_fault_whoever_asked_is_told_and_the_next_one_is_answered() {
        let (events, mut happened) = unbounded_channel();
        let (jobs, waiting) = unbounded_channel();
        for number in 1..=3 {
            jobs.send(read(number)).map_err(|_| "gone").unwrap();
        }
        let work = |(_, job): QueuedSampleJob, events: &Events| match job {
            SampleJob::Read(RequestId(2), _) => panic!("a fault"),
            _ => send(events, Event::Focus(true)),
        };
        tokio::spawn(run_jobs(work, events, waiting));
        let is_answered = |event| matches!(event, Some(Event::Focus(true)));
        assert!(is_answered(happened.recv().await));
        assert!(matches!(happened.recv().await, Some(Event::Trouble(_))));
        let refused = |event: Option<Event>| match event {
            Some(Event::Answer(id, Answer::History(Err(failure))))
                if failure.cause.contains("a fault") =>
            {
                id.0
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(happened.recv().await), 2);
        assert!(is_answered(happened.recv().await));
    }
}
