//! Everything that this program keeps between starts, in one folder.

use std::sync::Arc;

use super::prelude::*;
use super::{Drafts, Journal, LeftOffs, Trash, UnderWay, cache_dir, state_dir};

/// The state directory, looked at with each use, so that one that is mended while the program runs is used again.
#[derive(Clone, Debug)]
pub struct State(Result<Arc<StateFolder>, String>);

/// An empty file that exists once the help was opened.
const HELP_SEEN: &str = "help_seen";

/// The state directory: the journal of writes, drafts of forms, copies of deleted runs, changes under way.
#[derive(Debug)]
pub struct StateFolder {
    pub folder: PathBuf,
    pub journal: Journal,
    pub drafts: Drafts,
    /// Folder of the texts that are open in an editor; they stay until they are in a draft.
    pub edits: PathBuf,
    /// Copies of deleted runs.
    pub trash: Trash,
    /// Changes without an end.
    pub under_way: UnderWay,
    /// Positions at the end of the program.
    pub left_off: LeftOffs,
    /// Folder for caches of runs, which may be deleted at any time.
    pub cache: PathBuf,
}

impl State {
    /// Uses this folder.
    pub fn of(folder: &Path) -> Self {
        Self::with_cache(folder, folder.join("cache"))
    }

    fn with_cache(folder: &Path, cache: PathBuf) -> Self {
        Self(Ok(Arc::new(StateFolder {
            folder: folder.to_owned(),
            journal: Journal::in_folder(folder),
            drafts: Drafts::new(folder.join("drafts")),
            edits: folder.join("edit"),
            trash: Trash::new(folder.join("trash")),
            under_way: UnderWay::new(folder.join("under_way")),
            left_off: LeftOffs::new(folder.join("left_off")),
            cache,
        })))
    }

    /// Uses the state directory of the program.
    pub fn of_program() -> Self {
        match state_dir().zip(cache_dir()) {
            Some((folder, cache)) => Self::with_cache(&folder, cache),
            None => Self::none(
                "there is no home directory for it: set XDG_STATE_HOME and XDG_CACHE_HOME",
            ),
        }
    }

    /// Nothing can be kept, for this reason.
    pub fn none(why: &str) -> Self {
        Self(Err(why.to_owned()))
    }

    /// Returns the folder as it is, for what is looked at when it is written down.
    pub fn folder(&self) -> Result<Arc<StateFolder>, String> {
        self.0.clone()
    }

    /// Returns the folder, creating a missing one, or the reason why nothing can be kept now; drafts and copies get their
    /// folders with the first of each. Blocks.
    pub fn get(&self) -> Result<Arc<StateFolder>, String> {
        let state = self.folder()?;
        let there = place::folder(&state.folder);
        there.map(|()| state).map_err(|error| error.to_string())
    }

    /// Returns the folder with its journal, creating a missing one, or the reason why no change can be sent now. Blocks.
    pub fn with_journal(&self) -> Result<Arc<StateFolder>, String> {
        let state = self.folder()?;
        let opened = Journal::open(&state.folder);
        opened.map(|_| state).map_err(|error| error.to_string())
    }
}

impl StateFolder {
    /// Opens a folder, see [`State::with_journal`].
    pub fn open(folder: &Path) -> Result<Arc<Self>, String> {
        State::of(folder).with_journal()
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
