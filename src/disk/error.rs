//! Why a file in the state directory cannot be kept or read.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::place::{PlaceError, remedy};

/// A failure with a draft or a copy; it names the place and what helps.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// A folder or a file cannot be made, opened or put in its place.
    #[error("{path} cannot be written: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Write {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder or a file cannot be read.
    #[error("{path} cannot be read: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Read {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something has the name of a file that is to be new.
    #[error("{path} is there already and is not written over: name another file", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The folder cannot be used.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// What the file holds is not what this program writes.
    #[error("{path} holds nothing that can be read back: {why}; it is left as it is", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// In what.
        why: String,
    },
    /// A form that is closed, or was never opened, keeps nothing: the draft may be another program's by now.
    #[error("the draft {key} is not open here; open the form again")]
    NotOpen {
        /// Which draft.
        key: String,
    },
    /// Another program has the form open.
    #[error("the form is open in another rundown (process {process}): close it there first")]
    OpenElsewhere {
        /// Number of its process; 0 if that is not known.
        process: u32,
    },
}

impl DiskError {
    /// What is made of an error of writing to this path.
    pub(super) fn writing(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Write {
            path: path.to_owned(),
            source,
        }
    }

    /// The same of reading.
    pub(super) fn reading(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Read {
            path: path.to_owned(),
            source,
        }
    }
}

/// What is in a folder.
pub(super) fn entries(folder: &Path) -> Result<Vec<DirEntry>, DiskError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect);
    entries.map_err(DiskError::reading(folder))
}
