//! A limit for one run, and pins.

use crate::support::prelude::*;
use rundown::domain::Notify;
use rundown::screens::monitor::{Figure, LimitState};

fn watching(runs: usize) -> World {
    let watch = Watching {
        limit: Some("failed_new <= 20".into()),
        notify: Notify::Osc9,
        ..Watching::default()
    };
    let mut world = World::with((120, 40), 30, Session { watch, ..session() });
    for _ in 0..runs {
        world.press(" ");
    }
    world.press("M");
    world.answer();
    world
}

fn limit_state(world: &World, place: usize) -> Option<LimitState> {
    world.monitor().runs[place].limit_state.clone()
}

fn over(why: &str) -> LimitState {
    LimitState::Over {
        why: why.into(),
        figures: vec![Figure::Fail],
    }
}

#[test]
fn one_run_has_its_own_and_the_others_keep_that_of_all() {
    let mut world = watching(3);
    world.press("jt");
    world.desk.size = (80, 24);
    world.says("of all, now failed_new <= 20; empty: none; Tab: R_1 alone");
    world.desk.size = (120, 40);
    world.press("\t");
    world.says("of R_1 alone, e.g. failed_new <= 5; Tab: all");
    world.press("failed_new <= 8\n");
    assert_eq!(limit_state(&world, 0), Some(LimitState::Within));
    assert_eq!(
        limit_state(&world, 1),
        Some(over("failed_new is 9, limit <= 8"))
    );
    assert_eq!(
        world.watched(),
        ["R_1", "R_0", "R_2"],
        "the worst comes first"
    );
    world.says("limit: failed_new <= 20 ");
    world.says("R_1: over its own limit: failed_new is 9, limit <= 8");
    // That of all changes, and its own stays; also in the next monitor.
    world.press("tfailed_new <= 5\n");
    assert_eq!(
        limit_state(&world, 0),
        Some(over("failed_new is 9, limit <= 5"))
    );
    assert_eq!(
        limit_state(&world, 1),
        Some(over("failed_new is 9, limit <= 8"))
    );
    world.press("\u{1b}M");
    world.answer();
    assert_eq!(
        limit_state(&world, 1),
        Some(over("failed_new is 9, limit <= 8"))
    );
    // Empty: that of all again.
    world.press("jt\t\n");
    assert_eq!(
        limit_state(&world, 1),
        Some(over("failed_new is 9, limit <= 5"))
    );
}

#[test]
fn crossing_its_own_calls_with_its_own_words() {
    let mut world = watching(2);
    world.press("t\tfailed_new <= 9\n");
    for run in 0..2 {
        world.record(run, ResultCode::Untested, ResultCode::FailedNew, 1);
    }
    world.read_next();
    let called = world.desk.open.iter().filter_map(|effect| match effect {
        Effect::Notify(words) => Some(words.clone()),
        _ => None,
    });
    let called: Vec<String> = called.collect();
    assert_eq!(called.len(), 1, "{called:?}");
    assert!(
        called[0].ends_with("over the limit: failed_new is 10, limit <= 9"),
        "{called:?}"
    );
}

#[test]
fn a_pinned_run_comes_first_in_this_monitor_and_the_next() {
    let mut world = watching(4);
    world.press("jjjP");
    assert_eq!(world.watched(), ["R_3", "R_0", "R_1", "R_2"]);
    let monitor = world.monitor();
    assert_eq!(
        monitor.current().unwrap().row.name(),
        "R_3",
        "the cursor goes along"
    );
    world.says(">^R_3 ");
    world.press("jjjP");
    assert_eq!(
        world.watched(),
        ["R_2", "R_3", "R_0", "R_1"],
        "in their order among the pinned"
    );
    world.press("\u{1b}M");
    assert_eq!(world.watched(), ["R_2", "R_3", "R_0", "R_1"]);
    world.answer();
    world.press("P");
    assert_eq!(world.watched(), ["R_3", "R_0", "R_1", "R_2"]);
    world.says("not pinned any more");
}
