//! A threshold for one run, and pins.

use crate::support::look::Look as _;
use rundown::domain::ResultCode;
use rundown::screens::monitor::GateState;
use rundown::store::{Effect, Notifying, Watching};

use super::sample::session;
use super::world::World;

fn watching(runs: usize) -> World {
    let watch = Watching {
        gate: Some("failed_new <= 20".into()),
        notify: Notifying::Osc9,
        ..Watching::default()
    };
    let mut world = World::with(
        (120, 40),
        30,
        rundown::store::Session { watch, ..session() },
    );
    for _ in 0..runs {
        world.desk.press(" ");
    }
    world.desk.press("M");
    world.answer();
    world
}

fn gate_state(world: &World, place: usize) -> Option<GateState> {
    world.desk.store.monitor().unwrap().cards[place]
        .gate_state
        .clone()
}

fn clear(world: &mut World) {
    let backspace = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Backspace);
    for _ in 0..40 {
        world.desk.act(rundown::store::Action::Type(backspace));
    }
}

#[test]
fn one_run_has_its_own_and_the_others_keep_that_of_all() {
    let mut world = watching(3);
    world.desk.press("jt");
    assert!(
        world
            .desk
            .screen()
            .contains("for all runs; Tab: for R_1 alone"),
        "{}",
        world.desk.screen()
    );
    world.desk.press("\t");
    assert!(
        world
            .desk
            .screen()
            .contains("for R_1 alone; Tab: for all runs"),
        "{}",
        world.desk.screen()
    );
    world.desk.press("failed_new <= 8\n");
    assert_eq!(gate_state(&world, 0), Some(GateState::Holds));
    assert_eq!(
        gate_state(&world, 1),
        Some(GateState::Fails("failed_new 9".into()))
    );
    let screen = world.desk.screen();
    assert!(
        screen.contains("OWN THRESHOLD failed_new <= 8 FAILS failed_new 9"),
        "{screen}"
    );
    assert!(
        screen.contains("threshold \"failed_new <= 20\": holds  1 run with its own: R_1 FAILS"),
        "{screen}"
    );
    // That of all changes, and its own stays; also in the next monitor.
    world.desk.press("t");
    clear(&mut world);
    world.desk.press("failed_new <= 5\n");
    assert_eq!(
        gate_state(&world, 0),
        Some(GateState::Fails("failed_new 9".into()))
    );
    world.desk.press("\u{1b}M");
    world.answer();
    assert!(
        world
            .desk
            .screen()
            .contains("OWN THRESHOLD failed_new <= 8"),
        "{}",
        world.desk.screen()
    );
    // Empty: that of all again.
    world.desk.press("jt\t");
    clear(&mut world);
    world.desk.press("\n");
    let screen = world.desk.screen();
    assert!(
        screen.contains("R_0, R_1, R_2 FAILS")
            && !screen.contains("its own")
            && !screen.contains("OWN"),
        "{screen}"
    );
}

#[test]
fn crossing_its_own_calls_with_its_own_words() {
    let mut world = watching(2);
    world.desk.press("t\tfailed_new <= 9\n");
    for run in 0..2 {
        world.record(run, ResultCode::Untested, ResultCode::FailedNew, 1);
    }
    world.next_reading();
    world.answer();
    let called = world.desk.open.iter().filter_map(|effect| match effect {
        Effect::Notify(words) => Some(words.clone()),
        _ => None,
    });
    let called: Vec<String> = called.collect();
    assert_eq!(called.len(), 1, "{called:?}");
    assert!(
        called[0].ends_with("threshold failed_new <= 9 fails now: failed_new 10"),
        "{called:?}"
    );
}

#[test]
fn a_pinned_run_comes_first_in_this_monitor_and_the_next() {
    let names = |world: &World| {
        let cards = &world.desk.store.monitor().unwrap().cards;
        cards
            .iter()
            .map(|card| card.row.name().to_owned())
            .collect::<Vec<_>>()
    };
    let mut world = watching(4);
    world.desk.press("jjj ");
    assert_eq!(names(&world), ["R_3", "R_0", "R_1", "R_2"]);
    let monitor = world.desk.store.monitor().unwrap();
    assert_eq!(
        monitor.current().unwrap().row.name(),
        "R_3",
        "the cursor goes along"
    );
    assert!(
        world.desk.screen().contains("^ R_3 "),
        "{}",
        world.desk.screen()
    );
    world.desk.press("jjj ");
    assert_eq!(
        names(&world),
        ["R_2", "R_3", "R_0", "R_1"],
        "in their order among the pinned"
    );
    world.desk.press("\u{1b}M");
    assert_eq!(names(&world), ["R_2", "R_3", "R_0", "R_1"]);
    world.answer();
    world.desk.press(" ");
    assert_eq!(names(&world), ["R_3", "R_0", "R_1", "R_2"]);
    assert!(
        world.desk.screen().contains("not pinned any more"),
        "{}",
        world.desk.screen()
    );
}
