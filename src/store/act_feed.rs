//! The changes beside the runs list: what is taken note of, and what actions do there.

use super::effect::Effect;
use super::feed::What;
use super::message::{Action, RequestId};
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
    pub(super) fn saw_page(&mut self, page: &RunsPage) -> Vec<Effect> {
        let samples = self.feed.saw(&page.rows, self.now);
        if samples.is_empty() || page.operation != RunsOperation::ListTestRuns {
            return Vec::new();
        }
        vec![Effect::KeepSamples(samples)]
    }

    /// Takes note of a run that was read by itself: its counts are kept even if it was never seen before.
    pub(super) fn saw_run(&mut self, row: &RunRow) -> Option<Effect> {
        self.feed.saw([row], self.now);
        self.runs.all.renew(row);
        if let Some(found) = &mut self.runs.found {
            found.renew(row);
        }
        row.results
            .as_ref()
            .map(|_| Effect::KeepSamples(vec![(row.doc_ref.clone(), Sample::of(row, self.now))]))
    }

    /// Compares the list with the one before, if both are here from end to end; asks for runs that may be gone.
    pub(super) fn compare_whole(&mut self) -> Vec<Effect> {
        let mut doubtful = Vec::new();
        for window in [self.runs.found.as_ref(), Some(&self.runs.all)]
            .into_iter()
            .flatten()
        {
            if let (Some(reading), Some(size)) = (window.whole(), window.full_size()) {
                let rows = window.rows().map(|(_, row)| row);
                doubtful.extend(
                    self.feed
                        .saw_whole(&window.filter, reading, rows, size, self.now),
                );
            }
        }
        doubtful
            .into_iter()
            .filter_map(|run| self.look_for(run))
            .collect()
    }

    /// Asks for a run by its id, unless it is being asked for; only so many at once, the next list brings up the others.
    fn look_for(&mut self, run: DocRef) -> Option<Effect> {
        if self.looked_for.len() >= AT_ONCE
            || self.looked_for.iter().any(|(_, known)| *known == run)
        {
            return None;
        }
        let name = self.feed.known(&run)?.0.id.clone()?;
        let id = self.number();
        self.looked_for.push((id, run));
        Some(Effect::ListRuns {
            id,
            page: Page::BY_ID,
            sort: Vec::new(),
            filter: Filter::by_id(&name),
        })
    }

    /// Takes the answer to the question whether a run is gone; `None` if it is none.
    pub(super) fn looked_for(
        &mut self,
        id: RequestId,
        result: &Result<RunsPage, Failure>,
    ) -> Option<Vec<Effect>> {
        let place = self.looked_for.iter().position(|(asked, _)| *asked == id)?;
        let (_, run) = self.looked_for.swap_remove(place);
        match result {
            Ok(page) if page.row_of(&run).is_some() => Some(self.saw_page(page)),
            Ok(page) => {
                let name = self.feed.known(&run).and_then(|(row, _)| row.id.clone());
                if name.is_some_and(|name| page.rules_out(&run, &name)) {
                    self.feed.is_gone(&run, self.now);
                }
                Some(Vec::new())
            }
            // Not known: the next list asks again.
            Err(_) => Some(Vec::new()),
        }
    }

    /// What the samples of the open run tell now.
    pub(super) fn reread_history(&mut self) -> Option<Effect> {
        let id = self.number();
        self.detail.as_mut().map(|detail| detail.read_history(id))
    }

    /// What samples tell has been worked out. A failure stands where the chart would be.
    pub(super) fn history_came(
        &mut self,
        id: RequestId,
        result: Result<Box<History>, Failure>,
        now: i64,
    ) {
        if let Some(detail) = self
            .detail
            .as_mut()
            .filter(|detail| detail.history.asked() == Some(id))
        {
            detail.history.accept(id, result, now);
        } else {
            self.card_history_came(id, result);
        }
    }

    /// The feed gets the focus.
    pub(super) fn enter_feed(&mut self) {
        if self.feed.entries.is_empty() {
            self.say("nothing has changed since the list was read first");
        } else {
            self.feed.enter();
        }
    }

    pub(super) fn act_feed(&mut self, action: &Action) -> Vec<Effect> {
        match action {
            Action::Move(motion) => self.feed.go(*motion),
            Action::Point(row) => self.feed.point(*row),
            Action::Open => return self.open_change(),
            Action::MarkAll => {
                self.feed.looked_at_all();
                self.say("all changes are looked at");
            }
            Action::Back | Action::NextPart => self.feed.open = false,
            Action::Refresh => return self.refresh(),
            _ => {}
        }
        Vec::new()
    }

    /// Opens the run of the change under the cursor, at the part that shows it.
    fn open_change(&mut self) -> Vec<Effect> {
        let Some(entry) = self.feed.current() else {
            return Vec::new();
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
        let known = entry.run.as_ref().and_then(|run| self.feed.known(run));
        let Some((row, at)) = known.map(|(row, at)| (row.clone(), at)) else {
            self.say("this is about no run that is here");
            return Vec::new();
        };
        let effects = self.open_run(row, at);
        if let Some(detail) = &mut self.detail {
            detail.part = part;
        }
        self.feed.open = false;
        self.detail_over = Screen::Runs;
        self.screen = Screen::Detail;
        effects
    }
}
