//! Files requested by the user: new ones, and for scripts replacements of existing ones.

use jiff::Timestamp;
use tempfile::NamedTempFile;

use super::prelude::*;

/// Writes a new file in `folder`, which is created if missing: `stem.csv`, or `stem-2.csv` if that exists. Returns its
/// path once it is on the disk. Blocks.
pub fn add(folder: &Path, stem: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, DiskError> {
    place::folder(folder)?;
    new_in(folder, stem, extension, bytes)
}

/// Writes a new file as [`add`] does, in an existing folder.
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

/// A file that is written beside its place (mode 0600, or that of the file it replaces) and moved there once it is
/// complete. Until then, and if it is dropped, the old file stays.
pub struct Replacement {
    path: PathBuf,
    file: NamedTempFile,
}

impl Replacement {
    /// Starts a replacement of this path; an error if something else than a file is there: links are not followed.
    /// Blocks.
    pub fn begin(path: &Path) -> Result<Self, DiskError> {
        let wrong = DiskError::writing(path);
        let named_folder = path.parent().unwrap_or(path).to_owned();
        let path = &std::path::absolute(path).map_err(wrong)?;
        let is_of_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let old = match fs::symlink_metadata(path) {
            old if is_of_folder || old.as_ref().is_ok_and(fs::Metadata::is_dir) => {
                let path = path.to_owned();
                return Err(DiskError::Folder { path });
            }
            Ok(old) if !old.is_file() => {
                let path = path.to_owned();
                return Err(DiskError::NotReplaced { path });
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            old => Some(old.map_err(wrong)?),
        };
        let folder = path.parent().unwrap_or(path);
        let begun = tempfile::Builder::new()
            .prefix(".rundown-")
            .tempfile_in(folder)
            .and_then(|file| {
                if let Some(old) = old {
                    file.as_file().set_permissions(old.permissions())?;
                }
                Ok(file)
            });
        // The full error names the temporary file, which the user did not ask for.
        let begun = begun.map_err(|error| match error.kind() {
            ErrorKind::NotFound if folder.is_dir() => {
                DiskError::TakesNoFiles { path: named_folder }
            }
            ErrorKind::NotFound => DiskError::NoFolder { path: named_folder },
            kind => wrong(kind.into()),
        });
        Ok(Self {
            path: path.to_owned(),
            file: begun?,
        })
    }

    /// Finishes the file: it is on the disk and in its place when this returns. Blocks.
    pub fn done(self) -> Result<(), DiskError> {
        let kept = self.file.as_file().sync_all();
        let placed = kept
            .and_then(|()| self.file.persist(&self.path).map_err(|it| it.error))
            .and_then(|_| file::keep_name(&self.path));
        placed.map_err(DiskError::writing(&self.path))
    }
}

/// Errors do not name the temporary file, which the user did not ask for.
impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Formats a time, epoch milliseconds, for the name of a file.
pub fn clock(at: i64) -> String {
    let at = Timestamp::from_millisecond(at).unwrap_or_default();
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Reduces an id of the service to characters that are harmless in a file name.
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
