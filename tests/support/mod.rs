//! What the tests of the client share.

pub mod acting;
pub mod children;
pub mod deleting;
#[cfg(feature = "local-service")]
pub mod desk;
pub mod ends;
pub mod evidence;
pub mod look;
pub mod mirrored;
#[expect(unused_imports, reason = "each program of tests takes what it needs")]
pub mod prelude;
pub mod proxy;
pub mod sample;
pub mod samples_of;
pub mod scripted;
#[cfg(feature = "local-service")]
pub mod served;
pub mod suites;
pub mod texts;
pub mod tls;
pub mod walk;
pub mod world;
pub mod writes;

use std::net::SocketAddr;
use std::time::Duration;

use rundown::app::PLACES;
use rundown::auth::{Identity, TokenSource};
use rundown::domain::{DocRef, DraftOwner, Filter, Page, ResultCode, ResultCounts};
use rundown::keymap::place::Place;
use rundown::rpc::{Endpoint, HttpSettings, Reader, http_client};
use rundown::store::Action;
use tokio::net::TcpSocket;
use url::Url;
#[cfg(feature = "local-service")]
use writes::Writes as _;

/// Must never be seen in a message, a Debug text or a log.
pub const PASSWORD: &str = "canary-password-5e1f";
pub const SECRET: &str = "canary-secret-77ab";

/// Cases of a property that is tried so often on every run: `PROPTEST_CASES`, 256 by default, makes it more or fewer in
/// proportion.
pub fn cases(usual: u32) -> u32 {
    (proptest::test_runner::Config::default().cases * usual / 256).max(1)
}

/// All that keys and palette may ask for, each once.
pub fn actions() -> Vec<Action> {
    let mut actions = Vec::new();
    for row in PLACES.iter().copied().flatten().flat_map(Place::bindings) {
        if !actions.contains(&row.action) {
            actions.push(row.action.clone());
        }
    }
    actions
}

/// Whose drafts are meant, where the service plays no part.
pub fn owner(profile: &str) -> DraftOwner {
    DraftOwner {
        profile: profile.to_owned(),
        service: String::new(),
    }
}

pub fn new_folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The recorded sample of this name.
pub fn fixture(name: &str) -> serde_json::Value {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// An address that refuses connections for as long as the socket lives: it holds the port, and nobody listens.
pub fn nobody_listens() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

pub fn settings(timeout: Duration) -> HttpSettings {
    HttpSettings {
        connect_timeout: Duration::from_secs(5),
        request_timeout: timeout,
        ca_certificate: None,
        ca_also: None,
    }
}

pub fn identity(base: &str) -> Identity {
    Identity {
        idp_url: Url::parse(base).unwrap(),
        realm: "tests".into(),
        client_id: "rundown-tests".into(),
        client_secret: Some(SECRET.to_owned().into()),
    }
}

/// Tokens and a reader of project `P_9` at a server on this machine; nobody has signed in.
pub fn client(base: &str, timeout: Duration) -> (TokenSource, Reader) {
    let http = http_client(&settings(timeout), &Url::parse(base).unwrap()).unwrap();
    let tokens = TokenSource::new(http.clone(), identity(base), None);
    let endpoint = Endpoint {
        rpc_url: Url::parse(&format!("{base}/api/v2/rpc")).unwrap(),
        project_id: "P_9".into(),
        subproject_id: Some("SP_1".into()),
    };
    (tokens.clone(), Reader::new(http, tokens, endpoint))
}

pub async fn signed_in(base: &str) -> (TokenSource, Reader) {
    let (tokens, reader) = client(base, Duration::from_secs(20));
    tokens
        .sign_in("ada", &PASSWORD.to_owned().into())
        .await
        .unwrap();
    (tokens, reader)
}

pub fn run() -> DocRef {
    DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap()
}

pub fn suite() -> DocRef {
    DocRef::parse("TestSuite-dm/20744").unwrap()
}

pub const PAGE: Page = Page {
    offset: 100,
    limit: 50,
};

pub fn no_filter() -> Filter {
    Filter::default()
}

/// A value but for what differs.
pub trait With: Sized {
    fn with(mut self, differs: impl FnOnce(&mut Self)) -> Self {
        differs(&mut self);
        self
    }
}

impl<T> With for T {}

/// So many cases of each result.
pub fn counted(of: impl IntoIterator<Item = (ResultCode, u64)>) -> ResultCounts {
    let mut counts = ResultCounts::default();
    for (code, cases) in of {
        counts.add(code, cases);
    }
    counts
}

/// So many milliseconds pass.
pub async fn pause(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

/// What a local service is started with where nothing is said of it, but for what `differs`.
#[cfg(feature = "local-service")]
pub fn options(
    differs: impl FnOnce(&mut rundown::local_service::Options),
) -> rundown::local_service::Options {
    let mut options = rundown::local_service::Options::default();
    differs(&mut options);
    options
}

/// Another person at the service, who writes.
#[cfg(feature = "local-service")]
pub struct Other {
    writer: rundown::rpc::Writer,
}

#[cfg(feature = "local-service")]
pub async fn desk_client(service: &rundown::local_service::LocalService) -> Other {
    let (_, reader) = service_reader(service).await;
    Other {
        writer: rundown::rpc::Writer::new(reader),
    }
}

/// Somebody who reads at the service itself, past any proxy.
#[cfg(feature = "local-service")]
pub async fn service_reader(
    service: &rundown::local_service::LocalService,
) -> (TokenSource, Reader) {
    let profile = rundown::demo::profile(&service.profile()).unwrap();
    let http = http_client(&settings(Duration::from_secs(20)), &profile.base_url).unwrap();
    let identity = Identity {
        idp_url: profile.idp_url.clone(),
        realm: profile.realm.clone(),
        client_id: profile.client_id.clone(),
        client_secret: Some(service.profile().client_secret),
    };
    let tokens = TokenSource::new(http.clone(), identity, None);
    tokens
        .sign_in("qa", &service.profile().password)
        .await
        .unwrap();
    let endpoint = Endpoint {
        rpc_url: profile.rpc_url(),
        project_id: "P_9".into(),
        subproject_id: Some("SP_1".into()),
    };
    (tokens.clone(), Reader::new(http, tokens, endpoint))
}

#[cfg(feature = "local-service")]
impl Other {
    pub async fn add_run(&self, title: &str) -> DocRef {
        self.add_run_in("SP_1", title).await
    }

    pub async fn add_run_in(&self, subproject: &str, title: &str) -> DocRef {
        let texts = rundown::domain::texts_of_new("P_9", Some(subproject), Some("1.2.0"));
        let run =
            rundown::domain::NewRun::of_texts(&texts).with(rundown::domain::RunField::Title, title);
        let reader = self.reader().with_project("P_9", Some(subproject));
        let writer = rundown::rpc::Writer::new(reader);
        writer.add_document(&run, "en").await.unwrap()
    }

    pub async fn add_suites(&self, run: &DocRef, suites: &[DocRef]) {
        self.writer
            .add_test_suites_to_run(run, suites)
            .await
            .unwrap();
    }

    pub async fn remove_suites(&self, run: &DocRef, suites: &[DocRef]) {
        self.writer
            .delete_test_suites_from_run(run, suites)
            .await
            .unwrap();
    }

    /// Writes fields of a run, and the whole rest of it as it is.
    pub async fn modify(&self, run: &DocRef, texts: &[(rundown::domain::RunField, &str)]) {
        let texts = texts
            .iter()
            .map(|(field, text)| (*field, (*text).to_owned()))
            .collect();
        let document = self
            .reader()
            .get_document(run)
            .await
            .unwrap()
            .modified(&texts)
            .unwrap();
        self.writer
            .modify_document(run, &document, "en")
            .await
            .unwrap();
    }

    pub async fn close(&self, run: &DocRef) {
        self.modify(run, &[(rundown::domain::RunField::Status, "inactive")])
            .await;
    }

    /// The suites that can be added to a run.
    pub async fn free(&self, run: &DocRef) -> Vec<DocRef> {
        let page = Page {
            offset: 0,
            limit: 100,
        };
        let list = self
            .reader()
            .get_available_test_suites(run, page, &[], &no_filter())
            .await
            .unwrap();
        list.rows
            .iter()
            .map(|suite| suite.doc_ref().clone())
            .collect()
    }

    pub fn reader(&self) -> &Reader {
        self.writer.reader()
    }

    pub async fn delete(&self, run: &DocRef) {
        assert!(self.writer.delete_test_run(run).await.unwrap());
    }
}
