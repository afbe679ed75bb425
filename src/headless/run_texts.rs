//! Texts for the fields of a run: of a TOML form, of a file, of the command line itself, in this order.

use std::io::Read;

use super::EarlyExit;
use crate::cli::{FieldOptions, TextFrom};
use crate::domain::{RunField, RunTexts, from_toml};

/// Standard input can be read once.
pub fn one_reader(options: &FieldOptions) -> Result<(), EarlyExit> {
    let readers = [&options.description_file, &options.from_toml];
    if readers.iter().all(|from| **from == Some(TextFrom::Stdin)) {
        return Err(EarlyExit::usage(
            "--description-file and --from-toml cannot both be read from standard input",
        ));
    }
    Ok(())
}

pub fn given(options: &FieldOptions, editable: &[RunField]) -> Result<RunTexts, EarlyExit> {
    let mut texts = RunTexts::new();
    if let Some(from) = &options.from_toml {
        let (name, toml) = read("--from-toml", from)?;
        texts = from_toml(&toml, editable).map_err(|problems| {
            let mut lines = problems
                .iter()
                .map(|problem| format!("{name}, line {}: {}", problem.line, problem.words));
            EarlyExit::usage(lines.next().unwrap_or_default()).with(lines)
        })?;
    }
    if let Some(from) = &options.description_file {
        let (_, text) = read("--description-file", from)?;
        // Editors end the last line; a field does not.
        let text = text.strip_suffix('\n').unwrap_or(&text);
        texts.insert(
            RunField::Description,
            text.strip_suffix('\r').unwrap_or(text).to_owned(),
        );
    }
    texts.extend(options.texts());
    Ok(texts)
}

/// The checks of the form: an error that names every text that is not right, and where it is given.
pub fn check(texts: &RunTexts) -> Result<(), EarlyExit> {
    let wrong = texts.iter().filter_map(|(field, text)| {
        let problem = field.problem(text)?;
        Some(format!(
            "{} (--{}): {problem}",
            field.name(),
            field.field().name
        ))
    });
    let wrong: Vec<String> = wrong.collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(EarlyExit::usage(format!(
            "{}. Nothing was sent.",
            wrong.join("; ")
        )))
    }
}

/// Name and text of what an option leads to.
fn read(option: &str, from: &TextFrom) -> Result<(String, String), EarlyExit> {
    let (name, text) = match from {
        TextFrom::Stdin => {
            let mut text = String::new();
            (
                "standard input".to_owned(),
                std::io::stdin().read_to_string(&mut text).map(|_| text),
            )
        }
        TextFrom::File(path) => (path.display().to_string(), std::fs::read_to_string(path)),
    };
    match text {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(EarlyExit::usage(format!(
            "{option} {name}: {error}; expected a file of UTF-8 text. Nothing was sent."
        ))),
    }
}
