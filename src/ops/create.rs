//! Making runs, one after the other, each with its suites.

use super::suites::Change;
use super::{Do, Making, Operation, Report, Step};
use crate::domain::{ChunkResult, Create, Created, End, Outcome, Part, RunRow, SuiteChange};

/// New runs on their way. The first that goes wrong keeps the rest from being sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Creating {
    create: Create,
    /// The run that was just made, while its suites are added.
    adding: Option<(Outcome, Change)>,
    /// Why nothing further is sent.
    over: Option<String>,
    /// What came of each run so far.
    pub ended: Vec<Created>,
    /// One line for each request of suites so far.
    pub steps: Vec<ChunkResult>,
}

impl Creating {
    pub fn new(create: Create) -> Self {
        Self {
            create,
            adding: None,
            over: None,
            ended: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Suites of the run at hand go on, and their new lines are told.
    fn add(&mut self, go_on: impl FnOnce(&mut Change)) {
        if let Some((_, change)) = &mut self.adding {
            let told = change.steps.len();
            go_on(change);
            self.steps.extend(change.steps.iter().skip(told).cloned());
        }
    }

    fn end(&mut self, created: Created) {
        self.ended.push(created);
        if self.ended.last().is_some_and(|created| !created.is_whole()) {
            let (number, all) = (self.ended.len(), self.create.runs.len());
            self.over.get_or_insert(format!(
                "not sent, because run {number} of {all} went wrong"
            ));
        }
    }
}

impl Operation for Creating {
    fn next(&mut self) -> Do {
        if let Some((run, change)) = &mut self.adding {
            match change.next() {
                Do::End(suites) => {
                    let (run, suites) = (run.clone(), Some(suites));
                    self.adding = None;
                    self.end(Created { run, suites });
                }
                step => return step,
            }
        }
        while let (Some(why), true) = (&self.over, self.ended.len() < self.create.runs.len()) {
            let (run, suites) = (Outcome::not_sent(why.clone()), None);
            self.ended.push(Created { run, suites });
        }
        match self.create.runs.get(self.ended.len()) {
            Some(run) => Do::Step(Step::Create(Box::new(Making {
                run: run.clone(),
                origin: self.create.origin.clone(),
                undo_of: self.create.undo_of.clone(),
                suites: self.create.suites.clone(),
                after: self.create.runs.len() - self.ended.len() - 1,
            }))),
            None => Do::End(of_many(&self.ended)),
        }
    }

    fn take(&mut self, report: Report) {
        match (report, &mut self.adding) {
            (Report::Written(outcome), None) => match &outcome.document {
                Some(document) if outcome.is_whole() && !self.create.suites.is_empty() => {
                    let row = RunRow::from_document(document);
                    let suites = self.create.suites.clone();
                    let mut change = SuiteChange::of(&row, true, suites);
                    (change.count, change.stake) = (Some(0), None);
                    self.adding = Some((outcome, Change::new(change)));
                }
                _ => self.end(Created {
                    run: outcome,
                    suites: None,
                }),
            },
            (report, Some(_)) => self.add(|change| change.take(report)),
            (_, None) => {}
        }
    }

    fn stop(&mut self, why: &str) {
        self.add(|change| change.stop(why));
        if self.ended.len() + usize::from(self.adding.is_some()) < self.create.runs.len() {
            self.over.get_or_insert_with(|| format!("not sent, {why}"));
        }
    }
}

/// The end of several: unknown if one is; done in part is done otherwise; else refused before not sent.
fn of_many(ended: &[Created]) -> Outcome {
    let outcomes: Vec<&Outcome> = ended
        .iter()
        .flat_map(|created| std::iter::once(&created.run).chain(&created.suites))
        .collect();
    let first = |end: End| outcomes.iter().find(|outcome| outcome.end == end);
    let worst = [End::Unknown, End::Refused, End::NotSent]
        .into_iter()
        .find_map(first);
    let done = first(End::Done).is_some();
    let outcome = match worst {
        Some(worst) if worst.end != End::Unknown && done => Outcome::otherwise(worst.why.clone()),
        Some(worst) => (*worst).clone(),
        None => match outcomes.iter().find(|outcome| !outcome.is_whole()) {
            Some(other) => Outcome::otherwise(other.why.clone()),
            None => Outcome::done(String::new()),
        },
    };
    let runs = ended.iter().filter_map(|created| {
        let of = created.run.parts.first()?.of.clone();
        let end = created.run.end;
        Some(Part { of, end })
    });
    Outcome {
        parts: runs.collect(),
        ..outcome
    }
}
