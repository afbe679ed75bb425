//! The profile in use: connecting, changing the project, signing in.

use std::future::ready;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use secrecy::SecretString;

use super::configured::Earlier;
use super::connection::{self, Connection};
use super::journal::unfinished;
use super::runs::{EarlyRuns, RunsDoor};
use super::{Scoped, Worker, local, lock};
use crate::config::Profile;
use crate::disk::Refusals;
use crate::ops::{KeepsSuites, probe};
use crate::store::{Event, Hidden, RunsRequest, SignInReason};

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
            events.send(Event::Connected(Box::new(connection::session(&profile))));
        }
        self.open_runs(&profile, None, begun);
        let place = self.connection.clone();
        if let (Ok(state), false) = (self.state.clone(), profile.read_only) {
            let (name, events) = (profile.name.clone(), events.clone());
            tokio::task::spawn_blocking(move || {
                let left = probe::left(&state.journal, &name);
                if !left.is_empty() {
                    events.send(Event::ProbesLeft(left));
                }
                events.send(unfinished(&state, &name, true));
            });
        }
        let earlier = Earlier {
            refused: self
                .refused
                .entry(profile.name.clone())
                .or_default()
                .clone(),
            refusals: self
                .state
                .as_ref()
                .ok()
                .map(|state| Refusals::new(&state.folder)),
            unattended: false,
        };
        let keeps = self.keeps_suites();
        let task = tokio::spawn(async move {
            match Connection::open(profile, earlier).await {
                Ok(mut connection) => {
                    connection.client.keeps = keeps;
                    let connection = Arc::new(connection);
                    connection.watch(events.clone());
                    if take_place(&place, &connection, &events)
                        && let Some(event) = connection.sign_in_as_configured().await
                    {
                        events.send(event);
                    }
                }
                Err(failure) => events.send(Event::NotConnected(failure)),
            }
        });
        self.connecting = Some(task.abort_handle());
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
                self.tell(Event::Connected(Box::new(next.session())));
                let mut user = None;
                if let Some(signed_in) = next.signed_in() {
                    if let Event::SignedIn { user: name } = &signed_in {
                        user = Some(name.clone());
                    }
                    self.tell(signed_in);
                } else {
                    let (user, why) = (next.session().user, SignInReason::Asked);
                    self.tell(Event::SignInNeeded { user, why });
                }
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
        tokio::spawn(async move {
            if let Some(event) = connection.sign_in_as_configured().await {
                events.send(event);
            }
        });
    }

    pub(super) fn sign_in(&self, user: String, password: Hidden) {
        let connection = lock(&self.connection).clone();
        let events = self.scoped();
        tokio::spawn(async move {
            let password = SecretString::from(&*password);
            let failed = match connection {
                Some(connection) => connection.sign_in(user, &password).await,
                None => {
                    let why = "The connection is not ready yet: once more, please.".into();
                    let why = SignInReason::Failed(why);
                    Some(Event::SignInNeeded { user, why })
                }
            };
            if let Some(event) = failed {
                events.send(event);
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
