//! All that this program keeps between starts, in one folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Drafts, Journal, LeftOffs, Trash, UnderWay, cache_dir, state_dir};

/// The state directory, or why nothing can be kept.
pub type State = Result<Arc<StateFolder>, String>;

/// An empty file, there once the help was opened.
const HELP_SEEN: &str = "help_seen";

/// The state directory: the journal of writes, drafts of forms, copies of deleted runs, changes under way.
#[derive(Debug)]
pub struct StateFolder {
    /// The folder itself.
    pub folder: PathBuf,
    /// The journal of writes.
    pub journal: Journal,
    /// Drafts of forms.
    pub drafts: Drafts,
    /// Copies of runs.
    pub trash: Trash,
    /// Changes that have no end yet.
    pub under_way: UnderWay,
    /// Where one was when the program ended.
    pub left_off: LeftOffs,
    /// Where the caches of runs are: what is in it may go at any time.
    pub cache: PathBuf,
}

impl StateFolder {
    /// Opens the folder and the journal in it, making them where they are missing; drafts and copies get their folders
    /// with the first of each.
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

    /// Opens that of the program.
    pub fn of_program() -> State {
        let folders = state_dir().zip(cache_dir());
        let (folder, cache) = folders.ok_or("there is no home directory for it")?;
        Self::with_cache(&folder, cache)
    }

    /// The help was never opened on this machine.
    pub fn is_newcomer(&self) -> bool {
        !self.folder.join(HELP_SEEN).exists()
    }

    /// The help was opened. Where that cannot be kept, its line comes again at the next start.
    pub fn help_seen(&self) {
        if let Err(error) = std::fs::write(self.folder.join(HELP_SEEN), "") {
            tracing::debug!("that the help was opened is not kept: {error}");
        }
    }
}
