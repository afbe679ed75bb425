//! Options of a local service.

use std::net::{IpAddr, Ipv4Addr};

use super::prelude::*;

/// Options of the local service; by default a temporary one on a free port of 127.0.0.1.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address to listen on; port 0 selects a free one.
    pub listen: SocketAddr,
    /// Database file; `None` for a temporary folder that is removed with the service.
    pub database: Option<PathBuf>,
    /// Number of test runs in a new database.
    pub runs: u64,
    /// Number of test suites in a new database.
    pub suites: u64,
    /// Seed of the data; the same seed yields the same data.
    pub seed: u64,
    /// True if a new database also has the runs of a release in progress.
    pub release: bool,
    /// Pause before each answer, like that of a slow network.
    pub latency: Duration,
    /// Upper bound of `page.limit`; `None` refuses more than 100.
    pub page_limit: Option<u32>,
    /// True if `LIST_TEST_RUNS` is an unknown method.
    pub without_list_test_runs: bool,
    /// Delay until reads and lists see a write, as with a lagging replica.
    pub lag: Duration,
    /// Interval at which another user, `bot`, adds or removes a suite of an open run in the project, sub project and
    /// version of the served profile; `None` for no such user.
    pub second_writer: Option<Duration>,
    /// Interval at which a tester records results of an open run in the project and sub project of the served profile;
    /// `None` for no testers.
    pub live: Option<Duration>,
    /// Time limit of a connection for the headers of a request or for waiting, and then for the body; longer than
    /// clients keep an unused connection.
    pub request_timeout: Duration,
    /// Accepted client and user.
    pub credentials: Credentials,
    /// Lifetime of an access token in seconds (`expires_in`).
    pub token_seconds: u64,
    /// Lifetime of a refresh token in seconds (`refresh_expires_in`).
    pub refresh_seconds: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            database: None,
            runs: 240,
            suites: 80,
            seed: 1,
            release: false,
            latency: Duration::ZERO,
            page_limit: None,
            without_list_test_runs: false,
            lag: Duration::ZERO,
            second_writer: None,
            live: None,
            request_timeout: Duration::from_mins(1),
            credentials: Credentials::default(),
            token_seconds: 300,
            refresh_seconds: 1800,
        }
    }
}

/// The only client and user that may sign in (5.1).
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Realm in the token address.
    pub realm: String,
    /// `client_id` of the token request.
    pub client_id: String,
    /// `client_secret` of the token request; `None` generates one and stores it in the database.
    pub client_secret: Option<SecretString>,
    pub username: String,
    /// Password of the user; `None` generates one and stores it in the database.
    pub password: Option<SecretString>,
}

impl Default for Credentials {
    fn default() -> Self {
        Self {
            realm: "demo".to_owned(),
            client_id: "rundown".to_owned(),
            client_secret: None,
            username: "qa".to_owned(),
            password: None,
        }
    }
}
