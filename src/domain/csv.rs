//! Cells of comma separated values.

use super::text;

/// Formats a text as a cell by RFC 4180, without formulas and characters that act. Quotes keep its lines in the cell.
pub fn cell(text: &str) -> String {
    let text = without_formulas(&text::lines(text));
    if text.contains([',', '"', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Formats a text as a cell between tabulators: one line, without formulas.
pub fn one_line(text: &str) -> String {
    without_formulas(&text::plain(text))
}

/// Disables formulas. Some spreadsheets split at semicolons and end a row at every line feed, also between quotes: a
/// cell may begin at the start of the text and after each of these; spaces and quotes before a sign are skipped.
fn without_formulas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begins = true;
    for c in text.chars() {
        if begins && "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(c) {
            out.push('\'');
        }
        begins = matches!(c, ';' | '\n') || begins && (c.is_whitespace() || c == '"');
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_begins_no_formula_wherever_a_cell_may_begin() {
        for (text, expected) in [
            ("=1", "'=1"),
            (" \u{a0}+1", " \u{a0}'+1"),
            ("a;-1; \n @b", "a;'-1; \n '@b"),
            ("a\n\"=b\"", "a\n\"'=b\""),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("a-b = c@d; e", "a-b = c@d; e"),
            ("==", "'=="),
        ] {
            assert_eq!(without_formulas(text), expected);
        }
    }
}
