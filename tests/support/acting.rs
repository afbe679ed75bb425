//! What may reach no terminal and no other program as it is, told once more and without the table of the program.

use std::sync::LazyLock;

/// First and last of each range.
static ACTING: LazyLock<Vec<(u32, u32)>> = LazyLock::new(|| {
    ranges(
        "0-1f 7f-9f ad 61c 115f-1160 17b4-17b5 180e 200b 2028-202e 2060-206f 3164 feff ffa0 fff0-fffb 1bca0-1bca3 \
         1d173-1d17a e0000-e00ff e01f0-e0fff",
    )
});
/// The same of what texts keep, because scripts and emoji need it, and cells do not hold.
static JOINING: LazyLock<Vec<(u32, u32)>> =
    LazyLock::new(|| ranges("180b-180d 180f 200c-200f fe00-fe0f e0100-e01ef"));

fn ranges(list: &str) -> Vec<(u32, u32)> {
    let number = |text: &str| u32::from_str_radix(text, 16).unwrap();
    let range = |range: &str| match range.split_once('-') {
        Some((first, last)) => (number(first), number(last)),
        None => (number(range), number(range)),
    };
    list.split_whitespace().map(range).collect()
}

fn is_in(list: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    list.iter()
        .any(|(first, last)| (*first..=*last).contains(&c))
}

/// Whether the character may not come through.
pub fn acts(c: char) -> bool {
    is_in(&ACTING, c)
}

/// Whether cells have no place for it, and texts keep it.
pub fn joins(c: char) -> bool {
    is_in(&JOINING, c)
}

/// First and last character of each range, and the ones beside them.
pub fn edges() -> Vec<char> {
    ACTING
        .iter()
        .chain(JOINING.iter())
        .flat_map(|(first, last)| [first.saturating_sub(1), *first, *last, last + 1])
        .filter_map(char::from_u32)
        .collect()
}

/// A text with all of them.
pub fn text() -> String {
    let edges = edges().into_iter().flat_map(|c| ['e', c]);
    edges.collect()
}
