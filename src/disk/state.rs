//! Everything that this program keeps between starts, in one folder.

use std::sync::Arc;

use super::prelude::*;
use super::{Drafts, Journal, LeftOffs, Trash, UnderWay, cache_dir, state_dir};

/// The state directory, or the reason why nothing can be kept.
pub type State = Result<Arc<StateFolder>, String>;

/// An empty file that exists once the help was opened.
const HELP_SEEN: &str = "help_seen";

/// The state directory: the journal of writes, drafts of forms, copies of deleted runs, changes under way.
#[derive(Debug)]
pub struct StateFolder {
    pub folder: PathBuf,
    pub journal: Journal,
    pub drafts: Drafts,
    /// Copies of deleted runs.
    pub trash: Trash,
    /// Changes without an end.
    pub under_way: UnderWay,
    /// Positions at the end of the program.
    pub left_off: LeftOffs,
    /// Folder for caches of runs, which may be deleted at any time.
    pub cache: PathBuf,
}

impl StateFolder {
    /// Opens the folder and its journal, creating them if missing; drafts and copies get their folders with the first
    /// of each.
    pub fn open(folder: &Path) -> State {
        Self::with_cache(folder, folder.join("cache"))
    }

    fn with_cache(folder: &Path, cache: PathBuf) -> State {
        Ok(Arc::new(Self {
            folder: folder.to_owned(),
            journal: Journal::open(folder).map_err(|error| error.to_string())?,
            drafts: Drafts::new(folder.join("drafts")),
            trash: Trash::new(folder.join("trash")),
            under_way: UnderWay::new(folder.join("under_way")),
            left_off: LeftOffs::new(folder.join("left_off")),
            cache,
        }))
    }

    /// Opens the state directory of the program.
    pub fn of_program() -> State {
        let folders = state_dir().zip(cache_dir());
        let (folder, cache) = folders.ok_or("there is no home directory for it")?;
        Self::with_cache(&folder, cache)
    }

    /// True if the help was never opened on this machine.
    pub fn is_newcomer(&self) -> bool {
        !self.folder.join(HELP_SEEN).exists()
    }

    /// Notes that the help was opened. If that fails, the hint is shown again at the next start.
    pub fn help_seen(&self) {
        if let Err(error) = file::create(&self.folder.join(HELP_SEEN), b"") {
            tracing::debug!("that the help was opened is not kept: {error}");
        }
    }
}
