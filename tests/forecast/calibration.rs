//! How often forecasts came true equals a replay by hand.

use crate::support::prelude::*;
use crate::support::samples_of::usual;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use rundown::disk::{Journal, Recorded, WriteId, WriteStep};
use rundown::domain::Sample;
use rundown::forecast::{Calibration, Outlook, Settings, forecast};
use rundown::mirror::OwnRecord;
use rundown::profile::calibration;
use rundown::samples::Samples;

use super::world::{Chance, DAY, HOUR, MINUTE, NOW, Team, office, watched};

/// A run of an office, looked at every ten minutes as long as somebody is there, from a time on; with cases left at the
/// end if it was given up. With a time at which two thirds were finished.
fn made(seed: u64, given_up: bool) -> (Vec<Sample>, i64) {
    let mut chance = Chance::new(seed);
    let team = Team {
        rate: 4.0 + chance.share() * 8.0,
        batch: 1.0,
        works: office,
    };
    let begin = NOW - 20 * DAY + (chance.share() * 5.0) as i64 * DAY;
    let cases = 150 + (chance.share() * 200.0) as usize;
    let finished = team.finish(begin, cases, &mut chance);
    let more = if given_up { 40 } else { 0 };
    let starts_late = (chance.share() * 3.0) as i64 * HOUR;
    let looks = (begin..finished[cases - 1] + HOUR).step_by(10 * MINUTE as usize);
    let looks = looks.filter(|at| office(*at) && at.rem_euclid(DAY) >= 7 * HOUR + starts_late);
    let samples = watched(&finished, cases as u64 + more, looks);
    (samples, finished[cases * 2 / 3])
}

/// Each working day from eight on, minute by minute, until the run was being read: what was said then.
fn by_hand(runs: &[(Vec<Sample>, Option<i64>)], settings: &Settings) -> Calibration {
    let mut found = Calibration::default();
    for (samples, closed) in runs {
        let total = samples[0].total().unwrap();
        let passed = |it: &Sample| it.counts.as_ref().unwrap().get(ResultCode::Passed);
        let end = samples.iter().find(|it| passed(it) == total);
        let until = closed.unwrap_or(samples.last().unwrap().seen_until);
        let mut day: Zoned = "2026-10-01T08:00[UTC]".parse().unwrap();
        let mut said = 0;
        while day.timestamp().as_millisecond() <= until {
            let weekday = day.weekday().to_monday_zero_offset();
            let minutes =
                (0..16 * 60).map(|minute| day.timestamp().as_millisecond() + minute * MINUTE);
            let is_read = |at: &i64| {
                samples
                    .iter()
                    .any(|it| it.at <= *at && *at <= it.seen_until)
            };
            let at = minutes.filter(|_| weekday < 5).find(is_read);
            day = day.checked_add(1.day()).unwrap();
            let is_over = |at: i64| at >= end.map_or(until, |end| end.at);
            let Some(at) = at.filter(|at| !is_over(*at)) else {
                continue;
            };
            let known = samples.iter().filter(|it| it.at <= at).cloned();
            let known: Vec<Sample> = known
                .map(|it| it.with(|it| it.seen_until = it.seen_until.min(at)))
                .collect();
            if let Outlook::Band(band) = forecast(&known, at, settings) {
                said += 1;
                let end = end.filter(|_| closed.is_none()).map(|it| it.at);
                found.held +=
                    usize::from(end.is_some_and(|end| band.from <= end && end <= band.to));
            }
        }
        found.forecasts += said;
        found.runs += usize::from(said > 0);
    }
    found
}

#[test]
fn it_equals_a_replay_by_hand() {
    let settings = usual(TimeZone::UTC);
    let (folder, mut runs) = (new_folder(), Vec::new());
    let kept = Samples::open(folder.path(), 90, NOW).unwrap();
    let journal = Journal::open(folder.path()).unwrap();
    for seed in 0..12 {
        let given_up = seed % 4 == 3;
        let (samples, at) = made(seed, given_up);
        let run = DocRef::parse(&format!("TestRun-dm/{seed}")).unwrap();
        let told = samples.iter().map(|sample| (&run, sample));
        kept.of_scope("qa", "P_9").add_all(told).unwrap();
        // It was closed from here, which no reading tells as news, with results that still came.
        let closed = given_up.then_some(at);
        if let Some(at) = closed {
            let write = WriteId::new(at);
            let sent = Recorded::Sent {
                method: "MODIFY_DOCUMENT".into(),
                params: json!({}),
                note: Some(json!({"before": {"Status": "active"}})),
            };
            let how = "it was read".into();
            for step in [sent, Recorded::Confirmed { how }] {
                let (profile, run_name) = ("qa".into(), "R".into());
                let (write, run) = (write.clone(), run.to_string());
                let entry = WriteStep {
                    write,
                    at,
                    profile,
                    target: rundown::domain::WriteTarget::default(),
                    user: String::new(),
                    run,
                    run_name,
                    step,
                };
                journal.append(&entry).unwrap();
            }
        }
        runs.push((samples, closed));
    }
    let own = OwnRecord::read(&journal).unwrap();
    let counts = kept.of_scope("qa", "P_9");
    let found = calibration(counts, &own, &settings).unwrap();
    assert_eq!(found, by_hand(&runs, &settings));
    let finished = calibration(counts, &[], &settings).unwrap();
    assert_eq!((finished.runs, found.runs), (9, 12));
    assert!(
        found.runs >= 10 && found.held > found.forecasts / 3 && found.held < found.forecasts,
        "{found:?}"
    );
    let Calibration {
        forecasts,
        runs,
        held,
    } = found;
    let words = format!("Of {forecasts} forecasts for {runs} runs here {held} held");
    assert_eq!(found.words(), Some(words));
}

#[test]
fn a_run_that_was_given_up_is_a_miss_and_few_say_nothing() {
    let settings = usual(TimeZone::UTC);
    let mut found = Calibration::default();
    found.add(&made(3, true).0, None, &settings);
    assert!(found.forecasts > 0 && found.held == 0, "{found:?}");
    assert_eq!((found.runs, found.words()), (1, None));
    let of = |forecasts, runs| {
        let held = 3;
        Calibration {
            forecasts,
            runs,
            held,
        }
        .words()
    };
    assert_eq!((of(10, 4), of(9, 5)), (None, None));
    assert_eq!(
        of(10, 5).as_deref(),
        Some("Of 10 forecasts for 5 runs here 3 held")
    );
}
