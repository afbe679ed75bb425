//! Rows as a table for people, as Markdown, as comma separated values.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

use crate::cli::Format;
use crate::domain::{csv, text};

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A text, perhaps of the service.
    Text(String),
    /// A number, right-aligned.
    Number(String),
    /// Not known.
    Unknown,
}

impl Cell {
    /// A text that may be missing.
    pub fn text(text: Option<&str>) -> Self {
        text.map_or(Self::Unknown, |text| Self::Text(text.to_owned()))
    }

    /// The value as it is, if it is known.
    pub fn into_known(self) -> Option<String> {
        match self {
            Self::Text(value) | Self::Number(value) => Some(value),
            Self::Unknown => None,
        }
    }

    /// A number that may be missing.
    pub fn number(number: Option<impl ToString>) -> Self {
        number.map_or(Self::Unknown, |number| Self::Number(number.to_string()))
    }
}

/// Rows below headings; all rows are as long as the headings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What stands above the columns.
    pub headings: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The text of the table in a format; JSON is not made here.
    pub fn text(&self, format: Format) -> String {
        match format {
            Format::Csv => self.csv(),
            Format::Markdown => self.markdown(),
            Format::Table | Format::Json | Format::Ndjson => self.aligned(),
        }
    }

    /// Columns as wide as their widest cell on a terminal; nothing is cut.
    fn aligned(&self) -> String {
        let cells: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| shown(cell, text::cells)).collect())
            .collect();
        let mut widths: Vec<usize> = self
            .headings
            .iter()
            .map(|heading| heading.width())
            .collect();
        for row in &cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        let right: Vec<bool> = (0..widths.len())
            .map(|column| self.is_numeric(column))
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let padded = cells
                .zip(&widths)
                .zip(&right)
                .map(|((cell, width), right)| {
                    let gap = " ".repeat(width.saturating_sub(cell.width()));
                    if *right {
                        format!("{gap}{cell}")
                    } else {
                        format!("{cell}{gap}")
                    }
                });
            format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        let mut out = line(&mut self.headings.iter().copied());
        for row in &cells {
            out.push_str(&line(&mut row.iter().map(String::as_str)));
        }
        out
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = line(
            self.headings
                .iter()
                .map(|heading| (*heading).to_owned())
                .collect(),
        );
        let rule = |column| {
            if self.is_numeric(column) {
                "---:"
            } else {
                "---"
            }
            .to_owned()
        };
        out.push_str(&line((0..self.headings.len()).map(rule).collect()));
        for row in &self.rows {
            out.push_str(&line(
                row.iter()
                    .map(|cell| escaped(&shown(cell, text::plain)))
                    .collect(),
            ));
        }
        out
    }

    /// RFC 4180, with a plain line feed. A sign that would begin a formula in a spreadsheet gets an apostrophe in front.
    fn csv(&self) -> String {
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(value).collect::<Vec<_>>().join(","));
        std::iter::once(self.headings.join(","))
            .chain(rows)
            .map(|line| line + "\n")
            .collect()
    }

    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self
            .rows
            .iter()
            .filter_map(|row| row.get(column))
            .filter(|cell| **cell != Cell::Unknown);
        cells
            .next()
            .is_some_and(|cell| matches!(cell, Cell::Number(_)))
    }
}

/// A line beside a table, as harmless as its cells.
pub fn line(text: &str, format: Format) -> String {
    let text = text::plain(text);
    if format == Format::Markdown {
        escaped(&text)
    } else {
        text.into_owned()
    }
}

fn shown(cell: &Cell, harmless: fn(&str) -> Cow<'_, str>) -> String {
    match cell {
        Cell::Text(text) => harmless(text).into_owned(),
        Cell::Number(number) => number.clone(),
        Cell::Unknown => "-".to_owned(),
    }
}

/// Nothing in the text means anything to Markdown. An underline inside of a word, as in `R_4`, does not anyway.
fn escaped(text: &str) -> String {
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

fn value(cell: &Cell) -> String {
    match cell {
        Cell::Unknown => String::new(),
        Cell::Number(number) => number.clone(),
        Cell::Text(text) => csv::cell(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cells: &[&str]) -> Table {
        let row = |cell: &&str| vec![Cell::Text((*cell).to_owned()), Cell::Number("7".into())];
        Table {
            headings: vec!["Title", "Left"],
            rows: cells.iter().map(row).collect(),
        }
    }

    #[test]
    fn columns_are_aligned_by_what_they_take_on_a_terminal() {
        let text = table(&["Übergabe", "日本語", "a\u{1b}[2J\nb"]).text(Format::Table);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "Title     Left",
                "Übergabe     7",
                "日本語       7",
                "a␛[2J␊b      7"
            ]
        );
        let mut unknown = table(&["x"]);
        unknown.rows[0][1] = Cell::Unknown;
        assert_eq!(unknown.text(Format::Table), "Title  Left\nx      -\n");
    }

    #[test]
    fn markdown_means_what_it_says() {
        let text = table(&["R_4 a|b <i> `c` _d_ \u{9b}"]).text(Format::Markdown);
        let expected = "| Title | Left |\n| --- | ---: |\n| R_4 a\\|b \\<i\\> \\`c\\` \\_d\\_ \u{fffd} | 7 |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn values_keep_their_commas_quotes_and_lines_and_are_no_formulas() {
        let text =
            table(&["a,b \"c\"\r\nd\u{1b}", "=1+1", "-2", "@x,y", "plain"]).text(Format::Csv);
        assert_eq!(
            text,
            "Title,Left\n\"a,b \"\"c\"\"\nd␛\",7\n'=1+1,7\n'-2,7\n\"'@x,y\",7\nplain,7\n"
        );
    }
}
