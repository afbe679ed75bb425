//! The login box.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::{Context, text, widgets};
use crate::popups::{Login, LoginField};
use crate::store::{Session, SignInReason};

/// Draws the box over whatever is on the screen.
pub fn draw(context: Context<'_>, login: &Login, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let empty = Session::default();
    let session = context.store.cx.shared.session.as_ref().unwrap_or(&empty);
    let profile = format!("profile {}", session.profile);
    let inside = widgets::popup(buffer, area, (74, 18), "Sign in", &profile, theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let mut row = 0;
    let mut put = |buffer: &mut Buffer, spans: Vec<Span<'static>>| {
        widgets::line(buffer, inside, row, spans);
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
                    Span::styled(format!(" {label:<11}"), theme.dim()),
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
            theme.title()
        } else {
            theme.dim()
        };
        fields.push((row, which));
        widgets::line(
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
            widgets::field(buffer, place, input, login.focus == which, theme);
        }
    }
    let mut put = |buffer: &mut Buffer, spans: Vec<Span<'static>>| {
        widgets::line(buffer, inside, row, spans);
        row += 1;
    };
    if roomy {
        let words = " never stored; forgotten here as soon as it is sent";
        put(buffer, vec![Span::styled(words, theme.dim())]);
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
    let button = |label: &str, which: LoginField| {
        let style = if login.focus == which {
            theme.text().add_modifier(Modifier::REVERSED)
        } else {
            theme.text()
        };
        Span::styled(format!("[ {label} ]"), style)
    };
    let buttons = vec![
        Span::raw(" "),
        button("Sign in", LoginField::SignIn),
        Span::raw("   "),
        button("Quit", LoginField::Quit),
        Span::styled("   Esc: look at what is here", theme.dim()),
    ];
    widgets::line(buffer, inside, inside.height.saturating_sub(1), buttons);
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
