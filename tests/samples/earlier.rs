//! The newest that runs told before a day.

use crate::support::With as _;
use std::time::Instant;

use rundown::domain::{DocRef, Sample};
use rundown::samples::Samples;

use super::{DAY, HOUR, NOW, fresh, run, sample, told};

/// What is found: run, when first seen, passed.
fn before(samples: &Samples, midnight: i64) -> Vec<(DocRef, i64, u64)> {
    let mut found = samples
        .of_scope("qa", "P_9")
        .newest_before(midnight)
        .unwrap();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let one = |(run, sample): (DocRef, Sample)| {
        let (at, _, passed, _) = told(&[sample])[0];
        (run, at, passed)
    };
    found.into_iter().map(one).collect()
}

#[test]
fn each_run_has_its_newest_of_before_midnight() {
    let (_folder, samples) = fresh();
    let add = |number, at: i64, passed| {
        let sample = sample(NOW + at, passed);
        assert!(
            samples
                .of_scope("qa", "P_9")
                .add(&run(number), &sample)
                .unwrap()
        );
    };
    // Of last week and yesterday, before and after midnight.
    for (at, passed) in [(-7 * DAY, 1), (-2 * HOUR, 2), (-1, 3), (0, 4), (HOUR, 5)] {
        add(1, at, passed);
    }
    // Only today; at midnight it is today.
    add(2, 0, 6);
    add(2, HOUR, 7);
    // Nobody looked since last week.
    add(3, -7 * DAY, 8);
    assert_eq!(
        before(&samples, NOW),
        [(run(1), -1, 3), (run(3), -7 * DAY, 8)]
    );
    // One millisecond later the sample of midnight is one of before.
    let later = before(&samples, NOW + 1);
    assert_eq!(later[..2], [(run(1), 0, 4), (run(2), 0, 6)]);
    // Of another project or profile nothing is told.
    for (profile, scope) in [("prod", "P_9"), ("qa", "P_9/SP_1")] {
        let found = samples.of_scope(profile, scope).newest_before(NOW);
        assert_eq!(found.unwrap(), []);
    }
}

#[test]
fn a_sample_without_counts_hides_none_that_has_them() {
    let (_folder, samples) = fresh();
    let bare = sample(NOW - HOUR, 0).with(|it| it.counts = None);
    for number in [1, 2] {
        samples
            .of_scope("qa", "P_9")
            .add(&run(number), &bare)
            .unwrap();
    }
    samples
        .of_scope("qa", "P_9")
        .add(&run(3), &sample(NOW - DAY, 5))
        .unwrap();
    samples.of_scope("qa", "P_9").add(&run(3), &bare).unwrap();
    let found = before(&samples, NOW);
    assert_eq!(found, [(run(3), -DAY, 5)]);
}

#[test]
fn what_a_clock_that_was_ahead_has_written_is_not_of_before() {
    let (_folder, samples) = fresh();
    for (at, passed) in [(-3 * HOUR, 1), (300 * DAY, 2), (-HOUR, 3)] {
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(NOW + at, passed))
            .unwrap();
    }
    assert_eq!(before(&samples, NOW), [(run(1), -HOUR, 3)]);
}

#[test]
fn thousands_of_runs_take_no_time_to_speak_of() {
    let (_folder, samples) = fresh();
    let runs: Vec<DocRef> = (0..3_000).map(run).collect();
    // An evening, and a busy day after it.
    for look in 0..20 {
        let sample = sample(NOW - HOUR + look * HOUR / 10 * 3, look.unsigned_abs());
        let all = runs.iter().map(|run| (run, &sample));
        samples.of_scope("qa", "P_9").add_all(all).unwrap();
    }
    let begun = Instant::now();
    let found = samples.of_scope("qa", "P_9").newest_before(NOW).unwrap();
    let took = begun.elapsed();
    assert_eq!(found.len(), runs.len());
    assert!(found.iter().all(|(_, sample)| sample.at < NOW));
    // Going through all samples for each run would take minutes.
    assert!(took.as_secs() < 5, "{took:?}");
    eprintln!("{} runs: {took:?}", runs.len());
}
