//! Why the journal cannot be kept or read.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// A failure of the journal; it names the file and what helps.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The folder or the file cannot be made or opened.
    #[error("the journal {path} cannot be opened: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Open {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder or the file is somebody else's, who could change what stands in it.
    #[error("the journal {path} belongs to user {owner}, not to user {user}: start rundown as that user, or set XDG_STATE_HOME to a folder of your own", path = path.display())]
    ForeignOwner {
        /// The folder or the file.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
        /// Number of the user of this program.
        user: u32,
    },
    /// Others may replace files in the folder.
    #[error("the folder of the journal, {path}, can be written by other users (mode {mode:04o}): chmod 700 on it, or set XDG_STATE_HOME to a folder of your own", path = path.display())]
    OpenToOthers {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// Something else than a file has the name.
    #[error("the journal {path} is no plain file: move it away", path = path.display())]
    NoFile {
        /// What is in the way.
        path: PathBuf,
    },
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

/// What a person can do about it.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only: set XDG_STATE_HOME to a folder that can be written",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room on the disk, then try again"
        }
        ErrorKind::PermissionDenied => {
            "give yourself the right to write there, or set XDG_STATE_HOME to a folder of your own"
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists | ErrorKind::IsADirectory => {
            "something else has this name: move it away"
        }
        ErrorKind::TimedOut => "end the other rundown, or wait for it",
        _ => "check the disk, or set XDG_STATE_HOME to a folder on another one",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_and_a_read_only_disk_have_their_words() {
        let told = |kind: ErrorKind| JournalError::Write { path: "j".into(), source: kind.into() }.to_string();
        assert!(told(ErrorKind::StorageFull).contains("make room"));
        assert!(told(ErrorKind::ReadOnlyFilesystem).contains("XDG_STATE_HOME"));
        assert!(told(ErrorKind::PermissionDenied).contains("the right to write"));
    }
}
