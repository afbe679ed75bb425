//! Why a command ends without having done it, as words and as an exit status.

use std::error::Error;

use crate::config::ConfigError;
use crate::domain::{Failure, FailureKind, text};
use crate::rpc::CallError;

/// Exit status of the commands without a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; also when whoever reads the output has had enough of it.
    Fine = 0,
    /// The condition of a gate does not hold; a write is done in part, or not as asked.
    Failed = 1,
    /// The command line or the config file is wrong.
    Usage = 2,
    /// Not signed in, and nothing is there to sign in with.
    NotSignedIn = 3,
    /// The service, the network or this machine failed, or the service has nothing of that name.
    Service = 4,
    /// The condition of a gate did not hold in time.
    TimeUp = 5,
    /// What is asked for cannot be decided with what the service tells.
    NotDecidable = 6,
    /// The service refused a write: nothing was changed.
    Refused = 7,
    /// What a write did is not known.
    Unknown = 8,
    /// A second signal, SIGHUP, ended a write before it was read after.
    HungUp = 129,
    /// The same with SIGINT.
    Interrupted = 130,
    /// The same with SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// The end of a command that has told what came of it: any other status than fine with these words.
    pub(super) fn with(self, words: impl Into<String>) -> Result<(), EarlyExit> {
        match self {
            Self::Fine => Ok(()),
            exit => Err(exit.because(words)),
        }
    }

    /// The end of a command before its end.
    pub fn because(self, words: impl Into<String>) -> EarlyExit {
        EarlyExit {
            exit: self,
            words: words.into(),
            below: Vec::new(),
            may_pass: false,
            unreached: false,
        }
    }
}

/// The end of a command before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyExit {
    /// Exit status.
    pub exit: Exit,
    /// What a person reads on standard error, on one line; empty where there is nothing to say.
    pub words: String,
    /// Further lines of the program's own.
    pub below: Vec<String>,
    /// The same may work later although nobody changes anything.
    pub may_pass: bool,
    /// The other side was not reached, or the connection broke: no other call fares better now.
    pub unreached: bool,
}

impl EarlyExit {
    /// The same with lines below.
    #[must_use]
    pub fn with(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.below.extend(lines);
        self
    }

    /// What is to be printed.
    pub fn text(&self) -> String {
        let lines = std::iter::once(&self.words).chain(&self.below);
        let lines: Vec<_> = lines.map(|line| text::plain(line)).collect();
        lines.join("\n")
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
    /// The error and what caused it, in one line; a cause that is told already is not told twice.
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
        let words = format!("{}. {}", sentence.trim_end_matches('.'), error.remedy());
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
        // The remedy names keys of the screen in places: what happened is enough here.
        let words = format!("{}: {}", failure.asked, failure.came_back);
        Self {
            may_pass: failure.may_retry,
            unreached: failure.kind == FailureKind::Network,
            ..exit.because(words)
        }
    }
}
