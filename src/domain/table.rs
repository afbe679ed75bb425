//! Tables for the user, as Markdown, as comma separated values.

use std::borrow::Cow;

use clap::ValueEnum;

use super::{csv, markdown, text};

/// Formats of data. The line above each is the help of the command line, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns for people
    #[default]
    Table,
    /// One JSON object (docs/schema)
    Json,
    /// One JSON object a line
    Ndjson,
    /// Comma separated values for a spreadsheet
    Csv,
    /// A table in Markdown
    Markdown,
}

impl Format {
    /// Returns the file name extension.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Table => "txt",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Markdown => "md",
        }
    }
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextCell {
    /// A text, possibly from the service.
    Text(String),
    /// A text that leads to an address, in Markdown.
    Link(String, String),
    /// A number, right-aligned.
    Number(String),
    /// A number in words for people, and alone for a spreadsheet.
    Amount(String, i64),
    Unknown,
}

impl TextCell {
    /// Makes a cell of an optional text.
    pub fn text(text: Option<&str>) -> Self {
        text.map_or(Self::Unknown, |text| Self::Text(text.to_owned()))
    }

    /// Returns the value; `None` if unknown.
    pub fn into_known(self) -> Option<String> {
        match self {
            Self::Text(value)
            | Self::Link(value, _)
            | Self::Number(value)
            | Self::Amount(value, _) => Some(value),
            Self::Unknown => None,
        }
    }

    /// Makes a cell of an optional number.
    pub fn number(number: Option<impl ToString>) -> Self {
        number.map_or(Self::Unknown, |number| Self::Number(number.to_string()))
    }
}

/// Rows below headings; all rows are as long as the headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// Headings of the columns, possibly from the service.
    pub headings: Vec<String>,
    pub rows: Vec<Vec<TextCell>>,
}

impl TextTable {
    pub fn new(
        headings: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<TextCell>>,
    ) -> Self {
        Self {
            headings: headings.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().collect(),
        }
    }

    /// Returns the text in a format other than JSON.
    pub fn text(&self, format: Format) -> String {
        let mut rows = Rows::new(self.headings.clone(), format);
        let kept: Vec<String> = self.rows.iter().map(|row| rows.take(row)).collect();
        std::iter::once(rows.head().into())
            .chain(kept.iter().map(|kept| rows.line(kept)))
            .collect()
    }

    /// Returns values with tabulators between them, without headings, for an existing sheet.
    pub fn tsv(&self) -> String {
        self.rows
            .iter()
            .map(|row| joined(row, "\t", csv::one_line))
            .collect()
    }
}

/// Minimum number of terminal columns of a text that is cut.
const LEAST: usize = 16;

/// Formats rows one by one; widths and alignment are known after the last one.
pub struct Rows {
    headings: Vec<String>,
    format: Format,
    /// Terminal width of each column's widest cell; `None` for a column that has left.
    widths: Vec<Option<usize>>,
    /// `Some(true)` if the first known cell is a number.
    numeric: Vec<Option<bool>>,
}

impl Rows {
    /// Starts without rows.
    pub fn new(headings: Vec<String>, format: Format) -> Self {
        let width = |heading: &String| Some(text::width(&text::cells(heading)));
        Self {
            widths: headings.iter().map(width).collect(),
            numeric: vec![None; headings.len()],
            headings,
            format,
        }
    }

    /// Takes the next row. Returns the text to keep, with a line feed.
    pub fn take(&mut self, row: &[TextCell]) -> String {
        for (numeric, cell) in self.numeric.iter_mut().zip(row) {
            if *cell != TextCell::Unknown {
                numeric.get_or_insert(matches!(cell, TextCell::Number(_)));
            }
        }
        match self.format {
            Format::Csv => joined(row, ",", csv::cell),
            Format::Markdown => markdown::row(row.iter().map(|cell| {
                let words = markdown::escaped(&shown(cell, text::plain));
                match cell {
                    TextCell::Link(_, address) => markdown::link(&words, address),
                    _ => words,
                }
            })),
            _ => {
                let cells: Vec<String> = row.iter().map(|cell| shown(cell, text::cells)).collect();
                for (width, cell) in self.widths.iter_mut().zip(&cells) {
                    *width = (*width).max(Some(text::width(cell)));
                }
                // No cell of a terminal holds a tabulator.
                cells.join("\t") + "\n"
            }
        }
    }

    /// Fits the table into the columns of a terminal, after all rows were taken: the text in one place is cut, and while
    /// that is not enough, columns leave in the given order.
    pub fn fit(&mut self, columns: usize, cut: usize, leave: impl IntoIterator<Item = usize>) {
        let mut leave = leave.into_iter();
        loop {
            let taken: usize = self.widths.iter().flatten().map(|width| width + 2).sum();
            let excess = taken.saturating_sub(columns + 2);
            let Some(Some(width)) = self.widths.get_mut(cut) else {
                return;
            };
            match leave.next() {
                Some(place) if excess > width.saturating_sub(LEAST) => self.widths[place] = None,
                _ => {
                    *width = width.saturating_sub(excess).max(LEAST.min(*width));
                    return;
                }
            }
        }
    }

    /// Returns the headings, after all rows were taken.
    pub fn head(&self) -> String {
        let headings = self.headings.iter();
        match self.format {
            Format::Csv => text::join(headings.map(|it| csv::cell(it)), ",") + "\n",
            Format::Markdown => {
                let numeric = self.numeric.iter().map(|numeric| *numeric == Some(true));
                markdown::row(headings.map(|it| line(it, self.format))) + &markdown::rule(numeric)
            }
            _ => self.aligned(headings.map(|it| text::cells(it))),
        }
    }

    /// Returns the text of a kept row, after all rows were taken.
    pub fn line<'a>(&self, kept: &'a str) -> Cow<'a, str> {
        match self.format {
            Format::Csv | Format::Markdown => kept.into(),
            _ => {
                let cells = kept.trim_end_matches('\n').split('\t');
                self.aligned(cells.map(Cow::Borrowed)).into()
            }
        }
    }

    /// Pads each column to its widest cell on a terminal, or cuts it as [`Rows::fit`] has set.
    fn aligned<'a>(&self, cells: impl Iterator<Item = Cow<'a, str>>) -> String {
        let columns = self.widths.iter().zip(&self.numeric);
        let padded = cells.zip(columns).filter_map(|(cell, (width, numeric))| {
            Some(text::placed(&cell, (*width)?, *numeric == Some(true)))
        });
        format!("{}\n", text::join(padded, "  ").trim_end())
    }
}

/// Renders a line beside a table, as harmless as its cells.
pub fn line(text: &str, format: Format) -> String {
    let text = text::plain(text);
    if format == Format::Markdown {
        markdown::escaped(&text)
    } else {
        text.into_owned()
    }
}

fn shown(cell: &TextCell, harmless: fn(&str) -> Cow<'_, str>) -> String {
    match cell {
        TextCell::Text(text) | TextCell::Link(text, _) => harmless(text).into_owned(),
        TextCell::Number(words) | TextCell::Amount(words, _) => words.clone(),
        TextCell::Unknown => "-".to_owned(),
    }
}

/// Joins a row of values; unknown ones are empty.
fn joined(row: &[TextCell], between: &str, text_of: fn(&str) -> String) -> String {
    let value = |cell: &TextCell| match cell {
        TextCell::Unknown => String::new(),
        TextCell::Number(number) => number.clone(),
        TextCell::Amount(_, number) => number.to_string(),
        TextCell::Text(text) | TextCell::Link(text, _) => text_of(text),
    };
    text::join(row.iter().map(value), between) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cells: &[&str]) -> TextTable {
        let row = |cell: &&str| {
            vec![
                TextCell::Text((*cell).to_owned()),
                TextCell::Number("7".into()),
            ]
        };
        TextTable {
            headings: ["Title", "Left"].map(str::to_owned).into(),
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
        unknown.rows[0][1] = TextCell::Unknown;
        assert_eq!(unknown.text(Format::Table), "Title  Left\nx      -\n");
    }

    #[test]
    fn a_table_fits_a_terminal_by_its_cut_text_and_without_the_columns_that_may_leave() {
        let row = ["R_4", "Acceptance of the mobile app", "1,000", "7"];
        let said = |columns: usize, leave: &[usize]| {
            let headings = ["Id", "Title", "Passed", "Left"].map(str::to_owned);
            let mut rows = Rows::new(headings.into(), Format::Table);
            let kept = rows.take(&row.map(|cell| TextCell::Text(cell.to_owned())));
            rows.fit(columns, 1, leave.iter().copied());
            rows.head() + &rows.line(&kept)
        };
        let full = "Id   Title                         Passed  Left\nR_4  Acceptance of the mobile app  1,000   7\n";
        assert_eq!(said(47, &[2]), full);
        let cut = "Id   Title             Passed  Left\nR_4  Acceptance of t…  1,000   7\n";
        assert_eq!(said(35, &[2]), cut);
        let fewer = "Id   Title                    Left\nR_4  Acceptance of the mobi…  7\n";
        assert_eq!(said(34, &[2]), fewer);
        // Without a column that may leave it is wider.
        assert_eq!(said(34, &[]), cut);
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
