//! Atomic writes of files, and locks between programs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, OFlags, Timespec, Timestamps, UTIME_NOW, utimensat};

/// Pause between two tries to get a lock.
const NEXT_LOOK: Duration = Duration::from_millis(2);

/// Puts a file (mode 0600) with these bytes in the place of an old one, or of none. Returns once it is on the disk;
/// readers see the old file or the new one, even if this program is killed. One writer per path at a time.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    remove(&beside)?;
    let done = write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // The failure is returned; the next write removes the remains of this one.
        let _ = remove(&beside);
    }
    done?;
    keep_name(path)
}

/// Returns the bytes of a plain file; anything else is an error, and the other end of a pipe is not waited for.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = options.read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Creates a file (mode 0600) with these bytes, on the disk when this returns; `false` if something has the name, which
/// is left unchanged.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(false);
    }
    // Under a unique name: a file left by a killed program is never in the way.
    let folder = path.parent().unwrap_or(path);
    let mut file = tempfile::Builder::new()
        .prefix(".rundown-")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(failed) => Err(failed.error),
        Ok(_) => keep_name(path).map(|()| true),
    }
}

/// Sets the times of a file to now. It is not opened: where it is closed again, all locks go that this process has on it.
pub fn touch(path: &Path) -> io::Result<()> {
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now,
        last_modification: now,
    };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// Renames a file so that it is no longer found: nothing is deleted.
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

/// Path of a file while it is being written.
pub fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.new"))
}

/// Removes a file; a missing one is no error.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Syncs the folder: only then is a changed name safe.
pub fn keep_name(path: &Path) -> io::Result<()> {
    match path.parent() {
        // A name alone is in the working directory.
        Some(folder) if folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
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

/// Locks the file against other programs until it is closed; `false` if another one has it. On a file system without
/// locks every program gets it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    Ok(locked(file.try_lock())?.is_some())
}

/// Retries to lock for this long; `false` on a file system without locks.
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

/// Converts an attempt to lock: `None` if another program has the lock, `false` if there are no locks.
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
    fn a_name_alone_is_kept_in_the_working_directory() {
        keep_name("a name alone".as_ref()).unwrap();
    }

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
        // A file system without locks.
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
