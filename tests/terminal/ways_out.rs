//! Every way out gives the terminal back as it was, and throws the demo's data away.

use rustix::process::Signal;

use crate::home::Home;
use crate::pty::{CTRL_C, Pty};

/// The demo with everything taken that can be taken of a terminal.
fn everything_taken(home: &Home) -> Pty {
    let mut pty = home.demo();
    pty.press("m");
    pty.wait("mouse", |pty| {
        pty.screen().mouse_protocol_mode() != vt100::MouseProtocolMode::None
    });
    pty.assert_taken();
    assert!(
        !Home::below(&home.temporary()).is_empty(),
        "the demo keeps its data elsewhere"
    );
    pty
}

fn assert_clean(home: &Home, pty: &mut Pty) {
    let status = pty.ended();
    assert!(status.success(), "{status:?}\n{}", pty.text());
    pty.assert_restored();
    assert_eq!(pty.text().trim(), "", "something was printed after the end");
    home.assert_nothing_left();
}

#[test]
fn quit() {
    let home = Home::new();
    let mut pty = everything_taken(&home);
    pty.press("q");
    assert_clean(&home, &mut pty);
}

#[test]
fn ctrl_c_twice() {
    let home = Home::new();
    let mut pty = everything_taken(&home);
    // All is read: nothing is under way that it could give up first.
    pty.wait("all is read", |pty| pty.lines()[0].contains("  read "));
    pty.press_until(CTRL_C, "Ctrl-c again quits");
    pty.assert_taken();
    pty.press(CTRL_C);
    assert_clean(&home, &mut pty);
}

#[test]
fn terminate() {
    told_to_end(Signal::TERM);
}

#[test]
fn hang_up() {
    told_to_end(Signal::HUP);
}

#[test]
fn interrupt() {
    told_to_end(Signal::INT);
}

/// Signals that would end it on the spot, with the terminal as it is.
#[test]
fn others() {
    for signal in [Signal::QUIT, Signal::USR1, Signal::ABORT] {
        told_to_end(signal);
    }
}

fn told_to_end(signal: Signal) {
    let home = Home::new();
    let mut pty = everything_taken(&home);
    pty.signal(signal);
    assert_clean(&home, &mut pty);
}

#[test]
fn the_window_is_closed() {
    let home = Home::new();
    let mut pty = everything_taken(&home);
    pty.close();
    pty.ended();
    home.assert_nothing_left();
}

#[test]
fn told_to_end_while_the_data_is_being_made() {
    let home = Home::new();
    let mut pty = home.start(&["demo", "--still", "--runs", "2000000"]);
    pty.wait_for("making the local service's data");
    pty.signal(Signal::TERM);
    pty.ended();
    pty.assert_restored();
    home.assert_nothing_left();
}

/// The drawing thread cannot go on: it writes to a terminal that takes nothing. The program ends all the same, with the line
/// discipline as it was.
fn ends_while_the_terminal_hangs(status: u32, tell: impl FnOnce(&mut Pty)) {
    let home = Home::new();
    let mut pty = everything_taken(&home);
    pty.wait_for("[1 Open ");
    pty.hang();
    // Has all of it drawn anew.
    pty.press("\x0c");
    tell(&mut pty);
    assert_eq!(pty.ended().exit_code(), status);
    pty.assert_disciplined();
}

#[test]
fn terminate_while_the_terminal_hangs() {
    ends_while_the_terminal_hangs(143, |pty| pty.signal(Signal::TERM));
}

#[test]
fn hang_up_while_the_terminal_hangs() {
    ends_while_the_terminal_hangs(129, |pty| pty.signal(Signal::HUP));
}

#[test]
fn ctrl_c_twice_while_the_terminal_hangs() {
    ends_while_the_terminal_hangs(130, |pty| pty.press("\x03\x03"));
}
