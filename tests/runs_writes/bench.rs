//! The background task alone, between its effects and its events.

use crate::support::prelude::*;
use rundown::config::Profile;
use rundown::disk::WriteRecord;
use rundown::domain::{Create, Created, Modify, NewRun, ReadBack, Undo, UndoOf, texts_of_new};
use rundown::mirror::Run;
use rundown::ops::delete::Deleting;
use rundown::ops::{Operation, StepResult};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::LocalSet;

pub use super::support::desk::start;
pub use super::support::served::step_names as names;
use super::support::served::{behind_a_proxy, profile_through};
use super::support::{Other, deleting};

pub const LIMIT: Duration = Duration::from_secs(20);

/// The background task, the proxy it talks to, and the service behind it.
pub struct Bench {
    pub proxy: Proxy,
    pub service: LocalService,
    /// Somebody else, signed in under the same name.
    pub other: Other,
    pub folder: tempfile::TempDir,
    effects: UnboundedSender<Effect>,
    events: UnboundedReceiver<Event>,
    number: u64,
    /// Events that nobody waited for.
    pub beside: Vec<Event>,
}

impl Bench {
    pub async fn new() -> Self {
        Box::pin(Self::with(Options::default(), |_| {})).await
    }

    pub async fn of(options: Options) -> Self {
        Self::with(options, |_| {}).await
    }

    pub async fn with(options: Options, change: impl FnOnce(&mut Profile)) -> Self {
        let lags = !options.lag.is_zero();
        let (service, proxy) = behind_a_proxy(options).await;
        let mut profile = profile_through(&proxy, &service);
        if !lags {
            // Only a service that lags has to be waited for.
            profile.read_again = [20, 50, 100].map(Duration::from_millis).into();
        }
        change(&mut profile);
        let folder = new_folder();
        let (effects, events) = start(vec![profile], folder.path());
        let other = desk_client(&service).await;
        let mut bench = Self {
            proxy,
            service,
            other,
            folder,
            effects,
            events,
            number: 0,
            beside: Vec::new(),
        };
        bench.until_signed_in().await;
        bench
    }

    /// The same service and the same folder, another start of the program with a profile of this name.
    pub async fn restart_as(&mut self, name: &str) {
        let mut profile = profile_through(&self.proxy, &self.service);
        name.clone_into(&mut profile.name);
        (self.effects, self.events) = start(vec![profile], self.folder.path());
        self.until_signed_in().await;
    }

    /// The same program with another project.
    pub async fn uses(&mut self, project: &str, subproject: Option<&str>) {
        self.send(|_| Effect::UseProject {
            project: project.into(),
            subproject: subproject.map(str::to_owned),
        });
        self.until_signed_in().await;
    }

    async fn until_signed_in(&mut self) {
        let came = |event: &Event| matches!(event, Event::SignedIn { .. }).then_some(());
        self.until("signed in", came).await;
    }

    /// Sends an effect under a number of its own.
    pub fn send(&mut self, effect: impl FnOnce(RequestId) -> Effect) -> RequestId {
        self.number += 1;
        let id = RequestId(self.number);
        self.effects.send(effect(id)).unwrap();
        id
    }

    /// Waits for the event that `take` takes.
    pub async fn until<T>(&mut self, what: &str, take: impl Fn(&Event) -> Option<T>) -> T {
        let end = Instant::now() + LIMIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match tokio::time::timeout(left, self.events.recv()).await {
                Ok(Some(event)) => match take(&event) {
                    Some(taken) => return taken,
                    None => self.beside.push(event),
                },
                Ok(None) => panic!("the worker has ended; waited for {what:?}"),
                Err(error) => panic!("never came ({error}): {what:?}; came: {:?}", self.beside),
            }
        }
    }

    /// Waits until a call has come to the proxy so many times.
    pub async fn until_passed(&self, method: &str, times: usize) {
        let end = Instant::now() + LIMIT;
        while self.proxy.count(method) < times {
            assert!(Instant::now() < end, "{method} never came {times} times");
            pause(5).await;
        }
    }

    pub async fn read(&mut self, run: &DocRef) -> Document {
        let doc_ref = run.clone();
        let id = self.send(|id| Effect::Request(id, Request::GetDocument { doc_ref }));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Document(result)) if *other == id => Some(result.clone()),
            _ => None,
        };
        self.until("a document", came).await.unwrap().document
    }

    /// A run to work with, made by somebody else, and the document as it is read.
    pub async fn run(&mut self, title: &str) -> Document {
        let run = self.other.add_run(title).await;
        self.seen(&run).await
    }

    /// The same, by its reference.
    pub async fn theirs(&mut self, title: &str) -> DocRef {
        self.run(title).await.doc_ref().clone()
    }

    /// The run once the service shows it.
    pub async fn seen(&mut self, run: &DocRef) -> Document {
        let end = Instant::now() + LIMIT;
        loop {
            let doc_ref = run.clone();
            let id = self.send(|id| Effect::Request(id, Request::GetDocument { doc_ref }));
            let came = |event: &Event| match event {
                Event::Answer(other, Answer::Document(result)) if *other == id => {
                    Some(result.clone().ok())
                }
                _ => None,
            };
            if let Some(opened) = self.until("a document", came).await {
                return opened.document;
            }
            assert!(Instant::now() < end, "never seen: {run}");
            pause(20).await;
        }
    }

    pub fn start_modify(&mut self, reviewed: &Document, texts: &[(RunField, &str)]) -> RequestId {
        let modify = Box::new(modify_of(reviewed, texts, None));
        self.send(|id| Effect::Request(id, Request::Modify(modify)))
    }

    pub async fn modified(&mut self, id: RequestId) -> Outcome {
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Modified(end)) if *other == id => Some(end.clone()),
            _ => None,
        };
        self.until("the end of a change of fields", came).await
    }

    pub async fn modify(&mut self, reviewed: &Document, texts: &[(RunField, &str)]) -> Outcome {
        let id = self.start_modify(reviewed, texts);
        self.modified(id).await
    }

    pub fn start_create(&mut self, create: Create) -> RequestId {
        self.send(|id| Effect::Request(id, Request::Create(Box::new(create))))
    }

    /// The ends of all runs of a plan, which come in order.
    pub async fn created(&mut self, id: RequestId, runs: usize) -> Vec<Created> {
        let mut ends = Vec::new();
        for _ in 0..runs {
            let came = |event: &Event| match event {
                Event::Answer(other, Answer::Created(end)) if *other == id => Some(end.clone()),
                _ => None,
            };
            ends.push(*self.until("the end of a creation", came).await);
        }
        ends
    }

    pub async fn create(&mut self, create: Create) -> Vec<Created> {
        let runs = create.runs.len();
        let id = self.start_create(create);
        self.created(id, runs).await
    }

    /// Makes one run and gives its document.
    pub async fn make(&mut self, title: &str, suites: &[DocRef]) -> Document {
        saved(&self.create(create_of(&[title], suites)).await[0].run)
    }

    pub fn start_delete(&mut self, deleting: Deleting) -> RequestId {
        let deleting = Box::new(deleting);
        self.send(|id| Effect::Request(id, Request::Delete(deleting)))
    }

    pub async fn deleted(&mut self, id: RequestId) -> Outcome {
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Deleted(end)) if *other == id => Some(end.clone()),
            _ => None,
        };
        self.until("the end of a deletion", came).await
    }

    pub async fn delete(&mut self, run: &DocRef) -> Outcome {
        let id = self.start_delete(delete_of(run));
        self.deleted(id).await
    }

    pub async fn plan_undo(&mut self, of: UndoOf) -> Result<Undo, Failure> {
        let id = self.send(|id| Effect::Request(id, Request::PlanUndo(of)));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::UndoPlanned(result)) if *other == id => {
                Some(result.clone())
            }
            _ => None,
        };
        self.until("a plan", came).await.map(|undo| *undo)
    }

    /// Suites that can be added to a run.
    pub async fn free(&mut self, run: &DocRef) -> Vec<DocRef> {
        let run = run.clone();
        let id = self.send(|id| Effect::Request(id, Request::ReadAvailable { run }));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Available(result)) if *other == id => Some(result.clone()),
            _ => None,
        };
        self.until("the suites", came)
            .await
            .unwrap()
            .into_iter()
            .map(|suite| suite.doc_ref)
            .collect()
    }

    /// Methods of all writes that came, in order.
    pub fn writes(&self) -> Vec<String> {
        self.proxy.writes()
    }

    /// `params` of every call of a method, in order.
    pub fn params(&self, method: &str) -> Vec<Value> {
        self.proxy.params(method)
    }

    /// The writes of the journal, oldest first.
    pub fn journal(&self) -> Vec<WriteRecord> {
        let journal = Journal::open(self.folder.path()).unwrap();
        let mut read = journal.newest(None).unwrap();
        read.writes.reverse();
        read.writes
    }

    /// The same, with one write that was answered and confirmed.
    pub fn one_confirmed(&self) -> Vec<WriteRecord> {
        let journal = self.journal();
        assert_eq!(
            (journal.len(), names(&journal[0])),
            (1, vec!["sent", "answered", "confirmed"])
        );
        journal
    }

    /// The steps of the last write of the journal, by name.
    pub fn steps(&self) -> Vec<&'static str> {
        names(self.journal().last().unwrap())
    }
}

/// The run as a reading shows it after all of a write to it.
pub fn saved(end: &Outcome) -> Document {
    assert!(end.is_complete() && !end.parts.is_empty(), "{end:?}");
    *end.document.clone().unwrap()
}

/// By what it is known that a run is gone.
pub fn gone(end: &Outcome) -> &str {
    assert!(end.is_complete() && !end.parts.is_empty(), "{end:?}");
    assert_eq!(end.document, None);
    &end.why
}

/// The run as somebody else has left it, for which nothing was sent.
pub fn moved(end: &Outcome) -> Document {
    assert_eq!(
        (end.end, &end.seen),
        (End::NotSent(Why::Moved), &ReadBack::Unread)
    );
    *end.document.clone().unwrap()
}

/// What a reading shows instead of what was asked for, and the run.
pub fn otherwise(end: &Outcome, of: End) -> (&str, &Document) {
    match (end.seen, &end.document) {
        (ReadBack::Other, Some(document)) if end.end == of => (&end.why, document),
        _ => panic!("{end:?}"),
    }
}

/// Why it ended so; nothing is known of a run that is written so.
pub fn why(end: &Outcome, of: End) -> &str {
    assert_eq!((end.end, &end.document), (of, &None), "{end:?}");
    &end.why
}

/// Carries out cases side by side: most of their time they wait for readings.
pub async fn together(cases: impl IntoIterator<Item = impl Future<Output = ()> + 'static>) {
    let set = LocalSet::new();
    let running: Vec<_> = cases
        .into_iter()
        .map(|case| set.spawn_local(case))
        .collect();
    set.await;
    for case in running {
        case.await.unwrap();
    }
}

/// What the journal keeps beside a request.
pub fn note(write: &WriteRecord) -> Value {
    match &write.steps[0].step {
        Recorded::Sent { note, .. } => note.clone().unwrap_or_default(),
        other => panic!("{other:?}"),
    }
}

pub fn texts(fields: &[(RunField, &str)]) -> RunTexts {
    fields
        .iter()
        .map(|(field, text)| (*field, (*text).to_owned()))
        .collect()
}

pub fn modify_of(
    reviewed: &Document,
    fields: &[(RunField, &str)],
    undo_of: Option<&str>,
) -> Modify {
    Modify {
        values: rundown::domain::RunValues::new(),
        run: reviewed.doc_ref().clone(),
        run_name: RunRow::from_document(reviewed).full_name(),
        reviewed: reviewed.clone(),
        texts: texts(fields),
        undo_of: undo_of.map(str::to_owned),
    }
}

pub fn new_run(title: &str) -> NewRun {
    NewRun::of_texts(&texts_of_new("P_9", Some("SP_1"), Some("1.2.0")))
        .with(RunField::Title, title)
        .with(RunField::Configuration, "qftest, chrome")
        .with(RunField::Description, "Line one\n\nÜbergabe 日本語")
}

pub fn create_of(titles: &[&str], suites: &[DocRef]) -> Create {
    Create {
        runs: titles.iter().map(|title| new_run(title)).collect(),
        suites: suites
            .iter()
            .map(|suite| (suite.clone(), format!("name of {suite}")))
            .collect(),
        ..Create::default()
    }
}

/// The deletion of a run that was looked at and called empty, and that a person has said yes to.
pub fn delete_of(run: &DocRef) -> Deleting {
    deletion(&RunRow::unknown(run.clone()).with(|it| it.title = Some("R_x to go".into())))
}

pub fn about_to_delete(row: &RunRow) -> Deleting {
    Deleting::new(Arc::new(Run::new(row, 0)))
}

pub fn deletion(row: &RunRow) -> Deleting {
    let mut deleting = about_to_delete(row);
    deleting.take(StepResult::Attached(Ok(deleting::empty(2))));
    deleting.take(StepResult::Empty(Ok(true)));
    deleting.answer(true);
    deleting
}
