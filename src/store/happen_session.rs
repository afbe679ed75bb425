//! What becomes of the state when a profile is taken into use or a person signs in.

use super::effect::Effect;
use super::runs::Runs;
use super::session::{Session, SignInReason};
use super::{Login, LoginField, Screen, SignedIn, Store};
use crate::domain::fields::VERSION;
use crate::domain::{Failure, FailureKind};

impl Store {
    pub(super) fn connected(&mut self, session: Session) -> Vec<Effect> {
        let mut effects = self.runs.all.cancel();
        effects.extend(self.leave_form());
        effects.extend(self.leave_detail());
        effects.extend(self.runs.clear_text());
        let mut runs = Runs::new(session.page_size);
        runs.hidden.clone_from(&self.runs.hidden);
        runs.preview = self.runs.preview;
        runs.set_height(self.runs.all.scroll.height as u16);
        self.runs = runs;
        self.detail = None;
        effects.extend(self.leave_monitor());
        effects.extend(self.looked_for.drain(..).map(|(id, _)| Effect::Cancel(id)));
        self.watch_every = None;
        self.watch_gates.clear();
        self.of_runs = super::watched::OfRuns::default();
        self.detail_over = Screen::Runs;
        self.feed = super::Feed::new(session.watch.ignored.clone());
        effects.extend(self.drop_available());
        effects.extend(self.drop_members());
        effects.extend(self.drop_delete());
        self.taken_out.clear();
        effects.extend(
            self.undoing
                .take()
                .map(|undoing| Effect::Cancel(undoing.id)),
        );
        self.confirm = None;
        self.drafts.clear();
        self.drafts_told = false;
        effects.push(Effect::FindDrafts);
        self.screen = Screen::Runs;
        if let Some(version) = &session.project_version {
            self.runs
                .chosen
                .insert(VERSION.path.into(), version.clone());
            effects.extend(self.runs.ask_anew());
        }
        self.preparing = None;
        self.signed_in = None;
        self.sign_in_pending = false;
        self.sign_in_tries = 0;
        self.unconnected = false;
        self.copy_on_arrival = None;
        (self.retry, self.retries) = (None, 0);
        effects.extend(self.refresh.renew());
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
        effects
    }

    pub(super) fn ask_sign_in(&mut self, user: &str, why: SignInReason, now: i64) -> Vec<Effect> {
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
            self.errors.push(now, failure);
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
        Vec::new()
    }

    pub(super) fn sign_in_done(&mut self, user: String, until: Option<i64>) -> Vec<Effect> {
        // A token that is renewed in the background does not close the box that a person types into.
        let answered = self.login.as_ref().is_some_and(|login| login.busy);
        let again = self.signed_in.is_none() || answered || self.sign_in_pending;
        if let Some(session) = &mut self.session {
            session.user.clone_from(&user);
        }
        self.signed_in = Some(SignedIn { user, until });
        if !again {
            return Vec::new();
        }
        if answered {
            self.login = None;
        }
        self.sign_in_pending = false;
        self.sign_in_tries = 0;
        self.resume();
        self.refresh.forget();
        let mut effects = self.reread_failed_detail();
        if let Some(name) = self.starts_on.take() {
            effects.extend(self.watch_view(&name));
        } else if self
            .monitor
            .as_ref()
            .is_some_and(|monitor| monitor.failure.is_some())
        {
            effects.extend(self.read_monitor());
        }
        effects
    }
}
