//! The box for name and password.

use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::session::{Password, SignInReason};
use crate::store::shared::Shared;
use crate::ui::text_input::Input;

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

    /// It is needed for another reason; what has been typed meanwhile stays.
    pub fn again(&mut self, user: &str, why: SignInReason, at: i64) {
        self.busy = false;
        (self.why, self.at) = (why, at);
        if self.user.text().is_empty() {
            self.user = Input::with_text(user);
        }
        if self.focus != LoginField::User || !self.user.text().is_empty() {
            self.focus = LoginField::Password;
        }
    }

    /// Gives the focus to the next or the previous field.
    fn turn(&mut self, forward: bool) {
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
    fn field(&mut self) -> Option<&mut Input> {
        match self.focus {
            LoginField::User => Some(&mut self.user),
            LoginField::Password => Some(&mut self.password),
            LoginField::SignIn | LoginField::Quit => None,
        }
    }

    fn submit(&mut self, cx: &mut Cx) {
        if self.user.text().trim().is_empty() {
            self.focus = LoginField::User;
            return;
        }
        if self.password.text().is_empty() {
            self.focus = LoginField::Password;
            return;
        }
        let password = Password(self.password.text().to_owned().into());
        self.password.clear();
        self.focus = LoginField::Password;
        self.busy = true;
        cx.effect(Effect::SignIn {
            user: self.user.text().trim().to_owned(),
            password,
        });
    }
}

impl Screen for Login {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Login
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::NextField | Action::Move(Motion::Down) => self.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) => self.turn(false),
            Action::Back => {
                cx.close(Layer::Login);
                if cx.shared.signed_in.is_none() {
                    cx.say("not signed in: r opens the box again");
                }
            }
            Action::Type(key) => {
                self.field().map(|field| field.key(key));
            }
            Action::Paste(text) => {
                self.field().map(|field| field.paste(&text));
            }
            Action::Open if self.focus == LoginField::Quit => cx.act(Action::Quit),
            Action::Open if self.focus == LoginField::User => self.turn(true),
            Action::Open if !self.busy => self.submit(cx),
            _ => {}
        }
    }
}
