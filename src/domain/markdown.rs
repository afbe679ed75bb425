//! Cells of a table of Markdown.

use super::text;

/// A row of cells that mean nothing to Markdown.
pub fn row(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", text::join(cells, " | "))
}

/// The line below the headings; of each column whether it holds numbers.
pub fn rule(numeric: impl Iterator<Item = bool>) -> String {
    row(numeric.map(|numeric| if numeric { "---:" } else { "---" }.to_owned()))
}

/// Nothing in the text means anything to Markdown. An underline inside of a word, as in `R_4`, does not anyway.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let inside = c == '_'
            && before.is_alphanumeric()
            && rest.peek().is_some_and(|next| next.is_alphanumeric());
        if "\\`*_[]<>|~#&".contains(c) && !inside {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}
