//! The first line: place, user, and time of the last reading.

use ratatui::prelude::{Buffer, Rect, Span};

use crate::screens::{FRESH, Screen};
use crate::store::{Layer, Slot, Store};
use crate::ui::{Context, frame, text};

/// Minimum terminal columns for more than the place.
const ROOM: u16 = 60;

/// Minimum terminal columns for the profile beside a clock.
const WIDE: u16 = 100;

const NAME: &str = "rundown  ";

/// Draws place, user, and time of the last reading.
pub fn draw(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let shared = &context.cx.shared;
    let screen = store.screens.of(store.screens.top());
    let clock = screen.and_then(|screen| screen.clock(context));
    let mut right: Vec<(String, _)> = Vec::new();
    // The sign that matters more than the time of the data.
    let mut sign = None;
    let mut named = None;
    let mut project = String::new();
    if let Some(session) = &shared.session {
        project = session.scope_name();
        if session.is_demo {
            right.push(("DEMO".into(), theme.warn()));
        }
        if session.read_only {
            sign = Some(right.len());
            right.push(("READ-ONLY".into(), theme.warn()));
        }
        match shared.away_since {
            Some(since) => {
                let again = again(context);
                sign = Some(right.len());
                let offline = format!("OFFLINE since {}{again}", context.now.when(since));
                right.push((offline, theme.warn()));
            }
            None if store.begins() => right.push(("signing in".into(), theme.muted())),
            None if !shared.signed_in => right.push(("not signed in".into(), theme.warn())),
            None => {}
        }
        // With a clock the user is not named, and the profile if there are others.
        if clock.is_some() && shared.profiles.len() > 1 && area.width >= WIDE {
            right.push((format!("@{}", session.profile), theme.muted()));
        }
        if clock.is_none() {
            let user = if session.user.is_empty() {
                "?"
            } else {
                &session.user
            };
            named = Some(right.len());
            right.push((format!("{user}@{}", session.profile), theme.muted()));
        }
    }
    right.push(match clock {
        // A wall monitor is read from afar: old data is marked in place of the clock.
        Some(old) if screen.is_some_and(Screen::is_old) => (old, theme.warn().reversed()),
        Some(clock) => (clock, theme.text()),
        None => read(context, store),
    });
    if area.width < ROOM {
        let kept = sign.unwrap_or(right.len() - 1);
        right = right.into_iter().skip(kept).take(1).collect();
    }
    let title =
        |project: &str| screen.map_or_else(|| project.to_owned(), |screen| screen.title(project));
    let width_of = |right: &[(String, _)]| -> usize {
        right.iter().map(|(words, _)| text::width(words) + 2).sum()
    };
    // Beside OFFLINE the project gives way first, then the user.
    let title_width = text::width(&text::cells(title("").trim_start_matches(" › ")));
    if let Some(place) = named.filter(|_| shared.away_since.is_some())
        && area.width >= ROOM
        && width_of(&right) + title_width > usize::from(area.width)
    {
        right.remove(place);
    }
    let room = usize::from(area.width).saturating_sub(width_of(&right));
    // Without room for all, the project gives way to the screen's title, then the program's name.
    let mut path = title(&project);
    let mut name = if area.width < ROOM { "" } else { NAME };
    let is_wide =
        |path: &str, name: &str| text::width(&text::cells(path)) + text::width(name) > room;
    if is_wide(&path, name) {
        title("").trim_start_matches(" › ").clone_into(&mut path);
    }
    if is_wide(&path, name) {
        name = "";
    }
    let room = room.saturating_sub(text::width(name));
    let mut spans = vec![
        Span::styled(name, theme.accent()),
        Span::styled(text::pad(&path, room), theme.text()),
    ];
    for (words, style) in right {
        spans.extend([
            Span::raw("  "),
            Span::styled(text::cells(&words).into_owned(), style),
        ]);
    }
    frame::line(buffer, area, 0, spans);
}

/// Returns the time of the last reading; after a failure with a mark, and the time of the next try.
fn read(context: Context<'_>, store: &Store) -> (String, ratatui::style::Style) {
    let theme = context.theme;
    let of = |layer| store.screens.of(layer);
    let top = match store.screens.top() {
        // A new run was not read.
        Layer::Form if of(Layer::Form).and_then(Screen::read_at).is_none() => Layer::Runs,
        top => top,
    };
    let screen = of(top);
    let reading = screen.and_then(Screen::reading);
    // While offline, the header shows that instead.
    let is_old = screen.is_some_and(Screen::is_old) && context.cx.shared.away_since.is_none();
    let again = if is_old {
        again(context)
    } else {
        String::new()
    };
    let asked = context.cx.in_flight.waited_for();
    let read_at = screen.and_then(Screen::read_at);
    if asked.is_some_and(|(slot, _)| slot.reads() && slot.owner() == Some(store.screens.top())) {
        // What is shown meanwhile may be of yesterday.
        let is_away = context.cx.shared.away_since.is_some();
        let old = read_at.filter(|at| is_away || context.now.ms - at > FRESH);
        let old = old.map_or_else(String::new, |at| format!("read {}, ", context.now.when(at)));
        return (format!("{old}reading…"), theme.muted());
    }
    let Some(at) = read_at else {
        let some = top == Layer::Runs && store.screens.runs.len().is_some_and(|len| len > 0);
        let words = match some {
            true if reading.is_some_and(|reading| reading.busy) => "reading…",
            true => "not all read yet",
            false if store.screens.runs.is_barred() => "not shown to this account",
            false => "nothing read yet",
        };
        return (format!("{words}{again}"), theme.muted());
    };
    let words = format!("read {}", context.now.when(at));
    match (is_old, context.paused) {
        (true, _) => (format!("OLD: {words}{again}"), theme.warn()),
        (_, true) => (format!("{words}, paused"), theme.muted()),
        _ => (words, theme.muted()),
    }
}

/// Returns the time of the next automatic try, if there is one.
fn again(context: Context<'_>) -> String {
    let pauses = [Slot::RetryPause, Slot::RefreshPause];
    let due = pauses.iter().find_map(|it| context.cx.in_flight.due(it));
    due.map_or_else(String::new, |due| {
        format!(", again {}", context.now.to_the_second(due))
    })
}
