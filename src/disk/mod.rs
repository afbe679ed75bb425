//! Crash-safe files of this program; imports `model` and nothing else of ours.

mod journal;
pub mod place;

use std::path::PathBuf;

pub use journal::{
    Entry, Journal, JournalError, JournalFilter, KnownBy, KnownChange, KnownSuites, Read, Step, StepRecord, WriteId,
    WriteRecord, WriteState,
};

/// The folder for what this program remembers: `rundown` in `$XDG_STATE_HOME`, else in `~/.local/state`; `None` without
/// a home directory.
pub fn state_dir() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| Some(std::env::home_dir()?.join(".local/state"))).map(|path| path.join("rundown"))
}
