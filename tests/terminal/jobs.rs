//! Stopped and continued: by Ctrl-z and `fg` in a shell, and from outside.

use std::process::Command;

use rustix::process::Signal;

use secrecy::ExposeSecret;

use crate::home::{Home, PROGRAM};
use crate::office::Office;
use crate::pty::{CTRL_Z, Pty};

/// A shell with job control, ready for a command.
fn shell(home: &Home) -> Pty {
    let mut command = home.command("/bin/sh", &["-i"]);
    command.env("PS1", "ready> ");
    let mut pty = Pty::start(command, 120, 40);
    pty.wait_for("ready>");
    pty
}

/// Types a command line.
fn type_in(pty: &mut Pty, line: &str) {
    pty.press(&format!("{line}\r"));
}

#[test]
fn ctrl_z_gives_the_shell_its_terminal_and_fg_brings_the_interface_back() {
    let home = Home::new();
    let mut pty = shell(&home);
    type_in(&mut pty, &format!("'{PROGRAM}' demo; echo \"status $?.\""));
    suspend_and_resume(&home, &mut pty);
}

#[test]
fn ctrl_z_stops_a_script_that_has_started_the_program_too() {
    let home = Home::new();
    let mut pty = shell(&home);
    // The second command keeps the inner shell from making way for the program.
    type_in(
        &mut pty,
        &format!("sh -c \"'{PROGRAM}' demo; exit \\$?\"; echo \"status $?.\""),
    );
    suspend_and_resume(&home, &mut pty);
}

fn suspend_and_resume(home: &Home, pty: &mut Pty) {
    pty.rows();
    pty.press("m");
    pty.wait("mouse", |pty| {
        pty.screen().mouse_protocol_mode() != vt100::MouseProtocolMode::None
    });
    pty.press(CTRL_Z);
    // A shell that goes on with the line after a stop says so with a status that is not 0.
    pty.wait("shell", |pty| {
        !pty.screen().alternate_screen() && pty.text().trim_end().ends_with("ready>")
    });
    pty.assert_restored();
    type_in(pty, "echo \"here $((40 + 2)).\"");
    pty.wait_for("here 42.");
    type_in(pty, "fg; echo \"status $?.\"");
    pty.wait_for("\n> R_");
    pty.assert_taken();
    let mouse = pty.screen().mouse_protocol_mode();
    assert_ne!(
        mouse,
        vt100::MouseProtocolMode::None,
        "the mouse was on before"
    );
    pty.press_until("j", "\nrun 2 of ");
    pty.press_until("q", "status 0.");
    pty.assert_restored();
    home.assert_nothing_left();
    type_in(pty, "exit");
    pty.ended();
}

#[test]
fn ctrl_z_without_a_shell_behind_it_says_so_and_goes_on() {
    let home = Home::new();
    // The program is the first process of its terminal: nobody could say fg.
    let mut pty = home.demo();
    pty.press_until(CTRL_Z, "nothing to suspend to");
    pty.press_until("j", "\nrun 2 of ");
    pty.press("q");
    assert!(pty.ended().success());
    pty.assert_restored();
}

#[test]
fn stopped_from_outside_the_interface_is_drawn_again_and_keys_work() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.signal(Signal::STOP);
    pty.wait("stop", |pty| pty.state() == 'T');
    // What a shell does when one of its jobs stops: line by line, with echo, on the usual screen.
    let stty = Command::new("stty")
        .arg("sane")
        .stdin(std::fs::File::open(pty.device()).unwrap())
        .status();
    assert!(stty.unwrap().success());
    pty.resize(110, 35);
    pty.forget();
    pty.signal(Signal::CONT);
    pty.wait("interface", |pty| {
        !pty.seen().is_empty() && pty.lines()[34].contains("help")
    });
    pty.rows();
    pty.press_until("j", "\nrun 2 of ");
    pty.press("q");
    assert!(pty.ended().success());
}

/// A `gpg-agent` is told of a terminal by `GPG_TTY`, others read `/dev/tty`.
#[test]
fn a_command_for_a_secret_shares_no_keys_with_the_screen() {
    let (home, office) = (Home::new(), Office::open());
    let script = format!(
        "trap '' TTIN; echo \"[$GPG_TTY]\" > told; head -c 3 /dev/tty > asked & sleep 0.5; echo {}",
        office.service.profile().password.expose_secret()
    );
    let line = format!(
        "password_command = {:?}\n",
        shell_words::join(["sh", "-c", &script])
    );
    let mut pty = office.start_with(&home, (120, 40), &line);
    for _ in 0..8 {
        pty.press("j");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    pty.rows();
    let seen = |name: &str| {
        std::fs::read_to_string(home.path().join(".config/rundown").join(name)).unwrap()
    };
    assert_eq!(
        (seen("told").as_str(), seen("asked").as_str()),
        ("[]\n", "")
    );
    pty.press("q");
    pty.ended();
}
