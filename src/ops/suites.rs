//! Adds suites to a run and removes them: sends request by request, then reads.

use super::Unsure;
use super::prelude::*;
use crate::disk::RECORDED_BEFORE;
use crate::domain::{ChunkResult, ItemOutcome, ReadBack, ResultCode, ResultCounts};

/// A change of the suites of a run. After a failed request no further one is sent; after one whose answer was lost only
/// once readings show it in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangingSuites {
    sent: Sent,
    /// One line per request.
    pub steps: Vec<ChunkResult>,
    counted: bool,
    /// The reason if nothing further is sent.
    stopped: Option<Outcome>,
    outcome: Option<Outcome>,
}

/// The part of a change that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    pub change: Arc<SuiteChange>,
    /// Number of suites in the run before, if known.
    pub before: Option<i64>,
    /// Number of suites, from the first on, that the service or a reading has confirmed.
    pub answered: usize,
    /// Number of suites after these whose request has no clear answer.
    pub open: usize,
    /// Reason for that.
    pub unsure: Option<Unsure>,
    /// The same of requests before, whose suites a reading showed in effect.
    pub made_up: Vec<(WriteId, Unsure)>,
    /// Names of the requests in the journal.
    pub writes: Vec<WriteId>,
}

impl ChangingSuites {
    pub fn new(change: SuiteChange) -> Self {
        let sent = Sent {
            change: Arc::new(change),
            before: None,
            answered: 0,
            open: 0,
            unsure: None,
            made_up: Vec::new(),
            writes: Vec::new(),
        };
        Self {
            sent,
            steps: Vec::new(),
            counted: false,
            stopped: None,
            outcome: None,
        }
    }

    pub fn plan(&self) -> &SuiteChange {
        &self.sent.change
    }

    /// Number of suites in the next request.
    fn chunk(&self) -> usize {
        self.sent.change.chunk(self.sent.answered).len()
    }

    /// Adds a line: `request 2 of 3, 20 suites: done`.
    fn tell(&mut self, good: bool, words: &str) {
        let number = self.sent.answered / SuiteChange::CHUNK + 1;
        let all = self.sent.change.requests().len();
        let suites = count(self.chunk(), "suite");
        let words = format!("request {number} of {all}, {suites}: {words}");
        self.steps.push(ChunkResult { words, good });
    }

    /// Takes the run as it is just before the first request. Results that came since the question would go with the suites.
    fn count(&mut self, row: Option<&RunRow>) {
        self.counted = true;
        self.sent.before = row.and_then(|row| row.suite_count);
        let Some(now) = row.and_then(|row| row.results.clone()) else {
            return;
        };
        let change = Arc::make_mut(&mut self.sent.change);
        if change.adds {
            return;
        }
        let asked = change.stake.as_ref().and_then(ResultCounts::recorded);
        if let Some((asked, recorded)) = asked.zip(now.recorded())
            && recorded > asked
        {
            let words = format!(
                "it has {} by now, the question said {asked}: nothing was sent",
                count(recorded, "result")
            );
            return self.end(Outcome {
                row: row.cloned().map(Box::new),
                ..Outcome::not_sent(Why::Moved, words)
            });
        }
        change.stake = Some(now);
    }

    /// Sends nothing further, for this reason.
    fn end(&mut self, outcome: Outcome) {
        self.tell(false, &outcome.why);
        self.stopped = Some(outcome);
    }

    /// Takes the reading of what was sent. A lost answer that it makes up for is no reason to keep the rest back.
    fn read(&mut self, outcome: Outcome) {
        let is_lost = |unsure: &Unsure| !unsure.denied;
        let is_lost = self.sent.unsure.as_ref().is_some_and(is_lost);
        let is_made_up = is_lost && outcome.is_complete();
        if is_made_up {
            self.tell(true, "done, as a reading shows");
        }
        if is_made_up && !self.sent.unsent(&outcome).is_empty() {
            let sent = &mut self.sent;
            sent.answered += std::mem::take(&mut sent.open);
            let write = sent.writes.last().cloned();
            sent.made_up.extend(write.zip(sent.unsure.take()));
            self.stopped = None;
            return;
        }
        self.outcome = Some(self.sent.with_unsent(outcome, self.stopped.as_ref()));
    }

    /// True if another request is to be sent.
    pub(super) fn goes_on(&self) -> bool {
        self.stopped.is_none() && self.sent.answered < self.sent.change.suites.len()
    }
}

impl Operation for ChangingSuites {
    fn next(&mut self) -> Do {
        let sent = &self.sent;
        if let Some(outcome) = &self.outcome {
            return Do::End(outcome.clone());
        }
        if self.goes_on() {
            return Do::Step(if self.counted {
                Step::SendSuites {
                    change: sent.change.clone(),
                    from: sent.answered,
                    first: sent.writes.first().cloned(),
                }
            } else {
                Step::Count(sent.change.clone())
            });
        }
        if sent.answered + sent.open > 0 {
            return Do::Step(Step::ReadSuites(Box::new(sent.alone())));
        }
        let nothing = || Outcome::not_sent(Why::NothingToDo, "no suite was named");
        let outcome = self.stopped.clone().unwrap_or_else(nothing);
        Do::End(sent.with_parts(outcome, &HashSet::new(), End::Unknown))
    }

    fn take(&mut self, report: StepResult) {
        match report {
            StepResult::Count(row) => self.count(row.as_deref()),
            StepResult::Sent(Ok((write, None))) => {
                self.tell(true, "done");
                self.sent.answered += self.chunk();
                self.sent.writes.push(write);
            }
            StepResult::Sent(Ok((write, Some(unsure)))) => {
                let refused = if unsure.denied { "refused: " } else { "" };
                self.tell(false, &format!("{refused}{}; reading decides", unsure.why));
                self.sent.writes.push(write);
                self.sent.open = self.chunk();
                self.stopped = Some(Outcome::unknown(unsure.why.clone()));
                self.sent.unsure = Some(unsure);
            }
            StepResult::Sent(Err(outcome)) => self.end(outcome),
            StepResult::Written(outcome) => self.read(outcome),
            StepResult::Attached(_)
            | StepResult::Empty(_)
            | StepResult::Free(_)
            | StepResult::Copied(_)
            | StepResult::Moved(_) => {}
        }
    }

    fn stop(&mut self, why: Why, words: &str) {
        if self.goes_on() {
            self.end(Outcome::stopped(why, words));
        }
    }
}

impl Sent {
    /// Returns the outcome with that of each suite; `open` is the end of those whose request has no clear answer.
    fn with_parts(&self, outcome: Outcome, done: &HashSet<&DocRef>, open: End) -> Outcome {
        let end = |place: usize, suite: &DocRef| {
            if done.contains(suite) {
                End::Done
            } else if place < self.answered {
                End::Unknown
            } else if place < self.answered + self.open {
                open
            } else {
                End::NotSent(Why::Stopped)
            }
        };
        let suites = self.change.suites.iter().enumerate();
        let parts = suites.map(|(place, (suite, _))| ItemOutcome {
            of: suite.clone(),
            end: end(place, suite),
        });
        Outcome {
            parts: parts.collect(),
            ..outcome
        }
    }

    /// Returns the outcome if the list could not be read; `after` is the number of suites of the run. After an error the
    /// number of before says that nothing was done.
    pub fn unread(&self, why: &str, after: Option<i64>) -> Outcome {
        // An error has the reason, such as that the run was closed meanwhile.
        let denied = self.unsure.as_ref().filter(|unsure| unsure.denied);
        if let Some(unsure) = denied
            && self.answered == 0
            && after.is_some()
            && after == self.before
        {
            let refused = unsure.without_effect("the number of suites is as before");
            return self.with_parts(refused, &HashSet::new(), End::Refused);
        }
        let before = denied.map_or_else(String::new, |unsure| unsure.why.clone() + "; ");
        let outcome = Outcome::unknown(format!("{before}reading afterwards failed: {why}"));
        self.with_parts(outcome, &HashSet::new(), End::Unknown)
    }

    /// Returns the part that was sent, as a change of its own: readings judge nothing else.
    fn alone(&self) -> Self {
        let mut alone = self.clone();
        Arc::make_mut(&mut alone.change)
            .suites
            .truncate(self.answered + self.open);
        alone
    }

    /// The suites that were not sent: the outcome of what was sent has no part of them.
    fn unsent(&self, outcome: &Outcome) -> &[(DocRef, String)] {
        let suites = &self.change.suites;
        suites.get(outcome.parts.len()..).unwrap_or_default()
    }

    /// Returns the outcome of the part that was sent with the suites that were not, and why not.
    fn with_unsent(&self, mut outcome: Outcome, why: Option<&Outcome>) -> Outcome {
        let rest = self.unsent(&outcome);
        let Some(names) = self.change.names(|suite| rest.contains(suite)) else {
            return outcome;
        };
        let why = why.map_or("", |why| &why.why);
        // A request that was not carried out is among the rest; one without a clear answer has its own words.
        let words = match (self.open, outcome.is_complete()) {
            (0, _) => format!("{why}: {names}"),
            (_, true) => format!("{names} not sent: {why}"),
            (_, false) => format!("{names} not sent"),
        };
        outcome.why = if outcome.is_complete() {
            outcome.seen = ReadBack::Other;
            words
        } else {
            format!("{}; {words}", outcome.why.trim_end_matches('.'))
        };
        let end = End::NotSent(Why::Stopped);
        let rest = rest.iter().map(|(suite, _)| ItemOutcome {
            of: suite.clone(),
            end,
        });
        outcome.parts.extend(rest);
        outcome
    }

    /// Judges a reading: `free` are the suites not in the run, `after` is its number of suites.
    pub fn judge(&self, free: &HashSet<&DocRef>, after: Option<i64>) -> Outcome {
        let adds = self.change.adds;
        let in_effect = |from: usize, to: usize| {
            let suites = self.change.suites[from..to].iter().map(|(suite, _)| suite);
            suites.filter(move |suite| free.contains(suite) != adds)
        };
        let mut done: HashSet<&DocRef> = in_effect(0, self.answered).collect();
        let missing = self.answered - done.len();
        let open: Vec<&DocRef> = in_effect(self.answered, self.answered + self.open).collect();
        let denied = self.unsure.as_ref().is_some_and(|unsure| unsure.denied);
        let moved = |(before, after): (i64, i64)| {
            let more = after.saturating_sub(before);
            more.saturating_mul(self.sign())
        };
        let moved = self.before.zip(after).map(moved);
        // Without a clear answer the count decides; without the count an error counts as much as the list.
        let counted = moved.map_or(!denied, |moved| moved > number(self.answered));
        // After an error another count shows the changes of somebody else, who may have made these, too.
        let others =
            denied && counted && moved != Some(number(self.answered.saturating_add(open.len())));
        let counted = counted && !others;
        // A suite that can no longer be added is not free either.
        let none_open = open.is_empty() || adds && moved.is_some() && !counted && !others;
        if counted {
            done.extend(&open);
        }
        let nothing = done.is_empty();
        let odd = |what: String| {
            if nothing {
                Outcome::contradicted(what)
            } else {
                Outcome::otherwise(what)
            }
        };
        let outcome = match (moved, &self.unsure) {
            _ if missing > 0 => odd(self.not_seen(missing)),
            (_, Some(unsure)) if others && !open.is_empty() => odd(format!(
                "{}; yet {} of {} look done, and by the count somebody else changed the run, too",
                unsure.why,
                open.len(),
                self.open
            )),
            // List and count contradict each other.
            (Some(0), _) if !nothing => {
                let what = self.other_count(done.len(), after);
                done.clear();
                Outcome::contradicted(what)
            }
            (Some(moved), _) if moved != number(done.len()) => {
                odd(self.other_count(done.len(), after))
            }
            (_, Some(unsure)) if !counted && !none_open => odd(format!(
                "{}; yet {} of {} look done, and the count does not show it",
                unsure.why,
                open.len(),
                self.open
            )),
            (_, Some(unsure)) if nothing => {
                let outcome = unsure.without_effect("three readings show nothing of it");
                let why = self.taken(&open, after).unwrap_or_default() + &outcome.why;
                Outcome { why, ..outcome }
            }
            (_, Some(unsure)) if done.len() < self.change.suites.len() => {
                // One that was lost may come about yet.
                let rest = if denied && none_open {
                    "the rest not"
                } else {
                    "no effect of the rest is seen"
                };
                Outcome::otherwise(format!("{rest}: {}", unsure.why))
            }
            _ => Outcome::done(self.how(after)).with_by_reading(self.by_reading()),
        };
        // A list that shows nothing is behind, or somebody else has changed the run, where the count tells of a change.
        let open = if denied && none_open && !others {
            End::Refused
        } else {
            End::Unknown
        };
        Outcome {
            suite_count: after,
            ..self.with_parts(outcome, &done, open)
        }
    }

    /// True if nothing but the count speaks against a removal, and the count did not move: another one may have been
    /// faster.
    pub(super) fn may_be_anothers(&self, free: &HashSet<&DocRef>, after: Option<i64>) -> bool {
        let mut suites = self.change.suites.iter();
        let is_answered = self.open == 0 && self.made_up.is_empty();
        let is_still = after.is_some() && after == self.before;
        !self.change.adds && is_answered && is_still && suites.all(|(it, _)| free.contains(it))
    }

    /// Returns the end of a removal that another window has just made and checked; `after` is the number of suites of the
    /// run.
    pub(super) fn made_by_another(&self, after: Option<i64>) -> Outcome {
        let all = self.change.suites.iter().map(|(suite, _)| suite);
        let how = "free again; another window has removed the same";
        Outcome {
            suite_count: after,
            ..self.with_parts(Outcome::done(how), &all.collect(), End::Unknown)
        }
    }

    /// Names the suites that cannot be added, although none was added by this change; `after` is the number of suites of
    /// the run.
    fn taken(&self, open: &[&DocRef], after: Option<i64>) -> Option<String> {
        let is_open = |(suite, _): &&(DocRef, String)| open.contains(&suite);
        let names = self.change.names(is_open).filter(|_| self.change.adds)?;
        let why = match after {
            Some(0) => "not offered to this run",
            _ => "can be added no more, perhaps added by somebody else",
        };
        Some(format!("{names} {why}; "))
    }

    /// Effect of each suite on the count.
    fn sign(&self) -> i64 {
        if self.change.adds { 1 } else { -1 }
    }

    /// Describes confirmed suites that the list does not show in effect.
    fn not_seen(&self, missing: usize) -> String {
        let answered = self.answered;
        if self.change.adds {
            let said = if self.made_up.is_empty() {
                "the service said"
            } else {
                "the service said or a reading showed that"
            };
            format!("{missing} of {answered} are still free, although {said} they were added")
        } else {
            format!("no effect seen for {missing} of {answered}: not free again")
        }
    }

    /// Describes a count that differs from the expected one.
    fn other_count(&self, done: usize, after: Option<i64>) -> String {
        let (before, after) = (self.before.unwrap_or(0), after.unwrap_or(0));
        let expected = before.saturating_add(self.sign() * number(done)).max(0);
        let before = count(usize::try_from(before).unwrap_or(0), "suite");
        format!(
            "the run had {before} and has {after}, expected {expected}; somebody else may have changed it too"
        )
    }

    /// Describes for the journal how the effect is known.
    fn how(&self, after: Option<i64>) -> String {
        let count = match (self.before, after) {
            (Some(before), Some(after)) => format!("the count went from {before} to {after}"),
            _ => "the count is not known".into(),
        };
        let by = self.by_reading();
        let by = by.map_or_else(String::new, |by| format!(", {by}"));
        format!("{}, {count}{by}", seen(self.change.adds))
    }

    /// Describes how the effect is known if a request had no clear answer.
    fn by_reading(&self) -> Option<&'static str> {
        let made_up = self.made_up.last().map(|(_, unsure)| unsure);
        self.unsure.as_ref().or(made_up).map(Unsure::by_reading)
    }

    /// Describes the same of one request.
    pub(super) fn by_reading_of(&self, write: &WriteId) -> Option<&'static str> {
        let mut made_up = self.made_up.iter();
        let made_up = made_up.find(|(made_up, _)| made_up == write);
        let is_open = self.open > 0 && self.writes.last() == Some(write);
        let unsure = self.unsure.as_ref().filter(|_| is_open);
        let unsure = unsure.or(made_up.map(|(_, unsure)| unsure));
        unsure.map(Unsure::by_reading)
    }
}

fn number(suites: usize) -> i64 {
    i64::try_from(suites).unwrap_or(i64::MAX)
}

/// Describes how the list of suites to add shows a suite whose change is in effect.
pub(super) fn seen(added: bool) -> &'static str {
    if added {
        "not free any more"
    } else {
        "free again"
    }
}

/// Returns the notes of a request for the journal: names of its suites, results at stake, and the first request of a
/// change of several, so that all can be undone together. The first request keeps the suites to be sent after it, so
/// that an interrupted change can be resumed.
pub(super) fn kept(
    change: &SuiteChange,
    chunk: &[(DocRef, String)],
    rest: &[(DocRef, String)],
    first: Option<&WriteId>,
) -> [(&'static str, Option<Value>); 6] {
    let recorded = change.stake.as_ref().and_then(ResultCounts::recorded);
    let stake = change.stake.as_ref().map(|counts| {
        let counts = ResultCode::ALL
            .iter()
            .map(|code| (code.label().to_owned(), json!(counts.get(*code))));
        Value::Object(counts.collect())
    });
    let names: Vec<&str> = chunk.iter().map(|(_, name)| name.as_str()).collect();
    [
        ("results before", stake),
        (RECORDED_BEFORE, recorded.map(|cases| json!(cases))),
        ("suites", Some(json!(names))),
        ("part of", first.map(|write| json!(write.as_str()))),
        ("rest", pairs(rest).filter(|_| first.is_none())),
        (
            "then deletes the run",
            change.then_deletes.then_some(Value::Bool(true)),
        ),
    ]
}

/// Returns suites as pairs of reference and name for the journal, `None` if there are none.
pub(super) fn pairs(suites: &[(DocRef, String)]) -> Option<Value> {
    let pairs = suites.iter().map(|(suite, name)| json!([suite, name]));
    (!suites.is_empty()).then(|| pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(number: usize) -> DocRef {
        DocRef::parse(&format!("TestSuite-dm/{number}")).unwrap()
    }

    fn change(adds: bool, suites: usize) -> SuiteChange {
        SuiteChange {
            run: DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap(),
            run_name: "R_4".into(),
            run_id: None,
            adds,
            suites: (0..suites).map(|at| (suite(at), String::new())).collect(),
            stake: None,
            undo_of: None,
            then_deletes: false,
            goes_on: None,
        }
    }

    /// The end of a change of three suites and of each suite: by the number of good answers, the next answer
    /// (`denied`), the suites that look done, and the count before and after.
    fn judged(
        adds: bool,
        answered: usize,
        denied: Option<bool>,
        done: &[usize],
        counts: Option<(i64, i64)>,
    ) -> (End, [End; 3], String) {
        let sent = Sent {
            change: Arc::new(change(adds, 3)),
            before: counts.map(|(before, _)| before),
            answered,
            open: if denied.is_some() { 3 - answered } else { 0 },
            unsure: denied.map(|denied| Unsure {
                denied,
                why: "no".into(),
                refused: String::new(),
            }),
            made_up: Vec::new(),
            writes: Vec::new(),
        };
        let free = (0..3).filter(|at| done.contains(at) != adds).map(suite);
        let free: Vec<DocRef> = free.collect();
        let outcome = sent.judge(&free.iter().collect(), counts.map(|(_, after)| after));
        let ends: Vec<End> = outcome.parts.iter().map(|part| part.end).collect();
        (outcome.end, ends.try_into().unwrap(), outcome.why)
    }

    #[test]
    fn list_and_count_together_decide_what_an_answer_does_not() {
        use End::{Done as D, Refused as R, Unknown as U};
        let (error, lost) = (Some(true), Some(false));
        for adds in [true, false] {
            let count = |moved: i64| Some((10, if adds { 10 + moved } else { 10 - moved }));
            for (answered, denied, done, counts, expected) in [
                (3, None, &[0, 1, 2][..], count(3), (D, [D, D, D])),
                (3, None, &[0, 1, 2], None, (D, [D, D, D])),
                // The count contradicts the list.
                (3, None, &[0, 1, 2], count(0), (U, [U, U, U])),
                (3, None, &[0, 1], count(2), (D, [D, D, U])),
                (3, None, &[], count(0), (U, [U, U, U])),
                // Another user adds one.
                (3, None, &[0, 1, 2], count(4), (D, [D, D, D])),
                (0, error, &[], count(0), (R, [R, R, R])),
                (0, lost, &[], count(0), (U, [U, U, U])),
                (0, error, &[0, 1, 2], count(3), (D, [D, D, D])),
                (0, lost, &[0, 1, 2], count(3), (D, [D, D, D])),
                (0, lost, &[0, 1, 2], None, (D, [D, D, D])),
                (0, error, &[0, 1, 2], None, (U, [U, U, U])),
                // Somebody else changed these, or others, too: an error and such a count prove nothing.
                (0, error, &[0, 1, 2], count(45), (U, [U, U, U])),
                (0, error, &[0, 1, 2], count(2), (U, [U, U, U])),
                (1, error, &[0, 1, 2], count(5), (D, [D, U, U])),
                (0, lost, &[0, 1, 2], count(4), (D, [D, D, D])),
                (1, error, &[0], count(1), (D, [D, R, R])),
                // A list that is behind, by the count.
                (0, error, &[], count(3), (U, [U, U, U])),
                (1, error, &[0], count(3), (D, [D, U, U])),
                (1, lost, &[0], count(1), (D, [D, U, U])),
            ] {
                let (end, parts, why) = judged(adds, answered, denied, done, counts);
                if counts == Some((10, 10)) && done.len() == 3 {
                    let expected = if adds { "expected 13" } else { "expected 7" };
                    assert!(why.contains(expected), "{why}");
                }
                if answered == 3 && done.is_empty() {
                    assert_eq!(why.contains("are still free"), adds, "{why}");
                }
                assert_eq!(
                    (end, parts),
                    expected,
                    "{adds} {answered} {denied:?} {done:?} {counts:?}"
                );
            }
        }
        // A suite that is not free any more may be deleted; a suite that is free again was in the run.
        let looks_done = |adds| {
            let (end, parts, _) = judged(adds, 0, error, &[0], Some((10, 10)));
            (end, parts)
        };
        assert_eq!(looks_done(true), (R, [R, R, R]));
        assert_eq!(looks_done(false), (U, [U, U, U]));
    }

    #[test]
    fn of_a_lost_answer_that_a_reading_made_up_for_nobody_says_that_it_came() {
        let mut changing = ChangingSuites::new(change(true, 21));
        let before = RunRow {
            suite_count: Some(0),
            ..RunRow::unknown(changing.plan().run.clone())
        };
        changing.take(StepResult::Count(Some(Box::new(before))));
        let lost = Unsure {
            denied: false,
            why: "no answer".into(),
            refused: String::new(),
        };
        let read = |changing: &mut ChangingSuites, free: &[DocRef], after| {
            let Do::Step(Step::ReadSuites(sent)) = changing.next() else {
                panic!("{changing:?}")
            };
            let outcome = sent.judge(&free.iter().collect(), Some(after));
            changing.take(StepResult::Written(outcome));
        };
        changing.take(StepResult::Sent(Ok((WriteId::new(1), Some(lost)))));
        read(&mut changing, &[], 20);
        changing.take(StepResult::Sent(Ok((WriteId::new(2), None))));
        for (free, after, words) in [
            (
                &[][..],
                21,
                "from 0 to 21, by reading: no clear answer came",
            ),
            (
                &[suite(0)],
                20,
                "1 of 21 are still free, although the service said or a reading showed that they were added",
            ),
        ] {
            let mut changing = changing.clone();
            read(&mut changing, free, after);
            match changing.next() {
                Do::End(outcome) => assert!(outcome.why.ends_with(words), "{outcome:?}"),
                next => panic!("{next:?}"),
            }
        }
    }
}
