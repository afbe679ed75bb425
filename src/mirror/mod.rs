//! The runs, as far as they are on this machine: each once in memory, kept in a cache on the disk, with what changed in
//! them told to the history.
//!
//! ```text
//!  any list, any document ──► take ──► rows in memory ──► answer
//!                              ├─────► cache: rows, news, lists read to their end
//!                              └─────► history: news, samples, what nobody has looked at
//! ```
//!
//! A plain value: it has no thread and no clock and calls nobody. Cache and history are options; without them it holds
//! what it took since it was made. With them its calls block.

mod answer;
mod cache;
mod compare;
mod earlier;
mod list;
mod own;
mod quiet;
mod reading;
mod run;
mod since;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ptr;
use std::sync::Arc;

use cache::WholeList;
use run::{row_of, text_of, without_texts};

pub use answer::{FoundRuns, field_of};
pub use cache::{Begun, RunCache, RunsOrigin, Wanted, files, parts, remove};
pub use earlier::EarlierReadings;
pub use list::{
    Count, FieldValues, ListExtent, Overview, RunSums, RunsAnswer, RunsQuery, TabQuery, is_me,
};
pub use own::OwnRecord;
pub use reading::{Depth, NextRead, RunsReading};
pub use run::{Presence, Run};
pub use since::{BeforeMoment, SinceAnswer, SinceQuery};

use crate::disk::database::{DatabaseError, Done};
use crate::domain::diff::{self, Ignored, News, OwnWrite};
use crate::domain::fields::STATUS;
use crate::domain::{
    DocRef, Facets, FieldDigests, Filter, ResultCode, RunRow, RunsOperation, Sample, Status,
};
use crate::samples::{Before, RunHistory, RunNews, Unread};

/// Milliseconds between two writings of when runs were read that did not change.
const WRITTEN: i64 = 10 * 60_000;
/// Milliseconds that an answer may take. What is known of a run from a time beyond that was read by another clock.
const LATE: i64 = 10 * 60_000;
/// Bytes of all rows at most: the service may make their texts long.
const MOST_BYTES: usize = 96 << 20;
/// Lists refused in a row after which nothing of the source is shown.
const BARRED: u32 = 2;
/// Milliseconds after which the row of a run that is gone goes.
const GONE: i64 = 7 * 24 * 3_600_000;

/// What the mirror is told about runs.
#[derive(Clone, Debug, Default)]
pub struct MirrorSettings {
    /// Fields whose changes are not told.
    pub ignored: Ignored,
    /// Results of cases that are finished.
    pub done: Vec<ResultCode>,
    /// Most runs that it holds.
    pub most: usize,
}

/// What became new by rows that were taken.
#[derive(Debug, Default)]
pub struct Changes {
    /// Runs, with what is new about them.
    pub news: Vec<(Arc<Run>, News)>,
    /// The history could not be written. What it lacks is in the cache, and goes over with the next rows.
    pub trouble: Option<DatabaseError>,
}

/// The runs of one source.
#[derive(Debug, Default)]
pub struct Mirror {
    runs: HashMap<DocRef, Arc<Run>>,
    /// Of their rows.
    bytes: usize,
    lists: HashMap<String, WholeList>,
    /// Runs that nobody has looked at since they changed: their rows before the first change, `None` for new ones.
    unread: HashMap<DocRef, Option<Before>>,
    /// Runs that were read without a change: when is not written yet.
    unwritten: HashSet<DocRef>,
    /// When that was written last, epoch milliseconds.
    written_at: i64,
    settings: MirrorSettings,
    cache: Option<RunCache>,
    history: Option<RunHistory>,
    /// What was written from here.
    own: Vec<OwnRecord>,
    /// Where the next pages of long lists of open runs begin, by their filters, see [`Depth::Refresh`].
    turns: HashMap<Vec<String>, u64>,
    /// Entries that the service gives at once, where it gave fewer than asked for.
    page_limit: Option<u32>,
    /// The newest `EditedOn` that the last reading of the newest edits saw.
    edits: Option<i64>,
    /// How many runs the service says lists have.
    sizes: HashMap<String, u64>,
    /// Runs that the service listed by filters which their rows do not seem to fit, by the filter.
    listed_by: HashMap<String, HashSet<DocRef>>,
    facets: Facets,
    operation: Option<RunsOperation>,
    earlier: Arc<EarlierReadings>,
    quiet: quiet::QuietRuns,
    overview: Arc<Overview>,
    /// What that is of; `None` where runs or lists have changed since.
    looked_over: Option<list::OverviewOf>,
    /// What could not be read of the history, until it is asked for.
    trouble: Option<DatabaseError>,
    /// Runs or lists have changed since it was asked.
    is_changed: bool,
    /// How often in a row the service has refused this account its lists.
    barred: u32,
    /// How often another program has emptied the cache.
    emptied: u32,
    /// The lists that readings began with which ended well, with when the last of each began, epoch milliseconds.
    read: HashMap<String, i64>,
}

/// What comes of a row.
struct Update {
    run: Arc<Run>,
    /// The digests of what it does not hold; `None` if only the time of the reading differs, which is not written at once.
    hidden: Option<FieldDigests>,
    item: Option<RunNews>,
    news: Option<News>,
}

impl Mirror {
    /// One without runs, in memory alone.
    pub fn empty(settings: MirrorSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// One with what the cache holds if there is one.
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
            ..Self::empty(settings)
        };
        let pending = mirror.write(|_, cache| cache.map_or(Ok(Vec::new()), |it| it.news()))?;
        // A program that was killed may have left some.
        if let Some(error) = mirror.deliver(&pending)? {
            tracing::warn!(%error, "what changed in runs was not taken over");
        }
        mirror.load_unread();
        Ok(mirror)
    }

    /// Somebody has seen all that changed up to a time (epoch milliseconds).
    pub fn look(&mut self, at: i64) -> Done {
        self.touched();
        self.history.as_ref().map_or(Ok(()), |it| it.look(at))
    }

    /// Says what was written from here, by any program.
    pub fn wrote(&mut self, own: Vec<OwnRecord>) {
        self.own = own;
    }

    /// What was written to a run from here since it was read last, if a reading now may be the first to show it.
    fn own_of(&self, run: &DocRef, since: i64, at: i64) -> Vec<&OwnRecord> {
        let of_run =
            |own: &&OwnRecord| own.run == *run && own.at > since && at - own.at <= own::SHOWS;
        self.own.iter().filter(of_run).collect()
    }

    /// Takes rows that were asked for at a time (epoch milliseconds). THE door: what any job reads comes in here.
    pub fn take(&mut self, rows: &[RunRow], at: i64) -> Done<Changes> {
        let mut changes = self.keep(|mirror, cache| mirror.compare(rows, at, cache))?;
        if at.saturating_sub(self.written_at) >= WRITTEN {
            self.flush(at)?;
            changes.trouble = self.flush_history().err().or(changes.trouble);
        }
        Ok(changes)
    }

    /// Runs that a list by its id ruled out and that were not found as documents: nothing of them stays but that they were.
    pub fn gone(&mut self, runs: &[DocRef], at: i64) -> Done<Changes> {
        let mut changes = self.keep(|mirror, _| {
            let goes = |run: &Run| run.state != Presence::Gone && !is_later(run, at);
            let known = runs.iter().map(|run| (run, mirror.run(run)));
            let gone = known.filter(|(_, known)| known.is_none_or(|run| goes(run)));
            let gone = gone.map(|(run, known)| mirror.update_of_gone(run, known, at));
            Ok(gone.collect())
        })?;
        if let Some(cache) = &self.cache {
            runs.iter().try_for_each(|run| cache.remove_document(run))?;
            cache.wipe_log()?;
        }
        if let Some(history) = &self.history {
            runs.iter().try_for_each(|run| history.forget_suites(run))?;
            changes.trouble = history.wipe_log().err().or(changes.trouble);
        }
        Ok(changes)
    }

    /// Of one that is not known, too, it stays that it was: a page asked for before it went may come yet.
    fn update_of_gone(&self, run: &DocRef, known: Option<&Arc<Run>>, at: i64) -> Update {
        let was = known.map(|known| known.row());
        let row = RunRow {
            id: was.as_ref().and_then(|was| was.id.clone()),
            // Cases that were not run in a closed one were not left.
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

    /// The runs of a list that no reading has found since a time (epoch milliseconds), the one that was read first before
    /// the others.
    pub fn missing(&self, filter: &Filter, since: i64) -> Vec<DocRef> {
        let mut missing = self.fitting(filter, |run| run.read_at < since);
        missing.sort_by(|a, b| (a.read_at, &a.doc_ref).cmp(&(b.read_at, &b.doc_ref)));
        missing.into_iter().map(|run| run.doc_ref.clone()).collect()
    }

    /// The runs that are not gone, that a filter does not rule out, and of which this is so.
    fn fitting(&self, filter: &Filter, is_so: impl Fn(&Run) -> bool) -> Vec<&Arc<Run>> {
        let mut room = None;
        let fits = |run: &&Arc<Run>| {
            run.state != Presence::Gone && is_so(run) && {
                let row = room.get_or_insert_with(|| run.row());
                run.fill(row);
                !filter.rules_out(row)
            }
        };
        self.runs().filter(fits).collect()
    }

    /// A list of this size was read to its end: what it should have and no reading has found since its reading was begun is
    /// not seen. `is_whole` says that it was of one moment, as far as can be known.
    pub fn list_ended(&mut self, filter: &Filter, begun: i64, size: u64, is_whole: bool) -> Done {
        let missing = self.missing(filter, begun);
        // Of a list that is longer than what is held here a part was forgotten again.
        let held = self.fitting(filter, |run| run.read_at >= begun).len();
        let is_whole = is_whole && held as u64 >= size;
        let mark = self.newest_edit();
        let list = WholeList { size, mark };
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

    /// A list was read to its end of which this filter finds a part.
    fn is_whole(&self, filter: &Filter) -> bool {
        let is_of = |list: &String| {
            let of_list = filter_of(list).filters;
            of_list.iter().all(|it| filter.filters.contains(it))
        };
        self.lists.keys().any(is_of)
    }

    /// What is known of a list that was read to its end, if it ever was.
    fn list(&self, filter: &Filter) -> Option<&WholeList> {
        self.lists.get(&filter.filters.join("\n"))
    }

    /// A reading that began with this list at a time (epoch milliseconds) has ended well.
    pub fn was_read(&mut self, wanted: &Wanted, begun: i64, now: i64) -> Done {
        if let Some(cache) = &self.cache {
            cache.end(wanted, now, 0)?;
        }
        let last = self.read.entry(wanted.list.clone()).or_insert(begun);
        *last = begun.max(*last);
        self.touched();
        Ok(())
    }

    /// When the newest readings began that read the open runs of these lists, and what was edited, epoch milliseconds.
    fn read_at(&self, lists: &[Filter]) -> Option<i64> {
        let read_at = |list: &Filter| {
            let is_part = |name: &str| {
                let mut lines = name.lines().filter(|line| !line.starts_with(STATUS.path));
                lines.all(|line| list.filters.iter().any(|it| it == line))
            };
            let covers = |names: &str| names.split("\n\n").any(is_part);
            let read = self.read.iter().filter(|(names, _)| covers(names));
            read.map(|(_, begun)| *begun).max()
        };
        let read: Option<Vec<i64>> = lists.iter().map(read_at).collect();
        read?.into_iter().min()
    }

    /// A list came with runs, or was refused as not for this account. Refused twice in a row nothing is shown until one
    /// comes.
    pub fn may_see(&mut self, may: bool) -> Done {
        let barred = if may {
            0
        } else {
            self.barred.saturating_add(1)
        };
        if std::mem::replace(&mut self.barred, barred) == barred {
            return Ok(());
        }
        self.touched();
        let cache = self.cache.as_ref();
        cache.map_or(Ok(()), |cache| cache.set("barred", barred.into()))
    }

    /// Nothing of it may be shown.
    pub fn is_barred(&self) -> bool {
        self.barred >= BARRED
    }

    fn learn_limit(&mut self, limit: u32) -> Done {
        self.page_limit = Some(limit);
        self.cache
            .as_ref()
            .map_or(Ok(()), |cache| cache.set("page_limit", i64::from(limit)))
    }

    fn learn_edits(&mut self, newest: Option<i64>) -> Done {
        self.edits = newest.or(self.edits);
        let known = self.cache.as_ref().zip(newest);
        known.map_or(Ok(()), |(cache, newest)| cache.set("edits", newest))
    }

    /// The newest `EditedOn` of all runs; none is later than its reading.
    fn newest_edit(&self) -> Option<i64> {
        let edits = self.runs();
        edits
            .filter_map(|run| Some(run.edited_on?.min(run.read_at)))
            .max()
    }

    /// All of them, in no order; also those that are not seen, or gone.
    pub fn runs(&self) -> impl Iterator<Item = &Arc<Run>> {
        self.runs.values()
    }

    /// Whether runs or lists have changed since this was asked.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// What could not be read of the history since this was asked.
    pub fn take_trouble(&mut self) -> Option<DatabaseError> {
        self.trouble.take()
    }

    fn touched(&mut self) {
        (self.looked_over, self.is_changed) = (None, true);
    }

    /// Those that are not gone, and that no list lacks which should have them.
    fn here(&self) -> impl Iterator<Item = &Arc<Run>> {
        self.runs().filter(|run| run.state == Presence::Here)
    }

    /// One of them.
    pub fn run(&self, run: &DocRef) -> Option<&Arc<Run>> {
        self.runs.get(run)
    }

    /// Nobody has looked at a run since it changed.
    pub fn is_unread(&self, run: &DocRef) -> bool {
        self.unread.contains_key(run)
    }

    /// Somebody has looked at a run.
    pub fn looked_at(&mut self, run: &DocRef) -> Done {
        let was = self.unread.remove(run);
        self.is_changed |= was.is_some();
        match (was, &self.history) {
            (Some(_), Some(history)) => history.looked_at(run),
            _ => Ok(()),
        }
    }

    /// Writes all that is only in memory.
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

    /// Takes what other programs have written.
    pub fn refresh(&mut self) -> Done {
        self.write(|_, _| Ok(()))
    }

    /// All is in memory alone from now on; whether it was not before.
    pub fn leave_cache(&mut self) -> bool {
        self.cache.take().is_some()
    }

    /// The cache, if there is one.
    pub fn cache(&mut self) -> Option<&mut RunCache> {
        self.cache.as_mut()
    }
}

/// Inside.
impl Mirror {
    /// Works on the cache in one transaction, behind what others have written meanwhile. Where the file is lost, it is made
    /// anew from the rows in memory first.
    fn write<T>(&mut self, work: impl Fn(&mut Self, Option<&mut RunCache>) -> Done<T>) -> Done<T> {
        let Some(mut cache) = self.cache.take() else {
            return work(self, None);
        };
        let once = |mirror: &mut Self, cache: &mut RunCache| {
            cache.transaction(|cache| {
                mirror.catch_up(cache)?;
                work(mirror, Some(cache))
            })
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

    /// Takes what other programs have written, from the cache and of the history.
    fn catch_up(&mut self, cache: &mut RunCache) -> Done {
        // That another program has read them changes no run.
        let read = cache.read_at()?.into_iter().collect();
        if self.read != read {
            self.read = read;
            self.touched();
        }
        let Some(since) = cache.newer()? else {
            return Ok(());
        };
        self.touched();
        if since == cache::ANEW {
            self.runs.clear();
            self.emptied += 1;
        }
        cache.rows(since, |mut run| {
            // When it was read here may not be written yet.
            if let Some(known) = self.runs.get(&run.doc_ref) {
                run.read_at = run.read_at.max(known.read_at);
            }
            self.runs.insert(run.doc_ref.clone(), Arc::new(run));
        })?;
        self.bytes = self.runs().map(|run| run.text.len()).sum();
        self.lists = cache.lists()?.into_iter().collect();
        let limit = cache.number("page_limit")?;
        self.page_limit = limit.and_then(|it| it.try_into().ok()).filter(|it| *it > 0);
        self.edits = cache.number("edits")?;
        let barred = cache.number("barred")?;
        self.barred = barred.and_then(|it| it.try_into().ok()).unwrap_or(0);
        let operation = cache.number("operation")?;
        let mut known = [RunsOperation::ListTestRuns, RunsOperation::ListDocuments].into_iter();
        self.operation = known.find(|it| Some(*it as i64) == operation);
        self.load_unread();
        Ok(())
    }

    /// What nobody has looked at, by the history.
    fn load_unread(&mut self) {
        let Some(history) = &self.history else {
            return;
        };
        match history.unread() {
            Ok(unread) => self.unread = unread.into_iter().collect(),
            Err(error) => tracing::warn!(%error, "what nobody has looked at is not known"),
        }
    }

    /// Writes all rows into a new file. Digests of fields that are not shown were in the old one: of those no change is
    /// told once.
    fn write_all(&mut self, cache: &mut RunCache) -> Done {
        self.catch_up(cache)?;
        let none = FieldDigests::default;
        cache.put(self.runs().map(|run| (&**run, none())))?;
        self.lists
            .iter()
            .try_for_each(|(name, list)| cache.put_list(name, list))
    }

    /// Writes what came of rows, holds it in memory from then on, and tells the history.
    fn keep(
        &mut self,
        work: impl Fn(&Self, Option<&RunCache>) -> Done<Vec<Update>>,
    ) -> Done<Changes> {
        let (updates, pending) = self.write(|mirror, cache| {
            let updates = work(mirror, cache.as_deref())?;
            let mut news = updates.iter().filter_map(|it| it.item.as_ref());
            let Some(cache) = cache else {
                // Nothing can come twice from memory.
                let news = news.map(|item| (0, item.clone())).collect();
                return Ok((updates, news));
            };
            let new = updates.iter();
            cache.put(new.filter_map(|it| Some((&*it.run, it.hidden.clone()?))))?;
            news.try_for_each(|item| cache.add_news(item))?;
            Ok((updates, cache.news()?))
        })?;
        let mut changes = self.apply(updates)?;
        changes.trouble = self.deliver(&pending)?;
        Ok(changes)
    }

    fn compare(&self, rows: &[RunRow], at: i64, cache: Option<&RunCache>) -> Done<Vec<Update>> {
        // A page may have a run twice: its last row counts.
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

    /// `was_gone` says that somebody has put it back.
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
            Some(Some(first)) if went_back(first) => Unread::Clear,
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

    /// A list that should have had the run was read to its end without it, and nobody has edited the run before that: it
    /// is new. A run that moved from page to page while they were read may have been in none of them.
    fn was_read_without(&self, row: &RunRow) -> bool {
        self.lists.iter().any(|(name, list)| {
            let is_newer = |at| list.mark.is_none_or(|mark| at > mark);
            !filter_of(name).rules_out(row) && row.edited_on.is_none_or(is_newer)
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
                        self.unread.entry(item.run).or_insert(item.before);
                    }
                }
            }
        }
        if self.runs.len() > self.settings.most || self.bytes > MOST_BYTES {
            self.forget()?;
        }
        Ok(changes)
    }

    /// The history takes over what it has not got yet.
    fn deliver(&mut self, pending: &[(i64, RunNews)]) -> Done<Option<DatabaseError>> {
        let Some(((last, _), history)) = pending.last().zip(self.history.as_ref()) else {
            return Ok(None);
        };
        let file = self.cache.as_ref().map(|cache| cache.id.as_str());
        let items = pending.iter().map(|(number, item)| (*number, item));
        if let Err(error) = history.take_over(file, items) {
            return Ok(Some(error));
        }
        self.write(|_, cache| cache.map_or(Ok(None), |it| it.taken(*last).map(|()| None)))
    }

    /// Closed runs whose last edit is oldest go, down to what is held, and what is gone for long.
    fn forget(&mut self) -> Done {
        // Some more than have to, so that it is not done for every page.
        let kept = self.settings.most - self.settings.most / 50;
        let mut runs: Vec<&Arc<Run>> = self.runs().collect();
        runs.sort_by_key(|run| (!run.is_open, Reverse(run.edited_on)));
        let mut bytes = 0;
        let is_over = |(place, run): &(usize, &Arc<Run>)| {
            bytes += run.text.len();
            *place >= kept || bytes > MOST_BYTES - MOST_BYTES / 50
        };
        let over = runs.into_iter().enumerate().filter(is_over);
        let over = over.map(|(_, run)| run.doc_ref.clone());
        self.remove(&over.collect::<Vec<_>>())
    }

    fn remove(&mut self, over: &[DocRef]) -> Done {
        let runs = over.iter().filter_map(|run| self.run(run));
        let runs = runs.filter(|run| run.state != Presence::Gone);
        let rows: Vec<RunRow> = runs.map(|run| run.row()).collect();
        // A list that had one of them is not here as a whole any more.
        let had = |name: &&String| rows.iter().any(|row| !filter_of(name).rules_out(row));
        let lists: Vec<String> = self.lists.keys().filter(had).cloned().collect();
        self.lists.retain(|name, _| !lists.contains(name));
        self.touched();
        for run in over {
            let gone = self.runs.remove(run);
            self.bytes -= gone.map_or(0, |run| run.text.len());
            self.unwritten.remove(run);
        }
        let Some(cache) = &mut self.cache else {
            return Ok(());
        };
        cache.transaction(|cache| {
            lists.iter().try_for_each(|name| cache.remove_list(name))?;
            over.iter().try_for_each(|run| cache.remove(run))
        })
    }

    /// Writes when runs were read, and removes what is gone for long.
    fn flush(&mut self, at: i64) -> Done {
        self.written_at = at;
        let old = self
            .runs()
            .filter(|run| run.state == Presence::Gone && at.saturating_sub(run.read_at) > GONE);
        let old: Vec<DocRef> = old.map(|run| run.doc_ref.clone()).collect();
        if !old.is_empty() {
            self.remove(&old)?;
        }
        self.write(|mirror, cache| {
            let Some(cache) = cache else { return Ok(()) };
            let mut runs = mirror.unwritten.iter().filter_map(|run| mirror.run(run));
            runs.try_for_each(|run| cache.touch(run))
        })
    }

    fn flush_history(&mut self) -> Done {
        let unwritten = std::mem::take(&mut self.unwritten);
        self.write_seen(unwritten.iter())
    }

    /// Writes until when the counts of these runs were seen, as far as that is only in memory.
    pub fn keep_seen(&self, runs: &[DocRef]) -> Done {
        self.write_seen(runs.iter().filter(|run| self.unwritten.contains(*run)))
    }

    fn write_seen<'a>(&self, runs: impl Iterator<Item = &'a DocRef>) -> Done {
        let Some(history) = &self.history else {
            return Ok(());
        };
        let runs = runs.filter_map(|run| self.run(run));
        // Counts that the last reading did not bring are none that were seen then.
        let runs = runs.filter(|run| run.counted_at == Some(run.read_at));
        let seen = runs.filter_map(|run| {
            let sample = run.sample()?;
            let left = sample
                .sums(&self.settings.done)
                .is_none_or(|sums| sums.left() > 0);
            Some((&run.doc_ref, sample, run.is_open && left))
        });
        history.seen(seen)
    }
}

/// Another reading that was begun after this time has brought the run before: what was asked for then is older.
fn is_later(known: &Run, at: i64) -> bool {
    (1..=LATE).contains(&known.read_at.saturating_sub(at))
}

/// The filter of a list by its name.
fn filter_of(name: &str) -> Filter {
    let filters = name.split('\n').filter(|it| !it.is_empty());
    Filter {
        filters: filters.map(str::to_owned).collect(),
        ..Filter::default()
    }
}
