//! Reads the end of the file as writes.

use std::collections::HashMap;
use std::io::{Read as _, Seek, SeekFrom};

use super::record::{WriteOrigin, WriteRecord};
use super::{StepRecord, WriteStep};
use crate::disk::file::wait;
use crate::disk::prelude::*;

/// Most bytes read.
const WINDOW: u64 = 8 * 1024 * 1024;

/// Longest wait for a line that is being written.
const READ_PATIENCE: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecentWrites {
    /// Writes, newest first.
    pub writes: Vec<WriteRecord>,
    /// Number of unreadable lines, left by a crash or a full disk; they stay in the file.
    pub torn: usize,
    /// True if older writes were left out.
    pub more: bool,
}

/// Returns the newest writes of the file, of one origin or of all; a missing file is an empty journal.
pub fn newest(path: &Path, of: Option<&WriteOrigin>) -> Result<RecentWrites, DiskError> {
    let (bytes, whole) = tail(path, WINDOW).map_err(DiskError::reading(path))?;
    let (mut writes, mut torn): (Vec<WriteRecord>, _) = (Vec::new(), 0);
    let mut known: HashMap<WriteId, usize> = HashMap::new();
    let lines = bytes.split(|byte| *byte == b'\n');
    for text in lines.filter(|line| !line.is_empty()) {
        let Some(line) = WriteStep::of_line(text) else {
            torn += 1;
            continue;
        };
        if of.is_some_and(|of| !of.has(&line)) {
            continue;
        }
        let (at, step) = (line.at, line.step);
        let place = *known.entry(line.write.clone()).or_insert(writes.len());
        if place == writes.len() {
            writes.push(WriteRecord {
                write: line.write,
                at,
                profile: line.profile,
                target: line.target,
                user: line.user,
                run: String::new(),
                run_name: String::new(),
                steps: Vec::new(),
            });
        }
        let record = &mut writes[place];
        if record.run.is_empty() {
            record.run = line.run;
        }
        // A new run gets its id with the first reading.
        if !line.run_name.is_empty() {
            record.run_name = line.run_name;
        }
        record.steps.push(StepRecord { at, step });
    }
    writes.reverse();
    Ok(RecentWrites {
        writes,
        torn,
        more: !whole,
    })
}

/// Returns the last `window` bytes, from the beginning of a line, and whether that is the complete file.
pub fn tail(path: &Path, window: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), true)),
        Err(error) => return Err(error),
    };
    // So that a line being written does not count as torn; after the timeout it does.
    match wait(READ_PATIENCE, || file.try_lock_shared()) {
        Err(error) if error.kind() != ErrorKind::TimedOut => return Err(error),
        _ => {}
    }
    let start = file.metadata()?.len().saturating_sub(window);
    // One byte before, so that a line that begins exactly there is kept.
    file.seek(SeekFrom::Start(start.saturating_sub(1)))?;
    let mut bytes = Vec::new();
    file.take(window + 1).read_to_end(&mut bytes)?;
    if start > 0 {
        let end_of_cut_line = bytes
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |at| at + 1);
        bytes.drain(..end_of_cut_line);
    }
    Ok((bytes, start == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_tail_is_whole_lines_to_the_last_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        fs::write(&path, "one\ntwo\nthree\n").unwrap();
        for (window, lines, whole) in [
            (100, "one\ntwo\nthree\n", true),
            (14, "one\ntwo\nthree\n", true),
            (10, "two\nthree\n", false),
            (9, "three\n", false),
            (6, "three\n", false),
            (5, "", false),
        ] {
            let (bytes, all) = tail(&path, window).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!((text.as_str(), all), (lines, whole), "{window}");
        }
    }

    #[test]
    fn a_line_that_another_program_is_writing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut other = File::create(&path).unwrap();
        other.lock().unwrap();
        other.write_all(b"one\ntw").unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                other.write_all(b"o\n").unwrap();
                other.unlock().unwrap();
            });
            assert_eq!(tail(&path, 100).unwrap().0, b"one\ntwo\n");
        });
    }
}
