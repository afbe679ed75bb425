//! Bands hold the truth at least as often as they say, over many seeds.

use crate::support::With as _;
use crate::support::samples_of::usual;
use jiff::tz::TimeZone;
use rundown::domain::{HoursOfDay, Sample, WorkingHours};
use rundown::forecast::{Outlook, Settings, forecast};

use super::always;
use super::world::{Chance, DAY, HOUR, MINUTE, NOW, Team, day_and_night, office, watched};

/// What came out over many seeds.
#[derive(Debug, Default)]
struct Score {
    held: u32,
    given: u32,
    refused: u32,
    widths: Vec<f64>,
}

impl Score {
    /// One forecast at `now`, against what will happen.
    fn count(&mut self, samples: &[Sample], now: i64, settings: &Settings, truth: i64) {
        match forecast(samples, now, settings) {
            Outlook::Band(band) => {
                assert!(band.from <= band.to && band.from >= now, "{band:?}");
                self.given += 1;
                self.held += u32::from((band.from..=band.to).contains(&truth));
                self.widths
                    .push((band.to - band.from) as f64 / (truth - now).max(HOUR) as f64);
            }
            Outlook::Refused(_) => self.refused += 1,
            done @ Outlook::Done => panic!("{done:?}"),
        }
    }

    fn share(&self) -> f64 {
        f64::from(self.held) / f64::from(self.given)
    }

    /// How wide one of them in the middle is, as a multiple of what is ahead.
    fn width(&self) -> f64 {
        let mut widths = self.widths.clone();
        widths.sort_by(f64::total_cmp);
        widths.get(widths.len() / 2).copied().unwrap_or_default()
    }
}

/// How many are tried.
fn seeds() -> u64 {
    crate::support::cases(40).into()
}

/// A team that begins at a time, watched until now with so many cases left.
fn score(team: Team, long: i64, left: usize, look: i64, seeds: u64) -> Score {
    let mut score = Score::default();
    for seed in 0..seeds {
        let mut chance = Chance::new(seed);
        // More than will be needed; how many were there shows when the time has come.
        let mut finished = team.finish(
            NOW - long,
            (team.rate * long as f64 / HOUR as f64 * 3.0) as usize + left + 50,
            &mut chance,
        );
        let done = finished.partition_point(|at| *at <= NOW);
        finished.truncate(done + left);
        let truth = finished[finished.len() - 1];
        let samples = watched(
            &finished,
            finished.len() as u64,
            (0..=long / look).rev().map(|step| NOW - step * look),
        );
        score.count(&samples, NOW, &always(), truth);
    }
    score
}

fn holds(name: &str, team: Team, times: &[i64], lefts: &[usize], look: i64) {
    let mut wrong = Vec::new();
    let mut given = 0;
    for long in times {
        for left in lefts {
            let score = score(team, *long, *left, look, seeds());
            given += score.given;
            if score.given >= seeds() as u32 / 2 && score.share() < 0.8 {
                wrong.push(format!("{name}: {} h, {left} left: {score:?}", long / HOUR));
            }
            // One that says nothing would be right, too.
            if *long >= 10 * HOUR && score.given < seeds() as u32 / 2 {
                wrong.push(format!(
                    "{name}: {} h, {left} left, too few forecasts: {score:?}",
                    long / HOUR
                ));
            }
            // A band over everything would hold the truth, too.
            if *long >= 10 * HOUR && *left >= 40 && score.width() > 5.0 {
                wrong.push(format!(
                    "{name}: {} h, {left} left, too wide: {score:?}",
                    long / HOUR
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(given > 0, "{name}");
}

const TIMES: [i64; 4] = [5 * HOUR / 2, 4 * HOUR, 10 * HOUR, 24 * HOUR];

/// Teams of these rates that work day and night, looked at each minute.
fn watched_closely(name: &str, batch: f64, rates: &[f64], lefts: &[usize]) {
    for rate in rates.iter().copied() {
        let team = Team {
            rate,
            batch,
            works: day_and_night,
        };
        holds(&format!("{name} {rate}"), team, &TIMES, lefts, MINUTE);
    }
}

#[test]
fn an_even_pace() {
    watched_closely("even", 0.0, &[2.0, 9.0, 60.0], &[1, 5, 40, 300]);
}

#[test]
fn cases_that_come_by_chance() {
    watched_closely("by chance", 1.0, &[2.0, 9.0, 60.0], &[1, 5, 40, 300]);
}

#[test]
fn cases_that_come_together() {
    watched_closely("together", 5.0, &[9.0, 60.0], &[5, 40, 300]);
}

#[test]
fn looking_rarely_changes_little() {
    for look in [10 * MINUTE, HOUR] {
        let team = Team {
            rate: 9.0,
            batch: 1.0,
            works: day_and_night,
        };
        holds(
            &format!("looked at every {} min", look / MINUTE),
            team,
            &[10 * HOUR, 24 * HOUR],
            &[5, 40, 300],
            look,
        );
    }
}

/// Two weeks of a team with nights and weekends; asked at any time at which somebody looks.
fn office_score(watches: fn(i64) -> bool, settings: &Settings, left: usize, days: i64) -> Score {
    let team = Team {
        rate: 6.0,
        batch: 1.0,
        works: office,
    };
    let mut score = Score::default();
    for seed in 0..seeds() {
        let mut chance = Chance::new(seed);
        let (begin, mut now) = (
            NOW - days * DAY,
            NOW + (chance.share() * 7.0 * DAY as f64) as i64,
        );
        while !office(now) {
            now += HOUR;
        }
        let mut finished = team.finish(begin, 1_500 + left, &mut chance);
        let done = finished.partition_point(|at| *at <= now);
        assert!(done + left <= finished.len());
        finished.truncate(done + left);
        let truth = finished[finished.len() - 1];
        let looks = (begin..=now)
            .step_by(10 * MINUTE as usize)
            .filter(|at| watches(*at))
            .chain([now]);
        score.count(
            &watched(&finished, finished.len() as u64, looks),
            now,
            settings,
            truth,
        );
    }
    score
}

#[test]
fn nights_and_weekends_are_learned_or_set() {
    let learned = usual(TimeZone::UTC);
    let hours = WorkingHours {
        hours: HoursOfDay::Set {
            from: 8 * 60,
            to: 18 * 60,
        },
        days: None,
    };
    let set = usual(TimeZone::UTC).with(|it| it.hours = hours);
    let begins_late = |at: i64| office(at) && at.rem_euclid(DAY) / HOUR >= 9;
    for (name, watches) in [
        ("always on", day_and_night as fn(i64) -> bool),
        ("on at work", office),
        ("on from nine", begins_late),
    ] {
        for (settings, how) in [(&learned, "learned"), (&set, "set")] {
            for left in [10, 60, 300] {
                let score = office_score(watches, settings, left, 10);
                assert!(
                    score.share() >= 0.8 && score.given > seeds() as u32 * 3 / 4,
                    "{name}, {how}, {left} left: {score:?}"
                );
            }
        }
    }
}

#[test]
fn counting_all_hours_would_be_wrong_for_an_office() {
    let score = office_score(office, &always(), 60, 10);
    assert!(
        score.share() < 0.8,
        "why hours are learned unless they are set: {score:?}"
    );
}
