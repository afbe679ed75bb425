//! Crash-safe files of this program; of our modules it imports only `domain`.

pub mod backgrounds;
pub mod database;
mod drafts;
mod error;
pub mod exports;
pub(crate) mod file;
mod journal;
mod json_file;
mod left_off;
pub mod place;
mod prelude;
mod refusals;
mod state;
mod trash;
mod under_way;

use std::path::PathBuf;

pub use drafts::{Drafts, Found};
pub use error::DiskError;
pub use journal::{
    Journal, RECORDED_BEFORE, RecentWrites, Recorded, StepRecord, WriteId, WriteOrigin,
    WriteRecord, WriteStep,
};
pub use left_off::LeftOffs;
pub use refusals::Refusals;
pub use state::{State, StateFolder};
pub use trash::{Trash, TrashCopy};
pub use under_way::{Held, UnderWay};

/// The state folder of this program; `None` without a home directory.
pub fn state_dir() -> Option<PathBuf> {
    own_folder("XDG_STATE_HOME", ".local/state")
}

/// The data folder of this program; `None` without a home directory.
pub fn data_dir() -> Option<PathBuf> {
    own_folder("XDG_DATA_HOME", ".local/share")
}

/// The folder for data that can be read again; `None` without a home directory.
pub fn cache_dir() -> Option<PathBuf> {
    own_folder("XDG_CACHE_HOME", ".cache")
}

/// Returns `rundown` in the folder that the variable names, else in the usual one.
fn own_folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let folder = named.or_else(|| Some(std::env::home_dir()?.join(usual)));
    Some(folder?.join("rundown"))
}
