//! Errors of calls as failures that the screen shows.

use crate::auth::AuthError;
use crate::rpc::{CallError, CallErrorKind};
use crate::store::{Failure, FailureKind, SignInReason};

impl From<&CallError> for Failure {
    fn from(error: &CallError) -> Self {
        let kind = match &error.kind {
            _ if error.needs_sign_in() => FailureKind::SignIn,
            _ if error.is_page_too_large() => FailureKind::PageTooLarge,
            CallErrorKind::NotSignedIn(_) | CallErrorKind::Unauthorized { .. } => FailureKind::SignIn,
            CallErrorKind::NotSent(_) => FailureKind::Local,
            CallErrorKind::Connect(_) | CallErrorKind::Timeout { .. } | CallErrorKind::CutOff(_) => {
                FailureKind::Network
            }
            CallErrorKind::Service(_) | CallErrorKind::Http { .. } => FailureKind::Service,
            CallErrorKind::TooLarge { .. } | CallErrorKind::Odd { .. } | CallErrorKind::ForeignId { .. } => {
                FailureKind::Odd
            }
        };
        Self {
            kind,
            asked: error.was_asked(),
            came_back: error.came_back(),
            remedy: error.remedy().into(),
            may_retry: error.may_retry(),
        }
    }
}

/// What the login box says of a sign-in that failed.
pub fn sign_in_reason(error: &AuthError) -> SignInReason {
    match error {
        AuthError::Refused { .. } => SignInReason::Refused(error.to_string()),
        AuthError::SessionOver { why } => SignInReason::Over(why.clone()),
        other => SignInReason::Failed(format!("{other}. Enter the password to try again.")),
    }
}
