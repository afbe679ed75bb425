//! Parts of a report, and their text as Markdown and HTML.

use crate::domain::table::{Format, TextCell, TextTable};
use crate::domain::{markdown, text};

pub enum Part {
    Heading(String),
    Words(String),
    /// A table with its caption.
    Table(&'static str, TextTable),
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

fn words(cell: &TextCell) -> String {
    let (TextCell::Text(words) | TextCell::Link(words, _) | TextCell::Number(words)) = cell else {
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
    pub fn table(
        caption: &'static str,
        headings: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<TextCell>>,
    ) -> Self {
        Self::Table(caption, TextTable::new(headings, rows))
    }

    fn markdown(&self) -> String {
        let escaped = |words: &str| markdown::escaped(&text::plain(words));
        match self {
            Self::Heading(words) => format!("\n## {}\n", escaped(words)),
            Self::Words(words) => format!("\n{}\n", escaped(words)),
            Self::Table(_, table) if !table.rows.is_empty() => {
                format!("\n{}", table.text(Format::Markdown))
            }
            Self::Table(..) | Self::Chart(_) => String::new(),
        }
    }

    fn html(&self) -> String {
        let shown = |words: &str| inert(&text::plain(words));
        match self {
            Self::Heading(words) => format!("<h2>{}</h2>\n", shown(words)),
            Self::Words(words) => format!("<p>{}</p>\n", shown(words)),
            Self::Table(caption, table) if !table.rows.is_empty() => html(caption, table),
            Self::Table(..) => String::new(),
            Self::Chart(svg) => svg.clone(),
        }
    }
}

/// True if all known cells of a column are numbers.
fn is_number(table: &TextTable, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|row| row.get(column));
    let mut known = cells.filter(|cell| **cell != TextCell::Unknown).peekable();
    known.peek().is_some() && known.all(|cell| matches!(cell, TextCell::Number(_)))
}

fn html(caption: &str, table: &TextTable) -> String {
    let class = table.headings.iter().enumerate();
    let class = class.map(|(column, heading)| match &**heading {
        "Title" | "Kind" | "Configuration" | "Criterion" | "Condition" => " class=\"t\"",
        "Done" => " class=\"w\"",
        _ if is_number(table, column) => " class=\"n\"",
        _ => "",
    });
    let class: Vec<&str> = class.collect();
    let headings = table.headings.iter().zip(&class).map(|(heading, class)| {
        let shown = inert(&text::plain(heading));
        format!("<th scope=\"col\"{class}>{shown}</th>")
    });
    let rows = table.rows.iter().map(|row| {
        let cells = row.iter().zip(&class).enumerate();
        let cells = cells.map(|(column, (cell, class))| {
            let shown = inert(&words(cell));
            match cell {
                TextCell::Link(_, link) => {
                    let link = inert(link);
                    format!("<th scope=\"row\"><a href=\"{link}\">{shown}</a></th>")
                }
                _ if column == 0 => format!("<th scope=\"row\"{class}>{shown}</th>"),
                _ => format!("<td{class}>{shown}</td>"),
            }
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    });
    format!(
        "<table>\n<caption>{caption}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
        headings.collect::<String>(),
        rows.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_service_means_nothing_to_a_page() {
        assert_eq!(inert("<b a='x'>&\""), "&lt;b a=&#39;x&#39;&gt;&amp;&quot;");
        let rows = Part::table(
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
