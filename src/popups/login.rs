//! The box for name and password.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::Screen;
use crate::screens::keys::EVERYWHERE;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::session::Session;
use crate::store::session::{Password, SignInReason};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::text_input::Input;
use crate::ui::{Context, frame, text};

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
            return cx.complain("the user name is missing: type it, Enter goes on");
        }
        if self.password.text().is_empty() {
            self.focus = LoginField::Password;
            return cx.complain("the password is missing: type it, Enter signs in");
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
            Action::Press(1) => cx.dispatch(Action::Quit),
            Action::Open if self.focus == LoginField::Quit => cx.dispatch(Action::Quit),
            Action::Open if self.focus == LoginField::User => self.turn(true),
            Action::Open | Action::Press(_) if !self.busy => self.submit(cx),
            _ => {}
        }
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        draw(context, self, area, buffer, layout);
    }
}

/// Draws the box over whatever is on the screen.
fn draw(context: Context<'_>, login: &Login, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let theme = context.theme;
    let empty = Session::default();
    let session = context.cx.shared.session.as_ref().unwrap_or(&empty);
    let profile = format!("profile {}", session.profile);
    let inside = frame::popup(buffer, area, (74, 18), "Sign in", &profile, theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let mut row = 0;
    let mut put = |buffer: &mut Buffer, spans: Vec<Span<'static>>| {
        frame::line(buffer, inside, row, spans);
        row += 1;
    };
    let facts = [
        ("Service", session.service.clone()),
        (
            "Tenant",
            session
                .auth
                .clone()
                .unwrap_or_else(|| "no auth_url; no documented call needs it".into()),
        ),
        (
            "Identity",
            format!(
                "{}  realm {}  client {}",
                session.identity, session.realm, session.client
            ),
        ),
        ("Secret", session.secret.clone()),
    ];
    // In a low terminal the fields matter more than the facts.
    let roomy = inside.height >= 14;
    if roomy {
        for (label, value) in facts {
            let value = text::fit(&value, width.saturating_sub(12));
            put(
                buffer,
                vec![
                    Span::styled(format!(" {label:<11}"), theme.muted()),
                    Span::raw(value),
                ],
            );
        }
        put(buffer, vec![]);
    }
    let mut fields = Vec::new();
    for (label, which) in [
        ("User name", LoginField::User),
        ("Password", LoginField::Password),
    ] {
        let style = if login.focus == which {
            theme.accent()
        } else {
            theme.muted()
        };
        fields.push((row, which));
        frame::line(
            buffer,
            inside,
            row,
            vec![Span::styled(format!(" {label:<11}"), style)],
        );
        row += 1;
    }
    for (row, which) in fields {
        let place = Rect {
            x: inside.x + 12,
            y: inside.y + row,
            width: inside.width.saturating_sub(13),
            height: 1,
        };
        if row < inside.height {
            let input = if which == LoginField::User {
                &login.user
            } else {
                &login.password
            };
            frame::field(buffer, place, input, login.focus == which, theme);
        }
    }
    let mut put = |buffer: &mut Buffer, spans: Vec<Span<'static>>| {
        frame::line(buffer, inside, row, spans);
        row += 1;
    };
    if roomy {
        let words = " never stored; forgotten here as soon as it is sent";
        put(buffer, vec![Span::styled(words, theme.muted())]);
        put(buffer, vec![]);
    }
    let (words, bad) = reason(&login.why);
    let words = if bad {
        format!("{} {words}", context.now.clock(login.at))
    } else {
        words
    };
    let style = if bad { theme.bad() } else { theme.text() };
    let words = if login.busy {
        "asking the identity provider".into()
    } else {
        words
    };
    for line in text::wrap(&words, width, if roomy { 5 } else { 2 }) {
        put(buffer, vec![Span::styled(format!(" {line}"), style)]);
    }
    let button = |label: &str, which: LoginField| frame::button(label, login.focus == which, theme);
    let buttons = vec![
        Span::raw(" "),
        button("Sign in", LoginField::SignIn),
        Span::raw("   "),
        button("Quit", LoginField::Quit),
        Span::styled("   Esc: look at what is here", theme.muted()),
    ];
    let row = inside.height.saturating_sub(1);
    let line = Rect {
        y: inside.y + row,
        ..inside
    };
    for (place, nth) in [(1, 0), (3, 1)] {
        layout.click_span(line, &buttons, place, Action::Press(nth));
    }
    frame::line(buffer, inside, row, buttons);
}

/// Why the box is open, in words; and whether something went wrong.
fn reason(why: &SignInReason) -> (String, bool) {
    match why {
        SignInReason::Missing => (
            "The configuration has no user name or no password: they are typed here.".into(),
            false,
        ),
        SignInReason::Asked => ("Another sign-in, or the same again.".into(), false),
        SignInReason::Over(words) => (format!("The session is over: {words}"), true),
        SignInReason::Refused(words) => (
            format!(
                "{words}. The same password is not sent again by the program: too many wrong ones may lock the account."
            ),
            true,
        ),
        SignInReason::Failed(words) => (words.clone(), true),
    }
}

const OWN: &[Binding] = &[
    binding(
        &["Tab", "↓"],
        "next-field",
        Heading::Move,
        "next field",
        Action::NextField,
    ),
    binding(
        &["S-Tab", "↑"],
        "previous-field",
        Heading::Move,
        "previous field",
        Action::PreviousField,
    ),
    binding(
        &["Enter"],
        "open",
        Heading::Tool,
        "next field, sign in",
        Action::Open,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Login,
    title: "the sign-in",
    short: "login",
    groups: &[OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "sign in"),
        Hint::of(&[Action::NextField], "next field"),
        Hint::of(&[Action::Back], "close"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: true,
};
