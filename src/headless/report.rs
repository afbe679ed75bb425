//! `rundown report`: the report of a release as one file.

use std::path::Path;

use clap::ValueEnum;

use super::gate_release::{criteria_of, runs_of};
use super::output::output_file;
use super::prelude::*;
use super::sync::state_folder;
use crate::cli::ReportOptions;
use crate::disk::database::Done;
use crate::domain::Sample;
use crate::domain::release::{ReportFormat, ReportRequest};
use crate::profile::{history, origin, report as made};

/// Returns the format of `--format`, else of the ending of the `--output` file.
pub fn format(options: &ReportOptions) -> Ran<ReportFormat> {
    let file = output_file();
    let ending = file.and_then(|it| it.extension()?.to_str());
    let by_ending = |ending: &str| {
        ReportFormat::from_str(ending, true).map_err(|_| {
            Exit::Usage.because(format!(
                "--output: the ending .{} says no format; expected .html, .md or .json, or --format",
                text::plain(ending)
            ))
        })
    };
    match (options.format, ending) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(ReportFormat::Html),
        (None, Some(ending)) => by_ending(ending),
    }
}

/// Reads the runs of the version and prints their report.
pub async fn report(access: &mut Access, profile: &Profile, options: &ReportOptions) -> Ran {
    let format = format(options)?;
    let version = options.version.trim();
    if options.links && profile.web_url.is_none() {
        let name = text::toml_key(&profile.name);
        let words = format!("--links: web_url is not set in [profiles.{name}]");
        return Err(Exit::Usage.because(words));
    }
    if options.criteria {
        criteria_of(profile)?;
    }
    let runs = runs_of(access, profile, version).await?;
    let read_at = now();
    let state = state_folder()?;
    if let Err(why) = keep_counts(profile, &state, &runs, read_at) {
        note(&format!("what was read is not kept here: {why}"));
    }
    let in_no_run = if options.read_suites {
        Some(access.in_no_run(version, &runs).await?)
    } else {
        None
    };
    let runs = runs.into_iter().map(|row| {
        let counted_at = row.results.is_some().then_some(read_at);
        (row, counted_at)
    });
    let suites = in_no_run.as_ref();
    let suites = suites.map(|it| (it.suites.clone().into(), it.range(it.suites.len())));
    let request = ReportRequest {
        version: version.to_owned(),
        runs: runs.collect(),
        read_at: Some(read_at),
        is_complete: true,
        in_no_run: suites,
        not_read: in_no_run
            .iter()
            .flat_map(|it| it.doubts(it.suites.len()))
            .collect(),
        with_names: options.names,
        with_links: options.links,
        with_typed_dates: !options.criteria,
        format,
    };
    let cache = cache_dir();
    let folders = (&*state, cache.as_deref());
    let made = made(profile, &origin(profile), folders, request)?;
    print(&made.text(format))?;
    match made.is_ready {
        Some(false) if options.criteria => {
            Err(Exit::Failed.because("not all criteria are met: the report says which"))
        }
        None if options.criteria => Err(Exit::NotDecidable
            .because("whether the criteria are met is not known: the report says of which")),
        _ => Ok(()),
    }
}

/// Keeps counts beside earlier ones, so that the next report of the same ones dates them the same.
fn keep_counts(profile: &Profile, state: &Path, runs: &[RunRow], read_at: i64) -> Done {
    let counted = runs.iter().filter(|run| run.results.is_some());
    let samples = counted.map(|run| (&run.doc_ref, Sample::of(run, read_at)));
    let samples: Vec<_> = samples.collect();
    // The report says why nothing is kept.
    let Ok(history) = history(profile, &origin(profile), state) else {
        return Ok(());
    };
    // Since when all is kept the readings of all say, not those of one version.
    if history.counts().first()?.is_none() {
        return Ok(());
    }
    let samples = samples.iter().map(|(run, sample)| (*run, sample));
    history.counts().add_all(samples).map(|_| ())
}
