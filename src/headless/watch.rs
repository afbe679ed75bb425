//! `rundown watch`: state of runs, then each change, until the user stops it or the runs are done.

use tokio::time::sleep;

use super::news::news;
use super::output::{StdoutReader, print_to_reader};
use super::pace::shown;
use super::prelude::*;
use super::{FoundRun, Pace, UNLISTED};
use crate::cli::{WatchFormat, WatchOptions};
use crate::domain::diff::Ignored;

pub async fn watch(access: &mut Access, options: &WatchOptions, ignored: &Ignored) -> Ran {
    let reader = StdoutReader::new();
    let mut pace = Pace::new(options.every, access);
    let mut watch = Watch {
        options,
        ignored,
        done: access.done.clone(),
        runs: Vec::new(),
        missing: options.runs.clone(),
    };
    loop {
        let (troubles, failed) = watch.read_runs(access).await?;
        let pause = if failed {
            pace.after_failure()
        } else {
            pace.after_success()
        };
        for trouble in troubles {
            let members =
                json!({"run": trouble.run, "message": trouble.words, "again_in": pause.as_secs()});
            let words = format!("{} Looking again after {}.", trouble.words, shown(pause));
            watch.tell("error", &members, &[format!("error: {words}")])?;
        }
        if watch.missing.is_empty() {
            watch.end()?;
            let is_done = |run| watch.is_done(run) == Some(true);
            if options.until_done && watch.runs.iter().all(is_done) {
                let line = "done: every run is closed or has nothing left";
                return watch.tell("done", &json!({}), &[line.into()]);
            }
        }
        tokio::select! {
            () = sleep(pause) => {}
            // Standard output was closed.
            () = reader.gone() => return Err(Exit::Fine.because("")),
        }
    }
}

/// State of the command.
struct Watch<'a> {
    options: &'a WatchOptions,
    /// Fields whose changes are not reported.
    ignored: &'a Ignored,
    /// Results of finished cases.
    done: Vec<ResultCode>,
    runs: Vec<LastRead>,
    /// Runs not found yet, in the order of the command line.
    missing: Vec<DocumentName>,
}

/// A run as last read.
struct LastRead {
    row: RunRow,
    gone: bool,
    /// True if the list did not show the run.
    unlisted: bool,
}

/// A run that could not be read.
struct FailedReading {
    words: String,
    /// Names of the run; null if it was never found.
    run: Value,
}

impl LastRead {
    fn name(&self) -> Cow<'_, str> {
        called(&self.row)
    }
}

impl Watch<'_> {
    /// Reads all runs and reports changes. A failed run does not stop the others, unless the service was not reached.
    /// Returns the failed runs, and true if the service was not reached or every reading failed. Errors end the
    /// command: a failed sign-in, or a name that was never found; the first one is returned.
    async fn read_runs(&mut self, access: &mut Access) -> Ran<(Vec<FailedReading>, bool)> {
        let mut troubles = Vec::new();
        let (mut reached, mut any) = (true, false);
        let mut trouble = |stop: EarlyExit, run: Value| {
            let words = stop.words;
            troubles.push(FailedReading { words, run });
            stop.kind != FailureKind::Network
        };
        for place in 0..self.runs.len() {
            if !reached || self.runs[place].gone {
                continue;
            }
            let run = self.runs[place].row.clone();
            match access.read_again(&run).await {
                Ok(seen) => {
                    self.compare(place, seen)?;
                    any = true;
                }
                Err(stop) if stop.exit != Exit::Service => return Err(stop),
                Err(stop) => reached = trouble(stop, names(&run)),
            }
        }
        let (mut missing, mut end) = (Vec::new(), None);
        for name in std::mem::take(&mut self.missing) {
            if !reached {
                missing.push(name);
                continue;
            }
            match access.find_listed(&name).await {
                // One that is named twice counts once.
                Ok(found)
                    if self
                        .runs
                        .iter()
                        .any(|run| run.row.doc_ref == found.row.doc_ref) => {}
                Ok(FoundRun { row, unlisted }) => {
                    let run = LastRead {
                        row,
                        gone: false,
                        unlisted,
                    };
                    self.snapshot(&run)?;
                    if unlisted {
                        let name = run.name();
                        note(&format!("{name}: {UNLISTED}: its counts are not known"));
                    }
                    self.runs.push(run);
                    any = true;
                }
                Err(stop) if stop.exit != Exit::Service => return Err(stop),
                Err(stop) if !stop.may_pass => end = end.or(Some(stop)),
                Err(stop) => {
                    reached = trouble(stop, Value::Null);
                    missing.push(name);
                }
            }
        }
        self.missing = missing;
        let fine = troubles.is_empty() || reached && any;
        end.map_or(Ok((troubles, !fine)), Err)
    }

    fn snapshot(&self, run: &LastRead) -> Ran {
        let line = format!("{} {}", run.name(), state_words(&run.row, &self.done));
        let members = json!({"run": json::run(&run.row, &self.done)});
        self.tell("snapshot", &members, &[line])
    }

    /// Reports the changes of a run. While the list does not show the run, it keeps its last counts.
    fn compare(&mut self, place: usize, now: Option<FoundRun>) -> Ran {
        let LastRead { row, unlisted, .. } = &self.runs[place];
        let (name, run) = (called(row).into_owned(), names(row));
        let Some(mut now) = now else {
            self.runs[place].gone = true;
            return self.tell("gone", &json!({"run": run}), &[format!("{name} is gone")]);
        };
        if now.unlisted {
            if !unlisted {
                note(&format!(
                    "{name}: {UNLISTED}: its counts are those of the look before"
                ));
            }
            now.row = now.row.with_counts_of(row);
        } else if row.results.is_some() && now.row.results.is_none() {
            note(&format!("{name}: the service tells no results any more"));
        }
        let first = row.results.is_none() && *unlisted && !now.unlisted;
        let news = news(row, &now.row, &self.done, self.ignored);
        self.runs[place].row = now.row;
        self.runs[place].unlisted = now.unlisted;
        if first {
            // The first snapshot had no counts to compare with.
            return self.snapshot(&self.runs[place]);
        }
        if news.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = news
            .iter()
            .map(|it| format!("{name} {}", it.words))
            .collect();
        let changes: Vec<Value> = news.into_iter().map(|it| it.json).collect();
        self.tell("change", &json!({"run": run, "changes": changes}), &lines)
    }

    /// Ends the command if no run is left, or if it can never be decided that a run is done.
    fn end(&self) -> Ran {
        let gone: Vec<_> = self
            .runs
            .iter()
            .filter(|run| run.gone)
            .map(|run| run.name())
            .collect();
        if gone.len() == self.runs.len() || self.options.until_done && !gone.is_empty() {
            let names = gone.join(", ");
            return Err(
                Exit::Service.because(format!("the service does not find it any more: {names}"))
            );
        }
        let undecided = |run: &&LastRead| !run.unlisted && self.is_done(run).is_none();
        let undecided = self.runs.iter().find(undecided);
        match undecided.filter(|_| self.options.until_done) {
            None => Ok(()),
            Some(run) => Err(Exit::NotDecidable.because(format!(
                "{}: whether it is done cannot be seen: what is left is not known, because the service gives no counts or \
                 leaves some out (--unlisted-as-zero takes those for 0)",
                run.name()
            ))),
        }
    }

    /// Returns true for a closed run, or one with test cases and none left; `None` if that is unknown.
    fn is_done(&self, run: &LastRead) -> Option<bool> {
        let row = &run.row;
        if row.is_closed() {
            return Some(true);
        }
        let context = QueryContext::of_counts(&self.done, self.options.unlisted_as_zero);
        let count = |count: RunCount| count.of(row, &context).exact();
        Some(count(RunCount::Left)? == 0 && count(RunCount::Total)? > 0)
    }

    /// Prints a line of JSON, or lines of text with the time.
    fn tell(&self, kind: &str, members: &Value, lines: &[String]) -> Ran {
        let ms = now();
        match self.options.format {
            WatchFormat::Ndjson => {
                let mut line = json::object(kind, json!({"at": json::time(ms)}));
                line.extend(members.as_object().cloned().unwrap_or_default());
                print_to_reader(&json::text(&line, true))
            }
            WatchFormat::Text => {
                let zone = TimeZone::system();
                let clock = Now { ms, zone }.clock(ms);
                let line = |line: &String| format!("{clock} {}\n", text::plain(line));
                print_to_reader(&lines.iter().map(line).collect::<String>())
            }
        }
    }
}

/// State of a run: `Smoke nightly: active, 64%, 3 suites, passed 57, failed (new) 9, left 36`.
fn state_words(run: &RunRow, done: &[ResultCode]) -> String {
    let status = fields::STATUS.cell(run, done, Format::Table).into_known();
    let numbers = [
        &fields::SUITES,
        &fields::PROGRESS,
        &fields::PASSED,
        &fields::FAILED_NEW,
        &fields::FAILED_KNOWN,
        &fields::BLOCKED,
        &fields::UNTESTED,
        &fields::LEFT,
    ];
    let numbers = numbers.into_iter().filter_map(|field| {
        let value = field.cell(run, done, Format::Table).into_known()?;
        Some(format!("{} {value}", field.label))
    });
    let parts = text::join(status.into_iter().chain(numbers), ", ");
    let title = run.title.as_deref().unwrap_or("without a title");
    format!("{title}: {parts}")
}
