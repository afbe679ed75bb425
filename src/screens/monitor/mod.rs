//! The monitor reads the runs of a view, or chosen runs, again and again, and shows the worst first. It never writes to
//! the service; the screens that it opens ask before they write.

pub mod keys;
mod reading;
mod run;
mod totals;
mod update;
mod view;
mod watched;

use crate::screens::prelude::*;
use std::collections::BTreeSet;

pub use run::{RunEnd, RunStanding, RunTrouble, WatchedRun};
pub use totals::Totals;
pub use watched::{Chosen, Origin};

use crate::domain::{Limit, MOST_WATCHED};
use crate::forecast::{self, SumRun};
use crate::screens::runs_read::RunsRead;

/// Reading intervals to choose from, in seconds.
const STEPS: [u64; 11] = [5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 86_400];
/// Time without a key until the runs that do not fit take turns, in milliseconds.
const ALONE: i64 = 60_000;

/// State of the monitor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Monitor {
    /// Watched runs in the order of the last answer of the mirror.
    pub runs: Vec<WatchedRun>,
    /// Indexes of the runs with a row of their own, in the order of the rows.
    pub order: Vec<usize>,
    /// Cursor in `order`.
    pub scroll: Scroll,
    /// Totals of all runs.
    pub totals: Totals,
    pub origin: Origin,
    /// Limit of all runs.
    pub limit: Option<Limit>,
    /// Choices of the user, kept for the next monitor.
    pub chosen: Chosen,
    /// True if the bell rings on a call.
    pub bell: bool,
    /// Seconds between two readings.
    pub every: u64,
    /// Time of the last reading of all runs, epoch milliseconds.
    pub read_at: Option<i64>,
    /// Query to the mirror, and the reading.
    pub asked: RunsRead,
    /// Start of the current reading, or of the last one, epoch milliseconds.
    begun: i64,
    /// True if chosen runs that the list lacks are read by id after it.
    then_by_id: bool,
    /// True if chosen runs could not be read, which was told.
    not_read: bool,
    /// Forecast for all runs together, and whether forecasts must be computed anew.
    finish: Option<Box<forecast::Finish>>,
    is_stale: bool,
    /// Version of all runs, if they share one.
    version: Option<String>,
    /// Page of the runs that take turns on the screen; `None` while the list can be scrolled.
    turn: Option<usize>,
    /// Time of opening, epoch milliseconds.
    opened_at: i64,
    /// A minute has passed since the last turn.
    turn_is_due: bool,
    /// True after a key: the cursor stays on its run.
    touched: bool,
    /// Lines of the screen for each run.
    lines: u16,
}

impl Monitor {
    /// Creates a monitor that shows these runs until the first answer.
    pub fn new(here: &[Arc<Run>], origin: Origin, chosen: Chosen, shared: &Shared) -> Self {
        let runs = here.iter().take(MOST_WATCHED).cloned();
        Self {
            runs: runs.map(WatchedRun::new).collect(),
            origin,
            every: chosen.pace(shared),
            chosen,
            lines: 1,
            ..Self::default()
        }
    }

    /// The run under the cursor.
    pub fn current(&self) -> Option<&WatchedRun> {
        self.at(self.scroll.cursor)
    }

    /// The run at a place of `order`.
    fn at(&self, place: usize) -> Option<&WatchedRun> {
        self.runs.get(*self.order.get(place)?)
    }

    /// Reference of the run under the cursor.
    fn here(&self) -> Option<DocRef> {
        self.current().map(|run| run.run.doc_ref.clone())
    }

    fn is_pinned(&self, run: &WatchedRun) -> bool {
        self.chosen.pinned.contains(&run.run.doc_ref)
    }

    /// Runs with a row of their own, in the order of the rows.
    pub fn listed(&self) -> impl Iterator<Item = &WatchedRun> {
        self.order.iter().filter_map(|place| self.runs.get(*place))
    }

    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.order.len());
    }

    /// Updates the standing of all runs at `now` (epoch milliseconds) and sorts them; the cursor stays on its run.
    fn arrange(&mut self, shared: &Shared, now: i64) {
        let here = self.here();
        self.arrange_around(here.as_ref(), shared, now);
    }

    /// Same as `arrange`, for a cursor whose run may be gone: `here` is the run it was on.
    fn arrange_around(&mut self, here: Option<&DocRef>, shared: &Shared, now: i64) {
        let mut totals = Totals::default();
        let mut versions = BTreeSet::new();
        each(&mut self.runs, self.totals.uncounted, |run, row| {
            run.update_standing(row, shared, now);
            versions.insert(row.version.clone());
            totals.add(run, row, shared);
        });
        let version = versions.pop_first().flatten();
        self.version = version.filter(|_| versions.is_empty());
        totals.uncounted = self.totals.uncounted;
        self.totals = totals;
        let listed = |place: &usize| !self.runs[*place].standing.folded();
        let mut order: Vec<usize> = (0..self.runs.len()).filter(listed).collect();
        if self.chosen.order.is_none() {
            order.sort_by_key(|place| self.runs[*place].standing.worst_first());
        }
        order.sort_by_key(|place| !self.is_pinned(&self.runs[*place]));
        self.order = order;
        let len = self.order.len();
        let row = self.listed().position(|run| Some(&run.run.doc_ref) == here);
        // Without a key or while runs take turns, the worst runs stay in view.
        let row = row.filter(|_| self.touched && self.turn.is_none());
        self.scroll.stay_on(row, len);
        let pages = self.pages();
        self.turn = self.turn.map(|turn| turn.min(pages - 1));
    }

    /// Compares the runs with the current limit without calling the user.
    fn judge_all(&mut self, done: &[ResultCode]) {
        let limit = self.limit.as_ref();
        each(&mut self.runs, self.totals.uncounted, |run, row| {
            run.judge(row, limit, done, true);
        });
    }

    /// Runs for the sums, without those that are gone.
    fn counted(&self, shared: &Shared) -> Vec<SumRun> {
        let runs = self.runs.iter().filter(|run| !run.is_gone());
        let of = |run: &WatchedRun| SumRun::of(&run.run.row(), shared.done_codes());
        runs.map(of).collect()
    }

    /// Pins or unpins the run under the cursor. Returns true if it is pinned now.
    pub fn pin(&mut self) -> Option<bool> {
        let run = self.here()?;
        let pinned = !self.chosen.pinned.remove(&run);
        if pinned {
            self.chosen.pinned.insert(run);
        }
        Some(pinned)
    }

    /// Moves to the next longer or shorter interval.
    fn change_pace(&mut self, slower: bool) {
        let next = if slower {
            STEPS.into_iter().find(|step| *step > self.every)
        } else {
            STEPS.into_iter().rev().find(|step| *step < self.every)
        };
        self.every = next.unwrap_or(self.every);
        self.chosen.every = Some(self.every);
    }
}

/// Calls `work` with each run and its row. If the service sends no results any more, older results are left out.
fn each(runs: &mut [WatchedRun], uncounted: bool, mut work: impl FnMut(&mut WatchedRun, &RunRow)) {
    let mut room = None;
    for run in runs {
        let row = room.get_or_insert_with(|| run.run.row());
        run.run.fill(row);
        row.results.take_if(|_| uncounted);
        work(run, row);
    }
}

/// Turns of the runs, if there are more runs than rows.
impl Monitor {
    /// Places of the runs that stay on the screen while others take turns: bad and pinned ones. Empty if they would
    /// leave no room, so that all take turns.
    fn staying(&self) -> Vec<usize> {
        let stays = |place: &usize| {
            self.at(*place)
                .is_some_and(|run| self.is_pinned(run) || run.standing.bad())
        };
        let staying: Vec<usize> = (0..self.order.len()).filter(stays).collect();
        let room = self.scroll.height;
        if staying.len() < room {
            staying
        } else {
            Vec::new()
        }
    }

    /// Places of the runs that are on the screen now.
    fn on_screen(&self) -> Vec<usize> {
        let (top, room) = (self.scroll.top, self.scroll.height);
        let Some(turn) = self.turn else {
            return (top..self.order.len().min(top + room)).collect();
        };
        let mut shown = self.staying();
        let turning: Vec<usize> = (0..self.order.len())
            .filter(|place| !shown.contains(place))
            .collect();
        let size = (room - shown.len()).max(1);
        // The last page is full: it begins with some of the page before.
        let first = (turn * size).min(turning.len().saturating_sub(size));
        shown.extend(turning.into_iter().skip(first).take(size));
        shown
    }

    /// Number of pages of the runs that take turns, at least 1.
    fn pages(&self) -> usize {
        let (len, room) = (self.order.len(), self.scroll.height);
        let staying = self.staying().len();
        let each = room.saturating_sub(staying).max(1);
        (len - staying).div_ceil(each).max(1)
    }

    /// Shows the next page of runs if no key was pressed for long enough. Called once a minute.
    fn next_turn(&mut self, cx: &Cx) {
        let (len, room) = (self.order.len(), self.scroll.height);
        if len <= room {
            self.turn = None;
            return;
        }
        if (0..ALONE).contains(&cx.now.saturating_sub(cx.key_at.max(self.opened_at))) {
            return;
        }
        let staying = self.staying().len();
        let turn = self.turn.map_or(1, |turn| turn + 1) % self.pages();
        self.turn = Some(turn);
        // Keeps the cursor on a visible run, as Enter opens it.
        let first = self.on_screen().get(staying).copied();
        self.scroll.cursor = first.unwrap_or(0);
        self.scroll.fit(len);
    }

    /// Stops the turns after a key and keeps the screen as it is.
    fn stop_turns(&mut self) {
        self.touched = true;
        if self.turn.take().is_some() {
            self.scroll.top = self.scroll.cursor;
            self.scroll.fit(self.order.len());
        }
    }

    /// Puts the cursor on the run at a line of the screen.
    fn point(&mut self, line: u16) {
        let row = usize::from(line / self.lines.max(1));
        if let Some(place) = self.on_screen().get(row) {
            self.scroll.cursor = *place;
        }
    }
}
