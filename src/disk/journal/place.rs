//! The folder and the file: theirs who runs the program, and nobody else's.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::JournalError;

/// Makes the folder where it is missing. One that is there is never changed, only refused when others could put a file
/// of theirs in the place of the journal.
pub fn folder(path: &Path) -> Result<(), JournalError> {
    let failed = |source| JournalError::Open { path: path.to_owned(), source };
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
    let metadata = std::fs::metadata(path).map_err(failed)?;
    owned(path, &metadata)?;
    let mode = metadata.mode() & 0o7777;
    if mode & 0o022 != 0 {
        return Err(JournalError::OpenToOthers { path: path.to_owned(), mode });
    }
    Ok(())
}

/// Opens the file for reading and adding, making it where it is missing; one that others may read is closed to them.
pub fn file(path: &Path) -> Result<File, JournalError> {
    let failed = |source| JournalError::Open { path: path.to_owned(), source };
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(JournalError::NoFile { path: path.to_owned() });
    }
    let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(JournalError::NoFile { path: path.to_owned() });
    }
    owned(path, &metadata)?;
    if metadata.mode() & 0o7777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600)).map_err(failed)?;
    }
    if metadata.len() == 0 {
        keep_name(path).map_err(failed)?;
    }
    Ok(file)
}

/// A new file is only safe once its folder is on the disk, too.
fn keep_name(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn owned(path: &Path, metadata: &Metadata) -> Result<(), JournalError> {
    let (owner, user) = (metadata.uid(), rustix::process::geteuid().as_raw());
    if owner == user { Ok(()) } else { Err(JournalError::ForeignOwner { path: path.to_owned(), owner, user }) }
}
