//! The monitor, the feed and the burn-up in their states.

use super::pictures::{Size, States, body};
use super::support::{sample, samples_of};
use crate::support::prelude::*;
use rundown::domain::View;
use samples_of::Pace;

/// A monitor of all open runs, read twice, with changes in between: failures and blocks of today, some finished, one not
/// begun, one due.
pub fn monitor(size: Size, runs: u64, limit: Option<&str>) -> World {
    use ResultCode::{Blocked, FailedNew, InProgress, Passed, Untested};
    let watch = ProjectSettings::default().with(|it| it.limit = limit.map(str::to_owned));
    let session = session().with(|it| it.watch = watch);
    let mut world = World::with(size, runs, session);
    world.press("M");
    world.answer();
    world.tell_earlier(2, 1);
    world.tell(Pace::Steady);
    if runs > 4 {
        world.record(1, Untested, FailedNew, 1);
        world.record(2, Untested, Blocked, 7);
        for code in [Untested, Blocked, InProgress] {
            let cases = world.runs[3].results.as_ref().unwrap().get(code);
            world.record(3, code, Passed, cases);
        }
        for code in [
            Passed,
            FailedNew,
            ResultCode::FailedKnown,
            Blocked,
            InProgress,
        ] {
            let cases = world.runs[4].results.as_ref().unwrap().get(code);
            world.record(4, code, Untested, cases);
        }
    }
    world.next_reading();
    world.answer();
    world.tell(Pace::Steady);
    world.press("d17:00\n");
    world.next_minute();
    world.store.cx.notice = None;
    world
}

#[test]
fn what_is_left_and_the_last_total_are_not_cut_unseen() {
    let world = monitor((40, 12), 12, Some("failed_new <= 9"));
    world.says(" OVER 57 bloc…");
    let mut world = monitor((40, 12), 2, None);
    let results = world.runs[0].results.get_or_insert_default();
    results.add(ResultCode::Untested, 12_000);
    world.next_reading();
    world.answer();
    world.says(" 120");
    world.lacks("120…");
}

fn the_monitor_with_twelve_runs(states: &mut States<'_>) {
    states.see("monitor", |size| {
        monitor(size, 12, Some("failed_new <= 9")).desk
    });
}

fn the_monitor_with_two_runs(states: &mut States<'_>) {
    states.see("monitor_2", |size| monitor(size, 2, None).desk);
}

fn the_monitor_with_more_runs_than_room(states: &mut States<'_>) {
    states.see("monitor_many", |size| {
        monitor(size, 160, Some("failed_new <= 9")).desk
    });
}

#[test]
fn the_monitor_without_colours() {
    let sample = monitor((80, 24), 12, Some("failed_new <= 9")).desk;
    let (buffer, _) = sample.draw_in(rundown::ui::theme::BuiltIn::Mono);
    insta::assert_snapshot!("monitor_mono", sample::area_text(&buffer, body(&buffer)));
}

fn the_limit_is_typed(states: &mut States<'_>) {
    states.see("monitor_limit_typed", |size| {
        let mut world = monitor(size, 12, None);
        world.press("tfail <= 3\n");
        world.desk
    });
}

fn a_service_that_fails_leaves_the_numbers_with_their_time(states: &mut States<'_>) {
    states.see("monitor_failing", |size| {
        let mut world = monitor(size, 12, Some("failed_new <= 9"));
        world.next_reading();
        world.fail(&failure());
        world.now += 95_000;
        world.desk
    });
}

/// A monitor on a saved view.
fn on_view(size: Size, view: View) -> World {
    let name = view.name.clone();
    let watch = ProjectSettings {
        views: vec![view],
        limit: Some("failed_new <= 20".to_owned()),
        ..ProjectSettings::default()
    };
    let mut world = World::with(size, 37, session().with(|it| it.watch = watch));
    world.press(&format!(":monitor {name}\n"));
    world
}

fn a_view_of_named_runs_with_a_limit_of_its_own(states: &mut States<'_>) {
    states.see("monitor_view_by_name", |size| {
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
        world.press("tfailed_new <= 8\n");
        world.desk
    });
}

fn a_view_that_could_not_be_read_yet(states: &mut States<'_>) {
    states.see("monitor_view_failed", |size| {
        let runs = vec!["R_77".to_owned()];
        let mut world = on_view(
            size,
            View {
                name: "release".into(),
                runs,
                ..View::default()
            },
        );
        world.fail(&failure());
        world.desk
    });
}

fn a_service_without_results(states: &mut States<'_>) {
    states.see("monitor_without_results", |size| {
        let mut world = monitor(size, 12, Some("failed_new <= 9"));
        world.operation = RunsOperation::ListDocuments;
        for run in &mut world.runs {
            (run.suite_count, run.progress, run.results) = (None, None, None);
        }
        world.next_reading();
        world.answer();
        world.desk
    });
}

fn a_run_that_is_gone(states: &mut States<'_>) {
    states.see("monitor_gone", |size| {
        let mut world = World::new(size, 3);
        world.press("  M");
        world.answer();
        world.runs.remove(1);
        world.next_reading();
        world.answer();
        world.desk
    });
}

fn the_burn_up_of_a_run(states: &mut States<'_>) {
    states.see("run_burn_up", |size| {
        let mut world = World::new(size, 30);
        world.press("jjjj\n");
        world.answer();
        world.tell(Pace::Steady);
        world.press("4");
        world.desk
    });
}

/// The list after a second reading: results, a failure, another title, a run that is gone.
pub fn with_changes(size: Size) -> World {
    let mut world = World::new(size, 30);
    world.record(2, ResultCode::Untested, ResultCode::Passed, 3);
    world.record(4, ResultCode::Untested, ResultCode::FailedNew, 1);
    world.runs[6].title = Some("Renamed \u{1b}[31m by somebody".into());
    world.runs.remove(9);
    world.refresh();
    world
}

fn the_list_with_changes_and_the_feed(states: &mut States<'_>) {
    states.see("runs_with_changes", |size| with_changes(size).desk);
    states.see("feed", |size| with_changes(size).desk.pressed("H2j"));
}

pub fn states(states: &mut States<'_>) {
    the_monitor_with_twelve_runs(states);
    the_monitor_with_two_runs(states);
    the_monitor_with_more_runs_than_room(states);
    the_limit_is_typed(states);
    a_service_that_fails_leaves_the_numbers_with_their_time(states);
    a_view_of_named_runs_with_a_limit_of_its_own(states);
    a_view_that_could_not_be_read_yet(states);
    a_service_without_results(states);
    a_run_that_is_gone(states);
    the_burn_up_of_a_run(states);
    the_list_with_changes_and_the_feed(states);
}

#[test]
fn a_run_with_a_date_is_over_the_limit_as_one_without() {
    let mut world = monitor((120, 40), 12, Some("failed_new <= 9"));
    world.press("dMon 18:00\n");
    world.store.cx.notice = None;
    world.says("; over the limit: failed_new is 10, limit <= 9");
}
