//! A failure as a person reads it.

/// What sort of failure it is: what the program does about it depends on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Not signed in, or not any more.
    SignIn,
    /// No or a broken connection, or no answer in time.
    Network,
    /// The service answered with an error, or with what is no answer.
    Service,
    /// The service answered with an error that may be about what was asked: a parameter, a sort order, a filter.
    Refused,
    /// The service does not find what was asked for.
    NotFound,
    /// The service refused the size of the page.
    PageTooLarge,
    /// Something on this side: configuration, disk, terminal.
    Local,
    /// There is nothing to do: no failure, and said plainly.
    Nothing,
}

/// A failure as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What sort.
    pub kind: FailureKind,
    pub asked: String,
    pub came_back: String,
    /// What can be done.
    pub remedy: String,
    /// Asking again may help.
    pub may_retry: bool,
}

impl Failure {
    /// It is not about what was asked: nobody answered, or nobody is signed in.
    pub fn is_away(&self) -> bool {
        matches!(self.kind, FailureKind::Network | FailureKind::SignIn)
    }
}
