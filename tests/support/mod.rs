//! What the tests of the client share.

pub mod proxy;
pub mod scripted;

use std::time::Duration;

use rundown::auth::{Identity, TokenSource};
use rundown::model::{DocRef, Filter, Page};
use rundown::rpc::{Endpoint, HttpSettings, Reader, http_client};
use url::Url;

/// Must never be seen in a message, a Debug text or a log.
pub const PASSWORD: &str = "canary-password-5e1f";
pub const SECRET: &str = "canary-secret-77ab";

/// The recorded sample of this name.
pub fn fixture(name: &str) -> serde_json::Value {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn settings(timeout: Duration) -> HttpSettings {
    HttpSettings { connect_timeout: Duration::from_secs(5), request_timeout: timeout, ca_certificate: None }
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
    let tokens = TokenSource::new(http.clone(), identity(base));
    let endpoint = Endpoint {
        rpc_url: Url::parse(&format!("{base}/api/v2/rpc")).unwrap(),
        project_id: "P_9".into(),
        subproject_id: Some("SP_1".into()),
    };
    (tokens.clone(), Reader::new(http, tokens, endpoint))
}

pub async fn signed_in(base: &str) -> (TokenSource, Reader) {
    let (tokens, reader) = client(base, Duration::from_secs(20));
    tokens.sign_in("ada", &PASSWORD.to_owned().into()).await.unwrap();
    (tokens, reader)
}

pub fn run() -> DocRef {
    DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap()
}

pub fn suite() -> DocRef {
    DocRef::parse("TestSuite-dm/20744").unwrap()
}

pub const PAGE: Page = Page { offset: 100, limit: 50 };

pub fn no_filter() -> Filter {
    Filter::default()
}
