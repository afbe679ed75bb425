//! Texts compared without case and accents: char by char, so that nothing is allocated for a run.

use nucleo_matcher::chars::{normalize, to_lower_case};

fn fold(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        to_lower_case(normalize(c))
    }
}

/// The text without case and accents.
pub fn folded(text: &str) -> Vec<char> {
    text.chars().map(fold).collect()
}

/// Whether the folded characters stand in the text at this place: anywhere, at an end, or as all of it.
pub fn stands(wanted: &[char], (before, behind): (bool, bool), text: &str) -> bool {
    let mut rest = text.chars();
    loop {
        let mut following = rest.clone().map(fold);
        if wanted.iter().all(|c| following.next() == Some(*c))
            && (behind || following.next().is_none())
        {
            return true;
        }
        if !before || rest.next().is_none() {
            return false;
        }
    }
}
