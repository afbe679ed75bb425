//! Server text on its way to the screen: made harmless, measured, cut and wrapped by columns.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Combining marks kept on one letter; more of them would paint over the rows above and below.
const MARKS: usize = 2;

/// The text without anything that acts on a terminal: control characters are shown as their pictures (U+2400), marks
/// that turn the writing direction as `�`, and what has no width of its own is left out, so that every terminal counts
/// the same columns.
pub fn safe(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        let width = unicode_width::UnicodeWidthChar::width(c);
        match c {
            '\t' => out.push(' '),
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fff9}'..='\u{fffb}' => {
                out.push('\u{fffd}');
            }
            // Joiners, selectors, directional marks, tags and other characters of no width.
            '\u{200b}'..='\u{200f}'
            | '\u{61c}'
            | '\u{ad}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{e0000}'..='\u{e0fff}' => continue,
            _ if width == Some(0) => {
                marks += 1;
                if marks <= MARKS && !out.is_empty() {
                    out.push(c);
                }
                continue;
            }
            _ => out.push(c),
        }
        marks = 0;
    }
    Cow::Owned(out)
}

/// Columns a text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text made harmless and cut to at most `columns`, with `…` where something is missing.
pub fn fit(text: &str, columns: usize) -> String {
    // A grapheme of a harmless text is short, so a bounded part of a long text is enough.
    let enough = columns.saturating_mul(4).saturating_add(16);
    let end = text
        .char_indices()
        .nth(enough)
        .map_or(text.len(), |(at, _)| at);
    let clean = safe(&text[..end]);
    if end == text.len() && width(&clean) <= columns {
        return clean.into_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for grapheme in clean.graphemes(true) {
        let wide = width(grapheme);
        if used + wide >= columns {
            break;
        }
        out.push_str(grapheme);
        used += wide;
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// The text without its first columns; of a wide letter that is cut nothing is left.
pub fn skip(text: &str, columns: usize) -> String {
    let mut skipped = 0;
    let rest = text.graphemes(true).skip_while(|grapheme| {
        let skip = skipped < columns;
        if skip {
            skipped += width(grapheme);
        }
        skip
    });
    rest.collect()
}

/// [`fit`], filled with spaces to exactly `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let mut out = fit(text, columns);
    let missing = columns.saturating_sub(width(&out));
    out.extend(std::iter::repeat_n(' ', missing));
    out
}

/// [`fit`], with spaces before it to exactly `columns`.
pub fn pad_left(text: &str, columns: usize) -> String {
    let out = fit(text, columns);
    let missing = columns.saturating_sub(width(&out));
    format!("{}{out}", " ".repeat(missing))
}

/// A text of several lines, made harmless and wrapped to `columns`, at most `most` lines.
pub fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    // No more than can be shown is made harmless and wrapped.
    let enough = columns
        .saturating_add(2)
        .saturating_mul(most)
        .saturating_mul(4);
    let text = text
        .char_indices()
        .nth(enough)
        .map_or(text, |(end, _)| &text[..end]);
    let mut out = Vec::new();
    for line in text.split('\n') {
        let line = safe(line.trim_end_matches('\r')).into_owned();
        out.extend(
            textwrap::wrap(&line, columns.max(2))
                .into_iter()
                .map(Cow::into_owned),
        );
        if out.len() >= most {
            out.truncate(most);
            break;
        }
    }
    out
}

/// A text of one line, made harmless and cut into rows of at most `columns`; nothing of it is left out, blanks neither.
pub fn chop(text: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    for grapheme in safe(text).graphemes(true) {
        // Some letters are wider or narrower together than each for itself.
        let before = row.len();
        row.push_str(grapheme);
        if before > 0 && width(&row) > columns {
            row.truncate(before);
            rows.push(std::mem::replace(&mut row, grapheme.to_owned()));
        }
    }
    rows.push(row);
    rows
}

/// A number of bytes for people: `1.2 MiB`.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = size as f64;
    let mut unit = "bytes";
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "bytes" {
        format!("{size} bytes")
    } else {
        format!("{value:.1} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_that_acts_on_a_terminal_comes_through() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a\u{1b}[31mb", "a␛[31mb"),
            ("a\u{9b}31mb\u{7f}", "a\u{fffd}31mb␡"),
            ("abc\u{202e}def", "abc\u{fffd}def"),
            ("z\u{301}\u{302}\u{303}\u{304}\u{305}a", "z\u{301}\u{302}a"),
            ("\u{301}x", "x"),
            ("👩\u{200d}💻", "👩💻"),
            ("line\nnext\ttab", "line␊next tab"),
        ] {
            assert_eq!(safe(text), shown);
        }
    }

    #[test]
    fn a_text_is_cut_between_letters() {
        assert_eq!(fit("Übergabe", 8), "Übergabe");
        assert_eq!(fit("Übergabe", 5), "Über…");
        assert_eq!(pad("日本語", 5), "日本…");
        assert_eq!(pad("日本語", 4), "日… ");
        assert_eq!(pad_left("7", 3), "  7");
        assert_eq!(fit("abc", 0), "");
    }

    #[test]
    fn sizes_are_for_people() {
        assert_eq!(
            (bytes(7), bytes(1536), bytes(5 << 30)),
            ("7 bytes".into(), "1.5 KiB".into(), "5.0 GiB".into())
        );
        assert_eq!(bytes(u64::MAX), "16384.0 PiB");
    }

    proptest! {
        #[test]
        fn any_text_takes_the_columns_it_is_given(text in ".{0,300}", columns in 0usize..80) {
            prop_assert_eq!(width(&pad(&text, columns)), columns);
            prop_assert!(!fit(&text, columns).chars().any(char::is_control));
        }

        #[test]
        fn chopped_rows_fit_and_are_the_whole_text(text in "\\PC{0,200}", columns in 8usize..40) {
            let rows = chop(&text, columns);
            prop_assert_eq!(rows.concat(), safe(&text).into_owned());
            for row in rows {
                prop_assert!(width(&row) <= columns, "{:?} is wider than {}", row, columns);
            }
        }

        #[test]
        fn wrapped_lines_fit(text in "[\\PC\n]{0,200}", columns in 2usize..40) {
            for line in wrap(&text, columns, 1000) {
                prop_assert!(width(&line) <= columns, "{:?} is wider than {}", line, columns);
            }
        }
    }
}
