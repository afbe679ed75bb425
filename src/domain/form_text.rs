//! A form as TOML, for an editor, and back.

use std::fmt::Write as _;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{RunField, RunTexts, nearest, text};

/// What is wrong in a text that comes back from an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormProblem {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub words: String,
}

/// The fields as TOML: `header` and what is known of each field as remarks, then `Title = "…"` and so on. Fields that are
/// not in `editable` are shown as remarks. [`from_toml`] reads back the same texts, whatever stands in them.
pub fn to_toml(texts: &RunTexts, editable: &[RunField], header: &str) -> String {
    let mut toml = String::new();
    let known =
        ["Lines that begin with # are not read. A field whose lines are taken out stays as it is."];
    for line in header.lines().chain(known) {
        remark(&mut toml, line);
    }
    for field in RunField::ALL {
        let text = texts.get(&field).map_or("", String::as_str);
        toml.push('\n');
        remark(&mut toml, field.known());
        let value = if field == RunField::Description {
            block(text)
        } else {
            line(text)
        };
        if editable.contains(&field) {
            // Writing to a string cannot fail.
            let _ = writeln!(toml, "{} = {value}", field.name());
        } else {
            remark(
                &mut toml,
                &format!("{} = {}   fixed here", field.name(), escaped(text, true)),
            );
        }
    }
    toml
}

/// One line that is not read.
fn remark(toml: &mut String, words: &str) {
    toml.push_str(format!("# {}", text::escaped(words).replace('\n', "\\n")).trim_end());
    toml.push('\n');
}

/// A text as a value of one line.
fn line(text: &str) -> String {
    let plain = !text.contains('\'') && as_it_is(text, "");
    if plain && text.contains(['"', '\\']) {
        format!("'{text}'")
    } else {
        escaped(text, true)
    }
}

/// A text as a value of as many lines as it has.
fn block(text: &str) -> String {
    let plain = !text.contains("'''") && !text.ends_with('\'') && as_it_is(text, "\n\t");
    if plain {
        format!("'''\n{text}'''")
    } else {
        format!("\"\"\"\n{}\"\"", escaped(text, false)) + "\""
    }
}

/// Whether nothing in the text has to be escaped but these.
fn as_it_is(text: &str, but: &str) -> bool {
    text.char_indices()
        .all(|(at, c)| (!text::acts(c) || but.contains(c)) && !text::sets_an_editor(text, at))
}

/// A text with escapes; with quotes around it if it is to stand on one line.
fn escaped(text: &str, one_line: bool) -> String {
    let mut escaped = String::new();
    for (at, c) in text.char_indices() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' if one_line => escaped.push_str("\\n"),
            '\t' if one_line => escaped.push_str("\\t"),
            '\n' | '\t' => escaped.push(c),
            '\r' => escaped.push_str("\\r"),
            c if text::acts(c) || text::sets_an_editor(text, at) => {
                // Writing to a string cannot fail.
                let _ = match u32::from(c) {
                    code @ ..=0xffff => write!(escaped, "\\u{code:04X}"),
                    code => write!(escaped, "\\U{code:08X}"),
                };
            }
            c => escaped.push(c),
        }
    }
    if one_line {
        format!("\"{escaped}\"")
    } else {
        escaped
    }
}

/// Reads the fields that are there; a field that is not there says nothing. Lines may end as on Windows. Otherwise says all
/// that is wrong, in the order of the lines.
pub fn from_toml(text: &str, editable: &[RunField]) -> Result<RunTexts, Vec<FormProblem>> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let problem = |at: Range<usize>, words: String| {
        let before = text
            .as_bytes()
            .iter()
            .take(at.start)
            .filter(|byte| **byte == b'\n');
        FormProblem {
            line: 1 + before.count(),
            words,
        }
    };
    let (table, errors) = DeTable::parse_recoverable(&text);
    let mut problems: Vec<FormProblem> = errors
        .iter()
        .map(|error| {
            problem(
                error.span().unwrap_or_default(),
                format!("this is no TOML: {}", error.message()),
            )
        })
        .collect();
    let mut texts = RunTexts::new();
    // What could be saved of a text that is no TOML says nothing.
    let entries = table.get_ref().iter().filter(|_| errors.is_empty());
    for (name, value) in entries {
        match field(name.get_ref(), value, editable) {
            Ok((field, text)) => drop(texts.insert(field, text)),
            Err(words) => problems.push(problem(name.span(), words)),
        }
    }
    problems.sort_by_key(|problem| problem.line);
    problems.dedup();
    if problems.is_empty() {
        Ok(texts)
    } else {
        Err(problems)
    }
}

fn field(
    name: &str,
    value: &Spanned<DeValue<'_>>,
    editable: &[RunField],
) -> Result<(RunField, String), String> {
    let field = match RunField::of_name(name) {
        Some(field) if editable.contains(&field) => field,
        Some(_) => return Err(format!("{name} is fixed here: take the line out")),
        None => return Err(unknown(name, editable)),
    };
    let found = match value.get_ref() {
        DeValue::String(text) => return Ok((field, text.clone().into_owned())),
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Err(format!("{name}: {found} found; expected a text in quotes"))
}

/// Says that there is no such field, and which one may have been meant.
fn unknown(name: &str, editable: &[RunField]) -> String {
    let known: Vec<&str> = editable.iter().map(|field| field.name()).collect();
    match nearest(name, known.iter().copied()) {
        Some(known) => format!("{name:?} is no field of a run; meant is perhaps {known}"),
        None => format!(
            "{name:?} is no field of a run; expected one of {}",
            known.join(", ")
        ),
    }
}
