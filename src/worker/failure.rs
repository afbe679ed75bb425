//! Errors of calls as failures that the screen shows.

use crate::auth::AuthError;
use crate::domain::Refusal;
use crate::rpc::{CallError, CallErrorKind};
use crate::store::{Failure, FailureKind, SignInReason};

impl From<&CallError> for Failure {
    fn from(error: &CallError) -> Self {
        let kind = match &error.kind {
            _ if error.needs_sign_in() => FailureKind::SignIn,
            CallErrorKind::NotSignedIn(fault) if fault.may_pass() => FailureKind::Network,
            _ if error.is_page_too_large() => FailureKind::PageTooLarge,
            CallErrorKind::NotSignedIn(_) | CallErrorKind::Unauthorized { .. } => {
                FailureKind::SignIn
            }
            CallErrorKind::NotSent(_) => FailureKind::Local,
            CallErrorKind::Connect(_)
            | CallErrorKind::Timeout { .. }
            | CallErrorKind::CutOff(_) => FailureKind::Network,
            CallErrorKind::Service(_) if error.refusal() == Refusal::Question => {
                FailureKind::Refused
            }
            CallErrorKind::Service(_) | CallErrorKind::Http { .. } => FailureKind::Service,
            CallErrorKind::TooLarge { .. }
            | CallErrorKind::Odd { .. }
            | CallErrorKind::ForeignId { .. } => FailureKind::Odd,
        };
        let missing = error.asked.method.starts_with("LIST_")
            && error.hint() == Some("looks like: not found");
        let remedy = if missing {
            "Check project_id and subproject_id, or choose another with :project."
        } else {
            error.remedy()
        };
        Self {
            kind,
            asked: error.was_asked(),
            came_back: error.came_back(),
            remedy: remedy.into(),
            may_retry: error.may_retry(),
        }
    }
}

/// A configured sign-in that came to nothing, without being refused.
pub fn sign_in_failure(error: &AuthError) -> Failure {
    Failure {
        kind: FailureKind::Network,
        asked: "signing in".into(),
        came_back: error.to_string(),
        remedy: "Check idp_url, realm and the network; : sign in takes another name and password."
            .into(),
        may_retry: error.may_pass(),
    }
}

/// The identity provider said no to the name and the password, in whichever words: they are not sent again.
pub fn refused(error: &AuthError) -> bool {
    match error {
        AuthError::Refused { .. } => true,
        AuthError::Odd { status, .. } => {
            (400..500).contains(status) && ![408, 429].contains(status)
        }
        _ => false,
    }
}

/// What the login box says of a sign-in that failed.
pub fn sign_in_reason(error: &AuthError) -> SignInReason {
    match error {
        AuthError::Refused { error: word, .. } if word != "invalid_grant" => {
            SignInReason::Failed(format!(
                "{error}. This is about the program, not about you: check realm, client_id and client_secret of the profile."
            ))
        }
        error if refused(error) => SignInReason::Refused(error.to_string()),
        AuthError::SessionOver { why } => SignInReason::Over(why.clone()),
        other => SignInReason::Failed(format!("{other}. Enter the password to try again.")),
    }
}
