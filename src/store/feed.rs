//! What is new since a person looked: runs as they were read last, what changed in them between two readings, and which
//! of that nobody has looked at yet.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use super::Action;
use super::earlier::oldest_of;
use crate::domain::diff::{Ignored, News, OwnWrite};
use crate::domain::{DocRef, Filter, RunRow, Sample, diff};
use crate::ui::Scroll;

/// Changes kept for reading.
const KEPT: usize = 300;
/// Runs whose last state is kept, unless they are large; those that were not seen for longest go first. A quarter as many
/// may have changes that nobody looked at.
const KNOWN: usize = 4_000;
/// Bytes in which runs are large: the service may make their texts long.
const LARGE: usize = 16 << 20;
/// Whole lists kept for comparison.
const WHOLES: usize = 3;
/// Runs seen for the first time whose counts are kept, within a day: what is on the screen and some pages more. A list of
/// a million runs that is scrolled through must not take the place of what was kept before.
const FIRST_SIGHTS: usize = 1_000;
/// Milliseconds of a day.
const DAY: u64 = 86_400_000;
/// What was written from here shows within so many milliseconds.
const SHOWS: i64 = 10 * 60_000;
/// More runs than these that appear or vanish at once are one line.
const TOGETHER: usize = 20;

/// One line of the feed.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was seen, epoch milliseconds.
    pub at: i64,
    /// The run, unless it is about the service.
    pub run: Option<DocRef>,
    /// What a person knows the run by.
    pub name: String,
    /// What is new.
    pub what: What,
    /// Somebody has looked at the run since.
    pub looked_at: bool,
}

/// What is new.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Something about a run that the service told.
    News(News),
    /// The run is not found by the filter any more.
    Left,
    /// Something that follows from it, in words.
    Told {
        words: String,
        /// Somebody should look.
        bad: bool,
    },
}

impl Entry {
    fn new(at: i64, run: Option<DocRef>, name: &str, what: What) -> Self {
        Self {
            at,
            run,
            name: name.to_owned(),
            what,
            looked_at: false,
        }
    }

    /// About a run.
    pub fn of_run(at: i64, run: &RunRow, what: What) -> Self {
        Self::new(at, Some(run.doc_ref.clone()), run.name(), what)
    }

    /// About the service, and no run.
    pub fn of_service(at: i64, words: String, bad: bool) -> Self {
        Self::new(at, None, "--", What::Told { words, bad })
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::News(news) => news.fmt(f),
            Self::Left => f.write_str("is not found by this filter any more"),
            Self::Told { words, .. } => f.write_str(words),
        }
    }
}

/// Runs as read last, and what changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    /// What changed, newest first.
    pub entries: VecDeque<Entry>,
    /// The feed has the focus.
    pub open: bool,
    /// Cursor in it.
    pub scroll: Scroll,
    known: HashMap<DocRef, Known>,
    /// Bytes of one of them, on average.
    bytes: usize,
    /// Runs that are new, or changed, and nobody looked at since: their state before the first of the changes, `None` for a
    /// new one.
    unread: HashMap<DocRef, Option<RunRow>>,
    /// The last lists that were here as a whole, each of another filter.
    wholes: VecDeque<Whole>,
    ignored: Ignored,
    /// What was written to runs from here, and when last: what the next reading shows of that is no news.
    written: HashMap<DocRef, (i64, Vec<OwnWrite>)>,
    /// Runs that were made from here, and when: that they appear is no news.
    made: HashMap<DocRef, i64>,
    turn: u64,
    /// First sights that were kept, and since when they are counted.
    first_sights: (usize, i64),
}

#[derive(Clone, Debug, PartialEq)]
struct Known {
    row: RunRow,
    /// When it was read, epoch milliseconds.
    at: i64,
    turn: u64,
}

/// The last list that was read from its first to its last run.
#[derive(Clone, Debug, PartialEq)]
struct Whole {
    filter: Filter,
    reading: u64,
    runs: HashSet<DocRef>,
    /// Runs that it did not have, and the one before it had.
    missing: HashSet<DocRef>,
}

impl Feed {
    /// An empty one that tells no changes of these fields.
    pub fn new(ignored: Ignored) -> Self {
        Self {
            ignored,
            ..Self::default()
        }
    }

    /// Takes runs as they were read now (epoch milliseconds). Returns their counts, which are to be kept; of runs that are
    /// seen for the first time only so many in a day.
    pub fn saw<'a>(
        &mut self,
        rows: impl IntoIterator<Item = &'a RunRow>,
        now: i64,
    ) -> Vec<(DocRef, Sample)> {
        self.turn += 1;
        let mut samples = Vec::new();
        let sample = |row: &RunRow| (row.doc_ref.clone(), Sample::of(row, now));
        let mut is_larger = false;
        for row in rows {
            let is_counted = row.results.is_some();
            let Some(known) = self.known.get_mut(&row.doc_ref) else {
                if is_counted && self.keeps_first_sight(now) {
                    samples.push(sample(row));
                }
                is_larger = true;
                let (row, at, turn) = (row.clone(), now, self.turn);
                let run = row.doc_ref.clone();
                self.known.insert(run, Known { row, at, turn });
                continue;
            };
            if is_counted {
                samples.push(sample(row));
            }
            (known.at, known.turn) = (now, self.turn);
            if known.row == *row {
                continue;
            }
            is_larger = true;
            let mut changes = diff::run(&known.row, row, &self.ignored);
            let own = own(&mut self.written, &row.doc_ref, now);
            changes.retain(|change| !own.iter().any(|write| change.may_follow_from(write)));
            let by = diff::edited_by(&known.row, row).map(str::to_owned);
            let now_row = row.clone().with_counts_of(&known.row);
            let before = std::mem::replace(&mut known.row, now_row);
            if !changes.is_empty() {
                self.changed(before, News::Changed { changes, by }, now);
            }
            self.compare(&row.doc_ref);
        }
        if is_larger {
            self.forget();
        }
        samples
    }

    /// A run was written from here.
    pub fn wrote(&mut self, run: &DocRef, write: OwnWrite, now: i64) {
        self.written.retain(|_, (at, _)| now - *at <= SHOWS);
        let (at, writes) = self.written.entry(run.clone()).or_default();
        *at = now;
        writes.push(write);
    }

    /// A run was made from here.
    pub fn made(&mut self, run: &DocRef, now: i64) {
        self.made.retain(|_, at| now - *at <= SHOWS);
        self.made.insert(run.clone(), now);
    }

    fn keeps_first_sight(&mut self, now: i64) -> bool {
        if now.abs_diff(self.first_sights.1) >= DAY {
            self.first_sights = (0, now);
        }
        self.first_sights.0 += 1;
        self.first_sights.0 <= FIRST_SIGHTS
    }

    fn changed(&mut self, before: RunRow, news: News, now: i64) {
        let entry = Entry::of_run(now, &before, What::News(news));
        self.is_new(&before.doc_ref.clone(), Some(before));
        self.push(entry);
    }

    /// Something is new about a run that was so before, unless it is a new one.
    fn is_new(&mut self, run: &DocRef, before: Option<RunRow>) {
        if self.unread.len() < self.room() / 4 {
            self.unread.entry(run.clone()).or_insert(before);
        }
    }

    /// What went back to how it was when somebody looked at it is nothing to look at.
    fn compare(&mut self, run: &DocRef) {
        if let (Some(known), Some(Some(before))) = (self.known.get(run), self.unread.get(run))
            && diff::run(before, &known.row, &self.ignored).is_empty()
        {
            self.unread.remove(run);
        }
    }

    /// Takes the list as it is after a reading, if it is here from its first to its last run: runs that appeared and
    /// vanished. A list of one page is of one moment. In one of several pages a run that moves while they are read may be
    /// in none of them, and a second such move hides the first; and what is missing in a filtered one may be there and fit
    /// no more: what is missing there is returned, to be asked for.
    pub fn saw_list<'a>(
        &mut self,
        filter: &Filter,
        (reading, one_page): (u64, bool),
        rows: impl Iterator<Item = &'a RunRow>,
        size: u64,
        now: i64,
    ) -> Vec<DocRef> {
        let place = self.wholes.iter().position(|whole| whole.filter == *filter);
        if place.is_some_and(|place| self.wholes[place].reading == reading) {
            return Vec::new();
        }
        let rows: Vec<&RunRow> = rows.collect();
        let runs: HashSet<DocRef> = rows.iter().map(|row| row.doc_ref.clone()).collect();
        if runs.len() as u64 != size {
            return Vec::new();
        }
        let mut missing = HashSet::new();
        if let Some(before) = place.and_then(|place| self.wholes.remove(place)) {
            let gone: Vec<&DocRef> = before
                .runs
                .union(&before.missing)
                .filter(|run| !runs.contains(*run))
                .collect();
            if one_page && (filter.is_empty() || gone.len() > TOGETHER) {
                self.vanished(&gone, filter.is_empty(), now);
            } else {
                missing.extend(gone.into_iter().cloned());
            }
            let mut new = rows;
            new.retain(|row| {
                let run = &row.doc_ref;
                let known = before.runs.contains(run) || before.missing.contains(run);
                !known && self.made.remove(run).is_none_or(|at| now - at > SHOWS)
            });
            self.appeared(&new, now);
        }
        let doubtful = missing.iter().cloned().collect();
        self.wholes.push_front(Whole {
            filter: filter.clone(),
            reading,
            runs,
            missing,
        });
        self.wholes.truncate(WHOLES);
        doubtful
    }

    /// A run that was missing in a list was asked for by its id, and is there: a list that it does not fit any more need
    /// not have it.
    pub fn is_there(&mut self, row: &RunRow) {
        for whole in &mut self.wholes {
            if whole.filter.rules_out(row) {
                whole.missing.remove(&row.doc_ref);
            }
        }
    }

    /// A run that was missing in a list was asked for by its id, and is not there.
    pub fn is_gone(&mut self, run: &DocRef, now: i64) {
        for whole in &mut self.wholes {
            whole.missing.remove(run);
            whole.runs.remove(run);
        }
        self.vanished(&[run], true, now);
    }

    fn appeared(&mut self, rows: &[&RunRow], now: i64) {
        for row in rows {
            self.is_new(&row.doc_ref, None);
        }
        if rows.len() > TOGETHER {
            return self.tell(format!("{} runs appeared", rows.len()), now);
        }
        for row in rows.iter().rev() {
            let by = row.edited_by.clone();
            let what = What::News(News::Appeared { by });
            self.push(Entry::of_run(now, row, what));
        }
    }

    /// `all` says that they are gone from the list of all runs, else from that of a filter.
    fn vanished(&mut self, runs: &[&DocRef], all: bool, now: i64) {
        // What was changed may fit no more; only what was deleted is gone for it.
        let is_own = |run: &&DocRef| {
            own(&mut self.written, run, now)
                .iter()
                .any(|write| !all || *write == OwnWrite::Deletion)
        };
        let own: Vec<bool> = runs.iter().map(is_own).collect();
        let others = own.iter().filter(|own| !**own).count();
        if others > TOGETHER {
            let what = if all {
                "vanished"
            } else {
                "are not found by this filter any more"
            };
            self.tell(format!("{others} runs {what}"), now);
        }
        for (run, own) in runs.iter().zip(own) {
            self.unread.remove(*run);
            let name = self
                .known
                .get(*run)
                .map_or(run.as_str(), |known| known.row.name())
                .to_owned();
            let what = if all {
                self.known.remove(*run);
                What::News(News::Vanished)
            } else {
                What::Left
            };
            if others <= TOGETHER && !own {
                self.push(Entry::new(now, Some((*run).clone()), &name, what));
            }
        }
    }

    fn tell(&mut self, words: String, now: i64) {
        let what = What::Told { words, bad: false };
        self.push(Entry::new(now, None, "list", what));
    }

    /// Adds a line; what a person reads in the feed stays under the cursor.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push_front(entry);
        if self.open {
            self.scroll.follow_new_row();
        }
        self.entries.truncate(KEPT);
        self.scroll.fit(self.entries.len() as u64);
    }

    /// Runs for which there is room, as large as they are.
    fn room(&self) -> usize {
        LARGE
            .checked_div(self.bytes)
            .map_or(KNOWN, |runs| runs.min(KNOWN))
    }

    /// Keeps what was seen last, where it is too much.
    fn forget(&mut self) {
        let bytes = self.known.values().map(|known| known.row.bytes());
        self.bytes = bytes
            .sum::<usize>()
            .checked_div(self.known.len())
            .unwrap_or_default();
        if self.known.len() <= self.room() {
            return;
        }
        let turns = self.known.values().map(|known| known.turn);
        // Down to three quarters, so that it is not done for every page.
        let oldest = oldest_of(turns.collect(), (self.room() * 3 / 4).max(1));
        self.known
            .retain(|run, known| known.turn >= oldest || self.unread.contains_key(run));
    }

    /// A run as it was read last, and when (epoch milliseconds).
    pub fn known(&self, run: &DocRef) -> Option<(&RunRow, i64)> {
        self.known.get(run).map(|known| (&known.row, known.at))
    }

    /// A run as it was read last, and when (epoch milliseconds): here it was read then.
    pub fn newest(&self, row: RunRow, at: i64) -> (RunRow, i64) {
        let known = self.known(&row.doc_ref);
        known.map_or((row, at), |(known, at)| (known.clone(), at))
    }

    /// Nobody looked at what is new about a run.
    pub fn is_unread(&self, run: &DocRef) -> bool {
        self.unread.contains_key(run)
    }

    /// How often runs were seen.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Somebody has looked at a run.
    pub fn looked_at(&mut self, run: &DocRef) {
        self.unread.remove(run);
        self.entries
            .iter_mut()
            .filter(|entry| entry.run.as_ref() == Some(run))
            .for_each(|entry| entry.looked_at = true);
    }

    /// Somebody has looked at everything.
    pub fn looked_at_all(&mut self) {
        self.unread.clear();
        self.entries
            .iter_mut()
            .for_each(|entry| entry.looked_at = true);
    }

    /// The line under the cursor.
    pub fn current(&self) -> Option<&Entry> {
        self.entries.get(usize::try_from(self.scroll.cursor).ok()?)
    }

    /// Takes a key or click that moves the cursor, and what it comes to was looked at; whether it was one.
    pub fn moves(&mut self, action: &Action) -> bool {
        let moves = self.scroll.update(action, self.entries.len() as u64);
        if moves {
            self.look();
        }
        moves
    }

    /// The feed gets the focus.
    pub fn enter(&mut self) {
        self.open = true;
        self.scroll.rewind();
        self.look();
    }

    fn look(&mut self) {
        if let Some(run) = self.current().and_then(|entry| entry.run.clone()) {
            self.looked_at(&run);
        }
    }
}

/// What was written to a run from here a moment ago, where this is the first that is seen of it.
fn own(
    written: &mut HashMap<DocRef, (i64, Vec<OwnWrite>)>,
    run: &DocRef,
    now: i64,
) -> Vec<OwnWrite> {
    let writes = written.remove(run).filter(|(at, _)| now - at <= SHOWS);
    writes.map(|(_, writes)| writes).unwrap_or_default()
}
