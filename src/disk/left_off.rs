//! Where one was when the program ended, a file for each profile and user. They may go at any time.

use std::fs;
use std::path::PathBuf;

use super::{DiskError, file, json_file, place};
use crate::domain::LeftOff;

/// All of them.
#[derive(Debug)]
pub struct LeftOffs {
    folder: PathBuf,
}

impl LeftOffs {
    /// In `folder`, which is made with the first of them.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, of: &str) -> PathBuf {
        self.folder.join(format!("{of}.json"))
    }

    /// Where one was with this profile; nothing where no file says so that can be read. Blocks.
    pub fn find(&self, of: &str) -> Option<LeftOff> {
        let bytes = fs::read(self.path(of)).ok()?;
        let read = json_file::read(&bytes);
        read.map_err(|error| tracing::warn!(error, "where one was is not known"))
            .ok()
    }

    /// Keeps it in the place of what was kept before. Blocks.
    pub fn keep(&self, of: &str, left_off: &LeftOff) -> Result<(), DiskError> {
        place::folder(&self.folder)?;
        let path = self.path(of);
        file::replace(&path, &json_file::written(left_off)).map_err(DiskError::writing(&path))
    }
}
