//! What runs told before today, as far as samples were kept of it: from that a row says how many more there are since.

use std::collections::{HashMap, VecDeque};

use jiff::tz::TimeZone;

use crate::domain::{Days, DocRef, ResultCode, ResultCounts, RunRow, Sample};

/// Runs that are known at most; those that were not seen for longest go first.
const MOST: usize = 10_000;
/// Runs that can be compared together: of more some would be forgotten meanwhile.
pub const MOST_TOGETHER: u64 = (MOST * 3 / 4) as u64;
/// Runs that are asked for at once.
pub const AT_ONCE: usize = 500;

/// Cases by result in the order of [`ResultCode::ALL`], the last for all other codes together.
type Cases = [u64; ResultCode::ALL.len() + 1];

/// The newest counts from before today of the runs that were seen. They are asked for once, in the order in which the
/// runs were seen, and all of them again when another day begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierReadings {
    /// The day before which they were read; nothing before a profile is in use.
    days: Option<Days>,
    runs: HashMap<DocRef, Seen>,
    /// Runs that are to be asked for.
    wanted: VecDeque<DocRef>,
    /// Runs that are asked for.
    asked: Vec<DocRef>,
    turn: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    /// When the run was seen last.
    turn: u64,
    /// Nothing before the answer, and where no earlier reading was kept.
    reading: Option<Before>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Before {
    /// When the run still stood so, epoch milliseconds; before today.
    at: i64,
    cases: Cases,
}

/// Which counts there are to show.
impl EarlierReadings {
    /// How many more cases are at Failed (new) than in the earlier reading: the `+n` at Fail, and more than 0 for a run
    /// with new failures. Nothing where there is no earlier reading or the row does not tell its counts in full.
    pub fn more_failed(&self, row: &RunRow) -> Option<u64> {
        self.more(row, &[ResultCode::FailedNew])
    }

    /// How many more cases are blocked or on hold than in the earlier reading: the `+n` at Block. Nothing as in
    /// [`Self::more_failed`].
    pub fn more_blocked(&self, row: &RunRow) -> Option<u64> {
        self.more(row, ResultCode::BLOCKED)
    }

    /// How many cases were at this result in the earlier reading, to compare with what the row tells. Nothing as in
    /// [`Self::more_failed`].
    pub fn before(&self, row: &RunRow, code: ResultCode) -> Option<u64> {
        let (before, _) = self.both(row)?;
        Some(before[usize::from(code.number()) - 1])
    }

    /// Whether any count differs from the earlier reading. Nothing as in [`Self::more_failed`].
    pub fn moved(&self, row: &RunRow) -> Option<bool> {
        let (before, now) = self.both(row)?;
        Some(before != now)
    }

    /// The run belongs to today: it was edited today, or a count has moved.
    pub fn is_of_today(&self, row: &RunRow) -> bool {
        self.days
            .is_some_and(|days| row.edited_on.is_some_and(|at| days.is_today(at)))
            || self.moved(row) == Some(true)
    }

    /// Since when these runs are compared, where that is not simply since yesterday: the time (epoch milliseconds) of the
    /// oldest of their earlier readings, if it lies before yesterday.
    pub fn since<'a>(&self, runs: impl IntoIterator<Item = &'a DocRef>) -> Option<i64> {
        let yesterday = self.days?.yesterday;
        let oldest = runs
            .into_iter()
            .filter_map(|run| self.reading(run))
            .map(|reading| reading.at)
            .min()?;
        (oldest < yesterday).then_some(oldest)
    }

    /// There is an earlier reading of this run.
    pub fn has(&self, run: &DocRef) -> bool {
        self.reading(run).is_some()
    }

    /// Not every run that was seen has its answer yet.
    pub fn waits(&self) -> bool {
        !self.wanted.is_empty() || !self.asked.is_empty()
    }

    /// The days by which all this is reckoned; nothing before a profile is in use.
    pub fn days(&self) -> Option<Days> {
        self.days
    }

    fn reading(&self, run: &DocRef) -> Option<&Before> {
        self.runs.get(run)?.reading.as_ref()
    }

    fn both(&self, row: &RunRow) -> Option<(Cases, Cases)> {
        let reading = self.reading(&row.doc_ref)?;
        Some((reading.cases, cases(row.results.as_ref()?)?))
    }

    fn more(&self, row: &RunRow, codes: &[ResultCode]) -> Option<u64> {
        let (before, now) = self.both(row)?;
        let sum = |cases: &Cases| {
            codes
                .iter()
                .map(|code| cases[usize::from(code.number()) - 1])
                .fold(0, u64::saturating_add)
        };
        Some(sum(&now).saturating_sub(sum(&before)))
    }
}

/// Asking for them.
impl EarlierReadings {
    /// Takes note of runs that are shown: what they told before today is wanted.
    pub fn saw<'a>(&mut self, rows: impl IntoIterator<Item = &'a RunRow>) {
        for row in rows.into_iter().filter(|row| row.results.is_some()) {
            self.turn += 1;
            let turn = self.turn;
            if let Some(known) = self.runs.get_mut(&row.doc_ref) {
                known.turn = turn;
            } else {
                let reading = None;
                self.runs
                    .insert(row.doc_ref.clone(), Seen { turn, reading });
                self.wanted.push_back(row.doc_ref.clone());
            }
        }
        self.forget();
    }

    fn forget(&mut self) {
        if self.runs.len() <= MOST {
            return;
        }
        // Down to three quarters, so that it is not done for every page.
        let turns = self.runs.values().map(|known| known.turn);
        let oldest = oldest_of(turns.collect(), MOST_TOGETHER as usize);
        self.runs.retain(|_, known| known.turn >= oldest);
        self.wanted.retain(|run| self.runs.contains_key(run));
    }

    /// The next runs to ask for, and the time (epoch milliseconds) before which: one question at a time. On another day
    /// than before nothing holds any more, and an answer that is under way is not wanted.
    pub(super) fn next(&mut self, now: i64, zone: &TimeZone) -> Option<(Vec<DocRef>, i64)> {
        if !self.days.is_some_and(|days| days.is_today(now)) {
            self.days = Some(Days::at(now, zone)?);
            self.ask_anew();
        }
        if !self.asked.is_empty() || self.wanted.is_empty() {
            return None;
        }
        let batch = self.wanted.len().min(AT_ONCE);
        self.asked = self.wanted.drain(..batch).collect();
        Some((self.asked.clone(), self.days?.today))
    }

    fn ask_anew(&mut self) {
        self.asked.clear();
        let mut runs: Vec<(u64, DocRef)> = Vec::with_capacity(self.runs.len());
        for (run, known) in &mut self.runs {
            known.reading = None;
            runs.push((known.turn, run.clone()));
        }
        // What was seen last is on the screen.
        runs.sort_unstable_by(|a, b| b.cmp(a));
        self.wanted = runs.into_iter().map(|(_, run)| run).collect();
    }

    /// Takes the answer. Where nothing could be read, the runs are asked for again when they are seen the next time.
    pub(super) fn came(&mut self, found: Option<Vec<(DocRef, Sample)>>) {
        let asked = std::mem::take(&mut self.asked);
        let Some(found) = found else {
            for run in asked {
                self.runs.remove(&run);
            }
            return;
        };
        let today = self.days.map_or(i64::MAX, |days| days.today);
        for (run, sample) in found {
            let cases = sample.counts.as_ref().and_then(cases);
            if let (Some(known), Some(cases)) = (self.runs.get_mut(&run), cases) {
                // It may have stood so until today.
                let at = sample.seen_until.min(today.saturating_sub(1));
                known.reading = Some(Before { at, cases });
            }
        }
    }
}

/// The oldest of the newest turns, if so many of them are kept.
pub(super) fn oldest_of(mut turns: Vec<u64>, kept: usize) -> u64 {
    let gone = turns.len() - kept;
    *turns.select_nth_unstable(gone).1
}

/// Nothing where a count could not be read: it may be of any code.
fn cases(counts: &ResultCounts) -> Option<Cases> {
    if counts.unread > 0 {
        return None;
    }
    let mut cases: Cases = [counts.unnamed(); _];
    for (at, code) in cases.iter_mut().zip(ResultCode::ALL) {
        *at = counts.get(code);
    }
    Some(cases)
}
