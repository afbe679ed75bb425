//! Text that is collected before it is printed: in memory while it is small, then in an unnamed temporary file for its
//! owner only.

use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

use tempfile::SpooledTempFile;

use super::output::Output;
use super::prelude::*;

/// Maximum number of bytes in memory.
const IN_MEMORY: usize = 1 << 20;

pub struct Spool {
    kept: BufWriter<SpooledTempFile>,
}

impl Spool {
    pub fn new() -> Self {
        Self {
            kept: BufWriter::new(tempfile::spooled_tempfile(IN_MEMORY)),
        }
    }

    pub fn add(&mut self, text: &str) -> Ran {
        self.kept.write_all(text.as_bytes()).map_err(|e| broken(&e))
    }

    /// Prints the collected lines, each changed by `line`, between head and tail.
    pub fn print(self, head: &str, line: impl Fn(&str) -> Cow<'_, str>, tail: &str) -> Ran {
        let rewound = self
            .kept
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|mut file| file.rewind().map(|()| file));
        let mut kept = BufReader::new(rewound.map_err(|e| broken(&e))?);
        let mut out = Output::new()?;
        out.write(head)?;
        let mut text = String::new();
        while kept.read_line(&mut text).map_err(|e| broken(&e))? > 0 {
            out.write(&line(&text))?;
            text.clear();
        }
        out.write(tail)?;
        out.end()
    }
}

fn broken(error: &io::Error) -> EarlyExit {
    let place = std::env::temp_dir();
    Exit::Service.because(format!(
        "{}, where the list is kept until it is whole, fails: {error}; make room, or set TMPDIR to another place",
        place.display()
    ))
}
