//! Changes whose program ended before their end was known: the journal shows what was sent, a reading what is left.
//! Nothing is sent again before a reading has shown that it is not in effect.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;

use super::lost::{differs, doubt};
use super::prelude::*;
use super::suites::seen;
use super::undo::unread;
use super::write::may_come;
use super::{MissingRun, Writing, blocking};
use crate::disk::{DiskError, Journal, RecentWrites, StateFolder, WriteOrigin};
use crate::domain::text::{self, count_were, were};
use crate::domain::{Unfinished, UnfinishedChange, method};

/// The writes of the last part of a change: the creation of a run, or all requests of suites of one run.
struct LastPart<'a> {
    job: &'a str,
    /// In the order of sending.
    writes: Vec<&'a WriteRecord>,
    /// Writes of the change before the part.
    earlier: Vec<&'a WriteRecord>,
    newest: &'a WriteRecord,
    /// Writes to the same service that were begun after it, with any profile.
    later: Vec<&'a WriteRecord>,
    intent: Intent,
    /// Suites that were to be added or removed; to be added to the run afterwards, where one was to be created.
    plan: Vec<(DocRef, String)>,
    /// Name of the run.
    name: &'a str,
    /// The run is a probe run: it stands to be deleted.
    is_probe: bool,
}

/// The purpose of a part.
enum Intent {
    Suites {
        adds: bool,
        /// The run was to be deleted afterwards.
        then_deletes: bool,
    },
    Create,
    Save,
    Delete,
}

/// Returns the changes of a profile that have no end, those of the project first and the oldest first, and lets those be
/// that were saved since. Blocks.
pub fn unfinished(
    state: &StateFolder,
    profile: &str,
    here: &WriteTarget,
) -> Result<Vec<Unfinished>, String> {
    let left = state.under_way.left().map_err(|error| error.to_string())?;
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let read = state
        .journal
        .newest(None)
        .map_err(|error| error.to_string())?;
    let (mut parts, mut changes) = (Vec::new(), Vec::new());
    for job in &left {
        match LastPart::last(&read, job) {
            Some(part) if part.newest.profile == profile => parts.push(part),
            Some(_) => {}
            // It may be of any profile: its name is not in the file.
            None => changes.push(Unfinished {
                job: job.clone(),
                write: job.clone(),
                words: forgotten(job, &state.journal),
                elsewhere: None,
                is_of_other_service: false,
            }),
        }
    }
    let (ended, parts): (Vec<_>, Vec<_>) = parts.into_iter().partition(LastPart::is_over);
    for part in ended {
        // It is read again the next time; the others are reported.
        if let Err(error) = state.under_way.let_be(part.job) {
            tracing::warn!(%error, "a change that is over was not let be");
        }
    }
    changes.extend(parts.iter().map(|part| part.unfinished(here)));
    changes.sort_by(|a, b| {
        let place = |change: &Unfinished| (change.elsewhere.is_some(), change.job.clone());
        place(a).cmp(&place(b))
    });
    Ok(changes)
}

/// Returns words for an earlier save without a known end, with any profile, that this one would take back, as the run
/// shows nothing of it. After [`LATEST`] it comes no more. Blocks.
fn unseen(
    state: &StateFolder,
    own: &WriteOrigin,
    modify: &Modify,
    shown: &RunTexts,
) -> Result<Option<String>, DiskError> {
    // One that is held is looked at by a program: the run is saved by none but this one.
    let (open, left) = (state.under_way.names()?, state.under_way.left()?);
    if open.is_empty() {
        return Ok(None);
    }
    let read = state.journal.newest(None)?;
    let unseen = |job: &String| {
        let part = LastPart::last(&read, job)?;
        let write = part.newest;
        let is_open = write.last().is_none_or(Recorded::is_open);
        let may_come = may_come(write.at) && is_open;
        let is_here = write.target.is_at(&own.service);
        if write.run != modify.run.as_str() || !is_here || !may_come || part.is_saved_since() {
            return None;
        }
        let (before, after) = write.texts()?;
        let is_taken_back = |field: &&RunField| {
            let old = before.get(field);
            old != after.get(field) && old == shown.get(field) && !modify.texts.contains_key(field)
        };
        let fields = before.keys().filter(is_taken_back);
        let labels = text::join(fields.map(|field| field.label()), ", ");
        if labels.is_empty() {
            return None;
        }
        let made = match write.profile.as_str() {
            profile if profile == own.profile => String::new(),
            other => format!(", made with the profile \"{other}\""),
        };
        let leave = leaves(write, own, &left);
        Some(format!(
            "not sent: the end of an earlier save from here ({labels}{made}) is not known, and the run shows nothing of it: \
             this one would take it back. It may still come for 5 minutes after it was sent; {leave}."
        ))
    };
    Ok(open.iter().find_map(unseen))
}

/// Says how a change without a known end is left at that.
fn leaves(write: &WriteRecord, own: &WriteOrigin, left: &[String]) -> String {
    let (job, profile) = (write.job(), &write.profile);
    if !left.iter().any(|it| it == job) {
        return "another rundown looks at it".to_owned();
    }
    let with = if *profile == own.profile {
        String::new()
    } else {
        format!(" --profile {}", shell_words::quote(profile))
    };
    format!("to leave it at that: my changes (rundown changes resume {job} --forget{with})")
}

/// Returns words for an earlier request without a known end, with any profile, that did the same to suites of this run:
/// it was answered with a yes, and no reading has confirmed it. Blocks.
fn answered(
    state: &StateFolder,
    own: &WriteOrigin,
    change: &SuiteChange,
) -> Result<Option<String>, DiskError> {
    let open = state.under_way.names()?;
    if open.is_empty() {
        return Ok(None);
    }
    let read = state.journal.newest(None)?;
    let of_run = read.writes.iter().filter(|write| {
        let is_refused = matches!(write.last(), Some(Recorded::Refused { .. }));
        write.run == change.run.as_str() && write.target.is_at(&own.service) && !is_refused
    });
    let is_behind = |suite: &DocRef| {
        let mut writes = of_run.clone();
        let last = writes.find(|write| write.suites().iter().any(|(it, _)| it == suite));
        last.filter(|write| {
            let is_open = open.iter().any(|job| job == write.job()) && !write.is_confirmed();
            let mut changes = write.known_changes().into_iter();
            is_open
                && may_come(write.at)
                && changes.any(|it| it.suite == *suite && it.added == change.adds)
        })
    };
    let suites = change.suites.iter().map(|(suite, _)| suite);
    let behind = suites.filter_map(|suite| Some((suite, is_behind(suite)?)));
    let behind: HashMap<&DocRef, &WriteRecord> = behind.collect();
    let Some(write) = behind.values().next() else {
        return Ok(None);
    };
    let names = change.names(|(suite, _)| behind.contains_key(suite));
    let names = names.unwrap_or_default();
    let done = if change.adds { "added" } else { "removed" };
    let leave = leaves(write, own, &state.under_way.left()?);
    Ok(Some(format!(
        "not sent: an earlier request from here has {done} {names}, as the service answered, and no reading has confirmed it. A \
         replica may be behind, so it is not sent again for 5 minutes; {leave}"
    )))
}

/// Returns when a change of this name was begun, epoch milliseconds; `None` if that is no name of a change.
pub fn begun(job: &str) -> Option<i64> {
    i64::from_str_radix(job.split('-').next()?, 16).ok()
}

/// Describes a change of which the journal has no readable request any more.
fn forgotten(job: &str, journal: &Journal) -> String {
    let at = begun(job).and_then(|at| Timestamp::from_millisecond(at).ok());
    let at = at.map_or_else(|| job.to_owned(), |at| format!("{at:.0}"));
    let path = journal.path().display();
    format!("what a change begun {at} has sent is not known any more: look for it in {path}")
}

impl<'a> LastPart<'a> {
    /// Returns the last part of a change, `None` if the journal has no readable request of it.
    fn last(read: &'a RecentWrites, job: &'a str) -> Option<Self> {
        let of_job = read.writes.iter().rev().filter(|write| write.job() == job);
        let writes: Vec<&WriteRecord> = of_job.collect();
        let begun = writes
            .iter()
            .rposition(|write| write.kept("part of").is_none())?;
        let (earlier, writes) = (writes[..begun].to_vec(), writes[begun..].to_vec());
        let (first, newest) = (*writes.first()?, *writes.last()?);
        let (intent, plan) = match first.request()?.0 {
            method::CREATE => (Intent::Create, first.kept_suites("suites to add")),
            method::SAVE => (Intent::Save, Vec::new()),
            method::DELETE => (Intent::Delete, Vec::new()),
            _ => {
                let adds = first.adds()?;
                let then_deletes = first.kept("then deletes the run").is_some();
                let plan = [first.suites(), first.kept_suites("rest")].concat();
                (Intent::Suites { adds, then_deletes }, plan)
            }
        };
        let mut titles = earlier
            .iter()
            .chain(&writes)
            .filter_map(|it| it.new_title());
        let later = read.writes.iter();
        let later = later.take_while(|write| write.write != newest.write);
        let is_here = |write: &&WriteRecord| write.target.is_at(&newest.target.service);
        Some(Self {
            job,
            later: later.filter(is_here).collect(),
            is_probe: titles.any(|title| title.starts_with(PROBE_MARK)),
            writes,
            earlier,
            newest,
            intent,
            plan,
            name: first.name(),
        })
    }

    /// Returns true if a later write of this method to the run, confirmed by a reading, fits.
    fn is_followed(&self, method: &str, fits: impl Fn(&WriteRecord) -> bool) -> bool {
        self.later.iter().any(|write| {
            let is_of_run = write.run == self.newest.run && write.profile == self.newest.profile;
            is_of_run && write.is_confirmed() && write.method() == method && fits(write)
        })
    }

    /// True if later writes from here, which readings have confirmed, tell what the service has of it.
    fn is_over(&self) -> bool {
        match self.intent {
            Intent::Save => self.is_saved_since(),
            _ if self.is_probe => self.is_deleted_since(),
            Intent::Delete => self.is_deleted_since(),
            Intent::Create
            | Intent::Suites {
                then_deletes: true, ..
            } => false,
            // Runs that were to be made after it are told.
            Intent::Suites { .. } if self.after() > 0 => false,
            Intent::Suites { .. } => {
                let since = self.changed_since(&self.newest.run, WriteRecord::is_confirmed);
                self.plan.iter().all(|(suite, _)| since.contains(suite))
            }
        }
    }

    /// Suites that later writes from here have added to the run or removed from it.
    fn changed_since(&self, run: &str, fits: impl Fn(&WriteRecord) -> bool) -> HashSet<DocRef> {
        let of_suites = |write: &&&WriteRecord| write.run == run && write.adds().is_some();
        let later = self.later.iter().filter(of_suites);
        let suites = later
            .filter(|write| fits(write))
            .flat_map(|write| write.suites());
        suites.map(|(suite, _)| suite).collect()
    }

    /// True if a deletion of the run was begun later from here.
    fn is_unwanted_since(&self, run: &str) -> bool {
        let deletes = |write: &WriteRecord| {
            write.method() == method::DELETE || write.kept("then deletes the run").is_some()
        };
        let mut later = self.later.iter().filter(|write| write.run == run);
        later.any(|write| deletes(write))
    }

    /// True if the run that it left behind, or was to delete, was deleted later.
    fn is_deleted_since(&self) -> bool {
        self.is_followed(method::DELETE, |_| true)
    }

    /// True if the same fields were saved later: what the service has of them is known.
    fn is_saved_since(&self) -> bool {
        let is_saved = |write: &WriteRecord| {
            let fields = self.newest.texts().zip(write.texts());
            fields.is_some_and(|((_, lost), (_, saved))| {
                lost.keys().all(|field| saved.contains_key(field))
            })
        };
        matches!(self.intent, Intent::Save) && self.is_followed(method::SAVE, is_saved)
    }

    /// Number of runs that were to be created after this part, and were not sent since: reported for its run, or for the
    /// one that gets its suites.
    fn after(&self) -> usize {
        let mut writes = self.earlier.iter().chain(&self.writes).rev();
        let made = writes.find(|write| write.new_title().is_some());
        let after = made.and_then(|write| write.kept("runs after it")?.as_array());
        let is_sent = |title: &Value| {
            self.later.iter().any(|write| {
                let is_refused = matches!(write.last(), Some(Recorded::Refused { .. }));
                write.new_title() == title.as_str() && !is_refused
            })
        };
        let titles = after.into_iter().flatten();
        titles.filter(|title| !is_sent(title)).count()
    }

    /// Number of suites that earlier parts have removed, as readings have shown.
    fn removed(&self) -> usize {
        let is_done = |write: &WriteRecord| {
            let is_removal = write.run == self.newest.run && write.adds() == Some(false);
            is_removal && write.is_confirmed()
        };
        let done = self.earlier.iter().filter(|write| is_done(write));
        done.map(|write| write.suites().len()).sum()
    }

    /// The run of the part.
    fn run(&self) -> Result<DocRef, Failure> {
        DocRef::parse(&self.newest.run).map_err(|error| cannot(&error.to_string()))
    }

    /// Returns the purpose in the words of the screens.
    fn deed(&self) -> String {
        let name = short(self.name);
        let suites = count(self.plan.len(), "suite");
        match self.intent {
            Intent::Suites {
                then_deletes: true, ..
            } => format!("delete {name} with {suites}"),
            Intent::Suites { adds: true, .. } => format!("add {suites} to {name}"),
            Intent::Suites { .. } => format!("remove {suites} from {name}"),
            Intent::Create if self.plan.is_empty() => format!("create {name}"),
            Intent::Create => format!("create {name} with {suites}"),
            Intent::Save => format!("save {name}"),
            Intent::Delete => format!("delete {name}"),
        }
    }

    /// Describes what was sent of the part.
    fn words(&self) -> String {
        if self.is_probe {
            return format!("a probe run may be left behind: {}", short(self.name));
        }
        let chunks = self.plan.len().div_ceil(SuiteChange::CHUNK);
        let all = match self.intent {
            Intent::Suites { then_deletes, .. } => chunks + usize::from(then_deletes),
            Intent::Create | Intent::Save | Intent::Delete => 1 + chunks,
        };
        let (sent, deed) = (self.writes.len(), self.deed());
        let in_doubt = |write: &WriteRecord| {
            let end = write.last();
            matches!(
                end,
                Some(Recorded::Unknown { .. } | Recorded::Differs { .. })
            )
        };
        let then = match self.newest.last() {
            _ if self.writes.iter().any(|write| in_doubt(write)) => {
                ", and what came of it is not known"
            }
            Some(Recorded::Answered { .. }) => " and answered, but not read afterwards",
            Some(Recorded::Confirmed { .. }) => "",
            Some(Recorded::Refused { .. }) => " and refused",
            _ => " before the program ended",
        };
        match all.max(sent) {
            1 => format!("\"{deed}\" was sent{then}"),
            all => {
                let were = were(sent);
                format!("{sent} of {all} requests of \"{deed}\" {were} sent{then}")
            }
        }
    }

    fn unfinished(&self, here: &WriteTarget) -> Unfinished {
        Unfinished {
            job: self.job.to_owned(),
            write: self.newest.write.to_string(),
            words: self.words(),
            elsewhere: self.newest.target.elsewhere(here),
            is_of_other_service: !self.newest.target.is_at(&here.service),
        }
    }
}

impl Writing {
    /// Returns why a save is not sent: the document, as read, lacks an earlier one from here that may have come about.
    pub(super) async fn unseen(
        &self,
        modify: &Modify,
        shown: RunTexts,
    ) -> Result<Option<String>, Outcome> {
        let (state, modify) = (self.state.clone(), modify.clone());
        let own = self.client.settings.origin();
        let read = blocking(move || unseen(&state, &own, &modify, &shown)).await;
        read.map_err(|why| Outcome::not_sent(Why::Impossible, format!("not sent: {why}")))
    }

    /// Returns why a change of suites is not sent: an earlier request from here did the same, as the service answered.
    pub(super) async fn answered(&self, change: &SuiteChange) -> Result<Option<String>, Outcome> {
        let (state, change) = (self.state.clone(), change.clone());
        let own = self.client.settings.origin();
        let read = blocking(move || answered(&state, &own, &change)).await;
        read.map_err(|why| Outcome::not_sent(Why::Impossible, format!("not sent: {why}")))
    }

    /// Resumes an unfinished change: its requests belong to this program from now on.
    pub async fn resume(&self, job: &str) -> Result<(), String> {
        let (state, name) = (self.state.clone(), job.to_owned());
        let held = blocking(move || state.under_way.take(&name))
            .await?
            .ok_or("somebody else has gone on with it: it is over")?;
        *super::lock(&self.held) = Some(held);
        Ok(())
    }

    /// Stops offering an unfinished change.
    pub async fn let_be(&self, job: &str) -> Result<(), String> {
        let (state, job) = (self.state.clone(), job.to_owned());
        blocking(move || state.under_way.let_be(&job)).await
    }

    /// Reads what is left of a change. With `settle` the result goes into the journal, and a change with nothing left
    /// is over.
    pub async fn read_unfinished(
        &self,
        job: &str,
        settle: bool,
    ) -> Result<Box<UnfinishedChange>, Failure> {
        let state = self.state.clone();
        let read = blocking(move || state.journal.newest(None))
            .await
            .map_err(|error| unread(&error))?;
        let profile = &self.client.settings.profile;
        let part = LastPart::last(&read, job).filter(|it| it.newest.profile == *profile);
        let without_rest = |found, end| UnfinishedChange {
            job: job.to_owned(),
            found,
            change: None,
            left: None,
            end,
        };
        let Some(part) = part else {
            let found = vec![format!("{}.", forgotten(job, &self.state.journal))];
            return Ok(Box::new(without_rest(found, End::Unknown)));
        };
        let here = self.client.target();
        if let Some(why) = part.newest.target.elsewhere(&here) {
            if part.newest.target.is_at(&here.service) {
                return Err(cannot(&why));
            }
            let lets_be = format!("rundown changes resume {job} --forget leaves it at that");
            return Err(cannot(&format!("{why}; {lets_be}")));
        }
        let (state, name) = (self.state.clone(), job.to_owned());
        let is_over =
            blocking(move || Ok::<_, DiskError>(!state.under_way.names()?.contains(&name)));
        if is_over.await.map_err(|why| cannot(&why))? {
            let over = "Another window has gone on with it, or left it at that.";
            let found = vec![format!("{}.", part.words()), over.to_owned()];
            return Ok(Box::new(without_rest(found, End::Done)));
        }
        let mut inspection = Inspection {
            writing: self,
            part: &part,
            settle,
            found: vec![format!("{}.", part.words())],
            left: None,
            is_unwritten: AtomicBool::new(false),
        };
        let (change, end) = match part.intent {
            Intent::Suites { adds, .. } => {
                let undo = part.newest.kept_text("undo of");
                inspection.suites(&part.run()?, undo, adds).await?
            }
            Intent::Create => inspection.making().await?,
            Intent::Save => (None, inspection.saving().await?),
            Intent::Delete => (None, inspection.deleting().await?),
        };
        let after = part.after();
        if after > 0 {
            let runs = count_were(after, "more run");
            let way = "the form was kept as a draft (Ctrl-g on the screen)";
            inspection.says(format!("{runs} not made: {way}."));
        }
        let rest = UnfinishedChange {
            change,
            left: inspection.left,
            ..without_rest(inspection.found, end)
        };
        if settle && rest.is_settled() && !inspection.is_unwritten.load(Ordering::SeqCst) {
            self.let_be(job).await.map_err(|why| cannot(&why))?;
        }
        Ok(Box::new(rest))
    }
}

/// Reads the effect of the last part of a change.
struct Inspection<'a> {
    writing: &'a Writing,
    part: &'a LastPart<'a>,
    /// True if the result of the reading goes into the journal.
    settle: bool,
    /// Results so far, one sentence each.
    found: Vec<String>,
    /// Probe run that is there.
    left: Option<Box<RunRow>>,
    /// True once a result could not be written down: it is looked at again.
    is_unwritten: AtomicBool,
}

/// The suites of a change, by what a reading shows of each.
#[derive(Default)]
struct SuitesLeft {
    in_effect: Vec<(DocRef, String)>,
    /// Never sent from here, and not among those that can be added.
    gone: Vec<(DocRef, String)>,
    /// Changed from here since.
    since: Vec<(DocRef, String)>,
    /// Answered with a yes, and not in effect.
    changed: Vec<(DocRef, String)>,
    /// To be added to a run that was to be deleted from here since.
    unwanted: Vec<(DocRef, String)>,
    /// Left to be sent.
    open: Vec<(DocRef, String)>,
}

impl SuitesLeft {
    /// Returns a sentence for each sort that there is; where `waits` is true, nothing is sent before a later reading.
    fn words(&self, name: &str, adds: bool, waits: bool) -> Vec<String> {
        let mut words = Vec::new();
        let mut tell = |pile: &[(DocRef, String)], sentence: &dyn Fn(&str, &str) -> String| {
            if !pile.is_empty() {
                let names: Vec<_> = pile.iter().map(|(_, name)| name).collect();
                words.push(sentence(
                    &count_were(pile.len(), "suite"),
                    &text::few(&names),
                ));
            }
        };
        let place = if adds { "in" } else { "out of" };
        let all = [
            &self.gone,
            &self.since,
            &self.changed,
            &self.unwanted,
            &self.open,
        ];
        let done = self.in_effect.len();
        let all = count(done + all.map(Vec::len).iter().sum::<usize>(), "suite");
        tell(&self.in_effect, &|_, _| {
            let are = text::are(done);
            format!("{done} of {all} {are} {place} {name}, as a reading shows.")
        });
        tell(&self.gone, &|were, names| {
            format!(
                "{were} not sent, and cannot be added any more, perhaps added by somebody else: {names}."
            )
        });
        tell(&self.changed, &|were, names| {
            let (was, now) = if adds {
                ("added", "not in it")
            } else {
                ("removed", "in it")
            };
            let why = if waits {
                "A replica may be behind, or somebody has changed that since. Not sent again"
            } else {
                "Somebody may have changed that since. Not sent again: do it anew if it is still wanted"
            };
            format!(
                "{were} {was}, as the service answered, and {now} by this reading: {names}. {why}."
            )
        });
        if waits {
            tell(&self.open, &|_, _| {
                let (left, are) = (count(self.open.len(), "suite"), text::are(self.open.len()));
                format!("{left} {are} not sent before that is known: look again in 5 minutes.")
            });
            return words;
        }
        tell(&self.since, &|were, names| {
            format!("{were} changed from here since, and not sent again: {names}.")
        });
        tell(&self.unwanted, &|were, names| {
            format!(
                "{were} not added, and not sent again: {name} was to be deleted from here since: {names}. Do it anew if it is \
                 still wanted."
            )
        });
        words
    }
}

impl Inspection<'_> {
    fn says(&mut self, sentence: impl Into<String>) {
        self.found.push(sentence.into());
    }

    /// Returns the run, `None` if list and document show that it is gone, and `Err(End::Unknown)` if only one does.
    async fn run_of(&mut self, run: &DocRef) -> Result<Result<Option<Document>, End>, Failure> {
        let client = &self.writing.client;
        match client.reader.get_document(run).await {
            Ok(document) => return Ok(Ok(Some(document))),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.into()),
        }
        let write = self.part.newest;
        // The title of a new run may look like an id.
        let title = write.new_title().unwrap_or_default();
        let id = write.id().filter(|id| !title.starts_with(id));
        if let MissingRun::Gone = client.find_missing(run, id).await? {
            return Ok(Ok(None));
        }
        let name = self.part.name;
        self.says(format!(
            "{name} is not found, which does not show that it is gone: a replica may be behind."
        ));
        Ok(Err(End::Unknown))
    }

    /// Records the result of a reading for the writes that have no end yet.
    async fn settle(&self, said: impl Fn(&WriteRecord) -> Option<Recorded>) {
        for write in &self.part.writes {
            if self.settle
                && write.last().is_some_and(Recorded::is_open)
                && let Some(said) = said(write)
            {
                self.record(&write.run, &write.run_name, &write.write, said)
                    .await;
            }
        }
    }

    async fn record(&self, run: &str, name: &str, write: &WriteId, step: Recorded) {
        if !self.writing.record(run, name, write, step).await {
            self.is_unwritten.store(true, Ordering::SeqCst);
        }
    }

    /// Records that all of the part is in effect.
    async fn confirm(&self, how: &str) {
        self.settle(|_| Some(Recorded::Confirmed { how: how.into() }))
            .await;
    }

    async fn gone(&mut self) -> End {
        self.says(format!(
            "{} is gone by now: there is nothing to go on with.",
            self.part.name
        ));
        let what = "looked at later: the run is gone";
        self.settle(|_| Some(Recorded::Differs { what: what.into() }))
            .await;
        End::NotSent(Why::NothingToDo)
    }

    /// Returns the suites of the plan that are not in effect.
    async fn suites(
        &mut self,
        run: &DocRef,
        undo_of: Option<&str>,
        adds: bool,
    ) -> Result<(Option<SuiteChange>, End), Failure> {
        let document = match self.run_of(run).await? {
            Ok(Some(document)) => document,
            Ok(None) => return Ok((None, self.gone().await)),
            Err(end) => return Ok((None, end)),
        };
        let row = RunRow::from_document(&document);
        let name = row.name().to_owned();
        if row.is_closed() {
            self.says(format!(
                "{name} is closed by now: its suites can be neither read nor changed."
            ));
            return Ok((None, End::Unknown));
        }
        let client = &self.writing.client;
        let row = client.listed(run, row.id.as_deref()).await.unwrap_or(row);
        let of_writes = |fits: fn(&WriteRecord) -> bool| -> HashSet<DocRef> {
            let writes = self.part.writes.iter().filter(|write| fits(write));
            let suites = writes.flat_map(|write| write.suites());
            suites.map(|(suite, _)| suite).collect()
        };
        // What the service has answered with a yes was in effect: a replica may be behind, or somebody has changed it
        // since.
        let answered =
            of_writes(|write| write.has_step(|step| matches!(step, Recorded::Answered { .. })));
        let list = self
            .writing
            .until(Err(unread("they were not read")), || async {
                match client.free_suites(run, &|_, _| {}).await {
                    Ok(list) => {
                        let is_behind = {
                            let free: HashSet<&DocRef> = list.refs().collect();
                            answered.iter().any(|suite| free.contains(suite) == adds)
                        };
                        if is_behind {
                            ControlFlow::Continue(Ok(list))
                        } else {
                            ControlFlow::Break(Ok(list))
                        }
                    }
                    Err(failure) => ControlFlow::Break(Err(failure)),
                }
            })
            .await?;
        let free: HashSet<&DocRef> = list.refs().collect();
        let in_effect = |suite: &DocRef| free.contains(suite) != adds;
        let sent = of_writes(|_| true);
        // A later change from here decides for its suites.
        let has_effect = |step: &Recorded| {
            matches!(step, Recorded::Answered { .. } | Recorded::Confirmed { .. })
        };
        let since = self
            .part
            .changed_since(run.as_str(), |write| write.has_step(has_effect));
        let is_unwanted = adds && self.part.is_unwanted_since(run.as_str());
        let mut suites = SuitesLeft::default();
        for pair in &self.part.plan {
            let suite = &pair.0;
            let pile = if in_effect(suite) && adds && !sent.contains(suite) {
                &mut suites.gone
            } else if in_effect(suite) {
                &mut suites.in_effect
            } else if since.contains(suite) {
                &mut suites.since
            } else if answered.contains(suite) {
                &mut suites.changed
            } else if is_unwanted {
                &mut suites.unwanted
            } else {
                &mut suites.open
            };
            pile.push(pair.clone());
        }
        // The same replica is no witness for the rest either.
        let waits = may_come(self.part.newest.at) && !suites.changed.is_empty();
        let is_deletion = matches!(
            self.part.intent,
            Intent::Suites {
                then_deletes: true,
                ..
            }
        );
        // Nothing is sent that would tell what came of it.
        let newest = self.part.newest;
        let may_follow = is_deletion
            && !suites.open.is_empty()
            && may_come(newest.at)
            && newest.last().is_some_and(Recorded::is_open);
        self.found.extend(suites.words(&name, adds, waits));
        self.settle(|write| {
            let asked = write.suites();
            let missing = asked.iter().filter(|(suite, _)| !in_effect(suite)).count();
            if missing == 0 {
                let how = format!("looked at later: {}", seen(adds));
                return Some(Recorded::Confirmed { how });
            }
            let all = asked.len();
            let what = format!("looked at later: no effect seen for {missing} of {all}");
            (!waits && !may_follow).then_some(Recorded::Differs { what })
        })
        .await;
        let open = suites.open;
        if waits {
            return Ok((None, End::Unknown));
        }
        if is_deletion {
            self.says(format!("{name} itself is not deleted: delete it anew."));
        } else if open.is_empty() && self.part.after() == 0 {
            self.says("Nothing is left to be sent.");
        }
        if !open.is_empty() {
            let (left, are) = (count(open.len(), "suite"), text::are(open.len()));
            let still = match (is_deletion, adds) {
                (true, _) => "still in it",
                (false, true) => "left to be added",
                (false, false) => "left to be removed",
            };
            self.says(format!("{left} {are} {still}."));
        }
        if may_follow {
            self.says("What was sent may still come, for 5 minutes: look again then.");
            return Ok((None, End::Unknown));
        }
        // Without the deletion nobody wants its suites out.
        let change = (!open.is_empty() && !is_deletion).then(|| SuiteChange {
            undo_of: undo_of.map(str::to_owned),
            ..SuiteChange::of(&row, adds, open)
        });
        Ok((change, End::Done))
    }

    /// Finds a run that may have been created, and the suites still to be added.
    async fn making(&mut self) -> Result<(Option<SuiteChange>, End), Failure> {
        let write = self.part.newest;
        let named = DocRef::parse(&write.run);
        let is_named = named.is_ok();
        let run = if let Ok(run) = named {
            run
        } else {
            let titles = [write.run_name.clone()];
            let journal = Some(&self.writing.state.journal);
            let client = &self.writing.client;
            // What another request has made is not this one, and neither is what was made since.
            let lookup = client
                .find_earlier(journal, &titles, write.at, i64::MAX)
                .await?;
            let [run] = &lookup.found[..] else {
                let words = lookup.words;
                self.says(format!("Looked for it: {words}. It is not sent again."));
                return Ok((None, End::Unknown));
            };
            run.doc_ref.clone()
        };
        let document = match self.run_of(&run).await? {
            Ok(Some(document)) => document,
            Ok(None) => return Ok((None, self.gone().await)),
            Err(end) => return Ok((None, end)),
        };
        let name = RunRow::from_document(&document).full_name();
        if let Some(why) = doubt(write, &document).filter(|_| !is_named) {
            self.says(format!("{} may be it: {why}.", short(&name)));
            self.settle = false;
            self.offers_deletion(&document).await;
            let rest = if self.part.plan.is_empty() {
                None
            } else {
                self.suites(&run, None, true).await?.0
            };
            return Ok((rest, End::Unknown));
        }
        self.says(format!("The run was made: {}.", short(&name)));
        if self.settle {
            let how = "looked at later: it is there".to_owned();
            let step = Recorded::Confirmed { how };
            self.record(run.as_str(), &name, &write.write, step).await;
        }
        if self.offers_deletion(&document).await {
            return Ok((None, End::Unknown));
        }
        if self.part.plan.is_empty() {
            return Ok((None, End::Done));
        }
        let differs = differs(write, &document);
        if !write.is_confirmed() && !differs.is_empty() {
            let suites = count(self.part.plan.len(), "suite");
            let differs = differs.join("; ");
            self.says(format!(
                "It is not as it was asked for: {differs}. {suites} not added."
            ));
            return Ok((None, End::Done));
        }
        // None of these suites was sent, or the last part would be theirs.
        self.settle = false;
        self.suites(&run, None, true).await
    }

    /// Checks that the fields hold the new values.
    async fn saving(&mut self) -> Result<End, Failure> {
        let (part, name) = (self.part, self.part.name);
        let document = match self.run_of(&part.run()?).await? {
            Ok(Some(document)) => document,
            Ok(None) => return Ok(self.gone().await),
            Err(end) => return Ok(end),
        };
        let texts = part.newest.texts();
        let (_, wanted) = texts.ok_or_else(|| cannot("its fields were not written down"))?;
        let differs = differing(&wanted, &texts_of(&document)).join("; ");
        if differs.is_empty() {
            self.says(format!("{name} has the new values, as a reading shows."));
            self.confirm("looked at later: the new values are there")
                .await;
            return Ok(End::Done);
        }
        self.says(format!("{name} does not have the new values: {differs}."));
        self.says("It was not saved, or somebody has written over it since.");
        Ok(End::Unknown)
    }

    /// Returns true if the run is a probe run, which is kept to be offered for deletion.
    async fn offers_deletion(&mut self, document: &Document) -> bool {
        if self.part.is_probe {
            let row = RunRow::from_document(document);
            let client = &self.writing.client;
            let listed = client.listed(&row.doc_ref, row.id.as_deref()).await;
            self.left = Some(Box::new(listed.unwrap_or(row)));
        }
        self.part.is_probe
    }

    /// Checks that a run is gone.
    async fn deleting(&mut self) -> Result<End, Failure> {
        let name = self.part.name;
        match self.run_of(&self.part.run()?).await? {
            Ok(None) => {}
            Ok(Some(document)) => {
                self.says(format!("{name} is there, as a reading shows."));
                self.offers_deletion(&document).await;
                let suites = self.part.removed();
                if suites > 0 {
                    let suites = count_were(suites, "suite");
                    self.says(format!("{suites} removed from it before."));
                }
                return Ok(End::Unknown);
            }
            Err(end) => return Ok(end),
        }
        self.says(format!("{name} is gone, as a reading shows."));
        self.confirm("looked at later: the run is not found any more")
            .await;
        Ok(End::Done)
    }
}

pub fn cannot(why: &str) -> Failure {
    local("going on with a change", why, "my changes show it")
}
