//! Changes that are under way, each a file that its program holds locked until the change has come to an end that is
//! known. What nobody holds was left by a program that ended before, or without finding out; the journal tells the rest.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use super::error::entries;
use super::{DiskError, file, place};

/// How long somebody may look whether a change is held.
const PATIENCE: Duration = Duration::from_secs(1);

/// The changes under way, of all programs that use the state directory.
#[derive(Debug)]
pub struct UnderWay {
    folder: PathBuf,
}

/// A change that this program carries out. Let go of without an end, it stays for others.
#[derive(Debug)]
pub struct Held {
    name: String,
    path: PathBuf,
    file: File,
}

impl UnderWay {
    /// In `folder`, which is made with the first of them.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Begins a change; it is on the disk when this returns. Blocks.
    pub fn begin(&self, name: &str) -> Result<Held, DiskError> {
        place::folder(&self.folder)?;
        self.hold(name)
    }

    /// Takes up a change that was left; nothing where it is over by now. Blocks.
    pub fn take(&self, name: &str) -> Result<Option<Held>, DiskError> {
        if !self.folder.join(name).exists() {
            return Ok(None);
        }
        let held = self.hold(name)?;
        // Whoever had it may have ended it while it was waited for: a file without a name is nobody's.
        Ok(held.path.exists().then_some(held))
    }

    /// A change is not asked about any more.
    pub fn let_be(&self, name: &str) -> Result<(), DiskError> {
        self.take(name)?.map_or(Ok(()), Held::over)
    }

    fn hold(&self, name: &str) -> Result<Held, DiskError> {
        let path = self.folder.join(name);
        let file = place::lock_file(&path)?;
        let held = file::wait(PATIENCE, || file.try_lock());
        let kept = held.and_then(|_| file::keep_name(&path));
        kept.map_err(DiskError::writing(&path))?;
        Ok(Held {
            name: name.to_owned(),
            path,
            file,
        })
    }

    /// Names of the changes that nobody holds, oldest first. Blocks.
    pub fn left(&self) -> Result<Vec<String>, DiskError> {
        let entries = match entries(&self.folder) {
            Err(error) if error.is_not_found() => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut left = Vec::new();
        for entry in entries {
            let path = entry.path();
            if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            let file = match place::lock_file(&path) {
                // It came to its end a moment ago.
                Err(error) if error.is_not_found() => continue,
                file => file?,
            };
            if file::try_lock(&file).map_err(DiskError::reading(&path))? {
                left.extend(entry.file_name().into_string());
            }
        }
        left.sort();
        Ok(left)
    }
}

impl Held {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The change has come to an end that is known. Blocks.
    pub fn over(self) -> Result<(), DiskError> {
        file::remove(&self.path).map_err(DiskError::writing(&self.path))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Closing the file would do, but for a command that is being started at this moment and has it open, too.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_held_is_not_left_and_what_is_over_is_gone() {
        let home = tempfile::tempdir().unwrap();
        let changes = UnderWay::new(home.path().join("under_way"));
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
        let (first, second) = (changes.begin("1").unwrap(), changes.begin("2").unwrap());
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
        drop(first);
        // What is no plain file is nobody's change.
        fs::create_dir(home.path().join("under_way/0")).unwrap();
        assert_eq!(changes.left().unwrap(), ["1"]);
        let error = changes.take("2").unwrap_err().to_string();
        assert!(error.contains("end the other rundown"), "{error}");
        let first = changes.take("1").unwrap().unwrap();
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
        first.over().unwrap();
        assert!(changes.take("1").unwrap().is_none());
        // It would be asked about at the next start: that is said.
        fs::remove_file(&second.path).unwrap();
        fs::create_dir(&second.path).unwrap();
        assert!(second.over().is_err());
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
    }
}
