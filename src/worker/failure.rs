//! Errors of a sign-in as failures that the screen shows.

use crate::auth::AuthError;
use crate::domain::{Failure, FailureKind};
use crate::store::SignInReason;

/// A configured sign-in that came to nothing, without being refused.
pub fn sign_in_failure(error: &AuthError) -> Failure {
    Failure {
        kind: FailureKind::Network,
        asked: "signing in".into(),
        came_back: error.to_string(),
        remedy: error.remedy(),
        may_retry: error.may_pass(),
    }
}

/// The identity provider said no to what it was sent: it is not sent again.
pub fn refused(error: &AuthError) -> bool {
    matches!(error, AuthError::Refused { .. })
}

/// What the login box says of a sign-in that failed.
pub fn sign_in_reason(error: &AuthError) -> SignInReason {
    let words = format!("{error}. {}", error.remedy());
    match error {
        AuthError::Refused { error: word, .. } if word == "invalid_grant" => {
            SignInReason::Refused(words.trim_end_matches('.').to_owned())
        }
        AuthError::SessionOver { why } => SignInReason::Over(why.clone()),
        _ => SignInReason::Failed(words),
    }
}
