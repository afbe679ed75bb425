//! `rundown report`: the report of a release as one file.

use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};

use super::gate_release::runs_of;
use super::output::output_file;
use super::since::{Before, compared};
use super::{Access, EarlyExit, Exit, note, print};
use crate::cli::{ReportFormat, ReportOptions};
use crate::config::Profile;
use crate::domain::release::quiet;
use crate::domain::{Quiet, RunRow, Sample, Status, text};
use crate::forecast::Settings;
use crate::ops::now;
use crate::report::{Format, Report, Sources};

/// Days of which the changes are told.
const DAYS: i64 = 7;

/// How it is written, by the name of the file where nobody says so.
pub fn format(options: &ReportOptions) -> Result<Format, EarlyExit> {
    let file = output_file();
    let ending = file.and_then(|it| it.extension()?.to_str());
    match (options.format, ending) {
        (Some(ReportFormat::Html), _) | (None, Some("html" | "htm") | None) => Ok(Format::Html),
        (Some(ReportFormat::Md), _) | (None, Some("md" | "markdown")) => Ok(Format::Markdown),
        (Some(ReportFormat::Json), _) | (None, Some("json")) => Ok(Format::Json),
        (None, Some(ending)) => Err(Exit::Usage.because(format!(
            "--output: the ending .{} says no format; expected .html, .md or .json, or --format",
            text::plain(ending)
        ))),
    }
}

/// Reads the runs of the version and prints the report of them.
pub async fn report(
    access: &mut Access,
    profile: &Profile,
    options: &ReportOptions,
) -> Result<(), EarlyExit> {
    let format = format(options)?;
    let version = options.version.trim();
    let release = &profile.watch.release;
    let links = profile.web_url.as_deref().filter(|_| options.links);
    if options.links && links.is_none() {
        let name = &profile.name;
        return Err(
            Exit::Usage.because(format!("--links: web_url is not set in [profiles.{name}]"))
        );
    }
    if options.criteria && release.criteria.is_empty() {
        let name = &profile.name;
        return Err(Exit::Usage.because(format!(
            "--criteria: profile {name} has none; expected tables [[profiles.{name}.criteria]] in the config file"
        )));
    }
    let runs = runs_of(access, profile, version).await?;
    if runs.is_empty() {
        let shown = text::plain(version);
        return Err(Exit::NotDecidable.because(format!("no run of version {shown} was found")));
    }
    let in_no_run = if options.read_suites {
        let open = runs.iter().filter(|run| run.status != Status::Inactive);
        let open: Vec<RunRow> = open.cloned().collect();
        note(&format!(
            "reads at most {}",
            text::count(open.len(), "list")
        ));
        let read =
            access.work(async |client, tell| client.in_no_run(version, open.clone(), tell).await);
        Some(read.await?)
    } else {
        None
    };
    let not_read = in_no_run.iter().flat_map(|it| it.doubts()).collect();
    let (now, zone) = (now(), TimeZone::system());
    let week = Zoned::now().date().checked_sub(DAYS.days());
    let week = week.and_then(|day| day.to_zoned(zone.clone()));
    let moment = week.map_or(now, |at| at.timestamp().as_millisecond());
    let mut before = Before::read(profile, moment)?;
    let (mut known, mut samples) = (Vec::new(), Vec::new());
    for run in &runs {
        let mut told = before.history.of(&run.doc_ref, i64::MIN)?;
        told.extend(newest(run, told.last()));
        samples.push((run.doc_ref.clone(), told));
        known.push(before.known(run.clone(), Some(now), None, Some(Sample::of(run, now)))?);
    }
    let is_quiet = |run: &RunRow| {
        let known = known.iter().find(|it| it.row.doc_ref == run.doc_ref);
        known.map_or(Quiet::NotKnown, |it| it.quiet)
    };
    let due = before
        .history
        .samples
        .due(&profile.name, &profile.scope())?;
    let due_of_release = || release.due(version, &zone);
    let due_of_release = due.releases.get(version).copied().or_else(due_of_release);
    let settings = Settings {
        done: profile.watch.done.clone(),
        hours: profile.watch.hours,
        days: profile.watch.pace_days,
        zone: zone.clone(),
    };
    let since = (moment, compared(moment, known.clone(), profile, &zone));
    let made = Report::of(&Sources {
        scope: &profile.scope(),
        version,
        runs: &runs,
        release,
        forecast: &settings,
        due: due_of_release,
        due_of: &|run| due.of(run).or(due_of_release),
        samples: &samples,
        since: Some(&since),
        quiet: quiet(&runs, &is_quiet),
        in_no_run: in_no_run.as_ref().map(|it| &it.suites[..]),
        not_read,
        with_names: options.names,
        links,
        now,
    });
    print(&made.text(format))?;
    match made.is_ready {
        Some(false) if options.criteria => Exit::Failed.with(""),
        None if options.criteria => Err(Exit::NotDecidable
            .because("whether the criteria are met is not known: the report says of which")),
        _ => Ok(()),
    }
}

/// How a run stands, as a sample of when it was edited, where that was not read before: the same data gives the same report.
fn newest(run: &RunRow, last: Option<&Sample>) -> Option<Sample> {
    let at = run.edited_on?;
    let now = Sample::of(run, last.map_or(at, |last| at.max(last.seen_until + 1)));
    (last.is_none_or(|last| !last.tells_as(&now))).then_some(now)
}
