//! Summary of a screen or a command: lines, a table below them, lines below that.

use super::table::{Format, TextTable, line};

#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Name in a sentence.
    pub name: String,
    /// Name of a file.
    pub file: &'static str,
    /// The first line is the heading.
    pub head: Vec<String>,
    pub table: TextTable,
    pub foot: Vec<String>,
    /// The summary for programs; empty if there is none.
    pub json: String,
}

impl Summary {
    /// Adds when it was written below the heading: its other times are seen from there.
    #[must_use]
    pub fn written(mut self, at: &str) -> Self {
        let below = self.head.len().min(1);
        self.head.insert(below, format!("Written {at}"));
        self
    }

    /// Returns the text in a format; for CSV the table alone.
    pub fn text(&self, format: Format) -> String {
        let is_markdown = format == Format::Markdown;
        let said = |words: &String| {
            let end = if is_markdown { "\n\n" } else { "\n" };
            line(words, format) + end
        };
        match format {
            Format::Json | Format::Ndjson => return self.json.clone(),
            Format::Csv => return self.table.text(format),
            Format::Table | Format::Markdown => {}
        }
        let mut out = String::from(if is_markdown { "### " } else { "" });
        out.extend(self.head.iter().map(said));
        if !self.table.rows.is_empty() {
            if !is_markdown {
                out.push('\n');
            }
            out += &self.table.text(format);
        }
        for words in &self.foot {
            out.push('\n');
            out += &line(words, format);
            out.push('\n');
        }
        out
    }
}
