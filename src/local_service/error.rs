//! Reasons why the local service cannot start.

use std::path::PathBuf;

/// A reason why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The address is in use or not available.
    #[error("cannot listen on {address}: {source}; name another address with --listen")]
    Listen {
        address: std::net::SocketAddr,
        source: std::io::Error,
    },
    /// A file or folder could not be created, opened or moved.
    #[error("cannot use {path}: {source}", path = path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The file is no database of this service.
    #[error("{path} is not a database of the local service: {reason}; name another file with --database", path = path.display())]
    Foreign {
        path: PathBuf,
        /// Difference from such a database.
        reason: String,
    },
    /// The database has other parameters.
    #[error(
        "{path} was made with {found}, not with {wanted}: start with the same values, or delete the file to have it made again (edits in it are lost), or name another one with --database",
        path = path.display()
    )]
    OtherParameters {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    /// Another process is creating the same database.
    #[error("{path} is being made by another process: wait until it is done", path = path.display())]
    BeingMade {
        /// Path of that database.
        path: PathBuf,
    },
    /// More runs or suites than the service supports.
    #[error("at most {limit} {what} can be made")]
    TooMany {
        /// "runs" or "suites".
        what: &'static str,
        /// Highest possible number.
        limit: u64,
    },
    /// The database engine failed.
    #[error("database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A generated or stored document is not JSON.
    #[error("document: {0}")]
    Json(#[from] serde_json::Error),
    /// No random bytes for the secrets, or no key for the tokens.
    #[error("secrets: {0}")]
    Secrets(String),
    /// The thread that prepares the data ended early.
    #[error("the data could not be made: {0}")]
    BrokenOff(String),
}
