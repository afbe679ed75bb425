//! Adding suites to a run and removing them: request by request, then read.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Do, Operation, Report, Step};
use crate::disk::WriteId;
use crate::domain::{ChunkResult, DocRef, End, Outcome, Part, ResultCode, SuiteChange};

/// A change of the suites of a run. A request that fails keeps the rest from being sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    sent: Sent,
    /// One line for each request.
    pub steps: Vec<ChunkResult>,
    counted: bool,
    /// Nothing further is sent, for this reason.
    over: Option<Outcome>,
    outcome: Option<Outcome>,
}

/// How far a change was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    pub change: Arc<SuiteChange>,
    /// Number of suites in the run before, where it is known.
    pub before: Option<i64>,
    /// Suites that the service answered for, from the first on.
    pub answered: usize,
    /// Suites after these whose answer was lost.
    pub lost: usize,
    /// The requests in the journal.
    pub writes: Vec<WriteId>,
    /// Why the rest was not sent.
    pub rest: Option<String>,
}

/// What came back of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its name in the journal; nothing where it was not sent.
    pub write: Option<WriteId>,
    /// Why it did not go well.
    pub failed: Option<String>,
    /// Whether the service acted on it is not known.
    pub lost: bool,
}

impl Change {
    pub fn new(change: SuiteChange) -> Self {
        let sent = Sent {
            change: Arc::new(change),
            before: None,
            answered: 0,
            lost: 0,
            writes: Vec::new(),
            rest: None,
        };
        Self {
            sent,
            steps: Vec::new(),
            counted: false,
            over: None,
            outcome: None,
        }
    }

    pub fn plan(&self) -> &SuiteChange {
        &self.sent.change
    }

    /// `request 2 of 3, 20 suites`.
    fn which(&self) -> String {
        let all = &self.sent.change;
        let chunk = (all.suites.len() - self.sent.answered).min(SuiteChange::CHUNK);
        let suites = if chunk == 1 { "suite" } else { "suites" };
        format!(
            "request {} of {}, {chunk} {suites}",
            self.sent.answered / SuiteChange::CHUNK + 1,
            all.requests()
        )
    }

    fn tell(&mut self, good: bool, words: &str) {
        let words = format!("{}: {words}", self.which());
        self.steps.push(ChunkResult { words, good });
    }
}

impl Operation for Change {
    fn next(&mut self) -> Do {
        let sent = &self.sent;
        if let Some(outcome) = &self.outcome {
            return Do::End(outcome.clone());
        }
        if self.over.is_none() && sent.answered < sent.change.suites.len() {
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
        if sent.answered + sent.lost > 0 {
            return Do::Step(Step::ReadSuites(Box::new(sent.clone())));
        }
        let nothing = || Outcome::not_sent("no suite was named");
        let outcome = self.over.clone().unwrap_or_else(nothing);
        Do::End(sent.with_parts(outcome, &HashSet::new()))
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Count(before) => (self.sent.before, self.counted) = (before, true),
            Report::Sent(Answer {
                write,
                failed,
                lost,
            }) => {
                let chunk =
                    (self.sent.change.suites.len() - self.sent.answered).min(SuiteChange::CHUNK);
                match failed {
                    None => self.tell(true, "done"),
                    Some(why) => {
                        self.tell(false, &why);
                        self.sent.rest = Some(why.clone());
                        self.over = Some(if write.is_none() {
                            Outcome::not_sent(why)
                        } else {
                            Outcome::refused(why)
                        });
                    }
                }
                if self.over.is_none() {
                    self.sent.answered += chunk;
                    self.sent.writes.extend(write);
                } else if lost {
                    self.sent.lost = chunk;
                    self.sent.writes.extend(write);
                }
            }
            Report::Written(outcome) => self.outcome = Some(outcome),
            Report::Attached(_) | Report::Empty(_) | Report::Copied(_) => {}
        }
    }

    fn stop(&mut self, why: &str) {
        if self.over.is_none() && self.sent.answered < self.sent.change.suites.len() {
            let why = format!("not sent, {why}");
            self.tell(false, &why);
            self.sent.rest = Some(why.clone());
            self.over = Some(Outcome::not_sent(why));
        }
    }
}

impl Sent {
    fn of(&self, from: usize, len: usize) -> impl Iterator<Item = &DocRef> {
        let suites = self.change.suites.iter().skip(from).take(len);
        suites.map(|(suite, _)| suite)
    }

    /// The end with that of each suite; `free` are those that the service showed as not in the run.
    fn with_parts(&self, outcome: Outcome, done: &HashSet<&DocRef>) -> Outcome {
        let end = |place: usize, suite: &DocRef| {
            if done.contains(suite) {
                End::Done
            } else if place < self.answered + self.lost {
                End::Unknown
            } else {
                End::NotSent
            }
        };
        let suites = self.change.suites.iter().enumerate();
        let parts = suites.map(|(place, (suite, _))| Part {
            of: suite.clone(),
            end: end(place, suite),
        });
        Outcome {
            parts: parts.collect(),
            ..outcome
        }
    }

    /// Where nothing could be read.
    pub fn unread(&self, why: &str) -> Outcome {
        let outcome = Outcome::unknown(format!("reading afterwards failed: {why}"));
        self.with_parts(outcome, &HashSet::new())
    }

    /// What a reading says: the suites that are not in the run, and how many are.
    pub fn judge(&self, free: &HashSet<DocRef>, after: Option<i64>) -> Outcome {
        let change = &self.change;
        let in_effect = |suite: &&DocRef| free.contains(*suite) != change.adds;
        let answered: Vec<&DocRef> = self.of(0, self.answered).filter(in_effect).collect();
        let lost: Vec<&DocRef> = self
            .of(self.answered, self.lost)
            .filter(in_effect)
            .collect();
        let done: HashSet<&DocRef> = answered.iter().chain(&lost).copied().collect();
        let outcome = match self.differs(answered.len(), lost.len(), after) {
            None => Outcome::done(self.how(after)),
            Some(what) if done.is_empty() => Outcome::contradicted(what),
            Some(what) => Outcome::otherwise(what),
        };
        self.with_parts(outcome, &done)
    }

    /// In what a reading differs from what was asked for.
    fn differs(&self, answered: usize, lost: usize, after: Option<i64>) -> Option<String> {
        let change = &self.change;
        let missing = self.answered - answered;
        if missing > 0 {
            return Some(if change.adds {
                format!(
                    "{missing} of {} are still free, although the service said they were added",
                    self.answered
                )
            } else {
                format!(
                    "no effect seen for {missing} of {}: not free again",
                    self.answered
                )
            });
        }
        if let (Some(before), Some(after)) = (self.before, after) {
            let changed = i64::try_from(answered + lost).unwrap_or(i64::MAX);
            let expected = if change.adds {
                before + changed
            } else {
                before - changed
            };
            let none = if after == before {
                "no effect seen: "
            } else {
                ""
            };
            if after != expected {
                return Some(format!(
                    "{none}the run had {before} suites and has {after}, expected {expected}; somebody else may have changed it too"
                ));
            }
        }
        let (some, all) = (answered + lost, change.suites.len());
        (some < all).then(|| match (&self.rest, self.lost) {
            (_, 1..) => {
                let verb = if change.adds { "added" } else { "removed" };
                format!(
                    "of the {} whose answer was lost, {lost} are {verb}",
                    self.lost
                )
            }
            (Some(why), 0) => format!("the rest not: {why}"),
            (None, 0) => "the rest not".into(),
        })
    }

    /// How it is known that all is in effect, for the journal.
    fn how(&self, after: Option<i64>) -> String {
        let seen = if self.change.adds {
            "not free any more"
        } else {
            "free again"
        };
        let count = match (self.before, after) {
            (Some(before), Some(after)) => format!(", the count went from {before} to {after}"),
            _ => ", the count is not known".into(),
        };
        let by = if self.lost == 0 {
            ""
        } else {
            ", by reading: an answer was lost"
        };
        format!("{seen}{count}{by}")
    }
}

/// What the journal keeps of a request: the names of its suites, the results at stake, and the first request where a
/// change takes several, so that they can be taken back together.
pub(super) fn kept(
    change: &SuiteChange,
    chunk: &[(DocRef, String)],
    first: Option<&WriteId>,
) -> [(&'static str, Option<Value>); 3] {
    let stake = change.stake.as_ref().map(|counts| {
        let counts = ResultCode::ALL
            .iter()
            .map(|code| (code.label().to_owned(), json!(counts.get(*code))));
        Value::Object(counts.collect())
    });
    let names: Vec<&str> = chunk.iter().map(|(_, name)| name.as_str()).collect();
    [
        ("results before", stake),
        ("suites", Some(json!(names))),
        ("part of", first.map(|write| json!(write.as_str()))),
    ]
}
