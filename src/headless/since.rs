//! `rundown since`: what changed in the runs since a moment.

use std::collections::HashMap;

use jiff::Zoned;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::sync::{Job, history, kept, state_folder};
use super::{Access, EarlyExit, Exit, called, names, note, print};
use crate::cli::{SinceFormat, SinceOptions};
use crate::config::Profile;
use crate::disk::{Journal, WriteRecord};
use crate::domain::diff::Ignored;
use crate::domain::fields::VERSION;
use crate::domain::query_language::end_of;
use crate::domain::since::{
    Became, LeftParts, NotCounted, RunKnown, Since, SinceLine, Standing, own_cases, told,
};
use crate::domain::table::{Cell, Table};
use crate::domain::{
    DocRef, Filter, Format, Quiet, RunField, RunRow, Sample, Status, json, markdown, text,
};
use crate::forecast;
use crate::mirror::{Mirror, Presence};
use crate::ops::now;
use crate::ui::time::Now;

/// A reading before the moment counts for so many milliseconds of working time, 24 hours.
const OLD: i64 = 24 * 3_600_000;

/// Reads the moment, epoch milliseconds; whether it can be read is looked at before anything else is done.
pub fn moment(options: &SinceOptions) -> Result<i64, EarlyExit> {
    let now = Zoned::now();
    let text = text::plain(&options.moment);
    match end_of(&options.moment, &now) {
        Some(at) if at <= now.timestamp().as_millisecond() => Ok(at),
        Some(_) => Err(Exit::Usage.because(format!("{text} is not over"))),
        None => Err(Exit::Usage.because(format!(
            "{text}: no moment; e.g. yesterday, fri, 2026-11-20, '2026-11-20 09:30', 09:30"
        ))),
    }
}

/// Reads the open runs and what was edited, and tells what changed.
pub async fn since(
    access: &mut Access,
    profile: &Profile,
    options: &SinceOptions,
    ignored: &Ignored,
) -> Result<(), EarlyExit> {
    let at = moment(options)?;
    let mut job = Job::begun(access, profile, false, ignored).await?;
    job.bring(access, profile.page_size).await?;
    tell(&job.mirror, profile, options, at)
}

/// Tells what changed as far as it was read.
pub fn local(
    profile: &Profile,
    options: &SinceOptions,
    ignored: &Ignored,
) -> Result<(), EarlyExit> {
    let at = moment(options)?;
    tell(&kept(profile, ignored)?, profile, options, at)
}

fn tell(
    mirror: &Mirror,
    profile: &Profile,
    options: &SinceOptions,
    moment: i64,
) -> Result<(), EarlyExit> {
    let version = options.version.clone();
    let version = version.or_else(|| profile.project_version.clone());
    let version = version.filter(|_| !options.all_versions);
    let (known, of_no_version) = known(mirror, profile, version.as_deref(), moment)?;
    let zone = TimeZone::system();
    let is_old = |at: i64| forecast::worked(at, moment, profile.watch.hours, &zone) > OLD;
    let mut since = Since::of(moment, known, &profile.watch.done, is_old);
    let gone = of_no_version.into_iter();
    let gone = gone.map(|row| (row, NotCounted::GoneOfNoVersion));
    since.not_counted.extend(gone);
    let nothing = since.lines.iter().all(|line| line.then_at.is_none());
    if nothing && !since.not_counted.is_empty() {
        note("no counts from before that are kept on this machine: rundown sync keeps them");
    }
    let here = Now { ms: now(), zone };
    let of = version.as_ref();
    let of = of.map_or_else(
        || profile.scope(),
        |version| format!("{} of {}", text::plain(version), profile.scope()),
    );
    print(&match options.format {
        SinceFormat::Json => in_json(&since, moment, version.as_deref()),
        SinceFormat::Text => in_words(&since, moment, &of, &here, Format::Table),
        SinceFormat::Markdown => in_words(&since, moment, &of, &here, Format::Markdown),
    })
}

/// What is known of the runs of a version, and those that are not found and of which it is not known whether they were of
/// it.
fn known(
    mirror: &Mirror,
    profile: &Profile,
    version: Option<&str>,
    moment: i64,
) -> Result<(Vec<RunKnown>, Vec<RunRow>), EarlyExit> {
    let state = state_folder()?;
    let history = history(profile, &state)?;
    let journal = Journal::open(&state).and_then(|it| it.newest(Some(&profile.name)));
    let own = match journal {
        Ok(recent) => OwnWrites::of(&recent.writes, moment),
        Err(error) => {
            note(&error.to_string());
            OwnWrites::default()
        }
    };
    let then = history.before(moment)?.into_iter();
    let mut then: HashMap<DocRef, Sample> = then.collect();
    let mut were_open = history.were_open(moment)?;
    for (run, first) in own.were_open {
        let at = were_open.entry(run).or_insert(first);
        *at = first.min(*at);
    }
    let hours = profile.watch.hours;
    let days = hours.days_before(now(), &TimeZone::system(), profile.watch.quiet_days);
    let line = version.map(|version| format!("{}:{version}", VERSION.path));
    let filter = Filter {
        filters: line.into_iter().collect(),
        ..Filter::default()
    };
    let (mut known, mut of_no_version) = (Vec::new(), Vec::new());
    for run in mirror.runs() {
        let (row, then) = (run.row(), then.remove(&run.doc_ref));
        let is_gone = run.state == Presence::Gone;
        let is_open = row.status != Status::Inactive;
        let first = were_open.get(&run.doc_ref);
        let was_open = first.map_or(is_open, |first| first.1);
        if is_gone && (run.read_at < moment || then.is_none()) || !(is_open || was_open) {
            continue;
        }
        if is_gone && version.is_some() {
            of_no_version.push(row);
            continue;
        }
        if !is_gone && !filter.has(&row) {
            continue;
        }
        let (name, scope) = (&history.profile, &history.scope);
        let mut samples = history.samples.of(name, scope, &run.doc_ref, i64::MIN)?;
        samples.extend(run.sample().filter(|_| !is_gone));
        let writes = own.suites.get(&run.doc_ref);
        known.push(RunKnown {
            counted_at: run.counted_at,
            gone_since: (run.state != Presence::Here).then_some(run.read_at),
            quiet: Quiet::of(&row, &samples, &profile.watch.done, &days),
            own: writes.zip(then.as_ref()).map_or(0, |(writes, then)| {
                let from = samples.iter().rposition(|it| it.at == then.at);
                own_cases(&samples[from.unwrap_or(0)..], writes)
            }),
            then,
            was_open,
            row,
        });
    }
    Ok((known, of_no_version))
}

/// What was written from this machine and is in effect.
#[derive(Default)]
struct OwnWrites {
    /// When suites were added to runs or removed from them, epoch milliseconds.
    suites: HashMap<DocRef, Vec<i64>>,
    /// When runs were closed or opened again first since the moment, and whether they were open before.
    were_open: HashMap<DocRef, (i64, bool)>,
}

impl OwnWrites {
    /// `writes` come newest first.
    fn of(writes: &[WriteRecord], moment: i64) -> Self {
        let mut own = Self::default();
        for record in writes.iter().filter(|record| record.is_done()) {
            let Ok(run) = DocRef::parse(&record.run) else {
                continue;
            };
            if record.adds().is_some() {
                own.suites.entry(run).or_default().push(record.at);
            } else if record.at >= moment
                && let Some(before) = record
                    .values()
                    .and_then(|mut it| it.remove(&RunField::Status))
            {
                let before = before.as_ref().and_then(Value::as_str);
                let was_open = Status::from_text(before) != Status::Inactive;
                own.were_open.insert(run, (record.at, was_open));
            }
        }
        own
    }
}

fn in_words(since: &Since, moment: i64, of: &str, here: &Now, format: Format) -> String {
    let when = |at: i64| here.when(at);
    let is_markdown = format == Format::Markdown;
    let plain = |words: String| {
        if is_markdown {
            markdown::escaped(&words) + "\n\n"
        } else {
            words + "\n"
        }
    };
    // A day is told as its last minute.
    let head = plain(format!("Since {}, {of}", when(moment.saturating_sub(1))));
    let mut out = if is_markdown {
        format!("### {head}")
    } else {
        head
    };
    out.extend(since.headline().map(plain));
    let shown = since
        .lines
        .iter()
        .filter(|line| line.became != Became::Same);
    let rows = shown.map(|line| {
        let what = line.words(moment, when);
        let became = line.became.word().to_uppercase();
        let title = Cell::text(line.row.title.as_deref());
        vec![
            Cell::Text(became),
            Cell::Text(line.row.name().into()),
            title,
            Cell::Text(what),
        ]
    });
    let table = Table {
        headings: ["Became", "Run", "Title", "What changed"]
            .map(str::to_owned)
            .into(),
        rows: rows.collect(),
    };
    if !table.rows.is_empty() {
        if !is_markdown {
            out.push('\n');
        }
        out += &table.text(format);
    }
    let not_counted = since.not_counted.iter();
    let not_counted = not_counted.map(|(row, why)| format!("{}, {}", called(row), why.words(when)));
    let not_counted = not_counted.collect::<Vec<_>>().join("; ");
    if !not_counted.is_empty() {
        out.push('\n');
        out += plain(format!("Not counted: {not_counted}")).trim_end();
        out.push('\n');
    }
    out
}

fn in_json(since: &Since, moment: i64, version: Option<&str>) -> String {
    let cases = |of: &dyn Fn(usize) -> Value| -> Map<String, Value> {
        told()
            .map(|(place, _, name)| (name.to_owned(), of(place)))
            .collect()
    };
    let standing =
        |it: &Standing| json!({"left": it.left, "cases": cases(&|place| json!(it.cases[place]))});
    let left = |it: &LeftParts| json!({"done": it.done, "new": it.new, "came": it.came, "own": it.own, "closed": it.closed, "gone": it.gone});
    let lines = since.lines.iter().map(|line: &SinceLine| {
        json!({
            "run": names(&line.row), "title": line.row.title, "became": line.became.word(),
            "read_at": line.then_at.and_then(json::time), "since": line.since.and_then(json::time),
            "closed": line.closed, "then": standing(&line.then), "now": standing(&line.now), "left": left(&line.left)
        })
    });
    let not_counted = since.not_counted.iter().map(|(row, why)| {
        json!({"run": names(row), "title": row.title, "why": why.name(), "read_at": why.read_at().and_then(json::time)})
    });
    let members = json!({
        "since": json::time(moment), "version": version, "runs": since.lines.len(), "moved_runs": since.runs_moved(),
        "then": standing(&since.then), "moved": cases(&|place| json!(since.moved[place])),
        "gone": cases(&|place| json!(since.gone[place])), "left": left(&since.left), "now": standing(&since.now),
        "lines": lines.collect::<Vec<_>>(), "not_counted": not_counted.collect::<Vec<_>>()
    });
    json::whole("since", members)
}
