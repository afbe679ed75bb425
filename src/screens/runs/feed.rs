//! The changes beside the list, while they have the focus; and whether runs that a list does not show are gone.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Runs;
use crate::domain::diff::{Change, News};
use crate::domain::{DocRef, Failure, Filter, Page, RunsPage};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::feed::What;
use crate::store::in_flight::Slot;
use crate::store::message::{Action, Open, RunPart};
use crate::ui::layout::Layout;
use crate::ui::{Context, changes, frame};

/// Parts of the detail screen that a change is shown in.
const HISTORY: usize = 2;
const RESULTS: usize = 0;
const SUITES: usize = 1;
/// Runs that are asked for at once, whether they are gone.
const AT_ONCE: usize = 4;

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
        Action::Move(motion) => feed.go(motion),
        Action::Point(row) => feed.point(row),
        Action::Open => open_change(cx),
        Action::MarkAll => {
            feed.looked_at_all();
            cx.say("all changes seen");
        }
        Action::Back | Action::Changes => feed.open = false,
        Action::Refresh => cx.anywhere(action),
        _ => {}
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
    let known = entry.run.as_ref().and_then(|run| cx.shared.feed.known(run));
    let Some((row, read_at)) = known.map(|(row, at)| (row.clone(), at)) else {
        cx.say("this is about no run that is here");
        return;
    };
    cx.shared.feed.open = false;
    let on = RunPart::Part(part);
    cx.open(Open::Run { row, read_at, on });
}

impl Runs {
    /// Compares the list with the one before, if both are here from end to end; asks for runs that may be gone.
    pub(super) fn compare_lists(&self, cx: &mut Cx) {
        let mut doubtful = Vec::new();
        for window in self.windows() {
            if let (Some(reading), Some(size)) = (window.complete_reading(), window.full_size()) {
                let rows = window.rows().map(|(_, row)| row);
                let feed = &mut cx.shared.feed;
                doubtful.extend(feed.saw_list(&window.filter, reading, rows, size, cx.now));
            }
        }
        for run in doubtful {
            look_for(&run, cx);
        }
    }
}

/// Asks for a run by its id, unless it is being asked for; only so many at once, the next list brings up the others.
fn look_for(run: &DocRef, cx: &mut Cx) {
    let slot = Slot::Missing(run.clone());
    let asked = cx.in_flight.of(|slot| matches!(slot, Slot::Missing(_)));
    if asked.len() >= AT_ONCE || cx.under_way(&slot) {
        return;
    }
    let known = cx.shared.feed.known(run);
    if let Some(name) = known.and_then(|(row, _)| row.id.clone()) {
        cx.request(slot, |id| Effect::ListRuns {
            id,
            page: Page::BY_ID,
            sort: Vec::new(),
            filter: Filter::by_id(&name),
        });
    }
}

/// Takes the answer to the question whether a run is gone.
pub fn looked_for(run: &DocRef, result: &Result<RunsPage, Failure>, cx: &mut Cx) {
    // Where nothing could be read, the next list asks again.
    let Ok(page) = result else { return };
    if let Some(row) = page.row_of(run) {
        cx.shared.feed.is_there(row);
        return cx.saw_page(page);
    }
    let known = cx.shared.feed.known(run);
    let name = known.and_then(|(row, _)| row.id.clone());
    if name.is_some_and(|name| page.rules_out(run, &name)) {
        cx.shared.feed.is_gone(run, cx.now);
    }
}

/// Draws the changes over the list.
pub fn pane(context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let feed = &context.cx.shared.feed;
    ratatui::widgets::Widget::render(ratatui::widgets::Clear, area, buffer);
    let inside = frame::pane(
        buffer,
        area,
        "Changes seen",
        "newest first",
        context.theme,
        true,
    );
    layout.feed = Some(inside.height);
    layout.list = Some((inside, feed.scroll.top));
    let top = usize::try_from(feed.scroll.top).unwrap_or(0);
    for (row, (place, entry)) in feed
        .entries
        .iter()
        .enumerate()
        .skip(top)
        .take(inside.height.into())
        .enumerate()
    {
        frame::line(
            buffer,
            inside,
            row as u16,
            changes::line(context, entry, usize::from(inside.width)),
        );
        frame::cursor(
            buffer,
            inside,
            row as u16,
            place as u64 == feed.scroll.cursor,
            context.theme,
        );
    }
}
