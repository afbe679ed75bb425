//! The trend line and the burn-up.

use rundown::domain::{ResultCode, Sample, Sums};
use rundown::forecast::{Settings, burn_up, pace};

use super::world::{DAY, HOUR, MINUTE, NOW, even, sample};

const DONE: [ResultCode; 4] = Settings::DONE;

#[test]
fn the_trend_has_a_pace_an_hour_and_nothing_where_nobody_looked() {
    let mut samples = even(12, 3 * HOUR, 240);
    samples.push(sample(NOW + 6 * HOUR, 50, 240));
    samples.push(sample(NOW + 6 * HOUR + 30 * MINUTE, 40, 240));
    samples[37].seen_until = NOW + 6 * HOUR + 3 * MINUTE;
    let trend = pace(&samples, NOW + 7 * HOUR, &DONE, 12);
    let rounded: Vec<Option<i64>> = trend
        .iter()
        .map(|it| it.map(|pace| pace.round() as i64))
        .collect();
    // Two before anybody looked, three at work, six nobody looked, one in which ten went back within half an hour.
    let expected = [
        None,
        None,
        Some(12),
        Some(12),
        Some(12),
        None,
        None,
        None,
        None,
        None,
        None,
        Some(-20),
    ];
    assert_eq!(rounded, expected);
    assert_eq!(pace(&[], NOW, &DONE, 3), [None, None, None]);
    assert_eq!(pace(&samples, NOW, &DONE, 0), []);
}

#[test]
fn the_trend_shares_out_what_was_finished_between_two_looks() {
    let samples = [
        sample(NOW - 2 * HOUR, 0, 50),
        sample(NOW - HOUR / 2, 30, 50),
        Sample {
            seen_until: NOW,
            ..sample(NOW, 35, 50)
        },
    ];
    let trend: Vec<f64> = pace(&samples, NOW, &DONE, 2)
        .into_iter()
        .flatten()
        .collect();
    assert!(
        (trend[0] - 20.0).abs() < 1e-9 && (trend[1] - 15.0).abs() < 1e-9,
        "{trend:?}"
    );
}

#[test]
fn the_burn_up_shows_what_was_last_seen_in_a_column() {
    let mut samples = even(12, 4 * HOUR, 96);
    samples.push(Sample {
        clock_back: false,
        ..sample(NOW + 4 * HOUR, 50, 120)
    });
    samples.push(sample(NOW + 5 * HOUR, 60, 120));
    samples.push(Sample {
        counts: None,
        ..sample(NOW + 6 * HOUR, 0, 1)
    });
    let points = burn_up(&samples, &DONE, NOW - 5 * HOUR, NOW + 7 * HOUR, 12);
    let at = |total, done| Some(Sums { total, done });
    let expected = [
        None,
        at(96, 11),
        at(96, 23),
        at(96, 35),
        at(96, 47),
        at(96, 48),
        None,
        None,
        None,
        at(120, 50),
        at(120, 60),
        None,
    ];
    assert_eq!(points[..5], expected[..5]);
    assert_eq!(points[6..], expected[6..], "{points:?}");
}

#[test]
fn one_column_or_none_and_far_away_times() {
    let samples = even(12, 4 * HOUR, 96);
    assert_eq!(
        burn_up(&samples, &DONE, NOW - DAY, NOW + 1, 1),
        [Some(Sums {
            total: 96,
            done: 48
        })]
    );
    assert_eq!(burn_up(&samples, &DONE, NOW - DAY, NOW, 0), []);
    assert_eq!(burn_up(&samples, &DONE, NOW, NOW, 2), [None, None]);
    assert_eq!(
        burn_up(&samples, &DONE, NOW + 1, NOW + DAY, 3),
        [None, None, None]
    );
    let all = burn_up(&samples, &DONE, i64::MIN, i64::MAX, 1_000);
    assert_eq!(all.iter().flatten().count(), 1);
}
