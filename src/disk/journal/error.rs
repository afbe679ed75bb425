//! Why the journal cannot be kept or read.

use std::io;
use std::path::PathBuf;

use crate::disk::place::{PlaceError, remedy};

/// A failure of the journal; it names the file and what helps.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The folder or the file cannot be used.
    #[error("the journal: {0}")]
    Place(#[from] PlaceError),
    /// A line could not be written, or not be brought to the disk.
    #[error("the journal {path} takes no line: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be read.
    #[error("the journal {path} cannot be read: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
