//! The mirror behind a store that has no worker: what is told to it is taken at once, and what is asked is answered at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use jiff::tz::TimeZone;
use rundown::domain::{Days, DocRef, Failure, Filter, Page, RunRow, RunsPage, Sort};
use rundown::mirror::{
    After, Changes, Depth, EarlierReadings, Mirror, MirrorSettings, NextRead, OwnRecord, Presence,
    RunsQuery, RunsReading, SinceAnswer, TabQuery, Wanted,
};
use rundown::samples::RunHistory;
use rundown::store::{Event, Layer, RunsRequest, Session};

/// The question for the runs of a tab.
pub fn query(tab: TabQuery, now: i64) -> RunsQuery {
    RunsQuery {
        number: 1,
        tabs: vec![tab.clone()],
        tab,
        days: Days::at(now, &TimeZone::UTC).unwrap(),
        now,
        ..RunsQuery::default()
    }
}

/// A service that answers for a page of a list.
pub type Service<'a> = dyn FnMut(Page, &[Sort], &Filter) -> Result<RunsPage, Failure> + 'a;

/// Copies of it have the same runs.
#[derive(Clone)]
pub struct Mirrored {
    mirror: Arc<Mutex<Mirror>>,
    queries: Vec<(Layer, RunsQuery)>,
    own: Vec<OwnRecord>,
    /// What changed, where that is asked.
    pub since: Option<Arc<SinceAnswer>>,
    /// The moments since when that was asked, and up to when all was seen.
    pub asked_since: Vec<Option<i64>>,
    pub seen_up_to: Vec<i64>,
    /// When runs with a due date are expected to end.
    pub ends: HashMap<DocRef, i64>,
    /// When a person was here.
    pub used: Vec<i64>,
}

impl Mirrored {
    pub fn new(session: &Session) -> Self {
        Self {
            mirror: Arc::new(Mutex::new(Mirror::empty(settings(session)))),
            queries: Vec::new(),
            own: Vec::new(),
            since: None,
            asked_since: Vec::new(),
            seen_up_to: Vec::new(),
            ends: HashMap::new(),
            used: Vec::new(),
        }
    }

    /// Begins anew, with a history on the disk.
    pub fn with_history(&mut self, session: &Session, history: RunHistory) {
        let mirror = Mirror::open(settings(session), None, Some(history)).unwrap();
        *self.mirror.lock().unwrap() = mirror;
    }

    /// What comes of a request.
    pub fn take(&mut self, request: RunsRequest, now: i64) -> Vec<Event> {
        let asks = matches!(request, RunsRequest::Ask(..));
        let mut events = match request {
            RunsRequest::Ask(screen, query) => {
                let since = query.since.iter().map(|since| since.moment);
                self.asked_since.extend(since);
                self.queries.retain(|(asker, _)| *asker != screen);
                self.queries.push((screen, *query));
                Vec::new()
            }
            RunsRequest::Leave(screen) => {
                self.queries.retain(|(asker, _)| *asker != screen);
                Vec::new()
            }
            RunsRequest::Took(page, list, ago) => self.page(&page, list.as_ref(), now - ago),
            RunsRequest::TookRun(row, ago) => self.rows(&[*row], now - ago),
            RunsRequest::Gone(run) => self.gone(run, now),
            RunsRequest::Seen(runs) => {
                let mut mirror = self.mirror.lock().unwrap();
                for run in runs {
                    mirror.mark_seen(&run).unwrap();
                }
                Vec::new()
            }
            RunsRequest::Surveyed(run, suites) => {
                let mirror = self.mirror.lock().unwrap();
                mirror.keep_suites(&run, &suites).unwrap();
                Vec::new()
            }
            RunsRequest::Used(at) => {
                self.used.push(at);
                Vec::new()
            }
            RunsRequest::SeenUpTo(at) => {
                self.seen_up_to.push(at);
                Vec::new()
            }
            RunsRequest::SignedIn(_) | RunsRequest::ReadNow => Vec::new(),
        };
        events.extend(self.answer(asks));
        events
    }

    /// The screens that are answered.
    pub fn answered(&self) -> Vec<Layer> {
        self.queries.iter().map(|(screen, _)| *screen).collect()
    }

    /// A run has been read.
    pub fn knows(&self, run: &DocRef) -> bool {
        self.mirror.lock().unwrap().run(run).is_some()
    }

    /// A run has been read, and was not found to be gone later.
    pub fn shows(&self, run: &DocRef) -> bool {
        let mirror = self.mirror.lock().unwrap();
        mirror
            .run(run)
            .is_some_and(|run| run.state != Presence::Gone)
    }

    /// What was written from here a moment ago.
    pub fn wrote(&mut self, own: OwnRecord) {
        self.own.push(own);
    }

    /// How the runs stood before today.
    pub fn compare_by(&mut self, earlier: EarlierReadings) -> Vec<Event> {
        self.mirror.lock().unwrap().compare_by(earlier);
        self.answer(true)
    }

    fn answer(&self, asks: bool) -> Vec<Event> {
        let mut mirror = self.mirror.lock().unwrap();
        let is_changed = mirror.take_changed();
        let queries = self.queries.iter().filter(|_| is_changed || asks);
        let answer = |(screen, query): &(Layer, RunsQuery)| {
            let mut answer = mirror.list_answer(query);
            answer.ends = Arc::new(self.ends.clone());
            answer.since = self.since.clone().filter(|_| query.since.is_some());
            Event::Runs(*screen, Box::new(answer))
        };
        queries.map(answer).collect()
    }

    /// A reading has ended well.
    pub fn was_read(&self, wanted: &Wanted, now: i64) {
        self.mirror
            .lock()
            .unwrap()
            .was_read(wanted, now, now)
            .unwrap();
    }

    fn page(&self, page: &RunsPage, list: Option<&Filter>, now: i64) -> Vec<Event> {
        self.mirror.lock().unwrap().saw_page(page);
        let events = self.rows(&page.rows, now);
        if let Some(list) = list {
            self.mirror.lock().unwrap().saw_list(list, page);
        }
        events
    }

    fn rows(&self, rows: &[RunRow], now: i64) -> Vec<Event> {
        let mut mirror = self.mirror.lock().unwrap();
        mirror.wrote(self.own.clone());
        news(mirror.take(rows, now).unwrap(), now)
    }

    fn gone(&self, run: DocRef, now: i64) -> Vec<Event> {
        let mut mirror = self.mirror.lock().unwrap();
        mirror.wrote(self.own.clone());
        news(mirror.gone(&[run], now).unwrap(), now)
    }

    /// Reads as the engine wants it; a run that is looked for is asked for by its id.
    pub fn read(
        &mut self,
        (depth, lists): (Depth, Vec<Filter>),
        page_size: u32,
        now: i64,
        service: &mut Service<'_>,
    ) -> (Vec<Event>, Result<bool, Failure>) {
        let mut events = Vec::new();
        let mut failed = None;
        let wanted = depth.wanted(&lists);
        let mut reading = {
            let mut mirror = self.mirror.lock().unwrap();
            mirror.begins(now, now);
            RunsReading::new(depth, lists, page_size, &mirror, now)
        };
        loop {
            match reading.next() {
                NextRead::End => break,
                NextRead::Page { filter, sort, page } => match service(page, &sort, &filter) {
                    Ok(page) => {
                        events.extend(self.rows(&page.rows, now));
                        let mut mirror = self.mirror.lock().unwrap();
                        reading.on_page(&page, &mut mirror).unwrap();
                    }
                    Err(failure) => {
                        let mut mirror = self.mirror.lock().unwrap();
                        match reading
                            .on_failure(failure.kind, false, &mut mirror)
                            .unwrap()
                        {
                            After::Again => {}
                            After::NextList => failed = failed.or(Some(failure)),
                            After::End => {
                                drop(mirror);
                                events.extend(self.answer(false));
                                return (events, Err(failure));
                            }
                        }
                    }
                },
                NextRead::Ask { run, id } => {
                    reading.on_asked();
                    let Some(id) = id else { continue };
                    match service(Page::BY_ID, &[], &Filter::by_id(&id)) {
                        Ok(page) => {
                            if let Some(row) = page.row_of(&run).cloned() {
                                events.extend(self.rows(&[row], now));
                            } else if page.rules_out(&run, &id) {
                                events.extend(self.gone(run, now));
                            }
                        }
                        Err(failure) => {
                            events.extend(self.answer(false));
                            return (events, Err(failure));
                        }
                    }
                }
            }
        }
        self.was_read(&wanted, now);
        events.extend(self.answer(false));
        (events, failed.map_or(Ok(reading.is_complete), Err))
    }
}

fn settings(session: &Session) -> MirrorSettings {
    MirrorSettings {
        ignored: session.monitor.ignored.clone(),
        done: session.watch.done.clone(),
        most: 100_000,
    }
}

fn news(changes: Changes, now: i64) -> Vec<Event> {
    let any = !changes.news.is_empty();
    any.then(|| Event::News(now, changes.news))
        .into_iter()
        .collect()
}
