//! The runs list: its views, orders and what a row says.

use super::support::sample::page;
use crate::support::prelude::*;
use ResultCode::{Blocked, FailedKnown, FailedNew, OnHoldExternal, Passed, Untested};
use ratatui::buffer::Cell;
use ratatui::style::Modifier;
use rundown::domain::View;
use rundown::mirror::Depth;
use rundown::store::{RunsRequest, SampleWrite};
use rundown::ui::theme::BuiltIn;

const DAY: i64 = 86_400_000;

/// What runs told before today: as they are now, but for these, at which so many cases moved since.
fn tell_earlier(world: &mut World, moved: &[(usize, ResultCode, u64)], age: i64) {
    let mut before = world.runs.clone();
    for (run, code, cases) in moved {
        let now = world.runs[*run].results.clone().unwrap();
        let mut counts = ResultCounts::default();
        for other in ResultCode::ALL {
            let less = if other == *code { *cases } else { 0 };
            counts.add(other, now.get(other) - less);
        }
        before[*run].results = Some(counts);
    }
    let at = world.now - age;
    world.told_before(before.iter().map(|row| (row, at)));
}

fn ids(world: &World) -> Vec<String> {
    let runs = world.store.runs().runs();
    runs.iter().map(|run| run.row().name().to_owned()).collect()
}

#[test]
fn numbers_and_tab_go_to_the_views_and_each_shows_its_runs() {
    let mut world = World::new((80, 24), 30);
    world.runs[3].testers = vec!["QA".into()];
    world.runs[4].created_by = Some("qa".into());
    world.runs[9].status = Status::Inactive;
    world.refresh();
    let moved = [(7, FailedNew, 2), (8, Passed, 3)];
    tell_earlier(&mut world, &moved, DAY);
    let screen = world.screen();
    says(
        &screen,
        " [1 Open 29] 2 Today 2  3 New failures 1  4 Mine 2  5 Closed 1  6 All 30",
    );
    says(line(&screen, "R_7"), "   13 +2 ");
    for (key, expected) in [
        ("2", &["R_7", "R_8"][..]),
        ("3", &["R_7"]),
        ("4", &["R_3", "R_4"]),
    ] {
        world.press(key);
        assert_eq!(ids(&world), expected, "{key}");
        assert_eq!(world.asked(), [], "the open runs are here");
    }
    world.press("\t");
    world.answer();
    assert_eq!(ids(&world), ["R_9"], "closed ones");
    world.says("[5 Closed 1]");
    world.press("6");
    world.answer();
    assert_eq!(world.store.runs().len(), Some(30));
    world.press("7");
    world.says("there is no tab 7");
}

#[test]
fn what_is_more_than_before_today_says_since_when_if_that_is_long_ago() {
    let mut world = World::new((120, 40), 30);
    tell_earlier(&mut world, &[(2, OnHoldExternal, 0), (2, Blocked, 4)], DAY);
    let screen = world.screen();
    says(line(&screen, "R_2 "), "5 +4 ");
    says(line(&screen, "Id "), "Fail +n Block +n ");
    says(&screen, "   +n: new today\n");
    let mut world = World::new((120, 40), 30);
    tell_earlier(&mut world, &[(2, Blocked, 4)], 4 * DAY);
    world.says("   +n: new since Mon\n");
    // What has no room at the foot is left out, and not cut.
    let mut world = World::new((80, 24), 30);
    let moved = [(2, FailedNew, 4), (3, FailedNew, 4)];
    tell_earlier(&mut world, &moved, 4 * DAY);
    world.press("fqftest\n");
    world.answer();
    world.press("2 ");
    world.says("   92 left   1 marked   2 with new failures\n");
}

#[test]
fn a_column_has_room_for_what_some_run_shows_there_and_a_title_takes_the_rest() {
    let title = "Hotfix check e-mail templates";
    let titled = |width, moved: &[(usize, ResultCode, u64)]| {
        let mut world = World::new((width, 24), 30);
        world.runs[2].title = Some(title.into());
        world.refresh();
        tell_earlier(&mut world, moved, DAY);
        world
    };
    // Nothing was read before today, or nothing is more since.
    for world in [&World::new((80, 24), 30), &titled(80, &[])] {
        says(
            line(&world.screen(), "Id "),
            "Done Fail Block  Left Edited ↓",
        );
    }
    says(line(&titled(60, &[]).screen(), "R_2 "), title);
    let mut sorted = titled(80, &[]);
    sorted.press("of");
    says(
        line(&sorted.screen(), "Id "),
        "Done Fail↓ Block  Left Edited",
    );
    // A number ends where its heading does, also where an earlier reading has the same.
    let screen = titled(80, &[]).screen();
    let (heading, row) = (line(&screen, "Id "), line(&screen, "R_2 "));
    let end = |words: &str, of: &str| {
        words
            .find(of)
            .map(|at| words[..at + of.len()].chars().count())
    };
    assert_eq!(end(row, "   13"), end(heading, "Fail"), "{screen}");
    let more = titled(80, &[(2, FailedNew, 4)]).screen();
    says(line(&more, "Id "), "Done Fail +n Block +n  Left Edited ↓");
    lacks(
        line(&titled(60, &[(2, FailedNew, 4)]).screen(), "R_2 "),
        title,
    );
    // Where no run has a case there is no bar.
    let mut world = World::new((120, 40), 3);
    says(line(&world.screen(), "Id "), " Results ");
    for run in &mut world.runs {
        let none = counted(ResultCode::ALL.map(|code| (code, 0)));
        run.results = Some(none);
    }
    world.refresh();
    lacks(line(&world.screen(), "Id "), "Results");
}

#[test]
fn what_is_not_known_of_the_views_is_not_said() {
    let says = |world: &World, words: &str| {
        let screen = world.screen();
        let text = screen.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "no {words:?} in\n{screen}");
    };
    let today = "No run here. This tab lists open runs edited today and those in which a count moved today.";
    let new = "No run here. This tab lists open runs with more new failures than before today.";
    let mine = "No run here. This tab lists open runs with you as tester, creator or last editor.";
    let nothing_before = " No earlier reading to compare with.";
    let mut world = World::new((80, 24), 30);
    for (key, words, more) in [("3", new, nothing_before), ("2", today, nothing_before)] {
        world.press(key);
        says(&world, &format!("{words}{more}"));
    }
    says(&world, " [2 Today] 3 New failures 4 Mine 0 ");

    let mut world = World::new((80, 24), 30);
    tell_earlier(&mut world, &[], DAY);
    for (key, words) in [("2", today), ("3", new), ("4", mine)] {
        world.press(key);
        says(&world, words);
        world.lacks("earlier reading");
        world.lacks("not here");
    }
    // The next morning, before anything was read.
    world.now += DAY;
    for (key, words) in [("2", today), ("3", new)] {
        world.press(key);
        says(&world, &format!("{words} Nothing was read today."));
    }
    says(&world, " 2 Today [3 New failures] 4 Mine 0 ");

    // Not all of them are here.
    let mut world = World::new((80, 24), 3_000);
    tell_earlier(&mut world, &[], DAY);
    for (key, words) in [("3", new), ("4", mine)] {
        world.press(key);
        let missing = world.store.runs().extent().missing();
        says(
            &world,
            &format!("{words} {} runs not here: :sync all", text(missing)),
        );
    }
    world.press("1/xyzzy");
    says(
        &world,
        "runs that are here matches \"xyzzy\"; the service is searched…",
    );
    // What is missing is told before all else.
    world.press("\u{1b}\u{1b}/is:open\n");
    world.answer();
    says(&world, " found; ");
    says(&world, "not here: :sync all; status as typed");
    world.press("\u{1b}/qq");
    says(&world, "matches \"qq\";");
    says(&world, "not here: :sync all. Esc Esc shows them again.");
}

fn text(number: u64) -> String {
    rundown::ui::text::thousands(number)
}

#[test]
fn the_next_step_is_named_by_the_keys_of_the_person() {
    let mut world = World::with((80, 24), 0, session().with(|it| it.read_only = true));
    assert!(
        line(&world.screen(), "No open runs")
            .contains("No open runs here; 6 shows closed runs, too."),
        "nothing is made in a read-only profile"
    );
    for table in &mut world.store.cx.shared.keys {
        for command in &mut table.commands {
            match command.action {
                Action::Part(5) => command.keys = vec!["F9".into()],
                Action::MarkRange => command.keys = Vec::new(),
                _ => {}
            }
        }
    }
    assert!(
        line(&world.screen(), "No open runs").contains("; F9 shows closed runs, too."),
        "{}",
        world.screen()
    );
}

#[test]
fn messages_name_the_keys_of_the_person() {
    let mut world = World::new((120, 40), 3);
    for run in &mut world.runs {
        run.version = None;
    }
    world.refresh();
    for table in &mut world.store.cx.shared.keys {
        for command in &mut table.commands {
            let key = match command.action {
                Action::Facets => "F6",
                Action::Show(Layer::Attached) => "F7",
                Action::Show(Layer::Changes) => "F8",
                Action::Show(Layer::Errors) => "F9",
                _ => continue,
            };
            command.keys = vec![key.into()];
        }
    }
    world.act(Action::Probe);
    world.says("a probe compares the suites of a run: F7 opens them");
    world.press(":coverage\n");
    world.says("no run with a version is at hand: F6 chooses a version");
    world.press("M");
    world.answer();
    world.says("newest first; F8: all changes");
    world.press("\u{1b}n");
    world.store.cx.errors.push(NOW, failure());
    world.says("[!] 1 new: F9");
}

#[test]
fn a_letter_sorts_the_worst_come_first_and_again_reverses() {
    let mut world = World::new((80, 24), 30);
    world.record(12, Untested, FailedKnown, 20);
    world.record(4, Untested, Blocked, 9);
    world.runs.push(row(90).with(|it| it.results = None));
    world.refresh();
    world.press("of");
    assert_eq!(world.asked(), [], "the service knows no such order");
    assert_eq!(ids(&world)[0], "R_12");
    assert_eq!(ids(&world)[30], "R_90", "what does not tell comes last");
    let screen = world.screen();
    says(&screen, "Fail↓");
    lacks(&screen, "sort:");
    world.press("of");
    assert_eq!(ids(&world)[29], "R_12");
    assert_eq!(ids(&world)[30], "R_90");
    world.press("ob");
    assert_eq!(ids(&world)[0], "R_4");
    world.press("od");
    assert!(world.screen().contains("Done↑"), "the least is the worst");
    world.press("ot");
    world.says("Title ↑");
    world.press("o\u{1b}");
    world.on(Layer::Runs);
    world.press("o");
    world.key(KeyCode::Down.into());
    world.says(">c  Created");
    world.press("\n");
    world.says("sort: created");
}

#[test]
fn at_the_end_of_what_is_here_each_movement_reads_a_page_that_brings_more() {
    let mut world = World::new((80, 24), 3_000);
    world.press("ol");
    world.answer();
    let screen = world.screen();
    says(&screen, "run 1 of 800 here, 3,000 in all");
    says(&screen, "[1 Open 3,000]");
    says(&screen, "4 Mine 0+");
    for here in [900, 1_000] {
        world.press("G");
        assert_eq!(world.asked().len(), 1, "one at a time");
        world.answer();
        assert_eq!(world.store.runs().len(), Some(here));
    }
}

#[test]
fn a_page_that_was_asked_for_before_another_order_is_none_of_that_order() {
    let mut world = World::new((80, 24), 3_000);
    world.press("ol");
    world.answer();
    world.press("G");
    world.answer();
    world.press("G");
    assert_eq!(world.asked().len(), 1);
    world.press("ot");
    world.answer_one();
    world.press("G");
    let asked: Vec<Page> = world.asked().into_iter().map(|it| it.1).collect();
    assert_eq!(
        asked.iter().map(|page| page.offset).collect::<Vec<_>>(),
        [0]
    );
}

#[test]
fn the_service_is_not_asked_for_what_the_words_leave_out() {
    let mut world = World::new((80, 24), 3_000);
    for (words, asked) in [
        ("smoke -\"batch export\"", "smoke"),
        ("night by:\"Anna Smith\"", "night"),
        ("\"batch export\" tests", "batch export tests"),
    ] {
        world.press(&format!("/{words}\n"));
        let last = world.asked().pop().unwrap();
        assert_eq!(last.2.fulltext, asked, "{words}");
        world.answer();
        world.press("\u{1b}");
    }
}

#[test]
fn of_other_versions_the_newest_are_named() {
    let versions = ["1.2.0", "1.11.0"].map(str::to_owned).to_vec();
    let page = |size| RunsPage {
        facets: Some(vec![(
            "Root.General.ProjectVersionNumber".into(),
            versions.clone(),
        )]),
        ..page(FIRST, size)
    };
    let mut sample = Sample::signed_in((80, 24));
    let id = sample.asked();
    sample.runs(id, Ok(page(0)));
    let others = ["1.8.0", "1.9.0", "1.10.0", "1.11.0"].into_iter().zip(0..);
    let rows =
        others.map(|(version, number)| row(number).with(|it| it.version = Some(version.into())));
    let rows = rows.collect();
    sample.press("f1.2\n");
    sample.answer(0);
    sample.reads_again(page(0).with(|it| it.rows = rows));
    sample.says("Others: 1.11.0 (1), 1.10.0 (1), 1.9.0 (1)");
}

#[test]
fn what_has_changed_above_the_screen_is_counted() {
    let mut world = World::new((80, 24), 60);
    world.press("G");
    world.answer();
    world.record(2, Untested, Passed, 1);
    world.record(5, Untested, Passed, 1);
    world.press("g");
    world.refresh();
    assert_eq!(world.screen().matches('●').count(), 2);
    world.press("G");
    world.says("2 changed above");
}

#[test]
fn the_cursor_stays_on_its_run_once_a_key_was_pressed() {
    let session = session().with(|it| it.refresh_seconds = 30);
    let mut world = World::with((80, 24), 30, session);
    let comes = |world: &mut World, number: u64| {
        let run = row(number).with(|it| it.edited_on = Some(world.now));
        world.runs.insert(0, run);
        world.next_reading();
        world.answer();
    };
    let here = |world: &World| world.store.runs().current().unwrap().name().to_owned();
    comes(&mut world, 100);
    assert_eq!(
        here(&world),
        "R_100",
        "nobody has pressed a key: the first row"
    );
    // Also one that the list itself does not take.
    world.press("?\u{1b}");
    comes(&mut world, 101);
    assert_eq!(here(&world), "R_100", "any key holds the cursor");
    let screen = world.screen();
    says(&screen, "run 2 of 32 ");
    says(&screen, "1 changed above");
    world.press("jj");
    world.record(2, Untested, Passed, 1);
    comes(&mut world, 102);
    assert_eq!(here(&world), "R_1");
    let screen = world.screen();
    says(&screen, "run 5 of 33 ");
    says(&screen, "4 changed above");
    // Once its run is not listed any more, it stays on the one that has the place.
    let is_here = |run: &RunRow| run.name() == "R_1";
    let gone = world.runs.iter_mut().find(|run| is_here(run)).unwrap();
    (gone.status, gone.edited_on) = (Status::Inactive, Some(world.desk.now));
    world.next_reading();
    world.answer();
    let next = here(&world);
    assert_ne!(next, "R_1");
    comes(&mut world, 104);
    assert_eq!(here(&world), next);
    // Put into an order here, and narrowed by words.
    for keys in ["ol", "ot", "of/R_1\n"] {
        world.press(keys);
        world.answer();
        world.press("j");
        let before = here(&world);
        comes(&mut world, 110 + keys.len() as u64);
        assert_eq!(here(&world), before, "{keys}");
    }
    // A list that is opened anew begins at its first row.
    world.press("\u{1b}\u{1b}6");
    world.answer();
    comes(&mut world, 103);
    assert_eq!(here(&world), ids(&world)[0]);
}

#[test]
fn where_there_is_nothing_the_next_step_is_said() {
    for (key, words) in [
        (
            "1",
            "No open runs here; n makes a new one; 6 shows closed runs, too.",
        ),
        ("2", "No run here. This tab lists open runs edited today"),
        (
            "4",
            "No run here. This tab lists open runs with you as tester",
        ),
        ("5", "No closed runs here."),
    ] {
        let mut world = World::new((80, 24), 0);
        world.press(key);
        world.answer();
        world.says(words);
    }
    let mut sample = Sample::list((80, 24), 30).pressed("f1.2.0\n");
    sample.answer(30);
    sample.press("/xyzzy");
    sample.says("No run with version 1.2.0 matches \"xyzzy\". Esc Esc clears the words.");
    sample.press("\u{1b}");
    sample.says("matches \"xyzzy\". Esc clears the words.");
    let status =
        "matches \"status:foo\": a status is open or closed, or as the service has it. Esc";
    let mut other = Sample::list((120, 24), 30).pressed("/status:foo\n");
    other.answer(30);
    other.says(status);
    sample.press("\u{1b}");
    sample.lacks("xyzzy");
}

#[test]
fn a_view_of_the_config_with_the_name_of_a_built_in_one_takes_its_place() {
    let mut session: Session = session();
    session.watch.views = vec![View {
        name: "mine".into(),
        filter: Filter::default()
            .with(|it| it.filters = vec!["Root.General.Configuration:edge".into()]),
        ..Default::default()
    }];
    let mut world = World::with((120, 40), 30, session);
    world.runs[6].configuration = Some("edge".into());
    world.refresh();
    world.press("4");
    world.says("[4 mine 1] 5 Closed");
    assert_eq!(ids(&world), ["R_6"]);
}

#[test]
fn a_view_of_the_config_in_place_of_the_first_tab_is_the_list_at_the_start() {
    let mut session: Session = session();
    session.watch.views = vec![View {
        name: "open".into(),
        query: "configuration:edge".into(),
        ..Default::default()
    }];
    let mut world = World::with((120, 40), 30, session);
    world.runs[6].configuration = Some("edge".into());
    world.refresh();
    world.says("[1 open 1] 2 Today");
    assert_eq!(ids(&world), ["R_6"]);
}

#[test]
fn a_run_of_which_nothing_is_known_shows_no_numbers() {
    let mut sample = Sample::signed_in((80, 24));
    let id = sample.asked();
    let mut page = page(FIRST, 1);
    page.rows = vec![
        RunRow::unknown(DocRef::parse("TestRun-dm/x").unwrap())
            .with(|it| it.status = Status::Active),
    ];
    sample.runs(id, Ok(page));
    let screen = sample.screen();
    let numbers = line(&screen, "> ");
    assert!(!numbers.contains('·') && !numbers.contains('0'), "{screen}");
}

#[test]
fn a_run_is_opened_by_its_id() {
    let mut world = World::new((80, 24), 30);
    world.press(":R_9\n");
    assert_eq!(world.asked(), [], "the list has it");
    world.says("› R_9");
    world.press("\u{1b}");
    world.runs[12].status = Status::Inactive;
    world.refresh();
    world.answer();
    world.press(":R_12\n");
    assert_eq!(world.asked(), [], "it is on this machine");
    world.says("› R_12");
    world.press("\u{1b}:R_900\n");
    world.answer();
    world.says("there is no run R_900 in P_9/SP_1");
}

#[test]
fn commands_take_what_they_are_about() {
    let mut world = World::new((80, 24), 30);
    world.record(12, Passed, Untested, 20);
    world.refresh();
    world.press(":sort left\n");
    assert_eq!(ids(&world)[0], "R_12");
    // Enter takes the one that is shown.
    world.press(":save\n");
    world.says(">save-view NAME");
    world.press("few\n");
    world.says("few is a tab now");
    world.press(":xyzzy\n");
    world.says("there is no command xyzzy");
    world.press("\u{1b}:login");
    world.says(">Sign in");
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
    sample.says("until rundown ends; theme = \"light\" in [ui] of the config keeps it");
    sample.press(":theme mo");
    assert_eq!(sample.store.theme(), Some("mono"));
    sample.press("\u{1b}");
    assert_eq!(sample.store.theme(), Some("light"));
}

#[test]
fn columns_are_hidden_ordered_sized_and_kept_where_room_is_short() {
    let mut sample = Sample::list((90, 24), 3);
    let heading = |sample: &Sample| {
        let screen = sample.screen();
        let line = screen.lines().nth(2).unwrap().to_owned();
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let shown = |sample: &Sample, columns: &[&str]| {
        let heading = heading(sample);
        assert!(
            heading.starts_with(
                &columns
                    .iter()
                    .map(|it| (*it).to_owned())
                    .collect::<Vec<_>>()
            ),
            "{heading:?}"
        );
    };
    shown(
        &sample,
        &[
            "Id", "Title", "Done", "Results", "Fail", "Block", "Left", "Edited",
        ],
    );
    sample.press("w");
    assert!(
        line(&sample.screen(), "Tester ").contains("no room for it"),
        "{}",
        sample.screen()
    );
    // The testers: shown before others.
    sample.press("GkkkkP");
    let screen = sample.screen();
    says(line(&screen, "> [x] Tester "), "stays");
    says(line(&screen, "[x] Results"), "no room for it");
    // The first column hidden, and the one that stands behind it made narrow and moved.
    sample.press("g jJ");
    sample.press(&"-".repeat(40));
    assert!(
        line(&sample.screen(), "> [x] Title").contains('3'),
        "never without any width"
    );
    sample.press("\n");
    sample.on(Layer::Runs);
    let columns = heading(&sample);
    assert!(!columns.contains(&"Id".to_owned()), "{columns:?}");
    assert!(columns.contains(&"Tester".to_owned()), "{columns:?}");
    // All of it as before.
    sample.press("wg jKggjjjjjjjjjjjjP\n");
    assert!(heading(&sample).contains(&"Id".to_owned()));
    sample.press("ww");
    assert_eq!(sample.store.layer(), Layer::Runs, "the same key closes");
}

#[test]
fn what_is_filtered_by_is_named_and_gives_way_to_the_words_that_are_typed() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("fqftest\nf1.2.0\n");
    sample.answer(30);
    let filter = "   f: config qftest · version 1.2.0   ";
    says(&sample.line("run 1 of 30"), filter);
    sample.press("/night\n");
    sample.answer(30);
    let typed = r#""night": 4 found"#;
    says(&sample.screen(), &format!("\nrun 1 of 4{filter}{typed}"));
    sample.resize((60, 15));
    says(
        &sample.screen(),
        &format!("\nrun 1 of 4   f: config qftest · version …   {typed}\n"),
    );
    sample.resize((40, 12));
    says(
        &sample.screen(),
        &format!("\nf: config qftest · v…   {typed}\n"),
    );
}

/// What goes to a file: the view, the question, and whether that is all.
fn exported(world: &World) -> Option<(String, bool)> {
    world.open.iter().find_map(|effect| match effect {
        Effect::ExportRuns {
            view,
            runs: ExportedRuns::Found(query),
            is_complete: is_whole,
            ..
        } => {
            assert_eq!(query.tab.only, Some(rundown::domain::Only::NewFailures));
            Some((view.clone(), *is_whole))
        }
        _ => None,
    })
}

#[test]
fn an_export_reads_all_runs_first_unless_they_are_here_and_new() {
    let mut world = World::new((80, 24), 2_000);
    world.press("3XJSON\n");
    let (id, depth, lists) = world.readings().pop().unwrap();
    assert_eq!(depth, Depth::List);
    assert_eq!(lists.len(), 1);
    assert_eq!(lists[0].filters, ["Root.General.Status:active"]);
    world.event(Event::Answer(
        id,
        Answer::Received {
            received: 400,
            full_size: 2_913,
        },
    ));
    world.says("Export: 400 of 2,913 runs…");
    assert_eq!(exported(&world), None, "they are not here yet");
    // Another tab is looked at meanwhile.
    world.press("2");
    world.answer();
    assert_eq!(exported(&world), Some(("New failures".into(), true)));
    // A list that is here as a whole, read a moment ago, is not read again.
    let mut world = World::new((80, 24), 30);
    world.press("3XJSON\n");
    assert_eq!(world.readings(), []);
    assert_eq!(exported(&world), Some(("New failures".into(), true)));
    let mut world = World::new((80, 24), 30);
    world.now += 61_000;
    world.press("3XJSON\n");
    assert_eq!(exported(&world), None);
    world.answer();
    assert_eq!(exported(&world), Some(("New failures".into(), true)));
    // Away it is not read first, and the file says so.
    let mut world = World::new((80, 24), 30);
    world.now += 61_000;
    world.event(Event::Reached(false));
    world.press("3XJSON\n");
    assert_eq!(world.readings(), []);
    let is_part = |effect: &Effect| matches!(effect, Effect::ExportRuns { read: Some(read), .. } if read == "09:41");
    assert!(world.open.iter().any(is_part), "{:?}", world.open);
}

/// A refresh reads a part of a long list, and the newest edits.
#[test]
fn counts_that_the_last_reading_was_without_are_dimmed_and_say_of_when_they_are() {
    let mut world = World::new((100, 40), 900);
    world.press(":sync\n");
    world.answer();
    world.lacks("(oldest");
    world.now += 3 * 86_400_000;
    world.refresh();
    world.says("left (oldest Fri)");
    // With less room the sum stays.
    let mut narrow = world.clone();
    narrow.now += 30 * DAY;
    narrow.resize((40, 24));
    narrow.says("run 1 of 900   41,400 left (old)");
    let dim = |world: &World, run: &str| {
        let (buffer, _) = world.draw_in(BuiltIn::Mono);
        let lines: Vec<&[Cell]> = buffer.content.chunks(100).collect();
        let text = |cells: &[Cell]| cells.iter().map(Cell::symbol).collect::<String>();
        let row = lines.iter().find(|row| text(row).contains(run)).unwrap();
        row[20].modifier.contains(Modifier::DIM)
    };
    assert!(!dim(&world, " R_0 "), "{}", world.screen());
    world.press("G");
    world.answer();
    assert!(dim(&world, " R_899 "), "{}", world.screen());
    world.says("counts of Fri 09:41   ");
    // Nor does a file have them as if they were new.
    let exports = |mut desk: Sample, keys: &str| {
        desk.press(keys);
        let effects = desk.effects().into_iter();
        let mut read = effects.filter_map(|effect| match effect {
            Effect::ExportRuns { read, .. } => Some(read),
            _ => None,
        });
        read.next().unwrap()
    };
    let marked = world.clone();
    assert_eq!(exports(marked, " XJSON\n").as_deref(), Some("Fri 09:41"));
    let mut away = world.clone();
    away.event(Event::Reached(false));
    assert_eq!(exports(away, "XJSON\n").as_deref(), Some("Fri 09:41"));
    world.press("XJSON\n");
    let (_, depth, _) = world.readings().pop().unwrap();
    assert_eq!(depth, Depth::List);
    world.answer();
    world.lacks("(oldest");
    assert!(!dim(&world, " R_899 "), "{}", world.screen());
    world.lacks("counts of ");
}

#[test]
fn numbers_of_tabs_are_of_what_is_filtered_by() {
    let mut world = World::new((80, 24), 30);
    world.runs[3].configuration = Some("edge".into());
    world.press("r");
    world.answer();
    world.press("fedge\n");
    let screen = world.screen();
    says(&screen, "[1 Open 1]");
    says(&screen, " 5 Closed 0  6 All 1");
}

/// What a status of a third name means nobody knows: it is shown as it came, and only the service can refuse.
#[test]
fn a_status_of_another_name_is_shown_in_all_and_is_not_taken_for_closed() {
    let mut world = World::new((80, 24), 10);
    world.runs[3].status = Status::Other("paused".into());
    world.refresh();
    world.says("[1 Open 9]");
    world.press("6");
    world.answer();
    world.press("gjjj");
    world.press("s");
    let asked = |effect: &Effect| matches!(effect, Effect::Request(_, Request::Survey { .. }));
    assert!(world.open.iter().any(asked), "{:?}", world.open);
    world.press("\u{1b}\n5");
    let screen = world.screen();
    says(&screen, "paused");
    lacks(&screen, "CLOSED");
}

/// On a view of the config that is filtered by these, not yet answered.
fn filtered_by(filters: &[&str]) -> World {
    let view = View {
        name: "mixed".into(),
        filter: Filter::default()
            .with(|it| it.filters = filters.iter().map(|it| (*it).to_owned()).collect()),
        ..View::default()
    };
    let watch = ProjectSettings::default().with(|it| it.views = vec![view]);
    let mut world = World::with((80, 24), 3_000, session().with(|it| it.watch = watch));
    world.runs[3].configuration = Some("edge".into());
    world.runs[4].configuration = Some("chrome".into());
    world.press("r");
    world.answer();
    world.press(":view mixed\n");
    // Its last row.
    world.press("G");
    world
}

fn asked_filters(world: &World) -> Vec<String> {
    world.asked().pop().unwrap().2.filters
}

#[test]
fn several_filters_of_a_view_go_out_as_they_are_written() {
    let filters = [
        "Root.General.Configuration:edge",
        "Root.General.Configuration:chrome",
        "Root.General.Status:active",
    ];
    assert_eq!(asked_filters(&filtered_by(&filters)), filters);
}

#[test]
fn one_value_of_a_field_is_sent_in_the_place_of_that_of_the_view_and_several_are_not() {
    let mut world = filtered_by(&["Root.General.Configuration:edge"]);
    world.facets = vec![(
        "Root.General.Configuration".to_owned(),
        vec!["chrome".to_owned(), "edge".to_owned(), "opera".to_owned()],
    )];
    world.answer();
    world.press("fchrome\nG");
    assert_eq!(asked_filters(&world), ["Root.General.Configuration:chrome"]);
    world.answer();
    world.says("f: config chrome");
    world.press("fedge \nG");
    assert_eq!(
        asked_filters(&world),
        [""; 0],
        "what two mean is not documented"
    );
    world.answer();
    world.says("f: config chrome, edge");
    // One is taken off: the other one is left.
    world.press("fchrome \n");
    world.answer();
    world.says("run 1 of 1   f: config edge");
}

#[test]
fn versions_are_asked_for_one_by_one_as_long_as_they_are_few() {
    let mut world = World::new((120, 24), 0);
    world.runs = (0..300).map(row).collect();
    for (number, run) in (0..).zip(&mut world.runs) {
        run.version = Some(format!("1.{}.0", number % 6));
        run.testers = vec![["anna", "bert"][number / 6 % 2].to_owned()];
    }
    world.refresh();
    assert_eq!(world.store.runs().len(), Some(300));
    let lists = |world: &World| -> Vec<String> {
        let readings = world.readings().pop().unwrap().2;
        let version = |list: &Filter| list.filters[1..].join(" ");
        readings.iter().map(version).collect()
    };
    let version = |number: usize| format!("Root.General.ProjectVersionNumber:1.{number}.0");
    world.press("f1.1.0 \u{15}1.4.0 \n");
    world.says("run 1 of 100   f: version 1.1.0, 1.4.0   ");
    world.press("r");
    assert_eq!(lists(&world), [version(1), version(4)]);
    world.answer();
    // By testers it is filtered here alone, and the number of the tab is that.
    world.press("fanna\n");
    world.says("run 1 of 50   f: tester anna · version 1.1.0, 1.4.0   ");
    world.says("[1 Open 50]");
    world.press("r");
    assert_eq!(lists(&world), [version(1), version(4)]);
    world.answer();
    // Who asks for everything gets it.
    world.press(":sync\n");
    assert_eq!(lists(&world), [String::new()]);
    world.answer();
    // The numbers of a field are beside what the others are filtered by.
    world.press("f1.");
    assert_eq!(line(&world.screen(), "1.2.0").matches("25").count(), 1);
    world.press("\u{15}1.0.0 \u{15}1.2.0 \u{15}1.3.0 \n");
    world.says("run 1 of 125   ");
    world.press("r");
    assert_eq!(lists(&world), [String::new()], "of five all are read");
    world.answer();
    // Another tab keeps it, and Esc.
    world.press("6\u{1b}\u{1b}");
    world.press("j");
    world.says("run 2 of 125   f: tester anna · ");
    // While words are typed it stands beside them.
    world.press("/R_1");
    world.says("/ R_1");
    world.says("tester anna · 1 found");
}

/// The views that were to be kept: name, and what it shows.
fn kept(world: &World) -> Vec<(String, Option<View>)> {
    let effects = world.open.iter().filter_map(|effect| match effect {
        Effect::Samples(SampleWrite::SetView { name, view }) => {
            Some((name.clone(), view.as_deref().cloned()))
        }
        _ => None,
    });
    effects.collect()
}

#[test]
fn what_the_list_shows_is_kept_as_a_tab_of_its_own() {
    let mut world = World::new((120, 24), 30);
    world.press("f1.2.0 \u{15}trung \u{15}late \n");
    world.answer();
    world.press("f \n/smoke or uat\nol");
    world.answer();
    let order = world.store.runs().sort.clone();
    world.press("wg jjJ \n");
    let columns = world.store.runs().columns.clone();
    world.press(":save-view Smoke 1.2\n");
    world.answer();
    world.says("Smoke 1.2 is a tab now; \":delete-view Smoke 1.2\" takes it away");
    let (name, view) = kept(&world).pop().unwrap();
    let view = view.unwrap();
    assert_eq!(
        (name.as_str(), view.query.contains("smoke or uat")),
        ("Smoke 1.2", true)
    );
    assert_eq!(
        View::read(&name, &json!(view).to_string()),
        Some(view.clone())
    );
    let found = |world: &World| world.store.runs().len();
    let shown = found(&world);
    assert!(
        world.store.runs().chosen.values.is_empty(),
        "it is in the view"
    );
    world.says(&format!("[7 Smoke 1.2 {}]", shown.unwrap()));
    let mut wide = world.clone();
    wide.resize((200, 40));
    wide.press("j");
    wide.says(&format!("   tab: {}", view.words()));
    begins(&view.words(), "open, ");
    says(&view.words(), "smoke or uat");
    // Shortened where not all has room, and told where it finds nothing.
    wide.resize((80, 24));
    wide.says("   tab: open, ");
    // The help tells what it lists.
    world.press("?");
    world.says(" Smoke 1.2: ");
    world.says("smoke or uat");
    world.press("\u{1b}");
    // Other tabs have columns of their own.
    world.press("6");
    world.answer();
    assert_eq!(found(&world), Some(30));
    world.press("wg \n");
    assert_ne!(world.store.runs().columns, columns);
    world.press(":view smoke 1.2\n");
    world.answer();
    let runs = world.store.runs();
    assert_eq!(
        (runs.len(), &runs.sort, &runs.columns),
        (shown, &order, &columns)
    );
    // It is watched by its name.
    world.press("M");
    world.answer();
    world.says("\"Smoke 1.2\"");
    world.press("\u{1b}");
    // The tabs of the program stay as they are, and what cannot be read is not kept.
    world.press(":save-view mine\n");
    world.says("mine is a tab that stays as it is: choose another name");
    world.press("\u{1b}/failed>x\n:save-view broken\n");
    world.says("the words cannot be read: column 8");
    // The palette says so before Enter.
    for (name, words) in [
        ("open", "open is a tab of the program or of the config"),
        (
            "Late",
            "there is no tab Late: only what save-view kept is taken away",
        ),
    ] {
        world.press(&format!(":delete-view {name}"));
        world.says(words);
        world.press("\n");
        world.says(words);
        world.press("\u{1b}");
    }
    assert_eq!(kept(&world).len(), 1);
    // It is taken away by its whole name, by a row that the cursor was moved to, and not because it is the only one.
    for keys in [":delete-view\n\n", ":delete-view smoke\n", ":dsmoke\n"] {
        world.press(&format!("{keys}\u{1b}"));
        assert_eq!(kept(&world).len(), 1, "{keys}");
    }
    world.press(":delete-view\n");
    world.key(KeyEvent::from(KeyCode::Down));
    world.press("\n");
    world.answer();
    world.lacks("7 Smoke 1.2");
    world.says("[1 Open 30]");
    assert_eq!(kept(&world).pop(), Some(("Smoke 1.2".to_owned(), None)));
}

#[test]
fn after_words_that_found_nothing_the_cursor_is_on_its_run_again() {
    let mut world = World::new((80, 24), 30);
    world.press("Gk");
    let here = world.store.here().name().to_owned();
    for keys in ["/zzzz\n\u{1b}", "/zzzz\u{1b}\u{1b}"] {
        world.press(keys);
        world.answer();
        assert_eq!(world.store.runs().len(), Some(30));
        assert_eq!(world.store.here().name(), here, "{keys}");
    }
}

#[test]
fn a_field_that_takes_the_place_of_the_tabs_is_told() {
    let mut world = World::new((120, 24), 30);
    let told = ", status as typed, not as in Open";
    for (words, is_told) in [
        ("status:closed", true),
        ("is:closed", true),
        ("-is:closed", false),
        ("left>0", false),
        ("R_4", false),
    ] {
        world.press(&format!("1/{words}"));
        world.answer();
        assert_eq!(
            world.screen().contains(told),
            is_told,
            "{words}: {}",
            world.screen()
        );
        world.press("\n");
        assert_eq!(
            world.screen().contains(told),
            is_told,
            "{words}: {}",
            world.screen()
        );
        world.press("\u{1b}");
        // The tab of all says nothing of it.
        world.press(&format!("6/{words}\n"));
        world.answer();
        world.lacks("as typed");
        world.press("\u{1b}");
    }
}

#[test]
fn a_search_that_cannot_be_read_finds_nothing_once_it_is_taken() {
    let mut world = World::new((120, 24), 30);
    world.press("/r or");
    world.answer();
    assert!(world.store.runs().len() > Some(0), "while it is typed");
    for leave in ["\n", "/ \u{1b}"] {
        world.press(leave);
        world.answer();
        assert_eq!(world.store.runs().len(), Some(0));
        world.says("\"r or\" cannot be read: column 5");
    }
    world.press("/\u{8}\u{8}\u{8}\n");
    world.answer();
    assert!(world.store.runs().len() > Some(0));
}

#[test]
fn a_run_made_today_without_failures_says_nothing_of_the_others() {
    let mut world = World::new((80, 24), 30);
    let run = world.runs.iter_mut().find(|row| row.name() == "R_7");
    let run = run.unwrap();
    run.created_on = Some(world.desk.now);
    run.results = Some(ResultCounts::default());
    world.refresh();
    world.press("3");
    world.says("No earlier reading to compare with.");
    world.says(" 2 Today [3 New failures] 4 Mine 0 ");
    world.press("1M");
    world.lacks("+0");
}

#[test]
fn the_columns_of_the_other_tabs_come_back_from_a_tab_with_its_own() {
    let mut world = World::new((120, 24), 30);
    world.press("wg jjJ \n");
    let usual = world.store.runs().columns.clone();
    world.press(":save-view own\n");
    world.answer();
    world.press("wu\n");
    let kept = kept(&world).pop().and_then(|(_, view)| view).unwrap();
    let left_off = world.store.screens.runs.left_off();
    for is_here in [true, false] {
        let mut world = World::new((120, 24), 30);
        if is_here {
            world.press(":");
            world.kept_views(vec![kept.clone()]);
            world.press("\u{1b}");
        }
        world.store.screens.runs.go_on_at(&left_off);
        world.press("1");
        world.answer();
        assert_eq!(world.store.runs().columns, usual);
    }
}

#[test]
fn rows_of_words_before_are_not_watched() {
    let mut sample = Sample::list((80, 24), 30).pressed("/smo");
    // The mirror has not answered yet.
    let (now, key) = (sample.now, KeyEvent::from(KeyCode::Char('k')));
    for action in [Action::Type(key), Action::Open, Action::Monitor] {
        sample.store.update(Message::Action(action), now);
    }
    assert_eq!(sample.said(), "this row is not here yet");
    assert!(sample.store.monitor().is_none());
}

#[test]
fn a_kept_view_has_all_of_the_one_it_was_made_of() {
    let kept = json!({
        "filter": ["Root.General.Status:active"], "fulltext": "hand-over", "query": "is:late",
        "sort": ["Root.General.Title DESC"], "only": "new_failures", "columns": null, "runs": ["R_1"],
        "limit": "failed_new == 0",
    });
    let view = View::read("Smoke", &kept.to_string()).unwrap();
    assert_eq!((view.name.as_str(), json!(view)), ("Smoke", kept));
    let filter = (view.filter.filters.len(), &*view.filter.fulltext);
    assert_eq!(filter, (1, "hand-over"));
    assert_eq!(View::read("", r#"{"sort": ["Title sideways"]}"#), None);
}

#[test]
fn what_is_left_is_whole_or_in_thousands() {
    let mut world = World::new((100, 24), 30);
    for (cases, shown) in [
        (99_999, "99999"),
        (100_000, "100k"),
        (12_345_678, "12M"),
        (99_999_999_999, "99G"),
    ] {
        world.runs[7].results = Some(counted([(Untested, cases)]));
        world.refresh();
        let screen = world.screen();
        says(line(&screen, "R_7"), &format!(" {shown} "));
        lacks(line(&screen, "R_7"), "0…");
    }
}

#[test]
fn an_increase_is_whole_or_gone() {
    let mut world = World::new((120, 24), 30);
    let at = world.now - DAY;
    let failed = |cases| counted([(FailedNew, cases)]);
    world.runs[0].results = Some(failed(0));
    let before = world.runs.clone();
    world.told_before(before.iter().map(|row| (row, at)));
    for (cases, shown) in [(99, "99 +99"), (120, "120+120"), (1_200, "1200")] {
        world.runs[0].results = Some(failed(cases));
        world.refresh();
        world.says(shown);
    }
    world.lacks("1200+");
    world.lacks("1200 +");
}

#[test]
fn figures_stand_below_each_other_whatever_their_increase() {
    for size in [(80, 24), (120, 24)] {
        let mut world = World::new(size, 30);
        let failed = |cases| Some(counted([(FailedNew, cases)]));
        let figures = [(28, 38), (14, 18), (7, 7), (121, 121)];
        for (run, (before, _)) in world.runs.iter_mut().zip(figures) {
            run.results = failed(before);
        }
        let (before, at) = (world.runs.clone(), world.now - DAY);
        world.told_before(before.iter().map(|row| (row, at)));
        for (run, (_, now)) in world.runs.iter_mut().zip(figures) {
            run.results = failed(now);
        }
        world.refresh();
        let screen = world.screen();
        let end = |run: &str, number: &str| {
            let row = line(&screen, run);
            let end = row.find(number).map(|at| at + number.trim_end().len());
            end.map(|end| row[..end].chars().count())
        };
        let ends = [
            end("R_0 ", " 38 +10 "),
            end("R_1 ", " 18 +4 "),
            end("R_2 ", " 7 "),
            end("R_3 ", " 121 "),
        ];
        let [a, b, c, d] = ends.map(|end| end.unwrap_or_else(|| panic!("{screen}")));
        assert_eq!([a - 4, b - 3], [c, d], "{screen}");
        assert_eq!(c, d, "{screen}");
    }
}

#[test]
fn the_columns_are_as_built_in_with_one_key() {
    let mut world = World::new((120, 24), 30);
    let built_in = world.store.runs().columns.clone();
    world.press("wg jjJ \n");
    assert_ne!(world.store.runs().columns, built_in);
    world.press("wu\n");
    assert_eq!(world.store.runs().columns, built_in);
}

#[test]
fn a_view_is_not_kept_in_the_place_of_one_that_was_not_named() {
    let mut world = World::new((120, 24), 30);
    world.press(":save-view two\n");
    world.press("ol:save-view\n\n\u{1b}");
    assert_eq!(kept(&world).len(), 1);
    world.press(":save-view TWO\n");
    world.says("two was a tab already and is as the list is now;");
    assert_eq!(kept(&world).len(), 2);
    world.press(":delete-view two\n");
    world.says("the tab two is gone");
    assert_eq!(kept(&world).pop(), Some(("two".to_owned(), None)));
}

#[test]
fn what_another_program_kept_is_read_with_the_palette_and_with_the_list() {
    for key in [":", "r"] {
        let mut world = World::new((120, 24), 30);
        world.press(":save-view mine too\n");
        let view = |name: &str, query: &str| View {
            name: name.into(),
            query: query.into(),
            ..View::default()
        };
        world.kept_views(Vec::new());
        world.press(key);
        world.kept_views(vec![view("three", "is:late")]);
        world.press("\u{1b}:view three\n");
        world.answer();
        world.says("[8 three 0]");
        // What was kept here stays, although it did not come back.
        world.says("7 mine too");
    }
}

#[test]
fn what_is_filtered_by_is_told_in_short_where_it_has_no_room() {
    let mut world = World::new((80, 24), 30);
    for (number, run) in world.runs.iter_mut().enumerate() {
        let values = ["jmeter", "manual", "manual,android 16", "qftest"];
        run.configuration = Some(values[number % 4].to_owned());
        run.version = Some("1.2.0".into());
    }
    world.refresh();
    world.press("fjmeter \u{15}manual \u{15}android 16 \u{15}qftest \u{15}1.2.0 \u{15}late \n");
    world.says("f: config jmeter +3 · version 1.2.0 · late");
    // Of a ticked value is not said that it is not here, because none is late.
    world.press("f");
    world.says("[x] Configuration: jmeter");
    world.lacks("none here");
    // The foot names the Space that ticks.
    world.says("Space tick");
    world.press("conf");
    world.says("Space twice ticks");
    world.key(KeyEvent::from(KeyCode::Down));
    world.says("Space tick");
}

#[test]
fn kept_views_are_there_after_the_sign_in_and_the_monitor_begins_on_one() {
    let mut sample = Sample::new((120, 24));
    sample.store.start_on(Some("late ones".into()));
    sample.event(Event::Connected(Box::new(session())));
    sample.let_in();
    assert!(
        sample.store.screens.monitor.is_none(),
        "it is not known yet"
    );
    let view = View {
        name: "Late ones".into(),
        query: "is:late".into(),
        ..View::default()
    };
    sample.kept_views(vec![view]);
    sample.answer(30);
    sample.says("Late ones");
    assert!(sample.store.screens.monitor.is_some());
    sample.press("\u{1b}:view late ones\n");
    sample.answer(30);
    sample.says("[7 Late ones 0]");
    sample.says("No runs here. This tab lists those that fit: is:late");
}

#[test]
fn the_rows_of_the_last_session_are_those_of_its_tab_alone() {
    let mut sample = Sample::new((120, 24));
    sample.event(Event::Connected(Box::new(session())));
    let rows = vec![rundown::mirror::Run::new(&row(3), NOW)];
    let left_off = rundown::domain::LeftOff::default();
    sample.store.first_rows(rows, &left_off);
    sample.says("R_3 ");
    // The mirror is not loaded yet: nothing answers.
    let next = Message::Action(Action::NextPart);
    sample.store.update(next, NOW);
    sample.lacks("R_3 ");
    // Later on the rows before stay until the answer, which may be waited for; that is said.
    let mut sample = Sample::list((120, 24), 30);
    sample.store.update(Message::Action(Action::NextPart), NOW);
    sample.says("Looking for these runs");
}

#[test]
fn a_start_on_a_view_that_is_not_there_names_those_that_are() {
    let mut sample = Sample::new((120, 24));
    sample.store.start_on(Some("wall".into()));
    sample.event(Event::Connected(Box::new(session())));
    sample.let_in();
    sample.kept_views(vec![
        View::default().with(|it| it.name = "Late ones".into()),
    ]);
    sample.answer(30);
    sample.says("there is no view \"wall\"; there are: Open, Today, New failures, Mine, Closed, All, Late ones");
    assert!(sample.store.screens.monitor.is_none());
}

/// It would be answered at each change, by the day on which it was asked.
#[test]
fn a_search_by_id_that_is_given_up_is_asked_of_the_mirror_no_more() {
    let mut store = Sample::list((80, 24), 30).pressed(":R_99").store;
    let asks = |effects: Vec<Effect>, wanted: &dyn Fn(&RunsRequest) -> bool| {
        let runs = |effect: &Effect| matches!(effect, Effect::Runs(request) if wanted(request));
        effects.iter().any(runs)
    };
    let asked = store.update(Message::Action(Action::Open), NOW);
    assert!(asks(asked, &|it| matches!(
        it,
        RunsRequest::Ask(Layer::Picker, _)
    )));
    let given_up = store.update(Message::Action(Action::Cancel), NOW);
    assert!(asks(given_up, &|it| *it == RunsRequest::Leave(Layer::Picker)));
}

#[test]
fn a_number_opens_the_run_with_that_id_and_no_other() {
    let mut world = World::new((80, 24), 30);
    // Of the runs on this machine, whatever the tab shows.
    for (keys, run) in [("5:7\n", "R_7"), (":r_29\n", "R_29"), (":R_2\n", "R_2")] {
        world.press(keys);
        assert_eq!(world.asked(), [], "{keys}");
        let opened = world.store.detail().unwrap();
        assert_eq!(
            opened.run.doc_ref,
            row(run[2..].parse().unwrap()).doc_ref,
            "{keys}"
        );
        world.press("\u{1b}");
        world.answer();
    }
    let mut other = row(24_000);
    other.id = Some("R_2400".into());
    world.runs.push(other);
    world.press(":240\n");
    let filters = asked_filters(&world);
    assert_eq!(filters, ["Root.General.Id:R_240"]);
    world.answer();
    world.says("there is no run R_240 in P_9/SP_1");
    // A service that does not filter has shown nothing of it.
    world.press(":241\n");
    let (id, page, _) = world.asked().remove(0);
    world.drop_call(id);
    let page = world.page(page, &Filter::default());
    world.runs(id, Ok(page));
    world.says("R_241 may be there: the service does not find runs by their id; / looks here");
    world.press(":2400\n");
    world.answer();
    world.on(Layer::Detail);
}

#[test]
fn results_that_stop_coming_while_the_list_is_open_are_told() {
    let mut world = World::new((80, 24), 10);
    world.says("Left");
    world.operation = RunsOperation::ListDocuments;
    for run in &mut world.runs {
        (run.suite_count, run.progress, run.results) = (None, None, None);
    }
    world.refresh();
    let screen = world.screen();
    says(
        &screen,
        "the service no longer sends results: Status and Version are shown instead",
    );
    lacks(&screen, "Left");
    world.press("j");
    world.says("without results");
    // What tells one version from another is not cut.
    for (run, version) in world.runs.iter_mut().zip(["10.12.10", "10.12.11"]) {
        run.version = Some(version.into());
    }
    world.refresh();
    world.says(" 10.12.10 ");
    world.says(" 10.12.11 ");
    // What is asked of results is not known of any run.
    world.press("/failed>3\n");
    world.answer();
    world.says("No run matches \"failed>3\"; no results from this service.");
    world.says("0 found; no results from this service");
    world.press("\u{1b}/title:UAT\n");
    world.answer();
    world.lacks("no results");
    world.press("\u{1b}3");
    world.says("No results from this service.");
}

#[test]
fn runs_of_which_it_is_not_known_whether_they_are_found_are_told() {
    let mut world = World::new((100, 24), 10);
    world.runs.push(row(10).with(|it| it.results = None));
    world.refresh();
    // What is left in it is not known: the sum of the others is at least that.
    world.says("460+ left");
    world.says("1 without results");
    // In a closed one nothing is left, and what was not run is not known.
    world.runs[10].status = Status::Inactive;
    world.refresh();
    world.press("6");
    world.answer();
    world.says("460 left, 0+ not run");
    world.runs[10].status = Status::Active;
    world.refresh();
    world.press("1");
    world.answer();
    world.press("/failed>3\n");
    world.answer();
    world.says("460 left");
    world.says("10 found; of 1 run it is not known");
    world.press("\u{1b}/failed>300\n");
    world.answer();
    world.says("No run matches \"failed>300\"; of 1 run it is not known.");
}

/// Closed runs that are not here have no case left.
#[test]
fn what_is_left_is_told_for_sure_once_all_open_runs_are_here() {
    let mut world = World::new((100, 24), 10);
    world
        .runs
        .extend((11..2_000).map(|number| row(number).with(|it| it.status = Status::Inactive)));
    world.refresh();
    world.press("/R_3\n");
    world.answer();
    let screen = world.screen();
    says(&screen, "5 Closed 90+");
    says(&screen, "1 found   Esc clears the words   46 left");
    world.press("\u{1b}6");
    world.answer();
    let screen = world.screen();
    says(&screen, " in all   460 left");
}

/// Closed runs have none left, however many there are.
#[test]
fn of_closed_runs_of_which_some_are_not_here_it_is_told_what_was_not_run() {
    let runs = (0..3_000).map(|number| RunRow {
        status: [Status::Active, Status::Inactive][number as usize % 2].clone(),
        ..row(number)
    });
    let mut world = World::of((100, 24), runs.collect(), session());
    world.press("5");
    world.says("+ not run");
    world.lacks(" left");
}

#[test]
fn the_foot_tells_the_run_under_the_cursor_from_the_number_of_runs() {
    let mut world = World::new((80, 24), 77);
    let foot = |world: &World| line(&world.screen(), " left").to_owned();
    assert!(
        foot(&world).starts_with("run 1 of 77   "),
        "{}",
        foot(&world)
    );
    world.press("jj6");
    world.answer();
    let screen = world.screen();
    assert!(screen.contains("run 3 of 77   ") || screen.contains("run 1 of 77   "));
    lacks(&screen, "77 all");
    let none = World::new((80, 24), 0);
    let screen = none.screen();
    says(&screen, "\nno runs\n");
}

/// words.md: cases left in a closed run are not run, and in no sum of what is left.
#[test]
fn what_closed_runs_left_is_not_run_in_the_list_and_in_the_monitor() {
    let mut world = World::new((120, 40), 3);
    world.says("run 1 of 3   138 left");
    world.runs[0].status = Status::Inactive;
    world.refresh();
    world.press("6");
    world.answer();
    world.says("92 left, 46 not run");
    let mut narrow = world.clone();
    narrow.resize((40, 24));
    narrow.press(" ");
    narrow.says("run 2 of 3   92 left   1 marked");
    // A closed run has none left: that tells it from an open one without colours, too.
    let left = |world: &World| {
        let screen = world.screen();
        let heading = line(&screen, "Id ");
        let left = heading[..heading.find("Left").unwrap()].chars().count();
        let cell = |run| line(&screen, run).chars().skip(left).take(4);
        ["R_0 ", "R_1 ", "R_2 "].map(|run| cell(run).collect::<String>().trim().to_owned())
    };
    assert_eq!(left(&world), ["", "46", "46"]);
    // Sorted by it, it comes last either way: it has none.
    for keys in ["ol", "ol"] {
        world.press(keys);
        let screen = world.screen();
        let at = |run| screen.find(run).unwrap();
        assert!(
            at("R_0 ") > at("R_1 ") && at("R_0 ") > at("R_2 "),
            "{screen}"
        );
    }
    world.press("oe");
    world.press("5");
    world.answer();
    let screen = world.screen();
    says(line(&screen, "Id "), " Not run ");
    lacks(&screen, "Left");
    says(line(&screen, "R_0 "), " 46 ");
    world.press("ol");
    says(&world.screen(), " Not run↓ ");
    world.press("6M");
    world.answer();
    world.says("46 not run");
    let screen = world.screen();
    let row = line(&screen, "R_0");
    says(row, "closed");
    lacks(row, "unknown");
    assert_eq!(world.watched().last().unwrap(), "R_0", "{screen}");
}

/// The row may be hidden, or its run gone.
#[test]
fn a_form_of_the_marked_run_is_told_beside_another_one_under_the_cursor() {
    for (keys, told) in [
        (" jje", true),
        (" jjC", true),
        (" ke", false),
        ("jje", false),
    ] {
        let mut world = World::new((80, 24), 30);
        world.press(keys);
        assert_eq!(world.store.layer(), Layer::Form);
        let about = "this is about R_0, which is marked, not about R_";
        let screen = world.screen();
        assert_eq!(screen.contains(about), told, "{keys}: {screen}");
    }
}

#[test]
fn an_open_range_is_what_the_marks_are_asked_for() {
    let mut world = World::new((80, 24), 30);
    world.press(" jvjj");
    let screen = world.screen();
    let signs: Vec<&str> = ["R_0 ", "R_1 ", "R_2 ", "R_3 ", "R_4 ", "R_5 "]
        .map(|run| line(&screen, run).get(..2).unwrap())
        .to_vec();
    assert_eq!(signs, [" *", "  ", " +", " +", ">+", "  "], "{screen}");
    world.press("D");
    let runs = &world.store.delete().unwrap().runs;
    assert_eq!(runs.len(), 4);
    for keys in ["vjjM", "vjjy", "vjje"] {
        let mut world = World::new((80, 24), 30);
        world.press(keys);
        assert_eq!(world.store.runs().list.marks.len(), 3, "{keys}");
        match keys {
            "vjjM" => assert_eq!(world.watched(), ["R_0", "R_1", "R_2"]),
            "vjjy" => assert!(world.screen().contains("3 marked")),
            _ => assert!(
                world.screen().contains("3 marked: edit is for one run"),
                "{}",
                world.screen()
            ),
        }
    }
    // Where its beginning is gone, nothing is done to another run, and nothing to those that were marked before.
    let gone = "the range is gone: its first row is no longer here; mark again";
    for (marked, key) in [("", "D"), ("j jj ", "D"), ("j jj ", "M"), ("j jj ", "e")] {
        let mut world = World::new((120, 24), 30);
        world.press(marked);
        world.press("gvjj");
        world.runs.remove(0);
        world.refresh();
        world.press(key);
        let screen = world.screen();
        assert!(screen.contains(gone), "{marked:?} {key}: {screen}");
        assert!(world.store.delete().is_none());
        assert_eq!(world.store.layer(), Layer::Runs, "{marked:?} {key}");
    }
}

#[test]
fn an_open_range_has_the_rows_that_were_seen_whatever_comes_between() {
    for (keys, edited) in [("jvjj", 1), ("jjjvkk", 1), ("jvjj", 3)] {
        let mut world = World::new((120, 24), 30);
        world.press(keys);
        world.runs[edited].edited_on = Some(NOW + 60_000);
        world.refresh();
        world.says("the range has ended, 3 marked");
        world.press("D");
        let runs = &world.store.delete().unwrap().runs;
        let mut names: Vec<_> = runs
            .iter()
            .map(|run| run.deleting.run.name().to_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["R_1", "R_2", "R_3"], "{keys} {edited}");
    }
    // It goes on where its rows are the same, and is of the rows that are found.
    let mut world = World::new((120, 24), 30);
    world.press("jvjj");
    world.runs[2].edited_by = Some("ada".into());
    world.refresh();
    world.says("range open");
    world.press("/R_\n");
    world.answer();
    world.says("range open");
}

#[test]
fn an_open_range_is_let_go_with_its_tab() {
    for keys in ["6", "2", "\t", "61"] {
        let mut world = World::new((120, 24), 30);
        world.press(" jvjj");
        world.says("range open");
        world.press(keys);
        world.answer();
        world.lacks("range open");
        world.press("D");
        let runs = &world.store.delete().unwrap().runs;
        assert_eq!(runs.len(), 1, "{keys}: what was marked stays");
    }
}

#[test]
fn a_preview_that_has_no_room_is_said_to_have_none() {
    let mut world = World::new((40, 12), 30);
    world.press("p");
    let screen = world.screen();
    says(&screen, "no room for the preview");
    world.size = (80, 24);
    // It is of the run under the cursor, whatever is marked.
    world.press(" p");
    let screen = world.screen();
    says(&screen, "── R_1 ");
    world.press("p");
    world.lacks("── R_1 ");
    // What is not known of it leaves nothing between two points.
    (world.runs[1].version, world.runs[1].configuration) = (None, Some("chrome".into()));
    world.refresh();
    world.press("p");
    world.says("─ open · chrome ─");
}

#[test]
fn the_preview_is_as_one_left_it() {
    let mut world = World::new((120, 24), 30);
    for shows in [true, false] {
        world.press("p");
        let left_off = world.store.screens.runs.left_off();
        let kept = serde_json::to_string(&left_off).unwrap();
        let mut again = World::new((120, 24), 30);
        let left_off = serde_json::from_str(&kept).unwrap();
        again.store.screens.runs.go_on_at(&left_off);
        again.answer();
        assert_eq!(again.screen().contains("── R_"), shows);
    }
}

#[test]
fn the_preview_has_all_counts_at_eighty_columns() {
    for size in [(80, 24), (60, 15)] {
        let mut world = World::new(size, 30);
        let results = counted(ResultCode::ALL.map(|code| (code, 10 + u64::from(code.number()))));
        world.runs[1].results = Some(results);
        world.refresh();
        world.press("jp");
        let screen = world.screen();
        let below = screen.split("── R_1 ").nth(1).unwrap();
        for code in ResultCode::ALL {
            says(
                below,
                &format!("{} {}", code.label(), 10 + u64::from(code.number())),
            );
        }
        says(below, "176 cases, ");
    }
}

#[test]
fn as_long_as_nothing_was_read_no_list_is_said_to_be_empty() {
    for keys in ["2", "3", "4", "/login", "/login\n", "4/qa\n"] {
        let mut sample = Sample::signed_in((100, 24)).pressed(keys);
        for words in [
            "No open run",
            "No run matches",
            "no runs",
            "0 found",
            "None of",
        ] {
            sample.lacks(words);
        }
        if !sample.store.runs().list.search.typing {
            sample.says("Reading the runs…");
        }
        // Nor where the reading fails.
        let id = sample.asked();
        sample.runs(id, Err(failure()));
        for words in ["No open run", "No run matches", "0 found"] {
            sample.lacks(words);
        }
        sample.says("no connection to demo.example");
    }
}

#[test]
fn while_more_is_read_the_head_does_not_say_that_nothing_was() {
    let mut sample = Sample::signed_in((100, 24));
    sample.line("nothing read yet");
    sample.reads_again(page(FIRST, 60));
    let rows = sample.line("R_3 ");
    says(&rows, "R_3");
    says(&sample.line("qa@demo"), "reading…");
    let id = sample.asked();
    sample.runs(id, Err(failure()));
    says(&sample.line("qa@demo"), "not all read yet, again ");
    sample.press("n");
    sample.take_draft(None, None);
    says(&sample.line("qa@demo"), "not all read yet");
}

#[test]
fn what_was_given_up_is_read_where_all_runs_are_asked_for() {
    let mut sample = Sample::signed_in((100, 24));
    sample.act(Action::Cancel);
    sample.says("given up: r reads again");
    sample.effects();
    sample.press(":sync all\n");
    let reads = sample.open.iter().find_map(|effect| match effect {
        Effect::Request(_, Request::ReadRuns { depth, .. }) => Some(*depth),
        _ => None,
    });
    assert_eq!(reads, Some(Depth::All));
}

/// Another program that reads is not waited for, and a cache that could not be used is tried.
#[test]
fn who_asks_for_a_reading_does_not_wait_for_that_of_another_program() {
    let at_once = Effect::Runs(RunsRequest::ReadNow);
    let mut reading = Sample::signed_in((100, 24));
    let read = Sample::list((100, 24), 30);
    for (sample, asks, is_asked) in [
        (&mut reading, Action::Refresh, true),
        (&mut read.clone(), Action::Sync, true),
        (&mut read.clone(), Action::SyncAll, true),
        (&mut read.clone(), Action::Refresh, false),
    ] {
        let effects = sample.store.update(Message::Action(asks), sample.now);
        assert_eq!(effects.contains(&at_once), is_asked, "{effects:?}");
    }
}

#[test]
fn at_its_end_a_reading_of_all_runs_says_what_is_here() {
    let mut world = World::new((80, 24), 2_100);
    world.press(":sync all\n");
    world.says("reading all 2,100 runs, about 21 calls…");
    let (id, ..) = world.readings()[0];
    let (received, full_size) = (2_100, 2_100);
    let progress = Answer::Received {
        received,
        full_size,
    };
    world.event(Event::Answer(id, progress));
    world.says("reading: 2,100 of 2,100 runs…");
    world.answer();
    world.says("all 2,100 runs are here");
    world.lacks("reading: ");
    let mut world = World::new((80, 24), 3_000);
    world.press(":sync all\n");
    let (id, ..) = world.readings()[0];
    world.drop_call(id);
    world.event(Event::Answer(id, Answer::RunsRead(Ok(false))));
    world.says("not whole: 800 of 3,000 runs are here; :sync all reads again");
}

#[test]
fn where_only_a_part_is_here_an_order_says_that_only_that_is_sorted() {
    let words = "only these are sorted: :sync all";
    for width in [120, 80, 60] {
        let mut world = World::new((width, 24), 3_000);
        world.store.cx.shared.newcomer = true;
        world.lacks(words);
        world.press("of");
        world.says(words);
        world.press("4");
        world.lacks(words);
        world.press("1");
        world.says(words);
        world.press("oe");
        world.lacks(words);
        world.press("oe");
        world.says(words);
    }
    let mut world = World::new((80, 24), 30);
    world.press("of");
    world.lacks(words);
    // The words of a search say it themselves.
    let mut world = World::new((80, 24), 3_000);
    world.press("fqftest\n");
    world.answer();
    world.press("of");
    world.says(words);
}

/// Nobody has typed a status.
#[test]
fn a_name_is_said_to_be_looked_for_in_all_runs() {
    let mut world = World::new((120, 24), 30);
    world.runs[9].status = Status::Inactive;
    world.refresh();
    for (words, found) in [("R_99999", 0), ("R_8 or R_9", 2)] {
        world.press(&format!("/{words}\n"));
        world.answer();
        world.says(&format!("{found} found, of all runs, not only of Open"));
        world.press("\u{1b}");
    }
    world.press("/R_9\n");
    world.answer();
    world.says("\"R_9\": 1 found   Esc");
}

/// They stand behind the sign of the search, too: what is found, marked and open is read whole.
#[test]
fn long_words_leave_room_for_what_is_marked() {
    for width in [60, 80] {
        let mut world = World::new((width, 24), 30);
        world.press("/version:1.2.0 or version:1.2.1 or version:1.3.0 or smoke\n");
        world.answer();
        world.press("  ");
        world.says(": 30 found   ");
        world.says("2 marked");
        world.says("\"version:1.2");
    }
}

#[test]
fn words_stay_on_another_tab_until_esc() {
    let mut world = World::new((80, 24), 30);
    world.runs[9].status = Status::Inactive;
    world.runs[9].title = Some("Zebra of the night".into());
    world.runs[8].title = Some("Zebra of the day".into());
    world.refresh();
    world.press("/zebra\n");
    assert_eq!(ids(&world), ["R_8"]);
    world.says("\"zebra\": 1 found   Esc clears the words");
    world.press("5");
    world.answer();
    assert_eq!(ids(&world), ["R_9"]);
    world.says("\"zebra\": 1 found   Esc clears the words");
    world.press("\t");
    world.answer();
    assert_eq!(ids(&world), ["R_8", "R_9"]);
    world.press("\u{1b}");
    assert_eq!(ids(&world).len(), 30);
    world.lacks("zebra");
}

#[test]
fn a_search_counts_as_missing_what_it_could_find() {
    let mut world = World::new((80, 24), 3_000);
    for run in &mut world.runs[..100] {
        run.status = Status::Inactive;
    }
    world.press("5");
    world.answer();
    world.press("1/status:closed xyzzy\n");
    world.says("0 found");
    world.lacks("not here");
    // Nothing else is that run.
    world.press("\u{1b}/R_120\n");
    assert_eq!(ids(&world), ["R_120"]);
    world.says("\"R_120\": 1 found");
    world.lacks("not here");
    world.press("\u{1b}/run 120\n");
    world.answer();
    world.says("runs not here: :sync all");
}

#[test]
fn while_the_service_is_away_what_was_asked_for_says_that_it_failed() {
    let mut world = World::new((100, 24), 3_000);
    let fails = |world: &mut World| {
        let (id, ..) = world.readings()[0];
        world.drop_call(id);
        world.event(Event::Answer(id, Answer::RunsRead(Err(failure()))));
    };
    world.press("r");
    world.event(Event::Reached(false));
    fails(&mut world);
    world.says("OFFLINE since ");
    for reads in [":sync\n", ":sync all\n"] {
        world.press("\u{1b}\u{1b}");
        world.press(reads);
        world.says("reading all ");
        fails(&mut world);
        says_wrapped(
            &world.screen(),
            "It is tried again [!] 1 new by itself; r tries now.",
        );
    }
    // What is here is searched all the same.
    world.press("\u{1b}\u{1b}/smoke\n");
    let (id, ..) = world.asked()[0];
    world.drop_call(id);
    world.desk.runs(id, Err(failure()));
    world.says("found; 2,200 runs not here: :sync all; service search failed");
    world.press("!");
    world.says("searching the runs");
}

#[test]
fn to_new_words_no_old_number_is_the_answer() {
    let mut world = World::new((80, 24), 30);
    world.press("/R_1");
    world.says("found");
    let before = world.store.runs().answer.clone();
    let effects = world.desk.store.update(
        Message::Action(Action::Type(KeyEvent::from(KeyCode::Char('x')))),
        world.desk.now,
    );
    world.store.settle();
    drop(effects);
    assert_eq!(world.store.runs().answer, before);
    let screen = world.screen();
    says(&screen, "searching…");
    lacks(&screen, " found");
}

#[test]
fn ctrl_c_twice_quits_though_something_is_read() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("r");
    sample.act(Action::Cancel);
    sample.says("given up: r reads again, Ctrl-c again quits");
    sample.act(Action::Cancel);
    assert_eq!(sample.open.last(), Some(&Effect::Quit));
}

#[test]
fn a_time_with_an_epoch_is_that_of_this_machine_and_a_text_alone_stays_as_it_came() {
    let mut world = World::new((80, 24), 6);
    world.runs[4].edited_on = None;
    world.refresh();
    world.zone = TimeZone::fixed(jiff::tz::offset(9));
    let screen = world.screen();
    // The 19th at 18:02 without a zone, which is the 20th at 03:02 there.
    assert!(
        line(&screen, "R_3").trim_end().ends_with(" 03:02"),
        "{screen}"
    );
    assert!(
        line(&screen, "R_4").trim_end().ends_with(" yesterday"),
        "{screen}"
    );
}

#[test]
fn tab_completes_the_word_at_the_cursor_of_a_search_and_leads_through_what_it_can_be() {
    let mut world = World::new((80, 24), 30);
    world.runs[3].version = Some("1.3.0 beta".into());
    world.runs[4].version = Some("1.4.0".into());
    world.refresh();
    world.press("/");
    world.says("Tab completes");
    world.press("ver\t");
    world.says("/ version: ");
    // What all begin with is put in, and the candidates are said in the place of what is found.
    world.press("\t");
    world.says("/ version:1. ");
    world.says(r#"3: 1.2.0, 1.4.0, "1.3.0 beta""#);
    for (key, text, said) in [
        (
            Action::NextField,
            "1.2.0",
            r#"3: 1.2.0, 1.4.0, "1.3.0 beta""#,
        ),
        (
            Action::NextField,
            "1.4.0",
            r#"3: 1.4.0, "1.3.0 beta", 1.2.0"#,
        ),
        (
            Action::NextField,
            r#""1.3.0 beta""#,
            r#"3: "1.3.0 beta", 1.2.0"#,
        ),
        (Action::NextField, "1.2.0", "3: 1.2.0"),
        (
            Action::PreviousField,
            r#""1.3.0 beta""#,
            r#"3: "1.3.0 beta""#,
        ),
        (Action::PreviousField, "1.4.0", "3: 1.4.0"),
    ] {
        world.act(key);
        world.says(&format!("/ version:{text} "));
        world.says(said);
    }
    world.answer();
    // Another key ends it; what is found is what was put in.
    world.press(" ");
    world.lacks("3: ");
    world.says("1 found");
    world.press("xyz\t");
    world.says("nothing here begins with xyz");
    world.press("\u{15}");
    world.lacks("begins");
    world.press("failed_k\t");
    world.says("failed_known ");
    world.lacks("failed_new");
    world.press("\t");
    world.says("complete as it is");
    // The words stay when the field is left.
    world.press("\u{1b}/");
    world.lacks("complete as it is");
    world.says("/ failed_known ");
    // What was put in is a text of its own: the one before it is the newest.
    world.press("\u{15}statu\n/");
    world.act(Action::Move(Motion::Up));
    world.press("\t");
    world.says("/ status: ");
    world.act(Action::Move(Motion::Up));
    world.says("/ statu ");
}

#[test]
fn a_filter_that_finds_nothing_here_says_so_and_what_is_missing() {
    let mut world = World::new((100, 24), 1_000);
    world.refresh();
    world.press("6");
    world.press("flate\n");
    let screen = world.screen();
    says(&screen, "No run with late");
    says(&screen, ":sync all reads them");
    lacks(&screen, "Reading the runs");
}

#[test]
fn a_run_that_is_expected_to_end_after_its_date_has_the_sign_of_what_is_wrong() {
    let mut world = World::new((80, 24), 3);
    let run = world.runs[1].doc_ref.clone();
    let mut due = DueDates::default();
    due.runs.insert(run.clone(), world.now + 3_600_000);
    let (id, _) = world.store.waits(|slot| *slot == Slot::Due).unwrap();
    world.reply(id, Answer::Due(Some(due)));
    let signs = |world: &mut World| {
        world.refresh();
        let screen = world.screen();
        let rows = screen.lines().filter(|line| line.contains("R_"));
        rows.map(|row| row.chars().nth(1).unwrap())
            .collect::<String>()
    };
    assert_eq!(signs(&mut world), "   ");
    let end = world.now + 7_200_000;
    world.mirrored.ends = [(run, end)].into();
    world.runs[0].title = Some("Another".into());
    assert_eq!(signs(&mut world), "●! ");
}

#[test]
fn words_of_time_and_of_late_runs_move_with_the_time() {
    let mut world = World::new((120, 24), 30);
    let run = world.runs[5].doc_ref.clone();
    let edit = |world: &mut World, number: usize| {
        world.runs[number].edited_on = Some(world.now);
        world.runs[number].title = Some(format!("Edited {}", world.now));
        world.refresh();
    };
    edit(&mut world, 3);
    world.press("/edited:today\n");
    world.answer();
    world.says("R_3 ");
    world.now += DAY;
    edit(&mut world, 7);
    world.says("R_7 ");
    world.lacks("R_3 ");
    // Late is judged anew in a list and in the number of a tab.
    let mut due = DueDates::default();
    due.runs.insert(run, world.now + 3_600_000);
    let (id, _) = world.store.waits(|slot| *slot == Slot::Due).unwrap();
    world.reply(id, Answer::Due(Some(due)));
    let view = View {
        name: "late ones".into(),
        query: "is:late".into(),
        ..View::default()
    };
    world.kept_views(vec![view]);
    world.press("\u{1b}\u{1b}/is:late\n");
    world.answer();
    world.says("7 late ones 0");
    world.lacks("R_5 ");
    world.now += 3_600_001;
    world.press("k");
    world.answer();
    world.says("R_5 ");
    world.says("7 late ones 1");
}

#[test]
fn the_cursor_follows_its_run_into_another_order_and_is_on_it_again_where_its_tab_is() {
    let mut world = World::new((80, 24), 30);
    let here = |world: &World| world.store.runs().current().unwrap().name().to_owned();
    let answered = |world: &mut World, keys: &str| {
        world.press(keys);
        world.answer();
        here(world)
    };
    // On the first row it stays there.
    assert_eq!(answered(&mut world, "ot"), ids(&world)[0]);
    let run = answered(&mut world, "jjjj");
    assert_eq!(answered(&mut world, "oi"), run);
    world.says(&format!("> {run} "));
    assert_ne!(ids(&world)[0], run);
    answered(&mut world, "6");
    assert_eq!(answered(&mut world, "1"), run);
}

#[test]
fn values_that_no_run_here_has_come_behind_those_that_are_here() {
    let mut world = World::new((80, 24), 30);
    let values = ["jmeter", "manual"].map(str::to_owned);
    world.facets = vec![("Root.General.Configuration".to_owned(), values.into())];
    for run in &mut world.runs {
        run.configuration = Some("manual,android 16".into());
    }
    world.refresh();
    world.press("f");
    let screen = world.screen();
    let place = |words: &str| screen.find(words).unwrap_or_else(|| panic!("{screen}"));
    assert!(place(": manual  ") < place(": jmeter"), "{screen}");
    assert!(line(&screen, ": jmeter").contains("none here"));
}

#[test]
fn without_its_heading_an_order_has_its_direction_in_the_status() {
    let mut sample = Sample::list((40, 12), 3);
    sample.says("sort: edited ↓");
    sample.press("oe");
    sample.answer(3);
    sample.says("sort: edited ↑");
}
