//! Changes under way: each has a file that its program keeps locked until the end of the change is known. A file
//! without a lock is of a program that ended before; the journal has the details.

use std::collections::HashSet;

use super::error::entries;
use super::prelude::*;

/// Longest wait for a program that checks a lock.
const PATIENCE: Duration = Duration::from_secs(1);

/// The changes under way of all programs that use the state directory.
#[derive(Debug)]
pub struct UnderWay {
    folder: PathBuf,
}

/// A change of this program. Dropped without an end, it stays for other programs.
#[derive(Debug)]
pub struct Held {
    name: String,
    path: PathBuf,
    file: File,
    /// Writes of it whose last step could not be written down: the journal does not know their ends.
    unwritten: HashSet<String>,
}

impl UnderWay {
    /// Uses `folder`, which is created with the first change.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Registers a change; it is on the disk when this returns. Blocks.
    pub fn begin(&self, name: &str) -> Result<Held, DiskError> {
        place::folder(&self.folder)?;
        // Locked before others see it.
        let hidden = self.folder.join(format!(".{name}"));
        let mut held = Self::hold(name, &hidden, place::lock_file)?;
        let path = self.folder.join(name);
        let named = fs::rename(&hidden, &path).and_then(|()| file::keep_name(&path));
        named.map_err(DiskError::writing(&path))?;
        held.path = path;
        Ok(held)
    }

    /// Locks this name, so that one program at a time does what it stands for; `None` if another one is at it. Blocks.
    pub fn alone(&self, name: &str) -> Result<Option<Held>, DiskError> {
        place::folder(&self.folder)?;
        // No change: the dot keeps it from those that are left.
        let path = self.folder.join(format!(".{}", name.replace('/', "-")));
        let mut tries = 0..100;
        loop {
            match Self::hold(name, &path, place::lock_file) {
                // Its program has just removed the file. Some file systems never report that a file is the same.
                Ok(held) if !place::is_there(&held.file, &path) && tries.next().is_some() => {}
                Err(error) if error.is_held() => return Ok(None),
                held => return held.map(Some),
            }
        }
    }

    /// Resumes an unfinished change, `None` if it has ended. Blocks.
    pub fn take(&self, name: &str) -> Result<Option<Held>, DiskError> {
        let held = match Self::hold(name, &self.folder.join(name), place::lock_file_there) {
            Err(error) if error.is_not_found() => return Ok(None),
            held => held?,
        };
        // Its program may have ended the change meanwhile and removed the file.
        Ok(place::is_there(&held.file, &held.path).then_some(held))
    }

    /// Stops offering an unfinished change.
    pub fn let_be(&self, name: &str) -> Result<(), DiskError> {
        self.take(name)?.map_or(Ok(()), Held::end)
    }

    fn hold(
        name: &str,
        path: &Path,
        open: impl FnOnce(&Path) -> Result<File, DiskError>,
    ) -> Result<Held, DiskError> {
        let file = open(path)?;
        let held = file::wait(PATIENCE, || file.try_lock());
        held.map_err(DiskError::writing(path))?;
        Ok(Held {
            name: name.to_owned(),
            path: path.to_owned(),
            file,
            unwritten: HashSet::new(),
        })
    }

    /// Returns true if no program holds the change; not known, so false, on a file system without locks. Blocks.
    pub fn is_left(&self, name: &str) -> Result<bool, DiskError> {
        let file = match place::lock_file_there(&self.folder.join(name)) {
            Err(error) if error.is_not_found() => return Ok(true),
            file => file?,
        };
        Ok(file::wait(Duration::ZERO, || file.try_lock()).unwrap_or(false))
    }

    /// Returns the names of all changes, held or not, oldest first. Blocks.
    pub fn names(&self) -> Result<Vec<String>, DiskError> {
        let entries = match entries(&self.folder) {
            Err(error) if error.is_not_found() => return Ok(Vec::new()),
            entries => entries?,
        };
        let files = entries.into_iter().filter(|entry| {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            // One with a dot is of a change that begins.
            is_file && !entry.file_name().as_encoded_bytes().starts_with(b".")
        });
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort();
        Ok(names)
    }

    /// Returns the names of the changes that no program holds, oldest first. Blocks.
    pub fn left(&self) -> Result<Vec<String>, DiskError> {
        let mut left = Vec::new();
        for name in self.names()? {
            let path = self.folder.join(&name);
            let file = match place::lock_file_there(&path) {
                // The change has just ended.
                Err(error) if error.is_not_found() => continue,
                file => file?,
            };
            let is_free = file::try_lock(&file).map_err(DiskError::reading(&path))?;
            // It may have ended after its file was opened.
            if is_free && place::is_there(&file, &path) {
                left.push(name);
            }
        }
        Ok(left)
    }
}

impl Held {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Notes whether the last step of one of its writes could be written down.
    pub fn note_step(&mut self, write: &WriteId, is_written: bool) {
        if is_written {
            self.unwritten.remove(write.as_str());
        } else {
            self.unwritten.insert(write.as_str().to_owned());
        }
    }

    /// Ends the change: its outcome is known. It stays for other programs if the journal does not know it. Blocks.
    pub fn end(self) -> Result<(), DiskError> {
        if !self.unwritten.is_empty() {
            return Ok(());
        }
        file::remove(&self.path).map_err(DiskError::writing(&self.path))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Closing the file may not release the lock: a command being started at this moment can have it open too.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn what_is_held_is_not_left_and_what_is_over_is_gone() {
        let home = tempfile::tempdir().unwrap();
        let changes = UnderWay::new(home.path().join("under_way"));
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
        let (first, second) = (changes.begin("1").unwrap(), changes.begin("2").unwrap());
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
        drop(first);
        // Something else than a plain file is no change.
        fs::create_dir(home.path().join("under_way/0")).unwrap();
        assert_eq!(changes.left().unwrap(), ["1"]);
        assert!(changes.is_left("1").unwrap() && !changes.is_left("2").unwrap());
        let error = changes.take("2").unwrap_err().to_string();
        assert!(error.contains("end the other rundown"), "{error}");
        let first = changes.take("1").unwrap().unwrap();
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
        first.end().unwrap();
        assert!(changes.take("1").unwrap().is_none());
        // A failed end is returned: the change would be offered at the next start.
        fs::remove_file(&second.path).unwrap();
        fs::create_dir(&second.path).unwrap();
        assert!(second.end().is_err());
        assert_eq!(changes.left().unwrap(), Vec::<String>::new());
    }
    #[test]
    fn what_ends_while_others_look_is_never_left_and_leaves_no_file() {
        let home = tempfile::tempdir().unwrap();
        let changes = UnderWay::new(home.path().join("under_way"));
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..400 {
                    let held = changes.begin(&number.to_string()).unwrap();
                    held.end().unwrap();
                }
                ended.store(true, Ordering::SeqCst);
            });
            while !ended.load(Ordering::SeqCst) {
                assert_eq!(changes.left().unwrap(), Vec::<String>::new());
            }
        });
        assert_eq!(
            fs::read_dir(home.path().join("under_way")).unwrap().count(),
            0
        );
    }
}
