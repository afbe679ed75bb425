//! What changed since a moment: of any history that several programs wrote, the lines add up to the headline.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::domain::since::{Became, CaseCounts, NotCounted, RunKnown, Since, own_cases};
use rundown::domain::{Quiet, ResultCounts, RunRow, Sample, Status};
use rundown::samples::Samples;

const HOUR: i64 = 3_600_000;
const DONE: [ResultCode; 2] = [ResultCode::Passed, ResultCode::FailedNew];
const CODES: [ResultCode; 5] = [
    ResultCode::Passed,
    ResultCode::FailedNew,
    ResultCode::FailedKnown,
    ResultCode::Blocked,
    ResultCode::Untested,
];

/// A reading of a run: minutes since the one before (below 0: the clock was set back), by the second program or the first,
/// and what was told.
#[derive(Clone, Debug)]
struct Read {
    minutes: i64,
    second: bool,
    counts: Option<[u64; 5]>,
}

#[derive(Clone, Debug)]
struct History {
    reads: Vec<Read>,
    open: bool,
    was_open: bool,
    gone: bool,
    /// Hours after the beginning at which it was made.
    made: Option<i64>,
    own: i64,
}

fn history() -> impl Strategy<Value = History> {
    let minutes = prop_oneof![6 => 1..90_i64, 3 => 120..1_500_i64, 1 => -300..0_i64];
    let counts = prop::option::weighted(0.95, prop::array::uniform5(0..4_u64));
    let read = (minutes, any::<bool>(), counts).prop_map(|(minutes, second, counts)| Read {
        minutes,
        second,
        counts,
    });
    let flags = (
        prop::bool::weighted(0.7),
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.1),
    );
    let made = prop::option::weighted(0.8, 0..100_i64);
    (prop::collection::vec(read, 0..20), flags, made, -5..5_i64).prop_map(
        |(reads, (open, was_open, gone), made, own)| History {
            reads,
            open,
            was_open,
            gone,
            made,
            own,
        },
    )
}

fn counts(of: [u64; 5]) -> ResultCounts {
    let mut counts = ResultCounts::default();
    for (code, count) in CODES.into_iter().zip(of) {
        counts.add(code, count);
    }
    counts
}

fn sample(at: i64, of: Option<[u64; 5]>) -> Sample {
    Sample {
        at,
        seen_until: at,
        clock_back: false,
        counts: of.map(counts),
        suites: None,
        progress: None,
    }
}

fn run(number: usize) -> DocRef {
    DocRef::parse(&format!("TestRun-dm/{number}")).unwrap()
}

/// Untested and blocked, known failures too, of an open run.
fn left(of: [u64; 5], open: bool) -> u64 {
    if open { of[2] + of[3] + of[4] } else { 0 }
}

proptest! {
    #![proptest_config(ProptestConfig::default().with(|it| it.cases = crate::support::cases(200)))]

    #[test]
    fn lines_add_up_and_each_run_is_in_one_of_them_or_named(all in prop::collection::vec(history(), 1..12), moment in 1..6_000_i64) {
        let home = tempfile::tempdir().unwrap();
        let start = 1_795_000_000_000;
        let moment = start + moment * 60_000;
        let programs = [(); 2].map(|()| Samples::open(home.path(), 400, start).unwrap());
        let mut known = Vec::new();
        let mut expected = Vec::new();
        for (number, of) in all.iter().enumerate() {
            let (mut at, mut clock_back) = (start, false);
            // The newest reading before the moment, and the last of all.
            let (mut then, mut last) = (None, None);
            for read in &of.reads {
                at += read.minutes * 60_000;
                clock_back |= read.minutes < 0;
                let told = sample(at, read.counts);
                programs[usize::from(read.second)].of_scope("p", "s").add(&run(number), &told).unwrap();
                if let Some(counts) = read.counts {
                    if at < moment {
                        then = Some((at, counts));
                    }
                    last = Some((at, counts));
                }
            }
            let found = programs[0].of_scope("p", "s").newest_before(moment).unwrap();
            let found = found.into_iter().find(|(it, _)| *it == run(number)).map(|it| it.1);
            if !clock_back {
                prop_assert_eq!(found.as_ref().map(|it| it.counts.clone()), then.map(|it| Some(counts(it.1))));
                // Seen until then at least, as far as that was before the moment.
                let until = found.as_ref().map(|it| it.seen_until.min(moment - 1));
                prop_assert!(until >= then.map(|it| it.0), "{until:?} {then:?}");
            }
            let row = RunRow {
                status: if of.open { Status::Active } else { Status::Inactive },
                results: last.map(|it| counts(it.1)),
                created_on: of.made.map(|hours| start + hours * HOUR),
                ..RunRow::unknown(run(number))
            };
            let was_there = found.is_some() || of.made.is_none_or(|it| start + it * HOUR < moment);
            let is_in = of.open && !of.gone || of.was_open && was_there;
            expected.push((is_in, found.clone(), last, of));
            known.push(RunKnown {
                row,
                counted_at: last.map(|it| it.0),
                gone_since: of.gone.then_some(at),
                deleted_at: None,
                then: found,
                was_open: of.was_open,
                own: of.own,
                quiet: Quiet::No,
            });
        }
        let is_old = |at: i64| moment - at > 24 * HOUR;
        let since = Since::of(moment, known, &DONE, is_old);
        let of_run = |run: &DocRef| run.as_str().rsplit('/').next().unwrap().parse::<usize>().unwrap();
        let mut named: Vec<usize> = since.lines.iter().map(|it| of_run(&it.row.doc_ref)).collect();
        named.extend(since.not_counted.iter().map(|it| of_run(&it.0.doc_ref)));
        named.sort_unstable();
        let all_in: Vec<usize> = (0..all.len()).filter(|it| expected[*it].0).collect();
        prop_assert_eq!(named, all_in);
        for (row, why) in &since.not_counted {
            let (_, then, last, of) = &expected[of_run(&row.doc_ref)];
            let is_so = match why {
                NotCounted::NotReadBefore => then.is_none() && of.made.is_none_or(|it| start + it * HOUR < moment),
                NotCounted::LastRead(at) => then.is_some() && is_old(*at) && (last.is_some() || of.gone),
                NotCounted::NotReadSince(at) => last.unwrap().0 == *at && *at < moment,
                NotCounted::NoCounts => last.is_none(),
            };
            prop_assert!(is_so, "{row:?} {why:?}");
        }
        // Then and now are those of the readings, run by run and all together.
        let (mut then_left, mut now_left, mut moved, mut gone) = (0, 0, [0; 5], [0; 5]);
        for line in &since.lines {
            let (_, then, last, of) = &expected[of_run(&line.row.doc_ref)];
            let at = |standing: &CaseCounts| CODES.map(|code| standing.cases.0[code as usize - 1]);
            let before = at(&line.then);
            prop_assert_eq!(then.as_ref().and_then(|it| it.counts.clone()).unwrap_or_default().total(), before.iter().sum::<u64>());
            let after = if of.gone { [0; 5] } else { last.unwrap().1 };
            prop_assert_eq!(at(&line.now), after);
            let was_open = of.was_open || then.is_none();
            prop_assert_eq!((line.then.left, line.now.left), (left(before, was_open), left(after, of.open && !of.gone)));
            prop_assert_eq!(line.left.sum(), line.now.left.cast_signed() - line.then.left.cast_signed());
            prop_assert_eq!(line.became == Became::Gone, of.gone);
            then_left += line.then.left;
            now_left += line.now.left;
            for (place, (before, after)) in before.into_iter().zip(after).enumerate() {
                if of.gone {
                    gone[place] += before;
                } else {
                    moved[place] += after.cast_signed() - before.cast_signed();
                }
            }
        }
        prop_assert_eq!((since.then.left, since.now.left), (then_left, now_left));
        prop_assert_eq!(since.left.sum(), now_left.cast_signed() - then_left.cast_signed());
        prop_assert_eq!(CODES.map(|code| since.moved[code as usize - 1]), moved);
        prop_assert_eq!(CODES.map(|code| since.gone.0[code as usize - 1]), gone);
        for place in 0..since.then.cases.0.len() {
            let then = since.then.cases.0[place].cast_signed() + since.moved[place] - since.gone.0[place].cast_signed();
            prop_assert_eq!(then, since.now.cases.0[place].cast_signed());
        }
    }
}

/// A run that told these then and now: passed, failed (new), failed (known), blocked, untested.
fn told(
    number: usize,
    (then, was_open): ([u64; 5], bool),
    (now, open): (ResultCounts, bool),
) -> RunKnown {
    let status = if open {
        Status::Active
    } else {
        Status::Inactive
    };
    RunKnown {
        row: RunRow {
            status,
            results: Some(now),
            ..RunRow::unknown(run(number))
        },
        counted_at: Some(20),
        gone_since: None,
        deleted_at: None,
        then: Some(sample(5, Some(then))),
        was_open,
        own: 0,
        quiet: Quiet::Since(1),
    }
}

fn became(then: [u64; 5], now: [u64; 5], open: bool) -> Became {
    let known = told(1, (then, true), (counts(now), open));
    Since::of(10, [known], &DONE, |_| false).lines[0].became
}

/// The counts of before are old, as it was read since without any.
#[test]
fn a_run_that_tells_no_results_any_more_is_named_for_that() {
    let told = told(1, ([1; 5], true), (counts([1; 5]), true));
    let mut without = told.clone();
    without.row.results = None;
    for (known, expected) in [
        (told, NotCounted::LastRead(5)),
        (without, NotCounted::NoCounts),
    ] {
        let since = Since::of(10, [known], &DONE, |_| true);
        let why: Vec<_> = since.not_counted.iter().map(|it| it.1).collect();
        assert_eq!(why, [expected]);
    }
}

#[test]
fn what_went_back_is_no_progress_and_each_way_of_the_cases_left_is_told() {
    let then = [10, 0, 0, 0, 6];
    let mut retest = counts([3, 0, 0, 0, 6]);
    retest.add(ResultCode::Retest, 7);
    let runs = [
        told(1, (then, true), (retest, true)),
        told(2, (then, false), (counts(then), true)),
        told(3, (then, true), (counts([12, 0, 0, 0, 4]), false)),
        told(4, (then, true), (counts([10, 0, 0, 0, 9]), true)),
        told(5, (then, true), (counts([10, 0, 0, 0, 1]), true)),
    ];
    let since = Since::of(10, runs, &DONE, |_| false);
    let lines = since.lines.iter().map(|line| {
        let words = line.words(10, |at| at.to_string());
        format!("{}: {words}", line.became.word())
    });
    let lines: Vec<String> = lines.collect();
    assert_eq!(
        lines,
        [
            "back: passed 10 → 3, retest 0 → 7, 6 → 13 left",
            "back: 0 → 6 left, opened again",
            "done: passed 10 → 12, untested 6 → 4, 6 → 0 left, closed",
            "grew: untested 6 → 9, 16 → 19 cases, 6 → 9 left",
            "shrank: untested 6 → 1, 16 → 11 cases, 6 → 1 left",
        ]
    );
    let [_, left] = since.headline();
    assert_eq!(
        left,
        "29 left: 2 done since, 7 fewer done, 3 came, 5 went, 6 in runs opened again, 4 not run in closed runs"
    );
}

#[test]
fn a_run_that_is_worse_in_anything_is_worse() {
    let then = [5, 2, 1, 3, 4];
    for (now, open, word) in [
        ([5, 2, 1, 3, 4], true, Became::Quiet),
        ([6, 2, 1, 3, 3], true, Became::Progress),
        ([5, 3, 1, 2, 4], true, Became::Worse),
        // A known failure is no new one, but it has failed as before.
        ([5, 1, 2, 3, 4], true, Became::Better),
        ([5, 3, 0, 3, 4], true, Became::Worse),
        ([5, 1, 1, 4, 4], true, Became::Worse),
        ([8, 2, 1, 0, 4], true, Became::Better),
        ([13, 2, 0, 0, 0], true, Became::Done),
        ([6, 2, 1, 3, 3], false, Became::Done),
        ([6, 3, 1, 3, 2], false, Became::Worse),
        // Where results went nothing is better or done, whatever else moved.
        ([0, 0, 0, 0, 0], true, Became::Lost),
        ([0, 0, 0, 0, 0], false, Became::Lost),
        ([4, 2, 1, 3, 5], true, Became::Lost),
        ([4, 2, 1, 3, 5], false, Became::Lost),
        ([5, 1, 1, 3, 5], true, Became::Lost),
        ([0, 3, 0, 0, 0], true, Became::Worse),
        ([5, 2, 1, 0, 7], true, Became::Better),
        // What had passed is to be tested again.
        ([4, 2, 1, 3, 5], true, Became::Lost),
        ([4, 3, 0, 3, 5], true, Became::Worse),
        // Cases that came or went with suites are no work.
        ([5, 2, 1, 3, 9], true, Became::Grew),
        ([5, 2, 1, 0, 9], true, Became::Better),
        ([6, 2, 1, 3, 9], true, Became::Progress),
        ([5, 2, 1, 3, 2], true, Became::Shrank),
        ([5, 2, 1, 1, 2], true, Became::Shrank),
        ([6, 2, 1, 3, 0], true, Became::Progress),
    ] {
        assert_eq!(became(then, now, open), word, "{now:?}");
    }
    let nothing_left = [9, 1, 0, 0, 0];
    assert_eq!(
        became(nothing_left, nothing_left, true),
        Became::Quiet,
        "it was done before"
    );
}

#[test]
fn a_new_run_tells_its_results() {
    let known = |now| RunKnown {
        row: RunRow {
            status: Status::Active,
            results: Some(counts(now)),
            suite_count: Some(2),
            created_on: Some(15),
            ..RunRow::unknown(run(1))
        },
        counted_at: Some(20),
        gone_since: None,
        deleted_at: None,
        then: None,
        was_open: true,
        own: 0,
        quiet: Quiet::No,
    };
    let words = |now| {
        let since = Since::of(10, [known(now)], &DONE, |_| false);
        assert_eq!(since.lines[0].became, Became::New);
        since.lines[0].words(10, |at| at.to_string())
    };
    assert_eq!(words([0, 0, 0, 0, 36]), "36 cases in 2 suites");
    assert_eq!(
        words([20, 3, 0, 1, 12]),
        "36 cases in 2 suites, 13 left, 3 failed (new), 1 blocked, 20 passed"
    );
}

#[test]
fn cases_of_suites_added_from_here_are_told_from_those_that_others_added() {
    let told = |at: i64, untested: u64| sample(at, Some([0, 0, 0, 0, untested]));
    let samples = [told(0, 10), told(10, 15), told(20, 40), told(30, 38)];
    assert_eq!(own_cases(&samples, &[15]), 25);
    assert_eq!(own_cases(&samples, &[5, 25]), 3);
    assert_eq!(own_cases(&samples, &[31]), 0);
}

#[test]
fn a_run_is_quiet_where_it_was_read_on_each_day_and_nothing_moved() {
    let day = 24 * HOUR;
    let days: Vec<(i64, i64)> = (1..4).map(|it| (it * day, (it + 1) * day)).collect();
    let at = |hours: i64, passed: u64| sample(hours * HOUR, Some([passed, 0, 0, 0, 5]));
    let row = |status, passed, created_on| RunRow {
        status,
        results: Some(counts([passed, 0, 0, 0, 5])),
        created_on,
        ..RunRow::unknown(run(1))
    };
    let open = row(Status::Active, 4, Some(0));
    let quiet = |samples: &[Sample]| Quiet::of(&open, samples, &DONE, &days);
    let read = [at(2, 3), at(6, 4), at(30, 4), at(60, 4), at(80, 4)];
    assert_eq!(quiet(&read), Quiet::Since(6 * HOUR));
    // On one day it was not read, or it was not read before.
    assert_eq!(quiet(&[at(6, 4), at(30, 4), at(80, 4)]), Quiet::NotKnown);
    assert_eq!(quiet(&read[2..]), Quiet::NotKnown);
    assert_eq!(quiet(&[]), Quiet::NotKnown);
    let mut again = vec![at(6, 4)];
    for (hours, samples) in [(8, 1), (80, 2)] {
        Sample::add_reading(&mut again, &open, hours * HOUR);
        assert_eq!(again.len(), samples, "{hours}");
    }
    assert_eq!(quiet(&again), Quiet::NotKnown);
    let mut back = read.clone();
    back[3].clock_back = true;
    assert_eq!(quiet(&back), Quiet::NotKnown);
    let moved = [at(6, 4), at(30, 4), at(60, 5), at(80, 5)];
    assert_eq!(quiet(&moved), Quiet::No);
    let closed = row(Status::Inactive, 4, Some(0));
    let new = row(Status::Active, 4, Some(40 * HOUR));
    for row in [closed, new] {
        assert_eq!(Quiet::of(&row, &read, &DONE, &days), Quiet::No);
    }
    let nothing_left = open
        .clone()
        .with(|it| it.results = Some(counts([4, 0, 0, 0, 0])));
    assert_eq!(Quiet::of(&nothing_left, &read, &DONE, &days), Quiet::No);
}
