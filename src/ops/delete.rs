//! Deletes a run: survey, copy, removal of its suites, emptiness check, deletion. Only a reading shows that the run is
//! gone.

use std::collections::BTreeMap;

use super::prelude::*;
use super::{ChangingSuites, Copied, Unsure, now};
use crate::attached::{Named, State};
use crate::domain::{ChunkResult, ItemOutcome, ReadBack};
use crate::mirror::Run;

/// The deletion of a run with all steps before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Deleting {
    pub run: Arc<Run>,
    /// Suites that the user has named as being in the run.
    pub typed: Vec<DocRef>,
    /// Suites removed before, with their names; the copy names them too.
    pub taken_out: BTreeMap<DocRef, String>,
    /// The write in the journal that this deletion undoes.
    pub undo_of: Option<String>,
    attached: Option<Box<Attached>>,
    /// Last answer of the service.
    is_empty: Option<bool>,
    /// The service answers for this run whether it is empty, without which it is not deleted.
    check_answers: bool,
    /// Decision to delete the run with its suites, `None` until it was asked for.
    goes: Option<bool>,
    /// File of the copy.
    copy: Option<String>,
    removal: Option<ChangingSuites>,
    /// Outcome of the removal of its suites.
    pub removed: Option<Outcome>,
    /// The run cannot be deleted from here: it holds suites that must stay, or it is not found.
    pub stays: bool,
    outcome: Option<Outcome>,
}

impl Deleting {
    pub fn new(run: Arc<Run>) -> Self {
        Self {
            run,
            typed: Vec::new(),
            taken_out: BTreeMap::new(),
            undo_of: None,
            attached: None,
            is_empty: None,
            check_answers: false,
            goes: None,
            copy: None,
            removal: None,
            removed: None,
            stays: false,
            outcome: None,
        }
    }

    /// Returns the requests to send once all is read: the removal of the suites and the deletion of the run.
    pub fn plan(&self) -> (Option<&SuiteChange>, Delete) {
        let delete = Delete {
            run: self.run.doc_ref.clone(),
            run_name: self.run.full_name(),
            copy: self.copy.clone(),
            is_probe: false,
            undo_of: self.undo_of.clone(),
        };
        (self.removal.as_ref().map(ChangingSuites::plan), delete)
    }

    /// True if the run holds suites and they may not be removed.
    pub fn keeps_suites(&self) -> bool {
        let is_empty = |attached: &Attached| attached.count == Some(0);
        self.goes == Some(false) && !self.attached().is_some_and(is_empty)
    }

    /// Suites in the run, `None` until they are worked out.
    pub fn attached(&self) -> Option<&Attached> {
        self.attached.as_deref()
    }

    /// True if the run holds suites, or did until they were removed.
    pub fn holds_suites(&self) -> bool {
        self.removal.is_some() || self.is_empty == Some(false)
    }

    /// Returns the reason why the suites in the run cannot be removed, `None` if they can.
    pub fn hindrance(&self) -> Option<String> {
        let attached = self.attached().filter(|_| self.is_empty == Some(false))?;
        self.removal(attached).err()
    }

    /// File of the copy, `None` until it is saved.
    pub fn copy(&self) -> Option<&str> {
        self.copy.as_deref()
    }

    /// One line per request that removes suites.
    pub fn steps(&self) -> &[ChunkResult] {
        self.removal.as_ref().map_or(&[], |change| &change.steps)
    }

    /// Returns the change that removes its suites, or the reason why there is none.
    fn removal(&self, attached: &Attached) -> Result<SuiteChange, String> {
        if let Some(words) = attached.unknown_row() {
            return Err(format!("it is not empty, and {words}"));
        }
        let suites: Vec<_> = attached.removable().map(Named::pair).collect();
        if suites.is_empty() {
            return Err("it is not empty, and none of its suites is sure".into());
        }
        Ok(SuiteChange {
            then_deletes: true,
            ..SuiteChange::of(&self.run.row(), false, suites)
        })
    }

    /// Plans the removal of its suites if that is allowed, else returns the reason.
    fn plan_removal(&mut self, attached: &Attached) -> Result<(), String> {
        if attached.state == State::Empty {
            return Err("it is not empty any more: somebody is changing it".into());
        }
        // Suites of a closed run can be neither listed nor removed (3).
        if self.run.is_closed() || attached.state == State::Closed {
            return Err(
                "it is closed and not empty: suites can be taken out of an open run only, so it cannot be deleted from here before it is open"
                    .into(),
            );
        }
        match self.goes {
            None => {}
            Some(_) if attached.count == Some(0) => {
                let words =
                    "it is not empty, as the service says, and has no suites, as it says too";
                return Err(words.into());
            }
            Some(false) => {
                let suites = attached
                    .count
                    .map(|suites| format!(", it has {}", count(suites, "suite")));
                return Err(format!("it is not empty{}", suites.unwrap_or_default()));
            }
            Some(true) => self.removal = Some(ChangingSuites::new(self.removal(attached)?)),
        }
        Ok(())
    }

    /// True if the run holds more suites than were known when the user was asked: it would be left half empty.
    fn is_more_than_read(&self, now: i64) -> bool {
        let read = self.attached().and_then(|attached| attached.count);
        read.is_some_and(|read| u64::try_from(now).is_ok_and(|now| now > read))
    }

    /// Takes the end of the removal. Whatever its reading shows, the emptiness check decides.
    fn end_removal(&mut self) {
        if let (Some(change), None) = (&mut self.removal, &self.removed)
            && let Do::End(outcome) = change.next()
        {
            (self.removed, self.is_empty) = (Some(outcome), None);
        }
    }

    fn halt(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// Ends the deletion after a failed reading or a failed copy.
    fn failed(&mut self, failure: &Failure) {
        let words = failure.line();
        self.stays |= failure.kind == FailureKind::NotFound;
        let why = match failure.kind {
            FailureKind::SignIn => Why::SignedOut,
            FailureKind::Local => Why::Impossible,
            // The removal of the suites was sent before.
            _ if self.removed.is_some() => Why::Stopped,
            _ => return self.halt(Outcome::unread(&words, &failure.remedy)),
        };
        self.halt(Outcome::not_sent(why, words));
    }

    /// Returns the outcome with that of the suites: a run that is not deleted may have lost suites all the same.
    pub fn end(&self, outcome: Outcome) -> Outcome {
        let run = ItemOutcome {
            of: self.run.doc_ref.clone(),
            end: outcome.end,
        };
        let removed = self.removed.as_ref();
        let suites = removed
            .map(|removed| removed.parts.clone())
            .unwrap_or_default();
        let any = suites.iter().any(|part| part.end == End::Done);
        // Requests for the suites were sent.
        let why = outcome
            .why
            .replace(Outcome::UNSENT, "The deletion itself was not sent");
        let may_be = removed.is_some_and(|removed| removed.end == End::Unknown);
        let as_sent = match outcome.is_nothing() {
            true if any => Outcome::otherwise(why),
            true if may_be => Outcome::unknown(why),
            _ => outcome,
        };
        Outcome {
            copy: self.copy.clone(),
            parts: std::iter::once(run).chain(suites).collect(),
            ..as_sent
        }
    }
}

impl Operation for Deleting {
    fn next(&mut self) -> Do {
        if let Some(outcome) = &self.outcome {
            return Do::End(self.end(outcome.clone()));
        }
        self.end_removal();
        let run = self.run.doc_ref.clone();
        let Some(attached) = self.attached.clone() else {
            let (typed, probe) = (self.typed.clone(), None);
            return Do::Step(Step::Survey { run, typed, probe });
        };
        if self.is_empty.is_none() && self.removal.is_none() && surely_holds(&attached) {
            self.is_empty = Some(false);
        }
        match self.is_empty {
            None => return Do::Step(Step::CheckEmpty(run)),
            Some(false) if self.removal.is_none() => {
                if let Err(why) = self.plan_removal(&attached) {
                    self.stays = true;
                    let words = format!("{why}. Nothing was sent");
                    self.halt(Outcome::not_sent(Why::Impossible, words));
                    return self.next();
                }
            }
            Some(_) => {}
        }
        // Without this answer nothing can be deleted: no suite is removed for a deletion that cannot follow.
        if self.is_empty == Some(false) && !self.check_answers {
            return Do::Step(Step::CheckEmpty(run));
        }
        if self.goes.is_none() {
            return Do::Ask;
        }
        if self.copy.is_none() {
            let mut suites = self.taken_out.clone();
            suites.extend(attached.sure().map(Named::pair));
            let known = attached.words();
            let known = match self.taken_out.len() {
                0 => known,
                taken => format!("{known}, and {taken} removed before the deletion"),
            };
            return Do::Step(Step::SaveCopy(Box::new(Copied {
                run,
                row: self.run.row(),
                suites: suites.into_iter().collect(),
                known,
            })));
        }
        if let (Some(change), None) = (&mut self.removal, &self.removed) {
            return change.next();
        }
        Do::Step(Step::Delete(Box::new(self.plan().1)))
    }

    fn take(&mut self, report: StepResult) {
        match report {
            StepResult::Attached(Ok(mut attached)) => {
                if let Some(mut row) = attached.row.take() {
                    // A list that is behind does not know of it yet.
                    row.edited_on = row.edited_on.max(self.run.edited_on);
                    self.run = Arc::new(Run::new(&row, attached.at));
                }
                self.check_answers |= attached.empty.is_some();
                self.attached = Some(attached);
            }
            StepResult::Copied(Ok(copy)) => self.copy = Some(copy),
            StepResult::Moved(outcome) => {
                if let Some(document) = &outcome.document {
                    // The next try is of what the user was told of.
                    let known = self.run.row();
                    let row = RunRow {
                        results: known.results,
                        suite_count: known.suite_count,
                        ..RunRow::from_document(document)
                    };
                    self.run = Arc::new(Run::new(&row, now()));
                }
                self.halt(outcome);
            }
            StepResult::Count(Some(row))
                if let Some(now) = row.suite_count.filter(|now| self.is_more_than_read(*now)) =>
            {
                let words = format!(
                    "it has {} by now, more than were read: nothing was sent",
                    count(now, "suite")
                );
                self.halt(Outcome::not_sent(Why::Moved, words));
            }
            // The suites that are known say more.
            StepResult::Empty(Ok(_)) if self.removed.is_none() && self.is_empty == Some(false) => {
                self.check_answers = true;
            }
            StepResult::Empty(Ok(is_empty)) => {
                self.check_answers = true;
                self.is_empty = Some(is_empty);
                let Some(removed) = self.removed.as_mut() else {
                    return;
                };
                if is_empty && removed.seen == ReadBack::Unread {
                    // The run is empty: all suites are removed.
                    for part in &mut removed.parts {
                        part.end = End::Done;
                    }
                    (removed.end, removed.seen) = (End::Done, ReadBack::AsSent);
                } else if !is_empty {
                    let words = format!(
                        "the service says that it is not empty; the removal of its suites: {}",
                        removed.why
                    );
                    self.halt(Outcome::refused(words));
                }
            }
            StepResult::Attached(Err(failure))
            | StepResult::Copied(Err(failure))
            | StepResult::Empty(Err(failure)) => self.failed(&failure),
            report => match (&mut self.removal, report) {
                (Some(change), report) if self.removed.is_none() => {
                    change.take(report);
                    self.end_removal();
                }
                (_, StepResult::Written(outcome)) => self.halt(outcome),
                _ => {}
            },
        }
    }

    fn answer(&mut self, yes: bool) {
        self.goes = Some(yes);
    }

    fn stop(&mut self, why: Why, words: &str) {
        if let (Some(change), Some(_)) = (&mut self.removal, &self.copy) {
            change.stop(why, words);
        }
        self.end_removal();
        let removes = self.removal.is_some() && self.copy.is_some() && self.removed.is_none();
        if !removes && self.outcome.is_none() {
            self.halt(Outcome::not_sent(why, words));
        }
    }
}

/// True if the service or the survey shows suites in the run; otherwise `CHECK_TEST_RUN_EMPTY` decides.
fn surely_holds(attached: &Attached) -> bool {
    let counted = attached.count.is_some_and(|count| count > 0) || attached.sure().next().is_some();
    match attached.empty {
        Some(is_empty) => !is_empty,
        None => counted,
    }
}

/// Result of `GET_DOCUMENT` for a run that should be gone.
pub(super) enum DocumentReading {
    There,
    /// An error whose code means "not found", or an error twice in a row while the list did not show the run.
    Gone(String),
    /// An error of the service, in words; the meaning of its code is not documented.
    Refused(String),
    Unread(String),
}

/// Result of the list of runs for the same run.
pub(super) enum ListReading {
    There,
    Absent,
    /// The list could not be asked; the reason in words.
    Unsure(String),
}

/// Returns the outcome by the answer and both readings.
pub(super) fn judge(
    answer: Result<bool, Unsure>,
    read: &DocumentReading,
    listed: &ListReading,
) -> Outcome {
    use DocumentReading as Read;
    use ListReading as Listed;
    let seen = seen(read, listed);
    let there = matches!(read, Read::There) && !matches!(listed, Listed::Absent);
    let unclear = |answer: &str, what: &str| {
        Outcome::unknown(format!(
            "{answer}; whether it is {what} could not be found out: {seen}"
        ))
    };
    match (answer, read, listed) {
        (Ok(true), Read::There, _) | (Ok(true), _, Listed::There) => {
            Outcome::contradicted(format!("the service answered true, but: {seen}"))
        }
        (Ok(true), Read::Gone(_), _) => Outcome::done(seen),
        (Ok(true), _, _) => unclear("the service answered true", "gone"),
        (Ok(false), Read::Gone(_), Listed::Absent) => {
            Outcome::contradicted(format!("the service answered false, yet: {seen}"))
        }
        (Ok(false), _, _) if there => Outcome::without_effect(format!(
            "the service answered false: nothing was deleted; {seen}"
        )),
        (Ok(false), _, _) => unclear("the service answered false", "there"),
        (Err(unsure), Read::Gone(_), Listed::Absent) => {
            let by_reading = unsure.by_reading();
            Outcome::done(format!("{by_reading}; {seen}")).with_by_reading(Some(by_reading))
        }
        (Err(unsure), _, _) if there => unsure.without_effect(&seen),
        (Err(unsure), _, _) => unclear(&unsure.why, "gone"),
    }
}

/// Returns the last readings in words.
fn seen(read: &DocumentReading, listed: &ListReading) -> String {
    let read = match read {
        DocumentReading::There => "the run can still be read",
        DocumentReading::Gone(words) => words,
        DocumentReading::Refused(why) | DocumentReading::Unread(why) => {
            &format!("the run could not be read ({why})")
        }
    };
    let listed = match listed {
        ListReading::There => "the list shows it",
        ListReading::Absent => "the list does not show it",
        ListReading::Unsure(why) => why,
    };
    format!("{read}, {listed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list that could not be read decides nothing: a lost answer stays unclear, a clear answer stands.
    #[test]
    fn answer_document_and_list_together_decide_whether_a_run_is_gone() {
        let gone = || DocumentReading::Gone("gone".into());
        let there = || DocumentReading::There;
        let unread = || DocumentReading::Unread("no connection".into());
        let refused = || DocumentReading::Refused("error -1".into());
        let unasked = || ListReading::Unsure("no connection".into());
        let unsure = |denied| {
            let why = "no answer".into();
            let refused = String::new();
            Err(Unsure {
                denied,
                why,
                refused,
            })
        };
        let (lost, denied) = (|| unsure(false), || unsure(true));
        for (answer, read, listed, end) in [
            (Ok(true), gone(), ListReading::Absent, End::Done),
            (Ok(true), gone(), unasked(), End::Done),
            (Ok(true), gone(), ListReading::There, End::Unknown),
            (Ok(true), there(), ListReading::Absent, End::Unknown),
            (Ok(true), unread(), ListReading::Absent, End::Unknown),
            (Ok(true), refused(), ListReading::Absent, End::Unknown),
            (lost(), gone(), ListReading::Absent, End::Done),
            (lost(), gone(), unasked(), End::Unknown),
            (lost(), gone(), ListReading::There, End::Unknown),
            (lost(), there(), ListReading::There, End::Unknown),
            (denied(), gone(), ListReading::Absent, End::Done),
            (denied(), there(), ListReading::There, End::Refused),
            (denied(), there(), unasked(), End::Refused),
            (denied(), there(), ListReading::Absent, End::Unknown),
            (denied(), unread(), ListReading::There, End::Unknown),
            (Ok(false), gone(), ListReading::Absent, End::Unknown),
            (Ok(false), there(), ListReading::There, End::Refused),
            (Ok(false), unread(), ListReading::There, End::Unknown),
        ] {
            let words = format!("{:?}: {}", answer.is_ok(), seen(&read, &listed));
            assert_eq!(judge(answer, &read, &listed).end, end, "{words}");
        }
    }
}
