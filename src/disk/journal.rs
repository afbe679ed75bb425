//! The journal of writes: the requests, their answers, and the readings afterwards.
//!
//! One JSON line per step of a write, in `journal.ndjson`, which only grows. A write that has no line after its first
//! was interrupted: the service may have acted. Nothing is rotated or deleted, since that could remove the only trace
//! of such a write. Reading covers only the end of the file, so its size costs no time; a file that was moved away is
//! started again with the next line.

mod entry;
mod read;
mod record;

use std::os::unix::fs::FileExt;

use super::prelude::*;
use crate::domain::KnownChange;

pub use entry::{Recorded, WriteId, WriteStep};
pub use read::RecentWrites;
pub use record::{RECORDED_BEFORE, StepRecord, WriteOrigin, WriteRecord};

/// Longest wait of an append for another program that holds the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// The journal in one folder. Any number of programs and threads may append to it.
#[derive(Clone, Debug)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Opens `journal.ndjson` in `folder`, creating a missing folder (mode 0700) and file (0600).
    pub fn open(folder: &Path) -> Result<Self, DiskError> {
        place::folder(folder)?;
        let journal = Self::in_folder(folder);
        place::file(&journal.path)?;
        Ok(journal)
    }

    /// Names `journal.ndjson` in `folder`.
    pub fn in_folder(folder: &Path) -> Self {
        let path = folder.join("journal.ndjson");
        Self { path }
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one line and returns once it is on the disk. Blocks. After an error the line may still be there; a
    /// request whose [`Recorded::Sent`] failed must not be sent.
    pub fn append(&self, entry: &WriteStep) -> Result<(), DiskError> {
        let line = entry.to_line();
        let line = line.map_err(|error| DiskError::writing(&self.path)(error.into()))?;
        self.path.parent().map_or(Ok(()), place::folder)?;
        // Opened for each line: a file that was moved away gets no further one. Closing it releases the lock.
        let file = place::file(&self.path)?;
        // Without locks a short line is complete all the same, because it is written at once.
        file::wait(PATIENCE, || file.try_lock())
            .and_then(|_| add(&file, line.as_bytes()))
            .map_err(DiskError::writing(&self.path))
    }

    /// Returns the writes of one origin or of all, newest first, from the last 8 MiB of the file. Blocks.
    pub fn newest(&self, of: Option<&WriteOrigin>) -> Result<RecentWrites, DiskError> {
        read::newest(&self.path, of)
    }

    /// Returns the changes of suites of a run, by answers and confirmations, in the order in which the writes were
    /// sent, see [`Journal::newest`]. Blocks.
    pub fn known_suites(&self, of: &WriteOrigin, run: &str) -> Result<Vec<KnownChange>, DiskError> {
        let writes = self.newest(Some(of))?.writes;
        let of_run = writes.iter().rev().filter(|write| write.run == run);
        Ok(of_run.flat_map(WriteRecord::known_changes).collect())
    }
}

/// Writes the line at the end, on a line of its own even after a crash, and waits for the disk.
fn add(mut file: &File, line: &[u8]) -> io::Result<()> {
    let length = file.metadata()?.len();
    let mut last = [b'\n'];
    if length > 0 {
        file.read_exact_at(&mut last, length - 1)?;
    }
    if last == [b'\n'] {
        file.write_all(line)?;
    } else {
        file.write_all(&[b"\n", line].concat())?;
    }
    file.sync_data()
}
