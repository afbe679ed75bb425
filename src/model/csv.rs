//! Cells of comma separated values.

/// A text as a cell by RFC 4180. One that a spreadsheet would take for a formula gets an apostrophe in front.
pub fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
