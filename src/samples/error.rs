//! Why samples cannot be kept or read.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::disk::DiskError;

/// A failure of the samples; it names the file and what helps. The file is never changed or deleted for it.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    /// The folder or the file cannot be used.
    #[error("the samples: {0}")]
    Place(#[from] DiskError),
    /// Written by a later version of this program.
    #[error("the samples {path} are of version {found}, this rundown knows {known}: use the newer rundown, or move the file away, then new samples are begun", path = path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version that this program writes.
        known: i64,
    },
    /// A database of something else.
    #[error("{path} holds no samples of rundown: move it away, then new samples are begun", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read as what it should be.
    #[error("the samples {path} are damaged ({what}): move the file away, and those beside it whose names begin the same, then new samples are begun", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Another program holds it for too long.
    #[error("the samples {path} are held by another program: end the other rundown, or wait for it", path = path.display())]
    Held {
        /// The file.
        path: PathBuf,
    },
    /// Anything else.
    #[error("the samples {path} cannot be kept or read: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the database said.
        source: rusqlite::Error,
    },
}

/// A failure without its place.
#[derive(Debug)]
pub enum Fault {
    Newer { found: i64, known: i64 },
    Foreign,
    Unreadable(&'static str),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl Fault {
    pub fn at(self, path: &Path) -> SamplesError {
        let path = path.to_owned();
        match self {
            Self::Newer { found, known } => SamplesError::Newer { path, found, known },
            Self::Foreign => SamplesError::Foreign { path },
            Self::Unreadable(what) => SamplesError::Damaged {
                path,
                what: what.to_owned(),
            },
            Self::Database(source) => match source.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    SamplesError::Held { path }
                }
                code if is_damage(code, &source) => SamplesError::Damaged {
                    path,
                    what: source.to_string(),
                },
                _ => SamplesError::Failed { path, source },
            },
        }
    }
}

/// It is no database, or holds something else than its tables should.
fn is_damage(code: Option<ErrorCode>, error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType};
    match code {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => true,
        None => matches!(error, InvalidColumnType(..) | FromSqlConversionFailure(..)),
        // The file is shorter than it says of itself.
        Some(_) => error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHORT_READ),
    }
}

/// What a person can do about it.
fn remedy(error: &rusqlite::Error) -> &'static str {
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
