//! Texts for the fields of a run, from the command line; the description may come from a file.

use std::path::Path;

use super::{Exit, Ran};
use crate::cli::FieldOptions;
use crate::domain::{RunField, RunTexts, text};

pub fn given(options: &FieldOptions) -> Ran<RunTexts> {
    let mut texts = options.texts();
    if let Some(from) = &options.description_file {
        let text = read(from)?;
        // Editors end the last line with a newline, fields do not.
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        texts.insert(RunField::Description, text.to_owned());
    }
    Ok(texts)
}

/// Checks of the form: the error names each invalid text and its option.
pub fn check(texts: &RunTexts) -> Ran {
    let wrong = texts.iter().filter_map(|(field, text)| {
        let problem = match field {
            RunField::ProjectVersionNumber if text.trim().is_empty() => {
                "needed here: --version, or project_version in the profile"
            }
            _ => field.problem(text)?,
        };
        let (label, option) = (field.label(), field.field().name);
        Some(format!("{label} (--{option}): {problem}"))
    });
    let wrong = text::join(wrong, "; ");
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Exit::Usage.because(format!("{wrong}. Nothing was sent.")))
}

fn read(from: &Path) -> Ran<String> {
    let (name, read) = if from == "-" {
        let read = std::io::read_to_string(std::io::stdin());
        ("standard input".into(), read)
    } else {
        (from.to_string_lossy(), std::fs::read_to_string(from))
    };
    read.map_err(|error| {
        Exit::Usage.because(format!(
            "--description-file {name}: {error}; expected a file of UTF-8 text. Nothing was sent."
        ))
    })
}
