//! Why a file in the state directory cannot be kept or read.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

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
    /// The folder is somebody else's, who could change what stands in it.
    #[error("{path} belongs to user {owner}, not to user {user}: start rundown as that user, or set XDG_STATE_HOME to a folder of your own", path = path.display())]
    ForeignOwner {
        /// The folder.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
        /// Number of the user of this program.
        user: u32,
    },
    /// Others may read or replace files in the folder.
    #[error("{path} is open to other users (mode {mode:04o}): chmod 700 on it, or set XDG_STATE_HOME to a folder of your own", path = path.display())]
    OpenToOthers {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
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

/// What a person can do about it.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only: set XDG_STATE_HOME to a folder that can be written",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room on the disk, then try again"
        }
        ErrorKind::PermissionDenied => "give yourself that right, or set XDG_STATE_HOME to a folder of your own",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists | ErrorKind::IsADirectory => {
            "something else has this name: move it away"
        }
        ErrorKind::NotFound => "it was moved or deleted",
        ErrorKind::TimedOut => "end the other rundown, or wait for it",
        _ => "check the disk, or set XDG_STATE_HOME to a folder on another one",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_and_a_read_only_disk_have_their_words() {
        let told = |kind: ErrorKind| DiskError::Write { path: "d".into(), source: kind.into() }.to_string();
        assert!(told(ErrorKind::StorageFull).contains("make room"));
        assert!(told(ErrorKind::ReadOnlyFilesystem).contains("XDG_STATE_HOME"));
        assert!(told(ErrorKind::PermissionDenied).contains("that right"));
    }
}
