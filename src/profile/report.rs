//! The report of a release, by its runs and the earlier readings on this machine.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};

use super::{forecast_settings, history, kept_runs};
use crate::config::Profile;
use crate::disk::Journal;
use crate::disk::database::Done;
use crate::domain::release::ReportRequest;
use crate::domain::since::Since;
use crate::domain::{Days, DocRef, DueDates, Quiet, RunRow, Sample};
use crate::forecast::is_old;
use crate::mirror::{BeforeMoment, OwnRecord, Presence, RunsOrigin};
use crate::ops::now;
use crate::report::{Report, Sources};
use crate::samples::RunHistory;

/// Number of days whose changes are reported.
const DAYS: i64 = 7;

/// Creates a report of the runs of a user. `state` is the state folder, `cache` that of the kept runs, which tell the
/// versions of gone ones. Earlier readings that cannot be read are left out, and the report says so. Blocks.
pub fn report(
    profile: &Profile,
    source: &RunsOrigin,
    (state, cache): (&Path, Option<&Path>),
    mut request: ReportRequest,
) -> Done<Report> {
    let (now, zone) = (now(), TimeZone::system());
    let opened = history(profile, source, state);
    let history = opened
        .map_err(|why| {
            let words = format!("what was read before today cannot be read: {why}");
            request.not_read.push(words);
        })
        .ok();
    let week = Zoned::now()
        .date()
        .checked_sub(DAYS.days())
        .and_then(|day| day.to_zoned(zone.clone()));
    let moment = week.map_or(now, |at| at.timestamp().as_millisecond());
    let own = Journal::open(state)
        .and_then(|it| OwnRecord::read(&it))
        .unwrap_or_else(|_| {
            let words =
                "the journal here cannot be read: changes made from here count as those of others";
            request.not_read.push(words.into());
            Vec::new()
        });
    let before = BeforeMoment::read(history.as_ref(), &own, moment)?;
    let watch = &profile.watch;
    let days = watch.hours.days_before(now, &zone, watch.quiet_days);
    let mut kept_since = history.as_ref().map_or(Ok(None), RunHistory::kept_since)?;
    let today = Days::at(now, &zone).map_or(now, |days| days.today);
    let (mut known, mut samples) = (Vec::new(), Vec::new());
    let (mut quiet, mut attached) = (HashMap::new(), HashMap::new());
    let (rows, counted): (Vec<RunRow>, Vec<Option<i64>>) = request.runs.into_iter().unzip();
    for (run, counted) in rows.iter().zip(counted) {
        let of = |it: &RunHistory| it.counts().of(&run.doc_ref, i64::MIN);
        let samples_of_run = history.as_ref().map_or(Ok(Vec::new()), of)?;
        // Counts of one that was closed before are not kept.
        let is_old = |since: &i64| run.is_closed() && run.edited_on.is_some_and(|at| at < *since);
        let is_read = samples_of_run.iter().any(|it| it.at < today);
        kept_since = kept_since.filter(|since| is_read || is_old(since));
        let mut read = samples_of_run.clone();
        Sample::add_reading(&mut read, run, counted.unwrap_or(now));
        let is_quiet = Quiet::of(run, &read, &watch.done, &days);
        quiet.insert(run.doc_ref.clone(), is_quiet);
        let suites = |it: &RunHistory| it.suites(&run.doc_ref);
        let worked_out = history.as_ref().map_or(Ok(Vec::new()), suites)?;
        let worked_out = worked_out.into_iter().next();
        attached.extend(worked_out.map(|suites| (run.doc_ref.clone(), suites)));
        known.push(before.known(run.clone(), (counted, None), is_quiet)?);
        samples.push((run.doc_ref.clone(), dated(run, samples_of_run)));
    }
    not_before_others(&mut samples);
    let here: HashSet<_> = rows.iter().map(|row| &row.doc_ref).collect();
    let gone = before.gone(|run| here.contains(run))?;
    let kept = cache.map(|cache| kept_runs(profile, source, cache, &gone));
    for run in kept.into_iter().flatten() {
        if run.state == Presence::Gone && run.version() == Some(&*request.version) {
            let times = (None, Some(run.read_at));
            known.push(before.known(run.row(), times, Quiet::NotKnown)?);
        }
    }
    let is_old = |at: i64| is_old(at, moment, watch.hours, &zone);
    let since = Since::of(moment, known, &watch.done, is_old).without([]);
    let due = if let Some(history) = &history
        && request.with_typed_dates
    {
        history.counts().due()?
    } else {
        DueDates::default()
    };
    let typed = due.releases.get(&request.version).copied();
    let due_of_release = typed.or_else(|| watch.release.due(&request.version, &zone));
    let settings = forecast_settings(profile);
    Ok(Report::of(&Sources {
        scope: &profile.place(),
        version: &request.version,
        runs: &rows,
        is_complete: request.is_complete,
        read_at: request.read_at,
        release: &watch.release,
        forecast: &settings,
        due: due_of_release,
        due_is_typed: typed.is_some(),
        due_of: &|run| due.of(run).or(due_of_release),
        samples: &samples,
        kept_since,
        since: Some(&(moment, since)),
        quiet,
        attached,
        in_no_run: request
            .in_no_run
            .as_ref()
            .map(|(suites, range)| (&suites[..], *range)),
        not_read: request.not_read,
        with_names: request.with_names,
        links: profile.web_url.as_deref().filter(|_| request.with_links),
        now,
    }))
}

/// Dates the counts of a run by its edit where no reading shows when they came: the same data gives the same report.
fn dated(run: &RunRow, mut told: Vec<Sample>) -> Vec<Sample> {
    let Some(at) = run.edited_on else { return told };
    let now = Sample::of(
        run,
        told.last().map_or(at, |last| at.max(last.seen_until + 1)),
    );
    if told.last().is_none_or(|last| !last.tells_as(&now)) {
        told.push(now);
    } else if told.iter().all(|it| it.tells_as(&now))
        && let Some(first) = told.first_mut()
    {
        first.at = first.at.min(at);
    }
    told
}

/// Lets runs whose counts never moved begin with the first of those that moved, else with the newest edit: an edit of
/// before is no reading of all.
fn not_before_others(samples: &mut [(DocRef, Vec<Sample>)]) {
    let moves = |samples: &[Sample]| samples.iter().any(|it| it.counts != samples[0].counts);
    let moved = samples.iter().filter(|(_, samples)| moves(samples));
    let newest = || {
        samples
            .iter()
            .flat_map(|(_, samples)| samples)
            .map(|it| it.at)
            .max()
    };
    let first = moved.map(|(_, samples)| samples[0].at).min();
    let Some(first) = first.or_else(newest) else {
        return;
    };
    for (_, samples) in samples {
        let first = samples.get(1).map_or(first, |next| first.min(next.at));
        if let (false, Some(begin)) = (moves(samples), samples.first_mut()) {
            begin.at = begin.at.max(first);
            begin.seen_until = begin.seen_until.max(begin.at);
        }
    }
}
