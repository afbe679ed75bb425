//! The box for name and password.

use crate::domain::SignInReason;
use crate::screens::prelude::*;
use crate::store::key_table::Heading::{Move, Tool};
use crate::ui::list::edit;

/// Fields and buttons of the login box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginField {
    User,
    Password,
    SignIn,
    Quit,
}

const ORDER: [LoginField; 4] = [
    LoginField::User,
    LoginField::Password,
    LoginField::SignIn,
    LoginField::Quit,
];

/// State of the login box.
#[derive(Clone, Debug, PartialEq)]
pub struct Login {
    pub user: Input,
    /// Password; masked on the screen, hidden in `Debug`, wiped once sent.
    pub password: Input,
    pub focus: LoginField,
    /// Reason why the box is open.
    pub why: SignInReason,
    /// Time of that reason, epoch milliseconds.
    pub at: i64,
    /// The sign-in is under way.
    pub busy: bool,
    /// A sign-in from this box has failed.
    again: bool,
}

impl Login {
    /// Creates a box for this user; the focus is on the missing value.
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

    /// Sets another reason; typed text stays.
    pub fn again(&mut self, user: &str, why: SignInReason, at: i64) {
        // Equal words of the same minute would not show that a request was sent.
        self.again = std::mem::take(&mut self.busy)
            && !matches!(self.why, SignInReason::Missing | SignInReason::Asked);
        (self.why, self.at) = (why, at);
        if self.user.text().is_empty() {
            self.user = Input::with_text(user);
            if !user.is_empty() {
                self.focus = LoginField::Password;
            }
        }
    }

    /// Moves the focus to the next or the previous field.
    fn turn(&mut self, forward: bool) {
        self.focus = ORDER[beside(self.focus as usize, ORDER.len(), forward)];
    }

    /// Returns the field that takes typed text.
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
    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::NextField => self.turn(true),
            Action::PreviousField => self.turn(false),
            Action::Back => {
                self.password.clear();
                cx.close(Layer::Login);
                if self.busy {
                    cx.say_signing_in("the sign-in goes on without its box");
                } else if cx.under_way(&Slot::RetryPause) {
                    cx.say("Not signed in; it is tried again by itself");
                } else if !cx.shared.signed_in {
                    let opens =
                        cx.shared
                            .key_does(Layer::Runs, &Action::Refresh, "opens the box again");
                    cx.say(format!("Not signed in; {opens}"));
                }
            }
            Action::Type(_) | Action::Paste(_) => {
                if let Some(field) = self.field() {
                    edit(field, &action, cx);
                }
            }
            Action::Press(1) => cx.dispatch(Action::Quit),
            // Behind the two buttons: a field.
            Action::Press(nth @ 2..) => self.focus = FIELDS[(nth - 2).min(1)].1,
            Action::Open if self.focus == LoginField::Quit => cx.dispatch(Action::Quit),
            Action::Open if self.focus == LoginField::User => self.turn(true),
            Action::Open | Action::Press(_) if !self.busy => self.submit(cx),
            _ => {}
        }
    }
}

impl Draw for Login {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        let shared = &context.cx.shared;
        let session = shared.in_use();
        let width = usize::from(area.width.min(COLUMNS)).saturating_sub(4);
        let (why, bad) = if self.busy {
            ("Asking the identity provider…".into(), false)
        } else {
            reason(&self.why, shared)
        };
        let again = if self.again { "tried again: " } else { "" };
        let (why, style) = if bad {
            let at = context.now.clock(self.at);
            (format!("{at} {again}{why}"), theme.bad())
        } else {
            (why, theme.text())
        };
        // On a low screen the fields matter more than the address.
        let roomy = area.height >= 14;
        let most = if roomy {
            6
        } else {
            area.height.saturating_sub(5)
        };
        let mut lines = frame::wrapped(&why, width, most.into(), style);
        if roomy {
            let asked = format!("{} (realm {})", session.identity, session.realm);
            lines.push(Line::default());
            for (label, value) in [("Service", &session.service), ("Sign-in at", &asked)] {
                let value = text::fit(value, width.saturating_sub(LABEL));
                let line = format!("{label:<LABEL$}{value}");
                lines.push(frame::said(&line, theme.muted()));
            }
            lines.push(Line::default());
        }
        let fields = lines.len() as u16;
        for (label, which) in FIELDS {
            let (sign, style) = if self.focus == which {
                (">", theme.accent())
            } else {
                (" ", theme.muted())
            };
            let mut line = Line::styled(format!("{sign}{label:<LABEL$}"), style);
            if which == LoginField::Password {
                let gap = " ".repeat(width.saturating_sub(LABEL + NOT_STORED.len()));
                line.push_span(Span::styled(format!("{gap}{NOT_STORED}"), theme.muted()));
            }
            lines.push(line);
        }
        // The buttons, and a line above them.
        let height = lines.len() as u16 + if roomy { 4 } else { 3 };
        let profile = format!("profile {}", session.profile);
        let size = (COLUMNS, height);
        let inside = frame::popup(on, area, size, "Sign in", &profile);
        frame::lines(on.buffer, inside, lines);
        let button = |label, which| (label, self.focus == which);
        let buttons = [
            button("Sign in", LoginField::SignIn),
            button("Quit", LoginField::Quit),
        ];
        let later = shared.key_does(Layer::Login, &Action::Back, "later");
        frame::buttons(on, inside, &buttons, (&later, None));
        for (nth, (row, (_, which))) in (2..).zip((fields..inside.height).zip(FIELDS)) {
            on.layout.click_row(inside, row, Action::Press(nth));
            let taken = (LABEL + NOT_STORED.len()) as u16 + 4;
            let place = Rect {
                x: inside.x + LABEL as u16 + 1,
                y: inside.y + row,
                width: inside.width.saturating_sub(taken),
                height: 1,
            };
            let input = if which == LoginField::User {
                &self.user
            } else {
                &self.password
            };
            frame::field(on.buffer, place, input, self.focus == which, theme);
        }
    }
}

/// Maximum columns of the box.
const COLUMNS: u16 = 74;

/// Columns of the labels.
const LABEL: usize = 11;

const NOT_STORED: &str = "not stored";

const FIELDS: [(&str, LoginField); 2] = [
    ("User name", LoginField::User),
    ("Password", LoginField::Password),
];

/// Returns the reason why the box is open, in words; true if it is a failure.
fn reason(why: &SignInReason, shared: &Shared) -> (String, bool) {
    match why {
        SignInReason::Missing if shared.user().is_empty() => (
            "The config has no user name for this profile: type both here.".into(),
            false,
        ),
        SignInReason::Missing => (
            "The config has no usable password for this profile: type it here.".into(),
            false,
        ),
        SignInReason::Asked if !shared.signed_in => {
            ("Nobody is signed in yet: sign in here.".into(), false)
        }
        SignInReason::Asked => ("Sign in again, or as somebody else.".into(), false),
        SignInReason::SessionEnded(words) => (format!("The session is over: {words}"), true),
        SignInReason::Refused(words) => (format!("{words}. It is not sent again by itself."), true),
        SignInReason::Failed(words) => (words.clone(), true),
    }
}

const OWN: &[Binding] = &[
    Move.row(&["Tab", "↓"], "next-field", "next field", Action::NextField),
    Move.row(
        &["S-Tab", "↑"],
        "previous-field",
        "previous field",
        Action::PreviousField,
    ),
    Tool.row(&["Enter"], "open", "next field, sign in", Action::Open),
];

pub const PLACE: Place = Place {
    layer: Layer::Login,
    title: "the sign-in",
    groups: &[&[OWN, EVERYWHERE]],
    hints: &[
        Hint::of(&[Action::Open], "sign in"),
        Hint::of(&[Action::NextField], "next field"),
        Hint::of(&[Action::Back], "later"),
        HELPS,
    ],
    types: true,
};
