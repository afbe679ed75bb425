//! State folder and files: they belong to the user of the program alone.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::{DiskError, file};

/// Does not follow links, and never waits for the other end of a pipe.
const NO_DETOUR: i32 = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .bits()
    .cast_signed();

/// Bytes of a page of a database.
const PAGE: usize = 4096;

/// Creates a missing folder, for its owner alone. A folder of ours that others may read is closed to them; one that
/// others can write to is refused, since its files may be theirs.
pub fn folder(path: &Path) -> Result<(), DiskError> {
    let failed = DiskError::opening(path);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(failed)?;
    let metadata = std::fs::metadata(path).map_err(failed)?;
    owned(path, &metadata)?;
    let mode = metadata.mode() & 0o7777;
    if mode & 0o022 != 0 {
        let path = path.to_owned();
        return Err(DiskError::OpenToOthers { path, mode });
    }
    if mode & 0o055 != 0 {
        std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700)).map_err(failed)?;
    }
    Ok(())
}

/// Tries whether files of some bytes can be made in a folder, or the folder where it is missing; leaves nothing there.
pub fn try_writing(folder: &Path) -> Result<(), DiskError> {
    let mut there = folder.ancestors();
    let there = there.find(|it| it.symlink_metadata().is_ok());
    let tried = tempfile::tempfile_in(there.unwrap_or(folder)).and_then(|mut file| {
        file.write_all(&[0; PAGE])?;
        file.sync_all()
    });
    tried.map_err(DiskError::writing(folder))
}

/// Opens the file for reading and appending, creating a missing one; a file that others may read is closed to them.
pub fn file(path: &Path) -> Result<File, DiskError> {
    let failed = DiskError::opening(path);
    let is_new = !path.exists();
    let file = lock_file(path)?;
    if is_new {
        file::keep_name(path).map_err(failed)?;
    }
    Ok(file)
}

/// Makes sure that a file for this user alone is there. One that is there so is not opened: where it is closed again,
/// all locks go that this process has on it.
pub fn there(path: &Path) -> Result<(), DiskError> {
    let is_right =
        |it: Metadata| it.is_file() && it.mode() & 0o7777 == 0o600 && owned(path, &it).is_ok();
    if path.symlink_metadata().is_ok_and(is_right) {
        return Ok(());
    }
    file(path).map(drop)
}

/// Opens a file that serves only as a lock, so its name need not be synced; a missing one is created.
pub(super) fn lock_file(path: &Path) -> Result<File, DiskError> {
    open_lock(path, true)
}

/// Opens a file that serves as a lock and is there.
pub(super) fn lock_file_there(path: &Path) -> Result<File, DiskError> {
    open_lock(path, false)
}

/// Returns true if the path still leads to this file.
pub(super) fn is_there(file: &File, path: &Path) -> bool {
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let of_path = path.symlink_metadata().map(id);
    file.metadata().map(id).ok() == of_path.ok()
}

fn open_lock(path: &Path, creates: bool) -> Result<File, DiskError> {
    let failed = DiskError::opening(path);
    let no_file = || DiskError::NoFile {
        path: path.to_owned(),
    };
    if std::fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(no_file());
    }
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(creates)
        .mode(0o600)
        .custom_flags(NO_DETOUR)
        .open(path)
        .map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    // Another program may have put a pipe there since the check.
    if !metadata.is_file() {
        return Err(no_file());
    }
    owned(path, &metadata)?;
    if metadata.mode() & 0o7777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))
            .map_err(failed)?;
    }
    Ok(file)
}

fn owned(path: &Path, metadata: &Metadata) -> Result<(), DiskError> {
    let (owner, user) = (metadata.uid(), rustix::process::geteuid().as_raw());
    if owner == user {
        Ok(())
    } else {
        let path = path.to_owned();
        Err(DiskError::ForeignOwner { path, owner, user })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    /// Links are not followed, pipes are not waited for, and files are not readable by other users.
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
            assert!(matches!(error, DiskError::NoFile { .. }), "{name}: {error}");
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
