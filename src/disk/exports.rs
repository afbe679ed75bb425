//! Files that a person asked for: new ones, never in the place of another.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

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

/// A time, epoch milliseconds, for the name of a file.
pub fn clock(at: i64) -> String {
    let at = Timestamp::from_millisecond(at).unwrap_or_default();
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Of an id, which is the service's, only what is harmless in a name.
pub fn harmless(id: &str) -> String {
    let kept = id
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c));
    kept.take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_a_file_and_no_other_folder() {
        for (id, name) in [("R_188", "R_188"), ("../a/b \u{1b}c", "abc"), ("..", "")] {
            assert_eq!(harmless(id), name);
        }
    }
}
