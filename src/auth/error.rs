//! Why there is no token.

use url::Url;

use super::{NetworkFault, proxy};

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
    /// The identity provider refused what it was sent: 400 or 401 with an OAuth 2.0 error, or a new token that is over already.
    /// Never sent again by the program.
    #[error("sign-in refused{} ({error}, {status})", colon(description))]
    Refused {
        /// HTTP status.
        status: u16,
        /// The OAuth 2.0 error word, such as `invalid_grant`; what is wrong with the new token.
        error: String,
        /// The words beside it; empty if there are none.
        description: String,
    },
    /// The identity provider could not be reached, or the connection broke.
    #[error("identity provider: {0}")]
    Network(NetworkFault),
    /// An answer that is no token and no OAuth 2.0 error.
    #[error("{} ({place}, status {status})", odd(place, *status, what).0)]
    Odd {
        /// Scheme, host and port that were asked. Something in front of them may have answered.
        place: String,
        /// HTTP status.
        status: u16,
        /// What is wrong with it; of a 404 the realm that was asked for.
        what: String,
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

    /// Whether the identity provider may have taken note of what was sent although it gave no usable answer.
    pub fn may_have_counted(&self) -> bool {
        match self {
            Self::Network(fault) => !matches!(
                fault,
                NetworkFault::Connect(_) | NetworkFault::Unsendable(_)
            ),
            Self::Odd { status, .. } => (200..300).contains(status),
            Self::Refused { .. } => true,
            Self::NotSignedIn | Self::SessionOver { .. } | Self::NotSent { .. } => false,
        }
    }

    /// Whether the same may work later without anybody changing anything. Never so for a refused password.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Network(fault) => *fault != NetworkFault::TooLarge,
            Self::Odd { status, .. } => *status >= 500 || [408, 409, 429].contains(status),
            Self::Refused { .. }
            | Self::NotSignedIn
            | Self::SessionOver { .. }
            | Self::NotSent { .. } => false,
        }
    }

    /// What helps, and who can do it.
    pub fn remedy(&self) -> String {
        match self {
            Self::NotSignedIn | Self::SessionOver { .. } => "Sign in, then try again.".into(),
            Self::Refused {
                status,
                error,
                description,
            } => refusal_remedy(*status, error, description).into(),
            Self::Network(NetworkFault::Connect(none)) => {
                none.remedy("idp_url", " and the network")
            }
            Self::Network(_) => "Check idp_url and the network, then try again.".into(),
            Self::Odd {
                place,
                status,
                what,
            } => odd(place, *status, what).1,
            Self::NotSent { .. } => "Correct what it names first.".into(),
        }
    }
}

/// The descriptions are those of Keycloak; an identity provider that words them otherwise gets the remedy of the code.
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
        // With 401 Keycloak means a client secret that is wrong or missing.
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

/// The cause of an answer that is none of the identity provider's, and what helps.
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
        300..=399 => (
            "the address leads elsewhere, which is not followed",
            "Correct idp_url.",
        ),
        413 => (
            "something in between lets no request of this size through",
            "Ask whoever runs that address.",
        ),
        408 | 409 | 429 | 500.. => (
            "the identity provider is not available",
            "It is tried again later; the password was not judged.",
        ),
        _ => (
            "",
            "What answers there is not the identity provider: check idp_url, realm and network.",
        ),
    };
    let cause = match cause {
        "" => format!("odd answer, {what}"),
        cause => cause.to_owned(),
    };
    (cause, remedy.to_owned())
}

fn colon(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}
