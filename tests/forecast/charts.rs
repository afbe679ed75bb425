//! The burn-up.

use crate::support::With as _;
use rundown::domain::{ResultCode, Sums};
use rundown::forecast::{Settings, burn_up};

use super::world::{DAY, HOUR, NOW, even, sample};

const DONE: [ResultCode; 4] = Settings::DONE;

#[test]
fn the_burn_up_shows_what_was_last_seen_in_a_column() {
    let mut samples = even(12, 4 * HOUR, 96);
    samples.push(sample(NOW + 4 * HOUR, 50, 120).with(|it| it.clock_back = false));
    samples.push(sample(NOW + 5 * HOUR, 60, 120));
    samples.push(sample(NOW + 6 * HOUR, 0, 1).with(|it| it.counts = None));
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
