//! The runs list: its views, orders and what a row says.

use super::support::look::Look as _;
use super::support::sample::{Sample, page, session};
use super::support::world::World;
use rundown::domain::{DocRef, ResultCode, Sample as Counted, Status};
use rundown::store::{Effect, Event, Layer, Session};

const DAY: i64 = 86_400_000;

/// Answers what runs told before today: as they are now, but for these, at which so many cases moved since.
fn tell_earlier(world: &mut World, moved: &[(usize, ResultCode, u64)], age: i64) {
    let mut before = world.runs.clone();
    let asked = world.desk.open.iter().find_map(|effect| match effect {
        Effect::ReadEarlier { id, .. } => Some(*id),
        _ => None,
    });
    for (run, code, cases) in moved {
        let now = world.runs[*run].results.clone().unwrap();
        let mut counts = rundown::domain::ResultCounts::default();
        for other in ResultCode::ALL {
            let less = if other == *code { *cases } else { 0 };
            counts.add(other, now.get(other) - less);
        }
        before[*run].results = Some(counts);
    }
    let at = world.desk.now - age;
    let found = before
        .iter()
        .map(|run| (run.doc_ref.clone(), Counted::of(run, at)));
    let found = Some(found.collect());
    world
        .desk
        .open
        .retain(|effect| !matches!(effect, Effect::ReadEarlier { .. }));
    world.desk.event(Event::Earlier {
        id: asked.unwrap(),
        found,
    });
}

fn ids(world: &World) -> Vec<String> {
    let runs = world.desk.store.runs();
    let rows = (0..runs.len().unwrap()).map(|at| runs.row(at).unwrap().name().to_owned());
    rows.collect()
}

fn line<'a>(screen: &'a str, words: &str) -> &'a str {
    screen
        .lines()
        .find(|line| line.contains(words))
        .unwrap_or_else(|| panic!("no {words:?} in\n{screen}"))
}

#[test]
fn numbers_and_tab_go_to_the_views_and_each_shows_its_runs() {
    let mut world = World::new((80, 24), 30);
    world.runs[3].testers = vec!["QA".into()];
    world.runs[4].created_by = Some("qa".into());
    world.runs[9].status = Status::Inactive;
    world.refresh();
    let moved = [(7, ResultCode::FailedNew, 2), (8, ResultCode::Passed, 3)];
    tell_earlier(&mut world, &moved, DAY);
    let screen = world.desk.screen();
    assert!(
        screen.contains(" [1 Open 29] 2 Today 2  3 New failures 1  4 Mine 2  5 Closed  6 All"),
        "{screen}"
    );
    assert!(line(&screen, "R_7").contains("   13+2 "), "{screen}");
    for (key, expected) in [
        ("2", &["R_7", "R_8"][..]),
        ("3", &["R_7"]),
        ("4", &["R_3", "R_4"]),
    ] {
        world.desk.press(key);
        assert_eq!(ids(&world), expected, "{key}");
        assert_eq!(world.asked(), [], "the open runs are here");
    }
    world.desk.press("\t");
    world.answer();
    assert_eq!(ids(&world), ["R_9"], "closed ones");
    assert!(world.desk.screen().contains("[5 Closed 1]"));
    world.desk.press("6");
    world.answer();
    assert_eq!(world.desk.store.runs().len(), Some(30));
    world.desk.press("7");
    assert!(world.desk.screen().contains("there is no tab 7"));
}

#[test]
fn what_is_more_than_before_today_says_since_when_if_that_is_long_ago() {
    let mut world = World::new((120, 40), 30);
    tell_earlier(
        &mut world,
        &[
            (2, ResultCode::OnHoldExternal, 0),
            (2, ResultCode::Blocked, 4),
        ],
        DAY,
    );
    let screen = world.desk.screen();
    assert!(line(&screen, "R_2 ").contains("5+4 "), "{screen}");
    assert!(!screen.contains("+ since"), "{screen}");
    let mut world = World::new((120, 40), 30);
    tell_earlier(&mut world, &[(2, ResultCode::Blocked, 4)], 4 * DAY);
    assert!(
        world.desk.screen().contains("+ since Mon"),
        "{}",
        world.desk.screen()
    );
}

#[test]
fn without_an_earlier_reading_nobody_speaks_of_new_failures() {
    let mut world = World::new((80, 24), 30);
    world.desk.press("3");
    assert!(
        !world.desk.screen().contains("no earlier reading"),
        "as long as it is looked for"
    );
    let id = world.desk.open.iter().find_map(|effect| match effect {
        Effect::ReadEarlier { id, .. } => Some(*id),
        _ => None,
    });
    world.desk.event(Event::Earlier {
        id: id.unwrap(),
        found: Some(Vec::new()),
    });
    assert!(
        world
            .desk
            .screen()
            .contains("There is no earlier reading to compare with"),
        "{}",
        world.desk.screen()
    );
}

#[test]
fn a_letter_sorts_the_worst_come_first_and_again_reverses() {
    let mut world = World::new((80, 24), 30);
    world.record(12, ResultCode::Untested, ResultCode::FailedKnown, 20);
    world.record(4, ResultCode::Untested, ResultCode::Blocked, 9);
    world.runs[20].results = None;
    world.refresh();
    world.desk.press("of");
    assert_eq!(world.asked(), [], "the service knows no such order");
    assert_eq!(ids(&world)[0], "R_12");
    assert_eq!(ids(&world)[29], "R_20", "what does not tell comes last");
    let screen = world.desk.screen();
    assert!(
        screen.contains("Fail↓") && screen.contains("sort: failed"),
        "{screen}"
    );
    world.desk.press("of");
    assert_eq!(ids(&world)[28], "R_12");
    assert_eq!(ids(&world)[29], "R_20");
    world.desk.press("ob");
    assert_eq!(ids(&world)[0], "R_4");
    world.desk.press("od");
    assert!(
        world.desk.screen().contains("Done↑"),
        "the least is the worst"
    );
    world.desk.press("ot");
    assert_eq!(world.asked().len(), 1, "by the service");
    world.answer();
    assert!(world.desk.screen().contains("Title ↑"));
    world.desk.press("o\u{1b}");
    assert_eq!(world.desk.store.layer(), Layer::Runs);
}

#[test]
fn an_order_of_what_is_here_says_so() {
    let mut world = World::new((80, 24), 3_000);
    world.desk.press("ol");
    let screen = world.desk.screen();
    assert!(
        screen.contains("sort: left (of loaded)") && screen.contains(" loaded: "),
        "{screen}"
    );
    assert!(screen.contains("3 New failures 0+"), "{screen}");
    // At the end of what is here more is read.
    let before = world.desk.store.runs().all.loaded();
    world.desk.press("G");
    world.answer();
    assert!(world.desk.store.runs().all.loaded() > before);
}

#[test]
fn what_has_changed_above_the_screen_is_counted() {
    let mut world = World::new((80, 24), 60);
    world.desk.press("G");
    world.answer();
    world.record(2, ResultCode::Untested, ResultCode::Passed, 1);
    world.record(5, ResultCode::Untested, ResultCode::Passed, 1);
    world.desk.press("g");
    world.refresh();
    assert_eq!(world.desk.screen().matches('●').count(), 2);
    world.desk.press("G");
    assert!(
        world.desk.screen().contains("2 changed above"),
        "{}",
        world.desk.screen()
    );
}

#[test]
fn where_there_is_nothing_the_next_step_is_said() {
    for (key, words) in [
        (
            "1",
            "No open runs here. n makes a new one. 6 shows closed runs, too.",
        ),
        ("2", "No open run was changed today."),
        ("4", "No open run has qa as tester, creator or last editor."),
        ("5", "No runs here. n makes a new one."),
    ] {
        let mut world = World::new((80, 24), 0);
        world.desk.press(key);
        world.answer();
        assert!(
            world.desk.screen().contains(words),
            "{}",
            world.desk.screen()
        );
    }
    let mut sample = Sample::list((80, 24), 30);
    sample.press("/xyzzy\n");
    assert!(
        sample
            .screen()
            .contains("No run matches \"xyzzy\". Esc shows all runs again."),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_view_of_the_config_with_the_name_of_a_built_in_one_takes_its_place() {
    let mut session: Session = session();
    session.watch.views = vec![rundown::domain::View {
        name: "mine".into(),
        filter: rundown::domain::Filter {
            filters: vec!["Root.General.Configuration:edge".into()],
            ..Default::default()
        },
        ..Default::default()
    }];
    let mut world = World::with((120, 40), 30, session);
    world.runs[6].configuration = Some("edge".into());
    world.desk.press("4");
    world.answer();
    assert!(
        world.desk.screen().contains("[4 mine 1] 5 Closed"),
        "{}",
        world.desk.screen()
    );
    assert_eq!(ids(&world), ["R_6"]);
}

#[test]
fn a_run_of_which_nothing_is_known_shows_no_numbers() {
    let mut sample = Sample::signed_in((80, 24));
    let id = sample.asked();
    let mut page = page(
        rundown::domain::Page {
            offset: 0,
            limit: 50,
        },
        1,
    );
    page.rows = vec![rundown::domain::RunRow {
        status: Status::Active,
        ..rundown::domain::RunRow::unknown(DocRef::parse("TestRun-dm/x").unwrap())
    }];
    sample.event(Event::Runs {
        id,
        result: Ok(page),
    });
    let screen = sample.screen();
    let numbers = line(&screen, "> ");
    assert!(!numbers.contains('·') && !numbers.contains('0'), "{screen}");
}

#[test]
fn a_run_is_opened_by_its_id() {
    let mut world = World::new((80, 24), 30);
    world.desk.press(":R_9\n");
    assert_eq!(world.asked(), [], "the list has it");
    assert!(
        world.desk.screen().contains("› R_9"),
        "{}",
        world.desk.screen()
    );
    world.desk.press("\u{1b}");
    world.runs[12].status = Status::Inactive;
    world.refresh();
    world.answer();
    world.desk.press(":R_12\n");
    assert!(world.desk.screen().contains("looking for R_12…"));
    world.answer();
    assert!(
        world.desk.screen().contains("› R_12"),
        "{}",
        world.desk.screen()
    );
    world.desk.press("\u{1b}:R_900\n");
    world.answer();
    assert!(
        world
            .desk
            .screen()
            .contains("there is no run R_900 in this project"),
        "{}",
        world.desk.screen()
    );
}

#[test]
fn commands_take_what_they_are_about() {
    let mut world = World::new((80, 24), 30);
    world.record(12, ResultCode::Passed, ResultCode::Untested, 20);
    world.refresh();
    world.desk.press(":sort left\n");
    assert_eq!(ids(&world)[0], "R_12");
    world.desk.press(":xyzzy\n");
    assert!(
        world.desk.screen().contains("no such command: xyzzy"),
        "{}",
        world.desk.screen()
    );
    world.desk.press("\u{1b}:login");
    assert!(
        world.desk.screen().contains(">Sign in"),
        "{}",
        world.desk.screen()
    );
}

#[test]
fn a_theme_is_seen_before_it_is_taken() {
    let mut sample = Sample::list((80, 24), 3);
    sample.press(":theme li");
    assert_eq!(sample.store.theme(), Some("light"));
    sample.press("\u{1b}");
    assert_eq!(sample.store.theme(), None);
    sample.press(":theme li\n");
    assert_eq!(sample.store.theme(), Some("light"));
    sample.press(":theme mo");
    assert_eq!(sample.store.theme(), Some("mono"));
    sample.press("\u{1b}");
    assert_eq!(sample.store.theme(), Some("light"));
}

/// What a status of a third name means nobody knows: it is shown as it came, and only the service can refuse.
#[test]
fn a_status_of_another_name_is_shown_in_all_and_is_not_taken_for_closed() {
    let mut world = World::new((80, 24), 10);
    world.runs[3].status = Status::Other("paused".into());
    world.refresh();
    assert!(world.desk.screen().contains("[1 Open 9]"));
    world.desk.press("6");
    world.answer();
    world.desk.press("gjjj");
    world.desk.press("s");
    let asked = |effect: &Effect| matches!(effect, Effect::Survey { .. });
    assert!(world.desk.open.iter().any(asked), "{:?}", world.desk.open);
    world.desk.press("\u{1b}\n5");
    let screen = world.desk.screen();
    assert!(
        screen.contains("paused") && !screen.contains("CLOSED"),
        "{screen}"
    );
}
