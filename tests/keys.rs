//! A person's own keys: what they do, and where they are told.

use crate::support::deleting::closed;
use crate::support::prelude::*;
use crate::support::suites::suite;
use rundown::keymap::{OwnKeys, Written};

fn own(command: &str, only: bool, keys: &[&str]) -> OwnKeys {
    let written = |text: &str| Written {
        text: text.to_owned(),
        at: 0,
    };
    OwnKeys {
        command: written(command),
        keys: keys.iter().map(|key| written(key)).collect(),
        only,
    }
}

/// The list of runs, with these keys.
fn list(own: &[OwnKeys]) -> Sample {
    let mut sample = Sample::with_keys((200, 60), own);
    sample.sign_in();
    sample.answer(30);
    sample
}

fn last_line(sample: &mut Sample) -> String {
    let screen = sample.screen();
    screen.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_key_of_ones_own_is_told_wherever_keys_are() {
    let keys = [
        own("refresh", false, &["F9"]),
        own("sort", true, &["S"]),
        own("help", false, &["F4"]),
    ];
    let mut sample = list(&keys);
    let hints = last_line(&mut sample);
    for hint in ["F4 help  ", "  S sort  ", "  F9 refresh  "] {
        says(&hints, hint);
    }
    sample.key(KeyEvent::from(KeyCode::F(4)));
    sample.on(Layer::Help);
    says(&sample.line("Sort by…"), "Find   S    ");
    sample.press("read again");
    says(&sample.line("Read again"), " F9 r F5 ");
    sample.press("\u{1b}:read again");
    sample.on(Layer::Picker);
    says(&sample.line("Read again"), " F9 r F5 ");
}

#[test]
fn a_key_that_is_taken_away_is_told_nowhere() {
    let mut sample = list(&[own("sort", true, &[]), own("palette", true, &["F3"])]);
    lacks(&last_line(&mut sample), "sort");
    sample.press("o");
    sample.on(Layer::Runs);
    sample.press("?");
    says(&sample.line("Sort by…"), " Find     ");
}

#[test]
fn hints_that_depend_on_what_goes_on_follow_too() {
    let mut sample = list(&[
        own("row-up", true, &["Alt-k"]),
        own("row-down", true, &["Alt-j"]),
    ]);
    sample.press("D");
    sample.answer(30);
    sample.on(Layer::DeleteId);
    let hints = last_line(&mut sample);
    says(&hints, "Alt-k Alt-j scroll");
}

#[test]
fn keys_of_the_text_field_are_told_as_long_as_they_are_its() {
    for (keys, told) in [
        (&[][..], "Ctrl-z Ctrl-r undo, redo"),
        (&["Ctrl-R"][..], "Ctrl-z undo, redo"),
    ] {
        let mut sample = list(&[own("offer", false, keys)]);
        sample.press("n");
        sample.on(Layer::Form);
        let hints = last_line(&mut sample);
        says(&hints, &format!("  {told}"));
    }
}

fn code(sample: &mut Sample, code: KeyCode) {
    sample.key(KeyEvent::from(code));
}

/// The line above the hints: what is said.
fn said(sample: &Sample) -> String {
    let screen = sample.screen();
    let lines: Vec<&str> = screen.lines().collect();
    lines[lines.len() - 2].trim().to_owned()
}

#[test]
fn a_key_without_a_use_says_what_it_is_for_and_where() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("x");
    assert_eq!(said(&sample), "x in a run: remove suites: s first");
    sample.press("t");
    assert_eq!(said(&sample), "t in the monitor: Limit of the runs");
    sample.press("T");
    assert_eq!(said(&sample), "T is not bound here; ? shows the keys");
    code(&mut sample, KeyCode::F(9));
    assert_eq!(said(&sample), "F9 is not bound here; ? shows the keys");
    // The next key takes the words away, and what was said before does not come back.
    sample.press("j");
    lacks(&said(&sample), "bound");
    // A box whose lines are letters says so, too.
    sample.press("!e");
    assert_eq!(said(&sample), "e: Esc first");
    sample.press("\u{1b}yX");
    sample.on(Layer::CopyMenu);
    sample.press("\u{1b}M");
    for (key, does) in [("w", "Columns"), ("f", "Filter by"), ("n", "New run")] {
        sample.press(key);
        let said = said(&sample);
        begins(&said, &format!("{key} in the runs list: {does}"));
    }
    sample.press("M");
    assert_eq!(said(&sample), "this is the monitor");
    sample.press("x");
    assert_eq!(said(&sample), "x in a run: remove suites: s first");
    sample.press("?zzzz\n");
    sample.on(Layer::Help);
    assert_eq!(said(&sample), "nothing matches: Backspace widens");
    sample.press("\u{1b}");
    sample.act(Action::Unbound("Pasting".into()));
    assert_eq!(said(&sample), "Pasting is not bound here; ? shows the keys");
}

#[test]
fn keys_of_a_run_and_of_everywhere_work_in_the_monitor_and_on_the_board() {
    for (keys, layer) in [
        ("Ms", Layer::Attached),
        ("Mi", Layer::Json),
        ("M@", Layer::Journal),
        ("B@", Layer::Journal),
    ] {
        let mut sample = Sample::list((80, 24), 30).pressed(&keys[..1]);
        sample.answer(30);
        sample.press(&keys[1..]);
        assert_eq!(sample.store.layer(), layer, "{keys}");
    }
}

#[test]
fn a_key_without_a_use_never_comes_between_what_is_typed() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("/test");
    code(&mut sample, KeyCode::F(9));
    code(&mut sample, KeyCode::Insert);
    assert!(said(&sample).starts_with("/ test"), "{}", said(&sample));
    sample.lacks("not bound");
    sample.press("x");
    assert!(said(&sample).starts_with("/ testx"), "{}", said(&sample));
}

#[test]
fn a_key_without_a_use_starts_the_question_about_marks_anew() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press(" j j \u{1b}");
    assert_eq!(said(&sample), "3 marked, Esc again lets them go");
    code(&mut sample, KeyCode::F(9));
    sample.press("\u{1b}");
    assert_eq!(said(&sample), "3 marked, Esc again lets them go");
    sample.press("\u{1b}");
    assert_eq!(said(&sample), "no marks any more");
}

#[test]
fn problems_open_while_text_is_typed_and_what_is_typed_stays() {
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Trouble(failure()));
    for keys in ["/pay", ":the", "?ope", "n"] {
        sample.press(keys);
        let before = sample.store.layer();
        code(&mut sample, KeyCode::F(2));
        assert_eq!(sample.store.layer(), Layer::Errors, "{keys}");
        sample.press("\u{1b}");
        assert_eq!(sample.store.layer(), before, "{keys}");
        assert!(
            sample
                .screen()
                .contains(keys.trim_start_matches(['/', ':', '?', 'n']))
        );
        sample.press("\u{1b}");
        sample.press("\u{1b}");
    }
}

#[test]
fn esc_closes_what_is_on_top_and_leaves_tab_and_filters_alone() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("6");
    sample.press("f\n");
    sample.answer(30);
    let filtered = sample.store.screens.runs.chosen.clone();
    assert_eq!(filtered.values.len(), 1);
    sample.press(" j /test\n:");
    sample.answer(30);
    let marked = sample.store.screens.runs.list.marks.len();
    assert_eq!(marked, 2);
    let state = |sample: &Sample| {
        let runs = &sample.store.screens.runs;
        (
            sample.store.layer(),
            runs.list.search.text().to_owned(),
            runs.list.marks.len(),
        )
    };
    let text = || "test".to_owned();
    assert_eq!(state(&sample), (Layer::Picker, text(), 2));
    for expected in [
        (Layer::Runs, text(), 2),
        (Layer::Runs, String::new(), 2),
        (Layer::Runs, String::new(), 2),
        (Layer::Runs, String::new(), 0),
        (Layer::Runs, String::new(), 0),
    ] {
        sample.press("\u{1b}");
        sample.answer(30);
        assert_eq!(state(&sample), expected);
    }
    assert_eq!(sample.store.screens.runs.chosen, filtered);
    assert_eq!(sample.store.screens.runs.view.name, "All");
}

#[test]
fn the_way_leads_back_and_forth_through_what_was_open() {
    let alt = |code| KeyEvent::new(code, KeyModifiers::ALT);
    let mut sample = Sample::list((80, 24), 30);
    sample.key(alt(KeyCode::Left));
    assert_eq!(said(&sample), "this is the first screen");
    sample.key(alt(KeyCode::Right));
    assert_eq!(
        said(&sample),
        "no screen was left that could be shown again"
    );
    sample.press("\ns");
    sample.at(Layer::Attached);
    for (key, screen) in [
        (KeyCode::Left, Layer::Detail),
        (KeyCode::Left, Layer::Runs),
        (KeyCode::Right, Layer::Detail),
        (KeyCode::Right, Layer::Attached),
    ] {
        sample.key(alt(key));
        assert_eq!(sample.store.screen(), screen);
    }
    // In a list the arrow leads back, too; Esc is the same way.
    code(&mut sample, KeyCode::Left);
    sample.press("\u{1b}");
    sample.at(Layer::Runs);
    sample.key(alt(KeyCode::Right));
    sample.at(Layer::Detail);
    // A monitor comes back with its cursor, and reads again.
    sample.press("\u{1b}Mjj");
    let here = |sample: &Sample| {
        let monitor = sample.store.screens.monitor.as_ref();
        monitor.and_then(|it| Some(it.current()?.run.name().to_owned()))
    };
    assert_eq!(here(&sample).as_deref(), Some("R_2"));
    sample.key(alt(KeyCode::Left));
    sample.at(Layer::Runs);
    sample.open.clear();
    sample.key(alt(KeyCode::Right));
    sample.at(Layer::Monitor);
    assert_eq!(here(&sample).as_deref(), Some("R_2"));
    let waits = |effect: &Effect| matches!(effect, Effect::Request(_, Request::Timer { .. }));
    assert!(sample.open.iter().any(waits), "{:?}", sample.open);
    sample.press("\u{1b}\n");
    // What is opened anew leads on from here.
    sample.press("\u{1b}e");
    sample.key(alt(KeyCode::Left));
    sample.key(alt(KeyCode::Right));
    sample.at(Layer::Runs);
}

#[test]
fn what_was_looked_for_before_comes_back_with_the_arrows() {
    let mut sample = Sample::list((80, 24), 30);
    for words in ["/smoke\n", "/uat\n", "/smoke\n"] {
        sample.press("\u{1b}");
        sample.press(words);
        sample.answer(30);
    }
    sample.press("\u{1b}/re");
    let up = |sample: &mut Sample| code(sample, KeyCode::Up);
    let down = |sample: &mut Sample| code(sample, KeyCode::Down);
    let typed = |sample: &Sample| sample.store.screens.runs.list.search.text().to_owned();
    let mut seen = Vec::new();
    for step in [up, up, up, down, down, down] {
        step(&mut sample);
        seen.push(typed(&sample));
    }
    assert_eq!(seen, ["smoke", "uat", "uat", "smoke", "re", "re"]);
    // What comes back narrows the list as typed words do, and it is the same in the JSON of a run.
    up(&mut sample);
    sample.lacks("Regression");
    sample.press("\u{1b}\u{1b}\ni");
    sample.answer(30);
    sample.press("/");
    code(&mut sample, KeyCode::Up);
    sample.says("search / smoke");
}

#[test]
fn texts_name_the_keys_of_ones_own() {
    let keys = [
        own("refresh", true, &["F9"]),
        own("new", true, &["F8"]),
        own("part-6", true, &[]),
    ];
    let mut sample = Sample::with_keys((80, 24), &keys);
    sample.sign_in();
    let id = sample.asked();
    sample.runs(id, Err(failure()));
    assert!(
        sample
            .line("Trying again")
            .ends_with("Trying again by itself. F9 tries now."),
        "{}",
        sample.screen()
    );
    let mut sample = Sample::with_keys((80, 24), &keys);
    sample.sign_in();
    sample.answer(0);
    assert!(
        sample
            .line("No open runs here")
            .ends_with("No open runs here; F8 makes a new one."),
        "{}",
        sample.screen()
    );
}

/// The run `R_2` with this title is what was read last.
fn send_document(sample: &mut Sample, title: &str) {
    let mut raw = document(2).raw().clone();
    raw["document"]["Root"]["General"]["Title"] = title.into();
    sample.send_document(Document::from_value(raw).unwrap());
}

/// What each place says of its next step, with keys of one's own and with none.
#[test]
fn screens_and_boxes_name_the_keys_of_ones_own() {
    let keys = [
        own("refresh", true, &["F9"]),
        own("mark", true, &["F8"]),
        own("mark-range", true, &[]),
        own("save", true, &["F6"]),
        own("discard-draft", true, &[]),
        own("keep-mine", true, &["F5"]),
        own("take-theirs", true, &["F4"]),
        own("attached", true, &["F3"]),
        own("raw", true, &["F12"]),
    ];
    let listed = || {
        let mut sample = Sample::with_keys((80, 24), &keys);
        sample.sign_in();
        sample.answer(30);
        sample
    };
    let says = |sample: &Sample, words: &str| {
        let screen = sample.screen();
        assert!(screen.contains(words), "{words:?} is not in\n{screen}");
    };
    // Suites that are read, not marked, given up.
    let mut sample = listed();
    sample.press("jja");
    says(&sample, "Reading the suites…  Ctrl-c gives up");
    sample.act(Action::Open);
    says(&sample, "the suites are not here yet");
    sample.act(Action::Cancel);
    sample.press("j");
    says(&sample, "F9 reads again");
    // A run whose document and counts cannot be read.
    let mut sample = listed();
    sample.press("jj\n");
    let result = Err(failure());
    sample.answered(&Slot::Document, Answer::Document(result));
    says(&sample, "Not read, F9 tries again: ");
    sample.act(Action::Remove);
    says(&sample, "suites are removed from their list: F3 shows it");
    // A field that both sides changed.
    let mut sample = listed();
    sample.press("jje");
    sample.take_draft(None, None);
    send_document(&mut sample, "Smoke nightly");
    sample.press(" mine");
    sample.act(Action::Save);
    send_document(&mut sample, "theirs");
    says(&sample, "changed on both sides: F5 mine, F4 theirs");
    says(&sample, "F12 the request");
    sample.act(Action::Save);
    says(
        &sample,
        "Title was changed on both sides: F5 keeps mine, F4 takes theirs",
    );
    // A range that has no key to end it is not said to have one.
    let mut sample = listed();
    sample.act(Action::MarkRange);
    says(&sample, "range: move");
    sample.lacks("again marks");
}

/// The palette after two commands.
fn two_commands() -> Sample {
    let mut sample = Sample::list((80, 24), 30);
    sample.press(":theme li\n");
    sample.press(":sort title\n");
    sample.answer(30);
    sample.pressed(":")
}

fn field(sample: &Sample) -> Option<String> {
    let picker = sample.store.picker()?;
    Some(picker.list.search.text().to_owned())
}

#[test]
fn commands_come_back_above_the_first_one() {
    let mut sample = two_commands();
    code(&mut sample, KeyCode::Up);
    assert_eq!(field(&sample).as_deref(), Some("sort title"));
    code(&mut sample, KeyCode::Up);
    // Kept as it was meant.
    assert_eq!(field(&sample).as_deref(), Some("theme light"));
    for text in ["sort title", "", ""] {
        code(&mut sample, KeyCode::Down);
        assert_eq!(field(&sample).as_deref(), Some(text));
    }
    assert_eq!(
        sample.store.picker().map(|it| it.list.scroll.cursor),
        Some(1)
    );
}

#[test]
fn what_is_pasted_over_an_older_command_is_begun_anew() {
    let mut sample = two_commands();
    code(&mut sample, KeyCode::Up);
    sample.act(Action::Paste("x".into()));
    assert_eq!(field(&sample).as_deref(), Some("sort titlex"));
    // Up begins with the newest again, and what was pasted is not lost.
    code(&mut sample, KeyCode::Up);
    assert_eq!(field(&sample).as_deref(), Some("sort title"));
    code(&mut sample, KeyCode::Down);
    assert_eq!(field(&sample).as_deref(), Some("sort titlex"));
}

#[test]
fn commands_are_completed_and_explained() {
    let mut sample = Sample::list((80, 24), 30);
    for (typed, completed, help) in [
        (":the", "theme dark", "theme NAME: colours"),
        (":view to", "view Today", "view NAME: goes to a tab"),
        (
            ":sort ti",
            "sort title",
            "sort COLUMN: sorts the list of runs",
        ),
        (
            ":prof",
            "profile demo",
            "profile NAME: uses another profile",
        ),
        (":project P_1", "project P_12", "uses project P_1"),
        (":R_12", "R_12", "type to narrow"),
        (":new r", "New run", "type to narrow"),
    ] {
        sample.press(typed);
        sample.says(help);
        sample.press("\t");
        let field = sample
            .store
            .picker()
            .map(|it| it.list.search.text().to_owned());
        assert_eq!(field.as_deref(), Some(completed), "{typed}");
        sample.press("\u{1b}");
    }
    // A command that waits for its argument stays open for it.
    sample.press(":project …\n");
    sample.on(Layer::Picker);
    sample.says("> project ");
}

#[test]
fn a_command_is_found_by_its_name_and_by_login() {
    let mut sample = Sample::list((80, 24), 30);
    for (typed, label) in [
        (":login", ">Sign in"),
        (":refresh", ">Read again"),
        (":mark-all", ">Mark all rows"),
    ] {
        sample.press(typed);
        sample.says(label);
        sample.press("\u{1b}");
    }
    for (typed, said) in [
        (":logim\n", "there is no command logim: Sign in?"),
        (":journl\n", "there is no command journl: My changes?"),
        (
            ":theme pink\n",
            "there is no theme \"pink\"; there are: dark, light,",
        ),
        (
            ":sort colour\n",
            "sort works in the list of runs, by one of its columns: edited, created,",
        ),
        (":xyzzy\n", "there is no command xyzzy"),
        // What other places have is named with its place.
        (":bell\n", "bell works in the monitor"),
        (":report\n", "report works in the board"),
        (":forecast\n", "forecast works in a run"),
        // A name that is none is there to be mended.
        (":view nope\n", "there is no view \"nope\"; there are: Open"),
        (
            ":monitor nope\n",
            "there is no view \"nope\"; there are: Open",
        ),
        (":profile nope\n", "there is no profile \"nope\""),
    ] {
        sample.press(typed);
        sample.says(said);
        sample.press("\n");
        sample.says(said);
        assert_eq!(sample.store.layer(), Layer::Picker, "{typed}");
        sample.press("\u{1b}");
    }
    // Where nothing is sorted by a command, it is said where it is.
    sample.press("\n");
    for typed in [":sort\n", ":sort failed\n"] {
        sample.press(typed);
        sample.says("sort works in the list of runs");
        sample.press("\u{1b}");
    }
    sample.press(":q\n");
    assert!(
        sample.open.contains(&Effect::Quit),
        "from every screen: {:?}",
        sample.open
    );
}

#[test]
fn the_help_has_the_keys_that_move_in_one_line() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("?");
    let moves = sample.line(" Move  ");
    says(&moves, "j k ↓ ↑ g G ");
    says(&moves, " 1-9 Alt-← Alt-→");
}

#[test]
fn the_help_of_the_help_is_not_opened_again_without_a_word() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("?");
    let f1 = KeyEvent::from(KeyCode::F(1));
    sample.key(f1);
    sample.says("Help: keys in the help");
    lacks(sample.said(), "these are");
    sample.press("a");
    sample.key(f1);
    says(sample.said(), "these are the keys of the help");
    sample.says("search a");
}

#[test]
fn the_help_of_a_form_has_the_keys_of_its_fields() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("n");
    sample.key(KeyEvent::from(KeyCode::F(1)));
    says(&sample.line("undo, redo"), " Ctrl-z Ctrl-r ");
}

#[test]
fn the_help_of_a_field_says_of_the_arrows_what_they_do_in_each() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("/");
    sample.key(KeyEvent::from(KeyCode::F(1)));
    sample.says("Up, or what was typed before");
}

#[test]
fn a_tab_of_a_run_is_a_command_there() {
    let mut sample = Sample::list((80, 24), 30).pressed("\n");
    sample.answer(30);
    sample.press(":details");
    sample.says(">details, files");
    sample.press("\n");
    sample.says("[5 Details");
    sample.press(":forecast\n");
    sample.on(Layer::Detail);
    lacks(sample.said(), "works in a run");
    // Elsewhere the box says at once what Enter says.
    sample.press("\u{1b}:probe");
    sample.says("probe works in the suites of a run");
    sample.lacks("nothing matches");
}

#[test]
fn beside_each_write_of_a_read_only_profile_stands_the_same_word() {
    let says = |sample: &Sample, row: &str| {
        let screen = sample.screen();
        let mut rows = screen.lines().filter(|line| line.contains(row));
        assert!(rows.any(|row| row.contains("  read-only")), "{screen}");
    };
    // The list of suites to add can be read.
    let mut sample = Sample::read_only_list((100, 60), 30).pressed("jj?");
    let row = sample.line("Suites to add");
    lacks(&row, "not now");
    lacks(&row, "read-only");
    says(&sample, "Edit the run");
    sample.press("\u{1b}\n");
    lacks(&last_line(&mut sample), "add suites");
    sample.press("x");
    assert_eq!(sample.said(), "read-only: nothing is changed from here");
    sample.press("a");
    sample.answered(&Slot::Available, Answer::Available(Ok(vec![suite(1)])));
    for opens in ["?", ":"] {
        sample.press(opens);
        sample.press("add the");
        says(&sample, "Add the suite, or the marked");
        sample.press("\u{1b}");
    }
    for verb in ["add", "remove"] {
        sample.press(&format!(":{verb} S_"));
        says(&sample, &format!("{verb} S_… …"));
        sample.press("1");
        says(&sample, &format!(">{verb} S_1 "));
        sample.says("read-only: nothing is changed from here");
        sample.lacks("asks first");
        sample.press("\n\u{1b}");
    }
}

#[test]
fn what_would_be_refused_at_once_is_no_hint() {
    let hints = |world: &World| {
        let screen = world.screen();
        screen.lines().last().unwrap_or_default().to_owned()
    };
    let mut world = World::new((140, 24), 0);
    for key in ["X", "A", "v", " "] {
        world.press(key);
        assert_eq!(world.said(), "there is no run here", "{key}");
        world.on(Layer::Runs);
    }
    world.press("M");
    world.answer();
    lacks(&hints(&world), "X export");
    world.press("\u{1b}B");
    world.answer();
    for hint in ["= compare", "Tab next tab"] {
        lacks(&hints(&world), hint);
    }
}

#[test]
fn what_is_not_there_is_said_in_one_way() {
    let mut sample = Sample::list((80, 24), 30).pressed("jja");
    sample.answered(&Slot::Available, Answer::Available(Ok(Vec::new())));
    for key in [" ", "v", "A", "i", "\n"] {
        sample.press(key);
        assert_eq!(sample.said(), "there is no suite here", "{key}");
    }
    lacks(&last_line(&mut sample), "find");
    lacks(&last_line(&mut sample), "sort");
    // Of a closed run, too, the key for all says what the one for a row says.
    for list in ["a", "s"] {
        let mut sample = Sample::on_closed((80, 24)).pressed(list);
        if list == "s" {
            let id = sample.store.asked_for_attached();
            sample.reply(id, Answer::Surveyed(Ok(closed(5, None))));
        }
        let words = sample.clone().pressed(" ").said().to_owned();
        assert_eq!(sample.pressed("A").said(), words, "{list}");
    }
}
