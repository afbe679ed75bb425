//! What runs told before today, and what a row says by it.

use crate::support::prelude::*;
use jiff::Timestamp;
use rundown::domain::Sample;
use rundown::mirror::EarlierReadings;

fn ms(time: &str) -> i64 {
    time.parse::<Timestamp>().unwrap().as_millisecond()
}

fn refs(numbers: impl IntoIterator<Item = u64>) -> Vec<DocRef> {
    numbers.into_iter().map(|at| row(at).doc_ref).collect()
}

/// These runs stood so at a time.
fn tell(world: &mut World, runs: &[RunRow], at: &str) {
    world.told_before(runs.iter().map(|run| (run, ms(at))));
}

fn earlier(world: &World) -> &EarlierReadings {
    world.store.earlier()
}

/// Of a run on the list there is an earlier reading.
fn compares(world: &World) -> bool {
    let mut rows = world.runs.iter();
    rows.any(|row| earlier(world).moved(row).is_some())
}

#[test]
fn what_was_before_today_is_compared_until_midnight() {
    let mut world = World::new((120, 40), 30);
    let before = world.runs.clone();
    tell(&mut world, &before[..20], "2026-11-19T16:00:00Z");
    assert!(compares(&world));
    assert_eq!(
        world
            .store
            .runs()
            .answer
            .as_ref()
            .unwrap()
            .overview
            .compared,
        20
    );
    // The last moment of the day, and the first of the next one.
    let first = world.runs[0].clone();
    world.now = ms("2026-11-20T23:59:59.999Z");
    world.press("j");
    assert_eq!(earlier(&world).moved(&first), Some(false));
    world.now = ms("2026-11-21T00:00:00Z");
    world.press("k");
    assert_eq!(
        earlier(&world).moved(&first),
        None,
        "what was before yesterday is not before today"
    );
    let overview = &world.store.runs().answer.as_ref().unwrap().overview;
    assert_eq!(overview.compared, 0, "nor on the screen");
}

#[test]
fn the_days_are_those_of_this_machine() {
    let session = session().with(|it| it.zone = Some(TimeZone::posix("<+0530>-5:30").unwrap()));
    let world = World::with((120, 40), 3, session);
    let days = earlier(&world).days().unwrap();
    assert_eq!(days.today, ms("2026-11-19T18:30:00Z"));
}

#[test]
fn another_profile_knows_nothing_of_these_runs() {
    let mut world = World::new((120, 40), 3);
    let runs = world.runs.clone();
    tell(&mut world, &runs, "2026-11-19T16:00:00Z");
    assert!(compares(&world));
    world.uses("prod");
    assert!(!compares(&world));
}

#[test]
fn a_row_says_how_many_more_there_are() {
    use ResultCode::{Blocked, FailedKnown, FailedNew, OnHoldExternal, OnHoldInternal, Untested};
    let mut world = World::new((120, 40), 4);
    for run in 0..4 {
        world.record(run, Untested, OnHoldExternal, 4);
    }
    let before = world.runs.clone();
    tell(&mut world, &before[..3], "2026-11-19T16:00:00Z");
    world.record(0, Untested, FailedNew, 2);
    world.record(0, Untested, FailedKnown, 5);
    world.record(0, Untested, Blocked, 1);
    world.record(0, Untested, OnHoldInternal, 3);
    // What is set right is not less than nothing, and what is blocked otherwise is not more.
    world.record(1, OnHoldExternal, OnHoldInternal, 4);
    world.record(1, FailedNew, Untested, 1);
    let values = |world: &World, run: usize| {
        let (row, earlier) = (&world.runs[run], earlier(world));
        (
            earlier.more_failed(row),
            earlier.more_blocked(row),
            earlier.moved(row),
        )
    };
    assert_eq!(values(&world, 0), (Some(2), Some(4), Some(true)));
    assert_eq!(values(&world, 1), (Some(0), Some(0), Some(true)));
    assert_eq!(values(&world, 2), (Some(0), Some(0), Some(false)));
    assert_eq!(values(&world, 3), (None, None, None), "no earlier reading");
    world.runs[3].created_on = Some(ms("2026-11-20T00:00:00Z"));
    let counts = world.runs[3].results.as_ref().unwrap();
    let all = (
        Some(counts.sum(&[FailedNew])),
        Some(counts.sum(ResultCode::BLOCKED)),
        Some(true),
    );
    assert_eq!(values(&world, 3), all, "made today: there was none before");
    // A code without cases is the same whether it is listed or not.
    let counts = world.runs[2].results.as_mut().unwrap();
    counts.add(ResultCode::Customer, 0);
    assert_eq!(values(&world, 2).2, Some(false));
    // Counts that are not told in full, or not at all.
    world.runs[0].results.as_mut().unwrap().unread = 1;
    world.runs[1].results = None;
    assert_eq!(values(&world, 0), (None, None, None));
    assert_eq!(values(&world, 1), (None, None, None));
    world.runs[2].results = Some(ResultCounts::default());
    assert_eq!(values(&world, 2), (Some(0), Some(0), Some(true)));
}

#[test]
fn since_when_is_said_if_it_is_not_since_yesterday() {
    let mut world = World::new((120, 40), 5);
    let at = [
        "2026-11-13T16:00:00Z",
        "2026-11-12T09:00:00Z",
        "2026-11-19T00:00:00Z",
        "2026-11-18T23:59:59.999Z",
    ];
    let mut told: Vec<(DocRef, Sample)> = Vec::new();
    for (run, at) in world.runs.iter().zip(at) {
        told.push((run.doc_ref.clone(), Sample::of(run, ms(at))));
    }
    // Of last week, but seen unchanged until this morning: nothing is older than yesterday's last moment there.
    told[1].1.seen_until = ms("2026-11-20T08:00:00Z");
    let told = EarlierReadings::new(world.days(), told);
    world.compare_by(told);
    let since = |runs: &[u64]| earlier(&world).since(&refs(runs.iter().copied()));
    assert_eq!(since(&[0, 1, 2, 3, 4]), Some(ms(at[0])));
    assert_eq!(since(&[1, 2]), None, "since yesterday");
    assert_eq!(since(&[2, 3]), Some(ms(at[3])));
    assert_eq!(since(&[4]), None, "no earlier reading");
    assert_eq!(since(&[]), None);
}

#[test]
fn today_is_what_was_edited_or_has_moved_today() {
    let mut world = World::new((120, 40), 3);
    for run in &mut world.runs {
        run.edited_on = Some(ms("2026-11-19T23:59:59.999Z"));
    }
    let before = world.runs.clone();
    tell(&mut world, &before, "2026-11-19T16:00:00Z");
    world.record(1, ResultCode::Untested, ResultCode::Passed, 1);
    world.runs[2].edited_on = Some(ms("2026-11-20T00:00:00Z"));
    let of_today = world
        .runs
        .iter()
        .map(|run| earlier(&world).is_of_today(run));
    assert_eq!(of_today.collect::<Vec<_>>(), [false, true, true]);
    world.runs[0].edited_on = None;
    assert!(!earlier(&world).is_of_today(&world.runs[0]));
    // Without counts, too.
    world.runs[2].results = None;
    assert!(earlier(&world).is_of_today(&world.runs[2]));
}
