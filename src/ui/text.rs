//! Text for the screen: escaped by `domain::text`, measured, cut and wrapped by columns.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

pub use crate::domain::text::{
    cells, cells_of_plain, count, few, first_of, fit, join, pad, pad_left, parts, placed,
    thousands, widest, width,
};

/// Returns the byte of a character of a line.
pub fn byte_of(line: &str, character: usize) -> usize {
    line.char_indices()
        .nth(character)
        .map_or(line.len(), |(byte, _)| byte)
}

/// Returns the text without its first columns; a wide letter that is cut is dropped.
pub fn skip(text: &str, columns: usize) -> String {
    let mut skipped = 0;
    text.graphemes(true)
        .skip_while(|grapheme| {
            let skip = skipped < columns;
            if skip {
                skipped += width(grapheme);
            }
            skip
        })
        .collect()
}

/// Returns a text of several lines, escaped and wrapped to `columns`, at most `most` lines.
pub fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    // No more than can be shown is escaped and wrapped.
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
        let line = cells(line.trim_end_matches('\r')).into_owned();
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

/// Same as `wrap`; lines that are left out are shown as such.
pub fn excerpt(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines = wrap(text, columns, most.saturating_add(1));
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = fit(&format!("{last} …"), columns);
        }
    }
    lines
}

/// Returns a text of one line, escaped and cut into rows of at most `columns`; nothing is left out, not even blanks.
pub fn chop(text: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    for grapheme in cells(text).graphemes(true) {
        // Some letters are wider or narrower together than apart.
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

/// Returns a number of bytes in words: `1.2 MiB`.
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
    fn lines_that_are_left_out_are_shown_as_such() {
        assert_eq!(excerpt("one two three", 7, 1), ["one tw…"]);
        assert_eq!(excerpt("one two three", 9, 1), ["one two …"]);
        assert_eq!(excerpt("one two three", 7, 2), ["one two", "three"]);
    }

    #[test]
    fn a_text_is_cut_between_letters() {
        assert_eq!(fit("Übergabe", 8), "Übergabe");
        assert_eq!(fit("Übergabe", 5), "Über…");
        assert_eq!(pad("日本語", 5), "日本…");
        assert_eq!(pad("日本語", 4), "日… ");
        assert_eq!(pad_left("7", 3), "  7");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit("untested 182 → 1,108, left", 19), "untested 182 →…");
        assert_eq!(fit("failed 12 → 14", 10), "failed…");
        assert_eq!(fit("failed 12 → 14", 11), "failed 12 …");
        assert_eq!(fit("20261126", 4), "202…");
        assert_eq!(fit("runs R_99 late", 9), "runs R_9…");
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
            prop_assert_eq!(rows.concat(), cells(&text).into_owned());
            for row in rows {
                prop_assert!(width(&row) <= columns, "{:?} is wider than {}", row, columns);
            }
        }

        // The widest letter, ៘, takes three columns.
        #[test]
        fn wrapped_lines_fit(text in "[\\PC\n]{0,200}", columns in 3usize..40) {
            for line in wrap(&text, columns, 1000) {
                prop_assert!(width(&line) <= columns, "{:?} is wider than {}", line, columns);
            }
        }
    }
}
