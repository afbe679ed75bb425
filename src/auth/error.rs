//! Reasons why there is no token.

use std::time::Duration;

use url::Url;

use super::{NetworkFault, proxy};
use crate::domain::text::colon;

/// The reason why signing in, or getting a token for a call, failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// The user has not signed in.
    #[error("not signed in")]
    NotSignedIn,
    /// The tokens can no longer be renewed: the user has to sign in again.
    #[error("the session is over: {why}")]
    SessionEnded {
        /// Words of the identity provider, or what is missing.
        why: String,
    },
    /// The identity provider refused the request: 400 or 401 with an OAuth 2.0 error, or a new token that has already
    /// expired. The program never sends it again.
    #[error("sign-in refused{} ({error}, {status})", colon(description))]
    Refused {
        /// HTTP status.
        status: u16,
        /// The OAuth 2.0 error word, such as `invalid_grant`, or the fault of the new token.
        error: String,
        /// Its description, may be empty.
        description: String,
    },
    /// The identity provider could not be reached, or the connection broke.
    #[error("identity provider: {0}")]
    Network(NetworkFault),
    /// An answer that is neither a token nor an OAuth 2.0 error.
    #[error("{} ({place}, status {status})", odd(place, *status, what).0)]
    Odd {
        /// Scheme, host and port of the request. Something in front of them may have answered.
        place: String,
        /// HTTP status.
        status: u16,
        /// The fault; for a 404 the requested realm, for a redirect scheme, host and port of its target, if it has one.
        what: String,
        /// Time to wait before the next request (`Retry-After`).
        retry_after: Option<Duration>,
    },
    /// A token came, but nothing that tells how to use it.
    #[error("odd answer, {what} ({place}, status {status})")]
    Unusable {
        /// Scheme, host and port of the request.
        place: String,
        /// HTTP status.
        status: u16,
        /// The fault.
        what: String,
    },
    /// Nothing is sent for a while, after several requests without an answer.
    #[error("{error}")]
    Waits {
        /// Error of the last of them.
        error: Box<Self>,
        left: Duration,
    },
    /// The request could not be sent.
    #[error("not sent: {what}")]
    NotSent {
        /// The obstacle.
        what: String,
    },
}

impl AuthError {
    /// True if nothing works before the user signs in.
    pub fn needs_sign_in(&self) -> bool {
        matches!(self, Self::NotSignedIn | Self::SessionEnded { .. })
    }

    /// True if the identity provider may have counted the request although its answer is not usable.
    pub fn may_have_counted(&self) -> bool {
        match self {
            Self::Network(fault) => !matches!(
                fault,
                NetworkFault::Connect(_) | NetworkFault::Unsendable(_)
            ),
            // A gateway says 502 and 504 after what is behind it may have judged.
            Self::Odd { status, .. } => (200..300).contains(status) || [502, 504].contains(status),
            Self::Refused { .. } | Self::Unusable { .. } => true,
            Self::NotSignedIn
            | Self::SessionEnded { .. }
            | Self::Waits { .. }
            | Self::NotSent { .. } => false,
        }
    }

    /// True if the same may work later without any change. Never for a refused password.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Network(fault) => *fault != NetworkFault::TooLarge,
            Self::Odd { status, .. } => *status >= 500 || [408, 409, 429].contains(status),
            Self::Waits { .. } => true,
            Self::Refused { .. }
            | Self::Unusable { .. }
            | Self::NotSignedIn
            | Self::SessionEnded { .. }
            | Self::NotSent { .. } => false,
        }
    }

    /// Pause that the answer asks for.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Odd { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Advice for the user.
    pub fn remedy(&self) -> String {
        match self {
            Self::NotSignedIn | Self::SessionEnded { .. } => "Sign in, then try again.".into(),
            Self::Refused {
                status,
                error,
                description,
            } => refusal_remedy(*status, error, description).into(),
            Self::Network(NetworkFault::Connect(none)) => {
                none.remedy("idp_url", " and the network")
            }
            Self::Network(NetworkFault::Timeout) => "Check idp_url and the network, then try again; if it stays so, raise \
                                                     request_timeout_seconds of the profile."
                .into(),
            Self::Network(_) => "Check idp_url and the network, then try again.".into(),
            Self::Odd {
                place,
                status,
                what,
                ..
            } => odd(place, *status, what).1,
            Self::Unusable { .. } => "A token came, and it cannot be used: token_type and expires_in, a whole number of seconds, \
                                      have to come with it. Tell an administrator of the identity provider."
                .into(),
            Self::Waits { left, .. } => format!(
                "What got no answer may count as wrong: it is tried again in {} min, or sign in by hand.",
                left.as_secs().div_ceil(60)
            ),
            Self::NotSent { .. } => "Correct what it names first.".into(),
        }
    }
}

/// Returns the advice for a refusal. The descriptions are those of Keycloak; for others only the code counts.
fn refusal_remedy(status: u16, error: &str, description: &str) -> &'static str {
    match (error, description.to_ascii_lowercase().as_str()) {
        ("invalid_grant", "account disabled") => {
            "Ask an administrator of the identity provider to enable the account; the password is not what is wrong."
        }
        ("invalid_grant", "account is not fully set up") => {
            "Sign in to the identity provider in a browser once and do what it asks for, such as setting a new password."
        }
        ("invalid_grant", _) => {
            "Username and password do not fit, or the account is locked for a while after wrong ones. Correct them, wait, or \
             ask an administrator."
        }
        // Keycloak answers a wrong or missing client secret with 401.
        ("unauthorized_client", _) if status != 401 => {
            "The client may not sign people in with a password: ask an administrator of the identity provider to turn on \
             direct access grants for client_id."
        }
        ("invalid_client" | "unauthorized_client", _) => {
            "This is about the program, not about you: check client_id and client_secret, or ask an administrator for them."
        }
        _ => {
            "This is about the program, not about you: check realm, client_id and client_secret of the profile."
        }
    }
}

/// Returns the cause and the remedy of an answer that is not one of an identity provider.
fn odd(place: &str, status: u16, what: &str) -> (String, String) {
    let (cause, remedy) = match status {
        404 => {
            let cause = format!("no such realm: {what}, or no identity provider at that address");
            let remedy =
                "Check idp_url and realm, or ask an administrator whether the realm is gone.";
            return (cause, remedy.into());
        }
        400 if place.starts_with("http://") => (
            "",
            "If that port speaks TLS, idp_url has to begin with https://; else ask whoever runs that address.",
        ),
        400 => (
            "",
            "Something in front of the identity provider may demand a client certificate, which rundown has none of: ask \
             whoever runs that address.",
        ),
        403 => (
            "the realm is turned off, or something in front of the identity provider bars the way",
            "The password was not judged. Ask an administrator of the identity provider, or whoever runs that address.",
        ),
        401 => (
            "something in front of the identity provider wants a sign-in of its own",
            "The password was not judged. Ask whoever runs that address for one that programs reach.",
        ),
        407 => {
            let proxy = Url::parse(place).ok().and_then(|url| proxy::used_for(&url));
            let remedy = proxy.map_or("Ask whoever runs it.".into(), |it| it.password_remedy());
            return ("a proxy in between wants a password".into(), remedy);
        }
        300..=399 => {
            let cause = "the address leads elsewhere, which is not followed";
            let to = if what.is_empty() { "" } else { ": to " };
            return (format!("{cause}{to}{what}"), redirect_remedy("idp_url"));
        }
        413 => (
            "something in between lets no request of this size through",
            "Ask whoever runs that address.",
        ),
        511 => (
            "the network wants a sign-in of its own",
            "The password was not judged. Open a page in a browser and sign in there, then try again.",
        ),
        408 | 409 | 429 | 500.. => (
            "the identity provider is not available",
            "Try again in a while; the password was not judged.",
        ),
        _ => (
            "",
            "What answers there is not the identity provider: check idp_url, realm and network; or else tell its administrator \
             what is odd.",
        ),
    };
    let cause = match cause {
        "" => format!("odd answer, {what}"),
        cause => cause.to_owned(),
    };
    (cause, remedy.to_owned())
}

/// Returns the advice for a redirect of the address that this key of the config names.
pub(crate) fn redirect_remedy(key: &str) -> String {
    format!(
        "Either this network wants a sign-in of its own: open a page in a browser; or the address has moved: correct {key}."
    )
}
