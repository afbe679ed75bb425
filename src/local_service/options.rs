//! What a local service is started with.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

/// How the local service is to be started; the default is a throw-away one on a free port of 127.0.0.1.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database file; `None` keeps everything in a temporary folder that goes away with the service.
    pub database: Option<PathBuf>,
    /// Test runs in a new database.
    pub runs: u64,
    /// Test suites in a new database.
    pub suites: u64,
    /// The same seed makes the same data.
    pub seed: u64,
    /// A new database has the runs of a release that is under way besides.
    pub release: bool,
    /// Pause before every answer, as a network far away would make.
    pub latency: Duration,
    /// A larger `page.limit` is cut to this one; `None` refuses more than 100.
    pub page_limit: Option<u32>,
    /// `LIST_TEST_RUNS` is answered as an unknown method.
    pub without_list_test_runs: bool,
    /// Reads and lists show a write only this long after it was made, as a lagging replica would.
    pub lag: Duration,
    /// How often another user, `bot`, adds or removes a suite of an open run in the project, sub project and version of
    /// the served profile; `None` leaves the data to its callers.
    pub second_writer: Option<Duration>,
    /// How often a tester records results of some test cases of an open run in the project and sub project of the served
    /// profile; `None` leaves them as they are.
    pub live: Option<Duration>,
    /// So long may a connection take for the headers of a request, or for none, and then for its body; longer than clients
    /// keep one that they do not use.
    pub request_timeout: Duration,
    /// Who may sign in.
    pub credentials: Credentials,
    /// Life of an access token in seconds (`expires_in`).
    pub token_seconds: u64,
    /// Life of a refresh token in seconds (`refresh_expires_in`).
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

/// The one client and the one user that may sign in (5.1).
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Realm name in the token address.
    pub realm: String,
    /// `client_id` of the token request.
    pub client_id: String,
    /// `client_secret` of the token request; `None` makes a random one and keeps it in the database.
    pub client_secret: Option<SecretString>,
    /// User name.
    pub username: String,
    /// Password of the user; `None` makes a random one and keeps it in the database.
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
