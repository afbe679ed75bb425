//! Where the data is thin nothing is forecast, and the reason is said.

use crate::support::With as _;
use jiff::tz::TimeZone;
use rundown::domain::Sample;
use rundown::forecast::{NoForecast, Outlook, Settings, forecast};

use super::always;
use super::world::{DAY, HOUR, MINUTE, NOW, even, keep, sample};

fn why(samples: &[Sample], now: i64, settings: &Settings) -> NoForecast {
    match forecast(samples, now, settings) {
        Outlook::Refused(why) => why,
        other => panic!("{other:?}"),
    }
}

fn words(samples: &[Sample], now: i64) -> String {
    forecast(samples, now, &always()).words(now, &TimeZone::UTC)
}

#[test]
fn too_little_is_known() {
    assert_eq!(
        words(&[], NOW),
        "no forecast: needs 2 h of readings (none so far)"
    );
    assert_eq!(
        words(&[sample(NOW, 0, 0)], NOW),
        "no forecast: there are no cases"
    );
    let four: Vec<Sample> = (0..4)
        .map(|step| sample(NOW - 3 * HOUR + step * HOUR, step as u64, 50))
        .collect();
    assert_eq!(
        words(&four, NOW),
        "no forecast: needs 5 readings with changes in the time that pace_days takes (4 in it)"
    );
    // There is a burn-up to draw.
    assert!(!why(&four, NOW, &always()).is_nothing_yet());
    // Read all the time, of which one sample is kept.
    let still = sample(NOW - 3 * HOUR, 10, 50).with(|it| it.seen_until = NOW);
    assert_eq!(why(&[still], NOW, &always()), NoForecast::Still);
    let five: Vec<Sample> = (0..5)
        .map(|step| sample(NOW - 4 * HOUR + step * HOUR, step as u64, 50))
        .collect();
    assert!(matches!(forecast(&five, NOW, &always()), Outlook::Band(_)));
    assert_eq!(
        words(&even(60, 2 * HOUR - MINUTE, 400), NOW),
        "no forecast: needs 2 h of readings (1 h 59 min so far)"
    );
    assert!(matches!(
        forecast(&even(60, 2 * HOUR, 400), NOW, &always()),
        Outlook::Band(_)
    ));
}

#[test]
fn gaps_do_not_make_up_for_observed_time() {
    let mut samples = Vec::new();
    for day in (0..5).rev() {
        for step in 0..3 {
            keep(
                &mut samples,
                sample(
                    NOW - day * DAY - (2 - step) * 10 * MINUTE,
                    (50 - 10 * day + step) as u64,
                    100,
                ),
            );
        }
    }
    assert_eq!(
        words(&samples, NOW),
        "no forecast: needs 2 h of readings (1 h 40 min so far)"
    );
}

#[test]
fn nothing_goes_on() {
    let mut samples = even(12, 10 * HOUR, 240);
    let last = samples.len() - 1;
    samples[last].seen_until = NOW + 2 * HOUR - MINUTE;
    assert!(
        matches!(
            forecast(&samples, NOW + 2 * HOUR, &always()),
            Outlook::Band(_)
        ),
        "the last was just in time"
    );
    samples[last].seen_until = NOW + 2 * HOUR + MINUTE;
    assert_eq!(
        words(&samples, NOW + 2 * HOUR + MINUTE),
        "no forecast: no case was finished in the last 2 h"
    );
    // Cases change hands without being finished.
    let mut busy = samples.clone();
    busy.push(sample(NOW + 3 * HOUR, 120, 240).with(|it| it.suites = Some(3)));
    assert_eq!(why(&busy, NOW + 3 * HOUR, &always()), NoForecast::Still);
    samples.push(sample(NOW + 3 * HOUR, 100, 240));
    assert_eq!(
        words(&samples, NOW + 3 * HOUR),
        "no forecast: in the last 2 h more cases went back than were finished"
    );
}

#[test]
fn counts_are_gone() {
    let mut samples = even(12, 10 * HOUR, 240);
    samples.push(sample(NOW + MINUTE, 0, 1).with(|it| it.counts = None));
    assert_eq!(
        words(&samples, NOW + MINUTE),
        "no forecast: no results: the service does not send them"
    );
    // They come back: what lay between is left out.
    samples.push(sample(NOW + HOUR, 125, 240));
    let Outlook::Band(band) = forecast(&samples, NOW + HOUR, &always()) else {
        panic!()
    };
    assert_eq!((band.gaps, band.left), (1, 115));
    assert!(
        (band.observed - 10.0).abs() < 0.01 && (band.pace - 12.0).abs() < 0.01,
        "{band:?}"
    );
}

#[test]
fn what_was_seen_is_old() {
    let samples = even(12, 10 * HOUR, 240);
    assert!(matches!(
        forecast(&samples, NOW + 2 * HOUR, &always()),
        Outlook::Band(_)
    ));
    assert_eq!(
        words(&samples, NOW + 2 * HOUR + 1),
        "no forecast: needs a reading of the last 2 h (the newest is 2 h old)"
    );
    assert_eq!(
        words(&samples, NOW + 50 * HOUR),
        "no forecast: needs a reading of the last 2 h (the newest is 50 h old)"
    );
}

#[test]
fn the_pace_says_nothing() {
    // Everything in one of many hours, and that just now.
    let mut samples: Vec<Sample> = even(1, 6 * HOUR, 240)
        .into_iter()
        .map(|it| Sample {
            ..sample(it.at, 0, 240)
        })
        .collect();
    samples.truncate(1);
    samples[0].seen_until = NOW - HOUR;
    for step in 1..=5 {
        samples.push(sample(NOW - HOUR + step * MINUTE, step as u64, 240));
    }
    samples[5].seen_until = NOW;
    assert_eq!(words(&samples, NOW), "no forecast: the pace is too uneven");
    let forever = sample(NOW + MINUTE, 121, u64::MAX);
    let mut samples = even(12, 10 * HOUR, 240);
    samples.push(forever);
    assert_eq!(
        words(&samples, NOW + MINUTE),
        "no forecast: at this pace it takes more than 10 years"
    );
}
