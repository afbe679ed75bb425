//! The box for name and password.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::EVERYWHERE;
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::session::{Session, SignInReason};
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
    /// It was asked again since the box was opened.
    again: bool,
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
            again: false,
        }
    }

    /// It is needed for another reason; what has been typed meanwhile stays.
    pub fn again(&mut self, user: &str, why: SignInReason, at: i64) {
        // The same words at the same minute would not show that something was sent.
        self.again = std::mem::take(&mut self.busy)
            && !matches!(self.why, SignInReason::Missing | SignInReason::Asked);
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
            return cx.complain("Type the user name first");
        }
        if self.password.text().is_empty() {
            self.focus = LoginField::Password;
            return cx.complain("Type the password first");
        }
        let password = self.password.text().into();
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
                self.password.clear();
                cx.close(Layer::Login);
                if !cx.shared.signed_in {
                    let shared = &cx.shared;
                    let opens =
                        shared.key_does(Layer::Runs, &Action::Refresh, "opens the box again");
                    cx.say(format!("Not signed in; {opens}"));
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

/// Columns of the box, as far as the screen has them.
const COLUMNS: u16 = 74;

/// Draws the box over whatever is on the screen: why it is open, the fields, the buttons.
fn draw(context: Context<'_>, login: &Login, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let theme = context.theme;
    let empty = Session::default();
    let session = context.cx.shared.session.as_ref().unwrap_or(&empty);
    let profile = format!("profile {}", session.profile);
    let width = usize::from(area.width.min(COLUMNS)).saturating_sub(4);
    let (why, bad) = if login.busy {
        ("Asking the identity provider…".into(), false)
    } else {
        reason(&login.why)
    };
    let why = if bad {
        let again = if login.again { "tried again: " } else { "" };
        format!("{} {again}{why}", context.now.clock(login.at))
    } else {
        why
    };
    // Where it is low, the fields matter more than where they lead.
    let roomy = area.height >= 14;
    let why = text::wrap(&why, width, if roomy { 6 } else { 2 });
    let mut lines: Vec<Vec<Span<'static>>> = Vec::new();
    let style = if bad { theme.bad() } else { theme.text() };
    lines.extend(
        why.into_iter()
            .map(|line| vec![Span::styled(format!(" {line}"), style)]),
    );
    let fact = |label: &str, value: &str| {
        let value = text::fit(value, width.saturating_sub(LABEL));
        let line = format!(" {label:<LABEL$}{value}");
        vec![Span::styled(line, theme.muted())]
    };
    if roomy {
        let asked = format!("{} (realm {})", session.identity, session.realm);
        lines.push(vec![]);
        lines.push(fact("Service", &session.service));
        lines.push(fact("Sign-in at", &asked));
        lines.push(vec![]);
    }
    let fields = lines.len() as u16;
    for (label, which) in FIELDS {
        let style = if login.focus == which {
            theme.accent()
        } else {
            theme.muted()
        };
        let mut line = vec![Span::styled(format!(" {label:<LABEL$}"), style)];
        if which == LoginField::Password {
            let gap = " ".repeat(width.saturating_sub(LABEL + NOT_STORED.len()));
            line.push(Span::styled(format!("{gap}{NOT_STORED}"), theme.muted()));
        }
        lines.push(line);
    }
    if roomy {
        lines.push(vec![]);
    }
    // The buttons.
    lines.push(vec![]);
    let size = (COLUMNS, lines.len() as u16 + 2);
    let inside = frame::popup(buffer, area, size, "Sign in", &profile, theme);
    for (row, line) in (0..).zip(lines) {
        frame::line(buffer, inside, row, line);
    }
    let button = |label, which| (label, login.focus == which);
    let buttons = [
        button("Sign in", LoginField::SignIn),
        button("Quit", LoginField::Quit),
    ];
    let shared = &context.cx.shared;
    let later = shared.key_does(Layer::Login, &Action::Back, "later");
    frame::buttons(buffer, inside, &buttons, &later, theme, layout);
    let shown = FIELDS.map(|(_, which)| which);
    for (row, which) in (fields..inside.height).zip(shown) {
        let place = Rect {
            x: inside.x + LABEL as u16 + 1,
            y: inside.y + row,
            width: inside
                .width
                .saturating_sub((LABEL + NOT_STORED.len()) as u16 + 4),
            height: 1,
        };
        let input = if which == LoginField::User {
            &login.user
        } else {
            &login.password
        };
        frame::field(buffer, place, input, login.focus == which, theme);
    }
}

/// Columns of the labels.
const LABEL: usize = 11;

const NOT_STORED: &str = "not stored";

const FIELDS: [(&str, LoginField); 2] = [
    ("User name", LoginField::User),
    ("Password", LoginField::Password),
];

/// Why the box is open, in words; and whether something went wrong.
fn reason(why: &SignInReason) -> (String, bool) {
    match why {
        SignInReason::Missing => (
            "The config has no user name or no password for this profile: type them here.".into(),
            false,
        ),
        SignInReason::Asked => ("Sign in again, or as somebody else.".into(), false),
        SignInReason::Over(words) => (format!("The session is over: {words}"), true),
        SignInReason::Refused(words) => (format!("{words}. It is not sent again by itself."), true),
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
    short: "sign-in",
    groups: &[OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "sign in"),
        Hint::of(&[Action::NextField], "next field"),
        Hint::of(&[Action::Back], "close"),
        Hint::of(&[Action::Help], "help"),
    ],
    types: true,
};
