//! Access to a profile without questions: sign-in by the configuration alone.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;

use super::output::ProgressLine;
use super::pace::tries;
use super::prelude::*;
use super::sync::{cache_folder, history};
use crate::disk::Refusals;
use crate::domain::compare::KeptSuites;
use crate::domain::text::{count, thousands};
use crate::domain::{Failure, SignInReason};
use crate::mirror::Presence;
use crate::ops::{Client, KeepsSuites, Progress, Tell};
use crate::profile::{Connection, Earlier, NotSignedIn, kept_runs, kept_suites, origin};
use crate::rpc::{CallError, asked_or};

/// A profile in use.
pub struct Access {
    /// Client and session, as in the interface.
    pub connection: Arc<Connection>,
    /// Client for readings, with retries.
    pub client: Client,
    /// Results of finished cases.
    pub done: Vec<ResultCode>,
    /// Line that shows the progress.
    pub progress: Arc<ProgressLine>,
    /// Message about missing keys for a sign-in.
    lacks: String,
    /// Number of sign-ins in a row without an answer.
    unanswered: u32,
    /// Pause that the identity provider asked for.
    wait: Option<Duration>,
    /// Pauses between the tries of a sign-in.
    pauses: Vec<Duration>,
}

/// Maximum number of sign-ins without an answer, as on the screen: each may have been counted by the identity provider.
const SIGN_IN_TRIES: u32 = 3;

/// Keeps the suites of surveys beside the counts over time.
fn keeps_suites(profile: Profile) -> KeepsSuites {
    Arc::new(move |run, suites| {
        let profile = profile.clone();
        let keep = spawn_blocking(move || keep_suites(&profile, &run, &suites));
        Box::pin(async move {
            if let Ok(Err(stop)) = keep.await {
                tracing::warn!(why = stop.words, "the suites of a run were not kept");
            }
        })
    })
}

/// Keeps the suites of a run, on a machine where something is kept; of a run that is gone by now no text stays.
fn keep_suites(profile: &Profile, run: &DocRef, suites: &KeptSuites) -> Ran {
    let Some(folder) = state_dir().filter(|folder| folder.is_dir()) else {
        return Ok(());
    };
    let kept = cache_folder()
        .map(|cache| kept_runs(profile, &origin(profile), &cache, std::slice::from_ref(run)));
    if kept.iter().flatten().any(|it| it.state == Presence::Gone) {
        return Ok(());
    }
    Ok(history(profile, &folder)?.keep_suites(run, suites)?)
}

impl Access {
    /// Creates the client. The sign-in happens with the first call, so that waiting for a service includes it. Failed
    /// readings are repeated up to `times` times if the failure may be temporary.
    pub async fn open(profile: Profile, times: u8) -> Ran<Self> {
        const PASSWORD: &str = "one of password_command, password_env";
        let (missing, keys) = match (&profile.username, &profile.password) {
            (None, None) => (
                "no username and no password",
                format!("username and {PASSWORD}"),
            ),
            (None, Some(_)) => ("no username", "username".to_owned()),
            _ => ("no password", PASSWORD.to_owned()),
        };
        let lacks = format!(
            "not signed in: profile {} has {missing}, and without a screen nobody is asked for it. Set {keys} \
             (rundown config example explains them).",
            profile.name
        );
        let done = profile.watch.done.clone();
        let pauses = tries(times, profile.retry);
        let earlier = Earlier {
            refusals: state_dir().as_deref().map(Refusals::new),
            unattended: true,
            tells: Some(super::complain),
            ..Earlier::default()
        };
        let opened = Connection::open(profile, earlier).await;
        let mut connection = opened.map_err(|failure| EarlyExit {
            exit: Exit::Usage,
            ..failure.into()
        })?;
        connection.client.keeps = Some(keeps_suites(connection.profile().clone()));
        let of = connection.profile().clone();
        connection.client.kept = Some(Arc::new(move |run| {
            let folder = state_dir().filter(|folder| folder.is_dir())?;
            kept_suites(&of, &origin(&of), &folder, run)
        }));
        let progress = Arc::new(ProgressLine::new());
        Ok(Self {
            client: connection
                .client
                .trying_again(pauses.clone(), progress.clone()),
            connection: Arc::new(connection),
            done,
            progress,
            lacks,
            unanswered: 0,
            wait: None,
            pauses,
        })
    }

    /// Signs in; is tried as often as a reading, unless the password may have been sent.
    async fn sign_in(&mut self) -> Ran {
        let (unanswered, pauses) = (self.unanswered, self.pauses.clone());
        for pause in pauses {
            match self.sign_in_once().await {
                Err(stop) if stop.may_pass && self.unanswered == unanswered => {
                    self.progress.say("signing in again");
                    tokio::time::sleep(asked_or(self.wait, pause)).await;
                    self.progress.clear();
                }
                done => return done,
            }
        }
        self.sign_in_once().await
    }

    /// Signs in with the configured password. A refused password is never sent again, nor is one after several sign-ins
    /// without an answer.
    async fn sign_in_once(&mut self) -> Ran {
        if let Some(why) = self.connection.session_end() {
            // The configuration has already been tried again.
            return Err(Exit::NotSignedIn.because(format!("not signed in: {why}")));
        }
        self.progress.say("signing in");
        let done = match self.connection.client.tokens.signing_in() {
            Some(alone) => self.connection.sign_in_as_configured(&alone).await,
            None => Err(NotSignedIn::Overtaken),
        };
        self.progress.clear();
        if self.connection.signed_in().is_some() {
            self.unanswered = 0;
            return Ok(());
        }
        Err(match done {
            Err(NotSignedIn::Needed {
                why: SignInReason::Refused(words),
                ..
            }) => Exit::NotSignedIn.because(format!("{words}. It is not sent again.")),
            Err(NotSignedIn::Needed {
                why: SignInReason::Failed(words),
                ..
            }) => Exit::NotSignedIn.because(words),
            Err(NotSignedIn::Failed {
                failure,
                sent,
                wait,
            }) => {
                self.wait = wait;
                let words = format!("{}: {}", failure.asked, failure.advised());
                self.unanswered += u32::from(sent);
                if self.unanswered < SIGN_IN_TRIES {
                    EarlyExit {
                        may_pass: failure.may_retry,
                        kind: FailureKind::Network,
                        ..Exit::Service.because(words)
                    }
                } else {
                    Exit::NotSignedIn.because(format!(
                        "not signed in: {words} It was tried three times, and each try may have been counted although \
                         no answer came: it is not tried again."
                    ))
                }
            }
            Ok(()) | Err(NotSignedIn::Needed { .. } | NotSignedIn::Overtaken) => {
                Exit::NotSignedIn.because(self.lacks.clone())
            }
        })
    }

    /// Signs in if necessary before a write, which is not repeated after a sign-in.
    pub async fn sign_in_first(&mut self) -> Ran {
        if self.connection.signed_in().is_none() {
            self.sign_in().await?;
        }
        Ok(())
    }

    /// Callback for the progress of an operation and for failures beside it.
    pub fn tell(&self) -> Tell {
        let line = self.progress.clone();
        Arc::new(move |progress| match progress {
            Progress::Survey(words) => line.say(&words),
            Progress::Received {
                received,
                full_size,
            } => line.say(&format!(
                "{} of {}",
                thousands(received),
                count(full_size, "suite")
            )),
            Progress::Trouble(failure) => {
                line.clear();
                note(&EarlyExit::from(failure).words);
            }
        })
    }

    /// Runs work of several calls with progress, and once more after a new sign-in if the session has expired.
    pub async fn work<T>(
        &mut self,
        what: impl AsyncFn(&Client, &Tell) -> Result<T, Failure>,
    ) -> Ran<T> {
        let (client, tell) = (self.client.clone(), self.tell());
        let done = match what(&client, &tell).await {
            Err(failure) if failure.kind == FailureKind::SignIn => {
                self.sign_in().await?;
                what(&client, &tell).await
            }
            other => other,
        };
        self.progress.clear();
        Ok(done?)
    }

    /// Makes a call, and repeats it after a new sign-in if the session has expired. The outer error is that of the
    /// sign-in.
    pub async fn call<T>(
        &mut self,
        what: impl AsyncFn(&Client) -> Result<T, CallError>,
    ) -> Ran<Result<T, CallError>> {
        match what(&self.client).await {
            Err(error) if error.failure_kind() == FailureKind::SignIn => {
                self.sign_in().await?;
                Ok(what(&self.client).await)
            }
            other => Ok(other),
        }
    }
}
