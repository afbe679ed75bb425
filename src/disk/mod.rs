//! Crash-safe files of this program; imports `domain` and nothing else of ours.

mod backgrounds;
mod drafts;
mod error;
pub mod exports;
pub(crate) mod file;
mod journal;
mod json_file;
pub mod place;
mod refusals;
mod state;
mod trash;
mod under_way;

use std::path::PathBuf;

pub use backgrounds::Backgrounds;
pub use drafts::{Drafts, Found};
pub use error::DiskError;
pub use journal::{
    Journal, KnownChange, RecentWrites, Recorded, StepRecord, WriteId, WriteRecord, WriteStep,
};
pub use refusals::Refusals;
pub use state::{State, StateFolder};
pub use trash::{Trash, TrashCopy};
pub use under_way::{Held, UnderWay};

/// The folder for what this program remembers: `rundown` in `$XDG_STATE_HOME`, else in `~/.local/state`; `None` without
/// a home directory.
pub fn state_dir() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    named
        .or_else(|| Some(std::env::home_dir()?.join(".local/state")))
        .map(|path| path.join("rundown"))
}
