//! Whether runs that a list does not show any more are gone.

use super::Runs;
use crate::domain::{DocRef, Failure, RunsPage};
use crate::store::{Cx, Slot};

/// Runs that are asked for at once.
const AT_ONCE: usize = 4;

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
    if let Some(name) = known_id(run, cx) {
        cx.find_run(slot, &name);
    }
}

fn known_id(run: &DocRef, cx: &Cx) -> Option<String> {
    cx.shared.feed.known(run)?.0.id.clone()
}

/// Takes the answer to the question whether a run is gone.
pub fn looked_for(run: &DocRef, result: &Result<RunsPage, Failure>, cx: &mut Cx) {
    // Where it could not be asked, the next list asks again.
    let Ok(page) = result else { return };
    if let Some(row) = page.row_of(run) {
        cx.shared.feed.is_there(row);
        return cx.saw_page(page);
    }
    if known_id(run, cx).is_some_and(|name| page.rules_out(run, &name)) {
        cx.shared.feed.is_gone(run, cx.now);
    }
}
