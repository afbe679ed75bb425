//! Texts compared without case and accents: char by char, so that nothing is allocated for a run.

use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};
use nucleo_matcher::chars::{normalize, to_lower_case};

const DECOMPOSITION: CanonicalDecompositionBorrowed<'static> =
    CanonicalDecompositionBorrowed::new();

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Returns a letter without its accents.
fn base(c: char) -> char {
    let mut letter = c;
    while let Decomposed::Expansion(first, mark) = DECOMPOSITION.decompose(letter)
        && is_mark(mark)
    {
        letter = first;
    }
    letter
}

/// Accents that came as characters of their own are none.
fn fold(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    // Strokes, as of `ł`, are known of small letters alone.
    (!is_mark(c)).then(|| to_lower_case(normalize(to_lower_case(base(c)))))
}

/// Returns the text without case and accents.
pub fn folded(text: &str) -> Vec<char> {
    text.chars().filter_map(fold).collect()
}

/// Returns `true` if the text has the folded characters; `before` and `behind` allow more text on that side.
pub fn contains(wanted: &[char], (before, behind): (bool, bool), text: &str) -> bool {
    let stand_at = |at: usize| {
        let mut following = text[at..].chars().filter_map(fold);
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
