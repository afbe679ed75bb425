//! The first line: where the person is, who they are, how old it is what they see.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Context, monitor_words, text, time, widgets};
use crate::domain::FormFor;
use crate::store::{Layer, Store};

/// Where the person is, who they are, and how old it is what they see.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    let store = context.store;
    let theme = context.theme;
    let mut path = String::new();
    // The monitor has more to say on the right, and not many columns.
    let short = store.screen() == Layer::Monitor && area.width < 110;
    if let Some(session) = &store.cx.shared.session {
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
    if let (Layer::Monitor, Some(monitor)) = (store.screen(), &store.screens.monitor) {
        path.push_str("Monitor ");
        path.push_str(&monitor_words::runs(monitor));
    } else {
        path.push_str("Runs");
    }
    if let (Layer::Detail | Layer::Json, Some(detail)) = (store.screen(), &store.screens.run) {
        let title = detail.title().unwrap_or_default();
        path = format!(
            "{path} > {} {title}",
            detail.id().unwrap_or_else(|| detail.doc_ref.to_string())
        );
        if store.screen() == Layer::Json {
            path = format!("{} > JSON", text::fit(&path, usize::from(area.width) / 2));
        }
    }
    if let Some(words) = form_path(store) {
        path = format!(
            "{} > {words}",
            text::fit(&path, usize::from(area.width) / 3)
        );
    }
    let suites = match store.screen() {
        Layer::Available => store
            .screens
            .available
            .as_ref()
            .map(|available| (&available.run, "Available suites")),
        Layer::Members => store
            .screens
            .members
            .as_ref()
            .map(|members| (&members.run, "Suites in the run")),
        _ => None,
    };
    if let Some((run, screen)) = suites {
        let title = run.title.as_deref().unwrap_or_default();
        path = format!(
            "{} > {screen}",
            text::fit(
                &format!("{path} > {} {title}", run.name()),
                usize::from(area.width) / 2
            )
        );
    }
    let mut right = Vec::new();
    if let Some(session) = &store.cx.shared.session {
        right.push(if session.read_only {
            "[READ-ONLY]".to_owned()
        } else {
            "[WRITE]".to_owned()
        });
    }
    match &store.cx.shared.signed_in {
        Some(signed_in) if area.width >= 100 => {
            if let Some(until) = signed_in.until {
                right.push(format!("token until {}", context.now.clock(until)));
            }
        }
        None if store.cx.shared.session.is_some() => right.push("not signed in".into()),
        _ => {}
    }
    let read_at = match (store.screen(), &store.screens.run) {
        (Layer::Detail | Layer::Json, Some(detail)) => detail.document.read_at(),
        (Layer::Available, _) => store
            .screens
            .available
            .as_ref()
            .and_then(|available| available.list.read_at()),
        (Layer::Members, _) => store
            .screens
            .members
            .as_ref()
            .and_then(|members| members.verdict.read_at()),
        _ => store.screens.runs.window().read_at(),
    };
    let mut read_at = read_at.map_or("nothing read yet".into(), |at| {
        format!("read {}", context.now.clock(at))
    });
    if let Some(age) = store.behind(context.now.ms) {
        // Said so that it stays true until the next frame, whenever that is.
        read_at = format!("{read_at}, over {} old", time::span(age));
    }
    if store.paused() {
        read_at.push_str(", paused");
    }
    if area.width >= 60 {
        right.push(read_at);
    } else if store.cx.shared.signed_in.is_some() {
        right = vec![read_at];
    }
    if let (Layer::Monitor, Some(monitor)) = (store.screen(), &store.screens.monitor) {
        right = monitor_words::mode_and_next(context, monitor, area.width);
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
    widgets::line(buffer, area, 0, spans);
}

/// Where the person is in a form or its review.
fn form_path(store: &Store) -> Option<String> {
    let form = match (store.screen(), &store.screens.form.form) {
        (Layer::Form | Layer::Review, Some(form)) => match &form.of {
            FormFor::New => "New run".to_owned(),
            FormFor::Clone(_) => format!("Clone {}", form.run_name),
            FormFor::Edit(_) => format!("Edit {}", form.run_name),
        },
        (Layer::Review, None) => match &store.screens.form.review {
            Some(review) if review.takes_back() => "Undo".to_owned(),
            _ => "New runs".to_owned(),
        },
        _ => return None,
    };
    Some(if store.screen() == Layer::Review {
        format!("{form} > Review")
    } else {
        form
    })
}
