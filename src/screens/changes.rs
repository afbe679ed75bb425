//! All changes that were seen, over the list or the monitor while they have the focus.

use crate::domain::diff::{Change, News};
use crate::screens::prelude::*;
use crate::store::What;
use crate::ui::changes;
use crate::ui::layout::BoxDrawn;

/// Parts of the detail screen that a change is shown in.
const HISTORY: usize = 2;
const RESULTS: usize = 0;
const SUITES: usize = 1;

/// The changes get the focus.
pub fn enter(cx: &mut Cx) {
    if cx.shared.feed.entries.is_empty() {
        cx.say("no changes seen since the start");
    } else {
        cx.shared.feed.enter();
    }
}

pub fn update(action: Action, cx: &mut Cx) {
    let feed = &mut cx.shared.feed;
    match action {
        moves if feed.moves(&moves) => {}
        Action::Open => open_change(cx),
        Action::MarkAll => {
            feed.looked_at_all();
            cx.say("all changes seen");
        }
        Action::Back | Action::Changes => feed.open = false,
        Action::Refresh | Action::Palette | Action::Drafts | Action::SignIn => {
            cx.anywhere(action);
        }
        other => cx.unused(&other),
    }
}

/// Opens the run of the change under the cursor, at the part that shows it.
fn open_change(cx: &mut Cx) {
    let Some(entry) = cx.shared.feed.current() else {
        return;
    };
    let part = match &entry.what {
        What::News(News::Changed { changes, .. }) => match changes.first() {
            Some(Change::Count { .. } | Change::Progress { .. } | Change::Testers { .. }) => {
                RESULTS
            }
            Some(Change::Suites { .. }) => SUITES,
            _ => HISTORY,
        },
        _ => HISTORY,
    };
    let Some(open) = entry.known.as_ref().map(|run| Open::run(run, part)) else {
        cx.say("this is about no run that is here");
        return;
    };
    cx.shared.feed.open = false;
    cx.open(open);
}

/// Draws the changes.
pub fn pane(on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let feed = &context.cx.shared.feed;
    ratatui::widgets::Widget::render(ratatui::widgets::Clear, area, on.buffer);
    let inside = frame::pane(
        on.buffer,
        area,
        "Changes seen",
        "newest first",
        context.theme,
        true,
    );
    let len = feed.entries.len();
    on.layout.boxes.push(BoxDrawn {
        of: Layer::Feed,
        len,
        height: inside.height,
    });
    on.layout.list = Some((inside, feed.scroll.top));
    // The changes cover the screen.
    on.layout.clicks.clear();
    on.layout.click_list(inside, feed.scroll.top, len as u64);
    let table = changes::table(5, false, inside.width.into());
    let line = |place: u64| {
        let entry = feed.entries.get(place as usize);
        entry.map_or_else(Vec::new, |entry| changes::line(context, &table, entry))
    };
    let len = len as u64;
    feed.scroll.draw(len, line, on, inside);
}
