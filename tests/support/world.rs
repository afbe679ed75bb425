//! A service that exists only here: its runs, what is asked of it, and answers when the test wants them.

use rundown::domain::{
    Days, Facets, Failure, FailureKind, Filter, Page, ResultCode, ResultCounts, RunRow,
    RunsOperation, RunsPage, Sample as Kept, Sort, Status,
};
use rundown::forecast::{Counted, Finish, SumRun};
use rundown::mirror::{Depth, EarlierReadings};
use rundown::screens::monitor::Monitor;
use rundown::store::{Answer, Effect, Event, Request, RequestId, SampleRequest, Session, Slot};

use super::look::Look as _;
use super::mirrored::Service;
use super::sample::{Sample, failure, row, session};
use super::samples_of::{Pace, history};

fn open(number: u64) -> RunRow {
    RunRow {
        status: Status::Active,
        ..row(number)
    }
}

/// A page of what is listed of these runs.
fn listed(
    runs: &[RunRow],
    (operation, facets): (RunsOperation, &Facets),
    page: Page,
    filter: &Filter,
) -> RunsPage {
    let is_listed = |run: &RunRow| {
        let fields = filter.fields();
        fields.iter().all(|field| field.fits(run) == Some(true))
    };
    let found: Vec<&RunRow> = runs.iter().filter(|run| is_listed(run)).collect();
    let rows = found
        .iter()
        .skip(page.offset as usize)
        .take(page.limit as usize)
        .map(|run| (*run).clone());
    RunsPage {
        full_size: found.len() as u64,
        rows: rows.collect(),
        facets: (!facets.is_empty()).then(|| facets.clone()),
        operation: Some(operation),
    }
}

/// The runs of the service, and a screen that reads them.
pub struct World {
    pub runs: Vec<RunRow>,
    pub desk: Sample,
    pub operation: RunsOperation,
    /// What the service offers to filter by.
    pub facets: Facets,
    /// What comes of asking for a run by its id.
    pub by_id: ById,
}

/// What a service makes of a filter by an id.
#[derive(Clone, Copy, PartialEq)]
pub enum ById {
    Right,
    /// It does not heed it.
    Others,
    Fails,
}

impl std::ops::Deref for World {
    type Target = Sample;

    fn deref(&self) -> &Sample {
        &self.desk
    }
}

impl std::ops::DerefMut for World {
    fn deref_mut(&mut self) -> &mut Sample {
        &mut self.desk
    }
}

impl World {
    /// `size` open runs, all read; nothing is refreshed by itself unless `seconds` says so.
    pub fn with(screen: (u16, u16), size: u64, session: Session) -> Self {
        Self::of(screen, (0..size).map(open).collect(), session)
    }

    /// The same of these runs.
    pub fn of(screen: (u16, u16), runs: Vec<RunRow>, session: Session) -> Self {
        let mut desk = Sample::new(screen);
        desk.event(Event::Connected(Box::new(session)));
        desk.let_in();
        let operation = RunsOperation::ListTestRuns;
        let mut world = Self {
            runs,
            desk,
            operation,
            facets: Facets::new(),
            by_id: ById::Right,
        };
        world.answer();
        world
    }

    pub fn new(screen: (u16, u16), size: u64) -> Self {
        Self::with(screen, size, session())
    }

    pub fn page(&self, page: Page, filter: &Filter) -> RunsPage {
        listed(&self.runs, (self.operation, &self.facets), page, filter)
    }

    /// The calls for runs that are open: number, page, filter.
    pub fn asked(&self) -> Vec<(RequestId, Page, Filter)> {
        let calls = self.open.iter().filter_map(|effect| match effect {
            Effect::Request(id, Request::ListRuns { page, filter, .. }) => {
                Some((*id, *page, filter.clone()))
            }
            _ => None,
        });
        calls.collect()
    }

    /// Answers all calls for runs, and those that follow from the answers; other effects stay open.
    pub fn answer(&mut self) {
        while self.answer_one() {}
    }

    /// The readings by the mirror that are open: number, how deep, lists.
    pub fn readings(&self) -> Vec<(RequestId, Depth, Vec<Filter>)> {
        let readings = self.open.iter().filter_map(|effect| match effect {
            Effect::Request(id, Request::ReadRuns { depth, lists, .. }) => {
                Some((*id, *depth, lists.clone()))
            }
            _ => None,
        });
        readings.collect()
    }

    /// Answers the oldest call for runs.
    pub fn answer_one(&mut self) -> bool {
        if !self.readings().is_empty() {
            let runs = self.runs.clone();
            let (operation, facets) = (self.operation, self.facets.clone());
            let answer = (operation, &facets);
            let by_id = self.by_id;
            self.read_from(&mut |page, _: &[Sort], filter: &Filter| {
                let mut filters = filter.filters.iter();
                let is_by_id = filters.any(|it| it.starts_with("Root.General.Id:"));
                match by_id {
                    ById::Fails if is_by_id => Err(failure()),
                    ById::Others if is_by_id => Ok(listed(&runs, answer, page, &Filter::default())),
                    _ => Ok(listed(&runs, answer, page, filter)),
                }
            });
            return true;
        }
        let Some((id, page, filter)) = self.asked().into_iter().next() else {
            return false;
        };
        self.drop_call(id);
        // What was read before was read earlier.
        self.now += 1;
        self.desk.runs(id, Ok(self.page(page, &filter)));
        true
    }

    /// Answers the oldest reading by the mirror as this service does; says which lists and pages of them were asked for, and
    /// in which orders.
    pub fn read_from(&mut self, service: &mut Service<'_>) -> Vec<(Page, Vec<Sort>, Filter)> {
        let (id, depth, list) = self.readings().remove(0);
        self.drop_call(id);
        let mut calls = Vec::new();
        let mut service = |page, sorts: &[Sort], filter: &Filter| {
            calls.push((page, sorts.to_vec(), filter.clone()));
            service(page, sorts, filter)
        };
        self.read_runs(id, (depth, list), &mut service);
        calls
    }

    /// The same as the service of these runs.
    pub fn read(&mut self) -> Vec<(Page, Vec<Sort>, Filter)> {
        let (runs, operation) = (self.runs.clone(), self.operation);
        self.read_from(&mut |page, _: &[Sort], filter: &Filter| {
            Ok(listed(&runs, (operation, &Facets::new()), page, filter))
        })
    }

    /// The same, of a service that breaks on the run of this id.
    pub fn read_without(&mut self, id: &str) {
        let (runs, operation) = (self.runs.clone(), self.operation);
        self.read_from(&mut |page, _: &[Sort], filter: &Filter| {
            if *filter == Filter::by_id(id) {
                return Err(Failure {
                    kind: FailureKind::Service,
                    ..failure()
                });
            }
            Ok(listed(&runs, (operation, &Facets::new()), page, filter))
        });
    }

    /// Every open call fails.
    pub fn fail(&mut self, failure: &Failure) {
        let readings = self.readings().into_iter().map(|it| it.0);
        let calls = self.asked().into_iter().map(|it| it.0);
        for id in readings.chain(calls).collect::<Vec<_>>() {
            self.drop_call(id);
            self.runs(id, Err(failure.clone()));
        }
    }

    pub fn drop_call(&mut self, wanted: RequestId) {
        self
            .open
            .retain(|effect| !matches!(effect, Effect::Request(id, Request::ListRuns { .. } | Request::ReadRuns { .. }) if *id == wanted));
    }

    /// Answers all questions for samples, and those that follow from the answers.
    pub fn tell(&mut self, pace: Pace) {
        let history = history(pace, self.now);
        let asks = |effect: &Effect| {
            matches!(
                effect,
                Effect::Request(
                    _,
                    Request::Samples(SampleRequest::History { .. } | SampleRequest::Finish { .. })
                )
            )
        };
        while let Some(place) = self.open.iter().position(asks) {
            match self.open.remove(place) {
                Effect::Request(id, Request::Samples(SampleRequest::Finish { runs })) => {
                    let outlook = |run: SumRun| (run.run, history.outlook.clone());
                    let finish = Finish {
                        outlook: history.outlook.clone(),
                        counted: Counted::Always,
                        alone: runs.into_iter().map(outlook).collect(),
                    };
                    let found = Answer::Finish(Some(Box::new(finish)));
                    self.event(Event::Answer(id, found));
                }
                Effect::Request(id, Request::Samples(SampleRequest::History { .. })) => {
                    let result = Ok(Box::new(history.clone()));
                    self.event(Event::Answer(id, Answer::History(result)));
                }
                _ => {}
            }
        }
    }

    /// The monitor that is open.
    pub fn monitor(&self) -> &Monitor {
        self.store.monitor().unwrap()
    }

    /// What the feed has told, newest first.
    pub fn told(&self) -> Vec<String> {
        let entries = self.store.feed().entries.iter();
        entries.map(|entry| entry.what.to_string()).collect()
    }

    /// The names of the runs of the monitor, in their order.
    pub fn watched(&self) -> Vec<String> {
        let listed = self.monitor().listed();
        listed.map(|run| run.run.name().to_owned()).collect()
    }

    /// The runs that are asked about in questions for samples.
    pub fn asked_outlooks(&self) -> Vec<usize> {
        let asked = self.open.iter().filter_map(|effect| match effect {
            Effect::Request(_, Request::Samples(SampleRequest::Finish { runs, .. })) => {
                Some(runs.len())
            }
            _ => None,
        });
        asked.collect()
    }

    /// What runs told before today: of each so many failures less than now, and so many blocked cases less.
    pub fn tell_earlier(&mut self, failed: u64, blocked: u64) {
        let less = |code| match code {
            ResultCode::FailedNew => failed,
            ResultCode::Blocked => blocked,
            _ => 0,
        };
        let before = self.runs.iter().filter_map(|row| {
            let now = row.results.as_ref()?;
            let mut counts = ResultCounts::default();
            for code in ResultCode::ALL {
                counts.add(code, now.get(code).saturating_sub(less(code)));
            }
            let results = Some(counts);
            Some(RunRow {
                results,
                ..row.clone()
            })
        });
        let before: Vec<RunRow> = before.collect();
        let midnight = self.days().today;
        self.told_before(before.iter().map(|row| (row, midnight - 3_600_000)));
    }

    /// The days of now.
    pub fn days(&self) -> Days {
        let zone = self.store.cx.shared.zone();
        Days::at(self.now, zone).unwrap()
    }

    /// Runs stood so, each at a time.
    pub fn told_before<'a>(&mut self, runs: impl Iterator<Item = (&'a RunRow, i64)>) {
        let samples = runs.map(|(row, at)| (row.doc_ref.clone(), Kept::of(row, at)));
        let earlier = EarlierReadings::new(self.days(), samples.collect());
        self.compare_by(earlier);
    }

    /// The pause before the next reading, if one is waited for: its number and milliseconds.
    pub fn pause(&self) -> Option<(RequestId, u64)> {
        self.timer(&Slot::RefreshPause)
    }

    fn timer(&self, slot: &Slot) -> Option<(RequestId, u64)> {
        let (wanted, _) = self.store.waits(|open| open == slot)?;
        self.open.iter().find_map(|effect| match effect {
            Effect::Request(id, Request::Timer { after }) if *id == wanted => Some((*id, *after)),
            _ => None,
        })
    }

    /// A pause is over.
    fn pass(&mut self, slot: &Slot) {
        let Some((timer, _)) = self.timer(slot) else {
            panic!("nothing is waited for: {:?}", self.open);
        };
        self.open.retain(
            |effect| !matches!(effect, Effect::Request(id, Request::Timer { .. }) if *id == timer),
        );
        // It was begun before what was answered since.
        let due = self.store.cx.in_flight.due(slot).unwrap();
        self.now = self.now.max(due);
        self.event(Event::Answer(timer, Answer::Timer));
    }

    /// The pause that is waited for is over, and the next reading begins.
    pub fn next_reading(&mut self) {
        self.pass(&Slot::RefreshPause);
    }

    /// The next reading, answered.
    pub fn read_next(&mut self) {
        self.next_reading();
        self.answer();
    }

    /// The clock shows the next minute.
    pub fn next_minute(&mut self) {
        self.pass(&Slot::NextMinute);
    }

    /// A minute later the list is read again.
    pub fn refresh(&mut self) {
        self.now += 60_000;
        self.press("r");
        self.answer();
    }

    /// Moves cases of a run from one result to another.
    pub fn record(&mut self, run: usize, from: ResultCode, to: ResultCode, cases: u64) {
        let results = self.runs[run].results.as_mut().unwrap();
        let mut counts = ResultCounts::default();
        for code in ResultCode::ALL {
            let count = results.get(code);
            let less = if code == from { cases } else { 0 };
            let more = if code == to { cases } else { 0 };
            if count + more > 0 {
                counts.add(code, count - less + more);
            }
        }
        *results = counts;
    }
}
