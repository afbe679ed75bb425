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

/// Gives what has the name another one, under which it is not looked for: nothing is deleted.
pub fn aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for number in 1_u32.. {
        let aside = path.with_file_name(format!("{name}.broken-{number}"));
        match fs::symlink_metadata(&aside) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::rename(path, &aside)?;
                keep_name(path)?;
                return Ok(aside);
            }
            there => there.map(drop)?,
        }
    }
    Err(io::Error::other("too many of them"))
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

/// Locks the file against other programs, until it is closed; `false` if one has it. On a file system that knows no locks
/// everybody gets it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    Ok(locked(file.try_lock())?.is_some())
}

/// Tries to lock until it is done or this long has passed; `false` on a file system that knows no locks.
pub fn wait(
    patience: Duration,
    attempt: impl Fn() -> Result<(), TryLockError>,
) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        if let Some(locked) = locked(attempt())? {
            return Ok(locked);
        }
        if begun.elapsed() > patience {
            return Err(io::Error::new(
                ErrorKind::TimedOut,
                "another program holds it",
            ));
        }
        std::thread::sleep(NEXT_LOOK);
    }
}

/// What an attempt to lock came to: `None` while another has it, `false` where there are no locks.
fn locked(attempt: Result<(), TryLockError>) -> io::Result<Option<bool>> {
    match attempt {
        Ok(()) => Ok(Some(true)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
            Ok(Some(false))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_waited_for_until_it_is_there_or_time_is_up() {
        let begun = Instant::now();
        let tried = |patience, answer: &dyn Fn() -> Result<(), TryLockError>| {
            let patience = Duration::from_millis(patience);
            wait(patience, || {
                assert!(begun.elapsed() < Duration::from_secs(10), "never given up");
                answer()
            })
            .map_err(|error| error.kind())
        };
        let failed = |kind: ErrorKind| Err(TryLockError::Error(kind.into()));
        assert_eq!(tried(0, &|| Ok(())), Ok(true));
        // A file system that knows no locks.
        assert_eq!(tried(0, &|| failed(ErrorKind::Unsupported)), Ok(false));
        let other = tried(0, &|| failed(ErrorKind::Interrupted));
        assert_eq!(other, Err(ErrorKind::Interrupted));
        let held = tried(30, &|| Err(TryLockError::WouldBlock));
        assert_eq!(held, Err(ErrorKind::TimedOut));
        let free_by_then = tried(10_000, &|| {
            if begun.elapsed() < Duration::from_millis(100) {
                Err(TryLockError::WouldBlock)
            } else {
                Ok(())
            }
        });
        assert_eq!(free_by_then, Ok(true));
    }
}
