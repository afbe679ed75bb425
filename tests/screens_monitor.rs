//! The monitor, the feed and the burn-up in their states: at 80x24, 120x40 and 200x60, with 1, 3 and 20 runs.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support::{sample, samples_of, world};
use rundown::domain::{Filter, ResultCode, RunsOperation, View};
use rundown::store::{Session, Watching};
use sample::{failure, session};
use samples_of::Pace;
use world::World;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

fn snapshots(name: &str, make: impl Fn((u16, u16)) -> World) {
    for size in SIZES {
        let screen = make(size).desk.screen();
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), screen);
    }
}

/// A monitor of the first `runs` runs, read twice, with a change in between.
fn monitor(size: (u16, u16), runs: usize, gate: Option<&str>) -> World {
    let watch = Watching {
        gate: gate.map(str::to_owned),
        ..Watching::default()
    };
    let session = Session {
        read_only: true,
        watch,
        ..session()
    };
    let mut world = World::with(size, runs.max(2) as u64, session);
    for _ in 0..runs {
        world.desk.press(" ");
    }
    world.desk.press("M");
    world.tell(Pace::Steady);
    world.answer();
    world.record(0, ResultCode::Untested, ResultCode::Passed, 3);
    if runs > 1 {
        world.record(1, ResultCode::Untested, ResultCode::FailedNew, 1);
    }
    world.next_reading();
    world.answer();
    world.tell(Pace::Steady);
    world
}

#[test]
fn the_monitor_with_one_run() {
    snapshots("monitor_1", |size| monitor(size, 1, None));
}

#[test]
fn the_monitor_with_three_runs() {
    snapshots("monitor_3", |size| {
        monitor(size, 3, Some("failed_new <= 20"))
    });
}

#[test]
fn the_monitor_with_twenty_runs() {
    snapshots("monitor_20", |size| {
        monitor(size, 20, Some("failed_new <= 20"))
    });
}

#[test]
fn a_threshold_that_is_crossed() {
    snapshots("monitor_crossed", |size| {
        monitor(size, 3, Some("failed_new <= 9"))
    });
}

#[test]
fn the_threshold_is_typed() {
    snapshots("monitor_threshold_typed", |size| {
        let mut world = monitor(size, 3, None);
        world.desk.press("tfaild_new <= 3\n");
        world
    });
}

#[test]
fn a_service_that_fails_leaves_the_numbers_with_their_age() {
    snapshots("monitor_failing", |size| {
        let mut world = monitor(size, 3, Some("failed_new <= 9"));
        world.next_reading();
        world.fail(&failure());
        world.desk.now += 95_000;
        world
    });
}

/// A monitor on saved views.
fn on_view(size: (u16, u16), view: View) -> World {
    let gate = Some("failed_new <= 20".to_owned());
    let name = view.name.clone();
    let watch = Watching {
        views: vec![view],
        gate,
        ..Watching::default()
    };
    let mut world = World::with(size, 37, Session { watch, ..session() });
    world.desk.press(&format!(":monitor {name}\n"));
    world
}

#[test]
fn a_view_that_finds_more_than_fit() {
    snapshots("monitor_view_by_filter", |size| {
        let filters = vec!["Root.General.Configuration:qftest,chrome".to_owned()];
        let filter = Filter {
            filters,
            ..Filter::default()
        };
        let mut world = on_view(
            size,
            View {
                name: "browsers".into(),
                filter,
                ..View::default()
            },
        );
        world.answer();
        world.tell(Pace::Steady);
        world.desk.press("jj ");
        world
    });
}

#[test]
fn a_view_of_named_runs_with_a_threshold_of_its_own() {
    snapshots("monitor_view_by_name", |size| {
        let runs = ["R_7", "R_99", "R_4"].map(str::to_owned).to_vec();
        let mut world = on_view(
            size,
            View {
                name: "release".into(),
                runs,
                ..View::default()
            },
        );
        world.answer();
        world.tell(Pace::Steady);
        world.desk.press("t\tfailed_new <= 8\n");
        world
    });
}

#[test]
fn a_view_that_could_not_be_read_yet() {
    snapshots("monitor_view_failed", |size| {
        let runs = vec!["R_7".to_owned()];
        let mut world = on_view(
            size,
            View {
                name: "release".into(),
                runs,
                ..View::default()
            },
        );
        world.fail(&failure());
        world
    });
}

#[test]
fn without_counts_there_is_no_forecast() {
    snapshots("monitor_without_counts", |size| {
        let mut world = monitor(size, 3, Some("failed_new <= 9"));
        world.operation = RunsOperation::ListDocuments;
        for run in &mut world.runs {
            (run.suite_count, run.progress, run.results) = (None, None, None);
        }
        world.next_reading();
        world.answer();
        world
    });
}

#[test]
fn a_run_that_is_gone_and_one_that_is_done() {
    snapshots("monitor_gone_and_done", |size| {
        let mut world = monitor(size, 3, None);
        world.runs.remove(1);
        for code in [
            ResultCode::Untested,
            ResultCode::Blocked,
            ResultCode::InProgress,
        ] {
            let cases = world.runs[0].results.as_ref().unwrap().get(code);
            world.record(0, code, ResultCode::Passed, cases);
        }
        world.next_reading();
        world.answer();
        world.tell(Pace::Done);
        world
    });
}

#[test]
fn too_little_is_known_for_a_forecast() {
    snapshots("monitor_thin", |size| {
        let mut world = World::new(size, 3);
        world.desk.press(" M");
        world.answer();
        world.tell(Pace::Thin);
        world
    });
}

#[test]
fn the_burn_up_of_a_run() {
    for (name, keys) in [("detail_burn_up", "5"), ("detail_burn_up_of_nothing", "")] {
        for size in SIZES {
            let mut world = World::new(size, 30);
            world.desk.press("jjjj\n");
            world.answer();
            world.desk.press(if keys.is_empty() { "5" } else { keys });
            world.tell(if keys.is_empty() {
                Pace::Nothing
            } else {
                Pace::Steady
            });
            insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), world.desk.screen());
        }
    }
}

#[test]
fn the_list_with_changes_and_the_feed() {
    let make = |size| {
        let mut world = World::new(size, 30);
        world.record(2, ResultCode::Untested, ResultCode::Passed, 3);
        world.record(4, ResultCode::Untested, ResultCode::FailedNew, 1);
        world.runs[6].title = Some("Renamed \u{1b}[31m by somebody".into());
        world.runs.remove(9);
        world.refresh();
        world
    };
    snapshots("runs_with_changes", make);
    snapshots("feed", |size| {
        let mut world = make(size);
        world.desk.press("\tj");
        world
    });
}
