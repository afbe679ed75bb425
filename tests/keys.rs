//! A person's own keys: what they do, and where they are told.

use super::support::sample::Sample;
use crossterm::event::{KeyCode, KeyEvent};
use rundown::keymap::{OwnKeys, Written};
use rundown::store::{Event, Layer};

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

/// The line of the screen with these words.
fn line(sample: &mut Sample, words: &str) -> String {
    let screen = sample.screen();
    let found = screen.lines().find(|line| line.contains(words));
    found
        .unwrap_or_else(|| panic!("{words:?} is not in\n{screen}"))
        .to_owned()
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
        assert!(hints.contains(hint), "{hints}");
    }
    sample.key(KeyEvent::from(KeyCode::F(4)));
    assert_eq!(sample.store.layer(), Layer::Help);
    assert!(line(&mut sample, "Sort by…").contains("Find   S    "));
    sample.press("read again");
    assert!(line(&mut sample, "Read again").contains(" F9 r R Ctrl-r F5 "));
    sample.press("\u{1b}:try again");
    assert_eq!(sample.store.layer(), Layer::Picker);
    assert!(line(&mut sample, "Read again").contains(" F9 r R Ctrl-r F5 "));
}

#[test]
fn a_key_that_is_taken_away_is_told_nowhere() {
    let mut sample = list(&[own("sort", true, &[]), own("palette", true, &["F3"])]);
    assert!(!last_line(&mut sample).contains("sort"));
    sample.press("o");
    assert_eq!(sample.store.layer(), Layer::Runs);
    sample.press("?");
    assert!(
        line(&mut sample, "Sort by…").contains("Find   F3   "),
        "by the palette"
    );
}

#[test]
fn hints_that_depend_on_what_goes_on_follow_too() {
    let mut sample = list(&[
        own("row-up", true, &["Alt-k"]),
        own("row-down", true, &["Alt-j"]),
    ]);
    sample.press("D");
    sample.answer(30);
    assert_eq!(sample.store.layer(), Layer::Typing);
    let hints = last_line(&mut sample);
    assert!(hints.contains("Alt-k Alt-j scroll"), "{hints}");
}

#[test]
fn keys_of_the_text_field_are_told_as_long_as_they_are_its() {
    for (keys, told) in [
        (&[][..], "Ctrl-u Ctrl-r undo, redo"),
        (&["Ctrl-R"][..], "Ctrl-u undo, redo"),
    ] {
        let mut sample = list(&[own("offer", false, keys)]);
        sample.press("n");
        assert_eq!(sample.store.layer(), Layer::Form);
        let hints = last_line(&mut sample);
        assert!(hints.contains(&format!("  {told}")), "{hints}");
    }
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
    let result = Err(super::support::sample::failure());
    sample.event(Event::Runs { id, result });
    assert!(
        line(&mut sample, "Trying again").ends_with("Trying again by itself. F9 tries now."),
        "{}",
        sample.screen()
    );
    let mut sample = Sample::with_keys((80, 24), &keys);
    sample.sign_in();
    sample.answer(0);
    assert!(
        line(&mut sample, "No open runs here").ends_with("No open runs here; F8 makes a new one."),
        "{}",
        sample.screen()
    );
}
