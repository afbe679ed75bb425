//! The first line: where the person is, who they are, how old it is what they see.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::screens::{Screen as _, monitor};
use crate::store::{Layer, Store};
use crate::ui::{Context, frame, text, time};

/// Where the person is, who they are, and how old it is what they see.
pub fn draw(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let shared = &context.cx.shared;
    let mut path = String::new();
    let monitor = store.screens.monitor.as_ref();
    let monitor = monitor.filter(|_| store.screens.top() == Layer::Monitor);
    // The monitor has more to say on the right, and not many columns.
    let short = monitor.is_some() && area.width < 110;
    if let Some(session) = &shared.session {
        let user = if session.user.is_empty() {
            "?"
        } else {
            &session.user
        };
        path = format!("{user}@{}", session.profile);
        if !short {
            path = format!("{path} > {}", session.project);
        }
        if let Some(subproject) = session.subproject.as_ref().filter(|_| !short) {
            path.push_str(" / ");
            path.push_str(subproject);
        }
        path.push_str(" > ");
    }
    match monitor {
        Some(monitor) => path = format!("{path}Monitor {}", monitor::runs(monitor)),
        None => path.push_str("Runs"),
    }
    let top = store.screens.of(store.screens.top());
    if let Some(screen) = top {
        path = screen.title(path, area.width);
    }
    let mut right = Vec::new();
    if let Some(session) = &shared.session {
        right.push(if session.read_only {
            "[READ-ONLY]".to_owned()
        } else {
            "[WRITE]".to_owned()
        });
    }
    match &shared.signed_in {
        Some(signed_in) if area.width >= 100 => {
            if let Some(until) = signed_in.until {
                right.push(format!("token until {}", context.now.clock(until)));
            }
        }
        None if shared.session.is_some() => right.push("not signed in".into()),
        _ => {}
    }
    let read_at = match (top, store.screens.top()) {
        // What stands in a form is the person's.
        (_, Layer::Form) | (None, _) => store.screens.runs.read_at(),
        (Some(screen), _) => screen.read_at(),
    };
    let mut read_at = read_at.map_or("nothing read yet".into(), |at| {
        format!("read {}", context.now.clock(at))
    });
    if let Some(age) = store.behind(context.now.ms) {
        // Said so that it stays true until the next frame, whenever that is.
        read_at = format!("{read_at}, over {} old", time::span(age));
    }
    if context.paused {
        read_at.push_str(", paused");
    }
    if area.width >= 60 {
        right.push(read_at);
    } else if shared.signed_in.is_some() {
        right = vec![read_at];
    }
    if let Some(monitor) = monitor {
        right = monitor::mode_and_next(context, monitor, area.width);
    }
    let right = right.join("  ");
    let name = if area.width >= 60 { "rundown  " } else { "" };
    let room = usize::from(area.width).saturating_sub(text::width(name) + text::width(&right) + 2);
    let path = text::pad(&path, room);
    let spans = vec![
        Span::styled(name, theme.title()),
        Span::styled(path, theme.text()),
        Span::styled(
            format!("  {}", text::fit(&right, usize::from(area.width))),
            theme.dim(),
        ),
    ];
    frame::line(buffer, area, 0, spans);
}
