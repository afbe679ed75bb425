//! The sum of a release: bands that hold the truth with runs that come late and gaps, and refusals with their reasons.

use crate::support::prelude::*;
use crate::support::samples_of::usual;
use jiff::tz::TimeZone;
use rundown::domain::{Sample, Sums};
use rundown::forecast::{Band, Counted, NoForecast, Outlook, SumRun, finish, pace_needed};

use super::always;
use super::world::{Chance, DAY, HOUR, MINUTE, NOW, Team, day_and_night, even, keep, sample};

/// A run with what was read of it; what is left is what it told last.
fn run(number: u64, samples: Vec<Sample>) -> (SumRun, Vec<Sample>) {
    let left = samples.last().and_then(|last| last.sums(&always().done));
    let run = SumRun {
        run: DocRef::parse(&format!("TestRun-dm/{number}")).unwrap(),
        name: format!("R_{number}"),
        is_open: true,
        left: left.map(Sums::left),
        has_results: true,
    };
    (run, samples)
}

fn band(runs: &[(SumRun, Vec<Sample>)]) -> Band {
    match finish(runs, NOW, &always()).outlook {
        Outlook::Band(band) => band,
        other => panic!("{other:?}"),
    }
}

fn refused(runs: &[(SumRun, Vec<Sample>)]) -> NoForecast {
    match finish(runs, NOW, &always()).outlook {
        Outlook::Refused(why) => why,
        other => panic!("{other:?}"),
    }
}

/// A release that one team works through: cases are finished in any of the runs, some of which come late; at some times
/// nobody reads. With when all of it is done.
fn made(seed: u64) -> (Vec<(SumRun, Vec<Sample>)>, i64) {
    let mut chance = Chance::new(seed);
    let mut number = |below: f64| (chance.share() * below) as i64;
    let (count, long, left) = (
        2 + number(6.0),
        8 + number(30.0),
        40 + number(300.0) as usize,
    );
    let look = [5, 10, 30][number(3.0) as usize] * MINUTE;
    let begin = NOW - long * HOUR;
    let came: Vec<i64> = (0..count)
        .map(|run| match run % 3 {
            2 => begin + number(long as f64) * HOUR,
            _ => begin,
        })
        .collect();
    // No pause of less than three hours is a gap.
    let gaps: Vec<i64> = (0..number(3.0))
        .map(|_| begin + number(long as f64) * HOUR)
        .collect();
    let team = Team {
        rate: 6.0 + number(30.0) as f64,
        batch: 1.0,
        works: day_and_night,
    };
    let most = (team.rate * long as f64 * 3.0) as usize + left + 50;
    let mut finished = team.finish(begin, most, &mut chance);
    let done = finished.partition_point(|at| *at <= NOW);
    finished.truncate(done + left);
    let truth = finished[finished.len() - 1];
    // Each case is of one of the runs that are there.
    let mut cases = vec![Vec::new(); came.len()];
    for at in finished {
        let here: Vec<usize> = (0..came.len()).filter(|run| came[*run] <= at).collect();
        cases[here[(chance.share() * here.len() as f64) as usize]].push(at);
    }
    let looks = (begin..=NOW).step_by(look as usize).filter(|at| {
        let in_gap = |from: &i64| (*from..from + 3 * HOUR).contains(at);
        NOW - at < HOUR || !gaps.iter().any(in_gap)
    });
    let looks: Vec<i64> = looks.chain([NOW]).collect();
    let runs = cases.into_iter().zip(came).enumerate();
    let runs = runs.map(|(place, (cases, came))| {
        let mut kept = Vec::new();
        for at in looks.iter().filter(|at| **at >= came) {
            let done = cases.partition_point(|time| time <= at) as u64;
            keep(&mut kept, sample(*at, done, cases.len() as u64));
        }
        run(place as u64, kept)
    });
    (runs.collect(), truth)
}

#[test]
fn the_band_holds_with_runs_that_come_late_and_gaps() {
    let (mut held, mut given, mut gaps, mut widths) = (0, 0, 0, Vec::new());
    for seed in 0..160 {
        let (runs, truth) = made(seed);
        if let Outlook::Band(band) = finish(&runs, NOW, &always()).outlook {
            given += 1;
            held += u32::from((band.from..=band.to).contains(&truth));
            gaps += u32::from(band.gaps > 0);
            widths.push((band.to - band.from) as f64 / (truth - NOW).max(HOUR) as f64);
        }
    }
    widths.sort_by(f64::total_cmp);
    let width = widths[widths.len() / 2];
    assert!(
        held >= 128 && given >= 150 && gaps > 40 && width < 1.0,
        "{held} of {given}, {gaps} with gaps, {width} wide"
    );
}

#[test]
fn the_sum_of_one_run_is_that_run() {
    let samples = even(12, 10 * HOUR, 240);
    let all = finish(&[run(1, samples.clone())], NOW, &always());
    let alone = super::band(&samples, NOW);
    let sum = all.outlook.band().unwrap();
    assert_eq!((sum.left, sum.used, sum.gaps), (alone.left, alone.used, 0));
    assert!((sum.pace - alone.pace).abs() < 0.01, "{sum:?} {alone:?}");
    assert!((sum.to - alone.to).abs() < 5 * MINUTE && (sum.from - alone.from).abs() < 5 * MINUTE);
    assert_eq!(
        all.ends().into_values().collect::<Vec<_>>(),
        [Some(alone.middle)]
    );
}

#[test]
fn progress_is_added_up_and_counts_are_not() {
    let first = even(12, 10 * HOUR, 240);
    // Half of it was there when it was read for the first time, three hours ago: no progress.
    let late: Vec<Sample> = even(4, 10 * HOUR, 100)
        .into_iter()
        .filter(|it| it.at >= NOW - 3 * HOUR)
        .collect();
    let both = band(&[run(1, first.clone()), run(2, late.clone())]);
    assert!((both.pace - 13.2).abs() < 0.2, "{}", both.pace);
    assert_eq!(both.left, 120 + 60);
    // A closed run counts in the pace and has nothing left.
    let (mut closed, samples) = run(2, late);
    closed.is_open = false;
    let with_closed = band(&[run(1, first), (closed, samples)]);
    assert!((with_closed.pace - both.pace).abs() < 0.01);
    assert_eq!(with_closed.left, 120);
}

/// Without what was read within some hours before now.
fn without(samples: Vec<Sample>, from: i64, to: i64) -> Vec<Sample> {
    let mut kept = Vec::new();
    for mut it in samples {
        it.seen_until = it.at;
        let before = NOW - it.at;
        if !(to..from).contains(&before) {
            kept.push(it);
        }
    }
    kept
}

#[test]
fn a_time_at_which_an_open_run_with_cases_left_was_not_read_is_a_gap() {
    let first = even(12, 10 * HOUR, 240);
    let unread = without(even(6, 10 * HOUR, 100), 6 * HOUR, 3 * HOUR);
    let with = band(&[run(1, first.clone()), run(2, unread.clone())]);
    assert_eq!(with.gaps, 1);
    assert!(
        (with.pace - 18.0).abs() < 0.5 && (with.observed - 7.0).abs() < 0.2,
        "{with:?}"
    );
    // Two hours are none.
    let short = without(even(6, 10 * HOUR, 100), 5 * HOUR, 3 * HOUR + 6 * MINUTE);
    assert_eq!(band(&[run(1, first.clone()), run(2, short)]).gaps, 0);
    // Where it is finished, or closed, the others are observed.
    let (mut closed, samples) = run(2, unread);
    closed.is_open = false;
    assert_eq!(band(&[run(1, first), (closed, samples)]).gaps, 0);
}

#[test]
fn it_is_refused_with_the_runs_that_were_not_read_or_what_it_needs() {
    let read = || run(1, even(12, 10 * HOUR, 240));
    let old = |number| run(number, without(even(6, 10 * HOUR, 100), 3 * HOUR, -1));
    let why = refused(&[read(), old(7)]);
    assert_eq!(why, NoForecast::NotRead(vec!["R_7".into()]));
    assert_eq!(why.to_string(), "R_7 was not read for 2 h");
    let (mut never, none) = run(9, Vec::new());
    never.left = Some(3);
    let never = (never, none);
    let five = [read(), old(2), old(3), never, old(5), old(6)];
    assert_eq!(
        refused(&five).to_string(),
        "R_2, R_3, R_9 and 2 more were not read for 2 h"
    );
    // What has no cases is not done.
    let empty = |number| run(number, vec![sample(NOW, 0, 0)]);
    assert_eq!(refused(&[empty(1), empty(2)]), NoForecast::NoCases);
    // One that was read and whose results the service does not tell is another thing.
    let untold = || run(8, Vec::new());
    assert_eq!(
        refused(&[read(), untold(), old(7)]).to_string(),
        "R_8: no results"
    );
    let (mut later, samples) = old(7);
    later.has_results = false;
    assert_eq!(
        refused(&[read(), (later, samples)]).to_string(),
        "R_7: no results"
    );
    // One that is finished or closed may be old.
    let (mut closed, samples) = old(2);
    closed.is_open = false;
    band(&[read(), (closed, samples)]);
    let (mut done, samples) = old(2);
    done.left = Some(0);
    band(&[read(), (done, samples)]);
    let short = even(12, HOUR, 240);
    assert!(matches!(refused(&[run(1, short)]), NoForecast::Short(_)));
    assert!(matches!(
        refused(&[run(
            1,
            vec![sample(NOW - 3 * HOUR / 2, 1, 9), sample(NOW, 3, 9)]
        )]),
        NoForecast::Short(_)
    ));
    let still = (0..6).map(|step| sample(NOW - (5 - step) * HOUR, 3, 9));
    assert_eq!(refused(&[run(1, still.collect())]), NoForecast::Still);
    let (mut none, samples) = read();
    none.left = Some(0);
    assert_eq!(
        finish(&[(none, samples)], NOW, &always()).outlook,
        Outlook::Done
    );
}

#[test]
fn the_pace_needed_is_by_the_hours_that_count() {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let at = |text: &str| {
        let time = format!("{text}[Europe/Berlin]").parse::<jiff::Zoned>();
        time.unwrap().timestamp().as_millisecond()
    };
    let office = |days: [bool; 7]| Counted::Weekly {
        from: 8 * 60,
        to: 18 * 60,
        days,
        learned: false,
    };
    let week = office([true, true, true, true, true, false, false]);
    let needed = |from: &str, to: &str, counted: Counted| {
        let pace = pace_needed(120, (at(from), at(to)), counted, &zone);
        pace.map(|pace| (pace * 1000.0).round() / 1000.0)
    };
    // Friday 16:00 to Monday 18:00: 2 h and 10 h, over a weekend.
    assert_eq!(
        needed("2026-11-20T16:00", "2026-11-23T18:00", week),
        Some(10.0)
    );
    // The clocks change on 25 October: working hours are those of the clock, all hours are one more.
    assert_eq!(
        needed("2026-10-23T16:00", "2026-10-26T18:00", week),
        Some(10.0)
    );
    assert_eq!(
        needed("2026-10-24T12:00", "2026-10-25T12:00", Counted::Always),
        Some(4.8)
    );
    assert_eq!(
        needed("2026-03-28T12:00", "2026-03-29T12:00", Counted::Always),
        Some((120.0_f64 / 23.0 * 1000.0).round() / 1000.0)
    );
    // A day off for good, such as Fridays: they do not count.
    let four = office([true, true, true, true, false, false, false]);
    assert_eq!(
        needed("2026-11-19T16:00", "2026-11-23T18:00", four),
        Some(10.0)
    );
    // No hour that counts is left, or none at all.
    assert_eq!(needed("2026-11-20T19:00", "2026-11-22T18:00", week), None);
    assert_eq!(needed("2026-11-20T16:00", "2026-11-20T15:00", week), None);
}

#[test]
fn hours_are_learned_from_all_runs() {
    // Two runs, each with results on one day only: both together show the hours.
    let day = |days: i64| {
        let from = NOW - days * DAY;
        let looks = (0..60_i64).map(move |step| from + step * 10 * MINUTE);
        looks
            .enumerate()
            .map(|(done, at)| sample(at, done as u64, 200))
    };
    let runs = [run(1, day(2).collect()), run(2, day(1).collect())];
    let learned = finish(&runs, NOW, &usual(TimeZone::UTC)).counted;
    let expected = Counted::Weekly {
        from: 9 * 60,
        to: 19 * 60,
        days: [true, true, true, true, true, false, false],
        learned: true,
    };
    assert_eq!(learned, expected);
    assert_eq!(
        finish(&runs[..1], NOW, &usual(TimeZone::UTC)).counted,
        Counted::Always
    );
}

/// The board reads the samples of some weeks, gate and report have all of them.
#[test]
fn what_was_read_long_ago_changes_no_forecast() {
    // Results on a Saturday, and five weeks later on Monday and Tuesday.
    let days = [39, 2, 1].map(|days| NOW - days * DAY);
    let looks = days.into_iter();
    let looks = looks.flat_map(|from| (0..60_i64).map(move |step| from + step * 10 * MINUTE));
    let looks = looks.zip(0..).map(|(at, done)| sample(at, done, 500));
    let all: Vec<Sample> = looks.collect();
    let recent = all[60..].to_vec();
    let now = all.last().unwrap().at;
    let of = |samples| finish(&[run(1, samples)], now, &usual(TimeZone::UTC));
    assert!(of(recent.clone()).outlook.band().is_some());
    assert_eq!(of(all), of(recent));
}

#[test]
fn an_hour_in_which_there_were_results_but_once_is_none_of_the_day() {
    let hour = 60 * MINUTE;
    // From Monday on, at 22:00, 02:00 and 05:00 of five nights, and once on a Sunday at 06:00.
    let monday = 1_795_392_000_000;
    let nights = (0..5).flat_map(|day| [22, 26, 29].map(|at| monday + day * DAY + at * hour));
    let times = nights.chain([monday + 6 * DAY + 6 * hour]);
    let looks = times.flat_map(|at| [at, at + hour / 2]).zip(0..);
    let looks = looks.map(|(at, passed)| sample(at, passed, 200)).collect();
    let now = monday + 7 * DAY;
    let learned = finish(&[run(1, looks)], now, &usual(TimeZone::UTC)).counted;
    let expected = Counted::Weekly {
        from: 22 * 60,
        to: 6 * 60,
        days: [true, true, true, true, true, false, true],
        learned: true,
    };
    assert_eq!(learned, expected);
}
