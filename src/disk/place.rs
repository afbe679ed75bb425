//! Folder and files of what the program remembers: theirs who runs it, and nobody else's.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::file;

/// Why a folder or a file cannot be used; it names the place and what helps.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// It cannot be made or opened.
    #[error("{path} cannot be opened: {source}; {remedy}", path = path.display(), remedy = remedy(source))]
    Open {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is somebody else's, who could change what stands in it.
    #[error("{path} belongs to user {owner}, not to user {user}: start rundown as that user, or set XDG_STATE_HOME to a folder of your own", path = path.display())]
    ForeignOwner {
        /// The folder or the file.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
        /// Number of the user of this program.
        user: u32,
    },
    /// Others may replace files in the folder.
    #[error("the folder {path} can be written by other users (mode {mode:04o}): chmod 700 on it, or set XDG_STATE_HOME to a folder of your own", path = path.display())]
    OpenToOthers {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// Something else than a file has the name.
    #[error("{path} is no plain file: move it away; links are not followed", path = path.display())]
    NoFile {
        /// What is in the way.
        path: PathBuf,
    },
}

/// Makes the folder where it is missing, for its owner alone. One of ours that others may read is closed to them; one
/// that they can write into is refused: what lies in it may be theirs.
pub fn folder(path: &Path) -> Result<(), PlaceError> {
    let failed = |source| PlaceError::Open {
        path: path.to_owned(),
        source,
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(failed)?;
    let metadata = std::fs::metadata(path).map_err(failed)?;
    owned(path, &metadata)?;
    let mode = metadata.mode() & 0o7777;
    if mode & 0o022 != 0 {
        return Err(PlaceError::OpenToOthers {
            path: path.to_owned(),
            mode,
        });
    }
    if mode & 0o055 != 0 {
        std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700)).map_err(failed)?;
    }
    Ok(())
}

/// Opens the file for reading and adding, making it where it is missing; one that others may read is closed to them.
pub fn file(path: &Path) -> Result<File, PlaceError> {
    let failed = |source| PlaceError::Open {
        path: path.to_owned(),
        source,
    };
    if std::fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(PlaceError::NoFile {
            path: path.to_owned(),
        });
    }
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(file::NO_DETOUR)
        .open(path)
        .map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    // Somebody may have put a pipe there since it was looked at.
    if !metadata.is_file() {
        return Err(PlaceError::NoFile {
            path: path.to_owned(),
        });
    }
    owned(path, &metadata)?;
    if metadata.mode() & 0o7777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))
            .map_err(failed)?;
    }
    if metadata.len() == 0 {
        file::keep_name(path).map_err(failed)?;
    }
    Ok(file)
}

fn owned(path: &Path, metadata: &Metadata) -> Result<(), PlaceError> {
    let (owner, user) = (metadata.uid(), rustix::process::geteuid().as_raw());
    if owner == user {
        Ok(())
    } else {
        Err(PlaceError::ForeignOwner {
            path: path.to_owned(),
            owner,
            user,
        })
    }
}

/// What a person can do about it.
pub fn remedy(error: &io::Error) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::file::lock_file;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    /// Nothing is opened through a link, nothing waits for the other end of a pipe, nobody else reads what is written.
    #[test]
    fn files_are_plain_ones_of_ones_own() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::write(at("target"), "theirs").unwrap();
        std::fs::set_permissions(at("target"), Permissions::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(at("target"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::from(0o600), 0).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        for name in ["link", "dangling", "pipe", "folder"] {
            let error = file(&at(name)).unwrap_err();
            assert!(
                matches!(error, PlaceError::NoFile { .. }),
                "{name}: {error}"
            );
            assert!(lock_file(&at(name)).is_err(), "{name}");
        }
        let mode = |name: &str| std::fs::metadata(at(name)).unwrap().mode() & 0o7777;
        assert_eq!(mode("target"), 0o644);
        assert!(!at("nowhere").exists());
        for open in [
            |path: &Path| drop(file(path).unwrap()),
            |path: &Path| {
                drop(lock_file(path).unwrap());
            },
        ] {
            std::fs::write(at("mine"), "").unwrap();
            std::fs::set_permissions(at("mine"), Permissions::from_mode(0o666)).unwrap();
            open(&at("mine"));
            assert_eq!(mode("mine"), 0o600);
        }
    }
}
