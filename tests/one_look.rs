//! What every list, every line of hints and every status line has in common.

use super::{screens, screens_suites};
use crate::support::prelude::*;
use crate::support::suites::suite;
use rundown::domain::{SuiteRow, View};
use rundown::ui::theme::{BuiltIn, Theme};

const SIZE: (u16, u16) = (80, 24);

/// The last but so many of the lines of the screen.
fn line(sample: &Sample, from_end: usize) -> String {
    let screen = sample.screen();
    screen.lines().rev().nth(from_end).unwrap().to_owned()
}

fn status(sample: &Sample) -> String {
    line(sample, 1)
}

fn hints(sample: &Sample) -> String {
    line(sample, 0)
}

#[test]
fn tabs_lose_their_counts_before_the_last_ones_stand_behind_more() {
    let mut session: Session = session();
    let names = ["payments", "release", "nightly", "weekly"];
    session.watch.views = names
        .map(|name| View::built_in()[5].clone().with(|it| it.name = name.into()))
        .into();
    let world = World::with((200, 24), 30, session);
    let mut sample = world.desk;
    for (width, tabs) in [
        (
            200,
            " [1 Open 30] 2 Today  3 New failures  4 Mine 0  5 Closed 0  6 All 30  7 payments 30  8 release 30  9 more…",
        ),
        (
            80,
            " [1 Open 30] 2 Today  3 New failures  4 Mine  5 Closed  6 All  7  8  9 more…",
        ),
        (50, " [1 Open 30] 2 Today  3  4  5  6  7  8  9 more…"),
    ] {
        sample.resize((width, 24));
        let screen = sample.screen();
        assert_eq!(screen.lines().nth(1), Some(tabs), "{screen}");
    }
    // A long name gives way to what leads to the others.
    let mut long = Sample::list((80, 24), 30);
    long.press(&format!(":save-view {}\n", "view ".repeat(20)));
    long.says("… 30] 9 more…");
    // Nor does it take the numbers of the others.
    let mut wide = Sample::list((120, 24), 30);
    wide.press(&format!(":save-view {}\n", "view ".repeat(20)));
    wide.press("1");
    wide.says("6 All 30  7 view view view view vie… 30");
    sample.press("9weekly\n");
    assert_eq!(sample.store.runs().view.name, "weekly");
    // The chosen one is seen, wherever it stands.
    sample.says("[10 weekly");
    // One number has one meaning.
    sample.press("9nightly\n");
    sample.says("[9 nightly 30] more…");
    sample.press("9weekly\n");
    // There it is ticked, and taking it changes nothing.
    sample.press("9");
    sample.says(">[x] weekly");
    sample.press("\n");
    sample.says("weekly: as it is already");
}

#[test]
fn a_column_in_which_no_row_has_anything_takes_no_room() {
    let mut world = World::new((120, 24), 30);
    world.says(" Tester ");
    for run in &mut world.runs {
        run.testers.clear();
    }
    world.refresh();
    world.lacks(" Tester ");
    world.press("w");
    world.says("[x] Tester");
    world.says("empty here");
    let bare = |mut suite: SuiteRow| {
        (suite.total_cases, suite.priority) = (None, None);
        suite.display_edited_on = None;
        suite
    };
    let mut sample = Sample::list(SIZE, 3).pressed("a");
    let result = Ok(vec![bare(suite(1))]);
    sample.answered(&Slot::Available, Answer::Available(result));
    sample.says("Title");
    for heading in ["Cases", "Priority", "Edited"] {
        sample.lacks(heading);
    }
}

#[test]
fn a_tester_who_is_oneself_is_you_in_the_list_and_beside_it() {
    let mut world = World::new((120, 40), 30);
    world.runs[0].testers = vec!["QA".into(), "mai".into()];
    world.refresh();
    world.says(" you +1 ");
    world.says("testers you, mai");
}

#[test]
fn hints_name_what_works_here_now() {
    let wide = (160, 24);
    let cases: Vec<(&str, Sample, &[&str], &[&str])> = vec![
        (
            "a list",
            Sample::list(wide, 3),
            &["open", "add suites", "edit", "mark, ↓"],
            &[],
        ),
        (
            "no rows",
            Sample::list(wide, 0),
            &["new", "find"],
            &["open", "add suites", "edit", "delete", "mark, ↓", "monitor"],
        ),
        (
            "read-only",
            Sample::read_only_list(wide, 3),
            &["open", "mark, ↓", "suites"],
            &["add suites", "edit", "new", "undo"],
        ),
        (
            "a closed run",
            Sample::on_closed(wide),
            &["open", "edit"],
            &["add suites"],
        ),
        (
            "suites to add",
            screens_suites::available(wide),
            &["mark, ↓", "add (asks)"],
            &[],
        ),
        (
            "no such suite",
            screens_suites::available(wide).pressed("/xyzzy\n"),
            &["find"],
            &["mark, ↓", "add (asks)", "all fields"],
        ),
        (
            "suites of a run",
            screens_suites::worked_out(wide, screens_suites::partial()),
            &["mark, ↓", "remove (asks)"],
            &[],
        ),
        (
            "not worked out",
            Sample::list(wide, 3).pressed("s"),
            &["back"],
            &["mark, ↓", "remove (asks)", "how known"],
        ),
        (
            "a choice",
            Sample::list(wide, 3).pressed("f"),
            &["take", "tick"],
            &[],
        ),
        (
            "no such choice",
            Sample::list(wide, 3).pressed("fxyzzy"),
            &["close"],
            &["take", "tick", "complete"],
        ),
    ];
    for (what, sample, has, lacks) in cases {
        let hints = hints(&sample) + "  ";
        let names = |words: &&&str| hints.contains(&format!(" {words}  "));
        assert!(has.iter().all(|words| names(&words)), "{what}: {hints}");
        assert!(!lacks.iter().any(|words| names(&words)), "{what}: {hints}");
    }
}

#[test]
fn a_message_that_does_not_fit_takes_the_line_of_the_hints_and_keeps_its_remedy() {
    let mut sample = Sample::list((60, 15), 3);
    let remedy = "r tries again.";
    sample.store.cx.complain_then("Short.", remedy);
    assert_eq!(status(&sample), format!("! Short. {remedy}"));
    says(&hints(&sample), "open");
    for words in [10, 40, 400] {
        let text = "word ".repeat(words);
        sample.store.cx.complain_then(text.trim_end(), remedy);
        if words > 10 {
            assert!(hints(&sample).ends_with(remedy), "{}", sample.screen());
        }
        let told = line(&sample, 1) + " " + &line(&sample, 0);
        says(&told, "! word word");
        says(&told, remedy);
    }
    // While text is typed it stands below the field.
    sample.resize(SIZE);
    sample.press("/re");
    sample.event(Event::Trouble(failure()));
    assert!(status(&sample).starts_with("/ re"), "{}", sample.screen());
    assert!(
        hints(&sample).contains("then try again."),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_path_stays_until_esc_and_can_be_copied() {
    let mut sample = Sample::list(SIZE, 3);
    let path = format!("/home/qa/{}/runs.csv", "x".repeat(60));
    let (what, result) = ("3 runs".into(), Ok(path.clone()));
    sample.clone().pressed("y").lacks("l  path");
    sample.event(Event::Written { what, result });
    sample.press("jk");
    assert!(hints(&sample).ends_with("/runs.csv"), "{}", sample.screen());
    sample.open.clear();
    sample.press("yl");
    let what = "the path".into();
    assert_eq!(sample.open, [Effect::Copy { what, text: path }]);
    assert!(hints(&sample).ends_with("/runs.csv"));
    // In a box Esc closes that.
    for key in ["?", "y"] {
        sample.press(key);
        sample.press("\u{1b}");
        sample.on(Layer::Runs);
        assert!(hints(&sample).ends_with("/runs.csv"), "{key}");
    }
    sample.press("\u{1b}");
    begins(&status(&sample), "run 1 of 3");
}

#[test]
fn until_the_help_was_opened_the_status_line_has_the_signs() {
    let mut sample = Sample::list(SIZE, 3);
    let sums = status(&sample);
    says(&sums, " left");
    sample.store.cx.shared.newcomer = true;
    assert_eq!(
        status(&sample),
        format!("{sums}   ● changed since you last looked   ? all signs")
    );
    // The sums come first.
    sample.resize((50, 12));
    begins(&status(&sample), &sums);
    assert!(status(&sample).ends_with("   ? all signs"));
    sample.resize((40, 12));
    begins(&status(&sample), &sums);
    lacks(&status(&sample), "signs");
    sample.press(" ");
    says(&status(&sample), "1 marked");
    sample.open.clear();
    sample.press("?\u{1b}");
    assert_eq!(sample.open, [Effect::HelpSeen]);
    lacks(&status(&sample), "signs");
}

#[test]
fn ctrl_c_says_what_is_under_way_before_anybody_is_signed_in() {
    let mut sample = Sample::new(SIZE);
    let says = |sample: &mut Sample, doing: &str| {
        sample.press("j");
        sample.act(Action::Cancel);
        sample.says(&format!("{doing}: Ctrl-c again quits"));
        // The first line says the same.
        let head = sample.screen().lines().next().unwrap().to_owned();
        assert_eq!(head.contains("signing in"), doing == "signing in", "{head}");
    };
    says(&mut sample, "starting");
    sample.connect(|_| {});
    says(&mut sample, "signing in");
    sample.now += 1_000;
    sample.sign_in_needed(SignInReason::Missing);
    says(&mut sample, "nothing is under way");
    sample.press("\n");
    says(&mut sample, "signing in");
}

#[test]
fn a_long_wait_says_its_seconds_and_nothing_else_wakes_up() {
    let mut sample = Sample::list(SIZE, 3);
    let next = |sample: &Sample| sample.store.cx.in_flight.next_second(sample.now);
    assert_eq!(next(&sample), None);
    // That the key did something is seen at once.
    sample.press("r");
    sample.says("  reading…");
    sample.answer(3);
    sample.lacks("reading…");
    // How old it is stays in sight while it is read.
    sample.now += 120_000;
    sample.press("r");
    sample.says("  read 09:41, reading…");
    sample.answer(3);
    sample.press("\n");
    assert_eq!(next(&sample), Some(3_000));
    sample.now += 2_999;
    lacks(&status(&sample), "gives up");
    sample.now += 1;
    assert_eq!(status(&sample), "Reading the run… 3 s  Ctrl-c gives up");
    sample.now += 4_200;
    assert_eq!(status(&sample), "Reading the run… 7 s  Ctrl-c gives up");
    assert_eq!(next(&sample), Some(800));
    sample.act(Action::Cancel);
    assert_eq!(next(&sample), None);
    // What is read by itself, or ahead of the cursor, nobody waits for.
    let mut sample = Sample::list(SIZE, 100_000);
    sample.press("G");
    assert!(!sample.open.is_empty() && next(&sample).is_none());
}

#[test]
fn what_is_sent_stays_in_the_status_line() {
    let mut sample = screens_suites::working(SIZE, &[]);
    for keys in ["", "\u{1b}", "\u{1b}\u{1b}", "j"] {
        sample.press(keys);
        assert!(status(&sample).contains("to R_2…"), "{}", sample.screen());
    }
    sample.now += 3_000;
    assert!(
        status(&sample).ends_with(" 3 s  Ctrl-c stops"),
        "{}",
        sample.screen()
    );
    sample.act(Action::Cancel);
    says(&status(&sample), "to R_2…");
    begins(&hints(&sample), "no further request is sent");
    sample.resize((60, 15));
    says(&hints(&sample), "Ctrl-c again quits");
}

#[test]
fn the_header_says_when_a_service_that_is_away_is_asked_again() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("r");
    let id = sample.asked();
    sample.runs(id, Err(failure()));
    sample.says("OLD: read 09:41, again 09:41:13");
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.runs(id, Err(failure()));
    sample.says("nothing read yet, again 09:41:13");
}

#[test]
fn one_sign_stands_behind_the_cursor_marked_before_late_before_changed() {
    let mut session: Session = session();
    session.watch.limit = Some("failed <= 13".into());
    let mut world = World::with(SIZE, 6, session);
    let cx = &mut world.store.cx.shared;
    cx.due.runs = [
        (row(1).doc_ref, NOW - 1),
        (row(2).doc_ref, NOW + 86_400_000),
    ]
    .into();
    world.record(3, ResultCode::Untested, ResultCode::FailedNew, 1);
    world.record(4, ResultCode::Untested, ResultCode::Passed, 1);
    world.refresh();
    world.press("j ");
    let screen = world.screen();
    let rows = screen.lines().filter(|line| line.contains("R_"));
    let signs: Vec<String> = rows.map(|row| row.chars().take(2).collect()).collect();
    assert_eq!(signs, ["  ", " *", "> ", " !", " ●", "  "], "{screen}");
    world.press("\u{1b}\u{1b}");
    world.says("\n !R_1 ");
}

#[test]
fn the_help_begins_with_the_signs_and_what_is_used_most() {
    let sample = Sample::list(SIZE, 3).pressed("?");
    let screen = sample.screen();
    let place = |words: &str| {
        screen
            .find(words)
            .unwrap_or_else(|| panic!("{words}\n{screen}"))
    };
    assert!(place("●   changed since you last looked") < place("Open the run"));
    sample.says("*   marked; + in the open range");
    assert!(place("Open the run") < place("Find"));
    sample.lacks("Draw again");
    let sample = Sample::list(SIZE, 3).pressed("?xyzzy");
    sample.says("nothing matches");
    sample.lacks("last looked");
}

/// Keys are what the help is for.
#[test]
fn the_signs_of_the_help_take_five_lines_at_most() {
    for size in [(60, 15), (80, 24), (120, 40)] {
        for keys in ["?", "M?", "B?", "\n?", "a?"] {
            let screen = Sample::list(size, 3).pressed(keys).screen();
            let is_key = |line: &str| line.contains("│>");
            let lines: Vec<&str> = screen.lines().collect();
            let search = lines.iter().position(|line| line.contains("│ search "));
            let search = search.unwrap_or_else(|| panic!("{screen}"));
            let first = lines.iter().position(|line| is_key(line));
            let first = first.unwrap_or_else(|| panic!("{keys} {screen}"));
            assert!(first - search <= 6, "{screen}");
        }
    }
}

#[test]
fn the_key_of_the_help_has_its_word_where_there_is_room() {
    let sample = Sample::list(SIZE, 3).pressed("?");
    assert!(hints(&sample).ends_with("F1 help"), "{}", hints(&sample));
    let sample = Sample::list((40, 12), 3).pressed("w");
    assert!(hints(&sample).ends_with("  ?"), "{}", hints(&sample));
}

#[test]
fn the_signs_of_the_help_are_told_in_full_where_there_is_little_room() {
    for size in [(60, 15), (60, 24)] {
        let screen = Sample::list(size, 3).pressed("?").screen();
        let lines = screen.lines().map(|line| line.trim_matches(['│', ' ']));
        let words = lines.collect::<Vec<_>>().join(" ");
        says(
            &words,
            "more new failures than before today; at Block: more blocked or on hold",
        );
    }
    let screen = Sample::list((40, 12), 3).pressed("?").screen();
    says(&screen, "!   over the limit, or late by date …");
}

/// As in each list; the run is named as it is everywhere.
#[test]
fn the_line_under_the_cursor_of_the_json_has_its_sign() {
    let mut sample = screens::detail(SIZE).pressed("i");
    sample.says("── JSON of R_");
    sample.says("\n> {");
    sample.press("j");
    sample.says("\n>   \"docRef\"");
}

/// Without colours they would say nothing.
#[test]
fn the_help_explains_no_sign_by_its_colour() {
    for keys in ["?", "H?"] {
        let sample = Sample::list((120, 40), 3).pressed(keys);
        sample.says("●   changed");
        for colour in [" red ", "yellow"] {
            sample.lacks(colour);
        }
    }
}

/// Red is a new failure, or something broken.
#[test]
fn no_word_of_the_delete_box_is_red_before_it_deletes() {
    for typed in ["R_2", "R_3"] {
        let mut sample = Sample::list(SIZE, 30).pressed("jjD");
        sample.surveyed(super::support::deleting::complete(2));
        sample.press(typed);
        let screen = sample.screen();
        let row = screen.lines().position(|line| line.contains("Type R_2"));
        let row = row.unwrap_or_else(|| panic!("{screen}")) as u16;
        let (cells, _) = sample.draw_in(BuiltIn::Dark);
        let red = Theme::from(BuiltIn::Dark).bad().fg;
        let is_red = |column| Some(cells[(column, row)].fg) == red;
        assert!(!(0..SIZE.0).any(is_red), "{screen}");
    }
}

#[test]
fn words_that_cannot_be_read_are_not_said_to_match_nothing() {
    let mut sample = Sample::list(SIZE, 3).pressed("/xyzzy");
    sample.press("\u{1b}\u{1b}/is:lat");
    sample.lacks("matches \"is:lat\"");
    sample.press("\u{1b}\u{1b}/xyzzy failed>");
    sample.says("column 14: expected a value");
    sample.lacks("No run");
}

#[test]
fn the_help_has_keys_in_the_smallest_terminal() {
    for size in [(40, 12), (60, 12), (40, 10)] {
        let mut sample = Sample::list(size, 3).pressed("?");
        sample.says(">Run    Enter →");
        let keys = sample.screen();
        sample.act(Action::Move(Motion::Last));
        assert_ne!(sample.screen(), keys, "{size:?}: nothing moves");
    }
}

#[test]
fn the_palette_says_what_enter_will_ask() {
    let mut sample = Sample::list(SIZE, 3);
    for (typed, said) in [
        (":add S_22", "add S_22 to R_0: asks first"),
        (":add S_22", ">add S_22 "),
        (":add S_x", ">add S_… …"),
        (":add S_x", "\"S_x\": "),
        (":240", ">240 "),
        (":save-view x", ">save-view x "),
        (":remove S_1 S_2", "remove S_1 S_2 from R_0: asks first"),
        (":R_99", "opens R_99"),
        (":w", ">w "),
        (":w", "shows the review of the form, if one is open"),
        (":q", ">Quit "),
        (":q!", "quits; only what is on the disk stays"),
        (":xyzzy", "nothing matches"),
        (":xyzzy", "0 of "),
        // What Enter takes is under the cursor, whatever begins as it does.
        (":R_2", ">R_2 "),
        (":R_22", ">R_22 "),
        (":22", ">22 "),
        (":project P_9", ">    project P_9 "),
        (":project P_9", "uses project P_9 "),
    ] {
        sample.press(typed);
        sample.says(said);
        sample.press("\u{1b}");
    }
    // Below a word there are the entries that contain it.
    sample.press(":w");
    while !sample.screen().contains(">save-view NAME") {
        sample.act(Action::Move(Motion::Down));
    }
    sample.says("save-view NAME: keeps tab");
    sample.press("\n");
    sample.on(Layer::Picker);
    sample.says(">save-view NAME");
    sample.press("x");
    sample.says(">save-view x");
    // A kept tab whose name begins so is another row.
    sample.press("y\n:save-view x");
    sample.says(">save-view x ");
    sample.says("keeps what the list shows as the tab x ");
    sample.press("\u{1b}:save-view XY");
    sample.says("the tab XY becomes what the list shows");
    sample.press("\u{1b}");
    let mut many = Sample::list(SIZE, 30).pressed(":R_2");
    many.act(Action::Move(Motion::Down));
    many.says(">R_20 ");
    many.act(Action::Move(Motion::Up));
    many.says(">R_2 ");
    // A command without its argument says what is missing.
    for (typed, said) in [
        (":save-view \n", "type NAME after \"save-view \""),
        (":delete-view \n", "type NAME after \"delete-view \""),
        (":add  \n", "type S_… … after \"add \""),
        (":since \n", "type MOMENT after \"since \""),
        (":project P_x\n", "\"P_x\": "),
        (":project P_9 X_1\n", "\"X_1\": "),
    ] {
        sample.press(typed);
        sample.on(Layer::Picker);
        sample.says(said);
        sample.press("\u{1b}");
    }
    let mut empty = Sample::list(SIZE, 0);
    empty.press(":add S_22");
    empty.says("there is no run here to change");
}

#[test]
fn an_empty_list_says_which_versions_have_runs() {
    let mut sample = Sample::signed_in(SIZE);
    let versions = ["1.1.0", "1.2.0", "1.3.0"].map(str::to_owned).to_vec();
    let page = |size: u64| RunsPage {
        full_size: size,
        rows: Vec::new(),
        facets: Some(vec![(
            "Root.General.ProjectVersionNumber".into(),
            versions.clone(),
        )]),
        operation: Some(RunsOperation::ListTestRuns),
    };
    let id = sample.asked();
    sample.runs(id, Ok(page(0)));
    sample.press("f1.2\n");
    sample.answer(0);
    sample.says("No open run of 1.2.0");
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.runs(id, Ok(page(0)));
    let others = (0..142).map(|number| row(number).with(|it| it.version = Some("1.3.0".into())));
    let rows = others.collect();
    sample.press("f1.2\n");
    sample.answer(0);
    sample.reads_again(page(0).with(|it| it.rows = rows));
    sample.says("No open run of 1.2.0. Others: 1.3.0 (142): f");
    sample.press("2");
    sample.says("No run here. This tab lists open runs edited today");
}

#[test]
fn headings_sort_and_a_second_click_opens() {
    let click = |sample: &mut Sample, column: u16, row: u16| {
        let action = sample
            .draw()
            .1
            .at(column, row)
            .map(|(_, action)| action.clone());
        if let Some(action) = action {
            sample.act(action);
        }
    };
    let mut sample = Sample::list(SIZE, 3);
    click(&mut sample, 9, 2);
    sample.answer(3);
    sample.says("Title ↑");
    let mut suites = screens_suites::available(SIZE);
    click(&mut suites, 10, 2);
    suites.says("sort: title");
    click(&mut sample, 5, 3);
    sample.on(Layer::Runs);
    // Below the last row is none.
    click(&mut sample, 5, 15);
    click(&mut sample, 5, 15);
    sample.on(Layer::Runs);
    click(&mut sample, 5, 4);
    click(&mut sample, 5, 4);
    sample.on(Layer::Detail);
    sample.says("› R_1");
}

/// Its letters work, whether they are seen or not, and the cursor goes through all of its rows.
#[test]
fn a_menu_of_letters_says_what_has_no_room() {
    let mut sample = Sample::list((40, 10), 3).pressed("y");
    let screen = sample.screen();
    let more = screen.lines().find(|line| line.contains('↓')).unwrap();
    assert!(more.contains(" more"), "{screen}");
    lacks(&screen, "a file with");
    for _ in 0..20 {
        sample.key(KeyCode::Down.into());
    }
    sample.says("f  a file with");
    sample.resize((80, 30));
    sample.lacks(" more");
    sample.press("\n");
    sample.on(Layer::Runs);
    assert!(!sample.open.is_empty(), "what it copies is read");
}

/// Where trying again is said to be of no use, no key for it stands beside that.
#[test]
fn no_key_tries_again_what_will_be_refused_again() {
    let refused = Failure {
        kind: FailureKind::Refused,
        may_retry: false,
        ..failure()
    };
    let mut list = Sample::signed_in(SIZE);
    let id = list.asked();
    list.runs(id, Err(refused.clone()));
    let mut suites = Sample::list(SIZE, 3).pressed("a");
    suites.answered(&Slot::Available, Answer::Available(Err(refused)));
    for sample in [&list, &suites] {
        sample.says("connection refused");
        sample.lacks("tries again");
    }
}

/// Below 60 columns there is room for one sign.
#[test]
fn a_narrow_header_has_the_sign_that_matters_most() {
    let mut sample = Sample::read_only_list((40, 12), 3);
    sample.says("READ-ONLY");
    sample.store.cx.shared.away_since = Some(sample.now);
    sample.says("OFFLINE");
    sample.lacks("READ-ONLY");
    let mut sample = Sample::list((40, 12), 3);
    sample.says("read ");
    // What is offered in the palette of the monitor works there.
    sample.resize((80, 24));
    sample.press("M:coverage\n");
    sample.lacks("that does nothing here now");
}

#[test]
fn keys_do_nothing_where_the_terminal_has_no_room_to_show_it() {
    let mut sample = screens_suites::available(SIZE).pressed("A\n");
    sample.on(Layer::Confirm);
    sample.resize((30, 8));
    sample.says("too small");
    sample.open.clear();
    sample.press("\n\n\u{1b}xq");
    sample.on(Layer::Confirm);
    assert!(sample.open.is_empty(), "{:?}", sample.open);
    // Once there is room, they act again.
    sample.resize(SIZE);
    sample.press("\u{1b}");
    sample.on(Layer::Available);
}

#[test]
fn the_time_of_the_reading_and_the_user_stay_beside_offline() {
    let mut sample = Sample::list((80, 24), 3);
    sample.press("r");
    let id = sample.asked();
    sample.event(Event::Reached(false));
    sample.runs(id, Err(failure()));
    let head = |sample: &Sample| sample.screen().lines().next().unwrap().to_owned();
    assert!(head(&sample).ends_with("OFFLINE since 09:41, again 09:41:13  qa@demo  read 09:41"));
    sample.press("r");
    assert!(
        head(&sample).ends_with("read 09:41, reading…"),
        "{}",
        head(&sample)
    );
    // With little room the user goes, the times stay.
    sample.resize((60, 15));
    says(&head(&sample), "OFFLINE since 09:41");
    assert!(
        head(&sample).ends_with("read 09:41, reading…"),
        "{}",
        head(&sample)
    );
}

#[test]
fn a_small_box_of_rows_tells_those_below() {
    let mut sample = Sample::list((40, 12), 3);
    for asked in [
        "loading the first",
        "loading the second",
        "loading the third",
    ] {
        sample.event(Event::Trouble(failure().with(|it| it.asked = asked.into())));
    }
    sample.press("!");
    sample.says(" ↓ 2 more, 3 ╯");
    let line = |id: &str| journal_line(id, &format!("{id} Smoke"), "edited");
    let mut sample = Sample::list((40, 12), 3);
    sample.journal(
        ["R_1", "R_2", "R_3", "R_4", "R_5", "R_6", "R_7", "R_8"]
            .map(line)
            .to_vec(),
    );
    sample.says(" more, 8 of 8 ╯");
    Sample::list((40, 12), 3)
        .pressed("w?")
        .says(" more, type to search ╯");
}
