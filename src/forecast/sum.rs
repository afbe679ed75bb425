//! Forecast of the end of all runs of a release: the finished cases of each, added up over the time in which all were
//! read.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::calendar::{Calendar, Counted, PAST};
use super::track::{Between, Track, between, difference};
use super::{Band, HOUR, NoForecast, Outlook, Settings, band, counted, forecast};
use crate::domain::{DocRef, ResultCode, RunRow, Sample, Sums, json, local};

/// Counted run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumRun {
    pub run: DocRef,
    /// Name for the user.
    pub name: String,
    pub is_open: bool,
    /// Unfinished cases now, if known.
    pub left: Option<u64>,
    /// The last reading had results.
    pub has_results: bool,
}

impl SumRun {
    pub fn of(run: &RunRow, done: &[ResultCode]) -> Self {
        Self {
            run: run.doc_ref.clone(),
            name: run.name().to_owned(),
            is_open: !run.is_closed(),
            left: run.sums(done).map(Sums::left),
            has_results: run.results.is_some(),
        }
    }
}

/// Run with its samples, in the order of the readings.
type Sampled<'a> = (&'a SumRun, &'a [Sample]);

/// Forecast of all runs together, and of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Finish {
    pub outlook: Outlook,
    pub counted: Counted,
    /// Forecast of each run by itself.
    pub alone: HashMap<DocRef, Outlook>,
}

/// Forecasts the end of runs by their samples, each in the order of the readings. Left are the cases of open runs now;
/// finished ones of closed runs count in the pace.
pub fn finish(runs: &[(SumRun, Vec<Sample>)], now: i64, settings: &Settings) -> Finish {
    let runs: Vec<Sampled<'_>> = runs
        .iter()
        .map(|(run, samples)| (run, settings.recent(samples, now)))
        .collect();
    let samples: Vec<&[Sample]> = runs.iter().map(|(_, samples)| *samples).collect();
    let counted = counted(&samples, settings);
    let first = samples
        .iter()
        .copied()
        .flatten()
        .map(|sample| sample.at)
        .min()
        .unwrap_or(now)
        .max(now.saturating_sub(PAST));
    let calendar = Calendar::spanning(counted, &settings.zone, Some((first, now)));
    let outlook =
        outlook(&runs, &samples, now, (&calendar, settings)).unwrap_or_else(Outlook::Refused);
    let alone = |(run, samples): &Sampled<'_>| (run.run.clone(), forecast(samples, now, settings));
    Finish {
        alone: runs.iter().map(alone).collect(),
        outlook,
        counted,
    }
}

impl Finish {
    /// Returns the middle of the forecast of each run that was read enough for one, epoch milliseconds; `None` where it
    /// is refused.
    pub fn ends(&self) -> HashMap<DocRef, Option<i64>> {
        let end = |(run, alone): (&DocRef, &Outlook)| match alone {
            Outlook::Refused(why) if why.is_of_few() => None,
            alone => Some((run.clone(), alone.band().map(|band| band.middle))),
        };
        self.alone.iter().filter_map(end).collect()
    }

    pub fn json(&self) -> Value {
        match &self.outlook {
            Outlook::Done => json!({"state": "done"}),
            Outlook::Refused(why) => json!({"state": "refused", "why": why.to_string()}),
            Outlook::Band(band) => json!({
                "state": "band", "from": json::time(band.from), "middle": json::time(band.middle),
                "to": json::time(band.to), "pace": band.pace, "left": band.left
            }),
        }
    }

    /// Removes the forecasts if the newest change of a count was 2 counted hours before the reading (epoch
    /// milliseconds): their ends may have passed.
    #[must_use]
    pub fn unless_still(mut self, moved: i64, read_at: i64, zone: &TimeZone) -> Self {
        let read_at = read_at.max(moved);
        let calendar = Calendar::spanning(self.counted, zone, Some((moved, read_at)));
        let is_still = calendar.between(moved, read_at) > Sample::GAP;
        if is_still {
            let all = std::iter::once(&mut self.outlook).chain(self.alone.values_mut());
            for band in all.filter(|it| matches!(it, Outlook::Band(_))) {
                *band = Outlook::Refused(NoForecast::Still);
            }
        }
        self
    }
}

/// Returns the cases to finish in each counted hour to be done in time; `None` if no such hour is left.
pub fn pace_needed(
    left: u64,
    (now, due): (i64, i64),
    counted: Counted,
    zone: &TimeZone,
) -> Option<f64> {
    let until = Calendar::spanning(counted, zone, Some((now, due))).between(now, due);
    (until > 0).then(|| left as f64 * HOUR / until as f64)
}

impl Band {
    /// Returns the cases to finish in each counted hour from the time of the counts on, to be done by a due date (epoch
    /// milliseconds); `None` if that is over.
    pub fn needed(&self, due: i64, now: i64, zone: &TimeZone) -> Option<f64> {
        let needed = pace_needed(self.left, (self.as_of, due), self.counted, zone);
        needed.filter(|_| now < due)
    }
}

fn outlook(
    runs: &[Sampled<'_>],
    samples: &[&[Sample]],
    now: i64,
    (calendar, settings): (&Calendar<'_>, &Settings),
) -> Result<Outlook, NoForecast> {
    let open = runs.iter().filter(|(run, _)| run.is_open);
    let unfinished = open.clone().filter(|(run, _)| run.left != Some(0));
    let is_read = |samples: &[Sample]| {
        let age = |last: &Sample| calendar.between(last.seen_until, now);
        samples.last().is_some_and(|last| age(last) <= Sample::GAP)
    };
    let is_untold = |(run, samples): &Sampled<'_>| {
        let has_counts = samples.last().is_some_and(|last| last.counts.is_some());
        run.left.is_none()
            || !(if is_read(samples) {
                has_counts
            } else {
                run.has_results
            })
    };
    let names = |is: &dyn Fn(&Sampled<'_>) -> bool| {
        let runs = unfinished.clone().filter(|run| is(run));
        runs.map(|(run, _)| run.name.clone()).collect::<Vec<_>>()
    };
    let without_results = names(&is_untold);
    if !without_results.is_empty() {
        return Err(NoForecast::NoResults(without_results));
    }
    let unread = names(&|(_, samples)| !is_read(samples));
    if !unread.is_empty() {
        return Err(NoForecast::NotRead(unread));
    }
    let left = open
        .filter_map(|(run, _)| run.left)
        .fold(0, u64::saturating_add);
    if left == 0 {
        let has_none = |last: &Sample| last.total() == Some(0);
        let has_none = |(_, samples): &Sampled<'_>| samples.last().is_some_and(has_none);
        return if runs.iter().all(has_none) {
            Err(NoForecast::NoCases)
        } else {
            Ok(Outlook::Done)
        };
    }
    let seen = unfinished.filter_map(|(_, samples)| Some(samples.last()?.seen_until));
    let begin = seen.max().unwrap_or(now).min(now);
    let track = track(runs, calendar, settings);
    band(track, calendar, left, (begin, now), samples)
}

/// Changes at a time.
#[derive(Default)]
struct Moment {
    at: i64,
    /// Change of the number of runs that are read.
    read: i64,
    /// Change of the number of runs with a gap.
    gaps: i64,
    /// Cases finished since the last reading.
    finished: i64,
    /// A sample with counts.
    is_sample: bool,
    /// Change of the number of all cases.
    grew: i64,
}

/// Returns the progress of all runs, without times in which an open one with cases left was not read.
fn track(runs: &[Sampled<'_>], calendar: &Calendar<'_>, settings: &Settings) -> Track {
    let mut moments = Vec::new();
    let mut stretch = |from: i64, to: i64, read: i64, gaps: i64| {
        let (from, to) = (from.min(to), from.max(to));
        for (at, sign) in [(from, 1), (to, -1)] {
            moments.push(Moment {
                at,
                read: read * sign,
                gaps: gaps * sign,
                ..Moment::default()
            });
        }
    };
    let mut lines = Vec::new();
    for (run, samples) in runs {
        let is_left = |sample: &Sample| {
            let left = sample.sums(&settings.done).map(Sums::left);
            run.is_open && left != Some(0)
        };
        for (place, sample) in samples.iter().enumerate() {
            let gap = i64::from(sample.counts.is_none() && is_left(sample));
            stretch(sample.at, sample.seen_until, 1 - gap, gap);
            let mut moment = Moment {
                at: sample.at,
                is_sample: sample.counts.is_some(),
                ..Moment::default()
            };
            if let Some(before) = samples[..place].last() {
                let unseen = calendar.between(before.seen_until, sample.at);
                match between(before, sample, unseen, &settings.done) {
                    Between::Seen(finished) => {
                        stretch(before.seen_until, sample.at, 1, 0);
                        moment.finished = finished;
                    }
                    _ => stretch(before.seen_until, sample.at, 0, is_left(before).into()),
                }
                if let (Some(a), Some(b)) = (before.total(), sample.total()) {
                    moment.grew = difference(a, b);
                }
            }
            lines.push(moment);
        }
    }
    moments.append(&mut lines);
    moments.sort_by_key(|moment| moment.at);
    add_up(&moments, calendar, settings)
}

/// Observed time since the moment before: its counted milliseconds, and the cases finished.
type Piece = (i64, i64);

fn add_up(moments: &[Moment], calendar: &Calendar<'_>, settings: &Settings) -> Track {
    let mut pieces: Vec<(Option<Piece>, i64, bool, i64)> = Vec::new();
    let (mut read, mut gaps, mut before) = (0, 0, None);
    for same in moments.chunk_by(|a, b| a.at == b.at) {
        let at = same[0].at;
        let sum = |of: fn(&Moment) -> i64| same.iter().map(of).fold(0, i64::saturating_add);
        let counts = read > 0 && gaps == 0;
        let since = before.filter(|_| counts);
        let piece = since.map(|since| (calendar.between(since, at), sum(|it| it.finished)));
        let is_sample = same.iter().any(|it| it.is_sample);
        pieces.push((piece, at, is_sample, sum(|it| it.grew)));
        read += sum(|it| it.read);
        gaps += sum(|it| it.gaps);
        before = Some(at);
    }
    let mut track = Track::empty(calendar, settings);
    let mut was_gap = false;
    for (place, (piece, at, is_sample, grew)) in pieces.into_iter().enumerate().rev() {
        if is_sample {
            track.used += 1;
        }
        match piece {
            Some((milliseconds, finished)) => track.go_back(milliseconds, finished),
            None => track.gaps += usize::from(!was_gap && place > 0),
        }
        was_gap = piece.is_none();
        if track.is_full() {
            break;
        }
        if grew != 0 {
            let day = |at: i64| local(at, calendar.zone()).map(|it| it.date());
            match track.grew.last_mut() {
                Some((last, by)) if day(*last) == day(at) => *by = by.saturating_add(grew),
                _ => track.grew.push((at, grew)),
            }
        }
    }
    track.grew.reverse();
    track
}
