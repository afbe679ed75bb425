//! What is kept, in which order, and for how long.

use crate::support::With as _;
use rundown::domain::diff::{Change, News};
use rundown::domain::{ResultCode, Sample};
use rundown::mirror::{OwnRecord, closed};
use rundown::samples::{RunHistory, RunNews, Samples, Unread};

use super::{DAY, HOUR, NOW, fresh, kept, open, run, sample, told, wait_for};

#[test]
fn only_changes_are_kept_and_pauses_are_seen() {
    let (folder, samples) = fresh();
    let add = |at: i64, passed| {
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(NOW + at, passed))
            .unwrap()
    };
    let news = [add(0, 5), add(30, 5), add(60, 5), add(90, 6), add(120, 6)];
    assert_eq!(news, [true, false, false, true, false]);
    assert_eq!(
        told(&kept(&samples)),
        [(0, 60, 5, false), (90, 120, 6, false)]
    );
    // Just within two hours somebody looked; beyond that nobody did, and the gap stays visible.
    assert!(!add(120 + 2 * HOUR, 6));
    assert!(add(121 + 4 * HOUR, 6));
    assert_eq!(
        told(&kept(&samples))[1..],
        [
            (90, 120 + 2 * HOUR, 6, false),
            (121 + 4 * HOUR, 121 + 4 * HOUR, 6, false)
        ]
    );
    drop(samples);
    assert_eq!(
        kept(&open(folder.path())).len(),
        3,
        "it is there at the next start"
    );
}

#[test]
fn a_code_that_is_not_listed_is_not_zero_and_no_counts_are_not_none() {
    let (_folder, samples) = fresh();
    let mut told: Vec<Sample> = vec![sample(NOW, 100)];
    let mut blocked = sample(NOW + 1, 100);
    blocked.counts.as_mut().unwrap().add(ResultCode::Blocked, 0);
    let mut foreign = blocked.clone();
    foreign.counts.as_mut().unwrap().others = vec![("99".into(), String::new(), 3)];
    let bare = Sample {
        counts: None,
        suites: None,
        progress: Some(i64::MIN),
        ..sample(NOW, 0)
    };
    told.extend([blocked, foreign, bare]);
    for (at, sample) in (NOW..).zip(&mut told) {
        sample.at = at;
        sample.seen_until = sample.at;
        assert!(samples.of_scope("qa", "P_9").add(&run(1), sample).unwrap());
        assert!(!samples.of_scope("qa", "P_9").add(&run(1), sample).unwrap());
    }
    assert_eq!(kept(&samples), told);
    assert_eq!(
        kept(&samples)[0]
            .counts
            .as_ref()
            .unwrap()
            .listed(ResultCode::Blocked),
        None
    );
    assert_eq!(kept(&samples)[2].total(), Some(103));
}

#[test]
fn a_clock_that_went_back_is_marked_and_the_order_stays() {
    let (_folder, samples) = fresh();
    let add = |at: i64, passed| {
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(NOW + at, passed))
            .unwrap()
    };
    assert!(add(0, 5));
    assert!(!add(HOUR, 5));
    assert!(
        add(HOUR - 1, 6),
        "it is older than the last look, not than the last change"
    );
    assert!(!add(HOUR - 50, 6), "nothing new, and nothing is taken back");
    assert!(add(2 * HOUR, 7));
    assert!(
        add(-DAY, 7),
        "so far back that the time would stand still for long"
    );
    let expected = [
        (0, HOUR, 5, false),
        (HOUR - 1, HOUR - 1, 6, true),
        (2 * HOUR, 2 * HOUR, 7, false),
        (-DAY, -DAY, 7, true),
    ];
    assert_eq!(told(&kept(&samples)), expected);
}

#[test]
fn runs_profiles_and_scopes_are_kept_apart() {
    let (_folder, samples) = fresh();
    let places = [
        ("qa", "P_9", 1),
        ("qa", "P_9", 2),
        ("qa", "P_9/SP_1", 1),
        ("prod", "P_9", 1),
    ];
    for (passed, (profile, scope, number)) in (1..).zip(places) {
        assert!(
            samples
                .of_scope(profile, scope)
                .add(&run(number), &sample(NOW, passed))
                .unwrap()
        );
    }
    for (passed, (profile, scope, number)) in (1..).zip(places) {
        let found = samples
            .of_scope(profile, scope)
            .of(&run(number), i64::MIN)
            .unwrap();
        assert_eq!(told(&found), [(0, 0, passed, false)]);
    }
    assert_eq!(
        samples.of_scope("qa", "P_1").of(&run(1), i64::MIN).unwrap(),
        []
    );
    let (one, two, now) = (run(1), run(2), sample(NOW + 1, 1));
    assert_eq!(
        samples
            .of_scope("qa", "P_9")
            .add_all([(&one, &now), (&two, &now)])
            .unwrap(),
        1,
        "run 1 told that before"
    );
}

#[test]
fn what_was_still_seen_at_a_time_is_read_from_there() {
    let (_folder, samples) = fresh();
    for (at, passed) in [(0, 1), (50, 1), (60, 2), (90, 2), (100, 3)] {
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(NOW + at, passed))
            .unwrap();
    }
    let since = |at: i64| {
        told(&samples.of_scope("qa", "P_9").of(&run(1), NOW + at).unwrap())
            .iter()
            .map(|it| it.2)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (since(0), since(50), since(51), since(100), since(101)),
        (vec![1, 2, 3], vec![1, 2, 3], vec![2, 3], vec![3], vec![])
    );
}

#[test]
fn what_is_too_old_goes_in_the_background_of_the_next_start() {
    let (folder, samples) = fresh();
    // More than is removed at once; the last is seen as long as the first of what stays.
    for at in 0..5_000 {
        let old = sample(NOW - 100 * DAY + at, at as u64 % 2);
        samples.of_scope("qa", "P_9").add(&run(1), &old).unwrap();
    }
    samples
        .of_scope("qa", "P_9")
        .add(&run(2), &sample(NOW - 90 * DAY - 1, 1))
        .unwrap();
    samples
        .of_scope("qa", "P_9")
        .add(
            &run(3),
            &sample(NOW - 200 * DAY, 1).with(|it| it.seen_until = NOW - 90 * DAY),
        )
        .unwrap();
    samples
        .of_scope("qa", "P_9")
        .add(&run(4), &sample(NOW, 1))
        .unwrap();
    samples
        .of_scope("qa", "P_9")
        .add(&run(5), &sample(NOW - DAY, 1))
        .unwrap();
    let left = |number| {
        samples
            .of_scope("qa", "P_9")
            .of(&run(number), i64::MIN)
            .unwrap()
            .len()
    };
    let again = open(folder.path());
    wait_for("the old samples are removed", || {
        left(1) == 0 && left(2) == 0
    });
    assert_eq!((left(3), left(4)), (1, 1));
    assert_eq!(again.prune(90, NOW).unwrap(), 0);
    assert_eq!(again.prune(0, NOW).unwrap(), 2);
    assert_eq!((left(3), left(4)), (0, 1), "seen just now");
}

#[test]
fn a_clock_that_is_ahead_removes_nothing() {
    let (_folder, samples) = fresh();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW - DAY, 1))
        .unwrap();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW, 2))
        .unwrap();
    let ahead = NOW + 5_000 * DAY;
    assert_eq!(samples.prune(90, ahead).unwrap(), 0);
    assert_eq!(samples.prune(90, i64::MIN).unwrap(), 0);
    assert_eq!(kept(&samples).len(), 2);
    // Nor after readings under it, before they are of more than a day.
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(ahead, 3))
        .unwrap();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(ahead + DAY - 1, 4))
        .unwrap();
    assert_eq!(samples.prune(90, ahead + DAY).unwrap(), 0);
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(ahead + DAY, 5))
        .unwrap();
    assert_eq!(samples.prune(90, ahead + DAY).unwrap(), 2);
}

#[test]
fn closed_are_the_runs_that_were_closed_and_not_opened_again() {
    let (_folder, samples) = fresh();
    let history = RunHistory {
        samples,
        profile: "qa".into(),
        scope: "P_9".into(),
        source: "here".into(),
    };
    let news = |number: u32, change: Change| {
        let news = News::Changed {
            changes: vec![change],
            by: None,
        };
        RunNews::new(&run(number), "R", NOW, Some(&news), Unread::Same)
    };
    let told = [
        news(1, Change::Closed),
        news(2, Change::Closed),
        news(3, Change::Reopened),
        news(2, Change::Reopened),
        news(4, Change::Reopened),
        news(4, Change::Closed),
    ];
    history.take_over(None, (1..).zip(&told)).unwrap();
    // What was closed, or opened again, from here brings no news.
    let own = |number: u32, at: i64, was_open: Option<bool>| OwnRecord {
        run: run(number),
        at: NOW + at,
        write: None,
        is_done: true,
        was_open,
    };
    let own = [
        own(4, 1, Some(false)),
        own(5, 2, Some(true)),
        own(2, 3, Some(true)),
        own(3, 4, None),
        own(1, -1, Some(false)),
    ];
    let closed = closed(&history.samples, &own).unwrap();
    let expected = [(run(1), NOW), (run(5), NOW + 2), (run(2), NOW + 3)];
    assert_eq!(closed, expected.into());
}

/// What an earlier version kept is of the service that asks first.
#[test]
fn a_name_belongs_to_its_first_service_and_another_one_has_its_own() {
    let (folder, samples) = fresh();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW, 1))
        .unwrap();
    let (first, second) = ("http://one/api", "http://two/api");
    let again = Samples::open(folder.path(), 90, NOW).unwrap();
    for samples in [samples, again] {
        let kept = |service| {
            let name = samples.name_of("qa", service).unwrap();
            let counts = samples.of_scope(&name, "P_9");
            counts.of(&run(1), i64::MIN).unwrap().len()
        };
        assert_eq!((kept(first), kept(second), kept(first)), (1, 0, 1));
        assert_eq!(samples.name_of("live", second).unwrap(), "live");
        assert_eq!(samples.name_of("qa", "http://one/api/").unwrap(), "qa");
    }
}
