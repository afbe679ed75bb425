//! `rundown gate`: a condition on runs as an exit status.

use tokio::time::{Instant, sleep, timeout_at};

use super::pace::shown;
use super::prelude::*;
use super::{FoundRun, Pace, UNLISTED};
use crate::cli::GateOptions;
use crate::domain::query_language::{self, Condition, Range, Subject, Wrong, by_name};
use crate::domain::release::verdict;

/// Parses the condition of a gate, before anything else is done.
pub fn condition(options: &GateOptions) -> Ran<Condition> {
    query_language::condition(options.expr()).map_err(|wrong| pointed_at("--expr", &wrong))
}

/// Characters of an option that are shown on each side of a mistake, where it is longer than both.
const AROUND: usize = 60;

/// Error in an option, with a sign below its place.
pub fn pointed_at(option: &str, wrong: &Wrong) -> EarlyExit {
    let (mut before, mut after) = wrong.text.split_at(wrong.at);
    let (mut more, mut rest) = ("", "");
    if wrong.text.chars().count() > 2 * AROUND {
        if let Some((at, _)) = before.char_indices().rev().nth(AROUND) {
            (before, more) = (&before[at..], "…");
        }
        if let Some((at, _)) = after.char_indices().nth(AROUND) {
            (after, rest) = (&after[..at], "…");
        }
    }
    let gap = " ".repeat(text::width(more) + text::width(&text::cells(before)));
    let shown = format!("{before}{after}");
    let shown = text::cells(&shown);
    Exit::Usage
        .because(format!("{option}, {wrong}"))
        .with([format!("  {more}{shown}{rest}"), format!("  {gap}^")])
}

/// Evaluates the condition once, or until it holds; `begun` is the start of the time limit.
pub async fn gate(access: &mut Access, options: &GateOptions, begun: Instant) -> Ran {
    let mut gate = Evaluation {
        options,
        condition: condition(options)?,
        done: access.done.clone(),
        names: options.runs.clone(),
        runs: Vec::new(),
        verdicts: Vec::new(),
        trouble: String::new(),
    };
    let Some(limit) = options.timeout else {
        gate.read_runs(access).await?;
        return gate.end(gate.holds(), false);
    };
    let waited = timeout_at(begun + limit, gate.wait(access)).await;
    access.progress.clear();
    let is_time_up = waited.is_err();
    gate.end(waited.unwrap_or(Ok(None))?, is_time_up)
}

/// Prints the results, and returns the exit status; `undecided` has its message if it is not known whether all `is_met`.
pub fn end(is_met: Option<bool>, text: &str, undecided: impl FnOnce() -> EarlyExit) -> Ran {
    print(text)?;
    match is_met {
        Some(true) => Ok(()),
        Some(false) => Exit::Failed.with(""),
        None => Err(undecided()),
    }
}

/// Result for one run.
struct RunVerdict {
    run: RunRow,
    holds: Option<bool>,
    counts: Vec<(RunCount, Range)>,
    /// Reason why the condition does not hold.
    shortfall: String,
    /// True if the service sent no results.
    without_results: bool,
    /// True if the list does not show the run.
    unlisted: bool,
}

struct Evaluation<'a> {
    options: &'a GateOptions,
    condition: Condition,
    /// Results of finished cases.
    done: Vec<ResultCode>,
    /// The runs of the command line; of several names of a run the first stays, once they are found.
    names: Vec<DocumentName>,
    /// Runs found so far, in the order of the names.
    runs: Vec<RunRow>,
    /// Last results.
    verdicts: Vec<RunVerdict>,
    /// Reason why the last reading decided nothing; empty if it did.
    trouble: String,
}

impl Evaluation<'_> {
    /// Repeats the evaluation until the condition holds or cannot be decided. Waiting may bring back a run that the
    /// list does not show, but not a count that the service does not send.
    async fn wait(&mut self, access: &mut Access) -> Ran<Option<bool>> {
        let mut pace = Pace::new(self.options.every, access);
        loop {
            let (trouble, pause) = match self.read_runs(access).await {
                Ok(()) if self.holds() == Some(true) => return Ok(Some(true)),
                Ok(()) if self.undecided().any(|look| !look.unlisted) => return Ok(None),
                Ok(()) => (self.unlisted(), pace.after_success()),
                Err(stop) if stop.may_pass => (stop.words, pace.after_failure()),
                Err(stop) => return Err(stop),
            };
            if trouble.is_empty() {
                access.progress.say(&self.words());
            } else if self.trouble != trouble {
                access.progress.clear();
                note(&format!("{trouble} Looking again after {}.", shown(pause)));
            }
            self.trouble = trouble;
            sleep(pause).await;
        }
    }

    /// Last results in words.
    fn words(&self) -> String {
        text::join(self.verdicts.iter().map(RunVerdict::words), "; ")
    }

    /// Runs without a decision.
    fn undecided(&self) -> impl Iterator<Item = &RunVerdict> {
        self.verdicts.iter().filter(|look| look.holds.is_none())
    }

    /// Names of the runs without a decision that the list does not show; empty if there are none.
    fn unlisted(&self) -> String {
        let words = self.undecided().filter(|look| look.unlisted).map(|look| {
            let name = called(&look.run);
            format!("{name}: {UNLISTED}: its counts are not known.")
        });
        text::join(words, " ")
    }

    /// Reads each run once.
    async fn read_runs(&mut self, access: &mut Access) -> Ran {
        let mut looks = Vec::new();
        let mut place = 0;
        while let Some(name) = self.names.get(place) {
            let seen = match self.runs.get(place) {
                None => {
                    let seen = access.find_listed(name).await?;
                    if self.runs.iter().any(|run| run.doc_ref == seen.row.doc_ref) {
                        self.names.remove(place);
                        continue;
                    }
                    self.runs.push(seen.row.clone());
                    seen
                }
                Some(run) => access.read_again(run).await?.ok_or_else(|| {
                    let name = called(run);
                    Exit::Service.because(format!(
                        "{name} is gone: the service does not find it any more"
                    ))
                })?,
            };
            looks.push(self.judge(seen));
            place += 1;
        }
        self.verdicts = looks;
        Ok(())
    }

    fn judge(&self, FoundRun { row, unlisted }: FoundRun) -> RunVerdict {
        let context = &QueryContext::of_counts(&self.done, self.options.unlisted_as_zero);
        let of = Subject::Run(&row, context);
        let counts = self.condition.counts().into_iter();
        let expr = self.options.expr().trim();
        RunVerdict {
            holds: self.condition.holds(of),
            counts: counts.map(|count| (count, of.number(count))).collect(),
            shortfall: self.condition.shortfall(expr, of),
            without_results: row.results.is_none(),
            unlisted,
            run: row,
        }
    }

    /// True if the condition holds for all runs: a run that fails decides, else one without a decision.
    fn holds(&self) -> Option<bool> {
        let any = |wanted| self.verdicts.iter().find(|look| look.holds == wanted);
        let decides = any(Some(false)).or_else(|| any(None));
        decides.map_or(Some(true), |look| look.holds)
    }

    /// Prints the results, and returns the exit status.
    fn end(&self, holds: Option<bool>, is_time_up: bool) -> Ran {
        let text = match self.options.format {
            ChangeFormat::Text => self
                .verdicts
                .iter()
                .map(|look| look.words() + "\n")
                .collect(),
            ChangeFormat::Json => {
                let word = if is_time_up {
                    "time_up"
                } else {
                    verdict(holds)
                };
                let members = json!({
                    "expr": self.options.expr(),
                    "verdict": word,
                    "at": json::time(now()),
                    "runs": self.verdicts.iter().map(RunVerdict::json).collect::<Vec<_>>(),
                });
                json::pretty("gate", members)
            }
        };
        end(holds, &text, || {
            if is_time_up {
                Exit::TimeUp.because(self.too_late())
            } else {
                self.missing()
            }
        })
    }

    fn too_late(&self) -> String {
        let limit = self.options.timeout.map(shown).unwrap_or_default();
        let words = self.words();
        let last = match (&*words, &*self.trouble) {
            ("", "") => "no answer came in that time",
            (words, "") => words,
            (_, trouble) => trouble,
        };
        format!("the condition did not hold within {limit}; the last look: {last}")
    }

    /// Message about missing counts, with reason and remedy.
    fn missing(&self) -> EarlyExit {
        let mut lines = self.undecided().map(|look| {
            let name = called(&look.run);
            let missing = look.counts.iter().filter(|(_, range)| range.exact().is_none());
            let missing = text::join(missing.map(|(count, _)| count.text()), ", ");
            match (missing.is_empty(), look.without_results) {
                (true, _) => format!("{name}: not decidable: the numbers become too large"),
                (false, true) => format!(
                    "{name}: not decidable: {missing} not known: the service sent no results of this run"
                ),
                (false, false) if self.options.unlisted_as_zero => format!(
                    "{name}: not decidable: {missing} not known, because a count cannot be read"
                ),
                (false, false) => format!(
                    "{name}: not decidable: {missing} not known, because a count is not listed or cannot be read. If the \
                     service leaves out results without test cases, --unlisted-as-zero takes them for 0"
                ),
            }
        });
        Exit::NotDecidable
            .because(lines.next().unwrap_or_default())
            .with(lines)
    }
}

impl RunVerdict {
    /// Text such as `R_4: does not hold: failed_new is 11, limit <= 3` or `R_4: holds: failed_new is 2`.
    fn words(&self) -> String {
        let name = called(&self.run);
        if self.holds == Some(false) && !self.shortfall.is_empty() {
            return format!("{name}: does not hold: {}", self.shortfall);
        }
        let count = |(count, range): &(RunCount, Range)| format!("{} is {range}", count.text());
        let how = match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "not decidable",
        };
        match &*text::join(self.counts.iter().map(count), ", ") {
            "" => format!("{name}: {how}"),
            counts => format!("{name}: {how}: {counts}"),
        }
    }

    fn json(&self) -> Value {
        let (verdict, counts) = (verdict(self.holds), by_name(&self.counts));
        json!({"run": names(&self.run), "verdict": verdict, "counts": counts})
    }
}
