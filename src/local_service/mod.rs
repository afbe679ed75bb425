//! The interface of the test management service, served on this machine: real HTTP (axum), a real database (`SQLite`).
//!
//! For `rundown demo`, `rundown serve` and the tests. It shares no type with the client on purpose: with shared types a
//! wrong field name would pass every test. Decisions where the interface document is silent are in
//! `docs/assumptions.md`.
//!
//! ```text
//!  http ──► envelope ──► operations ──► query ──► database
//!    └────► sign_in ──► tokens                      ▲
//!                                          data ────┘ (made once, from a seed)
//! ```

mod app;
mod data;
mod database;
mod document;
mod envelope;
mod error;
mod fault;
mod http;
mod ids;
mod json;
mod operations;
mod options;
mod others;
mod params;
mod prelude;
mod profile;
mod query;
mod results;
mod sign_in;
mod time;
mod tokens;

use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::pin::pin;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use app::{Accounts, App};
use database::{Parameters, READERS, secrets};
use prelude::*;
use tokens::Tokens;

pub use data::LATEST_VERSION as RELEASE;
pub use error::ServiceError;
pub use operations::AtWork;
pub use options::{Credentials, Options};
pub use profile::{Given, ServedProfile};

/// Time for open requests and other writers to end after a stop.
const LAST_ANSWERS: Duration = Duration::from_millis(800);
/// Interval of the testers' turns before the start, if the service has none now.
const BEFORE: Duration = Duration::from_mins(1);
/// Maximum number of connections at once; others wait.
const MOST_CONNECTIONS: usize = 256;
/// Pause after a connection that could not be accepted.
const BREATH: Duration = Duration::from_millis(200);
/// Maximum number of rows, as row numbers have 32 bits.
const MOST_ROWS: u64 = 100_000_000;

/// A running service, which ends with [`LocalService::stop`] or when dropped.
pub struct LocalService {
    address: SocketAddr,
    profile: ServedProfile,
    app: Arc<App>,
    /// The server, its connections, and other writers.
    tasks: TaskTracker,
    folder: Option<TempDir>,
    live: Option<Duration>,
}

impl std::fmt::Debug for LocalService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalService")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl LocalService {
    /// Listens, creates or opens the database, and serves. `progress` gets (done, total) in units of runs while data is
    /// generated, and is not called if the database exists. Dropping the future cancels the generation.
    pub async fn start(
        options: Options,
        mut progress: impl FnMut(u64, u64) + Send + 'static,
    ) -> Result<Self, ServiceError> {
        for (what, number) in [("runs", options.runs), ("suites", options.suites)] {
            if number > MOST_ROWS {
                return Err(ServiceError::TooMany {
                    what,
                    limit: MOST_ROWS,
                });
            }
        }
        let listen = |source| ServiceError::Listen {
            address: options.listen,
            source,
        };
        let listener = TcpListener::bind(options.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let (path, folder) = place(options.database.as_deref())?;
        let wanted = Parameters {
            runs: options.runs,
            suites: options.suites,
            seed: options.seed,
            release_at: options.release.then(time::now),
        };
        let unwanted = CancellationToken::new();
        let seen = unwanted.clone();
        let ends_with_this_future = unwanted.drop_guard();
        let opening = tokio::task::spawn_blocking(move || {
            Database::open(&path, wanted, &mut |done, total| {
                progress(done, total);
                if seen.is_cancelled() {
                    Err(ServiceError::BrokenOff("not wanted any more".to_owned()))
                } else {
                    Ok(())
                }
            })
        });
        let database = opening
            .await
            .map_err(|error| ServiceError::BrokenOff(error.to_string()))??;
        drop(ends_with_this_future);
        let (app, profile) = assemble(database.lagging(options.lag), &options, address)?;
        let app = Arc::new(app);
        let tasks = TaskTracker::new();
        for (every, other) in [
            (options.second_writer, others::SECOND_WRITER),
            (options.live, others::TESTERS),
        ] {
            if let Some(every) = every {
                tasks.spawn(others::work(Arc::clone(&app), other, every, options.seed));
            }
        }
        let serving = serve(listener, Arc::clone(&app), tasks.clone());
        tasks.spawn(serving);
        Ok(Self {
            address,
            profile,
            app,
            tasks,
            folder,
            live: options.live,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connection data for a client.
    pub fn profile(&self) -> ServedProfile {
        self.profile.clone()
    }

    /// Path of the database file.
    pub fn database(&self) -> &Path {
        self.app.database.path()
    }

    /// Runs that testers work on, with their state and pace; without `live`, with the pace of earlier work. Blocks.
    pub fn at_work(&self) -> Result<Vec<AtWork>, ServiceError> {
        let every = self.live.unwrap_or(BEFORE);
        let runs = operations::at_work(&self.app.database, every);
        runs.map_err(|fault| ServiceError::BrokenOff(fault.description))
    }

    /// Stops the service: no new request is accepted, open ones and other writers get at most a second, and a temporary
    /// folder is removed.
    pub async fn stop(mut self) {
        self.app.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(LAST_ANSWERS, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::debug!("not everything had ended when the service stopped");
        }
        drop(self.folder.take());
    }
}

impl Drop for LocalService {
    fn drop(&mut self) {
        self.app.stopping.cancel();
        self.app.database.interrupt();
    }
}

/// Creates a folder for its owner only, with its parents; an existing one stays as it is. The database has secrets in
/// clear text.
pub fn private_folder(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Path of the database, and a temporary folder if no file was named.
fn place(database: Option<&Path>) -> Result<(PathBuf, Option<TempDir>), ServiceError> {
    if let Some(path) = database {
        if let Some(parent) = path.parent() {
            private_folder(parent).map_err(|source| ServiceError::File {
                path: parent.to_owned(),
                source,
            })?;
        }
        return Ok((path.to_owned(), None));
    }
    let folder = tempfile::Builder::new()
        .prefix("rundown-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()
        .map_err(|source| ServiceError::File {
            path: std::env::temp_dir(),
            source,
        })?;
    Ok((folder.path().join("service.db"), Some(folder)))
}

/// Creates the shared state of requests, and the connection data for clients.
fn assemble(
    database: Database,
    options: &Options,
    address: SocketAddr,
) -> Result<(App, ServedProfile), ServiceError> {
    let Credentials {
        realm,
        client_id,
        client_secret,
        username,
        password,
    } = options.credentials.clone();
    let kept = |given: Option<SecretString>, key| given.map_or_else(|| database.secret(key), Ok);
    let client_secret = kept(client_secret, secrets::CLIENT_SECRET)?;
    let password = kept(password, secrets::PASSWORD)?;
    let names = (realm.clone(), client_id.clone(), username.clone());
    let lives = (options.token_seconds, options.refresh_seconds);
    let tokens = Tokens::new(&database.secret(secrets::TOKEN_KEY)?, names.clone(), lives);
    let profile = ServedProfile::new(address, names, client_secret.clone(), password.clone());
    let app = App {
        database,
        accounts: Accounts {
            realm,
            client_id,
            client_secret,
            username,
            password,
            wrong: Mutex::new(0),
        },
        tokens,
        latency: options.latency,
        request_timeout: options.request_timeout,
        rules: operations::Rules {
            page_limit: options.page_limit,
            without_list_test_runs: options.without_list_test_runs,
        },
        turns: Semaphore::new(READERS),
        stopping: CancellationToken::new(),
    };
    Ok((app, profile))
}

/// Accepts connections until the service stops; each is a task that ends after its open requests.
async fn serve(listener: TcpListener, app: Arc<App>, tasks: TaskTracker) {
    let router = http::router(Arc::clone(&app));
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut http1 = http1::Builder::new();
    http1
        .timer(TokioTimer::new())
        .header_read_timeout(app.request_timeout);
    loop {
        let next = async {
            let turn = Arc::clone(&free).acquire_owned().await.ok()?;
            Some((turn, listener.accept().await))
        };
        let (turn, accepted) = tokio::select! {
            Some(next) = next => next,
            () = app.stopping.cancelled() => break,
            else => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // For example too many open files, until a connection ends.
                tracing::warn!(%error, "a connection was not taken");
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http1.serve_connection(TokioIo::new(stream), service);
        let stopping = app.stopping.clone();
        tasks.spawn(async move {
            let _turn = turn;
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = &mut connection => ended,
                () = stopping.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection broke off");
            }
        });
    }
}
