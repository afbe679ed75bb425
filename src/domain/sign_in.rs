//! Signing in.

/// Reason of the login box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInReason {
    /// The configuration has no user name or no password.
    Missing,
    /// The user asked for it.
    Asked,
    /// The session is over: the refresh token is no longer valid.
    SessionEnded(String),
    /// The identity provider refused this name and password, in its words.
    Refused(String),
    /// The identity provider could not be reached.
    Failed(String),
}
