//! The position at the end of the program, a file for each profile and user. The files may be deleted at any time.

use super::prelude::*;
use crate::domain::LeftOff;

/// All positions.
#[derive(Debug)]
pub struct LeftOffs {
    folder: PathBuf,
}

impl LeftOffs {
    /// Uses `folder`, which is created with the first position.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, of: &str) -> PathBuf {
        self.folder.join(format!("{of}.json"))
    }

    /// Returns the position of this profile and user, `None` if there is no readable file. Blocks.
    pub fn find(&self, of: &str) -> Option<LeftOff> {
        let bytes = file::read(&self.path(of)).ok()?;
        let read = json_file::read(&bytes);
        read.map_err(|error| tracing::warn!(error, "where one was is not known"))
            .ok()
    }

    /// Replaces the position. Blocks.
    pub fn keep(&self, of: &str, left_off: &LeftOff) -> Result<(), DiskError> {
        place::folder(&self.folder)?;
        let path = self.path(of);
        file::replace(&path, &json_file::written(left_off)).map_err(DiskError::writing(&path))
    }
}
