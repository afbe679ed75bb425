//! Failures as the user reads them.

/// Kind of a failure, the only thing the program decides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Not signed in, or no longer.
    SignIn,
    /// No or a broken connection, or no answer in time.
    Network,
    /// An error or an invalid answer of the service.
    Service,
    /// An error of the service that may be about the request: a parameter, a sort order, a filter.
    Refused,
    /// Not found by the service.
    NotFound,
    /// Page size refused by the service.
    PageTooLarge,
    /// An error on this side: configuration, disk, terminal.
    Local,
    /// Nothing to do: not a failure, shown plainly.
    Nothing,
}

/// Failure as the user reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    pub asked: String,
    pub came_back: String,
    /// Advice for the user.
    pub remedy: String,
    /// Another attempt may succeed.
    pub may_retry: bool,
}

/// Returns the words without the id of the service's log, which is for those who operate it.
pub fn without_log(words: &str) -> &str {
    words
        .rsplit_once(" [log ")
        .map_or(words, |(words, _)| words)
}

impl Failure {
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

    /// Returns `true` if the request is not the cause: no answer, or not signed in.
    pub fn is_away(&self) -> bool {
        matches!(self.kind, FailureKind::Network | FailureKind::SignIn)
    }
}
