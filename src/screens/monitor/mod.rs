//! The monitor: all runs of a view, or some that somebody chose, read again and again; what is worst stands first.
//! Nothing is written to the service here: the run and its suites to add are opened, and ask before they write.

pub mod keys;
mod limit;
mod reading;
mod run;
mod today;
mod totals;
mod update;
mod view;
mod watched;

use crate::screens::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

pub use limit::{Figure, Limit, LimitState};
use reading::Pass;
pub use run::{Finish, Standing, Trouble, WatchedRun};
use today::BeforeToday;
pub use totals::Totals;
pub use watched::{Chosen, Origin};

use crate::domain::diff::Change;
use crate::domain::query_language::{Grammar, complete};
use crate::domain::{Days, MOST_WATCHED};
use crate::forecast::{self, SumRun};
use crate::mirror::Run;
use crate::ui::{Completing, Scroll};

/// Seconds to choose from.
const STEPS: [u64; 11] = [5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 86_400];
/// After so many milliseconds without a key the runs that there is no room for take their turn.
const ALONE: i64 = 60_000;

/// State of the monitor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Monitor {
    /// The runs that are watched, in the order of what the mirror answered last.
    pub runs: Vec<WatchedRun>,
    /// Places of those that have a row of their own, in their order.
    pub order: Vec<usize>,
    /// Cursor in it.
    pub scroll: Scroll,
    /// What all of them come to.
    pub totals: Totals,
    pub origin: Origin,
    /// The limit of all runs that have none of their own.
    pub limit: Option<Limit>,
    /// What somebody chose: it is for the next monitor too.
    pub chosen: Chosen,
    pub typing: Typing,
    /// The bell rings when somebody is called.
    pub bell: bool,
    /// Seconds between two readings.
    pub every: u64,
    /// When the last reading of all runs came to its end, epoch milliseconds.
    pub read_at: Option<i64>,
    /// When the newest reading of the list began that the mirror knows.
    listed_at: Option<i64>,
    /// Why the last reading brought nothing, or not all that was to be asked for.
    pub failure: Option<Failure>,
    /// The question that is asked now, and the days of it; `None` if it is to be asked anew.
    question: Option<(u64, Days)>,
    /// The question that was answered last.
    answered: u64,
    /// The reading under way, or the last one.
    pass: Pass,
    /// Runs of which the end is to be worked out.
    stale: VecDeque<DocRef>,
    /// When all runs will be done; that is to be worked out anew.
    finish: Option<Box<forecast::Finish>>,
    is_finish_stale: bool,
    /// The version of all runs, where it is one.
    version: Option<String>,
    /// Of which more cases failed or were blocked today before they were read here, those with most new failures first.
    worse: Vec<(Arc<Run>, Vec<Change>)>,
    /// Nobody pressed a key for long: the runs take turns, and this is the page of those that do.
    turn: Option<usize>,
    /// When it was opened, epoch milliseconds.
    opened_at: i64,
    /// When somebody pressed a key last, or opened the monitor, epoch milliseconds.
    key_at: i64,
    /// Somebody has pressed a key here: the cursor is theirs.
    touched: bool,
    /// Lines of the screen that a run takes.
    lines: u16,
}

/// The field at the foot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typing {
    pub input: Input,
    pub completing: Completing,
    /// What is typed, while the field has the focus.
    pub field: Option<Field>,
    /// It is for all runs, and not for the one under the cursor.
    pub for_all: bool,
    /// What is wrong with it.
    pub problem: Option<String>,
}

impl Typing {
    /// Tab completes a name; else it is for the other of all runs and one.
    fn completes(&self) -> bool {
        let at_cursor = || complete(self.input.text(), self.input.cursor(), Grammar::Condition);
        let is_limit = self.field == Some(Field::Limit);
        is_limit && (self.completing.is_on() || !at_cursor().word.is_empty())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Limit,
    /// The file for samples.
    Export,
}

impl Monitor {
    /// A monitor that begins with these runs.
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

    /// Name of the view that it is of.
    pub fn view_name(&self) -> Option<&str> {
        self.origin.view.as_deref()
    }

    /// The run under the cursor.
    pub fn current(&self) -> Option<&WatchedRun> {
        self.at(usize::try_from(self.scroll.cursor).ok()?)
    }

    /// The run at a place of the order.
    fn at(&self, place: usize) -> Option<&WatchedRun> {
        self.runs.get(*self.order.get(place)?)
    }

    /// The reference of the run under the cursor.
    fn here(&self) -> Option<DocRef> {
        self.current().map(|run| run.run.doc_ref.clone())
    }

    fn run_mut(&mut self, run: &DocRef) -> Option<&mut WatchedRun> {
        self.runs.iter_mut().find(|known| known.run.doc_ref == *run)
    }

    /// A run has a limit of its own.
    pub fn own_limit(&self, run: &WatchedRun) -> Option<&Limit> {
        self.chosen.limits_of_runs.get(&run.run.doc_ref)
    }

    fn is_pinned(&self, run: &WatchedRun) -> bool {
        self.chosen.pinned.contains(&run.run.doc_ref)
    }

    /// The runs with a row of their own, in their order.
    pub fn listed(&self) -> impl Iterator<Item = &WatchedRun> {
        self.order.iter().filter_map(|place| self.runs.get(*place))
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.order.len() as u64);
    }

    /// Works out how all runs stand at a time (epoch milliseconds), and puts them into their order; the cursor stays on
    /// its run.
    fn arrange(&mut self, shared: &Shared, now: i64) {
        let here = self.here();
        self.arrange_around(here.as_ref(), shared, now);
    }

    /// The same, where runs may have gone meanwhile: the cursor was on this one.
    fn arrange_around(&mut self, here: Option<&DocRef>, shared: &Shared, now: i64) {
        let before_today = BeforeToday::new(shared);
        let (mut totals, mut worse) = (Totals::default(), Vec::new());
        let mut versions = BTreeSet::new();
        each(&mut self.runs, self.totals.uncounted, |run, row| {
            run.stand(row, shared, now);
            versions.insert(row.version.clone());
            totals.add(run, row, shared);
            let changes = before_today.worse(row);
            if !changes.is_empty() {
                let failures = run.standing.new_failures;
                worse.push((Reverse(failures), (run.run.clone(), changes)));
            }
        });
        let version = versions.pop_first().flatten();
        self.version = version.filter(|_| versions.is_empty());
        worse.sort_by_key(|(failures, _)| *failures);
        self.worse = worse.into_iter().map(|(_, worse)| worse).collect();
        totals.uncounted = self.totals.uncounted;
        self.totals = totals;
        let listed = |place: &usize| !self.runs[*place].standing.folded();
        let mut order: Vec<usize> = (0..self.runs.len()).filter(listed).collect();
        if self.chosen.order.is_none() {
            order.sort_by_key(|place| self.runs[*place].standing.worst_first());
        }
        order.sort_by_key(|place| !self.is_pinned(&self.runs[*place]));
        self.order = order;
        let len = self.order.len() as u64;
        let place = self.listed().position(|run| Some(&run.run.doc_ref) == here);
        match place {
            // While nobody is there, what is worst is seen.
            Some(place) if self.touched && self.turn.is_none() => {
                self.scroll.carry(place as u64, len);
            }
            _ => self.scroll.fit(len),
        }
    }

    /// How the runs stand to the limits as they are now, without calling anybody for it.
    fn judge_all(&mut self, done: &[ResultCode]) {
        let (chosen, limit) = (&self.chosen, self.limit.as_ref());
        each(&mut self.runs, self.totals.uncounted, |run, row| {
            run.judge(row, chosen.limit_of(&run.run, limit), done, true);
        });
    }

    /// The runs as they are added up, but for those that are gone.
    fn counted(&self, shared: &Shared) -> Vec<SumRun> {
        let runs = self.runs.iter().filter(|run| !run.is_gone());
        let of = |run: &WatchedRun| SumRun::of(&run.run.row(), shared.done_codes());
        runs.map(of).collect()
    }

    /// Pins the run under the cursor, or takes the pin away; says which.
    pub fn pin(&mut self) -> Option<bool> {
        let run = self.here()?;
        let pinned = !self.chosen.pinned.remove(&run);
        if pinned {
            self.chosen.pinned.insert(run);
        }
        Some(pinned)
    }

    /// Reads less often, or more often.
    pub fn change_pace(&mut self, slower: bool) {
        let next = if slower {
            STEPS.into_iter().find(|step| *step > self.every)
        } else {
            STEPS.into_iter().rev().find(|step| *step < self.every)
        };
        self.every = next.unwrap_or(self.every);
        self.chosen.every = Some(self.every);
    }
}

/// Hands each run on with its row; where the service sends no results any more, without those that came before.
fn each(runs: &mut [WatchedRun], uncounted: bool, mut work: impl FnMut(&mut WatchedRun, &RunRow)) {
    let mut room = None;
    for run in runs {
        let row = room.get_or_insert_with(|| run.run.row());
        run.run.fill(row);
        row.results.take_if(|_| uncounted);
        work(run, row);
    }
}

/// Taking turns, where there are more runs than room.
impl Monitor {
    /// Places in the order of the runs that stay on the screen while the others take turns: those somebody should look
    /// at, and pinned ones. Where they would leave no room, all take turns.
    fn staying(&self) -> Vec<usize> {
        let stays = |place: &usize| {
            self.at(*place)
                .is_some_and(|run| self.is_pinned(run) || run.standing.bad())
        };
        let staying: Vec<usize> = (0..self.order.len()).filter(stays).collect();
        let room = self.scroll.height as usize;
        if staying.len() < room {
            staying
        } else {
            Vec::new()
        }
    }

    /// Places in the order of the runs that are on the screen now.
    fn on_screen(&self) -> Vec<usize> {
        let (top, room) = (self.scroll.top as usize, self.scroll.height as usize);
        let Some(turn) = self.turn else {
            return (top..self.order.len().min(top + room)).collect();
        };
        let mut shown = self.staying();
        let turning: Vec<usize> = (0..self.order.len())
            .filter(|place| !shown.contains(place))
            .collect();
        let size = (room - shown.len()).max(1);
        shown.extend(turning.into_iter().skip(turn * size).take(size));
        shown
    }

    /// Another minute: nobody has pressed a key for long, and the next page has its turn.
    fn next_turn(&mut self, now: i64) {
        let (len, room) = (self.order.len(), self.scroll.height as usize);
        if len <= room {
            self.turn = None;
            return;
        }
        if now.saturating_sub(self.key_at) < ALONE {
            return;
        }
        let staying = self.staying().len();
        let pages = (len - staying).div_ceil((room - staying).max(1));
        let turn = self.turn.map_or(1, |turn| turn + 1) % pages;
        self.turn = Some(turn);
        // Enter opens a run that is seen.
        let first = self.on_screen().get(staying).copied();
        self.scroll.cursor = first.unwrap_or(0) as u64;
        self.scroll.fit(len as u64);
    }

    /// Somebody has pressed a key: the list stands still, with what was on the screen.
    fn stand_still(&mut self, now: i64) {
        (self.key_at, self.touched) = (now, true);
        if self.turn.take().is_some() {
            self.scroll.top = self.scroll.cursor;
            self.scroll.fit(self.order.len() as u64);
        }
    }

    /// Puts the cursor on a run by the line of the screen it is on.
    fn point(&mut self, line: u16) {
        let row = usize::from(line / self.lines.max(1));
        if let Some(place) = self.on_screen().get(row) {
            self.scroll.cursor = *place as u64;
        }
    }
}
