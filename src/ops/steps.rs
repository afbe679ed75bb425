//! Carries out one step at the service: a write with its pauses and readings, or a reading.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Map;

use super::delete::{DocumentReading, ListReading, judge};
use super::edit::{Edited, content, is_edit};
use super::lost::NEWEST;
use super::prelude::*;
use super::suites::{self, kept, pairs};
use super::write::{NotedRequest, done_alone, may_come, not_sent, note, until};
use super::{Unsure, Writing, blocking, lock};
use crate::domain::fields::{EDITED_ON, ID, STATUS};
use crate::domain::{ReadFault, WriteRequest, same_version, text};

const HAS_THEM: &str = "the run has these values already";

/// Carries out an operation to its end. `tell` is called before each step and at the end; `ask` answers its questions.
pub async fn carry_out<O: Operation>(
    writing: &Writing,
    operation: &mut O,
    mut tell: impl FnMut(&O),
    ask: impl Fn(&O) -> bool,
) -> Outcome {
    loop {
        let stopped = writing.stopped.is_cancelled();
        if stopped {
            operation.stop(Why::Stopped, "stopped");
        }
        match operation.next() {
            Do::Step(step) => {
                tell(operation);
                let given_up = !stopped && !step.writes();
                let work = Box::pin(run(writing, step));
                let report = if given_up {
                    writing.stopped.run_until_cancelled(work).await
                } else {
                    Some(work.await)
                };
                if let Some(report) = report {
                    operation.take(report);
                }
            }
            Do::Ask => operation.answer(ask(operation)),
            Do::End(outcome) => {
                writing.end(&outcome).await;
                tell(operation);
                return outcome;
            }
        }
    }
}

pub async fn run(writing: &Writing, step: Step) -> StepResult {
    let client = &writing.client;
    match step {
        Step::Count(change) => StepResult::Count(writing.row(&change).await.map(Box::new)),
        Step::SendSuites {
            change,
            from,
            first,
        } => StepResult::Sent(writing.send_suites(&change, from, first).await),
        Step::ReadSuites(sent) => StepResult::Written(writing.read_suites(&sent).await),
        Step::Create { create, place } => {
            StepResult::Written(either(writing.create(&create, place).await))
        }
        Step::Save(modify) => {
            StepResult::Written(either(writing.save(&modify).await).of(&modify.run))
        }
        Step::Delete(delete) => {
            StepResult::Written(either(writing.delete(&delete).await).of(&delete.run))
        }
        Step::Survey { run, typed, probe } => {
            let tell = &writing.tell;
            let journal = Some(&writing.state.journal);
            let asked = (typed, probe);
            StepResult::Attached(client.survey(&run, asked, journal, None, tell).await)
        }
        Step::CheckEmpty(run) => StepResult::Empty(client.check_empty(&run).await),
        Step::Free(run) => {
            let list = client.free_suites(&run, &|_, _| {}).await;
            StepResult::Free(list.ok().map(|list| list.refs().cloned().collect()))
        }
        Step::SaveCopy(copied) => client.save_copy(writing.state.clone(), *copied).await,
    }
}

impl Writing {
    /// Reads in a loop, with the pauses of the client.
    pub(super) async fn until<T, R>(&self, unread: T, read: impl FnMut() -> R) -> T
    where
        R: Future<Output = ControlFlow<T, T>>,
    {
        until(self.client.settings.pauses.clone(), unread, read).await
    }

    /// Returns the run as it is listed now: only `LIST_TEST_RUNS` has `TestSuiteCount` and results.
    async fn row(&self, change: &SuiteChange) -> Option<RunRow> {
        let id = change.run_id.as_deref();
        self.client.listed(&change.run, id).await
    }

    async fn send_suites(
        &self,
        change: &SuiteChange,
        from: usize,
        first: Option<WriteId>,
    ) -> Result<(WriteId, Option<Unsure>), Outcome> {
        let chunk = change.chunk(from);
        let rest = &change.suites[from + chunk.len()..];
        if from == 0
            && let Some(words) = self.answered(change).await?
        {
            return Err(Outcome::not_sent(Why::Behind, words));
        }
        let request = change.request(chunk);
        let noted = NotedRequest {
            request: &request,
            run: change.run.as_str(),
            run_name: &change.run_name,
            note: note(
                kept(change, chunk, rest, first.as_ref()),
                change.undo_of.as_ref(),
            ),
            cleans_up: false,
        };
        let call = self.writer.change_suites(&request);
        let sent = self.send_once(noted, call, Value::clone).await?;
        let unsure = self.explained(sent.answer, &change.run, true).await;
        Ok((sent.write, unsure))
    }

    /// Reads until the service shows the change. The effect of a request whose answer was lost is decided by reading
    /// alone.
    async fn read_suites(&self, sent: &suites::Sent) -> Outcome {
        let change = &sent.change;
        let unread = sent.unread("it was not read", None);
        let may_be_anothers = AtomicBool::new(false);
        let outcome = self
            .until(unread, || async {
                let list = self.client.free_suites(&change.run, &|_, _| {}).await;
                let after = self.row(change).await.and_then(|row| row.suite_count);
                may_be_anothers.store(false, Ordering::Relaxed);
                let outcome = match list {
                    Ok(list) => {
                        let free = list.refs().collect();
                        let may_be = sent.may_be_anothers(&free, after);
                        may_be_anothers.store(may_be, Ordering::Relaxed);
                        sent.judge(&free, after)
                    }
                    Err(failure) => sent.unread(&failure.cause, after),
                };
                if outcome.is_complete() {
                    ControlFlow::Break(outcome)
                } else {
                    ControlFlow::Continue(outcome)
                }
            })
            .await;
        let outcome = if may_be_anothers.into_inner() && self.is_removed_by_another(sent).await {
            sent.made_by_another(outcome.suite_count)
        } else {
            outcome
        };
        // A request is done once all its suites are in effect, whatever the end of the others.
        let done: HashSet<DocRef> = outcome.done_parts().into_iter().collect();
        let seen = if change.adds {
            "read: its suites are in the run"
        } else {
            "read: its suites are out of the run"
        };
        let refused = sent.unsure.as_ref();
        let refused = refused.map(|it| it.without_effect("three readings show nothing of it"));
        for (write, chunk) in sent
            .writes
            .iter()
            .zip(change.suites.chunks(SuiteChange::CHUNK))
        {
            let is_refused = |suite: &DocRef| {
                let mut parts = outcome.parts.iter();
                parts.any(|part| part.of == *suite && part.end == End::Refused)
            };
            let by_reading = sent.by_reading_of(write);
            let by_reading = by_reading.map_or_else(String::new, |by| format!(", {by}"));
            let as_sent = Outcome::done(format!("{seen}{by_reading}"));
            let end = if chunk.iter().all(|(suite, _)| done.contains(suite)) {
                &as_sent
            } else if let Some(refused) = &refused
                && outcome.end != End::Refused
                && chunk.iter().all(|(suite, _)| is_refused(suite))
            {
                refused
            } else {
                &outcome
            };
            self.conclude(&change.run, &change.run_name, write, end)
                .await;
        }
        outcome
    }

    /// True if another change from this machine has just removed each of the suites from the run, and checked that.
    async fn is_removed_by_another(&self, sent: &suites::Sent) -> bool {
        let state = self.state.clone();
        let read = blocking(move || state.journal.newest(None)).await;
        let writes = read.map(|read| read.writes).unwrap_or_default();
        let here = self.client.target();
        let is_other = |write: &&WriteRecord| {
            let is_of_run = write.run == sent.change.run.as_str() && write.adds().is_some();
            is_of_run && write.target.is_at(&here.service) && !sent.writes.contains(&write.write)
        };
        let mut newest: HashMap<DocRef, &WriteRecord> = HashMap::new();
        for write in writes.iter().filter(is_other) {
            for (suite, _) in write.suites() {
                newest.entry(suite).or_insert(write);
            }
        }
        sent.change.suites.iter().all(|(suite, _)| {
            newest.get(suite).is_some_and(|write| {
                write.adds() == Some(false) && write.is_confirmed() && may_come(write.at)
            })
        })
    }

    /// Creates a run and reads it back. A run whose answer was lost is searched for and never sent again. An error is
    /// an end before anything could be read.
    async fn create(&self, create: &Create, place: usize) -> Result<Outcome, Outcome> {
        let new = &create.runs[place];
        let after = create.runs[place + 1..].iter();
        let after: Vec<&str> = after.map(NewRun::title).collect();
        let origin = Some(&create.origin).filter(|origin| !origin.is_empty());
        let (before, away) = match self.before(new).await {
            Ok(before) => {
                if let Some(made) = before.made_earlier(new, &create.seen) {
                    return Err(made);
                }
                (Some(before), None)
            }
            Err(ReadFault::Call(failure)) if !self.client.answers() => (None, Some(failure)),
            // A list that may not be read, or changes, keeps no run from being made.
            Err(_) => (None, None),
        };
        let newest = before.as_ref().and_then(|before| before.newest);
        let request = WriteRequest::create(new, &self.client.settings.locale);
        let noted = NotedRequest {
            request: &request,
            run: "",
            run_name: new.title(),
            note: note(
                [
                    ("origin", origin.map(|origin| json!(origin))),
                    ("suites to add", pairs(&create.suites)),
                    ("runs after it", (!after.is_empty()).then(|| json!(after))),
                    (NEWEST, newest.map(|at| json!(at))),
                ],
                create.undo_of.as_ref(),
            ),
            cleans_up: false,
        };
        let call = async {
            match away {
                Some(failure) => Err(CallError::away(&request, failure)),
                None => self.writer.create(&request).await,
            }
        };
        let result = |run: &DocRef| json!({"docRef": run});
        let sent = self.send_once(noted, call, result).await?;
        Ok(match &sent.answer {
            Ok(run) => self.read_back(&sent.write, run, new, None).await.of(run),
            Err(unsure) => self.find_created(&sent, unsure, new, before.as_ref()).await,
        })
    }

    /// Reads the new run until it exists with the sent fields; `by_reading` says how it is known if the answer was lost.
    pub(super) async fn read_back(
        &self,
        write: &WriteId,
        run: &DocRef,
        new: &NewRun,
        by_reading: Option<&'static str>,
    ) -> Outcome {
        let wanted = new.texts();
        let how = by_reading.unwrap_or("read again: all fields are as they were sent");
        let outcome = self
            .until(Outcome::unknown("it was not read"), || async {
                match self.client.reader.get_document(run).await {
                    Ok(document) => {
                        let differs = differing(&wanted, &texts_of(&document));
                        if differs.is_empty() {
                            let outcome = Outcome::done(how).with_by_reading(by_reading);
                            return ControlFlow::Break(outcome.with_document(document));
                        }
                        let outcome = Outcome::otherwise(differs.join("; "));
                        let outcome = outcome.with_by_reading(by_reading);
                        ControlFlow::Continue(outcome.with_document(document))
                    }
                    Err(error) => ControlFlow::Continue(Outcome::unknown(format!(
                        "the service says that it was made, but it could not be read: {}",
                        error.in_full()
                    ))),
                }
            })
            .await;
        let name = match &outcome.document {
            Some(document) => RunRow::from_document(document).full_name(),
            None => new.title().to_owned(),
        };
        self.conclude(run, &name, write, &outcome).await;
        outcome
    }

    /// Changes fields of a run, one program of this machine at a time.
    async fn save(&self, modify: &Modify) -> Result<Outcome, Outcome> {
        let words = "not sent: another rundown is saving a run of this name, or was stopped in it (fg). Try again when it is \
             done.";
        let alone = self.alone(modify.run.as_str(), words).await?;
        let outcome = self.save_alone(modify).await;
        done_alone(alone).await;
        outcome
    }

    /// Reads just before, writes the document, reads again. The service does not detect changes in between: the last
    /// writer wins.
    async fn save_alone(&self, modify: &Modify) -> Result<Outcome, Outcome> {
        let run = &modify.run;
        let before = self.just_before(modify).await?;
        let document = before
            .restored(&modify.texts, &modify.values)
            .map_err(|error| Outcome::not_sent(Why::Impossible, format!("not sent: {error}")))?;
        let shown = texts_of(&before);
        let changed: Vec<RunField> = modify
            .texts
            .iter()
            .filter(|(field, text)| shown.get(field) != Some(*text))
            .map(|(field, _)| *field)
            .collect();
        if changed.is_empty() {
            return Err(Outcome::not_sent(Why::NothingToDo, HAS_THEM));
        }
        if let Some(words) = self.unseen(modify, shown).await? {
            return Err(Outcome::not_sent(Why::Behind, words));
        }
        let request = WriteRequest::save(run, &document, &self.client.settings.locale);
        let noted = NotedRequest {
            request: &request,
            run: run.as_str(),
            run_name: &modify.run_name,
            note: note(held(&before, &changed), modify.undo_of.as_ref()),
            cleans_up: false,
        };
        let call = self.writer.save(&request);
        let sent = self.send_once(noted, call, |()| Value::Null).await?;
        let unsure = self.explained(sent.answer, run, false).await;
        let outcome = self.read_again(&before, &document, modify, unsure).await;
        self.conclude(run, &modify.run_name, &sent.write, &outcome)
            .await;
        Ok(outcome)
    }

    /// Returns the run as it is now; an error if it cannot be read or is not the reviewed version.
    async fn just_before(&self, modify: &Modify) -> Result<Document, Outcome> {
        let pauses = std::iter::once(Duration::ZERO).chain(self.client.settings.pauses.clone());
        let unread = Outcome::unread("it was not read", "");
        until(pauses, Err(unread), || async {
            let now = match self.client.reader.get_document(&modify.run).await {
                Ok(now) => now,
                Err(error) => return ControlFlow::Break(Err(not_sent(Why::Unread, &error))),
            };
            let Err(paths) = same_version(&modify.reviewed, &now) else {
                return ControlFlow::Break(Ok(now));
            };
            if older(&now, &modify.reviewed) {
                // A replica that is behind does not have the last save: comparing with it would undo that save.
                return ControlFlow::Continue(Err(Outcome::not_sent(
                    Why::Behind,
                    "not sent: the service shows an older version of the run than the one compared with, as a replica \
                     that is behind does. Try again in a moment.",
                )));
            }
            // An own save of before may have come.
            if differing(&modify.texts, &texts_of(&now)).is_empty() {
                let nothing = Outcome::not_sent(Why::NothingToDo, HAS_THEM);
                return ControlFlow::Break(Err(nothing.with_document(now)));
            }
            let words = if is_edit(&paths) {
                "somebody wrote meanwhile: nothing was sent".to_owned()
            } else {
                let paths = text::few(&paths);
                format!("{paths} changed meanwhile, though no edit is told: nothing was sent")
            };
            let moved = Outcome::not_sent(Why::Moved, words);
            ControlFlow::Break(Err(moved.with_document(now)))
        })
        .await
    }

    /// Reads until the new values are shown.
    async fn read_again(
        &self,
        before: &Document,
        sent: &Value,
        modify: &Modify,
        unsure: Option<Unsure>,
    ) -> Outcome {
        let user = self.client.user();
        let answered = match &unsure {
            None => "the service answered that it was done".to_owned(),
            Some(unsure) => unsure.why.clone(),
        };
        // A version that is neither of the two: another user wrote at the same moment.
        let foreign: Mutex<Option<Document>> = Mutex::default();
        let edited = Edited {
            before,
            sent,
            wanted: &modify.texts,
            unsure,
        };
        let judge = |now, foreign: Option<Document>| edited.judge(now, foreign.as_ref(), &user);
        let (judge, foreign) = (&judge, &foreign);
        self.until(Outcome::unknown("it was not read"), || async {
            match self.client.reader.get_document(&modify.run).await {
                Ok(now) if differing(&modify.texts, &texts_of(&now)).is_empty() => {
                    ControlFlow::Break(judge(now, lock(foreign).clone()))
                }
                Ok(now) => {
                    if !content(before, &now).is_empty() {
                        *lock(foreign) = Some(now.clone());
                    }
                    ControlFlow::Continue(judge(now, lock(foreign).clone()))
                }
                Err(error) => ControlFlow::Continue(Outcome::unknown(format!(
                    "{answered}, and the run could not be read afterwards: {}",
                    error.in_full()
                ))),
            }
        })
        .await
    }

    /// Deletes a run if the service reports it empty, and reads until it is gone.
    async fn delete(&self, delete: &Delete) -> Result<Outcome, Outcome> {
        let run = &delete.run;
        let document = self.may_delete(delete).await?;
        let request = WriteRequest::delete(run);
        let noted = NotedRequest {
            request: &request,
            run: run.as_str(),
            run_name: &delete.run_name,
            note: note(
                [("copy", delete.copy.as_ref().map(|copy| json!(copy)))],
                delete.undo_of.as_ref(),
            ),
            cleans_up: delete.is_probe,
        };
        let call = self.writer.delete(&request);
        let sent = self.send_once(noted, call, |done| json!(done)).await?;
        let outcome = self.read_gone(run, &document, sent.answer).await;
        self.conclude(run, &delete.run_name, &sent.write, &outcome)
            .await;
        Ok(outcome)
    }

    /// Returns the run if the service reports it empty, else the reason.
    async fn may_delete(&self, delete: &Delete) -> Result<Document, Outcome> {
        let reader = &self.client.reader;
        let unread = |error: CallError| not_sent(Why::Unread, &error);
        let document = reader.get_document(&delete.run).await.map_err(unread)?;
        let empty = reader.check_test_run_empty(&delete.run).await;
        if !empty.map_err(unread)? {
            let words = if is_closed(&document) {
                "not sent: the run is closed and not empty. Suites of a closed run cannot be removed through this \
                 interface, so it cannot be deleted from here before its status is open."
            } else {
                "not sent: the service says that the run is not empty. Its suites have to go first."
            };
            return Err(Outcome::not_sent(Why::Impossible, words));
        }
        Ok(document)
    }

    /// Reads until the run is gone. `answer` is the answer of the service, if it decides anything.
    async fn read_gone(
        &self,
        run: &DocRef,
        document: &Document,
        answer: Result<bool, Unsure>,
    ) -> Outcome {
        // The last reading was refused and the list did not show the run either: one list alone may be behind.
        let agreed = AtomicBool::new(false);
        let unread = (
            DocumentReading::Unread("it was not read".into()),
            ListReading::Unsure("it was not asked".into()),
        );
        let last = self
            .until(unread, || async {
                let now = (
                    self.read_deleted(run).await,
                    self.list_deleted(run, document).await,
                );
                let now = match now {
                    (DocumentReading::Refused(why), ListReading::Absent) => {
                        let twice = agreed.swap(true, Ordering::Relaxed);
                        let read = if twice {
                            DocumentReading::Gone(format!(
                                "the run cannot be read any more ({why})"
                            ))
                        } else {
                            DocumentReading::Refused(why)
                        };
                        (read, ListReading::Absent)
                    }
                    now => {
                        agreed.store(false, Ordering::Relaxed);
                        now
                    }
                };
                let gone = matches!(now, (DocumentReading::Gone(_), ListReading::Absent));
                if gone || matches!((&answer, &now.0), (Ok(false), DocumentReading::There)) {
                    ControlFlow::Break(now)
                } else {
                    ControlFlow::Continue(now)
                }
            })
            .await;
        judge(answer, &last.0, &last.1)
    }

    async fn read_deleted(&self, run: &DocRef) -> DocumentReading {
        match self.client.reader.get_document(run).await {
            Ok(_) => DocumentReading::There,
            Err(error) if error.is_not_found() => {
                DocumentReading::Gone("the run is not found any more".into())
            }
            Err(error) if error.is_of_the_service() => DocumentReading::Refused(error.in_full()),
            Err(error) => DocumentReading::Unread(error.in_full()),
        }
    }

    async fn list_deleted(&self, run: &DocRef, document: &Document) -> ListReading {
        let Some(id) = ID.text(document) else {
            return ListReading::Unsure(
                "the list cannot be asked for it: it had no short id".into(),
            );
        };
        match self.client.by_id(&id).await {
            Ok(page) if page.row_of(run).is_some() => ListReading::There,
            Ok(page) if page.rules_out(run, &id) => ListReading::Absent,
            Ok(_) => ListReading::Unsure("the list does not filter by id".into()),
            Err(error) => {
                ListReading::Unsure(format!("the list could not be read: {}", error.in_full()))
            }
        }
    }

    /// Returns the reason why an answer decides nothing; after a refusal also whether the run is gone by now, or closed,
    /// which forbids changes of its suites (3).
    async fn explained<T>(
        &self,
        answer: Result<T, Unsure>,
        run: &DocRef,
        of_suites: bool,
    ) -> Option<Unsure> {
        let mut unsure = answer.err()?;
        if unsure.denied {
            let told = match self.client.reader.get_document(run).await {
                Ok(document) if of_suites && is_closed(&document) => {
                    "the run is closed by now: its suites cannot be changed"
                }
                Err(error) if error.is_not_found() => "the run is gone by now",
                // Nothing to add to the answer.
                Ok(_) | Err(_) => return Some(unsure),
            };
            // Before the words of the service, which may be long; its advice is not about that.
            let why = format!("{told} ({})", unsure.why.trim_end_matches('.'));
            (unsure.why, unsure.refused) = (why.clone(), why);
        }
        Some(unsure)
    }
}

/// Returns the outcome of a write, whether or not it was sent.
fn either(outcome: Result<Outcome, Outcome>) -> Outcome {
    outcome.unwrap_or_else(|end| end)
}

/// A closed run: its suites cannot be listed or changed (3).
pub(super) fn is_closed(run: &Document) -> bool {
    STATUS.text(run).as_deref() == Some("inactive")
}

/// Returns the old values of fields to the digit, so that undo restores null and missing members too.
fn held(before: &Document, fields: &[RunField]) -> [(&'static str, Option<Value>); 2] {
    let (mut old, mut missing) = (Map::new(), Vec::new());
    for field in fields {
        match before.at(field.path()) {
            Some(value) => drop(old.insert(field.name().to_owned(), value.clone())),
            None => missing.push(field.name()),
        }
    }
    let missing = (!missing.is_empty()).then(|| json!(missing));
    [("before", Some(Value::Object(old))), ("missing", missing)]
}

/// True if a reading shows an older version than the other.
fn older(now: &Document, other: &Document) -> bool {
    let edited = |document: &Document| document.integer(EDITED_ON.path);
    matches!((edited(now), edited(other)), (Some(now), Some(other)) if now < other)
}
