//! `rundown sync`, and the cached runs for `runs list --local`.

use std::time::Duration;

use super::prelude::*;
use super::runs::{self, ListedFrom};
use crate::cli::{ListOptions, SyncOptions};
use crate::disk::Journal;
use crate::disk::database::{DatabaseError, is_on_network};
use crate::domain::diff::News;
use crate::domain::text::{count, thousands};
use crate::mirror::{
    After, Begun, Changes, Depth, NOT_SHOWN, NextRead, OwnRecord, Presence, RunCache, RunsReading,
    Wanted, field_of,
};
use crate::ops::{Client, MissingRun};
use crate::profile::{self, mirror_settings, origin};
use crate::samples::RunHistory;

/// Interval of checks on the reading of another program.
const NEXT_LOOK: Duration = Duration::from_millis(100);
/// Minimum number of calls for a message about it.
const MANY: u64 = 5;

impl From<DatabaseError> for EarlyExit {
    fn from(error: DatabaseError) -> Self {
        Exit::Service.because(error.to_string())
    }
}

/// Reads the runs of the profile into the cache.
pub async fn sync(access: &mut Access, profile: &Profile, options: &SyncOptions) -> Ran {
    let mut sync = CacheReading::begun(access, profile, options.all).await?;
    if let Some(age) = options.max_age {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let since = now().saturating_sub(age);
        let (mirror, all) = (&sync.mirror, Filter::default());
        // What was read and came short is read again.
        let is_whole = !options.all || mirror.is_full() || mirror.is_complete(&all);
        if let Some((_, 0)) = sync.reading(since)?.and_then(|last| last.ended)
            && is_whole
        {
            return sync.print(options.format, false);
        }
    }
    let read = sync.bring(access, profile.page_size).await?;
    sync.print(options.format, read)
}

/// Lists the cached runs.
pub async fn local(profile: &Profile, options: &ListOptions) -> Ran {
    let no_text = |path: &&str| field_of(path).is_none_or(|field| !field.is_text());
    let filters = options.filters.iter().filter_map(|it| it.split_once(':'));
    let filter = filters.map(|(path, _)| path).find(no_text);
    let mut sorts = options.sorts.iter().map(|sort| sort.path.as_str());
    let sort = || sorts.find(|path| field_of(path).is_none());
    if let Some(path) = filter.or_else(sort) {
        let words = format!(
            "{path}: --local filters by texts, and sorts by all, that runs list tells of a run"
        );
        return Err(Exit::Usage.because(words));
    }
    // Samples are not needed.
    let mirror = kept(profile, None)?;
    runs::list(ListedFrom::Here(&mirror), options, profile).await
}

/// Opens the cached runs, with a note about their age.
pub fn kept(profile: &Profile, history: Option<RunHistory>) -> Ran<Mirror> {
    may_keep(profile)?;
    let nothing = || {
        Exit::Service.because(
            "no runs are kept on this machine for this profile and user: rundown sync reads them",
        )
    };
    if !origin(profile).file(&cache_folder()?).exists() {
        return Err(nothing());
    }
    let mut mirror = open(profile, history)?;
    if mirror.is_barred() {
        return Err(Exit::Service.because(NOT_SHOWN));
    }
    let summary = mirror.cache().map(|cache| cache.summary()).transpose()?;
    // A file that was cleared is there all the same.
    if summary.is_some_and(|(runs, read)| runs == 0 && read.is_none()) {
        return Err(nothing());
    }
    let read = summary.and_then(|(_, read)| runs::minute(read?));
    let read = read.map_or("not read to the end".into(), |at| format!("read at {at}"));
    note(&format!("from this machine: {read}"));
    Ok(mirror)
}

fn may_keep(profile: &Profile) -> Ran {
    if profile.cache {
        return Ok(());
    }
    let name = &profile.name;
    Err(Exit::Usage.because(format!(
        "the profile {name} keeps no runs on this machine: set cache = true in it"
    )))
}

fn open(profile: &Profile, history: Option<RunHistory>) -> Ran<Mirror> {
    let folder = cache_folder()?;
    let cache = RunCache::open(&folder, &origin(profile), is_on_network(&folder))?;
    let mut mirror = Mirror::open(mirror_settings(profile), Some(cache), history)?;
    tell(&mut mirror);
    Ok(mirror)
}

/// Writes of this machine, by any profile.
pub fn own_writes(state: &std::path::Path) -> Vec<OwnRecord> {
    let read = Journal::open(state).and_then(|it| OwnRecord::read(&it));
    read.unwrap_or_else(|error| {
        note(&error.to_string());
        Vec::new()
    })
}

/// Reports what happened to the cache.
fn tell(mirror: &mut Mirror) {
    if let Some(told) = mirror.cache().and_then(|cache| cache.message.take()) {
        note(&told);
    }
}

/// Short ids of the cached runs.
pub fn ids(profile: &Profile) -> Ran<Vec<(DocRef, String)>> {
    if !profile.cache || !origin(profile).file(&cache_folder()?).exists() {
        return Ok(Vec::new());
    }
    let mirror = open(profile, None)?;
    let rows = mirror.runs().map(|run| run.row());
    let ids = rows.filter_map(|row| Some((row.doc_ref, row.id?)));
    Ok(ids.collect())
}

/// Folder of the samples.
pub fn state_folder() -> Ran<std::path::PathBuf> {
    let words = "there is no home directory to keep samples in: set XDG_STATE_HOME";
    as_folder(state_dir().ok_or_else(|| Exit::Service.because(words))?)
}

/// Returns a folder, or the error that something else has its name: nothing is said of what is kept there.
fn as_folder(folder: std::path::PathBuf) -> Ran<std::path::PathBuf> {
    if folder.exists() && !folder.is_dir() {
        let folder = folder.display();
        let words = format!("{folder} is no folder: something else has this name; move it away");
        return Err(Exit::Service.because(words));
    }
    Ok(folder)
}

/// History of the runs of a profile.
pub fn history(profile: &Profile, state: &std::path::Path) -> Ran<RunHistory> {
    Ok(profile::history(profile, &origin(profile), state)?)
}

/// Folder of the caches.
pub fn cache_folder() -> Ran<std::path::PathBuf> {
    let words = "there is no home directory to keep runs in: set XDG_CACHE_HOME";
    as_folder(cache_dir().ok_or_else(|| Exit::Service.because(words))?)
}

/// A reading of all open runs and the edits, or of all runs.
pub struct CacheReading {
    pub mirror: Mirror,
    wish: Depth,
    /// Extent of the reading, for other programs.
    wanted: Wanted,
    /// Number of runs by kind of news.
    changed: usize,
    appeared: usize,
    vanished: usize,
    calls: u32,
    is_complete: bool,
}

impl CacheReading {
    /// Creates a reading, if the profile may keep runs and can sign in.
    pub async fn begun(access: &mut Access, profile: &Profile, all: bool) -> Ran<Self> {
        may_keep(profile)?;
        if profile.username.is_none() {
            // The error names the missing keys.
            access.sign_in_first().await?;
        }
        let state = state_folder()?;
        let history = history(profile, &state)?;
        let mut mirror = open(profile, Some(history))?;
        mirror.wrote(own_writes(&state));
        let wish = if all { Depth::All } else { Depth::Sync };
        Ok(Self {
            mirror,
            wish,
            wanted: wish.wanted(&[]),
            changed: 0,
            appeared: 0,
            vanished: 0,
            calls: 0,
            is_complete: true,
        })
    }

    /// Reads, or waits for another program that is reading. Returns true if this program has read.
    pub async fn bring(&mut self, access: &mut Access, page_size: u32) -> Ran<bool> {
        while let Some(other) = self.begin()? {
            access.progress.say("another rundown is reading");
            if let Some(status) = self.wait(other.begun).await? {
                access.progress.clear();
                self.mirror.refresh()?;
                if status != 0 {
                    let words = "another rundown was reading, and was cut short; what came is kept";
                    let exit = if status == Exit::NotSignedIn as i64 {
                        Exit::NotSignedIn
                    } else {
                        Exit::Service
                    };
                    return Err(exit.because(words));
                }
                return Ok(false);
            }
        }
        let done = self.read(access, page_size).await;
        access.progress.clear();
        let exit = done.as_ref().map_or_else(|stop| stop.exit, |()| Exit::Fine);
        let closed = self.close(exit);
        done.and(closed)?;
        Ok(true)
    }

    /// The cache, with the extent of the reading for it.
    fn cache(&mut self) -> Ran<(&mut RunCache, &Wanted)> {
        let cache = self.mirror.cache();
        let cache = cache.ok_or_else(|| Exit::Service.because("no cache is open"))?;
        Ok((cache, &self.wanted))
    }

    fn begin(&mut self) -> Ran<Option<Begun>> {
        let (cache, wanted) = self.cache()?;
        Ok(cache.begin(wanted, now())?)
    }

    /// Newest reading of this extent that began at `since` (epoch milliseconds) or later.
    fn reading(&mut self, since: i64) -> Ran<Option<Begun>> {
        let (cache, wanted) = self.cache()?;
        Ok(cache.reading(wanted, since, now())?)
    }

    /// Waits for the reading of another program. Returns its exit status; `None` if it has disappeared.
    async fn wait(&mut self, begun: i64) -> Ran<Option<i64>> {
        loop {
            tokio::time::sleep(NEXT_LOOK).await;
            match self.reading(begun)? {
                Some(Begun { ended: None, .. }) => {}
                other => return Ok(other.and_then(|it| it.ended).map(|(_, status)| status)),
            }
        }
    }

    /// Reads step by step, and keeps each page.
    async fn read(&mut self, access: &mut Access, page_size: u32) -> Ran {
        let mut reading = {
            let open = RunsReading::open_runs();
            let at = now();
            self.mirror.begins(at, at);
            RunsReading::new(self.wish, vec![open], page_size, &self.mirror, at)
        };
        loop {
            match reading.next() {
                NextRead::End => break,
                NextRead::Page { filter, sort, page } => {
                    let at = now();
                    let list =
                        async |client: &Client| client.reader.list_runs(page, &sort, &filter).await;
                    match access.call(list).await? {
                        Ok(page) => {
                            let taken = self.mirror.take(&page.rows, at)?;
                            self.count(taken)?;
                            reading.on_page(&page, &mut self.mirror)?;
                        }
                        Err(error) => {
                            let (kind, is_barred) = (error.failure_kind(), error.is_barred());
                            let after = reading.on_failure(kind, is_barred, &mut self.mirror)?;
                            if after != After::Again {
                                return Err(error.into());
                            }
                        }
                    }
                    if let Some(left) = reading.calls_left().filter(|left| *left > 0) {
                        if self.wish == Depth::All && reading.calls == 1 && left > MANY {
                            let calls = count(left, "more call");
                            note(&format!("all runs take about {calls}"));
                        }
                        access.progress.say(&count(left, "more call"));
                    }
                }
                NextRead::Ask { run, id } => {
                    let at = now();
                    let look =
                        async |client: &Client| client.find_missing(&run, id.as_deref()).await;
                    let found = access.call(look).await??;
                    self.found(run, found, at)?;
                    reading.on_asked();
                }
            }
            let (cache, wanted) = self.cache()?;
            cache.alive(wanted, reading.begun, now())?;
        }
        (self.calls, self.is_complete) = (reading.calls, reading.is_complete);
        if let Some(why) = reading.cut_short(&self.mirror) {
            return Err(Exit::Service.because(format!("{why}; what came is kept")));
        }
        if reading.is_short {
            note(
                "the service lists fewer runs than it says there are, twice the same: others may be missing here",
            );
        } else if reading.lacks_edits {
            note("the service does not sort by edits: rundown sync --all reads all runs");
        } else if !reading.is_complete {
            note("the list changed during both readings of it: a run may be missing here");
        } else if self.mirror.is_full() && !self.mirror.is_complete(&Filter::default()) {
            note(
                "cache_runs of the profile holds no more: closed runs with the oldest edits may be missing here",
            );
        }
        Ok(())
    }

    /// Takes the result for a run that is missing in its list.
    fn found(&mut self, run: DocRef, found: MissingRun, at: i64) -> Ran {
        let taken = match found {
            MissingRun::There(row) => self.mirror.take(&[*row], at)?,
            MissingRun::Gone => self.mirror.gone(&[run], at)?,
            MissingRun::NotKnown(error) => {
                if let Some(run) = self.mirror.run(&run) {
                    let (row, why) = (run.row(), EarlyExit::from(*error).words);
                    let name = called(&row);
                    note(&format!("{name} is not seen in its list any more: {why}"));
                }
                return Ok(());
            }
        };
        self.count(taken)
    }

    fn count(&mut self, changes: Changes) -> Ran {
        for (.., news) in &changes.news {
            *match news {
                News::Changed { .. } => &mut self.changed,
                News::Appeared { .. } => &mut self.appeared,
                News::Vanished => &mut self.vanished,
            } += 1;
        }
        tell(&mut self.mirror);
        changes
            .unkept
            .or(changes.trouble)
            .map_or(Ok(()), |error| Err(error.into()))
    }

    /// Writes what is only in memory, and ends the reading.
    fn close(&mut self, exit: Exit) -> Ran {
        let at = now();
        self.mirror.close(at)?;
        let (cache, wanted) = self.cache()?;
        Ok(cache.end(wanted, at, exit as i64)?)
    }

    fn print(&self, format: ChangeFormat, read: bool) -> Ran {
        let of = |state| self.mirror.runs().filter(move |run| run.state == state);
        let (here, not_seen) = (of(Presence::Here).count(), of(Presence::NotSeen).count());
        let open = of(Presence::Here).filter(|run| run.is_open).count();
        let (changed, appeared, vanished) = (self.changed, self.appeared, self.vanished);
        let calls = self.calls;
        let runs_here = || format!("{} here, {} open", count(here, "run"), thousands(open));
        print(&match format {
            ChangeFormat::Json => json::pretty(
                "sync",
                json!({
                    "read": read, "whole": read.then_some(self.is_complete), "calls": calls, "runs": here, "open": open,
                    "not_seen": not_seen, "changed": changed, "appeared": appeared, "vanished": vanished
                }),
            ),
            ChangeFormat::Text if read => format!(
                "{}; {} changed, {} appeared, {} vanished; {}\n",
                runs_here(),
                thousands(changed),
                thousands(appeared),
                thousands(vanished),
                count(calls, "call")
            ),
            ChangeFormat::Text => format!("{}; read before\n", runs_here()),
        })
    }
}
