//! Saved views on the list and in the monitor.

use crate::support::prelude::*;
use rundown::domain::{Sort, View};

fn named(name: &str, runs: &[&str]) -> View {
    View {
        name: name.into(),
        runs: runs.iter().map(|id| (*id).to_owned()).collect(),
        ..View::default()
    }
}

/// Finds the runs of the configuration that `configure` gives.
fn listed(name: &str) -> View {
    let filters = vec!["Root.General.Configuration:edge".to_owned()];
    View {
        name: name.into(),
        filter: Filter {
            filters,
            ..Filter::default()
        },
        ..View::default()
    }
}

/// 30 runs, of which every one from `from` on has the configuration of the view.
fn world(views: Vec<View>, from: usize) -> World {
    let watch = Watching {
        views,
        ..Watching::default()
    };
    let mut world = World::with((120, 40), 30, Session { watch, ..session() });
    for run in &mut world.runs[from..] {
        run.configuration = Some("edge".into());
    }
    world.press("r");
    world.answer();
    world.desk.store.cx.shared.feed.entries.clear();
    world.desk.open.clear();
    world
}

/// The monitor is opened on a view of so many runs, of which none has been read yet.
fn watching_view_of(runs: u64) -> World {
    let mut world = world(vec![listed("edge")], 0);
    let row = |number| RunRow {
        configuration: Some("edge".into()),
        ..row(number)
    };
    world.runs = (0..runs).map(row).collect();
    world.press(":monitor edge\n");
    world
}

#[test]
fn the_list_is_set_to_a_view_and_esc_does_not_leave_it() {
    let mut world = world(vec![listed("edge only")], 25);
    let before = world.desk.store.runs().sort.clone();
    world.press("ot");
    world.answer();
    let by_title = world.desk.store.runs().sort.clone();
    assert_ne!(by_title, before);
    world.press(":view edge only\n");
    world.answer();
    world.says("run 1 of 5 ");
    world.says("[7 edge only 5]");
    world.says("R_25");
    world.lacks("R_24");
    assert_eq!(
        world.desk.store.runs().sort,
        by_title,
        "the order of the list, since the view names none"
    );
    world.press("/smoke\n");
    world.says("run 1 of 1 ");
    assert_eq!(world.asked(), [], "all of the view is here");
    world.press("\u{1b}\u{1b}");
    world.answer();
    world.says("[7 edge only 5]");
    world.press("6");
    world.answer();
    assert_eq!(world.desk.store.runs().len(), Some(30));
}

#[test]
fn m_takes_the_runs_of_the_view_in_one_call_and_follows_them() {
    let mut world = world(vec![listed("edge")], 27);
    world.press(":view edge\n");
    world.answer();
    world.press("M");
    let asked = world.asked();
    assert_eq!(asked.len(), 1, "one call brings them all: {asked:?}");
    assert_eq!(
        (asked[0].1.limit, &asked[0].2.filters[..]),
        (50, &["Root.General.Configuration:edge".to_owned()][..])
    );
    assert_eq!(
        world.watched(),
        ["R_27", "R_28", "R_29"],
        "what the list has is there at once"
    );
    world.answer();
    assert_eq!(world.watched(), ["R_27", "R_28", "R_29"]);
    world.says("Monitor: \"edge\" of P_9/SP_1");
    // One comes, one goes.
    world.press("jj");
    world.runs[3].configuration = Some("edge".into());
    world.runs[28].configuration = None;
    world.read_next();
    assert_eq!(world.watched(), ["R_3", "R_27", "R_29"]);
    assert_eq!(
        world.monitor().current().unwrap().row.name(),
        "R_29",
        "the cursor stays"
    );
    let told: Vec<String> = world
        .desk
        .store
        .feed()
        .entries
        .iter()
        .map(|it| format!("{} {}", it.name, it.what))
        .collect();
    assert!(
        told.iter()
            .any(|line| line == "R_3 is in the view from now on"),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|line| line == "R_28 is not found by this filter any more"),
        "{told:?}"
    );
    world.press("\u{1b}");
    assert_eq!(
        (
            world.desk.store.screen(),
            world.desk.store.runs().view.name.as_str()
        ),
        (Layer::Runs, "edge")
    );
}

#[test]
fn of_a_view_the_marked_runs_are_watched() {
    let mut world = world(vec![listed("edge")], 20);
    world.press(":view edge\n");
    world.answer();
    world.press("  M");
    world.answer();
    assert_eq!(world.watched(), ["R_20", "R_21"]);
    world.press("\u{1b}");
    assert_eq!(world.desk.store.runs().view.name, "edge");
}

#[test]
fn all_runs_of_a_view_are_watched_page_by_page() {
    let mut world = watching_view_of(170);
    let mut pages = Vec::new();
    while let Some((_, page, _)) = world.asked().first().cloned() {
        assert!(world.asked().len() <= 2, "two at a time");
        pages.push((page.offset, page.limit));
        world.answer_one();
    }
    assert_eq!(pages, [(0, 50), (50, 50), (100, 50), (150, 20)]);
    let monitor = world.monitor();
    assert_eq!((monitor.runs.len(), monitor.totals.runs), (170, 170));
    assert_eq!(monitor.read_at, Some(world.desk.now));
}

#[test]
fn of_more_than_a_thousand_the_first_are_watched_and_the_head_says_so() {
    let mut world = watching_view_of(1_234);
    world.answer();
    assert_eq!(world.monitor().runs.len(), 1_000);
    world.says("Monitor: first 1,000 of 1,234 \"edge\" of P_9/SP_1");
    // The next reading asks for no more of them, and keeps no more.
    for _ in 0..3 {
        world.runs.rotate_left(300);
        world.read_next();
    }
    let kept = world.monitor().runs.len();
    assert!(kept <= 2_000, "{kept}");
}

#[test]
fn a_run_that_one_reading_of_several_pages_has_not_got_stays_until_the_next() {
    let mut world = watching_view_of(70);
    world.answer();
    world.runs[60].configuration = None;
    world.read_next();
    assert_eq!(world.watched().len(), 70);
    world.read_next();
    assert_eq!(world.watched().len(), 69);
}

#[test]
fn a_page_that_fails_makes_the_reading_none_and_the_numbers_stay() {
    let mut world = watching_view_of(120);
    world.answer();
    let first = world.monitor().read_at;
    world.next_reading();
    world.answer_one();
    world.fail(&failure());
    world.answer();
    let monitor = world.monitor();
    assert_eq!((monitor.runs.len(), monitor.read_at), (120, first));
    assert!(monitor.failure.is_some() && !monitor.busy());
    world.says("OLD: read ");
    world.read_next();
    assert!(world.monitor().failure.is_none());
}

#[test]
fn a_view_of_todays_failures_shows_those_of_its_pages() {
    let mut world = World::new((120, 40), 30);
    world.press(":monitor new failures\n");
    world.answer();
    world.tell_earlier(0, 0);
    assert_eq!(world.watched(), [""; 0]);
    world.says("View \"New failures\" has no runs now.");
    world.record(4, ResultCode::Untested, ResultCode::FailedNew, 2);
    world.read_next();
    assert_eq!(world.watched(), ["R_4"]);
    let totals = world.monitor().totals;
    assert_eq!((totals.runs, totals.failed_today), (1, Some(2)));
    world.says("Monitor: runs with new failures of P_9/SP_1");
}

#[test]
fn named_runs_come_in_their_order_and_those_that_are_not_there_are_told() {
    let mut view = named("release", &["R_7", "R_99", "R_4"]);
    view.limit = Some("failed_new <= 8".into());
    let mut world = world(vec![view], 30);
    world.press(":monitor release\n");
    world.answer();
    assert_eq!(world.watched(), ["R_7", "R_4"], "both are over the limit");
    world.says("Monitor: \"release\" of P_9/SP_1");
    world.says("R_99 not found");
    world.says("limit: failed_new <= 8 ");
    world.runs[9].id = Some("R_99".into());
    world.read_next();
    assert_eq!(
        world.watched(),
        ["R_7", "R_99", "R_4"],
        "it is asked for again"
    );
    world.lacks("not found");
    world.runs[8].id = Some("R_7".into());
    world.read_next();
    assert_eq!(world.watched().len(), 3, "by its reference from now on");
}

#[test]
fn an_id_of_two_runs_is_nobodys() {
    let mut world = world(vec![named("mine", &["R_7"])], 30);
    world.runs[8].id = Some("R_7".into());
    world.press(":monitor mine\n");
    world.answer();
    world.says("R_7 is the id of 2 runs");
}

#[test]
fn a_view_of_runs_alone_sets_no_list_and_one_that_is_not_there_names_those_that_are() {
    let mut world = world(vec![named("seven", &["R_7"])], 30);
    world.press(":view seven\n");
    world.says("nothing for the list: \": monitor seven\"");
    assert!(world.desk.store.runs().view.name == "Open" && world.asked().is_empty());
    world.press(":view other\n");
    world.says("there is no view \"other\"; there are: Open, Today");
}

#[test]
fn a_wall_screen_waits_for_a_service_that_is_not_there_yet() {
    let mut world = world(vec![listed("edge")], 27);
    world.press(":monitor edge\n");
    world.fail(&failure());
    world.says("connection refused");
    world.says("Check the network");
    world.read_next();
    assert_eq!(world.watched(), ["R_27", "R_28", "R_29"]);
}

#[test]
fn an_order_that_the_service_refuses_is_left_out_and_told() {
    let mut view = listed("edge");
    view.sorts = vec![Sort {
        path: "Root.General.Nothing".into(),
        descending: false,
    }];
    let mut world = world(vec![view], 27);
    world.press(":monitor edge\n");
    let refused = Failure {
        kind: FailureKind::Refused,
        may_retry: false,
        ..failure()
    };
    let (id, ..) = world.asked().remove(0);
    world.drop_call(id);
    world.desk.runs(id, Err(refused));
    let sorts = world.desk.open.iter().find_map(|effect| match effect {
        Effect::ListRuns { sort, .. } => Some(sort.clone()),
        _ => None,
    });
    assert_eq!(sorts, Some(Vec::new()));
    world.answer();
    assert_eq!(world.watched().len(), 3);
    world.says("refused the order of the view");
}

#[test]
fn it_opens_on_a_view_once_somebody_is_signed_in() {
    let watch = Watching {
        views: vec![listed("edge")],
        ..Watching::default()
    };
    let mut desk = Sample::new((120, 40));
    desk.store.start_on(Some("edge".into()));
    desk.connect(|it| it.watch = watch);
    assert_eq!(desk.store.screen(), Layer::Runs);
    desk.let_in();
    assert_eq!(desk.store.screen(), Layer::Monitor);
    desk.press("\u{1b}");
    desk.let_in();
    assert_eq!(desk.store.screen(), Layer::Runs, "once");
}
