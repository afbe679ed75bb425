//! Parts of a report, and their text as Markdown and HTML.

use crate::domain::table::TextCell;
use crate::domain::{markdown, text};

/// A table with its caption.
pub struct ReportTable {
    caption: &'static str,
    headings: Vec<String>,
    cells: Vec<Vec<TextCell>>,
    /// Addresses for the first cells, if there are any.
    pub links: Vec<Option<String>>,
}

impl ReportTable {
    pub fn new(
        caption: &'static str,
        headings: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<TextCell>>,
    ) -> Self {
        Self {
            caption,
            headings: headings.into_iter().map(Into::into).collect(),
            cells: rows.into_iter().collect(),
            links: Vec::new(),
        }
    }

    fn is_number(&self, column: usize) -> bool {
        let mut known = self
            .cells
            .iter()
            .filter_map(|row| row.get(column))
            .filter(|cell| **cell != TextCell::Unknown)
            .peekable();
        known.peek().is_some() && known.all(|cell| matches!(cell, TextCell::Number(_)))
    }
}

pub enum Part {
    Heading(String),
    Words(String),
    Table(ReportTable),
    /// Only in HTML.
    Chart(String),
}

pub struct ReportPage {
    pub title: String,
    pub parts: Vec<Part>,
}

/// Escapes a text for HTML.
pub fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Escapes an address for angle brackets and table cells of Markdown.
fn in_brackets(address: &str) -> String {
    let address = address.replace('<', "%3C").replace('>', "%3E");
    address.replace('|', "%7C")
}

fn words(cell: &TextCell) -> String {
    let (TextCell::Text(words) | TextCell::Number(words)) = cell else {
        return "-".into();
    };
    text::plain(words).into_owned()
}

const STYLE: &str = include_str!("page.css");

impl ReportPage {
    pub fn markdown(&self) -> String {
        let title = format!("# {}\n", markdown::escaped(&self.title));
        let parts = self.parts.iter().map(Part::markdown);
        std::iter::once(title).chain(parts).collect()
    }

    /// HTML page without scripts or external files; the data is in it as JSON.
    pub fn html(&self, data: &str) -> String {
        let title = inert(&text::plain(&self.title));
        let parts: String = self.parts.iter().map(Part::html).collect();
        let data = inert(data);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n{parts}</main>\n<pre hidden id=\"data\">{data}</pre>\n</body>\n</html>\n"
        )
    }
}

impl Part {
    fn markdown(&self) -> String {
        let escaped = |words: &str| markdown::escaped(&text::plain(words));
        match self {
            Self::Heading(words) => format!("\n## {}\n", escaped(words)),
            Self::Words(words) => format!("\n{}\n", escaped(words)),
            Self::Table(table) => table.markdown(),
            Self::Chart(_) => String::new(),
        }
    }

    fn html(&self) -> String {
        let shown = |words: &str| inert(&text::plain(words));
        match self {
            Self::Heading(words) => format!("<h2>{}</h2>\n", shown(words)),
            Self::Words(words) => format!("<p>{}</p>\n", shown(words)),
            Self::Table(table) => table.html(),
            Self::Chart(svg) => svg.clone(),
        }
    }
}

impl ReportTable {
    fn markdown(&self) -> String {
        if self.cells.is_empty() {
            return String::new();
        }
        let headings = self
            .headings
            .iter()
            .map(|it| markdown::escaped(&text::plain(it)));
        let rule = (0..self.headings.len()).map(|column| self.is_number(column));
        let row = |(place, row): (usize, &Vec<TextCell>)| {
            let link = self.links.get(place).and_then(Option::as_ref);
            let cells = row.iter().enumerate().map(|(column, cell)| {
                let shown = markdown::escaped(&words(cell));
                match link.filter(|_| column == 0) {
                    Some(address) => format!("[{shown}](<{}>)", in_brackets(address)),
                    None => shown,
                }
            });
            markdown::row(cells)
        };
        let rows: String = self.cells.iter().enumerate().map(row).collect();
        format!(
            "\n{}{}{rows}",
            markdown::row(headings),
            markdown::rule(rule)
        )
    }

    fn html(&self) -> String {
        if self.cells.is_empty() {
            return String::new();
        }
        let class = self.headings.iter().enumerate();
        let class = class.map(|(column, heading)| match &**heading {
            "Title" | "Kind" | "Configuration" | "Criterion" | "Condition" => " class=\"t\"",
            "Done" => " class=\"w\"",
            _ if self.is_number(column) => " class=\"n\"",
            _ => "",
        });
        let class: Vec<&str> = class.collect();
        let headings = self.headings.iter().zip(&class).map(|(heading, class)| {
            let shown = inert(&text::plain(heading));
            format!("<th scope=\"col\"{class}>{shown}</th>")
        });
        let rows = self.cells.iter().enumerate().map(|(place, row)| {
            let link = self.links.get(place).and_then(Option::as_ref);
            let cells = row
                .iter()
                .zip(&class)
                .enumerate()
                .map(|(column, (cell, class))| {
                    let shown = inert(&words(cell));
                    match (column, link) {
                        (0, Some(link)) => {
                            format!(
                                "<th scope=\"row\"><a href=\"{}\">{shown}</a></th>",
                                inert(link)
                            )
                        }
                        (0, None) => format!("<th scope=\"row\"{class}>{shown}</th>"),
                        _ => format!("<td{class}>{shown}</td>"),
                    }
                });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        });
        format!(
            "<table>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
            self.caption,
            headings.collect::<String>(),
            rows.collect::<String>()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_service_means_nothing_to_a_page() {
        assert_eq!(inert("<b a='x'>&\""), "&lt;b a=&#39;x&#39;&gt;&amp;&quot;");
        let rows = ReportTable::new(
            "c",
            ["<i>", "n"],
            [vec![
                TextCell::Text("</td><script>".into()),
                TextCell::Number("1".into()),
            ]],
        );
        let html = rows.html();
        assert!(!html.contains("<script") && !html.contains("<i>"), "{html}");
        assert!(html.contains("<td class=\"n\">1</td>"), "{html}");
    }
}
