//! Files that a person asked for: new ones, never in the place of another.

use std::path::{Path, PathBuf};

use super::{DiskError, file, place};

/// Writes a new file of this name in `folder`, which is made where it is missing: `stem.csv`, or `stem-2.csv` where that is
/// there already. Returns its path once it is on the disk. Blocks.
pub fn add(folder: &Path, stem: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, DiskError> {
    place::folder(folder)?;
    new_in(folder, stem, extension, bytes)
}

/// The same in a folder that is left as it is.
pub fn new_in(
    folder: &Path,
    stem: &str,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, DiskError> {
    let mut number = 1_u32;
    loop {
        let name = if number == 1 {
            format!("{stem}.{extension}")
        } else {
            format!("{stem}-{number}.{extension}")
        };
        match write(&folder.join(name), bytes) {
            Err(DiskError::Exists { .. }) => number += 1,
            written => return written,
        }
    }
}

/// Writes a new file; an error if something has its name. Returns its path once it is on the disk. Blocks.
pub fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, DiskError> {
    match file::create(path, bytes) {
        Ok(true) => Ok(path.to_owned()),
        Ok(false) => Err(DiskError::Exists {
            path: path.to_owned(),
        }),
        Err(error) => Err(DiskError::writing(path)(error)),
    }
}
