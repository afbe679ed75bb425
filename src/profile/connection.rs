//! One profile in use: its HTTP client, tokens and operations.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::configured::{Configured, Earlier};
use crate::auth::{
    Attempt, AuthError, Credentials, Identity, Reached, SignInState, SigningIn, TokenSource,
};
use crate::config::{Profile, ProfileSecret, SecretSource, project_id, subproject_id};
use crate::disk::StateFolder;
use crate::domain::{Failure, FailureKind, SignInReason};
use crate::ops::{Client, ClientSettings, Tell, Writing, blocking, local};
use crate::rpc::{Endpoint, HttpSettings, Reader, Writer, broken_proxy, http_client};

/// Time limit for connecting; a complete call has the limit of the profile.
const CONNECT: Duration = Duration::from_secs(10);

/// One profile in use. For a read-only profile it holds no type that writes.
pub struct Connection {
    profile: Profile,
    pub client: Client,
    /// The type that writes, `None` for a read-only profile.
    writer: Option<Writer>,
    configured: Option<Arc<Configured>>,
}

/// Reason why the configured sign-in has not signed in.
pub enum NotSignedIn {
    /// Another sign-in came first.
    Overtaken,
    /// A name and a password are needed.
    Needed { user: String, why: SignInReason },
    /// It failed, but was not refused.
    Failed {
        failure: Failure,
        /// The password may have been sent: the identity provider may have counted the try.
        sent: bool,
        /// Pause that the identity provider asks for before the next try.
        wait: Option<Duration>,
    },
}

impl Connection {
    /// Reads the client secret and creates the HTTP clients; sends nothing.
    pub async fn open(profile: Profile, earlier: Earlier) -> Result<Self, Failure> {
        let remedy = "Correct the profile in the config file, then start again.";
        let client_secret = match &profile.client_secret {
            Some(secret) => {
                let set = match secret {
                    SecretSource::Env(name) => Some(format!(
                        "Set ${name} where rundown is started, then start again"
                    )),
                    _ => None,
                };
                let which = ProfileSecret::ClientSecret;
                let read = profile.read_secret(which, secret).await;
                Some(read.map_err(|none| {
                    let remedy = set.as_deref().or(none.remedy.as_deref()).unwrap_or(remedy);
                    local("reading the client secret", &none.why, remedy)
                })?)
            }
            None => None,
        };
        let settings = HttpSettings {
            connect_timeout: CONNECT.min(profile.request_timeout),
            request_timeout: profile.request_timeout,
            ca_certificate: profile.ca_certificate.clone(),
            ca_also: profile.ca_also.clone(),
        };
        let (service, identity_provider) = (profile.base_url.clone(), profile.idp_url.clone());
        let remedy = if [&service, &identity_provider]
            .into_iter()
            .any(|url| broken_proxy(url).is_some())
        {
            "Correct it where rundown is started, then start again."
        } else {
            remedy
        };
        // Reading the system's certificates takes a while. The two addresses may need different ones.
        let made = blocking(move || {
            Ok::<_, String>((
                http_client(&settings, &service)?,
                http_client(&settings, &identity_provider)?,
            ))
        });
        let (http, http_of_tokens) = made
            .await
            .map_err(|error| local("making the HTTP client", &error, remedy))?;
        let identity = Identity {
            idp_url: profile.idp_url.clone(),
            realm: profile.realm.clone(),
            client_id: profile.client_id.clone(),
            client_secret,
        };
        let configured = Configured::of(&profile, earlier);
        let credentials = configured.clone().map(|it| it as Arc<dyn Credentials>);
        let tokens = TokenSource::new(http_of_tokens, identity, credentials);
        let endpoint = Endpoint {
            rpc_url: profile.rpc_url(),
            project_id: profile.project_id.clone(),
            subproject_id: profile.subproject_id.clone(),
        };
        let reader = Reader::new(http, tokens.clone(), endpoint)
            .with_max_answer_mb(profile.max_answer_mb)
            .with_runs_source(profile.runs_source);
        let writer = (!profile.read_only).then(|| Writer::new(reader.clone()));
        let settings = ClientSettings {
            profile: profile.name.clone(),
            service: profile.target().service,
            user: profile.username.clone().unwrap_or_default(),
            me: profile.me.clone(),
            locale: profile.locale.clone(),
            page_size: profile.page_size,
            pauses: profile.read_again.clone(),
        };
        Ok(Self {
            client: Client::new(reader, tokens, settings),
            profile,
            writer,
            configured,
        })
    }

    /// Returns a connection with the same sign-in for another project; runs of the service may have named it.
    pub fn with_project(&self, project: &str, subproject: Option<&str>) -> Result<Self, String> {
        project_id(project).map_err(|why| format!("--project: {why}"))?;
        let checked = subproject.map_or(Ok(()), subproject_id);
        checked.map_err(|why| format!("--subproject: {why}"))?;
        let client = self.client.with_project(project, subproject);
        let writer = self.writer.as_ref();
        Ok(Self {
            writer: writer.map(|_| Writer::new(client.reader.clone())),
            client,
            configured: self.configured.clone(),
            profile: Profile {
                project_id: project.to_owned(),
                subproject_id: subproject.map(str::to_owned),
                ..self.profile.clone()
            },
        })
    }

    /// Returns the type that writes; an error for a read-only profile.
    pub fn may_write(&self) -> Result<&Writer, &'static str> {
        let writer = self.writer.as_ref();
        writer.ok_or("read-only: nothing is changed from here")
    }

    /// Returns everything needed to write: a profile that may write, and a journal.
    pub fn writing(
        &self,
        state: Result<Arc<StateFolder>, String>,
        stopped: CancellationToken,
        tell: Tell,
    ) -> Result<Writing, String> {
        let writer = self.may_write()?.clone();
        let state = state.map_err(|why| format!("it cannot be written down first: {why}"))?;
        Ok(Writing {
            client: self.client.clone(),
            writer,
            state,
            held: Arc::default(),
            stopped,
            tell,
        })
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the reason if the session is over; the configured password has been tried again by then.
    pub fn session_end(&self) -> Option<String> {
        match &*self.client.tokens.state().borrow() {
            SignInState::Ended { why } => Some(why.clone()),
            _ => None,
        }
    }

    /// Returns the name of the user who is signed in.
    pub fn signed_in(&self) -> Option<String> {
        match &*self.client.tokens.state().borrow() {
            SignInState::SignedIn { user } => Some(user.clone()),
            _ => None,
        }
    }

    /// Signs in once with the configured password. If the user has signed in meanwhile, that session stays, and a failure
    /// is only logged.
    pub async fn sign_in_as_configured(&self, _alone: &SigningIn) -> Result<(), NotSignedIn> {
        let attempt = self.client.tokens.begin(false);
        let done = self.configured(attempt).await;
        if done.is_err() && self.client.tokens.is_behind(attempt) {
            tracing::info!("the configured sign-in came to nothing, after somebody had signed in");
            return Err(NotSignedIn::Overtaken);
        }
        done
    }

    /// Tries the configured password.
    async fn configured(&self, attempt: Attempt) -> Result<(), NotSignedIn> {
        let usable = self.configured.as_ref().filter(|it| !it.is_refused());
        let configured = usable.ok_or_else(|| NotSignedIn::Needed {
            user: self.profile.username.clone().unwrap_or_default(),
            why: SignInReason::Missing,
        })?;
        let user = configured.user().to_owned();
        let password = match configured.password().await {
            Ok(password) => password,
            Err(why) => {
                let why = SignInReason::Failed(why);
                return Err(NotSignedIn::Needed { user, why });
            }
        };
        // The program that prints the password may have taken its time.
        if self.client.tokens.is_behind(attempt) {
            return Err(NotSignedIn::Overtaken);
        }
        match self
            .client
            .tokens
            .sign_in_as(attempt, &user, &password)
            .await
        {
            Ok(()) => {
                configured.accepted();
                Ok(())
            }
            Err(error) if refused(&error) => {
                configured.refused(&error);
                let why = sign_in_reason(&error);
                Err(NotSignedIn::Needed { user, why })
            }
            Err(error) => Err(NotSignedIn::Failed {
                failure: sign_in_failure(&error),
                sent: error.may_have_counted(),
                wait: error.retry_after(),
            }),
        }
    }

    /// Signs in once.
    pub async fn sign_in(&self, user: &str, password: &SecretString) -> Result<(), SignInReason> {
        let done = self.client.tokens.sign_in(user, password).await;
        done.map_err(|error| sign_in_reason(&error))
    }

    /// Asks if anything answers at the address of calls, or of sign-ins.
    pub async fn reach(&self, signing_in: bool) -> Result<Reached, Failure> {
        if signing_in {
            let reached = self.client.tokens.reach().await;
            reached.map_err(|error| sign_in_failure(&error))
        } else {
            Ok(self.client.reader.reach().await?)
        }
    }
}

/// Returns the failure of a configured sign-in that was not refused.
fn sign_in_failure(error: &AuthError) -> Failure {
    let (cause, remedy) = (error.to_string(), error.remedy());
    Failure {
        may_retry: error.may_pass(),
        ..Failure::new(FailureKind::Network, "signing in", &cause, &remedy)
    }
}

/// True if the identity provider refused the credentials: they are not sent again.
fn refused(error: &AuthError) -> bool {
    matches!(error, AuthError::Refused { .. })
}

/// Returns the reason of a failed sign-in for the login box.
fn sign_in_reason(error: &AuthError) -> SignInReason {
    let words = format!("{error}. {}", error.remedy());
    match error {
        AuthError::Refused { error: word, .. } if word == "invalid_grant" => {
            SignInReason::Refused(words.trim_end_matches('.').to_owned())
        }
        AuthError::SessionEnded { why } => SignInReason::SessionEnded(why.clone()),
        _ => SignInReason::Failed(words),
    }
}
