//! The profile in use: connecting, changing the project, signing in.

use std::future::ready;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use jiff::tz::TimeZone;
use secrecy::SecretString;

use super::Scoped;
use super::journal::unfinished;
use super::prelude::*;
use super::runs::{EarlyRuns, RunsDoor};
use crate::auth::{SignInState, SigningIn};
use crate::disk::Refusals;
use crate::domain::SignInReason;
use crate::ops::KeepsSuites;
use crate::profile::{Connection, Earlier, NotSignedIn, kept_suites, origin};
use crate::store::{Hidden, RunsRequest, Session};

/// Returns the data of a profile for the interface.
pub fn session(profile: &Profile) -> Session {
    Session {
        profile: profile.name.clone(),
        service: profile.base_url.to_string(),
        identity: profile.idp_url.to_string(),
        realm: profile.realm.clone(),
        user: profile.username.clone().unwrap_or_default(),
        me: profile.me.clone(),
        project: profile.project_id.clone(),
        subproject: profile.subproject().map(str::to_owned),
        read_only: profile.read_only,
        is_demo: profile.is_demo,
        page_size: profile.page_size,
        project_version: profile.project_version.clone(),
        locale: profile.locale.clone(),
        web_url: profile.web_url.clone(),
        refresh_seconds: profile.refresh_seconds,
        watch: profile.watch.clone(),
        monitor: profile.monitor.clone(),
        zone: Some(TimeZone::system()),
    }
}

impl Worker {
    /// Connects to a profile; with `begun` the interface has already started with it.
    pub(super) fn connect(&mut self, name: &str, begun: Option<EarlyRuns>) {
        let Some(profile) = self.profiles.get(name).cloned() else {
            // The store only requests existing profiles.
            return;
        };
        profile.name.clone_into(&mut self.profile);
        if let Some(before) = self.connecting.take() {
            before.abort();
        }
        self.current.fetch_add(1, Ordering::SeqCst);
        *lock(&self.connection) = None;
        let events = self.scoped();
        if begun.is_none() {
            events.send(Event::Connected(Box::new(session(&profile))));
        }
        self.open_runs(&profile, None, begun);
        let place = self.connection.clone();
        self.tell_left(&profile, true);
        let earlier = Earlier {
            refused: self
                .refused
                .entry(profile.name.clone())
                .or_default()
                .clone(),
            refusals: self
                .state
                .get()
                .ok()
                .map(|state| Refusals::new(&state.folder)),
            unattended: false,
            tells: None,
        };
        let (keeps, state) = (self.keeps_suites(), self.state.clone());
        let task = tokio::spawn(async move {
            match Connection::open(profile, earlier).await {
                Ok(mut connection) => {
                    connection.client.keeps = keeps;
                    let (of, client) = (connection.profile().clone(), connection.client.clone());
                    connection.client.kept = Some(Arc::new(move |run| {
                        let mut source = origin(&of);
                        source.user = client.user();
                        kept_suites(&of, &source, &state.get().ok()?.folder, run)
                    }));
                    let connection = Arc::new(connection);
                    watch(&connection, &events);
                    let alone = connection.client.tokens.signing_in();
                    if take_place(&place, &connection, &events) {
                        sign_in_as_configured(&connection, alone, &events).await;
                    }
                }
                Err(failure) => events.send(Event::NotConnected(failure)),
            }
        });
        self.connecting = Some(task.abort_handle());
    }

    /// Reports the unfinished changes of this profile and project in the journal.
    fn tell_left(&self, profile: &Profile, first: bool) {
        if let (Ok(state), false) = (self.state.with_journal(), profile.read_only) {
            let (name, here) = (profile.name.clone(), profile.target());
            let events = self.scoped();
            tokio::task::spawn_blocking(move || {
                events.send(unfinished(&state, &name, &here, first));
            });
        }
    }

    /// Returns service and project in use.
    pub(super) fn target(&self) -> WriteTarget {
        let connection = lock(&self.connection);
        let connected = connection.as_ref().map(|it| it.client.target());
        let profile = || self.profiles.get(&self.profile).map(Profile::target);
        connected.or_else(profile).unwrap_or_default()
    }

    pub(super) fn use_project(&mut self, project: &str, subproject: Option<&str>) {
        let Some(connection) = lock(&self.connection).clone() else {
            let failure = local(
                "changing the project",
                "there is no connection yet",
                "try again once it is there",
            );
            return self.tell(Event::Trouble(failure));
        };
        match connection.with_project(project, subproject) {
            Ok(mut next) => {
                self.tell(Event::Connected(Box::new(session(next.profile()))));
                let user = next.signed_in();
                self.tell(match user.clone() {
                    Some(user) => Event::SignedIn { user },
                    None => Event::SignInNeeded {
                        user: next.profile().username.clone().unwrap_or_default(),
                        why: SignInReason::Asked,
                    },
                });
                self.tell_left(next.profile(), false);
                self.open_runs(next.profile(), user, None);
                next.client.keeps = self.keeps_suites();
                *lock(&self.connection) = Some(Arc::new(next));
            }
            Err(problem) => self.tell(Event::Trouble(local(
                "changing the project",
                &problem,
                "give it as P_9 SP_1",
            ))),
        }
    }

    pub(super) fn sign_in_as_configured(&self) {
        let Some(connection) = lock(&self.connection).clone() else {
            let failure = local(
                "signing in",
                "there is no connection",
                "mend what kept it from being made, then start again",
            );
            return self.tell(Event::SignInFailed {
                failure,
                sent: false,
            });
        };
        let events = self.scoped();
        let alone = connection.client.tokens.signing_in();
        tokio::spawn(async move { sign_in_as_configured(&connection, alone, &events).await });
    }

    pub(super) fn sign_in(&self, user: String, password: Hidden) {
        let connection = lock(&self.connection).clone();
        let events = self.scoped();
        tokio::spawn(async move {
            let password = SecretString::from(&*password);
            // The watch on the connection reports a success.
            let done = match connection {
                Some(connection) => connection.sign_in(&user, &password).await,
                None => {
                    let why = "The connection is not ready yet: once more, please.".into();
                    Err(SignInReason::Failed(why))
                }
            };
            if let Err(why) = done {
                events.send(Event::SignInNeeded { user, why });
            }
        });
    }

    /// Returns the way by which the suites of a survey are kept with the runs in use.
    fn keeps_suites(&self) -> Option<KeepsSuites> {
        let runs = self.runs.clone()?;
        Some(Arc::new(move |run, suites| {
            runs.tell(RunsRequest::Surveyed(run, Box::new(suites)));
            Box::pin(ready(()))
        }))
    }

    /// Opens the runs of a profile that are kept on this machine, for this user or that of the profile.
    fn open_runs(&mut self, profile: &Profile, user: Option<String>, begun: Option<EarlyRuns>) {
        if let Some(before) = self.runs.take() {
            tokio::spawn(async move { before.close().await });
        }
        let samples = (self.samples.clone(), self.complained.clone());
        let events = self.scoped();
        self.runs = Some(RunsDoor::open(
            (profile, user),
            &self.state,
            events,
            samples,
            begun,
        ));
    }

    /// Returns the receiver of events for as long as the current profile is in use.
    pub(super) fn scoped(&self) -> Scoped {
        Scoped {
            events: self.events.clone(),
            current: self.current.clone(),
            mine: self.current.load(Ordering::SeqCst),
        }
    }
}

/// Signs in with the configured password, unless that is under way, and sends an event if it failed: before the calls
/// that wait for it have their answers.
async fn sign_in_as_configured(connection: &Connection, alone: Option<SigningIn>, events: &Scoped) {
    let Some(alone) = alone else { return };
    match connection.sign_in_as_configured(&alone).await {
        Ok(()) | Err(NotSignedIn::Overtaken) => {}
        Err(NotSignedIn::Needed { user, why }) => events.send(Event::SignInNeeded { user, why }),
        Err(NotSignedIn::Failed { failure, sent, .. }) => {
            events.send(Event::SignInFailed { failure, sent });
        }
    }
}

/// Sends changes of the sign-in and of the service's reachability as events, while they are in use.
fn watch(connection: &Connection, events: &Scoped) {
    let (mut reached, told) = (connection.client.reader.reached(), events.clone());
    tokio::spawn(async move {
        while reached.changed().await.is_ok() {
            let now = *reached.borrow_and_update();
            if let Some(reached) = now {
                told.send(Event::Reached(reached));
            }
        }
    });
    let (mut state, events) = (connection.client.tokens.state(), events.clone());
    tokio::spawn(async move {
        while state.changed().await.is_ok() {
            let now = state.borrow_and_update().clone();
            match now {
                SignInState::SignedIn { user } => events.send(Event::SignedIn { user }),
                SignInState::Ended { why } => events.send(Event::SignInNeeded {
                    user: String::new(),
                    why: SignInReason::SessionEnded(why),
                }),
                SignInState::SignedOut => {}
            }
        }
    });
}

/// Puts a connection into use, unless another profile was chosen meanwhile.
fn take_place(
    place: &Mutex<Option<Arc<Connection>>>,
    connection: &Arc<Connection>,
    events: &Scoped,
) -> bool {
    let mut place = lock(place);
    let current = events.is_current();
    if current {
        *place = Some(connection.clone());
    }
    current
}
