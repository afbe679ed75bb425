//! The changes beside the runs list: what is taken note of, and what actions do there.

use super::effect::Effect;
use super::feed::What;
use super::in_flight::Slot;
use super::message::Action;
use super::{History, Screen, Store};
use crate::domain::diff::{Change, News};
use crate::domain::{DocRef, Failure, Filter, Page, RunRow, RunsOperation, RunsPage, Sample};

/// Parts of the detail screen that a change is shown in.
const FIELDS: usize = 0;
const RESULTS: usize = 1;
const SUITES: usize = 3;
/// Runs that are asked for at once, whether they are gone.
const AT_ONCE: usize = 4;

impl Store {
    /// Takes note of a page that tells how things are now.
    pub(super) fn saw_page(&mut self, page: &RunsPage) {
        let samples = self.cx.shared.feed.saw(&page.rows, self.cx.now);
        if samples.is_empty() || page.operation != RunsOperation::ListTestRuns {
            return;
        }
        self.cx.effect(Effect::KeepSamples(samples));
    }

    /// Takes note of a run that was read by itself: its counts are kept even if it was never seen before.
    pub(super) fn saw_run(&mut self, row: &RunRow) {
        self.cx.shared.feed.saw([row], self.cx.now);
        self.runs.all.renew(row);
        if let Some(found) = &mut self.runs.found {
            found.renew(row);
        }
        if row.results.is_some() {
            let sample = (row.doc_ref.clone(), Sample::of(row, self.cx.now));
            self.cx.effect(Effect::KeepSamples(vec![sample]));
        }
    }

    /// Compares the list with the one before, if both are here from end to end; asks for runs that may be gone.
    pub(super) fn compare_whole(&mut self) {
        let mut doubtful = Vec::new();
        for window in [self.runs.found.as_ref(), Some(&self.runs.all)]
            .into_iter()
            .flatten()
        {
            if let (Some(reading), Some(size)) = (window.whole(), window.full_size()) {
                let rows = window.rows().map(|(_, row)| row);
                doubtful.extend(self.cx.shared.feed.saw_whole(
                    &window.filter,
                    reading,
                    rows,
                    size,
                    self.cx.now,
                ));
            }
        }
        for run in doubtful {
            self.look_for(&run);
        }
    }

    /// Asks for a run by its id, unless it is being asked for; only so many at once, the next list brings up the others.
    fn look_for(&mut self, run: &DocRef) {
        let slot = Slot::Missing(run.clone());
        let asked = self
            .cx
            .in_flight
            .of(|slot| matches!(slot, Slot::Missing(_)));
        if asked.len() >= AT_ONCE || self.cx.under_way(&slot) {
            return;
        }
        let known = self.cx.shared.feed.known(run);
        if let Some(name) = known.and_then(|(row, _)| row.id.clone()) {
            self.cx.request(slot, |id| Effect::ListRuns {
                id,
                page: Page::BY_ID,
                sort: Vec::new(),
                filter: Filter::by_id(&name),
            });
        }
    }

    /// Takes the answer to the question whether a run is gone.
    pub(super) fn looked_for(&mut self, run: &DocRef, result: &Result<RunsPage, Failure>) {
        match result {
            Ok(page) if page.row_of(run).is_some() => self.saw_page(page),
            Ok(page) => {
                let name = self
                    .cx
                    .shared
                    .feed
                    .known(run)
                    .and_then(|(row, _)| row.id.clone());
                if name.is_some_and(|name| page.rules_out(run, &name)) {
                    self.cx.shared.feed.is_gone(run, self.cx.now);
                }
            }
            // Not known: the next list asks again.
            Err(_) => {}
        }
    }

    /// What the samples of the open run tell now.
    pub(super) fn reread_history(&mut self) {
        if let Some(detail) = &mut self.detail {
            detail.read_history(&mut self.cx);
        }
    }

    /// What samples tell has been worked out. A failure stands where the chart would be.
    pub(super) fn history_came(&mut self, result: Result<Box<History>, Failure>) {
        if let Some(detail) = &mut self.detail {
            detail.history.accept(result, self.cx.now);
        }
    }

    /// The feed gets the focus.
    pub(super) fn enter_feed(&mut self) {
        if self.cx.shared.feed.entries.is_empty() {
            self.cx
                .say("nothing has changed since the list was read first");
        } else {
            self.cx.shared.feed.enter();
        }
    }

    pub(super) fn act_feed(&mut self, action: &Action) {
        match action {
            Action::Move(motion) => self.cx.shared.feed.go(*motion),
            Action::Point(row) => self.cx.shared.feed.point(*row),
            Action::Open => self.open_change(),
            Action::MarkAll => {
                self.cx.shared.feed.looked_at_all();
                self.cx.say("all changes are looked at");
            }
            Action::Back | Action::NextPart => self.cx.shared.feed.open = false,
            Action::Refresh => self.refresh(),
            _ => {}
        }
    }

    /// Opens the run of the change under the cursor, at the part that shows it.
    fn open_change(&mut self) {
        let Some(entry) = self.cx.shared.feed.current() else {
            return;
        };
        let part = match &entry.what {
            What::News(News::Changed { changes, .. }) => match changes.first() {
                Some(Change::Count { .. } | Change::Progress { .. } | Change::Testers { .. }) => {
                    RESULTS
                }
                Some(Change::Suites { .. }) => SUITES,
                _ => FIELDS,
            },
            _ => FIELDS,
        };
        let known = entry
            .run
            .as_ref()
            .and_then(|run| self.cx.shared.feed.known(run));
        let Some((row, at)) = known.map(|(row, at)| (row.clone(), at)) else {
            self.cx.say("this is about no run that is here");
            return;
        };
        self.open_run(row, at);
        if let Some(detail) = &mut self.detail {
            detail.part = part;
        }
        self.cx.shared.feed.open = false;
        self.stack.open(Screen::Detail);
    }
}
