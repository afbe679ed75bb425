//! Accuracy of forecasts: those of each morning of runs that have ended, as they would have been shown.

use super::{Outlook, Settings, forecast};
use crate::domain::text::count;
use crate::domain::{HoursOfDay, Sample, Sums};

/// Minimum number of forecasts for a statement.
const FORECASTS: usize = 10;
/// Minimum number of runs for a statement.
const RUNS: usize = 5;
/// First minute of a morning, unless working hours are set.
const MORNING: u16 = 8 * 60;
/// Maximum number of working days of a run.
const DAYS: usize = 60;
const DAY: i64 = 86_400_000;
const MINUTE: i64 = 60_000;

/// Results of forecasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    pub forecasts: usize,
    /// Runs of the forecasts.
    pub runs: usize,
    /// Forecasts whose band contains the end.
    pub held: usize,
}

impl Calibration {
    /// Adds the samples of a run that is finished, or was closed (epoch milliseconds) with cases left: no forecast was right
    /// then.
    pub fn add(&mut self, samples: &[Sample], closed: Option<i64>, settings: &Settings) {
        let Some(last) = samples.last() else { return };
        let left = |sample: &Sample| sample.sums(&settings.done).map(Sums::left);
        let finished = samples.iter().rev().take_while(|it| left(it) == Some(0));
        let end = finished.last().map(|it| it.at);
        let until = end.or(closed).unwrap_or(last.seen_until);
        let days = settings
            .hours
            .days_before(until + DAY, &settings.zone, DAYS);
        let begin = match settings.hours.hours {
            HoursOfDay::Set { from, .. } => from,
            HoursOfDay::Learned | HoursOfDay::Always => MORNING,
        };
        let mut forecasts = 0;
        for (from, to) in days {
            let morning = from + i64::from(begin) * MINUTE;
            // The first reading of that morning, and all before it.
            let Some(place) = samples.iter().position(|it| it.seen_until >= morning) else {
                continue;
            };
            let at = samples[place].at.max(morning);
            if at >= to.min(until) {
                continue;
            }
            let mut known = samples[..=place].to_vec();
            if let Some(newest) = known.last_mut() {
                newest.seen_until = at;
            }
            if let Outlook::Band(band) = forecast(&known, at, settings) {
                forecasts += 1;
                let is_in = |end: i64| (band.from..=band.to).contains(&end);
                self.held += usize::from(end.is_some_and(is_in));
            }
        }
        self.forecasts += forecasts;
        self.runs += usize::from(forecasts > 0);
    }

    /// `Of 41 forecasts for 9 runs here 34 held`; `None` if there are too few.
    pub fn words(&self) -> Option<String> {
        let is_enough = self.forecasts >= FORECASTS && self.runs >= RUNS;
        is_enough.then(|| {
            let forecasts = count(self.forecasts, "forecast");
            let runs = count(self.runs, "run");
            format!("Of {forecasts} for {runs} here {} held", self.held)
        })
    }
}
