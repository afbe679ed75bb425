//! Runs side by side, in their states.

use super::pictures::States;
use crate::support::prelude::*;

use ResultCode::{Blocked, FailedNew, Passed, Untested};

/// Three runs, marked; the last one of another version.
fn compared(size: (u16, u16), keys: &str) -> Sample {
    let mut world = World::new(size, 5);
    let all = [[221, 0, 2, 2], [203, 9, 9, 20], [214, 10, 2, 20]];
    for (run, of) in world.runs.iter_mut().zip(all) {
        let mut counts = ResultCounts::default();
        for (code, count) in [Passed, FailedNew, Blocked, Untested].into_iter().zip(of) {
            counts.add(code, count);
        }
        run.results = Some(counts);
        run.title = Some("Regression chrome".into());
        run.version = Some("1.2.1".into());
    }
    world.runs[0].version = Some("1.2.0".into());
    world.runs[0].status = Status::Inactive;
    world.refresh();
    // Closed runs are in the list of all.
    world.press("6");
    world.answer();
    world.press(keys);
    world.answer();
    world.desk
}

#[test]
fn marked_runs_stand_side_by_side_with_the_difference_of_the_last_two() {
    let mut desk = compared((80, 24), "/R_0 or R_1 or R_2\nA=");
    desk.says("Compare");
    for row in [
        "Version",
        "Passed",
        "Failed (new)",
        "Blocked",
        "Suites are not compared: those of R_",
    ] {
        desk.says(row);
    }
    let screen = desk.screen();
    let row = |label: &str| {
        let line = screen.lines().find(|line| line.contains(label)).unwrap();
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("Cases").len(), 5, "{screen}");
    let more = row("Passed").last().cloned().unwrap();
    assert!(more.starts_with(['+', '-']), "{more}");
    // What is equal goes, and comes again.
    desk.says("Title");
    desk.press("w");
    desk.lacks("Title");
    desk.says("Version");
    desk.press("w");
    desk.says("Title");
    desk.press("y");
    desk.says("Copy the comparison of R_");
    desk.press("\n");
    let (_, copied) = desk.clipboard().pop().unwrap();
    assert!(copied.starts_with("### Compared: R_"), "{copied}");
    desk.press("\u{1b}");
    assert_eq!(desk.store.screen(), Layer::Runs);
}

#[test]
fn a_run_alone_is_compared_with_how_it_stood_at_another_time() {
    let mut desk = compared((80, 24), "/R_1\n=");
    desk.says("yesterday");
    desk.says("now");
    desk.says("Suites are not compared");
    desk.press("fMonday\n");
    desk.says("now");
    // Five are too many.
    let desk = compared((80, 24), "A=");
    desk.says("5 runs are marked; at most 4 are compared");
    assert_eq!(desk.store.screen(), Layer::Runs);
}

#[test]
fn where_there_is_little_room_the_last_runs_are_shown() {
    let desk = compared((60, 15), "/R_0 or R_1 or R_2\nA=");
    let heading = desk.screen().lines().nth(1).unwrap().to_owned();
    assert_eq!(heading.matches("R_").count(), 2, "{heading}");
}

/// All of them.
pub fn states(states: &mut States<'_>) {
    states.see("compare", |size| compared(size, "/R_0 or R_1 or R_2\nA="));
}
