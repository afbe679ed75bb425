//! A field of the form in the user's editor: the terminal and the keyboard are the editor's until it ends.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::home::{Home, PROGRAM};
use crate::kills::kill;
use crate::office::{Office, PASSWORD};
use crate::pty::Pty;
use crate::texts::says;

const CTRL_O: &str = "\x0f";

/// An editor that is a shell script; the file is `$1`.
fn editor(home: &Home, script: &str) -> PathBuf {
    let editor = home.temporary().join("editor");
    std::fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&editor, PermissionsExt::from_mode(0o755)).unwrap();
    editor
}

/// The demo with such an editor.
fn with_editor(home: &Home, script: &str) -> Pty {
    let editor = editor(home, script);
    let mut command = home.command(PROGRAM, &["demo", "--still"]);
    command.env("EDITOR", editor.display().to_string());
    let mut pty = Pty::start(command, 120, 40);
    pty.rows();
    pty.press_until("n", "> Title");
    pty
}

#[test]
fn the_keyboard_is_the_editors_and_comes_back() {
    let home = Home::new();
    // What it says stays on the terminal's main screen: it tells what it was given, so that the second time is told apart.
    let mut pty = with_editor(
        &home,
        "echo \"the editor has $(wc -c < \"$1\") bytes\"; read line; echo \"$line\" > \"$1\"",
    );
    for (words, given) in [("typed in the editor", 1), ("and once more", 20)] {
        pty.press(CTRL_O);
        pty.wait_for(&format!("the editor has {given} bytes"));
        pty.press(&format!("{words}\r"));
        pty.wait_for(&format!("> Title *          {words}"));
        pty.assert_taken();
    }
    pty.press_until(" by key", "and once more by key");
    assert!(
        Home::below(&home.path()).is_empty(),
        "the demo makes nothing in the home, no folder for the editor either"
    );
}

#[test]
fn an_editor_that_fails_or_is_missing_changes_nothing() {
    let home = Home::new();
    let mut pty = with_editor(&home, "exit 3");
    pty.press("kept");
    pty.press_until(CTRL_O, "ended with status 3");
    editor(&home, "rm \"$1\"");
    pty.press_until(CTRL_O, "the editor left no file: nothing was taken");
    says(&pty.text(), "> Title *          kept");
    std::fs::remove_file(home.temporary().join("editor")).unwrap();
    pty.press_until(CTRL_O, "cannot be run");
    pty.assert_taken();
}

#[test]
fn what_an_editor_that_failed_or_was_killed_had_saved_is_still_there() {
    let home = Home::new();
    let script = "[ -e \"$0.name\" ] && exit 3; cp \"$0\" \"$1\"; echo \"$1\" > \"$0.name\"; \
        [ -e \"$0.kill\" ] && kill -9 $$; exit 1";
    let mut pty = with_editor(&home, script);
    let name_file = home.temporary().join("editor.name");
    for status in [1, 137] {
        let words = format!("status {status}: nothing was taken, it is still in");
        pty.press_until(CTRL_O, &words);
        let name = std::fs::read_to_string(&name_file).unwrap();
        let saved = std::fs::read_to_string(name.trim()).unwrap();
        assert!(saved.ends_with(&format!("{script}\n")), "{saved}");
        // The next one has a file of its own.
        pty.press_until(CTRL_O, "ended with status 3");
        assert_eq!(std::fs::read_to_string(name.trim()).unwrap(), saved);
        std::fs::remove_file(&name_file).unwrap();
        std::fs::write(home.temporary().join("editor.kill"), "").unwrap();
    }
}

#[test]
fn ctrl_c_in_the_editor_is_not_for_the_program() {
    let home = Home::new();
    let mut pty = with_editor(
        &home,
        "trap 'echo interrupted > \"$1\"; exit 0' INT; echo waiting; while :; do sleep 1; done",
    );
    pty.press_until(CTRL_O, "waiting");
    pty.press_until("\x03", "> Title *          interrupted");
    pty.press_until("!", "interrupted!");
}

#[test]
fn what_was_taken_comes_back_by_ctrl_z_and_by_the_byte_of_ctrl_underscore() {
    let home = Home::new();
    let mut pty = with_editor(&home, "exit 3");
    for undo in ["\x1f", "\x1a"] {
        pty.press_until("some words", "> Title *          some words");
        pty.press("\x15");
        pty.wait("an empty title", |pty| !pty.text().contains("some words"));
        pty.press_until(undo, "> Title *          some words");
        pty.press("\x12");
        pty.wait("an empty title", |pty| !pty.text().contains("some words"));
    }
    pty.assert_taken();
}

#[test]
fn a_text_in_the_editor_of_a_killed_program_stays_in_its_file() {
    let (office, home) = (Office::open(), Home::new());
    editor(&home, "echo saved > \"$1\"; echo waiting; sleep 60");
    let mut pty = office.start(&home);
    pty.press_until("n", "> Title");
    // Ctrl-o keeps it: no time is left for the pause after typing.
    pty.press_until("typed", "> Title *          typed");
    pty.press_until(CTRL_O, "waiting");
    let drafts = home.path().join(".local/state/rundown/drafts");
    // Under its own name: what is being written has another one, with a dot.
    let is_kept = |path: &PathBuf| {
        let is_hidden = path
            .file_name()
            .unwrap()
            .as_encoded_bytes()
            .starts_with(b".");
        let draft = std::fs::read_to_string(path);
        !is_hidden && draft.is_ok_and(|draft| draft.contains("typed"))
    };
    pty.wait("draft on the disk", |_| {
        Home::below(&drafts).iter().any(is_kept)
    });
    kill(&mut pty);
    let folder = home.path().join(".local/state/rundown/edit");
    let [file] = &Home::below(&folder)[..] else {
        panic!("{:?}", Home::below(&folder))
    };
    let mut pty = office.start_with(&home, (200, 40), PASSWORD);
    pty.wait_for("a new run, typed until ");
    pty.press_until("\x1bOQ", "in no form, or open in another window: ");
    assert_eq!(
        std::fs::read_to_string(folder.join(file)).unwrap(),
        "saved\n"
    );
    kill(&mut pty);
}
