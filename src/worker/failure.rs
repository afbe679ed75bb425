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
