//! Terminals of any size.

use crate::home::{Home, PROGRAM};
use crate::pty::Pty;

/// The frame reaches from the first line to the last one, and no further.
fn assert_fills(pty: &Pty, columns: usize, rows: usize) {
    let lines = pty.lines();
    assert_eq!(lines.len(), rows);
    assert!(
        lines[rows - 1].contains('?'),
        "no hints in the last line:\n{}",
        pty.text()
    );
    assert_eq!(
        lines[0].chars().count(),
        columns,
        "the header is not as wide as the terminal:\n{}",
        pty.text()
    );
    assert!(
        lines[0]
            .trim_end()
            .ends_with(|last: char| last.is_ascii_digit()),
        "{}",
        pty.text()
    );
}

fn filled(pty: &mut Pty, columns: u16, rows: u16) {
    pty.wait(&format!("frame of {columns}x{rows}"), |pty| {
        let lines = pty.lines();
        let last = lines.last().unwrap();
        lines[0].chars().count() == usize::from(columns)
            && lines[0].contains("read ")
            && last.contains('?')
    });
    pty.rows();
    assert_fills(pty, columns.into(), rows.into());
}

#[test]
fn the_screen_follows_the_terminal() {
    let home = Home::new();
    let mut pty = Pty::start(home.command(PROGRAM, &["demo", "--still"]), 80, 24);
    pty.rows();
    pty.press_until("?", "Help: keys");
    pty.press_until("\u{1b}", "\nrun 1 of ");
    for (columns, rows) in [(80, 24), (120, 40), (40, 10), (200, 60), (80, 24)] {
        pty.resize(columns, rows);
        filled(&mut pty, columns, rows);
        pty.press_until("j", "\nrun 2 of ");
        pty.press_until("k", "\nrun 1 of ");
    }
    pty.press("q");
    assert!(pty.ended().success());
}

#[test]
fn a_terminal_too_small_is_told_and_recovers() {
    let home = Home::new();
    let mut pty = Pty::start(home.command(PROGRAM, &["demo", "--still"]), 30, 8);
    pty.wait_for("too small");
    assert!(
        pty.text().contains("30x8") && pty.text().contains("40x10"),
        "{}",
        pty.text()
    );
    pty.resize(80, 24);
    filled(&mut pty, 80, 24);
    pty.resize(39, 24);
    pty.wait_for("too small");
    pty.press("q");
    assert!(pty.ended().success());
    pty.assert_restored();
}

#[test]
fn a_terminal_that_tells_no_size_is_taken_for_80x24() {
    let home = Home::new();
    let without = "stty rows 0 cols 0; exec \"$0\" demo --still";
    let mut pty = Pty::start(home.command("sh", &["-c", without, PROGRAM]), 80, 24);
    filled(&mut pty, 80, 24);
    pty.press("q");
    assert!(pty.ended().success());
    pty.assert_restored();
}
