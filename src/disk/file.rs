//! Files that are whole at every moment, and locks between programs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between two looks at whether a lock is free.
const NEXT_LOOK: Duration = Duration::from_millis(2);

/// Puts a file (mode 0600) with these bytes in the place of an old one, or of none. Returns once it is on the disk; whoever
/// looks sees the old file or the new one, whatever happens to this program. One writer per path at a time.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    remove(&beside)?;
    let done = write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // The failure is told; what is left of the attempt is removed by the next one.
        let _ = remove(&beside);
    }
    done?;
    keep_name(path)
}

/// Makes a new file (mode 0600) with these bytes, on the disk when this returns; `false` if something has the name, which
/// is left as it is.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(false);
    }
    let beside = beside(path);
    let done = match write(&beside, bytes) {
        // Another program is at it, or one was killed over it.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        // A link is made only where there is nothing; a rename would go over what is there.
        written => written.and_then(|()| fs::hard_link(&beside, path)),
    };
    let removed = remove(&beside);
    match done {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
        Ok(()) => removed.and_then(|()| keep_name(path)).map(|()| true),
    }
}

/// Where a file is written before it takes its place.
pub fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.new"))
}

/// Removes a file; one that is not there is removed already.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A changed name is only safe once its folder is on the disk, too.
pub fn keep_name(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A file to lock by.
pub fn lock_file(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
}

/// Locks the file against other programs, until it is closed; `false` if one has it. On a file system that knows no locks
/// everybody gets it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Locks the file and waits so long for others who have it.
pub fn lock(file: &File, patience: Duration) -> io::Result<()> {
    let begun = Instant::now();
    while !try_lock(file)? {
        if begun.elapsed() > patience {
            return Err(io::Error::new(
                ErrorKind::TimedOut,
                "another program holds it",
            ));
        }
        std::thread::sleep(NEXT_LOOK);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_lock_that_another_has_is_given_up_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let theirs = lock_file(&path).unwrap();
        let ours = lock_file(&path).unwrap();
        assert!(try_lock(&theirs).unwrap());
        assert!(!try_lock(&ours).unwrap());
        let (done, answer) = channel();
        let waiting = std::thread::spawn(move || {
            let locked = lock(&ours, Duration::from_millis(30));
            done.send(locked.map_err(|error| error.kind())).unwrap();
        });
        let given_up = answer.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(given_up, Err(ErrorKind::TimedOut));
        waiting.join().unwrap();
    }
}
