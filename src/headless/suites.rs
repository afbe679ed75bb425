//! `rundown suites available` and `rundown suites attached`.

use super::prelude::*;
use super::suite_rows::{ATTACHED, AVAILABLE, lines, suite, table};
use crate::attached::{Attached, InNoRun};
use crate::cli::{InNoRunOptions, RunOptions};
use crate::disk::Journal;
use crate::domain::SuiteRow;
use crate::domain::release::in_none;
use crate::domain::table::line;

impl Access {
    /// All suites that can be added to a run, in the order of the screen.
    pub async fn available(&mut self, run: &DocRef) -> Ran<Vec<SuiteRow>> {
        let read = self.work(async |client, tell| client.read_available(run, tell).await);
        let mut suites = read.await?;
        suites.sort_by(SuiteRow::by_order);
        Ok(suites)
    }

    /// Suites that can be added and are in no open one of these runs of a version; reports first how many lists are read.
    pub async fn in_no_run(&mut self, version: &str, runs: &[RunRow]) -> Ran<Box<InNoRun>> {
        let open = runs.iter().filter(|run| !run.is_closed());
        let runs: Vec<RunRow> = open.cloned().collect();
        let lists = text::count(runs.len(), "list");
        note(&format!("reads at most {lists}"));
        self.work(async |client, tell| client.in_no_run(version, runs.clone(), tell).await)
            .await
    }

    /// Known suites of a run. Link records of the journal are used, if there is one.
    pub async fn survey(&mut self, run: &DocRef, typed: &[DocRef]) -> Ran<Box<Attached>> {
        let journal = journal_so_far();
        let given = || (typed.to_vec(), None);
        let journal = journal.as_ref();
        self.work(async |client, tell| client.survey(run, given(), journal, None, tell).await)
            .await
    }
}

/// The journal of writes, if one exists; reading does not create it.
fn journal_so_far() -> Option<Journal> {
    let folder = state_dir().filter(|folder| folder.is_dir())?;
    let opened = Journal::open(&folder).inspect_err(|error| {
        note(&format!(
            "without what was changed from here before: {error}"
        ));
    });
    opened.ok()
}

/// Lists the suites that can be added to a run.
pub async fn available(access: &mut Access, options: &RunOptions) -> Ran {
    let closed = "suites can be added to open runs only. Nothing was asked.";
    let run = access.find_open(&options.run, closed).await?;
    let suites = access.available(&run.doc_ref).await?;
    print(&listed(&suites, options.format, |rows| {
        let members = json!({"run": names(&run), "full_size": rows.len(), "suites": rows});
        json::pretty("available_suites", members)
    }))
}

/// Suites in a format; `whole` makes the object of them all.
fn listed(suites: &[SuiteRow], format: Format, whole: impl FnOnce(Vec<Value>) -> String) -> String {
    let rows = suites
        .iter()
        .map(|suite| json::suite(&suite.doc_ref, Some(suite)));
    match format {
        Format::Json => whole(rows.collect()),
        Format::Ndjson => rows.map(|suite| json::line("suite", suite)).collect(),
        format => table(AVAILABLE, rows.collect(), format).text(format),
    }
}

/// Lists the suites in no open run of a version.
pub async fn in_no_run(access: &mut Access, options: &InNoRunOptions) -> Ran {
    let version = options.version.trim();
    let shown = text::plain(version);
    let runs = access
        .work(async |client, _| client.runs_of_release(version).await)
        .await?;
    if runs.is_empty() {
        let words = format!("no open run of version {shown} was found");
        return Err(Exit::NotDecidable.because(words));
    }
    let found = access.in_no_run(version, &runs).await?;
    print(&listed(&found.suites, options.format, |rows| {
        let unread = found
            .unread
            .iter()
            .map(|it| json!({"run": it.run, "why": it.why}));
        let members = json!({
            "version": version,
            "runs_open": found.runs.len(),
            "runs_unread": unread.collect::<Vec<Value>>(),
            "subprojects": found.subprojects,
            "contradict": found.contradict,
            "read_at": json::time(found.at),
            "full_size": rows.len(),
            "suites": rows,
        });
        json::pretty("suites_in_no_run", members)
    }))?;
    let mut doubts = found.doubts(found.suites.len());
    if let Some(doubt) = doubts.next() {
        return Err(Exit::NotDecidable.because(doubt));
    }
    if found.suites.is_empty() {
        note(&in_none(0, found.range(0)));
    }
    Ok(())
}

/// Lists the suites in a run, with the trust of each.
pub async fn attached(access: &mut Access, options: &RunOptions) -> Ran {
    let run = access.find(&options.run).await?;
    let attached = access.survey(&run.doc_ref, &[]).await?;
    let here = Now {
        ms: now(),
        zone: TimeZone::system(),
    };
    let clock = |at: i64| here.clock(at);
    let (name, known) = (called(&run), attached.words());
    print(&match options.format {
        Format::Json => {
            let rows = |named: &[Named]| -> Vec<Value> {
                named.iter().map(|it| suite(it, &clock)).collect()
            };
            let mut members = state(&run, &attached);
            members["suites"] = rows(&attached.named).into();
            members["candidates"] = rows(&attached.candidates).into();
            json::pretty("attached_suites", members)
        }
        Format::Ndjson => {
            let mut out = json::line("attached_state", state(&run, &attached));
            for (list, candidate) in [(&attached.named, false), (&attached.candidates, true)] {
                for named in list {
                    let mut members = suite(named, &clock);
                    members["candidate"] = candidate.into();
                    out.push_str(&json::line("attached_suite", members));
                }
            }
            if let Some(words) = attached.unknown_row() {
                let members = json!({"unknown": attached.unknown, "words": words});
                out.push_str(&json::line("unknown_suites", members));
            }
            out
        }
        format => {
            let mut rows = lines(&attached, &clock);
            if format == Format::Csv {
                table(ATTACHED, rows, format).text(format)
            } else {
                // The state is printed above the table.
                let rows = rows.split_off(1);
                let state = line(&format!("{name}: {known}"), format);
                if rows.is_empty() {
                    format!("{state}\n")
                } else {
                    format!("{state}\n\n{}", table(ATTACHED, rows, format).text(format))
                }
            }
        }
    })
}

/// Properties of the list as a whole.
fn state(run: &RunRow, attached: &Attached) -> Value {
    json!({
        "run": names(run),
        "state": attached.state,
        "headline": attached.words(),
        "complete": attached.is_complete(),
        "named": attached.sure().count(),
        "count": attached.count,
        "unknown": attached.unknown,
        "unknown_words": attached.unknown_row(),
        "free": attached.free,
        "universe": attached.universe,
        "read_at": json::time(attached.at),
        "why": attached.why(),
    })
}
