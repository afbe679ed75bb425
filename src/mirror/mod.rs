//! The mirror of the runs on this machine: each run once in memory, kept in a cache on the disk, with its changes
//! written to the history.
//!
//! ```text
//!  any list, any document ──► take ──► rows in memory ──► answer
//!                              ├─────► cache: rows, news, lists read to their end
//!                              └─────► history: news, samples, unread runs
//! ```
//!
//! A plain value without thread, clock or callbacks. Cache and history are optional; without them it has what it took
//! since it was created. With them its calls block.

mod answer;
mod cache;
mod compare;
mod earlier;
mod ends;
mod list;
mod own;
mod prelude;
mod quiet;
mod reading;
mod run;
mod since;

use std::cmp::Reverse;
use std::ptr;

use answer::in_memory_order;
use cache::CompleteList;
use run::{row_of, text_of, without_texts};

pub use answer::{FoundRuns, field_of};
pub use cache::{Begun, RunCache, RunsOrigin, Wanted, files, parts, remove};
pub use earlier::EarlierReadings;
pub use list::{
    ComparisonSides, Count, FieldValues, ListExtent, NOT_SHOWN, Overview, ProjectRuns, RunSums,
    RunsAnswer, RunsQuery, TabQuery, is_me,
};
pub use own::{OwnRecord, closed};
use reading::Turn;
pub use reading::{After, Depth, NextRead, RunsReading};
pub use run::{Presence, Run, are_older};
pub use since::{BeforeMoment, SinceAnswer, SinceQuery};

use crate::disk::database::DatabaseError;
use crate::domain::diff::{self, Ignored, News};
use crate::domain::fields::STATUS;
use crate::domain::{Facets, RunsOperation};
use crate::samples::{Before, Keeps, PastNews, RunHistory, RunNews, Unread, UnreadSince};
use prelude::*;

/// Interval at which the times of unchanged readings are written, in milliseconds.
const WRITTEN: i64 = 10 * 60_000;
/// Longest time of an answer in milliseconds. A state that is newer by more than this is of another clock.
const LATE: i64 = 10 * 60_000;
/// Maximum number of bytes of all rows, as the service may send long texts.
const MOST_BYTES: usize = 96 << 20;
/// Number of refusals in a row after which nothing of the source is shown.
const BARRED: u32 = 2;
/// Time until the row of a gone run is removed, in milliseconds.
const GONE: i64 = 7 * 24 * 3_600_000;
/// Maximum number of runs that may be deleted while all are read; more than the told number show that it is wrong.
const DELETED: u64 = 10;

/// Settings of the mirror.
#[derive(Clone, Debug, Default)]
pub struct MirrorSettings {
    /// Fields whose changes are not reported.
    pub ignored: Ignored,
    /// Results of finished cases.
    pub done: Vec<ResultCode>,
    /// Maximum number of runs in the mirror.
    pub most: usize,
}

/// News from rows that were taken.
#[derive(Debug, Default)]
pub struct Changes {
    /// Runs with their news.
    pub news: Vec<(Arc<Run>, News)>,
    /// Failure to write the history. The missing part is in the cache and is written with the next rows.
    pub trouble: Option<DatabaseError>,
    /// Failure of the cache after the rows were taken.
    pub unkept: Option<DatabaseError>,
}

/// The runs of one source.
#[derive(Debug, Default)]
pub struct Mirror {
    runs: HashMap<DocRef, Arc<Run>>,
    /// Bytes of all rows.
    bytes: usize,
    lists: HashMap<String, CompleteList>,
    /// Changed runs that the user has not opened.
    unread: HashMap<DocRef, UnreadSince>,
    /// Runs read without a change whose time of reading is not written yet.
    unwritten: HashSet<DocRef>,
    /// Last writing of those times, epoch milliseconds.
    written_at: i64,
    settings: MirrorSettings,
    cache: Option<RunCache>,
    history: Option<RunHistory>,
    /// Its version when the unread runs were loaded and its changes told, see [`RunHistory::version`].
    history_version: Option<i64>,
    /// Version and last change of the history when its changes were told.
    told: (Option<i64>, i64),
    /// Writes from this machine.
    own: Vec<OwnRecord>,
    /// Ways of the refreshes through long lists of open runs, by filters, see [`Depth::Refresh`].
    turns: HashMap<Vec<String>, Turn>,
    /// Maximum number of entries per page, if the service has a limit.
    page_limit: Option<u32>,
    /// Newest `EditedOn` of the last reading that had all edits since the one before.
    edits: Option<i64>,
    /// The same of the last reading of the newest edits, which may have stopped above older ones.
    edits_seen: Option<i64>,
    /// Sizes of lists as reported by the service.
    sizes: HashMap<String, u64>,
    /// Runs by filter line that the service listed although their rows do not seem to match.
    listed_by: HashMap<String, HashSet<DocRef>>,
    facets: Facets,
    operation: Option<RunsOperation>,
    earlier: Arc<EarlierReadings>,
    /// True if nothing was read today, or the history could not be read for it: the next answer asks again.
    lacks_earlier: bool,
    quiet: quiet::QuietRuns,
    ends: ends::ExpectedEnds,
    overview: Arc<Overview>,
    /// Runs of the project; `None` if they have changed since.
    project: Option<Arc<ProjectRuns>>,
    /// Query of the overview; `None` if runs or lists have changed since.
    overview_of: Option<list::OverviewOf>,
    /// Failure to read the history, until it is taken.
    trouble: Option<DatabaseError>,
    /// True if runs or lists have changed since the last question.
    is_changed: bool,
    /// Number of refusals of lists in a row.
    barred: u32,
    /// Number of times that another program has emptied the cache.
    emptied: u32,
    /// Lists of successful readings, with the start of the newest one in epoch milliseconds.
    read: HashMap<String, i64>,
}

/// Result of a row.
struct Update {
    run: Arc<Run>,
    /// Digests of fields that the row does not have; `None` if only the time of reading differs, which is written
    /// later.
    hidden: Option<FieldDigests>,
    item: Option<RunNews>,
    news: Option<News>,
}

impl Mirror {
    /// Creates an empty mirror in memory alone.
    pub fn empty(settings: MirrorSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Creates a mirror with the runs of the cache.
    pub fn open(
        settings: MirrorSettings,
        cache: Option<RunCache>,
        history: Option<RunHistory>,
    ) -> Done<Self> {
        if let Some(cache) = &cache {
            cache.in_use();
        }
        let mut mirror = Self {
            cache,
            history,
            // Who was answered from another one is answered from this.
            is_changed: true,
            ..Self::empty(settings)
        };
        let pending = mirror.snapshot(|_, cache| cache.map_or(Ok(Vec::new()), |it| it.news()))?;
        // A killed program may have left some.
        if let Some(error) = mirror.deliver(&pending)? {
            tracing::warn!(%error, "what changed in runs was not taken over");
        }
        mirror.load_unread();
        Ok(mirror)
    }

    /// Returns the newest changes that the history has got since the last call, by any program, oldest first. A run that
    /// is not in the mirror any more has its name alone.
    pub fn past_news(&mut self) -> Done<Vec<(Arc<Run>, PastNews)>> {
        // Without the cache each program finds the changes by itself.
        let finds_all = self.told.0.is_some() && self.cache.is_none();
        if self.told.0 == self.history_version || self.is_barred() || finds_all {
            return Ok(Vec::new());
        }
        let (past, last) = self.asked(|history| history.changes(self.told.1))?;
        self.told = (self.history_version, last);
        let with_run = |past: PastNews| {
            let named = || RunRow::named(past.run.clone(), past.name.clone());
            let known = self.run(&past.run).cloned();
            let run = known.unwrap_or_else(|| Arc::new(Run::new(&named(), past.at)));
            (run, past)
        };
        Ok(past.into_iter().map(with_run).collect())
    }

    /// Records that the user has seen all changes up to a time (epoch milliseconds).
    pub fn mark_all_seen(&mut self, at: i64) -> Done {
        self.touched();
        self.asked(|it| it.mark_all_seen(at))
    }

    /// Records that the user used the program at a time of the day that began at `today` (epoch milliseconds).
    pub fn used(&self, at: i64, today: i64) -> Done {
        self.asked(|it| it.counts().used(at, today))
    }

    /// Sets the writes of all programs on this machine.
    pub fn wrote(&mut self, own: Vec<OwnRecord>) {
        self.own = own;
    }

    /// Own writes to a run since its last reading that this reading may be the first to show.
    fn own_of(&self, run: &DocRef, since: i64, at: i64) -> Vec<&OwnRecord> {
        let of_run =
            |own: &&OwnRecord| own.run == *run && own.at > since && at - own.at <= own::SHOWS;
        self.own.iter().filter(of_run).collect()
    }

    /// Takes rows that were requested at a time (epoch milliseconds). Everything that any job reads must go through
    /// here.
    pub fn take(&mut self, rows: &[RunRow], at: i64) -> Done<Changes> {
        let mut changes = self.keep(|mirror, cache| mirror.compare(rows, at, cache))?;
        if at.saturating_sub(self.written_at) >= WRITTEN {
            changes.unkept = self.flush(at).err();
            changes.trouble = self.flush_history().err().or(changes.trouble);
        }
        Ok(changes)
    }

    /// Marks runs as gone that were found neither in a list by their id nor as documents. Only reference, short id,
    /// version and status stay.
    pub fn gone(&mut self, runs: &[DocRef], at: i64) -> Done<Changes> {
        let mut changes = self.keep(|mirror, _| {
            let goes = |run: &Run| run.state != Presence::Gone && !is_later(run, at);
            let known = runs.iter().map(|run| (run, mirror.run(run)));
            let gone = known.filter(|(_, known)| known.is_none_or(|run| goes(run)));
            let gone = gone.map(|(run, known)| mirror.update_of_gone(run, known, at));
            Ok(gone.collect())
        })?;
        if let Some(cache) = &self.cache {
            let mut runs = runs.iter();
            let removed = runs.try_for_each(|run| cache.remove_document(run));
            changes.unkept = removed.and_then(|()| cache.wipe_log()).err();
        }
        if let Some(history) = &self.history {
            let mut runs = runs.iter();
            let forgot = runs.try_for_each(|run| history.forget_suites(run));
            let forgot = forgot.and_then(|()| history.wipe_log());
            changes.trouble = forgot.err().or(changes.trouble);
        }
        Ok(changes)
    }

    /// Also kept for an unknown run, as a page requested earlier may still contain it.
    fn update_of_gone(&self, run: &DocRef, known: Option<&Arc<Run>>, at: i64) -> Update {
        let was = known.map(|known| known.row());
        let row = RunRow {
            id: was.as_ref().and_then(|was| was.id.clone()),
            version: was.as_ref().and_then(|was| was.version.clone()),
            // Cases that are left in a closed run do not count as left.
            status: was.map_or(Status::Missing, |was| was.status),
            ..RunRow::unknown(run.clone())
        };
        let is_own = |known: &Arc<Run>| {
            let own = self.own_of(run, known.read_at, at);
            own.iter().any(|own| own.write == Some(OwnWrite::Deletion))
        };
        let news = known
            .is_some_and(|known| !is_own(known))
            .then_some(News::Vanished);
        Update {
            item: known.map(|_| RunNews::new(run, row.name(), at, news.as_ref(), Unread::Clear)),
            run: Arc::new(Run {
                state: Presence::Gone,
                ..Run::new(&row, at)
            }),
            hidden: Some(row.digests),
            news,
        }
    }

    /// Prepares for a reading that began at `begun`, in epoch milliseconds: what was read after `now` was read before it, by
    /// a clock that has been set back since, and before own writes that it may be the first to show.
    pub fn begins(&mut self, begun: i64, now: i64) {
        let before = begun - own::SHOWS;
        let mut is_ahead = false;
        let lies_ahead = |run: &&mut Arc<Run>| run.read_at.max(run.counted_at.unwrap_or(0)) > now;
        for run in self.runs.values_mut().filter(lies_ahead) {
            let run = Arc::make_mut(run);
            run.read_at = run.read_at.min(before);
            run.counted_at = run.counted_at.map(|at| at.min(before));
            is_ahead = true;
        }
        if is_ahead {
            self.turns.clear();
        }
        for read_at in self.read.values_mut().filter(|read_at| **read_at > now) {
            *read_at = before;
            is_ahead = true;
        }
        // Else they come back from there.
        if is_ahead
            && let Some(cache) = &self.cache
            && let Err(error) = cache.set_back(before, now)
        {
            tracing::warn!(%error, "times of a clock that was ahead stay in the cache");
        }
    }

    /// Runs that are surely in a list, and were not read since a time (epoch milliseconds).
    pub fn missing(&self, filter: &Filter, since: i64) -> Vec<&Arc<Run>> {
        let old = |run: &Run| run.read_at < since;
        self.fitting(old, |row| filter.has(row)).collect()
    }

    /// Runs that are not gone and match `is_so`, and with their rows `fits`.
    fn fitting(
        &self,
        is_so: impl Fn(&Run) -> bool,
        fits: impl Fn(&RunRow) -> bool,
    ) -> impl Iterator<Item = &Arc<Run>> {
        let mut room = None;
        let is_it = move |run: &&Arc<Run>| {
            run.state != Presence::Gone && is_so(run) && {
                let row = room.get_or_insert_with(|| run.row());
                run.fill(row);
                fits(row)
            }
        };
        self.runs().filter(is_it)
    }

    /// Records that a list of this size was read to its end. Its runs that no reading has found since `begun` are
    /// marked. `is_whole` is true if the pages are of one moment, as far as is known.
    pub fn list_ended(&mut self, filter: &Filter, begun: i64, size: u64, is_whole: bool) -> Done {
        let missing = self.missing(filter, begun);
        let missing: Vec<_> = missing.iter().map(|run| run.doc_ref.clone()).collect();
        // Of a list longer than the mirror, a part was dropped again.
        let read = |run: &Run| run.read_at >= begun;
        let held = self.fitting(read, |row| !filter.rules_out(row)).count();
        // Which runs have the words is not known here, nor whether the service finds parts.
        let (held, is_all) = (held as u64, filter.filters.is_empty());
        let is_whole = is_whole
            && filter.fulltext.is_empty()
            && held >= size
            && (!is_all || held <= size + DELETED)
            && !self.fits_by_part(filter);
        let mark = self.newest_edit();
        let list = CompleteList { size, mark };
        let name = filter.filters.join("\n");
        self.write(|_, cache| {
            let Some(cache) = cache else { return Ok(()) };
            cache.not_seen(&missing)?;
            if is_whole {
                cache.put_list(&name, &list)
            } else {
                Ok(())
            }
        })?;
        for run in &missing {
            if let Some(run) = self.runs.get_mut(run) {
                Arc::make_mut(run).state = Presence::NotSeen;
            }
        }
        if is_whole {
            self.lists.insert(name, list);
        }
        self.touched();
        Ok(())
    }

    /// Returns true if a run that is here fits by a part of its configuration.
    pub(super) fn fits_by_part(&self, filter: &Filter) -> bool {
        let mut fields = filter.fields();
        fields.retain(|field| field.path == fields::CONFIGURATION.path);
        let may_fit = |run: &Run| fields.iter().any(|field| field.may_fit(&run.text));
        let mut fitting = self.fitting(may_fit, |row| filter.has_part(row));
        fitting.next().is_some()
    }

    /// Returns true if a list that contains this one was read to its end, and no edit since then was left out.
    pub fn is_complete(&self, filter: &Filter) -> bool {
        let lacks_edits = self.edits_seen > self.edits;
        let is_of = |(name, list): (&String, &CompleteList)| {
            let of_list = filter_of(name).filters;
            (!lacks_edits || list.mark >= self.edits_seen)
                && of_list.iter().all(|it| filter.filters.contains(it))
        };
        self.lists.iter().any(is_of)
    }

    /// Properties of a list, if it was read to its end.
    fn list(&self, filter: &Filter) -> Option<&CompleteList> {
        self.lists.get(&filter.filters.join("\n"))
    }

    /// Records the successful end of a reading that began at `begun`; times are epoch milliseconds.
    pub fn was_read(&mut self, wanted: &Wanted, begun: i64, now: i64) -> Done {
        // Others, and the next start, know by the times of the rows what it has read. Those of a list that was read as a
        // whole a moment ago may wait.
        let last = self.read.get(&wanted.list);
        let waits = last.is_some_and(|last| now.saturating_sub(*last) < WRITTEN);
        if !waits || wanted.rank > 0 || !self.turns.is_empty() {
            self.write_times(|run| run.read_at >= begun)?;
        }
        if let Some(cache) = &self.cache {
            cache.end(wanted, now, 0)?;
        }
        let last = self.read.entry(wanted.list.clone()).or_insert(begun);
        // The clock may have been set back.
        *last = if *last > now { begun } else { begun.max(*last) };
        self.touched();
        Ok(())
    }

    /// Start of the oldest of the newest readings that cover these lists, epoch milliseconds; `None` if one was not
    /// read.
    fn read_at(&self, lists: &[Filter]) -> Option<i64> {
        let read_at = |list: &Filter| {
            let of_list = list.lines();
            let is_part = |name: &str| {
                let mut lines = name.lines().filter(|line| !line.starts_with(STATUS.path));
                lines.all(|line| of_list.iter().any(|it| it == line))
            };
            let covers = |names: &str| names.split("\n\n").any(is_part);
            let read = self.read.iter().filter(|(names, _)| covers(names));
            read.map(|(_, begun)| *begun).max()
        };
        let read: Option<Vec<i64>> = lists.iter().map(read_at).collect();
        read?.into_iter().min()
    }

    /// Records that a list was read, or was refused for this account. After two refusals in a row nothing is shown.
    fn may_see(&mut self, may: bool) -> Done {
        let barred = if may {
            0
        } else {
            self.barred.saturating_add(1)
        };
        if std::mem::replace(&mut self.barred, barred) == barred {
            return Ok(());
        }
        self.touched();
        self.set("barred", barred.into())
    }

    /// Returns true if nothing may be shown.
    pub fn is_barred(&self) -> bool {
        self.barred >= BARRED
    }

    fn learn_limit(&mut self, limit: u32) -> Done {
        self.page_limit = Some(limit);
        self.set("page_limit", limit.into())
    }

    /// Records the newest edit of a reading; `has_all` is true if it had all edits since the one that had all before.
    fn learn_edits(&mut self, newest: Option<i64>, has_all: bool) -> Done {
        // What was not seen is newer than the last that was.
        let unseen = self.edits.filter(|_| !has_all).map(|at| at + 1);
        let Some(newest) = newest.or(unseen) else {
            return Ok(());
        };
        self.edits_seen = Some(newest);
        if has_all {
            self.edits = Some(newest);
        }
        self.touched();
        self.set("edits_seen", newest)?;
        if has_all {
            self.set("edits", newest)?;
        }
        Ok(())
    }

    /// Newest `EditedOn` of all runs; one later than its reading counts as of the reading.
    fn newest_edit(&self) -> Option<i64> {
        let edits = self.runs();
        edits
            .filter_map(|run| Some(run.edited_on?.min(run.read_at)))
            .max()
    }

    /// All runs without order, gone and missing ones included.
    pub fn runs(&self) -> impl Iterator<Item = &Arc<Run>> {
        self.runs.values()
    }

    /// Returns true if runs or lists have changed since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// Takes the failure to read the history, if there was one since the last call.
    pub fn take_trouble(&mut self) -> Option<DatabaseError> {
        self.trouble.take()
    }

    /// Asks the history; without one the answer is the default.
    fn asked<T: Default>(&self, ask: impl FnOnce(&RunHistory) -> Done<T>) -> Done<T> {
        asked(self.history.as_ref(), ask)
    }

    /// Keeps a fact in the cache, if there is one.
    fn set(&self, name: &str, value: i64) -> Done {
        let cache = self.cache.as_ref();
        cache.map_or(Ok(()), |it| it.set(name, value))
    }

    fn touched(&mut self) {
        (self.overview_of, self.project, self.is_changed) = (None, None, true);
    }

    /// Runs that are neither gone nor missing in a list.
    fn here(&self) -> impl Iterator<Item = &Arc<Run>> {
        in_memory_order(self.runs()).filter(|run| run.state == Presence::Here)
    }

    /// The run with this reference.
    pub fn run(&self, run: &DocRef) -> Option<&Arc<Run>> {
        self.runs.get(run)
    }

    /// Returns true if the run has changed and was not opened since.
    pub fn is_unread(&self, run: &DocRef) -> bool {
        self.unread.contains_key(run)
    }

    /// Marks a run as read by the user.
    pub fn mark_seen(&mut self, run: &DocRef) -> Done {
        if self.unread.remove(run).is_none() {
            return Ok(());
        }
        self.touched();
        self.asked(|it| it.mark_seen(run))
    }

    /// Writes everything that is only in memory.
    pub fn close(&mut self, at: i64) -> Done {
        self.flush(at)?;
        if let Some(cache) = &self.cache {
            cache.wipe_log()?;
        }
        if let Err(error) = self.flush_history() {
            tracing::warn!(%error, "when runs were seen last was not kept");
        }
        Ok(())
    }

    /// Reads the writes of other programs.
    pub fn refresh(&mut self) -> Done {
        self.snapshot(|_, _| Ok(()))
    }

    /// Continues in memory alone. Returns the cache, if there was one.
    pub fn leave_cache(&mut self) -> Option<RunCache> {
        self.cache.take()
    }

    /// Keeps the runs in a cache again that was opened anew. After a failure there is none, as before.
    pub fn use_cache(&mut self, mut cache: RunCache) -> Done {
        cache.transaction(|cache| self.write_all(cache))?;
        self.cache = Some(cache);
        Ok(())
    }

    /// True if there is a history that keeps samples and news.
    pub fn has_history(&self) -> bool {
        self.history.is_some()
    }

    /// The cache, if there is one.
    pub fn cache(&mut self) -> Option<&mut RunCache> {
        self.cache.as_mut()
    }
}

/// Private parts.
impl Mirror {
    /// Runs `work` on the cache in one transaction, after reading the writes of others. A lost file is written again
    /// from memory first.
    fn write<T>(&mut self, work: impl Fn(&mut Self, Option<&mut RunCache>) -> Done<T>) -> Done<T> {
        self.with_cache(true, work)
    }

    /// The same for `work` that only reads: no other program is waited for.
    fn snapshot<T>(
        &mut self,
        work: impl Fn(&mut Self, Option<&mut RunCache>) -> Done<T>,
    ) -> Done<T> {
        self.with_cache(false, work)
    }

    fn with_cache<T>(
        &mut self,
        writes: bool,
        work: impl Fn(&mut Self, Option<&mut RunCache>) -> Done<T>,
    ) -> Done<T> {
        let Some(mut cache) = self.cache.take() else {
            self.load_unread();
            return work(self, None);
        };
        let once = |mirror: &mut Self, cache: &mut RunCache| {
            let work = |cache: &mut RunCache| {
                mirror.catch_up(cache)?;
                work(mirror, Some(cache))
            };
            if writes {
                cache.transaction(work)
            } else {
                cache.snapshot(work)
            }
        };
        let mut done = once(self, &mut cache);
        if let Err(error) = &done
            && let Some(why) = error.lasts()
        {
            done = cache.renew(&why).and_then(|()| {
                cache.transaction(|cache| self.write_all(cache))?;
                once(self, &mut cache)
            });
        }
        self.cache = Some(cache);
        done
    }

    /// Reads the writes of other programs from cache and history.
    fn catch_up(&mut self, cache: &mut RunCache) -> Done {
        // A reading of another program may have changed no run.
        let read = cache.read_at()?;
        let newer = cache.newer()?;
        if newer == Some(cache::ANEW) {
            self.runs.clear();
            self.read.clear();
            self.emptied += 1;
        }
        let known = self.read.values().max().copied().unwrap_or_default();
        if read.iter().any(|(_, begun)| *begun > known) {
            cache.times(known.saturating_sub(WRITTEN), |run, read_at, counted_at| {
                if let Some(known) = self.runs.get_mut(&run) {
                    let known = Arc::make_mut(known);
                    known.read_at = known.read_at.max(read_at);
                    known.counted_at = known.counted_at.max(counted_at);
                }
            })?;
        }
        for (list, begun) in read {
            // One of here is not written while another program reads the same.
            if self.read.get(&list).is_none_or(|known| *known < begun) {
                self.read.insert(list, begun);
                self.touched();
            }
        }
        self.load_unread();
        let Some(since) = newer else {
            return Ok(());
        };
        self.touched();
        cache.rows(since, |mut run| {
            // The time of the reading here may not be written yet.
            if let Some(known) = self.runs.get(&run.doc_ref) {
                run.read_at = run.read_at.max(known.read_at);
                if run.text == known.text {
                    run.counted_at = run.counted_at.max(known.counted_at);
                }
            }
            self.runs.insert(run.doc_ref.clone(), Arc::new(run));
        })?;
        self.bytes = self.runs().map(|run| run.text.len()).sum();
        self.lists = cache.lists()?.into_iter().collect();
        let limit = cache.number("page_limit")?;
        self.page_limit = limit.and_then(|it| it.try_into().ok()).filter(|it| *it > 0);
        self.edits = cache.number("edits")?;
        self.edits_seen = cache.number("edits_seen")?;
        let barred = cache.number("barred")?;
        self.barred = barred.and_then(|it| it.try_into().ok()).unwrap_or(0);
        let operation = cache.number("operation")?;
        let mut known = [RunsOperation::ListTestRuns, RunsOperation::ListDocuments].into_iter();
        self.operation = known.find(|it| Some(*it as i64) == operation);
        Ok(())
    }

    /// Loads the unread runs from the history if another program may have changed them: the user may look at a run there.
    fn load_unread(&mut self) {
        let Some(history) = &self.history else {
            return;
        };
        let loaded = history.version().and_then(|version| {
            let is_known = self.history_version == Some(version);
            let unread = (!is_known).then(|| history.unread()).transpose()?;
            Ok((version, unread))
        });
        match loaded {
            Ok((_, None)) => {}
            Ok((version, Some(unread))) => {
                self.history_version = Some(version);
                let unread = unread.into_iter().collect();
                if self.unread != unread {
                    self.unread = unread;
                    self.touched();
                }
            }
            Err(error) => tracing::warn!(%error, "what nobody has looked at is not known"),
        }
    }

    /// Brings memory and a file that was opened anew together: of each run the row that was read last stays. The digests
    /// of other fields are not in memory, so their next change in a row written here is not reported.
    fn write_all(&mut self, cache: &mut RunCache) -> Done {
        // Where the file is new there is nothing to catch up with: what stayed here would be taken for written.
        let (runs, lists) = (
            std::mem::take(&mut self.runs),
            std::mem::take(&mut self.lists),
        );
        let (edits, edits_seen) = (self.edits, self.edits_seen);
        let done = self.catch_up(cache).and_then(|()| {
            let is_newer = |run: &&Arc<Run>| {
                let kept = self.run(&run.doc_ref);
                kept.is_none_or(|kept| kept.read_at <= run.read_at)
            };
            let newer: Vec<_> = runs.values().filter(is_newer).cloned().collect();
            let kept = |run: &Run| self.run(&run.doc_ref).is_some_and(|kept| kept.is_as(run));
            let other = newer.iter().filter(|run| !kept(run));
            cache.put(other.map(|run| (&**run, FieldDigests::default())))?;
            for (name, list) in &lists {
                if self
                    .lists
                    .get(name)
                    .is_none_or(|kept| kept.mark < list.mark)
                {
                    cache.put_list(name, list)?;
                    self.lists.insert(name.clone(), list.clone());
                }
            }
            // With the rows of both, all edits up to the later one are here.
            self.edits = self.edits.max(edits);
            self.edits_seen = self.edits_seen.max(edits_seen);
            for (name, at) in [("edits", self.edits), ("edits_seen", self.edits_seen)] {
                at.map_or(Ok(()), |at| cache.set(name, at))?;
            }
            let newer = newer.into_iter();
            self.runs
                .extend(newer.map(|run| (run.doc_ref.clone(), run)));
            Ok(())
        });
        if done.is_err() {
            (self.runs, self.lists) = (runs, lists);
            (self.edits, self.edits_seen) = (edits, edits_seen);
        }
        self.bytes = self.runs().map(|run| run.text.len()).sum();
        done
    }

    /// Writes the results of rows, then applies them in memory and passes the news to the history.
    fn keep(
        &mut self,
        work: impl Fn(&Self, Option<&RunCache>) -> Done<Vec<Update>>,
    ) -> Done<Changes> {
        let (updates, pending) = self.write(|mirror, cache| {
            let updates = work(mirror, cache.as_deref())?;
            let mut news = updates.iter().filter_map(|it| it.item.as_ref()).peekable();
            let Some(cache) = cache else {
                // Without a cache no news can be passed on twice.
                let news = news.map(|item| (0, item.clone())).collect();
                return Ok((updates, news));
            };
            let new = updates.iter();
            cache.put(new.filter_map(|it| Some((&*it.run, it.hidden.clone()?))))?;
            if news.peek().is_some() {
                news.try_for_each(|item| cache.add_news(item))?;
                cache.bound_news()?;
            }
            let takes = mirror.history.is_some();
            let pending = takes.then(|| cache.news()).transpose()?;
            Ok((updates, pending.unwrap_or_default()))
        })?;
        let mut changes = self.apply(updates)?;
        changes.trouble = self.deliver(&pending)?;
        Ok(changes)
    }

    fn compare(&self, rows: &[RunRow], at: i64, cache: Option<&RunCache>) -> Done<Vec<Update>> {
        // If a page has a run twice, the last row counts.
        let last: HashMap<_, _> = rows.iter().map(|row| (&row.doc_ref, row)).collect();
        let rows = rows.iter().filter(|row| ptr::eq(last[&row.doc_ref], *row));
        rows.filter_map(|row| match self.run(&row.doc_ref) {
            Some(known) if is_later(known, at) => None,
            Some(known) if known.state != Presence::Gone => {
                Some(self.compare_one(known, row, at, cache))
            }
            known => Some(Ok(self.update_of_new(row, at, known.is_some()))),
        })
        .collect()
    }

    /// `was_gone` is true if the run was restored.
    fn update_of_new(&self, row: &RunRow, at: i64, was_gone: bool) -> Update {
        let own = self.own_of(&row.doc_ref, i64::MIN, at);
        let is_new = own.is_empty() && (was_gone || self.was_read_without(row));
        let news = is_new.then(|| News::Appeared {
            by: row.edited_by.clone(),
        });
        let run = Run::new(row, at);
        let unread = if is_new { Unread::Mark } else { Unread::Same };
        let counted = run.is_open && row.results.is_some();
        let item = RunNews {
            sample: counted.then(|| Sample::of(row, at)),
            ..RunNews::new(&row.doc_ref, row.name(), at, news.as_ref(), unread)
        };
        Update {
            run: Arc::new(run),
            hidden: Some(row.digests.clone()),
            item: (is_new || counted).then_some(item),
            news,
        }
    }

    fn compare_one(
        &self,
        known: &Run,
        row: &RunRow,
        at: i64,
        cache: Option<&RunCache>,
    ) -> Done<Update> {
        let mut before = known.row();
        before.digests = if known.hidden == row.digests.digest() {
            row.digests.clone()
        } else {
            // They are only on the disk.
            let hidden = cache.map(|cache| cache.hidden(&row.doc_ref)).transpose()?;
            hidden.unwrap_or_default()
        };
        let now = row.clone().with_counts_of(&before);
        let mut run = Run::new(&now, at);
        if row.results.is_none() {
            run.counted_at = known.counted_at;
        }
        let mut update = Update {
            run: Arc::new(run),
            hidden: None,
            item: None,
            news: None,
        };
        if update.run.is_as(known) {
            return Ok(update);
        }
        update.hidden = Some(row.digests.clone());
        let own = self.own_of(&row.doc_ref, known.read_at, at).into_iter();
        let own: Vec<_> = own.filter_map(|own| own.write.as_ref()).collect();
        let ignored = &self.settings.ignored;
        let mut changes = diff::run(&before, row, ignored);
        changes.retain(|change| !own.iter().any(|write| change.may_follow_from(write)));
        let counts_differ = row.results.is_some()
            && (&before.results, before.suite_count, before.progress)
                != (&now.results, now.suite_count, now.progress);
        let went_back = |(first, digests): &Before| {
            let first = row_of(row.doc_ref.clone(), first, digests);
            let now = without_texts(now.clone());
            first.is_some_and(|first| diff::run(&first, &now, ignored).is_empty())
        };
        let unread = match self.unread.get(&row.doc_ref) {
            None if changes.is_empty() => Unread::Same,
            None => Unread::Mark,
            Some((_, Some(first))) if went_back(first) => Unread::Clear,
            Some(_) => Unread::Same,
        };
        let by = diff::edited_by(&before, row).map(str::to_owned);
        update.news = (!changes.is_empty()).then_some(News::Changed { changes, by });
        let seen = known.counted_at.filter(|_| before.results.is_some());
        if update.news.is_some() || counts_differ || unread != Unread::Same {
            let is_first = unread == Unread::Mark;
            update.item = Some(RunNews {
                seen: seen.map(|at| Sample::of(&before, at)),
                sample: counts_differ.then(|| Sample::of(row, at)),
                before: is_first.then(|| {
                    let digests = before.digests.text();
                    (text_of(&without_texts(before)), digests)
                }),
                ..RunNews::new(&row.doc_ref, row.name(), at, update.news.as_ref(), unread)
            });
        }
        Ok(update)
    }

    /// Returns true if a list that should have the run was read to its end without it, and the run was not edited
    /// before that. A run that moves between pages during a reading may be in none of them.
    fn was_read_without(&self, row: &RunRow) -> bool {
        self.lists.iter().any(|(name, list)| {
            let is_newer = |at| list.mark.is_none_or(|mark| at > mark);
            filter_of(name).has(row) && row.edited_on.is_none_or(is_newer)
        })
    }

    fn apply(&mut self, updates: Vec<Update>) -> Done<Changes> {
        let mut changes = Changes::default();
        for update in updates {
            if update.hidden.is_none() {
                self.unwritten.insert(update.run.doc_ref.clone());
            } else {
                self.touched();
                for listed in self.listed_by.values_mut() {
                    listed.remove(&update.run.doc_ref);
                }
            }
            let run = update.run.clone();
            changes.news.extend(update.news.map(|news| (run, news)));
            self.bytes += update.run.text.len();
            let before = self.runs.insert(update.run.doc_ref.clone(), update.run);
            self.bytes -= before.map_or(0, |run| run.text.len());
            if let Some(item) = update.item {
                match item.unread {
                    Unread::Same => {}
                    Unread::Clear => drop(self.unread.remove(&item.run)),
                    Unread::Mark => {
                        self.unread
                            .entry(item.run)
                            .or_insert((item.at, item.before));
                    }
                }
            }
        }
        if self.runs.len() > self.settings.most || self.bytes > MOST_BYTES {
            self.forget()?;
        }
        Ok(changes)
    }

    /// Passes news to the history that are not there yet.
    fn deliver(&mut self, pending: &[(i64, RunNews)]) -> Done<Option<DatabaseError>> {
        let Some(((last, _), history)) = pending.last().zip(self.history.as_ref()) else {
            return Ok(None);
        };
        let file = self.cache.as_ref().map(|cache| cache.id.as_str());
        let items = pending.iter().map(|(number, item)| (*number, item));
        if let Err(error) = history.take_over(file, items) {
            return Ok(Some(error));
        }
        // Some may be of another program, which was killed: their marks are loaded.
        self.history_version = None;
        self.write(|_, cache| cache.map_or(Ok(None), |it| it.taken(*last).map(|()| None)))
    }

    /// Number of runs that stay when some must go: fewer than fit, so that it does not happen with every page.
    fn kept(&self) -> usize {
        self.settings.most - self.settings.most / 50
    }

    /// True if others may have had no room (`cache_runs`).
    pub fn is_full(&self) -> bool {
        self.runs.len() >= self.kept()
    }

    /// Drops closed runs with the oldest edits until the limits are met.
    fn forget(&mut self) -> Done {
        let kept = self.kept();
        let mut runs: Vec<&Arc<Run>> = self.runs().collect();
        let is_gone = |run: &Run| run.state == Presence::Gone;
        runs.sort_by_key(|run| (is_gone(run), !run.is_open, Reverse(run.edited_on)));
        let mut bytes = 0;
        let is_over = |(place, run): &(usize, &Arc<Run>)| {
            bytes += run.text.len();
            *place >= kept || bytes > MOST_BYTES - MOST_BYTES / 50
        };
        let excess = runs.into_iter().enumerate().filter(is_over);
        let excess = excess.map(|(_, run)| run.doc_ref.clone());
        self.remove(&excess.collect::<Vec<_>>())
    }

    fn remove(&mut self, over: &[DocRef]) -> Done {
        let runs = over.iter().filter_map(|run| self.run(run));
        let runs = runs.filter(|run| run.state != Presence::Gone);
        let rows: Vec<RunRow> = runs.map(|run| run.row()).collect();
        // Lists that had one of them are not complete any more.
        self.leave_lists(|list| rows.iter().any(|row| !list.rules_out(row)))?;
        for run in over {
            let gone = self.runs.remove(run);
            self.bytes -= gone.map_or(0, |run| run.text.len());
            self.unwritten.remove(run);
        }
        let Some(cache) = &mut self.cache else {
            return Ok(());
        };
        cache.transaction(|cache| over.iter().try_for_each(|run| cache.remove(run)))
    }

    /// Forgets that these lists were read to their ends.
    fn leave_lists(&mut self, are_left: impl Fn(&Filter) -> bool) -> Done {
        let left = |name: &&String| are_left(&filter_of(name));
        let lists: Vec<String> = self.lists.keys().filter(left).cloned().collect();
        self.lists.retain(|name, _| !lists.contains(name));
        self.touched();
        let Some(cache) = self.cache.as_mut().filter(|_| !lists.is_empty()) else {
            return Ok(());
        };
        cache.transaction(|cache| lists.iter().try_for_each(|name| cache.remove_list(name)))
    }

    /// Writes times of readings, and removes old gone runs.
    fn flush(&mut self, at: i64) -> Done {
        self.written_at = at;
        let old = self
            .runs()
            .filter(|run| run.state == Presence::Gone && at.saturating_sub(run.read_at) > GONE);
        let old: Vec<DocRef> = old.map(|run| run.doc_ref.clone()).collect();
        if !old.is_empty() {
            self.remove(&old)?;
        }
        self.write_times(|_| true)
    }

    /// Writes the times of unchanged runs that are only in memory.
    fn write_times(&mut self, of: impl Fn(&Run) -> bool) -> Done {
        self.write(|mirror, cache| {
            let Some(cache) = cache else { return Ok(()) };
            let runs = mirror.unwritten.iter().filter_map(|run| mirror.run(run));
            let mut runs = runs.filter(|run| of(run));
            runs.try_for_each(|run| cache.touch(run))
        })
    }

    fn flush_history(&mut self) -> Done {
        let unwritten = std::mem::take(&mut self.unwritten);
        self.write_seen(unwritten.iter())
    }

    /// Writes the times at which the counts of these runs were seen last, if they are only in memory.
    pub fn keep_seen(&self, runs: &[DocRef]) -> Done {
        self.write_seen(runs.iter().filter(|run| self.unwritten.contains(*run)))
    }

    fn write_seen<'a>(&self, runs: impl Iterator<Item = &'a DocRef>) -> Done {
        let Some(history) = &self.history else {
            return Ok(());
        };
        let runs = runs.filter_map(|run| self.run(run));
        // Counts are seen only if the last reading had them.
        let runs = runs.filter(|run| run.counted_at == Some(run.read_at));
        let seen = runs.filter_map(|run| {
            let sample = run.sample()?;
            let left = sample
                .sums(&self.settings.done)
                .is_none_or(|sums| sums.left() > 0);
            let keeps = match (run.is_open, left) {
                (true, true) => Keeps::Anew,
                // Another profile may have read its first counts.
                (true, false) => Keeps::First,
                (false, _) => Keeps::Nothing,
            };
            Some((&run.doc_ref, sample, keeps))
        });
        history.counts().seen(seen)
    }
}

/// Returns what the history holds; nothing without one.
fn asked<T: Default>(
    history: Option<&RunHistory>,
    ask: impl FnOnce(&RunHistory) -> Done<T>,
) -> Done<T> {
    history.map_or_else(|| Ok(T::default()), ask)
}

/// Returns true if a reading that began after `at` has already returned the run.
fn is_later(known: &Run, at: i64) -> bool {
    (1..=LATE).contains(&known.read_at.saturating_sub(at))
}

/// Filter of a list by its name.
fn filter_of(name: &str) -> Filter {
    let filters = name.split('\n').filter(|it| !it.is_empty());
    Filter::of(filters.map(str::to_owned))
}
