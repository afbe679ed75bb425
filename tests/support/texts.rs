//! What a text says.

/// The first line with these words.
#[track_caller]
pub fn line<'a>(screen: &'a str, words: &str) -> &'a str {
    let found = screen.lines().find(|line| line.contains(words));
    found.unwrap_or_else(|| panic!("{words:?} is not in\n{screen}"))
}

#[track_caller]
pub fn says(screen: &str, words: &str) {
    assert!(screen.contains(words), "{words:?} is not in\n{screen}");
}

/// The same, wherever a line ends between them.
#[track_caller]
pub fn says_wrapped(screen: &str, words: &str) {
    let text = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{words:?} is not in\n{screen}");
}

#[track_caller]
pub fn begins(text: &str, words: &str) {
    assert!(text.starts_with(words), "{words:?} does not begin\n{text}");
}

#[track_caller]
pub fn lacks(screen: &str, words: &str) {
    assert!(!screen.contains(words), "{words:?} is in\n{screen}");
}
