//! A limit for one run, and pins.

use crate::support::prelude::*;
use rundown::domain::Notify;
use rundown::domain::query_language::RunCount;
use rundown::screens::monitor::LimitState;

fn watching(runs: usize) -> World {
    let mut session = session();
    session.watch.limit = Some("failed_new <= 20".into());
    session.monitor.notify = Notify::Osc9;
    let mut world = World::with((120, 40), 30, session);
    for _ in 0..runs {
        world.press(" ");
    }
    world.press("M");
    world.answer();
    world
}

/// A run that never told its results.
fn untold() -> RunRow {
    RunRow {
        status: Status::Active,
        results: None,
        ..row(977)
    }
}

#[test]
fn where_no_run_tells_its_results_no_figure_is_made_up() {
    let mut world = World::of((80, 24), vec![untold()], session());
    world.press("M");
    world.answer();
    world.says("1 without results");
    world.lacks("cases left");
    world.lacks("0 blocked");
}

fn limit_state(world: &World, place: usize) -> Option<LimitState> {
    world.monitor().runs[place].limit_state.clone()
}

fn over(why: &str) -> LimitState {
    LimitState::Over {
        why: why.into(),
        counts: vec![RunCount::Code(ResultCode::FailedNew)],
    }
}

#[test]
fn one_run_has_its_own_and_the_others_keep_that_of_all() {
    let mut world = watching(3);
    world.press("jt");
    world.desk.size = (80, 24);
    world.says("must hold for all, now failed_new <= 20; empty: none; Tab:");
    world.says("\nR_1 alone");
    world.desk.size = (120, 40);
    world.press("\t");
    world.says("must hold for R_1 alone, e.g. failed_new <= 20; Tab: all");
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
    world.says("failed_new <= 5 must hold: 2 of 2 do not meet it;");
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
        monitor.current().unwrap().run.name(),
        "R_3",
        "the cursor goes along"
    );
    world.says(">^R_3 ");
    // Over its limit goes before pinned; the status has the words.
    world.press("t\tfailed_new <= 8\n");
    world.says(">!R_3 ");
    world.says("R_3: over its own limit");
    world.press("j");
    world.says("!^R_3 ");
    world.press("gt\t\n");
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

#[test]
fn of_a_limit_that_no_config_keeps_the_sentence_ends_and_one_that_is_taken_away_is_told() {
    let mut world = watching(3);
    let session = world.desk.store.cx.shared.session.as_mut();
    session.unwrap().is_demo = true;
    world.press("tfailed_new <= 5\n");
    let said = world.desk.said().to_owned();
    assert!(said.ends_with(" meet it"), "{said}");
    world.press("t\n");
    assert_eq!(world.desk.said(), "no limit for all runs");
}

/// Meant as an alarm: the good runs are those that do not meet it.
#[test]
fn a_limit_says_that_it_must_hold_and_how_many_runs_do_not_meet_it() {
    for size in [(80, 24), (60, 15), (40, 12)] {
        let mut world = World::new(size, 12);
        world.press("M");
        world.answer();
        // A prompt hides nothing that is said.
        for key in ["d", "t"] {
            world.press(key);
            world.act(Action::Cancel);
            world.says("nothing is under way: Ctrl-c again quits");
            world.press("\u{1b}");
        }
        world.press("t");
        says_wrapped(
            &world.screen(),
            "limit must hold for all, e.g. failed_new <= 20; Tab: R_0 alone",
        );
        for (typed, met) in [
            ("failed > 50", "12 of 12 do not meet it"),
            ("failed < 50", "0 of 12 do not meet it"),
            ("failed_new < 10", "1 of 12 does not meet it"),
        ] {
            if typed.contains("10") {
                world.record(3, ResultCode::Untested, ResultCode::FailedNew, 1);
                world.read_next();
            }
            if world.desk.store.layer() != Layer::Typing {
                world.press("t");
            }
            world.press(typed);
            says_wrapped(
                &world.screen(),
                "must hold for all, until this program ends; Tab: R_0 alone",
            );
            world.press("\n");
            says_wrapped(
                &world.screen(),
                "limit in [profiles.demo] of the config keeps it",
            );
            if size.0 > 40 {
                says_wrapped(&world.screen(), &format!("{typed} must hold: {met};"));
            }
        }
    }
    // What the service does not send is neither met nor not met.
    let mut world = World::new((80, 24), 3);
    world.runs[1] = untold();
    world.press("M");
    world.answer();
    world.press("tfailed > 50\n");
    world.says("failed > 50 must hold: 2 of 3 do not meet it, 1 not known");
    // Of one run the status says it.
    world.press("t\tfailed > 70\n");
    world.says("over its own limit: failed is 13, limit > 70");
}

#[test]
fn after_a_limit_was_set_the_runs_over_it_are_seen() {
    let mut world = World::new((80, 24), 40);
    world.press("M");
    world.answer();
    world.record(35, ResultCode::Untested, ResultCode::FailedNew, 3);
    world.read_next();
    world.press("oig");
    for _ in 0..25 {
        world.press("j");
    }
    let here = |world: &World| world.monitor().current().unwrap().run.name().to_owned();
    let before = here(&world);
    // In an order that was chosen nothing moves.
    world.press("tfailed_new <= 11\n");
    assert_eq!(here(&world), before);
    world.press("owGtfailed_new <= 10\n");
    assert_eq!(here(&world), "R_35");
    world.says(">!R_35 ");
    // A limit of its own moves its run, and the cursor with it.
    world.press("jjjt\tfailed_new <= 1\n");
    assert_eq!(here(&world), "R_2");
    world.says("R_2: over its own limit: failed_new is 9, limit <= 1");
}

/// The figure beside it is another one: the sum of new and known failures, of blocked and on hold.
#[test]
fn the_sign_stands_at_the_figure_that_is_compared() {
    for (limit, seen, status) in [
        ("failed <= 12", " !13 ", "failed is 13, limit <= 12"),
        ("failed_new <= 8", "  13 ", "failed_new is 9, limit <= 8"),
        ("blocked <= 4", "   5 ", "blocked is 5, limit <= 4"),
        ("left <= 40", " !46 ", "left is 46, limit <= 40"),
        ("passed >= 90", " 60% ", "passed is 57, limit >= 90"),
    ] {
        for size in [(80, 24), (60, 15)] {
            let mut world = World::new(size, 3);
            for run in &mut world.runs {
                // What is not listed is not known to be 0.
                let results = run.results.as_mut().unwrap();
                for code in ResultCode::ALL {
                    if results.listed(code).is_none() {
                        results.add(code, 0);
                    }
                }
            }
            world.press("M");
            world.answer();
            world.press(&format!("t{limit}\njk"));
            let screen = world.screen();
            let row = line(&screen, ">!R_0");
            says(row, seen);
            let signs = row.matches('!').count();
            assert_eq!(signs, 1 + seen.matches('!').count(), "{screen}");
            says(&screen, &format!("R_0: over the limit: {status}"));
        }
    }
}

#[test]
fn a_name_that_is_none_is_answered_with_names_that_are_seen_whole() {
    for size in [(80, 24), (60, 15), (40, 12)] {
        let mut world = World::new(size, 3);
        world.press("M");
        world.answer();
        world.press("ttests <= 3\n");
        says_wrapped(
            &world.screen(),
            "unknown name tests; as failed_new, failed, blocked, left, done",
        );
    }
}

#[test]
fn tab_completes_a_name_of_the_limit_and_else_says_whose_it_is() {
    let mut world = watching(3);
    world.press("tunt");
    world.says("; Tab completes");
    world.press("\t");
    world.says("limit untested ");
    world.press(" == 0");
    world.says("must hold for all, until this program ends; Tab: R_0 alone");
    world.press("\t");
    world.says("must hold for R_0 alone");
    world.press(" && faile\t");
    world.says("limit untested == 0 && failed ");
    world.says("3: failed, failed_new, failed_known");
    world.press("\t\t");
    world.says("&& failed_new ");
    world.press(" <= 8");
    world.says("for R_0 alone");
    // Fields are for searches.
    world.press(" && ver\t");
    world.says("nothing here begins with ver");
}

#[test]
fn a_limit_for_one_run_is_for_the_one_it_was_opened_on() {
    let mut world = watching(3);
    world.press("jt\tfailed_new <= 8");
    world.says("for R_1 alone");
    let counts = world.runs[1].results.clone().unwrap();
    for code in ResultCode::ALL {
        world.record(1, code, ResultCode::Passed, counts.get(code));
    }
    world.runs[1].status = Status::Inactive;
    world.read_next();
    assert_eq!(world.watched(), ["R_0", "R_2"]);
    world.says("for R_1 alone");
    world.press("\n");
    for place in [0, 2] {
        assert_eq!(
            limit_state(&world, place),
            Some(LimitState::Within),
            "{place}"
        );
    }
}
