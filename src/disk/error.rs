//! Why a file or folder of the state directory cannot be used.

use std::fs::{self, DirEntry};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A failure with a file or folder; it names the place and what helps.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// A folder or a file cannot be opened, written, read or put in its place.
    #[error("{path} cannot be {done}: {source}; {remedy}", remedy = remedy(source))]
    Access {
        /// The folder or the file.
        path: PathBuf,
        /// What cannot be done: `opened`, `written` or `read`.
        done: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// It is somebody else's, who could change what stands in it.
    #[error(
        "{path} belongs to user {owner}, not to user {user}: start rundown as that user, or set XDG_STATE_HOME to a folder of your own"
    )]
    ForeignOwner {
        /// The folder or the file.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
        /// Number of the user of this program.
        user: u32,
    },
    /// Others may replace files in the folder.
    #[error(
        "the folder {path} can be written by other users (mode {mode:04o}): chmod 700 on it, or set XDG_STATE_HOME to a folder of your own"
    )]
    OpenToOthers {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// Something else than a file has the name.
    #[error("{path} is no plain file: move it away; links are not followed")]
    NoFile {
        /// What is in the way.
        path: PathBuf,
    },
    /// Something has the name of a file that is to be new.
    #[error("{path} is there already and is not written over: name another file")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// What the file holds is not what this program writes.
    #[error("{path} holds nothing that can be read back: {why}; it is left as it is")]
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
    fn access(path: &Path, done: &'static str) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Access {
            path: path.to_owned(),
            done,
            source,
        }
    }

    /// What is made of an error of opening this path.
    pub fn opening(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::access(path, "opened")
    }

    /// The same of writing.
    pub fn writing(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::access(path, "written")
    }

    /// The same of reading.
    pub(super) fn reading(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::access(path, "read")
    }

    /// There is nothing at that place.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Access { source, .. } if source.kind() == ErrorKind::NotFound)
    }
}

/// What a person can do about it.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => {
            "the disk is read-only: set XDG_STATE_HOME to a folder that can be written"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room on the disk, then try again"
        }
        ErrorKind::PermissionDenied => {
            "give yourself the right to write there, or set XDG_STATE_HOME to a folder of your own"
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists | ErrorKind::IsADirectory => {
            "something else has this name: move it away"
        }
        ErrorKind::NotFound => {
            "the folder or file is not there: it was moved or deleted, or never made"
        }
        ErrorKind::TimedOut => "end the other rundown, or wait for it",
        _ => "check the disk, or set XDG_STATE_HOME to a folder on another one",
    }
}

/// What is in a folder.
pub(super) fn entries(folder: &Path) -> Result<Vec<DirEntry>, DiskError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect);
    entries.map_err(DiskError::reading(folder))
}
