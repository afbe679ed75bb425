//! The journal of writes: what was asked of the service to change, what came back, and what reading said afterwards.
//!
//! One JSON line for each step of a write, in `journal.ndjson`, only ever added to. A write that was begun and has no
//! further line was interrupted: the service may have acted. Nothing is rotated or deleted, since whatever removes lines
//! can remove the only trace of such a write; reading looks at the end of the file alone, so its size costs no time, and
//! a file that was moved away is begun anew with the next line.

mod entry;
mod known;
mod line;
mod read;
mod record;

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{DiskError, file, place};

pub use entry::{Recorded, WriteId, WriteStep};
pub use known::KnownChange;
pub use read::RecentWrites;
pub use record::{StepRecord, WriteRecord};

/// How long another program may hold the file before an append gives up.
const PATIENCE: Duration = Duration::from_secs(10);

/// The journal in one folder. Any number of programs and threads may add to the same one.
#[derive(Clone, Debug)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Opens `journal.ndjson` in `folder`, making the folder (mode 0700) and the file (0600) where they are missing.
    pub fn open(folder: &Path) -> Result<Self, DiskError> {
        place::folder(folder)?;
        let path = folder.join("journal.ndjson");
        place::file(&path)?;
        Ok(Self { path })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds one line and returns once it is on the disk. Blocks: for a thread that may wait. When it fails, the line may
    /// still be there; a request whose [`Recorded::Sent`] failed must not be sent.
    pub fn append(&self, entry: &WriteStep) -> Result<(), DiskError> {
        let line = line::written(entry);
        // Opened for each line: whoever has moved the file away gets no further one. Closing it lets the lock go.
        let file = place::file(&self.path)?;
        // A file system that knows no locks must do: a short line is whole there, too, because it is written at once.
        file::wait(PATIENCE, || file.try_lock())
            .and_then(|_| add(&file, &line))
            .map_err(DiskError::writing(&self.path))
    }

    /// The newest writes of one profile or of all, newest first: at most `limit`, out of the last 8 MiB of the file.
    /// Blocks.
    pub fn read(&self, limit: usize, profile: Option<&str>) -> Result<RecentWrites, DiskError> {
        read::newest(&self.path, limit, profile)
    }

    /// The same: 500 at most. Blocks.
    pub fn newest(&self, profile: Option<&str>) -> Result<RecentWrites, DiskError> {
        self.read(500, profile)
    }

    /// What answers and confirmations say about suites of a run, in the order in which the writes were sent, out of the
    /// last 32 MiB of the file. Blocks.
    pub fn known_suites(&self, profile: &str, run: &str) -> Result<Vec<KnownChange>, DiskError> {
        known::suites(&self.path, profile, run)
    }
}

/// Writes the line at the end, on a line of its own whatever a crash has left there, and waits for the disk.
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
