//! Texts compared without case and accents: char by char, so that nothing is allocated for a run.

use nucleo_matcher::chars::{normalize, to_lower_case};

fn fold(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        to_lower_case(normalize(c))
    }
}

/// Returns the text without case and accents.
pub fn folded(text: &str) -> Vec<char> {
    text.chars().map(fold).collect()
}

/// Returns `true` if the text has the folded characters; `before` and `behind` allow more text on that side.
pub fn contains(wanted: &[char], (before, behind): (bool, bool), text: &str) -> bool {
    let stand_at = |at: usize| {
        let mut following = text[at..].chars().map(fold);
        wanted.iter().all(|c| following.next() == Some(*c))
            && (behind || following.next().is_none())
    };
    // In most places a byte is enough to rule a match out.
    let may_begin = |at: usize, byte: u8| match wanted.first() {
        Some(first) if byte.is_ascii() => char::from(byte.to_ascii_lowercase()) == *first,
        _ => text.is_char_boundary(at),
    };
    if !before {
        return stand_at(0);
    }
    let mut bytes = text.bytes().enumerate();
    bytes.any(|(at, byte)| may_begin(at, byte) && stand_at(at)) || stand_at(text.len())
}
