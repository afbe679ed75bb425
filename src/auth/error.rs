//! Why there is no token.

use super::NetworkFault;

/// Why signing in, or getting a token for a call, failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// Nobody has signed in yet, or they have signed out.
    #[error("not signed in")]
    NotSignedIn,
    /// The tokens can no longer be renewed: a person has to sign in again.
    #[error("the session is over: {why}")]
    SessionOver {
        /// What the identity provider said, or what is missing.
        why: String,
    },
    /// The identity provider refused what it was sent. Never sent again by the program.
    #[error("sign-in refused ({error}, status {status}){}", colon(description))]
    Refused {
        /// HTTP status.
        status: u16,
        /// The OAuth 2.0 error word, such as `invalid_grant`.
        error: String,
        /// The words beside it; empty if there are none.
        description: String,
    },
    /// The identity provider could not be reached, or the connection broke.
    #[error("identity provider: {0}")]
    Network(NetworkFault),
    /// An answer that is no token and no OAuth 2.0 error.
    #[error(
        "odd answer of the identity provider (status {status}): {what}{}",
        colon(excerpt)
    )]
    Odd {
        /// HTTP status.
        status: u16,
        /// What is wrong with it.
        what: String,
        /// First words of the body where it is no token answer, else empty.
        excerpt: String,
    },
    /// Nothing was sent, because it could not be.
    #[error("not sent: {what}")]
    NotSent {
        /// What is in the way.
        what: String,
    },
}

impl AuthError {
    /// Whether a person has to sign in before anything works.
    pub fn needs_sign_in(&self) -> bool {
        matches!(self, Self::NotSignedIn | Self::SessionOver { .. })
    }

    /// Whether something went out that the identity provider may have taken note of.
    pub fn was_sent(&self) -> bool {
        !matches!(
            self,
            Self::NotSent { .. }
                | Self::Network(NetworkFault::Connect(_) | NetworkFault::Unsendable(_))
        )
    }

    /// Whether the same may work later without anybody changing anything. Never so for a refused password.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Network(fault) => *fault != NetworkFault::TooLarge,
            Self::Odd { status, .. } => *status >= 500 || *status == 429,
            Self::Refused { .. }
            | Self::NotSignedIn
            | Self::SessionOver { .. }
            | Self::NotSent { .. } => false,
        }
    }
}

fn colon(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}
