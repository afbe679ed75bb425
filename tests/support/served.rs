//! A local service past its interface: what its database holds, and a profile that leads to it through a proxy.

use super::prelude::*;
use rundown::config::Profile;
use rundown::disk::WriteRecord;
use rusqlite::Connection;
use url::Url;

/// A service, and a proxy before it.
pub async fn behind_a_proxy(options: Options) -> (LocalService, Proxy) {
    let service = LocalService::start(options, |_, _| {}).await.unwrap();
    let proxy = Proxy::start(&format!("http://{}", service.address())).await;
    (service, proxy)
}

/// What leads to the service through the proxy.
pub fn profile_through(proxy: &Proxy, service: &LocalService) -> Profile {
    profile_at(&proxy.base, service)
}

/// What leads to a service of a script: all else is that of a real one.
pub async fn profile_of_script(script: &Scripted) -> Profile {
    let one_run = options(|it| (it.runs, it.suites) = (1, 1));
    let real = LocalService::start(one_run, |_, _| {}).await.unwrap();
    profile_at(&script.base, &real)
}

fn profile_at(base: &str, service: &LocalService) -> Profile {
    let mut profile = rundown::demo::profile(&service.profile()).unwrap();
    profile.base_url = Url::parse(&format!("{base}/api")).unwrap();
    profile.idp_url = Url::parse(base).unwrap();
    profile
}

/// By what the database names a run.
pub fn key(run: &DocRef) -> Vec<u8> {
    let id = run.as_str().strip_prefix("TestRun-dm/").unwrap();
    uuid::Uuid::parse_str(id).unwrap().as_bytes().to_vec()
}

/// The run that the database names so.
pub fn run_of(key: &[u8]) -> DocRef {
    let id = uuid::Uuid::from_slice(key).unwrap();
    DocRef::parse(&format!("TestRun-dm/{id}")).unwrap()
}

/// The document of a run in the database.
pub fn document_of(service: &LocalService, run: &DocRef) -> Option<Value> {
    let database = Connection::open(service.database()).unwrap();
    let row = "SELECT d.doc FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
    match database.query_row(row, [key(run)], |row| row.get::<_, String>(0)) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(rusqlite::Error::QueryReturnedNoRows) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The suites of a run in the database.
pub fn suites_of(service: &LocalService, run: &DocRef) -> BTreeSet<DocRef> {
    let database = Connection::open(service.database()).unwrap();
    let rows = "SELECT d.suites FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
    let rows: String = database
        .query_row(rows, [key(run)], |row| row.get(0))
        .unwrap();
    let rows: Vec<i64> = serde_json::from_str(&rows).unwrap();
    let suite = |row: &i64| {
        let number = "SELECT number FROM suites WHERE seq = ?1";
        let number = database.query_row(number, [row], |row| row.get::<_, i64>(0));
        DocRef::parse(&format!("TestSuite-dm/{}", number.unwrap())).unwrap()
    };
    rows.iter().map(suite).collect()
}

/// The steps of a write in the journal, by name.
pub fn step_names(write: &WriteRecord) -> Vec<&'static str> {
    let name = |step: &Recorded| match step {
        Recorded::Sent { .. } => "sent",
        Recorded::Answered { .. } => "answered",
        Recorded::Refused { sent: true, .. } => "refused",
        Recorded::Refused { .. } => "not sent",
        Recorded::Unknown { .. } => "unknown",
        Recorded::Confirmed { .. } => "confirmed",
        Recorded::Differs { .. } => "differs",
        Recorded::Other => "other",
    };
    write.steps.iter().map(|step| name(&step.step)).collect()
}
