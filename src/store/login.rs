//! The login box.

use super::input::Input;
use super::session::SignInReason;

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
