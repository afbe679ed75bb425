//! A terminal that tells whether it has the focus.

use crate::home::Home;

const LOST: &str = "\u{1b}[O";
const GAINED: &str = "\u{1b}[I";

#[test]
fn the_monitor_stands_still_without_the_focus_and_goes_on_with_it() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("M", "   every ");
    pty.press_until(LOST, "paused  ");
    pty.press(GAINED);
    pty.wait_gone("paused  ");
    pty.press_until("bb", "bell off");
    pty.press_until("\u{1b}", "\nrun 1 of ");
}

#[test]
fn focus_is_asked_for_and_given_back() {
    let home = Home::new();
    let mut pty = home.demo();
    let place = |pty: &crate::pty::Pty, what: &str| {
        let seen = String::from_utf8_lossy(pty.seen()).into_owned();
        seen.rfind(what)
    };
    assert!(place(&pty, "\u{1b}[?1004h").is_some());
    pty.press("q");
    assert!(pty.ended().success());
    assert!(
        place(&pty, "\u{1b}[?1004l") > place(&pty, "\u{1b}[?1004h"),
        "it would be told to the shell"
    );
    pty.assert_restored();
}
