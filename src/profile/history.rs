//! Samples and runs of a profile that are kept on this machine.

use std::cmp::Reverse;
use std::path::Path;

use crate::config::Profile;
use crate::disk::database::{DatabaseError, Done};
use crate::domain::compare::KeptSuites;
use crate::domain::{DocRef, Sample, Sums};
use crate::forecast::{Calibration, Settings};
use crate::mirror::{OwnRecord, Run, RunCache, RunsOrigin, closed};
use crate::ops::now;
use crate::samples::{Counts, RunHistory, Samples};

/// Most runs whose forecasts are compared with their ends.
const CALIBRATED: usize = 60;

/// Opens the history of the runs of a profile. Blocks.
pub fn history(profile: &Profile, source: &RunsOrigin, folder: &Path) -> Done<RunHistory> {
    let samples = Samples::open(folder, profile.monitor.samples_days, now())?;
    Ok(RunHistory {
        profile: samples.name_of(&profile.name, &source.service)?,
        samples,
        scope: profile.scope(),
        source: source.key(),
    })
}

/// Returns the newest suites that are kept of a run. Blocks.
pub fn kept_suites(
    profile: &Profile,
    source: &RunsOrigin,
    folder: &Path,
    run: &DocRef,
) -> Option<KeptSuites> {
    let kept = history(profile, source, folder).and_then(|it| it.suites(run));
    kept.ok()?.into_iter().next()
}

/// Returns those of some runs that are kept, gone ones included; none without a readable cache of the profile. Blocks.
pub fn kept_runs(
    profile: &Profile,
    source: &RunsOrigin,
    folder: &Path,
    runs: &[DocRef],
) -> Vec<Run> {
    let file = source.file(folder);
    if !profile.cache || !file.exists() {
        return Vec::new();
    }
    let kept = RunCache::of_file(&file).and_then(|cache| cache.some(runs));
    kept.unwrap_or_else(|error| {
        tracing::warn!(%error, "kept runs could not be read");
        Vec::new()
    })
}

/// Calibration of the runs of a profile and scope that ended last; `own` are the writes of this machine.
pub fn calibration(
    counts: Counts<'_>,
    own: &[OwnRecord],
    settings: &Settings,
) -> Result<Calibration, DatabaseError> {
    let closed = closed(counts.samples, own)?;
    let newest = counts.newest_before(i64::MAX)?;
    let is_over = |(run, newest): &(DocRef, Sample)| {
        let sums = newest.sums(&settings.done).filter(|sums| sums.total > 0);
        let left = sums.map(Sums::left);
        left == Some(0) || left.is_some() && closed.contains_key(run)
    };
    let mut ended: Vec<_> = newest.into_iter().filter(is_over).collect();
    ended.sort_by_key(|(_, newest)| Reverse(newest.at));
    let mut found = Calibration::default();
    for (run, _) in ended.iter().take(CALIBRATED) {
        let kept = counts.of(run, i64::MIN)?;
        found.add(&kept, closed.get(run).copied(), settings);
    }
    Ok(found)
}
