//! Terminals with a light background, so that each is asked only once.

use super::file::{read as read_file, replace};
use super::prelude::*;

/// Most terminals remembered; a full file is cleared.
const MOST: usize = 200;

/// Returns whether this terminal is light, `None` if it was not asked before, `Some(None)` if it did not answer.
pub fn is_light(folder: &Path, terminal: &str) -> Option<Option<bool>> {
    read(folder).get(terminal).copied()
}

/// Saves an answer in the state folder.
pub fn keep(folder: &Path, terminal: &str, light: Option<bool>) -> io::Result<()> {
    place::folder(folder).map_err(io::Error::other)?;
    let mut known = read(folder);
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(terminal.to_owned(), light);
    replace(&path(folder), &serde_json::to_vec_pretty(&known)?)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("backgrounds.json")
}

/// A file that cannot be read counts as empty: the terminals are asked again.
fn read(folder: &Path) -> BTreeMap<String, Option<bool>> {
    let bytes = read_file(&path(folder)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_for_its_terminal() {
        let place = tempfile::tempdir().unwrap();
        let folder = &place.path().join("state");
        assert_eq!(is_light(folder, "xterm"), None);
        keep(folder, "xterm", Some(true)).unwrap();
        keep(folder, "tmux", None).unwrap();
        assert_eq!(is_light(folder, "xterm"), Some(Some(true)));
        assert_eq!(is_light(folder, "tmux"), Some(None));
        let full = (0..MOST).map(|number| (number.to_string(), Some(true)));
        let full = serde_json::to_vec(&full.collect::<BTreeMap<_, _>>()).unwrap();
        fs::write(path(folder), full).unwrap();
        keep(folder, "screen", None).unwrap();
        assert_eq!(read(folder), [("screen".to_owned(), None)].into());
        fs::write(path(folder), "{").unwrap();
        assert_eq!(is_light(folder, "xterm"), None);
    }
}
