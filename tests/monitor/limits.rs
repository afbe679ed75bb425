//! Limits and pins.

use crate::support::prelude::*;

fn watching(runs: usize) -> World {
    let mut session = session();
    session.watch.limit = Some("failed_new <= 20".into());
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
    world.press("tfailed_new <= 8\n");
    world.says(">!R_3 ");
    world.says("R_3: over the limit");
    world.press("j");
    world.says("!^R_3 ");
    world.press("t\n");
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

/// What is meant as an alarm makes the good runs those over the limit.
#[test]
fn a_limit_says_that_it_must_hold_and_the_totals_how_many_runs_are_over_it() {
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
            "limit must hold, e.g. failed_new <= 20; Tab completes",
        );
        for (typed, over) in [
            ("failed > 50", 12),
            ("failed < 50", 0),
            ("failed_new < 10", 1),
        ] {
            if typed.contains("10") {
                world.record(3, ResultCode::Untested, ResultCode::FailedNew, 1);
                world.read_next();
            }
            if world.store.layer() != Layer::Typing {
                world.press("t");
            }
            world.press(typed);
            says_wrapped(
                &world.screen(),
                "must hold, until this program ends; Tab completes",
            );
            world.press("\n");
            assert_eq!(world.monitor().totals.over, Some(over), "{typed}");
            if size.0 > 60 {
                world.says(&format!("{over} OVER LIMIT"));
                let (_, must) = typed.split_once(' ').unwrap();
                // The words of a run that is over it tell it.
                let limit = [format!("limit {must} "), format!("limit: {typed} ")];
                world.says(&limit[usize::from(over == 0)]);
            }
        }
    }
    // What the service does not send is neither met nor not met.
    let mut world = World::new((80, 24), 3);
    world.runs[1] = untold();
    world.press("M");
    world.answer();
    world.press("tfailed > 50\nG");
    assert_eq!(world.monitor().totals.over, Some(2));
    world.says("R_977: limit not known: no number of failed");
    world.press("t\n");
    assert_eq!(world.said(), "no limit");
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
fn tab_completes_a_name_of_the_limit() {
    let mut world = watching(3);
    world.press("tunt");
    world.says("; Tab completes");
    world.press("\t");
    world.says("limit untested ");
    world.press(" == 0 && faile\t");
    world.says("limit untested == 0 && failed ");
    world.says("3: failed, failed_new, failed_known");
    world.press("\t\t");
    world.says("&& failed_new ");
    // Fields are for searches.
    world.press(" <= 8 && ver\t");
    world.says("nothing here begins with ver");
}
