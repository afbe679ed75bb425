//! Why samples cannot be kept or read.

use std::path::{Path, PathBuf};

use rusqlite::{Error, ErrorCode};

use crate::disk::DiskError;

/// A failure of the samples; it names the file and what helps. The file is never changed or deleted for it.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    /// The folder or the file cannot be used.
    #[error("the samples: {0}")]
    Place(#[from] DiskError),
    /// The database in the file cannot be used.
    #[error("the samples {} {fault}", path.display())]
    File { path: PathBuf, fault: Fault },
}

/// A failure without its place.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Written by a later version of this program.
    #[error(
        "are of version {found}, this rundown knows {known}: use the newer rundown, or move the file away, then new samples are begun"
    )]
    Newer { found: i64, known: i64 },
    /// A database of something else.
    #[error("are none of rundown: move the file away, then new samples are begun")]
    Foreign,
    /// It cannot be read as what it should be.
    #[error(
        "are damaged ({0}): move the file away, and those beside it whose names begin the same, then new samples are begun"
    )]
    Damaged(String),
    /// Another program holds it for too long.
    #[error("are held by another program: end the other rundown, or wait for it")]
    Held,
    /// Anything else.
    #[error("cannot be kept or read: {0}; {remedy}", remedy = remedy(.0))]
    Failed(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Held,
            code if is_damage(code, &error) => Self::Damaged(error.to_string()),
            _ => Self::Failed(error),
        }
    }
}

impl Fault {
    pub fn at(self, path: &Path) -> SamplesError {
        SamplesError::File {
            path: path.to_owned(),
            fault: self,
        }
    }
}

/// It is no database, or holds something else than its tables should.
fn is_damage(code: Option<ErrorCode>, error: &Error) -> bool {
    match code {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => true,
        None => matches!(
            error,
            Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..)
        ),
        // The file is shorter than it says of itself.
        Some(_) => error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHORT_READ),
    }
}

/// What a person can do about it.
fn remedy(error: &Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "make room on the disk, then try again",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "give yourself the right to write there, or set XDG_STATE_HOME to a folder of your own"
        }
        Some(ErrorCode::Unknown | ErrorCode::SchemaChanged) => {
            "move the file away, then new samples are begun"
        }
        _ => "check the disk, or set XDG_STATE_HOME to a folder on another one",
    }
}
