//! Plans the undo of the user's own writes: which write, by the journal of the profile in use, and how, by the current
//! state at the service. Sends nothing but reads.

use std::collections::HashMap;
use std::path::PathBuf;

use super::edit::last_editor;
use super::prelude::*;
use super::steps::is_closed;
use super::{Client, blocking};
use crate::disk::{DiskError, Journal, RECORDED_BEFORE, RecentWrites, StateFolder, TrashCopy};
use crate::domain::fields::not_copied;
use crate::domain::{ResultCode, ResultCounts, SuiteRow, Undo, UndoBy, UndoOf, method, text};

/// One action of the user: a single write, or all requests of one change of suites.
struct Undoable<'a> {
    /// Name in the journal, to which an undo refers.
    id: &'a str,
    /// The write itself; one of them if there are several requests.
    write: &'a WriteRecord,
    /// Suites that are not undone yet, with their names.
    suites: Vec<(DocRef, String)>,
    /// State of an earlier undo that failed or whose end is unknown.
    tried: Option<&'static str>,
}

/// The writes of one profile, with those already undone.
#[derive(Default)]
struct WriteHistory<'a> {
    /// Newest first.
    writes: &'a [WriteRecord],
    /// Writes that are undone.
    undone: HashSet<&'a str>,
    /// Suites that are undone, by the name of their change.
    suites: HashMap<&'a str, HashSet<DocRef>>,
    /// Writes whose undo failed or has an unknown end, with its state.
    tried: HashMap<&'a str, &'static str>,
    /// Runs that were deleted from here.
    deleted: HashSet<&'a str>,
    /// Deleted runs that were made again.
    remade: HashSet<&'a str>,
    /// Changes that have not come to their end.
    under_way: HashSet<String>,
    /// Changes whose end is not known and that are still to be looked at.
    unsure: HashSet<String>,
}

const UNDER_WAY: &str = "still under way";

/// Most changes that one undo passes over: each is read.
const MOST_PASSED: usize = 5;

impl Client {
    /// Works out the undo of a write. Sends nothing but reads.
    pub async fn plan_undo(
        &self,
        state: Result<Arc<StateFolder>, String>,
        of: UndoOf,
    ) -> Result<Box<Undo>, Failure> {
        // Who names a write is at my changes already.
        let names_write = matches!(of, UndoOf::Write(_));
        self.planned(state, of).await.map_err(|mut failure| {
            if failure.remedy.is_empty() && !names_write {
                failure.remedy = "my changes show what can be undone".into();
            }
            failure
        })
    }

    async fn planned(
        &self,
        state: Result<Arc<StateFolder>, String>,
        of: UndoOf,
    ) -> Result<Box<Undo>, Failure> {
        let state = state.map_err(|why| cannot(&why))?;
        let journal = &state.journal;
        let read = self.writes(journal).await?;
        let history = WriteHistory::with_open(&state, &read).await?;
        let here = self.target();
        let meant = match &of {
            UndoOf::Write(id) => {
                match read.writes.iter().find(|write| write.write.as_str() == id) {
                    Some(write) if history.is_under_way(write) => {
                        return Err(cannot(&format!("it is {UNDER_WAY}")));
                    }
                    Some(write) if let Some(why) = write.target.elsewhere(&here) => {
                        return Err(cannot(&why));
                    }
                    Some(write) => match history.refusal(write) {
                        Some(why) if history.is_undone(write) => {
                            let kind = FailureKind::Nothing;
                            return Err(Failure {
                                kind,
                                ..cannot(why)
                            });
                        }
                        Some(why) => return Err(cannot(why)),
                        None => return self.plan(&history.deed(write), &state).await,
                    },
                    None => {
                        let journal = journal.clone();
                        let all = blocking(move || journal.newest(None)).await;
                        let all = all.map_err(|error| unread(&error))?.writes;
                        let other = all.iter().find(|write| write.write.as_str() == id);
                        let of = other.map(|write| format!(", but of \"{}\"", write.profile));
                        let words = "it is not among the last changes of this profile";
                        return Err(cannot(&(words.to_owned() + &of.unwrap_or_default())));
                    }
                }
            }
            UndoOf::LastOf(run) => history.to_undo(|write| {
                // The end of a change that is not over may take back or hide what is the user's own.
                let is_open = history.is_under_way(write) || history.is_unsure(write);
                write.run == run.as_str() && (is_open || self.is_own(write))
            }),
            UndoOf::Last => history.to_undo(|write| write.is_of(&here) && self.is_own(write)),
        };
        // What others have taken back, and what is of a run that they have deleted, is passed over as what is taken back
        // from here.
        let mut passed: Vec<(&str, Failure)> = Vec::new();
        for write in meant {
            if passed.iter().any(|(id, _)| *id == group(write)) {
                continue;
            }
            if history.is_under_way(write) {
                let name = short(write.name());
                return Err(cannot(&format!("the last change ({name}) is {UNDER_WAY}")));
            }
            if history.is_unsure(write) {
                let name = short(write.name());
                let why = format!("the end of the last change ({name}) is not known");
                return Err(local("undo", &why, "look at it in my changes first"));
            }
            match self.plan(&history.deed(write), &state).await {
                Err(failure) if failure.kind.is_nothing() && passed.len() < MOST_PASSED => {
                    passed.push((group(write), failure));
                }
                Err(failure) => return Err(failure),
                Ok(mut undo) => {
                    let words = passed
                        .iter()
                        .map(|(_, why)| why.cause.trim_end_matches('.'));
                    if !passed.is_empty() {
                        let words = text::join(words, "; ");
                        undo.warnings
                            .insert(0, format!("Newer ones are passed over: {words}."));
                    }
                    return Ok(undo);
                }
            }
        }
        let of = match of {
            UndoOf::LastOf(_) => " in this run",
            UndoOf::Write(_) | UndoOf::Last => "",
        };
        let first = passed.into_iter().next();
        Err(first.map_or_else(|| nothing(of, &read), |(_, why)| why))
    }

    /// Returns why an action must not be taken back by now: another window of the user may have begun so since it was
    /// planned.
    pub(super) async fn is_undone(
        &self,
        state: &Arc<StateFolder>,
        id: &str,
    ) -> Result<Option<&'static str>, Failure> {
        let read = self.writes(&state.journal).await?;
        let history = WriteHistory::with_open(state, &read).await?;
        let undos = history.writes.iter();
        let mut undos = undos.filter(|write| write.kept_text("undo of") == Some(id));
        if undos.clone().any(|write| history.is_under_way(write)) {
            return Ok(Some("it is being taken back already"));
        }
        if undos.any(|write| history.may_have_remade(write)) {
            let words = "taking it back was begun, and its end is not known. My changes look what came of it";
            return Ok(Some(words));
        }
        let parts = history.writes.iter();
        let mut parts = parts
            .filter(|part| group(part) == id && part.is_done())
            .peekable();
        let is_undone = parts.peek().is_some() && parts.all(|part| history.is_undone(part));
        Ok(is_undone.then_some("it is taken back already"))
    }

    /// Returns the newest writes of the profile.
    pub(super) async fn writes(&self, journal: &Journal) -> Result<RecentWrites, Failure> {
        let (journal, of) = (journal.clone(), self.settings.origin());
        let read = blocking(move || journal.newest(Some(&of))).await;
        read.map_err(|error| unread(&error))
    }
}

/// Returns the names of the writes that are undone.
pub fn undone(read: &RecentWrites) -> HashSet<&str> {
    let history = WriteHistory::of(read);
    let undone = read.writes.iter().filter(|write| history.is_undone(write));
    undone.map(|write| write.write.as_str()).collect()
}

/// Returns the failure for a journal that could not be read.
pub fn unread(error: &str) -> Failure {
    local(
        "reading my changes",
        error,
        "it can be read with any text viewer",
    )
}

/// Returns the failure for a write that cannot be undone.
pub fn cannot(why: &str) -> Failure {
    local("undo", why, "")
}

/// Returns the failure for a write of which nothing is in effect any more.
fn taken_back(why: &str) -> Failure {
    Failure {
        kind: FailureKind::Nothing,
        ..cannot(why)
    }
}

/// Returns the failure if there is nothing to undo.
fn nothing(of: &str, read: &RecentWrites) -> Failure {
    let older = if read.more {
        "; older changes are not looked at"
    } else {
        ""
    };
    Failure {
        kind: FailureKind::Nothing,
        ..cannot(&format!("Nothing to undo{of}{older}"))
    }
}

/// Returns true if a write made or deleted a probe run. A deletion with a copy is the user's own, in the box of all
/// deletions.
fn is_of_probe(write: &WriteRecord) -> bool {
    let is_its_own = [method::CREATE, method::DELETE].contains(&write.method());
    is_its_own && write.run_name.contains(PROBE_MARK) && write.kept("copy").is_none()
}

impl<'a> WriteHistory<'a> {
    /// Builds it with the changes that this program or another one has not brought to their end, and those whose end is not
    /// known.
    async fn with_open(state: &Arc<StateFolder>, read: &'a RecentWrites) -> Result<Self, Failure> {
        let jobs = read.writes.iter().map(|write| write.job().to_owned());
        let (state, mut jobs): (_, HashSet<String>) = (state.clone(), jobs.collect());
        let mut history = Self::of(read);
        let held = blocking(move || {
            for job in jobs.clone() {
                if state.under_way.is_left(&job)? {
                    jobs.remove(&job);
                }
            }
            let left = state.under_way.left()?.into_iter().collect();
            Ok::<_, DiskError>((jobs, left))
        });
        (history.under_way, history.unsure) = held.await.map_err(|why| cannot(&why))?;
        Ok(history)
    }

    /// Builds the history from the writes read of one profile.
    fn of(read: &'a RecentWrites) -> Self {
        let deletes = read
            .writes
            .iter()
            .filter(|write| write.method() == method::DELETE && write.is_done());
        let mut history = Self {
            writes: &read.writes,
            deleted: deletes.map(|write| write.run.as_str()).collect(),
            ..Self::default()
        };
        // Newest first: an undo counts only if it is not itself undone.
        for write in history.writes {
            let Some(of) = write.kept_text("undo of") else {
                continue;
            };
            if !write.is_done() {
                history.tried.entry(of).or_insert(write.state());
            } else if write.suites().is_empty() {
                if !history.undone.contains(write.write.as_str()) {
                    history.undone.insert(of);
                }
            } else {
                let left = history.left(write).into_iter().map(|(suite, _)| suite);
                history.suites.entry(of).or_default().extend(left);
            }
        }
        // A run is deleted once, however often it was tried.
        let remade = history.writes.iter().filter(|write| {
            write.method() == method::DELETE && history.undone.contains(write.write.as_str())
        });
        history.remade = remade.map(|write| write.run.as_str()).collect();
        history
    }

    /// Returns the writes that are meant and can be undone, are under way, or whose end is not known, newest first. Undos
    /// are skipped, so that the next undo goes further back, but for one that may have made a run.
    fn to_undo<'b>(
        &'b self,
        is_meant: impl Fn(&WriteRecord) -> bool + Send + 'b,
    ) -> Box<dyn Iterator<Item = &'a WriteRecord> + Send + 'b> {
        Box::new(self.writes.iter().filter(move |write| {
            let is_undo = write.kept("undo of").is_some();
            let is_open = self.is_under_way(write) || self.may_have_remade(write);
            let may_be = self.is_unsure(write) || self.refusal(write).is_none();
            !is_of_probe(write) && is_meant(write) && (is_open || !is_undo && may_be)
        }))
    }

    fn is_unsure(&self, write: &WriteRecord) -> bool {
        let may_be = write.last().is_some_and(Recorded::is_open) && !write.is_done();
        // Which of several deletions it was that took effect changes nothing.
        let is_over = write.method() == method::DELETE && self.deleted.contains(&*write.run);
        may_be && !is_over && self.unsure.contains(write.job())
    }

    /// True if this undo may have made a run again. Other undos are sent again: what they change is read just before.
    fn may_have_remade(&self, write: &WriteRecord) -> bool {
        let is_remaking = write.method() == method::CREATE && write.kept("undo of").is_some();
        is_remaking && self.is_unsure(write)
    }

    fn is_under_way(&self, write: &WriteRecord) -> bool {
        self.under_way.contains(write.job())
    }

    /// Returns the reason why a write cannot be undone.
    fn refusal(&self, write: &WriteRecord) -> Option<&'static str> {
        Some(match write.last() {
            _ if write.request().is_none() => {
                "it is too old: what was sent lies before what is read of my changes"
            }
            Some(Recorded::Refused { sent: true, .. }) => "it was refused: nothing was changed",
            Some(Recorded::Refused { .. }) => "it was not sent: nothing was changed",
            // A deletion that was answered with no, and not read afterwards.
            Some(Recorded::Sent { .. } | Recorded::Unknown { .. } | Recorded::Answered { .. })
                if !write.is_done() =>
            {
                "whether the service acted on it is not known: read the run and look first"
            }
            Some(Recorded::Differs { .. }) => {
                "what it changed is not certain: reading afterwards showed something else"
            }
            Some(Recorded::Other) | None => "it was written by another version of this program",
            Some(_) => {
                let needs_run = match write.method() {
                    _ if is_of_probe(write) => return Some("it belongs to a probe run"),
                    method::CREATE | method::SAVE => true,
                    method::DELETE => false,
                    _ if write.adds().is_some() => true,
                    _ => return Some("how to take this operation back is not known"),
                };
                if self.is_undone(write) {
                    "it is taken back already"
                } else if needs_run && self.deleted.contains(write.run.as_str()) {
                    "the run was deleted since"
                } else {
                    return None;
                }
            }
        })
    }

    /// Returns true if a write was in effect and is undone.
    fn is_undone(&self, write: &WriteRecord) -> bool {
        write.is_done()
            && match write.adds() {
                Some(_) => self.left(write).is_empty(),
                None if write.method() == method::DELETE => {
                    self.remade.contains(write.run.as_str())
                }
                None => self.undone.contains(write.write.as_str()),
            }
    }

    /// Returns all writes that are undone together with this one.
    fn deed(&self, write: &'a WriteRecord) -> Undoable<'a> {
        let id = group(write);
        let parts = self
            .writes
            .iter()
            .rev()
            .filter(|other| group(other) == id && other.is_done());
        Undoable {
            id,
            write,
            suites: parts.flat_map(|part| self.left(part)).collect(),
            tried: self.tried.get(id).copied(),
        }
    }

    /// Returns the suites of a write that are not undone, with their names.
    fn left(&self, write: &WriteRecord) -> Vec<(DocRef, String)> {
        let back = self.suites.get(group(write));
        let mut suites = write.suites();
        suites.retain(|(suite, _)| back.is_none_or(|back| !back.contains(suite)));
        suites
    }
}

/// Name of the change to which a request belongs.
fn group(write: &WriteRecord) -> &str {
    write.kept_text("part of").unwrap_or(write.write.as_str())
}

/// The undo, its description, and warnings for the user.
type Plan = (UndoBy, String, Vec<String>);

impl Client {
    /// Plans the undo of one action.
    async fn plan(
        &self,
        deed: &Undoable<'_>,
        state: &Arc<StateFolder>,
    ) -> Result<Box<Undo>, Failure> {
        let (by, what, mut warnings) = match deed.write.method() {
            method::SAVE => self.fields_back(deed).await,
            method::CREATE => self.made_back(deed).await,
            method::DELETE => self.rebuild(deed, state).await,
            _ => {
                let added = deed.write.adds() == Some(true);
                self.suites_back(deed, added).await
            }
        }
        .map_err(|failure| failure.of_run(deed.write.name()))?;
        if let Some(state) = deed.tried {
            warnings.insert(
                0,
                format!("Taking it back was tried before: {state}. Look first what came of that."),
            );
        }
        if let Some(by) = deed.write.made_by().filter(|_| !self.is_own(deed.write)) {
            warnings.insert(0, format!("It was made by {by}, not by you."));
        }
        Ok(Box::new(Undo {
            write: deed.id.to_owned(),
            what,
            by,
            warnings,
        }))
    }

    async fn fields_back(&self, deed: &Undoable<'_>) -> Result<Plan, Failure> {
        let (before, after) = deed
            .write
            .texts()
            .ok_or_else(|| cannot("what the fields held before was not written down"))?;
        let values = deed.write.values().unwrap_or_default();
        let now = self.document(&reference(deed)?).await?;
        let texts = texts_of(&now);
        let holds = |field: &RunField| texts.get(field).map_or("", String::as_str);
        if before.iter().all(|(field, text)| holds(field) == text) {
            return Err(taken_back("the run holds the old values already"));
        }
        let who = last_editor(&now, "; the run was last edited by ");
        let changed = after.iter().filter(|(field, text)| holds(field) != *text);
        let changed = changed.map(|(field, _)| {
            let (name, text) = (field.name(), short(holds(field)));
            format!("{name} was changed since: it is \"{text}\" now{who}.")
        });
        let mut warnings: Vec<String> = changed.collect();
        if before.contains_key(&RunField::Status) {
            warnings.push("It opens or closes the run.".into());
        }
        let fields = text::join(before.keys().map(|field| field.name()), ", ");
        let name = RunRow::from_document(&now).full_name();
        let what = format!("changed {fields} of {name}");
        Ok((
            UndoBy::Modify {
                before,
                values,
                after,
                now: Box::new(now),
            },
            what,
            warnings,
        ))
    }

    async fn suites_back(&self, deed: &Undoable<'_>, added: bool) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let now = self.document(&run).await?;
        if is_closed(&now) {
            return Err(cannot("the run is closed: its suites cannot be changed"));
        }
        let list = self.free_suites(&run, &|_, _| {}).await?;
        let free: HashMap<&DocRef, &SuiteRow> = list.refs().zip(&list.entries).collect();
        let mut all = deed.suites.clone();
        for (suite, name) in &mut all {
            // The journal did not keep its name.
            if name == suite.as_str()
                && let Some(row) = free.get(suite)
            {
                *name = row.full_name();
            }
        }
        let (suites, changed): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(suite, _)| free.contains_key(suite) != added);
        let (verb, place, since, results) = if added {
            (
                "added",
                "to",
                "not in the run any more",
                "Results recorded in these suites may be lost.",
            )
        } else {
            (
                "removed",
                "from",
                "in the run again, or cannot be added any more",
                "Results that were recorded in these suites may not come back.",
            )
        };
        if suites.is_empty() {
            return Err(taken_back(&format!(
                "nothing is left to take back: all of these suites are {since}"
            )));
        }
        let row = RunRow::from_document(&now);
        let row = self.listed(&run, row.id.as_deref()).await.unwrap_or(row);
        // Removing suites may lose their results: the counts of the run show whether it has any.
        let counted = row.results.as_ref().filter(|_| added);
        let has_none = counted.and_then(ResultCounts::recorded) == Some(0)
            || !added && deed.write.kept(RECORDED_BEFORE) == Some(&json!(0));
        let mut warnings: Vec<String> = (!has_none).then(|| results.into()).into_iter().collect();
        if !changed.is_empty() {
            let names = text::join(changed.iter().map(|(_, name)| name.as_str()), ", ");
            warnings.push(format!("Left out, because they are {since}: {names}."));
        }
        let (number, name) = (count(suites.len(), "suite"), row.full_name());
        let what = format!("{verb} {number} {place} {name}");
        let change = SuiteChange {
            undo_of: Some(deed.id.to_owned()),
            ..SuiteChange::of(&row, !added, suites)
        };
        Ok((UndoBy::Suites(Box::new(change)), what, warnings))
    }

    async fn made_back(&self, deed: &Undoable<'_>) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let now = self.document(&run).await?;
        if !self.check_empty(&run).await? {
            return Err(cannot("the run is not empty: its suites have to go first"));
        }
        let sent = deed.write.request().map(|(_, params)| &params["document"]);
        let sent = Document::from_value(json!({"docRef": run, "document": sent}));
        let changed = sent
            .map(|sent| differing(&texts_of(&sent), &texts_of(&now)))
            .unwrap_or_default();
        let mut warnings = Vec::new();
        if !changed.is_empty() {
            let (who, changed) = (last_editor(&now, ", last by "), changed.join("; "));
            warnings.push(format!("It was changed since{who}: {changed}."));
        }
        let row = RunRow::from_document(&now);
        let what = format!("made {}", row.full_name());
        Ok((UndoBy::Delete(Box::new(row)), what, warnings))
    }

    async fn rebuild(
        &self,
        deed: &Undoable<'_>,
        state: &Arc<StateFolder>,
    ) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let file = deed.write.kept_text("copy");
        let file = PathBuf::from(file.ok_or_else(|| cannot("no copy was kept of this run"))?);
        let state = state.clone();
        let copy = blocking(move || state.trash.find(&file))
            .await
            .map_err(|error| cannot(&error))?;
        if *copy.document.doc_ref() != run || copy.profile != self.settings.profile {
            return Err(cannot("the file of the copy holds another run"));
        }
        if self.reader.get_document(&run).await.is_ok() {
            return Err(cannot("the run can still be read: it is not deleted"));
        }
        let run = NewRun::of_texts(&texts_of(&copy.document));
        let mut warnings = lost(&copy);
        let mut suites = copy.suites;
        if run.text(RunField::Status) == "inactive" && !suites.is_empty() {
            warnings.push(format!(
                "The copy is of a closed run: its {} cannot be added.",
                count(suites.len(), "suite")
            ));
            suites.clear();
        } else if !suites.is_empty() {
            let are = text::are(suites.len());
            warnings.push(format!(
                "{} {are} added again. What was known of them when it was deleted: {}.",
                count(suites.len(), "suite"),
                copy.known
            ));
        }
        let origin = format!("rebuilt from the copy of {}", copy.run_name);
        let create = Create {
            runs: vec![run],
            suites,
            seen: Vec::new(),
            origin,
            undo_of: Some(deed.id.to_owned()),
        };
        Ok((
            UndoBy::Rebuild(create),
            format!("deleted {}", copy.run_name),
            warnings,
        ))
    }
}

fn reference(deed: &Undoable<'_>) -> Result<DocRef, Failure> {
    DocRef::parse(&deed.write.run).map_err(|error| cannot(&error.to_string()))
}

/// Describes what a rebuild does not restore.
fn lost(copy: &TrashCopy) -> Vec<String> {
    let mut parts = vec!["who made, edited or closed it and when".to_owned()];
    parts.extend(lost_results(copy.counts.as_ref()));
    parts.extend(not_copied(&copy.document));
    let row = RunRow::from_document(&copy.document);
    let id = row.name();
    vec![
        format!("This makes a new run, not {id} again: it gets an id and a reference of its own."),
        format!("What does not come back: {}.", parts.join(", ")),
    ]
}

/// Describes the lost results of a run; `None` if it had no cases.
fn lost_results(counts: Option<&ResultCounts>) -> Option<String> {
    match counts.and_then(|counts| counts.sums(&[ResultCode::Untested])) {
        None => Some("results and testers".into()),
        Some(sums) if sums.total == 0 => None,
        Some(sums) => Some(match sums.left() {
            0 => "the testers of its cases".into(),
            cases => format!(
                "the results of {} and the testers",
                count(cases, "test case")
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_results_that_were_recorded_are_lost() {
        let of = |counts: &[(ResultCode, u64)]| {
            let mut all = ResultCounts::default();
            for (code, count) in counts {
                all.add(*code, *count);
            }
            lost_results(Some(&all))
        };
        let lost = |words: &str| Some(words.to_owned());
        assert_eq!(of(&[]), None);
        assert_eq!(
            of(&[(ResultCode::Untested, 229)]),
            lost("the testers of its cases")
        );
        assert_eq!(
            of(&[(ResultCode::Untested, 226), (ResultCode::Passed, 3)]),
            lost("the results of 3 test cases and the testers")
        );
        assert_eq!(lost_results(None), lost("results and testers"));
    }
}
