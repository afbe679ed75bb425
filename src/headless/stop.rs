//! Reasons for the early end of a command, as a message and an exit status.

use std::error::Error;

use crate::config::ConfigError;
use crate::domain::{Failure, FailureKind, PageError, text};
use crate::rpc::CallError;

/// Remedy where the service does not find a run.
const GONE: &str = "It may have been deleted: rundown runs list says which runs there are.";

/// Exit status of the commands without a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or the reader has closed the output.
    Fine = 0,
    /// The condition of a gate does not hold; a write is done in part, or not as wanted.
    Failed = 1,
    /// The command line or the config file is wrong.
    Usage = 2,
    /// Not signed in, and the configuration has no credentials.
    NotSignedIn = 3,
    /// Failure of the service, the network or this machine, or an unknown name.
    Service = 4,
    /// The condition of a gate did not hold in time.
    TimeUp = 5,
    /// The question cannot be decided with the data of the service.
    NotDecidable = 6,
    /// The service refused a write: nothing was changed.
    Refused = 7,
    /// The effect of a write is unknown.
    Unknown = 8,
    /// A second signal, SIGHUP, ended a write before the check by reading.
    HungUp = 129,
    /// Same with SIGINT.
    Interrupted = 130,
    /// Same with SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// Ends a command after its output; a status other than `Fine` is an error with this message.
    pub(super) fn with(self, words: impl Into<String>) -> Ran {
        match self {
            Self::Fine => Ok(()),
            exit => Err(exit.because(words)),
        }
    }

    /// Error that ends a command early.
    pub fn because(self, words: impl Into<String>) -> EarlyExit {
        EarlyExit {
            exit: self,
            words: words.into(),
            below: Vec::new(),
            may_pass: false,
            kind: FailureKind::Local,
        }
    }
}

/// An early end of a command.
pub struct EarlyExit {
    pub exit: Exit,
    /// Message for standard error, on one line; empty if there is none.
    pub words: String,
    /// Further lines, with texts of this program only.
    pub below: Vec<String>,
    /// True if the same command may succeed later.
    pub may_pass: bool,
    /// `Network` if the service was not reached or the connection broke: other calls would fail too.
    pub kind: FailureKind,
}

/// Result of a step of a command.
pub type Ran<T = ()> = Result<T, EarlyExit>;

impl EarlyExit {
    /// Adds further lines.
    #[must_use]
    pub fn with(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.below.extend(lines);
        self
    }

    /// Text to print.
    pub fn text(&self) -> String {
        let lines = std::iter::once(&self.words).chain(&self.below);
        text::join(lines.map(|line| text::plain(line)), "\n")
    }
}

impl PageError for EarlyExit {
    fn kind(&self) -> FailureKind {
        self.kind
    }
}

impl From<ConfigError> for EarlyExit {
    fn from(error: ConfigError) -> Self {
        let text = error.to_string();
        let ConfigError::Problems(problems) = error else {
            return Exit::Usage.because(text);
        };
        let places = match problems.len() {
            1 => String::new(),
            many => format!(" in {many} places"),
        };
        let words = format!("the config file is wrong{places}");
        Exit::Usage
            .because(words)
            .with(text.lines().map(str::to_owned))
    }
}

impl From<Box<dyn Error>> for EarlyExit {
    /// Error with its causes on one line; a cause that the text already contains is left out.
    fn from(error: Box<dyn Error>) -> Self {
        let mut text = error.to_string();
        let mut next = error.source();
        while let Some(cause) = next {
            next = cause.source();
            let cause = cause.to_string();
            if !text.contains(&cause) {
                text = format!("{text}: {cause}");
            }
        }
        Exit::Failed.because(text)
    }
}

impl From<CallError> for EarlyExit {
    fn from(error: CallError) -> Self {
        let sentence = error.sentence();
        let remedy = if error.is_not_found() && !error.is_no_project() {
            GONE.into()
        } else {
            error.remedy()
        };
        let words = format!("{}. {remedy}", sentence.trim_end_matches('.'));
        Self {
            words,
            ..Failure::from(error).into()
        }
    }
}

impl From<Failure> for EarlyExit {
    fn from(failure: Failure) -> Self {
        let exit = match failure.kind {
            FailureKind::SignIn => Exit::NotSignedIn,
            _ => Exit::Service,
        };
        // The remedy may name keys of the screens, so it is left out.
        let words = format!("{}: {}", failure.asked, failure.in_full());
        Self {
            may_pass: failure.may_retry,
            kind: failure.kind,
            ..exit.because(words)
        }
    }
}
