//! Saved views on the list and in the monitor.

use crate::support::prelude::*;
use rundown::domain::{Sort, View};

/// All runs in one page.
const MOST: Page = Page {
    offset: 0,
    limit: 1_000,
};

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
        filter: Filter::default().with(|it| it.filters = filters),
        ..View::default()
    }
}

/// 30 runs, of which every one from `from` on has the configuration of the view.
fn world(views: Vec<View>, from: usize) -> World {
    let watch = ProjectSettings::default().with(|it| it.views = views);
    let mut world = World::with((120, 40), 30, session().with(|it| it.watch = watch));
    for run in &mut world.runs[from..] {
        run.configuration = Some("edge".into());
    }
    world.press("r");
    world.answer();
    world.store.cx.shared.feed.entries.clear();
    world.open.clear();
    world
}

/// The monitor is opened on a view of so many runs, of which none has been read yet.
fn watching_view_of(runs: u64) -> World {
    let mut world = world(vec![listed("edge")], 0);
    let row = |number| row(number).with(|it| it.configuration = Some("edge".into()));
    world.runs = (0..runs).map(row).collect();
    world.press(":monitor edge\n");
    world
}

#[test]
fn the_list_is_set_to_a_view_and_esc_does_not_leave_it() {
    let mut world = world(vec![listed("edge only")], 25);
    let before = world.store.runs().sort.clone();
    world.press("ot");
    world.answer();
    let by_title = world.store.runs().sort.clone();
    assert_ne!(by_title, before);
    world.press(":view edge only\n");
    world.answer();
    world.says("run 1 of 5 ");
    world.says("[7 edge only 5]");
    world.says("R_25");
    world.lacks("R_24");
    assert_eq!(
        world.store.runs().sort,
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
    assert_eq!(world.store.runs().len(), Some(30));
}

#[test]
fn m_takes_the_runs_of_the_view_in_one_call_and_follows_them() {
    let mut world = world(vec![listed("edge")], 27);
    world.press(":view edge\n");
    world.answer();
    world.press("M");
    assert_eq!(
        world.watched(),
        ["R_27", "R_28", "R_29"],
        "what the list has is there at once"
    );
    let [(page, _, filter)] = &world.read()[..] else {
        panic!("one call brings them all");
    };
    assert_eq!(
        (page.offset, &filter.filters[..]),
        (0, &["Root.General.Configuration:edge".to_owned()][..])
    );
    assert_eq!(world.watched(), ["R_27", "R_28", "R_29"]);
    world.says("Monitor: \"edge\" of P_9/SP_1");
    // One comes, one goes.
    world.press("jj");
    world.runs[3].configuration = Some("edge".into());
    world.runs[28].configuration = None;
    world.read_next();
    assert_eq!(world.watched(), ["R_3", "R_27", "R_29"]);
    assert_eq!(
        world.monitor().current().unwrap().run.name(),
        "R_29",
        "the cursor stays"
    );
    // What changed in them is told, and nothing twice.
    let told: Vec<String> = world
        .store
        .feed()
        .entries
        .iter()
        .map(|it| it.name.clone())
        .collect();
    assert_eq!(told, ["R_28", "R_3"]);
    world.press("\u{1b}");
    world.press("\u{1b}");
    assert_eq!(
        (world.store.screen(), world.store.runs().view.name.as_str()),
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
    assert_eq!(world.store.runs().view.name, "edge");
}

#[test]
fn all_runs_of_a_view_are_watched_page_by_page() {
    let mut world = watching_view_of(170);
    let begun = world.now;
    let calls = world.read().into_iter();
    let pages: Vec<(u64, u32)> = calls.map(|(page, ..)| (page.offset, page.limit)).collect();
    assert_eq!(pages, [(0, 100), (100, 100)]);
    let monitor = world.monitor();
    assert_eq!(
        (monitor.runs.len(), monitor.totals.sums.all.runs),
        (170, 170)
    );
    // As of the beginning of the reading.
    let read = begun..world.now;
    assert!(read.contains(&monitor.read_at.unwrap()));
}

#[test]
fn of_more_than_a_thousand_the_first_are_watched_and_the_head_says_so() {
    let mut world = watching_view_of(1_234);
    world.answer();
    assert_eq!(world.monitor().runs.len(), 1_000);
    world.says("Monitor: first 1,000 of 1,234 \"edge\" of P_9/SP_1");
    // The next reading asks for no more of them.
    for _ in 0..3 {
        world.runs.rotate_left(300);
        world.next_reading();
        assert_eq!(world.read().len(), 10, "pages");
        assert_eq!(world.monitor().runs.len(), 1_000);
    }
    // In another order these are others, which is no news.
    world.store.cx.shared.feed.entries.clear();
    world.press("ot");
    assert_eq!(world.told(), [""; 0]);
    assert_eq!(world.monitor().runs.len(), 1_000);
}

#[test]
fn a_run_that_the_list_has_not_got_is_asked_for_by_its_id_before_it_goes() {
    let mut world = watching_view_of(70);
    world.answer();
    let moves = world.runs[60].clone();
    world.runs[61].configuration = None;
    world.next_reading();
    // It is nowhere in the list while that is read, and there where somebody asks for it.
    let without: Vec<RunRow> = world
        .runs
        .iter()
        .filter(|run| **run != moves)
        .cloned()
        .collect();
    let runs = std::mem::replace(&mut world.runs, without);
    let list = world.page(
        MOST,
        &Filter::default().with(|it| it.filters = vec!["Root.General.Configuration:edge".into()]),
    );
    world.runs = runs;
    let runs = world.runs.clone();
    let calls = world.read_from(
        &mut |_, _: &[Sort], filter: &Filter| match filter.filters[0].as_str() {
            "Root.General.Configuration:edge" => Ok(list.clone()),
            id => {
                let named = |run: &&RunRow| id.ends_with(&format!(":{}", run.name()));
                let rows: Vec<RunRow> = runs.iter().filter(named).cloned().collect();
                Ok(RunsPage {
                    full_size: rows.len() as u64,
                    rows,
                    ..list.clone()
                })
            }
        },
    );
    assert_eq!(calls.len(), 3, "the list, and two runs: {calls:?}");
    assert_eq!(world.watched().len(), 69);
    assert!(world.watched().contains(&"R_60".to_owned()));
}

#[test]
fn a_run_that_is_gone_leaves_the_sums_and_is_told_once() {
    let mut world = watching_view_of(30);
    world.answer();
    let left = |world: &World| world.monitor().totals.sums.left();
    assert_eq!(left(&world), Some(30 * 46));
    world.runs.remove(5);
    world.read_next();
    assert_eq!(left(&world), Some(29 * 46));
    assert!(!world.watched().contains(&"R_5".to_owned()));
    let told = world.store.feed().entries.iter();
    let told = told.filter(|entry| entry.name == "R_5").count();
    assert_eq!(told, 1, "{:?}", world.told());
    assert_eq!(world.told()[0], "vanished");
}

#[test]
fn a_page_that_fails_makes_the_reading_none_and_the_numbers_stay() {
    let mut world = watching_view_of(120);
    world.answer();
    let first = world.monitor().read_at;
    world.next_reading();
    let (runs, of) = (world.runs.clone(), world.page(MOST, &Filter::default()));
    world.read_from(&mut |page, _: &[Sort], _: &Filter| match page.offset {
        0 => Ok(of.clone().with(|it| it.rows = runs[..100].to_vec())),
        _ => Err(failure()),
    });
    let monitor = world.monitor();
    assert_eq!((monitor.runs.len(), monitor.read_at), (120, first));
    assert!(monitor.asked.failure.is_some() && !monitor.busy());
    world.says("OLD: read ");
    world.read_next();
    assert!(world.monitor().asked.failure.is_none());
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
    let totals = &world.monitor().totals;
    assert_eq!(
        (totals.sums.all.runs, totals.sums.failed_today),
        (1, Some(2))
    );
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
    world.says("R_99 not seen");
    world.says("over the limit: failed_new is 9, limit <= 8 ");
    world.runs[9].id = Some("R_99".into());
    world.read_next();
    assert_eq!(
        world.watched(),
        ["R_7", "R_99", "R_4"],
        "it is asked for again"
    );
    world.lacks("not seen");
    world.runs.retain(|run| run.id.as_deref() != Some("R_4"));
    world.read_next();
    assert_eq!(world.watched().len(), 3, "one that goes keeps its row");
    world.says("not found");
}

#[test]
fn of_a_named_run_that_cannot_be_read_nobody_says_that_it_is_not_there() {
    let mut world = world(vec![named("release", &["R_99", "R_4"])], 30);
    world.press(":monitor release\n");
    world.read_without("R_99");
    assert_eq!(world.watched(), ["R_4"]);
    world.lacks("OLD");
    // The next key takes the words of the failure away.
    world.press("j");
    world.says("R_99 not seen");
}

#[test]
fn of_an_id_of_two_runs_both_are_watched() {
    let mut world = world(vec![named("mine", &["R_7"])], 30);
    world.runs[8].id = Some("R_7".into());
    world.press(":monitor mine\n");
    world.answer();
    assert_eq!(world.watched(), ["R_7", "R_7"]);
}

#[test]
fn a_view_of_runs_alone_sets_no_list_and_one_that_is_not_there_names_those_that_are() {
    let mut world = world(vec![named("seven", &["R_7"])], 30);
    for enter in ["", "\n"] {
        world.press(&format!(":view seven{enter}"));
        world.says("\":monitor seven\" watches it: it names runs");
        assert!(world.store.runs().view.name == "Open" && world.asked().is_empty());
        world.press("\u{1b}");
    }
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
fn of_a_view_whose_order_the_service_does_not_know_the_runs_are_watched() {
    let mut view = listed("edge");
    view.sorts = vec![Sort {
        path: "Root.General.Nothing".into(),
        descending: false,
    }];
    let mut world = world(vec![view], 27);
    world.press(":monitor edge\n");
    let page = world.page(
        MOST,
        &Filter::default().with(|it| it.filters = vec!["Root.General.Configuration:edge".into()]),
    );
    // It refuses any order.
    let calls = world.read_from(&mut |_, sorts: &[Sort], _: &Filter| {
        if sorts.is_empty() {
            return Ok(page.clone());
        }
        Err(Failure {
            kind: FailureKind::Refused,
            may_retry: false,
            ..failure()
        })
    });
    let sorts: Vec<Vec<Sort>> = calls.into_iter().map(|(_, sorts, _)| sorts).collect();
    assert_eq!(sorts, [Sort::newest_edits(), Vec::new()]);
    assert_eq!(world.watched().len(), 3);
    assert!(world.monitor().asked.failure.is_none());
}

#[test]
fn it_opens_on_a_view_once_somebody_is_signed_in() {
    let watch = ProjectSettings::default().with(|it| it.views = vec![listed("edge")]);
    let mut desk = Sample::new((120, 40));
    desk.store.start_on(Some("edge".into()));
    desk.connect(|it| it.watch = watch);
    desk.at(Layer::Runs);
    desk.let_in();
    desk.at(Layer::Monitor);
    desk.press("\u{1b}");
    desk.let_in();
    assert_eq!(desk.store.screen(), Layer::Runs, "once");
}

#[test]
fn a_view_with_the_name_of_a_built_in_one_is_called_by_its_name() {
    for (name, words) in [("Open", "\"Open\""), ("Mine", "\"Mine\"")] {
        let mut view = listed("edge");
        view.name = name.into();
        let mut world = world(vec![view], 27);
        world.press(&format!(":monitor {name}\n"));
        world.answer();
        world.says(&format!("Monitor: {words} of P_9/SP_1"));
    }
}

#[test]
fn a_part_of_a_view_is_never_told_as_all_of_it_and_chosen_runs_are_no_part() {
    let mut world = World::new((100, 30), 1_000);
    world.refresh();
    let [open, ..] = View::built_in();
    world.store.cx.shared.kept_views = vec![View {
        name: "failing".into(),
        query: "failed>0".into(),
        ..open
    }];
    world.press(":monitor failing\n");
    let title = world.screen().lines().next().unwrap().to_owned();
    says(&title, "+ \"failing\" of P_9/SP_1");
    world.answer();
    world.says("Monitor: \"failing\" of P_9/SP_1");
    world.press("\u{1b}  jM");
    world.answer();
    world.says("Monitor: 2 runs of P_9/SP_1");
}

#[test]
fn where_no_run_is_the_head_counts_nothing() {
    let mut world = World::new((100, 24), 0);
    world.refresh();
    world.press("M");
    world.says("Monitor: open runs of P_9/SP_1");
}
