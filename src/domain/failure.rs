//! Failures as the user reads them.

/// Kind of a failure, the only thing the program decides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Not signed in, or no longer.
    SignIn,
    /// No or a broken connection, or no answer in time.
    Network,
    /// The service is away, by the status of a program in front of it.
    Unavailable,
    /// An answer that is none: a status without an error, another text.
    Broken,
    /// An error of the service that is not about the request.
    Service,
    /// An error of the service that may be about the request: a parameter, a sort order, a filter, a closed run.
    Refused,
    /// Not found by the service.
    NotFound,
    /// Page size or place of a page refused by the service.
    PageTooLarge,
    /// An answer longer than is read: a smaller page may succeed.
    AnswerTooLarge,
    /// A call that was not made: all calls allowed were made before.
    NotAsked,
    /// An error on this side: configuration, disk, terminal.
    Local,
    /// Nothing to do: not a failure, shown plainly.
    Nothing,
}

impl FailureKind {
    /// Returns `true` if the service understood the call and refused it. A call that was not made counts as a refused one.
    pub fn is_answer(self) -> bool {
        matches!(
            self,
            Self::Refused | Self::Service | Self::NotFound | Self::NotAsked
        )
    }

    /// Returns `true` if nothing is there to be read or taken back.
    pub fn is_nothing(self) -> bool {
        matches!(self, Self::Nothing | Self::NotFound)
    }

    /// Returns `true` if others may do what this call did not: it was refused, or has no answer that can be read.
    pub fn is_of_the_call(self) -> bool {
        self.is_answer() || self.is_too_large() || self == Self::Broken
    }

    /// Returns `true` if the request is not the cause: no answer, not signed in, the service away.
    pub fn is_away(self) -> bool {
        matches!(self, Self::Network | Self::SignIn | Self::Unavailable)
    }

    /// Returns `true` if no call has failed: none was made.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Local | Self::NotAsked)
    }

    /// Returns `true` if a smaller page may succeed.
    pub fn is_too_large(self) -> bool {
        matches!(self, Self::PageTooLarge | Self::AnswerTooLarge)
    }
}

/// Failure as the user reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    pub asked: String,
    pub cause: String,
    /// Advice for the user.
    pub remedy: String,
    /// Another attempt may succeed.
    pub may_retry: bool,
    /// Milliseconds in which no attempt is sent at all.
    pub waits: Option<u64>,
    /// Id in the log of the service, for those who operate it.
    pub log: Option<String>,
}

/// Returns the words with the id of the service's log behind them.
pub fn with_log(words: &str, log: Option<&str>) -> String {
    log.map_or_else(|| words.to_owned(), |log| format!("{words} [log {log}]"))
}

impl Failure {
    /// Returns a failure where another attempt is of no use.
    pub fn new(kind: FailureKind, asked: &str, cause: &str, remedy: &str) -> Self {
        Self {
            kind,
            asked: asked.into(),
            cause: cause.into(),
            remedy: remedy.into(),
            may_retry: false,
            waits: None,
            log: None,
        }
    }

    /// Returns `true` if the same request will be refused again.
    pub fn is_in_vain(&self) -> bool {
        self.kind == FailureKind::Refused && !self.may_retry
    }

    /// Returns `true` if the same request may succeed later: a reading is repeated by itself.
    pub fn passes(&self) -> bool {
        self.may_retry && matches!(self.kind, FailureKind::Network | FailureKind::Unavailable)
    }

    /// Returns what was asked for and what came back.
    pub fn line(&self) -> String {
        format!("{}: {}", self.asked, self.cause)
    }

    /// Names the run of a request that did not find it.
    #[must_use]
    pub fn of_run(self, name: &str) -> Self {
        match self.kind {
            FailureKind::NotFound => Self {
                asked: format!("reading {name}"),
                ..self
            },
            _ => self,
        }
    }

    /// Returns what came back with the id of the log, for places with room.
    pub fn in_full(&self) -> String {
        with_log(&self.cause, self.log.as_deref())
    }

    /// Returns what came back and the remedy, as two sentences.
    pub fn advised(&self) -> String {
        format!("{}. {}", self.cause.trim_end_matches('.'), self.remedy)
    }
}
