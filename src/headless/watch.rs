//! `rundown watch`: how runs stand, and then every change, until somebody ends it or the runs are done.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::access::Access;
use super::columns::RUN;
use super::diff::{Change, changes};
use super::find::Target;
use super::gate::Name;
use super::output::{Reader, print};
use super::pace::{Pace, shown};
use super::{Exit, Stop, json};
use crate::cli::{RunName, WatchFormat, WatchOptions};
use crate::model::{RunRow, Status};
use crate::view::{Now, safe};

/// Watches runs.
pub async fn watch(access: &mut Access, options: &WatchOptions) -> Result<(), Stop> {
    let reader = Reader::new();
    let mut pace = Pace::new(options.every, access);
    let mut watch = Watch { format: options.format, runs: Vec::new(), missing: options.runs.clone() };
    loop {
        let looked = watch.look(access).await;
        access.progress.clear();
        let pause = match looked {
            Ok(()) => pace.after_success(),
            // Nobody may sign in any more; or what was asked for has never been there.
            Err(trouble) if trouble.stop.exit != Exit::Service || trouble.first && !trouble.stop.may_pass => {
                return Err(trouble.stop);
            }
            Err(trouble) => {
                let pause = pace.after_failure();
                let members = json!({"run": trouble.run, "message": trouble.stop.words, "again_in": pause.as_secs()});
                let words = format!("{} Looking again after {}.", trouble.stop.words, shown(pause));
                watch.tell("error", &members, &[format!("error: {words}")])?;
                pause
            }
        };
        if watch.missing.is_empty() {
            watch.end(options)?;
            if options.until_done && watch.done(options) {
                return watch.tell("done", &json!({}), &["done: every run is closed or has nothing left".into()]);
            }
        }
        tokio::select! {
            () = sleep(pause) => {}
            () = reader.gone() => return Err(Stop::reader_gone()),
        }
    }
}

/// The runs under watch.
struct Watch {
    format: WatchFormat,
    runs: Vec<Watched>,
    /// Those that have not been found yet, in the order of the command line.
    missing: Vec<RunName>,
}

/// A run as it was seen last.
struct Watched {
    target: Target,
    row: RunRow,
    gone: bool,
}

/// A look that failed.
struct Trouble {
    stop: Stop,
    /// Both names of the run; null before it was found.
    run: Value,
    /// It was the first look at the run.
    first: bool,
}

impl Watch {
    /// Looks at every run, and tells what is new. What cannot be printed ends the look, too.
    async fn look(&mut self, access: &mut Access) -> Result<(), Trouble> {
        for place in 0..self.runs.len() {
            let target = self.runs[place].target.clone();
            let trouble = |stop| Trouble { stop, run: target.json(), first: false };
            if !self.runs[place].gone {
                let row = access.look(&target).await.map_err(trouble)?;
                self.compare(place, row).map_err(trouble)?;
            }
        }
        while let Some(name) = self.missing.first() {
            let trouble = |stop| Trouble { stop, run: Value::Null, first: true };
            let (target, row) = access.find(name).await.map_err(trouble)?;
            let members = json!({"run": json::run(&row)});
            self.tell("snapshot", &members, &[format!("{} {}", target.name(), standing(&row))]).map_err(trouble)?;
            self.runs.push(Watched { target, row, gone: false });
            self.missing.remove(0);
        }
        Ok(())
    }

    /// Tells what has changed since the last look.
    fn compare(&mut self, place: usize, row: Option<RunRow>) -> Result<(), Stop> {
        let Watched { target, row: before, .. } = &self.runs[place];
        let (name, run) = (target.name().to_owned(), target.json());
        let Some(row) = row else {
            self.runs[place].gone = true;
            return self.tell("gone", &json!({"run": run}), &[format!("{name} is gone")]);
        };
        let changes = changes(&json::run(before), &json::run(&row));
        self.runs[place].row = row;
        if changes.is_empty() {
            return Ok(());
        }
        let all: Vec<Value> =
            changes.iter().map(|it| json!({"field": it.field, "from": it.from, "to": it.to})).collect();
        let lines: Vec<String> =
            changes.iter().filter_map(|change| Some(format!("{name} {}", words(change)?))).collect();
        self.tell("change", &json!({"run": run, "changes": all}), &lines)
    }

    /// The end, where there is nothing left to watch or nobody could ever tell that it is done.
    fn end(&self, options: &WatchOptions) -> Result<(), Stop> {
        let gone: Vec<&str> = self.runs.iter().filter(|run| run.gone).map(|run| run.target.name()).collect();
        if gone.len() == self.runs.len() || options.until_done && !gone.is_empty() {
            let names = gone.join(", ");
            return Err(Stop::service(format!("the service does not find it any more: {names}")));
        }
        let undecided = |run: &&Watched| done(&run.row, options).is_none();
        match self.runs.iter().find(undecided).filter(|_| options.until_done) {
            None => Ok(()),
            Some(run) => Err(Stop::not_decidable(format!(
                "{}: whether it is done cannot be seen: what is left is not known, because the service gives no counts or \
                 leaves some out (--unlisted-as-zero takes those for 0)",
                run.target.name()
            ))),
        }
    }

    fn done(&self, options: &WatchOptions) -> bool {
        self.runs.iter().all(|run| done(&run.row, options) == Some(true))
    }

    /// Prints a line of JSON, or lines of text with the time in front.
    fn tell(&self, kind: &str, members: &Value, lines: &[String]) -> Result<(), Stop> {
        let ms = Timestamp::now().as_millisecond();
        match self.format {
            WatchFormat::Ndjson => {
                let mut line = json::object(kind, json!({"at": json::time(ms)}));
                line.extend(members.as_object().cloned().unwrap_or_default());
                print(&json::text(&line, true))
            }
            WatchFormat::Text => {
                let clock = Now { ms, zone: TimeZone::system() }.clock(ms);
                let lines: Vec<String> = lines.iter().map(|line| format!("{clock} {}", safe(line))).collect();
                if lines.is_empty() { Ok(()) } else { print(&(lines.join("\n") + "\n")) }
            }
        }
    }
}

/// Closed, or with test cases of which none is left; nothing if that cannot be seen.
fn done(row: &RunRow, options: &WatchOptions) -> Option<bool> {
    if row.status == Status::Inactive {
        return Some(true);
    }
    let count = |name: Name| name.of(row, options.unlisted_as_zero);
    Some(count(Name::Left)? == 0 && count(Name::Total)? > 0)
}

/// The run in a line: `Smoke nightly: active, 64%, 3 suites, passed 57, failed (new) 9, left 36`.
fn standing(row: &RunRow) -> String {
    let wanted =
        ["status", "progress", "suites", "passed", "failed_new", "failed_known", "blocked", "untested", "left"];
    let columns = RUN.iter().filter(|column| wanted.contains(&column.name));
    let parts: Vec<String> = columns
        .filter_map(|column| {
            let value = (column.cell)(row, crate::cli::Format::Table).into_known()?;
            Some(if column.name == "status" { value } else { format!("{} {value}", column.heading) })
        })
        .collect();
    format!("{}: {}", row.title.as_deref().unwrap_or("without a title"), parts.join(", "))
}

/// `Failed (new) 20 → 21`; nothing for what another field says more plainly.
fn words(change: &Change) -> Option<String> {
    let name = change.field.rsplit('.').next().unwrap_or(&change.field);
    if name == "edited_on" {
        return None;
    }
    let heading = RUN.iter().find(|column| column.name == name).map_or(name, |column| column.heading);
    let value = |value: &Value| match value {
        Value::Null => "not said".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Some(format!("{heading} {} → {}", value(&change.from), value(&change.to)))
}
