//! Excerpts of foreign texts for messages.

use super::text::plain;

/// Characters of an excerpt.
pub const EXCERPT: usize = 200;

/// Returns the first `limit` characters of a text on one line: white space folded, marks for characters that act; of a
/// page of HTML, such as that of a proxy, those of its title.
pub fn excerpt(text: &str, limit: usize) -> String {
    // Text far beyond the excerpt is not read: a body may be large.
    let text = head(text, limit.saturating_mul(40).saturating_add(4_000));
    let text = if looks_like_html(text) {
        title(text).unwrap_or("an HTML page")
    } else {
        text
    };
    let mut out = String::new();
    let mut length = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = length > 0;
            continue;
        }
        if length >= limit {
            out.push('…');
            break;
        }
        if std::mem::take(&mut gap) {
            out.push(' ');
            length += 1;
        }
        out.push(c);
        length += 1;
    }
    plain(&out).into_owned()
}

/// Returns at most `bytes` bytes from the start, cut between characters.
pub fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Returns the first `limit` characters of a text, with `…` if there are more.
pub fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Cuts two texts to `limit` characters each. A long common beginning is cut, too, so that the difference is seen.
pub fn cut_both(texts: [&str; 2], limit: usize) -> [String; 2] {
    let [one, other] = texts;
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let long = texts.iter().any(|text| text.chars().count() > limit);
    if !long || same < limit / 2 {
        return texts.map(|text| cut(text, limit));
    }
    let begins = one.char_indices().nth(same - limit / 4);
    let begins = begins.map_or(one.len(), |(begins, _)| begins);
    texts.map(|text| format!("…{}", cut(&text[begins..], limit)))
}

fn looks_like_html(text: &str) -> bool {
    let start = head(text.trim_start(), 15).to_ascii_lowercase();
    ["<!doctype", "<html", "<head", "<body", "<?xml"]
        .iter()
        .any(|opening| start.starts_with(opening))
}

fn title(page: &str) -> Option<&str> {
    let (_, title) = page.split_once("<title>")?;
    let (title, _) = title.split_once("</title>")?;
    (!title.trim().is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_harmless_line_remains() {
        assert_eq!(
            excerpt(" a\n\t b\u{1b}[2J\u{202e} ", 200),
            "a b␛[2J\u{fffd}"
        );
        assert_eq!(excerpt("abcdef", 3), "abc…");
        assert_eq!(excerpt("abc", 3), "abc");
        let page =
            " <!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1>";
        assert_eq!(excerpt(page, 200), "502 Bad Gateway");
        for page in ["<html><h1>502</h1>", "<html><title> </title><h1>502</h1>"] {
            assert_eq!(excerpt(page, 200), "an HTML page");
        }
        assert_eq!(excerpt("a < b", 200), "a < b");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("a", 60), "a");
        assert_eq!(cut(&"ü".repeat(60), 60), "ü".repeat(60));
        assert_eq!(cut(&"ü".repeat(61), 60), format!("{}…", "ü".repeat(60)));
    }

    #[test]
    fn of_two_long_texts_that_begin_alike_what_differs_is_seen() {
        let of = |end: &str| format!("{}{end}", "ü".repeat(90));
        let [one, other] = cut_both([&of("old"), &of("new")], 40);
        let begin = format!("…{}", "ü".repeat(10));
        assert_eq!([one, other], ["old", "new"].map(|end| begin.clone() + end));
        let [one, other] = cut_both([&of(""), &of("new")], 40);
        assert_eq!([one, other], ["", "new"].map(|end| begin.clone() + end));
        // Texts that fit, or differ at the beginning, are shown from there.
        assert_eq!(cut_both(["Night 1", "Night 2"], 40), ["Night 1", "Night 2"]);
        let long = ["a", "b"].map(|begin| begin.to_owned() + &"x".repeat(99));
        let [one, other] = cut_both([&long[0], &long[1]], 40);
        assert_eq!([&one[..2], &other[..2]], ["ax", "bx"]);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_short_line(text in any::<String>(), limit in 0_usize..50) {
            for text in [text.clone(), format!("<html>{text}")] {
                let line = excerpt(&text, limit);
                prop_assert!(line.chars().count() <= limit + 2);
                prop_assert!(!line.chars().any(char::is_control));
            }
        }
    }
}
