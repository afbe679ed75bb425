//! `rundown since`: changes of the runs since a time.

use jiff::Zoned;

use super::gate_release::no_run_of;
use super::prelude::*;
use super::sync::{CacheReading, history, kept, own_writes, state_folder};
use super::wrapped;
use crate::cli::{SinceFormat, SinceOptions};
use crate::domain::query_language::past;
use crate::domain::since::NotCounted;
use crate::forecast;
use crate::mirror::SinceQuery;

/// Parses the time (epoch milliseconds), before anything else is done.
pub fn moment(options: &SinceOptions) -> Ran<i64> {
    const EXAMPLES: &str =
        "-3h, -2d, yesterday, fri, 'fri 17:28', '25.11. 09:00', 2026-11-20, 09:30";
    past(&options.moment, &Zoned::now(), EXAMPLES).map_err(|wrong| Exit::Usage.because(wrong))
}

/// Reads the open runs and the edits, and prints the changes.
pub async fn since(access: &mut Access, profile: &Profile, options: &SinceOptions) -> Ran {
    let at = moment(options)?;
    let mut sync = CacheReading::begun(access, profile, false).await?;
    sync.bring(access, profile.page_size).await?;
    tell(&mut sync.mirror, profile, options, at, false)
}

/// Prints the changes known from earlier readings.
pub fn local(profile: &Profile, options: &SinceOptions) -> Ran {
    let at = moment(options)?;
    let state = state_folder()?;
    let mut mirror = kept(profile, Some(history(profile, &state)?))?;
    mirror.wrote(own_writes(&state));
    tell(&mut mirror, profile, options, at, true)
}

/// Prints them; counts that are not of now say of when they are.
fn tell(
    mirror: &mut Mirror,
    profile: &Profile,
    options: &SinceOptions,
    moment: i64,
    is_local: bool,
) -> Ran {
    let version = options
        .version
        .clone()
        .or_else(|| profile.project_version.clone())
        .filter(|_| !options.all_versions);
    if let Some(version) = &version
        && !mirror.has_run_of(version)
    {
        let where_looked =
            " among those read so far; rundown sync --all reads the closed ones, too";
        return Err(no_run_of(version, where_looked));
    }
    let watch = &profile.watch;
    let here = Now {
        ms: now(),
        zone: TimeZone::system(),
    };
    let asked = SinceQuery {
        moment: Some(moment),
        version: version.clone(),
        days: watch
            .hours
            .days_before(here.ms, &here.zone, watch.quiet_days),
    };
    let is_old = |at, moment| forecast::is_old(at, moment, watch.hours, &here.zone);
    let since = mirror
        .since(&asked, (here.ms, &here.zone), &watch.done, is_old)?
        .since;
    let nothing = since.lines.iter().all(|line| line.then_at.is_none());
    let mut why = since.not_counted.iter().map(|(_, why)| *why);
    if nothing && !since.not_counted.is_empty() && why.all(|why| why == NotCounted::NotReadBefore) {
        note(
            "no counts from before that are kept on this machine: rundown sync keeps them from now on",
        );
    }
    let when = |at| here.when(at);
    let mut summary = since
        .summary(moment, &profile.place(), version.as_deref(), when)
        .written(&here.in_full());
    if let Some(at) = since.counted_at.filter(|_| is_local) {
        summary
            .head
            .insert(2, format!("Oldest counts read {}", when(at)));
    }
    print(&match options.format {
        SinceFormat::Json => summary.text(Format::Json),
        SinceFormat::Text => wrapped(&summary.text(Format::Table), 0),
        SinceFormat::Markdown => summary.text(Format::Markdown),
    })
}
