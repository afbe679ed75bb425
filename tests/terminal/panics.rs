//! A panic gives the terminal back before its message is printed. The program cannot be made to panic, so this test
//! program starts itself in the pseudo-terminal, takes the terminal as the program does, and panics.

use std::env;

use rundown::terminal::Terminal;
use rundown::ui::layout::Layout;

use crate::home::Home;
use crate::pty::Pty;
use crate::texts::says;

const ROLE: &str = "RUNDOWN_TEST_PANIC";
const MESSAGE: &str = "the message of the panic";

#[test]
#[ignore = "a process that the tests start"]
fn played_by_the_child() {
    let role = env::var(ROLE).unwrap();
    let mut terminal = Terminal::enter(true).unwrap();
    let drawn = terminal.draw(|area, buffer| {
        buffer.set_string(
            area.x,
            area.y,
            "on the screen",
            ratatui::style::Style::new(),
        );
        Layout::default()
    });
    drawn.unwrap();
    match role.as_str() {
        "main" => panic!("{MESSAGE}"),
        "other" => assert!(std::thread::spawn(|| panic!("{MESSAGE}")).join().is_err()),
        other => unreachable!("{other}"),
    }
    drop(terminal);
    println!("after the end");
}

fn child(home: &Home, role: &str) -> Pty {
    let this = env::current_exe().unwrap();
    let arguments = [
        "panics::played_by_the_child",
        "--exact",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ];
    let mut command = home.command(this, &arguments);
    command.env(ROLE, role);
    Pty::start(command, 80, 24)
}

fn place(seen: &[u8], text: &str) -> Option<usize> {
    seen.windows(text.len())
        .position(|bytes| bytes == text.as_bytes())
}

#[test]
fn the_message_is_readable_on_the_usual_screen() {
    let home = Home::new();
    let mut pty = child(&home, "main");
    let status = pty.ended();
    assert!(!status.success(), "{status:?}");
    pty.assert_restored();
    let seen = pty.seen();
    let entered = place(seen, "\x1b[?1049h").unwrap();
    let left = place(seen, "\x1b[?1049l").unwrap();
    let message = place(seen, MESSAGE).unwrap();
    assert!(
        entered < left && left < message,
        "{}",
        String::from_utf8_lossy(seen).escape_debug()
    );
    // In raw mode the lines of the message would run down the screen like stairs.
    let line = pty
        .lines()
        .into_iter()
        .find(|line| line.contains(MESSAGE))
        .unwrap();
    assert!(line.starts_with(MESSAGE), "{}", pty.text());
}

#[test]
fn a_panic_elsewhere_leaves_the_screen_alone() {
    let home = Home::new();
    let mut pty = child(&home, "other");
    let status = pty.ended();
    assert!(status.success(), "{status:?}\n{}", pty.text());
    pty.assert_restored();
    assert_eq!(place(pty.seen(), MESSAGE), None, "{}", pty.text());
    says(&pty.text(), "after the end");
}
