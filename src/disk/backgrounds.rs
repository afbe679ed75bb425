//! Which terminals have a light background, so that none is asked twice.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::replace;
use super::place::folder;

/// Terminals that are remembered; a file that somebody fills is begun anew.
const MOST: usize = 200;

/// What terminals have answered, in a file of the state folder.
#[derive(Clone, Debug)]
pub struct Backgrounds {
    folder: PathBuf,
}

impl Backgrounds {
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Whether this terminal is light, if it was asked before; nothing in that where it did not tell.
    pub fn is_light(&self, terminal: &str) -> Option<Option<bool>> {
        self.read().get(terminal).copied()
    }

    /// Keeps an answer.
    pub fn keep(&self, terminal: &str, light: Option<bool>) -> io::Result<()> {
        folder(&self.folder).map_err(io::Error::other)?;
        let mut known = self.read();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(terminal.to_owned(), light);
        replace(&self.path(), &serde_json::to_vec_pretty(&known)?)
    }

    fn path(&self) -> PathBuf {
        self.folder.join("backgrounds.json")
    }

    /// What cannot be read is as good as unknown: it is asked again.
    fn read(&self) -> BTreeMap<String, Option<bool>> {
        let bytes = fs::read(self.path()).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_for_its_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let backgrounds = Backgrounds::new(&folder.path().join("state"));
        assert_eq!(backgrounds.is_light("xterm"), None);
        backgrounds.keep("xterm", Some(true)).unwrap();
        backgrounds.keep("tmux", None).unwrap();
        assert_eq!(backgrounds.is_light("xterm"), Some(Some(true)));
        assert_eq!(backgrounds.is_light("tmux"), Some(None));
        let full = (0..MOST).map(|number| (number.to_string(), Some(true)));
        let full = serde_json::to_vec(&full.collect::<BTreeMap<_, _>>()).unwrap();
        fs::write(backgrounds.path(), full).unwrap();
        backgrounds.keep("screen", None).unwrap();
        assert_eq!(backgrounds.read(), [("screen".to_owned(), None)].into());
        fs::write(folder.path().join("state/backgrounds.json"), "{").unwrap();
        assert_eq!(backgrounds.is_light("xterm"), None);
    }
}
