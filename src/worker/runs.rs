//! The runs of the profile in use: one mirror behind one door. Jobs are taken in order; queries of screens are answered
//! at once, and again when the runs have changed.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use jiff::tz::TimeZone;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use super::prelude::*;
use super::samples::{self, Complained, QueuedSampleJob, SampleJob};
use super::{Scoped, broken};
use crate::disk::database::{DatabaseError, Done, is_on_network};
use crate::domain::query_language;
use crate::domain::{Days, Document, Filter, RunRow, RunsPage, Sample, text, text_of_runs};
use crate::forecast;
use crate::mirror::{
    self, After, Changes, Depth, Mirror, NextRead, OwnRecord, Presence, Run, RunCache, RunsOrigin,
    RunsQuery, RunsReading, Wanted,
};
use crate::ops::{Client, MissingRun, Progress, Tell};
use crate::profile::{forecast_settings, history, mirror_settings, origin};
use crate::rpc::CallError;
use crate::store::{ExportedRuns, Layer, RunsRequest};

/// Shortest time between two answers without a request.
const PACE: Duration = Duration::from_millis(250);

/// Pause between two checks for a reading of another program.
const NEXT_LOOK: Duration = Duration::from_millis(250);

/// Shortest time in milliseconds after which a reading by itself tries the cache again.
const NEXT_TRY: i64 = 60_000;

/// Jobs for the runs, taken in order.
enum RunsJob {
    Request(RunsRequest),
    /// A request for samples, which must find what was read before.
    Samples(Box<QueuedSampleJob>),
    /// Sends the answer now, if it has changed.
    Answer(oneshot::Sender<()>),
    /// Writes data that is only in memory to the disk; answered once all that was asked of the samples is done, too.
    Close(oneshot::Sender<()>),
}

/// Access to the runs of a profile.
#[derive(Clone)]
pub struct RunsDoor {
    pub(super) profile: Arc<Profile>,
    jobs: UnboundedSender<RunsJob>,
    keeper: Arc<Mutex<Keeper>>,
}

/// The mirror, with its surroundings.
struct Keeper {
    mirror: Mirror,
    profile: Arc<Profile>,
    /// The user whose runs the mirror has.
    user: String,
    /// Number of mirrors opened so far.
    opening: u64,
    /// Time of the last failure of the cache, epoch milliseconds.
    failed_at: i64,
    state: State,
    /// Queries of the screens that show runs.
    queries: Vec<(Layer, RunsQuery)>,
    /// Screens whose queries are not answered yet.
    asked: Vec<Layer>,
    /// A key has asked for the reading that is under way or waits.
    is_asked: bool,
    /// Size and time of the journal at the last reading.
    journal_read: Option<(u64, Option<SystemTime>)>,
    events: Scoped,
    complained: Complained,
}

/// The runs of a user kept on this machine, and the failures of opening them.
struct OpenedRuns {
    mirror: Mirror,
    troubles: Vec<Failure>,
    /// The reason why samples are not kept.
    unkept: Option<DatabaseError>,
}

/// First data of the interface, before there is a background task.
pub struct EarlyRuns {
    /// The runs last shown, if they are kept.
    pub rows: mpsc::Receiver<Vec<Run>>,
    opened: JoinHandle<OpenedRuns>,
}

impl EarlyRuns {
    /// Opens the kept data in a thread of its own, first of all the runs last shown.
    pub fn open(profile: &Profile, state: &State, wanted: Vec<DocRef>) -> Self {
        let (sender, rows) = mpsc::sync_channel(1);
        let (profile, state) = (profile.clone(), state.clone());
        let user = profile.username.clone().unwrap_or_default();
        let first = move |cache: &RunCache| {
            let found = cache.some(&wanted).unwrap_or_else(|error| {
                tracing::warn!(%error, "the first rows could not be read");
                Vec::new()
            });
            // Without a receiver they are shown with all other runs.
            let _ = sender.send(found);
        };
        Self {
            rows,
            opened: thread::spawn(move || OpenedRuns::open_with(&profile, &user, &state, first)),
        }
    }
}

impl OpenedRuns {
    /// Opens the cache and the history of a user; without a name there is none. Blocks.
    fn open(profile: &Profile, user: &str, state: &State) -> Self {
        Self::open_with(profile, user, state, |_| {})
    }

    /// Opens them, and calls `first` with the cache before its runs are read.
    fn open_with(
        profile: &Profile,
        user: &str,
        state: &State,
        first: impl FnOnce(&RunCache),
    ) -> Self {
        let settings = mirror_settings(profile);
        let mut opened = Self {
            mirror: Mirror::empty(settings.clone()),
            troubles: Vec::new(),
            unkept: None,
        };
        let Ok(state) = state.get() else {
            return opened;
        };
        let source = RunsOrigin {
            user: user.to_owned(),
            ..origin(profile)
        };
        let history = || history(profile, &source, &state.folder);
        let is_kept = profile.cache && !user.is_empty();
        let cache = is_kept.then(|| open_cache(&state.cache, &source));
        if let Some(Ok(cache)) = &cache {
            first(cache);
        }
        let kept = history().map_err(|error| opened.unkept = Some(error)).ok();
        let mirror = cache.transpose().and_then(|mut cache| {
            let message = cache.as_mut().and_then(|cache| cache.message.take());
            opened
                .troubles
                .extend(message.map(|told| local("opening the kept runs", &told, "")));
            Mirror::open(settings.clone(), cache, kept)
        });
        opened.mirror = mirror.unwrap_or_else(|error| {
            opened.troubles.push(not_kept(&error));
            // Only the reading of a cache can fail.
            Mirror::open(settings.clone(), None, history().ok())
                .unwrap_or_else(|_| Mirror::empty(settings))
        });
        let at = now();
        opened.mirror.begins(at, at);
        opened
    }
}

fn open_cache(folder: &Path, source: &RunsOrigin) -> Done<RunCache> {
    RunCache::open(folder, source, is_on_network(folder))
}

/// Returns the failure if runs are not kept.
fn not_kept(error: &DatabaseError) -> Failure {
    let remedy = "nothing of the runs is kept until that is mended";
    local("keeping the runs", &error.to_string(), remedy)
}

impl RunsDoor {
    /// Starts with the runs kept on this machine.
    pub(super) fn open(
        (profile, user): (&Profile, Option<String>),
        state: &State,
        events: Scoped,
        samples: (UnboundedSender<QueuedSampleJob>, Complained),
        begun: Option<EarlyRuns>,
    ) -> Self {
        let (samples, complained) = samples;
        let profile = Arc::new(profile.clone());
        let user = user.or_else(|| profile.username.clone());
        let keeper = Keeper {
            mirror: Mirror::default(),
            profile: profile.clone(),
            user: user.unwrap_or_default(),
            state: state.clone(),
            queries: Vec::new(),
            opening: 0,
            failed_at: 0,
            asked: Vec::new(),
            is_asked: false,
            journal_read: None,
            events,
            complained,
        };
        let (jobs, waiting) = unbounded_channel();
        let door = Self {
            profile,
            jobs,
            keeper: Arc::new(Mutex::new(keeper)),
        };
        let keeper = door.keeper.clone();
        tokio::spawn(async move {
            let open = move |keeper: &mut Keeper| match begun.map(|it| it.opened.join()) {
                Some(Ok(opened)) => keeper.use_opened(opened),
                Some(Err(_)) | None => keeper.open(),
            };
            done(&keeper, open).await;
            answer(keeper, waiting, samples).await;
        });
        door
    }

    /// Saves a document that was requested at a time (epoch milliseconds).
    pub(super) fn keep_document(&self, document: Document, at: i64) {
        let keeper = self.keeper.clone();
        tokio::task::spawn_blocking(move || {
            let mut keeper = lock(&keeper);
            // A run found to be gone meanwhile stays gone.
            if !keeper.is_gone(document.doc_ref()) {
                keeper.note(|cache| cache.keep_document(&document, at));
            }
        });
    }

    /// Returns the kept document of a run, and the time of its reading.
    pub(super) async fn kept_document(&self, run: DocRef) -> Option<(Document, i64)> {
        let find = move |keeper: &mut Keeper| {
            let may_see = !keeper.mirror.is_barred();
            let cache = keeper.mirror.cache().filter(|_| may_see);
            Some(cache?.document(&run))
        };
        match with(&self.keeper, find).await.ok().flatten()? {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "a kept document could not be read");
                None
            }
        }
    }

    /// Asks for a run whose document was not found, in the way of one that is missing in its list.
    pub(super) async fn find_missing(&self, client: &Client, run: DocRef) -> Result<(), Failure> {
        let at = now();
        let missing = run.clone();
        let known = move |keeper: &mut Keeper| {
            let known = keeper.mirror.run(&missing);
            let known = known.filter(|run| run.state != Presence::Gone)?;
            Some((keeper.opening, known.row().id?))
        };
        let Some((opening, id)) = with(&self.keeper, known).await? else {
            return Ok(());
        };
        let found = client.find_missing(&run, Some(&id)).await?;
        self.take_missing(opening, run, found, at).await?;
        self.show();
        Ok(())
    }

    /// Takes the result for a missing run that was requested at a time (epoch milliseconds).
    async fn take_missing(
        &self,
        opening: u64,
        run: DocRef,
        found: MissingRun,
        at: i64,
    ) -> Result<(), Failure> {
        let take = move |keeper: &mut Keeper| {
            let same = keeper.is_the_same(opening);
            same.map(|()| keeper.on_missing(run, found, at))
        };
        with(&self.keeper, take).await?
    }

    /// Lets the screens show what was read so far.
    fn show(&self) {
        self.send(RunsJob::Request(RunsRequest::Seen(Vec::new())));
    }

    /// Writes data that is only in memory; returns once it is on the disk.
    pub(super) async fn close(&self) {
        self.wait(RunsJob::Close).await;
    }

    pub(super) fn tell(&self, request: RunsRequest) {
        self.send(RunsJob::Request(request));
    }

    pub(super) fn ask_samples(&self, job: SampleJob) {
        self.send(RunsJob::Samples(Box::new((self.profile.clone(), job))));
    }

    fn send(&self, job: RunsJob) {
        if self.jobs.send(job).is_err() {
            tracing::debug!("something about runs came after the end");
        }
    }

    /// Returns once all earlier jobs are done and the answer is sent.
    async fn settled(&self) {
        self.wait(RunsJob::Answer).await;
    }

    async fn wait(&self, job: fn(oneshot::Sender<()>) -> RunsJob) {
        let (sender, done) = oneshot::channel();
        self.send(job(sender));
        if done.await.is_err() {
            tracing::debug!("the runs were closed before");
        }
    }

    /// Reads runs as the mirror wants them, beginning with these lists; true if all that should be complete is. With a
    /// pace, in milliseconds, a reading of another program within that time is used, and one in progress is waited for.
    pub(super) async fn read(
        &self,
        client: &Client,
        (depth, lists, pace): (Depth, Vec<Filter>, Option<i64>),
        tell: &Tell,
    ) -> Result<bool, Failure> {
        let page_size = client.settings.page_size;
        // The very first call is sent while the kept runs are being opened; it hardly ever depends on them.
        let at = now();
        let first = match RunsReading::new(depth, lists.clone(), page_size, &Mirror::default(), at)
            .next()
        {
            NextRead::Page { filter, sort, page } if depth == Depth::Start && pace.is_none() => {
                let call = client.reader.list_runs(page, &sort, &filter);
                let (answer, ()) = tokio::join!(call, self.settled());
                Some((at, NextRead::Page { filter, sort, page }, answer))
            }
            _ => {
                self.settled().await;
                None
            }
        };
        let mut under_way = RunningRead {
            keeper: self.keeper.clone(),
            wanted: None,
        };
        let wanted = depth.wanted(&lists);
        while let Some(pace) = pace {
            let wanted = wanted.clone();
            let other = with(&self.keeper, move |keeper| {
                keeper.read_by_other(&wanted, pace)
            })
            .await?;
            match other {
                Other::IsReading => tokio::time::sleep(NEXT_LOOK).await,
                Other::HasRead => {
                    self.settled().await;
                    return Ok(true);
                }
                Other::None => break,
            }
        }
        let at = first.as_ref().map_or_else(now, |(at, ..)| *at);
        let (asked, begins) = (wanted.clone(), wanted.clone());
        let is_asked = pace.is_none() && depth != Depth::Start;
        let begin = move |keeper: &mut Keeper| {
            keeper.keep_again(is_asked);
            keeper.note(|cache| cache.begin(&begins, at).map(drop));
            keeper.mirror.begins(at, now());
            let reading = RunsReading::new(depth, lists, page_size, &keeper.mirror, at);
            (keeper.opening, reading)
        };
        under_way.wanted = Some(wanted);
        let (opening, reading) = with(&self.keeper, begin).await?;
        let begun = reading.begun;
        let first = match first {
            Some((_, asked, answer)) if asked == reading.next() => Some(answer),
            _ => None,
        };
        let read = self
            .read_pages(client, (opening, reading), first, &asked, tell)
            .await;
        let is_read = read.is_ok();
        if let Some(wanted) = under_way.wanted.take() {
            with(&self.keeper, move |keeper| {
                keeper.read_ended(&wanted, begun, is_read);
            })
            .await?;
        }
        self.settled().await;
        read
    }

    /// Reads page after page; `first` may be the answer of the first one.
    async fn read_pages(
        &self,
        client: &Client,
        (opening, mut reading): (u64, RunsReading),
        mut first: Option<Result<RunsPage, CallError>>,
        wanted: &Wanted,
        tell: &Tell,
    ) -> Result<bool, Failure> {
        let begun = reading.begun;
        let mut at = begun;
        let mut received = 0;
        let mut failure = None;
        loop {
            match reading.next() {
                NextRead::End => return failure.map_or(Ok(reading.is_complete), Err),
                NextRead::Page { filter, sort, page } => {
                    let answer = match first.take() {
                        Some(answer) => answer,
                        None => client.reader.list_runs(page, &sort, &filter).await,
                    };
                    received += answer.as_ref().map_or(0, |page| page.rows.len() as u64);
                    let full_size = answer.as_ref().map_or(0, |page| page.full_size);
                    let wanted = wanted.clone();
                    let take = move |keeper: &mut Keeper| {
                        keeper.is_the_same(opening)?;
                        keeper.note(|cache| cache.alive(&wanted, begun, at));
                        let taken = keeper.take_page(&mut reading, answer, at);
                        taken.map(|failure| (failure, reading))
                    };
                    let (failed, left) = with(&self.keeper, take).await??;
                    (failure, reading) = (failure.or(failed), left);
                    tell(Progress::Received {
                        received: received.min(full_size),
                        full_size,
                    });
                }
                NextRead::Ask { run, id } => {
                    let found = client.find_missing(&run, id.as_deref()).await?;
                    reading.on_asked();
                    self.take_missing(opening, run, found, at).await?;
                }
            }
            // During the rest of the reading, too.
            self.show();
            at = now();
        }
    }
}

/// A reading. Where it is given up, it ends in the cache, too: other programs wait for it. What a key has asked of it ends
/// with it in any case.
struct RunningRead {
    keeper: Arc<Mutex<Keeper>>,
    /// `None` unless the cache has it as under way.
    wanted: Option<Wanted>,
}

impl Drop for RunningRead {
    fn drop(&mut self) {
        let (wanted, keeper) = (self.wanted.take(), self.keeper.clone());
        // Without a runtime the program is ending, and others see that.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn_blocking(move || {
                let mut keeper = lock(&keeper);
                keeper.is_asked = false;
                if let Some(wanted) = wanted {
                    keeper.note(|cache| cache.end(&wanted, now(), 1));
                }
            });
        }
    }
}

/// Reading of another program.
enum Other {
    IsReading,
    HasRead,
    None,
}

/// Works with the mirror on a thread that may block.
async fn with<T: Send + 'static>(
    keeper: &Arc<Mutex<Keeper>>,
    work: impl FnOnce(&mut Keeper) -> T + Send + 'static,
) -> Result<T, Failure> {
    let keeper = keeper.clone();
    let done = tokio::task::spawn_blocking(move || work(&mut lock(&keeper))).await;
    done.map_err(|error| broken(&error))
}

/// Does some work with the runs; a fault is reported, and its answer is the default.
async fn done<T: Default + Send + 'static>(
    keeper: &Arc<Mutex<Keeper>>,
    work: impl FnOnce(&mut Keeper) -> T + Send + 'static,
) -> T {
    with(keeper, work).await.unwrap_or_else(|failure| {
        lock(keeper).events.send(Event::Trouble(failure));
        T::default()
    })
}

/// Carries out jobs and sends answers until all senders are dropped.
async fn answer(
    keeper: Arc<Mutex<Keeper>>,
    mut waiting: UnboundedReceiver<RunsJob>,
    samples: UnboundedSender<QueuedSampleJob>,
) {
    let mut last = Instant::now() - PACE;
    let mut due = false;
    loop {
        let job = tokio::select! {
            biased;
            job = waiting.recv() => job,
            () = sleep_until(last + PACE), if due => {
                if done(&keeper, |keeper| keeper.publish(true)).await {
                    last = Instant::now();
                }
                due = done(&keeper, Keeper::expect_ends).await;
                continue;
            }
        };
        let (mut asked, mut told) = (false, Vec::new());
        let mut next = match job {
            Some(job) => Some(job),
            None => return,
        };
        while let Some(job) = next.take() {
            match job {
                RunsJob::Request(request) => {
                    asked |= matches!(request, RunsRequest::Ask(..));
                    due = true;
                    done(&keeper, move |keeper| keeper.take(request)).await;
                }
                RunsJob::Samples(job) => {
                    let runs = samples::runs_of(&job.1);
                    if !runs.is_empty() {
                        let keep = move |keeper: &mut Keeper| {
                            keeper.sampled(keeper.mirror.keep_seen(&runs));
                        };
                        done(&keeper, keep).await;
                    }
                    if samples.send(*job).is_err() {
                        tracing::debug!("samples came after the end");
                    }
                }
                RunsJob::Answer(answered) => told.push(answered),
                RunsJob::Close(closed) => {
                    done(&keeper, Keeper::close).await;
                    let profile = lock(&keeper).profile.clone();
                    if samples.send((profile, SampleJob::Close(closed))).is_err() {
                        tracing::debug!("the samples ended before");
                    }
                }
            }
            next = waiting.try_recv().ok();
        }
        if asked || !told.is_empty() {
            if done(&keeper, move |keeper| keeper.publish(!asked)).await {
                last = Instant::now();
            }
            due = true;
        }
        for answered in told {
            let _ = answered.send(());
        }
    }
}

impl Keeper {
    /// Opens the kept data of the user.
    fn open(&mut self) {
        self.use_opened(OpenedRuns::open(&self.profile, &self.user, &self.state));
    }

    fn use_opened(&mut self, opened: OpenedRuns) {
        self.mirror = opened.mirror;
        self.opening += 1;
        self.failed_at = now();
        // This mirror knows no own writes yet.
        self.journal_read = None;
        for trouble in opened.troubles {
            self.events.send(Event::Trouble(trouble));
        }
        if let Some(error) = opened.unkept {
            self.complain(&error);
        }
        self.tell_past();
    }

    /// Sends what the history has got since the last time: what other programs read is told here, too.
    fn tell_past(&mut self) {
        let past = self.mirror.past_news();
        let past = self.sampled(past).unwrap_or_default();
        for reading in past.chunk_by(|(_, one), (_, next)| one.at == next.at) {
            let news = reading
                .iter()
                .map(|(run, past)| (run.clone(), past.news.clone()));
            self.events
                .send(Event::News(reading[0].1.at, news.collect()));
        }
    }

    /// Fails if the runs are those of another user since: what was asked for the one before is not for them.
    fn is_the_same(&self, opening: u64) -> Result<(), Failure> {
        if self.opening == opening {
            return Ok(());
        }
        let remedy = "they are read again for the user who is signed in now";
        let words = "the reading was for the user before and has ended";
        Err(Failure {
            may_retry: true,
            ..local("reading the runs", words, remedy)
        })
    }

    fn is_gone(&self, run: &DocRef) -> bool {
        let run = self.mirror.run(run);
        run.is_some_and(|run| run.state == Presence::Gone)
    }

    fn close(&mut self) {
        self.note(|cache| cache.end_all(now()));
        if let Err(error) = self.mirror.close(now()) {
            tracing::warn!(%error, "when runs were read last was not kept");
        }
    }

    /// Replaces the kept data by that of another user.
    fn signed_in(&mut self, user: String) {
        if user.to_lowercase() != self.user.to_lowercase() {
            self.close();
            self.user = user;
            self.open();
        }
    }

    /// Works with the cache, if there is one; a failure is only logged.
    fn note(&mut self, work: impl FnOnce(&mut RunCache) -> Result<(), DatabaseError>) {
        if let Some(Err(error)) = self.mirror.cache().map(work) {
            tracing::warn!(%error, "something was not kept");
        }
    }

    /// Checks for a reading of another program, at most `pace` milliseconds old, and takes its runs.
    fn read_by_other(&mut self, wanted: &Wanted, pace: i64) -> Other {
        let at = now();
        let cache = self.mirror.cache();
        match cache.map(|cache| cache.reading(wanted, at - pace, at)) {
            Some(Ok(Some(mirror::Begun { ended: None, .. }))) if !self.is_asked => Other::IsReading,
            Some(Ok(Some(mirror::Begun {
                ended: Some((_, 0)),
                ..
            }))) => {
                self.mirror.begins(at, at);
                let read = self.mirror.refresh();
                self.kept(read);
                self.tell_past();
                Other::HasRead
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "what other programs read is not known");
                Other::None
            }
            _ => Other::None,
        }
    }

    fn read_ended(&mut self, wanted: &Wanted, begun: i64, is_read: bool) {
        let at = now();
        if is_read {
            let noted = self.mirror.was_read(wanted, begun, at);
            self.kept(noted);
        } else {
            self.note(|cache| cache.end(wanted, at, 1));
        }
    }

    /// Reports the first failure of the disk and continues without the cache.
    fn kept(&mut self, done: Result<(), DatabaseError>) {
        if let Err(error) = done
            && let Some(cache) = self.mirror.leave_cache()
        {
            self.failed_at = now();
            // Others wait for a reading under way, and one here would, too. A file that is held is waited for aside.
            thread::spawn(move || {
                if let Err(error) = cache.end_all(now()) {
                    tracing::debug!(%error, "a reading stays under way for others");
                }
            });
            self.events.send(Event::Trouble(not_kept(&error)));
        }
    }

    /// Opens again what could not be used: the history if `is_asked`; the cache without that not with each reading, as
    /// one that is held is waited for. It was reported that nothing is saved.
    fn keep_again(&mut self, is_asked: bool) {
        let Ok(state) = self.state.get() else {
            return;
        };
        let source = RunsOrigin {
            user: self.user.clone(),
            ..origin(&self.profile)
        };
        let has_history = self.mirror.has_history();
        if is_asked && !has_history && history(&self.profile, &source, &state.folder).is_ok() {
            self.close();
            return self.open();
        }
        let is_kept = self.profile.cache && !self.user.is_empty();
        let is_due = is_asked || !(0..NEXT_TRY).contains(&(now() - self.failed_at));
        if !is_kept || !is_due || self.mirror.cache().is_some() {
            return;
        }
        let opened = open_cache(&state.cache, &source);
        if let Err(error) = opened.and_then(|cache| self.mirror.use_cache(cache)) {
            self.failed_at = now();
            tracing::warn!(%error, "the runs are still not kept");
        }
    }

    fn take(&mut self, request: RunsRequest) {
        let at = now();
        match request {
            RunsRequest::Ask(screen, query) => {
                self.queries.retain(|(asker, _)| *asker != screen);
                self.queries.push((screen, *query));
                self.asked.push(screen);
            }
            RunsRequest::Leave(screen) => self.queries.retain(|(asker, _)| *asker != screen),
            RunsRequest::Took(page, list, ago) => {
                self.mirror.saw_page(&page);
                self.mirror.begins(at - ago, at);
                self.took(&page.rows, at - ago);
                if let Some(list) = list {
                    self.mirror.saw_list(&list, &page);
                }
            }
            RunsRequest::TookRun(row, ago) => {
                self.mirror.begins(at - ago, at);
                self.took(&[*row], at - ago);
            }
            RunsRequest::Gone(run) => self.on_missing(run, MissingRun::Gone, at),
            RunsRequest::SignedIn(user) => self.signed_in(user),
            RunsRequest::ReadNow => self.is_asked = true,
            RunsRequest::Seen(runs) => {
                for run in runs {
                    let kept = self.mirror.mark_seen(&run);
                    self.sampled(kept);
                }
            }
            // One that was found to be gone meanwhile has no suites to keep.
            RunsRequest::Surveyed(run, _) if self.is_gone(&run) => {}
            RunsRequest::Surveyed(run, suites) => {
                self.sampled(self.mirror.keep_suites(&run, &suites));
            }
            RunsRequest::Used(at) => {
                let today = Days::at(at, &TimeZone::system()).map_or(at, |days| days.today);
                self.sampled(self.mirror.used(at, today));
            }
            RunsRequest::SeenUpTo(at) => {
                let kept = self.mirror.mark_all_seen(at);
                self.sampled(kept);
            }
        }
    }

    fn took(&mut self, rows: &[RunRow], at: i64) {
        self.read_journal();
        let mut taken = self.mirror.take(rows, at);
        if let Err(error) = taken {
            self.kept(Err(error));
            taken = self.mirror.take(rows, at);
        }
        self.tell(taken, at);
        let message = self.mirror.cache().and_then(|cache| cache.message.take());
        if let Some(told) = message {
            let failure = local("reading the kept runs", &told, "");
            self.events.send(Event::Trouble(failure));
        }
    }

    fn on_missing(&mut self, run: DocRef, found: MissingRun, at: i64) {
        self.mirror.begins(at, now());
        match found {
            MissingRun::There(row) => self.took(&[*row], at),
            MissingRun::Gone => {
                self.read_journal();
                let taken = self.mirror.gone(&[run], at);
                self.tell(taken, at);
            }
            MissingRun::NotKnown(_) => {}
        }
    }

    /// Takes the answer for a page, or changes the request after a failure.
    fn take_page(
        &mut self,
        reading: &mut RunsReading,
        answer: Result<RunsPage, CallError>,
        at: i64,
    ) -> Result<Option<Failure>, Failure> {
        let error = match answer {
            Ok(page) => {
                self.took(&page.rows, at);
                let kept = reading.on_page(&page, &mut self.mirror);
                return kept.map(|()| None).map_err(|error| self.not_read(error));
            }
            Err(error) => error,
        };
        match reading.on_failure(error.failure_kind(), error.is_barred(), &mut self.mirror) {
            Ok(After::Again) => Ok(None),
            Ok(After::NextList) => Ok(Some(error.into())),
            Ok(After::End) => Err(error.into()),
            Err(error) => Err(self.not_read(error)),
        }
    }

    /// Returns the failure of a disk in the middle of a reading, which starts again without the disk.
    fn not_read(&mut self, error: DatabaseError) -> Failure {
        let failure = Failure {
            may_retry: true,
            ..not_kept(&error)
        };
        self.kept(Err(error));
        failure
    }

    /// Sends the news.
    fn tell(&mut self, taken: Result<Changes, DatabaseError>, at: i64) {
        let trouble = match taken {
            Ok(changes) => {
                if !changes.news.is_empty() {
                    self.events.send(Event::News(at, changes.news));
                }
                self.kept(changes.unkept.map_or(Ok(()), Err));
                self.tell_past();
                changes.trouble
            }
            Err(error) => Some(error),
        };
        match trouble.or_else(|| self.mirror.take_trouble()) {
            Some(error) => self.complain(&error),
            // Without a history nothing is kept.
            None if self.mirror.has_history() => self.complained.clear(),
            None => {}
        }
    }

    /// Reports a failure once, until samples are kept again: every reading would repeat it.
    fn complain(&self, error: &DatabaseError) {
        let failure = samples::failure("keeping counts over time", &error.to_string());
        self.complained
            .tell(failure, |event| self.events.send(event));
    }

    /// Returns the value; a failure is reported once.
    fn sampled<T>(&mut self, done: Done<T>) -> Option<T> {
        done.inspect_err(|error| self.complain(error)).ok()
    }

    /// Reads the user's own writes, which are no news: the journal has them before they are sent.
    fn read_journal(&mut self) {
        // Of all profiles: another one may use the same service.
        let Ok(state) = self.state.with_journal() else {
            return;
        };
        let journal = &state.journal;
        let read = fs::metadata(journal.path())
            .ok()
            .map(|file| (file.len(), file.modified().ok()));
        if read.is_none() || read == self.journal_read {
            return;
        }
        self.journal_read = read;
        match OwnRecord::read(journal) {
            Ok(own) => self.mirror.wrote(own),
            Err(error) => tracing::warn!(%error, "what was written from here is not known"),
        }
    }

    /// Estimates some ends of runs with a due date. True if there is something to publish or to estimate next.
    fn expect_ends(&mut self) -> bool {
        let (at, settings) = (now(), forecast_settings(&self.profile));
        let since = settings.reads_from(at);
        let end = |samples: &[Sample]| {
            let outlook = forecast::forecast(samples, at, &settings);
            outlook.band().map(|band| band.middle)
        };
        let expected = self.mirror.expect_ends(at, since, end);
        self.sampled(expected).unwrap_or(false)
    }

    /// Sends the answers, with `if_changed` only after a change. True if they have runs: after answers without runs the
    /// next one does not wait.
    fn publish(&mut self, if_changed: bool) -> bool {
        let is_changed = self.mirror.take_changed();
        if if_changed && !is_changed {
            return false;
        }
        let (mut has_runs, mut trouble) = (false, None);
        if self.queries.iter().any(|(_, query)| query.since.is_some()) {
            self.read_journal();
        }
        let asked = std::mem::take(&mut self.asked);
        let mut due: Vec<_> = self
            .queries
            .iter()
            .filter(|(screen, _)| is_changed || asked.contains(screen))
            .collect();
        // Who has asked is waiting.
        due.sort_by_key(|(screen, _)| !asked.contains(screen));
        for (screen, query) in due {
            let mut answer = self.mirror.list_answer(query);
            let watch = &self.profile.watch;
            let (zone, asked) = (TimeZone::system(), query.since.as_ref());
            let since = asked.filter(|_| !self.mirror.is_barred()).map(|asked| {
                let is_old = |at, moment| forecast::is_old(at, moment, watch.hours, &zone);
                self.mirror
                    .since(asked, (now(), &zone), &watch.done, is_old)
            });
            match since.transpose() {
                Ok(since) => answer.since = since.map(Arc::new),
                Err(error) => trouble = Some(error),
            }
            has_runs |= !answer.runs.is_empty();
            self.events.send(Event::Runs(*screen, Box::new(answer)));
        }
        if let Some(error) = trouble.or_else(|| self.mirror.take_trouble()) {
            self.complain(&error);
        }
        has_runs
    }
}

impl Worker {
    /// Writes runs to a new file, which says so in its name and its data where they are of an earlier reading.
    pub(super) fn export_runs(
        &self,
        view: String,
        format: crate::domain::Format,
        runs: ExportedRuns,
        (is_complete, read): (bool, Option<String>),
    ) {
        let (state, door) = (self.state.clone(), self.runs.clone());
        self.aside(move || {
            let Some(door) = door else { return Vec::new() };
            let are_marked = matches!(runs, ExportedRuns::These(_));
            let (runs, gone, operation, done) = {
                let keeper = lock(&door.keeper);
                let runs = match runs {
                    ExportedRuns::These(runs) => runs,
                    ExportedRuns::Found(query) => keeper.mirror.runs_of(&query).runs.to_vec(),
                };
                let now = runs
                    .iter()
                    .filter_map(|run| keeper.mirror.run(&run.doc_ref));
                let gone = now.filter(|run| run.state == Presence::Gone).count();
                let operation = keeper.mirror.operation();
                (runs, gone, operation, keeper.profile.watch.done.clone())
            };
            let gone = match gone {
                0 => String::new(),
                gone => format!(", {gone} of them deleted by now,"),
            };
            let mut what = match runs.len() {
                0 => "a file".into(),
                runs => text::count(runs, "run") + &gone,
            };
            let old = read.as_deref().filter(|_| are_marked);
            let read = read.as_deref().filter(|_| !are_marked);
            if let Some(read) = read {
                what = format!("{what}, a part: as read {read},");
            } else if let Some(old) = old {
                what = format!("{what}, the oldest counts of {old},");
            } else if !is_complete {
                what.push_str(", not all of them: the list changed while it was read,");
            }
            let full_size = read.is_none().then_some(runs.len() as u64);
            let kind = if read.is_some() { "runs-part" } else { "runs" };
            let rows = Run::rows(&runs);
            let result = match state.get() {
                _ if runs.is_empty() => Err("there is no run to put into it".into()),
                Err(why) => Err(why),
                Ok(state) => {
                    let text = text_of_runs(&rows, full_size, operation, &done, format);
                    // Without accents: of letters of other scripts none is harmless in a name.
                    let view: String = query_language::folded(&view).into_iter().collect();
                    let name = [kind, &view];
                    super::export::write(&state.folder, &name, format.ending(), &text)
                }
            };
            vec![Event::Written { what, result }]
        });
    }
}
