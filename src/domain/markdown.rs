//! Cells of Markdown tables.

use super::text;

/// Joins escaped cells to a row.
pub fn row(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", text::join(cells, " | "))
}

/// Returns the line below the headings; numeric columns are right-aligned.
pub fn rule(numeric: impl Iterator<Item = bool>) -> String {
    row(numeric.map(|numeric| if numeric { "---:" } else { "---" }.to_owned()))
}

/// Returns escaped words that lead to an address.
pub fn link(words: &str, address: &str) -> String {
    let address = address.replace('<', "%3C").replace('>', "%3E");
    format!("[{words}](<{}>)", address.replace('|', "%7C"))
}

/// Escapes Markdown. An underscore inside a word, as in `R_4`, has no meaning there.
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
