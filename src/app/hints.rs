//! The last line: the keys that matter here.

use ratatui::prelude::{Buffer, Rect, Span};

use crate::screens::Screen;
use crate::screens::keys::HELPS;
use crate::store::{Action, Hint, Layer, Store};
use crate::ui::{Context, Layout, frame, text};

/// Draws the keys that matter here.
pub fn draw(
    context: Context<'_>,
    store: &Store,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let Some(table) = store.key_table(store.layer()) else {
        return;
    };
    let screen = store.on_top();
    if tour(context, store, area, buffer) {
        return;
    }
    let hints = screen
        .and_then(|it| it.hints(&store.cx.shared))
        .unwrap_or(table.hints);
    // Its hint is about adding.
    let adds = &Action::Show(Layer::Available);
    let works = |action: &Action| {
        let is_refused = context.refuses(store.layer(), action).is_some();
        let adds = action == adds && context.cx.shared.is_read_only();
        store.works(action) && !is_refused && !adds
    };
    let offers = |hint: &&Hint| hint.actions.iter().all(&works);
    let hints = hints.iter().filter(offers);
    let button = screen.and_then(Screen::button).map(str::to_lowercase);
    let words = |hint: &'static Hint| match (&button, hint.actions) {
        (Some(button), [Action::Open]) => button.as_str(),
        _ => hint.words,
    };
    let hints = hints.map(|hint| (table.keys(*hint), hint, words(hint)));
    // A hint that does not fit is left out, except the key of the help.
    let help = table.key(&Action::Help).unwrap_or_default();
    let mut room = usize::from(area.width).saturating_sub(text::width(help) + 2);
    let fitting = hints
        .filter(|(keys, ..)| !keys.is_empty())
        .take_while(|(keys, _, words)| {
            let cost = text::width(keys) + 1 + text::width(words);
            let fits = cost <= room;
            room = room.saturating_sub(cost + 2);
            fits
        });
    let mut spans: Vec<Span<'_>> = Vec::new();
    let mut helps = false;
    for (keys, hint, words) in fitting {
        helps |= keys == help;
        let from = spans.len();
        spans.extend(frame::hint(&keys, words, theme));
        // A click on one of several keys would be ambiguous.
        if let [action] = hint.actions {
            for place in from..spans.len() {
                layout.click_span(area, &spans, place, action.clone());
            }
        }
    }
    if !helps {
        let place = spans.len();
        let word = HELPS.words;
        if room > text::width(word) {
            spans.extend(frame::hint(help, word, theme));
        } else {
            spans.push(Span::styled(help.to_owned(), theme.accent()));
        }
        layout.click_span(area, &spans, place, Action::Help);
    }
    frame::line(buffer, area, 0, spans);
}

/// Draws the hint for a newcomer, unless a box is open or text is typed; true if there is one.
fn tour(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) -> bool {
    let shared = &context.cx.shared;
    let top = store.on_top();
    let types = top.and_then(|top| top.field(context.cx)).is_some();
    let of_a_run = top.and_then(Screen::run).is_some();
    let is_seen = of_a_run && !types && store.popups.top().is_none();
    let tour = shared.tour.as_ref().filter(|_| is_seen);
    let Some(hint) = tour.and_then(|tour| tour.hint(store.layer(), &shared.keys)) else {
        return false;
    };
    let theme = context.theme;
    let mut spans = vec![Span::styled("Try ", theme.good())];
    spans.extend(frame::hint(&hint.key, &hint.does, theme));
    spans.push(Span::styled(hint.progress + "  ", theme.muted()));
    let table = store.key_table(Layer::Runs);
    let ends = table.filter(|_| store.layer() == Layer::Runs);
    if let Some(key) = ends.and_then(|table| table.key(&Action::Back)) {
        let used: usize = spans.iter().map(Span::width).sum();
        let ends = frame::hint(key, "ends these hints", theme);
        let width: usize = ends.iter().map(Span::width).sum();
        let fits = used + width <= usize::from(area.width) + 2;
        spans.extend(ends.into_iter().filter(|_| fits));
    }
    frame::line(buffer, area, 0, spans);
    true
}
