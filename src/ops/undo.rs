//! Taking back one's own writes: which one, by the journal of the profile in use, and how, by what the service has now.
//! Nothing is sent but reads.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::client::Client;
use super::edit::editor;
use super::local;
use super::survey::failure;
use super::write::blocking;
use crate::attached::available_suites;
use crate::disk::{Journal, RecentWrites, Recorded, Trash, TrashCopy, WriteRecord};
use crate::domain::{
    Attachment, Create, DocRef, Document, Failure, FailureKind, NewRun, PROBE_MARK, RunField,
    RunRow, SuiteChange, SuiteRow, Undo, UndoBy, UndoOf, differing, short, text, texts_of,
};

/// What a person did at once: one write, or all requests of one change of suites.
struct Undoable<'a> {
    /// Name in the journal: what an undo of it refers to.
    id: &'a str,
    /// The write itself; of several requests, one of them.
    write: &'a WriteRecord,
    /// Suites that are not taken back yet, each with its name where that was kept.
    suites: Vec<(&'a str, Option<&'a str>)>,
    /// How an earlier undo of it stands that came to nothing, or to nothing that is known.
    tried: Option<&'static str>,
}

/// The writes of one profile, and what of them is taken back already.
struct WriteHistory<'a> {
    /// Newest first.
    writes: Vec<&'a WriteRecord>,
    /// Writes that are taken back.
    undone: HashSet<&'a str>,
    /// Suites that are taken back, by the name of their change.
    suites: HashMap<&'a str, HashSet<&'a str>>,
    /// Undos that came to nothing, or to nothing that is known.
    tried: HashMap<&'a str, &'static str>,
    /// Runs that were deleted from here.
    deleted: HashSet<&'a str>,
}

impl Client {
    /// Works out how a write can be taken back. Sends nothing but reads.
    pub async fn plan_undo(
        &self,
        journal: Result<Arc<Journal>, String>,
        of: UndoOf,
    ) -> Result<Box<Undo>, Failure> {
        let journal = journal.map_err(|why| cannot(&why))?;
        let profile = self.settings.profile.clone();
        let read = all_of(journal.clone(), Some(profile)).await?;
        let history = WriteHistory::of(&read);
        let write = match &of {
            UndoOf::Write(id) => match history.named(id) {
                Some(write) => write.map_err(|why| cannot(&why))?,
                None => return Err(cannot(&elsewhere(id, &all_of(journal, None).await?))),
            },
            UndoOf::LastOf(run) => history
                .last(Some(run))
                .ok_or_else(|| nothing(" in this run", &read))?,
            UndoOf::Last => history.last(None).ok_or_else(|| nothing("", &read))?,
        };
        self.plan(&history.deed(write)).await
    }
}

/// The newest writes of a profile, or of all.
async fn all_of(journal: Arc<Journal>, profile: Option<String>) -> Result<RecentWrites, Failure> {
    let read = blocking(move || journal.newest(profile.as_deref())).await;
    read.map_err(|error| unread(&error))
}

/// Why the journal could not be read.
pub fn unread(error: &str) -> Failure {
    local(
        "reading my changes",
        error,
        "it can be read with any text viewer",
    )
}

/// Why a write is none of this profile.
fn elsewhere(id: &str, read: &RecentWrites) -> String {
    match read.writes.iter().find(|write| write.write.as_str() == id) {
        Some(write) => format!(
            "it was made with the profile \"{}\": change to that one first",
            write.profile
        ),
        None if read.more => "it is older than what is read of my changes".into(),
        None => "there is no such change".into(),
    }
}

/// Why a write is not taken back.
pub fn cannot(why: &str) -> Failure {
    local("undo", why, "my changes show what can be undone")
}

/// Nothing was done that could be taken back.
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

impl<'a> WriteHistory<'a> {
    /// Of what was read of one profile.
    fn of(read: &'a RecentWrites) -> Self {
        let writes: Vec<&WriteRecord> = read.writes.iter().collect();
        let deletes = writes
            .iter()
            .filter(|write| method(write) == "DELETE_TEST_RUN" && write.is_done());
        let deleted = deletes.map(|write| write.run.as_str()).collect();
        let (undone, suites_back, tried) = (HashSet::new(), HashMap::new(), HashMap::new());
        let mut history = Self {
            writes,
            undone,
            suites: suites_back,
            tried,
            deleted,
        };
        // From the newest on: whether an undo counts depends on whether it is itself taken back.
        for write in history.writes.clone() {
            let Some(of) = text(write, "undo of") else {
                continue;
            };
            if !write.is_done() {
                history.tried.entry(of).or_insert(write.state());
            } else if suites(write).is_empty() {
                if !history.undone.contains(write.write.as_str()) {
                    history.undone.insert(of);
                }
            } else {
                let left: Vec<&str> = history.left(write).map(|(suite, _)| suite).collect();
                history.suites.entry(of).or_default().extend(left);
            }
        }
        history
    }

    /// The last write that can be taken back. Undos are passed over, so that the next one reaches further back.
    fn last(&self, run: Option<&DocRef>) -> Option<&'a WriteRecord> {
        let wanted = |write: &&&WriteRecord| {
            run.is_none_or(|run| write.run == run.as_str()) && write.kept("undo of").is_none()
        };
        self.writes
            .iter()
            .filter(wanted)
            .find(|write| self.refusal(write).is_none())
            .copied()
    }

    /// The write of this name, if it can be taken back; else why not. Nothing where this profile has none of that name.
    fn named(&self, id: &str) -> Option<Result<&'a WriteRecord, String>> {
        let write = *self
            .writes
            .iter()
            .find(|write| write.write.as_str() == id)?;
        Some(self.refusal(write).map_or(Ok(write), Err))
    }

    /// Why a write cannot be taken back.
    fn refusal(&self, write: &WriteRecord) -> Option<String> {
        let Some((method, params)) = write.request() else {
            return Some(
                "it is too old: what was sent lies before what is read of my changes".into(),
            );
        };
        let title = params["document"]["Root"]["General"]["Title"]
            .as_str()
            .unwrap_or_default();
        let why = match write.last() {
            Some(Recorded::Refused { .. }) => "it was refused: nothing was changed",
            Some(Recorded::NotSent { .. }) => "it was not sent: nothing was changed",
            Some(Recorded::Sent { .. } | Recorded::Unknown { .. }) => {
                "whether the service acted on it is not known: read the run and look first"
            }
            Some(Recorded::Differs { .. }) => {
                "what it changed is not certain: reading afterwards showed something else"
            }
            Some(Recorded::Other { .. }) | None => {
                "it was written by another version of this program"
            }
            Some(Recorded::Answered { .. } | Recorded::Confirmed { .. }) => {
                let probe = [title, &write.run_name]
                    .iter()
                    .any(|name| name.starts_with(PROBE_MARK));
                let back = match method {
                    "ADD_TEST_SUITES_TO_RUN" | "DELETE_TEST_SUITES_FROM_RUN" => {
                        self.left(write).next().is_none()
                    }
                    "ADD_DOCUMENT" | "MODIFY_DOCUMENT" | "DELETE_TEST_RUN" => {
                        self.undone.contains(write.write.as_str())
                    }
                    _ => return Some("how to take this operation back is not known".into()),
                };
                match method {
                    "ADD_DOCUMENT" | "DELETE_TEST_RUN" if probe => "it belongs to a probe run",
                    _ if back => "it is taken back already",
                    "DELETE_TEST_RUN" => return None,
                    _ if self.deleted.contains(write.run.as_str()) => "the run was deleted since",
                    _ => return None,
                }
            }
        };
        Some(why.into())
    }

    /// All that belongs to a write that can be taken back.
    fn deed(&self, write: &'a WriteRecord) -> Undoable<'a> {
        let id = group(write);
        let parts = self
            .writes
            .iter()
            .rev()
            .filter(|other| group(other) == id && other.is_done());
        let suites = parts.flat_map(|part| self.left(part)).collect();
        Undoable {
            id,
            write,
            suites,
            tried: self.tried.get(id).copied(),
        }
    }

    /// The suites of a write that are not taken back, with their names.
    fn left(&self, write: &'a WriteRecord) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let back = self.suites.get(group(write));
        let names = write.kept("suites").and_then(|names| names.as_array());
        let suites = suites(write)
            .iter()
            .enumerate()
            .filter_map(move |(at, suite)| {
                Some((
                    suite.as_str()?,
                    names.and_then(|names| names.get(at)?.as_str()),
                ))
            });
        suites
            .filter(move |(suite, _)| back.is_none_or(|back| !back.contains(suite)))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

fn method(write: &WriteRecord) -> &str {
    write.request().map_or("", |(method, _)| method)
}

/// The name of the change that a request is a part of.
fn group(write: &WriteRecord) -> &str {
    text(write, "part of").unwrap_or(write.write.as_str())
}

fn text<'a>(write: &'a WriteRecord, part: &str) -> Option<&'a str> {
    write.kept(part)?.as_str()
}

/// The suites that a request names.
fn suites(write: &WriteRecord) -> &[serde_json::Value] {
    let named = write
        .request()
        .and_then(|(_, params)| params["testSuiteDocRefs"].as_array());
    named.map_or(&[], Vec::as_slice)
}

/// What undoing does, its words, and what the person should know.
type Plan = (UndoBy, String, Vec<String>);

impl Client {
    /// The plan for one write.
    async fn plan(&self, deed: &Undoable<'_>) -> Result<Box<Undo>, Failure> {
        let method = deed.write.request().map(|(method, _)| method);
        let (by, what, mut warnings) = match method {
            Some("MODIFY_DOCUMENT") => self.fields_back(deed).await,
            Some("ADD_DOCUMENT") => self.made_back(deed).await,
            Some("DELETE_TEST_RUN") => self.rebuild(deed).await,
            _ => {
                self.suites_back(deed, method == Some("ADD_TEST_SUITES_TO_RUN"))
                    .await
            }
        }?;
        if let Some(state) = deed.tried {
            warnings.insert(
                0,
                format!("Taking it back was tried before: {state}. Look first what came of that."),
            );
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
            return Err(cannot("the run holds the old values already"));
        }
        let who = editor(&now)
            .map(|editor| format!("; the run was last edited by {editor}"))
            .unwrap_or_default();
        let mut warnings: Vec<String> = after
            .iter()
            .filter(|(field, text)| holds(field) != *text)
            .map(|(field, _)| {
                format!(
                    "{} was changed since: it is \"{}\" now{who}.",
                    field.name(),
                    short(holds(field))
                )
            })
            .collect();
        if before.contains_key(&RunField::Status) {
            warnings.push("It opens or closes the run.".into());
        }
        let fields: Vec<&str> = before.keys().map(|field| field.name()).collect();
        let what = format!("changed {} of {}", fields.join(", "), name_of(&now));
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
        if now.text("Root.General.Status").as_deref() == Some("inactive") {
            return Err(cannot("the run is closed: its suites cannot be changed"));
        }
        let list = available_suites(self, &run, self.settings.page_size, &|_, _| {})
            .await
            .map_err(|fault| failure(&fault))?;
        let free: HashMap<&DocRef, &SuiteRow> = list.refs().zip(&list.entries).collect();
        let name = |suite: &DocRef, kept: Option<&str>| match (kept, free.get(suite)) {
            (Some(kept), _) => kept.to_owned(),
            (None, Some(row)) => format!(
                "{} {}",
                row.name(),
                row.title.as_deref().unwrap_or_default()
            ),
            (None, None) => suite.to_string(),
        };
        let all: Vec<(DocRef, String)> = deed
            .suites
            .iter()
            .filter_map(|(suite, kept)| Some((DocRef::parse(suite).ok()?, *kept)))
            .map(|(suite, kept)| (suite.clone(), name(&suite, kept)))
            .collect();
        let (suites, changed): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(suite, _)| free.contains_key(suite) != added);
        let since = if added {
            "not in the run any more"
        } else {
            "in the run again, or cannot be added any more"
        };
        if suites.is_empty() {
            return Err(cannot(&format!(
                "nothing is left to take back: all of these suites are {since}"
            )));
        }
        let mut warnings = vec![
            if added {
                "Results recorded in these suites may be lost."
            } else {
                "Results that were recorded in these suites may not come back."
            }
            .to_owned(),
        ];
        if !changed.is_empty() {
            let names: Vec<&str> = changed.iter().map(|(_, name)| name.as_str()).collect();
            warnings.push(format!(
                "Left out, because they are {since}: {}.",
                names.join(", ")
            ));
        }
        let id = now.text("Root.General.Id");
        let row = self.listed(&run, id.as_deref()).await;
        let suites_word = if suites.len() == 1 { "suite" } else { "suites" };
        let (verb, place) = if added {
            ("added", "to")
        } else {
            ("removed", "from")
        };
        let what = format!(
            "{verb} {} {suites_word} {place} {}",
            suites.len(),
            name_of(&now)
        );
        let change = SuiteChange {
            run,
            run_name: name_of(&now),
            run_id: id,
            adds: !added,
            suites,
            stake: row.as_ref().and_then(|row| row.results.clone()),
            count: row.and_then(|row| row.suite_count),
            undo_of: Some(deed.id.to_owned()),
            then_deletes: false,
        };
        Ok((UndoBy::Suites(Box::new(change)), what, warnings))
    }

    async fn made_back(&self, deed: &Undoable<'_>) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let now = self.document(&run).await?;
        if !self.check_empty(&run).await? {
            return Err(cannot("the run is not empty: its suites have to go first"));
        }
        let sent = deed
            .write
            .request()
            .map(|(_, params)| params["document"].clone())
            .unwrap_or_default();
        let sent =
            Document::from_value(serde_json::json!({"docRef": run.as_str(), "document": sent}));
        let mut warnings = Vec::new();
        let changed = sent
            .map(|sent| differing(&texts_of(&sent), &texts_of(&now)))
            .unwrap_or_default();
        if !changed.is_empty() {
            let who = editor(&now)
                .map(|editor| format!(", last by {editor}"))
                .unwrap_or_default();
            warnings.push(format!(
                "It was changed since{who}: {}.",
                changed.join("; ")
            ));
        }
        let run_name = name_of(&now);
        let what = format!("made {run_name}");
        let row = RunRow::from_document(&now);
        Ok((UndoBy::Delete(Box::new(row)), what, warnings))
    }

    async fn rebuild(&self, deed: &Undoable<'_>) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let file = deed.write.kept("copy").and_then(|file| file.as_str());
        let file = PathBuf::from(file.ok_or_else(|| cannot("no copy was kept of this run"))?);
        let copy = blocking(move || Trash::read(&file)).await;
        let copy = copy.map_err(|error| cannot(&error))?;
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
                "The copy is of a closed run: its {} suites cannot be added.",
                suites.len()
            ));
            suites.clear();
        } else if !suites.is_empty() {
            warnings.push(format!(
                "{} suites are added; known of them was: {}.",
                suites.len(),
                copy.known
            ));
        }
        let origin = format!("rebuilt from the copy of {}", copy.run_name);
        let create = Create {
            runs: vec![run],
            suites,
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

/// What of a deleted run does not come back.
fn lost(copy: &TrashCopy) -> Vec<String> {
    let mut parts = vec![
        "TechnicalId".to_owned(),
        "who made, edited or closed it and when".to_owned(),
    ];
    match copy.counts.as_ref().map(crate::domain::ResultCounts::total) {
        Some(0) => {}
        Some(cases) => parts.push(format!(
            "the results of {} and their testers",
            text::count(cases, "test case")
        )),
        None => parts.push("results and testers".into()),
    }
    match Attachment::of(&copy.document).len() {
        0 => {}
        1 => parts.push("1 attachment".into()),
        more => parts.push(format!("{more} attachments")),
    }
    let id = copy
        .document
        .text("Root.General.Id")
        .unwrap_or_else(|| copy.document.doc_ref().to_string());
    vec![
        format!("This makes a new run, not {id} again: it gets an id and a reference of its own."),
        format!("What does not come back: {}.", parts.join(", ")),
    ]
}

fn name_of(run: &Document) -> String {
    RunRow::from_document(run).full_name()
}
