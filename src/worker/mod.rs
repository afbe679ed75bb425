//! The background task: effects in, events out. Calls run side by side, and each can be cancelled by its number.

mod documents;
mod drafts;
mod export;
mod journal;
mod left_off;
mod notify;
mod prelude;
mod runs;
mod samples;
mod session;
mod web;
mod writes;

use self::documents::find_missing;
use self::drafts::DraftJob;
use self::samples::SampleJob;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::{AbortHandle, JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::config::Profile;
use crate::disk::{Journal, State};
use crate::domain::Failure;
use crate::domain::release::releases;
use crate::ops::lost::Sought;
use crate::ops::{Client, Tell, local, lock};
use crate::profile::{Connection, key_of};
use crate::store::{Answer, Effect, Event, Request, RequestId};

pub use runs::EarlyRuns;
use runs::RunsDoor;
pub use session::session;
use writes::tell;

/// Receiver of the events.
pub type Events = UnboundedSender<Event>;

/// Profiles from a configuration, or from a local service that has to start first. The first profile is connected to.
pub type Source = Pin<Box<dyn Future<Output = Result<Vec<Profile>, Failure>> + Send>>;

/// Receiver of the events of one connection; drops them once another profile is in use.
#[derive(Clone)]
struct Scoped {
    events: Events,
    current: Arc<AtomicU64>,
    mine: u64,
}

impl Scoped {
    /// Sends an event, unless another profile is in use.
    fn send(&self, event: Event) {
        if self.is_current() {
            send(&self.events, event);
        }
    }

    fn is_current(&self) -> bool {
        self.current.load(Ordering::SeqCst) == self.mine
    }
}

/// Writes the background task still has under way at its end.
pub struct Closing {
    drafts: JoinHandle<()>,
    left_off: JoinHandle<()>,
    runs: Option<RunsDoor>,
}

impl Closing {
    /// Returns once all drafts are on the disk.
    pub async fn drafts(&mut self) {
        if let Err(error) = (&mut self.drafts).await {
            tracing::warn!("the drafts: {error}");
        }
    }

    /// Returns once the rest is: due dates, kept views, runs and the position.
    pub async fn closed(self) {
        if let Err(error) = self.left_off.await {
            tracing::warn!("where one is: {error}");
        }
        if let Some(runs) = self.runs {
            runs.close().await;
        }
    }
}

/// The background task.
pub struct Worker {
    events: Events,
    profiles: BTreeMap<String, Profile>,
    connection: Arc<Mutex<Option<Arc<Connection>>>>,
    connecting: Option<AbortHandle>,
    /// Number of the connection in use.
    current: Arc<AtomicU64>,
    running: Arc<Mutex<HashMap<RequestId, CancellationToken>>>,
    /// The state folder, or why there is none.
    state: State,
    /// Requests for the drafts, in order.
    drafts: UnboundedSender<drafts::QueuedDraftJob>,
    /// Name of the profile in use.
    profile: String,
    /// Profiles whose configured password was refused, by name.
    refused: HashMap<String, Arc<AtomicBool>>,
    /// Requests for the samples, in order.
    samples: UnboundedSender<samples::QueuedSampleJob>,
    complained: samples::Complained,
    /// The runs of the profile in use.
    runs: Option<RunsDoor>,
    /// Calls the program of `notify`.
    caller: notify::Caller,
    /// Receiver of the position.
    left_off: UnboundedSender<left_off::QueuedPosition>,
}

impl Worker {
    /// Runs effects until their sender is dropped; `begun` is the data with which the interface has started.
    pub async fn run(
        events: Events,
        mut source: Source,
        state: State,
        mut effects: UnboundedReceiver<Effect>,
        mut begun: Option<EarlyRuns>,
    ) -> Closing {
        let (drafts, drafts_kept) = drafts::start(&state, events.clone());
        let complained = samples::Complained::default();
        let samples = samples::start(&state, events.clone(), complained.clone());
        let caller = notify::start(events.clone());
        let (left_off, left_off_kept) = left_off::start(&state);
        let mut worker = Self {
            events,
            profiles: BTreeMap::new(),
            connection: Arc::default(),
            connecting: None,
            current: Arc::default(),
            running: Arc::default(),
            state,
            drafts,
            profile: String::new(),
            refused: HashMap::new(),
            samples,
            complained,
            runs: None,
            caller,
            left_off,
        };
        if let Err(why) = worker.state.with_journal() {
            let remedy = match worker.state.get() {
                Ok(_) => "no change can be sent until that is mended",
                Err(_) => {
                    "no change can be sent and no draft is kept until that is mended; there is no chart and no forecast"
                }
            };
            worker.tell(Event::Trouble(local(
                "opening the state directory",
                &why,
                remedy,
            )));
        }
        let mut early = Vec::new();
        let profiles = loop {
            tokio::select! {
                profiles = &mut source => break Some(profiles),
                effect = effects.recv() => match effect {
                    Some(effect) => early.push(effect),
                    // The program has ended before the profiles were loaded.
                    None => break None,
                },
            }
        };
        match profiles {
            Some(Ok(profiles)) => {
                let first = profiles.first().map(|profile| profile.name.clone());
                worker.profiles = profiles
                    .into_iter()
                    .map(|profile| (profile.name.clone(), profile))
                    .collect();
                if let Some(first) = first {
                    worker.connect(&first, begun.take());
                }
            }
            Some(Err(failure)) => worker.tell(Event::NotConnected(failure)),
            None => {}
        }
        for effect in early {
            worker.run_effect(effect);
        }
        while let Some(effect) = effects.recv().await {
            worker.run_effect(effect);
        }
        Closing {
            drafts: drafts_kept,
            left_off: left_off_kept,
            // With the worker the senders are dropped, so the tasks end.
            runs: worker.runs.take(),
        }
    }

    fn run_effect(&mut self, effect: Effect) {
        match effect {
            Effect::Connect { profile } => self.connect(&profile, None),
            Effect::LeftOff(left_off) => {
                // Of the project in use, which need not be that of the config.
                if let Some(runs) = &self.runs {
                    // The task lives as long as the worker.
                    let _ = self.left_off.send((key_of(&runs.profile), left_off));
                }
            }
            Effect::UseProject {
                project,
                subproject,
            } => self.use_project(&project, subproject.as_deref()),
            Effect::SignInAsConfigured => self.sign_in_as_configured(),
            Effect::SignIn { user, password } => self.sign_in(user, password),
            Effect::Runs(request) => {
                if let Some(runs) = &self.runs {
                    runs.tell(request);
                }
            }
            Effect::ExportRuns {
                view,
                format,
                runs,
                is_complete: is_whole,
                read,
            } => self.export_runs(view, format, runs, (is_whole, read)),
            Effect::WriteReport(request) => self.write_report(*request),
            Effect::ExportSummary { summary, format } => self.export_summary(*summary, format),
            Effect::OpenWeb { run, address } => self.open_web(run, address),
            Effect::CopyToFile {
                what,
                name,
                ending,
                text,
            } => self.aside(move || {
                let result = export::copied(&name, ending, &text);
                vec![Event::Written { what, result }]
            }),
            Effect::LetBe { job } => self.let_be(job),
            Effect::Draft(request) => self.ask_drafts(DraftJob::Other(request)),
            Effect::Samples(write) => self.ask_samples(SampleJob::Write(write)),
            Effect::Call(words) => self.call_somebody(words),
            Effect::HelpSeen => {
                if let Ok(state) = self.state.get() {
                    tokio::task::spawn_blocking(move || state.help_seen());
                }
            }
            Effect::Request(id, request) => self.answer(id, request),
            Effect::Cancel(id) => {
                if let Some(token) = lock(&self.running).remove(&id) {
                    token.cancel();
                }
            }
            // The main loop handles these itself.
            Effect::AskBackground
            | Effect::Bell
            | Effect::Notify(_)
            | Effect::Copy { .. }
            | Effect::Mouse(_)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Quit => {}
        }
    }

    /// Carries out a request.
    fn answer(&self, id: RequestId, request: Request) {
        match request {
            Request::ListRuns { page, sort, filter } => {
                self.read(id, Answer::Runs, async move |client, _| {
                    Ok(client.reader.list_runs(page, &sort, &filter).await?)
                });
            }
            Request::ReadRuns { depth, lists, pace } => {
                let door = self.runs.clone();
                self.read(id, Answer::RunsRead, async move |client, tell| match door {
                    Some(door) => door.read(&client, (depth, lists, pace), &tell).await,
                    None => Ok(false),
                });
            }
            Request::GetDocument { doc_ref } => self.read_document(id, doc_ref),
            Request::ReadJson { runs } => self.read_json(id, runs),
            Request::ReadAvailable { run } => {
                self.read(id, Answer::Available, async move |client, tell| {
                    client.read_available(&run, &tell).await
                });
            }
            Request::ReadInNoRun { version } => {
                self.read(id, Answer::InNoRun, async move |client, tell| {
                    let runs = client.runs_of_release(&version).await?;
                    client.in_no_run(&version, runs, &tell).await
                });
            }
            Request::Survey { run, typed, calls } => {
                let (journal, runs) = (self.journal().ok(), self.runs.clone());
                self.read(id, Answer::Surveyed, async move |client, tell| {
                    let (asked, journal) = ((typed, None), journal.as_ref());
                    let tell = if calls.is_some() {
                        Arc::new(|_| ())
                    } else {
                        tell
                    };
                    let survey = client.survey(&run, asked, journal, calls, &tell).await;
                    find_missing(runs.as_ref(), &client, run, survey).await
                });
            }
            Request::LookFor { run, sent } => {
                // Without the journal known runs are found too: the user decides.
                let journal = self.journal().ok();
                self.read(id, Answer::LookedUp, async move |client, _| {
                    let sought = Sought { run, sent: *sent };
                    client.find_sent(journal, &sought).await
                });
            }
            Request::CheckEmpty { run } => {
                self.read(id, Answer::Emptiness, async move |client, _| {
                    client.check_empty(&run).await
                });
            }
            Request::PlanUndo(of) => {
                let state = self.may_write().and_then(|()| self.state.with_journal());
                self.read(id, Answer::UndoPlanned, async move |client, _| {
                    client.plan_undo(state, of).await
                });
            }
            Request::ChangeSuites(change) => self.change(id, *change),
            Request::Create(create) => self.create(id, *create),
            Request::Modify(modify) => self.save(id, modify),
            Request::Delete(deleting) => self.delete(id, *deleting),
            Request::ReadUnfinished { job } => self.read_unfinished(id, job),
            Request::Probe(probe) => self.probe(id, *probe),
            Request::ReadJournal { run } => self.read_journal(id, run),
            Request::AddUpReleases { runs, kinds, done } => self.aside(move || {
                let runs = runs.iter().map(|run| run.row());
                let lines = releases(runs, &kinds, &done);
                vec![Event::Answer(id, Answer::Releases(lines))]
            }),
            Request::Timer { after } => self.start_timer(id, after),
            Request::TakeDraft { form, wish } => self.ask_drafts(DraftJob::Take(id, form, wish)),
            Request::Samples(request) => self.ask_samples(SampleJob::Read(id, request)),
            // The main loop handles this itself.
            Request::EditText { .. } => {}
        }
    }

    /// Starts a timer of so many milliseconds.
    fn start_timer(&self, id: RequestId, after: u64) {
        let token = self.register(id);
        let (events, running) = (self.events.clone(), self.running.clone());
        tokio::spawn(async move {
            let pause = tokio::time::sleep(Duration::from_millis(after));
            if token.run_until_cancelled(pause).await.is_some() {
                lock(&running).remove(&id);
                send(&events, Event::Answer(id, Answer::Timer));
            }
        });
    }

    fn tell(&self, event: Event) {
        send(&self.events, event);
    }

    /// Runs blocking work in the background and sends its events.
    fn aside(&self, work: impl FnOnce() -> Vec<Event> + Send + 'static) {
        let events = self.events.clone();
        tokio::task::spawn_blocking(move || {
            for event in work() {
                send(&events, event);
            }
        });
    }

    /// The journal of writes, or why there is none.
    fn journal(&self) -> Result<Journal, String> {
        self.state.with_journal().map(|state| state.journal.clone())
    }

    fn register(&self, id: RequestId) -> CancellationToken {
        let token = CancellationToken::new();
        lock(&self.running).insert(id, token.clone());
        token
    }

    fn may_write(&self) -> Result<(), String> {
        let connection = lock(&self.connection);
        connection
            .as_ref()
            .map_or(Ok(()), |it| Ok(it.may_write().map(drop)?))
    }

    /// Reads in the background and sends the answer, unless the request is cancelled.
    fn read<T, F, R>(&self, id: RequestId, answer: fn(Result<T, Failure>) -> Answer, read: R)
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
        R: FnOnce(Client, Tell) -> F,
    {
        let Some(connection) = lock(&self.connection).clone() else {
            let remedy = "read again once it is there";
            let failure = local("reading", "there is no connection yet", remedy);
            return self.tell(Event::Answer(id, answer(Err(failure))));
        };
        let token = self.register(id);
        let (events, running) = (self.events.clone(), self.running.clone());
        let tell = tell(id, events.clone());
        let work = tokio::spawn(read(connection.client.clone(), tell));
        let abort = work.abort_handle();
        tokio::spawn(async move {
            match token.run_until_cancelled(work).await {
                Some(outcome) => {
                    lock(&running).remove(&id);
                    let result = outcome.unwrap_or_else(|error| Err(broken(&error)));
                    send(&events, Event::Answer(id, answer(result)));
                }
                None => abort.abort(),
            }
        });
    }
}

/// Sends an event. Without a receiver the program is ending, and nothing is lost.
fn send(events: &Events, event: Event) {
    if events.send(event).is_err() {
        tracing::debug!("an event came after the end");
    }
}

fn broken(error: &JoinError) -> Failure {
    let remedy = "read again; please report it, with the file of --log";
    local("a call", &fault(error), remedy)
}

/// Describes a task that panicked.
fn fault(error: &JoinError) -> String {
    format!("a fault in this program ({error})")
}
