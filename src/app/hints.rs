//! The last line: the keys that matter here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::popups::Popup;
use crate::store::{Layer, Store};
use crate::ui::{Context, frame, text};

/// The keys that matter here.
pub fn draw(context: Context<'_>, store: &Store, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let deletes = matches!(store.popups.top(), Some(Popup::Delete(flow)) if flow.writing());
    let hints = if deletes {
        &[
            ("Esc", "stop and close"),
            ("Ctrl-c", "stop"),
            ("@", "journal"),
        ]
    } else if store.types_id() {
        &[("Enter", "delete"), ("Esc", "leave it"), ("↑ ↓", "scroll")]
    } else {
        of(store.layer())
    };
    // A hint that does not fit whole is left out.
    let mut room = usize::from(area.width);
    let fitting = hints.iter().take_while(|(key, label)| {
        let cost = text::width(key) + 1 + text::width(label);
        let fits = cost <= room;
        room = room.saturating_sub(cost + 2);
        fits
    });
    let spans = fitting
        .flat_map(|(key, label)| frame::hint(key, label, theme))
        .collect();
    frame::line(buffer, area, 0, spans);
}

/// Keys and what they do, the most needed first.
#[expect(clippy::too_many_lines, reason = "a table")]
fn of(layer: Layer) -> &'static [(&'static str, &'static str)] {
    match layer {
        Layer::Runs => &[
            ("?", "help"),
            ("Enter", "open"),
            ("/", "filter"),
            ("q", "quit"),
            ("a", "add suites"),
            ("s", "suites"),
            ("n", "new"),
            ("e", "edit"),
            ("Space", "mark"),
            ("D", "delete…"),
            ("f", "facets"),
            ("o", "sort"),
            ("r", "refresh"),
            (":", "commands"),
            ("Tab", "changes"),
            ("M", "monitor"),
            ("O", "reverse"),
            ("w", "columns"),
            ("p", "preview"),
        ],
        Layer::Detail => &[
            ("?", "help"),
            ("Esc", "back"),
            ("Tab", "next part"),
            ("e", "edit"),
            ("a", "add suites"),
            ("s", "suites"),
            ("C", "clone"),
            ("D", "delete…"),
            ("u", "undo…"),
            ("i", "JSON"),
            ("y", "copy reference"),
            ("Y", "copy JSON"),
            ("r", "refresh"),
            (":", "commands"),
        ],
        Layer::Json => &[
            ("?", "help"),
            ("Esc", "back"),
            ("/", "search"),
            ("n N", "next, previous"),
            ("Y", "copy"),
            ("r", "refresh"),
        ],
        Layer::Available => &[
            ("Space", "mark"),
            ("v", "range"),
            ("A", "all"),
            ("Enter", "add…"),
            ("/", "filter"),
            ("o", "sort"),
            ("Tab", "suites in the run"),
            ("Esc", "back"),
            ("?", "help"),
        ],
        Layer::Members => &[
            ("Space", "mark"),
            ("x", "remove…"),
            ("V", "verify"),
            ("+", "name by reference"),
            ("Tab", "available"),
            ("@", "journal"),
            ("Esc", "back"),
            ("?", "help"),
        ],
        Layer::Form => &[
            ("Tab", "next"),
            ("Ctrl-s", "review, save…"),
            ("Esc", "back, draft stays"),
            ("Ctrl-e", "in $EDITOR"),
            ("F1", "help"),
            ("Ctrl-u Ctrl-r", "undo, redo"),
        ],
        Layer::Review => &[
            ("Enter", "press the button"),
            ("m", "keep mine"),
            ("t", "take theirs"),
            ("e", "edit"),
            ("i", "raw request"),
            ("r", "read again"),
            ("Esc", "back to the form"),
        ],
        Layer::Delete => &[
            ("r", "look again"),
            ("s", "its suites"),
            ("Esc", "close"),
            ("@", "journal"),
            ("?", "help"),
        ],
        Layer::Confirm => &[
            ("Tab", "other button"),
            ("Enter", "press it"),
            ("↑ ↓", "scroll"),
            ("Esc", "cancel"),
        ],
        Layer::Work => &[
            ("Enter", "close"),
            ("@", "journal"),
            ("Ctrl-c", "stop before the next request"),
        ],
        Layer::Journal => &[("↑ ↓", "move"), ("Enter", "undo…"), ("Esc", "close")],
        Layer::Typing => &[("Enter", "take"), ("Esc", "close the box"), ("↑ ↓", "move")],
        Layer::Picker => &[
            ("Enter", "take"),
            ("Space", "tick"),
            ("Tab", "complete"),
            ("↑ ↓", "move"),
            ("Esc", "close"),
        ],
        Layer::Login => &[
            ("Enter", "sign in"),
            ("Tab", "next field"),
            ("Esc", "close"),
            ("F1", "help"),
        ],
        Layer::Help => &[("Enter", "do it"), ("↑ ↓", "move"), ("Esc", "close")],
        Layer::Errors => &[("j k", "move"), ("Esc", "close")],
        Layer::Monitor => &[
            ("t", "threshold"),
            ("Space", "pin"),
            ("x", "export"),
            ("Enter", "open the run"),
            ("Esc", "back"),
            ("?", "help"),
            ("b", "bell"),
            ("+ -", "less, more often"),
            ("r", "read now"),
        ],
        Layer::Feed => &[
            ("Enter", "open the run"),
            ("j k", "move"),
            ("A", "all looked at"),
            ("Esc", "back to the list"),
        ],
    }
}
