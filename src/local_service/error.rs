//! Why the local service cannot be started.

use std::path::PathBuf;

/// A reason why the service did not start, or could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The address is taken or not ours.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address asked for.
        address: std::net::SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file or folder could not be made, opened or moved.
    #[error("cannot use {path}: {source}", path = path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file holds something else than a database of this service.
    #[error("{path} is not a database of the local service: {reason}; name another file with --database", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The database was made with other parameters.
    #[error(
        "{path} was made with {found}, not with {wanted}: start with the same values, or delete the file to have it made again (edits in it are lost), or name another one with --database",
        path = path.display()
    )]
    OtherParameters {
        /// The file.
        path: PathBuf,
        /// Runs, suites and seed of the file.
        found: String,
        /// Runs, suites and seed asked for.
        wanted: String,
    },
    /// Another process makes the same database at this moment.
    #[error("{path} is being made by another process: wait until it is done", path = path.display())]
    BeingMade {
        /// The database file.
        path: PathBuf,
    },
    /// More runs or suites than the service can hold.
    #[error("at most {limit} {what} can be made")]
    TooMany {
        /// Runs or suites.
        what: &'static str,
        /// The most that is possible.
        limit: u64,
    },
    /// The database engine failed.
    #[error("database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A made or stored document is not JSON.
    #[error("document: {0}")]
    Json(#[from] serde_json::Error),
    /// No random bytes for the secrets, or no key for the tokens.
    #[error("secrets: {0}")]
    Secrets(String),
    /// The background thread that prepares the data broke off.
    #[error("the data could not be made: {0}")]
    BrokenOff(String),
}
