//! What all boxes have in common: boxes of choices, and questions before something is written or lost.

use crate::support::prelude::*;
use rundown::attached::verdict;
use rundown::store::SuiteOrder;
use rundown::store::cx::HELD;

use super::support::evidence::evidence;
use super::{screens_delete, screens_form, screens_suites};

const SIZE: (u16, u16) = (80, 24);

fn list(keys: &str) -> Sample {
    Sample::list(SIZE, 30).pressed(keys)
}

fn filters(sample: &Sample) -> Vec<&str> {
    let chosen = &sample.store.runs().chosen;
    let values = chosen.values.values().flatten().map(String::as_str);
    values
        .chain(chosen.flags.iter().map(|flag| flag.text()))
        .collect()
}

fn under_cursor(sample: &Sample) -> String {
    let screen = sample.screen();
    let line = screen.lines().find_map(|line| line.split_once("│>"));
    let (line, _) = line.unwrap().1.split_once('│').unwrap();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_project_that_was_used_is_offered_until_another_profile_is() {
    let mut sample = list("");
    for (profile, project, offered) in [
        ("demo", "P_77", false),
        ("demo", "P_78", true),
        ("other", "P_79", false),
    ] {
        sample.connect(|it| {
            (it.profile, it.project) = (profile.into(), project.into());
            it.subproject = None;
        });
        sample.let_in();
        sample.press(":project P_7");
        let screen = sample.screen();
        says(&screen, &format!("project {project}"));
        let other = if project == "P_77" {
            "project P_78"
        } else {
            "project P_77"
        };
        assert_eq!(screen.contains(other), offered, "{screen}");
        sample.act(Action::Back);
    }
}

#[test]
fn nothing_is_chosen_before_enter_which_takes_the_ticks_or_else_the_row_under_the_cursor() {
    for (keys, chosen) in [
        ("f", &[][..]),
        ("f ", &[]),
        ("f \u{1b}", &[]),
        ("f\n", &["qftest,chrome"]),
        ("f \n", &["qftest,chrome"]),
        ("f  \n", &[]),
        ("fchrome\n", &["chrome"]),
        // The ticks count, wherever the cursor is, and those that are hidden, too.
        ("f chrome\n", &["qftest,chrome"]),
        ("f 1.2.0 \n", &["qftest,chrome", "1.2.0"]),
        // What is not seen at all is not taken.
        ("f xyzzy\n", &[]),
        // Space is a blank where the row goes on behind the word.
        ("fconf chrome \n", &["chrome"]),
        ("fversion  \n", &["1.2.0"]),
        // What is in force stays until Space takes it off.
        ("f\nf\n", &["qftest,chrome"]),
        ("f\nf\u{1b}", &["qftest,chrome"]),
        ("f\nf \u{1b}", &["qftest,chrome"]),
        ("f\nf \n", &[]),
        // Enter alone takes one value of a field in the place of those in force; ticks are several, of which one is enough.
        ("fqftest\nfchrome\n", &["chrome"]),
        ("fqftest\nfchrome \n", &["chrome", "qftest"]),
        (
            "fqftest\nfchrome \nf1.2.0\n",
            &["chrome", "qftest", "1.2.0"],
        ),
        (
            "fqftest\nfchrome \nflan\nftrung\n",
            &["trung", "chrome", "qftest"],
        ),
        ("fqftest\nf1.2.0\n", &["qftest", "1.2.0"]),
        ("fqftest \u{15}chrome \nfqftest \n", &["chrome"]),
        (
            "ftrung\nflan \nfmine\nflate\n",
            &["lan", "trung", "mine", "late"],
        ),
    ] {
        let mut sample = list("");
        for keys in keys.split_inclusive('\n') {
            sample.press(keys);
            sample.answer(30);
        }
        assert_eq!(filters(&sample), chosen, "{keys:?}");
    }
    list("f mine").says("1 ticked, 1 of them hidden");
    list("f 1.2.0 ").says("2 ticked, 1 of them hidden");
    // Of a field that the rows do not tell one value counts, and that the other one goes is said.
    let mut world = World::new((80, 24), 30);
    world.facets = vec![(
        "Root.General.Mood".into(),
        vec!["high".into(), "low".into()],
    )];
    world.refresh();
    world.press("fMood: high \u{15}Mood: low ");
    world.says("high goes: one value of Mood at a time");
    world.press(" ");
    world.lacks("one value of");
    let mut sample = list("f xyzzy");
    sample.says("nothing matches: Backspace widens   1 ticked, 1 of them hidden");
    sample.press("\n");
    sample.says("nothing matches: Backspace shows what is ticked");
    // What is in force is on top, and the cursor on it.
    let mut sample = list("f1.2.0\n");
    sample.answer(30);
    sample.press("f");
    assert_eq!(under_cursor(&sample), "[x] Version: 1.2.0 30");
    sample.press("\n");
    sample.says("Version: 1.2.0: as it is already");
}

#[test]
fn no_value_is_cut_beside_blank_columns() {
    let mut world = World::new((40, 12), 3);
    world.runs[0].version = Some("2027.10 candidate 12".into());
    world.refresh();
    world.press("f");
    world.says("[ ] Version: 2027.10 candidate 12");
}

#[test]
fn what_is_in_force_is_ticked_where_an_argument_is_typed_and_choosing_it_does_nothing() {
    let mut sample = list(":profile ");
    assert_eq!(under_cursor(&sample), "[x] profile demo P_9");
    sample.press("\n");
    let connects = |it: &Effect| matches!(it, Effect::Connect { .. });
    assert!(!sample.open.iter().any(connects));
    sample.says("profile demo: as it is already");
    sample.press(":profile prod\n");
    assert!(sample.open.iter().any(connects));
    // A theme is seen before it is taken; Esc brings the old one back.
    let mut sample = list(":theme light\n:theme ");
    assert_eq!(under_cursor(&sample), "[x] theme light");
    sample.act(Action::Move(Motion::Down));
    assert_ne!(sample.store.theme(), Some("light"));
    sample.press("\u{1b}");
    assert_eq!(sample.store.theme(), Some("light"));
}

#[test]
fn orders_have_no_ticks_and_the_one_in_force_reverses() {
    let mut sample = screens_suites::available(SIZE).pressed("oto");
    sample.says("Title");
    sample.says("↑  again reverses");
    sample.lacks("[ ]");
    // The letters of runs alone are none here.
    sample.lacks("Failed");
    sample.press("f");
    sample.says("this list is not sorted by that");
    sample.press("t");
    let suites = sample.store.available().unwrap();
    assert_eq!(
        (suites.sort.order, suites.sort.descending),
        (SuiteOrder::Title, true)
    );
}

#[test]
fn columns_are_taken_with_enter() {
    let list = |keys: &str| Sample::list((140, 24), 30).pressed(keys);
    let shown = |keys: &str| {
        let screen = list(keys).screen();
        let heading = screen.lines().nth(2).unwrap();
        ["Id", "Version"].map(|it| heading.split(' ').any(|word| word == it))
    };
    let version = list("w");
    let rows = version.screen();
    let rows = rows.lines().skip_while(|line| !line.contains("] Id"));
    let place = rows.take_while(|line| !line.contains("] Version")).count();
    let at_version = |then: &str| format!("w{}{then}", "j".repeat(place));
    for (keys, seen) in [
        ("w ".to_owned(), [true, false]),
        ("w \u{1b}".into(), [true, false]),
        ("w w".into(), [true, false]),
        ("w \n".into(), [false, false]),
        // A column that is shown: as it is; one that is not is shown.
        ("w\n".into(), [true, false]),
        (at_version("\n"), [true, true]),
        (at_version(" gg \n"), [false, true]),
    ] {
        assert_eq!(shown(&keys), seen, "{keys:?}");
    }
    list("w \u{1b}").says("the columns are as they were");
}

#[test]
fn a_column_that_names_the_runs_stays_and_a_key_that_changes_nothing_says_why() {
    // Id goes, and with it hidden Title stays.
    let mut sample = list("w j ");
    assert_eq!(under_cursor(&sample), "[x] Title 42");
    sample.says("Id or Title has to stay");
    sample.press("k");
    sample.lacks("has to stay");
    sample.press(" j ");
    assert_eq!(under_cursor(&sample), "[ ] Title");
    sample.press("k ");
    assert_eq!(under_cursor(&sample), "[x] Id 5");
    sample.says("Id or Title has to stay");
    // The width of a column that is hidden is not seen.
    for key in ["+", "-"] {
        let sample = list(&format!("wjj{key}"));
        assert_eq!(under_cursor(&sample), "[ ] Status");
        sample.says("hidden: Space shows it");
    }
}

#[test]
fn a_column_of_ids_times_or_numbers_is_made_no_narrower_than_they_are() {
    let mut sample = list("w");
    assert_eq!(under_cursor(&sample), "[x] Id 5");
    sample.press("+");
    assert_eq!(under_cursor(&sample), "[x] Id 6");
    sample.press("-");
    sample.lacks("would be cut");
    sample.press("-");
    assert_eq!(under_cursor(&sample), "[x] Id 5");
    sample.says("narrower, its values would be cut");
    sample.press("G");
    while !under_cursor(&sample).contains(" Edited") {
        sample.press("k");
    }
    let before = under_cursor(&sample);
    sample.press("-");
    assert_eq!(under_cursor(&sample), before);
    // A text says that it is cut.
    sample.press("gj--");
    assert_eq!(under_cursor(&sample), "[x] Title 26");
}

/// Questions by their buttons, the focused one first, with the key that leads to each.
fn questions() -> Vec<(&'static str, &'static str, Sample)> {
    let attached = || screens_suites::worked_out(SIZE, verdict(&evidence()));
    let discards = || {
        let mut sample = screens_form::new_run(SIZE).pressed("Night");
        sample.act(Action::DiscardDraft);
        sample
    };
    let closes = || {
        let mut sample = screens_form::editing(SIZE).pressed("\t\t\t ");
        sample.act(Action::Save);
        sample.answer(30);
        sample
    };
    let review = |theirs| screens_form::review(SIZE, theirs);
    vec![
        (
            "Add",
            "Cancel",
            screens_suites::available(SIZE).pressed("A\n"),
        ),
        ("Cancel", "Remove", attached().pressed("x")),
        ("Cancel", "Discard", discards()),
        ("Create", "Back", screens_form::reviewed(SIZE)),
        ("Save", "Back", review(document(2))),
        ("Back", "Save", closes()),
    ]
}

#[test]
fn every_question_keeps_the_same_rules() {
    for (focused, other, asked) in questions() {
        asked.says(&format!("[ {focused} ]"));
        asked.says(&format!("  {other}  "));
        // The hint of Enter is the word on the button.
        let hints = |sample: &Sample| sample.screen().lines().last().unwrap().to_owned();
        let hint = format!("Enter {}  ", focused.to_lowercase());
        says(&hints(&asked), &hint);
        let other_button = || {
            let mut sample = asked.clone();
            let before = focused == "Back";
            let [back, on] = [KeyCode::Left, KeyCode::Right].map(KeyEvent::from);
            sample.key(if before { back } else { on });
            sample
        };
        // The arrows do not lead round, so that one that is held stays on the button at its end.
        for arrow in [KeyCode::Left, KeyCode::Right] {
            let mut sample = asked.clone();
            let end = |sample: &mut Sample| {
                sample.key(arrow.into());
                hints(sample)
            };
            let ends: Vec<String> = (0..4).map(|_| end(&mut sample)).collect();
            assert_eq!(ends[1..], [ends[1].as_str(); 3], "{focused}: {arrow:?}");
        }
        let turned = other_button();
        let hint = format!("Enter {}  ", other.to_lowercase());
        says(&hints(&turned), &hint);
        // A key that the box has not reaches nothing below.
        for key in ["M", "/", "T"] {
            let mut told = asked.clone().pressed(key);
            let said = &told.store.notice().unwrap().text;
            assert!(
                said.starts_with(key) && said.ends_with(": Esc first"),
                "{said}"
            );
            told.store.cx.notice.clone_from(&asked.store.cx.notice);
            assert_eq!(told.screen(), asked.screen(), "{focused}: {key}");
        }
        for (key, layer) in [("?", Layer::Help), ("!", Layer::Errors)] {
            assert_eq!(asked.clone().pressed(key).store.layer(), layer);
        }
        for (action, effect) in [
            (Action::Suspend, Effect::Suspend),
            (Action::Redraw, Effect::Redraw),
        ] {
            let mut above = asked.clone();
            above.act(action);
            assert!(above.open.contains(&effect), "{focused}: {effect:?}");
        }
        // Left by Esc or by its button: nothing is sent, which is said.
        let layer = asked.store.layer();
        let leaves = ["Cancel", "Back"].contains(&focused);
        let (on_verb, on_other) = if leaves {
            (other_button(), asked.clone())
        } else {
            (asked.clone(), other_button())
        };
        let leaves = |left: Sample, key| {
            let mut left = left.pressed(key);
            assert_ne!(left.store.layer(), layer, "{focused}");
            left.says("nothing was sent");
            assert!(left.sent().iter().all(|it| !writes(it)));
        };
        leaves(asked.clone(), "\u{1b}");
        leaves(on_other, "\n");
        // The verb takes no Enter of a key that is held down, however long it is.
        let mut sample = on_verb;
        assert!(held_then_pressed(&mut sample), "{focused}");
    }
}

/// Of a key that is held down no Enter is taken, and one is that comes after a pause.
fn held_then_pressed(sample: &mut Sample) -> bool {
    let mut now = sample.now + HELD;
    let mut enter = |action: Action, after: i64| {
        now += after;
        sample.store.update(Message::Action(action), now);
        let notice = sample.store.notice();
        notice.is_some_and(|notice| notice.text.starts_with("a key that is held down"))
    };
    // One that was not for this box.
    enter(Action::Type(KeyCode::Enter.into()), 0);
    let held = [HELD - 1, HELD - 1].map(|after| enter(Action::Open, after));
    held == [true, true] && !enter(Action::Open, HELD)
}

fn writes(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Request(
            _,
            Request::ChangeSuites(_) | Request::Modify(_) | Request::Create(_) | Request::Delete(_)
        )
    )
}

#[test]
fn an_id_that_is_typed_takes_no_enter_of_a_key_that_is_held_down() {
    let mut sample = screens_delete::ready(SIZE).pressed("R_2");
    assert!(held_then_pressed(&mut sample));
    assert!(sample.store.delete().unwrap().writing());
}

#[test]
fn columns_that_are_as_built_in_are_said_to_be() {
    let mut sample = list("wu");
    sample.says("all are as built in already");
    sample.press(" u");
    sample.lacks("already");
}

#[test]
fn the_foot_names_what_a_key_does_here_and_no_key_that_does_nothing() {
    for menu in ["o", "y"] {
        list(menu).says("Enter take, as its letter does");
    }
    let mut run = Sample::list((120, 40), 3).pressed("\n");
    run.send_document(document(0));
    run.says("Tab next pane");
}

#[test]
fn a_palette_without_a_match_offers_no_enter() {
    let mut sample = Sample::list((80, 24), 30).pressed(":zzzz");
    sample.says("nothing matches: Backspace widens");
    lacks(sample.screen().lines().last().unwrap(), "Enter");
    sample.press("\n");
    sample.says("there is no command zzzz");
}

#[test]
fn home_and_end_move_in_every_box_of_rows_until_something_is_typed() {
    let end = |sample: &mut Sample| sample.key(KeyCode::End.into());
    let home = |sample: &mut Sample| sample.key(KeyCode::Home.into());
    for keys in ["o", "y", "f", ":", "?"] {
        let mut sample = list(keys);
        let first = under_cursor(&sample);
        end(&mut sample);
        let last = under_cursor(&sample);
        sample.act(Action::Move(Motion::Down));
        assert_eq!(under_cursor(&sample), last, "{keys}");
        assert_ne!(last, first, "{keys}");
        home(&mut sample);
        assert_eq!(under_cursor(&sample), first, "{keys}");
    }
    for keys in ["fro", ":ro", "?ro"] {
        let mut sample = list(keys);
        home(&mut sample);
        sample.press("p");
        end(&mut sample);
        sample.press("j");
        sample.says(" proj");
    }
}
