//! When a run will be done: bands that hold the truth, and refusals with their reasons.

mod calibration;
mod charts;
mod odd;
mod refusals;
mod share;
mod sum;
mod time;
mod world;

use crate::support::prelude::*;
use crate::support::samples_of::usual;
use rundown::domain::{HoursOfDay, Sample, WorkingHours};
use rundown::forecast::{Band, Outlook, Settings, forecast, what_if};

use world::{HOUR, MINUTE, NOW, even, sample};

fn always() -> Settings {
    let hours = WorkingHours {
        hours: HoursOfDay::Always,
        days: None,
    };
    usual(TimeZone::UTC).with(|it| it.hours = hours)
}

fn band(samples: &[Sample], now: i64) -> Band {
    match forecast(samples, now, &always()) {
        Outlook::Band(band) => band,
        other => panic!("{other:?}"),
    }
}

/// Hours from now until the band begins and ends.
fn ahead(samples: &[Sample], now: i64) -> (f64, f64) {
    let band = band(samples, now);
    (
        (band.from - now) as f64 / HOUR as f64,
        (band.to - now) as f64 / HOUR as f64,
    )
}

#[test]
fn an_even_pace_gives_a_narrow_band_around_its_end() {
    // 12 an hour for ten hours, 120 are left.
    let samples = even(12, 10 * HOUR, 240);
    let (soonest, latest) = ahead(&samples, NOW);
    assert!(
        soonest > 7.5 && soonest < 10.0 && latest > 10.0 && latest < 13.5,
        "{soonest} {latest}"
    );
    let band = band(&samples, NOW);
    assert_eq!((band.left, band.used, band.gaps), (120, 121, 0));
    assert!(
        (band.pace - 12.0).abs() < 0.01 && (band.observed - 10.0).abs() < 0.01,
        "{band:?}"
    );
    assert_eq!(
        forecast(&samples, NOW, &always()).words(NOW, &TimeZone::UTC),
        "Wed 16:57 to 21:55"
    );
}

#[test]
fn what_is_finished_is_done() {
    let mut samples = even(12, 10 * HOUR, 120);
    assert_eq!(forecast(&samples, NOW, &always()), Outlook::Done);
    samples.push(sample(NOW + HOUR, 120, 120).with(|it| it.progress = Some(100)));
    let done = forecast(&samples, NOW + 9 * HOUR, &always());
    assert_eq!(done, Outlook::Done, "however long ago");
    assert_eq!(done.words(NOW, &TimeZone::UTC), "done");
    // One more suite came.
    samples.push(sample(NOW + 2 * HOUR, 120, 130));
    samples.push(sample(NOW + 3 * HOUR, 130, 130));
    assert_eq!(forecast(&samples, NOW + 3 * HOUR, &always()), Outlook::Done);
}

#[test]
fn the_codes_that_are_finished_are_set() {
    let samples: Vec<Sample> = (0..=40)
        .map(|step: i64| {
            let mut it = sample(NOW - (40 - step) * 6 * MINUTE, step as u64, 100);
            let counts = it.counts.as_mut().unwrap();
            counts.add(ResultCode::Blocked, 30);
            counts.others.push(("99".into(), String::new(), 7));
            it
        })
        .collect();
    assert_eq!(
        band(&samples, NOW).left,
        97,
        "blocked is open, and so is what nobody knows"
    );
    let settings = Settings {
        done: vec![ResultCode::Passed, ResultCode::Blocked],
        ..always()
    };
    let Outlook::Band(band) = forecast(&samples, NOW, &settings) else {
        panic!()
    };
    assert_eq!(band.left, 67);
}

#[test]
fn more_cases_take_as_long_as_if_they_had_been_there() {
    let samples = even(12, 10 * HOUR, 240);
    let more: Vec<Sample> = samples
        .iter()
        .cloned()
        .map(|mut it| {
            it.counts.as_mut().unwrap().add(ResultCode::Untested, 36);
            it
        })
        .collect();
    let (Outlook::Band(what_if), Outlook::Band(had)) = (
        what_if(&samples, NOW, &always(), 36),
        forecast(&more, NOW, &always()),
    ) else {
        panic!()
    };
    assert_eq!(what_if, had);
    assert_eq!(what_if.left, 156);
    assert!(what_if.to > band(&samples, NOW).to + 2 * HOUR);
}

#[test]
fn growth_is_a_step_and_no_step_back() {
    let grown: Vec<Sample> = even(12, 10 * HOUR, 240)
        .into_iter()
        .map(|mut it| {
            if it.at > NOW - 4 * HOUR {
                it.counts.as_mut().unwrap().add(ResultCode::Untested, 24);
            }
            it
        })
        .collect();
    let (before, after) = (band(&even(12, 10 * HOUR, 240), NOW), band(&grown, NOW));
    assert!((before.pace - after.pace).abs() < 1e-9);
    assert_eq!(
        (after.left, after.grew.len(), after.grew[0].1),
        (144, 1, 24)
    );
    assert!((0..=5 * MINUTE).contains(&(after.grew[0].0 - (NOW - 4 * HOUR))));
    let basis = after.basis(NOW, &TimeZone::UTC);
    assert_eq!(
        basis,
        [
            "144 cases left",
            "121 samples used",
            "scope grew by 24 today",
            "counting all hours"
        ]
    );
}

/// The samples with other counts in the last four hours: cases done and all.
fn changed(samples: Vec<Sample>, to: fn(u64) -> (u64, u64)) -> Vec<Sample> {
    let change = |it: Sample| {
        if it.at <= NOW - 4 * HOUR {
            return it;
        }
        let (done, total) = to(it.sums(&[ResultCode::Passed]).unwrap().done);
        sample(it.at, done, total)
    };
    samples.into_iter().map(change).collect()
}

#[test]
fn cases_that_leave_with_their_results_are_no_step_back() {
    // A suite of 30 leaves, 20 of them finished.
    let shrunk = changed(even(12, 10 * HOUR, 240), |done| (done - 20, 210));
    let (before, after) = (band(&even(12, 10 * HOUR, 240), NOW), band(&shrunk, NOW));
    // The case that was finished in the same five minutes is lost in it.
    assert!(
        (before.pace - after.pace).abs() < 0.11,
        "{} {}",
        before.pace,
        after.pace
    );
    assert_eq!((after.left, after.grew[0].1), (110, -30));
}

#[test]
fn cases_that_go_back_to_retest_slow_the_pace() {
    let retested = changed(even(12, 10 * HOUR, 240), |done| (done - 30, 240));
    let (before, after) = (band(&even(12, 10 * HOUR, 240), NOW), band(&retested, NOW));
    assert_eq!((after.left, after.grew.len()), (150, 0));
    assert!((after.pace - 9.0).abs() < 0.01, "{}", after.pace);
    assert!(
        after.to - after.from > 2 * (before.to - before.from),
        "and make it less sure"
    );
}

#[test]
fn results_imported_once_are_no_pace() {
    let imported = changed(even(12, 10 * HOUR, 640), |done| (done + 300, 640));
    let (soonest, latest) = ahead(&imported, NOW);
    // 220 are left at 12 an hour.
    assert!(
        soonest < 18.3 && latest > 18.3 && soonest > 10.0 && latest < 30.0,
        "{soonest} {latest}"
    );
}
