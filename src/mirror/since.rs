//! Changes of the runs since a time, by their samples.

use jiff::tz::TimeZone;

use super::answer::in_memory_order;
use super::prelude::*;
use super::{Mirror, OwnRecord, Presence, Run, asked};
use crate::domain::since::{NotCounted, RunKnown, Since, SinceLine, Uncounted, own_cases};
use crate::samples::RunHistory;

/// Time within which the pages of a first reading arrive, in milliseconds.
const FIRST: i64 = 60_000;

#[derive(Clone, Debug, PartialEq)]
pub struct SinceQuery {
    /// Epoch milliseconds; `None` for the last time the user looked.
    pub moment: Option<i64>,
    /// `None` for all versions.
    pub version: Option<String>,
    /// Days for deciding which runs are quiet, see [`Quiet::of`].
    pub days: Vec<(i64, i64)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SinceAnswer {
    /// Epoch milliseconds.
    pub moment: i64,
    /// True if nothing was read before: the time is that of the first reading.
    pub is_first: bool,
    /// True if the counts of before cannot be read: whether something was read before is not known.
    pub is_blind: bool,
    /// The last two times the user looked, newest first, epoch milliseconds.
    pub last_looks: Vec<i64>,
    pub since: Since,
    /// The runs of its lines as they are now.
    pub runs: HashMap<DocRef, Arc<Run>>,
}

impl Mirror {
    /// Changes up to now (epoch milliseconds). `is_old` gets the time of a reading and the start, and returns true if
    /// the reading is too old for it.
    pub fn since(
        &mut self,
        asked: &SinceQuery,
        (now, zone): (i64, &TimeZone),
        done: &[ResultCode],
        is_old: impl Fn(i64, i64) -> bool,
    ) -> Done<SinceAnswer> {
        let mut looks = self.asked(RunHistory::last_looks)?;
        // Times ahead of now are of a wrong clock.
        looks.retain(|at| *at <= now);
        let last = match looks.first() {
            Some(at) => Some(*at),
            None => self.last_use(now, zone)?,
        };
        let (moment, is_first) = match asked.moment.or(last) {
            Some(moment) => (moment, false),
            None => (
                self.asked(|it| it.counts().first())?
                    .map_or(now, |at| (at + FIRST).min(now)),
                true,
            ),
        };
        let is_blind = !self.has_history();
        let (mut known, not_counted) = self.known(asked, moment)?;
        if is_first {
            // The first reading is then as well as now.
            for run in &mut known {
                run.counted_at = run
                    .counted_at
                    .max(Some(moment).filter(|_| run.then.is_some()));
            }
        }
        let since = Since::of(moment, known, done, |at| is_old(at, moment));
        let run = |line: &SinceLine| {
            Some((
                line.row.doc_ref.clone(),
                self.run(&line.row.doc_ref)?.clone(),
            ))
        };
        Ok(SinceAnswer {
            moment,
            is_first: is_first && !is_blind,
            is_blind,
            last_looks: looks,
            runs: since.lines.iter().filter_map(run).collect(),
            since: since.without(not_counted),
        })
    }

    /// True if a run of this version was read, whatever became of it.
    pub fn has_run_of(&self, version: &str) -> bool {
        self.runs().any(|run| run.version() == Some(version))
    }

    /// End of the last day before today on which the user pressed keys, epoch milliseconds: readings of a wall or a timer do not count.
    fn last_use(&self, now: i64, zone: &TimeZone) -> Done<Option<i64>> {
        let Some(days) = Days::at(now, zone) else {
            return Ok(None);
        };
        let used = self.asked(|it| it.counts().last_use(days.today))?;
        let end = used.and_then(|at| Days::at(at, zone));
        Ok(end.map(|days| days.tomorrow))
    }

    /// Known data of the runs of a version, and runs of which it is not known whether they are there.
    fn known(&mut self, asked: &SinceQuery, moment: i64) -> Done<(Vec<RunKnown>, Vec<Uncounted>)> {
        let version = asked.version.as_ref();
        let filter = version.map_or_else(Filter::default, |version| Filter::of_version(version));
        let wanted = filter.fields();
        let is_gone = |run: &Run| run.state == Presence::Gone;
        let may_fit =
            |run: &&Arc<Run>| is_gone(run) || wanted.iter().all(|field| field.may_fit(&run.text));
        let runs: Vec<_> = in_memory_order(self.runs())
            .filter(may_fit)
            .cloned()
            .collect();
        let open = runs.iter().filter(|run| run.is_open);
        let quiet = self.quiet(open, &asked.days)?;
        let before = BeforeMoment::read(self.history.as_ref(), &self.own, moment)?;
        let (mut known, mut not_counted) = (Vec::new(), Vec::new());
        for run in &runs {
            let is_gone = is_gone(run);
            // Most runs are closed: they are not read.
            let was_open = || before.was_open(&run.doc_ref, run.is_open, run.edited_on);
            if is_gone && run.read_at < moment || run.is_closed() && was_open() == Some(false) {
                continue;
            }
            let was_deleted = || {
                before
                    .deleted_at(&run.doc_ref)
                    .is_some_and(|at| at < moment)
            };
            if is_gone && (was_deleted() || before.then(&run.doc_ref)?.is_none()) {
                continue;
            }
            let mut row = run.row();
            self.fill(run, &mut row);
            match run.state {
                _ if run.is_closed() && was_open().is_none() && row.is_made_since(moment) => {}
                _ if wanted.iter().any(|field| field.fits(&row) != Some(true)) => {}
                Presence::NotSeen => not_counted.push((row, NotCounted::LastRead(run.read_at))),
                Presence::Here | Presence::Gone => {
                    let gone_since = is_gone.then_some(run.read_at);
                    let quiet = quiet.get(&run.doc_ref).copied();
                    let quiet = quiet.unwrap_or(Quiet::NotKnown);
                    known.push(before.known(row, (run.counted_at, gone_since), quiet)?);
                }
            }
        }
        Ok((known, not_counted))
    }
}

/// Kept data of runs from before a time.
pub struct BeforeMoment<'a> {
    moment: i64,
    history: Option<&'a RunHistory>,
    own: &'a [OwnRecord],
    /// First change of the status since then, and true if the run was open before it.
    were_open: HashMap<DocRef, (i64, bool)>,
    /// All changes since then are kept.
    is_kept: bool,
}

impl<'a> BeforeMoment<'a> {
    /// Reads the data; `own` are the writes from this machine.
    pub fn read(history: Option<&'a RunHistory>, own: &'a [OwnRecord], moment: i64) -> Done<Self> {
        let mut were_open = asked(history, |it| it.were_open(moment))?;
        for write in own.iter().filter(|own| own.at >= moment) {
            if let Some(was_open) = write.was_open {
                let first = were_open.entry(write.run.clone());
                let first = first.or_insert((write.at, was_open));
                *first = (write.at, was_open).min(*first);
            }
        }
        let kept_since = asked(history, RunHistory::kept_since)?;
        Ok(Self {
            moment,
            history,
            own,
            were_open,
            is_kept: kept_since.is_some_and(|at| at <= moment),
        })
    }

    /// Newest counts of a run from before the time.
    fn then(&self, run: &DocRef) -> Done<Option<Sample>> {
        asked(self.history, |it| it.counts().before_of(run, self.moment))
    }

    /// Returns true if a run that is open or not by now, and was edited last at a time (epoch milliseconds), was open at
    /// the moment; `None` if changes since then are not kept.
    pub fn was_open(&self, run: &DocRef, is_open: bool, edited_on: Option<i64>) -> Option<bool> {
        let is_as_then = || self.is_kept || edited_on.is_some_and(|at| at < self.moment);
        match self.were_open.get(run) {
            Some(first) => Some(first.1),
            None => is_as_then().then_some(is_open),
        }
    }

    /// Known data of a run. `counted_at` is the time of its counts, `gone_since` that since when it is not found, in epoch
    /// milliseconds.
    pub fn known(
        &self,
        row: RunRow,
        (counted_at, gone_since): (Option<i64>, Option<i64>),
        quiet: Quiet,
    ) -> Done<RunKnown> {
        let is_open = !row.is_closed();
        let was_open = self.was_open(&row.doc_ref, is_open, row.edited_on);
        let then = self.then(&row.doc_ref)?;
        // Whether a closed run had cases left then is not known without its status.
        let then = then.filter(|_| is_open || was_open.is_some());
        let own = then.as_ref();
        Ok(RunKnown {
            counted_at,
            gone_since,
            deleted_at: self.deleted_at(&row.doc_ref),
            quiet,
            own: own.map_or(Ok(0), |then| self.own_cases(&row, counted_at, then))?,
            was_open: was_open.unwrap_or(true),
            then,
            row,
        })
    }

    /// Time at which the run was deleted from here, epoch milliseconds.
    fn deleted_at(&self, run: &DocRef) -> Option<i64> {
        let of_run = self.deletions().filter(|own| own.run == *run);
        of_run.map(|own| own.at).max()
    }

    fn deletions(&self) -> impl Iterator<Item = &OwnRecord> {
        let is_deletion = |own: &&OwnRecord| own.is_done && own.write == Some(OwnWrite::Deletion);
        self.own.iter().filter(is_deletion)
    }

    /// Returns the runs that were read before the moment and are gone since. `is_here` is true for the runs of a list.
    pub fn gone(&self, is_here: impl Fn(&DocRef) -> bool) -> Done<Vec<DocRef>> {
        let mut gone = asked(self.history, |it| it.vanished(self.moment))?;
        let own = self.deletions().filter(|own| own.at >= self.moment);
        gone.extend(own.map(|own| own.run.clone()));
        gone.retain(|run| !is_here(run));
        let mut read = Vec::new();
        for run in gone {
            if self.then(&run)?.is_some() {
                read.push(run);
            }
        }
        Ok(read)
    }

    /// Number of cases that were added by adding and removing suites from here since a sample.
    fn own_cases(&self, row: &RunRow, counted_at: Option<i64>, then: &Sample) -> Done<i64> {
        let is_own = |own: &&OwnRecord| {
            own.run == row.doc_ref && own.is_done && own.write == Some(OwnWrite::Suites)
        };
        let writes: Vec<i64> = self.own.iter().filter(is_own).map(|own| own.at).collect();
        let Some(history) = self.history.filter(|_| !writes.is_empty()) else {
            return Ok(0);
        };
        let mut samples = history.counts().of(&row.doc_ref, then.at)?;
        if let Some(at) = counted_at {
            Sample::add_reading(&mut samples, row, at);
        }
        let from = samples.iter().rposition(|it| it.at == then.at);
        Ok(own_cases(&samples[from.unwrap_or(0)..], &writes))
    }
}
