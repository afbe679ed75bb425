//! Plan of a reading: the next step, as a pure function of the mirror and the pages so far.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use super::prelude::*;
use super::{Mirror, Presence, Run, Wanted};
use crate::domain::{FailureKind, MOST_WATCHED, Page, RunsPage, Sort};

/// Entries of a page; reduced if the service sends fewer or refuses as many.
const PAGE: u32 = 100;
/// Minimum number of entries of a short page that show a limit; fewer may be the end of a list with a wrong size.
const LEAST: u64 = 10;
/// Number of equally short pages in a row that show a limit.
const EQUAL: u32 = 3;
/// Maximum number of pages of open runs in a refresh; of a longer list each refresh reads the next part.
const OPEN_PAGES: u64 = 4;
/// Maximum number of pages of open runs in the first reading.
const START: u32 = 8;
/// Maximum number of list calls of the first reading.
const START_CALLS: u32 = START + 2;
/// Maximum number of list calls of a refresh, with those by id.
const REFRESH: u32 = 6;
/// Largest project that is read completely at the first start.
const SMALL: u64 = 500;
/// Maximum number of missing runs that one reading asks for by id.
const MOST_ASKED: usize = 3;
/// Maximum number of passes through a list that changes while it is read.
const PASSES: u32 = 2;
/// Maximum number of entries of a list, as a protection against endless ones.
const MOST: u64 = 5_000_000;

/// Extent of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Open runs and newest edits in few calls; repeated by itself.
    Refresh,
    /// Same as `Refresh` with more open runs: the first reading.
    Start,
    /// Lists to their ends, the newest edits of very long ones: for the monitor.
    Watch,
    /// One list to its end.
    List,
    /// All open runs and all edits since the last reading.
    Sync,
    /// All runs.
    All,
}

impl Depth {
    /// Extent for comparison with readings of other programs.
    pub fn wanted(self, lists: &[Filter]) -> Wanted {
        let rank = match self {
            Self::Watch | Self::List => -1,
            Self::Refresh | Self::Start => 0,
            Self::Sync => 1,
            Self::All => 2,
        };
        let names = lists.iter().filter(|_| rank <= 0);
        let names: Vec<String> = names.map(|list| list.lines().join("\n")).collect();
        Wanted {
            list: names.join("\n\n"),
            rank,
        }
    }
}

/// Way of the refreshes through a long list, a part each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    /// Offset of the next part.
    offset: u64,
    /// Start of the turn, epoch milliseconds.
    begun: i64,
    /// Start of the last turn that came to the end of the list.
    ended: Option<i64>,
}

impl Turn {
    /// Moves on to the part at `offset`, or after the last one to the first, in a reading that began at `begun`.
    fn go(&mut self, offset: Option<u64>, begun: i64) {
        if self.offset == 0 {
            self.begun = begun;
        }
        if offset.is_none() {
            self.ended = Some(self.begun);
        }
        self.offset = offset.unwrap_or(0);
    }
}

/// Next step of a reading.
#[derive(Clone, Debug, PartialEq)]
pub enum NextRead {
    /// One page of a list.
    Page {
        filter: Filter,
        sort: Vec<Sort>,
        page: Page,
    },
    /// One run that is missing in its list, by its short id if it has one, and as a document.
    Ask {
        run: DocRef,
        id: Option<String>,
    },
    End,
}

#[derive(Clone, Debug, PartialEq)]
enum Stage {
    /// One of the first lists.
    List(usize),
    Edits,
    All,
    /// Runs with their short ids.
    Missing(Vec<(DocRef, Option<String>)>),
}

/// Next step after a failed page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The reading goes on in another way, and the failure is none.
    Again,
    /// The next list is read; the failure is told at the end.
    NextList,
    End,
}

/// A running reading.
#[derive(Debug)]
pub struct RunsReading {
    wish: Depth,
    /// Lists to begin with.
    lists: Vec<Filter>,
    /// Time of the start, epoch milliseconds.
    pub begun: i64,
    stage: Stage,
    limit: u32,
    /// True if `limit` is lower since the service refused more.
    is_limited: bool,
    /// True if the service does not apply the order of the edits.
    pub lacks_edits: bool,
    /// True if the service refused the order of this list.
    unsorted: bool,
    pass: ListPass,
    passes: u32,
    /// Newest edit of the last reading that had all edits since the one before.
    mark: Option<i64>,
    /// Edit down to which this reading goes: a reading by itself leaves to a whole one what another by itself has left.
    goal: Option<i64>,
    /// Newest edit of this reading.
    newest: Option<i64>,
    /// Lists that were read to their ends, with size and completeness.
    ended: Vec<(Filter, u64, bool)>,
    /// Number of list calls.
    pub calls: u32,
    /// True if all lists that had to be complete are.
    pub is_complete: bool,
    /// True if a list had no proper end.
    is_cut: bool,
    /// Number of runs before an empty page in the first pass through this list.
    short_at: Option<u64>,
    /// True if a list returned fewer runs than its size, the same number in both passes.
    pub is_short: bool,
    /// Value of `Mirror::emptied` at the start.
    emptied: u32,
    /// True if the account was refused: it counts once.
    is_barred: bool,
    /// Number of runs of the project, from the list of newest edits.
    pub full_size: Option<u64>,
}

/// One pass through a list.
#[derive(Debug, Default)]
struct ListPass {
    offset: u64,
    received: u64,
    first_size: Option<u64>,
    /// Entries of the last page, if it was short although more followed, and the number of equal pages in a row.
    short: (Option<u32>, u32),
    /// Digests of the references so far.
    seen: HashSet<u64>,
    digest: RandomState,
}

/// A page, counted into its pass.
#[derive(Clone, Copy)]
struct CountedPage {
    got: u64,
    /// Entries that no page of the pass had before.
    new: u64,
    /// The size of the list, as this page and the first one tell.
    size: u64,
    first_size: u64,
    is_last: bool,
    /// The pass ends here although more should follow.
    is_cut: bool,
}

impl RunsReading {
    /// Starts a reading at `begun` (epoch milliseconds). The lists are of open runs unless only they are read.
    /// `page_size` is that of the profile.
    pub fn new(
        wish: Depth,
        lists: Vec<Filter>,
        page_size: u32,
        mirror: &Mirror,
        begun: i64,
    ) -> Self {
        let mut reading = Self {
            wish,
            lists,
            begun,
            stage: if wish == Depth::All {
                Stage::All
            } else {
                Stage::List(0)
            },
            // A long reading learns anew: hidden runs may have looked like a limit.
            limit: mirror
                .page_limit
                .filter(|_| wish < Depth::Sync)
                .unwrap_or(PAGE.max(page_size)),
            is_limited: false,
            lacks_edits: false,
            unsorted: false,
            pass: ListPass::default(),
            passes: 0,
            mark: mirror.edits,
            goal: if matches!(wish, Depth::Refresh | Depth::Start) {
                mirror.edits.max(mirror.edits_seen)
            } else {
                mirror.edits
            },
            newest: None,
            ended: Vec::new(),
            calls: 0,
            is_complete: true,
            is_cut: false,
            short_at: None,
            is_short: false,
            emptied: mirror.emptied,
            is_barred: false,
            full_size: None,
        };
        reading.pass.offset = reading.turn(mirror);
        reading
    }

    /// Returns the next step.
    pub fn next(&self) -> NextRead {
        let sort = match &self.stage {
            Stage::Missing(runs) => {
                let ask = |(run, id)| NextRead::Ask { run, id };
                return runs.first().cloned().map_or(NextRead::End, ask);
            }
            Stage::Edits => Sort::newest_edits(),
            // One run has no order, and the service may refuse it.
            Stage::List(_) if self.is_by_id() => Vec::new(),
            // The rows that are visible first are read first.
            Stage::List(_)
                if matches!(self.wish, Depth::Start | Depth::Watch) && self.passes == 0 =>
            {
                Sort::newest_edits()
            }
            // In this order only removed runs can shift the pages.
            Stage::List(_) | Stage::All => vec![Sort::by(fields::CREATED_ON.path, false)],
        };
        NextRead::Page {
            filter: self.filter(),
            sort: if self.unsorted { Vec::new() } else { sort },
            page: Page {
                offset: self.pass.offset,
                limit: self.limit,
            },
        }
    }

    /// Filter of the list of open runs.
    pub fn open_runs() -> Filter {
        let active = Status::Active;
        Filter::of(active.as_text().map(|it| fields::STATUS.filter(it)))
    }

    fn filter(&self) -> Filter {
        match self.stage {
            Stage::List(place) => self.lists.get(place).cloned().unwrap_or_default(),
            _ => Filter::default(),
        }
    }

    /// Offset at which a refresh continues a long list.
    fn turn(&self, mirror: &Mirror) -> u64 {
        let turn = mirror.turns.get(&self.filter().filters);
        let turn =
            turn.filter(|_| self.wish == Depth::Refresh && matches!(self.stage, Stage::List(_)));
        turn.map_or(0, |turn| turn.offset)
    }

    /// Moves on to the next list, or to the step after the last one.
    fn after_list(&mut self, mirror: &mut Mirror) -> Done {
        match self.stage {
            Stage::List(place) if place + 1 < self.lists.len() => {
                self.go(Stage::List(place + 1));
                self.pass.offset = self.turn(mirror);
            }
            Stage::List(_) if matches!(self.wish, Depth::List | Depth::Watch) => {
                return self.finish(mirror);
            }
            _ => self.go(Stage::Edits),
        }
        Ok(())
    }

    /// Returns true if the list is too long for a refresh; the lists share the pages.
    fn is_long(&self, size: u64) -> bool {
        let pages = OPEN_PAGES / self.lists.len().max(1) as u64;
        size > pages * u64::from(self.limit.min(PAGE))
    }

    /// Returns true if enough of the list was read for this depth.
    fn is_enough(&self, size: u64) -> bool {
        match self.wish {
            Depth::Refresh => self.is_long(size),
            Depth::Start => match self.stage {
                Stage::List(place) => {
                    self.calls >= START * (place as u32 + 1) / self.lists.len() as u32
                }
                _ => false,
            },
            Depth::Watch => self.pass.offset >= MOST_WATCHED as u64,
            _ => false,
        }
    }

    /// Returns true for the list of a short id. A service that ignores the filter lists all runs.
    fn is_by_id(&self) -> bool {
        let filter = self.filter();
        filter.named().any(|(path, _)| path == fields::ID.path)
    }

    fn is_by_itself(&self) -> bool {
        matches!(self.wish, Depth::Refresh | Depth::Start)
    }

    /// Minimum number of further list calls, if known.
    pub fn calls_left(&self) -> Option<u64> {
        let size = self.pass.first_size?;
        Some(
            size.saturating_sub(self.pass.received)
                .div_ceil(u64::from(self.limit)),
        )
    }

    /// Takes a page whose rows are in the mirror already.
    pub fn on_page(&mut self, page: &RunsPage, mirror: &mut Mirror) -> Done {
        mirror.saw_page(page);
        mirror.saw_list(&self.filter(), page);
        if !page.rows.is_empty() {
            mirror.may_see(true)?;
        }
        self.calls += 1;
        let counted = self.count(page, mirror)?;
        match self.stage {
            Stage::List(_) | Stage::All => self.on_list(counted, mirror),
            Stage::Edits => self.on_edits(page, counted, mirror),
            Stage::Missing(_) => Ok(()),
        }
    }

    /// Counts a page of the pass, and learns the limit of the service from it.
    fn count(&mut self, page: &RunsPage, mirror: &mut Mirror) -> Done<CountedPage> {
        let (got, size) = (page.rows.len() as u64, page.full_size);
        if std::mem::take(&mut self.is_limited) {
            mirror.learn_limit(self.limit)?;
        }
        let is_last = self.pass.offset + got >= size;
        let is_short = LEAST <= got && got < u64::from(self.limit) && !is_last;
        let short = is_short.then_some(got as u32);
        let (last, equal) = &mut self.pass.short;
        *equal = if short == *last { *equal + 1 } else { 1 };
        *last = short;
        // Short pages may lack hidden runs, also two equal ones by chance; more show the limit of the service.
        if let Some(limit) = short.filter(|_| *equal == EQUAL) {
            self.limit = limit;
            mirror.learn_limit(limit)?;
        } else if mirror.page_limit.is_some_and(|limit| got > limit.into()) {
            mirror.learn_limit(self.limit)?;
        }
        let ListPass { seen, digest, .. } = &mut self.pass;
        let new = page
            .rows
            .iter()
            .filter(|row| seen.insert(digest.hash_one(&row.doc_ref)));
        let new = new.count() as u64;
        self.pass.received += new;
        self.pass.offset += got;
        let first_size = *self.pass.first_size.get_or_insert(size);
        let most = first_size.saturating_mul(2).clamp(PAGE.into(), MOST);
        let is_cut = !is_last && (new == 0 || self.pass.offset > most);
        Ok(CountedPage {
            got,
            new,
            size,
            first_size,
            is_last: is_last || is_cut,
            is_cut,
        })
    }

    /// Ends a list, or a pass through it, where it is read far enough.
    fn on_list(&mut self, counted: CountedPage, mirror: &mut Mirror) -> Done {
        let CountedPage {
            got,
            size,
            is_last,
            is_cut,
            ..
        } = counted;
        let is_enough = matches!(self.stage, Stage::List(_)) && self.is_enough(size);
        let is_by_id = matches!(self.stage, Stage::List(_)) && self.is_by_id();
        // Of a list by id only the end of an empty one says something.
        if self.wish == Depth::Watch && (is_enough && !is_last || is_by_id && got > 0) {
            self.is_complete &= is_last;
            return self.after_list(mirror);
        }
        if is_enough && !(is_last && self.wish != Depth::Refresh) {
            let list = self.filter().filters;
            // An empty part behind others is the end, whatever size the service tells.
            let is_end = got == 0 && self.pass.offset > 0;
            if self.wish == Depth::Refresh && (!is_cut || is_end) {
                let next = (!is_last).then_some(self.pass.offset);
                let turn = mirror.turns.entry(list).or_default();
                turn.go(next, self.begun);
            } else {
                mirror.turns.remove(&list);
            }
            return self.after_list(mirror);
        }
        if !is_last {
            return Ok(());
        }
        self.passes += 1;
        let is_whole = !is_cut && self.pass.received == size && counted.first_size == size;
        let short_at = (got == 0).then_some(self.pass.received);
        if !is_whole && self.passes < PASSES {
            self.short_at = short_at;
            self.pass = ListPass::default();
            return Ok(());
        }
        mirror.turns.remove(&self.filter().filters);
        self.passes = 0;
        self.is_complete &= is_whole;
        let is_short = short_at.is_some() && short_at == self.short_at;
        self.is_short |= is_short && is_cut;
        self.is_cut |= is_cut && !is_short;
        // The part behind a cut is not missing.
        if !is_cut {
            self.ended.push((self.filter(), size, is_whole));
        }
        if self.full_size.is_some() {
            return self.finish(mirror);
        }
        self.after_list(mirror)
    }

    /// Ends the reading of edits where it is read far enough.
    fn on_edits(&mut self, page: &RunsPage, counted: CountedPage, mirror: &mut Mirror) -> Done {
        let CountedPage {
            new,
            size,
            first_size,
            is_last,
            is_cut,
            ..
        } = counted;
        self.full_size = Some(size);
        // All runs are on this page, so nothing more is read.
        if new == size {
            self.ended.push((self.filter(), size, true));
        }
        let edits = page.rows.iter().filter_map(|row| row.edited_on);
        let newest = edits.clone().max();
        // A service may accept the order and not apply it.
        if !is_last && !edits.clone().is_sorted_by(|one, next| one >= next) {
            self.lacks_edits = self.wish != Depth::All;
            self.is_complete &= !self.lacks_edits;
            self.unsorted = true;
        }
        // A time in the future would hide all edits until then.
        self.newest = self.newest.max(newest.map(|at| at.min(self.begun)));
        // A run without a time may come before all others.
        let oldest = edits.min();
        let reaches = |mark: Option<i64>| {
            is_last || mark.is_none_or(|mark| oldest.is_some_and(|at| at <= mark))
        };
        let most = match self.wish {
            Depth::Refresh => REFRESH,
            Depth::Start => START_CALLS,
            _ => u32::MAX,
        };
        if reaches(self.goal) || self.unsorted || self.calls >= most {
            self.is_cut |= is_cut;
            if !is_cut && !self.unsorted {
                // Where no run of this page has a time: all of them were read before.
                let held = (self.wish == Depth::All).then(|| mirror.newest_edit());
                let held = held.flatten().map(|at| at.min(self.begun));
                mirror.learn_edits(self.newest.or(held), reaches(self.mark))?;
            }
            let differs = !self.unsorted
                && (self.lacks_runs(size, mirror)?
                    || reaches(self.mark) && Self::has_others(first_size, mirror)?);
            let is_first = mirror.list(&Filter::default()).is_none() && new < size;
            let by_itself = self.is_by_itself() || differs && self.wish == Depth::Sync;
            if by_itself && is_first && size <= SMALL {
                self.go(Stage::All);
            } else {
                return self.finish(mirror);
            }
        }
        Ok(())
    }

    /// Returns true if the project has fewer runs than are here, beside those that are missing in a list: closed ones
    /// were deleted, and no list with them is whole.
    fn lacks_runs(&self, size: u64, mirror: &mut Mirror) -> Done<bool> {
        let here = mirror.runs().filter(|run| run.state == Presence::Here);
        let more = (here.count() as u64).saturating_sub(size);
        if more == 0 {
            return Ok(false);
        }
        let missing = self.missing(mirror).into_iter();
        let missing = missing.filter(|run| run.state == Presence::Here);
        let missing: HashSet<_> = missing.map(|run| &run.doc_ref).collect();
        if missing.len() as u64 >= more {
            return Ok(false);
        }
        Self::leave_closed(mirror)?;
        Ok(true)
    }

    /// Returns true if the project has more runs than are here where all were read: closed ones became visible without an
    /// edit, or a list left them out for a time, and no list with them is whole.
    fn has_others(size: u64, mirror: &mut Mirror) -> Done<bool> {
        // Open ones that are not seen are asked for one by one.
        let is_here = |run: &Run| match run.state {
            Presence::Here => true,
            Presence::NotSeen => run.is_open,
            Presence::Gone => false,
        };
        let here = mirror.runs().filter(|run| is_here(run));
        if mirror.list(&Filter::default()).is_none() || size <= here.count() as u64 {
            return Ok(false);
        }
        Self::leave_closed(mirror)?;
        Ok(true)
    }

    fn leave_closed(mirror: &mut Mirror) -> Done {
        let open = Self::open_runs().filters;
        mirror.leave_lists(|list| !list.filters.iter().any(|it| open.contains(it)))
    }

    /// Runs that are surely in the lists read to their ends, and were in none of them.
    fn missing<'a>(&self, mirror: &'a Mirror) -> Vec<&'a Arc<Run>> {
        let ended = self.ended.iter();
        let missing = ended.flat_map(|(filter, ..)| mirror.missing(filter, self.begun));
        missing.collect()
    }

    /// Runs that are surely in a list of this refresh, and came with no part of it in its last turn. They are only asked
    /// for: while the parts are read, the list moves.
    fn missing_in_turn<'a>(&self, mirror: &'a Mirror) -> Vec<&'a Arc<Run>> {
        if self.wish != Depth::Refresh {
            return Vec::new();
        }
        let missing = self.lists.iter().flat_map(|list| {
            let ended = mirror.turns.get(&list.filters).and_then(|it| it.ended);
            ended.map_or_else(Vec::new, |since| mirror.missing(list, since))
        });
        missing.collect()
    }

    /// Ends the lists and asks for runs that are missing in them.
    fn finish(&mut self, mirror: &mut Mirror) -> Done {
        let missing = self.missing(mirror).into_iter();
        let missing = missing.map(|run| (run.state == Presence::NotSeen, run));
        let in_turn = self.missing_in_turn(mirror).into_iter();
        let ended: HashSet<_> = missing.clone().map(|(_, run)| &run.doc_ref).collect();
        let in_turn = in_turn.filter(|run| !ended.contains(&run.doc_ref));
        let missing = missing.chain(in_turn.map(|run| (true, run)));
        // Asking for some may never decide anything: what a whole list lacks for the first time comes first, then each has
        // its turn.
        let missing = missing.map(|(comes_later, run)| {
            let turn = digest(&format!("{} {}", self.begun, run.doc_ref));
            ((comes_later, turn), (run.doc_ref.clone(), run.row().id))
        });
        let missing: BTreeMap<_, _> = missing.collect();
        let calls = match self.wish {
            Depth::Refresh => REFRESH.saturating_sub(self.calls) as usize,
            _ => MOST_ASKED,
        };
        let ended = std::mem::take(&mut self.ended);
        // No newest edits come after these lists: the others may lack what left these.
        if matches!(self.wish, Depth::List | Depth::Watch) && missing.len() > calls {
            mirror.leave_lists(|list| ended.iter().all(|(ended, ..)| ended != list))?;
        }
        let asked = missing.into_values().take(calls.min(MOST_ASKED));
        let asked = asked.collect();
        for (filter, size, is_whole) in ended {
            mirror.list_ended(&filter, self.begun, size, is_whole)?;
        }
        self.go(Stage::Missing(asked));
        Ok(())
    }

    /// Moves on after a missing run was asked for.
    pub fn on_asked(&mut self) {
        if let Stage::Missing(runs) = &mut self.stage {
            runs.remove(0);
        }
    }

    /// Reason why the reading is not complete, if there is one.
    pub fn cut_short(&self, mirror: &Mirror) -> Option<&'static str> {
        if self.is_cut {
            Some("the service ended a list before all of its runs had come")
        } else {
            (self.emptied != mirror.emptied).then_some("the cache was emptied meanwhile")
        }
    }

    /// Handles a failed page, `is_barred` if the account may not read it.
    pub fn on_failure(
        &mut self,
        kind: FailureKind,
        is_barred: bool,
        mirror: &mut Mirror,
    ) -> Done<After> {
        if is_barred && !std::mem::replace(&mut self.is_barred, true) {
            mirror.may_see(false)?;
        }
        Ok(match kind {
            FailureKind::AnswerTooLarge if self.limit > 1 => {
                self.limit /= 2;
                // The page that comes may be far below the limit.
                self.is_limited = false;
                After::Again
            }
            FailureKind::PageTooLarge if self.limit > 1 && self.pass.offset == 0 => {
                self.limit /= 2;
                self.is_limited = true;
                After::Again
            }
            FailureKind::PageTooLarge if self.pass.offset > 0 => {
                self.leave_list(mirror)?;
                After::Again
            }
            FailureKind::Refused if !self.unsorted && self.pass.offset == 0 && !self.is_by_id() => {
                self.unsorted = true;
                After::Again
            }
            // The other runs may be read all the same.
            kind if self.is_by_id() && !kind.is_away() && kind != FailureKind::Local => {
                self.leave_list(mirror)?;
                After::NextList
            }
            _ => After::End,
        })
    }

    /// Moves on from a list that the service reads no further.
    fn leave_list(&mut self, mirror: &mut Mirror) -> Done {
        mirror.turns.remove(&self.filter().filters);
        (self.is_cut, self.is_complete, self.passes) = (true, false, 0);
        if self.stage == Stage::Edits {
            mirror.learn_edits(self.newest, false)?;
        }
        if self.stage == Stage::Edits || self.full_size.is_some() {
            return self.finish(mirror);
        }
        self.after_list(mirror)
    }

    fn go(&mut self, stage: Stage) {
        (self.stage, self.pass, self.unsorted) = (stage, ListPass::default(), false);
        self.short_at = None;
    }
}
