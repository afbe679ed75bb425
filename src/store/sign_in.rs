//! Taking a profile into use and signing in to it.

use super::effect::Effect;
use super::in_flight::Slot;
use super::input::Input;
use super::message::{Action, Motion};
use super::runs::Runs;
use super::session::{Password, Session, SignInReason};
use super::{SignedIn, Store};
use crate::domain::fields::VERSION;
use crate::domain::{Failure, FailureKind};

/// Sign-ins without an answer after which the program stops trying by itself.
const SIGN_IN_TRIES: u32 = 3;

/// How far the sign-in is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignIn {
    /// The login box, if it is open.
    pub login: Option<Login>,
    /// Progress of the local service's making: work done, all of it.
    pub preparing: Option<(u64, u64)>,
    /// The login box was closed without a sign-in.
    pub left: bool,
    /// What the config has is to be tried again.
    pub pending: bool,
    /// Tries without an answer.
    pub tries: u32,
    /// The profile could not be used; trying again means connecting anew.
    pub unconnected: bool,
    /// The view on which the monitor opens after the sign-in.
    pub starts_on: Option<String>,
}

/// What has the focus in the login box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginField {
    User,
    Password,
    SignIn,
    Quit,
}

/// State of the login box.
#[derive(Clone, Debug, PartialEq)]
pub struct Login {
    /// User name.
    pub user: Input,
    /// Password; masked on the screen, hidden in Debug, emptied when it is sent.
    pub password: Input,
    pub focus: LoginField,
    /// Why the box is open.
    pub why: SignInReason,
    /// Since when, epoch milliseconds.
    pub at: i64,
    /// The identity provider is being asked.
    pub busy: bool,
}

impl Login {
    /// A box for this user; the focus is on what is missing.
    pub fn new(user: &str, why: SignInReason, at: i64) -> Self {
        let focus = if user.is_empty() {
            LoginField::User
        } else {
            LoginField::Password
        };
        Self {
            user: Input::with_text(user),
            password: Input::default().masked(),
            focus,
            why,
            at,
            busy: false,
        }
    }

    /// Gives the focus to the next or the previous field.
    pub fn turn(&mut self, forward: bool) {
        let order = [
            LoginField::User,
            LoginField::Password,
            LoginField::SignIn,
            LoginField::Quit,
        ];
        let here = order
            .iter()
            .position(|field| *field == self.focus)
            .unwrap_or(0);
        self.focus = order[(here + if forward { 1 } else { order.len() - 1 }) % order.len()];
    }

    /// The field that takes typed text.
    pub fn field(&mut self) -> Option<&mut Input> {
        match self.focus {
            LoginField::User => Some(&mut self.user),
            LoginField::Password => Some(&mut self.password),
            LoginField::SignIn | LoginField::Quit => None,
        }
    }
}

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
        self.cx.shared.watch_every = None;
        self.cx.shared.watch_gates.clear();
        self.cx.shared.of_runs = super::watched::OfRuns::default();
        self.cx.shared.feed = super::Feed::new(session.watch.ignored.clone());
        (self.available, self.members) = (None, None);
        self.cx.shared.taken_out.clear();
        self.confirm = None;
        self.cx.shared.drafts.clear();
        self.cx.shared.drafts_told = false;
        self.cx.effect(Effect::FindDrafts);
        self.stack.home();
        if let Some(version) = &session.project_version {
            self.runs
                .chosen
                .insert(VERSION.path.into(), version.clone());
            self.runs.ask_anew(&mut self.cx);
        }
        self.sign_in.preparing = None;
        self.cx.shared.signed_in = None;
        self.sign_in.pending = false;
        self.sign_in.tries = 0;
        self.sign_in.unconnected = false;
        self.refresh.retries = 0;
        self.refresh.renew();
        self.sign_in.login = None;
        if self
            .cx
            .shared
            .session
            .as_ref()
            .is_none_or(|before| before.profile != session.profile)
        {
            // The journal tells those of this profile.
            self.cx.shared.left_probes.clear();
            self.cx.shared.unfinished.clear();
        }
        self.cx.shared.session = Some(session);
    }

    pub(super) fn ask_sign_in(&mut self, user: &str, why: SignInReason, now: i64) {
        self.sign_in.pending = false;
        if matches!(why, SignInReason::Over(_)) {
            self.cx.shared.signed_in = None;
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
            .cx
            .shared
            .session
            .as_ref()
            .map(|session| session.user.clone())
            .unwrap_or_default();
        let user = if user.is_empty() {
            known.as_str()
        } else {
            user
        };
        match &mut self.sign_in.login {
            Some(login) => {
                // What has been typed meanwhile stays.
                login.busy = false;
                (login.why, login.at) = (why, now);
                if login.user.text().is_empty() {
                    login.user = Input::with_text(user);
                }
                if login.focus != LoginField::User || !login.user.text().is_empty() {
                    login.focus = LoginField::Password;
                }
            }
            None => self.sign_in.login = Some(Login::new(user, why, now)),
        }
    }

    pub(super) fn sign_in_done(&mut self, user: String, until: Option<i64>) {
        // A token that is renewed in the background does not close the box that a person types into.
        let answered = self.sign_in.login.as_ref().is_some_and(|login| login.busy);
        let again = self.cx.shared.signed_in.is_none() || answered || self.sign_in.pending;
        if let Some(session) = &mut self.cx.shared.session {
            session.user.clone_from(&user);
        }
        self.cx.shared.signed_in = Some(SignedIn { user, until });
        if !again {
            return;
        }
        if answered {
            self.sign_in.login = None;
        }
        self.sign_in.pending = false;
        self.sign_in.tries = 0;
        self.resume();
        self.refresh.forget();
        self.reread_failed_detail();
        if let Some(name) = self.sign_in.starts_on.take() {
            self.watch_view(&name);
        } else if self
            .monitor
            .as_ref()
            .is_some_and(|monitor| monitor.failure.is_some())
        {
            self.read_monitor();
        }
    }

    pub(super) fn act_login(&mut self, action: Action) {
        let Some(login) = &mut self.sign_in.login else {
            return;
        };
        match action {
            Action::NextField | Action::Move(Motion::Down) => login.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) => login.turn(false),
            Action::Back => {
                self.sign_in.login = None;
                self.sign_in.left = self.cx.shared.signed_in.is_none();
                if self.sign_in.left {
                    self.cx.say("not signed in: r opens the box again");
                }
            }
            Action::Type(key) => {
                login.field().map(|field| field.key(key));
            }
            Action::Paste(text) => {
                login.field().map(|field| field.paste(&text));
            }
            Action::Open if login.focus == LoginField::Quit => self.act(Action::Quit),
            Action::Open if login.focus == LoginField::User => login.turn(true),
            Action::Open if !login.busy => self.submit_login(),
            _ => {}
        }
    }

    fn submit_login(&mut self) {
        let Some(login) = &mut self.sign_in.login else {
            return;
        };
        if login.user.text().trim().is_empty() {
            login.focus = LoginField::User;
            return;
        }
        if login.password.text().is_empty() {
            login.focus = LoginField::Password;
            return;
        }
        let password = Password(login.password.text().to_owned().into());
        login.password.clear();
        login.focus = LoginField::Password;
        login.busy = true;
        self.cx.effect(Effect::SignIn {
            user: login.user.text().trim().to_owned(),
            password,
        });
    }

    pub(super) fn sign_in_failed(&mut self, failure: Failure, sent: bool) {
        let now = self.cx.now;
        if self.cx.shared.signed_in.is_some() {
            // Somebody has signed in by hand meanwhile: there is nothing to try again.
            return self.cx.errors.push(now, failure);
        }
        if sent && self.sign_in.tries + 1 >= SIGN_IN_TRIES {
            // Each try may have been counted, although no answer came: now a person decides.
            let words = format!(
                "{}: {}. It is not tried again by itself.",
                failure.asked, failure.came_back
            );
            return self.ask_sign_in("", SignInReason::Failed(words), now);
        }
        self.sign_in.tries += u32::from(sent);
        self.sign_in.pending = true;
        self.runs.all.failure = Some(failure.clone());
        self.list_failed(failure);
    }

    pub(super) fn open_login(&mut self) {
        let user = self
            .cx
            .shared
            .session
            .as_ref()
            .map(|session| session.user.clone())
            .unwrap_or_default();
        self.ask_sign_in(&user, SignInReason::Asked, self.cx.now);
    }
}
