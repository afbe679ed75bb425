//! Credentials of a profile for sign-ins without the user.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::tz::TimeZone;
use secrecy::SecretString;

use crate::auth::{AuthError, Credentials};
use crate::config::{Profile, ProfileSecret, SecretSource};
use crate::disk::Refusals;
use crate::domain::format_local;
use crate::ops::now;

/// Knowledge about earlier sign-ins of a profile; outlives its connections.
#[derive(Default)]
pub struct Earlier {
    /// True if the configured password was refused: this process does not send it again.
    pub refused: Arc<AtomicBool>,
    /// Refusals in other starts; `None` without a state folder.
    pub refusals: Option<Refusals>,
    /// True for starts without the user: only few refused passwords are sent.
    pub unattended: bool,
    /// Tells that a refusal could not be kept.
    pub tells: Option<fn(&str)>,
}

/// Configured user and password.
pub struct Configured {
    profile: Profile,
    user: String,
    source: SecretSource,
    earlier: Earlier,
}

impl Configured {
    /// Returns the credentials if the profile has user and password.
    pub fn of(profile: &Profile, earlier: Earlier) -> Option<Arc<Self>> {
        let user = profile.username.clone().filter(|user| !user.is_empty())?;
        Some(Arc::new(Self {
            profile: profile.clone(),
            user,
            source: profile.password.clone()?,
            earlier,
        }))
    }

    /// True if the password was refused before.
    pub fn is_refused(&self) -> bool {
        self.earlier.refused.load(Ordering::SeqCst)
    }

    /// Returns the reason why this start does not send the password, `None` if it may.
    fn closed(&self) -> Option<String> {
        if !self.earlier.unattended || self.profile.sign_in_again {
            return None;
        }
        let refusals = self.earlier.refusals.as_ref()?;
        let until =
            refusals.closed_until(&self.realm(), &self.user, now(), self.profile.changed)?;
        let clock = format_local(until, &TimeZone::system(), "%H:%M")?;
        // A new password in the config file changes that file.
        let changed = match &self.source {
            SecretSource::Inline(_) => String::new(),
            source => format!(
                " A new one {} waits, too, for nothing of the old one is kept to tell it by: --sign-in-again sends it.",
                source.describe()
            ),
        };
        Some(format!(
            "not signed in: the configured password of {} was refused twice in the last 15 minutes. So that the account is \
             not locked, it is sent again from {clock} on; at once with --sign-in-again, or once the config file has been \
             changed.{changed}",
            self.user
        ))
    }
}

impl Credentials for Configured {
    fn user(&self) -> &str {
        &self.user
    }

    fn password(&self) -> Pin<Box<dyn Future<Output = Result<SecretString, String>> + Send + '_>> {
        Box::pin(async {
            if self.is_refused() {
                return Err(
                    "the configured password was refused before and is not sent again".into(),
                );
            }
            if let Some(why) = self.closed() {
                return Err(why);
            }
            let which = ProfileSecret::Password;
            let read = self.profile.read_secret(which, &self.source).await;
            read.map_err(|none| none.to_string())
        })
    }

    fn refused(&self, error: &AuthError) {
        self.earlier.refused.store(true, Ordering::SeqCst);
        // If the client was refused, the password was not checked.
        if matches!(error, AuthError::Refused { error, .. } if error == "invalid_grant") {
            self.keep(|refusals| refusals.note(&self.realm(), &self.user, now()));
        }
    }

    fn accepted(&self) {
        self.keep(|refusals| refusals.forget(&self.realm(), &self.user, now()));
    }
}

impl Configured {
    /// The realm of the account with its address: it is locked for all profiles.
    fn realm(&self) -> String {
        format!("{} {}", self.profile.idp_url, self.profile.realm)
    }

    fn keep(&self, change: impl FnOnce(&Refusals) -> std::io::Result<()>) {
        if let Some(refusals) = &self.earlier.refusals
            && let Err(error) = change(refusals)
        {
            tracing::warn!(%error, "refused sign-ins are not kept");
            if let Some(tell) = self.earlier.tells {
                tell(&format!(
                    "refused sign-ins cannot be counted, so each start sends the password: {error}"
                ));
            }
        }
    }
}
