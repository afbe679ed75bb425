//! The example of a config file: every key of the table of settings, explained.

use std::sync::LazyLock;

use textwrap::{Options, WordSplitter};

use super::settings::{ROOT, Setting, Unset, ValueType};

/// A config file with every key in it, explained; `config.example.toml` is a copy of it.
pub static EXAMPLE: LazyLock<String> = LazyLock::new(|| {
    let mut blocks = vec![remark(HEAD).trim_end().to_owned()];
    add(&mut blocks, "", ROOT);
    blocks.join("\n\n") + "\n"
});

const HEAD: &str = "rundown: the config file, with every key there is. `rundown config path` says \
    where it belongs (on Linux ~/.config/rundown/config.toml); another one is named with --config \
    FILE or $RUNDOWN_CONFIG. `rundown config check` says what is wrong in it. The program never \
    writes to it. A line that starts with \"# name =\" is switched off: it shows the default, or a \
    sample where there is none. The lines in force below are what a usual profile needs.";

/// The blocks of a table: one for each key, for all ways to say the same, and for each table below.
fn add(blocks: &mut Vec<String>, path: &str, settings: &[Setting]) {
    let mut before = None;
    for key in settings.iter().filter(|key| !key.is_hidden()) {
        let path = format!("{path}{}", key.name);
        let (line, below) = match key.kind {
            ValueType::Table(below) => (format!("[{path}]"), Some((path, below))),
            ValueType::Tables(below) => (format!("[[{path}]]"), Some((path, below))),
            ValueType::Named(&ValueType::Table(below)) => {
                (format!("[{path}.work]"), Some((path + ".work", below)))
            }
            ValueType::Named(_) => (format!("[{path}]"), None),
            _ => {
                let (off, value) = match key.unset {
                    Unset::Required(value) | Unset::Usual(value) => ("", value),
                    Unset::Default(value) | Unset::Nothing(value) => ("# ", value),
                };
                (format!("{off}{} = {value}", key.name), None)
            }
        };
        let block = remark(&key.words.replace("{}", &key.kind.limits())) + &line;
        match blocks.last_mut() {
            Some(last) if key.way_of().is_some() && key.way_of() == before => {
                *last = format!("{last}\n{block}");
            }
            _ => blocks.push(block),
        }
        before = key.way_of();
        if let Some((path, below)) = below {
            add(blocks, &format!("{path}."), below);
        }
    }
}

/// Lines of words that are not read.
fn remark(words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let options = Options::new(120)
        .initial_indent("# ")
        .subsequent_indent("# ")
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(words, options) + "\n"
}
