//! What becomes of the state when a profile is taken into use or a person signs in.

use super::effect::Effect;
use super::in_flight::Slot;
use super::runs::Runs;
use super::session::{Session, SignInReason};
use super::{Login, LoginField, SignedIn, Store};
use crate::domain::fields::VERSION;
use crate::domain::{Failure, FailureKind};

impl Store {
    pub(super) fn connected(&mut self, session: Session) {
        self.leave_form();
        self.leave_monitor();
        self.drop_delete();
        // What is sent is waited for, and what the disk was given.
        let stays = |slot: &Slot| {
            slot.writes() || matches!(slot, Slot::Draft | Slot::Editor(_) | Slot::Journal)
        };
        self.cx.give_up_all(|slot| !stays(slot));
        let mut runs = Runs::new(session.page_size);
        runs.hidden.clone_from(&self.runs.hidden);
        runs.preview = self.runs.preview;
        runs.set_height(self.runs.all.scroll.height as u16);
        self.runs = runs;
        self.detail = None;
        self.watch_every = None;
        self.watch_gates.clear();
        self.of_runs = super::watched::OfRuns::default();
        self.feed = super::Feed::new(session.watch.ignored.clone());
        (self.available, self.members) = (None, None);
        self.taken_out.clear();
        self.confirm = None;
        self.drafts.clear();
        self.drafts_told = false;
        self.cx.effect(Effect::FindDrafts);
        self.stack.home();
        if let Some(version) = &session.project_version {
            self.runs
                .chosen
                .insert(VERSION.path.into(), version.clone());
            self.runs.ask_anew(&mut self.cx);
        }
        self.preparing = None;
        self.signed_in = None;
        self.sign_in_pending = false;
        self.sign_in_tries = 0;
        self.unconnected = false;
        self.retries = 0;
        self.refresh.renew();
        self.login = None;
        if self
            .session
            .as_ref()
            .is_none_or(|before| before.profile != session.profile)
        {
            // The journal tells those of this profile.
            self.left_probes.clear();
            self.unfinished.clear();
        }
        self.session = Some(session);
    }

    pub(super) fn ask_sign_in(&mut self, user: &str, why: SignInReason, now: i64) {
        self.sign_in_pending = false;
        if matches!(why, SignInReason::Over(_)) {
            self.signed_in = None;
        }
        if let SignInReason::Over(words)
        | SignInReason::Refused(words)
        | SignInReason::Failed(words) = &why
        {
            let failure = Failure {
                kind: FailureKind::SignIn,
                asked: "signing in".into(),
                came_back: words.clone(),
                remedy: "the login box (r) takes another name and password".into(),
                may_retry: false,
            };
            self.cx.errors.push(now, failure);
        }
        let known = self
            .session
            .as_ref()
            .map(|session| session.user.clone())
            .unwrap_or_default();
        let user = if user.is_empty() {
            known.as_str()
        } else {
            user
        };
        match &mut self.login {
            Some(login) => {
                // What has been typed meanwhile stays.
                login.busy = false;
                (login.why, login.at) = (why, now);
                if login.user.text().is_empty() {
                    login.user = super::Input::with_text(user);
                }
                if login.focus != LoginField::User || !login.user.text().is_empty() {
                    login.focus = LoginField::Password;
                }
            }
            None => self.login = Some(Login::new(user, why, now)),
        }
    }

    pub(super) fn sign_in_done(&mut self, user: String, until: Option<i64>) {
        // A token that is renewed in the background does not close the box that a person types into.
        let answered = self.login.as_ref().is_some_and(|login| login.busy);
        let again = self.signed_in.is_none() || answered || self.sign_in_pending;
        if let Some(session) = &mut self.session {
            session.user.clone_from(&user);
        }
        self.signed_in = Some(SignedIn { user, until });
        if !again {
            return;
        }
        if answered {
            self.login = None;
        }
        self.sign_in_pending = false;
        self.sign_in_tries = 0;
        self.resume();
        self.refresh.forget();
        self.reread_failed_detail();
        if let Some(name) = self.starts_on.take() {
            self.watch_view(&name);
        } else if self
            .monitor
            .as_ref()
            .is_some_and(|monitor| monitor.failure.is_some())
        {
            self.read_monitor();
        }
    }
}
