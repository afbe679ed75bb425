//! Errors of config files, with the remedy.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::domain::text;

/// The reason why there is no usable configuration; each is exit status 2.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file does not exist.
    #[error("no config file at {}; make one with: rundown setup, or by hand: {}; or look around with made-up data: rundown demo", shown_path(.path), make_command(.path))]
    Missing {
        /// The path searched.
        path: PathBuf,
    },
    /// The file has no profile yet.
    #[error("{}: no profile; expected at least one [profiles.NAME]: rundown setup adds one, rundown config example shows one", shown_path(.path))]
    NoProfile {
        /// The file.
        path: PathBuf,
        /// The profile that it names as the default.
        default: Option<String>,
    },
    /// The platform names no config directory.
    #[error("no place for a config file: {reason}; name one with --config FILE or $RUNDOWN_CONFIG")]
    NoPlace {
        /// The reason of the platform.
        reason: String,
    },
    /// The file cannot be read.
    #[error("{}: {reason}", shown_path(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The problem; the expectation.
        reason: String,
    },
    /// Other users may write to the file, or replace it.
    #[error("{}: {reason}", shown_path(.path))]
    Exposed {
        /// The file.
        path: PathBuf,
        /// The other users, the danger and the remedy.
        reason: String,
    },
    /// All problems of the file, in the order of its lines.
    #[error("{}", lines(.0))]
    Problems(Vec<Problem>),
    /// An invalid option of the command line.
    #[error("{option}: {reason}")]
    Option {
        /// The option, such as `--project`.
        option: &'static str,
        /// The problem; the expectation.
        reason: String,
    },
    /// There are several profiles and none is chosen.
    #[error("{}: several profiles and no default_profile; choose with --profile: {}", shown_path(.path), .known.join(", "))]
    NoDefaultProfile {
        /// The file.
        path: PathBuf,
        /// Names of the profiles.
        known: Vec<String>,
    },
}

/// One problem at one line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub path: PathBuf,
    /// Line, the first is 1.
    pub line: usize,
    /// The problem; the expectation; the nearest known name if one is close.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", shown_path(&self.path), self.line, self.text)
    }
}

fn lines(problems: &[Problem]) -> String {
    text::join(problems.iter().map(ToString::to_string), "\n")
}

/// Returns the command that creates the file, for its owner alone, with its folder if that is missing too.
fn make_command(path: &Path) -> String {
    let quoted = |path: &Path| shell_words::quote(&path.to_string_lossy()).into_owned();
    let file = quoted(path);
    let example = format!("rundown config example > {file} && chmod 600 {file}");
    match path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    {
        Some(folder) => format!("mkdir -p {} && {example}", quoted(folder)),
        None => example,
    }
}

/// Formats a path for a message.
pub fn shown_path(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// Formats a text for a message: without characters that act on the terminal.
pub fn shown(text: &str) -> String {
    text::plain(text).into_owned()
}
