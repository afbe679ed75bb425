//! Creates runs one after the other, each with its suites.

use super::ChangingSuites;
use super::prelude::*;
use crate::domain::{ChunkResult, Created, ItemOutcome, ReadBack, text};

/// Creation of runs. After the first that fails no further run is sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creating {
    create: Arc<Create>,
    /// The run just created, while its suites are added.
    adding: Option<(Outcome, ChangingSuites)>,
    /// True until it was read which suites of a copy can still be added: one that cannot makes the service refuse all.
    is_unread: bool,
    /// The suites of the copy that cannot be added any more.
    gone: Vec<(DocRef, String)>,
    /// The end of the runs that are no longer sent.
    stopped: Option<Outcome>,
    /// Outcome of each run so far.
    pub ended: Vec<Created>,
    /// One line per request of suites so far.
    pub steps: Vec<ChunkResult>,
}

impl Creating {
    pub fn new(create: Create) -> Self {
        Self {
            create: Arc::new(create),
            ..Self::default()
        }
    }

    pub fn plan(&self) -> &Create {
        &self.create
    }

    /// Returns the outcome of the newest run, whether or not its suites are added yet.
    pub fn newest(&self) -> Option<&Outcome> {
        let adding = self.adding.as_ref().map(|(run, _)| run);
        adding.or_else(|| self.ended.last().map(|created| &created.run))
    }

    /// Returns the change that adds the suites to a new run.
    fn adding_to(&self, run: &Document) -> ChangingSuites {
        let row = RunRow::from_document(run);
        ChangingSuites::new(SuiteChange {
            undo_of: self.create.undo_of.clone(),
            ..SuiteChange::of(&row, true, self.create.suites.clone())
        })
    }

    /// Advances the change of suites and appends its new lines to `steps`.
    fn add(&mut self, go_on: impl FnOnce(&mut ChangingSuites)) {
        if let Some((_, change)) = &mut self.adding {
            let reported = change.steps.len();
            go_on(change);
            let mut new: Vec<_> = change.steps.iter().skip(reported).cloned().collect();
            // Of several runs each is named by its number, as in the review.
            if self.create.runs.len() > 1 {
                for step in &mut new {
                    step.words = format!("{}. {}", self.ended.len() + 1, step.words);
                }
            }
            self.steps.extend(new);
        }
    }

    /// Leaves out what cannot be added any more. A list without any of the suites tells nothing: it may be one of before.
    fn leave_out(&mut self, free: &HashSet<DocRef>) {
        self.is_unread = false;
        let all = self.create.suites.iter().cloned();
        let (suites, gone): (Vec<_>, Vec<_>) = all.partition(|(suite, _)| free.contains(suite));
        if let Some((_, change)) = self.adding.as_mut().filter(|_| !suites.is_empty()) {
            let plan = SuiteChange {
                suites,
                ..change.plan().clone()
            };
            *change = ChangingSuites::new(plan);
            self.gone = gone;
        }
    }

    /// Tells of the suites that were left out.
    fn with_gone(&self, mut suites: Outcome) -> Outcome {
        if self.gone.is_empty() {
            return suites;
        }
        let names: Vec<&str> = self.gone.iter().map(|(_, name)| name.as_str()).collect();
        let words = format!("{} cannot be added any more", text::few(&names));
        if suites.is_complete() {
            suites.seen = ReadBack::Other;
            suites.why = words;
        } else {
            suites.why = format!("{}; {words}", suites.why.trim_end_matches('.'));
        }
        let gone = self.gone.iter().map(|(suite, _)| ItemOutcome {
            of: suite.clone(),
            end: End::NotSent(Why::Impossible),
        });
        suites.parts.extend(gone);
        suites
    }

    fn end(&mut self, run: Outcome, suites: Option<Outcome>) {
        let suites = suites.map(|suites| self.with_gone(suites));
        let created = Created { run, suites };
        let is_complete = created.is_complete();
        self.ended.push(created);
        if !is_complete {
            let (number, all) = (self.ended.len(), self.create.runs.len());
            let words = format!("because run {number} of {all} went wrong");
            self.stop(Why::Stopped, &words);
        }
    }
}

impl Operation for Creating {
    fn next(&mut self) -> Do {
        if let Some((run, mut change)) = self.adding.take() {
            if self.is_unread && change.goes_on() {
                let free = Step::Free(change.plan().run.clone());
                self.adding = Some((run, change));
                return Do::Step(free);
            }
            match change.next() {
                Do::End(suites) => self.end(run, Some(suites)),
                step => {
                    self.adding = Some((run, change));
                    return step;
                }
            }
        }
        if let Some(run) = self.stopped.clone() {
            let not_sent = Created { run, suites: None };
            self.ended.resize(self.create.runs.len(), not_sent);
        }
        let place = self.ended.len();
        if place < self.create.runs.len() {
            let create = self.create.clone();
            Do::Step(Step::Create { create, place })
        } else {
            Do::End(of_many(&self.ended))
        }
    }

    fn take(&mut self, report: StepResult) {
        match (report, &mut self.adding) {
            (StepResult::Written(outcome), None) => match &outcome.document {
                Some(document) if outcome.end == End::Done && !self.create.suites.is_empty() => {
                    let is_as_asked = outcome.is_complete();
                    self.adding = Some((outcome.clone(), self.adding_to(document)));
                    self.is_unread = self.create.undo_of.is_some();
                    if !is_as_asked {
                        let words = "because the run is not as asked for";
                        self.add(|change| change.stop(Why::Stopped, words));
                    }
                }
                _ => self.end(outcome, None),
            },
            (StepResult::Free(free), Some(_)) => self.leave_out(&free.unwrap_or_default()),
            (report, Some(_)) => self.add(|change| change.take(report)),
            (_, None) => {}
        }
    }

    fn stop(&mut self, why: Why, words: &str) {
        self.add(|change| change.stop(why, words));
        let not_sent = || Outcome::stopped(why, words);
        self.stopped.get_or_insert_with(not_sent);
    }
}

/// Returns the outcome of all runs together: unknown if one of them is, else done; each run has its own outcome.
fn of_many(ended: &[Created]) -> Outcome {
    let each = || {
        ended
            .iter()
            .flat_map(|created| std::iter::once(&created.run).chain(&created.suites))
    };
    let unknown = each().find(|outcome| outcome.end == End::Unknown).cloned();
    Outcome {
        parts: each().flat_map(|outcome| outcome.parts.clone()).collect(),
        ..unknown.unwrap_or_else(|| Outcome::done(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Deed, NewRun};

    /// They may not fit it, and that is not for the program to say.
    #[test]
    fn the_suites_of_a_run_that_is_not_as_asked_are_told_as_not_sent() {
        let suites =
            ["TestSuite-dm/7", "TestSuite-dm/8"].map(|suite| DocRef::parse(suite).unwrap());
        let mut creating = Creating::new(Create {
            runs: vec![NewRun::default(), NewRun::default()],
            suites: suites
                .iter()
                .map(|suite| (suite.clone(), suite.to_string()))
                .collect(),
            ..Create::default()
        });
        assert!(matches!(
            creating.next(),
            Do::Step(Step::Create { place: 0, .. })
        ));
        let run = serde_json::json!({"docRef": "TestRun-dm/1", "document": {}});
        let run = Document::from_value(run).unwrap();
        let made = Outcome::otherwise("Title differs").with_document(run);
        creating.take(StepResult::Written(made));
        assert!(matches!(creating.next(), Do::End(_)));
        let [
            Created {
                suites: Some(told), ..
            },
            Created { suites: None, .. },
        ] = &creating.ended[..]
        else {
            panic!("{:?}", creating.ended);
        };
        assert_eq!(told.end, End::NotSent(Why::Stopped));
        assert_eq!(told.other_parts(), suites);
        let step = "1. request 1 of 1, 2 suites: not sent, because the run is not as asked for";
        assert_eq!(creating.steps[0].words, step);
        assert_eq!(
            told.words(Deed::Add(2, "R_1")),
            "Nothing added to R_1: not sent, because the run is not as asked for"
        );
    }

    #[test]
    fn what_is_not_known_of_a_run_or_of_one_of_its_suites_is_open() {
        let part = |number: u32, end| ItemOutcome {
            of: DocRef::parse(&format!("TestSuite-dm/{number}")).unwrap(),
            end,
        };
        let made = |run: Outcome, suites: Option<Outcome>| Created { run, suites };
        let as_sent = || made(Outcome::done("read again"), None);
        assert_eq!(of_many(&[as_sent(), as_sent()]).end, End::Done);
        let lost = made(Outcome::unknown("no answer"), None);
        assert_eq!(of_many(&[as_sent(), lost]).end, End::Unknown);
        let suites = Outcome {
            parts: vec![part(1, End::Done), part(2, End::Unknown)],
            ..Outcome::otherwise("one is not in it")
        };
        let parts = of_many(&[made(Outcome::done("read again"), Some(suites))]).parts;
        assert!(parts.contains(&part(2, End::Unknown)), "{parts:?}");
    }
}
