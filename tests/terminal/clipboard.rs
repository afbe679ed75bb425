//! What is copied gets where the program says: to a tool of the display, to tmux, to the terminal, or into a file.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use portable_pty::CommandBuilder;
use rundown::local_service::{Given, LocalService, Options};
use secrecy::ExposeSecret;
use tokio::runtime::Runtime;

use crate::home::{Home, PROGRAM};
use crate::pty::Pty;
use crate::texts::{begins, lacks, says};

/// The demo in these surroundings, and the id of its first run.
fn demo(home: &Home, variables: &[(&str, &str)]) -> (Pty, String) {
    let mut command = home.command(PROGRAM, &["demo", "--still"]);
    for (name, value) in variables {
        command.env(name, value);
    }
    started(command)
}

fn started(command: CommandBuilder) -> (Pty, String) {
    let mut pty = Pty::start(command, 120, 40);
    pty.rows();
    let text = pty.text();
    let number = |word: &str| {
        word.strip_prefix("R_")
            .and_then(|id| id.parse::<u32>().ok())
    };
    let mut words = text.split_whitespace();
    let id = words.find(|word| number(word).is_some()).unwrap();
    (pty, id.to_owned())
}

/// A program that is found before all others of its name.
fn tool(home: &Home, name: &str, script: &str) -> String {
    let folder = home.temporary().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let others = std::env::var("PATH").unwrap_or_default();
    format!("{}:{others}", folder.display())
}

/// Some tools are not on every machine; says so.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if !found {
        eprintln!("NOT TRIED: {program} is not installed");
    }
    found
}

#[test]
fn the_terminal_is_sent_it_and_nothing_more_is_said() {
    let home = Home::new();
    let (mut pty, id) = demo(&home, &[]);
    pty.press("y");
    pty.wait_for(&format!("Copy of {id}"));
    pty.forget();
    pty.press("r");
    pty.wait_for(&format!(
        "Sent {id}'s reference to the terminal's clipboard"
    ));
    let seen = String::from_utf8_lossy(pty.seen()).into_owned();
    let (_, sent) = seen.split_once("\x1b]52;c;").unwrap();
    let sent: String = sent.chars().take_while(|c| !c.is_control()).collect();
    let text = String::from_utf8(STANDARD.decode(sent).unwrap()).unwrap();
    begins(&text, "TestRun-dm/");
    pty.press("q");
    pty.ended();
    home.assert_nothing_left();
}

#[test]
fn without_a_clipboard_it_says_so_and_a_file_takes_it() {
    let home = Home::new();
    let (mut pty, id) = demo(&home, &[("TERM", "linux")]);
    pty.press("yt");
    pty.wait_for(&format!(
        "Could not copy {id}'s title: this terminal has no clipboard. y f writes a file."
    ));
    assert!(!pty.seen().windows(4).any(|bytes| bytes == b"\x1b]52"));
    let file = |name: &str| home.path().join(name);
    for name in [format!("{id}.txt"), format!("{id}-2.txt")] {
        pty.press("yf");
        let path = file(&name);
        pty.wait_for(&format!("Wrote {id}'s title to {}", path.display()));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let (one, other) = (file(&format!("{id}.txt")), file(&format!("{id}-2.txt")));
    let text = fs::read_to_string(one).unwrap();
    assert_eq!(text, fs::read_to_string(other).unwrap());
    let line = pty.line(&id);
    assert!(
        text.len() > 3 && line.contains(&text[..3]),
        "{text:?} {line:?}"
    );
}

#[test]
fn a_tool_of_the_display_takes_it_and_its_status_tells() {
    let home = Home::new();
    let got = home.temporary().join("got");
    let path = tool(&home, "xclip", &format!("cat > {}", got.display()));
    let (mut pty, id) = demo(&home, &[("PATH", &path), ("DISPLAY", ":9")]);
    pty.press("yi");
    pty.wait_for(&format!("Copied {id}'s id"));
    assert_eq!(fs::read_to_string(&got).unwrap(), id);
    pty.press("yj");
    pty.wait_for(&format!("Copied {id}'s JSON"));
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&got).unwrap()).unwrap();
    assert_eq!(json["document"]["Root"]["General"]["Id"], id);
    // Of the marked runs.
    pty.press_until("  yi", "Copied the ids of 2 runs");
    let ids = fs::read_to_string(&got).unwrap();
    assert_eq!((ids.lines().next(), ids.lines().count()), (Some(&*id), 2));
    pty.press_until("yj", "Copied the JSON of 2 runs");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&got).unwrap()).unwrap();
    assert_eq!(json[0]["document"]["Root"]["General"]["Id"], id);
    assert!(!pty.seen().windows(4).any(|bytes| bytes == b"\x1b]52"));
}

#[test]
fn a_run_is_handed_to_the_browser_as_the_config_says() {
    let home = Home::new();
    let got = home.temporary().join("got");
    let script = format!(
        "printf '%s|' \"$#\" \"$@\" > {0}.new && mv {0}.new {0}",
        got.display()
    );
    let path = tool(&home, "xdg-open", &script);
    let display = [("PATH", path.as_str()), ("DISPLAY", ":9")];
    let (mut pty, _) = demo(&home, &display);
    pty.press(":web\r");
    pty.wait_for("the demo has no web application");
    pty.press("q");
    pty.ended();
    let runtime = Runtime::new().unwrap();
    let service = runtime.block_on(LocalService::start(Options::default(), |_, _| {}));
    let service = service.unwrap();
    let file = home.temporary().join("config.toml");
    let text = service.profile().toml("work", Given::default())
        + "password_env = \"WORK_PASSWORD\"\nweb_url = \"https://web.example/?run={id}&tab=1;x\"\n";
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    let start = |variables: &[(&str, &str)]| {
        let config = file.display().to_string();
        let mut command = home.command(PROGRAM, &["--config", &config]);
        command.env("WORK_PASSWORD", service.profile().password.expose_secret());
        for (name, value) in variables {
            command.env(name, value);
        }
        started(command)
    };
    let (mut pty, id) = start(&display);
    pty.press(":web\r");
    pty.wait_for(&format!("Opening {id} in the browser"));
    let address = format!("https://web.example/?run={id}&tab=1;x");
    // One argument, which no shell has read.
    assert_eq!(fs::read_to_string(&got).unwrap(), format!("1|{address}|"));
    tool(&home, "xdg-open", "exit 3");
    pty.press(":web\r");
    pty.wait_for(&format!(
        "Could not open {id} in the browser: xdg-open ended with status 3"
    ));
    pty.press("q");
    pty.ended();
    let (mut pty, id) = start(&[("PATH", &path)]);
    pty.press(":web\r");
    pty.wait_for(&format!(
        "Could not open {id} in the browser: there is no display here"
    ));
}

#[test]
fn what_a_failed_tool_says_is_told() {
    let home = Home::new();
    let script = "echo \"Error: Can't open display: $DISPLAY\" >&2; exit 1";
    let path = tool(&home, "xclip", script);
    let (mut pty, id) = demo(&home, &[("PATH", &path), ("DISPLAY", ":9")]);
    pty.press("yi");
    pty.wait_for(&format!(
        "Could not copy {id}'s id: xclip: Error: Can't open display: :9. y f writes a file."
    ));
    tool(&home, "xclip", "exit 7");
    pty.press("yi");
    pty.wait_for(&format!(
        "Could not copy {id}'s id: xclip: ended with status 7"
    ));
    assert!(!pty.seen().windows(4).any(|bytes| bytes == b"\x1b]52"));
}

#[test]
fn a_tool_that_hangs_holds_up_nothing_and_is_ended() {
    let home = Home::new();
    let pid = home.temporary().join("pid");
    let script = format!("sleep 1000 & echo $! > {}; wait", pid.display());
    let path = tool(&home, "wl-copy", &script);
    let (mut pty, id) = demo(&home, &[("PATH", &path), ("WAYLAND_DISPLAY", "wayland-9")]);
    pty.press("yi");
    pty.wait("the tool", |_| {
        fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n'))
    });
    pty.press_until("j", "\nrun 2 of ");
    lacks(&pty.text(), "wl-copy");
    pty.wait_for(&format!(
        "Could not copy {id}'s id: wl-copy gave no answer in 3 s"
    ));
    let pid = fs::read_to_string(&pid).unwrap();
    let stat = format!("/proc/{}/stat", pid.trim());
    pty.wait("end of what the tool has started", |_| {
        fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "))
    });
}

#[test]
fn a_display_is_not_asked_over_ssh_nor_without_its_tool() {
    let home = Home::new();
    let path = tool(&home, "xclip", "cat > /dev/null");
    let display = [("PATH", path.as_str()), ("DISPLAY", "localhost:10")];
    let far = [display[0], display[1], ("SSH_CONNECTION", "::1 1 ::1 22")];
    // A folder without any program.
    let none = home.path().display().to_string();
    for variables in [&far[..], &[("PATH", none.as_str()), ("DISPLAY", ":0")]] {
        let (mut pty, id) = demo(&home, variables);
        pty.press("yi");
        pty.wait_for(&format!("Sent {id}'s id to the terminal's clipboard"));
        assert!(pty.seen().windows(7).any(|bytes| bytes == b"\x1b]52;c;"));
    }
}

#[test]
fn what_was_copied_just_before_the_end_gets_there() {
    let home = Home::new();
    let got = home.temporary().join("got");
    let script = format!("sleep 0.3; cat > {}", got.display());
    let path = tool(&home, "xclip", &script);
    let (mut pty, id) = demo(&home, &[("PATH", &path), ("DISPLAY", ":9")]);
    pty.press("yiq");
    assert!(pty.ended().success());
    assert_eq!(fs::read_to_string(&got).unwrap(), id);
}

#[test]
fn what_may_not_have_got_there_is_told_at_the_end() {
    let home = Home::new();
    let path = tool(&home, "xclip", "exec sleep 30");
    let (mut pty, _) = demo(&home, &[("PATH", &path), ("DISPLAY", ":9")]);
    pty.press("yiq");
    assert!(!pty.ended().success());
    let words = "the clipboard did not answer in time: the last copy may not be in it";
    says(&pty.text(), words);
}

#[test]
fn tmux_as_it_comes_has_the_text_and_hands_it_on() {
    if !is_installed("tmux") {
        return;
    }
    let home = Home::new();
    let socket = ["-L", "rundown", "-f", "/dev/null"];
    let mut command = home.command("tmux", &socket);
    command.args(["new-session", PROGRAM, "demo", "--still"]);
    command.env("TMUX_TMPDIR", home.temporary());
    let _server = Tmux(home.temporary());
    let (mut pty, id) = started(command);
    pty.forget();
    pty.press("yi");
    pty.wait_for(&format!("Copied {id}'s id"));
    let shown = Command::new("tmux")
        .args(socket)
        .arg("show-buffer")
        .env("TMUX_TMPDIR", home.temporary())
        .output();
    assert_eq!(String::from_utf8(shown.unwrap().stdout).unwrap(), id);
    let handed_on = STANDARD.encode(&id);
    pty.wait("the text in the terminal around tmux", |pty| {
        let seen = String::from_utf8_lossy(pty.seen()).into_owned();
        seen.contains("\x1b]52;") && seen.contains(&handed_on)
    });
}

/// The server of this folder; ended with the value.
struct Tmux(PathBuf);

impl Drop for Tmux {
    fn drop(&mut self) {
        let ended = Command::new("tmux")
            .args(["-L", "rundown", "kill-server"])
            .env("TMUX_TMPDIR", &self.0)
            .stderr(Stdio::null())
            .status();
        ended.unwrap();
    }
}

#[test]
fn the_clipboard_of_a_display_gives_back_the_text_after_the_end_too() {
    if !is_installed("Xvfb") || !is_installed("xclip") {
        return;
    }
    let home = Home::new();
    let display = Display::start();
    let (mut pty, id) = demo(&home, &[("DISPLAY", &display.name)]);
    pty.press("yi");
    pty.wait_for(&format!("Copied {id}'s id"));
    assert_eq!(display.clipboard(), id);
    pty.press("yr");
    pty.wait_for(&format!("Copied {id}'s reference"));
    let reference = display.clipboard();
    begins(&reference, "TestRun-dm/");
    pty.press("q");
    assert!(pty.ended().success());
    assert_eq!(display.clipboard(), reference);
}

/// A display of its own.
struct Display {
    name: String,
    server: Child,
}

impl Display {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                "64x64x8",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        let mut told = BufReader::new(server.stdout.take().unwrap());
        told.read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        Self { name, server }
    }

    fn clipboard(&self) -> String {
        let mut xclip = Command::new("xclip");
        xclip.args(["-out", "-selection", "clipboard"]);
        let read = xclip.env("DISPLAY", &self.name).output().unwrap();
        String::from_utf8(read.stdout).unwrap()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }
}
