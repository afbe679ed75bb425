//! Gaps, pauses, clocks and zones.

use crate::support::With as _;
use crate::support::samples_of::usual;
use jiff::tz::{Offset, TimeZone};
use rundown::domain::{HoursOfDay, Sample, WorkingHours};
use rundown::forecast::{Band, Counted, Outlook, Settings, forecast};

use super::world::{DAY, HOUR, MINUTE, NOW, even, office, watched};
use super::{ahead, always, band};

/// All that is later than a time moves by so much.
fn moved(samples: &[Sample], after: i64, by: i64) -> Vec<Sample> {
    let late = |at: i64| if at > after { at + by } else { at };
    samples
        .iter()
        .cloned()
        .map(|it| Sample {
            at: late(it.at),
            seen_until: late(it.seen_until),
            ..it
        })
        .collect()
}

/// A series in which the last look before a break is the time of a sample.
fn steady() -> (Vec<Sample>, i64) {
    let samples = even(12, 10 * HOUR, 240);
    let middle = samples[60].seen_until;
    (samples, middle)
}

/// But for the case that was finished in between.
fn alike(a: &Band, b: &Band, by: i64) {
    assert!(
        (a.pace - b.pace).abs() < 0.1 && (a.observed - b.observed).abs() < 0.02,
        "{a:?}\n{b:?}"
    );
    assert!(
        (a.to + by - b.to).abs() < 10 * MINUTE && (a.from + by - b.from).abs() < 10 * MINUTE,
        "{a:?}\n{b:?}"
    );
}

#[test]
fn a_gap_is_no_time() {
    let (samples, middle) = steady();
    for long in [3 * HOUR, 9 * HOUR, 20 * DAY] {
        let gap = moved(&samples, middle, long);
        let with = band(&gap, NOW + long);
        alike(&band(&samples, NOW), &with, long);
        assert_eq!(with.gaps, 1);
        assert!(
            with.basis(NOW, &TimeZone::UTC)
                .contains(&"1 gap left out".to_owned())
        );
    }
}

#[test]
fn a_pause_is_time() {
    let (samples, middle) = steady();
    let mut pause = moved(&samples, middle, 10 * HOUR);
    pause[60].seen_until += 10 * HOUR;
    let with = band(&pause, NOW + 10 * HOUR);
    assert!((with.pace - 6.0).abs() < 0.02 && with.gaps == 0, "{with:?}");
    // Two hours without a look are no gap yet.
    assert_eq!(
        band(
            &moved(&samples, middle, 2 * HOUR - 2 * MINUTE),
            NOW + 2 * HOUR - 2 * MINUTE
        )
        .gaps,
        0
    );
}

#[test]
fn a_clock_that_is_set_back_or_forth_is_left_out() {
    let (samples, middle) = steady();
    for by in [-MINUTE, -3 * HOUR, -40 * DAY] {
        let mut back = moved(&samples, middle, by - MINUTE);
        back[61].clock_back = true;
        let with = band(&back, NOW + by - MINUTE);
        alike(&band(&samples, NOW), &with, by - MINUTE);
        assert_eq!(with.gaps, 1);
    }
    let forth = moved(&samples, middle, 5 * HOUR);
    alike(
        &band(&samples, NOW),
        &band(&forth, NOW + 5 * HOUR),
        5 * HOUR,
    );
}

#[test]
fn another_clock_moves_the_band_with_it() {
    let (samples, _) = steady();
    for by in [-1_000 * DAY, -HOUR / 2, 7 * HOUR, 300 * DAY] {
        assert_eq!(
            ahead(&moved(&samples, i64::MIN, by), NOW + by),
            ahead(&samples, NOW)
        );
    }
}

/// Ten days of an office, looked at all the time.
fn of_an_office() -> Vec<Sample> {
    let finished: Vec<i64> = (NOW - 10 * DAY..NOW)
        .step_by(10 * MINUTE as usize)
        .filter(|at| office(*at))
        .collect();
    watched(
        &finished,
        finished.len() as u64 + 180,
        (NOW - 10 * DAY..=NOW).step_by(5 * MINUTE as usize),
    )
}

fn given(samples: &[Sample], now: i64, settings: &Settings) -> Band {
    match forecast(samples, now, settings) {
        Outlook::Band(band) => band,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_zone_changes_nothing_but_the_names_of_hours() {
    let samples = of_an_office();
    let tokyo = TimeZone::get("Asia/Tokyo").unwrap();
    let even = even(12, 10 * HOUR, 240);
    let all = given(&even, NOW, &always());
    assert_eq!(
        all,
        given(&even, NOW, &always().with(|it| it.zone = tokyo.clone()))
    );
    // Learned hours are the same time, whatever they are called there: 17:00 to 03:00.
    let here = given(&samples, NOW, &usual(TimeZone::UTC));
    let there = given(&samples, NOW, &usual(tokyo));
    assert_eq!((here.from, here.to), (there.from, there.to));
    // A clock and a zone that move together are no move at all.
    let zone = TimeZone::fixed(Offset::constant(3));
    let east = given(
        &moved(&samples, i64::MIN, -3 * HOUR),
        NOW - 3 * HOUR,
        &usual(zone),
    );
    assert_eq!(
        (east.from + 3 * HOUR, east.to + 3 * HOUR),
        (here.from, here.to)
    );
}

#[test]
fn hours_are_learned_after_two_days() {
    let samples = of_an_office();
    let week = [true, true, true, true, true, false, false];
    let band = given(&samples, NOW, &usual(TimeZone::UTC));
    assert_eq!(
        band.counted,
        Counted::Weekly {
            from: 480,
            to: 1080,
            days: week,
            learned: true
        }
    );
    assert!((band.pace - 6.0).abs() < 0.1, "{}", band.pace);
    // 180 cases at 6 an hour: nine hours of today, ten of tomorrow and of Friday, one of Monday.
    let (noon, monday) = (NOW + 2 * DAY + 3 * HOUR, NOW + 5 * DAY + 8 * HOUR);
    assert!(
        band.from > noon && band.to < monday && band.to > NOW + 5 * DAY - HOUR,
        "{band:?}"
    );
    assert!(
        band.basis(NOW, &TimeZone::UTC)
            .contains(&"counting 08:00-18:00 Mon-Fri, learned".to_owned())
    );
    // Two mornings are known by then; with one, nobody knows of a night.
    let since = |days: i64| {
        samples
            .iter()
            .filter(|it| it.at > NOW - days * DAY)
            .cloned()
            .collect::<Vec<_>>()
    };
    assert!(matches!(
        given(&since(1), NOW, &usual(TimeZone::UTC)).counted,
        Counted::Weekly { .. }
    ));
    let mut morning: Vec<Sample> = samples
        .iter()
        .filter(|it| it.at > NOW - DAY && it.at < NOW - 12 * HOUR)
        .cloned()
        .collect();
    let evening = morning.last_mut().unwrap();
    evening.seen_until = evening.at;
    let evening = evening.at;
    assert_eq!(
        given(&morning, evening, &usual(TimeZone::UTC)).counted,
        Counted::Always
    );
}

#[test]
fn an_hour_that_nobody_looked_at_before_is_not_known_to_be_free() {
    // Work begins at eight, and until today nobody looked before nine.
    let finished: Vec<i64> = (NOW - 7 * DAY..NOW)
        .step_by(10 * MINUTE as usize)
        .filter(|at| office(*at))
        .collect();
    let now = NOW - 40 * MINUTE;
    let samples = |begins: i64| {
        let looks = (NOW - 7 * DAY..=now).step_by(5 * MINUTE as usize);
        let looks = looks.filter(|at| office(*at) && at.rem_euclid(DAY) >= begins * HOUR);
        let total = finished.iter().filter(|at| **at <= now).count() as u64 + 4;
        watched(&finished, total, looks.chain([now]))
    };
    let settings = usual(TimeZone::UTC);
    let late = given(&samples(9), now, &settings);
    assert!(matches!(late.counted, Counted::Weekly { from: 540, .. }));
    assert!(late.from < NOW && late.to > NOW, "{late:?}");
    // With hours that are set there is no work before nine.
    let set = Settings {
        hours: WorkingHours {
            hours: HoursOfDay::Set {
                from: 540,
                to: 1080,
            },
            days: None,
        },
        ..settings
    };
    assert!(given(&samples(9), now, &set).from > NOW);
}

#[test]
fn days_that_are_set_go_before_those_that_are_learned() {
    let samples = of_an_office();
    let saturday_too = Some([true, true, true, true, true, true, false]);
    for hours in [
        HoursOfDay::Learned,
        HoursOfDay::Set {
            from: 480,
            to: 1080,
        },
    ] {
        let settings = Settings {
            hours: WorkingHours {
                hours,
                days: saturday_too,
            },
            ..usual(TimeZone::UTC)
        };
        let band = given(&samples, NOW, &settings);
        assert!(
            matches!(band.counted, Counted::Weekly { days, .. } if Some(days) == saturday_too),
            "{band:?}"
        );
    }
}

#[test]
fn only_the_last_working_days_make_the_pace() {
    // Twice as fast in the last three days.
    let finished: Vec<i64> = (NOW - 14 * DAY..NOW)
        .step_by(5 * MINUTE as usize)
        .filter(|at| office(*at) && (*at > NOW - 5 * DAY || at.rem_euclid(10 * MINUTE) == 0))
        .collect();
    let samples = watched(
        &finished,
        finished.len() as u64 + 300,
        (NOW - 14 * DAY..=NOW).step_by(5 * MINUTE as usize),
    );
    let settings = usual(TimeZone::UTC);
    assert!((given(&samples, NOW, &settings).pace - 12.0).abs() < 0.1);
    assert!((given(&samples, NOW, &settings).observed - 30.0).abs() < 0.5);
    assert!(given(&samples, NOW, &settings.with(|it| it.days = 8)).pace < 10.0);
}

#[test]
fn what_is_finished_outside_of_the_hours_counts_and_its_time_does_not() {
    // Worked on from eight to eighteen, looked at from nine to twelve: that is when results seem to come.
    let finished: Vec<i64> = (NOW - 10 * DAY..NOW)
        .step_by(10 * MINUTE as usize)
        .filter(|at| office(*at))
        .collect();
    let looks = (NOW - 10 * DAY..=NOW).step_by(10 * MINUTE as usize);
    let mornings = looks.filter(|at| office(*at) && (9..12).contains(&(at.rem_euclid(DAY) / HOUR)));
    let samples = watched(&finished, finished.len() as u64 + 240, mornings);
    let band = given(&samples, NOW, &usual(TimeZone::UTC));
    assert!(
        matches!(
            band.counted,
            Counted::Weekly {
                from: 540,
                to: 720,
                learned: true,
                ..
            }
        ),
        "{band:?}"
    );
    // 240 cases at 60 a day are four working days, until Tuesday.
    assert!(band.gaps == 0 && (band.pace - 20.0).abs() < 1.0, "{band:?}");
    assert!(
        band.from < NOW + 6 * DAY && band.to > NOW + 5 * DAY,
        "{band:?}"
    );
}
