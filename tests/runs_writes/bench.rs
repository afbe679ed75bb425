//! The background task alone, between its effects and its events.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rundown::config::Profile;
use rundown::disk::{Journal, JournalFilter, StateFolder, Step, WriteRecord};
use rundown::local_service::{LocalService, Options};
use rundown::model::{
    Create, CreateEnd, Delete, DeleteEnd, DocRef, Document, Modify, ModifyEnd, NewRun, RunField, RunTexts, Undo, UndoOf,
};
use rundown::store::{Effect, Event, Failure, RequestId};
use rundown::worker::Worker;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use url::Url;

use super::support::proxy::Proxy;
use super::support::scripted::{Say, Scripted, Seen};
use super::support::{Other, desk_client};

const LIMIT: Duration = Duration::from_secs(20);

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
        Self::with(Options::default(), |_| {}).await
    }

    pub async fn of(options: Options) -> Self {
        Self::with(options, |_| {}).await
    }

    pub async fn with(options: Options, change: impl FnOnce(&mut Profile)) -> Self {
        let service = LocalService::start(options, |_, _| {}).await.unwrap();
        let proxy = Proxy::start(&format!("http://{}", service.address())).await;
        let mut profile = rundown::demo::profile(&service.profile()).unwrap();
        profile.base_url = Url::parse(&format!("{}/api", proxy.base)).unwrap();
        profile.idp_url = Url::parse(&proxy.base).unwrap();
        change(&mut profile);
        let folder = tempfile::tempdir().unwrap();
        let (effects, events) = start(vec![profile], folder.path());
        let other = desk_client(&service).await;
        let mut bench = Self { proxy, service, other, folder, effects, events, number: 0, beside: Vec::new() };
        bench.until("signed in", |event| matches!(event, Event::SignedIn { .. }).then_some(())).await;
        bench
    }

    /// The same service and the same folder, another start of the program with a profile of this name.
    pub async fn restart_as(&mut self, name: &str) {
        let mut profile = rundown::demo::profile(&self.service.profile()).unwrap();
        profile.base_url = Url::parse(&format!("{}/api", self.proxy.base)).unwrap();
        profile.idp_url = Url::parse(&self.proxy.base).unwrap();
        name.clone_into(&mut profile.name);
        (self.effects, self.events) = start(vec![profile], self.folder.path());
        self.until("signed in", |event| matches!(event, Event::SignedIn { .. }).then_some(())).await;
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
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub async fn read(&mut self, run: &DocRef) -> Document {
        let doc_ref = run.clone();
        let id = self.send(|id| Effect::GetDocument { id, doc_ref });
        let came = |event: &Event| match event {
            Event::Document { id: other, result } if *other == id => Some(result.clone()),
            _ => None,
        };
        self.until("a document", came).await.unwrap().document
    }

    /// A run to work with, made by somebody else, and the document as it is read.
    pub async fn run(&mut self, title: &str) -> Document {
        let run = self.other.add_run(title).await;
        self.seen(&run).await
    }

    /// The run once the service shows it.
    pub async fn seen(&mut self, run: &DocRef) -> Document {
        let end = Instant::now() + LIMIT;
        loop {
            let doc_ref = run.clone();
            let id = self.send(|id| Effect::GetDocument { id, doc_ref });
            let came = |event: &Event| match event {
                Event::Document { id: other, result } if *other == id => Some(result.clone().ok()),
                _ => None,
            };
            if let Some(opened) = self.until("a document", came).await {
                return opened.document;
            }
            assert!(Instant::now() < end, "never seen: {run}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub fn start_modify(&mut self, reviewed: &Document, texts: &[(RunField, &str)]) -> RequestId {
        let modify = Box::new(modify_of(reviewed, texts, None));
        self.send(|id| Effect::Modify { id, modify })
    }

    pub async fn modified(&mut self, id: RequestId) -> ModifyEnd {
        let came = |event: &Event| match event {
            Event::Modified { id: other, end } if *other == id => Some(end.clone()),
            _ => None,
        };
        self.until("the end of a change of fields", came).await
    }

    pub async fn modify(&mut self, reviewed: &Document, texts: &[(RunField, &str)]) -> ModifyEnd {
        let id = self.start_modify(reviewed, texts);
        self.modified(id).await
    }

    pub fn start_create(&mut self, create: Create) -> RequestId {
        self.send(|id| Effect::Create { id, create: Box::new(create) })
    }

    /// The ends of all runs of a plan, which come in order.
    pub async fn created(&mut self, id: RequestId, runs: usize) -> Vec<CreateEnd> {
        let mut ends = Vec::new();
        for wanted in 0..runs {
            let came = |event: &Event| match event {
                Event::Created { id: other, number, end } if *other == id => Some((*number, end.clone())),
                _ => None,
            };
            let (number, end) = self.until("the end of a creation", came).await;
            assert_eq!(number, wanted, "in order");
            ends.push(end);
        }
        ends
    }

    pub async fn create(&mut self, create: Create) -> Vec<CreateEnd> {
        let runs = create.runs.len();
        let id = self.start_create(create);
        self.created(id, runs).await
    }

    /// Makes one run and gives its document.
    pub async fn make(&mut self, title: &str, suites: &[DocRef]) -> Document {
        match self.create(create_of(&[title], suites)).await.remove(0) {
            CreateEnd::Made { document, .. } => *document,
            other => panic!("{other:?}"),
        }
    }

    pub fn start_delete(&mut self, delete: Delete) -> RequestId {
        self.send(|id| Effect::Delete { id, delete: Box::new(delete) })
    }

    pub async fn deleted(&mut self, id: RequestId) -> DeleteEnd {
        let came = |event: &Event| match event {
            Event::Deleted { id: other, end } if *other == id => Some(end.clone()),
            _ => None,
        };
        self.until("the end of a deletion", came).await
    }

    pub async fn delete(&mut self, run: &DocRef) -> DeleteEnd {
        let id = self.start_delete(delete_of(run));
        self.deleted(id).await
    }

    pub async fn plan_undo(&mut self, of: UndoOf) -> Result<Undo, Failure> {
        let id = self.send(|id| Effect::PlanUndo { id, of });
        let came = |event: &Event| match event {
            Event::UndoPlanned { id: other, result } if *other == id => Some(result.clone()),
            _ => None,
        };
        self.until("a plan", came).await.map(|undo| *undo)
    }

    /// Suites that can be added to a run.
    pub async fn free(&mut self, run: &DocRef) -> Vec<DocRef> {
        let run = run.clone();
        let id = self.send(|id| Effect::ReadAvailable { id, run });
        let came = |event: &Event| match event {
            Event::Available { id: other, result } if *other == id => Some(result.clone()),
            _ => None,
        };
        self.until("the suites", came).await.unwrap().into_iter().map(|suite| suite.doc_ref).collect()
    }

    /// Methods of all writes that came, in order.
    pub fn writes(&self) -> Vec<String> {
        let writes = ["ADD_", "DELETE_", "MODIFY_"];
        let methods = self.proxy.passed().into_iter().map(|passed| passed.method);
        methods.filter(|method| writes.iter().any(|write| method.starts_with(write))).collect()
    }

    /// `params` of every call of a method, in order.
    pub fn params(&self, method: &str) -> Vec<Value> {
        let calls = self.proxy.passed().into_iter().filter(|passed| passed.method == method);
        calls.map(|passed| passed.json()["params"].clone()).collect()
    }

    /// The writes of the journal, oldest first.
    pub fn journal(&self) -> Vec<WriteRecord> {
        let journal = Journal::open(self.folder.path()).unwrap();
        let mut read = journal.read(1000, &JournalFilter::default()).unwrap();
        read.writes.reverse();
        read.writes
    }

    /// The steps of the last write of the journal, by name.
    pub fn steps(&self) -> Vec<&'static str> {
        names(self.journal().last().unwrap())
    }

    fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.service.database()).unwrap()
    }

    /// What the database holds of a run: its document.
    pub fn truth(&self, run: &DocRef) -> Option<Value> {
        let sql = "SELECT d.doc FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
        let row = self.database().query_row(sql, [key(run)], |row| row.get::<_, String>(0));
        match row {
            Ok(text) => Some(serde_json::from_str(&text).unwrap()),
            Err(rusqlite::Error::QueryReturnedNoRows) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// A field of `Root.General` in the database.
    pub fn field(&self, run: &DocRef, field: RunField) -> String {
        self.truth(run).unwrap()["Root"]["General"][field.name()].as_str().unwrap().to_owned()
    }

    /// An open run of the made data, of the project, sub project and version that everybody works on.
    pub fn first_open_run(&self) -> DocRef {
        let sql = "SELECT r.ref FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.status = 0
            AND json_extract(d.doc, '$.Root.General.ProjectId') = 'P_9'
            AND json_extract(d.doc, '$.Root.General.SubprojectId') = 'SP_1'
            AND json_extract(d.doc, '$.Root.General.ProjectVersionNumber') = '1.2.1' ORDER BY r.seq LIMIT 1";
        let key: Vec<u8> = self.database().query_row(sql, [], |row| row.get(0)).unwrap();
        DocRef::parse(&format!("TestRun-dm/{}", uuid::Uuid::from_slice(&key).unwrap())).unwrap()
    }

    /// Titles of runs in the database that begin so, in order of their making.
    pub fn titles(&self, begin: &str) -> Vec<String> {
        let database = self.database();
        let mut statement = database.prepare("SELECT title FROM runs WHERE title LIKE ?1 || '%' ORDER BY seq").unwrap();
        statement.query_map([begin], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    /// The suites of a run in the database.
    pub fn suites(&self, run: &DocRef) -> BTreeSet<DocRef> {
        let database = self.database();
        let sql = "SELECT d.suites FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
        let suites: String = database.query_row(sql, [key(run)], |row| row.get(0)).unwrap();
        let rows: Vec<i64> = serde_json::from_str(&suites).unwrap();
        let number = |row: &i64| -> i64 {
            database.query_row("SELECT number FROM suites WHERE seq = ?1", [row], |row| row.get(0)).unwrap()
        };
        rows.iter().map(|row| DocRef::parse(&format!("TestSuite-dm/{}", number(row))).unwrap()).collect()
    }

    /// Somebody of this name writes a run, in the database itself.
    pub fn edit(&self, run: &DocRef, who: &str, change: impl FnOnce(&mut Value)) {
        let mut document = self.truth(run).unwrap();
        document["Root"]["Metadata"]["EditedBy"] = who.into();
        let at = document["Root"]["Metadata"]["EditedOn"].as_i64().unwrap();
        document["Root"]["Metadata"]["EditedOn"] = (at + 1).into();
        change(&mut document);
        self.put(run, &document);
    }

    /// Makes a run so many milliseconds older.
    pub fn age(&self, run: &DocRef, by: i64) {
        let mut document = self.truth(run).unwrap();
        let at = document["Root"]["Metadata"]["CreatedOn"].as_i64().unwrap() - by;
        document["Root"]["Metadata"]["CreatedOn"] = at.into();
        self.put(run, &document);
        let sql = "UPDATE runs SET created_on = ?2 WHERE ref = ?1";
        assert_eq!(self.database().execute(sql, (key(run), at)).unwrap(), 1);
    }

    /// Puts a document into the database as it is.
    pub fn put(&self, run: &DocRef, document: &Value) {
        let database = self.database();
        database.busy_timeout(Duration::from_secs(5)).unwrap();
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let sql = "UPDATE docs SET doc = ?2, meta = NULL WHERE seq = (SELECT seq FROM runs WHERE ref = ?1)";
        assert_eq!(database.execute(sql, (key(run), document.to_string())).unwrap(), 1);
        let sql = "UPDATE runs SET title = ?2 WHERE ref = ?1";
        assert_eq!(database.execute(sql, (key(run), text("/Root/General/Title"))).unwrap(), 1);
        database.execute("UPDATE state SET value = value + 1 WHERE key = 'revision'", []).unwrap();
    }
}

/// The background task with these profiles and this state directory.
fn start(profiles: Vec<Profile>, folder: &std::path::Path) -> (UnboundedSender<Effect>, UnboundedReceiver<Event>) {
    let (events, happened) = unbounded_channel();
    let (effects, wanted) = unbounded_channel();
    let state = StateFolder::open(folder).map(Arc::new).map_err(|error| error.to_string());
    tokio::spawn(Worker::run(events, Box::pin(async { Ok(profiles) }), state, wanted));
    (effects, happened)
}

/// The background task at a service that answers by a script, signed in.
pub struct Scene {
    pub service: Scripted,
    pub folder: tempfile::TempDir,
    effects: UnboundedSender<Effect>,
    events: UnboundedReceiver<Event>,
}

impl Scene {
    pub async fn new(script: impl Fn(&Seen, usize) -> Say + Send + Sync + 'static) -> Self {
        let service = Scripted::service(script).await;
        // The profile of a real one, led elsewhere.
        let local = LocalService::start(Options { runs: 1, suites: 1, ..Options::default() }, |_, _| {}).await.unwrap();
        let mut profile = rundown::demo::profile(&local.profile()).unwrap();
        profile.base_url = Url::parse(&format!("{}/api", service.base)).unwrap();
        profile.idp_url = Url::parse(&service.base).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (effects, mut events) = start(vec![profile], folder.path());
        while !matches!(events.recv().await.unwrap(), Event::SignedIn { .. }) {}
        Self { service, folder, effects, events }
    }

    /// The first event that `take` takes after an effect.
    pub async fn after<T>(&mut self, effect: Effect, take: impl Fn(Event) -> Option<T>) -> T {
        self.effects.send(effect).unwrap();
        loop {
            let event = tokio::time::timeout(LIMIT, self.events.recv()).await.unwrap().unwrap();
            if let Some(taken) = take(event) {
                return taken;
            }
        }
    }

    pub fn journal(&self) -> Vec<WriteRecord> {
        Journal::open(self.folder.path()).unwrap().read(100, &JournalFilter::default()).unwrap().writes
    }
}

fn key(run: &DocRef) -> Vec<u8> {
    uuid::Uuid::parse_str(run.as_str().strip_prefix("TestRun-dm/").unwrap()).unwrap().as_bytes().to_vec()
}

/// The steps of a write, by name.
pub fn names(write: &WriteRecord) -> Vec<&'static str> {
    let name = |step: &Step| match step {
        Step::Sent { .. } => "sent",
        Step::Answered { .. } => "answered",
        Step::Refused { .. } => "refused",
        Step::Unknown { .. } => "unknown",
        Step::Confirmed { .. } => "confirmed",
        Step::Differs { .. } => "differs",
        Step::Other { .. } => "other",
    };
    write.steps.iter().map(|step| name(&step.step)).collect()
}

/// What the journal keeps beside a request.
pub fn note(write: &WriteRecord) -> Value {
    match &write.steps[0].step {
        Step::Sent { note, .. } => note.clone().unwrap_or_default(),
        other => panic!("{other:?}"),
    }
}

pub fn texts(fields: &[(RunField, &str)]) -> RunTexts {
    fields.iter().map(|(field, text)| (*field, (*text).to_owned())).collect()
}

pub fn modify_of(reviewed: &Document, fields: &[(RunField, &str)], undo_of: Option<&str>) -> Modify {
    Modify {
        run: reviewed.doc_ref().clone(),
        run_name: reviewed.text("Root.General.Title").unwrap_or_default(),
        reviewed: reviewed.clone(),
        texts: texts(fields),
        undo_of: undo_of.map(str::to_owned),
    }
}

pub fn new_run(title: &str) -> NewRun {
    NewRun {
        project_id: "P_9".into(),
        project_version: "1.2.0".into(),
        subproject_id: Some("SP_1".into()),
        status: "active".into(),
        title: title.into(),
        configuration: "qftest, chrome".into(),
        description: "Line one\n\nÜbergabe 日本語".into(),
    }
}

pub fn create_of(titles: &[&str], suites: &[DocRef]) -> Create {
    Create {
        runs: titles.iter().map(|title| new_run(title)).collect(),
        suites: suites.iter().map(|suite| (suite.clone(), format!("name of {suite}"))).collect(),
        origin: String::new(),
        undo_of: None,
    }
}

pub fn delete_of(run: &DocRef) -> Delete {
    Delete { run: run.clone(), run_name: "R_x to go".into(), copy: None, undo_of: None }
}
