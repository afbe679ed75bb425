//! Errors of files and folders of the state directory.

use std::fs::{self, DirEntry};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// An error of a file or folder; it names the path and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// A folder or file cannot be opened, written, read or replaced.
    #[error("{reason}: {path} cannot be {done}; {remedy}", reason = reason(source), remedy = remedy(source))]
    Access {
        /// The folder or the file.
        path: PathBuf,
        /// The failed action: `opened`, `written` or `read`.
        done: &'static str,
        /// Error of the system.
        source: io::Error,
    },
    /// It belongs to another user, who could change its contents.
    #[error(
        "{path} belongs to user {owner}, not to user {user}: start rundown as that user, or set XDG_STATE_HOME to a folder of your own"
    )]
    ForeignOwner {
        /// The folder or the file.
        path: PathBuf,
        /// User id of the owner.
        owner: u32,
        /// User id of this program.
        user: u32,
    },
    /// Other users may replace files in the folder.
    #[error(
        "the folder {path} can be written by other users (mode {mode:04o}): chmod 700 on it, or set XDG_STATE_HOME to a folder of your own"
    )]
    OpenToOthers {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A folder has the name, or it is that of one.
    #[error("{path} is a folder: name a file in it")]
    Folder {
        /// Its path.
        path: PathBuf,
    },
    /// Something else than a plain file has the name.
    #[error("{path} is no plain file: move it away; links are not followed")]
    NoFile {
        /// Its path.
        path: PathBuf,
    },
    /// The same of a path that the user named.
    #[error(
        "{path} is no plain file, and nothing else is replaced: name another; links are not followed"
    )]
    NotReplaced {
        /// Its path.
        path: PathBuf,
    },
    /// The folder for a file does not exist.
    #[error("there is no folder {path}: make it first, or name a file elsewhere")]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is there, and no file can be made in it, as in `/proc`.
    #[error("the folder {path} takes no files: name one elsewhere")]
    TakesNoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// A file of this name exists already.
    #[error("{path} is there already and is not written over: name another file")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file has contents that this program did not write.
    #[error("{path} holds nothing that can be read back: {why}; it is left as it is")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The form is closed or was never opened: the draft may belong to another program by now.
    #[error("the draft {key} is not open here; open the form again")]
    NotOpen {
        /// Key of the draft.
        key: String,
    },
    /// Another program has the form open.
    #[error("the form is open in another rundown (process {process}): close it there first")]
    OpenElsewhere {
        /// Process id; 0 if unknown.
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

    /// Returns its words about a file that an option names.
    pub fn naming(&self, option: &str) -> String {
        let file = format!("name with {option} a file in");
        self.to_string().replace("set XDG_STATE_HOME to", &file)
    }

    /// Converts an error of opening this path.
    pub fn opening(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::access(path, "opened")
    }

    /// Converts an error of writing this path.
    pub fn writing(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::access(path, "written")
    }

    /// Converts an error of reading this path.
    pub(super) fn reading(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        Self::access(path, "read")
    }

    /// True if the path does not exist.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Access { source, .. } if source.kind() == ErrorKind::NotFound)
    }

    /// True if another program holds the lock.
    pub(super) fn is_held(&self) -> bool {
        matches!(self, Self::Access { source, .. } if source.kind() == ErrorKind::TimedOut)
    }
}

/// Returns the error of the system, in plain words where there are some.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "the disk is full".into(),
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only".into(),
        _ => error.to_string(),
    }
}

/// Advice for the user.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => "set XDG_STATE_HOME to a folder that can be written",
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

/// Returns the entries of a folder.
pub(super) fn entries(folder: &Path) -> Result<Vec<DirEntry>, DiskError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect);
    entries.map_err(DiskError::reading(folder))
}
