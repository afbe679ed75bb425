//! Texts for the fields of a run, from the command line; the description may come from a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Exit, Ran, note};
use crate::cli::FieldOptions;
use crate::domain::{RunField, RunTexts, text};

/// Returns the texts, with notes about those that are not as they were given.
pub fn given(options: &FieldOptions) -> Ran<RunTexts> {
    let mut texts = options.texts();
    for (option, text) in [
        ("--title", &options.title),
        ("--configuration", &options.configuration),
    ] {
        let is_of_lines =
            |text: &String| text.trim_end_matches(['\r', '\n']).contains(['\r', '\n']);
        if text.as_ref().is_some_and(is_of_lines) {
            note(&format!("{option}: line ends are blanks in this field"));
        }
    }
    if let Some(from) = &options.description_file {
        let text = text::of_file(&read(from)?).to_owned();
        texts.insert(RunField::Description, text);
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

/// Maximum number of bytes of a description from a file, as from an editor; more is not read.
const MOST: u64 = 1 << 20;

fn read(from: &Path) -> Ran<String> {
    let name = if from == "-" {
        "standard input".into()
    } else {
        from.to_string_lossy()
    };
    let wrong = |why: String| {
        Exit::Usage.because(format!(
            "--description-file {name}: {why}; expected UTF-8 text of at most 1 MiB. Nothing was sent."
        ))
    };
    let mut bytes = Vec::new();
    let read = if from == "-" {
        io::stdin().take(MOST + 1).read_to_end(&mut bytes)
    } else {
        File::open(from).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| wrong(error.to_string()))?;
    if bytes.len() as u64 > MOST {
        return Err(wrong("longer than 1 MiB".into()));
    }
    String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8 text".into()))
}
